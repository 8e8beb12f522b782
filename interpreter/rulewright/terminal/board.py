"""The board on a terminal, in the room there is: what a viewer sees, laid out as the game's table says.

In: a position and a viewer (a seat, a spectator, or everything), a width, a height. Out: lines. Games without a table
are drawn too: zones of all in the order of the rules, then what belongs to each seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rich.text import Text

from rulewright.engine.position_json import state_to_data
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import State
from rulewright.engine.views import Views
from rulewright.expr.types import Member, Thing
from rulewright.model.kinds import SEAT_KIND
from rulewright.model.locale import player_number
from rulewright.model.rules import ELIMINATION_STATE, StateDef, ZoneDef
from rulewright.terminal.boxes import (
    HEADING_STYLE,
    NO_MARKS,
    PLAIN,
    ROOMY,
    SCANT,
    TIGHT,
    Marks,
    Panel,
    PanelRow,
    RenderContext,
    draw_panels,
    pad,
    wrap_parts,
)
from rulewright.terminal.seat_table import SeatTable, Viewer
from rulewright.terminal.theme import ReaderContext, Theme, join_text
from rulewright.terminal.width import terminal_width
from rulewright.terminal.zone_contents import (
    count_things,
    is_count_only,
    is_pile,
    iter_zone_places,
    list_things,
    seat_key_index,
)

MIN_LINES_TO_OMIT_EMPTY: Final = 3  # in so many lines places of things are too many to name the empty ones
MAX_LISTED_KNOWN: Final = 4  # so many things are named beside their number


class Board:
    """Draws the positions of one game in one language. `shapes`: whether signs that are no letters can be shown."""

    def __init__(self, engine: ReferenceEngine, code: str = "en", *, shapes: bool = True) -> None:
        self.engine = engine
        self.rules = engine.rules
        self.views = Views(engine)
        self.theme = Theme(engine, code, shapes=shapes)
        self.messages = self.theme.messages
        table = engine.rules.display
        self._middle: list[dict[str, Any]] = _items(table.get("board")) or [
            {"zone": name} for name, zone in self.rules.zones.items() if seat_key_index(zone) is None
        ]
        self._beside = {item["beside"] for item in self._middle if "beside" in item and "rows" in item}
        self._seats = SeatTable(engine, self.theme, self.views, _items(table.get("seats")))

    def render(self, state: State, viewer: Viewer, width: int | None = None, level: int = PLAIN) -> list[Text]:
        """The whole board. `width`: default that of the terminal."""
        room = RenderContext(terminal_width() if width is None else width, self.reader_context(state, viewer), level)
        return self._drawn(state, viewer, room)

    def reader_context(self, state: State, viewer: Viewer) -> ReaderContext:
        """A position as a viewer reads it."""
        if viewer == "all":
            return ReaderContext(self.engine.context(state), None, None)
        return ReaderContext(
            self.engine.context(state), self.views.viewer_index(viewer), self.views.hidden_test(state, viewer)
        )

    def render_to_fit(
        self,
        state: State,
        viewer: Viewer,
        width: int,
        target_lines: int,
        max_lines: int,
        marks: Marks = NO_MARKS,
    ) -> list[Text]:
        """The whole board as roomy as it can be in the lines that are wanted; else as tight as it must be for the most
        lines there are, and as it can be where even those are not enough.
        """
        drawn = list[Text]()
        for level, lines in (
            (ROOMY, target_lines),
            (PLAIN, target_lines),
            (TIGHT, max(target_lines, max_lines)),
            (SCANT, max_lines),
        ):
            drawn = self._drawn(state, viewer, RenderContext(width, self.reader_context(state, viewer), level, marks))
            if len(drawn) <= lines:
                break
        return drawn

    def _drawn(self, state: State, viewer: Viewer, room: RenderContext) -> list[Text]:
        seat = None if viewer == "all" else viewer
        view = self.views.view(state, seat)
        zones = state_to_data(self.engine, state)["zones"] if viewer == "all" else view["zones"]
        parts = [self._head(state, view, room.width)]
        parts += [self._zone(item, zones, room) for item in self._middle if item.get("zone") not in self._beside]
        seats_say = (ELIMINATION_STATE,) if self.rules.has_elimination else ()
        parts.append(self._variables(state, {k: v for k, v in view["state"].items() if k not in seats_say}, room))
        parts.append(self._seats.render(state, viewer, zones, room))
        lines, previous = list[Text](), list[Text]()
        for part in filter(None, parts):
            if room.density == ROOMY and lines and (len(part) > 1 or len(previous) > 1):
                lines.append(Text())
            previous = part
            lines += part
        return lines

    def _head(self, state: State, view: dict[str, Any], width: int) -> list[Text]:
        parts = [self.messages("round", round=state.round)]
        if state.turn_count:
            parts.append(self.messages("turn", turn=state.turn_count))
        if state.ending and not state.over:
            parts.append(self.messages("last_round"))
        if state.over:
            parts.append(self.messages("over"))
        elif view["in_turn"] is not None:
            parts.append(self.messages("in_turn", seat=view["in_turn"]))
        return wrap_parts([Text(self.rules.game, HEADING_STYLE), *map(Text, parts)], width)

    def _variables(self, state: State, variables: dict[str, Any], room: RenderContext) -> list[Text]:
        """The state variables that are no longer what they were at the start."""
        shown = []
        for name, value in variables.items():
            one, title = self.rules.states[name], self.theme.state_title(name)
            its = slice(one.first_index, one.first_index + one.size)
            now, before = state.variables[its], self.engine.layout.variables[its]
            if title is None or now == before:
                continue
            by_thing = any(isinstance(key, Thing) for key in one.key_types)  # of many most are as they were
            parts = [
                Text.assemble(
                    (f"{self._key_label(keys, one)}: " if keys else ""),
                    self.theme.render_value(inner, one.type),
                )
                for (keys, inner), is_, was in zip(
                    iter_zone_places(value, len(one.key_types)), now, before, strict=True
                )
                if not by_thing or is_ != was
            ]
            shown.append(Text.assemble((title, "dim"), " ", join_text(parts, " ")))
        return wrap_parts(shown, room.width, _title(self.messages("state"))) if shown else []

    def _key_label(self, keys: Sequence[str], state: StateDef) -> str:
        """What a value of a variable belongs to; a player by the number alone, as in the table below."""
        if state.key_types == (Member(SEAT_KIND),):
            return str(player_number(int(keys[0])))
        return self.theme.place_label(keys, state.key_types)

    # ---- zones of the middle ------------------------------------------------------------------------------

    def _zone(self, item: dict[str, Any], zones: dict[str, Any], room: RenderContext) -> list[Text]:
        zone = self.rules.zones.get(item.get("zone", ""))
        if zone is None:
            return []
        content, title = zones[zone.name], self._called(item, zone)
        if not zone.key_types:
            return self._place(zone, content, title, item.get("show"), room)
        grid = self._grid(zone) if item.get("show") in (None, "grid") else None
        if grid is not None:
            return self._drawn_grid(zone, content, title, grid)
        if item.get("show") == "counts" or zone.is_pool:
            return self._counts(zone, list(iter_zone_places(content, len(zone.key_types))), title, room)
        return self._rows(zone, content, title, item, zones, room)

    def _called(self, item: Mapping[str, Any], zone: ZoneDef) -> str:
        return self.theme.localize(item.get("title"), zone.name.replace("_", " "))

    def _counts(
        self, zone: ZoneDef, places: list[tuple[tuple[str, ...], Any]], title: str, room: RenderContext
    ) -> list[Text]:
        short = [
            Text.assemble((self.theme.place_label(keys, zone.key_types), "dim"), " ", self._short(zone, inner))
            for keys, inner in places
        ]
        drawn = wrap_parts(short, room.width, _title(title), "   ")
        if len(drawn) < MIN_LINES_TO_OMIT_EMPTY or not any(isinstance(key, Thing) for key in zone.key_types):
            return drawn
        filled = [one for one, (_, inner) in zip(short, places, strict=True) if count_things(inner)]
        return wrap_parts(filled or [Text("-")], room.width, _title(title), "   ")

    def _rows(
        self, zone: ZoneDef, content: Any, title: str, item: dict[str, Any], zones: dict[str, Any], room: RenderContext
    ) -> list[Text]:
        places = list(iter_zone_places(content, len(zone.key_types)))
        if "rows" not in item and len(zone.key_types) == 1 and all(len(list_things(inner)) < 2 for _, inner in places):
            cards = [
                self._card(zone, inner, room, f"{self.theme.place_label(keys, zone.key_types)}: ")
                for keys, inner in places
            ]
            return draw_panels([PanelRow(tuple(cards))], room.width, title, is_compact=room.density <= TIGHT)
        at = zone.key_names.index(item["rows"]) if item.get("rows") in zone.key_names else 0
        rows: dict[str, list[Any]] = {}
        for keys, inner in places:
            rows.setdefault(keys[at], []).extend(list_things(inner) if len(zone.key_types) == 1 else [inner])
        names = list(reversed(rows)) if item.get("order") == "up" else list(rows)
        other = self.rules.zones.get(item.get("beside", "")) if "rows" in item else None
        beside = {} if other is None else {name: self._short(other, zones[other.name][name]).plain for name in names}
        if room.density == SCANT:  # a row with nothing in it says nothing
            names = [name for name in names if rows[name] or name in beside] or names[:1]
        drawn = [
            PanelRow(
                tuple(self._card(zone, one, room) for one in rows[name]),
                self.theme.place_label((name,), (zone.key_types[at],)),
                beside.get(name, ""),
            )
            for name in names
        ]
        side = next((one for one in self._middle if other is not None and one.get("zone") == other.name), {})
        named = "" if other is None else self._called(side, other)
        return draw_panels(drawn, room.width, title, named, is_compact=room.density <= TIGHT)

    def _place(self, zone: ZoneDef, content: Any, title: str, show: str | None, room: RenderContext) -> list[Text]:
        if isinstance(zone.content_type, Member) and not is_count_only(content):
            return wrap_parts(self.theme.render_pool(content, zone.content_type.kind), room.width, _title(title))
        found = list_things(content)
        if show == "counts" or is_count_only(content) or not found:
            return wrap_parts([self._short(zone, content) if found else Text("-")], room.width, _title(title))
        if room.density == ROOMY:
            return draw_panels([PanelRow(tuple(self._card(zone, one, room) for one in found))], room.width, title)
        assert isinstance(zone.content_type, Thing)
        shown = [self.render_inline(zone.content_type.component, thing, room) for thing in found]
        return wrap_parts(shown, room.width, _title(title), "   ")

    def render_inline(self, component: str, thing: str, room: RenderContext) -> Text:
        """A thing in one line, with its marks."""
        return self._seats.render_inline(component, thing, room)

    def _card(self, zone: ZoneDef, thing: Any, room: RenderContext, place: str = "") -> Panel:
        if isinstance(thing, list):
            thing = thing[0] if thing else None
        if thing is None or not isinstance(zone.content_type, Thing):
            return Panel(place.strip())
        if isinstance(thing, dict):
            return Panel(place.strip(), lines=(self._short(zone, thing),))
        title, lines = self.theme.render_thing(
            zone.content_type.component, thing, room.reader, brief=room.density <= TIGHT
        )
        return Panel(place + thing, room.marks.get(thing, Text()), (title, *lines) if title else tuple(lines))

    def _short(self, zone: ZoneDef, content: Any) -> Text:
        """A place in a few characters."""
        if content is None:
            return Text("-")
        if isinstance(zone.content_type, Member):
            return (
                Text(str(content["count"]))
                if is_count_only(content)
                else self.theme.render_bag(content, zone.content_type.kind)
            )
        if is_pile(content):
            return Text(str(sum(len(content[part]) for part in ("top", "loose", "bottom"))))
        if not isinstance(content, dict):
            return Text(str(len(list_things(content))))
        known = list(content.get("known", ()))
        more = (
            f" ({', '.join(known[:MAX_LISTED_KNOWN])}{', …' if len(known) > MAX_LISTED_KNOWN else ''})" if known else ""
        )
        return Text(f"{content['count']}{more}")

    # ---- grids --------------------------------------------------------------------------------------------

    def _grid(self, zone: ZoneDef) -> int | None:
        """How many columns the zone's only key has when it is a grid: its members are a1, b1, … row by row."""
        if len(zone.key_types) != 1 or not isinstance(zone.key_types[0], Member):
            return None
        members = self.rules.kinds[zone.key_types[0].kind].members
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
        lines = [Text(title, HEADING_STYLE), head]
        for number, row in enumerate(rows, start=1):
            line = Text.assemble((f"{number:>4} ", "dim"), *(pad(cell, width) for cell in row))
            line.rstrip()
            lines.append(line)
        return lines

    def _mark(self, zone: ZoneDef, content: Any) -> Text:
        if not content:
            return Text(".")
        if isinstance(zone.content_type, Member):
            lone = not is_count_only(content) and sum(content.values()) == 1
            name = next(iter(content))
            if lone:
                return self.theme.render_glyph(name) if name in self.theme.glyphs else Text(name)
            return self._short(zone, content)
        return Text(",".join(map(str, list_things(content))))


def _items(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, Sequence) else []


def _title(title: str) -> Text:
    return Text.assemble((title, HEADING_STYLE), "  ")


__all__ = ["Board", "Viewer"]
