"""Is a die read before it is thrown, and never after?

In: the state of a build. Out: warnings about steps that read a state which only a later step of the same block rolls,
where nothing else reads or sets it and it is not said with what it begins.
"""

from __future__ import annotations

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import READ_BEFORE_SET
from rulewright.checker.common.rules_read import reads_state
from rulewright.checker.common.steps_asked import sets_state
from rulewright.checker.common.warn import warn
from rulewright.document.address import find_entry
from rulewright.expr.tree import ReadState
from rulewright.expr.walk import iter_exprs
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Roll, SetState, Step
from rulewright.model.traversal import step_exprs


@build_pass(needs=["states", "blocks", "values"], skip=after_errors)
def check_rolled_late(state: BuildState) -> None:
    """Reports the first step that reads such a state."""
    steps = [step for block in state.blocks for step in block.steps]
    for block in state.blocks:
        for number, roll in enumerate(block.steps):
            if not isinstance(roll.effect, Roll):
                continue
            name = roll.effect.target.name
            writers = [step for step in steps if sets_state(step, name)]
            earlier = [step for step in block.steps[:number] if _reads(step, name)]
            is_begun = find_entry(state.document.root, f"{state.states[name].address}.start") is not None
            if len(writers) != 1 or not earlier or is_begun or not _is_read_only_by(earlier, name, state):
                continue
            step = earlier[0]
            span = key_span(
                state.document.root, step.address, "to" if isinstance(step.effect, SetState) else "", step.span
            )
            message = f"this reads `{name}`, which is only rolled after it, and nothing reads it then"
            hint = f"put `{roll.address}` before this"
            warn(state, span, READ_BEFORE_SET, message, "before it is rolled", hint, step.address)


def _reads(step: Step, name: str) -> bool:
    return reads_state(step_exprs(step), name)


def _is_read_only_by(steps: list[Step], name: str, state: BuildState) -> bool:
    own = {id(expr) for step in steps for expr in step_exprs(step)}
    reading = (
        read.expr
        for read in state.usage.expressions
        if any(isinstance(part, ReadState) and part.name == name for part in iter_exprs(read.expr))
    )
    return all(id(expr) in own for expr in reading)


__all__ = ["check_rolled_late"]
