"""Sets while a program is compiled: each knows how to go through its elements in their order.

In: where elements come from: numbers known before play, bits, cells, lists, other sets. Out: classes with one method
`each`, which writes the loops around what is done for an element. Where `stop` is a variable, nothing more is done once
it is 1.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import ExitStack
from typing import Final, TypeAlias

from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import ByteSum, Int, ListLength, Name, Node
from rulewright.engine.compiled.kernel.kernel_arithmetic import ONE, ZERO, add, binary, is_flag, negated, total
from rulewright.engine.compiled.kernel.kernel_statements import LeaveLoop
from rulewright.engine.compiled.translation.present_lanes import present_lanes
from rulewright.frozen import frozen

UNROLLED: Final = 8  # up to so many elements known before play are written one after another
ElementBody: TypeAlias = Callable[[Node], None]


class ElementSet(ABC):
    """A set of members, things, seats or numbers. `hint`: what its elements are called."""

    hint: str = "element"

    @abstractmethod
    def each(self, code: CodeBuilder, body: ElementBody, stop: Name | None = None) -> None:
        """Does something for each element, in order."""

    def each_counted(self, code: CodeBuilder, body: ElementBody) -> bool:
        """The same, with how many places come before that of each element, which the builder then knows; does nothing
        and returns false where places are not counted.
        """
        return False

    @property
    @abstractmethod
    def bound(self) -> int:
        """How many elements there can be at most."""

    def count(self, code: CodeBuilder) -> Node:
        """How many elements there are."""
        counter = code.variable(ZERO, "count")
        self.each(code, lambda _: code.assign(counter, add(counter, ONE)))
        code.freeze(counter.text)
        return counter

    def to_list(self, code: CodeBuilder) -> ListSet:
        """The elements written down."""
        items = code.new_list(self.bound, f"{self.hint}s")
        self.each(code, lambda element: code.append(items, element))
        code.freeze(items)
        return ListSet(items, self.bound, self.hint)

    def contains(self, code: CodeBuilder, element: Node) -> Node:
        """Whether something is one of the elements."""
        found = code.variable(ZERO, "found")

        def look(other: Node) -> None:
            with code.when(binary("==", other, element)):
                code.assign(found, ONE)
                code.write(LeaveLoop())

        self.to_list(code).each(code, look)
        code.freeze(found.text)
        return found


def leave_when(code: CodeBuilder, stop: Name | None) -> None:
    """The end of a loop's body that may have found what it looks for."""
    if stop is not None:
        with code.when(stop):
            code.write(LeaveLoop())


def unless_stopped(code: CodeBuilder, stop: Name | None, stack: ExitStack) -> None:
    """The beginning of what is done only if nothing was found yet."""
    if stop is not None:
        stack.enter_context(code.when(negated(stop)))


@frozen
class KnownSet(ElementSet):
    """Elements known before play; `table`: where they stand, if there are many."""

    values: tuple[int, ...]
    table: str = ""
    hint: str = "element"

    def each(self, code: CodeBuilder, body: ElementBody, stop: Name | None = None) -> None:
        if len(self.values) <= UNROLLED or not self.table:
            for value in self.values:
                with ExitStack() as stack:
                    unless_stopped(code, stop, stack)
                    body(Int(value))
            return
        with code.entry_loop(self.table, None, self.hint) as element:
            body(element)
            leave_when(code, stop)

    @property
    def bound(self) -> int:
        return len(self.values)

    def count(self, code: CodeBuilder) -> Node:
        return Int(len(self.values))

    def contains(self, code: CodeBuilder, element: Node) -> Node:
        if not self.values:
            return ZERO
        low, high = min(self.values), max(self.values)
        if isinstance(element, Int):
            return Int(int(element.value in self.values))
        if sorted(self.values) == list(range(low, high + 1)):
            return binary("and", binary(">=", element, Int(low)), binary("<=", element, Int(high)))
        if low < 0 or high > 62:
            return ElementSet.contains(self, code, element)  # a frozen class has no `super()`
        mask = sum(1 << value for value in self.values)
        inside = binary("and", binary(">=", element, ZERO), binary("<=", element, Int(high)))
        return binary("and", inside, binary("&", binary(">>", Int(mask), element), ONE))


@frozen
class LaneSet(ElementSet):
    """Those of some members known before play whose flag is not 0: of a bag those that it holds, of a mask its bits."""

    members: tuple[int, ...]
    flags: tuple[Node, ...]
    hint: str = "member"
    mask: Node | None = None  # the bits together, if they are those of one number

    def each(self, code: CodeBuilder, body: ElementBody, stop: Name | None = None) -> None:
        for member, flag in zip(self.members, self.flags, strict=True):
            with ExitStack() as stack:
                unless_stopped(code, stop, stack)
                stack.enter_context(code.when(flag))
                body(Int(member))

    @property
    def bound(self) -> int:
        return len(self.members)

    def count(self, code: CodeBuilder) -> Node:
        lanes = present_lanes(code, self.flags)
        return code.let(total(truth(flag) for flag in self.flags) if lanes is None else ByteSum(lanes), "count")

    def contains(self, code: CodeBuilder, element: Node) -> Node:
        result: Node = ZERO
        for member, flag in zip(self.members, self.flags, strict=True):
            result = binary("or", result, binary("and", binary("==", element, Int(member)), truth(flag)))
        return result


def truth(flag: Node) -> Node:
    """1 for what is not 0."""
    return flag if (isinstance(flag, Int) and flag.value in (0, 1)) or is_flag(flag) else binary("!=", flag, ZERO)


@frozen
class CellSet(ElementSet):
    """Things in cells: `count` of them from `first` on; those that are `absent` (if that is given) are none."""

    first: Node
    length: Node
    room: int
    absent: int | None = None
    hint: str = "thing"

    def each(self, code: CodeBuilder, body: ElementBody, stop: Name | None = None) -> None:
        self._each(code, body, stop, counts=False)

    def each_counted(self, code: CodeBuilder, body: ElementBody) -> bool:
        self._each(code, body, None, counts=True)
        return True

    def _each(self, code: CodeBuilder, body: ElementBody, stop: Name | None, *, counts: bool) -> None:
        with code.cell_loop(self.first, self.length, self.hint, counts=counts) as thing, ExitStack() as stack:
            if self.absent is not None:
                stack.enter_context(code.when(binary("!=", thing, Int(self.absent))))
            body(thing)
            leave_when(code, stop)

    @property
    def bound(self) -> int:
        return self.room

    def count(self, code: CodeBuilder) -> Node:
        return self.length if self.absent is None else ElementSet.count(self, code)


@frozen
class ListSet(ElementSet):
    """The items of a list."""

    items: str
    room: int
    hint: str = "element"

    def each(self, code: CodeBuilder, body: ElementBody, stop: Name | None = None) -> None:
        with code.list_loop(self.items, self.hint) as element:
            body(element)
            leave_when(code, stop)

    @property
    def bound(self) -> int:
        return self.room

    def count(self, code: CodeBuilder) -> Node:
        return ListLength(self.items)

    def to_list(self, code: CodeBuilder) -> ListSet:
        return self


@frozen
class RangeSet(ElementSet):
    """All numbers from `low` to `high`, both included."""

    low: Node
    high: Node
    room: int
    hint: str = "number"

    def each(self, code: CodeBuilder, body: ElementBody, stop: Name | None = None) -> None:
        with code.count_loop(self.low, add(self.high, ONE), self.hint) as number:
            body(number)
            leave_when(code, stop)

    @property
    def bound(self) -> int:
        return self.room

    def contains(self, code: CodeBuilder, element: Node) -> Node:
        return binary("and", binary(">=", element, self.low), binary("<=", element, self.high))


@frozen
class TableRowSet(ElementSet):
    """The numbers in one row of a table of rows."""

    table: str
    index: Node
    room: int
    hint: str = "element"

    def each(self, code: CodeBuilder, body: ElementBody, stop: Name | None = None) -> None:
        with code.entry_loop(self.table, self.index, self.hint) as element:
            body(element)
            leave_when(code, stop)

    @property
    def bound(self) -> int:
        return self.room


@frozen
class SingleSet(ElementSet):
    """One element."""

    value: Node
    hint: str = "it"

    def each(self, code: CodeBuilder, body: ElementBody, stop: Name | None = None) -> None:
        body(self.value)

    @property
    def bound(self) -> int:
        return 1

    def count(self, code: CodeBuilder) -> Node:
        return ONE

    def contains(self, code: CodeBuilder, element: Node) -> Node:
        return binary("==", element, self.value)


@frozen
class ChosenItems(ElementSet):
    """Elements in variables, in their order."""

    chosen: tuple[Node, ...]
    hint: str = "element"

    def each(self, code: CodeBuilder, body: ElementBody, stop: Name | None = None) -> None:
        for element in self.chosen:
            if stop is None:
                body(element)
            else:
                with code.when(binary("==", stop, ZERO)):
                    body(element)

    @property
    def bound(self) -> int:
        return len(self.chosen)

    def count(self, code: CodeBuilder) -> Node:
        return Int(len(self.chosen))


__all__ = [
    "CellSet", "ChosenItems", "ElementBody", "ElementSet", "KnownSet", "LaneSet", "ListSet", "RangeSet", "SingleSet",
    "TableRowSet", "leave_when", "truth", "unless_stopped",
]  # fmt: skip
