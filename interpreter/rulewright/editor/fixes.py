"""What can be written instead of what is wrong: what is certain, and the name that a hint offers where it is not.

In: a diagnostic. Out: fixes, the one that `check --fix` would make first.
"""

from __future__ import annotations

import re
from typing import Final

from rulewright.checker.certain_fixes import Fix, certain_fix
from rulewright.diagnostics import Diagnostic, Span

OFFERED: Final = re.compile(r"did you mean `([\w.-]+)`")
WORD: Final = re.compile(r"[\w.-]+")


def possible_fixes(diagnostic: Diagnostic) -> list[Fix]:
    """The fixes of a diagnostic, the surest first."""
    certain = certain_fix(diagnostic)
    if certain is not None:
        return [certain]
    marked = diagnostic.span.text
    offers = OFFERED.findall(diagnostic.help) if WORD.fullmatch(marked) else []
    return [Fix(diagnostic.span, _without_parent(offer, diagnostic.span)) for offer in offers if offer != marked]


def _without_parent(address: str, span: Span) -> str:
    """The last name of an address, where the names before it stand already."""
    parent, dot, name = address.rpartition(".")
    before = span.source.text[max(0, span.start - len(parent) - 1) : span.start]
    return name if parent and before == f"{parent}{dot}" else address


__all__ = ["possible_fixes"]
