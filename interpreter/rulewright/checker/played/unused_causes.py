"""Do the rules fail because something is never used: an action that is not offered, steps that nothing runs, a choice
whose answer no step reads?

In: a fault in play, the rules, what has been reported of them. Out: the warning about it, if what is not used would
change what failed, or the game stands still for want of it.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.checker.common.lint_codes import UNUSED
from rulewright.checker.common.names_touched import NO_NAMES, Names, NamesTouched
from rulewright.checker.played.constant_causes import STANDSTILL
from rulewright.diagnostics import Diagnostic
from rulewright.engine.faults import BrokenInvariant, RuleFault
from rulewright.model.rules import Rules


def find_unused_cause(fault: RuleFault, rules: Rules, diagnostics: Iterable[Diagnostic]) -> Diagnostic | None:
    """The first warning about an unused action, procedure, argument or choice that explains a fault."""
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
        if failed & names.written_in(blocks[rule]) or (is_whole and isinstance(fault, STANDSTILL)):
            return one
    return None


def _failed(fault: RuleFault, rules: Rules, names: NamesTouched) -> Names:
    """The states and zones that are not as they should be."""
    if isinstance(fault, BrokenInvariant):
        asked = next((one for one in rules.invariants if one.address == fault.address), None)
        return NO_NAMES if asked is None else names.read(asked.condition)
    return frozenset({fault.failed}) if fault.failed else NO_NAMES


__all__ = ["find_unused_cause"]
