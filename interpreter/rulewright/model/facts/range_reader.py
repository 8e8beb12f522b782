"""What the readers of ranges have in common: a position, types, and the sorts of ranges.

In: rules, what every place and state variable can be. Out: `RangeReader`, of which `ExpressionRanges` is the whole.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, assert_never

from rulewright.expr.tree import Expr
from rulewright.expr.types import Bag, ConstantValue, Flag, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.model.bag_indexes import bag_members, family_size
from rulewright.model.dependencies import position_dependencies
from rulewright.model.facts.value_ranges import EITHER, EMPTY_SCALARS, BagRange, Scalars, SetRange, ValueRange, join
from rulewright.model.rules import Rules, ValueDef

Variables = Mapping[int, ValueRange]  # what each variable in scope can be, by slot
NOTHING: Final = BagRange((), (), 0, 0)


def range_of_constant(value: ConstantValue, type_: Type) -> ValueRange:
    """A value of the rules."""
    if isinstance(type_, Bag):
        return NOTHING if value is None or not isinstance(value, tuple) else BagRange.exactly(value)
    if isinstance(value, tuple):
        return SetRange.exactly(value)
    return SetRange.exactly(()) if value is None else Scalars.of((value,))


class RangeReader(ABC):
    """Ranges in all positions in which places hold `contents` and state variables are `variables`.

    `constant_values`: those of derived values that no position changes, for whoever asks again with other contents.
    """

    def __init__(
        self,
        rules: Rules,
        contents: Sequence[ValueRange],
        variables: Sequence[ValueRange],
        constant_values: dict[tuple[object, ...], ValueRange] | None = None,
    ) -> None:
        self.rules = rules
        self.contents = contents
        self.variables = variables
        self.seats = Scalars.between(0, rules.players - 1)
        self.known_values: dict[tuple[object, ...], ValueRange] = {}
        self.constant_values = {} if constant_values is None else constant_values
        self._are_constant: dict[str, bool] = {}
        self.known_ranges: dict[tuple[int, ...], tuple[Expr, Scalars, list[ValueRange | None], ValueRange]] = {}
        self._followed = 1  # elements of the loops around, multiplied

    def is_constant(self, definition: ValueDef) -> bool:
        """Whether a derived value is the same in every position."""
        is_constant = self._are_constant.get(definition.name)
        if is_constant is None:
            terms = [term for _, term in (*definition.terms, *definition.deductions)]
            is_constant = all(position_dependencies(self.rules, term) == frozenset() for term in terms)
            self._are_constant[definition.name] = is_constant
        return is_constant

    @abstractmethod
    def range_of(self, expr: Expr, env: Variables, me: Scalars) -> ValueRange:
        """What an expression can be. `env`: its variables; `me`: the seats that can be in turn."""

    def scalars(self, expr: Expr, env: Variables, me: Scalars) -> Scalars:
        """The range of a number, flag, member or thing."""
        found = self.range_of(expr, env, me)
        assert isinstance(found, Scalars), expr
        return found

    def bag(self, expr: Expr, env: Variables, me: Scalars) -> BagRange:
        """The range of a bag; `empty` is one too."""
        if isinstance(expr.type, SetOf):
            return NOTHING
        found = self.range_of(expr, env, me)
        assert isinstance(found, BagRange), expr
        return found

    def elements(self, expr: Expr, env: Variables, me: Scalars) -> SetRange:
        """What a loop runs over: the elements of a set, the members in a bag, the cells of a line."""
        match expr.type:
            case Bag(kind=""):
                return SetRange.exactly(())
            case Bag(kind=kind):
                bag, members = self.bag(expr, env, me), bag_members(self.rules, kind)
                held = [member for member, high in zip(members, bag.highs, strict=False) if high]
                return SetRange.of(Scalars.of(held), sum(1 for low in bag.lows if low), bag.high_total)
            case Member(kind=kind) if self.rules.kinds[kind].cell_kind:
                definition, lines = self.rules.kinds[kind], self.scalars(expr, env, me)
                cells = [
                    line
                    for value, line in zip(definition.member_values, definition.lines, strict=True)
                    if value in lines
                ]
                sizes = [len(line) for line in cells] or [0]
                return SetRange.of(Scalars.of(cell for line in cells for cell in line), min(sizes), max(sizes))
            case Flag() | Number() | Member() | Thing():
                return SetRange.of(self.scalars(expr, env, me), 1, 1)
            case _:
                found = self.range_of(expr, env, me)
                assert isinstance(found, SetRange), expr
                return found

    def full_range(self, type_: Type) -> ValueRange:
        """Whatever a type allows."""
        match type_:
            case Flag():
                return EITHER
            case Number(low=low, high=high):
                return Scalars.between(low, high)
            case Member(kind=kind):
                return Scalars.of(self.rules.kinds[kind].member_values)
            case Thing(component=component):
                return Scalars.between(0, len(self.rules.components[component].ids) - 1)
            case Bag(kind=""):
                return NOTHING
            case Bag(kind=kind, max_size=size):
                zeros = (0,) * family_size(self.rules, kind)
                return BagRange.of(zeros, (size,) * len(zeros), 0, size)
            case SetOf(element=None):
                return SetRange.exactly(())
            case SetOf(element=element, max_size=size):
                assert element is not None
                full = self.full_range(element)
                assert isinstance(full, Scalars)
                return SetRange.of(full, 0, size)
            case UnknownType():
                raise TypeError("rules with errors have no facts")
            case _:
                assert_never(type_)

    def joined(self, ranges: Iterator[ValueRange], type_: Type) -> ValueRange:
        """What one of some ranges can be; of a type that says what nothing at all is."""
        found: ValueRange | None = None
        for each in ranges:
            found = join(found, each)
        if found is not None:
            return found
        full = self.full_range(type_)
        return EMPTY_SCALARS if isinstance(full, Scalars) else full


__all__ = ["NOTHING", "RangeReader", "Variables", "range_of_constant"]
