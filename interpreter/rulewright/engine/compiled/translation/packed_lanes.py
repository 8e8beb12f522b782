"""Bags as one number, a byte for each count: sums, differences and comparisons of all members at once.

In: the counts of bags. Out: one expression for all of them; None where they are too many or too high, or where putting
them together would cost more than it saves. The highest bit of each byte is free: the difference of two bags is taken
with that bit set in the first, and where it is gone the count of the second is higher.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from rulewright.engine.compiled.kernel.cell_layout import CellLayout
from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import Binary, ByteSum, Int, Lane, LanesAbove, Node, TableEntry
from rulewright.engine.compiled.kernel.kernel_arithmetic import ZERO, add, binary, total
from rulewright.engine.compiled.kernel.packed_counts import (
    HIGHEST_BIT,
    LANE_BITS,
    MAX_IN_LANE,
    MAX_IN_LANES,
    MAX_LANES,
    MIN_LANES,
)
from rulewright.frozen import frozen

Lanes: TypeAlias = Mapping[int, Node]  # by their places in the number; the others are 0


@frozen
class PackedBag:
    """A bag in one number. `most`: no count is above; `most_in_all`: nor all of them together."""

    number: Node
    most: int
    most_in_all: int


class LanePacker:
    """Puts the counts of bags together in one function."""

    def __init__(self, code: CodeBuilder, cells: CellLayout) -> None:
        self._code = code
        self._cells = cells

    def pack(self, lanes: Sequence[Node]) -> PackedBag | None:
        """A bag in one number, if that is cheap to make."""
        present = {at: lane for at, lane in enumerate(lanes) if lane != ZERO}
        return self._pack(present) if len(present) >= MIN_LANES and len(lanes) <= MAX_LANES else None

    def _pack(self, lanes: Lanes, *, is_loose: bool = False) -> PackedBag | None:
        """`is_loose`: in the lanes above those asked for anything may stand, which no difference lets down."""
        found = (
            self._known(lanes)
            or self._row(lanes)
            or self._lanes_of_one(lanes, is_loose=is_loose)
            or self._combined(lanes, is_loose=is_loose)
        )
        return found if found is not None and found.most <= MAX_IN_LANE else None

    def _definitions(self, lanes: Lanes) -> dict[int, Node]:
        return {at: self._code.definition(lane) for at, lane in lanes.items()}

    @staticmethod
    def _known(lanes: Lanes) -> PackedBag | None:
        numbers = {at: lane.value for at, lane in lanes.items() if isinstance(lane, Int)}
        if len(numbers) != len(lanes) or min(numbers.values(), default=0) < 0:
            return None
        return PackedBag(
            Int(sum(number << LANE_BITS * at for at, number in numbers.items())),
            max(numbers.values(), default=0),
            sum(numbers.values()),
        )

    def _row(self, lanes: Lanes) -> PackedBag | None:
        """What stands in tables, all in the row of one thing, such as what each card costs."""
        entries = [entry for entry in self._definitions(lanes).values() if isinstance(entry, TableEntry)]
        if len(entries) != len(lanes) or len({entry.index for entry in entries}) != 1:
            return None
        tables = {entry.table for entry in entries}
        rows = list(zip(*(self._cells.tables[entry.table] for entry in entries), strict=True))
        if min(map(min, rows)) < 0 or max(map(max, rows)) > MAX_IN_LANE:
            return None
        start = _shared_start([entry.table for entry in entries]).rstrip("_")
        numbers = [sum(number << LANE_BITS * at for at, number in zip(lanes, row, strict=True)) for row in rows]
        if tables <= self._cells.columns:
            table = self._cells.column(f"{start}_lanes", numbers[:-1])
        else:
            table = self._cells.table(f"{start}_lanes", numbers)
        return PackedBag(TableEntry(table, entries[0].index), max(map(max, rows)), max(map(sum, rows)))

    def _lanes_of_one(self, lanes: Lanes, *, is_loose: bool) -> PackedBag | None:
        """Counts of one bag that stands in one number already."""
        definitions = self._definitions(lanes)
        parts = {at: lane for at, lane in definitions.items() if isinstance(lane, Lane) and lane.at == at}
        if len(parts) != len(lanes) or len({lane.of for lane in parts.values()}) != 1:
            return None
        one = next(iter(parts.values()))
        mask = sum(0xFF << LANE_BITS * at for at in lanes)
        is_whole = len(lanes) == one.count or (is_loose and max(lanes) + 1 == len(lanes))
        number = one.of if is_whole else binary("&", one.of, Int(mask))
        return PackedBag(number, one.most, min(one.most * len(lanes), MAX_IN_LANES))

    def _combined(self, lanes: Lanes, *, is_loose: bool) -> PackedBag | None:
        """Sums, differences that are never below 0, or the lower of two, of bags that can be packed."""
        definitions = self._definitions(lanes)
        operations = {at: lane for at, lane in definitions.items() if isinstance(lane, Binary)}
        ops = {operation.op for operation in operations.values()}
        if len(operations) == len(lanes) and ops == {"less"}:
            return self._difference(
                {at: lane.left for at, lane in operations.items()}, {at: lane.right for at, lane in operations.items()}
            )
        if len(operations) == len(lanes) and ops == {"min"}:
            return self._lower(
                {at: lane.left for at, lane in operations.items()}, {at: lane.right for at, lane in operations.items()}
            )
        if ops == {"+"}:
            return self._sum(
                {at: operations[at].left if at in operations else lane for at, lane in lanes.items()},
                {at: lane.right for at, lane in operations.items()},
                is_loose=is_loose,
            )
        return None

    def _sum(self, left: Lanes, right: Lanes, *, is_loose: bool) -> PackedBag | None:
        first, second = (self._pack(_without_nothing(lanes), is_loose=is_loose) for lanes in (left, right))
        if first is None or second is None:
            return None
        number = self._code.let(add(first.number, second.number), "has")
        return PackedBag(number, first.most + second.most, first.most_in_all + second.most_in_all)

    def _lower(self, left: Lanes, right: Lanes) -> PackedBag | None:
        """The lower of two is the first without what it has more than the second."""
        first = self._pack(left)
        short = self._pack(
            {at: subtract_to_zero(self._code, self._code.definition(lane), right[at]) for at, lane in left.items()}
        )
        if first is None or short is None:
            return None
        number = self._code.let(binary("-", first.number, short.number), "lower")
        return PackedBag(number, first.most, first.most_in_all)

    def _difference(self, left: Lanes, right: Lanes) -> PackedBag | None:
        """What the first bag has more than the second."""
        first, second = self._marked(left), self._pack(_without_nothing(right), is_loose=True)
        if first is None or second is None:
            return None
        difference = self._code.let(binary("-", first.number, second.number), "left")
        number = self._code.let(LanesAbove(difference, sum(1 << LANE_BITS * at for at in left)), "short")
        return PackedBag(number, first.most, first.most_in_all)

    def _marked(self, lanes: Lanes) -> PackedBag | None:
        """A bag with the highest bit of each of its lanes set."""
        bag = self._pack(lanes, is_loose=True)
        if bag is None:
            return None
        number = bag.number
        if isinstance(number, TableEntry):
            rows, signs = self._cells.tables[number.table], _signs(lanes)
            marked = self._cells.table(f"{number.table}_marked", (row | signs for row in rows))
            return PackedBag(TableEntry(marked, number.index), bag.most, bag.most_in_all)
        return PackedBag(self._code.let(marked_lanes(bag, lanes), "marked"), bag.most, bag.most_in_all)

    def total(self, lanes: Sequence[Node]) -> Node:
        """The sum of the counts of a bag."""
        bag = self.pack(lanes)
        return total(lanes) if bag is None or bag.most_in_all > MAX_IN_LANES else ByteSum(bag.number)

    def fits(self, pairs: Iterable[tuple[Node, Node]]) -> Node | None:
        """Whether in each pair the first is at most the second."""
        both = {at: pair for at, pair in enumerate(pairs) if pair[0] != ZERO}
        if not MIN_LANES <= len(both) <= MAX_LANES or max(both, default=0) >= MAX_LANES:
            return None
        parts, wholes = ({at: pair[side] for at, pair in both.items()} for side in (0, 1))
        if ZERO in wholes.values():
            return None
        part, whole = self._pack(parts, is_loose=True), self._marked(wholes)
        if part is None or whole is None:
            return None
        return holds_lanes(whole.number, part.number, both)


def lane_total(code: CodeBuilder, cells: CellLayout, lanes: Sequence[Node]) -> Node:
    """The sum of the counts of a bag, of all at once if that is cheaper."""
    return LanePacker(code, cells).total(lanes)


def lanes_fit(code: CodeBuilder, cells: CellLayout, pairs: Iterable[tuple[Node, Node]]) -> Node | None:
    """Whether in each pair the first is at most the second, of all at once; None where that is not cheaper."""
    return LanePacker(code, cells).fits(pairs)


def pack_lanes(code: CodeBuilder, cells: CellLayout, lanes: Sequence[Node]) -> PackedBag | None:
    """A bag in one number, if that is cheap to make."""
    return LanePacker(code, cells).pack(lanes)


def joined_lanes(code: CodeBuilder, cells: CellLayout, lanes: Sequence[Node]) -> Node:
    """A bag in one number, count by count where it has to be. Counts may be below 0: the number is their sum, each
    times what its lane stands for.
    """
    bag = pack_lanes(code, cells, lanes)
    if bag is not None:
        return bag.number
    words: dict[tuple[bool, Node, int], list[int]] = {}  # is it taken off, the number, how many lanes it has: which
    shifted: list[tuple[bool, Node]] = []
    for at, lane in enumerate(lanes):
        terms = list(_terms(code, lane, is_less=False))
        if not any(isinstance(code.definition(term), Lane) for _, term in terms):
            terms = [(False, lane)]
        for is_less, term in terms:
            part = code.definition(term)
            if isinstance(part, Lane) and part.at == at and at not in words.get((is_less, part.of, part.count), ()):
                words.setdefault((is_less, part.of, part.count), []).append(at)
            else:
                shifted.append((is_less, binary("<<", term, Int(LANE_BITS * at))))
    for (is_less, number, count), places in words.items():
        mask = sum(0xFF << LANE_BITS * at for at in places)
        shifted.append((is_less, number if len(places) == count else binary("&", number, Int(mask))))
    shifted.sort(key=lambda term: term[0])
    result: Node = ZERO
    for is_less, term in shifted:
        result = binary("-" if is_less else "+", result, term)
    return result


def _terms(code: CodeBuilder, node: Node, *, is_less: bool) -> Iterator[tuple[bool, Node]]:
    """What a number is the sum of, and whether it is taken off."""
    match code.definition(node):
        case Binary(op="+" | "-" as op, left=left, right=right):
            yield from _terms(code, left, is_less=is_less)
            yield from _terms(code, right, is_less=is_less != (op == "-"))
        case _:
            yield is_less, node


def lanes_of(code: CodeBuilder, number: Node, most: int, hints: Sequence[str]) -> tuple[Node, ...]:
    """The counts of a bag that stands in one number."""
    return tuple(code.let(Lane(number, at, most, len(hints)), hint) for at, hint in enumerate(hints))


def with_packed(code: CodeBuilder, cells: CellLayout, lanes: Sequence[Node], hint: str) -> list[Node]:
    """The same counts, read out of one number, if it is cheap to make."""
    bag = pack_lanes(code, cells, lanes)
    if bag is None or bag.most_in_all > MAX_IN_LANES:
        return list(lanes)
    count = max(at for at, lane in enumerate(lanes) if lane != ZERO) + 1
    number = code.let(bag.number, hint)
    return [
        ZERO if lane == ZERO else code.let(Lane(number, at, bag.most, count), hint) for at, lane in enumerate(lanes)
    ]


def _without_nothing(lanes: Lanes) -> Lanes:
    return {at: lane for at, lane in lanes.items() if lane != ZERO}


def holds_lanes(marked: Node, part: Node, lanes: Iterable[int]) -> Node:
    """Whether a bag holds another in some lanes. `marked`: it with the highest bit of each of these, which a difference
    takes away where there is too little. Above them anything can stand in the other.
    """
    signs = Int(_signs(lanes))
    return binary("==", binary("&", binary("-", marked, part), signs), signs)


def marked_lanes(bag: PackedBag, lanes: Iterable[int]) -> Node:
    """A bag with the highest bit of some lanes, in which no count reaches it."""
    return binary("|", bag.number, Int(_signs(lanes)))


def _signs(lanes: Iterable[int]) -> int:
    return sum(HIGHEST_BIT << LANE_BITS * at for at in lanes)


def _shared_start(names: Sequence[str]) -> str:
    ends = (at for at, letters in enumerate(zip(*names, strict=False)) if len(set(letters)) > 1)
    return names[0][: next(ends, None)]


def subtract_to_zero(code: CodeBuilder, left: Node, right: Node) -> Node:
    """A difference that is never below 0; x less a less b is x less (a + b), of which the sum may be known before."""
    if left == ZERO or right == ZERO:
        return left
    if isinstance(left, Binary) and left.op == "less":
        return binary("less", left.left, code.let(add(left.right, right), "less"))
    return binary("less", code.let(left), code.let(right))


__all__ = [
    "PackedBag",
    "holds_lanes",
    "joined_lanes",
    "lane_total",
    "lanes_fit",
    "lanes_of",
    "marked_lanes",
    "pack_lanes",
    "subtract_to_zero",
    "with_packed",
]
