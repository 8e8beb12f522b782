"""What is wrong with brackets, and between them: one is not closed, or begins within a value, or a comma is missing.

In: a `YamlFailure`. Out: a `SyntaxProblem`, or None where it is something else.
"""

from __future__ import annotations

from typing import Final

from rulewright.lazy_pattern import lazy_pattern
from rulewright.source import codes
from rulewright.source.yaml_failure import (
    OPENING_BRACKETS,
    QUOTE_VALUE_HINT,
    SyntaxProblem,
    YamlFailure,
    ternary_problem,
)

NAME_BEFORE: Final = lazy_pattern(r"\b[a-z_][a-z0-9_]{0,59}$")
KEY: Final = lazy_pattern(r"\[([^\[\]\n]{1,60})\]")
KEY_BEHIND_VALUE: Final = lazy_pattern(r"[a-z0-9(\-][^\n]*\s([a-z_]+)")  # a sentence begins with a capital letter
KEY_ALONE: Final = lazy_pattern(r"[\[{,]\s*([a-z_][a-z0-9_]{0,59})[ \t]+$")  # in braces, before a bracket
COMMENT_IN_VALUE: Final = lazy_pattern(r"\s(#[^\s,\]}\n]+)[^\n]*")
COMMA_HINT: Final = "separate entries inside brackets with commas"


def detect_bracket_in_value(failure: YamlFailure) -> SyntaxProblem | None:
    """A list or mapping that begins in the middle of a value: `{is: x in [a, b]}`."""
    previous = failure.previous_offset()
    if (
        failure.open_bracket is not None
        and failure.character in ("[", "{")
        and previous >= 0
        and failure.text[previous] not in ":,[{]}\"'"
    ):
        key_alone = KEY_ALONE.search(failure.text, 0, failure.offset)
        if key_alone is not None:
            message, hint = f"missing colon after `{key_alone[1]}`", f"write `{key_alone[1]}:`"
            return SyntaxProblem(codes.MISSING_COLON, *key_alone.span(1), message, "expected a colon", hint)
        noun = "list" if failure.character == "[" else "mapping"
        message = f"unexpected `{failure.character}`: it begins a {noun} in the middle of a value"
        name, key = (
            NAME_BEFORE.search(failure.text, max(0, failure.offset - 60), failure.offset),
            KEY.match(failure.text, failure.offset),
        )
        hint = f"keys go in parentheses: `{name[0]}({key[1].strip()})`" if name and key else QUOTE_VALUE_HINT
        return SyntaxProblem(codes.UNQUOTED_SPECIAL, failure.offset, failure.offset + 1, message, "", hint)
    return None


def detect_unbalanced_bracket(failure: YamlFailure) -> SyntaxProblem | None:
    """A bracket that nothing closes, or that closes nothing."""
    character = failure.character
    if failure.open_bracket is None:
        if character in OPENING_BRACKETS and character:
            message = f"unmatched `{character}`: no `{OPENING_BRACKETS[character]}` is open"
            hint = "remove it, or put the whole value in quotes"
            return SyntaxProblem(codes.UNBALANCED_BRACKET, failure.offset, failure.offset + 1, message, "", hint)
        return None
    opener = failure.text[failure.open_bracket]
    closer = "]" if opener == "[" else "}"
    if character in OPENING_BRACKETS and character and OPENING_BRACKETS[character] != opener:
        message = f"`{character}` does not close `{opener}`"
        related = (failure.open_bracket, failure.open_bracket + 1, f"`{opener}` opened here")
        return SyntaxProblem(
            codes.UNBALANCED_BRACKET,
            failure.offset,
            failure.offset + 1,
            message,
            f"expected `{closer}`",
            f"write `{closer}` instead, or before it",
            related=(related,),
        )
    depth = failure.content_start(failure.open_bracket) - failure.line_start(failure.open_bracket)
    further_left = (
        failure.line_start(failure.offset) > failure.open_bracket
        and failure.content_start(failure.offset) - failure.line_start(failure.offset) <= depth
    )
    if further_left or not failure.text[failure.offset :].strip():
        comment = COMMENT_IN_VALUE.search(failure.text, failure.open_bracket, failure.line_end(failure.open_bracket))
        hint, notes = f"close it with `{closer}`", tuple[tuple[int, int, str], ...]()
        line = failure.text[failure.open_bracket : failure.line_end(failure.open_bracket)]
        line = line.partition(" #")[0].rstrip()
        if line.endswith(")") and line.count(")") > line.count("("):
            hint = f"write `{closer}` for the `)` at the end"
        if comment is not None and closer in comment[0]:
            hint = f'put it in quotes: `"{comment[1]}"`'
            notes = ((comment.start(1), comment.end(1), "a `#` behind a space begins a comment"),)
        return SyntaxProblem(
            codes.UNBALANCED_BRACKET, failure.open_bracket, failure.open_bracket + 1,
            f"unclosed `{opener}`", "opened here", hint, notes,
        )  # fmt: skip
    return None


def detect_missing_comma(failure: YamlFailure) -> SyntaxProblem | None:
    """Two entries within brackets, or two values of one, with nothing between them."""
    if failure.open_bracket is None:
        return None
    if failure.character == ":" and failure.last_scalar is not None:
        start, end = failure.last_scalar
        if "\n" in failure.text[start:end]:
            line = start + failure.text[start:end].index("\n")
            message = f"missing comma at the end of line {failure.line_number(start)}"
            return SyntaxProblem(codes.MISSING_COMMA, line, line + 1, message, "", COMMA_HINT)
        next_key = KEY_BEHIND_VALUE.fullmatch(failure.text, start, failure.offset)
        if next_key:
            return SyntaxProblem(
                codes.MISSING_COMMA, next_key.start(1), next_key.end(1), f"missing comma before `{next_key[1]}:`", "",
                f"{COMMA_HINT}; if `{next_key[1]}:` is part of the text, put the text in quotes",
            )  # fmt: skip
        return ternary_problem(failure, start) or SyntaxProblem(
            codes.COLON_IN_TEXT, failure.offset, failure.offset + 1, "second colon in one value", "",
            "put the text in quotes; if this is the next key, put a comma before it",
        )  # fmt: skip
    end = failure.word_end(failure.offset)
    message = f"missing comma before `{failure.text[failure.offset : end]}`"
    return SyntaxProblem(codes.MISSING_COMMA, failure.offset, end, message, "", COMMA_HINT)


__all__ = ["detect_bracket_in_value", "detect_missing_comma", "detect_unbalanced_bracket"]
