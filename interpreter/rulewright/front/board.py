"""The board on a terminal, as wide as that is: what a viewer sees, laid out as the game's table says.

In: a position and a viewer (a seat, a spectator, or everything). Out: lines. Games without a table are drawn too: zones
of all in the order of the rules, then what belongs to each seat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Any, Final, Literal

from rulewright.engine.reference import Engine
from rulewright.engine.saved import to_data
from rulewright.engine.state import Decision, State
from rulewright.engine.views import Views
from rulewright.expr.tree import Constant, ReadValue
from rulewright.expr.types import Member, Number, Thing
from rulewright.front.columns import columns as terminal
from rulewright.front.looks import Looks
from rulewright.front.told import side_by_side, wrapped
from rulewright.model.rules import ZoneDef

Viewer = int | None | Literal["all"]  # a seat, a spectator, or one who sees everything
FULL_LINES: Final = 4  # so many things of a seat are drawn with all they show, more only with their headings
CELL: Final = 18


class Board:
    """Draws the positions of one game in one language."""

    def __init__(self, engine: Engine, code: str = "en") -> None:
        self.engine = engine
        self.rules = engine.rules
        self.views = Views(engine)
        self.looks = Looks(engine, code)
        table = engine.rules.table
        self._middle: list[dict[str, Any]] = _items(table.get("board")) or [
            {"zone": name} for name, zone in self.rules.zones.items() if self._seat_key(zone) is None
        ]
        self._seats: list[dict[str, Any]] = _items(table.get("seats")) or [
            *[{"value": name} for name, one in self.rules.values.items() if one.keys == (Member("seat"),)],
            *[{"zone": name} for name, zone in self.rules.zones.items() if self._seat_key(zone) is not None],
        ]

    def _seat_key(self, zone: ZoneDef) -> int | None:
        return next((at for at, key in enumerate(zone.keys) if key == Member("seat")), None)

    def lines(self, state: State, viewer: Viewer) -> list[str]:
        """The whole board."""
        seat = None if viewer == "all" else viewer
        view = self.views.view(state, seat)
        zones = to_data(self.engine, state)["zones"] if viewer == "all" else view["zones"]
        lines = [self._head(state, view)]
        for item in self._middle:
            lines += self._zone(item, zones)
        lines += self._variables(state, view["state"])
        for number in range(self.rules.players):
            lines += self._seat(state, number, viewer, zones, view)
        return lines

    def _head(self, state: State, view: dict[str, Any]) -> str:
        parts = [f"{self.rules.game}  round {state.round}"]
        if state.turns:
            parts.append(f"turn {state.turns}")
        if state.ending and not state.over:
            parts.append("the last round")
        if state.over:
            parts.append("the game is over")
        elif view["in_turn"] is not None:
            parts.append(f"seat {view['in_turn']} is in turn")
        return "  ".join(parts)

    def _variables(self, state: State, variables: dict[str, Any]) -> list[str]:
        """The state variables that are no longer what they were at the start."""
        shown = []
        for name, value in variables.items():
            its = slice(self.rules.states[name].first, self.rules.states[name].first + self.rules.states[name].size)
            if state.variables[its] != self.engine.layout.variables[its]:
                shown.append(f"{name} {_short(value)}")
        return side_by_side(shown, "State  ") if shown else []

    # ---- zones of the middle ------------------------------------------------------------------------------

    def _zone(self, item: dict[str, Any], zones: dict[str, Any]) -> list[str]:
        zone = self.rules.zones.get(item.get("zone", ""))
        if zone is None:
            return []
        content, title = zones[zone.name], self.looks.said(item.get("title"), zone.name.replace("_", " "))
        if not zone.keys:
            return self._place(zone, content, title, item.get("show"))
        grid = self._grid(zone) if item.get("show") in (None, "grid") else None
        if grid is not None:
            return self._drawn_grid(zone, content, title, grid)
        if item.get("show") == "counts" or zone.pooled:
            short = [f"{'.'.join(keys)}: {self._short(zone, inner)}" for keys, inner in _flat(content, len(zone.keys))]
            return side_by_side(short, f"{title}  ")
        return self._rows(zone, content, title, item)

    def _rows(self, zone: ZoneDef, content: Any, title: str, item: dict[str, Any]) -> list[str]:
        at = zone.key_names.index(item["rows"]) if item.get("rows") in zone.key_names else 0
        rows: dict[str, list[Any]] = {}
        for keys, inner in _flat(content, len(zone.keys)):
            rows.setdefault(keys[at], []).extend(_things(inner) if len(zone.keys) == 1 else [inner])
        names = list(reversed(rows)) if item.get("order") == "up" else list(rows)
        width = max(map(len, names))
        lines = [title]
        for name in names:
            lines += self._cells(zone, rows[name], f" {name:>{width}}  ")
        return lines

    def _place(self, zone: ZoneDef, content: Any, title: str, show: str | None) -> list[str]:
        if isinstance(zone.holds, Member) and not _hidden(content):
            return side_by_side(self.looks.pool(content, zone.holds.kind), f"{title}  ")
        if show == "counts" or _hidden(content):
            return wrapped(self._short(zone, content), f"{title}  ")
        return [title, *self._cells(zone, _things(content), "    ")]

    def _cells(self, zone: ZoneDef, things: Sequence[Any], label: str) -> list[str]:
        """Things side by side: id, heading and lines of each."""
        columns = max(1, (terminal() - len(label)) // CELL)
        lines: list[str] = []
        for at in range(0, len(things), columns):
            cells = [self._cell(zone, thing) for thing in things[at : at + columns]]
            for row in range(max(map(len, cells))):
                text = "".join((cell[row] if row < len(cell) else "").ljust(CELL) for cell in cells)
                lines.append(((label if at == row == 0 else " " * len(label)) + text).rstrip())
        return lines or [f"{label}-"]

    def _cell(self, zone: ZoneDef, thing: Any) -> list[str]:
        if isinstance(thing, list):
            thing = thing[0] if thing else None
        if thing is None or not isinstance(zone.holds, Thing):
            return ["-"]
        if isinstance(thing, dict):
            return [self._short(zone, thing)]
        title, lines = self.looks.thing(zone.holds.component, thing)
        return [part for line in (thing, title, *lines) if line for part in wrap(line, CELL - 1)]

    def _short(self, zone: ZoneDef, content: Any) -> str:
        """A place in a few characters."""
        if content is None:
            return "-"
        if isinstance(zone.holds, Member):
            return str(content["count"]) if _hidden(content) else self.looks.bag(content, zone.holds.kind)
        if _pile(content):
            return str(sum(len(content[part]) for part in ("top", "loose", "bottom")))
        if not isinstance(content, dict):
            return str(len(_things(content)))
        known = list(content.get("known", ()))
        more = f" ({', '.join(known[:FULL_LINES])}{', …' if len(known) > FULL_LINES else ''})" if known else ""
        return f"{content['count']}{more}"

    # ---- grids --------------------------------------------------------------------------------------------

    def _grid(self, zone: ZoneDef) -> int | None:
        """How many columns the zone's only key has when it is a grid: its members are a1, b1, … row by row."""
        if len(zone.keys) != 1 or not isinstance(zone.keys[0], Member):
            return None
        members = self.rules.kinds[zone.keys[0].kind].members
        columns = sum(name[1:] == "1" for name in members)
        if columns == 0 or len(members) % columns:
            return None
        wanted = [f"{chr(ord('a') + at % columns)}{at // columns + 1}" for at in range(len(members))]
        return columns if list(members) == wanted else None

    def _drawn_grid(self, zone: ZoneDef, content: dict[str, Any], title: str, columns: int) -> list[str]:
        cells = [self._mark(zone, inner) for inner in content.values()]
        width = max(3, *(len(cell) + 1 for cell in cells))
        rows = [cells[at : at + columns] for at in range(0, len(cells), columns)]
        head = "     " + "".join(chr(ord("a") + at).ljust(width) for at in range(columns))
        return [
            title,
            head.rstrip(),
            *[f"{row + 1:>4} {''.join(cell.ljust(width) for cell in one)}".rstrip() for row, one in enumerate(rows)],
        ]

    def _mark(self, zone: ZoneDef, content: Any) -> str:
        if not content:
            return "."
        if isinstance(zone.holds, Member):
            lone = not _hidden(content) and sum(content.values()) == 1
            name = next(iter(content))
            return self.looks.letters.get(name, name) if lone else self._short(zone, content)
        return ",".join(map(str, _things(content)))

    # ---- seats --------------------------------------------------------------------------------------------

    def _seat(
        self, state: State, number: int, viewer: Viewer, zones: dict[str, Any], view: dict[str, Any]
    ) -> Iterator[str]:
        decides = isinstance(state.waiting, Decision) and state.waiting.seat == number
        yield f"{'>' if decides else ' '} Seat {number}{' (you)' if viewer == number else ''}"
        values: list[str] = []
        below: list[str] = []
        for item in self._seats:
            if "value" in item:
                title = self.looks.said(item.get("title"), str(item["value"]).replace("_", " "))
                values.append(f"{title} {self._value(state, str(item['value']), number, viewer)}")
                continue
            zone = self.rules.zones.get(item.get("zone", ""))
            at = self._seat_key(zone) if zone is not None else None
            if zone is None or at is None:
                continue
            title = self.looks.said(item.get("title"), zone.name.replace("_", " "))
            for keys, content in _flat(zones[zone.name], len(zone.keys)):
                if keys[at] != str(number):
                    continue
                name = " ".join((title, *(key for index, key in enumerate(keys) if index != at)))
                if zone.pooled:
                    total = f" ({sum(content.values())})" if not _hidden(content) and len(content) > 1 else ""
                    values.append(f"{name} {self._short(zone, content)}{total}")
                else:
                    below += self._held(zone, content, name)
        yield from side_by_side(values, "    ") if values else []
        yield from below

    def _held(self, zone: ZoneDef, content: Any, title: str) -> list[str]:
        assert isinstance(zone.holds, Thing)
        if isinstance(content, dict) and not _pile(content):
            return wrapped(f"{title}: {content['count']}" + self._known(zone, content), "    ")
        things = _things(content)
        if not things:
            return []
        shown = [self.inline(zone.holds.component, thing, len(things) <= FULL_LINES) for thing in things]
        return side_by_side(shown, f"    {title}: ", ", ")

    def _known(self, zone: ZoneDef, content: dict[str, Any]) -> str:
        assert isinstance(zone.holds, Thing)
        known = [self.inline(zone.holds.component, thing, True) for thing in content.get("known", ())]
        return f", known: {', '.join(known)}" if known else ""

    def inline(self, component: str, thing: str, full: bool) -> str:
        """A thing by its id and, if wanted, with what it shows."""
        title, lines = self.looks.thing(component, thing)
        inside = "; ".join(part for part in (title, *lines) if part) if full else ""
        return f"{thing} ({inside})" if inside else thing

    def _value(self, state: State, name: str, seat: int, viewer: Viewer) -> str:
        """A value of a seat, unless it tells what the viewer may not know."""
        definition = self.rules.values.get(name)
        if definition is None:
            return "?"
        expr = ReadValue(name, (Constant(seat, Member("seat"), (0, 0)),), definition.type, (0, 0))
        c = self.engine.context(state, seat)
        row = self.views.row(None if viewer == "all" else viewer)
        if viewer != "all" and not self.looks.speaker.may_read(expr, c, row):
            return "hidden"
        value = self.engine.evaluator.run(expr)(c)
        if isinstance(definition.type, Number):
            return str(value)
        return self.looks.value(self.looks.notation.data(value, definition.type), definition.type)


def _items(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _hidden(content: Any) -> bool:
    return isinstance(content, dict) and "count" in content


def _pile(content: Any) -> bool:
    return isinstance(content, dict) and {"top", "loose", "bottom"} <= set(content)


def _things(content: Any) -> list[Any]:
    if _pile(content):
        return [*content["top"], *content["loose"], *content["bottom"]]
    if content is None or isinstance(content, dict):
        return [] if content is None else [content]
    return content if isinstance(content, list) else [content]


def _flat(content: Any, depth: int, keys: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The places of a zone with their keys."""
    if depth == 0:
        yield keys, content
        return
    for key, inner in content.items():
        yield from _flat(inner, depth - 1, (*keys, key))


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"{key}: {_short(inner)}" for key, inner in value.items())
    return str(value).lower() if isinstance(value, bool) else str(value)


__all__ = ["Board", "Viewer"]
