"""Can the game be set up? Tried once, so that what a place has no room for is told before anybody plays.

In: rules that were understood, and what they were made of. Out: a complaint in the report when the set-up asks for the
impossible, at the variant that causes it when the game can be set up without.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.codes import SET_UP_IMPOSSIBLE
from rulewright.diagnostics import Diagnostics, Related, Span
from rulewright.document.document import find_entry
from rulewright.engine.faults import NO_OPTION_MESSAGE
from rulewright.engine.reference.reference_engine import ReferenceEngine, RuleFault
from rulewright.model import loader as loading
from rulewright.model.rules import Rules
from rulewright.variants.variant import Variant

NO_OPTION_HINT: Final = "say what happens then, as in `otherwise: nothing`; or write `may`, and one can do without"


def check_setup(rules: Rules, resolved: loading.Composition, diagnostics: Diagnostics) -> None:
    """Sets the game up once: what a place has no room for, or too little of, is no matter of how it is played."""
    try:
        ReferenceEngine(rules).start(seed=0)
    except RuleFault as fault:
        at = find_entry(resolved.document.root, fault.address) if fault.address else None
        head = resolved.document.root.entries[0].value.span
        span, label = fault.span or (at.key.span if at is not None else head), "asked here"
        many = f"{resolved.players} player{'' if resolved.players == 1 else 's'}"
        unanswered = fault.message == NO_OPTION_MESSAGE
        message, related = (
            f"with {many}: {fault.message.partition(';')[0] if unanswered else fault.message}",
            list[Related](),
        )
        files = {one.root.span.source.path for one in resolved.applied_variants}
        if resolved.chosen_variants and span.source.path not in files and _starts(resolved):
            variant = resolved.chosen_variants[-1]
            message = f"with variant `{variant.name}` and {message.removeprefix('with ')}"
            related = [Related(span, fault.address)]
            span, label = _culprit(variant, fault.address), "causes it"
        hint = NO_OPTION_HINT if unanswered else ""
        diagnostics.add(
            span, SET_UP_IMPOSSIBLE, message, label=label, help=hint, address=fault.address, related=related
        )


def _culprit(variant: Variant, address: str) -> Span:
    """What a variant changes at a rule or inside it; its head when it changes something else."""
    near = (one for one in variant.changes if f"{one.address}.".startswith(f"{address}."))
    return next((one.span for one in near), variant.head_span())


def _starts(resolved: loading.Composition) -> bool:
    """Whether the game can be set up without the variants that were chosen."""
    report = Diagnostics()
    bare = loading.compose_document(resolved.base_document, resolved.players, (), report)
    rules = loading.build_composition(bare, report) if bare is not None else None
    if rules is None or report.error_count:
        return True  # it cannot be played without them at all
    try:
        ReferenceEngine(rules).start(seed=0)
    except RuleFault:
        return False
    return True


__all__ = ["check_setup"]
