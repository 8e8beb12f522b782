"""What can be written instead of what is wrong, where the diagnostic names it.

In: a diagnostic. Out: the words that are offered in its place.
"""

from __future__ import annotations

import re
from typing import Final

from rulewright.diagnostics import Diagnostic

OFFERED: Final = re.compile(r"(?:did you mean|write) `([^`]+)`")
WORDS: Final = re.compile(r"[\w.-]+")


def replacements(diagnostic: Diagnostic) -> list[str]:
    """What a hint offers for the word that is marked; none where it speaks of more than that word."""
    marked = diagnostic.span.source.text[diagnostic.span.start : diagnostic.span.end]
    if not WORDS.fullmatch(marked):
        return []
    return [offer for offer in OFFERED.findall(diagnostic.help) if WORDS.fullmatch(offer) and offer != marked]


__all__ = ["replacements"]
