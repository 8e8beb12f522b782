"""Is what a step sets or rolls set anew before anything can read it?

In: rules, and the composition they were built from. Out: warnings about two steps of one section, the second of which
sets or rolls the same state in any case, where nothing between them reads it, asks anybody or ends the game; and about
a step behind which several set that state, one for each value that the state can have of which they all ask, or one if
something is so and one if not. The second of two is reported where the first has a condition, which it probably lacks,
else the first. Under variants only what a variant wrote; a loop of the game may seek out in vain then whom a variant
names otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.checker.common.lint_codes import CHANGES_NOTHING
from rulewright.checker.common.names_touched import NO_NAMES, POSSIBLE, NamesTouched
from rulewright.checker.logic.values_before import ValuesBefore
from rulewright.diagnostics import Diagnostics, Related
from rulewright.expr.structural_key import are_same
from rulewright.expr.tree import NEGATED, Compare, Expr, Not, ReadState, StateTarget
from rulewright.expr.types import Member, Number
from rulewright.expr.walk import iter_exprs
from rulewright.model.effects import Move, Reveal, Roll, SetState, Step
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.facts.value_ranges import TRUE, Scalars
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules, StateDef
from rulewright.model.traversal import asked_exprs
from rulewright.suggestions import join_list


def check_overwritten_states(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    names = NamesTouched(rules)
    capacities = (zone.capacity for zone in rules.zones.values() if zone.capacity is not None)
    always_read = NO_NAMES.union(  # after each step
        *map(names.read, capacities), *(names.read(one.condition) for one in rules.invariants)
    )
    values = ValuesBefore(rules, names)
    for number, block in enumerate(rules.blocks):
        targets = [_target(step) for step in block.steps]
        last = {target.name: index for index, target in enumerate(targets) if target is not None}
        for index, (first, target) in enumerate(zip(block.steps, targets, strict=True)):
            if target is None or target.name in always_read or (first.for_each is not None and target.keys):
                continue
            later = block.steps[index + 1 : last[target.name] + 1]
            second = _setting_again(later, target, names)
            if second is not None:
                _report(first, second, target, composition, diagnostics)
                continue
            if not _is_meant_to_count(first, later, composition):
                continue
            several = _setting_in_each_case(later, target, names, values, (number, index + 1))
            if several:
                _report_several(first, several, target, diagnostics)


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
        if step.when is None and not step.is_repeated:
            return step
    return None


def _is_meant_to_count(first: Step, later: Sequence[Step], composition: Composition) -> bool:
    """Whether what a step gives a state is not merely what it is for want of anything else: a step with a condition, or
    one that a variant puts before those of others.
    """
    files = composition.variant_files
    if composition.chosen_variants and first.span.source.path not in files:
        return False
    is_put_before = any(step.span.source.path != first.span.source.path for step in later)
    return first.when is not None or (bool(composition.chosen_variants) and is_put_before)


def _setting_in_each_case(
    steps: Sequence[Step], target: StateTarget, names: NamesTouched, values: ValuesBefore, place: tuple[int, int]
) -> list[Step]:
    """The steps of which one sets a state again in any case, if they do; `place`: where the first of these steps is."""
    found, written = list[tuple[Expr, Step]](), set[str]()
    for step in steps:
        if not isinstance(step.effect, SetState | Roll | Move | Reveal):
            return []
        read = NO_NAMES.union(*map(names.read, asked_exprs(step)))
        if target.name in read or POSSIBLE in read:
            return []
        other = _target(step)
        is_again = other is not None and other.name == target.name and are_same(other.keys, target.keys)
        if is_again and step.when is not None and not step.is_repeated and not written & names.read(step.when):
            found.append((step.when, step))
            if _is_one_true([condition for condition, _ in found], values, place):
                return [one for _, one in found]
        written |= names.written(step)
    return []


def _is_one_true(conditions: Sequence[Expr], values: ValuesBefore, place: tuple[int, int]) -> bool:
    """Whether one of some conditions holds, whatever is so where the steps begin that ask them."""
    last = conditions[-1]
    if any(_deny_each_other(one, last) for one in conditions[:-1]):
        return True
    read = [part for part in iter_exprs(last) if isinstance(part, ReadState)]
    if len(conditions) < 2 or not read or read[0].keys:
        return False
    state = values.rules.states[read[0].name]
    possible = values.of(state, *place) if isinstance(state.type, Member | Number) else None
    return bool(possible) and all(_some_hold(conditions, state, value, values.ranges) for value in possible or ())


def _some_hold(conditions: Sequence[Expr], state: StateDef, value: int, wide: ExpressionRanges) -> bool:
    """Whether one of some conditions surely holds while a state is a value."""
    variables = list(wide.variables)
    variables[state.first_index] = Scalars.of((value,))
    ranges = ExpressionRanges(wide.rules, wide.contents, variables)
    return any(ranges.scalars(condition, {}, ranges.seats) == TRUE for condition in conditions)


def _deny_each_other(one: Expr, other: Expr) -> bool:
    """Whether one of two conditions is what the other is not."""
    match one, other:
        case (Not(of=of), denied) | (denied, Not(of=of)):
            return are_same((of,), (denied,))
        case Compare() as left, Compare() as right:
            return NEGATED.get(left.op) == right.op and are_same((left.left, left.right), (right.left, right.right))
    return False


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


def _report_several(first: Step, several: Sequence[Step], target: StateTarget, diagnostics: Diagnostics) -> None:
    listed = join_list([f"`{step.address}`" for step in several], "and")
    diagnostics.add(
        first.span,
        CHANGES_NOTHING,
        f"before anything reads `{target.name}`, one of {listed} sets it again in any case",
        label="lost",
        help="put this step behind them, or give them a condition",
        address=first.address,
        related=[Related(step.span, step.address) for step in several],
    )


__all__ = ["check_overwritten_states"]
