"""Reads the scalars of a file: each with its value and the offset of every character.

In: the YAML parser's scalar events, and the text they came from. Out: `ScalarNode`s, or an `ErrorNode` for one that has
been reported.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from rulewright import limits
from rulewright.diagnostics import Code, Diagnostics, SourceFile, Span
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source import codes
from rulewright.source.nodes import ScalarNode
from rulewright.source.plain_scalars import (
    INVISIBLE_CHARACTER,
    ErrorNode,
    find_scalar_problem,
    is_incomplete,
    scalar_kind,
    scalar_value,
)
from rulewright.source.scalar_offsets import character_offsets

if TYPE_CHECKING:
    import yaml

NEGATION: Final = lazy_pattern(r"![a-z(][^\s]*")  # as other languages write it
NODE_PROPERTY: Final = lazy_pattern(r"([&!])[^\s,\[\]{}]*[ \t]*")
NUMBER_BEFORE_COMMA: Final = lazy_pattern(r"\{[^\[\]{}]*\b[0-9]{1,3},$")
DIGITS_IN_GROUP: Final = 3
KEY_BEFORE: Final = lazy_pattern(r"([a-z_]{1,40}):[ \t]*$")  # the key of a value on the same line
OPENING_BRACKETS: Final = {"]": "[", "}": "{"}
END_OF_LIST: Final = lazy_pattern(r"\w[^\s,]*(?:\s*,\s*\w[^\s,]*)*[\]}]")  # a sentence may end with a bracket
SENTENCE_KEY: Final = lazy_pattern(r"\b(text|why|title|[a-z]{2}|[a-z_]+(?:\.[a-z0-9_]+)+):[ \t]*$")
KEYS_LIKE_LANGUAGES: Final = frozenset({"to", "is", "do", "at", "as", "by"})
DANGLING_WORD: Final = lazy_pattern(
    r"\b(?i:the|a|an|of|no|nr|and|or|with|by|to|from|in|le|la|les|un|une|des|de|du|et|ou|au|aux|n°)\Z"
)
NUMBERED: Final = lazy_pattern(r"#[ \t]+(?:[0-9]|(?:of|de|du|des)\b)")
COMMENT: Final = lazy_pattern(r"([ \t]+)(#+.?)")


def start_offset(event: yaml.Event) -> int:
    """Offset of an event's first character."""
    assert event.start_mark is not None
    return event.start_mark.index


def end_offset(event: yaml.Event) -> int:
    """Offset after an event's last character."""
    assert event.end_mark is not None
    return event.end_mark.index


class ScalarReader:
    """Reads the scalars of one file; remembers the range of the last one and of those with line breaks."""

    def __init__(self, source: SourceFile, diagnostics: Diagnostics) -> None:
        self.source = source
        self.text = source.text
        self.diagnostics = diagnostics
        self.last_range: tuple[int, int] | None = None
        # quoted and block scalars over several lines: their tabs are text
        self.multiline_ranges: list[tuple[int, int]] = []

    def add(self, start: int, end: int, code: Code, message: str, *, label: str = "", help: str = "") -> None:
        """Collects a diagnostic about characters `start` to `end`."""
        self.diagnostics.add(Span(self.source, start, end), code, message, label=label, help=help)

    def read(self, event: yaml.ScalarEvent) -> ScalarNode:
        """The scalar of an event; an `ErrorNode` when it has been reported."""
        start_mark, end_mark = event.start_mark, event.end_mark
        assert start_mark is not None
        assert end_mark is not None
        start, end = start_mark.index, end_mark.index
        value, style = event.value, event.style
        if event.anchor is not None or event.tag is not None:
            start = self.skip_properties(start, end)
            if event.tag is not None:
                return ErrorNode(value, value, Span(self.source, start, end))
        self.last_range = (start, end)
        if style:
            if (style == '"' or style == "'") and self.text[start + 1 : end - 1] == value:
                return ScalarNode(value, value, Span(self.source, start + 1, end - 1))
            return self._retraced(start, end, style, value)
        if value[-1:] in OPENING_BRACKETS and END_OF_LIST.fullmatch(value) and self._closes_nothing(start, end):
            self._reject_closing_bracket(end, value)
            return ErrorNode(value, value, Span(self.source, start, end))
        if value and self.text[end : end + 1] in (" ", "\t"):
            self._cut_by_comment(start, end, value)
        if self.text[start:end] != value:
            return self._retraced(start, end, "", value)
        span = Span(self.source, start, end)
        kind = scalar_kind(value)
        if kind is None:
            return ScalarNode(value, value, span)
        key = KEY_BEFORE.search(self.text, max(0, start - 60), start)
        problem = find_scalar_problem(kind, value, key[1] if key else "")
        if problem is not None and len(value) == DIGITS_IN_GROUP and self._continues_number(start):
            return ScalarNode(value, value, span)  # the comma before is reported
        if problem is not None:
            self.diagnostics.add(span, problem.code, problem.message, help=problem.help)
            return ErrorNode(value, value, span)
        return ScalarNode(scalar_value(kind, value), value, span)

    def _retraced(self, start: int, end: int, style: str, value: str) -> ScalarNode:
        """A scalar whose value differs from its source text: escapes, folded lines."""
        if style and "\n" in self.text[start:end]:
            self.multiline_ranges.append((start, end))
        if not value:
            inner = (start + 1, end - 1) if style in ('"', "'") else (start, start + 1)
            return ScalarNode("", "", Span(self.source, *inner), (inner[0],))
        offsets = character_offsets(self.text, start, end, style, value) or (start,) * (len(value) + 1)
        last_end = offsets[max(len(value.rstrip("\n")), 1) - 1] + 1
        span = Span(self.source, offsets[0], max(last_end, offsets[0]))
        invisible = INVISIBLE_CHARACTER.search(value) or ("\r" in value and re.search("\r", value))
        if invisible:
            offset = offsets[invisible.start()]
            message = f"escape for the invisible character U+{ord(invisible[0]):04X}"
            self.add(offset, offset + 2, codes.CONTROL_CHARACTER, message, help="remove it")
            return ErrorNode(value, value, span, offsets)
        return ScalarNode(value, value, span, offsets)

    def _continues_number(self, start: int) -> bool:
        """Whether a value in braces is the rest of a number with a comma in it, such as `1,000`."""
        return NUMBER_BEFORE_COMMA.search(self.text, self.text.rfind("\n", 0, start) + 1, start) is not None

    def _closes_nothing(self, start: int, end: int) -> bool:
        """Whether a bracket at the end of a value is open neither in it nor before it on its line."""
        opening = OPENING_BRACKETS[self.text[end - 1]]
        return opening not in self.text[self.text.rfind("\n", 0, start) + 1 : end]

    def _reject_closing_bracket(self, end: int, value: str) -> None:
        closing, opening = value[-1], OPENING_BRACKETS[value[-1]]
        message = f"unmatched `{closing}`: no `{opening}` is open"
        is_short = len(value) <= limits.MAX_QUOTED_IN_HINT and "\n" not in value
        hint = f"write `{opening}{value}`, or leave out the `{closing}`" if is_short else "remove it"
        self.add(end - 1, end, codes.UNBALANCED_BRACKET, message, help=hint)

    def _cut_by_comment(self, start: int, end: int, value: str) -> None:
        match = COMMENT.match(self.text, end)
        if not match:
            return
        marker = match[2]
        # one space, one #, and a word right after it: `Card #3`. A comment has a space after its #.
        is_joined = len(match[1]) == 1 and len(marker) == 2 and marker[1].isalnum()
        if is_joined or is_incomplete(value) or (match[1] == " " and self._goes_on(start, value, match.start(2))):
            hint = "put the value in quotes to keep what follows; a comment has two spaces before its #"
            offset = match.start(2)
            message = "a space and a # end this value, which seems incomplete"
            self.add(offset, offset + 1, codes.CUT_BY_COMMENT, message, label="comment from here on", help=hint)

    def _goes_on(self, start: int, value: str, comment: int) -> bool:
        """Whether a comment seems to be the rest of the sentence that is the value: `Take tile # 1 of them.`"""
        key = SENTENCE_KEY.search(self.text, max(0, start - 80), start)
        if key is None or key[1] in KEYS_LIKE_LANGUAGES:
            return False
        return DANGLING_WORD.search(value) is not None or NUMBERED.match(self.text, comment) is not None

    def reject_alias(self, event: yaml.AliasEvent) -> ScalarNode:
        """Reports an alias."""
        start, end = start_offset(event), end_offset(event)
        shown = self.text[start:end]
        message = f"YAML aliases are not supported: `{shown}`"
        hint = "write the value out; if it is text, put it in quotes"
        self.add(start, end, codes.YAML_ANCHOR, message, label="alias", help=hint)
        return ErrorNode(shown, shown, Span(self.source, start, end))

    def skip_properties(self, offset: int, end: int) -> int:
        """Reports anchors and tags before a value; returns where the value itself begins."""
        while match := NODE_PROPERTY.match(self.text, offset):
            shown = match[0].rstrip()
            if match[1] == "&":
                code, message = codes.YAML_ANCHOR, f"YAML anchors are not supported: `{shown}`"
                hint = "write each value out where it is used; if it is text, put it in quotes"
            else:
                code, message = codes.YAML_TAG, f"YAML tags are not supported: `{shown}`"
                hint = "remove it; if it is text, put it in quotes"
                if NEGATION.fullmatch(shown):
                    hint = f"`not` is a word: write `not {shown[1:]}`"
            self.add(offset, offset + len(shown), code, message, help=hint)
            offset = match.end()
            if self.diagnostics.error_count > limits.MAX_TEXT_ERRORS:
                break
        return min(offset, end)


__all__ = ["ScalarReader", "end_offset", "start_offset"]
