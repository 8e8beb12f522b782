"""The seats of a game as a table: a line for each, what all its columns say, and below it the cards it holds.

In: a position and a viewer. Out: lines. What the viewer may not know is told as a number, or as hidden.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from rich.text import Text

from rulewright import limits
from rulewright.engine.reference.reference_engine import Engine
from rulewright.engine.state import Decision, State
from rulewright.engine.views import Views
from rulewright.expr.tree import Constant, ReadValue
from rulewright.expr.types import Member
from rulewright.model.rules import ZoneDef
from rulewright.terminal.boxes import ROOMY, SCANT, TIGHT, Marks, Room, columns_of, flow
from rulewright.terminal.theme import Looks
from rulewright.terminal.zone_contents import flat, hidden, pile, seat_key, things

Viewer = int | None | Literal["all"]  # a seat, a spectator, or one who sees everything


@dataclass
class _Line:
    """What is told of a seat: its columns in order, those of places with nothing in them, and things that need lines
    of their own.
    """

    cells: dict[str, Text] = field(default_factory=dict)
    none: set[str] = field(default_factory=set)
    below: list[tuple[str, list[Text]]] = field(default_factory=list)


class Seats:
    """Draws the seats of one game in one language. `items`: what is told of each, in order; all there is by default."""

    def __init__(self, engine: Engine, looks: Looks, views: Views, items: Sequence[Mapping[str, Any]]) -> None:
        self.engine = engine
        self.rules = engine.rules
        self.looks = looks
        self.words = looks.words
        self.views = views
        self._items: Sequence[Mapping[str, Any]] = items or [
            *[{"value": name} for name, one in self.rules.values.items() if one.keys == (Member("seat"),)],
            *[{"zone": name} for name, zone in self.rules.zones.items() if seat_key(zone) is not None],
        ]

    def lines(self, state: State, viewer: Viewer, zones: Mapping[str, Any], room: Room) -> list[Text]:
        """All seats."""
        seats = [self._told(state, number, viewer, zones, room) for number in range(self.rules.players)]
        decides = state.waiting.seat if isinstance(state.waiting, Decision) else None
        gone = self.engine.gone(state)
        names = [
            Text.assemble(
                (f"{'>' if number == decides else ' '} {number}", "bold" if number == decides else ""),
                f" {self.words('you')}" if number == viewer else "",
                (f" {self.words('out')}" if number in gone else "", "dim"),
            )
            for number in range(self.rules.players)
        ]
        heads = [head for head in seats[0].cells if room.level > TIGHT or any(head not in one.none for one in seats)]
        table = columns_of(
            [[name, *(seat.cells[head] for head in heads)] for name, seat in zip(names, seats, strict=True)],
            [self.words("seat"), *heads],
            room.width,
        )
        found = table[:1] if table is not None else []
        for number, (name, seat) in enumerate(zip(names, seats, strict=True)):
            if table is not None:
                found.append(table[number + 1])
            else:
                first = Text.assemble(name[:2], self.words("seat"), name[1:], "  ")
                parts = [Text.assemble((head, "dim"), " ", seat.cells[head]) for head in heads]
                found += flow(parts, room.width, first)
        for number, seat in enumerate(seats):
            for title, shown in seat.below:
                found += flow(shown, room.width, Text.assemble(f"  {number} ", (title, "dim"), "  "))
        return found

    def _told(self, state: State, number: int, viewer: Viewer, zones: Mapping[str, Any], room: Room) -> _Line:
        line = _Line()
        for item in self._items:
            if "value" in item:
                title = self.looks.said(item.get("title"), str(item["value"]).replace("_", " "))
                line.cells[title] = self._value(state, str(item["value"]), number, viewer)
                continue
            zone = self.rules.zones.get(item.get("zone", ""))
            at = seat_key(zone) if zone is not None else None
            if zone is None or at is None:
                continue
            title = self.looks.said(item.get("title"), zone.name.replace("_", " "))
            for keys, content in flat(zones[zone.name], len(zone.keys)):
                if keys[at] == str(number):
                    name = " ".join((title, *(key for index, key in enumerate(keys) if index != at)))
                    self._place(line, zone, content, name, item, room)
        return line

    def _place(self, line: _Line, zone: ZoneDef, content: Any, name: str, item: Mapping[str, Any], room: Room) -> None:
        if isinstance(zone.holds, Member):
            if hidden(content):
                line.cells[name] = Text(str(content["count"]))
            else:
                total = f" ({sum(content.values())})" if len(content) > 1 else ""
                line.cells[name] = self.looks.bag(content, zone.holds.kind) + Text(total)
            return
        partly = isinstance(content, dict) and not pile(content)
        known = list(content.get("known", ())) if partly else things(content)
        count = content["count"] if partly else len(known)
        line.cells[name] = Text(str(count))
        if not count:
            line.none.add(name)
        if known and item.get("show") != "counts" and self._named(zone, known, room):
            component = zone.holds.component
            shown = [self.inline(component, thing, room) for thing in known]
            if room.level == SCANT or (len(known) > limits.MAX_NAMED_THINGS and room.level != ROOMY):
                shown = [marked(thing, Text(thing), room.marks) for thing in known]
            rest = count - len(known)
            line.below.append((name, [*shown, *([Text(self.words("more", number=rest))] if rest else [])]))

    def _named(self, zone: ZoneDef, known: Sequence[str], room: Room) -> bool:
        """Whether things are named, or only counted; when it is tight, those that not all see or that can be chosen."""
        if room.level == ROOMY:
            return True
        marked = any(thing in room.marks for thing in known)
        return marked or zone.seen_by != "all" or (room.level > TIGHT and len(known) <= limits.MAX_NAMED_THINGS)

    def inline(self, component: str, thing: str, room: Room) -> Text:
        """A thing in one line, with its marks."""
        return marked(thing, self.looks.inline(component, thing, room.reading), room.marks)

    def _value(self, state: State, name: str, seat: int, viewer: Viewer) -> Text:
        """A value of a seat, unless it tells what the viewer may not know."""
        definition = self.rules.values.get(name)
        if definition is None:
            return Text("?")
        expr = ReadValue(name, (Constant(seat, Member("seat"), (0, 0)),), definition.type, (0, 0))
        c = self.engine.context(state, seat)
        row = self.views.row(None if viewer == "all" else viewer)
        if viewer != "all" and not self.looks.speaker.may_read(expr, c, row):
            return Text(self.words("hidden"))
        value = self.engine.evaluator.run(expr)(c)
        return self.looks.value(self.looks.notation.data(value, definition.type), definition.type)


def marked(thing: str, shown: Text, marks: Marks) -> Text:
    """A thing as it is shown, with its marks before it."""
    return Text.assemble(marks[thing], " ", shown) if thing in marks else shown


__all__ = ["Seats", "Viewer"]
