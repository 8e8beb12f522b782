"""One warning about rules while they are built.

In: the state of a build, a place, a message. Out: a diagnostic, unless it is about another file than what is checked.
"""

from __future__ import annotations

from rulewright.checker.common import lint_codes
from rulewright.diagnostics import Code, Span
from rulewright.model.build_state import BuildState


def warn(state: BuildState, span: Span, code: Code, message: str, label: str, help: str, address: str = "") -> None:
    """Adds a warning, unless it is only about the base while a variant is checked."""
    is_base_only = state.variants and span.source.path not in state.variant_files
    if not is_base_only or code in lint_codes.BLAMED_WARNINGS:
        state.diagnostics.add(span, code, message, label=label, help=help, address=address)


__all__ = ["warn"]
