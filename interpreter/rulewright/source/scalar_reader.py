"""Makes scalars of what the YAML parser found: each with its value and the place of every character.

In: scalar events and the text they came from. Out: `Scalar`s, `Broken` ones after a complaint.
"""

from __future__ import annotations

import re
from typing import Final

import yaml

from rulewright.diagnostics import Code, Diagnostics, SourceFile, Span
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

NODE_PROPERTY: Final = re.compile(r"([&!])[^\s,\[\]{}]*[ \t]*")
COMMENT: Final = re.compile(r"([ \t]+)(#+.?)")


def start_offset(event: yaml.Event) -> int:
    """Offset of an event's first character."""
    assert event.start_mark is not None
    return event.start_mark.index


def end_offset(event: yaml.Event) -> int:
    """Offset behind an event's last character."""
    assert event.end_mark is not None
    return event.end_mark.index


class ScalarReader:
    """Reads the scalars of one file, and remembers the last and those that hold line breaks."""

    def __init__(self, source: SourceFile, diagnostics: Diagnostics) -> None:
        self.source = source
        self.text = source.text
        self.report = diagnostics
        self.last_range: tuple[int, int] | None = None
        self.multiline_ranges: list[
            tuple[int, int]
        ] = []  # quoted and block scalars over several lines: their tabs are text

    def add(self, start: int, end: int, code: Code, message: str, *, label: str = "", help: str = "") -> None:
        """Notes a complaint about characters `start` to `end`."""
        self.report.add(Span(self.source, start, end), code, message, label=label, help=help)

    def read(self, event: yaml.ScalarEvent) -> ScalarNode:
        """The scalar of an event; a `Broken` one after a complaint about it."""
        first, behind = event.start_mark, event.end_mark
        assert first is not None
        assert behind is not None
        start, end = first.index, behind.index
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
        if value and self.text[end : end + 1] in (" ", "\t"):
            self._cut_by_comment(end, value)
        if self.text[start:end] != value:
            return self._retraced(start, end, "", value)
        span = Span(self.source, start, end)
        kind = scalar_kind(value)
        if kind is None:
            return ScalarNode(value, value, span)
        wrong = find_scalar_problem(kind, value)
        if wrong is not None:
            self.report.add(span, wrong.code, wrong.message, help=wrong.help)
            return ErrorNode(value, value, span)
        return ScalarNode(scalar_value(kind, value), value, span)

    def _retraced(self, start: int, end: int, style: str, value: str) -> ScalarNode:
        """A scalar whose value is not word for word what stands in the file."""
        if style and "\n" in self.text[start:end]:
            self.multiline_ranges.append((start, end))
        if not value:
            inner = (start + 1, end - 1) if style in ('"', "'") else (start, start + 1)
            return ScalarNode("", "", Span(self.source, *inner), (inner[0],))
        spots = character_offsets(self.text, start, end, style, value) or (start,) * (len(value) + 1)
        last = spots[max(len(value.rstrip("\n")), 1) - 1] + 1
        span = Span(self.source, spots[0], max(last, spots[0]))
        unseen = INVISIBLE_CHARACTER.search(value) or ("\r" in value and re.search("\r", value))
        if unseen:
            place = spots[unseen.start()]
            message = f"the unseen character U+{ord(unseen[0]):04X} is written here as an escape"
            self.add(place, place + 2, codes.CONTROL_CHARACTER, message, help="take it out")
            return ErrorNode(value, value, span, spots)
        return ScalarNode(value, value, span, spots)

    def _cut_by_comment(self, end: int, value: str) -> None:
        found = COMMENT.match(self.text, end)
        if not found:
            return
        sign = found[2]
        # one blank, one #, and a word right behind it: `Card #3`. A comment has a blank behind its #.
        if (len(found[1]) == 1 and len(sign) == 2 and sign[1].isalnum()) or is_incomplete(value):
            help = "put the value in quotes to keep what follows; a comment is written with blanks around its #"
            at = found.start(2)
            message = "a blank and a # end the value here, and it seems unfinished"
            self.add(at, at + 1, codes.CUT_BY_COMMENT, message, label="a comment from here on", help=help)

    def reject_alias(self, event: yaml.AliasEvent) -> ScalarNode:
        """Complains of an alias."""
        start, end = start_offset(event), end_offset(event)
        shown = self.text[start:end]
        message = f"`{shown}` stands for a value written elsewhere"
        help = "write the value out; if it is text, put it in quotes"
        self.add(start, end, codes.YAML_ANCHOR, message, label="alias", help=help)
        return ErrorNode(shown, shown, Span(self.source, start, end))

    def skip_properties(self, at: int, end: int) -> int:
        """Complains of an anchor and of a tag before a value; gives where the value itself begins."""
        while found := NODE_PROPERTY.match(self.text, at):
            shown = found[0].rstrip()
            if found[1] == "&":
                code, message = codes.YAML_ANCHOR, f"`{shown}` gives the value a name for use elsewhere"
                help = "write values out where they are used; if it is text, put it in quotes"
            else:
                code, message = codes.YAML_TAG, f"`{shown}` tells the YAML reader a type"
                help = "take it out; if it is text, put it in quotes"
            self.add(at, at + len(shown), code, message, help=help)
            at = found.end()
        return min(at, end)


__all__ = ["ScalarReader", "end_offset", "start_offset"]
