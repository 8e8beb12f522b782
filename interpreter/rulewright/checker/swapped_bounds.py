"""Was `max` written where `min` keeps a state within its type, or the reverse?

In: the state of a build. Out: warnings about steps that set a state to the greater of what it may be at most and
another number, or to the less of what it may be at least: what comes of that is the bound, or no value of the state.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.checker.condition_nodes import condition_node
from rulewright.checker.lint_codes import SWAPPED_BOUND
from rulewright.checker.warn import warn
from rulewright.expr.tree import Call, Constant, Expr, ReadParameter
from rulewright.expr.types import Number
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import SetState
from rulewright.model.rules import ParameterDef
from rulewright.source.nodes import ScalarNode

Parameters = Mapping[str, ParameterDef]


@build_pass(needs=["blocks", "states", "parameters"], skip=after_errors)
def check_swapped_bounds(state: BuildState) -> None:
    """Reports them."""
    parameters = state.parameters
    for step in (step for block in state.blocks for step in block.steps):
        effect = step.effect
        if not isinstance(effect, SetState):
            continue
        type_ = state.states[effect.target.name].type
        swapped = _swapped(parameters, effect.to, type_) if isinstance(type_, Number) else None
        if swapped is None or not isinstance(type_, Number):
            continue
        node = condition_node(state.document.root, step.address, "to")
        span = node.subspan(*swapped.offsets) if isinstance(node, ScalarNode) else step.span
        bound, other = (type_.high, "min") if swapped.function == "max" else (type_.low, "max")
        message = f"this is never {'less' if swapped.function == 'max' else 'more'} than {bound}"
        hint = f"`{effect.target.name}` is {type_.low} to {type_.high}: `{other}(…)` keeps it within that"
        warn(state, span, SWAPPED_BOUND, message, f"`{swapped.function}` for `{other}`", hint, step.address)


def _swapped(parameters: Parameters, to: Expr, type_: Number) -> Call | None:
    """The call that keeps a number on the wrong side of a bound."""
    if not isinstance(to, Call) or to.function not in ("min", "max"):
        return None
    numbers = [number for arg in to.args if (number := _fixed(parameters, arg)) is not None]
    if to.function == "max":
        is_outside = any(number >= type_.high for number in numbers)
    else:
        is_outside = any(number <= type_.low for number in numbers)
    return to if is_outside and len(numbers) < len(to.args) else None


def _fixed(parameters: Parameters, arg: Expr) -> int | None:
    """The number that is written, or that a parameter has."""
    if isinstance(arg, ReadParameter) and not arg.keys:
        value = parameters[arg.name].value
    else:
        value = arg.value if isinstance(arg, Constant) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


__all__ = ["check_swapped_bounds"]
