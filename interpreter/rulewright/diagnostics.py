"""What is wrong with a rule file, and where: one value for every complaint, printed with a caret under the spot.

In: places in source texts and what was found there. Out: a `Report` of `Diagnostic`s; nothing here reads rules.
"""

from __future__ import annotations

import difflib
import heapq
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

from rulewright import limits
from rulewright.errors import RulewrightError

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True, eq=False)
class SourceFile:
    """A text that was read: `path` as the user would write it, `text` without a byte-order mark."""

    path: str
    text: str
    line_starts: tuple[int, ...] = field(init=False, repr=False)  # offset of each line's first character

    def __post_init__(self) -> None:
        starts = [0]
        starts.extend(at + 1 for at, character in enumerate(self.text) if character == "\n")
        object.__setattr__(self, "line_starts", tuple(starts))

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1; columns count characters."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line_text(self, number: int) -> str:
        """The text of a line (counted from 1) without its end."""
        start = self.line_starts[number - 1]
        end = self.line_starts[number] - 1 if number < len(self.line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a source: characters `start` up to, not including, `end`."""

    source: SourceFile
    start: int
    end: int

    @property
    def line(self) -> int:
        """Line of the first character, from 1."""
        return self.source.line_and_column(self.start)[0]

    @property
    def column(self) -> int:
        """Column of the first character, from 1."""
        return self.source.line_and_column(self.start)[1]

    def __str__(self) -> str:
        return f"{self.source.path}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of mistake: number (family letter and digits) and name, neither ever used again for another."""

    number: str
    name: str
    meaning: str
    severity: Severity = "error"


@dataclass(frozen=True, slots=True)
class Related:
    """A second place that a complaint speaks of."""

    span: Span
    note: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One complaint: what is wrong, where, and what to do about it."""

    code: Code
    span: Span
    message: str
    label: str = ""  # stands behind the caret
    help: str = ""
    address: str = ""  # of the rule, where there is one
    related: tuple[Related, ...] = ()

    @property
    def severity(self) -> Severity:
        """Whether it stops the rules from being used."""
        return self.code.severity


DiagnosticKey = tuple[str, int, int, str]  # what makes a complaint the same: file, start, end, code

Hint = str | Callable[[], str]  # what to do about it; what takes a search is only worked out when it is shown

MORE_DIAGNOSTICS: Final = Code("Y108", "more-complaints", "more complaints than are shown", "warning")


class Diagnostics:
    """Complaints as they are found.

    One fault gives one complaint: a second at the same spot with the same code is dropped. Of more than
    `limits.MAX_DIAGNOSTICS` the first are kept, errors before warnings; all are counted, and a last one says how many
    more there were. Hints that take a search are given with the first `limits.MAX_SEARCHED_HINTS`.
    """

    def __init__(self) -> None:
        self._searched = 0
        self._found: dict[DiagnosticKey, Diagnostic] = {}
        self._more: dict[DiagnosticKey, Severity] = {}  # what was counted only
        self._kept: dict[Severity, int] = {"error": 0, "warning": 0}
        self._errors = 0

    def add(
        self,
        span: Span,
        code: Code,
        message: str,
        *,
        label: str = "",
        help: Hint = "",
        address: str = "",
        related: Iterable[Related] = (),
    ) -> None:
        """Notes one complaint."""
        key = (span.source.path, span.start, span.end, code.name)
        if self._is_new(key, code.severity):
            self._found[key] = Diagnostic(code, span, message, label, self._said(help), address, tuple(related))

    def _said(self, hint: Hint) -> str:
        if isinstance(hint, str):
            return hint
        self._searched += 1
        return hint() if self._searched <= limits.MAX_SEARCHED_HINTS else ""

    def extend(self, others: Iterable[Diagnostic]) -> None:
        """Takes over complaints found elsewhere; of a whole report also how many were counted only."""
        if isinstance(others, Diagnostics):
            self.merge(others, lambda one: one)
            return
        for one in others:
            if one.code is not MORE_DIAGNOSTICS:
                self._keep(one)

    def merge(self, other: Diagnostics, change: Callable[[Diagnostic], Diagnostic | None]) -> None:
        """Takes over a whole report, each complaint changed (None: left out), and how many were counted only."""
        for one in other._found.values():
            changed = change(one)
            if changed is not None:
                self._keep(changed)
        for key, severity in other._more.items():
            if key not in self._found and key not in self._more:
                self._count(key, severity)

    def _keep(self, one: Diagnostic) -> None:
        key = (one.span.source.path, one.span.start, one.span.end, one.code.name)
        if self._is_new(key, one.severity):
            self._found[key] = one

    def _is_new(self, key: DiagnosticKey, severity: Severity) -> bool:
        """Whether a complaint is to be kept; counts it if there is no room."""
        if key in self._found or key in self._more:
            return False
        if self._kept[severity] >= limits.MAX_DIAGNOSTICS:
            self._count(key, severity)
            return False
        self._kept[severity] += 1
        self._errors += severity == "error"
        return True

    def _count(self, key: DiagnosticKey, severity: Severity) -> None:
        self._more[key] = severity
        self._errors += severity == "error"

    def __iter__(self) -> Iterator[Diagnostic]:
        shown = sorted(self._found.values(), key=lambda one: one.severity)[: limits.MAX_DIAGNOSTICS]
        shown.sort(key=lambda one: (one.span.source.path, one.span.start, one.code.number))
        yield from shown
        if hidden := len(self) - len(shown):
            message = f"there {'is' if hidden == 1 else 'are'} {hidden} more, not shown here"
            yield Diagnostic(MORE_DIAGNOSTICS, shown[-1].span, message, help="put these right first, then check again")

    def __len__(self) -> int:
        return len(self._found) + len(self._more)

    @property
    def error_count(self) -> int:
        """How many complaints stop the rules from being used."""
        return self._errors


class RulesError(RulewrightError):
    """Rules that cannot be used; `diagnostics` holds every complaint."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        self.diagnostics = diagnostics
        super().__init__("\n".join(render_full(one) for one in diagnostics))


CLOSE: Final = 0.6  # of the letters of two names, how many have to agree


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """A hint `did you mean …?` when one of the names is close, else the empty string."""
    close = closest_name(name, names)
    return f"did you mean `{close}`?" if close else ""


def closest_name(name: str, names: Iterable[str]) -> str:
    """The one of the names that is most like a name; the empty string when none is."""
    if len(name) > limits.MAX_COMPARED_LENGTH:
        return ""
    every = [one for one in names if len(one) <= limits.MAX_COMPARED_LENGTH]
    close = difflib.get_close_matches(
        name, every if len(every) <= limits.MAX_COMPARED_NAMES else _likely(name, every), 1, CLOSE
    )
    return close[0] if close else ""


def _likely(name: str, names: list[str]) -> list[str]:
    """The names that have most in common with one at their beginning and end, of those that are about as long."""
    least, most = len(name) * CLOSE / (2 - CLOSE), len(name) * (2 - CLOSE) / CLOSE  # else too few letters can agree
    head, tail = name[:1], name[-1:]
    fitting = [one for one in names if least <= len(one) <= most and (one[:1] == head or one[-1:] == tail)]
    ends = [(name[:size], name[-size:], size) for size in (1, 2, 4, 8)]

    def distance(one: str) -> tuple[int, int]:
        unlike = sum((one[:size] != start) + (one[-size:] != end) for start, end, size in ends)
        return unlike, abs(len(one) - len(name))

    return heapq.nsmallest(limits.MAX_COMPARED_NAMES, fitting, key=distance)


def list_names(what: str, names: Iterable[str]) -> str:
    """`fields: a, b, c` for a hint; long lists are cut."""
    every = list(names)
    more = f", … ({len(every)} in all)" if len(every) > limits.MAX_LISTED_NAMES else ""
    return f"{what}: {', '.join(every[: limits.MAX_LISTED_NAMES])}{more}" if every else f"{what}: none"


def unknown_name_hint(name: str, what: str, names: Iterable[str]) -> Callable[[], str]:
    """The hint for a name that is not one of those there are: the nearest, and all of them; worked out when shown."""

    def said() -> str:
        there = list(names)
        return "      ".join(hint for hint in (did_you_mean(name, there), list_names(what, there)) if hint)

    return said


def order_for_printing(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Complaints as they stand in the files; of many the errors first, or they would be lost among the warnings."""
    every = list(found)
    return every if len(every) <= limits.MAX_MIXED_NAMES else sorted(every, key=lambda one: one.severity)


def render_concise(one: Diagnostic) -> str:
    """One line: `file:line:column: error[name] message`."""
    return f"{one.span}: {one.severity}[{one.code.name}] {one.message}"


EXCERPT_LEAD: Final = 60  # of them before the spot, when a line is cut


def _excerpt(span: Span, label: str, width: int) -> list[str]:
    line, column = span.source.line_and_column(span.start)
    text = span.source.line_text(line)
    last_line, last_column = span.source.line_and_column(max(span.end, span.start + 1) - 1)
    length = (last_column if last_line == line else len(text)) - column + 1
    if len(text) > limits.MAX_SOURCE_LINE:
        start = max(0, min(column - 1 - EXCERPT_LEAD, len(text) - limits.MAX_SOURCE_LINE))
        shown = text[start : start + limits.MAX_SOURCE_LINE]
        text = ("…" + shown[1:] if start else shown) + ("…" if start + limits.MAX_SOURCE_LINE < len(text) else "")
        column -= start
        length = min(length, limits.MAX_SOURCE_LINE - column + 1)
    # a tab before the caret stays a tab, so that the caret stands below its character
    indent = "".join("\t" if character == "\t" else " " for character in text[: column - 1])
    carets = "^" * max(1, length)
    return [f"{' ' * width} |", f"{line:>{width}} | {text}", f"{' ' * width} | {indent}{carets} {label}".rstrip()]


def render_full(one: Diagnostic) -> str:
    """The full text of a complaint, with the line it speaks of and a caret under the spot."""
    width = max(len(str(one.span.line)), 1)
    address = f"   {one.address}" if one.address else ""
    lines = [
        f"{one.severity}[{one.code.name}] {one.code.number}: {one.message}",
        f"{' ' * width}--> {one.span}{address}",
    ]
    lines += _excerpt(one.span, one.label, width)
    for other in one.related:
        lines.append(f"{' ' * width}::: {other.span}   {other.note}")
    if one.help:
        lines.append(f"{' ' * width} = help: {one.help}")
    return "\n".join(lines)
