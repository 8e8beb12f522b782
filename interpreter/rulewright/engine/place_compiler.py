"""Which places, members and elements an expression names: keys become place numbers, sets and bags their elements.

In: the zones, states and kinds of the rule model. Out: functions of a `Context`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import TypeAlias, cast

from rulewright.engine.bag_arithmetic import ANY_LENGTH, BagArithmetic, bag_arithmetic
from rulewright.engine.context import Context
from rulewright.engine.values import RuntimeValue
from rulewright.expr.tree import Builtin, Expr, Local
from rulewright.expr.types import Bag, Member, SetOf, Type
from rulewright.model.bag_indexes import bag_index, bag_members, family_size
from rulewright.model.place_keys import is_plural_key
from rulewright.model.rules import Rules, StateDef, ZoneDef

CompiledExpr: TypeAlias = Callable[[Context], RuntimeValue]
CompiledNumber: TypeAlias = Callable[[Context], int]  # of a number, flag, member or thing
CompiledTuple: TypeAlias = Callable[[Context], tuple[int, ...]]  # of a bag or set


class PlaceCompiler(ABC):
    """What compiling expressions needs to know of places and kinds; `compile` turns an expression into a function."""

    rules: Rules

    @abstractmethod
    def compile(self, expr: Expr) -> CompiledExpr:
        """The function that computes an expression."""

    # the static type of an expression says which of the two its values are
    def compile_number(self, expr: Expr) -> CompiledNumber:
        """The function that computes a number, flag, member or thing."""
        return cast("CompiledNumber", self.compile(expr))

    def compile_tuple(self, expr: Expr) -> CompiledTuple:
        """The function that computes a bag or set."""
        return cast("CompiledTuple", self.compile(expr))

    def family_size(self, kind: str) -> int:
        """The length of the bags of a kind."""
        return family_size(self.rules, kind)

    def bag_arithmetic(self, type_: Type) -> BagArithmetic:
        """The arithmetic of bags of a kind, or of a kind itself; bags of any kind have no length of their own."""
        if isinstance(type_, Bag | Member) and type_.kind:
            return bag_arithmetic(self.family_size(type_.kind))
        return ANY_LENGTH

    def bag_index(self, kind: str) -> Mapping[int, int]:
        """For each member of a kind, its index in a bag."""
        return bag_index(self.rules, kind)

    def zone_bag_index(self, zone: str) -> Mapping[int, int]:
        """For each member that a zone of pieces may hold, its index in a bag."""
        return self.bag_index(self.rules.zones[zone].piece_kind)

    def bag_members(self, kind: str) -> tuple[int, ...]:
        """For each index in a bag of this kind's family the member that is counted there."""
        return bag_members(self.rules, kind)

    def compile_place(self, definition: ZoneDef | StateDef, keys: tuple[Expr, ...]) -> CompiledNumber:
        """The number of the place that full keys name."""
        strides = _strides(definition.key_values)
        steps = [
            ({value: index * stride for index, value in enumerate(values)}, self.compile_number(key))
            for values, stride, key in zip(definition.key_values, strides, keys, strict=True)
        ]
        first = definition.first_index
        if not steps:
            return lambda c: first
        if len(steps) == 1:
            offsets, key_of = steps[0]
            if all(value == offset for value, offset in offsets.items()):
                match keys[0]:
                    case Local(slot=slot):  # without a call for the variable
                        return cast("CompiledNumber", lambda c: first + c.env[slot])
                    case Builtin(name="me"):
                        return lambda c: first + c.me
                return lambda c: first + key_of(c)
            return lambda c: first + offsets[key_of(c)]
        if len(steps) == 2:
            (offsets, key_of), (others, other_of) = steps
            match keys:
                case Local(slot=slot), Local(slot=other_slot):
                    return cast("CompiledNumber", lambda c: first + offsets[c.env[slot]] + others[c.env[other_slot]])
            return lambda c: first + offsets[key_of(c)] + others[other_of(c)]
        return lambda c: first + sum([offsets[key_of(c)] for offsets, key_of in steps])

    def compile_places(self, zone: ZoneDef, keys: tuple[Expr, ...]) -> CompiledTuple:
        """The numbers of all places that some keys name: a missing key stands for all values, a set for its members."""
        if len(keys) == len(zone.key_types) == 1:
            return self._compile_plural_places(zone, keys[0])
        strides = _strides(zone.key_values)
        steps: list[tuple[Mapping[int, int], CompiledTuple]] = []
        for index, (values, stride) in enumerate(zip(zone.key_values, strides, strict=True)):
            offsets = {value: rank * stride for rank, value in enumerate(values)}
            steps.append(
                (offsets, self._key_values(zone, index, keys[index]) if index < len(keys) else _always(values))
            )
        first = zone.first_index

        def run(c: Context) -> tuple[int, ...]:
            places: tuple[int, ...] = (first,)
            for offsets, elements in steps:
                chosen = [offsets[value] for value in elements(c)]
                places = tuple([base + offset for base in places for offset in chosen])
            return places

        return run

    def _compile_plural_places(self, zone: ZoneDef, key: Expr) -> CompiledTuple:
        """The numbers of the places that a line or a set names, where it is the only key; boards are read so."""
        place_of = {value: zone.first_index + rank for rank, value in enumerate(zone.key_values[0])}
        if isinstance(key.type, Member) and is_plural_key(self.rules, key, zone, 0):
            definition, line = self.rules.kinds[key.type.kind], self.compile_number(key)
            places_of_line = {
                number: tuple(place_of[cell] for cell in cells)
                for number, cells in zip(definition.member_values, definition.lines, strict=True)
            }
            return lambda c: places_of_line[line(c)]
        elements = self._key_values(zone, 0, key)
        return lambda c: tuple([place_of[value] for value in elements(c)])

    def _key_values(self, zone: ZoneDef, index: int, key: Expr) -> CompiledTuple:
        return self.compile_elements(key) if is_plural_key(self.rules, key, zone, index) else self.compile_single(key)

    def compile_single(self, expr: Expr) -> CompiledTuple:
        """A number, member or thing as the only one."""
        run = self.compile_number(expr)
        return lambda c: (run(c),)

    def compile_one_or_all(self, expr: Expr) -> CompiledTuple:
        """The elements of a set, or a single number, member or thing as the only one."""
        return self.compile_tuple(expr) if isinstance(expr.type, SetOf) else self.compile_single(expr)

    def compile_elements(self, over: Expr) -> CompiledTuple:
        """The elements of a set; of a bag the members it holds; of a line its cells."""
        match over.type:
            case Bag(kind=""):
                return _always(())
            case Bag(kind=kind):
                numbers, bag = self.bag_members(kind), self.compile_tuple(over)
                return lambda c: tuple([number for number, count in zip(numbers, bag(c), strict=False) if count])
            case Member(kind=kind):
                definition, line = self.rules.kinds[kind], self.compile_number(over)
                lines = dict(zip(definition.member_values, definition.lines, strict=True))
                return lambda c: lines[line(c)]
            case _:
                return self.compile_tuple(over)


def compile_constant(value: RuntimeValue) -> CompiledExpr:
    """The function that gives this value in every context."""
    return lambda c: value


def _always(values: tuple[int, ...]) -> CompiledTuple:
    return lambda c: values


def _strides(key_values: tuple[tuple[int, ...], ...]) -> list[int]:
    strides, stride = [], 1
    for values in reversed(key_values):
        strides.append(stride)
        stride *= len(values)
    return strides[::-1]
