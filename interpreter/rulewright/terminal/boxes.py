"""Cards in frames side by side, and lines filled from left to right.

In: texts and a width. Out: lines of text that are no wider.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from rich.text import Text

from rulewright.terminal.theme import ReaderContext

LINE_STYLE: Final = "dim"  # the style of what only divides
MARK_STYLE: Final = "bold reverse"
FAINT_STYLE: Final = "dim"
DEFAULT_PANEL_WIDTH: Final = 20  # characters in a frame of a grid, if there is room
MAX_PANEL_WIDTH: Final = 26  # characters in a frame; what has more is broken
HEADING_STYLE: Final = "bold"
ROOMY, PLAIN, TIGHT, SCANT = 3, 2, 1, 0  # how much room a drawing takes
Marks = Mapping[str, Text]  # what is written at things, by their ids
NO_MARKS: Final[Marks] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class RenderContext:
    """How large a drawing may be, and who reads what in it. `marks`: what is written at things that can be chosen, by
    their ids.
    """

    width: int
    reader: ReaderContext
    density: int = PLAIN
    marks: Marks = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Panel:
    """What is in a frame: a name and marks on its upper edge, lines below."""

    name: str = ""
    marks: Text = field(default_factory=Text)
    lines: tuple[Text, ...] = ()

    @property
    def min_width(self) -> int:
        """How wide the upper edge is at least."""
        return len(self.name) + 2 + len(self.marks)


@dataclass(frozen=True, slots=True)
class PanelRow:
    """Cards that lie side by side; what is said to the left of them stands in one line or two."""

    cards: tuple[Panel, ...]
    label: str = ""
    side_note: str = ""


def wrap_line(text: Text, width: int) -> list[Text]:
    """A text in lines that are no wider, broken at blanks, and inside of a word only if it is longer than a line."""
    plain, lines, at = text.plain, [], 0
    while len(plain) - at > width:
        blank = plain.rfind(" ", at + 1, at + width + 1)
        end = blank if blank > at else at + width
        lines.append(text[at:end])
        at = end + (blank > at)
    return [*lines, text[at:]]


def pad(text: Text, width: int) -> Text:
    """A text with blanks behind it."""
    return text + Text(" " * (width - len(text))) if len(text) < width else text


def wrap_parts(parts: Sequence[Text], width: int, first: Text | None = None, between: str = "  ") -> list[Text]:
    """Parts one after another, the first line behind `first`, broken between parts where that is possible."""
    first = first or Text()
    blank = Text(" " * len(first))
    lines, line, empty = list[Text](), first, True
    for part in parts:
        if not empty and len(line) + len(between) + len(part) > width:
            lines.append(Text.assemble(line, between.rstrip()))
            line, empty = blank, True
        if empty and len(line) + len(part) > width:
            room = max(8, width - len(line) - 2)
            head, *rest = wrap_line(part, room)
            lines.append(line + head)
            lines += [Text.assemble(blank, "  ", more) for more in rest[:-1]]
            line = Text.assemble(blank, "  ", rest[-1]) if rest else lines.pop()
        else:
            line = line + part if empty else Text.assemble(line, between, part)
        empty = False
    return [*lines, line]


def draw_panels(
    rows: Sequence[PanelRow], width: int, caption: str = "", side_caption: str = "", *, is_compact: bool = False
) -> list[Text]:
    """Rows of frames that share their edges. `joined`: the lines of a card in one line, where there is room.

    `caption`: what stands on the lowest edge; `beside`: what stands left of it.
    """
    left = max(
        [
            len(side_caption),
            *(len(f"{row.label}  {row.side_note}") if row.side_note else len(row.label) for row in rows),
        ]
    )
    left = min(left, width // 3)
    most = max((len(row.cards) for row in rows), default=0) or 1
    cards = [card for row in rows for card in row.cards]
    wanted = max([8, *(max(card.min_width, *_widths(card, is_compact)) for card in cards)])
    least = max([8, *(card.min_width for card in cards)])
    room = width - left - 2
    columns = max(1, min(most, room // (least + 1)))
    # a grid that has several columns keeps its width from turn to turn, whatever lies in it
    if most > 1:
        grown = max(wanted, MAX_PANEL_WIDTH if is_compact else DEFAULT_PANEL_WIDTH) if len(rows) > 1 else wanted
        wanted = min(grown, MAX_PANEL_WIDTH)
    inner = max(6, min(wanted, room // columns - 1))
    drawn = _Grid(left, inner, columns, is_compact)
    for row in _broken(rows, columns):
        drawn.add(row)
    return drawn.closed(caption, side_caption)


def _widths(card: Panel, joined: bool) -> list[int]:
    widths = [len(line) + 2 for line in card.lines]
    return [sum(widths)] if joined and widths else widths or [0]


def _broken(rows: Sequence[PanelRow], columns: int) -> list[PanelRow]:
    """Rows that have too many cards for a line, in several."""
    found = []
    for row in rows:
        for at in range(0, len(row.cards) or 1, columns):
            cards = row.cards[at : at + columns]
            found.append(PanelRow(cards, "" if at else row.label, "" if at else row.side_note))
    return found


class _Grid:
    """A grid of frames as it grows from top to bottom."""

    def __init__(self, left: int, inner: int, columns: int, joined: bool) -> None:
        self.left, self.inner, self.columns, self.joined = left, inner, columns, joined
        self.lines: list[Text] = []
        self._above = 0  # frames in the row above

    def add(self, row: PanelRow) -> None:
        here = len(row.cards)
        label = row.label
        if row.side_note:
            label = f"{row.label:<{max(len(row.label) + 1, self.left - len(row.side_note))}}{row.side_note}"
        if len(label) > self.left:
            label = f"{label[: max(0, self.left - 1)]}…"
        if here or self._above:  # between two empty rows there is no edge
            self.lines.append(self._edge(row.cards, here))
        contents = [self._content(card) for card in row.cards]
        for at in range(max([1, *map(len, contents)])):
            line = Text(f"{label if at == 0 else '':<{self.left}} ")
            for content in contents:
                inside = content[at] if at < len(content) else Text()
                line = Text.assemble(line, ("│", LINE_STYLE), " ", pad(inside, self.inner - 1))
            self.lines.append(Text.assemble(line, ("│", LINE_STYLE)) if here else line)
        self._above = here

    def _content(self, card: Panel) -> list[Text]:
        lines = [line for line in card.lines if line]
        for between in ("  ", " ") if self.joined and lines else ():
            line = Text(between).join(lines)
            if len(line) < self.inner:
                return [line]
        return [part for line in lines for part in wrap_line(line, self.inner - 1)]

    def _edge(self, cards: Sequence[Panel], here: int) -> Text:
        line = Text(" " * (self.left + 1))
        for at in range(max(here, self._above)):
            line.append(self._joint(at, here), LINE_STYLE)
            card = cards[at] if at < here else Panel()
            name = card.name[: self.inner - 2]
            rest = max(0, self.inner - (len(name) + 2 if name else 0) - len(card.marks))
            after = min(rest, 1) if card.marks else 0
            line.append(f" {name} " if name else "")
            line.append("─" * (rest - after), LINE_STYLE)
            line.append_text(card.marks)
            line.append("─" * after, LINE_STYLE)
        line.append(self._joint(max(here, self._above), here), LINE_STYLE)
        return line

    def _joint(self, at: int, here: int) -> str:
        """Where edges meet: which of the four ways there is one."""
        last = max(here, self._above)
        up, down = at <= self._above and self._above > 0, at <= here and here > 0
        left, right = at > 0, at < last
        return {
            (True, True, True, True): "┼", (True, True, False, True): "├", (True, True, True, False): "┤",
            (True, False, True, True): "┴", (False, True, True, True): "┬", (True, False, False, True): "╰",
            (True, False, True, False): "╯", (False, True, False, True): "╭", (False, True, True, False): "╮",
        }.get((up, down, left, right), "─")  # fmt: skip

    def closed(self, caption: str, beside: str) -> list[Text]:
        """The lines of the whole grid, with its lowest edge."""
        edge = self._edge((), 0)
        if caption and not self._above:
            edge = Text.assemble(" " * (self.left + 1), (caption, HEADING_STYLE))
        elif caption:
            title = f" {caption} "[: max(0, len(edge) - self.left - 5)]
            at = self.left + 3
            edge = Text.assemble(edge[:at], (title, HEADING_STYLE), edge[at + len(title) :])
        if beside:
            edge = Text.assemble((beside[: self.left].ljust(self.left), HEADING_STYLE), edge[self.left :])
        return [*self.lines, edge]


def render_columns(rows: Sequence[Sequence[Text]], heads: Sequence[str], width: int) -> list[Text] | None:
    """A table with its headings, columns as wide as they must be; none when it is wider than there is room."""
    widths = [max(len(heads[at]), *(len(row[at]) for row in rows)) for at in range(len(heads))]
    between = next((gap for gap in ("  ", " ") if sum(widths) + len(gap) * (len(widths) - 1) <= width), None)
    if between is None:
        return None
    head = Text(between.join(one.ljust(width) for one, width in zip(heads, widths, strict=True)).rstrip(), LINE_STYLE)
    lines = []
    for row in rows:
        line = Text(between).join([pad(cell, width) for cell, width in zip(row, widths, strict=True)])
        line.rstrip()
        lines.append(line)
    return [head, *lines]


__all__ = [
    "FAINT_STYLE",
    "HEADING_STYLE",
    "MARK_STYLE",
    "NO_MARKS",
    "PLAIN",
    "ROOMY",
    "SCANT",
    "TIGHT",
    "Marks",
    "Panel",
    "PanelRow",
    "RenderContext",
    "draw_panels",
    "pad",
    "render_columns",
    "wrap_line",
    "wrap_parts",
]  # fmt: skip
