"""Rules that are right by themselves and wrong with a variant: the complaint belongs to the variant.

In: complaints about composed rules, the base's own complaints, the variants laid over. Out: the complaints, those
that a variant caused shown at its line, with the place in the base beside it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Final

from rulewright.diagnostics import Diagnostic, Related, Report, Span
from rulewright.model import codes
from rulewright.model.notes import by_file
from rulewright.text.overlay import Change
from rulewright.text.variant import Variant

NAMED: Final = re.compile(r"`([a-z][a-z0-9_]*)`")


def blamed(found: Report, base: Report, laid: Collection[Variant]) -> Iterator[Diagnostic]:
    """The complaints of composed rules; what the base has not and stands in a base file is told at a variant."""
    files = by_file(laid)
    known = {_spot(one) for one in base}
    for one in found:
        if one.severity != "error" or one.span.source.path in files or _spot(one) in known:
            yield one
            continue
        span, variant = _culprit(one, laid)
        yield replace(
            one,
            code=codes.BREAKS_RULES,
            span=span,
            message=f"with variant `{variant.name}`: {one.message}",
            label="causes it",
            related=(Related(one.span, f"{one.code.name}: {one.label or 'here'}"), *one.related),
        )


def _spot(one: Diagnostic) -> tuple[str, int, str]:
    return one.span.source.path, one.span.start, one.code.name


def _culprit(one: Diagnostic, laid: Collection[Variant]) -> tuple[Span, Variant]:
    """The change that has most in common with what the complaint names; else the last variant's head."""
    names = {*NAMED.findall(one.message), *NAMED.findall(one.help)}
    address = one.address.split(".")

    def likeness(change: Change) -> int:
        shared = 0
        for mine, other in zip(change.parts, address, strict=False):
            if mine != other:
                break
            shared += 1
        return 3 * (change.parts[-1] in names) + 2 * len(names & set(change.parts)) + shared

    changes = [(likeness(change), at, change, variant) for at, variant in enumerate(laid) for change in variant.changes]
    best = max(changes, key=lambda entry: entry[:2], default=None)
    if best is None or best[0] == 0:
        variant = list(laid)[-1]
        return variant.head(), variant
    return best[2].key.span, best[3]
