"""Where everything of a position stands in one array of cells: the table that a compiled program works on.

In: rules, and the layout of their places. Out: a `CellLayout`: for each zone, state and counter its first cell, and how
a place is stored:

- `packed`: a bag in one cell, a byte for the count of each member;
- `bag`: one cell for each member, where there are more members or pieces than fit so;
- `cell`: room for one thing: its row, or the number of rows where there is none;
- `row`, `pile`: how many things there are, then the things, ascending or in the order of their arrival;
- `fold`: only how many there are and what their fields add up to, where no rule asks for more.

Of every thing the place is kept; of zones of which rules add up a field, the sum, which moves keep right.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final, Literal, TypeAlias, TypeVar

from rulewright import limits
from rulewright.engine.compiled.kernel.kernel import Cell, CellByte, Int, Node, TableEntry
from rulewright.engine.compiled.kernel.kernel_arithmetic import ZERO, add, product, subtract
from rulewright.engine.compiled.kernel.packed_counts import (
    BYTES_OF_CELL,
    MAX_IN_BYTE,
    bytes_in_cells,
    can_pack,
    cells_of_bytes,
    packed,
)
from rulewright.engine.compiled.kernel.place_uses import find_uses
from rulewright.engine.layout import Layout
from rulewright.engine.values import as_int, content_bag, content_things
from rulewright.expr.types import Bag, Member, Thing
from rulewright.frozen import frozen
from rulewright.model.bag_indexes import family_size
from rulewright.model.effects import GiveTurn, Move
from rulewright.model.rules import ComponentDef, Rules, StateDef, ZoneDef
from rulewright.model.traversal import filled_zones

Storage: TypeAlias = Literal["bag", "packed", "cell", "row", "pile", "packed pile", "fold"]
COUNTERS: Final = {  # what it counts or says
    "over": "1 when the game is over",
    "decision": "for which of the decisions the game waits",
    "seat": "who decides",
    "round": "",
    "turns": "how many have begun",
    "ending": "1 when the end has been announced",
    "first": "who began",
    "finale": "1 while the steps after the end are carried out",
    "winners": "a bit for each seat that a step has named; -1 before",
    "generator": "the state of chance",
    "ended_by": "the step that ended the game; -1 before",
}
NOBODY: Final = -1
TableT = TypeVar("TableT")
OWN_TABLES: Final = frozenset({"actions", "points", "points_after", "size"})  # what a printed program has besides


@frozen
class Section:
    """Neighbouring cells: the number of the first, how many, whose they are, what they hold at first."""

    first: int
    name: str
    values: tuple[int, ...]
    text: str = ""
    holds_words: bool = False


@frozen
class Tally:
    """The sum of a field over the things in each place of a zone: `lanes` numbers for each place. `most`: no number is
    above, and all stand in one cell; 0 where each has its own.
    """

    zone: str
    field: str
    first: int
    lanes: int
    most: int

    @property
    def room(self) -> int:
        """How many cells each place has."""
        return 1 if self.most else self.lanes


class CellLayout:
    """The cells of one rule model's positions. `sections`: in order; `size`: how many cells there are.

    `tables`: of numbers, by name; `columns`: those of them that have a number for each thing and 0 for none;
    `row_tables`: of rows.
    `takes_orders`: the order of every pile can be given as a game begins. `is_evaluated`: positions are evaluated.
    `packs`: bags stand in one cell where they can; `packs_piles`: things of piles that only get fewer have a byte each;
    `packs_places`: so have the places of things.
    """

    def __init__(
        self,
        rules: Rules,
        layout: Layout,
        *,
        takes_orders: bool = False,
        is_evaluated: bool = False,
        packs: bool = True,
        packs_piles: bool = False,
        packs_places: bool = False,
    ) -> None:
        self.rules = rules
        self.layout = layout
        self.takes_orders = takes_orders
        self._packs = packs
        self._packs_piles = packs_piles
        self.sections: list[Section] = []
        self.size = 0
        self.tables: dict[str, tuple[int, ...]] = {}
        self.row_tables: dict[str, tuple[tuple[int, ...], ...]] = {}
        self.columns: set[str] = set()
        self.counters = {
            name: self._add(name, [NOBODY if name in ("winners", "ended_by") else 0], text)
            for name, text in COUNTERS.items()
        }
        held = {zone.content_type.component for zone in rules.zones.values() if isinstance(zone.content_type, Thing)}
        begins_in_a_place = {each.name for each in rules.components.values() if each.initial_place is not None}
        # components of whose things each has a byte for its place, not a cell
        self.byte_places = begins_in_a_place if packs_places and len(layout.contents) <= MAX_IN_BYTE else set[str]()
        self.thing_places = {
            component.name: self._add_places(component)
            for component in rules.components.values()
            if component.name in begins_in_a_place | held
        }
        walked, totals = find_uses(rules, is_evaluated=is_evaluated)
        self._ordered = {
            step.effect.to.zone
            for block in rules.blocks
            for step in block.steps
            if isinstance(step.effect, Move) and step.effect.to.end
        }
        self._growing = {zone.name for zone in rules.zones.values() if zone.refill is not None}
        self._growing |= filled_zones(step for block in rules.blocks for step in block.steps)
        self.pile_ends: dict[str, tuple[int, int]] = {}  # of piles in which things have an order
        self.given_orders: dict[str, int] = {}  # of piles: whether loose things have an order from outside
        self.storage: dict[str, Storage] = {}
        self.counts: dict[str, int] = {}
        self.contents: dict[str, int] = {}
        self.rooms: dict[str, int] = {}  # how many cells each place has
        self.most_pieces: dict[str, int] = {}  # of zones whose bags stand in one cell: no count is above
        self.tallies: dict[str, list[Tally]] = {}
        for zone in sorted(rules.zones.values(), key=lambda zone: zone.first_index):
            self._add_zone(zone, zone.name in walked, totals.get(zone.name, ()))
        self.states = {
            state.name: self._add(
                f"state {state.name}",
                map(as_int, layout.variables[state.first_index : state.first_index + state.size]),
            )
            for state in rules.states.values()
        }
        self.extra_room = 0
        self.extra_turns = NOBODY
        steps = [step for block in rules.blocks for step in block.steps]
        if any(isinstance(step.effect, GiveTurn) and step.effect.is_extra for step in steps):
            self.extra_room = limits.MAX_WAITING_TURNS
            self.extra_turns = self.reserve("extra turns", 1 + self.extra_room, "how many, then the seats")

    @cached_property
    def _first_cells(self) -> tuple[int, ...]:
        return tuple(value for section in self.sections for value in section.values)

    @property
    def initial_cells(self) -> list[int]:
        """All cells as a game begins, before the set-up. They are asked for when all have been reserved."""
        return list(self._first_cells)

    @property
    def word_sections(self) -> list[Section]:
        """The cells that hold words of actions."""
        return [section for section in self.sections if section.holds_words]

    def clear_unused(self, cells: list[int]) -> None:
        """What stands in the cells of rows and piles beyond their things goes: equal positions are equal cells."""
        for zone in self.rules.zones.values():
            if self.storage[zone.name] in ("row", "pile") and zone.name in self.contents:
                first, room, absent = self.contents[zone.name], self.rooms[zone.name], self.absent_thing(zone)
                for offset in range(zone.size):
                    count, end = cells[self.counts[zone.name] + offset], first + (offset + 1) * room
                    cells[end - room + count : end] = [absent] * (room - count)

    def reserve(self, name: str, count: int, text: str = "", *, start: int = 0, holds_words: bool = False) -> int:
        """More cells, which hold `start` at first; returns the number of the first."""
        return self._add(name, [start] * count, text, holds_words=holds_words)

    def _add(self, name: str, values: Iterable[int], text: str = "", *, holds_words: bool = False) -> int:
        section = Section(self.size, name, tuple(values), text, holds_words)
        self.sections.append(section)
        self.size += len(section.values)
        return section.first

    # ---- zones ----------------------------------------------------------------------------------------------

    def _add_places(self, component: ComponentDef) -> int:
        name, places = f"where {component.name}", self._initial_places(component)
        if component.name not in self.byte_places:
            return self._add(name, places, "the place of each")
        cells = -(-len(places) // BYTES_OF_CELL)
        return self._add(name, bytes_in_cells(places, cells), "the place of each, a byte")

    def _initial_places(self, component: ComponentDef) -> list[int]:
        places = [NOBODY] * len(component.ids)
        for zone in self.rules.zones.values():
            if zone.content_type == Thing(component.name):
                for place in range(zone.first_index, zone.first_index + zone.size):
                    for thing in content_things(self.layout.contents[place]):
                        places[thing] = place
        return places

    def _add_zone(self, zone: ZoneDef, is_walked: bool, totals: Iterable[str]) -> None:
        contents = self.layout.contents[zone.first_index : zone.first_index + zone.size]
        if zone.is_pool:
            kind = zone.piece_kind
            lanes = self.lanes(kind)
            bags = [content_bag(content) or (0,) * lanes for content in contents]
            counts = self.piece_counts(kind)
            if self.can_pack(counts):
                self.storage[zone.name], self.rooms[zone.name] = "packed", 1
                self.most_pieces[zone.name] = max(1, *counts)
                self.contents[zone.name] = self._add(
                    zone.name, map(packed, bags), f"{zone.size} × {lanes} counts, a byte each"
                )
                return
            self.storage[zone.name], self.rooms[zone.name] = "bag", lanes
            cells = [count for bag in bags for count in bag]
            self.contents[zone.name] = self._add(zone.name, cells, f"{zone.size} × {lanes} counts")
            return
        rows = self.absent_thing(zone)
        things = [list(content_things(content)) for content in contents]
        capacities = self.layout.capacities[zone.first_index : zone.first_index + zone.size]
        room = self.rooms[zone.name] = max(rows if capacity is None else min(capacity, rows) for capacity in capacities)
        if room <= 1 and not zone.is_shuffled:
            self.storage[zone.name] = "cell"
            cells = [held[0] if held else rows for held in things]
            self.contents[zone.name] = self._add(zone.name, cells, f"{zone.size} places, {rows} for none")
            return
        only_shrinks = zone.is_shuffled and zone.name not in self._growing and not self.takes_orders
        if self._packs_piles and only_shrinks and rows <= MAX_IN_BYTE:
            room = self.rooms[zone.name] = cells_of_bytes(max(map(len, things)))
            self.storage[zone.name] = "packed pile"
            self.counts[zone.name] = self._add(f"{zone.name} count", [len(held) for held in things])
            cells = [cell for held in things for cell in bytes_in_cells(held, room)]
            self.contents[zone.name] = self._add(zone.name, cells, f"{zone.size} piles, a byte for each thing")
            self.tallies[zone.name] = [self._add_tally(zone, name, things) for name in totals]
            return
        is_listed = is_walked or zone.is_shuffled or zone.is_arrival_ordered
        self.storage[zone.name] = "pile" if zone.is_shuffled else "row" if is_listed else "fold"
        self.counts[zone.name] = self._add(f"{zone.name} count", [len(held) for held in things])
        if is_listed:
            cells = [thing for held in things for thing in (*held, *[rows] * (room - len(held)))]
            self.contents[zone.name] = self._add(zone.name, cells, f"{zone.size} × {room} things")
        if zone.is_shuffled and (zone.name in self._ordered or self.takes_orders):
            tops = self._add(f"{zone.name} on top", [len(held) if len(held) <= 1 else 0 for held in things])
            self.pile_ends[zone.name] = tops, self._add(f"{zone.name} under", [0] * zone.size)
        if zone.is_shuffled and self.takes_orders:
            self.given_orders[zone.name] = self._add(f"{zone.name} given", [0] * zone.size, "whether in a given order")
        self.tallies[zone.name] = [self._add_tally(zone, name, things) for name in totals]

    def _add_tally(self, zone: ZoneDef, field: str, things: list[list[int]]) -> Tally:
        component = self.component_of(zone)
        columns = self.field_columns(component, field)
        sums = [[sum(column[thing] for thing in held) for column in columns] for held in things]
        mosts = [sum(column) for column in columns]
        if self.can_pack(mosts) and min(map(min, columns), default=0) >= 0:
            first = self._add(f"{zone.name} {field}", map(packed, sums), "kept by moves, a byte each")
            return Tally(zone.name, field, first, len(columns), max(1, *mosts))
        cells = [number for numbers in sums for number in numbers]
        return Tally(zone.name, field, self._add(f"{zone.name} {field}", cells, "kept by moves"), len(columns), 0)

    def field_columns(self, component: ComponentDef, field: str) -> list[tuple[int, ...]]:
        """What the things of a component add to the sum of a field: a column for each lane of the sum."""
        type_, column = component.field_types[field], component.columns[field]
        if isinstance(type_, Bag):
            lanes = self.lanes(type_.kind)
            bags = [(bag if isinstance(bag, tuple) else ()) or (0,) * lanes for bag in column]
            return [tuple(bag[lane] for bag in bags) for lane in range(lanes)]
        numbers = tuple(map(as_int, column))
        kind = getattr(type_, "kind", None)
        if kind is None or self.rules.kinds[kind].is_numeric:  # numbers are added up, also those that are members
            return [numbers]
        definition = self.rules.kinds[kind]
        index = {value: value for value in definition.member_values}
        return [tuple(int(index[number] == lane) for number in numbers) for lane in range(self.lanes(kind))]

    def cells_of(self, place: int) -> Iterator[int]:
        """The cells that say what is in a place, as far as rules look at it."""
        zone = self.layout.visibility.zone_by_place[place]
        offset, room = place - zone.first_index, self.rooms[zone.name]
        if zone.name in self.counts:
            yield self.counts[zone.name] + offset
        if zone.name in self.contents:
            first = self.contents[zone.name] + offset * room
            yield from range(first, first + room)
        for tally in self.tallies.get(zone.name, ()):
            first = tally.first + offset * tally.room
            yield from range(first, first + tally.room)

    def place_of(self, component: str, thing: Node) -> Node:
        """In which place a thing is."""
        first = Int(self.thing_places[component])
        return CellByte(first, thing) if component in self.byte_places else Cell(add(thing, first))

    # ---- what things and places are ---------------------------------------------------------------------------

    def lanes(self, kind: str) -> int:
        """How many counts a bag of a kind has."""
        return family_size(self.rules, kind) if kind else 0

    def can_pack(self, mosts: Sequence[int]) -> bool:
        """Whether counts that are never above these stand in one number."""
        return self._packs and can_pack(mosts)

    def piece_counts(self, kind: str) -> list[int]:
        """For each lane of a bag how many pieces there are in the game; pieces are never made."""
        family = self.rules.kinds[kind].family
        counts = [0] * self.lanes(kind)
        for zone in self.rules.zones.values():
            if isinstance(zone.content_type, Member) and self.rules.kinds[zone.content_type.kind].family == family:
                for content in self.layout.contents[zone.first_index : zone.first_index + zone.size]:
                    for lane, count in enumerate(content_bag(content)):
                        counts[lane] += count
        return counts

    def component_of(self, zone: ZoneDef) -> ComponentDef:
        """What lies in a zone of things."""
        assert isinstance(zone.content_type, Thing)
        return self.rules.components[zone.content_type.component]

    def absent_thing(self, zone: ZoneDef) -> int:
        """What stands in a cell without a thing: one more than the last row."""
        return len(self.component_of(zone).ids)

    def zones_of(self, component: str) -> Iterator[ZoneDef]:
        """The zones that hold things of a component, in the order of their places."""
        for zone in sorted(self.rules.zones.values(), key=lambda zone: zone.first_index):
            if zone.content_type == Thing(component):
                yield zone

    def offset(self, definition: ZoneDef | StateDef, keys: Iterable[Node]) -> Node:
        """Which of the places of a zone, or of the variables of a state, full keys name."""
        result: Node = ZERO
        for index, (key, values) in enumerate(zip(keys, definition.key_values, strict=True)):
            result = add(product(result, Int(len(values))), self.rank(definition, index, values, key))
        return result

    def rank(self, definition: ZoneDef | StateDef, index: int, values: tuple[int, ...], key: Node) -> Node:
        """Which of the values of a key it is."""
        if isinstance(key, Int):
            return Int(values.index(key.value))
        first = values[0]
        if values == tuple(range(first, first + len(values))):
            return subtract(key, Int(first))
        table = tuple(values.index(value) if value in values else NOBODY for value in range(max(values) + 1))
        return TableEntry(self.table(f"rank_{definition.name}_{index}", table), key)

    def table(self, name: str, values: Iterable[int]) -> str:
        """The name of a table with these numbers."""
        return self._add_table(name, tuple(values), self.tables, self.row_tables)

    def row_table(self, name: str, rows: Iterable[tuple[int, ...]]) -> str:
        """The name of a table with these rows."""
        return self._add_table(name, tuple(rows), self.row_tables, self.tables)

    @staticmethod
    def _add_table(name: str, values: TableT, tables: dict[str, TableT], others: Collection[str]) -> str:
        """The name of a table, with a number where ids of the rules give the same name to others."""
        unique, number = name, 2
        while unique in OWN_TABLES or unique in others or tables.setdefault(unique, values) != values:
            unique, number = f"{name}_{number}", number + 1
        return unique

    def column(self, name: str, values: Iterable[int]) -> str:
        """The name of a table with a number for each thing, and 0 for none behind them."""
        table = self.table(name, [*values, 0])
        self.columns.add(table)
        return table

    def counter(self, name: str) -> Int:
        """The number of the cell of a counter."""
        return Int(self.counters[name])


__all__ = ["COUNTERS", "NOBODY", "CellLayout", "Section", "Storage", "Tally"]
