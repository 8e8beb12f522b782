"""The seats of a game as a table: a row for each with all its columns, and below it the things it holds.

In: a position and a viewer. Out: lines. What the viewer may not know is shown as a count, or as hidden.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from rich.text import Text

from rulewright import limits
from rulewright.engine.interface import Engine
from rulewright.engine.state import Decision, State
from rulewright.engine.views import Views
from rulewright.expr.tree import Constant, ReadValue
from rulewright.expr.types import SEAT, Member
from rulewright.frozen import field, mutable
from rulewright.model.locale import player_number
from rulewright.model.rules import ZoneDef
from rulewright.terminal.boxes import ROOMY, SCANT, TIGHT, Marks, RenderContext, render_columns, wrap_parts
from rulewright.terminal.display_items import DisplayItem, display_items
from rulewright.terminal.theme import Theme
from rulewright.terminal.zone_contents import (
    ZoneContent,
    count_things,
    is_count_only,
    iter_zone_places,
    known_counts,
    known_things,
    seat_key_index,
)

Viewer = int | None | Literal["all"]  # a seat, a spectator, or one who sees everything


@mutable
class _SeatRow:
    """A seat: its cells by heading, the headings of places with nothing in them, and the things that are listed below
    the table, each with their place.
    """

    cells: dict[str, Text] = field(default_factory=dict)
    empty: set[str] = field(default_factory=set)
    listed: list[tuple[str, list[Text]]] = field(default_factory=list)


class SeatTable:
    """Draws the seats of one game in one language: what its display lists for each, else all there is."""

    def __init__(self, engine: Engine, theme: Theme, views: Views) -> None:
        self.engine = engine
        self.rules = engine.rules
        self.theme = theme
        self.messages = theme.messages
        self.views = views
        self._items = display_items(self.rules, "players") or (
            *(DisplayItem(value=name) for name, value in self.rules.values.items() if value.key_types == (SEAT,)),
            *(DisplayItem(zone=name) for name, zone in self.rules.zones.items() if seat_key_index(zone) is not None),
        )

    def render(
        self, state: State, viewer: Viewer, zones: Mapping[str, ZoneContent], context: RenderContext
    ) -> list[Text]:
        """All seats."""
        rows = [self._row(state, seat, viewer, zones, context) for seat in range(self.rules.players)]
        names = self._names(state, viewer)
        heads = [
            head for head in rows[0].cells if context.density > TIGHT or any(head not in row.empty for row in rows)
        ]
        lines = render_columns(
            [[name, *(row.cells[head] for head in heads)] for name, row in zip(names, rows, strict=True)],
            [self.messages("player"), *heads],
            context.width,
        )
        if lines is None:  # too wide for columns
            lines = []
            for name, row in zip(names, rows, strict=True):
                first = Text.assemble(name[:2], self.messages("player"), name[1:], "  ")
                parts = [Text.assemble((head, "dim"), " ", row.cells[head]) for head in heads]
                lines += wrap_parts(parts, context.width, first)
        for seat, row in enumerate(rows):
            for title, things in row.listed:
                first = Text.assemble(f"  {player_number(seat)} ", (title, "dim"), "  ")
                lines += wrap_parts(things, context.width, first)
        return lines

    def _names(self, state: State, viewer: Viewer) -> list[Text]:
        """What the seats are called; the deciding one is marked."""
        deciding = state.waiting.seat if isinstance(state.waiting, Decision) else None
        eliminated = self.engine.eliminated(state)
        return [
            Text.assemble(
                (f"{'>' if seat == deciding else ' '} {player_number(seat)}", "bold" if seat == deciding else ""),
                f" {self.messages('you')}" if seat == viewer else "",
                (f" {self.messages('out')}" if seat in eliminated else "", "dim"),
            )
            for seat in range(self.rules.players)
        ]

    def _row(
        self, state: State, seat: int, viewer: Viewer, zones: Mapping[str, ZoneContent], context: RenderContext
    ) -> _SeatRow:
        row = _SeatRow()
        for item in self._items:
            title = self.theme.title(*(("values", item.value) if item.value else ("zones", item.zone)))
            if item.value:
                row.cells[title] = self._value(state, item.value, seat, viewer)
                continue
            zone = self.rules.zones.get(item.zone)
            seat_index = seat_key_index(zone) if zone is not None else None
            if zone is None or seat_index is None:
                continue
            for keys, content in iter_zone_places(zones[zone.name], len(zone.key_types)):
                if keys[seat_index] == str(seat):
                    other_keys = (key for index, key in enumerate(keys) if index != seat_index)
                    self._add_place(row, zone, content, " ".join((title, *other_keys)), item, context)
        return row

    def _add_place(
        self, row: _SeatRow, zone: ZoneDef, content: ZoneContent, title: str, item: DisplayItem, context: RenderContext
    ) -> None:
        """Adds a cell for a place, and the things in it if they are to be listed."""
        count = count_things(content)
        if isinstance(zone.content_type, Member):
            if is_count_only(content):
                row.cells[title] = Text(str(count))
            else:
                counts = known_counts(content)
                total = f" ({count})" if len(counts) > 1 else ""
                row.cells[title] = self.theme.render_bag(counts, zone.content_type.kind) + Text(total)
            return
        row.cells[title] = Text(str(count))
        if not count:
            row.empty.add(title)
        known = known_things(content)
        if known and item.show != "counts" and self._is_listed(zone, known, context):
            component = zone.content_type.component
            things = [self.render_inline(component, thing, context) for thing in known]
            if context.density == SCANT or (len(known) > limits.MAX_NAMED_THINGS and context.density != ROOMY):
                things = [with_marks(thing, Text(thing), context.marks) for thing in known]
            unknown = count - len(known)
            more = [Text(self.messages("more", number=unknown))] if unknown else []
            row.listed.append((title, [*things, *more]))

    def _is_listed(self, zone: ZoneDef, known: Sequence[str], context: RenderContext) -> bool:
        """Whether things are listed, or only counted: in tight drawings those that can be chosen or are not open."""
        if context.density == ROOMY:
            return True
        marked = any(thing in context.marks for thing in known)
        return marked or zone.seen_by != "all" or (context.density > TIGHT and len(known) <= limits.MAX_NAMED_THINGS)

    def render_inline(self, component: str, thing: str, context: RenderContext) -> Text:
        """A thing in one line, with its marks."""
        return with_marks(thing, self.theme.render_inline(component, thing, context.reader), context.marks)

    def _value(self, state: State, name: str, seat: int, viewer: Viewer) -> Text:
        """A value of a seat, unless it depends on what the viewer may not know."""
        definition = self.rules.values.get(name)
        if definition is None:
            return Text("?")
        expr = ReadValue(name, (Constant(seat, SEAT, (0, 0)),), definition.type, (0, 0))
        context = self.engine.context(state, seat)
        viewer_index = self.views.viewer_index(None if viewer == "all" else viewer)
        if viewer != "all" and not self.theme.sentences.can_read(expr, context, viewer_index):
            return Text(self.messages("hidden"))
        value = self.engine.compiler.compile(expr)(context)
        return self.theme.render_value(self.theme.notation.value_to_data(value, definition.type), definition.type)


def with_marks(thing: str, shown: Text, marks: Marks) -> Text:
    """A thing as it is shown, with its marks before it."""
    return Text.assemble(marks[thing], " ", shown) if thing in marks else shown


__all__ = ["SeatTable", "Viewer"]
