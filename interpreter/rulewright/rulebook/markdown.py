"""A rulebook in Markdown: headings, lists and tables as GitHub shows them, pictures of characters, the turn as Mermaid.

In: a `Book`. Out: the text. What variants took away is struck, what they brought is underlined, with their names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from rulewright.rulebook.blocks import (
    BoardPlan,
    BookBlock,
    ComponentCard,
    FigureBlock,
    Heading,
    RichText,
    Rulebook,
    TableBlock,
    TableRow,
    TextBlock,
    TextRun,
    plain_text,
)
from rulewright.rulebook.board_plan import plan_text
from rulewright.rulebook.cards import card_text
from rulewright.wording.phrases import Says

MARKDOWN_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>~])")
CONTENTS_LEVEL: Final = 2  # levels of headings that the contents list


def to_markdown(book: Rulebook, words: Says) -> str:
    """The whole book."""
    return "\n".join(_Printer(book, words).lines()).rstrip("\n") + "\n"


class _Printer:
    def __init__(self, book: Rulebook, words: Says) -> None:
        self.book = book
        self.words = words
        self.slugs = _slugs(book)

    def lines(self) -> Iterator[str]:
        listed = False
        before: BookBlock | None = None
        numbers: dict[int, int] = {}
        for block in self.book.blocks:
            if isinstance(block, Heading) and block.level == 2 and not listed:
                listed = True
                yield from self._contents()
            in_list = isinstance(block, TextBlock) and block.kind in ("item", "number")
            if not in_list:
                numbers.clear()
            if before is not None and not _goes_on(before, block):
                numbers.clear()
                yield ""
            yield from self._block(block, numbers)
            before = block

    def _contents(self) -> Iterator[str]:
        yield ""
        for heading in self.book.headings():
            if heading.level == CONTENTS_LEVEL:
                yield f"- [{_escaped(plain_text(heading.text))}](#{self.slugs[heading.anchor]})"

    def _block(self, block: BookBlock, numbers: dict[int, int]) -> Iterator[str]:
        match block:
            case Heading(level=level, text=text):
                yield f"{'#' * level} {self._changed(self._text(text), block)}"
            case TextBlock():
                yield from self._line(block, numbers)
            case TableBlock():
                yield from self._table(block)
            case FigureBlock(drawing=drawing, caption=caption):
                yield self._changed(f"*{self._text(caption)}*", block)
                yield ""
                if isinstance(drawing, ComponentCard | BoardPlan):
                    yield "```text"
                    yield from card_text(drawing) if isinstance(drawing, ComponentCard) else plan_text(drawing)
                    yield "```"
                else:
                    yield "```mermaid"
                    yield drawing.mermaid.rstrip("\n")
                    yield "```"

    def _line(self, line: TextBlock, numbers: dict[int, int]) -> Iterator[str]:
        said = self._changed(self._text(line.text), line)
        match line.kind:
            case "item":
                yield f"{'   ' * line.depth}- {said}"
            case "number":
                numbers[line.depth] = numbers.get(line.depth, 0) + 1
                for deeper in [depth for depth in numbers if depth > line.depth]:
                    del numbers[deeper]
                yield f"{'   ' * line.depth}{numbers[line.depth]}. {said}"
            case "label":
                yield f"**{said}**" if not line.change else said
            case "example" | "note":
                yield f"> {said}"
            case _:
                yield said

    def _table(self, table: TableBlock) -> Iterator[str]:
        yield f"| {' | '.join(self._cell(cell) for cell in table.header)} |"
        yield f"|{'|'.join('---' for _ in table.header)}|"
        for row in table.rows:
            yield f"| {' | '.join(self._row(row))} |"

    def _row(self, row: TableRow) -> list[str]:
        cells = [self._cell(cell) for cell in row.cells]
        if row.change:
            cells = [self._mark(cell, row.change) if cell else cell for cell in cells]
            cells[0] += self._by(row.by)
        return cells

    def _cell(self, cell: RichText) -> str:
        return self._text(cell).replace("|", "\\|")

    # ---- text ---------------------------------------------------------------------------------------------

    def _text(self, text: RichText) -> str:
        return "".join(self._run(run) for run in text)

    def _run(self, run: TextRun) -> str:
        said = _escaped(run.text) if run.glyph is None else f"`{run.glyph.letter}`"
        lead, core, tail = said[: len(said) - len(said.lstrip())], said.strip(), said[len(said.rstrip()) :]
        if not core:
            return said
        if run.emphasis == "strong":
            core = f"**{core}**"
        elif run.emphasis == "em":
            core = f"*{core}*"
        if run.link:
            core = f"[{core}](#{self.slugs.get(run.link, run.link)})"
        if run.change:
            core = self._mark(core, run.change) + self._by(run.variants)
        return f"{lead}{core}{tail}"

    @staticmethod
    def _mark(said: str, change: str) -> str:
        return f"<ins>{said}</ins>" if change == "new" else f"~~{said}~~"

    @staticmethod
    def _by(by: tuple[str, ...]) -> str:
        return f" *[{_escaped(', '.join(by))}]*" if by else ""

    def _changed(self, said: str, block: BookBlock) -> str:
        return self._mark(said, block.change) + self._by(block.by) if block.change else said


def _goes_on(before: BookBlock, block: BookBlock) -> bool:
    """Whether two blocks are items of one list."""
    if not (isinstance(before, TextBlock) and isinstance(block, TextBlock)):
        return False
    lists = ("item", "number")
    same = before.kind == block.kind or before.depth > 0 or block.depth > 0
    return before.kind in lists and block.kind in lists and same


def _escaped(text: str) -> str:
    return MARKDOWN_SPECIAL.sub(r"\\\1", text)


def _slugs(book: Rulebook) -> Mapping[str, str]:
    """For each anchor the name that GitHub gives its heading; what lies below a heading is found there."""
    found: dict[str, str] = {}
    times: dict[str, int] = {}
    now = ""
    for block in book.blocks:
        if isinstance(block, Heading):
            slug = re.sub(r"[^\w\- ]", "", plain_text(block.text).lower().strip()).replace(" ", "-")
            number = times[slug] = times.get(slug, 0) + 1
            now = slug if number == 1 else f"{slug}-{number - 1}"
            found.setdefault(block.anchor, now)
            continue
        anchors = (
            [row.anchor for row in block.rows] if isinstance(block, TableBlock) else [getattr(block, "anchor", "")]
        )
        for anchor in anchors:
            if anchor:
                found.setdefault(anchor, now)
    return found


__all__ = ["to_markdown"]
