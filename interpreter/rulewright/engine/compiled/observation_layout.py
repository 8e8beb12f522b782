"""What a seat sees of a position, as a row of numbers of fixed length: which cells go where.

In: a program. Out: an `ObservationLayout`: the fields of a row, and for each seat the parts from which it is filled.
Only what the seat may see now is in it: what lies in places that it looks into, of others how much there is, variables
that are shown. What it has seen before it has to remember by itself. The seat itself comes first wherever something is
kept for each player, then the others in turn order; seats are counted from it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product
from typing import Any, Final, Literal, TypeAlias

from rulewright.engine.compiled.compiler import CompiledProgram
from rulewright.engine.compiled.kernel.packed_counts import MAX_LANES, unpacked
from rulewright.engine.compiled.translation.action_words import most_of, value_ends
from rulewright.expr.types import SEAT
from rulewright.frozen import frozen
from rulewright.model.facts.facts import Facts
from rulewright.model.facts.value_ranges import Scalars
from rulewright.model.rules import StateDef, ZoneDef

DataType: TypeAlias = Literal["uint8", "int16", "int32", "int64"]
DATA_TYPES: Final[tuple[tuple[DataType, int, int], ...]] = (
    ("uint8", 0, 0xFF), ("int16", -0x8000, 0x7FFF), ("int32", -(1 << 31), (1 << 31) - 1),
)  # fmt: skip
CODES: Final[dict[DataType, str]] = {"uint8": "B", "int16": "h", "int32": "i", "int64": "q"}
ITEM_BYTES: Final[dict[DataType, int]] = {"uint8": 1, "int16": 2, "int32": 4, "int64": 8}


@frozen
class PlainCells:
    """Neighbouring cells as they are, less the lowest number that is below 0."""

    first: int
    count: int
    less: int = 0


@frozen
class PackedCounts:
    """The counts of a bag that stands in one cell, a byte for each."""

    cell: int
    count: int


@frozen
class PackedSum:
    """How many there are in all in a bag that stands in one cell."""

    cell: int
    count: int = 1


@frozen
class Things:
    """A row of things, ascending or in the order of their arrival; `absent` behind them."""

    count_cell: int
    first: int
    count: int
    absent: int


@frozen
class CellSum:
    """How many there are of what is not seen: cells added up."""

    first: int
    cells: int
    count: int = 1


@frozen
class Presence:
    """1 where a cell holds a thing that is not seen."""

    cell: int
    absent: int
    count: int = 1


@frozen
class SeatNumber:
    """A seat, counted from the one that looks."""

    cell: int
    count: int = 1


@frozen
class OwnCells:
    """Cells that only the seat sees that decides, while it answers piece by piece; else 0."""

    first: int
    count: int


@frozen
class Nothing:
    """What this seat does not see; 0."""

    count: int


Part: TypeAlias = PlainCells | PackedCounts | PackedSum | Things | CellSum | Presence | SeatNumber | OwnCells | Nothing


@frozen
class ObservationField:
    """Neighbouring numbers of a row: what they are, from which on, how many."""

    name: str
    first: int
    count: int
    text: str


class ObservationLayout:
    """The rows of one program. `fields`: in order; `size`: how many numbers; `dtype`: their type; `parts`: by seat."""

    def __init__(self, program: CompiledProgram) -> None:
        self.program = program
        self.rules = program.rules
        self.cells = program.cells
        self.fields: list[ObservationField] = []
        self.size = 0
        self._low = self._high = 0
        found: list[list[Part]] = [[] for _ in range(self.rules.players)]
        for viewer in range(self.rules.players):
            self.fields, self.size = [], 0
            for part in self._all_parts(viewer):
                self._append(found[viewer], part)
        self.parts = tuple(map(tuple, found))
        self.dtype: DataType = next(
            (name for name, low, high in DATA_TYPES if low <= self._low and self._high <= high), "int64"
        )

    @property
    def item_bytes(self) -> int:
        """How many bytes a number takes."""
        return ITEM_BYTES[self.dtype]

    def packed(self, row: Sequence[int]) -> memoryview[Any]:
        """A row as an array of its type; what it has no room for is cut off, as in machine code."""
        bits = 8 * self.item_bytes
        least = 0 if self.dtype == "uint8" else 1 << bits - 1
        return memoryview(array(CODES[self.dtype], [((number + least) % (1 << bits)) - least for number in row]))

    @staticmethod
    def _append(parts: list[Part], part: Part) -> None:
        match parts, part:
            case [*_, PlainCells(first=first, count=count, less=0)], PlainCells(first=after, count=more, less=0) if (
                first + count == after
            ):
                parts[-1] = PlainCells(first, count + more)
            case _:
                parts.append(part)

    # ---- what there is ------------------------------------------------------------------------------------------

    def _all_parts(self, viewer: int) -> Iterator[Part]:
        counters, program = self.cells.counters, self.program
        yield self._counted("deciding", SeatNumber(counters["seat"]), self.rules.players - 1, "the seat that decides")
        last = len(program.decisions) - 1
        yield self._counted("decision", PlainCells(counters["decision"], 1), last, "the step that asks, by its number")
        yield self._counted("began", SeatNumber(counters["first"]), self.rules.players - 1, "the seat that began")
        yield self._counted("ending", PlainCells(counters["ending"], 1), 1, "1 when the end has been announced")
        if program.open_answer is not None:
            held = program.open_answer
            most = max(len(self.rules.actions), *(len(action.choices) for action in self.rules.actions))
            for name, cell in (("open action", held.action), ("open choice", held.made)):
                yield self._counted(name, OwnCells(cell.value, 1), most, "of the answer that is made piece by piece")
            yield self._counted("open pieces", OwnCells(held.pieces, held.size), self._most_pieces(), "its pieces")
        for zone in sorted(self.rules.zones.values(), key=lambda zone: zone.first_index):
            yield from self._zone_parts(zone, viewer)
        for state in sorted(self.rules.states.values(), key=lambda state: state.first_index):
            if state.is_shown:
                yield from self._state_parts(state, viewer)

    def _counted(self, name: str, part: Part, high: int, text: str, low: int = 0) -> Part:
        """A part, for which room is made in the row."""
        self._low, self._high = min(self._low, low), max(self._high, high)
        if self.fields and self.fields[-1].name == name and self.fields[-1].text == text:
            before = self.fields.pop()
            self.fields.append(ObservationField(name, before.first, before.count + part.count, text))
        else:
            self.fields.append(ObservationField(name, self.size, part.count, text))
        self.size += part.count
        return part

    def _zone_parts(self, zone: ZoneDef, viewer: int) -> Iterator[Part]:
        layout = self.cells
        storage, room = layout.storage[zone.name], layout.rooms[zone.name]
        for offsets in self._offsets(zone):
            offset, place = offsets[viewer], zone.first_index + offsets[viewer]
            can_see = layout.layout.visibility.can_see
            is_seen = can_see[viewer][place]
            seen = [can_see[seat][zone.first_index + at] for seat, at in enumerate(offsets)]
            is_ever_seen, is_always_seen = any(seen), all(seen)
            if storage == "packed":
                cell, lanes = layout.contents[zone.name] + offset, self._lanes(zone)
                if is_ever_seen:
                    counts = PackedCounts(cell, lanes) if is_seen else Nothing(lanes)
                    yield self._counted(zone.name, counts, self._pieces(zone), "of each member how many pieces")
                if not is_always_seen:
                    most = self._pieces(zone) * lanes
                    yield self._counted(f"{zone.name} size", PackedSum(cell), most, "how many pieces in all")
            elif storage == "bag":
                first = layout.contents[zone.name] + offset * room
                if is_ever_seen:
                    part = PlainCells(first, room) if is_seen else Nothing(room)
                    yield self._counted(zone.name, part, self._pieces(zone), "of each member how many pieces")
                if not is_always_seen:
                    most = self._pieces(zone) * room
                    yield self._counted(f"{zone.name} size", CellSum(first, room), most, "how many pieces in all")
            elif storage == "cell":
                cell, absent = layout.contents[zone.name] + offset, layout.absent_thing(zone)
                if is_ever_seen:
                    part = PlainCells(cell, 1) if is_seen else Nothing(1)
                    yield self._counted(zone.name, part, absent, f"the row of a thing; {absent}: none")
                if not is_always_seen:
                    yield self._counted(f"{zone.name} size", Presence(cell, absent), 1, "whether there is a thing")
            else:
                count, absent = layout.counts[zone.name] + offset, layout.absent_thing(zone)
                yield self._counted(f"{zone.name} size", PlainCells(count, 1), absent, "how many things")
                if storage in ("pile", "packed pile") or not is_ever_seen:
                    continue
                if storage == "row":
                    first = layout.contents[zone.name] + offset * room
                    row = Things(count, first, room, absent) if is_seen else Nothing(room)
                    yield self._counted(zone.name, row, absent, f"the rows of things; {absent}: none")
                for tally in layout.tallies[zone.name]:
                    first = tally.first + offset * tally.room
                    low, high = self._sums(zone, tally.field)
                    sums = PackedCounts(first, tally.lanes) if tally.most else PlainCells(first, tally.lanes, -low)
                    yield self._counted(
                        f"{zone.name} {tally.field}",
                        sums if is_seen else Nothing(tally.lanes),
                        high - low,
                        "the sum over its things" + _shift(low),
                    )

    def _state_parts(self, state: StateDef, viewer: int) -> Iterator[Part]:
        first = self.cells.states[state.name]
        for offsets in self._offsets(state):
            cell = first + offsets[viewer]
            if state.type == SEAT:
                yield self._counted(state.name, SeatNumber(cell), self.rules.players - 1, "a seat")
                continue
            low, high = self._ends(state)
            yield self._counted(
                state.name, PlainCells(cell, 1, -min(low, 0)), high - min(low, 0), "a variable" + _shift(low)
            )

    def _offsets(self, owner: ZoneDef | StateDef) -> Iterator[tuple[int, ...]]:
        """The places of a zone, or the variables of a state, in the order of the row: for each seat which one it is."""
        seats = tuple(range(self.rules.players))
        strides, stride = [0] * len(owner.key_values), 1
        for index in reversed(range(len(owner.key_values))):
            strides[index], stride = stride, stride * len(owner.key_values[index])
        turned = [
            type_ == SEAT and values == seats for type_, values in zip(owner.key_types, owner.key_values, strict=True)
        ]
        for ranks in product(*(range(len(values)) for values in owner.key_values)):
            yield tuple(
                sum(
                    ((rank + viewer) % len(seats) if is_turned else rank) * stride
                    for rank, stride, is_turned in zip(ranks, strides, turned, strict=True)
                )
                for viewer in seats
            )

    # ---- how large ------------------------------------------------------------------------------------------------

    def _pieces(self, zone: ZoneDef) -> int:
        """How many pieces of one member there can be."""
        return max(self.cells.piece_counts(zone.piece_kind), default=0)

    def _lanes(self, zone: ZoneDef) -> int:
        return self.cells.lanes(zone.piece_kind)

    def _most_pieces(self) -> int:
        pools = [most for fields in self.program.words.fields for field in fields for most in most_of(field)]
        return max([1, *pools, *(len(component.ids) for component in self.rules.components.values())])

    def _sums(self, zone: ZoneDef, field: str) -> tuple[int, int]:
        columns = self.cells.field_columns(self.cells.component_of(zone), field)
        low = min(sum(number for number in column if number < 0) for column in columns)
        return low, max(sum(number for number in column if number > 0) for column in columns)

    def _ends(self, state: StateDef) -> tuple[int, int]:
        """The lowest and the highest that a variable can be, by its type or, where that is wide, by the facts."""
        low, high = value_ends(self.program.rules, state.type)
        if high - low <= DATA_TYPES[0][2]:
            return low, high
        ranges = [self._variables[state.first_index + at] for at in range(state.size)]
        numbers = [range_ for range_ in ranges if isinstance(range_, Scalars) and not range_.is_empty]
        return min(range_.low for range_ in numbers), max(range_.high for range_ in numbers)

    @cached_property
    def _variables(self) -> Sequence[object]:
        return Facts(self.rules).positions.variables


def _shift(low: int) -> str:
    return f", counted from {low}" if low < 0 else ""


def observe(parts: Sequence[Part], cells: Sequence[int], *, viewer: int, players: int, seat_cell: int) -> list[int]:
    """The row of a seat, out of the cells of a position."""
    row: list[int] = []
    for part in parts:
        match part:
            case PlainCells(first=first, count=count, less=less):
                row += [cells[cell] + less for cell in range(first, first + count)]
            case PackedCounts(cell=cell, count=count):
                row += unpacked(cells[cell], count)
            case PackedSum(cell=cell):
                row.append(sum(unpacked(cells[cell], MAX_LANES)))
            case Things(count_cell=count_cell, first=first, count=count, absent=absent):
                held = cells[count_cell]
                row += [cells[first + at] if at < held else absent for at in range(count)]
            case CellSum(first=first, cells=count):
                row.append(sum(cells[first : first + count]))
            case Presence(cell=cell, absent=absent):
                row.append(int(cells[cell] != absent))
            case SeatNumber(cell=cell):
                row.append((cells[cell] - viewer) % players)
            case OwnCells(first=first, count=count):
                is_own = cells[seat_cell] == viewer
                row += [cells[cell] if is_own else 0 for cell in range(first, first + count)]
            case Nothing(count=count):
                row += [0] * count
    return row


__all__ = [
    "CellSum",
    "DataType",
    "Nothing",
    "ObservationField",
    "ObservationLayout",
    "OwnCells",
    "PackedCounts",
    "PackedSum",
    "Part",
    "PlainCells",
    "Presence",
    "SeatNumber",
    "Things",
    "observe",
]
