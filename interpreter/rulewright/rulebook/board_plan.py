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
from rulewright.model.glyphs import member_glyphs
from rulewright.model.rules import ZoneDef
from rulewright.rulebook.blocks import BoardPlan, PlanRow, PlanSlot
from rulewright.rulebook.cards import glyph_svg
from rulewright.wording.labels import Labels
from rulewright.wording.static_value import is_static

UNKNOWN_SLOTS: Final = 3  # drawn where it is not known how many there will be
SLOT_WIDTH, SLOT_HEIGHT, SLOT_GAP = 40, 54, 10  # of a thing in the drawing


def board_plan(t: Labels) -> BoardPlan | None:
    """The table of a game; None when nothing says how it is laid out."""
    board: Any = t.rules.display.get("board", ())
    lines = [line for line in board if line.get("zone") in t.rules.zones]
    beside = {line["beside"] for line in lines if line.get("beside") in t.rules.zones}
    found = tuple(_line(t, line) for line in lines if line["zone"] not in beside)
    return BoardPlan(found) if found else None


def _line(t: Labels, line: Mapping[str, Any]) -> PlanRow:
    zone = t.rules.zones[line["zone"]]
    titles = [t.label(f"zones.{name}") for name in (line.get("beside"), zone.name) if name in t.rules.zones]
    grid = _grid(t, zone)
    if grid is not None and line.get("show") in (None, "grid"):
        return PlanRow(" · ".join(map(_upper, titles)), _squares(grid))
    by = line.get("rows")
    if by not in zone.key_names:
        return PlanRow(" · ".join(map(_upper, titles)), (("", _spots(t, zone, line, zone.key_types)),))
    at = zone.key_names.index(by)
    type_, others = zone.key_types[at], (*zone.key_types[:at], *zone.key_types[at + 1 :])
    pile = (PlanSlot("pile"),) if line.get("beside") in t.rules.zones else ()
    rows = [(t.value_text(key, type_), (*pile, *_spots(t, zone, line, others))) for key in zone.key_values[at]]
    ordered = rows[::-1] if line.get("order") == "up" else rows
    return PlanRow(" · ".join(map(_upper, titles)), tuple(ordered))


def _grid(t: Labels, zone: ZoneDef) -> KindInfo | None:
    """The squares for each of which a zone has a place."""
    key = zone.key_types[0] if len(zone.key_types) == 1 else None
    info = t.rules.kinds[key.kind] if isinstance(key, Member) else None
    return info if info is not None and info.columns else None


def _squares(grid: KindInfo) -> tuple[tuple[str, tuple[PlanSlot, ...]], ...]:
    """A grid row by row, with the names of its columns above it."""
    head = ("", tuple(PlanSlot("name", one[:1]) for one in grid.members[: grid.columns]))
    rows = [grid.members[at : at + grid.columns] for at in range(0, len(grid.members), grid.columns)]
    return (head, *((row[0][1:], (PlanSlot("card"),) * grid.columns) for row in rows))


def _spots(t: Labels, zone: ZoneDef, line: Mapping[str, Any], keys: tuple[Type, ...]) -> tuple[PlanSlot, ...]:
    """What is drawn of a zone in one row."""
    if isinstance(zone.content_type, Member) and line.get("show") != "grid":
        looks = {address.partition(".")[2]: sign for address, sign in member_glyphs(t.rules.display).items()}
        members = t.rules.kinds[zone.content_type.kind].members if zone.content_type.kind != "seat" else ()
        return tuple(
            PlanSlot("sign", t.member_label(zone.content_type.kind, one), looks.get(one))
            for one in members[: limits.MAX_PLAN_SPOTS]
        )
    if zone.is_shuffled:
        return (PlanSlot("pile"),)
    places = prod(len(values) for values, key in zip(zone.key_values, zone.key_types, strict=True) if key in keys)
    room = zone.capacity
    each = t.evaluate(room, t.players) if room is not None and is_static(room) else None
    if each is None:
        return (*[PlanSlot("card")] * UNKNOWN_SLOTS, PlanSlot("more"))
    number = places * int(each)
    drawn = [PlanSlot("card")] * min(number, limits.MAX_PLAN_SPOTS)
    return (*drawn, PlanSlot("more")) if number > limits.MAX_PLAN_SPOTS else tuple(drawn)


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


# ---- in characters --------------------------------------------------------------------------------------------------


def plan_text(drawn: BoardPlan) -> Iterator[str]:
    """The table as lines of characters."""
    for at, line in enumerate(drawn.rows):
        if at:
            yield ""
        yield line.title
        for label, spots in line.rows:
            named = any(spot.kind == "name" for spot in spots)  # above a grid: as wide as what stands below
            head = [f"{label:>2}"] if label or named else []
            yield ("  " + " ".join([*head, *map(_sign, spots)])).rstrip()


def _sign(spot: PlanSlot) -> str:
    match spot.kind:
        case "pile":
            return "[▒]"
        case "card":
            return "[ ]"
        case "name":
            return f" {spot.text} "
        case "sign":
            return f"({spot.glyph.letter})" if spot.glyph is not None else f"({spot.text})"
        case _:
            return "…"


# ---- as a drawing ---------------------------------------------------------------------------------------------------


def plan_svg(drawn: BoardPlan, alt: str) -> str:
    """The table as SVG."""
    found: list[str] = []
    y = 8
    wide = 0
    for line in drawn.rows:
        found.append(_text(10, y + 14, line.title, 15, bold=True))
        y += 24
        squares = any(spot.kind == "name" for _, spots in line.rows for spot in spots)
        for label, spots in line.rows:
            x = 14
            kinds = {spot.kind for spot in spots}
            high = 18 if kinds == {"name"} else 40 if kinds == {"sign"} else SLOT_WIDTH if squares else SLOT_HEIGHT
            if kinds == {"name"}:
                x += 22
            if label:
                found.append(_text(x, y + high // 2 + 5, label, 15))
                x += 22
            for spot in spots:
                drawn_spot, width = _spot(spot, x, y, high)
                found.append(drawn_spot)
                x += width + SLOT_GAP
            wide = max(wide, x)
            y += high + SLOT_GAP
        y += 8
    whole = max(wide + 10, 320)
    head = (
        f'<svg class="plan" role="img" viewBox="0 0 {whole} {y}" width="{whole}" xmlns="http://www.w3.org/2000/svg">'
        f'<title>{escape(alt)}</title><rect width="{whole}" height="{y}" rx="10" fill="#eef3ec"/>'
    )
    return "".join([head, *found, "</svg>"])


def _spot(spot: PlanSlot, x: int, y: int, high: int) -> tuple[str, int]:
    edge = 'stroke="#555" stroke-width="1.2"'
    match spot.kind:
        case "card":
            return (
                f'<rect x="{x}" y="{y}" width="{SLOT_WIDTH}" height="{high}" rx="5" fill="#fdfcf9" {edge}/>',
                SLOT_WIDTH,
            )
        case "pile":
            backs = "".join(
                f'<rect x="{x + off}" y="{y - off + 4}" width="{SLOT_WIDTH}" height="{high - 4}" rx="5" {edge} '
                f'fill="#b9c2cc"/>'
                for off in (0, 2, 4)
            )
            return backs, SLOT_WIDTH + 14
        case "name":
            return _text(x + SLOT_WIDTH // 2 - 4, y + high // 2 + 5, spot.text, 14), SLOT_WIDTH
        case "sign" if spot.glyph is not None:
            return glyph_svg(spot.glyph, x + 16, y + high / 2, 15), 32
        case "sign":
            return _text(x, y + high // 2 + 5, spot.text, 14), 8 * len(spot.text)
        case _:
            return _text(x, y + high // 2 + 5, "…", 18), 16


def _text(x: int, y: int, text: str, size: int, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    said = escape(text)
    return f'<text x="{x}" y="{y}" font-size="{size}" font-family="sans-serif" fill="#1a1a1a"{weight}>{said}</text>'


__all__ = ["board_plan", "plan_svg", "plan_text"]
