"""The board on a terminal, as large as fits: what a viewer sees, arranged as the game's display says.

In: a position and a viewer (a seat, a spectator, or everything), a width, a height. Out: lines. Games without a
display are drawn too: zones of all in the order of the rules, then what belongs to each seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rich.text import Text

from rulewright.engine.interface import Engine
from rulewright.engine.position_json import state_to_data
from rulewright.engine.state import State
from rulewright.engine.views import Views
from rulewright.expr.types import SEAT, Member, Thing
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
from rulewright.terminal.display_items import DisplayItem, display_items
from rulewright.terminal.seat_table import SeatTable, Viewer
from rulewright.terminal.theme import ReaderContext, Theme
from rulewright.terminal.width import terminal_width
from rulewright.terminal.zone_contents import (
    ZoneContent,
    count_things,
    is_count_only,
    iter_zone_places,
    known_counts,
    known_things,
    list_things,
    seat_key_index,
)

MIN_LINES_TO_OMIT_EMPTY: Final = 3  # from so many lines on, empty places of things are left out
MAX_LISTED_KNOWN: Final = 4  # things named beside their count


class Board:
    """Draws the positions of one game in one language. `shapes`: whether shapes beside letters can be shown."""

    def __init__(self, engine: Engine, code: str = "en", *, shapes: bool = True) -> None:
        self.engine = engine
        self.rules = engine.rules
        self.views = Views(engine)
        self.theme = Theme(engine, code, shapes=shapes)
        self.messages = self.theme.messages
        self._items = display_items(self.rules, "board") or tuple(
            DisplayItem(zone=name) for name, zone in self.rules.zones.items() if seat_key_index(zone) is None
        )
        self._side_zones = {item.side_zone for item in self._items if item.row_key}
        self._seat_table = SeatTable(engine, self.theme, self.views)

    def render(
        self, state: State, viewer: Viewer, width: int | None = None, density: int = PLAIN, marks: Marks = NO_MARKS
    ) -> list[Text]:
        """The whole board. `width`: default that of the terminal."""
        width = terminal_width() if width is None else width
        return self._render(state, viewer, RenderContext(width, self.reader_context(state, viewer), density, marks))

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
        """The whole board, as roomy as fits in `target_lines`; where nothing does, as tight as fits in `max_lines`, and
        the tightest where nothing fits in those either.
        """
        lines = list[Text]()
        for density, limit in (
            (ROOMY, target_lines),
            (PLAIN, target_lines),
            (TIGHT, max(target_lines, max_lines)),
            (SCANT, max_lines),
        ):
            context = RenderContext(width, self.reader_context(state, viewer), density, marks)
            lines = self._render(state, viewer, context)
            if len(lines) <= limit:
                break
        return lines

    def _render(self, state: State, viewer: Viewer, context: RenderContext) -> list[Text]:
        seat = None if viewer == "all" else viewer
        view = self.views.view(state, seat)
        zones = state_to_data(self.engine, state)["zones"] if viewer == "all" else view["zones"]
        parts = [self._heading(state, view["in_turn"], context.width)]
        parts += [self._zone(item, zones, context) for item in self._items if item.zone not in self._side_zones]
        in_seat_table = (ELIMINATION_STATE,) if self.rules.has_elimination else ()
        variables = {name: value for name, value in view["state"].items() if name not in in_seat_table}
        parts.append(self._variables(state, variables, context))
        parts.append(self._seat_table.render(state, viewer, zones, context))
        lines, previous = list[Text](), list[Text]()
        for part in filter(None, parts):
            if context.density == ROOMY and lines and (len(part) > 1 or len(previous) > 1):
                lines.append(Text())
            previous = part
            lines += part
        return lines

    def _heading(self, state: State, turn_seat: int | None, width: int) -> list[Text]:
        parts = [self.messages("round", round=state.round)]
        if state.turn_count:
            parts.append(self.messages("turn", turn=state.turn_count))
        if state.ending and not state.over:
            parts.append(self.messages("last_round"))
        if state.over:
            parts.append(self.messages("over"))
        elif turn_seat is not None:
            parts.append(self.messages("in_turn", seat=turn_seat))
        return wrap_parts([Text(self.rules.game, HEADING_STYLE), *map(Text, parts)], width)

    def _variables(self, state: State, variables: Mapping[str, ZoneContent], context: RenderContext) -> list[Text]:
        """The state variables that are no longer what they were at the start, and those that are always shown."""
        parts = []
        for name, data in variables.items():
            definition, shown = self.rules.states[name], self.theme.state_shown(name)
            indices = slice(definition.first_index, definition.first_index + definition.size)
            current, initial = state.variables[indices], self.engine.layout.variables[indices]
            if shown == "never" or (shown != "always" and current == initial):
                continue
            # most things' are unchanged
            changed_only = shown != "always" and any(isinstance(key, Thing) for key in definition.key_types)
            places = iter_zone_places(data, len(definition.key_types))
            values = [
                Text.assemble(
                    f"{self._key_label(keys, definition)}: " if keys else "",
                    self.theme.render_value(value, definition.type),
                )
                for (keys, value), now, before in zip(places, current, initial, strict=True)
                if not changed_only or now != before
            ]
            parts.append(Text.assemble((self.theme.title("state", name), "dim"), " ", Text(" ").join(values)))
        return wrap_parts(parts, context.width, _title(self.messages("state"))) if parts else []

    def _key_label(self, keys: Sequence[str], state: StateDef) -> str:
        """What a value of a variable belongs to; a player by the number alone, as in the table of seats."""
        if state.key_types == (SEAT,):
            return str(player_number(int(keys[0])))
        return self.theme.place_label(keys, state.key_types)

    # ---- zones that belong to no seat ---------------------------------------------------------------------

    def _zone(self, item: DisplayItem, zones: Mapping[str, ZoneContent], context: RenderContext) -> list[Text]:
        zone = self.rules.zones.get(item.zone)
        if zone is None:
            return []
        content, title = zones[zone.name], self._zone_title(item, zone)
        if not zone.key_types:
            return self._place(zone, content, title, item, context)
        columns = self._grid_columns(zone) if item.show in ("", "grid") else None
        if columns is not None:
            return self._grid(item, zones, title, columns)
        if item.show == "counts" or zone.is_pool:
            return self._counts(zone, content, title, context)
        return self._panels(zone, content, title, item, zones, context)

    def _zone_title(self, item: DisplayItem, zone: ZoneDef) -> str:
        return self.theme.title("zones", zone.name)

    def _counts(self, zone: ZoneDef, content: ZoneContent, title: str, context: RenderContext) -> list[Text]:
        """How much is in each place; in many lines only those of things that hold any."""
        places = list(iter_zone_places(content, len(zone.key_types)))
        parts = [
            Text.assemble((self.theme.place_label(keys, zone.key_types), "dim"), " ", self._summary(zone, inner))
            for keys, inner in places
        ]
        lines = wrap_parts(parts, context.width, _title(title), "   ")
        if len(lines) < MIN_LINES_TO_OMIT_EMPTY or not any(isinstance(key, Thing) for key in zone.key_types):
            return lines
        filled = [part for part, (_, inner) in zip(parts, places, strict=True) if count_things(inner)]
        return wrap_parts(filled or [Text("-")], context.width, _title(title), "   ")

    def _panels(
        self,
        zone: ZoneDef,
        content: ZoneContent,
        title: str,
        item: DisplayItem,
        zones: Mapping[str, ZoneContent],
        context: RenderContext,
    ) -> list[Text]:
        """A zone with keys as panels, in rows by one of the keys."""
        places = list(iter_zone_places(content, len(zone.key_types)))
        has_one_key = len(zone.key_types) == 1
        if not item.row_key and has_one_key and all(len(list_things(inner)) < 2 for _, inner in places):
            panels = [
                self._panel(zone, inner, context, f"{self.theme.place_label(keys, zone.key_types)}: ")
                for keys, inner in places
            ]
            return draw_panels([PanelRow(tuple(panels))], context.width, title, is_compact=context.density <= TIGHT)
        key_index = zone.key_names.index(item.row_key) if item.row_key in zone.key_names else 0
        rows: dict[str, list[ZoneContent]] = {}
        for keys, inner in places:
            rows.setdefault(keys[key_index], []).extend(list_things(inner) if has_one_key else [inner])
        names = list(reversed(rows)) if item.is_upward else list(rows)
        side_zone = self.rules.zones.get(item.side_zone) if item.row_key else None
        side_notes, side_title = dict[str, str](), ""
        if side_zone is not None:
            side_content = dict(iter_zone_places(zones[side_zone.name], 1))
            side_notes = {name: self._summary(side_zone, side_content[name,]).plain for name in names}
            side_items = (other for other in self._items if other.zone == side_zone.name)
            side_title = self._zone_title(next(side_items, DisplayItem()), side_zone)
        if context.density == SCANT:  # an empty row says nothing
            names = [name for name in names if rows[name] or name in side_notes] or names[:1]
        panel_rows = [
            PanelRow(
                tuple(self._panel(zone, thing, context) for thing in rows[name]),
                self.theme.place_label((name,), (zone.key_types[key_index],)),
                side_notes.get(name, ""),
            )
            for name in names
        ]
        return draw_panels(panel_rows, context.width, title, side_title, is_compact=context.density <= TIGHT)

    def _place(
        self, zone: ZoneDef, content: ZoneContent, title: str, item: DisplayItem, context: RenderContext
    ) -> list[Text]:
        """A zone without keys."""
        if isinstance(zone.content_type, Member) and not is_count_only(content):
            pool = self.theme.render_pool(known_counts(content), zone.content_type.kind)
            return wrap_parts(pool, context.width, _title(title))
        things = list_things(content)
        if item.show == "counts" or is_count_only(content) or not things:
            summary = self._summary(zone, content) if things else Text("-")
            return wrap_parts([summary], context.width, _title(title))
        if context.density == ROOMY:
            panels = tuple(self._panel(zone, thing, context) for thing in things)
            return draw_panels([PanelRow(panels)], context.width, title)
        assert isinstance(zone.content_type, Thing)
        component = zone.content_type.component
        parts = [self._seat_table.render_inline(component, thing, context) for thing in known_things(content)]
        return wrap_parts(parts, context.width, _title(title), "   ")

    def _panel(self, zone: ZoneDef, content: ZoneContent, context: RenderContext, place: str = "") -> Panel:
        """A thing, or a place that holds one at most, with the name of the place before it."""
        if isinstance(content, list):
            content = content[0] if content else None
        if content is None or not isinstance(zone.content_type, Thing):
            return Panel(place.strip())
        if isinstance(content, dict):
            return Panel(place.strip(), lines=(self._summary(zone, content),))
        thing, is_brief = str(content), context.density <= TIGHT
        title, lines = self.theme.render_thing(zone.content_type.component, thing, context.reader, brief=is_brief)
        return Panel(place + thing, context.marks.get(thing, Text()), (title, *lines) if title else tuple(lines))

    def _summary(self, zone: ZoneDef, content: ZoneContent) -> Text:
        """A place in a few characters."""
        if content is None:
            return Text("-")
        if isinstance(zone.content_type, Member) and not is_count_only(content):
            return self.theme.render_bag(known_counts(content), zone.content_type.kind)
        count = str(count_things(content))
        if isinstance(zone.content_type, Member) or not is_count_only(content):
            return Text(count)
        known = known_things(content)
        names = ", ".join(known[:MAX_LISTED_KNOWN]) + (", …" if len(known) > MAX_LISTED_KNOWN else "")
        return Text(f"{count} ({names})" if known else count)

    # ---- grids --------------------------------------------------------------------------------------------

    def _grid_columns(self, zone: ZoneDef) -> int | None:
        """How many columns the zone's only key has when it is a grid: its members are a1, b1, … row by row."""
        if len(zone.key_types) != 1 or not isinstance(zone.key_types[0], Member):
            return None
        members = self.rules.kinds[zone.key_types[0].kind].members
        columns = sum(name[1:] == "1" for name in members)
        if columns == 0 or len(members) % columns:
            return None
        grid_names = [f"{_column_letter(index % columns)}{index // columns + 1}" for index in range(len(members))]
        return columns if list(members) == grid_names else None

    def _grid(self, item: DisplayItem, zones: Mapping[str, ZoneContent], title: str, columns: int) -> list[Text]:
        """A cell for each key, with what is there in the zone and in those that share its cells."""
        layers = [
            [self._cell(self.rules.zones[name], inner) for _, inner in iter_zone_places(zones[name], 1)]
            for name in (item.zone, *item.shared_zones)
        ]
        cells = [Text(",").join(cell for cell in layer if cell) or Text(".") for layer in zip(*layers, strict=True)]
        width = max(3, *(len(cell) + 2 for cell in cells))
        rows = [(start // columns + 1, cells[start : start + columns]) for start in range(0, len(cells), columns)]
        head = Text("     " + "".join(_column_letter(column).ljust(width) for column in range(columns)), "dim")
        head.rstrip()
        lines = [Text(title, HEADING_STYLE), head]
        for number, row in reversed(rows) if item.is_upward else rows:
            line = Text.assemble((f"{number:>4} ", "dim"), *(pad(cell, width) for cell in row))
            line.rstrip()
            lines.append(line)
        return lines

    def _cell(self, zone: ZoneDef, content: ZoneContent) -> Text:
        """What is in a cell; nothing for an empty one."""
        if not content:
            return Text()
        if is_count_only(content):
            return self._summary(zone, content)
        if isinstance(zone.content_type, Thing):
            return Text(",".join(known_things(content)))
        counts = known_counts(content)
        if sum(counts.values()) != 1:
            return self._summary(zone, content)
        name = next(iter(counts))
        return self.theme.render_glyph(name) if name in self.theme.glyphs else Text(name)


def _column_letter(column: int) -> str:
    return chr(ord("a") + column)


def _title(title: str) -> Text:
    return Text.assemble((title, HEADING_STYLE), "  ")


__all__ = ["Board", "Viewer"]
