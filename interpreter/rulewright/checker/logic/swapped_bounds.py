"""Was `max` written where `min` keeps a state within its type, or the reverse, or a bound where nothing goes beyond it?

In: the state of a build. Out: warnings about steps that set a state to the greater of what it may be at most and
another number, or to the less of what it may be at least: what comes of that is the bound, or no value of the state.
And about those that put what is counted in a turn in the place of a state that lasts, within a bound that this never
comes to: it was probably to be added.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.known_numbers import known_number
from rulewright.checker.common.lint_codes import CHANGES_NOTHING, SWAPPED_BOUND
from rulewright.checker.common.warn import warn
from rulewright.expr.tree import Call, Constant, Expr, If, ReadState
from rulewright.expr.types import Number, Type
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import SetState
from rulewright.model.rules import ParameterDef, StateDef
from rulewright.source.nodes import ScalarNode

Parameters = Mapping[str, ParameterDef]


@build_pass(needs=["states", "parameters", "judged"], skip=after_errors)
def check_swapped_bounds(state: BuildState) -> None:
    """Reports them."""
    parameters = state.parameters
    for step in state.judged.steps:
        effect = step.effect
        if not isinstance(effect, SetState):
            continue
        type_ = state.states[effect.target.name].type
        swapped = _swapped(parameters, effect.to, type_) if isinstance(type_, Number) else None
        node = condition_node(state.document.root, step.address, "to")
        passing = _replacing(effect, state.states)
        if passing is not None:
            span = step.span if node is None else node.span
            message = f"`{passing.name}` is never more than {_highest(passing.type)}, so the bound is never needed"
            hint = f"is it to be added to `{effect.target.name}`, not to replace it?"
            warn(state, span, CHANGES_NOTHING, message, "never needed", hint, step.address)
        if swapped is None or not isinstance(type_, Number):
            continue
        span = node.subspan(*swapped.offsets) if isinstance(node, ScalarNode) else step.span
        bound, other = (type_.high, "min") if swapped.function == "max" else (type_.low, "max")
        message = f"this is never {'less' if swapped.function == 'max' else 'more'} than {bound}"
        hint = f"`{effect.target.name}` is {type_.low} to {type_.high}: `{other}(…)` keeps it within that"
        warn(state, span, SWAPPED_BOUND, message, f"`{swapped.function}` for `{other}`", hint, step.address)


def _swapped(parameters: Parameters, to: Expr, type_: Number) -> Call | None:
    """The call that keeps a number on the wrong side of a bound, in any case."""
    if isinstance(to, If):
        return _swapped(parameters, to.then, type_) or _swapped(parameters, to.otherwise, type_)
    if not isinstance(to, Call) or to.function not in ("min", "max"):
        return None
    numbers = [number for arg in to.args if (number := known_number(arg, parameters)) is not None]
    if to.function == "max":
        is_outside = any(number >= type_.high for number in numbers)
    else:
        is_outside = any(number <= type_.low for number in numbers)
    return to if is_outside and len(numbers) < len(to.args) else None


def _replacing(effect: SetState, states: Mapping[str, StateDef]) -> ReadState | None:
    """The state of a turn, a round or a block that a step puts in the place of one that lasts, within a bound that it
    never comes to.
    """
    to, target = effect.to, states[effect.target.name]
    if target.reset_scope or not isinstance(to, Call) or to.function != "min" or len(to.args) != 2:
        return None
    for arg, bound in (to.args, to.args[::-1]):
        if isinstance(arg, ReadState) and isinstance(bound, Constant) and states[arg.name].reset_scope:
            is_needed = isinstance(bound.value, int) and _highest(arg.type) >= bound.value
            return None if is_needed or bound.value != _highest(target.type) else arg
    return None


def _highest(type_: Type) -> int:
    return type_.high if isinstance(type_, Number) else 0


__all__ = ["check_swapped_bounds"]
