"""The board as it lies in the middle of the players: which places there are, side by side and one above the other.

In: the lines of a game's board in its display. Out: a `BoardPlan`, as characters and as a drawing. Where the
position decides how much lies in a place, a few slots are drawn and dots behind them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from math import ceil, prod
from typing import Final

from rulewright import limits
from rulewright.diagram.text_metrics import text_width
from rulewright.engine.values import as_int
from rulewright.expr.types import SEAT, KindInfo, Member, Type
from rulewright.model.rules import ZoneDef
from rulewright.rulebook.blocks import BoardPlan, PlanRow, PlanSlot
from rulewright.rulebook.cards import CARD_FILL, glyph_svg
from rulewright.rulebook.component_values import glyphs_by_member, starting_bags
from rulewright.wording.labels import Labels, display_lines
from rulewright.wording.static_value import is_static
from rulewright.wording.text_case import upper_first

UNKNOWN_SLOTS: Final = 3  # drawn where it is not known how many there will be
SLOT_WIDTH, SLOT_HEIGHT, SLOT_GAP = 40, 54, 10  # of a thing in the drawing
PLAN_FILL: Final = "#eef3ec"
LABEL_SIZE: Final = 15  # of the letters before a line
LABEL_GAP: Final = 12  # between these and the line


def board_plan(labels: Labels) -> BoardPlan | None:
    """The board of a game; None when the game does not say how it is arranged."""
    zones = labels.rules.zones
    lines = [line for line in display_lines(labels.rules.display, "board") if line.get("zone") in zones]
    beside = {line["beside"] for line in lines if line.get("beside") in zones}
    rows = tuple(_plan_row(labels, zones[str(line["zone"])], line) for line in lines if line["zone"] not in beside)
    return BoardPlan(rows) if rows else None


def _plan_row(labels: Labels, zone: ZoneDef, line: Mapping[str, object]) -> PlanRow:
    """A line of the board: a grid of squares, a line of slots for each value of the key `rows`, or just one."""
    beside = [name for name in labels.rules.zones if name == line.get("beside")]
    title = " · ".join(upper_first(labels.label(f"zones.{name}")) for name in (*beside, zone.name))
    grid = _grid(labels, zone)
    if grid is not None and line.get("show") in (None, "grid"):
        return PlanRow(title, _squares(labels, zone, grid, from_bottom=line.get("order") == "up"))
    key_name = line.get("rows")
    if key_name not in zone.key_names:
        return PlanRow(title, (("", _slots(labels, zone, line, zone.key_types)),))
    index = zone.key_names.index(key_name)
    type_, others = zone.key_types[index], (*zone.key_types[:index], *zone.key_types[index + 1 :])
    pile = (PlanSlot("pile"),) if beside else ()
    slots = _slots(labels, zone, line, others)
    lines = [(labels.value_text(key, type_), (*pile, *slots)) for key in zone.key_values[index]]
    return PlanRow(title, tuple(lines[::-1] if line.get("order") == "up" else lines))


def _grid(labels: Labels, zone: ZoneDef) -> KindInfo | None:
    """The kind of squares of which each has a place in the zone; None when the zone is not a grid."""
    key = zone.key_types[0] if len(zone.key_types) == 1 else None
    info = labels.rules.kinds[key.kind] if isinstance(key, Member) else None
    return info if info is not None and info.columns else None


def _squares(
    labels: Labels, zone: ZoneDef, grid: KindInfo, *, from_bottom: bool
) -> tuple[tuple[str, tuple[PlanSlot, ...]], ...]:
    """A grid row by row, with the names of its columns above it, and in it the pieces that are there before play.

    `from_bottom`: the first row is the lowest.
    """
    columns = grid.columns
    header = ("", tuple(PlanSlot("name", square[:1]) for square in grid.members[:columns]))
    slots = dict.fromkeys(grid.member_values, PlanSlot("card"))
    if isinstance(zone.content_type, Member):
        kind, glyphs = zone.content_type.kind, glyphs_by_member(labels.rules)
        names = labels.rules.family_members[labels.rules.kinds[kind].family]
        for (square,), bag in starting_bags(labels, labels.players, zone).items():
            held = [name for name, number in zip(names, bag, strict=True) if number]
            if len(held) == 1:
                slots[square] = PlanSlot("held", labels.family_member_label(held[0], 1), glyphs.get(held[0]))
    drawn = tuple(slots.values())
    rows = range(0, len(drawn), columns)[:: -1 if from_bottom else 1]
    return (header, *((grid.members[first][1:], drawn[first : first + columns]) for first in rows))


def _slots(labels: Labels, zone: ZoneDef, line: Mapping[str, object], keys: tuple[Type, ...]) -> tuple[PlanSlot, ...]:
    """What is drawn of a zone in one line: its members, a pile, or a slot for each thing in places with these keys."""
    if zone.seen_by == "nobody" and zone.capacity is None:
        return (PlanSlot("pile"),)
    if isinstance(zone.content_type, Member) and line.get("show") != "grid":
        kind = zone.content_type.kind
        glyphs = glyphs_by_member(labels.rules)
        members = labels.rules.kinds[kind].members if kind != SEAT.kind else ()
        return tuple(
            PlanSlot("glyph", labels.member_label(kind, member), glyphs.get(member))
            for member in members[: limits.MAX_PLAN_SLOTS]
        )
    if zone.is_shuffled:
        return (PlanSlot("pile"),)
    if zone.capacity is None or not is_static(zone.capacity):
        return (*[PlanSlot("card")] * UNKNOWN_SLOTS, PlanSlot("more"))
    places = prod(len(values) for values, key in zip(zone.key_values, zone.key_types, strict=True) if key in keys)
    count = places * as_int(labels.evaluate(zone.capacity, labels.players))
    slots = [PlanSlot("card")] * min(count, limits.MAX_PLAN_SLOTS)
    return (*slots, PlanSlot("more")) if count > limits.MAX_PLAN_SLOTS else tuple(slots)


# ---- in characters --------------------------------------------------------------------------------------------------


def plan_text(plan: BoardPlan) -> Iterator[str]:
    """The board as lines of characters."""
    for index, row in enumerate(plan.rows):
        if index:
            yield ""
        yield row.title
        for label, slots in row.lines:
            is_header = any(slot.kind == "name" for slot in slots)  # of a grid: as wide as the labels below it
            labels = [f"{label:>2}"] if label or is_header else []
            yield ("  " + " ".join([*labels, *map(_slot_text, slots)])).rstrip()


def _slot_text(slot: PlanSlot) -> str:
    match slot.kind:
        case "pile":
            return "[▒]"
        case "card":
            return "[ ]"
        case "held":
            return f"[{slot.glyph.letter if slot.glyph is not None else slot.text[:1]}]"
        case "name":
            return f" {slot.text} "
        case "glyph":
            return f"({slot.glyph.letter})" if slot.glyph is not None else f"({slot.text})"
        case _:
            return "…"


# ---- as a drawing ---------------------------------------------------------------------------------------------------


def plan_svg(plan: BoardPlan, alt: str) -> str:
    """The board as SVG."""
    elements: list[str] = []
    y = 8
    right = 0
    for row in plan.rows:
        elements.append(_text(10, y + 14, row.title, 15, bold=True))
        y += 24
        is_grid = any(slot.kind == "name" for _, slots in row.lines for slot in slots)
        label_width = max(ceil(text_width(label, size=LABEL_SIZE)) for label, _ in row.lines)
        first_x = 14 + (label_width + LABEL_GAP if label_width else 0)
        for label, slots in row.lines:
            kinds = {slot.kind for slot in slots}
            if kinds == {"name"}:
                height = 18
            elif kinds == {"glyph"}:
                height = 40
            else:
                height = SLOT_WIDTH if is_grid else SLOT_HEIGHT
            if label:
                elements.append(_text(14, y + height // 2 + 5, label, LABEL_SIZE))
            x = first_x
            for slot in slots:
                element, width = _slot_svg(slot, x, y, height)
                elements.append(element)
                x += width + SLOT_GAP
            right = max(right, x)
            y += height + SLOT_GAP
        y += 8
    width = max(right + 10, 320)
    head = (
        f'<svg class="plan" role="img" viewBox="0 0 {width} {y}" width="{width}" xmlns="http://www.w3.org/2000/svg">'
        f'<title>{escape(alt)}</title><rect width="{width}" height="{y}" rx="10" fill="{PLAN_FILL}"/>'
    )
    return "".join([head, *elements, "</svg>"])


def _slot_svg(slot: PlanSlot, x: int, y: int, height: int) -> tuple[str, int]:
    """A slot with its upper left corner there, and its width."""
    edge = 'stroke="#555" stroke-width="1.2"'
    match slot.kind:
        case "card":
            return (
                f'<rect x="{x}" y="{y}" width="{SLOT_WIDTH}" height="{height}" rx="5" fill="{CARD_FILL}" {edge}/>',
                SLOT_WIDTH,
            )
        case "held":
            square, width = _slot_svg(PlanSlot("card"), x, y, height)
            piece = PlanSlot("glyph", slot.text[:1] if slot.glyph is None else slot.text, slot.glyph)
            return square + _slot_svg(piece, x + 4, y, height)[0], width
        case "pile":
            backs = "".join(
                f'<rect x="{x + shift}" y="{y - shift + 4}" width="{SLOT_WIDTH}" height="{height - 4}" rx="5" {edge} '
                f'fill="#b9c2cc"/>'
                for shift in (0, 2, 4)
            )
            return backs, SLOT_WIDTH + 14
        case "name":
            return _text(x + SLOT_WIDTH // 2 - 4, y + height // 2 + 5, slot.text, 14), SLOT_WIDTH
        case "glyph" if slot.glyph is not None:
            return glyph_svg(slot.glyph, x + 16, y + height / 2, 15), 32
        case "glyph":
            return _text(x, y + height // 2 + 5, slot.text, 14), 8 * len(slot.text)
        case _:
            return _text(x, y + height // 2 + 5, "…", 18), 16


def _text(x: int, y: int, text: str, size: int, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    style = f'font-size="{size}" font-family="sans-serif" fill="#1a1a1a"{weight}'
    return f'<text x="{x}" y="{y}" {style}>{escape(text)}</text>'


__all__ = ["board_plan", "plan_svg", "plan_text"]
