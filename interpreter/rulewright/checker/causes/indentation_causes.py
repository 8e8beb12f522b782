"""Lines that should have been indented: which key above them is the cause.

In: keys without a value, as they were reported, with the text of their file. Out: the lines below them that belong to
them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeAlias

from rulewright.diagnostics import Diagnostic, Span
from rulewright.source.codes import EMPTY_VALUE

LineKey: TypeAlias = tuple[str, int]  # a file, and a line from 1


def line_key(span: Span) -> LineKey:
    """The line of a span."""
    return span.source.path, span.line


def line_text(span: Span) -> str:
    """The text of that line."""
    return span.source.line_text(span.line)


def unindented_lines(diagnostics: Sequence[Diagnostic], misplaced: Collection[LineKey]) -> dict[LineKey, Diagnostic]:
    """By file and line: the `misplaced` keys that stand below a key without a value, which they belong to."""
    found = dict[LineKey, Diagnostic]()
    for empty in diagnostics if misplaced else ():
        if empty.code is not EMPTY_VALUE:
            continue
        path, text = empty.span.source.path, empty.span.source.text.split("\n")
        depth = indentation(text[empty.span.line - 1])
        entry = list[int]()  # the lines of a key at that depth and of what is below it
        for number, line in enumerate([*text[empty.span.line :], ""], empty.span.line + 1):
            is_last = number > len(text)
            if not is_last and _is_blank(line):
                continue
            if is_last or indentation(line) <= depth:
                wrong = [(path, each) for each in entry if (path, each) in misplaced]
                if entry and not wrong:
                    break
                found.update(dict.fromkeys(wrong, empty))
                entry = []
                if indentation(line) < depth:
                    break
            entry.append(number)
    return found


def is_dedented(empty: Diagnostic) -> bool:
    """Whether the line after a key without a value is as deep, and begins a block: it should have been indented."""
    below = [line for line in empty.span.source.text.split("\n")[empty.span.line :] if line.strip()][:2]
    depth = empty.span.column - 1
    return len(below) > 1 and indentation(below[0]) == depth and indentation(below[1]) > depth + 2


def line_after_unindented(empty: Diagnostic) -> LineKey | None:
    """Of a key without a value: the first line that is indented more, if what is above it should be, too."""
    text, number = empty.span.source.text.split("\n"), empty.span.line
    depth, between = empty.span.column - 1, 0
    for line in text[number:]:
        number += 1
        if _is_blank(line):
            continue
        if indentation(line) != depth:
            return (empty.span.source.path, number) if between and indentation(line) > depth else None
        between += 1
    return None


def is_in_block_of(later: Span, key: Span) -> bool:
    """Whether a place is in the mapping that a key holds: on its line behind it, or indented more in all lines from
    it on.
    """
    if later.source is not key.source or later.start < key.start:
        return False
    if later.line == key.line:
        return True
    lines = later.source.text.split("\n")[key.line : later.line]
    depth = indentation(line_text(key))
    return all(indentation(line) > depth for line in lines if not _is_blank(line))


def is_in_list_of(later: Span, item: Span) -> bool:
    """Whether a place is in the list of an item above it: no line between is indented less."""
    if later.source is not item.source or later.start < item.start:
        return False
    lines = later.source.text.split("\n")[item.line - 1 : later.line]
    return all(indentation(line) >= item.column - 1 for line in lines if not _is_blank(line))


def indentation(line: str) -> int:
    """How many spaces a line begins with."""
    return len(line) - len(line.lstrip(" "))


def _is_blank(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")


__all__ = [
    "LineKey",
    "indentation",
    "is_dedented",
    "is_in_block_of",
    "is_in_list_of",
    "line_after_unindented",
    "line_key",
    "line_text",
    "unindented_lines",
]
