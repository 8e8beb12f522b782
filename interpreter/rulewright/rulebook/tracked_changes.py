"""What variants change in a rulebook: old text struck, new text marked, with the names of those that did it.

In: the book without them and the book with them, block by block under the same keys; which addresses each variant
changes. Out: one book with marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Any, Final

from rulewright.rulebook.blocks import (
    BookBlock,
    ChangeMark,
    FigureBlock,
    Heading,
    RenderedDiagram,
    RichText,
    Rulebook,
    TableBlock,
    TableRow,
    TextBlock,
    TextRun,
)
from rulewright.rulebook.player_counts import merge_orders
from rulewright.wording.phrases import Says

MIN_SIMILARITY: Final = 0.45  # less than that of a sentence is left: it is shown anew as a whole
MAX_ISLAND_WORDS: Final = 2  # so few words between changed ones are told as changed too
TOKEN: Final = re.compile(r"\s+$|^\s+|\S+\s*")

AddressesByVariant = Mapping[str, frozenset[str]]  # variant → the addresses that it changes


def mark_changes(before: Rulebook, after: Rulebook, changes: AddressesByVariant, words: Says) -> Rulebook:
    """The book with marks. The index is that of the new book."""
    old = {block.key: block for block in _body(before)}
    new = {block.key: block for block in _body(after)}
    found: list[BookBlock] = []
    for key in merge_orders([list(new), list(old)]):
        if key in old and key in new:
            found.extend(_both(old[key], new[key], changes, words))
        elif key in new:
            found.append(_whole(new[key], "new", _by(new[key], changes)))
        else:
            found.append(_whole(old[key], "gone", _by(old[key], changes)))
    if len(changes) == 1 or any(_changed(block) for block in found):
        at = next((n for n, block in enumerate(found) if isinstance(block, Heading) and block.level == 2), len(found))
        found.insert(at, TextBlock("changes.how", "note", (TextRun(words("book_how_marked")),)))
    rest = after.blocks[len(_body(after)) :]
    return replace(after, blocks=(*found, *rest))


def _body(book: Rulebook) -> tuple[BookBlock, ...]:
    """The blocks up to the index, which names what both books name."""
    at = next((n for n, one in enumerate(book.blocks) if one.key == "chapter.index"), len(book.blocks))
    return book.blocks[:at]


def _changed(block: BookBlock) -> bool:
    if isinstance(block, TableBlock):
        return any(row.change or any(run.change for cell in row.cells for run in cell) for row in block.rows)
    text = block.caption if isinstance(block, FigureBlock) else block.text
    return bool(block.change) or any(run.change for run in text)


def _both(old: BookBlock, new: BookBlock, changes: AddressesByVariant, words: Says) -> list[BookBlock]:
    by = _by(new, changes) or _by(old, changes)
    match old, new:
        case (Heading(), Heading()) | (TextBlock(), TextBlock()):
            assert isinstance(new, Heading | TextBlock)
            assert isinstance(old, Heading | TextBlock)
            same = _seen(old.text) == _seen(new.text)
            if same and isinstance(old, TextBlock) and isinstance(new, TextBlock):
                return [replace(new, text=(*new.text, *_beneath(old, new, changes, words)))]
            return [new if same else replace(new, text=diff_text(old.text, new.text, by))]
        case (TableBlock(), TableBlock()) if old.header == new.header:
            return [_table(old, new, changes)]
        case (FigureBlock(), FigureBlock()):
            if isinstance(new.drawing, RenderedDiagram) or old.drawing == new.drawing:
                return [new]  # a diagram shows by itself what is otherwise than before
            return [replace(_whole(old, "gone", by), key=f"{old.key} old"), _whole(new, "new", by)]
        case _:
            return [replace(_whole(old, "gone", by), key=f"{old.key} old"), _whole(new, "new", by)]


def _beneath(old: TextBlock, new: TextBlock, changes: AddressesByVariant, words: Says) -> RichText:
    """What a rule does now that variants change without changing its sentence."""
    by = tuple(
        name for name, found in changes.items() if any(one == new.key or one.startswith(f"{new.key}.") for one in found)
    )
    if not by or not new.effect_text or old.effect_text == new.effect_text:
        return ()
    said = f"{new.effect_text[:1].lower()}{new.effect_text[1:].rstrip('.')}"
    return (TextRun(" " + words("book_now", what=said), "em", change="new", variants=by),)


def _seen(text: RichText) -> list[tuple[str, str, object]]:
    return [(run.text, run.emphasis, run.glyph) for run in text]


def _whole(block: BookBlock, change: ChangeMark, by: tuple[str, ...]) -> BookBlock:
    if isinstance(block, TableBlock):
        rows = tuple(replace(row, change=change, by=by) for row in block.rows)
        return replace(block, rows=rows, change=change, by=by)
    return replace(block, change=change, by=by)


def _table(old: TableBlock, new: TableBlock, changes: AddressesByVariant) -> TableBlock:
    before, after = {row.key: row for row in old.rows}, {row.key: row for row in new.rows}
    rows: list[TableRow] = []
    for key in merge_orders([list(after), list(before)]):
        if key in before and key in after:
            by = _by(after[key], changes)
            pairs = zip(before[key].cells, after[key].cells, strict=True)
            cells = tuple(b if _seen(a) == _seen(b) else diff_text(a, b, by) for a, b in pairs)
            rows.append(replace(after[key], cells=cells))
        else:
            row, change = (after[key], "new") if key in after else (before[key], "gone")
            rows.append(replace(row, change=change, by=_by(row, changes)))  # type: ignore[arg-type]
    return replace(new, rows=tuple(rows))


def _by(block: BookBlock | TableRow, changes: AddressesByVariant) -> tuple[str, ...]:
    """The variants that change what a block speaks of."""
    if block.key.startswith("variants."):
        return ()  # it names itself
    if len(changes) == 1:
        return tuple(changes)
    spoken = block.covers | block.mentions | {block.key}
    found = tuple(
        name
        for name, addresses in changes.items()
        if any(_touches(one, other) for one in addresses for other in spoken)
    )
    return found or tuple(changes)


def _touches(one: str, other: str) -> bool:
    return one == other or one.startswith(f"{other}.") or other.startswith(f"{one}.")


# ---- texts ----------------------------------------------------------------------------------------------------------


def diff_text(old: RichText, new: RichText, by: tuple[str, ...]) -> RichText:
    """Both texts in one: what only the old one says is gone, what only the new one says is new."""
    a, b = _tokens(old), _tokens(new)
    matcher = SequenceMatcher(None, [_sort(one) for one in a], [_sort(one) for one in b], autojunk=False)
    if matcher.ratio() < MIN_SIMILARITY:
        found = [*(_as(one, "gone") for one in old), TextRun(" "), *(_as(one, "new") for one in new)]
    else:
        found = []
        for same, a1, a2, b1, b2 in _stretches(matcher):
            if same:
                found += b[b1:b2]
                continue
            gone, came = [_as(one, "gone") for one in a[a1:a2]], [_as(one, "new") for one in b[b1:b2]]
            apart = gone and came and not gone[-1].text.endswith(" ")
            found += [*gone, *([TextRun(" ")] if apart else []), *came]
    joined = _joined(found)
    last = max((n for n, run in enumerate(joined) if run.change), default=None)
    if last is not None:
        joined[last] = replace(joined[last], variants=by)
    return tuple(joined)


def _stretches(matcher: SequenceMatcher[Any]) -> Iterator[tuple[bool, int, int, int, int]]:
    """What is the same and what is not, in turns; few words between two changes belong to them."""
    codes = matcher.get_opcodes()
    inner = range(1, len(codes) - 1)
    changed = [
        what != "equal" or (at in inner and a2 - a1 <= MAX_ISLAND_WORDS)
        for at, (what, a1, a2, _, _) in enumerate(codes)
    ]
    at = 0
    while at < len(codes):
        end = at
        while end + 1 < len(codes) and changed[end + 1] == changed[at]:
            end += 1
        yield not changed[at], codes[at][1], codes[end][2], codes[at][3], codes[end][4]
        at = end + 1


def _as(run: TextRun, change: ChangeMark) -> TextRun:
    return replace(run, change=change)


def _tokens(text: RichText) -> list[TextRun]:
    return [
        replace(run, text=piece)
        for run in text
        for piece in (TOKEN.findall(run.text) if run.text and run.glyph is None else [run.text])
    ]


def _sort(run: TextRun) -> tuple[str, str, object]:
    return (run.text, run.emphasis, run.glyph)


def _joined(runs: list[TextRun]) -> list[TextRun]:
    found: list[TextRun] = []
    for run in runs:
        before = found[-1] if found else None
        alike = before is not None and (before.emphasis, before.link, before.change) == (
            run.emphasis,
            run.link,
            run.change,
        )
        if before is not None and alike and before.glyph is None and run.glyph is None:
            found[-1] = replace(before, text=before.text + run.text)
        else:
            found.append(run)
    return found


__all__ = ["AddressesByVariant", "diff_text", "mark_changes"]
