"""What only follows from an error, and is not reported beside it.

In: what is wrong with files. Out: `Diagnostics` without questions about the words of a file that has errors, and
without the addresses under a misspelled declaration, which are right.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.lint_codes import MISSPELLED_DECLARATION, NO_SENTENCE
from rulewright.diagnostics import Diagnostic, Diagnostics
from rulewright.model.codes import MISSING_SENTENCE, UNKNOWN_REFERENCE, UNUSED_SENTENCE
from rulewright.suggestions import closest_name
from rulewright.variants.codes import STALE_SENTENCE

ADDRESS_CODES: Final = (UNKNOWN_REFERENCE, UNUSED_SENTENCE)


def without_consequences(diagnostics: Diagnostics) -> Diagnostics:
    """The same diagnostics without what follows from others."""
    if not diagnostics.error_count:
        return diagnostics
    shown = list(diagnostics)
    wrong_files = {one.span.source.path for one in shown if one.severity == "error"}
    misspelled = [one.address for one in shown if one.code is MISSPELLED_DECLARATION]

    def kept(diagnostic: Diagnostic) -> Diagnostic | None:
        span, code = diagnostic.span, diagnostic.code
        if code in (STALE_SENTENCE, NO_SENTENCE) and span.source.path in wrong_files:
            return None
        if code in ADDRESS_CODES and any(_is_meant(span.text, address) for address in misspelled):
            return None
        if code is MISSING_SENTENCE and any(f"`{address}`" in diagnostic.message for address in misspelled):
            return None
        return diagnostic

    reported = Diagnostics()
    reported.merge(diagnostics, kept)
    return reported


def _is_meant(text: str, declared: str) -> bool:
    """Whether an address is that of a misspelled declaration, or of a part of it, with the name spelled otherwise."""
    *above, name = declared.split(".")
    parts = text.split(".")
    return parts[: len(above)] == above and len(parts) > len(above) and closest_name(parts[len(above)], [name]) == name


__all__ = ["without_consequences"]
