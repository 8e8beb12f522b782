"""What a variant would have done if an address in it were not misspelled.

In: what is wrong with files. Out: the addresses that were meant, as far as a hint names them, and whether another
diagnostic only misses what would then be there: what is written of a rule that such a change would have added, or that
two variants clash where a file that joins them would have decided.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from rulewright.diagnostics import Diagnostic
from rulewright.lazy_pattern import lazy_pattern
from rulewright.variants.codes import (
    NO_SUCH_ADDRESS,
    NOT_STALE,
    ONE_ANCHOR,
    REMOVED_BUT_CHANGED,
    REQUIRED_VARIANT,
    TWO_SENTENCES,
    TWO_WRITERS,
)

JOINT_HEAD: Final = lazy_pattern(r"^joins:", re.MULTILINE)
CLASH_CODES: Final = (ONE_ANCHOR, REMOVED_BUT_CHANGED, TWO_SENTENCES, TWO_WRITERS)


class MisspelledChanges:
    """The changes among some diagnostics whose addresses are misspelled. `wrong_files`: the files that have errors."""

    def __init__(self, diagnostics: Collection[Diagnostic], wrong_files: Collection[str]) -> None:
        self._wrong_files = wrong_files
        misnamed = [one for one in diagnostics if one.code is REQUIRED_VARIANT and one.fix is not None]
        self._without_variant = {one.span.source.path for one in misnamed}  # which would bring what is missing
        self._undecided = [one.span.source.text for one in misnamed if JOINT_HEAD.search(one.span.source.text)]
        self._meant = [(one, address) for one in diagnostics if (address := _meant_address(one))]

    def explain(self, diagnostic: Diagnostic) -> bool:
        """Whether a diagnostic would not be there if what is misspelled were right."""
        code, path = diagnostic.code, diagnostic.span.source.path
        if code is NOT_STALE:
            return path in self._wrong_files and diagnostic.fix is None
        if code is NO_SUCH_ADDRESS:
            return (path in self._without_variant and diagnostic.fix is None) or any(
                one is not diagnostic and one.span.source.path == path and _is_at_or_below(diagnostic.address, address)
                for one, address in self._meant
            )
        if code not in CLASH_CODES:
            return False
        return any(diagnostic.address and diagnostic.address in text for text in self._undecided) or any(
            _is_at_or_below(diagnostic.address, address) or _is_at_or_below(address, diagnostic.address)
            for _, address in self._meant
        )


def _meant_address(one: Diagnostic) -> str:
    """The address that a misspelled one probably was meant to be; empty where no hint says so."""
    parts = one.address.split(".")
    if one.code is not NO_SUCH_ADDRESS or one.fix is None or one.span.text not in parts:
        return ""
    at = parts.index(one.span.text)
    return ".".join([*parts[:at], one.fix.text, *parts[at + 1 :]])


def _is_at_or_below(address: str, above: str) -> bool:
    return f"{address}.".startswith(f"{above}.")


__all__ = ["MisspelledChanges"]
