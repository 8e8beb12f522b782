"""Which change of a variant makes the rules fail? The rules are tried again without each of them.

In: a variant, the rule at which the rules fail, and a test of rules. Out: the place of the change in its file; when it
takes several changes together, that of the one zone or state that the rule names, else the variant's head.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Final

from rulewright.diagnostics import Diagnostics, Span
from rulewright.document.address import find_entry
from rulewright.document.language import FLOW_SECTIONS, PROSE_KEYS
from rulewright.frozen import replace
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.loader import Composition, base_rules, build_composition, recompose
from rulewright.model.rules import Rules
from rulewright.source.nodes import iter_scalars
from rulewright.variants.change import Change
from rulewright.variants.variant import Variant

PARAMETERS: Final = "parameters"
PLACES: Final = ("zones", "state")
NAME: Final = lazy_pattern(r"\w+")
MAX_PAIRED: Final = 3  # changes of a variant of which two are left out together
MAX_TRIED: Final = 12  # changes; each costs as much as finding the fault did


def change_span(
    variant: Variant,
    address: str,
    composition: Composition,
    *,
    is_endless: bool = False,
    is_right: Callable[[Rules], bool] | None = None,
    suspect: Span | None = None,
) -> Span:
    """What a variant changes at an address or below it, else in the same action or step, else what the rules are right
    without. `is_endless`: a step may be missing now that waited for a decision. `is_right`: whether rules do not fail.
    `suspect`: the place of the step after which they failed; of what they are right without, it comes first.
    """
    changes = [change for change in variant.changes if not change.is_of_words]
    near = [change for change in changes if f"{change.address}.".startswith(f"{address}.")]
    if not near:
        whole = address.split(".")[:2]
        near = [change for change in changes if list(change.parts[:2]) == whole]
    if not near and len(changes) == 1:
        near = changes
    if is_endless:
        removals = [change for change in changes if change.operation == "remove"]
        near += [change for change in removals if change.parts[0] in FLOW_SECTIONS and len(change.parts) == 2]
    if len(near) != 1 and is_right is not None:
        others = sorted(
            (change for change in changes if change not in near),
            key=lambda change: (not _has(change, suspect), _is_of_parameter(change)),
        )
        cause = _cause([*near, *others], variant, composition, is_right)
        near = near if cause is None else [cause]
    near = near or _of_places(address, changes, composition)
    return near[0].value_span if near else variant.head_span()


def goes_on_without(place: Span, composition: Composition, is_right: Callable[[Rules], bool]) -> bool:
    """Whether rules are right without the change of a chosen variant that is at a place."""
    for variant in composition.chosen_variants:
        for change in variant.changes:
            if change.value_span == place or _has(change, place):
                rules = _rules_without((change,), variant, composition)
                return rules is not None and is_right(rules)
    return False


def is_by_variants(composition: Composition, is_right: Callable[[Rules], bool]) -> bool:
    """Whether rules that are not right are so because of the chosen variants, without which they can be played, too."""
    base = base_rules(composition)
    return base is not None and is_right(base)


def blamed(message: str, address: str, composition: Composition, is_right: Callable[[Rules], bool]) -> tuple[str, Span]:
    """What is told of rules that are not right at an address because of the chosen variants, and at which change."""
    variant = composition.chosen_variants[-1]
    return f"with variant `{variant.name}`: {message}", change_span(variant, address, composition, is_right=is_right)


def _of_places(address: str, changes: Sequence[Change], composition: Composition) -> list[Change]:
    """The change of the one zone or state that a rule names, where a variant changes no other that it names."""
    rule = find_entry(composition.document.root, address)
    scalars = () if rule is None else iter_scalars(rule.value, PROSE_KEYS)
    words = {word for scalar in scalars for word in NAME.findall(scalar.text)}
    named = [one for one in changes if one.parts[0] in PLACES and not words.isdisjoint(one.parts[1:2])]
    return named if len({change.parts[:2] for change in named}) == 1 else []


def _has(change: Change, place: Span | None) -> bool:
    """Whether a place is in what a change brings."""
    return place is not None and change.payload is not None and change.payload.span.contains(place)


def _is_of_parameter(change: Change) -> bool:
    """Whether it gives a parameter another number, as it is meant to be: of two causes the other one is wrong."""
    return change.parts[0] == PARAMETERS


def _cause(
    changes: Sequence[Change], variant: Variant, composition: Composition, is_right: Callable[[Rules], bool]
) -> Change | None:
    """The first change without which the rules are right, or the first of two that need each other."""
    for change in changes[:MAX_TRIED]:
        rules = _rules_without((change,), variant, composition)
        if rules is not None and is_right(rules):
            return change
    for pair in combinations(changes[:MAX_PAIRED], 2):
        rules = _rules_without(pair, variant, composition) if len(changes) <= MAX_PAIRED else None
        if rules is not None and is_right(rules):
            return pair[0]
    return None


def _rules_without(left_out: Sequence[Change], variant: Variant, composition: Composition) -> Rules | None:
    """The rules without some changes and what is said of them; None where the others need them."""
    starts = [change.parts for change in left_out]
    kept = tuple(one for one in variant.changes if not any(one.parts[: len(start)] == start for start in starts))
    diagnostics = Diagnostics()
    smaller = recompose(composition, {variant.name: replace(variant, changes=kept)}, diagnostics)
    rules = None if diagnostics.error_count else build_composition(smaller, diagnostics)
    return None if diagnostics.error_count else rules


__all__ = ["blamed", "change_span", "goes_on_without", "is_by_variants"]
