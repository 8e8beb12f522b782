"""Which line is indented wrongly where YAML says only that it can read no further.

In: a `YamlFailure` at the beginning of a line. Out: a `SyntaxProblem` at the line that is wrong, which may stand above;
and an item of a list whose dash is missing.
"""

from __future__ import annotations

import re
from typing import Final

from rulewright.lazy_pattern import lazy_pattern
from rulewright.source import codes
from rulewright.source.yaml_failure import SyntaxProblem, TextCorrection, YamlFailure
from rulewright.suggestions import join_list

LIST_KEY: Final = lazy_pattern(r"(?:-\s+\w+:\s*)?(?:setup|turn|round|finale|ranking|do|rows|things|list|board):")
ITEM_NAME: Final = lazy_pattern(r"([a-z][a-z0-9_.]*):")
TIGHT_ITEM: Final = lazy_pattern(r"-([a-z][a-z0-9_]*):")
OUTERMOST_KEY: Final = lazy_pattern(  # what blocks of a file stand under
    r"(?:kinds|parameters|components|zones|values|state|setup|actions|procedures|turn|round|finale|ranking|invariants|"
    r"measures|evaluation|strategies|book|sentences|text|files|texts|allow|set|add|remove|insert|adjust|extend|drop|cancel|"
    r"display|cases|words|plurals|glossary|things|works|reasons|list|members|board|players):"
)
OTHER_DASHES: Final = "\u2010\u2011\u2012\u2013\u2014\u2212\u2022\u00b7"  # of print, and dots
INDENT_UNIT: Final = 2
CONTENT_LINE_START: Final = lazy_pattern(r"^ *([^ \r\n#])", re.MULTILINE)


def lone_entry_above(failure: YamlFailure, offset: int) -> tuple[int, int] | None:
    """The only key above a dash that is as deep: an item whose own dash is missing."""
    line = failure.line_start(offset)
    depth, found = offset - line, list[tuple[int, int]]()
    while line > 0:
        line = failure.line_start(line - 1)
        start = failure.content_start(line)
        if failure.text[start : start + 1] in ("\n", "\r", "#", ""):
            continue
        if start - line < depth:
            is_list = LIST_KEY.match(failure.text, start) is not None
            return found[0] if is_list and len(found) == 1 else None
        if start - line == depth:
            name = ITEM_NAME.match(failure.text, start)
            if name is None:
                return None
            found.append(name.span(1))
    return None


def tight_item_above(failure: YamlFailure, offset: int) -> tuple[int, int] | None:
    """The name of an item above a dash, and as deep, whose own dash has no space behind it."""
    line = failure.line_start(offset)
    start = failure.content_start(failure.line_start(line - 1)) if line else 0
    item = TIGHT_ITEM.match(failure.text, start)
    is_as_deep = start - failure.line_start(start) == offset - line
    return item.span(1) if item is not None and line and is_as_deep else None


def detect_bad_indentation(failure: YamlFailure) -> SyntaxProblem | None:
    """The line that is indented wrongly, if that is why the text is not YAML."""
    content = failure.content_start(failure.offset)
    is_colon = failure.problem.startswith("mapping values are not allowed")
    if "block" not in failure.context and not is_colon:
        return None
    if failure.offset != content and not is_colon:
        return None
    end = failure.word_end(content)
    odd = _oddly_indented_above(failure, content) or _shifted_above(failure, content)
    if odd is not None:
        own, column = odd - failure.line_start(odd) + 1, content - failure.line_start(content) + 1
        message = f"this line begins at column {own}, which matches no line around it"
        hint = f"begin it at column {column if abs(own - column) <= INDENT_UNIT else f'{own - 1} or {own + 1}'}"
        return SyntaxProblem(codes.BAD_INDENTATION, odd, failure.word_end(odd), message, "", hint)
    replacement = None
    above = failure.text[: failure.line_start(content)].rstrip().rpartition("\n")[2]
    if re.search(r"[^\s#].*[ \t]#", above) and not re.match(
        r"\s*[\w.-]+:(\s|$)", failure.text[content : failure.line_end(content)]
    ):
        message, hint = (
            "the comment on the line above ends the value",
            "remove the comment: a value over several lines cannot contain one",
        )
    elif failure.text[content] in OTHER_DASHES and failure.text[content + 1 : content + 2] == " ":
        message, hint = f"`{failure.text[content]}` does not begin a list item", "write a plain dash: `- `"
        replacement = TextCorrection(content, content + 1, "-")
    elif "block collection" in failure.context or "block sequence" in failure.context:
        message, hint = (
            "expected a list item",
            "begin the line with `- `, or indent it like the level it belongs to; "
            "if a section begins here, write its name above",
        )
    elif is_colon:
        message = "unexpected indentation: the key above already has a value"
        hint = "align it with the keys above; if a section begins here, write its name above"
    else:
        columns = sorted(_columns_above(failure, content))
        message = f"this line begins at column {content - failure.line_start(content) + 1}, which matches no line above"
        hint = f"the open levels above begin at column {join_list(map(str, columns), 'or')}" if columns else ""
    return SyntaxProblem(codes.BAD_INDENTATION, content, end, message, "", hint, replacement=replacement)


def _oddly_indented_above(failure: YamlFailure, offset: int) -> int | None:
    """The first line of the only level above that is indented by an odd number of blanks, if the line at the offset is
    not: what is wrong is that line, though YAML only gives up at this one.
    """
    levels = dict[int, int]()  # by indentation the first line of each level that is open
    for match in reversed([*CONTENT_LINE_START.finditer(failure.text, 0, failure.line_start(offset))]):
        depth = match.start(1) - match.start()
        if depth <= min(levels, default=depth):
            levels[depth] = match.start(1)
    odd = [depth for depth in levels if depth % INDENT_UNIT]
    is_even = (offset - failure.line_start(offset)) % INDENT_UNIT == 0
    if not is_even or len(odd) != 1 or ITEM_NAME.match(failure.text, levels[odd[0]]) is None:
        return None
    return levels[odd[0]]


def _shifted_above(failure: YamlFailure, offset: int) -> int | None:
    """The line above that is indented a level too little or too much, if the one at the offset falls between two levels
    because of it: a key at the outer level, below lines that are as deep as this one, or one that opens the inner.
    """
    depth = offset - failure.line_start(offset)
    starts = [match.start(1) for match in CONTENT_LINE_START.finditer(failure.text, 0, failure.line_start(offset))]
    depths = [start - failure.line_start(start) for start in starts]
    index = len(starts) - 1
    while index > 0 and depths[index] > depth:
        index -= 1
    around = depths[index : index + 2]
    if around != [depth - INDENT_UNIT, depth + INDENT_UNIT]:
        return None
    outer, opener = starts[index], starts[index + 1]
    is_entry = depths[index] > 0 and depths[index - 1] == depth
    if is_entry or (not depths[index] and depth in depths and not OUTERMOST_KEY.match(failure.text, outer)):
        return outer
    is_wide = all(one % (2 * INDENT_UNIT) == 0 for one in depths)  # whoever indents by four has the other line wrong
    is_empty_key = failure.text[opener : failure.line_end(opener)].rstrip().endswith(":")
    return opener if is_empty_key or not is_wide else None


def _columns_above(failure: YamlFailure, offset: int) -> set[int]:
    columns: set[int] = set()
    for line in reversed(failure.text[: failure.line_start(offset)].split("\n")):
        content = line.lstrip(" ")
        if content.strip() and not content.startswith("#"):
            column = len(line) - len(content) + 1
            if not columns or column < min(columns):
                columns.add(column)
    return columns


__all__ = ["TIGHT_ITEM", "detect_bad_indentation", "lone_entry_above", "tight_item_above"]
