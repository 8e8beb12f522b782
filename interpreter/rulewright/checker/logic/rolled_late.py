"""Is a die read before it is thrown, and never after?

In: the state of a build. Out: warnings about steps that read a state which only a later step of the same block rolls,
where nothing else reads or sets it and it is not said with what it begins. What a step offers or runs, and derived
values, may be what reads it if it is a die, all of whose faces count from 1 at least: no such state is right unrolled.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import READ_BEFORE_SET
from rulewright.checker.common.rules_read import action_exprs, reads_state
from rulewright.checker.common.steps_asked import sets_state
from rulewright.checker.common.warn import warn
from rulewright.document.address import find_entry
from rulewright.expr.tree import Expr, ReadState, ReadValue
from rulewright.expr.types import Number
from rulewright.expr.walk import iter_exprs
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Choose, GiveTurn, Roll, RunSteps, SetState, Step
from rulewright.model.rules import ValueDef
from rulewright.model.traversal import asked_exprs, offered_actions, step_exprs


@build_pass(needs=["actions", "states", "blocks", "values"], skip=after_errors)
def check_rolled_late(state: BuildState) -> None:
    """Reports the first step that reads such a state."""
    steps = [step for block in state.blocks for step in block.steps]
    for block in state.blocks:
        for number, roll in enumerate(block.steps):
            if not isinstance(roll.effect, Roll):
                continue
            name = roll.effect.target.name
            writers = [step for step in steps if sets_state(step, name)]
            earlier = [step for step in block.steps[:number] if _reads(step, name, state)]
            is_begun = find_entry(state.document.root, f"{state.states[name].address}.start") is not None
            if len(writers) != 1 or not earlier or is_begun or not _is_read_only_by(earlier, name, state):
                continue
            step = earlier[0]
            span = key_span(
                state.document.root, step.address, "to" if isinstance(step.effect, SetState) else "", step.span
            )
            reads = "this reads" if reads_state(step_exprs(step), name) else "what is done here reads"
            message = f"{reads} `{name}`, which is only rolled after it, and nothing reads it then"
            hint = f"put `{roll.address}` before this"
            warn(state, span, READ_BEFORE_SET, message, "before it is rolled", hint, step.address)


def _reads(step: Step, name: str, state: BuildState) -> bool:
    if reads_state(step_exprs(step), name):
        return True
    names = _names(state, name)
    return any(_is_about(expr, names) for expr in _exprs(step, name, state))


def _is_read_only_by(steps: list[Step], name: str, state: BuildState) -> bool:
    names = _names(state, name)
    own = {id(expr) for step in steps for expr in _exprs(step, name, state)}
    own |= {id(term) for value in names - {name} for term in _terms(state.values[value])}
    return all(id(read.expr) in own for read in state.usage.expressions if _is_about(read.expr, names))


def _exprs(step: Step, name: str, state: BuildState) -> Iterator[Expr]:
    """What a step asks, with all that it offers or runs at once if a state is a die."""
    kind = state.states[name].type
    if not isinstance(kind, Number) or kind.low < 1 or isinstance(step.effect, GiveTurn):
        yield from step_exprs(step)
        return
    waiting, seen = [step], set[int]()
    while waiting:
        each = waiting.pop()
        yield from asked_exprs(each)
        offered = offered_actions(each.effect) if isinstance(each.effect, Choose) else ()
        actions = [state.actions[number] for number in offered]
        for action in actions:
            yield from action_exprs(action)
        blocks = [each.effect.block] if isinstance(each.effect, RunSteps) else [action.block for action in actions]
        waiting += [inner for block in blocks if block not in seen for inner in state.blocks[block].steps]
        seen.update(blocks)


def _names(state: BuildState, name: str) -> frozenset[str]:
    """A state, and the derived values that depend on it."""
    names = {name}
    while True:
        more = {value.name for value in state.values.values() if any(_is_about(term, names) for term in _terms(value))}
        if more <= names:
            return frozenset(names)
        names |= more


def _terms(value: ValueDef) -> list[Expr]:
    return [term for _, term in (*value.terms, *value.deductions)]


def _is_about(expr: Expr, names: Collection[str]) -> bool:
    return any(isinstance(part, ReadState | ReadValue) and part.name in names for part in iter_exprs(expr))


__all__ = ["check_rolled_late"]
