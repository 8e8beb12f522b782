"""What seats see of positions, in machine code: cells become rows of narrow numbers, eight at a time.

In: the layout of observations. Out: a function for all seats or for each, and the one that fills a row of a batch, in
LLVM's text form.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate
from typing import Final, assert_never

from rulewright.engine.compiled.kernel.machine_shape import MACHINE_BITS
from rulewright.engine.compiled.kernel.packed_counts import BYTES_OF_CELL, LANE_BITS
from rulewright.engine.compiled.llvm.llvm_expressions import BYTE_ONES
from rulewright.engine.compiled.llvm.llvm_loops import UNPREDICTABLE
from rulewright.engine.compiled.observation_layout import (
    CellSum,
    Nothing,
    ObservationLayout,
    OwnCells,
    PackedCounts,
    PackedSum,
    Part,
    PlainCells,
    Presence,
    SeatNumber,
    Things,
)
from rulewright.frozen import field_names, replace

WIDEST: Final = 8  # numbers that are taken at once
CELLS_OF_PARTS: Final = frozenset({"first", "cell", "count_cell"})
HIGHEST_COUNT: Final = 127  # of what is compared as bytes


def print_observations(layout: ObservationLayout) -> Iterator[str]:
    """The functions that write rows; `batch_observe_game`: for one game, by its deciding seat or (-1) another. Where
    rows of all seats are filled alike one function writes them: a processor guesses badly which seat comes next.
    """
    players, size = layout.rules.players, layout.size * layout.item_bytes
    alike = _alike_parts(layout)
    if alike is not None:
        yield _ObservationPrinter(layout, alike, "%viewer").text("observe", ", i64 %viewer")
        write = f"""  %is_seat = icmp ult i64 %seat, {players}
  %viewer_seat = select i1 %is_seat, i64 %seat, i64 0
  call void @observe(ptr %s, ptr %row, i64 %viewer_seat)
  ret void"""
    else:
        for viewer, parts in enumerate(layout.parts):
            yield _ObservationPrinter(layout, [(part,) for part in parts], str(viewer)).text(f"observe_{viewer}", "")
        cases = " ".join(f"i64 {viewer}, label %v{viewer}" for viewer in range(players))
        calls = "\n".join(
            f"v{viewer}:\n  call void @observe_{viewer}(ptr %s, ptr %row)\n  ret void" for viewer in range(players)
        )
        write = f"  switch i64 %seat, label %v0 [ {cases} ]\n{calls}"
    yield f"""define internal void @batch_observe_game(ptr noalias %s, ptr noalias %rows, i64 %game, i64 %viewer) #0 {{
  %seat_place = getelementptr inbounds i64, ptr %s, i64 {layout.cells.counters["seat"]}
  %deciding = load i64, ptr %seat_place
  %is_given = icmp sge i64 %viewer, 0
  %seat = select i1 %is_given, i64 %viewer, i64 %deciding
  %offset = mul nsw i64 %game, {size}
  %row = getelementptr inbounds i8, ptr %rows, i64 %offset
{write}
}}"""


def _alike_parts(layout: ObservationLayout) -> list[tuple[Part, ...]] | None:
    """The parts of all seats side by side, where these differ in no more than the numbers of cells."""
    ends = {end for parts in layout.parts for end in accumulate(part.count for part in parts)}
    columns = list(zip(*(_cut(parts, ends) for parts in layout.parts), strict=True))
    if any(len({_without_cells(part) for part in column}) > 1 for column in columns):
        return None
    merged: list[tuple[Part, ...]] = []
    for column in columns:
        both = [_joined(*pair) for pair in zip(merged[-1], column, strict=True)] if merged else []
        if both and None not in both:
            merged[-1] = tuple(part for part in both if part is not None)
        else:
            merged.append(column)
    return merged


def _cut(parts: Sequence[Part], ends: Collection[int]) -> Iterator[Part]:
    """The parts, cut where those of some other seat end."""
    at = 0
    for part in parts:
        if not isinstance(part, PlainCells):
            yield part
            at += part.count
            continue
        first = 0
        for place in range(1, part.count + 1):
            if place == part.count or at + place in ends:
                yield replace(part, first=part.first + first, count=place - first)
                first = place
        at += part.count


def _without_cells(part: Part) -> Part:
    cells = {name: 0 for name in field_names(part) if name in CELLS_OF_PARTS}
    return replace(part, **cells)  # type: ignore[arg-type]  # fields of this part, all of them numbers


def _joined(part: Part, after: Part) -> Part | None:
    match part, after:
        case PlainCells(first=first, count=count, less=less), PlainCells(first=next_, count=more, less=same) if (
            first + count == next_ and less == same
        ):
            return PlainCells(first, count + more, less)
        case _:
            return None


class _ObservationPrinter:
    """One function while it is printed. `parts`: what is written, for each seat for which the function is; `viewer`:
    the seat.
    """

    def __init__(self, layout: ObservationLayout, parts: Sequence[tuple[Part, ...]], viewer: str) -> None:
        self.layout = layout
        self.parts = parts
        self.viewer = viewer
        self.lines: list[str] = []
        self._tables: list[str] = []
        self._origins: dict[tuple[int, ...], str] = {}
        self._type = f"i{8 * layout.item_bytes}"
        self._at = 0
        self._fresh = 0

    def text(self, name: str, more: str) -> str:
        """The whole function."""
        for column in self.parts:
            self._part(column[0], column)
        body = "\n".join(f"  {line}" for line in self.lines)
        function = f"""define internal void @{name}(ptr noalias %s, ptr noalias %row{more}) #0 {{
{body}
  ret void
}}"""
        return "\n".join([*self._tables, function])

    def _let(self, instruction: str) -> str:
        self._fresh += 1
        self.lines.append(f"%t{self._fresh} = {instruction}")
        return f"%t{self._fresh}"

    def _load(self, cells: Sequence[int], type_: str = "i64") -> str:
        """What stands in a cell, which can be another for each seat."""
        steps = tuple(cell - cells[0] for cell in cells)
        place = self._let(f"getelementptr inbounds i64, ptr {self._origin(steps)}, i64 {cells[0]}")
        return self._let(f"load {type_}, ptr {place}, align 8")

    def _origin(self, steps: tuple[int, ...]) -> str:
        """From where cells are counted that are so much further on for each seat."""
        if not any(steps):
            return "%s"
        if steps not in self._origins:
            if steps == tuple(steps[1] * seat for seat in range(len(steps))):
                step = self._let(f"mul nsw i64 {self.viewer}, {steps[1]}")
            else:
                table, numbers = f"@seen_from.{len(self._tables)}", ", ".join(f"i64 {step}" for step in steps)
                self._tables.append(f"{table} = internal unnamed_addr constant [{len(steps)} x i64] [{numbers}]")
                step = self._let(
                    f"load i64, ptr {self._let(f'getelementptr inbounds i64, ptr {table}, i64 {self.viewer}')}"
                )
            self._origins[steps] = self._let(f"getelementptr inbounds i64, ptr %s, i64 {step}")
        return self._origins[steps]

    def _put(self, value: str, count: int = 1) -> None:
        """The next numbers of the row."""
        wide, narrow = _types("i64", count), _types(self._type, count)
        self._put_narrow(value if wide == narrow else self._let(f"trunc {wide} {value} to {narrow}"), count)

    def _put_narrow(self, short: str, count: int) -> None:
        narrow = _types(self._type, count)
        offset = self._at * self.layout.item_bytes
        place = self._let(f"getelementptr inbounds i8, ptr %row, i64 {offset}")
        self.lines.append(f"store {narrow} {short}, ptr {place}, align {1 if count > 1 else self.layout.item_bytes}")
        self._at += count

    def _put_whole(self, packed: str, count: int) -> None:
        """Bytes as they stand in a cell, all at once; what comes next lies over those that are too many."""
        place = self._let(f"getelementptr inbounds i8, ptr %row, i64 {self._at}")
        self.lines.append(f"store i64 {packed}, ptr {place}, align 1")
        self._at += count

    def _part(self, part: Part, column: Sequence[Part]) -> None:
        def cells(name: str, on: int = 0) -> list[int]:
            return [getattr(each, name) + on for each in column]

        match part:
            case PlainCells(count=count, less=less):
                for at, width in _chunks(count):
                    value = self._load(cells("first", at), _types("i64", width))
                    if less:
                        value = self._let(f"add {_types('i64', width)} {value}, {_same(less, width)}")
                    self._put(value, width)
            case PackedCounts(count=count):
                packed = self._load(cells("cell"))
                if self.layout.item_bytes == 1 and self._at + BYTES_OF_CELL <= self.layout.size:
                    self._put_whole(packed, count)
                    return
                counts = self._let(f"bitcast i64 {packed} to <8 x i8>")
                for at, width in _chunks(count):
                    self._put(self._bytes(counts, at, width), width)
            case PackedSum():
                product = self._let(f"mul i64 {self._load(cells('cell'))}, {BYTE_ONES}")
                self._put(self._let(f"lshr i64 {product}, {MACHINE_BITS - LANE_BITS}"))
            case Things(count=count, absent=absent):
                held, end = self._load(cells("count_cell")), self._at + count
                for at, width in _chunks(self._widened(count, cells("first"))):
                    value = self._load(cells("first", at), _types("i64", width))
                    self._things(held, at, value, width, count, absent)
                self._at = end
            case CellSum(cells=several):
                total = self._load(cells("first"))
                for on in range(1, several):
                    total = self._let(f"add i64 {total}, {self._load(cells('first', on))}")
                self._put(total)
            case Presence(absent=absent):
                flag = self._let(f"icmp ne i64 {self._load(cells('cell'))}, {absent}")
                self._put(self._let(f"zext i1 {flag} to i64"))
            case SeatNumber():
                distance = self._let(f"sub i64 {self._load(cells('cell'))}, {self.viewer}")
                around = self._let(f"add i64 {distance}, {self.layout.rules.players}")
                is_before = self._let(f"icmp slt i64 {distance}, 0")
                self._put(self._let(f"select i1 {is_before}, i64 {around}, i64 {distance}"))
            case OwnCells(count=count):
                seat = self._load([self.layout.cells.counters["seat"]])
                is_own = self._let(f"icmp eq i64 {seat}, {self.viewer}")
                for at, width in _chunks(count):
                    type_ = _types("i64", width)
                    value = self._load(cells("first", at), type_)
                    self._put(self._let(f"select i1 {is_own}, {type_} {value}, {type_} {_same(0, width)}"), width)
            case Nothing(count=count):
                for _, width in _chunks(count):
                    self._put(_same(0, width), width)
            case _:
                assert_never(part)

    def _widened(self, count: int, first: Sequence[int]) -> int:
        """How many cells of a short row are taken: a power of two where there is room, since single ones need jumps.
        What comes next lies over those that are too many.
        """
        wide = 1 << (count - 1).bit_length()
        has_room = max(first) + wide <= self.layout.cells.size and self._at + wide <= self.layout.size
        return wide if wide <= WIDEST and has_room else count

    def _bytes(self, counts: str, at: int, width: int) -> str:
        """Some of eight bytes, as numbers."""
        if width == 1:
            return self._let(f"zext i8 {self._let(f'extractelement <8 x i8> {counts}, i64 {at}')} to i64")
        places = ", ".join(f"i32 {at + lane}" for lane in range(width))
        some = self._let(f"shufflevector <8 x i8> {counts}, <8 x i8> undef, <{width} x i32> <{places}>")
        return self._let(f"zext <{width} x i8> {some} to <{width} x i64>")

    def _things(self, held: str, at: int, value: str, width: int, count: int, absent: int) -> None:
        """What is held, and none behind it; compared as narrow as it is written."""
        if width == 1 or count > HIGHEST_COUNT:
            self._held_one_by_one(held, at, value, width, absent)
            return
        narrow, bits = _types(self._type, width), 8 * self.layout.item_bytes
        short = self._let(f"trunc i64 {held} to {self._type}")
        single = self._let(f"insertelement {narrow} undef, {self._type} {short}, i64 0")
        spread = self._let(f"shufflevector {narrow} {single}, {narrow} undef, <{width} x i32> zeroinitializer")
        places = "<" + ", ".join(f"{self._type} {at + lane}" for lane in range(width)) + ">"
        are_held = self._let(f"icmp sgt {narrow} {spread}, {places}")
        values = self._let(f"trunc {_types('i64', width)} {value} to {narrow}")
        none = absent - (absent >> bits - 1 << bits)  # the same bits, as a number with a sign
        others = "<" + ", ".join([f"{self._type} {none}"] * width) + ">"
        self._put_narrow(self._let(f"select <{width} x i1> {are_held}, {narrow} {values}, {narrow} {others}"), width)

    def _held_one_by_one(self, held: str, at: int, value: str, width: int, absent: int) -> None:
        for lane in range(width):
            one = value if width == 1 else self._let(f"extractelement {_types('i64', width)} {value}, i64 {lane}")
            is_held = self._let(f"icmp sgt i64 {held}, {at + lane}")
            self._put(self._let(f"select i1 {is_held}, i64 {one}, i64 {absent}{UNPREDICTABLE}"))


def _types(type_: str, count: int) -> str:
    return type_ if count == 1 else f"<{count} x {type_}>"


def _same(number: int, count: int) -> str:
    return str(number) if count == 1 else "<" + ", ".join([f"i64 {number}"] * count) + ">"


def _chunks(count: int) -> Iterator[tuple[int, int]]:
    """Pieces of a run, each with where it begins and how long it is: 8, 4, 2 or 1."""
    at, width = 0, WIDEST
    while at < count:
        while width > count - at:
            width //= 2
        yield at, width
        at += width


__all__ = ["print_observations"]
