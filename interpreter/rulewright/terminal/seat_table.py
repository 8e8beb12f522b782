"""The seats of a game as a table: a line for each, what all its columns say, and below it the cards it holds.

In: a position and a viewer. Out: lines. What the viewer may not know is told as a number, or as hidden.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from rich.text import Text

from rulewright import limits
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import Decision, State
from rulewright.engine.views import Views
from rulewright.expr.tree import Constant, ReadValue
from rulewright.expr.types import Member
from rulewright.model.locale import player_number
from rulewright.model.rules import ZoneDef
from rulewright.terminal.boxes import ROOMY, SCANT, TIGHT, Marks, RenderContext, render_columns, wrap_parts
from rulewright.terminal.theme import Theme
from rulewright.terminal.zone_contents import is_count_only, is_pile, iter_zone_places, list_things, seat_key_index

Viewer = int | None | Literal["all"]  # a seat, a spectator, or one who sees everything


@dataclass
class _Line:
    """What is told of a seat: its columns in order, those of places with nothing in them, and things that need lines
    of their own.
    """

    cells: dict[str, Text] = field(default_factory=dict)
    none: set[str] = field(default_factory=set)
    below: list[tuple[str, list[Text]]] = field(default_factory=list)


class SeatTable:
    """Draws the seats of one game in one language. `items`: what is told of each, in order; all there is by default."""

    def __init__(self, engine: ReferenceEngine, theme: Theme, views: Views, items: Sequence[Mapping[str, Any]]) -> None:
        self.engine = engine
        self.rules = engine.rules
        self.theme = theme
        self.messages = theme.messages
        self.views = views
        self._items: Sequence[Mapping[str, Any]] = items or [
            *[{"value": name} for name, one in self.rules.values.items() if one.key_types == (Member("seat"),)],
            *[{"zone": name} for name, zone in self.rules.zones.items() if seat_key_index(zone) is not None],
        ]

    def render(self, state: State, viewer: Viewer, zones: Mapping[str, Any], context: RenderContext) -> list[Text]:
        """All seats."""
        seats = [self._row(state, number, viewer, zones, context) for number in range(self.rules.players)]
        decides = state.waiting.seat if isinstance(state.waiting, Decision) else None
        gone = self.engine.eliminated(state)
        names = [
            Text.assemble(
                (f"{'>' if number == decides else ' '} {player_number(number)}", "bold" if number == decides else ""),
                f" {self.messages('you')}" if number == viewer else "",
                (f" {self.messages('out')}" if number in gone else "", "dim"),
            )
            for number in range(self.rules.players)
        ]
        heads = [
            head for head in seats[0].cells if context.density > TIGHT or any(head not in one.none for one in seats)
        ]
        table = render_columns(
            [[name, *(seat.cells[head] for head in heads)] for name, seat in zip(names, seats, strict=True)],
            [self.messages("seat"), *heads],
            context.width,
        )
        found = table[:1] if table is not None else []
        for number, (name, seat) in enumerate(zip(names, seats, strict=True)):
            if table is not None:
                found.append(table[number + 1])
            else:
                first = Text.assemble(name[:2], self.messages("seat"), name[1:], "  ")
                parts = [Text.assemble((head, "dim"), " ", seat.cells[head]) for head in heads]
                found += wrap_parts(parts, context.width, first)
        for number, seat in enumerate(seats):
            for title, shown in seat.below:
                found += wrap_parts(
                    shown, context.width, Text.assemble(f"  {player_number(number)} ", (title, "dim"), "  ")
                )
        return found

    def _row(self, state: State, number: int, viewer: Viewer, zones: Mapping[str, Any], room: RenderContext) -> _Line:
        line = _Line()
        for item in self._items:
            if "value" in item:
                title = self.theme.localize(item.get("title"), str(item["value"]).replace("_", " "))
                line.cells[title] = self._value(state, str(item["value"]), number, viewer)
                continue
            zone = self.rules.zones.get(item.get("zone", ""))
            at = seat_key_index(zone) if zone is not None else None
            if zone is None or at is None:
                continue
            title = self.theme.localize(item.get("title"), zone.name.replace("_", " "))
            for keys, content in iter_zone_places(zones[zone.name], len(zone.key_types)):
                if keys[at] == str(number):
                    name = " ".join((title, *(key for index, key in enumerate(keys) if index != at)))
                    self._place(line, zone, content, name, item, room)
        return line

    def _place(
        self, line: _Line, zone: ZoneDef, content: Any, name: str, item: Mapping[str, Any], room: RenderContext
    ) -> None:
        if isinstance(zone.content_type, Member):
            if is_count_only(content):
                line.cells[name] = Text(str(content["count"]))
            else:
                total = f" ({sum(content.values())})" if len(content) > 1 else ""
                line.cells[name] = self.theme.render_bag(content, zone.content_type.kind) + Text(total)
            return
        partly = isinstance(content, dict) and not is_pile(content)
        known = list(content.get("known", ())) if partly else list_things(content)
        count = content["count"] if partly else len(known)
        line.cells[name] = Text(str(count))
        if not count:
            line.none.add(name)
        if known and item.get("show") != "counts" and self._named(zone, known, room):
            component = zone.content_type.component
            shown = [self.render_inline(component, thing, room) for thing in known]
            if room.density == SCANT or (len(known) > limits.MAX_NAMED_THINGS and room.density != ROOMY):
                shown = [with_marks(thing, Text(thing), room.marks) for thing in known]
            rest = count - len(known)
            line.below.append((name, [*shown, *([Text(self.messages("more", number=rest))] if rest else [])]))

    def _named(self, zone: ZoneDef, known: Sequence[str], room: RenderContext) -> bool:
        """Whether things are named, or only counted; when it is tight, those that not all see or that can be chosen."""
        if room.density == ROOMY:
            return True
        marked = any(thing in room.marks for thing in known)
        return marked or zone.seen_by != "all" or (room.density > TIGHT and len(known) <= limits.MAX_NAMED_THINGS)

    def render_inline(self, component: str, thing: str, room: RenderContext) -> Text:
        """A thing in one line, with its marks."""
        return with_marks(thing, self.theme.render_inline(component, thing, room.reader), room.marks)

    def _value(self, state: State, name: str, seat: int, viewer: Viewer) -> Text:
        """A value of a seat, unless it tells what the viewer may not know."""
        definition = self.rules.values.get(name)
        if definition is None:
            return Text("?")
        expr = ReadValue(name, (Constant(seat, Member("seat"), (0, 0)),), definition.type, (0, 0))
        c = self.engine.context(state, seat)
        row = self.views.viewer_index(None if viewer == "all" else viewer)
        if viewer != "all" and not self.theme.sentences.can_read(expr, c, row):
            return Text(self.messages("hidden"))
        value = self.engine.compiler.compile(expr)(c)
        return self.theme.render_value(self.theme.notation.value_to_data(value, definition.type), definition.type)


def with_marks(thing: str, shown: Text, marks: Marks) -> Text:
    """A thing as it is shown, with its marks before it."""
    return Text.assemble(marks[thing], " ", shown) if thing in marks else shown


__all__ = ["SeatTable", "Viewer"]
