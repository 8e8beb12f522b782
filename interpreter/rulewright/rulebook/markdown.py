"""A rulebook in Markdown: headings, lists and tables as GitHub shows them, pictures of characters, the turn as Mermaid.

In: a `Rulebook`. Out: the text. What variants removed is struck, what they added is underlined, with their names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from rulewright.lazy_pattern import lazy_pattern
from rulewright.rulebook.blocks import (
    BoardPlan,
    BookBlock,
    ChangeMark,
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
from rulewright.wording.messages import Messages

MARKDOWN_SPECIAL: Final = lazy_pattern(r"([\\`*_\[\]<>~])")
CONTENTS_LEVEL: Final = 2  # of the headings that the contents list
LIST_KINDS: Final = ("item", "number")


def to_markdown(book: Rulebook, messages: Messages) -> str:
    """The whole book."""
    return "\n".join(_MarkdownWriter(book, messages).lines()).rstrip("\n") + "\n"


class _MarkdownWriter:
    def __init__(self, book: Rulebook, messages: Messages) -> None:
        self.book = book
        self.messages = messages
        self.slugs = _slugs(book)

    def lines(self) -> Iterator[str]:
        has_contents = False
        previous: BookBlock | None = None
        numbers: dict[int, int] = {}  # of the last item of the open numbered lists, by depth
        for block in self.book.blocks:
            if isinstance(block, Heading) and block.level == 2 and not has_contents:
                has_contents = True
                yield from self._contents()
            if not (isinstance(block, TextBlock) and block.kind in LIST_KINDS):
                numbers.clear()
            if previous is not None and not _is_same_list(previous, block):
                numbers.clear()
                yield ""
            yield from self._block(block, numbers)
            previous = block

    def _contents(self) -> Iterator[str]:
        yield ""
        for heading in self.book.headings():
            if heading.level == CONTENTS_LEVEL:
                yield f"- [{_escape(plain_text(heading.text))}](#{self.slugs[heading.anchor]})"

    def _block(self, block: BookBlock, numbers: dict[int, int]) -> Iterator[str]:
        match block:
            case Heading(level=level, text=text):
                yield f"{'#' * level} {self._changed(self._text(text), block)}"
            case TextBlock():
                yield from self._text_block(block, numbers)
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

    def _text_block(self, block: TextBlock, numbers: dict[int, int]) -> Iterator[str]:
        text, depth = self._changed(self._text(block.text), block), block.depth
        match block.kind:
            case "item":
                yield f"{'   ' * depth}- {text}"
            case "number":
                numbers[depth] = numbers.get(depth, 0) + 1
                for deeper in [other for other in numbers if other > depth]:
                    del numbers[deeper]
                yield f"{'   ' * depth}{numbers[depth]}. {text}"
            case "label":
                yield f"**{text}**" if not block.change else text
            case "example" | "note":
                yield f"> {text}"
            case _:
                yield text

    def _table(self, table: TableBlock) -> Iterator[str]:
        yield f"| {' | '.join(self._cell(cell) for cell in table.header)} |"
        yield f"|{'|'.join('---' for _ in table.header)}|"
        for row in table.rows:
            yield f"| {' | '.join(self._row(row))} |"

    def _row(self, row: TableRow) -> list[str]:
        cells = [self._cell(cell) for cell in row.cells]
        if row.change:
            cells = [self._mark(cell, row.change) if cell else cell for cell in cells]
            cells[0] += self._names(row.variants)
        return cells

    def _cell(self, cell: RichText) -> str:
        return self._text(cell).replace("|", "\\|")

    # ---- text ---------------------------------------------------------------------------------------------

    def _text(self, text: RichText) -> str:
        return "".join(self._run(run) for run in text)

    def _run(self, run: TextRun) -> str:
        text = _escape(run.text) if run.glyph is None else f"`{run.glyph.letter}`"
        lead, core, tail = text[: len(text) - len(text.lstrip())], text.strip(), text[len(text.rstrip()) :]
        if not core:
            return text
        if run.emphasis == "strong":
            core = f"**{core}**"
        elif run.emphasis == "em":
            core = f"*{core}*"
        if run.link:
            core = f"[{core}](#{self.slugs.get(run.link, run.link)})"
        if run.change:
            core = self._mark(core, run.change) + self._names(run.variants)
        return f"{lead}{core}{tail}"

    @staticmethod
    def _mark(text: str, change: ChangeMark) -> str:
        return f"<ins>{text}</ins>" if change == "new" else f"~~{text}~~"

    @staticmethod
    def _names(variants: tuple[str, ...]) -> str:
        return f" *[{_escape(', '.join(variants))}]*" if variants else ""

    def _changed(self, text: str, block: BookBlock) -> str:
        return self._mark(text, block.change) + self._names(block.variants) if block.change else text


def _is_same_list(previous: BookBlock, block: BookBlock) -> bool:
    """Whether two blocks are items of one list."""
    if not (isinstance(previous, TextBlock) and isinstance(block, TextBlock)):
        return False
    is_joined = previous.kind == block.kind or previous.depth > 0 or block.depth > 0
    return previous.kind in LIST_KINDS and block.kind in LIST_KINDS and is_joined


def _escape(text: str) -> str:
    return MARKDOWN_SPECIAL.sub(r"\\\1", text)


def _slugs(book: Rulebook) -> Mapping[str, str]:
    """For each anchor the id that GitHub gives its heading; an anchor below a heading leads to that."""
    slugs: dict[str, str] = {}
    counts: dict[str, int] = {}
    section = ""
    for block in book.blocks:
        if isinstance(block, Heading):
            slug = re.sub(r"[^\w\- ]", "", plain_text(block.text).lower().strip()).replace(" ", "-")
            number = counts[slug] = counts.get(slug, 0) + 1
            section = slug if number == 1 else f"{slug}-{number - 1}"
            slugs.setdefault(block.anchor, section)
            continue
        parts = block.rows if isinstance(block, TableBlock) else (block,) if isinstance(block, TextBlock) else ()
        for part in parts:
            if part.anchor:
                slugs.setdefault(part.anchor, section)
    return slugs


__all__ = ["to_markdown"]
