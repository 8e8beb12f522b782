"""What a variant adds under a misspelled name: reported there, not at each of its other lines that speak of it.

In: what is wrong with files. Out: `Diagnostics` in which addresses that lack because of one such name are one
diagnostic at the name, if the rest of the file speaks of it more than once by the other.
"""

from __future__ import annotations

import re
from typing import Final

from rulewright.checker.common.lint_codes import MISSPELLED_DECLARATION
from rulewright.diagnostics import Diagnostic, Diagnostics, Fix, Related, Span
from rulewright.lazy_pattern import lazy_pattern
from rulewright.variants.codes import NO_SUCH_ADDRESS, NO_SUCH_SIBLING

COMMENT: Final = lazy_pattern(r"(?:^|(?<=\s))#.*", re.MULTILINE)
KEY_END: Final = lazy_pattern(" *:")
MIN_USES: Final = 2  # a single use may as well be what is misspelled
MAX_SHOWN_USES: Final = 2


def merge_misspelled_additions(diagnostics: Diagnostics) -> Diagnostics:
    """The same diagnostics, where those about one misspelled name are one."""
    groups = dict[tuple[str, str, str], list[Diagnostic]]()
    for one in diagnostics:
        if one.code in (NO_SUCH_ADDRESS, NO_SUCH_SIBLING) and one.fix is not None:
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
    """Where the file has a name, if that is at one place, as the key of what is added."""
    source = one.span.source
    text = COMMENT.sub(lambda comment: " " * len(comment[0]), source.text)
    places = [*re.finditer(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)]
    is_key = len(places) == 1 and KEY_END.match(text, places[0].end()) is not None
    return Span(source, *places[0].span()) if is_key else None


def _count(one: Diagnostic, word: str) -> int:
    """How often a file has a name: in addresses, and as the step before or behind which another stands."""
    used = rf"(?:\.|\b(?:after|before): *){re.escape(word)}(?![\w])"
    return len(re.findall(used, one.span.source.text))


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
