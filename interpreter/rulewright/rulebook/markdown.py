"""A rulebook in Markdown: headings, lists and tables as GitHub shows them, pictures of characters, the turn as Mermaid.

In: a `Book`. Out: the text. What variants took away is struck, what they brought is underlined, with their names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from rulewright.rulebook.blocks import Block, Book, Card, Figure, Heading, Line, Plan, Row, Run, Table, Text, plain
from rulewright.rulebook.board_plan import plan_lines
from rulewright.rulebook.cards import card_lines
from rulewright.wording.phrases import Says

SPECIAL: Final = re.compile(r"([\\`*_\[\]<>~])")
CONTENTS: Final = 2  # levels of headings that the contents list


def markdown(book: Book, words: Says) -> str:
    """The whole book."""
    return "\n".join(_Printer(book, words).lines()).rstrip("\n") + "\n"


class _Printer:
    def __init__(self, book: Book, words: Says) -> None:
        self.book = book
        self.words = words
        self.slugs = _slugs(book)

    def lines(self) -> Iterator[str]:
        listed = False
        before: Block | None = None
        numbers: dict[int, int] = {}
        for block in self.book.blocks:
            if isinstance(block, Heading) and block.level == 2 and not listed:
                listed = True
                yield from self._contents()
            in_list = isinstance(block, Line) and block.kind in ("item", "number")
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
            if heading.level == CONTENTS:
                yield f"- [{_escaped(plain(heading.text))}](#{self.slugs[heading.anchor]})"

    def _block(self, block: Block, numbers: dict[int, int]) -> Iterator[str]:
        match block:
            case Heading(level=level, text=text):
                yield f"{'#' * level} {self._changed(self._text(text), block)}"
            case Line():
                yield from self._line(block, numbers)
            case Table():
                yield from self._table(block)
            case Figure(drawing=drawing, caption=caption):
                yield self._changed(f"*{self._text(caption)}*", block)
                yield ""
                if isinstance(drawing, Card | Plan):
                    yield "```text"
                    yield from card_lines(drawing) if isinstance(drawing, Card) else plan_lines(drawing)
                    yield "```"
                else:
                    yield "```mermaid"
                    yield drawing.mermaid.rstrip("\n")
                    yield "```"

    def _line(self, line: Line, numbers: dict[int, int]) -> Iterator[str]:
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

    def _table(self, table: Table) -> Iterator[str]:
        yield f"| {' | '.join(self._cell(cell) for cell in table.head)} |"
        yield f"|{'|'.join('---' for _ in table.head)}|"
        for row in table.rows:
            yield f"| {' | '.join(self._row(row))} |"

    def _row(self, row: Row) -> list[str]:
        cells = [self._cell(cell) for cell in row.cells]
        if row.change:
            cells = [self._mark(cell, row.change) if cell else cell for cell in cells]
            cells[0] += self._by(row.by)
        return cells

    def _cell(self, cell: Text) -> str:
        return self._text(cell).replace("|", "\\|")

    # ---- text ---------------------------------------------------------------------------------------------

    def _text(self, text: Text) -> str:
        return "".join(self._run(run) for run in text)

    def _run(self, run: Run) -> str:
        said = _escaped(run.text) if run.sign is None else f"`{run.sign.letter}`"
        lead, core, tail = said[: len(said) - len(said.lstrip())], said.strip(), said[len(said.rstrip()) :]
        if not core:
            return said
        if run.mark == "strong":
            core = f"**{core}**"
        elif run.mark == "em":
            core = f"*{core}*"
        if run.to:
            core = f"[{core}](#{self.slugs.get(run.to, run.to)})"
        if run.change:
            core = self._mark(core, run.change) + self._by(run.by)
        return f"{lead}{core}{tail}"

    @staticmethod
    def _mark(said: str, change: str) -> str:
        return f"<ins>{said}</ins>" if change == "new" else f"~~{said}~~"

    @staticmethod
    def _by(by: tuple[str, ...]) -> str:
        return f" *[{_escaped(', '.join(by))}]*" if by else ""

    def _changed(self, said: str, block: Block) -> str:
        return self._mark(said, block.change) + self._by(block.by) if block.change else said


def _goes_on(before: Block, block: Block) -> bool:
    """Whether two blocks are items of one list."""
    if not (isinstance(before, Line) and isinstance(block, Line)):
        return False
    lists = ("item", "number")
    same = before.kind == block.kind or before.depth > 0 or block.depth > 0
    return before.kind in lists and block.kind in lists and same


def _escaped(text: str) -> str:
    return SPECIAL.sub(r"\\\1", text)


def _slugs(book: Book) -> Mapping[str, str]:
    """For each anchor the name that GitHub gives its heading; what lies below a heading is found there."""
    found: dict[str, str] = {}
    times: dict[str, int] = {}
    now = ""
    for block in book.blocks:
        if isinstance(block, Heading):
            slug = re.sub(r"[^\w\- ]", "", plain(block.text).lower().strip()).replace(" ", "-")
            number = times[slug] = times.get(slug, 0) + 1
            now = slug if number == 1 else f"{slug}-{number - 1}"
            found.setdefault(block.anchor, now)
            continue
        anchors = [row.anchor for row in block.rows] if isinstance(block, Table) else [getattr(block, "anchor", "")]
        for anchor in anchors:
            if anchor:
                found.setdefault(anchor, now)
    return found


__all__ = ["markdown"]
