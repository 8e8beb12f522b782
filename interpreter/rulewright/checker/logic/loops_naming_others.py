"""Does a loop seek out players, and name another one in their place?

In: the state of a build. Out: warnings about loops over players of whom something is asked, which let a player leave,
or set a state to a player, who does not depend on whom the loop is at: whoever is found, it is the same one.
"""

from __future__ import annotations

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import OTHER_PLAYER
from rulewright.checker.common.warn import warn
from rulewright.expr.tree import Constant, Expr
from rulewright.expr.types import SEAT
from rulewright.expr.walk import free_variables, is_me
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Leave, SetState, Step


@build_pass(needs=["judged"], skip=after_errors)
def check_loops_naming_others(state: BuildState) -> None:
    """Reports them."""
    for step in state.judged.steps:
        loop = step.for_each
        if (
            loop is None
            or loop.type != SEAT
            or loop.condition is None
            or loop.slot not in free_variables(loop.condition)
        ):
            continue
        found = _named(step)
        if found is None:
            continue
        key, named = found
        if isinstance(named, Constant) or is_me(named) or loop.slot in _read(step):
            continue
        span = key_span(state.document.root, step.address, key, step.span)
        message = f"this is the same player whichever `{loop.name}` is found"
        warn(
            state,
            span,
            OTHER_PLAYER,
            message,
            f"does not depend on `{loop.name}`",
            f"did you mean `{loop.name}`?",
            step.address,
        )


def _named(step: Step) -> tuple[str, Expr] | None:
    """The key and the expression with which a step names a player."""
    match step.effect:
        case Leave(seats=seats):
            return "leave", seats
        case SetState(target=target, to=to) if target.type == SEAT:
            return "to", to
    return None


def _read(step: Step) -> set[int]:
    """The variables that the effect of a step reads, and its own condition."""
    match step.effect:
        case Leave(seats=seats):
            exprs = [seats]
        case SetState(target=target, to=to):
            exprs = [to, *target.keys]
        case _:
            exprs = []
    exprs += [step.when] if step.when is not None else []
    return {slot for expr in exprs for slot in free_variables(expr)}


__all__ = ["check_loops_naming_others"]
