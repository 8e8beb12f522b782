"""The typed tree of an expression: every name is resolved, and every part has its type.

In: nothing. Out: the node classes, a closed union, and which of their fields hold other expressions. The checker
returns typed trees, engines evaluate them. `offsets` are the start and end of a part in the expression's text, for
carets and for showing the values of the parts. Walks visit the parts of a node in the order of its fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, get_args

from rulewright import limits
from rulewright.expr.types import ConstantValue, Type
from rulewright.frozen import frozen

Offsets = tuple[int, int]
CompareOp = Literal["is", "is not", "<", "<=", ">", ">=", "in", "not in", "fits in"]
NumericOp = Literal["is", "is not", "<", "<=", ">", ">="]  # of numbers, or of what is compared like them
SIDES_SWAPPED: Final[Mapping[CompareOp, NumericOp]] = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
NEGATED: Final[Mapping[CompareOp, NumericOp]] = {
    "is": "is not",
    "is not": "is",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
}
ArithmeticOp = Literal["+", "-", "less", "*", "//", "%"]
FIRST_OUTER_SLOT: Final = limits.MAX_BOUND_VARIABLES  # of variables around a step, for what its offers ask
QuantifierKind = Literal["some", "every", "no"]
PileEnd = Literal["", "top", "bottom"]  # where things are put: on or under what is there; empty: as the zone has it


@frozen
class Constant:
    """A number, flag, member, `nothing` (an empty bag or set: value None, type Bag("")), or all members of a kind or
    component.
    """

    value: ConstantValue
    type: Type
    offsets: Offsets


@frozen
class Builtin:
    """A built-in name whose value the game provides: me, opponent, opponents, others, everyone, nobody, players,
    first_player, round_number; `seat`, as the name of a kind: all seats in turn order, also those that have left.
    """

    name: str
    type: Type
    offsets: Offsets


@frozen
class Local:
    """A variable, by its slot in the environment."""

    name: str
    slot: int
    type: Type
    offsets: Offsets


@frozen
class ReadParameter:
    """A parameter, with a key if it has a value for each seat or member."""

    name: str
    keys: tuple[Expr, ...]
    type: Type
    offsets: Offsets


@frozen
class ReadState:
    """A state variable."""

    name: str
    keys: tuple[Expr, ...]
    type: Type
    offsets: Offsets


@frozen
class ReadValue:
    """A derived value."""

    name: str
    keys: tuple[Expr, ...]
    type: Type
    offsets: Offsets


@frozen
class ReadZone:
    """The content of a zone.

    With fewer keys than the zone has, or a set as a key: the union of its places. `member`: the count of that member.
    """

    name: str
    keys: tuple[Expr, ...]
    member: Expr | None
    type: Type
    offsets: Offsets


@frozen
class FieldAccess:
    """A field of one thing; of a cell of a grid its `row` or `column`, from 1."""

    of: Expr
    name: str
    type: Type
    offsets: Offsets


@frozen
class FieldTotal:
    """A field added up over a set of things: a number, or a bag (if the field is a member or a bag)."""

    of: Expr
    name: str
    type: Type
    offsets: Offsets


@frozen
class MemberCount:
    """The count of a member in a bag."""

    member: Expr
    bag: Expr
    type: Type
    offsets: Offsets


@frozen
class Logic:
    """`and` or `or` of two flags."""

    op: Literal["and", "or"]
    left: Expr
    right: Expr
    type: Type
    offsets: Offsets


@frozen
class Not:
    """The negation of a flag."""

    of: Expr
    type: Type
    offsets: Offsets


@frozen
class Compare:
    """A comparison of two values. `is empty` and `is not empty` compare with the constant `nothing`."""

    op: CompareOp
    left: Expr
    right: Expr
    type: Type
    offsets: Offsets


@frozen
class Range:
    """The set of all numbers from low to high, both included; empty if low is above high."""

    low: Expr
    high: Expr
    type: Type
    offsets: Offsets


@frozen
class Arithmetic:
    """An operation on numbers, bags or sets, according to `type`, the type of the result.

    `+` is the union of sets; `less` subtracts, never below 0.
    """

    op: ArithmeticOp
    left: Expr
    right: Expr
    type: Type
    offsets: Offsets


@frozen
class BagLiteral:
    """`n of red`, `n of <set or kind>`: a bag with n of that member, or n of each of those members."""

    count: Expr
    members: Expr
    type: Type
    offsets: Offsets


@frozen
class If:
    """One of two values, by a condition."""

    condition: Expr
    then: Expr
    otherwise: Expr
    type: Type
    offsets: Offsets


@frozen
class Quantifier:
    """Whether some, every or no element of a set satisfies a condition.

    `over` is a set, a bag (its members with a count above 0) or a line (its cells), here and in all loops.
    """

    quantifier: QuantifierKind
    slot: int
    condition: Expr
    over: Expr
    type: Type
    offsets: Offsets


@frozen
class Filter:
    """The elements of a set, or those that satisfy `condition`."""

    slot: int
    condition: Expr | None
    over: Expr
    type: Type
    offsets: Offsets


@frozen
class Sum:
    """A number or bag added up over the elements of a set, or over those that satisfy `condition`."""

    slot: int
    of: Expr
    condition: Expr | None
    over: Expr
    type: Type
    offsets: Offsets


@frozen
class Extremum:
    """The greatest or least number over the elements of a set, or over those that satisfy `condition`; 0 if none."""

    function: Literal["max", "min"]
    slot: int
    of: Expr
    condition: Expr | None
    over: Expr
    type: Type
    offsets: Offsets


@frozen
class Call:
    """A call of a built-in function: count, min, max, only, next, everyone_from, reversed, possible; or `first` and
    `last`, whose arguments are the number and the set of `first 2 of row`.

    `action`: the name of the action that `possible` takes instead of arguments.
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
    | BagLiteral
    | If
    | Quantifier
    | Filter
    | Sum
    | Extremum
    | Call
)

PART_ANNOTATIONS: Final = frozenset({"Expr", "Expr | None", "tuple[Expr, ...]"})
PART_FIELDS: Final[Mapping[type, tuple[str, ...]]] = {  # by class of node: the fields that hold its parts
    node: tuple(name for name, annotation in node.__annotations__.items() if annotation in PART_ANNOTATIONS)
    for node in get_args(Expr)
}


# ---- amounts, places, loop variables, targets -----------------------------------------------------------------


@frozen
class Amount:
    """What a move takes.

    `of` is a bag, set, thing or member (exactly, up to), or a number (top, random, up to random); None for all.
    """

    mode: Literal["exactly", "up to", "all", "top", "random", "up to random"]
    of: Expr | None
    offsets: Offsets


@frozen
class Place:
    """A zone and its keys: where a move takes from, or puts to.

    Fewer keys than the zone has are all its places (only to take from).
    """

    zone: str
    keys: tuple[Expr, ...]
    offsets: Offsets
    end: PileEnd = ""


@frozen
class Binding:
    """A variable that loops over a set, or over the elements that satisfy `condition`."""

    name: str
    slot: int
    over: Expr
    condition: Expr | None
    type: Type  # of the variable
    offsets: Offsets


@frozen
class StateTarget:
    """A state variable that a step sets."""

    name: str
    keys: tuple[Expr, ...]
    type: Type
    offsets: Offsets
