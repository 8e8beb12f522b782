"""A rulebook as one HTML file: it needs no network and no script, prints on paper and fits a telephone.

In: a `Book`. Out: the text. What variants took away is struck, what they brought is marked, with their names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Final

from rulewright.rulebook.blocks import (
    BoardPlan,
    BookBlock,
    ComponentCard,
    FigureBlock,
    Heading,
    RenderedDiagram,
    RichText,
    Rulebook,
    TableBlock,
    TableRow,
    TextBlock,
    TextRun,
    plain_text,
)
from rulewright.rulebook.board_plan import plan_svg
from rulewright.rulebook.cards import card_svg, inline_glyph_svg
from rulewright.wording.phrases import Says

STYLESHEET: Final = Path(__file__).with_name("rulebook.css")
CONTENTS_LEVELS: Final = (2, 3)  # levels of headings in the contents
MAX_NARROW_CELL: Final = 24  # characters of a cell that has no room beside others on a telephone
MARKUP: Final = re.compile(r"(<style.*?</style>|<[^>]*>)", re.DOTALL)
FRENCH_SPACES: Final = re.compile(r" [;:!?»]|« ")
NO_BREAK_SPACE: Final = "\u00a0"
MAX_NARROW_COLUMNS: Final = 7  # columns that a telephone has no room for
LIST_TAGS: Final = {"item": "ul", "number": "ol"}


def to_html(book: Rulebook, words: Says) -> str:
    """The whole page."""
    title = f"{book.title} – {words('book_rules_of')}"
    style = STYLESHEET.read_text(encoding="utf-8")
    body = "\n".join(_Printer(book, words).lines())
    if book.language == "fr":
        title, body = _apart(title), _apart(body)
    return (
        f'<!DOCTYPE html>\n<html lang="{escape(book.language)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _apart(page: str) -> str:
    """French: the blank before ; : ! ? and inside « » breaks no line."""
    pieces = MARKUP.split(page)
    return "".join(
        one if one.startswith("<") else FRENCH_SPACES.sub(lambda at: at[0].replace(" ", NO_BREAK_SPACE), one)
        for one in pieces
    )


class _Printer:
    def __init__(self, book: Rulebook, words: Says) -> None:
        self.book = book
        self.words = words
        self.taken: set[str] = set()  # anchors stand once

    def lines(self) -> Iterator[str]:
        listed = False
        for in_list, blocks in groupby(self.book.blocks, key=_is_list):
            if in_list:
                yield from self._list([one for one in blocks if isinstance(one, TextBlock)])
                continue
            for block in blocks:
                if isinstance(block, Heading) and block.level == 2 and not listed:
                    listed = True
                    yield from self._contents()
                yield from self._block(block)

    def _contents(self) -> Iterator[str]:
        name = escape(self.words("book_contents"))
        yield f'<nav aria-label="{name}"><p class="label">{name}</p><ol>'
        shown = [one for one in self.book.headings() if one.level in CONTENTS_LEVELS]
        for at, heading in enumerate(shown):
            level = 0 if heading.level == 2 else 1
            nested = at + 1 < len(shown) and shown[at + 1].level > heading.level
            ends = level and (at + 1 == len(shown) or shown[at + 1].level == 2)
            link = f'<li><a href="#{escape(heading.anchor)}">{escape(plain_text(heading.text))}</a>'
            yield link + ("<ul>" if nested else "</li>") + ("</ul></li>" if ends else "")
        yield "</ol></nav>"

    def _block(self, block: BookBlock) -> Iterator[str]:
        match block:
            case Heading(level=level):
                yield f"<h{level}{self._id(block.anchor)}>{self._changed(block)}</h{level}>"
            case TextBlock(kind=kind):
                names = {"paragraph": "", "lead": "lead", "label": "label", "example": "example", "note": "note"}
                name = f' class="{names[kind]}"' if names.get(kind) else ""
                yield f"<p{name}{self._id(block.anchor)}>{self._changed(block)}</p>"
            case TableBlock():
                yield from self._table(block)
            case FigureBlock(drawing=drawing, alt=alt):
                drawn = _drawn(drawing, alt)
                caption = self._changed(block)
                yield f"<figure>{drawn}<figcaption>{caption}</figcaption></figure>"

    def _list(self, lines: list[TextBlock]) -> Iterator[str]:
        """Lines as lists in one another, by their depth."""
        open_: list[str] = []  # the lists that are open, each with an open item
        for line in lines:
            name = LIST_TAGS[line.kind]
            depth = min(line.depth, len(open_))
            while len(open_) > depth + 1:
                yield f"</li></{open_.pop()}>"
            if len(open_) == depth + 1:
                if open_[-1] == name:
                    yield "</li>"
                else:
                    yield f"</li></{open_.pop()}>"
            if len(open_) == depth:
                open_.append(name)
                yield f"<{name}>"
            yield f"<li{self._id(line.anchor)}>{self._changed(line)}"
        while open_:
            yield f"</li></{open_.pop()}>"

    def _table(self, table: TableBlock) -> Iterator[str]:
        wide = any(len(plain_text(cell)) > MAX_NARROW_CELL for row in table.rows for cell in row.cells[1:])
        many = len(table.header) > MAX_NARROW_COLUMNS and not wide
        mark = ' class="wide"' if wide else ' class="many"' if many else ""
        yield f"<table{mark}><thead><tr>"
        yield "".join(f'<th scope="col">{self._text(cell)}</th>' for cell in table.header)
        yield "</tr></thead><tbody>"
        for row in table.rows:
            yield self._row(row, table)
        yield "</tbody></table>"

    def _row(self, row: TableRow, table: TableBlock) -> str:
        cells = []
        for at, cell in enumerate(row.cells):
            said = self._marked(self._text(cell), row.change, row.by if at == 0 else ())
            if at == 0:
                cells.append(f'<th scope="row">{said}</th>')
            else:
                label = escape(plain_text(table.header[at]), quote=True)
                none = ' class="none"' if plain_text(cell) == "–" else ""
                cells.append(f'<td data-label="{label}"{none}>{said}</td>')
        return f"<tr{self._id(row.anchor)}>{''.join(cells)}</tr>"

    # ---- text ---------------------------------------------------------------------------------------------

    def _id(self, anchor: str) -> str:
        if not anchor or anchor in self.taken:
            return ""
        self.taken.add(anchor)
        return f' id="{escape(anchor)}"'

    def _changed(self, block: Heading | TextBlock | FigureBlock) -> str:
        text = block.caption if isinstance(block, FigureBlock) else block.text
        return self._marked(self._text(text), block.change, block.by)

    def _text(self, text: RichText) -> str:
        return "".join(self._run(run) for run in text)

    def _run(self, run: TextRun) -> str:
        if run.glyph is not None:
            return inline_glyph_svg(run.glyph)
        said = escape(run.text, quote=False)
        if run.emphasis:
            said = f"<{run.emphasis}>{said}</{run.emphasis}>"
        if run.link:
            said = f'<a href="#{escape(run.link)}">{said}</a>'
        return self._marked(said, run.change, run.variants)

    @staticmethod
    def _marked(said: str, change: str, by: tuple[str, ...]) -> str:
        if not change:
            return said
        tag = "ins" if change == "new" else "del"
        names = f' <small class="by">{escape(", ".join(by))}</small>' if by else ""
        return f"<{tag}>{said}</{tag}>{names}"


def _drawn(drawing: ComponentCard | BoardPlan | RenderedDiagram, alt: str) -> str:
    match drawing:
        case ComponentCard():
            return card_svg(drawing, alt)
        case BoardPlan():
            return plan_svg(drawing, alt)
        case RenderedDiagram(svg=svg):
            return svg


def _is_list(block: BookBlock) -> bool:
    return isinstance(block, TextBlock) and block.kind in LIST_TAGS


__all__ = ["to_html"]
