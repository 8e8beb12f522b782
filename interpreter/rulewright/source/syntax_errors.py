"""Says in plain words why a text is no YAML: which of the usual slips it is, where, and what to write instead.

In: the text, and what the YAML parser knew when it gave up. Out: one `Finding`. The parser's own words are hardly used,
as they name what it would have liked next and not the slip; the rules below look at the text around the spot. They are
tried from the first to the last, the sure ones before those that only look likely.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from rulewright import limits
from rulewright.source import codes
from rulewright.source.yaml_failure import (
    NO_BREAK_SPACES,
    QUOTE_VALUE_HINT,
    SPECIAL_CHARACTERS,
    SyntaxProblem,
    YamlFailure,
    missing_colon_problem,
    missing_space_problem,
    no_break_space_problem,
    special_character_problem,
)

CONTENT_LINE: Final = re.compile(r"^(?!---)[ \t]*[^\s#]", re.MULTILINE)
OPENING_BRACKETS: Final = {"]": "[", "}": "{"}
COMMA_HINT: Final = "entries inside brackets are set apart by commas"


def _tab(stop: YamlFailure) -> SyntaxProblem | None:
    first = stop.content_start(stop.offset)
    tab = stop.text.find("\t", stop.line_start(stop.offset), first)
    if tab < 0 and stop.character == "\t":
        tab = stop.offset
    if tab < 0:
        return None
    indents = tab < first
    message = "a line is indented with a tab" if indents else "a tab stands where only blanks can"
    advice = "indent with blanks: YAML takes no tabs" if indents else "put a blank in its place"
    return SyntaxProblem(codes.TAB_INDENTATION, tab, max(tab + 1, first), message, "tab", advice)


def _no_break_blank(stop: YamlFailure) -> SyntaxProblem | None:
    for at in (stop.offset, stop.context_offset):
        first = stop.content_start(at)
        if stop.text[first : first + 1] and stop.text[first] in NO_BREAK_SPACES:
            return no_break_space_problem(first)
    return None


def _quote_left_open(stop: YamlFailure) -> SyntaxProblem | None:
    if "quoted scalar" not in stop.context or "escape" in stop.problem:
        return None
    if "end of stream" not in stop.problem and "document" not in stop.problem:
        return None
    quote = stop.text[stop.context_offset]
    return SyntaxProblem(
        codes.UNCLOSED_QUOTE, stop.context_offset, stop.context_offset + 1,
        f"the quote {quote} is never closed", "opened here",
        f"close it with {quote} at the end of the text",
    )  # fmt: skip


def _unknown_escape(stop: YamlFailure) -> SyntaxProblem | None:
    if "escape" not in stop.problem and "hex" not in stop.problem:
        return None
    at = max(stop.text.rfind("\\", stop.context_offset, stop.offset + 1), stop.context_offset)
    shown = stop.text[at : at + 2]
    code = re.match(r"\\(?:u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})", stop.text[at : at + 10])
    if code is not None:
        return SyntaxProblem(
            codes.BAD_ESCAPE, at, at + len(code[0]), f"`{code[0]}` is no character", "",
            "characters have the numbers 0 to D7FF and E000 to 10FFFF",
        )  # fmt: skip
    return SyntaxProblem(
        codes.BAD_ESCAPE, at, at + 2, f"`{shown}` is no escape that YAML knows", "",
        "write `\\\\` for a backslash, or put the text in single quotes, where a backslash is just one",
    )  # fmt: skip


def _text_behind_a_quote(stop: YamlFailure) -> SyntaxProblem | None:
    if stop.last_scalar is None or not stop.character:
        return None
    start, end = stop.last_scalar
    quote = stop.text[start]
    if quote not in "\"'" or stop.previous_offset() != end - 1 or "simple key" in stop.context:
        return None
    if "\n" in stop.text[start:end]:  # what closed it was meant to open another
        return SyntaxProblem(
            codes.UNCLOSED_QUOTE, start, start + 1, f"the quote {quote} is not closed on its line", "opened here",
            f"close it with {quote} at the end of the text", ((end - 1, end, "this quote closes it, as things stand"),),
        )  # fmt: skip
    if stop.character == ":" or (stop.open_bracket is not None and stop.character in "\"'"):
        return None
    behind = stop.word_end(stop.offset)
    word = stop.text[stop.offset : behind]
    if stop.open_bracket is not None:
        advice = f"if `{word}` is the next entry, a comma is missing before it; else move the closing quote behind it"
    elif quote == "'" and stop.offset == end:
        advice = "inside single quotes an apostrophe is written twice: ''"
    else:
        advice = "move the closing quote behind it, or put the whole in quotes of the other kind"
    return SyntaxProblem(
        codes.TEXT_AFTER_QUOTE, stop.offset, behind, f"`{word}` follows a closing quote", "outside the quotes", advice
    )


def _special_character(stop: YamlFailure) -> SyntaxProblem | None:
    for at, words in (
        (stop.offset, "cannot start any token" in stop.problem or "mapping keys are not allowed" in stop.problem),
        (stop.context_offset, re.search(r"an (alias|anchor)\b|a (tag|directive|block scalar)\b", stop.context)),
    ):
        if words and stop.text[at : at + 1] in SPECIAL_CHARACTERS and stop.text[at : at + 1]:
            return special_character_problem(stop.text, at)
    if "node content" in stop.problem and stop.character == ",":
        if stop.open_bracket is None:
            return special_character_problem(stop.text, stop.offset)
        return SyntaxProblem(
            codes.EMPTY_VALUE, stop.offset, stop.offset + 1, "nothing stands before this comma", "", "take it out"
        )
    # text goes on behind a bracket: `why: {colour} is gone`
    last = stop.previous_offset()
    if (
        last >= 0
        and stop.text[last] in OPENING_BRACKETS
        and (stop.open_bracket is None or stop.character == ":")
        and stop.character not in OPENING_BRACKETS
    ):
        opened = _opener_of(stop.text, last)
        if opened is not None and stop.character:
            return special_character_problem(stop.text, opened)
    return None


def _bracket_in_the_middle(stop: YamlFailure) -> SyntaxProblem | None:
    """`{is: x in [a, b]}`."""
    last = stop.previous_offset()
    if (
        stop.open_bracket is not None
        and stop.character in ("[", "{")
        and last >= 0
        and stop.text[last] not in ":,[{]}\"'"
    ):
        word = "list" if stop.character == "[" else "mapping"
        message = f"a `{stop.character}` opens a {word} here, in the middle of a value"
        return SyntaxProblem(codes.UNQUOTED_SPECIAL, stop.offset, stop.offset + 1, message, "", QUOTE_VALUE_HINT)
    return None


def _opener_of(text: str, closer: int) -> int | None:
    depth = 0
    for at in range(closer, text.rfind("\n", 0, closer), -1):
        if text[at] in "]}":
            depth += 1
        elif text[at] in "[{":
            depth -= 1
            if depth == 0:
                return at
    return None


def _bracket_out_of_balance(stop: YamlFailure) -> SyntaxProblem | None:
    here = stop.character
    if stop.open_bracket is None:
        if here in OPENING_BRACKETS and here:
            message = f"`{here}` closes nothing: no `{OPENING_BRACKETS[here]}` is open"
            advice = "take it out, or put the whole value in quotes"
            return SyntaxProblem(codes.UNBALANCED_BRACKET, stop.offset, stop.offset + 1, message, "", advice)
        return None
    opener = stop.text[stop.open_bracket]
    if here in OPENING_BRACKETS and here and OPENING_BRACKETS[here] != opener:
        closer = "]" if opener == "[" else "}"
        message = f"`{here}` cannot close the `{opener}`"
        other = (stop.open_bracket, stop.open_bracket + 1, f"the `{opener}` was opened here")
        return SyntaxProblem(
            codes.UNBALANCED_BRACKET, stop.offset, stop.offset + 1, message, f"expected `{closer}`", related=(other,)
        )
    depth = stop.content_start(stop.open_bracket) - stop.line_start(stop.open_bracket)
    further_left = (
        stop.line_start(stop.offset) > stop.open_bracket
        and stop.content_start(stop.offset) - stop.line_start(stop.offset) <= depth
    )
    if further_left or not stop.text[stop.offset :].strip():
        return SyntaxProblem(
            codes.UNBALANCED_BRACKET, stop.open_bracket, stop.open_bracket + 1,
            f"the `{opener}` is never closed", "opened here",
            f"close it with `{']' if opener == '[' else '}'}`",
        )  # fmt: skip
    return None


def _key_too_long(stop: YamlFailure) -> SyntaxProblem | None:
    """Behind so many characters YAML no longer looks for the colon of a key."""
    if stop.character != ":" or stop.last_scalar is None or stop.offset - stop.last_scalar[0] <= limits.MAX_KEY_LENGTH:
        return None
    start = stop.last_scalar[0]
    return SyntaxProblem(
        codes.YAML_SYNTAX, start, stop.offset,
        f"this key has {stop.offset - start:,} characters; YAML allows {limits.MAX_KEY_LENGTH:,}",
        "too long", "write a shorter one",
    )  # fmt: skip


def _comma_left_out(stop: YamlFailure) -> SyntaxProblem | None:
    if stop.open_bracket is None:
        return None
    if stop.character == ":" and stop.last_scalar is not None:
        start, end = stop.last_scalar
        if "\n" in stop.text[start:end]:
            line = start + stop.text[start:end].index("\n")
            message = f"no comma stands at the end of line {stop.line_number(start)}"
            return SyntaxProblem(codes.MISSING_COMMA, line, line + 1, message, "", COMMA_HINT)
        return SyntaxProblem(
            codes.COLON_IN_TEXT, stop.offset, stop.offset + 1, "a second colon follows in one value", "",
            "put the text in quotes; or, if the next key begins here, put a comma before it",
        )  # fmt: skip
    end = stop.word_end(stop.offset)
    message = f"no comma stands before `{stop.text[stop.offset : end]}`"
    return SyntaxProblem(codes.MISSING_COMMA, stop.offset, end, message, "", COMMA_HINT)


def _dash_out_of_line(stop: YamlFailure) -> SyntaxProblem | None:
    at = stop.context_offset if "simple key" in stop.context else stop.offset
    if stop.text[at : at + 1] != "-":
        return None
    first = at == stop.content_start(at)
    if first and stop.text[at + 1 : at + 2] not in (" ", "\n", "\r", ""):
        return SyntaxProblem(
            codes.MISPLACED_DASH, at, at + 1, "the dash of a list item has no blank behind it", "",
            f"write `- {stop.text[at + 1 : stop.word_end(at + 1)]}`",
        )  # fmt: skip
    if first:
        return SyntaxProblem(
            codes.MISPLACED_DASH, at, at + 1, "this dash lines up with no list above", "",
            "put it under the first dash of its list; a key that has a list has nothing else behind its colon",
        )  # fmt: skip
    return SyntaxProblem(
        codes.MISPLACED_DASH, at, at + 1, "a list cannot begin behind a key on the same line", "",
        "begin it on the next line, or write it as `[a, b]`; if the dash is part of a text, put the text in quotes",
    )  # fmt: skip


def _colon_left_out(stop: YamlFailure) -> SyntaxProblem | None:
    if "simple key" in stop.context:
        start = stop.context_offset
    elif (
        stop.last_scalar is not None
        and _begins_a_line(stop, stop.last_scalar[0])
        and _goes_on_below(stop, *stop.last_scalar)
    ):
        start = stop.last_scalar[0]
    else:
        return None
    return missing_space_problem(stop.text, start) or missing_colon_problem(stop.text, start, stop.content_end(start))


def _begins_a_line(stop: YamlFailure, at: int) -> bool:
    return not stop.text[stop.line_start(at) : at].strip(" -")


def _goes_on_below(stop: YamlFailure, start: int, end: int) -> bool:
    """Whether a word was followed by something that only a key can have below it."""
    if stop.problem.startswith("mapping values are not allowed"):
        return stop.line_start(start) != stop.line_start(stop.offset)
    deeper = stop.offset - stop.line_start(stop.offset) > start - stop.line_start(start)
    only_comments = not re.sub(r"#.*", "", stop.text[end : stop.offset]).strip()
    return "block" in stop.context and deeper and only_comments and stop.text[start] not in "\"'"


def _colon_inside_text(stop: YamlFailure) -> SyntaxProblem | None:
    if not stop.problem.startswith("mapping values are not allowed") or stop.last_scalar is None:
        return None
    if stop.line_start(stop.last_scalar[0]) != stop.line_start(stop.offset):
        return None
    return SyntaxProblem(
        codes.COLON_IN_TEXT, stop.offset, stop.offset + 1, "a second colon follows in one value", "",
        "put the text in quotes; or, if a mapping begins here, put it on the next line or in braces",
    )  # fmt: skip


def _no_key(stop: YamlFailure) -> SyntaxProblem | None:
    if stop.character != ":" or (
        stop.offset != stop.content_start(stop.offset) and stop.text[stop.previous_offset()] not in "{[,"
    ):
        return None
    return SyntaxProblem(codes.EMPTY_KEY, stop.offset, stop.offset + 1, "no key stands before this colon")


def _line_out_of_step(stop: YamlFailure) -> SyntaxProblem | None:
    first = stop.content_start(stop.offset)
    colon = stop.problem.startswith("mapping values are not allowed")
    if "block" not in stop.context and not colon:
        return None
    if stop.offset != first and not colon:
        return None
    end = stop.word_end(first)
    above = stop.text[: stop.line_start(first)].rstrip().rpartition("\n")[2]
    if re.search(r"[^\s#].*[ \t]#", above) and not re.match(
        r"\s*[\w.-]+:(\s|$)", stop.text[first : stop.line_end(first)]
    ):
        message, advice = (
            "the comment on the line above has ended the value",
            "a value over several lines takes no comment",
        )
    elif "block collection" in stop.context or "block sequence" in stop.context:
        message, advice = (
            "a list item is expected here",
            "begin the line with `- `, or indent it by the level it belongs to",
        )
    elif colon:
        message = "this line is indented deeper than the key above, which has a value already"
        advice = "line it up with the keys above"
    else:
        columns = sorted(_columns_above(stop, first))
        message = f"this line begins at column {first - stop.line_start(first) + 1} and lines up with nothing above"
        advice = f"the lines above that are still open begin at column {_either(columns)}" if columns else ""
    return SyntaxProblem(codes.BAD_INDENTATION, first, end, message, "", advice)


def _columns_above(stop: YamlFailure, first: int) -> set[int]:
    columns: set[int] = set()
    for line in reversed(stop.text[: stop.line_start(first)].split("\n")):
        bare = line.lstrip(" ")
        if bare.strip() and not bare.startswith("#"):
            column = len(line) - len(bare) + 1
            if not columns or column < min(columns):
                columns.add(column)
    return columns


def _either(columns: list[int]) -> str:
    *most, last = map(str, columns)
    return f"{', '.join(most)} or {last}" if most else last


def _another_document(stop: YamlFailure) -> SyntaxProblem | None:
    if "document start" not in stop.problem:
        return None
    if stop.last_scalar is not None and not CONTENT_LINE.search(stop.text, 0, stop.last_scalar[0]):
        # the first word of the file was taken for all of it, as no colon followed
        start = stop.last_scalar[0]
        return missing_space_problem(stop.text, start) or missing_colon_problem(
            stop.text, start, stop.content_end(start)
        )
    return SyntaxProblem(
        codes.SEVERAL_DOCUMENTS, stop.offset, stop.word_end(stop.offset),
        "text follows behind the end of the document", "",
        "a file holds one document: take the `...` out, or move the rest to a file of its own",
    )  # fmt: skip


def _anything_else(stop: YamlFailure) -> SyntaxProblem:
    at = min(stop.offset, max(len(stop.text.rstrip()) - 1, 0))
    doing = f" {stop.context}" if stop.context else ""
    return SyntaxProblem(
        codes.YAML_SYNTAX, at, stop.word_end(at), f"this is no YAML: {stop.problem or 'unreadable'}{doing}"
    )


DETECTORS: Final[tuple[Callable[[YamlFailure], SyntaxProblem | None], ...]] = (
    _tab,
    _no_break_blank,
    _quote_left_open,
    _unknown_escape,
    _text_behind_a_quote,
    _another_document,
    _special_character,
    _bracket_out_of_balance,
    _bracket_in_the_middle,
    _key_too_long,
    _no_key,
    _comma_left_out,
    _dash_out_of_line,
    _colon_left_out,
    _colon_inside_text,
    _line_out_of_step,
)


def explain_syntax_error(stop: YamlFailure) -> SyntaxProblem:
    """The slip that made the parser give up."""
    for rule in DETECTORS:
        found = rule(stop)
        if found is not None:
            return found
    return _anything_else(stop)


__all__ = ["explain_syntax_error"]
