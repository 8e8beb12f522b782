"""Does a loop seek out players, and name another one in their place?

In: the state of a build. Out: warnings about loops over players which let a player leave, or set a state to a player,
who does not depend on whom the loop is at: whoever is found, it is the same one. So too where a loop asks what each has
of something and gives more of it to that one; where all that the ranking compares is added up for one player in turn;
and where something is given to whom a state names before the same loop sets that state to whoever is found.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rulewright.checker.common.condition_nodes import key_span, part_span
from rulewright.checker.common.lint_codes import OTHER_PLAYER
from rulewright.checker.common.rules_read import all_parts
from rulewright.checker.common.warn import warn
from rulewright.diagnostics import Span
from rulewright.expr.tree import Binding, Constant, Expr, Local, ReadState, ReadZone
from rulewright.expr.types import SEAT
from rulewright.expr.walk import free_variables, is_all_seats, is_me, iter_exprs
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Leave, Move, Roll, RunSteps, SetState, Step

SETUP: Final = "setup."


@build_pass(needs=["assessments", "blocks", "judged", "values"], skip=after_errors)
def check_loops_naming_others(state: BuildState) -> None:
    """Reports them."""
    for step in state.judged.steps:
        loop = step.for_each
        if loop is None or loop.type != SEAT:
            continue
        if loop.condition is None:
            _check_sum_for_one(step, loop, state)
        elif loop.slot in free_variables(loop.condition):
            _check_named(step, loop, state)
            _check_given(step, loop, loop.condition, state)
            _check_given_before(step, loop, state)


def _check_named(step: Step, loop: Binding, state: BuildState) -> None:
    """A loop that lets one player leave, or notes one, whoever is found."""
    found = _named(step)
    if found is None:
        return
    key, named = found
    if not isinstance(named, Constant) and not is_me(named) and loop.slot not in _read(step):
        span = key_span(state.document.root, step.address, key, step.span)
        _report(step, loop, span, f"this is the same player whichever `{loop.name}` is found", state)


def _check_given(step: Step, loop: Binding, condition: Expr, state: BuildState) -> None:
    """A loop that asks what each has of something, and gives more of it to one player, whoever is found."""
    given = _given(step)
    if given is None or loop.slot in _read(step):
        return
    name, keys, node_key = given
    asked = [part for part in iter_exprs(condition) if isinstance(part, ReadZone | ReadState) and part.name == name]
    is_asked = any(isinstance(key, Local) and key.slot == loop.slot for read in asked for key in read.keys)
    others = [key for key in keys if key.type == SEAT and not isinstance(key, Constant) and not is_me(key)]
    if is_asked and len(others) == 1:
        span = part_span(state.document.root, step.address, node_key, others[0], step.span)
        message = f"this is the same player whichever `{loop.name}` is found, and it is asked what `{loop.name}` has"
        _report(step, loop, span, message, state)


def _check_given_before(step: Step, loop: Binding, state: BuildState) -> None:
    """Something that is given to whom a state names, before the steps of a loop set that state to whoever is found."""
    if not isinstance(step.effect, RunSteps) or step.effect.is_procedure:
        return
    inner = state.blocks[step.effect.block].steps
    for index, giving in enumerate(inner):
        given = _given(giving)
        if given is None or giving.for_each is not None or loop.slot in _read(giving):
            continue
        _, keys, node_key = given
        names = {key.name: key for key in keys if isinstance(key, ReadState) and key.type == SEAT and not key.keys}
        for later in inner[index + 1 :]:
            effect = later.effect
            if not isinstance(effect, SetState) or effect.target.name not in names or effect.target.keys:
                continue
            if isinstance(effect.to, Local) and effect.to.slot == loop.slot:
                key = names[effect.target.name]
                span = part_span(state.document.root, giving.address, node_key, key, giving.span)
                message = f"this is whom `{effect.target.name}` named before: only then it is set to `{loop.name}`"
                _report(giving, loop, span, message, state)
                return


def _check_sum_for_one(step: Step, loop: Binding, state: BuildState) -> None:
    """A loop over all players by which alone what the ranking compares grows, and only for whom a state names."""
    effect = step.effect
    if not isinstance(effect, SetState) or not is_all_seats(loop.over) or step.when is not None:
        return
    target = effect.target
    if len(target.keys) != 1 or not isinstance(key := target.keys[0], ReadState) or key.type != SEAT:
        return
    if loop.slot not in free_variables(effect.to) or loop.slot in free_variables(key):
        return
    compared = all_parts(state.values, [criterion.of for criterion in state.assessments.ranking])
    if not any(isinstance(part, ReadState) and part.name == target.name for part in compared):
        return
    steps = (each for block in state.blocks for each in block.steps)
    others = [each for each in steps if each is not step and _sets(each, target.name) and not _is_set_up(each)]
    if not others:
        span = part_span(state.document.root, step.address, "set", key, step.span)
        message = f"what each `{loop.name}` has is added up for one player here, and the ranking compares all of them"
        _report(step, loop, span, message, state)


def _report(step: Step, loop: Binding, span: Span, message: str, state: BuildState) -> None:
    label, hint = f"does not depend on `{loop.name}`", f"did you mean `{loop.name}`?"
    warn(state, span, OTHER_PLAYER, message, label, hint, step.address)


def _named(step: Step) -> tuple[str, Expr] | None:
    """The key and the expression with which a step names a player."""
    match step.effect:
        case Leave(seats=seats):
            return "leave", seats
        case SetState(target=target, to=to) if target.type == SEAT:
            return "to", to
    return None


def _given(step: Step) -> tuple[str, Sequence[Expr], str] | None:
    """What a step brings something to: the zone or state, its keys, and at which key of the step they are written."""
    match step.effect:
        case Move(to=to):
            return to.zone, to.keys, "to"
        case SetState(target=target) if target.type != SEAT:
            return target.name, target.keys, "set"
    return None


def _sets(step: Step, name: str) -> bool:
    return isinstance(step.effect, SetState | Roll) and step.effect.target.name == name


def _is_set_up(step: Step) -> bool:
    return step.address.startswith(SETUP)


def _read(step: Step) -> set[int]:
    """The variables that the effect of a step reads, and its own condition."""
    match step.effect:
        case Leave(seats=seats):
            exprs = [seats]
        case SetState(target=target, to=to):
            exprs = [to, *target.keys]
        case Move(amount=amount, source=source, to=to):
            exprs = [*to.keys, *(() if source is None else source.keys)]
            exprs += [amount.of] if amount.of is not None else []
        case _:
            exprs = []
    exprs += [step.when] if step.when is not None else []
    return {slot for expr in exprs for slot in free_variables(expr)}


__all__ = ["check_loops_naming_others"]
