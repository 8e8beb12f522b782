"""Panels side by side, columns, and lines filled from left to right.

In: texts and a width. Out: lines of text that are no wider.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from rich.text import Text

from rulewright.frozen import field, frozen
from rulewright.terminal.theme import ReaderContext

LINE_STYLE: Final = "dim"  # of what only separates
MARK_STYLE: Final = "bold reverse"
FAINT_STYLE: Final = "dim"
MIN_PANEL_WIDTH: Final = 8  # characters inside of a panel, if they fit
DEFAULT_PANEL_WIDTH: Final = 20  # of several rows of panels, if they fit
MAX_PANEL_WIDTH: Final = 26  # longer lines are wrapped
HEADING_STYLE: Final = "bold"
ROOMY, PLAIN, TIGHT, SCANT = 3, 2, 1, 0  # densities of a drawing, from the largest to the smallest
Marks = Mapping[str, Text]  # what is written at things, by their ids
NO_MARKS: Final[Marks] = MappingProxyType({})


@frozen
class RenderContext:
    """How wide and how dense a drawing is, and who reads it. `marks`: what is written at things that can be chosen."""

    width: int
    reader: ReaderContext
    density: int = PLAIN
    marks: Marks = field(default_factory=dict)


@frozen
class Panel:
    """A frame with a name and marks on its upper edge, and lines below."""

    name: str = ""
    marks: Text = field(default_factory=Text)
    lines: tuple[Text, ...] = ()

    @property
    def min_width(self) -> int:
        """The least width of the upper edge."""
        return len(self.name) + 2 + len(self.marks)


@frozen
class PanelRow:
    """Panels side by side, with a label and a note to the left of them."""

    panels: tuple[Panel, ...]
    label: str = ""
    side_note: str = ""


def wrap_line(text: Text, width: int) -> list[Text]:
    """A text in lines that are no wider, broken at blanks, and inside of a word only if it is longer than a line."""
    plain, lines, start = text.plain, [], 0
    while len(plain) - start > width:
        blank = plain.rfind(" ", start + 1, start + width + 1)
        end = blank if blank > start else start + width
        lines.append(text[start:end])
        start = end + (blank > start)
    return [*lines, text[start:]]


def pad(text: Text, width: int) -> Text:
    """A text with blanks behind it."""
    return text + Text(" " * (width - len(text))) if len(text) < width else text


def wrap_parts(parts: Sequence[Text], width: int, first: Text | None = None, between: str = "  ") -> list[Text]:
    """Parts one after another, the first line behind `first`, broken between parts where that is possible."""
    first = first or Text()
    indent = Text(" " * len(first))
    lines, line, is_empty = list[Text](), first, True
    for part in parts:
        if not is_empty and len(line) + len(between) + len(part) > width:
            lines.append(Text.assemble(line, between.rstrip()))
            line, is_empty = indent, True
        if is_empty and len(line) + len(part) > width:
            head, *rest = wrap_line(part, max(8, width - len(line) - 2))
            lines.append(line + head)
            lines += [Text.assemble(indent, "  ", wrapped) for wrapped in rest[:-1]]
            line = Text.assemble(indent, "  ", rest[-1]) if rest else lines.pop()
        else:
            line = line + part if is_empty else Text.assemble(line, between, part)
        is_empty = False
    return [*lines, line]


def draw_panels(
    rows: Sequence[PanelRow], width: int, caption: str = "", side_caption: str = "", *, is_compact: bool = False
) -> list[Text]:
    """Rows of panels that share their edges.

    `caption`: what is written on the lowest edge; `side_caption`: what is written to the left of it. `is_compact`: all
    lines of a panel on one line, if they fit.
    """
    labels = [f"{row.label}  {row.side_note}" if row.side_note else row.label for row in rows]
    label_width = min(max(map(len, [side_caption, *labels])), width // 3)
    max_columns = max((len(row.panels) for row in rows), default=0) or 1
    panels = [panel for row in rows for panel in row.panels]
    wanted = max([MIN_PANEL_WIDTH, *(max(panel.min_width, *_line_widths(panel, is_compact)) for panel in panels)])
    min_width = max([MIN_PANEL_WIDTH, *(panel.min_width for panel in panels)])
    free = width - label_width - 2
    columns = max(1, min(max_columns, free // (min_width + 1)))
    # a grid that has several columns keeps its width from turn to turn, whatever is in it
    if max_columns > 1:
        usual = MAX_PANEL_WIDTH if is_compact else DEFAULT_PANEL_WIDTH
        wanted = min(max(wanted, usual) if len(rows) > 1 else wanted, MAX_PANEL_WIDTH)
    panel_width = max(6, min(wanted, free // columns - 1))
    grid = _PanelGrid(label_width, panel_width, is_compact)
    for row in _split_rows(rows, columns):
        grid.add(row)
    return grid.close(caption, side_caption)


def _line_widths(panel: Panel, is_compact: bool) -> list[int]:
    widths = [len(line) + 2 for line in panel.lines]
    return [sum(widths)] if is_compact and widths else widths or [0]


def _split_rows(rows: Sequence[PanelRow], columns: int) -> list[PanelRow]:
    """Rows that have too many panels for a line, in several."""
    lines = []
    for row in rows:
        for start in range(0, len(row.panels) or 1, columns):
            panels = row.panels[start : start + columns]
            lines.append(PanelRow(panels, "" if start else row.label, "" if start else row.side_note))
    return lines


class _PanelGrid:
    """A grid of panels as it grows from top to bottom."""

    def __init__(self, label_width: int, panel_width: int, is_compact: bool) -> None:
        self.label_width, self.panel_width, self.is_compact = label_width, panel_width, is_compact
        self.lines: list[Text] = []
        self._count_above = 0  # panels in the row above

    def add(self, row: PanelRow) -> None:
        """Adds the lines of a row, with its upper edge."""
        count, label = len(row.panels), row.label
        if row.side_note:
            label = f"{row.label:<{max(len(row.label) + 1, self.label_width - len(row.side_note))}}{row.side_note}"
        if len(label) > self.label_width:
            label = f"{label[: max(0, self.label_width - 1)]}…"
        if count or self._count_above:  # between two empty rows there is no edge
            self.lines.append(self._edge(row.panels))
        contents = [self._content(panel) for panel in row.panels]
        for index in range(max([1, *map(len, contents)])):
            line = Text(f"{label if index == 0 else '':<{self.label_width}} ")
            for content in contents:
                cell = content[index] if index < len(content) else Text()
                line = Text.assemble(line, ("│", LINE_STYLE), " ", pad(cell, self.panel_width - 1))
            self.lines.append(Text.assemble(line, ("│", LINE_STYLE)) if count else line)
        self._count_above = count

    def _content(self, panel: Panel) -> list[Text]:
        """The lines in a panel, wrapped."""
        lines = [line for line in panel.lines if line]
        for separator in ("  ", " ") if self.is_compact and lines else ():
            line = Text(separator).join(lines)
            if len(line) < self.panel_width:
                return [line]
        return [wrapped for line in lines for wrapped in wrap_line(line, self.panel_width - 1)]

    def _edge(self, panels: Sequence[Panel]) -> Text:
        """The edge between the row above and these panels."""
        line = Text(" " * (self.label_width + 1))
        columns = max(len(panels), self._count_above)
        for column in range(columns):
            line.append(self._joint(column, len(panels)), LINE_STYLE)
            panel = panels[column] if column < len(panels) else Panel()
            name = panel.name[: self.panel_width - 2]
            rest = max(0, self.panel_width - (len(name) + 2 if name else 0) - len(panel.marks))
            after_marks = min(rest, 1) if panel.marks else 0
            line.append(f" {name} " if name else "")
            line.append("─" * (rest - after_marks), LINE_STYLE)
            line.append_text(panel.marks)
            line.append("─" * after_marks, LINE_STYLE)
        line.append(self._joint(columns, len(panels)), LINE_STYLE)
        return line

    def _joint(self, column: int, count: int) -> str:
        """The character where edges meet left of a column, in the edge above `count` panels."""
        up, down = column <= self._count_above and self._count_above > 0, column <= count and count > 0
        left, right = column > 0, column < max(count, self._count_above)
        return {
            (True, True, True, True): "┼", (True, True, False, True): "├", (True, True, True, False): "┤",
            (True, False, True, True): "┴", (False, True, True, True): "┬", (True, False, False, True): "╰",
            (True, False, True, False): "╯", (False, True, False, True): "╭", (False, True, True, False): "╮",
        }.get((up, down, left, right), "─")  # fmt: skip

    def close(self, caption: str, side_caption: str) -> list[Text]:
        """The lines of the whole grid, with its lowest edge."""
        edge = self._edge(())
        if caption and not self._count_above:
            edge = Text.assemble(" " * (self.label_width + 1), (caption, HEADING_STYLE))
        elif caption:
            title = f" {caption} "[: max(0, len(edge) - self.label_width - 5)]
            start = self.label_width + 3
            edge = Text.assemble(edge[:start], (title, HEADING_STYLE), edge[start + len(title) :])
        if side_caption:
            side_text = side_caption[: self.label_width].ljust(self.label_width)
            edge = Text.assemble((side_text, HEADING_STYLE), edge[self.label_width :])
        return [*self.lines, edge]


def render_columns(rows: Sequence[Sequence[Text]], heads: Sequence[str], width: int) -> list[Text] | None:
    """A table with its headings, columns as wide as they must be; None when it is wider than `width`."""
    widths = [max(len(heads[column]), *(len(row[column]) for row in rows)) for column in range(len(heads))]
    separator = next((gap for gap in ("  ", " ") if sum(widths) + len(gap) * (len(widths) - 1) <= width), None)
    if separator is None:
        return None
    padded_heads = [head.ljust(width) for head, width in zip(heads, widths, strict=True)]
    lines = [Text(separator.join(padded_heads).rstrip(), LINE_STYLE)]
    for row in rows:
        line = Text(separator).join([pad(cell, width) for cell, width in zip(row, widths, strict=True)])
        line.rstrip()
        lines.append(line)
    return lines


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
