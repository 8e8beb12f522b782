"""The names that an expression may use, and what each of them refers to.

In: what a game declares, as plain data (`model/symbol_table.py` makes it). Out: a `Scope`, which maps each name to a
symbol; a class of symbol for each sort of declaration. Nothing here knows the rules of a game.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from rulewright.diagnostics import Span
from rulewright.expr.cost_bounds import Cost, fixed_cost
from rulewright.expr.tree import FIRST_OUTER_SLOT
from rulewright.expr.types import SEAT, ConstantValue, KindInfo, Member, Thing, Type
from rulewright.frozen import field, frozen, replace


@frozen
class VariableSymbol:
    """A name bound by a choice, a `for_each`, keys, or a quantifier. `slot`: its index in the environment."""

    type: Type
    slot: int


@frozen
class ParameterSymbol:
    """A named constant: a single value, or one for each member of `per`."""

    type: Type
    key_types: tuple[Type, ...] = ()
    value: ConstantValue = None  # the run-time value of a parameter without keys, where it is known; gives bounds


@frozen
class ZoneSymbol:
    """A zone, with one place for each combination of keys.

    `content_type`: Member for a pool (its content is a bag), Thing for a set.
    """

    content_type: Member | Thing
    key_types: tuple[Type, ...] = ()
    max_size: int = 1000  # upper bound of the content of one place
    is_shuffled: bool = False


@frozen
class ValueSymbol:
    """A derived value, a function of its keys; so is what a step runs, a procedure with its arguments."""

    type: Type
    key_types: tuple[Type, ...] = ()
    cost: Cost = fixed_cost(1)  # of its own expressions; its keys are variables 0, 1, …
    is_procedure: bool = False


@frozen
class StateSymbol:
    """A bounded number, flag or member that steps set."""

    type: Type
    key_types: tuple[Type, ...] = ()


@frozen
class ComponentSymbol:
    """Things with fields."""

    field_types: Mapping[str, Type]
    row_count: int
    row_ids: tuple[str, ...] = ()


@frozen
class ActionSymbol:
    """The name of an action, which only `possible(…)` takes."""


@frozen
class MemberSymbol:
    """A member of a kind, by its name."""

    kind: str  # the smallest kind that declares it
    value: int


@frozen
class KindSymbol:
    """The name of a kind: the set of its members."""

    kind: str


@frozen
class UnavailableSymbol:
    """A name that exists, but not here; `reason` says where it does. Without a reason its declaration is wrong."""

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


@frozen
class Scope:
    """All names that an expression may use."""

    symbols: Mapping[str, Symbol]
    kinds: Mapping[str, KindInfo]
    slot_count: int = 0  # slots taken by the bindings around the expression
    has_me: bool = True  # whether a seat is in turn, so that `me` and what depends on it have a meaning
    is_before_play: bool = False  # whether nothing of a position may be read, so that no seat has a name
    locals: Mapping[str, VariableSymbol] = field(default_factory=dict)  # looked up before `symbols`
    loop_names: Collection[str] = ()  # those of `locals` that the expression itself binds, for hints
    # names declared twice: this is reported at the declarations, and not again wherever they are used
    ambiguous_names: Collection[str] = frozenset()
    removed_names: Collection[str] = frozenset()  # names that a variant has removed
    later_names: Collection[str] = ()  # names that are declared after this is read, for hints
    # where names are declared, for notes; of components their fields. Symbols stay when this moves
    spans: Mapping[str, Span] = field(default_factory=dict)

    @property
    def players(self) -> int:
        """How many play. Looked up like a name, so that what does not ask is the same at every number."""
        return len(self.kinds[SEAT.kind].members)

    def with_variable(self, name: str, value_type: Type) -> Scope:
        """The scope inside a binding: one more variable, in the next slot."""
        return Scope(  # `replace` takes six times as long, and every name of a thing is read in such a scope
            self.symbols,
            self.kinds,
            self.slot_count + 1,
            self.has_me,
            self.is_before_play,
            {**self.locals, name: VariableSymbol(value_type, self.slot_count)},
            self.loop_names,
            self.ambiguous_names,
            self.removed_names,
            self.later_names,
            self.spans,
        )

    def with_tables(self, symbols: Mapping[str, Symbol], kinds: Mapping[str, KindInfo]) -> Scope:
        """The same scope with other tables of names."""
        return Scope(
            symbols,
            kinds,
            self.slot_count,
            self.has_me,
            self.is_before_play,
            self.locals,
            self.loop_names,
            self.ambiguous_names,
            self.removed_names,
            self.later_names,
            self.spans,
        )

    def inside_loop(self, name: str, value_type: Type) -> Scope:
        """The scope inside a loop of the expression: one more variable, which its author can rename."""
        return replace(self.with_variable(name, value_type), loop_names=(*self.loop_names, name))

    def within(self, outer: Scope) -> Scope:
        """The scope in which the variables of another one are seen too, unless one here has the same name.

        They are in slots of their own, from `FIRST_OUTER_SLOT` on, which nothing else takes.
        """
        seen = {name: VariableSymbol(each.type, FIRST_OUTER_SLOT + each.slot) for name, each in outer.locals.items()}
        return replace(self, locals={**seen, **self.locals})

    def lookup(self, name: str) -> Symbol | None:
        """What a name refers to, apart from the names of the language; None for an unknown name."""
        return self.locals.get(name) or self.symbols.get(name)
