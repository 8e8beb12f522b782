"""The board on a terminal, in the room there is: what a viewer sees, laid out as the game's table says.

In: a position and a viewer (a seat, a spectator, or everything), a width, a height. Out: lines. Games without a table
are drawn too: zones of all in the order of the rules, then what belongs to each seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rich.text import Text

from rulewright.engine.position_json import to_data
from rulewright.engine.reference.reference_engine import Engine
from rulewright.engine.state import State
from rulewright.engine.views import Views
from rulewright.expr.types import Member, Thing
from rulewright.model.rules import LEFT, ZoneDef
from rulewright.terminal.boxes import (
    HEADING,
    NO_MARKS,
    PLAIN,
    ROOMY,
    SCANT,
    TIGHT,
    Card,
    Marks,
    Room,
    Row,
    flow,
    framed,
    padded,
)
from rulewright.terminal.seat_table import Seats, Viewer
from rulewright.terminal.theme import Looks, Reading, joined
from rulewright.terminal.width import columns
from rulewright.terminal.zone_contents import amount, flat, hidden, pile, seat_key, things

MANY_LINES: Final = 3  # in so many lines places of things are too many to name the empty ones
FULL_LINES: Final = 4  # so many things are named beside their number


class Board:
    """Draws the positions of one game in one language. `shapes`: whether signs that are no letters can be shown."""

    def __init__(self, engine: Engine, code: str = "en", *, shapes: bool = True) -> None:
        self.engine = engine
        self.rules = engine.rules
        self.views = Views(engine)
        self.looks = Looks(engine, code, shapes=shapes)
        self.words = self.looks.words
        table = engine.rules.table
        self._middle: list[dict[str, Any]] = _items(table.get("board")) or [
            {"zone": name} for name, zone in self.rules.zones.items() if seat_key(zone) is None
        ]
        self._beside = {item["beside"] for item in self._middle if "beside" in item and "rows" in item}
        self._seats = Seats(engine, self.looks, self.views, _items(table.get("seats")))

    def lines(self, state: State, viewer: Viewer, width: int | None = None, level: int = PLAIN) -> list[Text]:
        """The whole board. `width`: default that of the terminal."""
        room = Room(columns() if width is None else width, self.reading(state, viewer), level)
        return self._drawn(state, viewer, room)

    def reading(self, state: State, viewer: Viewer) -> Reading:
        """A position as a viewer reads it."""
        if viewer == "all":
            return Reading(self.engine.context(state), None, None)
        return Reading(self.engine.context(state), self.views.row(viewer), self.views.hides(state, viewer))

    def fitting(
        self,
        state: State,
        viewer: Viewer,
        width: int,
        wanted: int,
        most: int,
        marks: Marks = NO_MARKS,
    ) -> list[Text]:
        """The whole board as roomy as it can be in the lines that are wanted; else as tight as it must be for the most
        lines there are, and as it can be where even those are not enough.
        """
        drawn = list[Text]()
        for level, lines in ((ROOMY, wanted), (PLAIN, wanted), (TIGHT, max(wanted, most)), (SCANT, most)):
            drawn = self._drawn(state, viewer, Room(width, self.reading(state, viewer), level, marks))
            if len(drawn) <= lines:
                break
        return drawn

    def _drawn(self, state: State, viewer: Viewer, room: Room) -> list[Text]:
        seat = None if viewer == "all" else viewer
        view = self.views.view(state, seat)
        zones = to_data(self.engine, state)["zones"] if viewer == "all" else view["zones"]
        parts = [self._head(state, view, room.width)]
        parts += [self._zone(item, zones, room) for item in self._middle if item.get("zone") not in self._beside]
        seats_say = (LEFT,) if self.rules.leaves else ()
        parts.append(self._variables(state, {k: v for k, v in view["state"].items() if k not in seats_say}, room))
        parts.append(self._seats.lines(state, viewer, zones, room))
        lines, previous = list[Text](), list[Text]()
        for part in filter(None, parts):
            if room.level == ROOMY and lines and (len(part) > 1 or len(previous) > 1):
                lines.append(Text())
            previous = part
            lines += part
        return lines

    def _head(self, state: State, view: dict[str, Any], width: int) -> list[Text]:
        parts = [self.words("round", round=state.round)]
        if state.turns:
            parts.append(self.words("turn", turn=state.turns))
        if state.ending and not state.over:
            parts.append(self.words("last_round"))
        if state.over:
            parts.append(self.words("over"))
        elif view["in_turn"] is not None:
            parts.append(self.words("in_turn", seat=view["in_turn"]))
        return flow([Text(self.rules.game, HEADING), *map(Text, parts)], width)

    def _variables(self, state: State, variables: dict[str, Any], room: Room) -> list[Text]:
        """The state variables that are no longer what they were at the start."""
        shown = []
        for name, value in variables.items():
            one, title = self.rules.states[name], self.looks.state(name)
            its = slice(one.first, one.first + one.size)
            now, before = state.variables[its], self.engine.layout.variables[its]
            if title is None or now == before:
                continue
            by_thing = any(isinstance(key, Thing) for key in one.keys)  # of many most are as they were
            told = [
                Text.assemble((f"{'.'.join(keys)}: " if keys else ""), self.looks.value(inner, one.type))
                for (keys, inner), is_, was in zip(flat(value, len(one.keys)), now, before, strict=True)
                if not by_thing or is_ != was
            ]
            shown.append(Text.assemble((title, "dim"), " ", joined(told, " ")))
        return flow(shown, room.width, _title(self.words("state"))) if shown else []

    # ---- zones of the middle ------------------------------------------------------------------------------

    def _zone(self, item: dict[str, Any], zones: dict[str, Any], room: Room) -> list[Text]:
        zone = self.rules.zones.get(item.get("zone", ""))
        if zone is None:
            return []
        content, title = zones[zone.name], self._called(item, zone)
        if not zone.keys:
            return self._place(zone, content, title, item.get("show"), room)
        grid = self._grid(zone) if item.get("show") in (None, "grid") else None
        if grid is not None:
            return self._drawn_grid(zone, content, title, grid)
        if item.get("show") == "counts" or zone.pooled:
            return self._counts(zone, list(flat(content, len(zone.keys))), title, room)
        return self._rows(zone, content, title, item, zones, room)

    def _called(self, item: Mapping[str, Any], zone: ZoneDef) -> str:
        return self.looks.said(item.get("title"), zone.name.replace("_", " "))

    def _counts(self, zone: ZoneDef, places: list[tuple[tuple[str, ...], Any]], title: str, room: Room) -> list[Text]:
        short = [Text.assemble((".".join(keys), "dim"), " ", self._short(zone, inner)) for keys, inner in places]
        drawn = flow(short, room.width, _title(title), "   ")
        if len(drawn) < MANY_LINES or not any(isinstance(key, Thing) for key in zone.keys):
            return drawn
        filled = [one for one, (_, inner) in zip(short, places, strict=True) if amount(inner)]
        return flow(filled or [Text("-")], room.width, _title(title), "   ")

    def _rows(
        self, zone: ZoneDef, content: Any, title: str, item: dict[str, Any], zones: dict[str, Any], room: Room
    ) -> list[Text]:
        places = list(flat(content, len(zone.keys)))
        if "rows" not in item and len(zone.keys) == 1 and all(len(things(inner)) < 2 for _, inner in places):
            cards = [self._card(zone, inner, room, f"{keys[0]}: ") for keys, inner in places]
            return framed([Row(tuple(cards))], room.width, title, joined=room.level <= TIGHT)
        at = zone.key_names.index(item["rows"]) if item.get("rows") in zone.key_names else 0
        rows: dict[str, list[Any]] = {}
        for keys, inner in places:
            rows.setdefault(keys[at], []).extend(things(inner) if len(zone.keys) == 1 else [inner])
        names = list(reversed(rows)) if item.get("order") == "up" else list(rows)
        other = self.rules.zones.get(item.get("beside", "")) if "rows" in item else None
        beside = {} if other is None else {name: self._short(other, zones[other.name][name]).plain for name in names}
        if room.level == SCANT:  # a row with nothing in it says nothing
            names = [name for name in names if rows[name] or name in beside] or names[:1]
        drawn = [
            Row(tuple(self._card(zone, one, room) for one in rows[name]), name, beside.get(name, "")) for name in names
        ]
        side = next((one for one in self._middle if other is not None and one.get("zone") == other.name), {})
        named = "" if other is None else self._called(side, other)
        return framed(drawn, room.width, title, named, joined=room.level <= TIGHT)

    def _place(self, zone: ZoneDef, content: Any, title: str, show: str | None, room: Room) -> list[Text]:
        if isinstance(zone.holds, Member) and not hidden(content):
            return flow(self.looks.pool(content, zone.holds.kind), room.width, _title(title))
        found = things(content)
        if show == "counts" or hidden(content) or not found:
            return flow([self._short(zone, content) if found else Text("-")], room.width, _title(title))
        if room.level == ROOMY:
            return framed([Row(tuple(self._card(zone, one, room) for one in found))], room.width, title)
        assert isinstance(zone.holds, Thing)
        shown = [self.inline(zone.holds.component, thing, room) for thing in found]
        return flow(shown, room.width, _title(title), "   ")

    def inline(self, component: str, thing: str, room: Room) -> Text:
        """A thing in one line, with its marks."""
        return self._seats.inline(component, thing, room)

    def _card(self, zone: ZoneDef, thing: Any, room: Room, place: str = "") -> Card:
        if isinstance(thing, list):
            thing = thing[0] if thing else None
        if thing is None or not isinstance(zone.holds, Thing):
            return Card(place.strip())
        if isinstance(thing, dict):
            return Card(place.strip(), lines=(self._short(zone, thing),))
        title, lines = self.looks.thing(zone.holds.component, thing, room.reading, brief=room.level <= TIGHT)
        return Card(place + thing, room.marks.get(thing, Text()), (title, *lines) if title else tuple(lines))

    def _short(self, zone: ZoneDef, content: Any) -> Text:
        """A place in a few characters."""
        if content is None:
            return Text("-")
        if isinstance(zone.holds, Member):
            return Text(str(content["count"])) if hidden(content) else self.looks.bag(content, zone.holds.kind)
        if pile(content):
            return Text(str(sum(len(content[part]) for part in ("top", "loose", "bottom"))))
        if not isinstance(content, dict):
            return Text(str(len(things(content))))
        known = list(content.get("known", ()))
        more = f" ({', '.join(known[:FULL_LINES])}{', …' if len(known) > FULL_LINES else ''})" if known else ""
        return Text(f"{content['count']}{more}")

    # ---- grids --------------------------------------------------------------------------------------------

    def _grid(self, zone: ZoneDef) -> int | None:
        """How many columns the zone's only key has when it is a grid: its members are a1, b1, … row by row."""
        if len(zone.keys) != 1 or not isinstance(zone.keys[0], Member):
            return None
        members = self.rules.kinds[zone.keys[0].kind].members
        across = sum(name[1:] == "1" for name in members)
        if across == 0 or len(members) % across:
            return None
        wanted = [f"{chr(ord('a') + at % across)}{at // across + 1}" for at in range(len(members))]
        return across if list(members) == wanted else None

    def _drawn_grid(self, zone: ZoneDef, content: dict[str, Any], title: str, across: int) -> list[Text]:
        cells = [self._mark(zone, inner) for inner in content.values()]
        width = max(3, *(len(cell) + 2 for cell in cells))
        rows = [cells[at : at + across] for at in range(0, len(cells), across)]
        head = Text("     " + "".join(chr(ord("a") + at).ljust(width) for at in range(across)), "dim")
        head.rstrip()
        lines = [Text(title, HEADING), head]
        for number, row in enumerate(rows, start=1):
            line = Text.assemble((f"{number:>4} ", "dim"), *(padded(cell, width) for cell in row))
            line.rstrip()
            lines.append(line)
        return lines

    def _mark(self, zone: ZoneDef, content: Any) -> Text:
        if not content:
            return Text(".")
        if isinstance(zone.holds, Member):
            lone = not hidden(content) and sum(content.values()) == 1
            name = next(iter(content))
            if lone:
                return self.looks.sign(name) if name in self.looks.signs else Text(name)
            return self._short(zone, content)
        return Text(",".join(map(str, things(content))))


def _items(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, Sequence) else []


def _title(title: str) -> Text:
    return Text.assemble((title, HEADING), "  ")


__all__ = ["Board", "Viewer"]
