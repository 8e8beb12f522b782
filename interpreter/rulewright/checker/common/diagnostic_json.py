"""Diagnostics as data, for editors and other programs.

In: diagnostics. Out: JSON data. Lines and columns count from 1, offsets from 0; an end is exclusive.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import Final, TypedDict

from rulewright.checker.common import allowance_codes, lint_codes
from rulewright.checker.common import codes as checker_codes
from rulewright.diagnostics import Code, Diagnostic, Severity, Span
from rulewright.document import codes as document_codes
from rulewright.expr import codes as expr_codes
from rulewright.model import codes as model_codes
from rulewright.scenarios import codes as play_codes
from rulewright.source import codes as text_codes
from rulewright.variants import codes as variant_codes

CODE_MODULES: Final[tuple[tuple[str, ModuleType], ...]] = (  # the phase of the codes of each module
    ("text", text_codes),
    ("text", document_codes),
    ("text", variant_codes),
    ("expr", expr_codes),
    ("model", model_codes),
    ("model", lint_codes),
    ("model", allowance_codes),
    ("play", play_codes),
    ("play", checker_codes),
)
CODES: Final = tuple(
    sorted(
        {code for _, module in CODE_MODULES for code in vars(module).values() if isinstance(code, Code)},
        key=lambda code: code.number,
    )
)
PHASE_BY_CODE: Final = {
    code.number: phase for phase, module in CODE_MODULES for code in vars(module).values() if isinstance(code, Code)
}
FINGERPRINT_LENGTH: Final = 16  # hexadecimal digits


class PositionData(TypedDict):
    """A position in a file: `line` and `column` from 1, `offset` in characters from 0."""

    line: int
    column: int
    offset: int


class RangeData(TypedDict):
    """From `start` up to, not including, `end`."""

    start: PositionData
    end: PositionData


class SpanData(TypedDict):
    """A part of a file."""

    file: str
    range: RangeData


class RelatedData(SpanData):
    """Another part of a file that a diagnostic is about."""

    note: str


class EditData(SpanData):
    """A part of a file, and what is to stand there instead."""

    text: str


class FixData(TypedDict):
    """A fix that is certain: `check --fix` would make it."""

    title: str
    edits: list[EditData]


class DiagnosticData(SpanData):
    """A diagnostic as `check --format json` prints it."""

    code: str
    name: str
    phase: str
    severity: Severity
    message: str
    label: str
    help: str
    replay: str  # the command that shows the game in which it was found
    expected: list[str]  # names that could be there, the first `limits.MAX_EXPECTED_NAMES`
    expected_count: int
    address: str
    related: list[RelatedData]
    fix: FixData | None
    fingerprint: str


def diagnostics_to_json(diagnostics: Sequence[Diagnostic]) -> list[DiagnosticData]:
    """Diagnostics as JSON data, no two with the same fingerprint."""
    prints = fingerprints(diagnostics)
    return [{**diagnostic_to_json(one), "fingerprint": own} for one, own in zip(diagnostics, prints, strict=True)]


def diagnostic_to_json(diagnostic: Diagnostic) -> DiagnosticData:
    """A diagnostic as JSON data."""
    is_listed = any(
        name in diagnostic.help for name in diagnostic.expected[:1]
    )  # not where another hint took its place
    return {
        "code": diagnostic.code.number,
        "name": diagnostic.code.name,
        "phase": PHASE_BY_CODE[diagnostic.code.number],
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "label": diagnostic.label,
        "help": diagnostic.help,
        "replay": diagnostic.replay,
        "expected": list(diagnostic.expected) if is_listed else [],
        "expected_count": diagnostic.expected_count if is_listed else 0,
        "address": diagnostic.address,
        **span_to_json(diagnostic.span),
        "related": [{"note": related.note, **span_to_json(related.span)} for related in diagnostic.related],
        "fix": _fix_to_json(diagnostic),
        "fingerprint": fingerprint(diagnostic),
    }


def _fix_to_json(diagnostic: Diagnostic) -> FixData | None:
    fix = diagnostic.certain_fix
    if fix is None:
        return None
    return {"title": fix.title, "edits": [{"text": fix.text, **span_to_json(span)} for span in fix.spans]}


def span_to_json(span: Span) -> SpanData:
    """A span as JSON data."""
    return {"file": span.source.path, "range": {"start": _position(span, span.start), "end": _position(span, span.end)}}


def _position(span: Span, offset: int) -> PositionData:
    line, column = span.source.line_and_column(offset)
    return {"line": line, "column": column, "offset": offset}


def fingerprints(diagnostics: Iterable[Diagnostic]) -> list[str]:
    """The fingerprint of each, no two alike: programs show only one of those that are."""
    seen = Counter[str]()
    found = []
    for diagnostic in diagnostics:
        print_ = fingerprint(diagnostic)
        seen[print_] += 1
        found.append(print_ if seen[print_] == 1 else _hash(print_, str(seen[print_])))
    return found


def fingerprint(diagnostic: Diagnostic) -> str:
    """What stays the same while other lines of the file change: a hash of code, file, address, line and span text."""
    span = diagnostic.span
    parts = (
        diagnostic.code.number,
        span.source.path,
        diagnostic.address,
        span.source.line_text(span.line).strip(),
        span.text,
    )
    return _hash(*parts)


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:FINGERPRINT_LENGTH]


__all__ = [
    "CODES",
    "PHASE_BY_CODE",
    "diagnostic_to_json",
    "diagnostics_to_json",
    "fingerprint",
    "fingerprints",
    "span_to_json",
]
