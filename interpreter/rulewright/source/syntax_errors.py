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
    NO_BREAK,
    QUOTE_IT,
    SPECIAL,
    Finding,
    Stop,
    glued,
    missing_colon,
    no_break_blank,
    special,
)

WORDS_ABOVE: Final = re.compile(r"^(?!---)[ \t]*[^\s#]", re.MULTILINE)
PAIRS: Final = {"]": "[", "}": "{"}
SET_APART: Final = "entries inside brackets are set apart by commas"


def _tab(stop: Stop) -> Finding | None:
    first = stop.first_in_line(stop.at)
    tab = stop.text.find("\t", stop.line_start(stop.at), first)
    if tab < 0 and stop.here == "\t":
        tab = stop.at
    if tab < 0:
        return None
    indents = tab < first
    message = "a line is indented with a tab" if indents else "a tab stands where only blanks can"
    advice = "indent with blanks: YAML takes no tabs" if indents else "put a blank in its place"
    return Finding(codes.TAB_INDENTATION, tab, max(tab + 1, first), message, "tab", advice)


def _no_break_blank(stop: Stop) -> Finding | None:
    for at in (stop.at, stop.began):
        first = stop.first_in_line(at)
        if stop.text[first : first + 1] and stop.text[first] in NO_BREAK:
            return no_break_blank(first)
    return None


def _quote_left_open(stop: Stop) -> Finding | None:
    if "quoted scalar" not in stop.context or "escape" in stop.problem:
        return None
    if "end of stream" not in stop.problem and "document" not in stop.problem:
        return None
    quote = stop.text[stop.began]
    return Finding(
        codes.UNCLOSED_QUOTE, stop.began, stop.began + 1, f"the quote {quote} is never closed", "opened here",
        f"close it with {quote} at the end of the text",
    )  # fmt: skip


def _unknown_escape(stop: Stop) -> Finding | None:
    if "escape" not in stop.problem and "hex" not in stop.problem:
        return None
    at = max(stop.text.rfind("\\", stop.began, stop.at + 1), stop.began)
    shown = stop.text[at : at + 2]
    code = re.match(r"\\(?:u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})", stop.text[at : at + 10])
    if code is not None:
        return Finding(
            codes.BAD_ESCAPE, at, at + len(code[0]), f"`{code[0]}` is no character", "",
            "characters have the numbers 0 to D7FF and E000 to 10FFFF",
        )  # fmt: skip
    return Finding(
        codes.BAD_ESCAPE, at, at + 2, f"`{shown}` is no escape that YAML knows", "",
        "write `\\\\` for a backslash, or put the text in single quotes, where a backslash is just one",
    )  # fmt: skip


def _text_behind_a_quote(stop: Stop) -> Finding | None:
    if stop.scalar is None or not stop.here:
        return None
    start, end = stop.scalar
    quote = stop.text[start]
    if quote not in "\"'" or stop.before() != end - 1 or "simple key" in stop.context:
        return None
    if "\n" in stop.text[start:end]:  # what closed it was meant to open another
        return Finding(
            codes.UNCLOSED_QUOTE, start, start + 1, f"the quote {quote} is not closed on its line", "opened here",
            f"close it with {quote} at the end of the text", ((end - 1, end, "this quote closes it, as things stand"),),
        )  # fmt: skip
    if stop.here == ":" or (stop.opener is not None and stop.here in "\"'"):
        return None
    behind = stop.word_end(stop.at)
    word = stop.text[stop.at : behind]
    if stop.opener is not None:
        advice = f"if `{word}` is the next entry, a comma is missing before it; else move the closing quote behind it"
    elif quote == "'" and stop.at == end:
        advice = "inside single quotes an apostrophe is written twice: ''"
    else:
        advice = "move the closing quote behind it, or put the whole in quotes of the other kind"
    return Finding(
        codes.TEXT_AFTER_QUOTE, stop.at, behind, f"`{word}` follows a closing quote", "outside the quotes", advice
    )


def _special_character(stop: Stop) -> Finding | None:
    for at, words in (
        (stop.at, "cannot start any token" in stop.problem or "mapping keys are not allowed" in stop.problem),
        (stop.began, re.search(r"an (alias|anchor)\b|a (tag|directive|block scalar)\b", stop.context)),
    ):
        if words and stop.text[at : at + 1] in SPECIAL and stop.text[at : at + 1]:
            return special(stop.text, at)
    if "node content" in stop.problem and stop.here == ",":
        if stop.opener is None:
            return special(stop.text, stop.at)
        return Finding(codes.EMPTY_VALUE, stop.at, stop.at + 1, "nothing stands before this comma", "", "take it out")
    # text goes on behind a bracket: `why: {colour} is gone`
    last = stop.before()
    if last >= 0 and stop.text[last] in PAIRS and (stop.opener is None or stop.here == ":") and stop.here not in PAIRS:
        opened = _opener_of(stop.text, last)
        if opened is not None and stop.here:
            return special(stop.text, opened)
    return None


def _bracket_in_the_middle(stop: Stop) -> Finding | None:
    """`{is: x in [a, b]}`."""
    last = stop.before()
    if stop.opener is not None and stop.here in ("[", "{") and last >= 0 and stop.text[last] not in ":,[{]}\"'":
        word = "list" if stop.here == "[" else "mapping"
        message = f"a `{stop.here}` opens a {word} here, in the middle of a value"
        return Finding(codes.UNQUOTED_SPECIAL, stop.at, stop.at + 1, message, "", QUOTE_IT)
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


def _bracket_out_of_balance(stop: Stop) -> Finding | None:
    here = stop.here
    if stop.opener is None:
        if here in PAIRS and here:
            message = f"`{here}` closes nothing: no `{PAIRS[here]}` is open"
            advice = "take it out, or put the whole value in quotes"
            return Finding(codes.UNBALANCED_BRACKET, stop.at, stop.at + 1, message, "", advice)
        return None
    opener = stop.text[stop.opener]
    if here in PAIRS and here and PAIRS[here] != opener:
        closer = "]" if opener == "[" else "}"
        message = f"`{here}` cannot close the `{opener}`"
        other = (stop.opener, stop.opener + 1, f"the `{opener}` was opened here")
        return Finding(
            codes.UNBALANCED_BRACKET, stop.at, stop.at + 1, message, f"expected `{closer}`", related=(other,)
        )
    depth = stop.first_in_line(stop.opener) - stop.line_start(stop.opener)
    further_left = (
        stop.line_start(stop.at) > stop.opener and stop.first_in_line(stop.at) - stop.line_start(stop.at) <= depth
    )
    if further_left or not stop.text[stop.at :].strip():
        return Finding(
            codes.UNBALANCED_BRACKET, stop.opener, stop.opener + 1, f"the `{opener}` is never closed", "opened here",
            f"close it with `{']' if opener == '[' else '}'}`",
        )  # fmt: skip
    return None


def _key_too_long(stop: Stop) -> Finding | None:
    """Behind so many characters YAML no longer looks for the colon of a key."""
    if stop.here != ":" or stop.scalar is None or stop.at - stop.scalar[0] <= limits.MAX_KEY_LENGTH:
        return None
    start = stop.scalar[0]
    return Finding(
        codes.YAML_SYNTAX, start, stop.at,
        f"this key has {stop.at - start:,} characters; YAML allows {limits.MAX_KEY_LENGTH:,}",
        "too long", "write a shorter one",
    )  # fmt: skip


def _comma_left_out(stop: Stop) -> Finding | None:
    if stop.opener is None:
        return None
    if stop.here == ":" and stop.scalar is not None:
        start, end = stop.scalar
        if "\n" in stop.text[start:end]:
            line = start + stop.text[start:end].index("\n")
            message = f"no comma stands at the end of line {stop.line_number(start)}"
            return Finding(codes.MISSING_COMMA, line, line + 1, message, "", SET_APART)
        return Finding(
            codes.COLON_IN_TEXT, stop.at, stop.at + 1, "a second colon follows in one value", "",
            "put the text in quotes; or, if the next key begins here, put a comma before it",
        )  # fmt: skip
    end = stop.word_end(stop.at)
    message = f"no comma stands before `{stop.text[stop.at : end]}`"
    return Finding(codes.MISSING_COMMA, stop.at, end, message, "", SET_APART)


def _dash_out_of_line(stop: Stop) -> Finding | None:
    at = stop.began if "simple key" in stop.context else stop.at
    if stop.text[at : at + 1] != "-":
        return None
    first = at == stop.first_in_line(at)
    if first and stop.text[at + 1 : at + 2] not in (" ", "\n", "\r", ""):
        return Finding(
            codes.MISPLACED_DASH, at, at + 1, "the dash of a list item has no blank behind it", "",
            f"write `- {stop.text[at + 1 : stop.word_end(at + 1)]}`",
        )  # fmt: skip
    if first:
        return Finding(
            codes.MISPLACED_DASH, at, at + 1, "this dash lines up with no list above", "",
            "put it under the first dash of its list; a key that has a list has nothing else behind its colon",
        )  # fmt: skip
    return Finding(
        codes.MISPLACED_DASH, at, at + 1, "a list cannot begin behind a key on the same line", "",
        "begin it on the next line, or write it as `[a, b]`; if the dash is part of a text, put the text in quotes",
    )  # fmt: skip


def _colon_left_out(stop: Stop) -> Finding | None:
    if "simple key" in stop.context:
        start = stop.began
    elif stop.scalar is not None and _begins_a_line(stop, stop.scalar[0]) and _goes_on_below(stop, *stop.scalar):
        start = stop.scalar[0]
    else:
        return None
    return glued(stop.text, start) or missing_colon(stop.text, start, stop.content_end(start))


def _begins_a_line(stop: Stop, at: int) -> bool:
    return not stop.text[stop.line_start(at) : at].strip(" -")


def _goes_on_below(stop: Stop, start: int, end: int) -> bool:
    """Whether a word was followed by something that only a key can have below it."""
    if stop.problem.startswith("mapping values are not allowed"):
        return stop.line_start(start) != stop.line_start(stop.at)
    deeper = stop.at - stop.line_start(stop.at) > start - stop.line_start(start)
    only_comments = not re.sub(r"#.*", "", stop.text[end : stop.at]).strip()
    return "block" in stop.context and deeper and only_comments and stop.text[start] not in "\"'"


def _colon_inside_text(stop: Stop) -> Finding | None:
    if not stop.problem.startswith("mapping values are not allowed") or stop.scalar is None:
        return None
    if stop.line_start(stop.scalar[0]) != stop.line_start(stop.at):
        return None
    return Finding(
        codes.COLON_IN_TEXT, stop.at, stop.at + 1, "a second colon follows in one value", "",
        "put the text in quotes; or, if a mapping begins here, put it on the next line or in braces",
    )  # fmt: skip


def _no_key(stop: Stop) -> Finding | None:
    if stop.here != ":" or (stop.at != stop.first_in_line(stop.at) and stop.text[stop.before()] not in "{[,"):
        return None
    return Finding(codes.EMPTY_KEY, stop.at, stop.at + 1, "no key stands before this colon")


def _line_out_of_step(stop: Stop) -> Finding | None:
    first = stop.first_in_line(stop.at)
    colon = stop.problem.startswith("mapping values are not allowed")
    if "block" not in stop.context and not colon:
        return None
    if stop.at != first and not colon:
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
    return Finding(codes.BAD_INDENTATION, first, end, message, "", advice)


def _columns_above(stop: Stop, first: int) -> set[int]:
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


def _another_document(stop: Stop) -> Finding | None:
    if "document start" not in stop.problem:
        return None
    if stop.scalar is not None and not WORDS_ABOVE.search(stop.text, 0, stop.scalar[0]):
        # the first word of the file was taken for all of it, as no colon followed
        start = stop.scalar[0]
        return glued(stop.text, start) or missing_colon(stop.text, start, stop.content_end(start))
    return Finding(
        codes.SEVERAL_DOCUMENTS, stop.at, stop.word_end(stop.at), "text follows behind the end of the document", "",
        "a file holds one document: take the `...` out, or move the rest to a file of its own",
    )  # fmt: skip


def _anything_else(stop: Stop) -> Finding:
    at = min(stop.at, max(len(stop.text.rstrip()) - 1, 0))
    doing = f" {stop.context}" if stop.context else ""
    return Finding(codes.YAML_SYNTAX, at, stop.word_end(at), f"this is no YAML: {stop.problem or 'unreadable'}{doing}")


RULES: Final[tuple[Callable[[Stop], Finding | None], ...]] = (
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


def explain(stop: Stop) -> Finding:
    """The slip that made the parser give up."""
    for rule in RULES:
        found = rule(stop)
        if found is not None:
            return found
    return _anything_else(stop)


__all__ = ["explain"]
