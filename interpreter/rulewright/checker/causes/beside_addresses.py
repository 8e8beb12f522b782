"""What else is wrong in a variant of which some change has an address that the game does not have.

In: a composition, and what was reported when it was put together. Out: `Diagnostics` about the other changes: wrong
names, values and expressions in them, as far as these cannot come from what was not changed.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.common.names_in_text import find_names
from rulewright.checker.common.spans import Spans
from rulewright.diagnostics import Diagnostics
from rulewright.model.build import build_rules
from rulewright.model.loader import Composition
from rulewright.source.nodes import iter_scalars
from rulewright.suggestions import closest_name
from rulewright.variants.change import Change
from rulewright.variants.codes import NO_SUCH_ADDRESS

KEYS: Final = ("when", "choose", "do")  # of an action; what is added to the first brings no name that others could use
NO_NAME: Final = ("set", "adjust", "remove")  # operations that bring none either


def check_beside_addresses(composition: Composition, reported: Diagnostics) -> Diagnostics:
    """What else is wrong in changes whose address is there."""
    errors = [one for one in reported if one.severity == "error"]
    if any(one.code is not NO_SUCH_ADDRESS for one in errors):
        return Diagnostics()
    changes = [change for variant in composition.chosen_variants for change in variant.changes]
    spans = Spans(one.span for one in errors)
    failed = [change for change in changes if spans.has_within(change.key.span)]
    keys = Spans(change.key.span for change in failed)
    if not failed or not all(keys.has_around(one.span) for one in errors) or not all(map(_brings_no_name, failed)):
        return Diagnostics()
    found, kept = Diagnostics(), Diagnostics()
    build_rules(
        composition.document,
        composition.players,
        found,
        variants=composition.variant_names,
        applied=composition.applied_variants,
    )
    words = {word for change in failed for word in _words(change)}
    without = {id(change) for change in failed}
    places = Spans(each.payload.span for each in changes if id(each) not in without and each.payload is not None)
    kept.extend(
        one
        for one in found
        if one.severity == "error" and places.has_around(one.span) and words.isdisjoint(find_names(one.span.text))
    )
    return kept


def _brings_no_name(change: Change) -> bool:
    key = change.parts[2] if len(change.parts) > 2 else ""
    return change.operation in NO_NAME or (change.operation == "add" and closest_name(key, KEYS) == KEYS[0])


def _words(change: Change) -> set[str]:
    """The words of what was to be changed, which other changes may rely on."""
    texts = [] if change.payload is None else [scalar.text for scalar in iter_scalars(change.payload)]
    return {word for text in (change.address, *texts) for word in find_names(text)}


__all__ = ["check_beside_addresses"]
