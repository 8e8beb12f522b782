"""Sets made of other sets while a program is compiled: filtered, chained, nested, turned round, cut, mapped.

In: an `ElementSet` or several. Out: classes that are such sets themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack

from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import Int, ListItem, ListLength, Name, Node
from rulewright.engine.compiled.kernel.kernel_arithmetic import ZERO, binary, total
from rulewright.engine.compiled.kernel.kernel_statements import AppendCells
from rulewright.engine.compiled.translation.sequences import (
    CellSet,
    ElementBody,
    ElementSet,
    ListSet,
    leave_when,
    unless_stopped,
)
from rulewright.frozen import frozen


@frozen
class FilteredSet(ElementSet):
    """The elements of a set for which something holds."""

    over: ElementSet
    condition: Callable[[Node], Node]  # writes what it needs before

    def each(self, code: CodeBuilder, body: ElementBody, stop: Name | None = None) -> None:
        def check(element: Node) -> None:
            with code.when(self.condition(element)):
                body(element)

        self.over.each(code, check, stop)

    def each_counted(self, code: CodeBuilder, body: ElementBody) -> bool:
        def check(element: Node) -> None:
            with code.when(self.condition(element)):
                body(element)

        return self.over.each_counted(code, check)

    @property
    def bound(self) -> int:
        return self.over.bound


@frozen
class ChainedSet(ElementSet):
    """Sets one after another, in which no element is twice."""

    parts: Sequence[ElementSet]

    def each(self, code: CodeBuilder, body: ElementBody, stop: Name | None = None) -> None:
        parts = self._cell_parts()
        if len(parts) > 1:
            _each_cell(code, parts, body, stop)
            return
        for index, part in enumerate(self.parts):
            with ExitStack() as stack:
                if index:
                    unless_stopped(code, stop, stack)
                part.each(code, body, stop)

    def each_counted(self, code: CodeBuilder, body: ElementBody) -> bool:
        parts = self._cell_parts()
        if len(parts) < 2 or not all(isinstance(part.length, Int) for part in parts[:-1]):
            return False
        _each_cell(code, parts, body, None, counts=True)
        return True

    def _cell_parts(self) -> list[CellSet]:
        """The parts, if all of them are things in cells."""
        parts = [part for part in self.parts if isinstance(part, CellSet)]
        return parts if len(parts) == len(self.parts) else []

    @property
    def bound(self) -> int:
        return sum(part.bound for part in self.parts)

    def count(self, code: CodeBuilder) -> Node:
        return total([part.count(code) for part in self.parts])


def _each_cell(
    code: CodeBuilder, parts: Sequence[CellSet], body: ElementBody, stop: Name | None, *, counts: bool = False
) -> None:
    """One loop for the things of several zones: what is done for each is written once."""
    items = code.new_list(sum(part.bound for part in parts), f"{parts[0].hint}s")
    for part in parts:
        code.write(AppendCells(items, part.first, part.length, part.room))
    code.freeze(items)
    absent = {part.absent for part in parts if part.absent is not None}
    with code.list_loop(items, parts[0].hint, counts=counts) as thing, ExitStack() as stack:
        for row in absent:
            stack.enter_context(code.when(binary("!=", thing, Int(row))))
        body(thing)
        leave_when(code, stop)


@frozen
class NestedSet(ElementSet):
    """For each element of a set, the elements of another that depends on it; no element is twice."""

    over: ElementSet
    inner: Callable[[Node], ElementSet]
    room: int

    def each(self, code: CodeBuilder, body: ElementBody, stop: Name | None = None) -> None:
        self.over.each(code, lambda element: self.inner(element).each(code, body, stop), stop)

    @property
    def bound(self) -> int:
        return self.room


@frozen
class ReversedSet(ElementSet):
    """The items of a list from the last to the first."""

    items: ListSet

    def each(self, code: CodeBuilder, body: ElementBody, stop: Name | None = None) -> None:
        with code.count_loop(ZERO, ListLength(self.items.items), "index", is_falling=True) as index:
            body(code.let(ListItem(self.items.items, index), self.items.hint))
            leave_when(code, stop)

    @property
    def bound(self) -> int:
        return self.items.bound


@frozen
class SliceSet(ElementSet):
    """Items of a list: from index `low` up to, but without `high`."""

    items: ListSet
    low: Node
    high: Node

    def each(self, code: CodeBuilder, body: ElementBody, stop: Name | None = None) -> None:
        with code.count_loop(self.low, self.high, "index") as index:
            body(code.let(ListItem(self.items.items, index), self.items.hint))
            leave_when(code, stop)

    @property
    def bound(self) -> int:
        return self.items.bound


@frozen
class ChosenSet(ElementSet):
    """One of two sets, by a test."""

    test: Node
    then: ElementSet
    otherwise: ElementSet

    def each(self, code: CodeBuilder, body: ElementBody, stop: Name | None = None) -> None:
        with code.when(self.test) as branch:
            self.then.each(code, body, stop)
        with code.unless(branch):
            self.otherwise.each(code, body, stop)

    @property
    def bound(self) -> int:
        return max(self.then.bound, self.otherwise.bound)


@frozen
class MappedSet(ElementSet):
    """What comes of each element of a set."""

    over: ElementSet
    convert: Callable[[Node], Node]
    hint: str = "place"

    def each(self, code: CodeBuilder, body: ElementBody, stop: Name | None = None) -> None:
        self.over.each(code, lambda element: body(self.convert(element)), stop)

    @property
    def bound(self) -> int:
        return self.over.bound


__all__ = [
    "ChainedSet", "ChosenSet", "FilteredSet", "MappedSet", "NestedSet", "ReversedSet", "SliceSet",
]  # fmt: skip
