"""Does a state stay what it is at the start, although steps set it?

In: rules, what can be in all positions, the composition they were built from. Out: a warning at the first step that
gives such a state a number that is written there. What depends on parameters is left out: a variant may change them.
Under variants only steps that a variant wrote.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import CHANGES_NOTHING
from rulewright.checker.common.names_touched import NamesTouched
from rulewright.checker.common.parameter_reads import ParameterReads
from rulewright.checker.common.shared_phrases import STEADY_STATE
from rulewright.diagnostics import Cause, Diagnostics
from rulewright.expr.tree import Constant, Expr
from rulewright.expr.types import Number
from rulewright.model.effects import Roll, SetState, Step
from rulewright.model.facts.found_ranges import PositionRanges
from rulewright.model.facts.value_ranges import Scalars
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules, StateDef
from rulewright.model.traversal import step_exprs


def check_unchanged_states(
    rules: Rules, positions: PositionRanges, composition: Composition, diagnostics: Diagnostics
) -> None:
    """Reports them."""
    parameters, names = ParameterReads(rules), NamesTouched(rules)
    for state in rules.states.values():
        if not _is_unchanged(state, positions) or parameters.are_in(state.initial_value):
            continue
        steps = [step for number in positions.blocks for step in rules.blocks[number].steps]
        writers = [(step, to) for step in steps for to in _given(step, state.name)]
        is_open = any(to is None or parameters.are_in(to) for _, to in writers)
        setting = [step for step, _ in writers]
        is_asked = any(
            state.name in names.read(expr)
            for block in rules.blocks
            for step in block.steps
            if step not in setting
            for expr in step_exprs(step)
        )
        written = [step for step, to in writers if isinstance(to, Constant)]
        if is_open or not is_asked or len(written) != 1 or len(writers) < 2:
            continue
        span = key_span(composition.document.root, written[0].address, "to", written[0].span)
        if not composition.is_judged(span):
            continue
        message = f"no step ever sets `{state.name}` {STEADY_STATE}"
        diagnostics.add(
            span,
            CHANGES_NOTHING,
            message,
            label="is that already",
            help="set it to another number here",
            address=written[0].address,
            cause=Cause("players"),
        )


def _given(step: Step, name: str) -> Iterator[Expr | None]:
    """What a step gives a state; None for what it rolls."""
    match step.effect:
        case SetState(target=target, to=to) if target.name == name:
            yield to
        case Roll(target=target) if target.name == name:
            yield None


def _is_unchanged(state: StateDef, positions: PositionRanges) -> bool:
    """Whether a number is always the same, whatever its keys."""
    if not isinstance(state.type, Number) or state.reset_scope:
        return False
    ranges = positions.variables[state.first_index : state.first_index + state.size]
    return len({one.single if isinstance(one, Scalars) else None for one in ranges} - {None}) == 1 and all(
        isinstance(one, Scalars) and one.single is not None for one in ranges
    )


__all__ = ["check_unchanged_states"]
