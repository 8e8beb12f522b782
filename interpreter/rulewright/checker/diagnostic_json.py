"""Complaints as data, for editors and for other programs.

In: diagnostics. Out: JSON data. Lines and columns count from 1, offsets from 0; an end is the first place that is not
part of it.
"""

from __future__ import annotations

import hashlib
from types import ModuleType
from typing import Any, Final

from rulewright.checker import codes as checker_codes
from rulewright.checker import lint_codes
from rulewright.diagnostics import Code, Diagnostic, Span
from rulewright.document import codes
from rulewright.expr import codes as expr_codes
from rulewright.model import codes as model_codes
from rulewright.scenarios import codes as play_codes
from rulewright.source import codes as text_codes

CODE_MODULES: Final[tuple[tuple[str, ModuleType], ...]] = (  # the stage that finds the mistakes of a module of codes
    ("text", text_codes),
    ("text", codes),
    ("expr", expr_codes),
    ("model", model_codes),
    ("model", lint_codes),
    ("play", play_codes),
    ("play", checker_codes),
)
PHASE_BY_CODE: Final = {
    code.number: phase for phase, module in CODE_MODULES for code in vars(module).values() if isinstance(code, Code)
}
FINGERPRINT_LENGTH: Final = 16  # hexadecimal digits


def diagnostic_to_json(one: Diagnostic) -> dict[str, Any]:
    """A complaint as JSON data."""
    return {
        "code": one.code.number,
        "name": one.code.name,
        "phase": PHASE_BY_CODE[one.code.number],
        "severity": one.severity,
        "message": one.message,
        "label": one.label,
        "help": one.help,
        "address": one.address,
        **span_to_json(one.span),
        "related": [{"note": related.note, **span_to_json(related.span)} for related in one.related],
        "fingerprint": fingerprint(one),
    }


def span_to_json(span: Span) -> dict[str, Any]:
    """A span as JSON data."""
    return {"file": span.source.path, "range": {"start": _point(span, span.start), "end": _point(span, span.end)}}


def _point(span: Span, offset: int) -> dict[str, int]:
    line, column = span.source.line_and_column(offset)
    return {"line": line, "column": column, "offset": offset}


def fingerprint(one: Diagnostic) -> str:
    """What stays the same while other lines of the file change: code, file, address, the line's text and the spot's."""
    span = one.span
    parts = (
        one.code.number,
        span.source.path,
        one.address,
        span.source.line_text(span.line).strip(),
        span.source.text[span.start : span.end],
    )
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:FINGERPRINT_LENGTH]


__all__ = ["PHASE_BY_CODE", "diagnostic_to_json", "fingerprint", "span_to_json"]
