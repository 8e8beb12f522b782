"""Places that fill themselves: after a move whatever has room is filled from its source.

In: moves, and zones with a refill. Out: functions that fill, and calls of them where something can have made room.
Where a place is filled from another that fills itself, the order matters: what all places lack is noted first, then
they are filled, and that again until nothing is lacking any more. Elsewhere one round does the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from rulewright import limits
from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import Cell, Int, Invoke, ListItem, Name, Node, TableEntry
from rulewright.engine.compiled.kernel.kernel_arithmetic import ONE, ZERO, add, binary, both, either, subtract
from rulewright.engine.compiled.kernel.kernel_statements import Function, Perform
from rulewright.engine.compiled.translation.fault_sites import FaultSite
from rulewright.engine.compiled.translation.place_changes import PlaceChanges
from rulewright.model.effects import Move
from rulewright.model.rules import ZoneDef


class Refills(PlaceChanges):
    """Writes refills."""

    @property
    def _is_chained(self) -> bool:
        """Whether a place is filled from another that fills itself."""
        names = {zone.name for zone in self.refilled}
        return any(zone.refill is not None and zone.refill.zone in names for zone in self.refilled)

    def _refill_after(self, code: CodeBuilder, move: Move) -> None:
        self._refill(code, {move.source.zone} if move.source is not None else self._origins(move)[0], move.to.zone)

    def _refill(self, code: CodeBuilder, left: Collection[str], reached: str) -> None:
        """Every place that fills itself and may have room is filled: if something can have left such a place, or come
        to where it is filled from. `left`, `reached`: the zones of what has moved.
        """
        if any(zone.name in left or self._is_filled_from(zone, reached) for zone in self.refilled):
            code.write(Perform(Invoke("refill", ())))
            code.forget_cells()

    @staticmethod
    def _is_filled_from(zone: ZoneDef, source: str) -> bool:
        return zone.refill is not None and zone.refill.zone == source

    def _refill_place(self, code: CodeBuilder, move: Move, place: Node, origins: Sequence[str]) -> None:
        """After a single thing has left a place only that one has room: all others were filled before."""
        is_any_left = any(zone.name in origins for zone in self.refilled)
        is_fed = any(self._is_filled_from(zone, move.to.zone) for zone in self.refilled)
        if is_fed or (is_any_left and self._is_chained):
            code.write(Perform(Invoke("refill", ())))
            code.forget_cells()
            return
        for zone in self.refilled:
            if zone.name in origins:
                low, high = Int(zone.first_index), Int(zone.first_index + zone.size)
                inside = binary("and", binary(">=", place, low), binary("<", place, high))
                with code.when(ONE if len(origins) == 1 else inside):
                    code.write(Perform(Invoke(f"refill_{zone.name}", (subtract(place, low),))))
        code.forget_cells()

    def refill_functions(self) -> Iterator[Function]:
        """Functions that fill all places, and one place of each zone that fills itself."""
        text = "fills every place that fills itself"
        if not self.refilled:
            return
        if self._is_chained:
            yield Function("refill", (), self._refill_in_rounds().block, False, "", text)
            return
        everything = CodeBuilder((), is_pure=False)
        for zone in self.refilled:
            with everything.count_loop(ZERO, Int(zone.size), "place") as place:
                everything.write(Perform(Invoke(f"refill_{zone.name}", (place,))))
            code = CodeBuilder(("place",), is_pure=False)
            self._fill(code, zone, Name("place"), self._lack(code, zone, Name("place")))
            yield Function(f"refill_{zone.name}", ("place",), code.block, False, zone.address, "fills one place")
        yield Function("refill", (), everything.block, False, "", text)

    def _refill_in_rounds(self) -> CodeBuilder:
        code = CodeBuilder((), is_pure=False)
        again, rounds = code.variable(ONE, "again"), code.variable(ZERO, "rounds")
        with code.test_loop(again):
            code.assign(again, ZERO)
            code.assign(rounds, add(rounds, ONE))
            site = FaultSite(self.refilled[0].address, self.refilled[0].span, "is filled without end")
            self.fail_unless(code, binary("<=", rounds, Int(limits.MAX_AUTOMATIC_STEPS)), site)
            lacks = code.new_list(sum(zone.size for zone in self.refilled), "lacks")
            for zone in self.refilled:
                with code.count_loop(ZERO, Int(zone.size), "place") as place:
                    source_zone, source = self._source(code, zone, place)
                    is_there = binary(">", self.size_of(code, source_zone, source), ZERO)
                    code.append(lacks, either(is_there, self._lack(code, zone, place), ZERO))
            first = 0
            for zone in self.refilled:
                with code.count_loop(ZERO, Int(zone.size), "place") as place:
                    lack = code.let(ListItem(lacks, add(place, Int(first))), "lack")
                    with code.when(binary(">", lack, ZERO)):
                        code.assign(again, ONE)
                    self._fill(code, zone, place, lack)
                first += zone.size
        return code

    def _source(self, code: CodeBuilder, zone: ZoneDef, place: Node) -> tuple[ZoneDef, Node]:
        """From where a place is filled."""
        rows = [source for to, source, _ in self.cells.layout.refills if 0 <= to - zone.first_index < zone.size]
        source_zone = self.cells.layout.visibility.zone_by_place[rows[0]]
        sources = [source - source_zone.first_index for source in rows]
        if len(set(sources)) == 1:
            return source_zone, Int(sources[0])
        table = self.cells.table(f"{zone.name}_filled_from", sources)
        return source_zone, code.let(TableEntry(table, place), "source")

    def _lack(self, code: CodeBuilder, zone: ZoneDef, place: Node) -> Node:
        """For how much a place has room; below 0 where it has less than none."""
        room = self._capacity(zone, place)
        if self.cells.storage[zone.name] == "cell":
            is_empty = binary("==", Cell(self.expressions.first_cell(zone, place)), Int(self.cells.absent_thing(zone)))
            return both(binary(">", room, ZERO), is_empty)
        return code.let(binary("-", room, self.size_of(code, zone, place)), "lacks")

    def _fill(self, code: CodeBuilder, zone: ZoneDef, place: Node, lack: Node) -> None:
        """So much comes to a place, as far as there is any."""
        site = FaultSite(zone.address, zone.span, "cannot be filled")
        is_single = self.cells.storage[zone.name] == "cell"
        with code.when(lack if is_single else binary(">", lack, ZERO)):
            source_zone, source = self._source(code, zone, place)
            count = ONE if is_single else lack
            is_free = is_single and source_zone is not zone
            self.draw(code, source_zone, source, zone, place, count, site, is_random=False, is_free=is_free)


__all__ = ["Refills"]
