"""Piles of which some things have a known order: on top, then those without one, then those put under.

In: a zone of the rules in which things are put on or under a pile. Out: code that takes things out of it and puts them
in. The cells of such a pile hold the things on top first, then the loose ones ascending, then those under them; two
more cells count the first and the last. Where at most one thing is loose, all have an order, and all count as on top.
In programs that take orders a third cell says whether the loose things have an order that was given from outside and
that nobody knows: they stand in it, and are drawn in it.
"""

from __future__ import annotations

from contextlib import ExitStack

from rulewright.engine.compiled.kernel.cell_layout import CellLayout
from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import Cell, FindCell, Int, ListItem, Node
from rulewright.engine.compiled.kernel.kernel_arithmetic import ONE, ZERO, add, binary
from rulewright.engine.compiled.kernel.kernel_statements import ShiftCells
from rulewright.engine.compiled.translation.chance_sites import ChanceSite, ChanceSites
from rulewright.model.rules import ZoneDef


class OrderedPile:
    """One place of such a zone while code is written: its cells. `first`: of its things; `count_cell`: how many."""

    def __init__(
        self, code: CodeBuilder, cells: CellLayout, zone: ZoneDef, offset: Node, first: Node, count_cell: Node
    ) -> None:
        self._code = code
        self._cells = cells
        self._zone = zone
        self._offset = offset
        self._first = code.let(first, "first")
        self._count_cell = code.let(count_cell, "count_cell")
        tops, bottoms = cells.pile_ends[zone.name]
        self._top_cell = add(offset, Int(tops))
        self._bottom_cell = add(offset, Int(bottoms))
        given = cells.given_orders.get(zone.name)
        self._given_cell = None if given is None else add(offset, Int(given))

    def find_top(self, chance_sites: ChanceSites) -> Node:
        """The cell of the next thing to be drawn: that on top, or any of the loose ones by chance."""
        code = self._code
        index = code.variable(ZERO, "index")
        loose = binary("-", Cell(self._count_cell), Cell(self._bottom_cell))
        ordered: Node = Cell(self._top_cell)
        if self._given_cell is not None:
            ordered = binary("|", ordered, Cell(self._given_cell))
        with code.when(binary("==", ordered, ZERO)):
            code.assign(index, chance_sites.below(loose, ChanceSite("draw", self._zone.name), self._offset))
        code.forget_cells()
        return code.let(add(self._first, index), "at")

    def find_any(self, chance_sites: ChanceSites) -> Node:
        """The cell of any of its things, by chance among all in the order of their rows."""
        code = self._code
        items = self._sorted_things()
        index = code.variable(ZERO, "index")
        site = ChanceSite("draw", self._zone.name, is_random=True)
        with code.when(binary(">", Cell(self._count_cell), ONE)):
            code.assign(index, chance_sites.below(Cell(self._count_cell), site, self._offset))
        code.forget_cells()
        return code.let(FindCell(self._first, ListItem(items, index)), "at")

    def note_taken(self, at: Node) -> None:
        """A thing is about to leave from a cell."""
        code = self._code
        position = code.let(binary("-", at, self._first), "position")
        with code.when(binary("<", position, Cell(self._top_cell))) as branch:
            code.store(self._top_cell, binary("-", Cell(self._top_cell), ONE))
        with code.unless(branch):
            under = binary("-", Cell(self._count_cell), Cell(self._bottom_cell))
            with code.when(binary(">=", position, under)):
                code.store(self._bottom_cell, binary("-", Cell(self._bottom_cell), ONE))
        code.forget_cells()

    def put_on_top(self, thing: Node) -> None:
        """A thing is put on what is there."""
        code = self._code
        code.write(ShiftCells(self._first, add(self._first, Cell(self._count_cell)), 1))
        code.forget_cells()
        code.store(self._first, thing)
        code.store(self._top_cell, add(Cell(self._top_cell), ONE))

    def put_under(self, thing: Node) -> None:
        """A thing is put under what is there."""
        code = self._code
        code.store(add(self._first, Cell(self._count_cell)), thing)
        code.store(self._bottom_cell, add(Cell(self._bottom_cell), ONE))

    def shuffle_in(self, place: Node) -> None:
        """Everything in the place, which has its new thing already, is mixed."""
        code = self._code
        items = self._sorted_things(place)
        with code.count_loop(ZERO, Cell(self._count_cell), "index") as index:
            code.store(add(self._first, index), ListItem(items, index))
        code.store(self._top_cell, ZERO)
        code.store(self._bottom_cell, ZERO)
        if self._given_cell is not None:
            code.store(self._given_cell, ZERO)

    def settle(self) -> None:
        """Where at most one thing is loose, all have an order."""
        code = self._code
        ordered = binary("+", Cell(self._top_cell), Cell(self._bottom_cell))
        with code.when(binary("<=", binary("-", Cell(self._count_cell), ordered), ONE)):
            code.store(self._top_cell, Cell(self._count_cell))
            code.store(self._bottom_cell, ZERO)
            if self._given_cell is not None:
                code.store(self._given_cell, ZERO)
        code.forget_cells()

    def _sorted_things(self, place: Node | None = None) -> str:
        """The things in the place, by their rows."""
        code, component = self._code, self._cells.component_of(self._zone)
        wanted = add(self._offset, Int(self._zone.first_index)) if place is None else place
        items = code.new_list(len(component.ids), "things")
        with code.count_loop(ZERO, Int(len(component.ids)), component.name) as thing, ExitStack() as stack:
            stack.enter_context(code.when(binary("==", self._cells.place_of(component.name, thing), wanted)))
            code.append(items, thing)
        code.freeze(items)
        return items


__all__ = ["OrderedPile"]
