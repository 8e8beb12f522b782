"""What is known where the YAML parser gives up, and the slips that are also found where it does not.

In: a text and a place in it. Out: `Finding`s, each a slip in plain words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from rulewright.diagnostics import Code
from rulewright.source import codes

NO_BREAK_SPACES: Final = "\u00a0\u2007\u202f\u3000"
KEY_WITHOUT_SPACE: Final = re.compile(r"""(?:- +)*([\w.-]+|"[^"\n]*"|'[^'\n]*'):[^ \t\r\n]""")


@dataclass(frozen=True, slots=True)
class SyntaxProblem:
    """A slip: the characters `start` to `end`, and what to say of it."""

    code: Code
    start: int
    end: int
    message: str
    label: str = ""
    help: str = ""
    related: tuple[tuple[int, int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class YamlFailure:
    """Where and how the YAML parser gave up."""

    text: str
    offset: int  # where it could not go on
    problem: str  # in its words
    context: str  # what it was doing, in its words
    context_offset: int  # where that had begun
    last_scalar: tuple[int, int] | None  # the last scalar before, with its quotes
    open_bracket: int | None  # the innermost bracket or brace that is open

    @property
    def character(self) -> str:
        """The character where it stopped; empty at the end."""
        return self.text[self.offset : self.offset + 1]

    def line_start(self, at: int) -> int:
        """Offset of the first character of a line."""
        return self.text.rfind("\n", 0, at) + 1

    def line_end(self, at: int) -> int:
        """Offset behind the last character of a line."""
        end = self.text.find("\n", at)
        return len(self.text.rstrip()) if end < 0 else end

    def content_start(self, at: int) -> int:
        """Offset of the first character of a line that is no blank."""
        start = self.line_start(at)
        line = self.text[start : self.line_end(start)]
        return start + len(line) - len(line.lstrip(" \t"))

    def previous_offset(self) -> int:
        """Offset of the last character that is no blank, on the same line before the spot; -1 if there is none."""
        start = self.line_start(self.offset)
        cut = self.text[start : self.offset].rstrip()
        return start + len(cut) - 1 if cut else -1

    def word_end(self, at: int) -> int:
        """Offset behind the word at a spot."""
        found = re.compile(r"""[\w.-]+|"[^"\n]*"|'[^'\n]*'|[^\s]""").match(self.text, at)
        return found.end() if found else at

    def content_end(self, at: int) -> int:
        """Offset behind the last character of a line that is neither blank nor comment."""
        line = self.text[at : self.line_end(at)]
        return at + len(re.sub(r"[ \t]#.*$", "", line, flags=re.DOTALL).rstrip())

    def line_number(self, at: int) -> int:
        """A line's number, from 1."""
        return self.text.count("\n", 0, at) + 1


def no_break_space_problem(at: int) -> SyntaxProblem:
    """The complaint that what looks like indentation is none to YAML."""
    message = "a no-break blank stands in the indentation"
    advice = "type an ordinary blank in its place"
    return SyntaxProblem(codes.BAD_INDENTATION, at, at + 1, message, "looks like a blank and is none", advice)


SPECIAL_CHARACTERS: Final = {
    "@": "YAML keeps `@` for itself",
    "`": "YAML keeps the backquote for itself",
    "%": "a `%` at the start is an order to the YAML reader",
    "*": "a `*` at the start names an alias",
    "&": "an `&` at the start names an anchor",
    "!": "a `!` at the start names a tag",
    "|": "a `|` at the start opens a text over several lines",
    ">": "a `>` at the start opens a text over several lines",
    "?": "a `?` at the start opens a key of several parts",
    "[": "a `[` at the start opens a list",
    "{": "a `{` at the start opens a mapping",
    ",": "nothing stands before the comma",
}
QUOTE_VALUE_HINT: Final = "put the whole value in quotes"


def special_character_problem(text: str, at: int) -> SyntaxProblem:
    """The complaint that a character with a meaning in YAML stands at the start of unquoted text."""
    return SyntaxProblem(codes.UNQUOTED_SPECIAL, at, at + 1, SPECIAL_CHARACTERS[text[at]], "", QUOTE_VALUE_HINT)


def missing_space_problem(text: str, start: int) -> SyntaxProblem | None:
    """The complaint that a key's colon has no blank behind it, when the text at `start` looks so."""
    found = KEY_WITHOUT_SPACE.match(text, start)
    if not found:
        return None
    colon = found.end(1)
    word = re.compile(r"[^\s,\]}]{0,24}").match(text, colon + 1)
    advice = f"write `{found[1]}: {word[0]}`" if word and word[0] else "type an ordinary blank behind it"
    return SyntaxProblem(
        codes.MISSING_SPACE_AFTER_COLON,
        colon,
        colon + 1,
        f"the colon behind `{found[1]}` has no blank behind it",
        "",
        advice,
    )


def missing_colon_problem(text: str, start: int, end: int) -> SyntaxProblem:
    """The complaint that what stands there should be a key and has no colon."""
    key = text[start:end]
    shown = key if len(key) <= 24 else key[:24] + "…"
    more = text[end:].lstrip(" ")[:1] in ("{", "[")
    advice = f"write `{key}:`" if len(key) <= 24 else ""
    if not more:
        advice += f"{'; ' if advice else ''}if it continues the text above, indent it"
    return SyntaxProblem(
        codes.MISSING_COLON, start, end, f"no colon follows `{shown}`", "expected a key and a colon", advice
    )


__all__ = [
    "NO_BREAK_SPACES",
    "QUOTE_VALUE_HINT",
    "SPECIAL_CHARACTERS",
    "SyntaxProblem",
    "YamlFailure",
    "missing_colon_problem",
    "missing_space_problem",
    "no_break_space_problem",
    "special_character_problem",
]
