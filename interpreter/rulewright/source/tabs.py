"""Tabs at the beginning of lines, and the spaces that belong there.

In: a text, and the place of a tab in it. Out: the spaces, for this line and those below it, as the lines around them
have it: what is below a key is deeper than that, what follows it begins where a line above does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.yaml_failure import TextCorrection

INDENTATION: Final = lazy_pattern(r"^ +(?=[^\s#-])", re.MULTILINE)
TABBED: Final = lazy_pattern(r"( *\t[ \t]*)(?=[^\s#])")
NEXT_LINE: Final = lazy_pattern(r"[^\n]*\n?")
CONTENT: Final = lazy_pattern(r"[ \t]*[^\s#]")
DASH: Final = lazy_pattern(r"-(?:[ \t]+|$)")
OPENS: Final = lazy_pattern(r"(?:^|.*[\s\"'\w)\]}])[:|>-](?:[-+0-9]*)\s*(?:\s#.*)?$")
IN_BRACKETS: Final = lazy_pattern(r".*[,\[{]\s*(?:\s#.*)?$")
TAB: Final = "\t"
USUAL_INDENTATION: Final = 2
WIDTHS: Final = (2, 4, 8, 3, 6)  # of a tab, besides what the file is indented by elsewhere
MAX_LINES: Final = 200  # that are corrected at once
MAX_LOOKED_AT: Final = 10_000  # characters above


def spaces_for_tabs(text: str, start: int, end: int) -> TextCorrection | None:
    """The spaces for the tabs of a line and of those from there that begin with tabs as well; one space where the tab
    does not indent. None where the lines around them leave open how many.
    """
    first = text.rfind("\n", 0, start) + 1
    if text[first:start].strip():
        return TextCorrection(start, end, " ")
    usual = min((len(match[0]) for match in INDENTATION.finditer(text)), default=USUAL_INDENTATION)
    above = text[max(0, first - MAX_LOOKED_AT) : first].splitlines(keepends=True)
    lines = [match[0] for match in islice(NEXT_LINE.finditer(text, first), MAX_LINES)]
    corrected, place, last = list[str](), 0, -1
    while place < len(lines):
        run = place
        while run < len(lines) and (TABBED.match(lines[run]) or not CONTENT.match(lines[run])):
            run += 1
        spaced = _with_spaces([*above, *corrected], lines[place:run], lines[run:], (usual, *WIDTHS))
        if spaced is None:
            break
        corrected += spaced
        last = max([last, *(at for at in range(place, run) if TABBED.match(lines[at]))])
        place = next((at for at in range(run, len(lines)) if TABBED.match(lines[at])), len(lines))
        corrected += lines[run:place]
    tabs = TABBED.match(lines[last]) if last >= 0 else None
    if tabs is None:
        return None
    behind = len(lines[last]) - tabs.end()
    old, new = "".join(lines[: last + 1]), "".join(corrected[: last + 1])
    return TextCorrection(start, first + len(old) - behind, new[start - first : len(new) - behind])


def _with_spaces(
    above: Sequence[str], run: Sequence[str], below: Iterable[str], widths: Iterable[int]
) -> list[str] | None:
    """Lines with spaces for the tabs, by a width of a tab with which they fit between those around them. None where no
    width does, or two that would put a line below different ones.
    """
    following = [line for line in below if CONTENT.match(line)][:1]
    before = [line for line in above if CONTENT.match(line)]
    fitting = dict[tuple[int, ...], list[str]]()
    for width in widths:
        spaced = [_expanded(line, width) for line in run]
        lines = [*before, *(line for line in spaced if CONTENT.match(line)), *following]
        if all(_fits(lines[:place], lines[place]) for place in range(len(before), len(lines))):
            fitting.setdefault(tuple(_parent(lines, place) for place in range(len(before), len(lines))), spaced)
    return next(iter(fitting.values())) if len(fitting) == 1 else None


def _parent(lines: Sequence[str], place: int) -> int:
    """The number of the line that a line is below."""
    depth, is_entry = _depth(lines[place]), _begins_with_dash(lines[place])
    for above in range(place - 1, -1, -1):
        other = _depth(lines[above])
        if other < depth or (other == depth and is_entry and not _begins_with_dash(lines[above])):
            return above
    return -1


def _expanded(line: str, width: int) -> str:
    tabs = TABBED.match(line)
    return line if tabs is None else f"{tabs[1].replace(TAB, ' ' * width)}{line[tabs.end() :]}"


def _fits(above: Sequence[str], line: str) -> bool:
    """Whether a line can stand below others."""
    if not above or IN_BRACKETS.match(above[-1]):
        return True
    depth, is_entry = _depth(line), _begins_with_dash(line)
    if OPENS.match(above[-1]):
        own = _columns(above[-1])[-1][0]
        return depth > own or (depth == own and is_entry)
    return (depth, is_entry) in _open_columns(above)


def _open_columns(above: Sequence[str]) -> set[tuple[int, bool]]:
    """Where entries begin that more of may follow, each with whether it is one of a list."""
    columns = set[tuple[int, bool]]()
    lowest, is_lowest_entry = len(above[-1]) + 1, False
    for line in reversed(above):
        depth = _depth(line)
        if depth < lowest or (depth == lowest and is_lowest_entry and not _begins_with_dash(line)):
            columns.update(one for one in _columns(line) if one[0] < lowest or depth == lowest)
            lowest, is_lowest_entry = depth, _begins_with_dash(line)
        if not lowest and not is_lowest_entry:
            break
    return columns


def _columns(line: str) -> list[tuple[int, bool]]:
    """Where the entries begin that stand in a line: `- do: …` is one of a list and one of a mapping."""
    column, columns = _depth(line), list[tuple[int, bool]]()
    while dash := DASH.match(line, column):
        columns.append((column, True))
        column = dash.end()
    return [*columns, (column, False)]


def _begins_with_dash(line: str) -> bool:
    return DASH.match(line, _depth(line)) is not None


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


__all__ = ["spaces_for_tabs"]
