"""Does a condition wait until as many have done something as there are players, though some may have left?

In: the state of a build. Out: warnings about comparisons with `players`, the same as long as a game lasts: of how many
of those still in something holds, and of what each player counts up at most once in a round, with which it begins anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.checker.common.condition_nodes import part_span
from rulewright.checker.common.lint_codes import NEVER_ENDS
from rulewright.checker.common.steps_asked import sets_state
from rulewright.checker.common.warn import warn
from rulewright.checker.logic.leaving_players import leave_together
from rulewright.expr.tree import Arithmetic, Builtin, Call, Compare, Constant, Expr, Filter, Local, ReadState
from rulewright.expr.types import PLAYER_COUNT
from rulewright.expr.walk import find_position_read, is_all_seats, is_everyone, iter_exprs
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Choose, Finish, GiveTurn, Leave, SetState, Step

AT_LEAST_THREE: Final = 3  # of two the game mostly goes on without the one that has left


@build_pass(needs=["actions", "blocks", "section_blocks", "states", "has_elimination"], skip=after_errors)
def check_counts_of_who_left(state: BuildState) -> None:
    """Reports them, unless the same condition asks how many are left, or the game ends when somebody leaves."""
    steps = [step for block in state.blocks for step in block.steps]
    leaving = [step for step in steps if isinstance(step.effect, Leave)]
    if state.players < AT_LEAST_THREE or not state.has_elimination or all(map(leave_together, leaving)):
        return
    asking = [(step, part) for step in steps for part in _asked_of_all(step, state)]
    if not asking or any(ends_with_the_first(step, state.players) for step in steps):
        return
    for step, part in asking:
        if not [*_compared_with_left(step)]:
            span = part_span(state.document.root, step.address, "when", part, step.span)
            message = f"once somebody has left, so many as `{PLAYER_COUNT}` are never counted again"
            hint = "write `count(everyone)`: `everyone` is who is still in"
            warn(state, span, NEVER_ENDS, message, "may never hold again", hint, step.address)


def _asked_of_all(step: Step, state: BuildState) -> Iterator[Compare]:
    """The comparisons of a condition by which as many as there are players are waited for."""
    for part in iter_exprs(step.when) if step.when is not None else ():
        match part:
            case Compare(op="is" | ">=", left=counted, right=Builtin(name=name)) if name == PLAYER_COUNT:
                if _counts_who_is_in(counted, state):
                    yield part
            case Compare(op="is" | "<=", left=Builtin(name=name), right=counted) if name == PLAYER_COUNT:
                if _counts_who_is_in(counted, state):
                    yield part


def _compared_with_left(step: Step) -> Iterator[Expr]:
    """What a condition compares with how many are still in."""
    for part in iter_exprs(step.when) if step.when is not None else ():
        if isinstance(part, Compare):
            for one, other in ((part.left, part.right), (part.right, part.left)):
                if isinstance(one, Call) and one.function == "count" and is_everyone(one.args[0]):
                    yield other


def ends_with_the_first(step: Step, players: int) -> bool:
    """Whether a step may end the game as soon as one player has left."""
    most_left = players - 2  # when two have
    return isinstance(step.effect, Finish) and any(
        find_position_read(number) is None
        and not (isinstance(number, Constant) and isinstance(number.value, int) and number.value <= most_left)
        for number in _compared_with_left(step)
    )


def _counts_who_is_in(counted: Expr, state: BuildState) -> bool:
    """Whether a number is never above how many are still in."""
    match counted:
        case Call(function="count", args=(Filter(over=over),)):
            return is_everyone(over)
        case ReadState(name=name, keys=()):
            return state.states[name].reset_scope == "round" and _counted_once_a_turn(name, state)
    return False


def _counted_once_a_turn(name: str, state: BuildState) -> bool:
    """Whether a state only grows by one, once in a turn at most, and everybody who is in has one turn in a round."""
    steps = [step for block in state.blocks for step in block.steps]
    growing = [step for step in steps if sets_state(step, name) and not _sets_nothing(step)]
    turns = [step for step in steps if isinstance(step.effect, GiveTurn)]
    if len(growing) != 1 or not _adds_one(growing[0], name) or len(turns) != 1 or not _gives_one_each(turns[0], state):
        return False
    in_turn = state.blocks[state.section_blocks.turn].steps
    if growing[0] in in_turn:
        return True
    acting = [index for index, action in enumerate(state.actions) if growing[0] in state.blocks[action.block].steps]
    offering = [step for step in steps if any(_offers(step, index) for index in acting)]
    return len(acting) == 1 == len(offering) and offering[0] in in_turn and not offering[0].is_repeated


def _gives_one_each(step: Step, state: BuildState) -> bool:
    """Whether a step of the round gives each player one turn."""
    turn, loop = step.effect, step.for_each
    is_of_round = step in state.blocks[state.section_blocks.round].steps
    if not is_of_round or not isinstance(turn, GiveTurn) or loop is None or step.times is not None:
        return False
    is_of_loop = isinstance(turn.seat, Local) and turn.seat.slot == loop.slot
    return is_of_loop and not turn.is_extra and is_all_seats(loop.over)


def _offers(step: Step, action: int) -> bool:
    choice = step.effect
    return isinstance(choice, Choose) and action in (*(offer.action for offer in choice.offers), choice.fallback)


def _sets_nothing(step: Step) -> bool:
    return isinstance(step.effect, SetState) and isinstance(step.effect.to, Constant) and step.effect.to.value == 0


def _adds_one(step: Step, name: str) -> bool:
    """Whether a step, done once, adds one to a state."""
    match step.effect:
        case SetState(to=Arithmetic(op="+", left=ReadState(name=read), right=Constant(value=1))):
            return read == name and not step.is_repeated
    return False


__all__ = ["AT_LEAST_THREE", "check_counts_of_who_left", "ends_with_the_first"]
