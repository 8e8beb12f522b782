"""Can the game be set up? Tried once, so that what a place has no room for is told before anybody plays.

In: rules that were understood, and what they were made of. Out: a complaint in the report when the set-up asks for the
impossible, at the variant that causes it when the game can be set up without.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.codes import SETUP_IMPOSSIBLE
from rulewright.diagnostics import Related, Report, Span
from rulewright.document.document import find
from rulewright.engine.faults import NO_OPTION
from rulewright.engine.reference.reference_engine import Engine, RuleFault
from rulewright.model import loader as loading
from rulewright.model.rules import Rules
from rulewright.variants.variant import Variant

UNANSWERED: Final = "say what happens then, as in `otherwise: nothing`; or write `may`, and one can do without"


def set_up(rules: Rules, resolved: loading.Resolved, report: Report) -> None:
    """Sets the game up once: what a place has no room for, or too little of, is no matter of how it is played."""
    try:
        Engine(rules).start(seed=0)
    except RuleFault as fault:
        at = find(resolved.document.root, fault.address) if fault.address else None
        head = resolved.document.root.entries[0].value.span
        span, label = fault.span or (at.key.span if at is not None else head), "asked here"
        many = f"{resolved.players} player{'' if resolved.players == 1 else 's'}"
        unanswered = fault.message == NO_OPTION
        message, related = (
            f"with {many}: {fault.message.partition(';')[0] if unanswered else fault.message}",
            list[Related](),
        )
        files = {one.root.span.source.path for one in resolved.laid}
        if resolved.chosen and span.source.path not in files and _starts(resolved):
            variant = resolved.chosen[-1]
            message = f"with variant `{variant.name}` and {message.removeprefix('with ')}"
            related = [Related(span, fault.address)]
            span, label = _culprit(variant, fault.address), "causes it"
        hint = UNANSWERED if unanswered else ""
        report.add(span, SETUP_IMPOSSIBLE, message, label=label, help=hint, address=fault.address, related=related)


def _culprit(variant: Variant, address: str) -> Span:
    """What a variant changes at a rule or inside it; its head when it changes something else."""
    near = (one for one in variant.changes if f"{one.address}.".startswith(f"{address}."))
    return next((one.span for one in near), variant.head())


def _starts(resolved: loading.Resolved) -> bool:
    """Whether the game can be set up without the variants that were chosen."""
    report = Report()
    bare = loading.resolve_document(resolved.base, resolved.players, (), report)
    rules = loading.understood(bare, report) if bare is not None else None
    if rules is None or report.errors:
        return True  # it cannot be played without them at all
    try:
        Engine(rules).start(seed=0)
    except RuleFault:
        return False
    return True


__all__ = ["set_up"]
