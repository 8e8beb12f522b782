"""Do the rules fail because something is never used: an action that is not offered, steps that nothing runs, a choice
whose answer no step reads?

In: a fault in play, the rules, the composition they were built from, what has been reported of them, and a test of
rules. Out: the warning about it, if what is not used would change what failed, or the game stands still for want of it:
that is tried, by leaving out the change of a variant, or by offering the action where nothing could be chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulewright.checker.common.change_causes import goes_on_without
from rulewright.checker.common.lint_codes import UNUSED
from rulewright.checker.common.names_touched import NO_NAMES, Names, NamesTouched
from rulewright.checker.played.constant_causes import STANDSTILL
from rulewright.diagnostics import Diagnostic
from rulewright.engine.faults import BrokenInvariant, NoLegalAction, RuleFault
from rulewright.frozen import replace
from rulewright.model.effects import Choose, Offer, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules


def find_unused_cause(
    fault: RuleFault,
    rules: Rules,
    composition: Composition,
    diagnostics: Iterable[Diagnostic],
    is_right: Callable[[Rules], bool],
) -> Diagnostic | None:
    """The first warning about an unused action, procedure, argument or choice that explains a fault. `is_right`:
    whether rules do not fail.
    """
    unused = [one for one in diagnostics if one.code is UNUSED and one.address]
    if not unused:
        return None
    names = NamesTouched(rules)
    failed = _failed(fault, rules, names)
    blocks = {action.address: action.block for action in rules.actions}
    blocks |= {block.address: number for number, block in enumerate(rules.blocks) if block.address not in blocks}
    for one in unused:
        rule = ".".join(one.address.split(".")[:2])
        if rule not in blocks:
            continue
        is_whole = one.address == rule  # an answer that is not read leaves the rest of its action as it is
        if failed & names.written_in(blocks[rule]):
            return one
        if is_whole and isinstance(fault, STANDSTILL) and _helps(one, fault, rules, composition, is_right):
            return one
    return None


def _helps(
    unused: Diagnostic, fault: RuleFault, rules: Rules, composition: Composition, is_right: Callable[[Rules], bool]
) -> bool:
    """Whether a game that stands still goes on with what is not used."""
    if unused.span.source.path in composition.variant_files and composition.chosen_variants:
        return goes_on_without(unused.span, composition, is_right)
    if not isinstance(fault, NoLegalAction):
        return True  # nobody decides anything
    return any(
        action.address == unused.address and is_right(_with_offer(rules, fault.address, action.index))
        for action in rules.actions
    )


def _with_offer(rules: Rules, address: str, action: int) -> Rules:
    """The rules, with an action offered at a step, too."""

    def offering(step: Step) -> Step:
        if step.address != address or not isinstance(step.effect, Choose):
            return step
        return replace(step, effect=replace(step.effect, offers=(*step.effect.offers, Offer(action, ()))))

    return replace(
        rules, blocks=tuple(replace(block, steps=tuple(map(offering, block.steps))) for block in rules.blocks)
    )


def _failed(fault: RuleFault, rules: Rules, names: NamesTouched) -> Names:
    """The states and zones that are not as they should be."""
    if isinstance(fault, BrokenInvariant):
        return names.read_by_invariant(fault.address)
    return frozenset({fault.failed}) if fault.failed else NO_NAMES


__all__ = ["find_unused_cause"]
