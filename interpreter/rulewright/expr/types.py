"""What sort of value an expression has: a flag, a number, a member, a thing, a bag or a set.

In: nothing. Out: the types, and the scope (name → symbol) that an expression is checked against, as plain data.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from rulewright.diagnostics import Span


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false."""


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number from `low` to `high`, both included."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Member:
    """One member of a kind.

    At run time an integer: the number itself in a kind of numbers, else its place in the family.
    """

    kind: str


@dataclass(frozen=True, slots=True)
class Thing:
    """One row of a component. At run time its index among the rows."""

    component: str


@dataclass(frozen=True, slots=True)
class Bag:
    """So many of each member of a kind. At run time a tuple of counts, one per member of the kind's family."""

    kind: str  # "" for `nothing`, which fits every kind
    max_size: int = 1000  # no count, and no total, is above it


@dataclass(frozen=True, slots=True)
class SetOf:
    """Different members, things or numbers, in an order. At run time a tuple. `of` is None for `empty`."""

    element: Member | Thing | Number | None
    max_size: int = 1000  # how many there can be


@dataclass(frozen=True, slots=True)
class UnknownType:
    """The type of what is already reported as wrong; it fits everything, so that one fault gives one complaint."""


Type = Flag | Number | Member | Thing | Bag | SetOf | UnknownType


@dataclass(frozen=True, slots=True)
class KindInfo:
    """A kind. A family is the set of kinds that embed one another; its members are numbered together."""

    name: str
    members: tuple[str, ...]  # ids in order; numbers as decimal digits
    member_values: tuple[int, ...]  # run-time value of each member: itself when `numeric`, else its index in the family
    is_numeric: bool = False
    family: str = ""
    includes: frozenset[str] = frozenset()  # kinds all of whose members are members of this one (itself included)
    cell_kind: str = ""  # the kind whose members make up a line
    lines: tuple[tuple[int, ...], ...] = ()  # for each member the values of its cells
    columns: int = 0  # columns, where it is a grid: its members are a1, b1, … row by row


# ---- what a name can stand for ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class VariableSymbol:
    """A name bound by a choice, a `for_each`, keys, or a quantifier. `slot`: its place in the environment."""

    type: Type
    slot: int


@dataclass(frozen=True, slots=True)
class ParameterSymbol:
    """A named constant, one value for each member of `per`, or just one."""

    type: Type
    key_types: tuple[Type, ...] = ()
    value: object = None  # the run-time value when `per` is empty and it is known, for bounds
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class ZoneSymbol:
    """A family of places. `holds`: Member of a kind for a pool (its content is a bag), Thing for a set."""

    content_type: Member | Thing
    key_types: tuple[Type, ...] = ()
    max_size: int = 1000  # bound of one place's content
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class ValueSymbol:
    """A derived quantity of `keys`."""

    type: Type
    key_types: tuple[Type, ...] = ()
    span: Span | None = None
    cost: int = 1  # a bound on the steps of working it out once, as `cost` gives it for its own expressions


@dataclass(frozen=True, slots=True)
class StateSymbol:
    """A bounded number, flag or member that steps set."""

    type: Type
    key_types: tuple[Type, ...] = ()
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class ComponentSymbol:
    """Things with fields. `count`: how many rows."""

    field_types: Mapping[str, Type]
    row_count: int
    row_ids: tuple[str, ...] = ()  # ids
    span: Span | None = None  # where its fields are declared


@dataclass(frozen=True, slots=True)
class ActionSymbol:
    """The name of an action, which only `possible(…)` takes."""

    span: Span | None = None


@dataclass(frozen=True, slots=True)
class MemberSymbol:
    """A member of a kind, by its name."""

    kind: str  # the smallest kind that declares it
    value: int


@dataclass(frozen=True, slots=True)
class KindSymbol:
    """The name of a kind: all of its members."""

    kind: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class UnavailableSymbol:
    """A name that exists, but not here; `why` says where it does. Without a reason: its declaration is wrong."""

    reason: str


Symbol = (
    VariableSymbol
    | ParameterSymbol
    | ZoneSymbol
    | ValueSymbol
    | StateSymbol
    | ComponentSymbol
    | ActionSymbol
    | MemberSymbol
    | KindSymbol
    | UnavailableSymbol
)


@dataclass(frozen=True, slots=True)
class Scope:
    """All names an expression may use. `players`: the number of seats; `slots`: how many are taken already."""

    symbols: Mapping[str, Symbol]
    kinds: Mapping[str, KindInfo]
    players: int
    slot_count: int = 0
    has_me: bool = True  # whether `me` and what hangs on it mean something here
    where: Literal["rules", "setup", "sentence"] = "rules"
    locals: Mapping[str, VariableSymbol] = field(default_factory=dict)  # looked up before `symbols`
    ambiguous_names: Collection[str] = (
        frozenset()
    )  # names of two things, which has been told: what uses them is not told again
    removed_names: Collection[str] = frozenset()  # names that a variant has taken away

    def with_variable(self, name: str, value_type: Type) -> Scope:
        """The scope inside a binding: one more variable, in the next slot."""
        return replace(
            self,
            slot_count=self.slot_count + 1,
            locals={**self.locals, name: VariableSymbol(value_type, self.slot_count)},
        )
