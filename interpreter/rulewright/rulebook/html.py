"""A rulebook as one HTML file: it needs no network and no script, prints on paper and fits a telephone.

In: a `Rulebook`. Out: the text. What variants removed is struck, what they added is marked, with their names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Final

from rulewright import limits
from rulewright.lazy_pattern import lazy_pattern
from rulewright.rulebook.blocks import (
    BoardPlan,
    BookBlock,
    ChangeMark,
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
from rulewright.wording.messages import Messages

STYLESHEET: Final = Path(__file__).with_name("rulebook.css")
CONTENTS_LEVELS: Final = (2, 3)  # levels of headings in the contents
MARKUP: Final = lazy_pattern(r"(<style.*?</style>|<[^>]*>)", re.DOTALL)
FRENCH_SPACES: Final = lazy_pattern(r" [;:!?»]|« ")
NO_BREAK_SPACE: Final = "\u00a0"
CLASSED_KINDS: Final = ("lead", "label", "example", "note")  # of paragraphs, with a style of their own
LIST_TAGS: Final = {"item": "ul", "number": "ol"}


def to_html(book: Rulebook, messages: Messages) -> str:
    """The whole page."""
    title = f"{book.title} – {messages('book_rules_of')}"
    style = STYLESHEET.read_text(encoding="utf-8")
    body = "\n".join(_HtmlWriter(book, messages).lines())
    if book.language == "fr":
        title, body = _keep_spaces(title), _keep_spaces(body)
    return (
        f'<!DOCTYPE html>\n<html lang="{escape(book.language)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _keep_spaces(page: str) -> str:
    """French: no line breaks at the space before ; : ! ? and inside « »."""
    return "".join(
        part if part.startswith("<") else FRENCH_SPACES.sub(lambda match: match[0].replace(" ", NO_BREAK_SPACE), part)
        for part in MARKUP.split(page)
    )


class _HtmlWriter:
    def __init__(self, book: Rulebook, messages: Messages) -> None:
        self.book = book
        self.messages = messages
        self.used_anchors: set[str] = set()  # an id may be used once in a page

    def lines(self) -> Iterator[str]:
        has_contents = False
        for is_list, blocks in groupby(self.book.blocks, key=_is_list_item):
            if is_list:
                yield from self._list([block for block in blocks if isinstance(block, TextBlock)])
                continue
            for block in blocks:
                if isinstance(block, Heading) and block.level == 2 and not has_contents:
                    has_contents = True
                    yield from self._contents()
                yield from self._block(block)

    def _contents(self) -> Iterator[str]:
        name = escape(self.messages("book_contents"))
        yield f'<nav aria-label="{name}"><p class="label">{name}</p><ol>'
        headings = [heading for heading in self.book.headings() if heading.level in CONTENTS_LEVELS]
        for heading, following in zip(headings, [*headings[1:], None], strict=True):
            opens_list = following is not None and following.level > heading.level
            ends_list = heading.level > 2 and (following is None or following.level == 2)
            link = f'<li><a href="#{escape(heading.anchor)}">{escape(plain_text(heading.text))}</a>'
            yield link + ("<ul>" if opens_list else "</li>") + ("</ul></li>" if ends_list else "")
        yield "</ol></nav>"

    def _block(self, block: BookBlock) -> Iterator[str]:
        match block:
            case Heading(level=level):
                yield f"<h{level}{self._id(block.anchor)}>{self._changed(block)}</h{level}>"
            case TextBlock(kind=kind):
                class_ = f' class="{kind}"' if kind in CLASSED_KINDS else ""
                yield f"<p{class_}{self._id(block.anchor)}>{self._changed(block)}</p>"
            case TableBlock():
                yield from self._table(block)
            case FigureBlock(drawing=drawing, alt=alt):
                class_, svg = _drawing(drawing, alt)
                yield f'<figure class="{class_}">{svg}<figcaption>{self._changed(block)}</figcaption></figure>'

    def _list(self, items: list[TextBlock]) -> Iterator[str]:
        """Items as nested lists, by their depth."""
        open_tags: list[str] = []  # of the open lists, each with an open item
        for item in items:
            tag = LIST_TAGS[item.kind]
            depth = min(item.depth, len(open_tags))
            while len(open_tags) > depth + 1:
                yield f"</li></{open_tags.pop()}>"
            if len(open_tags) == depth + 1:
                if open_tags[-1] == tag:
                    yield "</li>"
                else:
                    yield f"</li></{open_tags.pop()}>"
            if len(open_tags) == depth:
                open_tags.append(tag)
                yield f"<{tag}>"
            yield f"<li{self._id(item.anchor)}>{self._changed(item)}"
        while open_tags:
            yield f"</li></{open_tags.pop()}>"

    def _table(self, table: TableBlock) -> Iterator[str]:
        has_wide_cells = any(
            len(plain_text(cell)) > limits.MAX_NARROW_CELL for row in table.rows for cell in row.cells[1:]
        )
        has_many_columns = len(table.header) > limits.MAX_NARROW_COLUMNS
        class_ = ' class="wide"' if has_wide_cells else ' class="many"' if has_many_columns else ""
        yield f"<table{class_}><thead><tr>"
        yield "".join(f'<th scope="col">{self._text(cell)}</th>' for cell in table.header)
        yield "</tr></thead><tbody>"
        for row in table.rows:
            yield self._row(row, table)
        yield "</tbody></table>"

    def _row(self, row: TableRow, table: TableBlock) -> str:
        cells = []
        for index, cell in enumerate(row.cells):
            html = self._marked(self._text(cell), row.change, row.variants if index == 0 else ())
            if index == 0:
                cells.append(f'<th scope="row">{html}</th>')
            else:
                label = escape(plain_text(table.header[index]), quote=True)
                class_ = ' class="none"' if plain_text(cell) == "–" else ""
                cells.append(f'<td data-label="{label}"{class_}>{html}</td>')
        return f"<tr{self._id(row.anchor)}>{''.join(cells)}</tr>"

    # ---- text ---------------------------------------------------------------------------------------------

    def _id(self, anchor: str) -> str:
        if not anchor or anchor in self.used_anchors:
            return ""
        self.used_anchors.add(anchor)
        return f' id="{escape(anchor)}"'

    def _changed(self, block: Heading | TextBlock | FigureBlock) -> str:
        text = block.caption if isinstance(block, FigureBlock) else block.text
        return self._marked(self._text(text), block.change, block.variants)

    def _text(self, text: RichText) -> str:
        return "".join(self._run(run) for run in text)

    def _run(self, run: TextRun) -> str:
        if run.glyph is not None:
            return inline_glyph_svg(run.glyph)
        html = escape(run.text, quote=False)
        if run.emphasis:
            html = f"<{run.emphasis}>{html}</{run.emphasis}>"
        if run.link:
            html = f'<a href="#{escape(run.link)}">{html}</a>'
        return self._marked(html, run.change, run.variants)

    @staticmethod
    def _marked(html: str, change: ChangeMark, variants: tuple[str, ...]) -> str:
        """Struck or marked as new, with the names of the variants behind it."""
        if not change:
            return html
        tag = "ins" if change == "new" else "del"
        names = f' <small class="by">{escape(", ".join(variants))}</small>' if variants else ""
        return f"<{tag}>{html}</{tag}>{names}"


def _drawing(drawing: ComponentCard | BoardPlan | RenderedDiagram, alt: str) -> tuple[str, str]:
    """What kind of picture it is, for the style sheet, and the picture."""
    match drawing:
        case ComponentCard():
            return "card", card_svg(drawing, alt)
        case BoardPlan():
            return "plan", plan_svg(drawing, alt)
        case RenderedDiagram(svg=svg):
            return "diagram", svg


def _is_list_item(block: BookBlock) -> bool:
    return isinstance(block, TextBlock) and block.kind in LIST_TAGS


__all__ = ["to_html"]
