"""What lies where, as cells: the part of a position that is the same whatever is under way.

In: the layout of cells, and a position. Out: a new array of cells with its contents and states.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.engine.compiled.kernel.cell_layout import NOBODY, CellLayout, Storage, Tally
from rulewright.engine.compiled.kernel.packed_counts import (
    BYTES_OF_CELL,
    bytes_in_cells,
    cells_of_bytes,
    packed,
    put_byte,
)
from rulewright.engine.compiled.translation.refusal import NotCompiled
from rulewright.engine.state import State
from rulewright.engine.values import Content, Pile, content_bag, content_things
from rulewright.expr.types import Thing
from rulewright.frozen import frozen
from rulewright.model.rules import ZoneDef


@frozen
class ZoneCells:
    """The cells of a zone. `where`: the first cell of the places of things, of which each has a cell, or a byte;
    `tallies`: for each cell that keeps a sum the first one, how far apart those of neighbouring places are, and what
    each thing adds. `most`: of a bag in one cell, no count is above.
    """

    zone: ZoneDef
    storage: Storage
    first: int
    count: int
    room: int
    most: int
    absent: int
    where: int
    has_byte_places: bool
    ends: tuple[int, int] | None
    tallies: tuple[tuple[int, int, Sequence[int]], ...]


class ContentLoader:
    """Loads contents and states of one layout."""

    def __init__(self, cells: CellLayout) -> None:
        self._template: list[int] = []
        self._cells = cells
        rules = cells.rules
        self._zones = tuple(
            self._zone_cells(zone) for zone in sorted(rules.zones.values(), key=lambda zone: zone.first_index)
        )
        self._by_place = tuple(zone for zone in self._zones for _ in range(zone.zone.size))
        self._states = tuple(
            (cells.states[state.name], state.first_index, state.size) for state in rules.states.values()
        )

    def _zone_cells(self, zone: ZoneDef) -> ZoneCells:
        cells, is_of_things = self._cells, isinstance(zone.content_type, Thing)
        tallies = tuple(
            (tally.first + lane, tally.room, column)
            for tally in cells.tallies.get(zone.name, ())
            for lane, column in enumerate(_tally_columns(cells, tally))
        )
        return ZoneCells(
            zone=zone,
            storage=cells.storage[zone.name],
            first=cells.contents.get(zone.name, NOBODY),
            count=cells.counts.get(zone.name, NOBODY),
            room=cells.rooms[zone.name],
            most=cells.most_pieces.get(zone.name, 0),
            absent=cells.absent_thing(zone) if is_of_things else NOBODY,
            where=cells.thing_places[cells.component_of(zone).name] if is_of_things else NOBODY,
            has_byte_places=is_of_things and cells.component_of(zone).name in cells.byte_places,
            ends=cells.pile_ends.get(zone.name),
            tallies=tallies,
        )

    def load(self, state: State) -> list[int]:
        """New cells with the contents and states of a position. Raises `NotCompiled` for an order from outside."""
        cells, contents = self.fresh_cells(), state.contents
        for zone in self._zones:
            place = zone.zone.first_index
            if zone.storage == "bag":
                at, room = zone.first, zone.room
                for content in contents[place : place + zone.zone.size]:
                    cells[at : at + room] = content_bag(content) or [0] * room
                    at += room
            elif zone.storage == "packed":
                bags = [content_bag(content) for content in contents[place : place + zone.zone.size]]
                if max((max(bag, default=0) for bag in bags), default=0) > zone.most:
                    raise NotCompiled(f"zones.{zone.zone.name}", "more pieces than a game begins with")
                cells[zone.first : zone.first + len(bags)] = map(packed, bags)
            else:
                for offset in range(zone.zone.size):
                    _load_things(cells, zone, offset, contents[place + offset])
        for first, index, size in self._states:
            cells[first : first + size] = map(int, state.variables[index : index + size])  # type: ignore[arg-type]  # programs have no others
        return cells

    def put(self, cells: list[int], place: int, content: Content) -> None:
        """In one place there is something else now; things that were there are in another by then, or still there."""
        zone = self._by_place[place]
        offset = place - zone.zone.first_index
        if zone.storage == "bag":
            cells[zone.first + offset * zone.room : zone.first + (offset + 1) * zone.room] = content_bag(content)
        elif zone.storage == "packed":
            cells[zone.first + offset] = packed(content_bag(content))
        else:
            _load_things(cells, zone, offset, content)

    def check(self, state: State) -> None:
        """Raises `NotCompiled` for an order from outside."""
        for place, content in enumerate(state.contents):
            if isinstance(content, Pile):
                _check_pile(self._by_place[place], content)

    def fresh_cells(self) -> list[int]:
        """Cells as a game begins; no thing has a place."""
        if not self._template:
            self._template = self._cells.initial_cells
            for name, first in self._cells.thing_places.items():
                count = len(self._cells.rules.components[name].ids)
                if name in self._cells.byte_places:
                    count = -(-count // BYTES_OF_CELL)
                self._template[first : first + count] = [NOBODY] * count
        return self._template[:]


def _tally_columns(cells: CellLayout, tally: Tally) -> list[tuple[int, ...]]:
    """What each thing adds to each cell of a tally."""
    columns = cells.field_columns(cells.component_of(cells.rules.zones[tally.zone]), tally.field)
    return [tuple(map(packed, zip(*columns, strict=True)))] if tally.most else columns


def _check_pile(zone: ZoneCells, pile: Pile) -> None:
    has_order = len(pile.top) + len(pile.bottom) > (1 if not pile.loose else 0)
    if pile.fixed or (zone.ends is None and has_order):
        raise NotCompiled(f"zones.{zone.zone.name}", "a pile whose order is given from outside")


def _load_things(cells: list[int], zone: ZoneCells, offset: int, content: Content) -> None:
    place, where = zone.zone.first_index + offset, zone.where
    things = content_things(content)
    if isinstance(content, Pile):
        _check_pile(zone, content)
        if zone.ends is not None:
            tops, bottoms = zone.ends
            cells[tops + offset] = len(content.top)
            cells[bottoms + offset] = len(content.bottom)
    for thing in things:
        if zone.has_byte_places:
            put_byte(cells, where, thing, place)
        else:
            cells[where + thing] = place
    if zone.storage == "cell":
        cells[zone.first + offset] = things[0] if things else zone.absent
        return
    cells[zone.count + offset] = len(things)
    if zone.storage == "packed pile":
        if cells_of_bytes(len(things)) > zone.room:
            raise NotCompiled(f"zones.{zone.zone.name}", "more things than a game begins with")
        at = zone.first + offset * zone.room
        cells[at : at + zone.room] = bytes_in_cells(things, zone.room)
    elif zone.storage != "fold":
        at = zone.first + offset * zone.room
        cells[at : at + len(things)] = things
    for first, lanes, column in zone.tallies:
        cells[first + offset * lanes] = sum([column[thing] for thing in things])


__all__ = ["ContentLoader"]
