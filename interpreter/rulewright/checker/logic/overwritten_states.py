"""Is what a step sets or rolls set anew before anything can read it?

In: rules, and the composition they were built from. Out: warnings about two steps of one section, the second of which
sets or rolls the same state in any case, where nothing between them reads it, asks anybody or ends the game. The second
is reported where the first has a condition, which it probably lacks, else the first. Under variants only what a variant
wrote; a loop of the game may seek out in vain then whom a variant names otherwise.
"""

from __future__ import annotations

from rulewright.checker.common.lint_codes import CHANGES_NOTHING
from rulewright.checker.common.names_touched import NO_NAMES, POSSIBLE, NamesTouched
from rulewright.diagnostics import Diagnostics, Related
from rulewright.expr.structural_key import are_same
from rulewright.expr.tree import StateTarget
from rulewright.model.effects import Move, Reveal, Roll, SetState, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.model.traversal import asked_exprs


def check_overwritten_states(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    names = NamesTouched(rules)
    capacities = (zone.capacity for zone in rules.zones.values() if zone.capacity is not None)
    always_read = NO_NAMES.union(  # after each step
        *map(names.read, capacities), *(names.read(one.condition) for one in rules.invariants)
    )
    for block in rules.blocks:
        targets = [_target(step) for step in block.steps]
        last = {target.name: index for index, target in enumerate(targets) if target is not None}
        for index, (first, target) in enumerate(zip(block.steps, targets, strict=True)):
            if target is None or target.name in always_read or (first.for_each is not None and target.keys):
                continue
            second = _setting_again(block.steps[index + 1 : last[target.name] + 1], target, names)
            if second is not None:
                _report(first, second, target, composition, diagnostics)


def _setting_again(steps: tuple[Step, ...], target: StateTarget, names: NamesTouched) -> Step | None:
    """The step that sets a state again in any case before anything has read it, if there is one."""
    for step in steps:
        if not isinstance(step.effect, SetState | Roll | Move | Reveal):
            return None
        read = NO_NAMES.union(*map(names.read, asked_exprs(step)))
        if target.name in read or POSSIBLE in read:
            return None
        other = _target(step)
        if other is None or other.name != target.name or not are_same(other.keys, target.keys):
            continue
        if step.when is None and step.for_each is None and step.times is None and step.while_condition is None:
            return step
    return None


def _target(step: Step) -> StateTarget | None:
    return step.effect.target if isinstance(step.effect, SetState | Roll) else None


def _report(first: Step, second: Step, target: StateTarget, composition: Composition, diagnostics: Diagnostics) -> None:
    files = composition.variant_files
    if composition.chosen_variants and not {first.span.source.path, second.span.source.path} & files:
        return
    if any(related.note == second.address for one in diagnostics for related in one.related):
        return  # what the second makes so is reported already
    if composition.chosen_variants and first.for_each is not None and first.span.source.path not in files:
        return  # another is meant now
    is_lost = first.when is None or first.for_each is not None
    if is_lost or (composition.chosen_variants and second.span.source.path not in files):
        shown, other, label = first, second, "lost"
        message = f"`{second.address}` sets `{target.name}` again before anything reads it"
        hint = "leave this step out, or put it where it is needed"
    else:
        shown, other, label = second, first, "done in any case"
        message = f"whatever `{first.address}` has given `{target.name}`, this sets it again before anything reads it"
        hint = "is its `when` missing? or put it before the other"
    related = [Related(other.span, other.address)]
    diagnostics.add(
        shown.span, CHANGES_NOTHING, message, label=label, help=hint, address=shown.address, related=related
    )


__all__ = ["check_overwritten_states"]
