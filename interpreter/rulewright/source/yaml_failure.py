"""Where the YAML parser gave up, and the syntax problems that are also found where it did not.

In: a text and an offset in it. Out: `SyntaxProblem`s, each a mistake in plain words.
"""

from __future__ import annotations

import re
from typing import Final

from rulewright import limits
from rulewright.diagnostics import Code, Fix, SourceFile, Span
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source import codes

NO_BREAK_SPACES: Final = "\u00a0\u2007\u202f\u3000"
CONFLICT_MARKER: Final = lazy_pattern(r"<{7}|={7}|>{7}")
FULL_WIDTH_COLON: Final = lazy_pattern(r"([a-z_][a-z0-9_.-]*) *\uff1a *(?=\S)")
LONE_WORD: Final = lazy_pattern(r"[a-z][a-z0-9_]*")
KEY_ON_NEXT_LINE: Final = lazy_pattern(r"[ \t]*(?:#[^\n]*)?\r?\n( *)[a-z][a-z0-9_.]*:(?=\s)")
FOREIGN_COMMENT: Final = lazy_pattern(r"(//+|/\*+)([^\n]*)")
OWN_COMMENT: Final = lazy_pattern(r"[ \t]#")
KEY_AND_VALUE: Final = lazy_pattern(r"([a-z][a-z0-9_]*) +([^\s.,;:!?]+)")  # two words, no sentence
SIGN_FOR_COLON: Final = lazy_pattern(r"([a-z_][a-z0-9_]*)(?: +:|:| *=) *(?=[^\s=])")
KEY_WITHOUT_SPACE: Final = lazy_pattern(r"""(?:- +)*([\w.-]+|"[^"\n]*"|'[^'\n]*'):[^ \t\r\n]""")


@frozen
class TextCorrection:
    """Characters `start` to `end` of a file, and what is to be written instead."""

    start: int
    end: int
    text: str


@frozen
class SyntaxProblem:
    """A mistake in characters `start` to `end`, and the message about it."""

    code: Code
    start: int
    end: int
    message: str
    label: str = ""
    help: str = ""
    related: tuple[tuple[int, int, str], ...] = ()
    replacement: TextCorrection | None = None  # what is certainly meant

    def fix(self, source: SourceFile) -> Fix | None:
        """What is certainly meant, in the file that has the mistake."""
        new = self.replacement
        return None if new is None else Fix(Span(source, new.start, new.end), new.text)


@frozen
class YamlFailure:
    """Where and how the YAML parser gave up."""

    text: str
    offset: int  # where it could not continue
    problem: str  # in its own words
    context: str  # what it was parsing, in its own words
    context_offset: int  # where that began
    last_scalar: tuple[int, int] | None  # the last scalar before, with its quotes
    open_bracket: int | None  # offset of the innermost open bracket or brace

    @property
    def character(self) -> str:
        """The character where it stopped; empty at the end."""
        return self.text[self.offset : self.offset + 1]

    def line_start(self, offset: int) -> int:
        """Offset of the first character of a line."""
        return self.text.rfind("\n", 0, offset) + 1

    def line_end(self, offset: int) -> int:
        """Offset after the last character of a line."""
        end = self.text.find("\n", offset)
        return len(self.text.rstrip()) if end < 0 else end

    def content_start(self, offset: int) -> int:
        """Offset of the first character of a line that is not a space or tab."""
        start = self.line_start(offset)
        line = self.text[start : self.line_end(start)]
        return start + len(line) - len(line.lstrip(" \t"))

    def previous_offset(self) -> int:
        """Offset of the last non-space character before the failure, on its line; -1 if there is none."""
        start = self.line_start(self.offset)
        before = self.text[start : self.offset].rstrip()
        return start + len(before) - 1 if before else -1

    def word_end(self, offset: int) -> int:
        """Offset after the word at an offset."""
        match = re.compile(r"""[\w.-]+|"[^"\n]*"|'[^'\n]*'|[^\s]""").match(self.text, offset)
        return match.end() if match else offset

    def content_end(self, offset: int) -> int:
        """Offset after the last character of a line that is neither space nor comment."""
        line = self.text[offset : self.line_end(offset)]
        return offset + len(re.sub(r"[ \t]#.*$", "", line, flags=re.DOTALL).rstrip())

    def line_number(self, offset: int) -> int:
        """A line's number, from 1."""
        return self.text.count("\n", 0, offset) + 1


def no_break_space_problem(offset: int) -> SyntaxProblem:
    """Indentation that only looks like it: a space that YAML does not count as one."""
    message = "no-break space in the indentation"
    hint = "replace it with an ordinary space"
    return SyntaxProblem(codes.BAD_INDENTATION, offset, offset + 1, message, "looks like a space but is not", hint)


SPECIAL_CHARACTERS: Final = {
    "@": "`@` is reserved by YAML",
    "`": "the backquote is reserved by YAML",
    "%": "a `%` at the start is a YAML directive",
    "*": "a `*` at the start is a YAML alias",
    "&": "an `&` at the start is a YAML anchor",
    "!": "a `!` at the start is a YAML tag",
    "|": "a `|` at the start begins a multi-line text",
    ">": "a `>` at the start begins a multi-line text",
    "?": "a `?` at the start begins a complex key",
    "[": "a `[` at the start begins a list",
    "{": "a `{` at the start begins a mapping",
    ",": "nothing before the comma",
}
BRACED_NAMES: Final = lazy_pattern(r"\{ *([a-z][a-z0-9_]*(?:, *[a-z][a-z0-9_]*)*) *\} *(?=[,}\]\n]|$)")
FENCE: Final = "```"
OPENING_BRACKETS: Final = {"]": "[", "}": "{"}
QUOTE_VALUE_HINT: Final = "put the whole value in quotes"


def special_character_problem(text: str, offset: int) -> SyntaxProblem:
    """Unquoted text that begins with a character that has a meaning in YAML."""
    if text.startswith(FENCE, offset):
        message, hint = "this is a fence of Markdown", "remove it, and the one at the end"
        return SyntaxProblem(codes.UNQUOTED_SPECIAL, offset, offset + len(FENCE), message, "", hint)
    names = BRACED_NAMES.match(text, offset)
    hint = QUOTE_VALUE_HINT if names is None else f"for a list, write `[{names[1]}]`; else {QUOTE_VALUE_HINT}"
    return SyntaxProblem(codes.UNQUOTED_SPECIAL, offset, offset + 1, SPECIAL_CHARACTERS[text[offset]], "", hint)


def missing_space_problem(text: str, start: int) -> SyntaxProblem | None:
    """A key without a space after its colon, when the text at `start` looks like one; else None."""
    match = KEY_WITHOUT_SPACE.match(text, start)
    if not match:
        return None
    colon = match.end(1)
    word = re.compile(rf"[^\s,\]}}]{{0,{limits.MAX_QUOTED_WORD}}}").match(text, colon + 1)
    hint = f"write `{match[1]}: {word[0]}`" if word and word[0] else "add a space after it"
    is_other_space = text[colon + 1] in NO_BREAK_SPACES
    return SyntaxProblem(
        codes.MISSING_SPACE_AFTER_COLON,
        colon,
        colon + 1,
        f"missing space after `{match[1]}:`",
        "",
        hint,
        replacement=TextCorrection(colon + 1, colon + 1 + is_other_space, " "),
    )


def foreign_comment_problem(text: str, start: int) -> SyntaxProblem | None:
    """What stands at `start`, if it is a comment in other languages, to the end of its line."""
    comment = FOREIGN_COMMENT.match(text, start)
    if comment is None:
        return None
    own = OWN_COMMENT.search(comment[2])
    words = comment[2][: own.start() if own is not None else None].rstrip()
    hint = f"a comment begins with `#`: write `# {_shortened(words.removesuffix('*/').strip())}`"
    message, end = f"`{comment[1]}` does not begin a comment", comment.start(2) + len(words)
    return SyntaxProblem(codes.FOREIGN_COMMENT, start, end, message, "read as text", hint)


def missing_colon_problem(text: str, start: int, end: int) -> SyntaxProblem:
    """Text from `start` to `end` that should be a key and has no colon."""
    key = text[start:end]
    if CONFLICT_MARKER.match(key):
        message, label = "unexpected mark of a merge conflict", "left by a merge"
        hint = "keep one of the two sides, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`"
        return SyntaxProblem(codes.YAML_SYNTAX, start, end, message, label, hint)
    colon = FULL_WIDTH_COLON.match(key)
    if colon is not None:
        position = start + len(colon[1])
        replacement = TextCorrection(position, start + colon.end(), ": ")
        message, hint = f"full-width colon after `{colon[1]}`", f"write `{colon[1]}: …`, with an ordinary colon"
        label = "not the colon of YAML"
        return SyntaxProblem(codes.MISSING_COLON, position, start + colon.end(), message, label, hint, (), replacement)
    opens_bracket = text[end:].lstrip(" ")[:1] in ("{", "[")
    hint = _missing_colon_hint(key, opens_bracket=opens_bracket)
    message, label = f"missing colon after `{_shortened(key)}`", "expected a key and a colon"
    if LONE_WORD.fullmatch(key) and not opens_bracket and _has_keys_below(text, start, end):
        replacement = TextCorrection(end, end, ":")
        return SyntaxProblem(codes.MISSING_COLON, start, end, message, label, f"write `{key}:`", (), replacement)
    sign = SIGN_FOR_COLON.match(key)
    if sign is not None and sign.end() < len(key) and not opens_bracket:
        replacement = TextCorrection(start + len(sign[1]), start + sign.end(), ": ")
        message = f"missing colon after `{sign[1]}`"
        return SyntaxProblem(codes.MISSING_COLON, start, end, message, label, hint, (), replacement)
    return SyntaxProblem(codes.MISSING_COLON, start, end, message, label, hint)


def _has_keys_below(text: str, start: int, end: int) -> bool:
    """Whether a word that begins a line stands alone on it, with a key that is deeper on the next: so it is no text."""
    line = text.rfind("\n", 0, start) + 1
    below = KEY_ON_NEXT_LINE.match(text, end)
    return not text[line:start].strip(" ") and below is not None and len(below[1]) > start - line


def _missing_colon_hint(key: str, *, opens_bracket: bool) -> str:
    """What to write for text that should be a key; several words are a value behind it, or more of the text above."""
    if key.startswith("{"):
        return "write `- ` before it, if it is one more of the list above"
    sign = SIGN_FOR_COLON.match(key)
    if sign is not None and not opens_bracket:
        return f"write `{sign[1]}: {_shortened(key[sign.end() :])}`"
    pair = KEY_AND_VALUE.fullmatch(key)
    if pair is not None and not opens_bracket:
        return f"write `{pair[1]}: {pair[2]}`; if it continues the text above, indent it"
    if key.endswith(".") and " " not in key:
        return "write the next name after the dot, and a colon"
    if " " in key and not opens_bracket:
        return "if it continues the text above, indent it"
    hint = f"write `{key}:`" if len(key) <= limits.MAX_QUOTED_WORD else ""
    return hint if opens_bracket else f"{hint}{'; ' if hint else ''}if it continues the text above, indent it"


def missing_key_problem(text: str, start: int, end: int) -> SyntaxProblem:
    """Text from `start` to `end`, the first in its braces, that is a value and has no key."""
    message, hint = f"missing key before `{_shortened(text[start:end])}`", "write a key and a colon before it"
    if (sign := SIGN_FOR_COLON.match(text, start)) is not None and sign.end() < end:
        message = f"missing colon after `{sign[1]}`"
        hint = f"write `{sign[1]}: {_shortened(text[sign.end() : end])}`"
    return SyntaxProblem(codes.MISSING_COLON, start, end, message, "expected a key and a colon", hint)


def _shortened(text: str) -> str:
    return text if len(text) <= limits.MAX_QUOTED_WORD else text[: limits.MAX_QUOTED_WORD] + "…"


def ternary_problem(failure: YamlFailure, start: int) -> SyntaxProblem | None:
    """`rich ? 2 : 1`, a choice between two values as other languages have it."""
    mark = failure.text.find(" ? ", start, failure.offset) + 1
    if not mark:
        return None
    hint = "write `if … then … else …`"
    return SyntaxProblem(codes.COLON_IN_TEXT, mark, mark + 1, "`? :` does not choose between two values", "", hint)


__all__ = [
    "FULL_WIDTH_COLON",
    "NO_BREAK_SPACES",
    "OPENING_BRACKETS",
    "QUOTE_VALUE_HINT",
    "SPECIAL_CHARACTERS",
    "SyntaxProblem",
    "TextCorrection",
    "YamlFailure",
    "foreign_comment_problem",
    "missing_colon_problem",
    "missing_key_problem",
    "missing_space_problem",
    "no_break_space_problem",
    "special_character_problem",
    "ternary_problem",
]
