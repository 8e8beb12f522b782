"""Commas that cut a value, and keys that lack their colon: in `{is: min(a, b)}` YAML sees the value `min(a` and the key
`b)` without a value.

In: the nodes between braces or brackets as the parser gives them. Out: nodes with the values that were meant, and what
is wrong, each time once.
"""

from __future__ import annotations

import re
from typing import Final

from rulewright import limits
from rulewright.diagnostics import Cause, Span
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source import codes
from rulewright.source.nodes import Entry, Node, ScalarNode
from rulewright.source.plain_scalars import ErrorNode
from rulewright.source.syntax_reporter import SyntaxReporter
from rulewright.source.yaml_failure import (
    TextCorrection,
    missing_key_problem,
    missing_space_problem,
    special_character_problem,
)

# `order shuffled` behind a value of one word: a key without its colon
_JOINING: Final = r"(?!(?:is|in|to|of|and|or|but|not)\b)"
KEY_WITHOUT_COLON: Final = lazy_pattern(
    rf"[a-z0-9_.]+(?:\([^()]*\))?,\s*{_JOINING}([a-z_]{{2,}})\s+{_JOINING}([^,]+)\Z"
)
LANGUAGE_BEFORE: Final = r"[{,]\s*[a-z]{2}:\s*\Z"  # like the next, compiled where a value is wrong
LANGUAGE_WITHOUT_COLON: Final = r".*,\s*(de|en|es|fr|nl|pl|pt)\s+([^,]+)\Z"  # those that are no words
# by what stands before a value: what shows that a key of the language follows it, though its colon is missing
KEYS_WITHOUT_COLON: Final = (
    (LANGUAGE_BEFORE, LANGUAGE_WITHOUT_COLON),
    (r"\b(?:set|roll|move|from|reveal):\s*\Z", r"[^,]*,\s*(to|from|weights)\s+(.+)\Z"),
    ("", r"[^,]*,\s*(end_game|winners|if_unable|extra_turn|seen_by|at_most|for_each|one_of|some_of)\s+([^,]+)\Z"),
)
COUNTED_WITHOUT_COLON: Final = r"([a-z][a-z0-9_]*)\s+(-?[0-9]+)"
QUOTED_WITHOUT_COLON: Final = rf"{_JOINING}([a-z_]{{2,}})\s+(.+)"  # behind a value in quotes
KEY_BEHIND_COMMA: Final = lazy_pattern(r"[^{},\n]*\s[^{},\n]*,\s*[a-z_]+:\s")  # behind more than one word
GROUPED_NUMBER: Final = lazy_pattern(r"[0-9]{1,3}(?:,[0-9]{3})+")
IN_PRINT_QUOTES: Final = lazy_pattern(r"[“„«]\s*([^“”„«»\"]*?)\s*[”“»]")
NAMES: Final = lazy_pattern(r"[a-z][a-z0-9_]*(?:, [a-z][a-z0-9_]*)+")
ASSIGNED_WORD: Final = lazy_pattern(r",\s*([a-z_]+) *= *([^\s=,][^=,]*)\Z")
SENTENCE_BEHIND_COMMA: Final = lazy_pattern(r", [^,]*\w \w[^,:]*[.!?…]$")  # no key and its value
TRAILING_WORD: Final = lazy_pattern(r",\s*([a-z_]+)(?:\s[^,]*)?\Z")


class CutValues:
    """Puts together again what commas have cut in one file."""

    def __init__(self, report: SyntaxReporter) -> None:
        self.report = report
        self.text = report.source.text

    def key_without_colon(
        self, start: int, entries: list[Entry], cut_values: dict[int, int], key: ScalarNode, key_end: int
    ) -> bool:
        """Reports a key inside braces without colon and value; True when the braces were meant as text."""
        problem = missing_space_problem(self.text, key.span.start)
        if problem:
            self.report.add_problem(problem)
        elif not entries and (counted := re.fullmatch(COUNTED_WITHOUT_COLON, key.text)):
            self._add_missing_colon(key.span.start, counted)
            return True
        elif not entries:
            is_cut = KEY_BEHIND_COMMA.match(self.text, key.span.start) is not None
            self.report.add_problem(
                missing_key_problem(self.text, key.span.start, key_end)
                if is_cut
                else special_character_problem(self.text, start)
            )
            return True
        elif self._is_plain(entries[-1].value):
            cut_values[len(entries) - 1] = key_end
        elif keyless := re.fullmatch(QUOTED_WITHOUT_COLON, key.text):
            self._add_missing_colon(key.span.start, keyless)
        else:
            hint = "write a colon and a value after it, or put text with commas in quotes"
            self.report.add(
                key.span.start, key.span.end, codes.EMPTY_VALUE, f"missing value for `{key.text}`", help=hint
            )
        return False

    def _add_missing_colon(self, start: int, keyless: re.Match[str], otherwise: str = "") -> None:
        """Reports a key and its value, the groups of a match, without a colon. `start`: where the match begins."""
        key, value = keyless.groups()
        hint = f"write `{key}: {value}`{otherwise}"
        begin, end = start + keyless.start(1), start + keyless.end(1)
        self.report.add(begin, end, codes.MISSING_COLON, f"missing colon after `{key}`", help=hint)

    def join_items(self, items: list[Node]) -> list[Node]:
        """Joins items of a list in brackets that were cut by commas inside parentheses."""
        joined: list[Node] = []
        parts: list[Node] = []  # of one value, while its parentheses are open
        depth = 0
        for item in items:
            text = item.text if isinstance(item, ScalarNode) and self._is_plain(item) else ""
            depth += text.count("(") - text.count(")")
            parts.append(item)
            if depth <= 0 or not text:
                joined.append(self.joined_value(parts[0], parts[-1].span.end))
                parts, depth = [], 0
        if parts:
            joined.append(self.joined_value(parts[0], parts[-1].span.end))
        return joined

    def _is_plain(self, node: Node) -> bool:
        return isinstance(node, ScalarNode) and bool(node.text) and self.text[node.span.start - 1] not in "\"'"

    def joined_value(self, first: Node, end: int) -> Node:
        """A value that continues to `end` after commas; reports the first of them, if there is one."""
        if end <= first.span.end:
            return first
        comma = self.text.index(",", first.span.end)
        whole = self.text[first.span.start : end]
        keyless = self._key_without_colon_in(whole, first.span.start)
        if keyless is not None:
            self._add_missing_colon(first.span.start, keyless, "; if it is part of the value before, quote that")
            return first
        self._report_comma(comma, first.span.start, whole)
        return ErrorNode(whole, whole, Span(self.report.source, first.span.start, end))

    def _key_without_colon_in(self, whole: str, start: int) -> re.Match[str] | None:
        """The key and its value that follow a comma in a text which starts somewhere, if that lacks a colon."""
        keyless = KEY_WITHOUT_COLON.fullmatch(whole)
        text_before = self.text[max(0, start - limits.MAX_QUOTED_EXPRESSION) : start]
        for before, pattern in KEYS_WITHOUT_COLON if keyless is None else ():
            if re.search(before, text_before):
                keyless = keyless or re.fullmatch(pattern, whole)
        return keyless

    def _report_comma(self, comma: int, start: int, whole: str) -> None:
        """Reports the comma that ends a value. `whole`: the text from the `start` of the value to its real end."""
        quoted = " ".join(whole.split())
        hint = f'write `"{quoted}"`' if '"' not in quoted and len(quoted) < limits.MAX_QUOTED_EXPRESSION else ""
        is_sentence = SENTENCE_BEHIND_COMMA.search(quoted) is not None
        message = f"a comma ends the value here; quote the {'sentence' if is_sentence else 'expression'}"
        if GROUPED_NUMBER.fullmatch(quoted):
            hint = f"a number has no commas: write `{quoted.replace(',', '')}`"
            self.report.add(comma, comma + 1, codes.COMMA_ENDS_VALUE, "a comma ends the number here", help=hint)
            return
        in_print = IN_PRINT_QUOTES.fullmatch(quoted) if hint else None
        if in_print is not None:
            message = "a comma ends the value here"
            hint = f'these are quotation marks of print; write `"{in_print[1]}"`'
        key = TRAILING_WORD.search(whole) if in_print is None and not is_sentence else None
        before = whole[: key.start()] if key else ""
        replacement, cause = None, None
        if hint and NAMES.fullmatch(quoted):
            message, hint = "a comma ends the value here", f"write `[{quoted}]` for a list of names"
        assigned = ASSIGNED_WORD.search(whole) if key else None
        if assigned is not None and before.count("(") == before.count(")"):
            message = "a comma ends the value here"
            hint = f"write `{assigned[1]}: {assigned[2]}`, with a colon"
        elif hint and key and before.count("(") == before.count(")"):
            hint += f"; or `{key[1]}: …`, if that is a key"
            cause = Cause("cut key", key[1])
        elif hint and "\n" not in whole and "\\" not in whole:
            text = whole if in_print is None else in_print[1]
            replacement = TextCorrection(start, start + len(whole), f'"{text}"')
        self.report.add(
            comma, comma + 1, codes.COMMA_ENDS_VALUE, message, help=hint, replacement=replacement, cause=cause
        )


__all__ = ["CutValues"]
