"""Does a player leave although the condition asks of others, or of all?

In: the state of a build. Out: warnings about steps by which players leave: all or none of them, whoever is in turn, or
whoever a loop is at, as something holds of somebody.
"""

from __future__ import annotations

import re

from rulewright.checker.common import lint_codes
from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.rules_read import steps_within
from rulewright.checker.common.warn import warn
from rulewright.checker.logic.forgotten_keys import is_every_seat, is_of_seats
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Expr, Filter, Local, Quantifier
from rulewright.expr.types import SEAT
from rulewright.expr.walk import free_variables, is_me, iter_exprs
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Leave, RunSteps, Step
from rulewright.source.nodes import Node, ScalarNode


@build_pass(needs=["blocks", "judged"], skip=after_errors)
def check_leaving_together(state: BuildState) -> None:
    """Steps by which all players leave at once, or none, as the condition asks of all of them together; and those by
    which whoever is in turn, or whoever a loop is at, leaves, as it asks of anybody.
    """
    for step in state.judged.steps:
        asked_of_all = [
            part
            for part in (iter_exprs(step.when) if step.when is not None and isinstance(step.effect, Leave) else ())
            if isinstance(part, Quantifier) and is_of_seats(part)
        ]
        message = "all players leave here, or none: the condition is about all of them"
        if asked_of_all and leave_together(step):
            hint = "write `leave: each player in everyone where …`; to end the game for all, `end_game: now`"
            warn(state, step.span, lint_codes.ALL_SEATS, message, "all players", hint, step.address)
        elif asked_of_all and _only_me_leaves(step):
            node = condition_node(state.document.root, step.address)
            message = "whoever is in turn leaves here because of others: the condition is about all players"
            hint = _asking_of_one(node, asked_of_all[0])
            span = step.span if node is None else node.span
            warn(state, span, lint_codes.ALL_SEATS, message, "all players", hint, step.address)
        elif any(_leave_as_asked(step, part) for part in asked_of_all):
            node = condition_node(state.document.root, step.address)
            span, hint = (
                step.span if node is None else node.span,
                "leave out `when`: then each player leaves for whom it holds",
            )
            warn(state, span, lint_codes.ALL_SEATS, message, "all players", hint, step.address)
        else:
            _check_loop_to_leave(step, state)


def _check_loop_to_leave(step: Step, state: BuildState) -> None:
    """Reports a loop over players in which each leaves, and whose condition asks of players, but not of that one."""
    loop = step.for_each
    if loop is None or loop.type != SEAT:
        return
    asked = [("when", step.when), ("for_each", loop.condition)]
    found = next(((key, of) for key, of in asked if of is not None and _asks_of_players(of)), None)
    is_of_loop = loop.slot in frozenset().union(*(free_variables(of) for _, of in asked if of is not None))
    inner = [step]
    if isinstance(step.effect, RunSteps):
        inner = [*steps_within(step.effect.block, state.blocks)]
    if found is None or is_of_loop or not any(_leaves(each, loop.slot) for each in inner):
        return
    node = condition_node(state.document.root, step.address, found[0])
    span = step.span if node is None else node.span
    message = f"`{loop.name}` leaves here because of others: the condition does not ask about `{loop.name}`"
    hint = f"ask it of `{loop.name}`"
    warn(state, span, lint_codes.ALL_SEATS, message, "about others", hint, step.address)


def _asks_of_players(condition: Expr) -> bool:
    return any(isinstance(part, Quantifier) and is_of_seats(part) for part in iter_exprs(condition))


def _leaves(step: Step, slot: int) -> bool:
    """Whether a step takes the player out of the game at whom a loop is."""
    seats = step.effect.seats if isinstance(step.effect, Leave) else None
    return isinstance(seats, Local) and seats.slot == slot


def _asking_of_one(node: Node | None, of_all: Quantifier) -> str:
    """How whoever is in turn leaves as it holds of them, or everybody of whom it holds."""
    asked = node.text[slice(*of_all.condition.offsets)].strip() if isinstance(node, ScalarNode) else ""
    reads = (part for part in iter_exprs(of_all.condition) if isinstance(part, Local) and part.slot == of_all.slot)
    variable = next(reads, None)
    if not asked or variable is None:
        return "ask it of `me`, or write `leave: each player in everyone where …`"
    of_me = re.sub(rf"\b{variable.name}\b", "me", asked)
    return f"write `{of_me}`, or `leave: each {variable.name} in everyone where {asked}`"


def leave_together(step: Step) -> bool:
    """Whether a step takes all players out of the game, or none."""
    if not isinstance(step.effect, Leave):
        return False
    seats, loop = step.effect.seats, step.for_each
    if loop is None or not isinstance(seats, Local) or seats.slot != loop.slot:
        return is_every_seat(seats)
    is_asked = step.when is not None and loop.slot in free_variables(step.when)
    return loop.condition is None and not is_asked and is_every_seat(loop.over)


def _only_me_leaves(step: Step) -> bool:
    """Whether a step takes whoever is in turn out of the game, of whom its condition does not ask."""
    assert isinstance(step.effect, Leave)
    asked = () if step.when is None else iter_exprs(step.when)
    return is_me(step.effect.seats) and not any(map(is_me, asked))


def _leave_as_asked(step: Step, asked: Quantifier) -> bool:
    """Whether those leave of whom a condition holds that has to hold of everybody first."""
    assert isinstance(step.effect, Leave)
    seats, loop = step.effect.seats, step.for_each
    of_one = seats.condition if isinstance(seats, Filter) and is_of_seats(seats) else None
    if loop is not None and isinstance(seats, Local) and seats.slot == loop.slot and is_every_seat(loop.over):
        of_one = loop.condition
    if of_one is None or asked.quantifier != "every":
        return False
    key = structural_key(of_one)
    return key is not None and key == structural_key(asked.condition)


__all__ = ["check_leaving_together", "leave_together"]
