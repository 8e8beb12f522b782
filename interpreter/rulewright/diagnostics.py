"""What is wrong with a rule file, and where: one value for every complaint, printed with a caret under the spot.

In: places in source texts and what was found there. Out: a `Report` of `Diagnostic`s; nothing here reads rules.
"""

from __future__ import annotations

import difflib
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A text that was read: `path` as the user would write it, `text` without a byte-order mark."""

    path: str
    text: str
    lines: tuple[int, ...] = field(init=False, repr=False)  # offset of each line's first character

    def __post_init__(self) -> None:
        starts = [0]
        starts.extend(at + 1 for at, character in enumerate(self.text) if character == "\n")
        object.__setattr__(self, "lines", tuple(starts))

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1; columns count characters."""
        line = bisect_right(self.lines, offset)
        return line, offset - self.lines[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line (counted from 1) without its end."""
        start = self.lines[number - 1]
        end = self.lines[number] - 1 if number < len(self.lines) else len(self.text)
        return self.text[start:end].rstrip("\r")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a source: characters `start` up to, not including, `end`."""

    source: Source
    start: int
    end: int

    @property
    def line(self) -> int:
        """Line of the first character, from 1."""
        return self.source.place(self.start)[0]

    @property
    def column(self) -> int:
        """Column of the first character, from 1."""
        return self.source.place(self.start)[1]

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


class Report:
    """Complaints as they are found.

    One fault gives one complaint: a second at the same spot with the same code is dropped.
    """

    def __init__(self) -> None:
        self._found: dict[tuple[str, int, int, str], Diagnostic] = {}

    def add(
        self,
        span: Span,
        code: Code,
        message: str,
        *,
        label: str = "",
        help: str = "",
        address: str = "",
        related: Iterable[Related] = (),
    ) -> None:
        """Notes one complaint."""
        key = (span.source.path, span.start, span.end, code.name)
        if key not in self._found:
            self._found[key] = Diagnostic(code, span, message, label, help, address, tuple(related))

    def extend(self, others: Iterable[Diagnostic]) -> None:
        """Takes over complaints found elsewhere."""
        for one in others:
            self._found.setdefault((one.span.source.path, one.span.start, one.span.end, one.code.name), one)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(sorted(self._found.values(), key=lambda d: (d.span.source.path, d.span.start, d.code.number)))

    def __len__(self) -> int:
        return len(self._found)

    @property
    def errors(self) -> int:
        """How many complaints stop the rules from being used."""
        return sum(one.severity == "error" for one in self._found.values())


class RulesError(Exception):
    """Rules that cannot be used; `report` holds every complaint."""

    def __init__(self, report: Report) -> None:
        self.report = report
        super().__init__("\n".join(draw(one) for one in report))


def nearest(name: str, names: Iterable[str]) -> str:
    """A hint `did you mean …?` when one of the names is close, else the empty string."""
    close = difflib.get_close_matches(name, list(names), n=1, cutoff=0.6)
    return f"did you mean `{close[0]}`?" if close else ""


MOST_NAMES: Final = 12


def listed(what: str, names: Iterable[str]) -> str:
    """`fields: a, b, c` for a hint; long lists are cut."""
    known = list(names)
    more = f", … ({len(known)} in all)" if len(known) > MOST_NAMES else ""
    return f"{what}: {', '.join(known[:MOST_NAMES])}{more}" if known else f"{what}: none"


def short(one: Diagnostic) -> str:
    """One line: `file:line:column: error[name] message`."""
    return f"{one.span}: {one.severity}[{one.code.name}] {one.message}"


def _excerpt(span: Span, label: str, width: int) -> list[str]:
    line, column = span.source.place(span.start)
    text = span.source.line(line)
    last_line, last_column = span.source.place(max(span.end, span.start + 1) - 1)
    length = (last_column if last_line == line else len(text)) - column + 1
    # a tab before the caret stays a tab, so that the caret stands below its character
    indent = "".join("\t" if character == "\t" else " " for character in text[: column - 1])
    carets = "^" * max(1, length)
    return [f"{' ' * width} |", f"{line:>{width}} | {text}", f"{' ' * width} | {indent}{carets} {label}".rstrip()]


def draw(one: Diagnostic) -> str:
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
