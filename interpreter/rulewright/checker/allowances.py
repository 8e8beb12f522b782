"""Warnings that an author accepts, each with a reason: at a line of a rule file, or for a whole game.

In: diagnostics, and the files that were checked. Out: the diagnostics without those that are allowed, and with what is
wrong with the allowances themselves. `# rulewright: allow NAME because …` at the end of a line speaks of that line; on
a line of its own, of the next line and all that is indented below it. `allow:` in the head of a game speaks of all
files in its folder. Only warnings can be allowed, since rules with errors cannot be used; and where there are errors,
nobody knows yet which warnings there would be, so that no allowance is called unused.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from rulewright import limits
from rulewright.checker.common import allowance_codes
from rulewright.checker.common.lint_codes import GIVES_AWAY_HIDDEN, LOOKS_AT_HIDDEN
from rulewright.diagnostics import Code, Diagnostic, Diagnostics, SourceFile, Span
from rulewright.document.codes import OUT_OF_RANGE
from rulewright.document.document import MANIFEST, source_path
from rulewright.errors import quote
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.nodes import MappingNode, Node, ScalarNode, iter_scalars
from rulewright.source.reader import parse_file, peek_text
from rulewright.source.real_paths import real_path
from rulewright.suggestions import did_you_mean

MARK: Final = "rulewright"
COMMENT: Final = lazy_pattern(r"(?:^|(?<=\s))#\s*rulewright:\s*allow\b(?P<rest>[^#\n]*)", re.MULTILINE)
# what other programs call it, and other spellings
NEARLY: Final = lazy_pattern(
    r"(?:^|(?<=\s))#\s*rulewright\b(?!(?-i::\s*allow\b)):?\s*(?:allow(?:s|ed)?|ignore|disable|suppress|noqa)\b[^#\n]*(?P<rest>)",
    re.MULTILINE | re.I,
)
ALLOW_KEY: Final = "allow"
EXAMPLE: Final = "allow NAME because REASON"


@frozen
class Allowance:
    """A warning that is accepted: its name, where it is said, and which places it speaks of.

    `scope`: a file, or a folder with all its files. `first_line`, `last_line`: of a file, where it is not all of it.
    """

    name: str
    span: Span
    has_reason: bool
    scope: Path
    first_line: int = 0
    last_line: int = 0

    def is_about(self, diagnostic: Diagnostic, path: Path) -> bool:
        """Whether it speaks of the place of a diagnostic in the file at `path`."""
        is_whole = not self.first_line
        return path.is_relative_to(self.scope) and (
            is_whole or self.first_line <= diagnostic.span.line <= self.last_line
        )


def find_allowances(files: Iterable[Path]) -> list[list[Allowance]]:
    """Those of each of some files; of one with too many one more than there may be."""
    paths = sorted({real_path(file) for file in files})
    return [found for path in paths if (found := [*islice(_allowances_in(path), limits.MAX_ALLOWANCES + 1)])]


def apply_allowances(
    diagnostics: Diagnostics, by_file: Iterable[Sequence[Allowance]], *, is_complete: bool
) -> Diagnostics:
    """The diagnostics that nobody allows, and those about allowances. `by_file`: those of all files that were checked.
    `is_complete`: whether they were checked in every way, so that an allowance without its warning is one too many.
    """
    allowances = [allowance for found in by_file for allowance in found[: limits.MAX_ALLOWANCES]]
    if not allowances:
        return diagnostics
    from rulewright.checker.common.diagnostic_json import CODES  # of all stages, for the few files that allow something

    known = {key: code for code in CODES for key in (code.name, code.number, code.number.lower())}
    used: set[Span] = set()

    def unless_allowed(diagnostic: Diagnostic) -> Diagnostic | None:
        if diagnostic.severity != "warning":
            return diagnostic
        path = real_path(Path(diagnostic.span.source.path))
        matches = [
            allowance
            for allowance in allowances
            if known.get(allowance.name) in _accepted_by(diagnostic) and allowance.is_about(diagnostic, path)
        ]
        used.update(allowance.span for allowance in matches)
        return None if any(allowance.has_reason for allowance in matches) else diagnostic

    result = Diagnostics()
    result.merge(diagnostics, unless_allowed)
    for allowance in allowances:
        _judge(allowance, known, result, is_unused=allowance.span not in used and is_complete)
    for found in by_file:
        for allowance in found[limits.MAX_ALLOWANCES :]:
            message = f"more than {limits.MAX_ALLOWANCES:,} allowances in one file"
            hint = f"allow it for all files of a game, by `{ALLOW_KEY}:` in its head"
            result.add(allowance.span, OUT_OF_RANGE, message, label="over the limit", help=hint)
    return result


def _accepted_by(diagnostic: Diagnostic) -> tuple[Code, ...]:
    """The codes by which it can be allowed: whether games that were tried have shown a look to give something away
    depends on how many were.
    """
    looks = (LOOKS_AT_HIDDEN, GIVES_AWAY_HIDDEN)
    return looks if diagnostic.code in looks else (diagnostic.code,)


def _judge(allowance: Allowance, known: dict[str, Code], diagnostics: Diagnostics, *, is_unused: bool) -> None:
    """Reports what is wrong with an allowance."""
    code = known.get(allowance.name)
    if code is None:
        message = f"there is no diagnostic {quote(allowance.name)}" if allowance.name else "nothing is allowed here"

        def hint() -> str:
            names = [other.name for other in known.values() if other.severity == "warning"]
            return did_you_mean(allowance.name, names) or f"write `# rulewright: {EXAMPLE}`"

        diagnostics.add(allowance.span, allowance_codes.UNKNOWN_ALLOWANCE, message, help=hint)
    elif code.severity == "error" or code.number.startswith("L"):
        reason = "is an error" if code.severity == "error" else "is about allowances"
        message = f"`{code.name}` {reason} and cannot be allowed"
        diagnostics.add(allowance.span, allowance_codes.UNKNOWN_ALLOWANCE, message, help="only warnings can be allowed")
    elif not allowance.has_reason:
        message = f"this allowance of `{code.name}` gives no reason, so that it does not count"
        diagnostics.add(
            allowance.span, allowance_codes.ALLOWANCE_WITHOUT_REASON, message, help="add `because` and the reason"
        )
    elif is_unused and not diagnostics.error_count:
        place = "here" if allowance.first_line else "in the files of this game"
        message = f"there is no warning `{code.name}` {place}"
        line = _nearest_line(allowance, code, diagnostics)
        advice = f"write it at line {line}, or on a line of its own above" if line else "remove the allowance"
        diagnostics.add(allowance.span, allowance_codes.UNUSED_ALLOWANCE, message, help=advice)


def _nearest_line(allowance: Allowance, code: Code, diagnostics: Iterable[Diagnostic]) -> int:
    """The line of the file nearest to an allowance, rather above it, of which such a warning speaks; 0 if none does."""
    path, own = allowance.span.source.path, allowance.span.line
    lines = [one.span.line for one in diagnostics if one.code is code and one.span.source.path == path]
    return min(lines, key=lambda line: (line > own, abs(line - own)), default=0)


def _allowances_in(path: Path) -> Iterator[Allowance]:
    """The allowances that a file holds."""
    text = peek_text(path)
    is_head = text.find(f"\n{ALLOW_KEY}:") >= 0
    if not is_head and MARK not in text:
        return
    node = parse_file(path, Diagnostics(), source_path=source_path(path))
    if node is None:
        return
    yield from _allowances_of_lines(path, node)
    head = node.get(ALLOW_KEY) if isinstance(node, MappingNode) and node.entry("game") is not None else None
    scope = path.parent if path.name == MANIFEST else path
    for entry in head.entries if isinstance(head, MappingNode) else ():
        has_reason = isinstance(entry.value, ScalarNode) and bool(entry.value.text.strip())
        yield Allowance(entry.key.text, entry.key.span, has_reason, scope)


def _allowances_of_lines(path: Path, node: Node) -> Iterator[Allowance]:
    """The allowances in the comments of a file."""
    source = node.span.source
    matches = [*COMMENT.finditer(source.text), *NEARLY.finditer(source.text)]
    values = sorted((value.span.start, value.span.end) for value in iter_scalars(node)) if matches else []
    blocks = _CommentedBlocks(source)
    for match in matches:
        before = bisect_left(values, (match.start(),))
        if before and match.start() < values[before - 1][1]:
            continue  # in the middle of a text
        names, because, reason = match["rest"].partition("because")
        first, last = blocks.lines_meant(source.line_and_column(match.start())[0])
        start = match.start("rest")
        words = [*re.finditer(r"[^\s,]+", names)]
        for name in words if because else words[:1]:  # without it, the rest may be the reason
            span = Span(source, start + name.start(), start + name.end())
            yield Allowance(name[0], span, bool(because and reason.strip()), path, first, last)
        if not names.strip():
            end = match.start() + len(match[0].rstrip())
            yield Allowance("", Span(source, match.start(), end), False, path, first, last)


class _CommentedBlocks:
    """What comments speak of in one file: each line is looked at a few times, however many comments there are."""

    def __init__(self, source: SourceFile) -> None:
        self._source = source
        self._count = len(source.line_starts)
        self._first: dict[int, int] = {}  # by the line of a comment, the first one behind it that says something
        self._last: dict[int, int] = {}  # by that line, the last one of what begins there

    def lines_meant(self, line: int) -> tuple[int, int]:
        """The first and the last line that a comment on this line speaks of."""
        if self._source.line_text(line).split("#")[0].strip():
            return line, line
        first = self._next_filled(line)
        if first > self._count:
            return line, line
        if first not in self._last:
            self._last[first] = self._last_of_block(first)
        return first, self._last[first]

    def _next_filled(self, line: int) -> int:
        passed = []
        while (line := self._first.get(line, line + 1)) <= self._count and not self._is_filled(line):
            passed.append(line)
        self._first.update(dict.fromkeys(passed, line))
        return line

    def _last_of_block(self, first: int) -> int:
        depth, last = _indentation(self._source.line_text(first)), first
        for number in range(first + 1, self._count + 1):
            if self._is_filled(number):
                if _indentation(self._source.line_text(number)) <= depth:
                    break
                last = number
        return last

    def _is_filled(self, number: int) -> bool:
        text = self._source.line_text(number).lstrip()
        return bool(text) and not text.startswith("#")


def _indentation(text: str) -> int:
    return len(text) - len(text.lstrip())


__all__ = ["Allowance", "apply_allowances", "find_allowances"]
