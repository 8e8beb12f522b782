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

from rulewright.rulebook.blocks import Block, Book, Change, Diagram, Figure, Heading, Line, Row, Run, Table, Text
from rulewright.rulebook.player_counts import in_order
from rulewright.wording.phrases import Says

ALIKE: Final = 0.45  # less than that of a sentence is left: it is shown anew as a whole
ISLAND: Final = 2  # so few words between changed ones are told as changed too
TOKEN: Final = re.compile(r"\s+$|^\s+|\S+\s*")

Changes = Mapping[str, frozenset[str]]  # variant → the addresses that it changes


def marked(before: Book, after: Book, changes: Changes, words: Says) -> Book:
    """The book with marks. The index is that of the new book."""
    old = {block.key: block for block in _body(before)}
    new = {block.key: block for block in _body(after)}
    found: list[Block] = []
    for key in in_order([list(new), list(old)]):
        if key in old and key in new:
            found.extend(_both(old[key], new[key], changes, words))
        elif key in new:
            found.append(_whole(new[key], "new", _by(new[key], changes)))
        else:
            found.append(_whole(old[key], "gone", _by(old[key], changes)))
    if len(changes) == 1 or any(_changed(block) for block in found):
        at = next((n for n, block in enumerate(found) if isinstance(block, Heading) and block.level == 2), len(found))
        found.insert(at, Line("changes.how", "note", (Run(words("book_how_marked")),)))
    rest = after.blocks[len(_body(after)) :]
    return replace(after, blocks=(*found, *rest))


def _body(book: Book) -> tuple[Block, ...]:
    """The blocks up to the index, which names what both books name."""
    at = next((n for n, one in enumerate(book.blocks) if one.key == "chapter.index"), len(book.blocks))
    return book.blocks[:at]


def _changed(block: Block) -> bool:
    if isinstance(block, Table):
        return any(row.change or any(run.change for cell in row.cells for run in cell) for row in block.rows)
    text = block.caption if isinstance(block, Figure) else block.text
    return bool(block.change) or any(run.change for run in text)


def _both(old: Block, new: Block, changes: Changes, words: Says) -> list[Block]:
    by = _by(new, changes) or _by(old, changes)
    match old, new:
        case (Heading(), Heading()) | (Line(), Line()):
            assert isinstance(new, Heading | Line)
            assert isinstance(old, Heading | Line)
            same = _seen(old.text) == _seen(new.text)
            if same and isinstance(old, Line) and isinstance(new, Line):
                return [replace(new, text=(*new.text, *_beneath(old, new, changes, words)))]
            return [new if same else replace(new, text=texts(old.text, new.text, by))]
        case (Table(), Table()) if old.head == new.head:
            return [_table(old, new, changes)]
        case (Figure(), Figure()):
            if isinstance(new.drawing, Diagram) or old.drawing == new.drawing:
                return [new]  # a diagram shows by itself what is otherwise than before
            return [replace(_whole(old, "gone", by), key=f"{old.key} old"), _whole(new, "new", by)]
        case _:
            return [replace(_whole(old, "gone", by), key=f"{old.key} old"), _whole(new, "new", by)]


def _beneath(old: Line, new: Line, changes: Changes, words: Says) -> Text:
    """What a rule does now that variants change without changing its sentence."""
    by = tuple(
        name for name, found in changes.items() if any(one == new.key or one.startswith(f"{new.key}.") for one in found)
    )
    if not by or not new.beneath or old.beneath == new.beneath:
        return ()
    said = f"{new.beneath[:1].lower()}{new.beneath[1:].rstrip('.')}"
    return (Run(" " + words("book_now", what=said), "em", change="new", by=by),)


def _seen(text: Text) -> list[tuple[str, str, object]]:
    return [(run.text, run.mark, run.sign) for run in text]


def _whole(block: Block, change: Change, by: tuple[str, ...]) -> Block:
    if isinstance(block, Table):
        rows = tuple(replace(row, change=change, by=by) for row in block.rows)
        return replace(block, rows=rows, change=change, by=by)
    return replace(block, change=change, by=by)


def _table(old: Table, new: Table, changes: Changes) -> Table:
    before, after = {row.key: row for row in old.rows}, {row.key: row for row in new.rows}
    rows: list[Row] = []
    for key in in_order([list(after), list(before)]):
        if key in before and key in after:
            by = _by(after[key], changes)
            pairs = zip(before[key].cells, after[key].cells, strict=True)
            cells = tuple(b if _seen(a) == _seen(b) else texts(a, b, by) for a, b in pairs)
            rows.append(replace(after[key], cells=cells))
        else:
            row, change = (after[key], "new") if key in after else (before[key], "gone")
            rows.append(replace(row, change=change, by=_by(row, changes)))  # type: ignore[arg-type]
    return replace(new, rows=tuple(rows))


def _by(block: Block | Row, changes: Changes) -> tuple[str, ...]:
    """The variants that change what a block speaks of."""
    if block.key.startswith("variants."):
        return ()  # it names itself
    if len(changes) == 1:
        return tuple(changes)
    spoken = block.says | block.mentions | {block.key}
    found = tuple(
        name
        for name, addresses in changes.items()
        if any(_touches(one, other) for one in addresses for other in spoken)
    )
    return found or tuple(changes)


def _touches(one: str, other: str) -> bool:
    return one == other or one.startswith(f"{other}.") or other.startswith(f"{one}.")


# ---- texts ----------------------------------------------------------------------------------------------------------


def texts(old: Text, new: Text, by: tuple[str, ...]) -> Text:
    """Both texts in one: what only the old one says is gone, what only the new one says is new."""
    a, b = _tokens(old), _tokens(new)
    matcher = SequenceMatcher(None, [_sort(one) for one in a], [_sort(one) for one in b], autojunk=False)
    if matcher.ratio() < ALIKE:
        found = [*(_as(one, "gone") for one in old), Run(" "), *(_as(one, "new") for one in new)]
    else:
        found = []
        for same, a1, a2, b1, b2 in _stretches(matcher):
            if same:
                found += b[b1:b2]
                continue
            gone, came = [_as(one, "gone") for one in a[a1:a2]], [_as(one, "new") for one in b[b1:b2]]
            apart = gone and came and not gone[-1].text.endswith(" ")
            found += [*gone, *([Run(" ")] if apart else []), *came]
    joined = _joined(found)
    last = max((n for n, run in enumerate(joined) if run.change), default=None)
    if last is not None:
        joined[last] = replace(joined[last], by=by)
    return tuple(joined)


def _stretches(matcher: SequenceMatcher[Any]) -> Iterator[tuple[bool, int, int, int, int]]:
    """What is the same and what is not, in turns; few words between two changes belong to them."""
    codes = matcher.get_opcodes()
    inner = range(1, len(codes) - 1)
    changed = [what != "equal" or (at in inner and a2 - a1 <= ISLAND) for at, (what, a1, a2, _, _) in enumerate(codes)]
    at = 0
    while at < len(codes):
        end = at
        while end + 1 < len(codes) and changed[end + 1] == changed[at]:
            end += 1
        yield not changed[at], codes[at][1], codes[end][2], codes[at][3], codes[end][4]
        at = end + 1


def _as(run: Run, change: Change) -> Run:
    return replace(run, change=change)


def _tokens(text: Text) -> list[Run]:
    return [
        replace(run, text=piece)
        for run in text
        for piece in (TOKEN.findall(run.text) if run.text and run.sign is None else [run.text])
    ]


def _sort(run: Run) -> tuple[str, str, object]:
    return (run.text, run.mark, run.sign)


def _joined(runs: list[Run]) -> list[Run]:
    found: list[Run] = []
    for run in runs:
        before = found[-1] if found else None
        alike = before is not None and (before.mark, before.to, before.change) == (run.mark, run.to, run.change)
        if before is not None and alike and before.sign is None and run.sign is None:
            found[-1] = replace(before, text=before.text + run.text)
        else:
            found.append(run)
    return found


__all__ = ["Changes", "marked", "texts"]
