"""Which places, members and elements an expression speaks of: keys become place numbers, sets and bags their elements.

In: the zones, states and kinds of the rule model. Out: functions of a `Context`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

from rulewright.engine.values import (
    Context,
    RuntimeValue,
)
from rulewright.expr.tree import (
    Expr,
)
from rulewright.expr.types import Bag, Member, SetOf
from rulewright.model.rules import Rules, StateDef, ZoneDef

CompiledExpr = Callable[[Context], RuntimeValue]


class PlaceCompiler(ABC):
    """What evaluating needs to know of places and kinds; `run` turns an expression into a function."""

    rules: Rules

    @abstractmethod
    def compile(self, expr: Expr) -> CompiledExpr:
        """The function that computes an expression."""

    def family_size(self, kind: str) -> int:
        """How long the bags of a kind are."""
        return len(self.rules.family_members[self.rules.kinds[kind].family])

    def bag_index(self, kind: str) -> Mapping[int, int]:
        """For each member of a kind, its place in a bag."""
        info = self.rules.kinds[kind]
        return {number: at if info.is_numeric else number for at, number in enumerate(info.member_values)}

    def zone_bag_index(self, zone: str) -> Mapping[int, int]:
        """For each member that a zone of pieces may hold, its place in a bag."""
        holds = self.rules.zones[zone].content_type
        assert isinstance(holds, Member)
        return self.bag_index(holds.kind)

    def bag_members(self, kind: str) -> tuple[int, ...]:
        """For each place in a bag of this kind's family the member that is counted there."""
        info = self.rules.kinds[kind]
        return info.member_values if info.is_numeric else tuple(range(self.family_size(kind)))

    def compile_place(self, definition: ZoneDef | StateDef, keys: tuple[Expr, ...]) -> CompiledExpr:
        """The number of the place that full keys name."""
        strides = _strides(definition.key_values)
        steps = [
            ({value: at * stride for at, value in enumerate(values)}, self.compile(key))
            for values, stride, key in zip(definition.key_values, strides, keys, strict=True)
        ]
        first = definition.first_index
        if not steps:
            return lambda c: first
        if len(steps) == 1:
            offsets, key_of = steps[0]
            if all(value == offset for value, offset in offsets.items()):
                return lambda c: first + key_of(c)
            return lambda c: first + offsets[key_of(c)]
        return lambda c: first + sum([offsets[key_of(c)] for offsets, key_of in steps])

    def compile_places(self, zone: ZoneDef, keys: tuple[Expr, ...]) -> CompiledExpr:
        """The numbers of all places that some keys name: missing keys stand for all, a set for each of its members."""
        strides = _strides(zone.key_values)
        steps: list[tuple[Mapping[int, int], CompiledExpr]] = []
        for at, (values, stride) in enumerate(zip(zone.key_values, strides, strict=True)):
            offsets = {value: index * stride for index, value in enumerate(values)}
            if at < len(keys):
                steps.append(
                    (
                        offsets,
                        self.compile_elements(keys[at])
                        if self.is_plural_key(keys[at], zone, at)
                        else self._lone(keys[at]),
                    )
                )
            else:
                steps.append((offsets, compile_constant(values)))
        first = zone.first_index

        def run(c: Context) -> tuple[int, ...]:
            found: tuple[int, ...] = (first,)
            for offsets, elements in steps:
                chosen = [offsets[value] for value in elements(c)]
                found = tuple([base + offset for base in found for offset in chosen])
            return found

        return run

    def is_plural_key(self, key: Expr, zone: ZoneDef, at: int) -> bool:
        """Whether a key names several places: a set, or a line of the cells that the zone is kept by."""
        if isinstance(key.type, SetOf | Bag):
            return True
        wanted = zone.key_types[at]
        return (
            isinstance(key.type, Member)
            and isinstance(wanted, Member)
            and bool(self.rules.kinds[key.type.kind].cell_kind)
            and key.type.kind != wanted.kind
        )

    def _lone(self, key: Expr) -> CompiledExpr:
        run = self.compile(key)
        return lambda c: (run(c),)

    def compile_elements(self, over: Expr) -> CompiledExpr:
        """The elements of a set; of a bag the members it holds; of a line its cells."""
        run = self.compile(over)
        match over.type:
            case Bag(kind=""):
                return compile_constant(())
            case Bag(kind=kind):
                numbers = self.bag_members(kind)
                return lambda c: tuple([number for number, count in zip(numbers, run(c), strict=False) if count])
            case Member(kind=kind):
                info = self.rules.kinds[kind]
                lines = dict(zip(info.member_values, info.lines, strict=True))
                return lambda c: lines[run(c)]
            case _:
                return run

    def content_reader(self, zone: ZoneDef) -> Callable[[Any], tuple[int, ...]]:
        """How the content of one of a zone's places reads as a value; that of a pile never tells its order."""
        return (
            (lambda content: tuple(sorted(content.things)))
            if zone.is_shuffled and not zone.is_pool
            else (lambda content: content)
        )


def compile_constant(value: RuntimeValue) -> CompiledExpr:
    """The function of every context that is always this value."""
    return lambda c: value


def _strides(key_values: tuple[tuple[int, ...], ...]) -> list[int]:
    strides, stride = [], 1
    for values in reversed(key_values):
        strides.append(stride)
        stride *= len(values)
    return strides[::-1]
