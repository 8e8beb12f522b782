"""What comes to a place and leaves it: the cells of places, the place of each thing, and sums of fields.

In: zones, and kernel expressions for things and places. Out: code that takes out, puts in, draws and fills. A part of
`EffectWriter`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Final, Literal, TypeAlias

from rulewright.engine.compiled.kernel.cell_layout import NOBODY
from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import ByteSum, Cell, CellByte, FindCell, Int, Node, RankCell, TableEntry
from rulewright.engine.compiled.kernel.kernel_arithmetic import (
    ONE,
    ZERO,
    add,
    binary,
    both,
    product,
    total,
)
from rulewright.engine.compiled.kernel.kernel_statements import DropByte, ShiftCells, Witness
from rulewright.engine.compiled.kernel.packed_counts import LANE_BITS, packed
from rulewright.engine.compiled.translation.chance_sites import ChanceSite
from rulewright.engine.compiled.translation.fault_sites import FaultSite
from rulewright.engine.compiled.translation.invariant_checks import InvariantChecks
from rulewright.engine.compiled.translation.packed_lanes import joined_lanes, lanes_of
from rulewright.engine.compiled.translation.piles import OrderedPile
from rulewright.engine.compiled.translation.sequences import truth
from rulewright.expr.tree import Place
from rulewright.model.rules import ComponentDef, ZoneDef

WitnessEvent: TypeAlias = Literal["departs", "arrives", "pieces", "shown"]

LONG_ROW: Final = 64  # cells: such a row is seldom nearly full


class PlaceChanges(InvariantChecks):
    """Writes what moves do to places."""

    def _witness(self, code: CodeBuilder, event: WitnessEvent, *arguments: Node) -> None:
        if self.is_witnessed:
            code.write(Witness(event, arguments))

    def _witness_draw(
        self, code: CodeBuilder, source_zone: ZoneDef, source: Node, zone: ZoneDef, target: Node, thing: Node,
        *, is_random: bool,
    ) -> None:  # fmt: skip
        first, last = Int(source_zone.first_index), Int(zone.first_index)
        is_identifiable = Int(int(source_zone.is_shuffled and not is_random))
        self._witness(code, "departs", thing, add(source, first), add(target, last), is_identifiable)

    def _capacity(self, zone: ZoneDef, place: Node) -> Node:
        capacities = [
            capacity or 0 for capacity in self.cells.layout.capacities[zone.first_index : zone.first_index + zone.size]
        ]
        if len(set(capacities)) == 1:
            return Int(capacities[0])
        if isinstance(place, Int):
            return Int(capacities[place.value])
        return TableEntry(self.cells.table(f"{zone.name}_at_most", capacities), place)

    def take_out(self, code: CodeBuilder, zone: ZoneDef, offset: Node, thing: Node, at: Node | None = None) -> None:
        """A thing leaves a place; `at`: the cell, or the byte of a packed pile, in which it is, if that is known."""
        offset = code.let(offset, "offset")
        if self.cells.storage[zone.name] == "cell":
            code.store(self.expressions.first_cell(zone, offset), Int(self.cells.absent_thing(zone)))
            self._tally(code, zone, offset, thing, "-")
            return
        count_cell = self.expressions.count_cell(zone, offset)
        count: Node = Cell(count_cell)
        if self.cells.storage[zone.name] == "packed pile":
            count = code.let(count, "count")
            first = code.let(self.expressions.first_cell(zone, offset), "first")
            code.write(DropByte(first, self._find_byte(code, first, count, thing) if at is None else at, count))
            code.forget_cells()
        elif self.cells.storage[zone.name] != "fold":
            if zone.name not in self.cells.pile_ends:  # else the pile counts it itself
                count = code.let(count, "count")
            first = code.let(self.expressions.first_cell(zone, offset), "first")
            at = code.let(FindCell(first, thing) if at is None else at, "at")
            if zone.name in self.cells.pile_ends:
                self._pile(code, zone, offset).note_taken(at)
            room = self.cells.rooms[zone.name]
            room_end = add(first, Int(room)) if room >= LONG_ROW else None
            code.write(ShiftCells(add(at, ONE), add(first, count), -1, room_end))
            code.forget_cells()
        code.store(count_cell, binary("-", count, ONE))
        if zone.name in self.cells.pile_ends:
            self._pile(code, zone, offset).settle()
        self._tally(code, zone, offset, thing, "-")

    @staticmethod
    def _find_byte(code: CodeBuilder, first: Node, count: Node, thing: Node) -> Node:
        """Which of the bytes of a pile holds a thing that is there."""
        found = code.variable(ZERO, "at")
        with (
            code.count_loop(ZERO, count, "index") as index,
            code.when(binary("==", CellByte(first, index), thing)),
        ):
            code.assign(found, index)
        code.freeze(found.text)
        return found

    def _pile(self, code: CodeBuilder, zone: ZoneDef, offset: Node) -> OrderedPile:
        first, count_cell = self.expressions.first_cell(zone, offset), self.expressions.count_cell(zone, offset)
        return OrderedPile(code, self.cells, zone, offset, first, count_cell)

    def _put_on_pile(self, code: CodeBuilder, zone: ZoneDef, offset: Node, thing: Node, to: Place | None) -> None:
        """A thing is put on a pile, under it, or shuffled in; its place is kept already."""
        pile, count_cell = self._pile(code, zone, offset), self.expressions.count_cell(zone, offset)
        if to is not None and to.end == "top":
            pile.put_on_top(thing)
        elif to is not None and to.end == "bottom":
            pile.put_under(thing)
        code.store(count_cell, add(Cell(count_cell), ONE))
        if to is None or not to.end:
            pile.shuffle_in(add(offset, Int(zone.first_index)))
        pile.settle()

    def _put_in(
        self, code: CodeBuilder, zone: ZoneDef, offset: Node, thing: Node, component: ComponentDef, site: FaultSite,
        to: Place | None = None, *, is_free: bool = False,
    ) -> None:  # fmt: skip
        """A thing comes to a place; `is_free`: that has just been found to have room for it."""
        assert self.cells.storage[zone.name] != "packed pile"
        is_mixed = zone.is_shuffled and not (to is not None and to.end)
        self._witness(code, "arrives", thing, add(offset, Int(zone.first_index)), Int(int(is_mixed)))
        if self.cells.storage[zone.name] == "cell":
            cell = self.expressions.first_cell(zone, offset)
            is_empty = binary("==", Cell(cell), Int(self.cells.absent_thing(zone)))
            has_room = ONE if zone.capacity is None else binary(">", self._capacity(zone, offset), ZERO)
            if not is_free:
                self.fail_unless(code, both(has_room, is_empty), site)
            code.store(cell, thing)
        elif zone.name in self.cells.pile_ends:
            self._note_place(code, component, thing, add(offset, Int(zone.first_index)))
            self._put_on_pile(code, zone, offset, thing, to)
        else:
            count_cell = self.expressions.count_cell(zone, offset)
            count: Node = Cell(count_cell)
            is_limited = zone.capacity is not None and not zone.is_shuffled
            if is_limited or self.cells.storage[zone.name] != "fold":
                count = code.let(count, "count")
            if is_limited:
                self.fail_unless(code, binary("<", count, self._capacity(zone, offset)), site)
            if self.cells.storage[zone.name] != "fold":
                first = code.let(self.expressions.first_cell(zone, offset), "first")
                at = add(first, count)
                if zone.is_arrival_ordered and to is not None and to.end == "bottom":
                    at = first
                    code.write(ShiftCells(first, add(first, count), 1))
                    code.forget_cells()
                elif not zone.is_arrival_ordered:
                    at = code.let(RankCell(first, count, thing), "at")
                    code.write(ShiftCells(at, add(first, count), 1))
                    code.forget_cells()
                code.store(at, thing)
            code.store(count_cell, add(count, ONE))
        self._note_place(code, component, thing, add(offset, Int(zone.first_index)))
        self._tally(code, zone, offset, thing, "+")

    def _note_place(self, code: CodeBuilder, component: ComponentDef, thing: Node, place: Node) -> None:
        first = Int(self.cells.thing_places[component.name])
        if component.name in self.cells.byte_places:
            code.store_byte(first, thing, place)
        else:
            code.store(add(thing, first), place)

    def _tally(self, code: CodeBuilder, zone: ZoneDef, offset: Node, thing: Node, sign: str) -> None:
        """The sums of fields follow what comes and goes."""
        component = self.cells.component_of(zone)
        for tally in self.cells.tallies.get(zone.name, ()):
            first = add(product(offset, Int(tally.lanes)), Int(tally.first))
            columns = self.cells.field_columns(component, tally.field)
            if tally.most:
                rows = [packed(row) for row in zip(*columns, strict=True)]
                change = self._column(f"{component.name}_{tally.field}_lanes", rows, thing)
                cell = add(offset, Int(tally.first))
                code.store(cell, binary("+" if sign == "+" else "-", Cell(cell), change))
                continue
            if tally.lanes > 1 and all(
                sum(column[row] for column in columns) == 1 for row in range(len(component.ids))
            ):
                lanes = [
                    next(lane for lane in range(tally.lanes) if columns[lane][row]) for row in range(len(component.ids))
                ]
                cell = code.let(add(self._column(f"{component.name}_{tally.field}_lane", lanes, thing), first), "cell")
                code.store(cell, binary("+" if sign == "+" else "-", Cell(cell), ONE))
                continue
            for lane, column in enumerate(columns):
                if any(column):
                    change = self._column(f"{component.name}_{tally.field}_{lane}", [*column], thing)
                    cell = add(first, Int(lane))
                    code.store(cell, binary("+" if sign == "+" else "-", Cell(cell), change))

    def _column(self, name: str, values: list[int], thing: Node) -> Node:
        if isinstance(thing, Int):
            return Int(values[thing.value])
        return TableEntry(self.cells.column(name, values), thing)

    def size_of(self, code: CodeBuilder, zone: ZoneDef, place: Node) -> Node:
        """How many pieces or things are in a place."""
        match self.cells.storage[zone.name]:
            case "packed":
                return ByteSum(Cell(self.expressions.bag_cell(zone, place)))
            case "bag":
                lanes = range(self.cells.rooms[zone.name])
                return total(Cell(self.expressions.lane_cell(zone, place, Int(lane))) for lane in lanes)
            case "cell":
                return binary("!=", Cell(self.expressions.first_cell(zone, place)), Int(self.cells.absent_thing(zone)))
            case _:
                return Cell(self.expressions.count_cell(zone, place))

    def bag_at(self, code: CodeBuilder, zone: ZoneDef, place: Node) -> list[Node]:
        """The counts of a place of pieces."""
        hints = ["held"] * self.cells.lanes(zone.piece_kind)
        if zone.name in self.cells.most_pieces:
            number = code.let(Cell(self.expressions.bag_cell(zone, place)), zone.name)
            return [*lanes_of(code, number, self.cells.most_pieces[zone.name], hints)]
        cells = [self.expressions.lane_cell(zone, place, Int(lane)) for lane in range(len(hints))]
        return [code.let(Cell(cell), "held") for cell in cells]

    def change_bag(
        self, code: CodeBuilder, zone: ZoneDef, place: Node, counts: Sequence[Node], sign: Literal["+", "-"]
    ) -> None:
        """Pieces come to a place or leave it."""
        if zone.name in self.cells.most_pieces:
            change = code.let(joined_lanes(code, self.cells, counts), "pieces")
            cell = self.expressions.bag_cell(zone, place)
            code.store(cell, binary(sign, code.seen(Cell(cell)), change))
            return
        for lane, count in enumerate(counts):
            if count != ZERO:
                cell = self.expressions.lane_cell(zone, place, Int(lane))
                code.store(cell, binary(sign, Cell(cell), count))

    def _change_count(self, code: CodeBuilder, zone: ZoneDef, place: Node, lane: Node, sign: Literal["+", "-"]) -> None:
        """One piece comes to a place or leaves it."""
        if zone.name in self.cells.most_pieces:
            cell = code.let(self.expressions.bag_cell(zone, place), "cell")
            one = binary("<<", ONE, product(lane, Int(LANE_BITS)))
            code.store(cell, binary(sign, Cell(cell), one))
            return
        cell = code.let(self.expressions.lane_cell(zone, place, lane), "cell")
        code.store(cell, binary(sign, Cell(cell), ONE))

    def draw(
        self, code: CodeBuilder, source_zone: ZoneDef, source: Node, zone: ZoneDef, target: Node, count: Node,
        site: FaultSite, *, is_random: bool, to: Place | None = None, is_free: bool = False,
    ) -> None:  # fmt: skip
        """So many things or pieces change place by chance, as far as there are any. `is_free`: as of `_put_in`."""
        with ExitStack() as stack:
            if count != ONE:
                stack.enter_context(code.count_loop(ZERO, count, "draw"))
            left = code.let(self.size_of(code, source_zone, source), "left")
            stack.enter_context(code.when(binary(">", left, ZERO)))
            if source_zone.is_pool:
                self._draw_piece(code, source_zone, source, zone, target, site)
            else:
                self._draw_thing(
                    code, source_zone, source, zone, target, site, is_random=is_random, to=to, is_free=is_free
                )
        code.forget_cells()

    def _draw_thing(
        self, code: CodeBuilder, source_zone: ZoneDef, source: Node, zone: ZoneDef, target: Node, site: FaultSite,
        *, is_random: bool, to: Place | None, is_free: bool,
    ) -> None:  # fmt: skip
        component, is_packed = self.cells.component_of(zone), self.cells.storage[source_zone.name] == "packed pile"
        first = self.expressions.first_cell(source_zone, source)
        if self.cells.storage[source_zone.name] == "cell":
            at = code.let(first, "at")
        elif source_zone.name in self.cells.pile_ends:
            pile = self._pile(code, source_zone, source)
            at = pile.find_any(self.chance_sites) if is_random else pile.find_top(self.chance_sites)
        else:
            first = code.let(first, "first")
            left = code.let(Cell(self.expressions.count_cell(source_zone, source)), "left")
            if source_zone.is_shuffled or is_random:
                index = code.variable(ZERO, "index")
                with code.when(binary(">", left, ONE)):
                    drawn = ChanceSite("draw", source_zone.name, is_random)
                    code.assign(index, self.chance_sites.below(left, drawn, source))
                at = index if is_packed else code.let(add(first, index), "at")
            else:
                at = code.let(binary("-", add(first, left), ONE), "at")  # the last to arrive is on top
        thing = code.let(CellByte(first, at) if is_packed else Cell(at), component.name)
        if source_zone is zone and not zone.is_shuffled:
            with code.when(binary("!=", source, target)):
                self._witness_draw(code, source_zone, source, zone, target, thing, is_random=is_random)
                self.take_out(code, source_zone, source, thing, at)
                self._put_in(code, zone, target, thing, component, site, to)
            return
        self._witness_draw(code, source_zone, source, zone, target, thing, is_random=is_random)
        self.take_out(code, source_zone, source, thing, at)
        self._put_in(code, zone, target, thing, component, site, to, is_free=is_free)

    def _draw_piece(
        self, code: CodeBuilder, source_zone: ZoneDef, source: Node, zone: ZoneDef, target: Node, site: FaultSite
    ) -> None:
        held = self.bag_at(code, source_zone, source)
        kinds = total(truth(count) for count in held)
        ticket = code.variable(ZERO, "ticket")
        with code.when(binary(">", kinds, ONE)):
            drawn = ChanceSite("draw", source_zone.name)
            code.assign(ticket, self.chance_sites.below(total(held), drawn, source))
        index = code.variable(Int(NOBODY), "drawn")
        for lane, count in enumerate(held):
            with code.when(binary("<", index, ZERO)):
                with code.when(binary("<", ticket, count)):
                    code.assign(index, Int(lane))
                code.assign(ticket, binary("-", ticket, count))
        code.freeze(index.text)
        if source_zone is zone and source == target:
            return
        with ExitStack() as stack:
            if source_zone is zone:
                stack.enter_context(code.when(binary("!=", source, target)))
            first, last = Int(source_zone.first_index), Int(zone.first_index)
            lanes = [binary("==", index, Int(lane)) for lane in range(len(held))]
            self._witness(code, "pieces", add(source, first), add(target, last), *lanes)
            self._change_count(code, source_zone, source, index, "-")
            self._change_count(code, zone, target, index, "+")
            if zone.capacity is not None:
                self.fail_unless(
                    code, binary("<=", self.size_of(code, zone, target), self._capacity(zone, target)), site
                )


__all__ = ["PlaceChanges"]
