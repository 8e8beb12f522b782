"""The meaning of an expression: a small tree in which every name is resolved and every part has its type.

In: nothing. Out: the node classes, a closed union. `at` is the stretch of the expression's text, for carets and for
showing the values of the parts. A typed tree is what the checker hands on and what engines carry out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rulewright.expr.types import ConstantValue, Type

Offsets = tuple[int, int]
CompareOp = Literal["is", "is not", "<", "<=", ">", ">=", "in", "not in", "fits in"]
ArithmeticOp = Literal["+", "-", "less", "*", "//", "%"]
QuantifierKind = Literal["some", "every", "no"]


@dataclass(frozen=True, slots=True)
class Constant:
    """A number, flag, word, `nothing` (a bag of zeros: value None, type Bag("")), `empty` (value ()) or all members
    of a kind or component.
    """

    value: ConstantValue
    type: Type
    offsets: Offsets


@dataclass(frozen=True, slots=True)
class Builtin:
    """A name of the language whose value the game gives: me, opponent, opponents, others, everyone, first_player,
    round_number.
    """

    name: str
    type: Type
    offsets: Offsets


@dataclass(frozen=True, slots=True)
class Local:
    """A variable, by its slot."""

    name: str
    slot: int
    type: Type
    offsets: Offsets


@dataclass(frozen=True, slots=True)
class ReadParameter:
    """A parameter, with a key when it is kept per seat or member."""

    name: str
    keys: tuple[Expr, ...]
    type: Type
    offsets: Offsets


@dataclass(frozen=True, slots=True)
class ReadState:
    """A state variable."""

    name: str
    keys: tuple[Expr, ...]
    type: Type
    offsets: Offsets


@dataclass(frozen=True, slots=True)
class ReadValue:
    """A derived value."""

    name: str
    keys: tuple[Expr, ...]
    type: Type
    offsets: Offsets


@dataclass(frozen=True, slots=True)
class ReadZone:
    """What stands in a zone.

    Fewer keys than the zone has, or a set as a key: the union. `member`: the count of that member.
    """

    name: str
    keys: tuple[Expr, ...]
    member: Expr | None
    type: Type
    offsets: Offsets


@dataclass(frozen=True, slots=True)
class FieldAccess:
    """A field of one thing."""

    of: Expr
    name: str
    type: Type
    offsets: Offsets


@dataclass(frozen=True, slots=True)
class FieldTotal:
    """A field added up over a set of things: a number, or a bag (of members or of bags)."""

    of: Expr
    name: str
    type: Type
    offsets: Offsets


@dataclass(frozen=True, slots=True)
class MemberCount:
    """How many of a member a bag holds."""

    bag: Expr
    member: Expr
    type: Type
    offsets: Offsets


@dataclass(frozen=True, slots=True)
class Logic:
    """`and` or `or` of two flags."""

    op: Literal["and", "or"]
    left: Expr
    right: Expr
    type: Type
    offsets: Offsets


@dataclass(frozen=True, slots=True)
class Not:
    """The other flag."""

    of: Expr
    type: Type
    offsets: Offsets


@dataclass(frozen=True, slots=True)
class Compare:
    """Two values held against each other. `is`/`is not` with `empty` or `nothing` compares with no members at all."""

    op: CompareOp
    left: Expr
    right: Expr
    type: Type
    offsets: Offsets


@dataclass(frozen=True, slots=True)
class Range:
    """All numbers from low to high; none when low is above high."""

    low: Expr
    high: Expr
    type: Type
    offsets: Offsets


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """Numbers, bags or sets, by `type` (which is the type of the result): + joins, less takes away, never below
    nothing.
    """

    op: ArithmeticOp
    left: Expr
    right: Expr
    type: Type
    offsets: Offsets


@dataclass(frozen=True, slots=True)
class MakeBag:
    """`n of red`, `n of <set or kind>`: a bag with n of that member, or of each of those members."""

    count: Expr
    members: Expr
    type: Type
    offsets: Offsets


@dataclass(frozen=True, slots=True)
class If:
    """One of two values."""

    condition: Expr
    then: Expr
    otherwise: Expr
    type: Type
    offsets: Offsets


@dataclass(frozen=True, slots=True)
class Quantifier:
    """Whether some, every or no element of a set has a property.

    `over` is a set, or a bag (then: its members with a count above 0).
    """

    quantifier: QuantifierKind
    slot: int
    over: Expr
    condition: Expr
    type: Type
    offsets: Offsets


@dataclass(frozen=True, slots=True)
class Filter:
    """Those elements of a set for which the condition holds."""

    slot: int
    over: Expr
    condition: Expr
    type: Type
    offsets: Offsets


@dataclass(frozen=True, slots=True)
class Sum:
    """A number or bag added up over the elements of a set (for which `where` holds, if given)."""

    slot: int
    over: Expr
    condition: Expr | None
    of: Expr
    type: Type
    offsets: Offsets


@dataclass(frozen=True, slots=True)
class Extremum:
    """The greatest or least number over the elements of a set (for which `where` holds, if given); 0 without any."""

    function: Literal["max", "min"]
    slot: int
    over: Expr
    condition: Expr | None
    of: Expr
    type: Type
    offsets: Offsets


@dataclass(frozen=True, slots=True)
class Call:
    """A function of the language: count min max first next reversed possible.

    `action` is the name `possible` asks about.
    """

    function: str
    args: tuple[Expr, ...]
    action: str
    type: Type
    offsets: Offsets


Expr = (
    Constant
    | Builtin
    | Local
    | ReadParameter
    | ReadState
    | ReadValue
    | ReadZone
    | FieldAccess
    | FieldTotal
    | MemberCount
    | Logic
    | Not
    | Compare
    | Range
    | Arithmetic
    | MakeBag
    | If
    | Quantifier
    | Filter
    | Sum
    | Extremum
    | Call
)


# ---- what moves and where, and what a loop runs over ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Amount:
    """What a move takes.

    `of` is a bag, a set, one thing or member (exactly, up to), or a number (top, random); None for all.
    """

    mode: Literal["exactly", "up to", "all", "top", "random", "up to random"]
    of: Expr | None
    offsets: Offsets


@dataclass(frozen=True, slots=True)
class Place:
    """A zone and its keys.

    `whole`: fewer keys than the zone has (only something to take from). `bottom`: put under what is there.
    """

    zone: str
    keys: tuple[Expr, ...]
    is_bottom: bool
    offsets: Offsets


@dataclass(frozen=True, slots=True)
class Binding:
    """A variable that runs over a set, kept to those for which `where` holds."""

    name: str
    slot: int
    over: Expr
    condition: Expr | None
    type: Type  # of the variable
    offsets: Offsets


@dataclass(frozen=True, slots=True)
class StateTarget:
    """A state variable that a step sets."""

    name: str
    keys: tuple[Expr, ...]
    type: Type
    offsets: Offsets
