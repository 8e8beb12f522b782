"""Can the game be set up? Tried once, so that a place without room is reported before anybody plays.

In: rules, and the composition they were built from. Out: a diagnostic when the rules fail in the set-up, at the variant
that causes it when the game can be set up without. Where chance decides whether they do, the command that shows it.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.common.codes import BROKEN_INVARIANT, ENDLESS_STEPS, SET_UP_IMPOSSIBLE
from rulewright.checker.common.replay_command import replay_command
from rulewright.checker.common.rule_spans import fault_span
from rulewright.diagnostics import Diagnostics, Related
from rulewright.engine.default_engine import make_engine
from rulewright.engine.faults import BrokenInvariant, EndlessSteps, NoLegalAction, RuleFault
from rulewright.engine.interface import Engine
from rulewright.model.loader import Composition, base_rules
from rulewright.model.rules import Rules

SEEDS: Final = range(10)  # with which it is tried whether chance decides
NO_OPTION_HINT: Final = (
    "add `if_unable: nothing` or another action, write `may` so that it can be declined, or end the game before"
)


def check_setup(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Sets the game up once and reports the step that fails."""
    fault = _setup_fault(rules)
    if fault is None:
        return
    from rulewright.checker.common.change_causes import change_span  # most games can be set up
    from rulewright.checker.logic.endless_places import find_endless_place
    from rulewright.checker.logic.never_done import why_nothing_is_done
    from rulewright.checker.played.constant_causes import STANDSTILL, find_constant_cause
    from rulewright.checker.played.fault_places import find_fault_place
    from rulewright.checker.played.reported_causes import WITH_HINTS, find_reported_cause
    from rulewright.checker.played.unasked_players import find_unheld_condition
    from rulewright.checker.played.unused_causes import find_unused_cause

    match fault:
        case EndlessSteps():
            code, message, hint = ENDLESS_STEPS, f"the {fault.address} goes on for ever: {fault.message}", ""
        case BrokenInvariant():
            name = fault.address.partition(".")[2]
            code, message, hint = BROKEN_INVARIANT, f"the invariant `{name}` {fault.message}", ""
        case NoLegalAction():
            code, message, hint = SET_UP_IMPOSSIBLE, fault.message.partition(";")[0], NO_OPTION_HINT
        case _:
            code, message, hint = SET_UP_IMPOSSIBLE, fault.message, ""
    span, label, related = fault_span(fault, composition), "fails here", list[Related]()
    cause = find_unused_cause(fault, rules, composition, diagnostics, _is_set_up)
    cause = cause or find_constant_cause(fault, rules, diagnostics)
    cause = cause or find_reported_cause(fault, rules, diagnostics, _is_set_up)
    if cause is not None:
        message = f"{cause.message}, so the rules fail: {message}"
        hint = cause.help if cause.code in WITH_HINTS else ""
        related = [Related(span, "fails here")]
        span, label = cause.span, cause.label
    elif isinstance(fault, STANDSTILL) and (never := why_nothing_is_done(rules, composition)) is not None:
        related = [Related(span, "goes on here" if code is ENDLESS_STEPS else "fails here")]
        message, hint = f"{never[1]}, so the rules fail: {message}", ""
        span, label = never[0], "never holds"
    elif isinstance(fault, EndlessSteps) and (unheld := find_unheld_condition(rules, composition, _start)) is not None:
        related, hint = [Related(span, "goes on here")], ""
        message, span, label = f"{unheld.message}: {fault.message}", unheld.span, "never holds"
    elif not composition.is_judged(span) and _base_can_start(composition):
        variant = composition.chosen_variants[-1]
        message = f"with variant `{variant.name}`: {message}"
        related = [Related(span, fault.address)]
        is_endless = code is ENDLESS_STEPS
        span, label = (
            change_span(variant, fault.address, composition, is_endless=is_endless, is_right=_is_set_up),
            "causes it",
        )
    elif isinstance(fault, EndlessSteps) and (endless := find_endless_place(fault, rules, composition)) is not None:
        span, label, hint, related = endless.span, endless.label, endless.hint, [*endless.related]
    elif code is SET_UP_IMPOSSIBLE and (place := find_fault_place(fault, rules, composition)) is not None:
        span, hint = place.span, hint or place.hint
    replay = ""
    if any(_setup_fault(rules, seed) is None for seed in SEEDS):
        replay = replay_command(rules, composition, SEEDS[0], "random")
        hint = "; ".join(part for part in (hint, "in other games it does not happen") if part)
    diagnostics.add(span, code, message, label=label, help=hint, address=fault.address, related=related, replay=replay)


def _setup_fault(rules: Rules, seed: int = SEEDS[0]) -> RuleFault | None:
    return _start(make_engine(rules), seed)


def _start(engine: Engine, seed: int = SEEDS[0]) -> RuleFault | None:
    """How a set-up fails, if it does."""
    try:
        engine.start(seed=seed)
    except RuleFault as fault:
        return fault
    return None


def _is_set_up(rules: Rules) -> bool:
    return _setup_fault(rules) is None


def _base_can_start(composition: Composition) -> bool:
    """Whether the game can be set up without the chosen variants, or not be played without them at all."""
    rules = base_rules(composition)
    return rules is None or _is_set_up(rules)


__all__ = ["NO_OPTION_HINT", "check_setup"]
