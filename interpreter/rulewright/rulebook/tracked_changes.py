"""What variants change in a rulebook: old text struck, new text marked, with the names of those that did it.

In: the book without them and the book with them, compared block by block under the same keys; which addresses each
variant changes. Out: one book with marks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import Final

from rulewright.frozen import replace
from rulewright.lazy_pattern import lazy_pattern
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
from rulewright.rulebook.rules_by_count import VariantChanges
from rulewright.wording.messages import Messages

MIN_SIMILARITY: Final = 0.45  # of two texts whose differences are marked word by word; below, the whole text is new
MAX_ISLAND_WORDS: Final = 2  # unchanged words between changed ones that are marked with them
TOKEN: Final = lazy_pattern(r"\s+$|^\s+|\S+\s*")

ChangesByVariant = Mapping[str, VariantChanges]  # what each variant changes
RunKey = tuple[str, str, object]  # what a reader sees of a run


def mark_changes(before: Rulebook, after: Rulebook, changes: ChangesByVariant, messages: Messages) -> Rulebook:
    """The book with marks. Its index is that of the book after the change."""
    old = {block.key: block for block in _chapters(before)}
    new = {block.key: block for block in _chapters(after)}
    blocks: list[BookBlock] = []
    for key in merge_orders([list(new), list(old)]):
        if key in old and key in new:
            blocks.extend(_compare(old[key], new[key], changes, messages))
        elif key in new:
            blocks.append(_mark_block(new[key], "new", _responsible(new[key], changes)))
        else:
            blocks.append(_mark_block(old[key], "gone", _responsible(old[key], changes)))
    if len(changes) == 1 or any(_has_marks(block) for block in blocks):
        index = next((n for n, block in enumerate(blocks) if isinstance(block, Heading) and block.level == 2), None)
        explanation = TextBlock("changes.how", "note", (TextRun(messages("book_how_marked")),))
        blocks.insert(len(blocks) if index is None else index, explanation)
    index_blocks = after.blocks[len(_chapters(after)) :]
    return replace(after, blocks=(*blocks, *index_blocks))


def _chapters(book: Rulebook) -> tuple[BookBlock, ...]:
    """The blocks before the index."""
    end = next((n for n, block in enumerate(book.blocks) if block.key == "chapter.index"), len(book.blocks))
    return book.blocks[:end]


def _has_marks(block: BookBlock) -> bool:
    if isinstance(block, TableBlock):
        return any(row.change or any(run.change for cell in row.cells for run in cell) for row in block.rows)
    text = block.caption if isinstance(block, FigureBlock) else block.text
    return bool(block.change) or any(run.change for run in text)


def _compare(old: BookBlock, new: BookBlock, changes: ChangesByVariant, messages: Messages) -> list[BookBlock]:
    """Two blocks with the same key as one with marks, or as two."""
    variants = _responsible(new, changes) or _responsible(old, changes)
    match old, new:
        case (Heading(), Heading()) | (TextBlock(), TextBlock()):
            assert isinstance(new, Heading | TextBlock)
            assert isinstance(old, Heading | TextBlock)
            is_same = _visible(old.text) == _visible(new.text)
            if is_same and isinstance(old, TextBlock) and isinstance(new, TextBlock):
                marks = (*_changed_effect(old, new, changes, messages), *_stale_mark(new, changes, messages))
                return [replace(new, text=(*new.text, *marks))]
            return [new if is_same else replace(new, text=diff_text(old.text, new.text, variants))]
        case (TableBlock(), TableBlock()) if old.header == new.header:
            return [_compare_tables(old, new, changes)]
        case (FigureBlock(), FigureBlock()) if isinstance(new.drawing, RenderedDiagram) or old.drawing == new.drawing:
            return [new]  # a diagram has marks of its own
        case _:
            return [
                replace(_mark_block(old, "gone", variants), key=f"{old.key} old"),
                _mark_block(new, "new", variants),
            ]


def _changed_effect(old: TextBlock, new: TextBlock, changes: ChangesByVariant, messages: Messages) -> RichText:
    """What a rule does now, where variants change it but not its sentence."""
    variants = tuple(
        name
        for name, changed in changes.items()
        if any(address == new.key or address.startswith(f"{new.key}.") for address in changed.addresses)
    )
    if not variants or not new.effect_text or old.effect_text == new.effect_text:
        return ()
    effect = f"{new.effect_text[:1].lower()}{new.effect_text[1:].rstrip('.')}"
    return (TextRun(" " + messages("book_now", what=effect), "em", change="new", variants=variants),)


def _stale_mark(block: TextBlock, changes: ChangesByVariant, messages: Messages) -> RichText:
    """Says of a passage that stays that variants change what it is about, unless they say that it is still true."""
    variants = tuple(
        name
        for name, changed in changes.items()
        if block.key not in changed.still_true
        and any(_overlaps(address, rule) for address in changed.rules for rule in block.about)
    )
    return (TextRun(" " + messages("book_stale"), "em", change="new", variants=variants),) if variants else ()


def _visible(text: RichText) -> list[RunKey]:
    return [_run_key(run) for run in text]


def _run_key(run: TextRun) -> RunKey:
    return (run.text, run.emphasis, run.glyph)


def _mark_block(block: BookBlock, change: ChangeMark, variants: tuple[str, ...]) -> BookBlock:
    if isinstance(block, TableBlock):
        rows = tuple(replace(row, change=change, variants=variants) for row in block.rows)
        return replace(block, rows=rows, change=change, variants=variants)
    return replace(block, change=change, variants=variants)


def _compare_tables(old: TableBlock, new: TableBlock, changes: ChangesByVariant) -> TableBlock:
    old_rows, new_rows = {row.key: row for row in old.rows}, {row.key: row for row in new.rows}
    rows: list[TableRow] = []
    for key in merge_orders([list(new_rows), list(old_rows)]):
        if key in old_rows and key in new_rows:
            variants = _responsible(new_rows[key], changes)
            pairs = zip(old_rows[key].cells, new_rows[key].cells, strict=True)
            cells = tuple(b if _visible(a) == _visible(b) else diff_text(a, b, variants) for a, b in pairs)
            rows.append(replace(new_rows[key], cells=cells))
        else:
            row = new_rows[key] if key in new_rows else old_rows[key]
            change: ChangeMark = "new" if key in new_rows else "gone"
            rows.append(replace(row, change=change, variants=_responsible(row, changes)))
    return replace(new, rows=tuple(rows))


def _responsible(block: BookBlock | TableRow, changes: ChangesByVariant) -> tuple[str, ...]:
    """The variants that change what a block speaks of; all of them where none is found."""
    if block.key.startswith("variants."):
        return ()  # it names the variant itself
    if len(changes) == 1:
        return tuple(changes)
    named = block.covers | block.mentions | {block.key}
    variants = tuple(
        name
        for name, changed in changes.items()
        if any(_overlaps(changed_address, address) for changed_address in changed.addresses for address in named)
    )
    return variants or tuple(changes)


def _overlaps(a: str, b: str) -> bool:
    """Whether an address is the other or inside it."""
    return a == b or a.startswith(f"{b}.") or b.startswith(f"{a}.")


# ---- texts ----------------------------------------------------------------------------------------------------------


def diff_text(old: RichText, new: RichText, variants: tuple[str, ...]) -> RichText:
    """Both texts in one: what only the old one says is gone, what only the new one says is new."""
    a, b = _tokens(old), _tokens(new)
    matcher = SequenceMatcher(None, _visible(a), _visible(b), autojunk=False)
    if matcher.ratio() < MIN_SIMILARITY:
        runs = [*_mark_runs(old, "gone"), TextRun(" "), *_mark_runs(new, "new")]
    else:
        runs = []
        for is_equal, a1, a2, b1, b2 in _segments(matcher):
            if is_equal:
                runs += b[b1:b2]
                continue
            removed, added = _mark_runs(a[a1:a2], "gone"), _mark_runs(b[b1:b2], "new")
            needs_space = removed and added and not removed[-1].text.endswith(" ")
            runs += [*removed, *([TextRun(" ")] if needs_space else []), *added]
    merged = _merge_runs(runs)
    last = max((index for index, run in enumerate(merged) if run.change), default=None)
    if last is not None:
        merged[last] = replace(merged[last], variants=variants)
    return tuple(merged)


def _segments(matcher: SequenceMatcher[RunKey]) -> Iterator[tuple[bool, int, int, int, int]]:
    """Equal and changed parts in turns: whether it is equal, its range in the old text, its range in the new one.

    A few equal words between two changes belong to the change.
    """
    codes = matcher.get_opcodes()
    is_changed = [
        tag != "equal" or (0 < index < len(codes) - 1 and a2 - a1 <= MAX_ISLAND_WORDS)
        for index, (tag, a1, a2, _, _) in enumerate(codes)
    ]
    start = 0
    while start < len(codes):
        end = start
        while end + 1 < len(codes) and is_changed[end + 1] == is_changed[start]:
            end += 1
        yield not is_changed[start], codes[start][1], codes[end][2], codes[start][3], codes[end][4]
        start = end + 1


def _mark_runs(runs: RichText, change: ChangeMark) -> list[TextRun]:
    return [replace(run, change=change) for run in runs]


def _tokens(text: RichText) -> RichText:
    """The text with a run for each word."""
    return tuple(
        replace(run, text=piece)
        for run in text
        for piece in (TOKEN.findall(run.text) if run.text and run.glyph is None else [run.text])
    )


def _merge_runs(runs: list[TextRun]) -> list[TextRun]:
    """The same text in as few runs as possible."""
    merged: list[TextRun] = []
    for run in runs:
        previous = merged[-1] if merged else None
        if (
            previous is not None
            and (previous.emphasis, previous.link, previous.change) == (run.emphasis, run.link, run.change)
            and previous.glyph is None
            and run.glyph is None
        ):
            merged[-1] = replace(previous, text=previous.text + run.text)
        else:
            merged.append(run)
    return merged


__all__ = ["ChangesByVariant", "diff_text", "mark_changes"]
