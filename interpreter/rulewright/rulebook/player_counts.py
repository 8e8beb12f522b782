"""One book for all numbers of players: what is the same for all comes once, what is not says for how many it holds.

In: a book for each number of players. Out: one book.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.frozen import replace
from rulewright.rulebook.blocks import (
    BookBlock,
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
from rulewright.wording.messages import Messages


def merge_books(books: Mapping[int, Rulebook], messages: Messages) -> Rulebook:
    """The book for most players, with what the others say otherwise. `books`: by number of players."""
    leading = books[max(books)]
    if len(books) == 1:
        return leading
    order = merge_orders([[block.key for block in book.blocks] for _, book in sorted(books.items(), reverse=True)])
    by_key = {count: {block.key: block for block in book.blocks} for count, book in sorted(books.items())}
    merged: list[BookBlock] = []
    sections: dict[int, list[int]] = {}  # for which numbers of players the open sections are, by level
    for key in order:
        versions: dict[BookBlock, list[int]] = {}
        for count, blocks in by_key.items():
            block = blocks.get(key)
            if block is not None:
                versions.setdefault(block, []).append(count)
        counts = sorted(count for some in versions.values() for count in some)
        first = next(iter(versions))
        level = first.level if isinstance(first, Heading) else max(sections, default=0) + 1
        sections = {outer: some for outer, some in sections.items() if outer < level}
        is_in_heading = bool(sections) and sections[max(sections)] == counts
        if isinstance(first, Heading):
            sections[level] = counts
        if is_in_heading and len(versions) == 1:
            merged.append(first)
            continue
        is_in_all = sum(map(len, versions.values())) == len(books)
        if is_in_all and (len(versions) == 1 or all(isinstance(block, Heading | FigureBlock) for block in versions)):
            merged.append(next(block for block, counts in versions.items() if max(books) in counts))
            continue
        if key.startswith("index."):  # a term is looked up by whoever plays: all of its sections
            merged.append(_join_links(list(versions)))
            continue
        tables = {
            count: block for block, counts in versions.items() for count in counts if isinstance(block, TableBlock)
        }
        if is_in_all and len(tables) == len(books) and len({table.header for table in tables.values()}) == 1:
            merged.append(_merge_tables(tables, messages))
            continue
        restricted = [
            _restrict(block, counts, messages, is_only=len(versions) == 1) for block, counts in versions.items()
        ]
        merged += _join_items(key, restricted, messages)
    return replace(leading, blocks=tuple(merged))


def _join_links(blocks: list[BookBlock]) -> BookBlock:
    """The entry of the index with the most links, and with the links that only others have."""
    texts = [block for block in blocks if isinstance(block, TextBlock)]
    longest = max(texts, key=lambda block: len(block.text))
    text = longest.text
    for run in (run for block in texts for run in block.text if run.link):
        if run not in text:
            text = (*text, TextRun(", "), run)
    return replace(longest, text=text)


def _join_items(key: str, blocks: list[BookBlock], messages: Messages) -> list[BookBlock]:
    """Items of a list that differ only in the number of players as one item, to which what follows beneath belongs.

    `key`: that of the blocks before they were restricted. What all begin with is said once.
    """
    items = [block for block in blocks if isinstance(block, TextBlock) and block.kind in ("item", "number")]
    if len(items) < 2 or len(items) < len(blocks) or len({item.depth for item in items}) > 1:
        return blocks
    bodies = [item.text[1:] for item in items]  # without the numbers of players
    rest = min(map(len, bodies)) - 1  # of which each keeps something to say
    common = next((n for n, runs in enumerate(zip(*bodies, strict=False)) if len(set(runs)) > 1), rest)
    common = max(0, min(common, rest))
    text: RichText = bodies[0][:common]
    for item in items:
        if len(text) > common:
            is_sentence = plain_text(text).rstrip().endswith((".", "!", "?", ")"))
            text = (*text, TextRun(" " if is_sentence else messages("book_semicolon") + " "))
        text = (*text, item.text[0], *item.text[1 + common :])
    covers = frozenset[str]().union(*(item.covers for item in items))
    mentions = frozenset[str]().union(*(item.mentions for item in items))
    effect_text = " ".join(item.effect_text for item in items)
    return [replace(items[0], key=key, text=text, effect_text=effect_text, covers=covers, mentions=mentions)]


def _merge_tables(tables: Mapping[int, TableBlock], messages: Messages) -> TableBlock:
    """One table for all numbers of players; a row that does not hold for all says for which."""
    merged: list[TableRow] = []
    for key in merge_orders([[row.key for row in table.rows] for _, table in sorted(tables.items(), reverse=True)]):
        counts_by_cells: dict[tuple[RichText, ...], list[int]] = {}
        rows: dict[tuple[RichText, ...], TableRow] = {}
        for count, table in sorted(tables.items()):
            for row in table.rows:
                if row.key == key:
                    counts_by_cells.setdefault(row.cells, []).append(count)
                    rows[row.cells] = row
        for cells, counts in counts_by_cells.items():
            row = rows[cells]
            if len(counts) < len(tables):
                row = _restrict_row(row, _restriction(counts, messages))
            merged.append(row if len(counts_by_cells) == 1 else replace(row, key=f"{key} {min(counts)}"))
    return replace(tables[max(tables)], rows=tuple(merged))


def merge_orders(orders: Sequence[Sequence[str]]) -> list[str]:
    """All keys: those of the first order, the others behind the key that they follow in theirs."""
    merged = list(orders[0])
    known = set(merged)
    for order in orders[1:]:
        last = -1
        for key in order:
            if key in known:
                last = merged.index(key)
            else:
                last += 1
                merged.insert(last, key)
                known.add(key)
    return merged


def _restrict(block: BookBlock, counts: Sequence[int], messages: Messages, *, is_only: bool) -> BookBlock:
    """The block, and for which numbers of players it holds. `is_only`: no other block has its key."""
    restriction = _restriction(counts, messages)
    key = block.key if is_only else f"{block.key} {min(counts)}"
    match block:
        case TextBlock():
            return replace(block, key=key, text=(restriction, *block.text))
        case Heading():
            return replace(block, key=key, text=(*block.text, TextRun(f" ({restriction.text.rstrip(' :')})")))
        case FigureBlock():
            return replace(block, key=key, caption=(restriction, *block.caption))
        case TableBlock(rows=rows):
            return replace(block, key=key, rows=tuple(_restrict_row(row, restriction) for row in rows))


def _restrict_row(row: TableRow, restriction: TextRun) -> TableRow:
    return replace(row, cells=((restriction, *row.cells[0]), *row.cells[1:]))


def _restriction(counts: Sequence[int], messages: Messages) -> TextRun:
    """For which numbers of players something holds, to come before it."""
    *others, last = map(str, counts)
    players = f"{', '.join(others)} {messages('book_or')} {last}" if others else last
    key = "book_only_with_one" if players == "1" else "book_only_with"
    return TextRun(messages(key, players=players) + " ", "em")


__all__ = ["merge_books", "merge_orders"]
