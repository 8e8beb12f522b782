"""What seats see of positions, in machine code: cells become rows of narrow numbers, eight at a time.

In: the layout of observations. Out: a function for each seat, and those that fill the rows of a batch, in LLVM's text
form.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, assert_never

from rulewright.engine.compiled.llvm_expressions import BYTE_ONES
from rulewright.engine.compiled.machine_shape import MACHINE_BITS
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
from rulewright.engine.compiled.packed_counts import LANE_BITS

WIDEST: Final = 8  # numbers that are taken at once


def print_observations(layout: ObservationLayout) -> Iterator[str]:
    """The functions of all seats; `batch_observe_game`: for one game, by its deciding seat or (-1) another."""
    for viewer in range(layout.rules.players):
        yield _ObservationPrinter(layout, viewer).text()
    players, size = layout.rules.players, layout.size * layout.item_bytes
    cases = " ".join(f"i64 {viewer}, label %v{viewer}" for viewer in range(players))
    calls = "\n".join(
        f"v{viewer}:\n  call void @observe_{viewer}(ptr %s, ptr %row)\n  ret void" for viewer in range(players)
    )
    yield f"""define internal void @batch_observe_game(ptr noalias %s, ptr noalias %rows, i64 %game, i64 %viewer) #0 {{
  %seat_place = getelementptr inbounds i64, ptr %s, i64 {layout.cells.counters["seat"]}
  %deciding = load i64, ptr %seat_place
  %is_given = icmp sge i64 %viewer, 0
  %seat = select i1 %is_given, i64 %viewer, i64 %deciding
  %offset = mul nsw i64 %game, {size}
  %row = getelementptr inbounds i8, ptr %rows, i64 %offset
  switch i64 %seat, label %v0 [ {cases} ]
{calls}
}}"""


class _ObservationPrinter:
    """One function while it is printed."""

    def __init__(self, layout: ObservationLayout, viewer: int) -> None:
        self.layout = layout
        self.viewer = viewer
        self.lines: list[str] = []
        self._type = f"i{8 * layout.item_bytes}"
        self._at = 0
        self._fresh = 0

    def text(self) -> str:
        """The whole function."""
        for part in self.layout.parts[self.viewer]:
            self._part(part)
        body = "\n".join(f"  {line}" for line in self.lines)
        return f"""define internal void @observe_{self.viewer}(ptr noalias %s, ptr noalias %row) #0 {{
{body}
  ret void
}}"""

    def _let(self, instruction: str) -> str:
        self._fresh += 1
        self.lines.append(f"%t{self._fresh} = {instruction}")
        return f"%t{self._fresh}"

    def _load(self, cell: int, type_: str = "i64") -> str:
        place = self._let(f"getelementptr inbounds i64, ptr %s, i64 {cell}")
        return self._let(f"load {type_}, ptr {place}, align 8")

    def _put(self, value: str, count: int = 1) -> None:
        """The next numbers of the row."""
        wide, narrow = _types("i64", count), _types(self._type, count)
        short = value if wide == narrow else self._let(f"trunc {wide} {value} to {narrow}")
        offset = self._at * self.layout.item_bytes
        place = self._let(f"getelementptr inbounds i8, ptr %row, i64 {offset}")
        self.lines.append(f"store {narrow} {short}, ptr {place}, align {1 if count > 1 else self.layout.item_bytes}")
        self._at += count

    def _part(self, part: Part) -> None:
        match part:
            case PlainCells(first=first, count=count, less=less):
                for at, width in _chunks(count):
                    value = self._load(first + at, _types("i64", width))
                    if less:
                        value = self._let(f"add {_types('i64', width)} {value}, {_same(less, width)}")
                    self._put(value, width)
            case PackedCounts(cell=cell, count=count):
                counts = self._let(f"bitcast i64 {self._load(cell)} to <8 x i8>")
                for at, width in _chunks(count):
                    self._put(self._bytes(counts, at, width), width)
            case PackedSum(cell=cell):
                product = self._let(f"mul i64 {self._load(cell)}, {BYTE_ONES}")
                self._put(self._let(f"lshr i64 {product}, {MACHINE_BITS - LANE_BITS}"))
            case Things():
                self._things(part)
            case CellSum(first=first, cells=cells):
                total = self._load(first)
                for cell in range(first + 1, first + cells):
                    total = self._let(f"add i64 {total}, {self._load(cell)}")
                self._put(total)
            case Presence(cell=cell, absent=absent):
                flag = self._let(f"icmp ne i64 {self._load(cell)}, {absent}")
                self._put(self._let(f"zext i1 {flag} to i64"))
            case SeatNumber(cell=cell):
                players = self.layout.rules.players
                distance = self._let(f"add i64 {self._load(cell)}, {players - self.viewer}")
                self._put(self._let(f"srem i64 {distance}, {players}"))
            case OwnCells(first=first, count=count):
                seat = self._load(self.layout.cells.counters["seat"])
                is_own = self._let(f"icmp eq i64 {seat}, {self.viewer}")
                for at, width in _chunks(count):
                    type_ = _types("i64", width)
                    value = self._load(first + at, type_)
                    self._put(self._let(f"select i1 {is_own}, {type_} {value}, {type_} {_same(0, width)}"), width)
            case Nothing(count=count):
                for _, width in _chunks(count):
                    self._put(_same(0, width), width)
            case _:
                assert_never(part)

    def _bytes(self, counts: str, at: int, width: int) -> str:
        """Some of eight bytes, as numbers."""
        if width == 1:
            return self._let(f"zext i8 {self._let(f'extractelement <8 x i8> {counts}, i64 {at}')} to i64")
        places = ", ".join(f"i32 {at + lane}" for lane in range(width))
        some = self._let(f"shufflevector <8 x i8> {counts}, <8 x i8> undef, <{width} x i32> <{places}>")
        return self._let(f"zext <{width} x i8> {some} to <{width} x i64>")

    def _things(self, things: Things) -> None:
        held = self._load(things.count_cell)
        for at, width in _chunks(things.count):
            type_ = _types("i64", width)
            value = self._load(things.first + at, type_)
            if width == 1:
                is_held = self._let(f"icmp sgt i64 {held}, {at}")
                self._put(self._let(f"select i1 {is_held}, i64 {value}, i64 {things.absent}"))
                continue
            single = self._let(f"insertelement {type_} undef, i64 {held}, i64 0")
            spread = self._let(f"shufflevector {type_} {single}, {type_} undef, <{width} x i32> zeroinitializer")
            places = "<" + ", ".join(f"i64 {at + lane}" for lane in range(width)) + ">"
            are_held = self._let(f"icmp sgt {type_} {spread}, {places}")
            chosen = f"select <{width} x i1> {are_held}, {type_} {value}, {type_} {_same(things.absent, width)}"
            self._put(self._let(chosen), width)


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
