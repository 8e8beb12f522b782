"""One book for all numbers of players: what is the same for all stands once, what is not says for how many it holds.

In: a book for each number of players. Out: one book.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

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
)
from rulewright.wording.phrases import Says


def merge_books(books: Mapping[int, Rulebook], words: Says) -> Rulebook:
    """The book that leads is that for most players; the others add what they say otherwise."""
    leading = books[max(books)]
    if len(books) == 1:
        return leading
    order = merge_orders([[block.key for block in book.blocks] for _, book in sorted(books.items(), reverse=True)])
    by_key = {count: {block.key: block for block in book.blocks} for count, book in sorted(books.items())}
    found: list[BookBlock] = []
    for key in order:
        sorts: dict[BookBlock, list[int]] = {}
        for count, blocks in by_key.items():
            block = blocks.get(key)
            if block is not None:
                sorts.setdefault(block, []).append(count)
        whole = sum(len(counts) for counts in sorts.values()) == len(books)
        if whole and (len(sorts) == 1 or all(isinstance(one, Heading | FigureBlock) for one in sorts)):
            found.append(next(block for block, counts in sorts.items() if max(books) in counts))
            continue
        tables = {count: one for one, counts in sorts.items() for count in counts if isinstance(one, TableBlock)}
        if whole and len(tables) == len(books) and len({one.header for one in tables.values()}) == 1:
            found.append(_table(tables, words))
            continue
        for block, counts in sorts.items():
            found.append(_only(block, counts, words, alone=len(sorts) == 1))
    return replace(leading, blocks=tuple(found))


def _table(tables: Mapping[int, TableBlock], words: Says) -> TableBlock:
    """One table for all numbers of players; a row says for which it holds, where that is not for all."""
    rows: list[TableRow] = []
    for key in merge_orders([[row.key for row in table.rows] for _, table in sorted(tables.items(), reverse=True)]):
        sorts: dict[tuple[RichText, ...], list[int]] = {}
        kept: dict[tuple[RichText, ...], TableRow] = {}
        for count, table in sorted(tables.items()):
            for row in table.rows:
                if row.key == key:
                    sorts.setdefault(row.cells, []).append(count)
                    kept[row.cells] = row
        for cells, counts in sorts.items():
            row = kept[cells]
            if len(counts) < len(tables):
                mark = TextRun(words("book_only_with", players=_listed(counts, words)) + " ", "em")
                row = replace(row, cells=((mark, *cells[0]), *cells[1:]))
            rows.append(row if len(sorts) == 1 else replace(row, key=f"{key} {min(counts)}"))
    return replace(tables[max(tables)], rows=tuple(rows))


def merge_orders(orders: Sequence[Sequence[str]]) -> list[str]:
    """All keys: those of the first order, others behind what they follow in theirs."""
    found = list(orders[0])
    known = set(found)
    for order in orders[1:]:
        last = -1
        for key in order:
            if key in known:
                last = found.index(key)
            else:
                last += 1
                found.insert(last, key)
                known.add(key)
    return found


def _only(block: BookBlock, counts: Sequence[int], words: Says, *, alone: bool) -> BookBlock:
    named = words("book_only_with", players=_listed(counts, words))
    mark = TextRun(named + " ", "em")
    key = block.key if alone else f"{block.key} {min(counts)}"
    match block:
        case TextBlock():
            return replace(block, key=key, text=(mark, *block.text))
        case Heading():
            return replace(block, key=key, text=(*block.text, TextRun(f" ({named.rstrip(':')})")))
        case FigureBlock():
            return replace(block, key=key, caption=(mark, *block.caption))
        case TableBlock(rows=rows):
            return replace(block, key=key, rows=tuple(_row(row, mark) for row in rows))


def _row(row: TableRow, mark: TextRun) -> TableRow:
    return replace(row, cells=((mark, *row.cells[0]), *row.cells[1:]))


def _listed(counts: Sequence[int], words: Says) -> str:
    told = [str(one) for one in counts]
    return told[0] if len(told) == 1 else f"{', '.join(told[:-1])} {words('book_or')} {told[-1]}"


__all__ = ["merge_books", "merge_orders"]
