"""Explains in plain words why a text is not YAML: which common mistake it is, where, and what to write instead.

In: a `YamlFailure`: the text, and what the YAML parser knew when it gave up. Out: one `SyntaxProblem`. The parser's own
words are hardly used, as they name the token it expected and not the mistake; the detectors below look at the text
around the failure. They are tried in order, the certain ones before the likely ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from rulewright import limits
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source import codes
from rulewright.source.bracket_errors import (
    detect_bracket_in_value,
    detect_missing_comma,
    detect_unbalanced_bracket,
)
from rulewright.source.indentation_errors import TIGHT_ITEM, detect_bad_indentation, lone_entry_above, tight_item_above
from rulewright.source.tabs import spaces_for_tabs
from rulewright.source.yaml_failure import (
    FULL_WIDTH_COLON,
    NO_BREAK_SPACES,
    OPENING_BRACKETS,
    SPECIAL_CHARACTERS,
    SyntaxProblem,
    TextCorrection,
    YamlFailure,
    foreign_comment_problem,
    missing_colon_problem,
    missing_space_problem,
    no_break_space_problem,
    special_character_problem,
    ternary_problem,
)

CONTENT_LINE: Final = lazy_pattern(r"^(?!---)[ \t]*[^\s#]", re.MULTILINE)
QUOTES_OF_PRINT: Final = "“”„«»‘’"
PARENTHESISED_PAIRS: Final = lazy_pattern(r"\([a-z_]+: [^\n]*\)")


def _detect_tab(failure: YamlFailure) -> SyntaxProblem | None:
    first = failure.content_start(failure.offset)
    tab = failure.text.find("\t", failure.line_start(failure.offset), first)
    if tab < 0 and failure.character == "\t":
        tab = failure.offset
    if tab < 0:
        return None
    indents = tab < first
    message = "line indented with a tab" if indents else "unexpected tab, expected spaces"
    hint = "indent with spaces: YAML does not allow tabs" if indents else "replace it with a space"
    end = max(tab + 1, first)
    spaces = spaces_for_tabs(failure.text, tab, end)
    return SyntaxProblem(codes.TAB_INDENTATION, tab, end, message, "tab", hint, replacement=spaces)


def _detect_no_break_space(failure: YamlFailure) -> SyntaxProblem | None:
    for offset in (failure.offset, failure.context_offset):
        first = failure.content_start(offset)
        if failure.text[first : first + 1] and failure.text[first] in NO_BREAK_SPACES:
            return no_break_space_problem(first)
    return None


def _detect_foreign_comment(failure: YamlFailure) -> SyntaxProblem | None:
    text_before = None if failure.last_scalar is None else failure.last_scalar[0]
    for offset in (text_before, failure.context_offset, failure.offset):
        if offset is not None and (problem := foreign_comment_problem(failure.text, offset)) is not None:
            return problem
    return foreign_comment_problem(failure.text, failure.content_start(failure.offset))


def _detect_full_width_colon(failure: YamlFailure) -> SyntaxProblem | None:
    scalar = failure.offset if failure.last_scalar is None else failure.last_scalar[0]
    for offset in (scalar, failure.context_offset, failure.offset):
        start = failure.content_start(offset)
        if FULL_WIDTH_COLON.match(failure.text, start):
            return missing_colon_problem(failure.text, start, failure.content_end(start))
    return None


def _detect_unclosed_quote(failure: YamlFailure) -> SyntaxProblem | None:
    if "quoted scalar" not in failure.context or "escape" in failure.problem:
        return None
    if "end of stream" not in failure.problem and "document" not in failure.problem:
        return None
    quote = failure.text[failure.context_offset]
    return SyntaxProblem(
        codes.UNCLOSED_QUOTE, failure.context_offset, failure.context_offset + 1,
        f"unclosed quote {quote}", "opened here",
        f"close it with {quote} at the end of the text",
    )  # fmt: skip


def _detect_bad_escape(failure: YamlFailure) -> SyntaxProblem | None:
    if "escape" not in failure.problem and "hex" not in failure.problem:
        return None
    offset = max(failure.text.rfind("\\", failure.context_offset, failure.offset + 1), failure.context_offset)
    shown = failure.text[offset : offset + 2]
    code = re.match(r"\\(?:u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})", failure.text[offset : offset + 10])
    if code is not None:
        return SyntaxProblem(
            codes.BAD_ESCAPE, offset, offset + len(code[0]), f"`{code[0]}` is not a character", "",
            "valid characters are 0 to D7FF and E000 to 10FFFF",
        )  # fmt: skip
    return SyntaxProblem(
        codes.BAD_ESCAPE, offset, offset + 2, f"`{shown}` is not a YAML escape", "",
        "write `\\\\` for a backslash, or use single quotes, in which a backslash is an ordinary character",
    )  # fmt: skip


def _detect_text_after_quote(failure: YamlFailure) -> SyntaxProblem | None:
    if failure.last_scalar is None or not failure.character:
        return None
    start, end = failure.last_scalar
    quote = failure.text[start]
    if quote not in "\"'" or failure.previous_offset() != end - 1 or "simple key" in failure.context:
        return None
    if "\n" in failure.text[start:end]:  # the quote that closed it was meant to open another
        return SyntaxProblem(
            codes.UNCLOSED_QUOTE, start, start + 1, f"quote {quote} is not closed on its line", "opened here",
            f"close it with {quote} at the end of the text", ((end - 1, end, "closed by this quote"),),
        )  # fmt: skip
    if failure.character == ":" or (failure.open_bracket is not None and failure.character in "\"'"):
        return None
    word_end = failure.word_end(failure.offset)
    word = failure.text[failure.offset : word_end]
    is_apostrophe = quote == "'" and _is_apostrophe(failure, end - 1)
    if failure.open_bracket is not None and not is_apostrophe:
        hint = f"if `{word}` is the next entry, put a comma before it; else move the closing quote after it"
    elif is_apostrophe:
        hint = "inside single quotes an apostrophe is written twice: ''"
    else:
        hint = "move the closing quote after it, or use the other kind of quotes around the whole"
    return SyntaxProblem(
        codes.TEXT_AFTER_QUOTE,
        failure.offset,
        word_end,
        f"unexpected `{word}` after a closing quote",
        "outside the quotes",
        hint,
    )


def _is_apostrophe(failure: YamlFailure, quote: int) -> bool:
    """Whether a quote that ends a text stands in a word, `qu'il`, or behind one, `players'`, and another ends it."""
    rest = failure.text[quote + 1 : failure.line_end(quote)]
    before, is_inside = failure.text[quote - 1 : quote], rest[:1].isalpha()
    return before.isalpha() and (is_inside or "'" in rest.partition(",")[0])


def _detect_special_character(failure: YamlFailure) -> SyntaxProblem | None:
    for offset, is_likely in (
        (
            failure.offset,
            "cannot start any token" in failure.problem or "mapping keys are not allowed" in failure.problem,
        ),
        (failure.context_offset, re.search(r"an (alias|anchor)\b|a (tag|directive|block scalar)\b", failure.context)),
    ):
        if is_likely and failure.text[offset : offset + 1] in SPECIAL_CHARACTERS and failure.text[offset : offset + 1]:
            return special_character_problem(failure.text, offset)
    if "node content" in failure.problem and failure.character == ",":
        if failure.open_bracket is None:
            return special_character_problem(failure.text, failure.offset)
        return SyntaxProblem(
            codes.EMPTY_VALUE, failure.offset, failure.offset + 1, "nothing before this comma", "", "remove it"
        )
    # text continues after a bracket: `why: {colour} is gone`
    previous = failure.previous_offset()
    if (
        previous >= 0
        and failure.text[previous] in OPENING_BRACKETS
        and (failure.open_bracket is None or failure.character == ":")
        and failure.character not in OPENING_BRACKETS
    ):
        opener = _matching_opener(failure.text, previous)
        if failure.character == "," and failure.content_end(failure.offset) == failure.offset + 1:
            message, hint = f"unexpected comma after `{failure.text[previous]}`", "remove it"
            return SyntaxProblem(codes.UNQUOTED_SPECIAL, failure.offset, failure.offset + 1, message, "", hint)
        if opener is not None and failure.character:
            return special_character_problem(failure.text, opener)
    return None


def _matching_opener(text: str, closer: int) -> int | None:
    depth = 0
    for offset in range(closer, text.rfind("\n", 0, closer), -1):
        if text[offset] in "]}":
            depth += 1
        elif text[offset] in "[{":
            depth -= 1
            if depth == 0:
                return offset
    return None


def _detect_long_key(failure: YamlFailure) -> SyntaxProblem | None:
    """After so many characters YAML no longer looks for the colon of a key."""
    if (
        failure.character != ":"
        or failure.last_scalar is None
        or failure.offset - failure.last_scalar[0] <= limits.MAX_KEY_LENGTH
    ):
        return None
    start = failure.last_scalar[0]
    return SyntaxProblem(
        codes.YAML_SYNTAX, start, failure.offset,
        f"key of {failure.offset - start:,} characters is over the limit of {limits.MAX_KEY_LENGTH:,}",
        "too long", "shorten it",
    )  # fmt: skip


def _detect_misplaced_dash(failure: YamlFailure) -> SyntaxProblem | None:
    offset = failure.context_offset if "simple key" in failure.context else failure.offset
    if failure.text[offset : offset + 1] != "-":
        return None
    begins_line = offset == failure.content_start(offset)
    if begins_line and failure.text[offset + 1 : offset + 2] not in (" ", "\n", "\r", ""):
        return _missing_space_after_dash(failure, offset, failure.word_end(offset + 1))
    tight = tight_item_above(failure, offset) if begins_line else None
    if tight is not None:
        return _missing_space_after_dash(failure, tight[0] - 1, tight[1] + 1)
    lone = lone_entry_above(failure, offset) if begins_line else None
    if lone is not None:
        start, end = lone
        name = failure.text[start:end]
        return SyntaxProblem(
            codes.MISPLACED_DASH, start, end, f"missing dash before `{name}`", "no item of the list",
            f"write `- {name}: …`, as in the items below",
        )  # fmt: skip
    if begins_line:
        return SyntaxProblem(
            codes.MISPLACED_DASH, offset, offset + 1, "this dash does not line up with a list above", "",
            "put it under the first dash of its list, or write the key of the list above it, if that line is missing",
        )  # fmt: skip
    return SyntaxProblem(
        codes.MISPLACED_DASH, offset, offset + 1, "a list cannot begin on the line of its key", "",
        "begin it on the next line, or write `[a, b]`; if the dash is part of a text, put the text in quotes",
    )  # fmt: skip


def _missing_space_after_dash(failure: YamlFailure, dash: int, end: int) -> SyntaxProblem:
    if (rest := failure.text[dash + 1 : end]).startswith("-"):
        name = failure.text[dash : failure.line_end(dash)].lstrip("- ").partition(" ")[0]
        message, hint = "a list item begins with a single dash", f"write `- {name}`"
        return SyntaxProblem(codes.MISPLACED_DASH, dash, end, message, "", hint)
    message, hint = "missing space after the dash of a list item", f"write `- {rest}`"
    is_item = TIGHT_ITEM.match(failure.text, dash) is not None
    return SyntaxProblem(
        codes.MISPLACED_DASH, dash, dash + 1, message, "", hint,
        replacement=TextCorrection(dash + 1, dash + 1, " ") if is_item else None,
    )  # fmt: skip


def _detect_missing_colon(failure: YamlFailure) -> SyntaxProblem | None:
    if "simple key" in failure.context:
        start = failure.context_offset
    elif (
        failure.last_scalar is not None
        and _begins_line(failure, failure.last_scalar[0])
        and _has_nested_content(failure, *failure.last_scalar)
    ):
        start = failure.last_scalar[0]
    else:
        return None
    return missing_space_problem(failure.text, start) or missing_colon_problem(
        failure.text, start, failure.content_end(start)
    )


def _begins_line(failure: YamlFailure, offset: int) -> bool:
    return not failure.text[failure.line_start(offset) : offset].strip(" -")


def _has_nested_content(failure: YamlFailure, start: int, end: int) -> bool:
    """Whether the text after a word can only be the content of a key."""
    if failure.problem.startswith("mapping values are not allowed"):
        return failure.line_start(start) != failure.line_start(failure.offset)
    deeper = failure.offset - failure.line_start(failure.offset) > start - failure.line_start(start)
    only_comments = not re.sub(r"#.*", "", failure.text[end : failure.offset]).strip()
    return "block" in failure.context and deeper and only_comments and failure.text[start] not in "\"'"


def _detect_colon_in_text(failure: YamlFailure) -> SyntaxProblem | None:
    if not failure.problem.startswith("mapping values are not allowed") or failure.last_scalar is None:
        return None
    dash = failure.content_start(failure.offset)
    if failure.text[dash : dash + 2] in ("-{", "-["):
        return SyntaxProblem(
            codes.MISPLACED_DASH, dash, dash + 1, "missing space after the dash of a list item", "",
            f"write `- {failure.text[dash + 1]}…`",
        )  # fmt: skip
    if failure.line_start(failure.last_scalar[0]) != failure.line_start(failure.offset):
        return None
    hint = "put the text in quotes; if a mapping begins here, put it on the next line or in braces"
    opening = failure.text[failure.last_scalar[0]]
    if opening in QUOTES_OF_PRINT:
        hint = f'`{opening}` is a quotation mark of print, which YAML does not know: put the text in straight ones, `"`'
    if PARENTHESISED_PAIRS.fullmatch(failure.text, failure.last_scalar[0], failure.content_end(failure.offset)):
        key = failure.text[failure.last_scalar[0] + 1 : failure.offset]
        hint = f"a mapping has braces, not parentheses: `{{{key}: …}}`"
    return ternary_problem(failure, failure.last_scalar[0]) or SyntaxProblem(
        codes.COLON_IN_TEXT, failure.offset, failure.offset + 1, "second colon in one value", "", hint,
    )  # fmt: skip


def _detect_missing_key(failure: YamlFailure) -> SyntaxProblem | None:
    if failure.character != ":" or (
        failure.offset != failure.content_start(failure.offset) and failure.text[failure.previous_offset()] not in "{[,"
    ):
        return None
    return SyntaxProblem(codes.EMPTY_KEY, failure.offset, failure.offset + 1, "missing key before this colon")


def _detect_second_document(failure: YamlFailure) -> SyntaxProblem | None:
    if "document start" not in failure.problem:
        return None
    if failure.last_scalar is not None and not CONTENT_LINE.search(failure.text, 0, failure.last_scalar[0]):
        # the first word was taken for the whole document, as no colon followed
        start = failure.last_scalar[0]
        return missing_space_problem(failure.text, start) or missing_colon_problem(
            failure.text, start, failure.content_end(start)
        )
    return SyntaxProblem(
        codes.SEVERAL_DOCUMENTS, failure.offset, failure.word_end(failure.offset),
        "text after the end of the document", "",
        "a file holds one document: remove the `...`, or move the rest to another file",
    )  # fmt: skip


def _other_problem(failure: YamlFailure) -> SyntaxProblem:
    offset = min(failure.offset, max(len(failure.text.rstrip()) - 1, 0))
    while_parsing = f" {failure.context}" if failure.context else ""
    return SyntaxProblem(
        codes.YAML_SYNTAX,
        offset,
        failure.word_end(offset),
        f"invalid YAML: {failure.problem or 'unreadable'}{while_parsing}",
    )


DETECTORS: Final[tuple[Callable[[YamlFailure], SyntaxProblem | None], ...]] = (
    _detect_tab,
    _detect_no_break_space,
    _detect_foreign_comment,
    _detect_full_width_colon,
    _detect_unclosed_quote,
    _detect_bad_escape,
    _detect_text_after_quote,
    _detect_second_document,
    _detect_special_character,
    detect_unbalanced_bracket,
    detect_bracket_in_value,
    _detect_long_key,
    _detect_missing_key,
    detect_missing_comma,
    _detect_misplaced_dash,
    _detect_missing_colon,
    _detect_colon_in_text,
    detect_bad_indentation,
)


def explain_syntax_error(failure: YamlFailure) -> SyntaxProblem:
    """The mistake that made the parser give up."""
    for detect in DETECTORS:
        problem = detect(failure)
        if problem is not None:
            return problem
    return _other_problem(failure)


__all__ = ["explain_syntax_error"]
