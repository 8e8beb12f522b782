"""What a variant adds under a misspelled name: reported there, not at each of its other lines that speak of it.

In: what is wrong with files. Out: `Diagnostics` in which addresses that lack because of one such name are one
diagnostic at the name, if the rest of the file speaks of it more than once by the other.
"""

from __future__ import annotations

import re
from typing import Final

from rulewright.checker.common.lint_codes import MISSPELLED_DECLARATION
from rulewright.diagnostics import Diagnostic, Diagnostics, Fix, Related, Span
from rulewright.variants.codes import NO_SUCH_ADDRESS

MIN_USES: Final = 2  # a single use may as well be what is misspelled
MAX_SHOWN_USES: Final = 2


def merge_misspelled_additions(diagnostics: Diagnostics) -> Diagnostics:
    """The same diagnostics, where those about one misspelled name are one."""
    groups = dict[tuple[str, str, str], list[Diagnostic]]()
    for one in diagnostics:
        if one.code is NO_SUCH_ADDRESS and one.fix is not None:
            groups.setdefault((one.span.source.path, one.span.text, one.fix.text), []).append(one)
    changed = dict[int, Diagnostic | None]()
    for (_, word, name), found in groups.items():
        span = _only_place(found[0], name)
        if span is not None and _count(found[0], word) >= MIN_USES:
            changed.update({id(one): None for one in found})
            changed[id(found[0])] = _report(span, word, name, found)
    if not changed:
        return diagnostics
    merged = Diagnostics()
    merged.merge(diagnostics, lambda one: changed.get(id(one), one))
    return merged


def _only_place(one: Diagnostic, name: str) -> Span | None:
    """Where the file has a name, if that is at one place, at the end of the address of what is added."""
    source = one.span.source
    place = re.search(rf"(?<=\.){re.escape(name)}(?=:)", source.text)
    return Span(source, *place.span()) if place is not None and _count(one, name) == 1 else None


def _count(one: Diagnostic, word: str) -> int:
    """How often the addresses in a file have a name."""
    return len(re.findall(rf"\.{re.escape(word)}(?![\w])", one.span.source.text))


def _report(span: Span, word: str, name: str, uses: list[Diagnostic]) -> Diagnostic:
    return Diagnostic(
        MISSPELLED_DECLARATION,
        span,
        f"nothing uses `{name}`, and `{word}` is not declared",
        label=f"`{word}` everywhere else",
        help=f"did you mean `{word}`?",
        address=uses[0].address.replace(word, name),
        related=tuple(Related(one.span, "one of its uses") for one in uses[:MAX_SHOWN_USES]),
        fix=Fix(span, word, is_certain=False),
    )


__all__ = ["merge_misspelled_additions"]
