"""Which places, members and elements an expression speaks of: keys become place numbers, sets and bags their elements.

In: the zones, states and kinds of the rule model. Out: functions of a `Context`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

from rulewright.engine.values import (
    Context,
    Value,
)
from rulewright.expr.tree import (
    Expr,
)
from rulewright.expr.types import Bag, Member, SetOf
from rulewright.model.rules import Rules, StateDef, ZoneDef

Run = Callable[[Context], Value]


class Places(ABC):
    """What evaluating needs to know of places and kinds; `run` turns an expression into a function."""

    rules: Rules

    @abstractmethod
    def run(self, expr: Expr) -> Run:
        """The function that computes an expression."""

    def family_size(self, kind: str) -> int:
        """How long the bags of a kind are."""
        return len(self.rules.family_members[self.rules.kinds[kind].family])

    def position(self, kind: str) -> Mapping[int, int]:
        """For each member of a kind, its place in a bag."""
        info = self.rules.kinds[kind]
        return {number: at if info.numeric else number for at, number in enumerate(info.numbers)}

    def position_in(self, zone: str) -> Mapping[int, int]:
        """For each member that a zone of pieces may hold, its place in a bag."""
        holds = self.rules.zones[zone].holds
        assert isinstance(holds, Member)
        return self.position(holds.kind)

    def members_at(self, kind: str) -> tuple[int, ...]:
        """For each place in a bag of this kind's family the member that is counted there."""
        info = self.rules.kinds[kind]
        return info.numbers if info.numeric else tuple(range(self.family_size(kind)))

    def place(self, definition: ZoneDef | StateDef, keys: tuple[Expr, ...]) -> Run:
        """The number of the place that full keys name."""
        strides = _strides(definition.key_values)
        steps = [
            ({value: at * stride for at, value in enumerate(values)}, self.run(key))
            for values, stride, key in zip(definition.key_values, strides, keys, strict=True)
        ]
        first = definition.first
        if not steps:
            return lambda c: first
        if len(steps) == 1:
            offsets, key_of = steps[0]
            if all(value == offset for value, offset in offsets.items()):
                return lambda c: first + key_of(c)
            return lambda c: first + offsets[key_of(c)]
        return lambda c: first + sum([offsets[key_of(c)] for offsets, key_of in steps])

    def places(self, zone: ZoneDef, keys: tuple[Expr, ...]) -> Run:
        """The numbers of all places that some keys name: missing keys stand for all, a set for each of its members."""
        strides = _strides(zone.key_values)
        steps: list[tuple[Mapping[int, int], Run]] = []
        for at, (values, stride) in enumerate(zip(zone.key_values, strides, strict=True)):
            offsets = {value: index * stride for index, value in enumerate(values)}
            if at < len(keys):
                steps.append(
                    (offsets, self.elements(keys[at]) if self.plural(keys[at], zone, at) else self._lone(keys[at]))
                )
            else:
                steps.append((offsets, constant(values)))
        first = zone.first

        def run(c: Context) -> tuple[int, ...]:
            found: tuple[int, ...] = (first,)
            for offsets, elements in steps:
                chosen = [offsets[value] for value in elements(c)]
                found = tuple([base + offset for base in found for offset in chosen])
            return found

        return run

    def plural(self, key: Expr, zone: ZoneDef, at: int) -> bool:
        """Whether a key names several places: a set, or a line of the cells that the zone is kept by."""
        if isinstance(key.type, SetOf | Bag):
            return True
        wanted = zone.keys[at]
        return (
            isinstance(key.type, Member)
            and isinstance(wanted, Member)
            and bool(self.rules.kinds[key.type.kind].lines_of)
            and key.type.kind != wanted.kind
        )

    def _lone(self, key: Expr) -> Run:
        run = self.run(key)
        return lambda c: (run(c),)

    def elements(self, over: Expr) -> Run:
        """The elements of a set; of a bag the members it holds; of a line its cells."""
        run = self.run(over)
        match over.type:
            case Bag(kind=""):
                return constant(())
            case Bag(kind=kind):
                numbers = self.members_at(kind)
                return lambda c: tuple([number for number, count in zip(numbers, run(c), strict=False) if count])
            case Member(kind=kind):
                info = self.rules.kinds[kind]
                lines = dict(zip(info.numbers, info.lines, strict=True))
                return lambda c: lines[run(c)]
            case _:
                return run

    def content(self, zone: ZoneDef) -> Callable[[Any], tuple[int, ...]]:
        """How the content of one of a zone's places reads as a value; that of a pile never tells its order."""
        return (
            (lambda content: tuple(sorted(content.things)))
            if zone.shuffled and not zone.pooled
            else (lambda content: content)
        )


def constant(value: Value) -> Run:
    """The function of every context that is always this value."""
    return lambda c: value


def _strides(key_values: tuple[tuple[int, ...], ...]) -> list[int]:
    strides, stride = [], 1
    for values in reversed(key_values):
        strides.append(stride)
        stride *= len(values)
    return strides[::-1]
