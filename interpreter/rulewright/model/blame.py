"""Rules that are right by themselves and wrong with a variant: the complaint belongs to the variant.

In: complaints about composed rules, and a way to lay fewer changes. Out: the same report, those that a variant caused
shown at its line, with the place in the base beside it: errors, and warnings of what a change has left without a use or
an end. The culprit is found by trying: the changes are laid over one by one, and the one with which a complaint first
appears has caused it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from rulewright.diagnostics import Diagnostic, Related, Report
from rulewright.model import codes
from rulewright.text.variant import Change, Variant

MOST_TRIED: Final = 60  # changes; beyond them a complaint is told at the head of the last variant
Spot = tuple[str, int, str]
Trial = Callable[[Sequence[Variant]], Report]  # the complaints when only these are laid over


def blamed(found: Report, laid: Sequence[Variant], trial: Trial) -> Report:
    """The complaints of composed rules; what the base has not and stands in a base file is told at a variant."""
    files = {one.root.span.source.path for one in laid}
    strange = {_spot(one) for one in found if _may_be_caused(one) and one.span.source.path not in files}
    causes = _causes(strange, laid, trial) if strange else {}

    def told(one: Diagnostic) -> Diagnostic:
        cause = causes.get(_spot(one))
        if cause is None:
            return one
        variant, change = cause
        return replace(
            one,
            code=codes.BREAKS_RULES if one.severity == "error" else one.code,
            span=variant.head() if change is None else change.span,
            message=f"with variant `{variant.name}`: {one.message}",
            label="causes it",
            related=(Related(one.span, f"{one.code.name}: {one.label or 'here'}"), *one.related),
        )

    result = Report()
    result.take(found, told)  # with what is beyond the limit: that is told once, at the end
    return result


def _may_be_caused(one: Diagnostic) -> bool:
    return one.severity == "error" or one.code in codes.LEFT_BY_A_CHANGE


def _spot(one: Diagnostic) -> Spot:
    return one.span.source.path, one.span.start, one.code.name


def _causes(strange: set[Spot], laid: Sequence[Variant], trial: Trial) -> dict[Spot, tuple[Variant, Change | None]]:
    """For each complaint the variant and change that caused it; nothing for what the base has by itself."""
    waiting = strange - {_spot(one) for one in trial(())}
    causes: dict[Spot, tuple[Variant, Change | None]] = {}
    tried = 0
    for at, variant in enumerate(laid):
        for count, change in enumerate(variant.changes, start=1):
            tried += 1
            if not waiting or tried > MOST_TRIED:
                break
            so_far = trial((*laid[:at], replace(variant, changes=variant.changes[:count])))
            for spot in waiting & {_spot(one) for one in so_far}:
                causes[spot] = variant, change
                waiting.discard(spot)
    for spot in waiting:
        causes[spot] = laid[-1], None
    return causes
