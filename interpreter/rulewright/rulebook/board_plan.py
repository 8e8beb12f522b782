"""The table as it lies in the middle of the players: which places there are, side by side and one above the other.

In: the lines of a game's board. Out: a `Plan`, as characters and as a drawing. Where it hangs on the game how much lies
in a place, a few are drawn and dots behind them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from math import prod
from typing import Any, Final

from rulewright import limits
from rulewright.expr.types import KindInfo, Member, Type
from rulewright.model.glyphs import signs
from rulewright.model.rules import ZoneDef
from rulewright.rulebook.blocks import Plan, PlanLine, Spot
from rulewright.rulebook.cards import sign_svg
from rulewright.wording.labels import Telling
from rulewright.wording.static_value import settled

FEW: Final = 3  # drawn where it is not known how many there will be
WIDE, HIGH, GAP = 40, 54, 10  # of a thing in the drawing


def plan(t: Telling) -> Plan | None:
    """The table of a game; None when nothing says how it is laid out."""
    board: Any = t.rules.table.get("board", ())
    lines = [line for line in board if line.get("zone") in t.rules.zones]
    beside = {line["beside"] for line in lines if line.get("beside") in t.rules.zones}
    found = tuple(_line(t, line) for line in lines if line["zone"] not in beside)
    return Plan(found) if found else None


def _line(t: Telling, line: Mapping[str, Any]) -> PlanLine:
    zone = t.rules.zones[line["zone"]]
    titles = [t.called(f"zones.{name}") for name in (line.get("beside"), zone.name) if name in t.rules.zones]
    grid = _grid(t, zone)
    if grid is not None and line.get("show") in (None, "grid"):
        return PlanLine(" · ".join(map(_upper, titles)), _squares(grid))
    by = line.get("rows")
    if by not in zone.key_names:
        return PlanLine(" · ".join(map(_upper, titles)), (("", _spots(t, zone, line, zone.keys)),))
    at = zone.key_names.index(by)
    type_, others = zone.keys[at], (*zone.keys[:at], *zone.keys[at + 1 :])
    pile = (Spot("pile"),) if line.get("beside") in t.rules.zones else ()
    rows = [(t.value(key, type_), (*pile, *_spots(t, zone, line, others))) for key in zone.key_values[at]]
    ordered = rows[::-1] if line.get("order") == "up" else rows
    return PlanLine(" · ".join(map(_upper, titles)), tuple(ordered))


def _grid(t: Telling, zone: ZoneDef) -> KindInfo | None:
    """The squares for each of which a zone has a place."""
    key = zone.keys[0] if len(zone.keys) == 1 else None
    info = t.rules.kinds[key.kind] if isinstance(key, Member) else None
    return info if info is not None and info.across else None


def _squares(grid: KindInfo) -> tuple[tuple[str, tuple[Spot, ...]], ...]:
    """A grid row by row, with the names of its columns above it."""
    head = ("", tuple(Spot("name", one[:1]) for one in grid.members[: grid.across]))
    rows = [grid.members[at : at + grid.across] for at in range(0, len(grid.members), grid.across)]
    return (head, *((row[0][1:], (Spot("card"),) * grid.across) for row in rows))


def _spots(t: Telling, zone: ZoneDef, line: Mapping[str, Any], keys: tuple[Type, ...]) -> tuple[Spot, ...]:
    """What is drawn of a zone in one row."""
    if isinstance(zone.holds, Member) and line.get("show") != "grid":
        looks = {address.partition(".")[2]: sign for address, sign in signs(t.rules.table).items()}
        members = t.rules.kinds[zone.holds.kind].members if zone.holds.kind != "seat" else ()
        return tuple(
            Spot("sign", t.member(zone.holds.kind, one), looks.get(one)) for one in members[: limits.MAX_PLAN_SPOTS]
        )
    if zone.shuffled:
        return (Spot("pile"),)
    places = prod(len(values) for values, key in zip(zone.key_values, zone.keys, strict=True) if key in keys)
    room = zone.at_most
    each = t.number(room, t.players) if room is not None and settled(room) else None
    if each is None:
        return (*[Spot("card")] * FEW, Spot("more"))
    number = places * int(each)
    drawn = [Spot("card")] * min(number, limits.MAX_PLAN_SPOTS)
    return (*drawn, Spot("more")) if number > limits.MAX_PLAN_SPOTS else tuple(drawn)


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


# ---- in characters --------------------------------------------------------------------------------------------------


def plan_lines(drawn: Plan) -> Iterator[str]:
    """The table as lines of characters."""
    for at, line in enumerate(drawn.lines):
        if at:
            yield ""
        yield line.title
        for label, spots in line.rows:
            named = any(spot.kind == "name" for spot in spots)  # above a grid: as wide as what stands below
            head = [f"{label:>2}"] if label or named else []
            yield ("  " + " ".join([*head, *map(_sign, spots)])).rstrip()


def _sign(spot: Spot) -> str:
    match spot.kind:
        case "pile":
            return "[▒]"
        case "card":
            return "[ ]"
        case "name":
            return f" {spot.text} "
        case "sign":
            return f"({spot.sign.letter})" if spot.sign is not None else f"({spot.text})"
        case _:
            return "…"


# ---- as a drawing ---------------------------------------------------------------------------------------------------


def plan_svg(drawn: Plan, alt: str) -> str:
    """The table as SVG."""
    found: list[str] = []
    y = 8
    wide = 0
    for line in drawn.lines:
        found.append(_text(10, y + 14, line.title, 15, bold=True))
        y += 24
        squares = any(spot.kind == "name" for _, spots in line.rows for spot in spots)
        for label, spots in line.rows:
            x = 14
            kinds = {spot.kind for spot in spots}
            high = 18 if kinds == {"name"} else 40 if kinds == {"sign"} else WIDE if squares else HIGH
            if kinds == {"name"}:
                x += 22
            if label:
                found.append(_text(x, y + high // 2 + 5, label, 15))
                x += 22
            for spot in spots:
                drawn_spot, width = _spot(spot, x, y, high)
                found.append(drawn_spot)
                x += width + GAP
            wide = max(wide, x)
            y += high + GAP
        y += 8
    whole = max(wide + 10, 320)
    head = (
        f'<svg class="plan" role="img" viewBox="0 0 {whole} {y}" width="{whole}" xmlns="http://www.w3.org/2000/svg">'
        f'<title>{escape(alt)}</title><rect width="{whole}" height="{y}" rx="10" fill="#eef3ec"/>'
    )
    return "".join([head, *found, "</svg>"])


def _spot(spot: Spot, x: int, y: int, high: int) -> tuple[str, int]:
    edge = 'stroke="#555" stroke-width="1.2"'
    match spot.kind:
        case "card":
            return f'<rect x="{x}" y="{y}" width="{WIDE}" height="{high}" rx="5" fill="#fdfcf9" {edge}/>', WIDE
        case "pile":
            backs = "".join(
                f'<rect x="{x + off}" y="{y - off + 4}" width="{WIDE}" height="{high - 4}" rx="5" {edge} '
                f'fill="#b9c2cc"/>'
                for off in (0, 2, 4)
            )
            return backs, WIDE + 14
        case "name":
            return _text(x + WIDE // 2 - 4, y + high // 2 + 5, spot.text, 14), WIDE
        case "sign" if spot.sign is not None:
            return sign_svg(spot.sign, x + 16, y + high / 2, 15), 32
        case "sign":
            return _text(x, y + high // 2 + 5, spot.text, 14), 8 * len(spot.text)
        case _:
            return _text(x, y + high // 2 + 5, "…", 18), 16


def _text(x: int, y: int, text: str, size: int, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    said = escape(text)
    return f'<text x="{x}" y="{y}" font-size="{size}" font-family="sans-serif" fill="#1a1a1a"{weight}>{said}</text>'


__all__ = ["plan", "plan_lines", "plan_svg"]
