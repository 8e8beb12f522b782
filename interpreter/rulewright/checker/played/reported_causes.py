"""Do the rules fail where something is used of which it is told already that it is wrong?

In: a fault in play, the rules, what has been reported of them, a test of rules. Out: the warning about a state that is
never set, if the step that fails uses it; about a clause that looks at what is hidden, if nothing is possible because
of it, or a step by which things are lost, if they are missing then, which are tried without it; and warnings about
zones that nothing uses, where another one is too full.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from rulewright.checker.common.lint_codes import LOOKS_AT_HIDDEN, NEVER_SET, ONLY_TAKES_IN, UNUSED
from rulewright.checker.common.names_touched import NamesTouched
from rulewright.checker.common.shared_phrases import FIRST_TAKES_ALL
from rulewright.checker.common.steps_asked import step_at
from rulewright.diagnostics import Diagnostic
from rulewright.engine.faults import BrokenInvariant, NoLegalAction, RuleFault
from rulewright.expr.tree import Local
from rulewright.frozen import replace
from rulewright.model.effects import Choose, Move
from rulewright.model.rules import Rules
from rulewright.model.traversal import step_exprs

WITH_HINTS: Final = (LOOKS_AT_HIDDEN, NEVER_SET)  # how they can be mended is not plain


def find_reported_cause(
    fault: RuleFault, rules: Rules, diagnostics: Iterable[Diagnostic], is_right: Callable[[Rules], bool]
) -> Diagnostic | None:
    """The first warning that explains a fault. `is_right`: whether rules do not fail."""
    step = step_at(rules.blocks, fault.address)
    if step is None or isinstance(fault, BrokenInvariant):
        return None
    names = NamesTouched(rules)
    used = {name for expr in step_exprs(step) for name in names.read(expr)}
    for one in diagnostics:
        if one.code is NEVER_SET and one.span.text in used:
            return one
        if one.code is LOOKS_AT_HIDDEN and isinstance(fault, NoLegalAction) and isinstance(step.effect, Choose):
            offered = {offer.action for offer in step.effect.offers}
            without = _without_clause(rules, offered, one.address)
            if without is not None and is_right(without):
                return one
        if one.code is ONLY_TAKES_IN and is_right(_without_step(rules, one.address)):
            return one
    return None


def find_unused_places(fault: RuleFault, rules: Rules, diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """The warnings about zones for the same as the one that is too full, which nothing uses."""
    moves = {step.address: step.effect for block in rules.blocks for step in block.steps}
    failing = moves.get(fault.address)
    if fault.key != "to" or not isinstance(failing, Move):
        return
    for one in diagnostics:
        zone = rules.zones.get(one.span.text) if one.code is UNUSED else None
        if zone is not None and zone.content_type == rules.zones[failing.to.zone].content_type:
            yield one


def follows_from_reported(rules: Rules, diagnostics: Iterable[Diagnostic], is_right: Callable[[Rules], bool]) -> bool:
    """Whether rules would not fail if a loop whose first one takes all took what is of each: that is told already."""
    first = (one.address for one in diagnostics if one.label == FIRST_TAKES_ALL)
    mended = (_with_own_places(rules, address) for address in first)
    return any(other is not None and is_right(other) for other in mended)


def _with_own_places(rules: Rules, address: str) -> Rules | None:
    """The rules where a loop takes from the place of whoever it is at, not from those of all, if there are such."""
    step = step_at(rules.blocks, address)
    if step is None or step.for_each is None or not isinstance(step.effect, Move):
        return None
    source, loop = step.effect.source, step.for_each
    if source is None or source.keys or rules.zones[source.zone].key_types[:1] != (loop.type,):
        return None
    own = replace(source, keys=(Local(loop.name, loop.slot, loop.type, source.offsets),))
    mended = replace(step, effect=replace(step.effect, source=own))
    blocks = (
        replace(block, steps=tuple(mended if one is step else one for one in block.steps)) for block in rules.blocks
    )
    return replace(rules, blocks=tuple(blocks))


def _without_clause(rules: Rules, offered: Iterable[int], address: str) -> Rules | None:
    """The rules without the clause at an address, if it is one of an action that is offered."""
    for index in offered:
        action = rules.actions[index]
        kept = tuple(clause for clause in action.clauses if clause.address != address)
        if len(kept) < len(action.clauses):
            changed = replace(action, clauses=kept)
            return replace(rules, actions=(*rules.actions[:index], changed, *rules.actions[index + 1 :]))
    return None


def _without_step(rules: Rules, address: str) -> Rules:
    blocks = (
        replace(block, steps=tuple(step for step in block.steps if step.address != address)) for block in rules.blocks
    )
    return replace(rules, blocks=tuple(blocks))


__all__ = ["WITH_HINTS", "find_reported_cause", "find_unused_places", "follows_from_reported"]
