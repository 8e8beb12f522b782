"""Is a state that is a player used before anything has said who that is?

In: the state of a build. Out: warnings about steps that give something to such a player, take something or name the
winner, although the steps before them in the set-up and in the first round cannot have set the state. Who begins may
well be nobody in particular, and so may who is the next of someone: states that only say in which order players act, or
that move on from what they were, are not meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rulewright.checker.common.lint_codes import READ_BEFORE_SET
from rulewright.checker.common.rules_read import reads_state
from rulewright.checker.common.warn import warn
from rulewright.document.address import find_entry
from rulewright.expr.tree import Expr, ReadState
from rulewright.expr.types import SEAT
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Block, Choose, Finish, GiveTurn, Leave, Move, Roll, RunSteps, SetState, Step
from rulewright.model.traversal import offered_actions

TURN: Final = "turn"


@build_pass(needs=["blocks", "states", "actions"], skip=after_errors)
def check_unset_players(state: BuildState) -> None:
    """Reports the first such step of each state."""
    action_blocks = [action.block for action in state.actions]
    for name in _unset_at_first(state):
        step = _first_use(name, state, action_blocks)
        if step is None:
            continue
        message = f"no step can have set `{name}` when this is first done, so it is simply the first in the list"
        hint = f"set it in `setup`, or begin this with a condition that something has set `{name}`"
        warn(state, step.span, READ_BEFORE_SET, message, f"`{name}` is nobody in particular", hint, step.address)


def _unset_at_first(state: BuildState) -> Iterator[str]:
    """The states that are one player, without a start, that steps set to something else than what follows from it."""
    targets = [step.effect for block in state.blocks for step in block.steps if isinstance(step.effect, SetState)]
    for name, definition in state.states.items():
        if definition.type != SEAT or definition.key_types or definition.block_address:
            continue
        if find_entry(state.document.root, f"{definition.address}.start") is not None:
            continue
        setting = [effect for effect in targets if effect.target.name == name]
        if setting and not any(reads_state((effect.to,), name) for effect in setting):
            yield name


def _first_use(name: str, state: BuildState, action_blocks: Sequence[int]) -> Step | None:
    """The step that uses a state first, as long as none before it can have set it."""
    for step, is_certain in _first_steps(state):
        if is_certain and _uses(step, name):
            return step
        if _can_set(step, name, state.blocks, action_blocks, set()):
            return None
    return None


def _first_steps(state: BuildState) -> Iterator[tuple[Step, bool]]:
    """The steps of the set-up and of the first round in their order, each with whether no condition is around it."""
    numbers = {block.address: number for number, block in enumerate(state.blocks)}
    for section in ("setup", "round"):
        if section in numbers:
            yield from _in_order(numbers[section], state, numbers.get(TURN), is_certain=True)


def _in_order(block: int, state: BuildState, turn: int | None, *, is_certain: bool) -> Iterator[tuple[Step, bool]]:
    for step in state.blocks[block].steps:
        loop = step.for_each
        is_asked = step.when is not None or step.while_condition is not None or step.times is not None
        is_certain_here = is_certain and not is_asked and (loop is None or loop.condition is None)
        yield step, is_certain_here
        if isinstance(step.effect, RunSteps):
            yield from _in_order(step.effect.block, state, turn, is_certain=is_certain_here)
        elif isinstance(step.effect, GiveTurn) and turn is not None and not step.effect.is_extra:
            yield from _in_order(turn, state, turn, is_certain=is_certain_here)


def _can_set(step: Step, name: str, blocks: Sequence[Block], action_blocks: Sequence[int], seen: set[int]) -> bool:
    """Whether a step can set a state, itself or by an action that it offers."""
    match step.effect:
        case SetState(target=target) | Roll(target=target):
            return target.name == name
        case Choose() as choose:
            within = [action_blocks[number] for number in offered_actions(choose)]
        case RunSteps(block=block) if seen:
            within = [block]
        case _:
            return False
    new = [block for block in within if block not in seen]
    seen.update(new)
    return any(_can_set(inner, name, blocks, action_blocks, seen) for block in new for inner in blocks[block].steps)


def _uses(step: Step, name: str) -> bool:
    """Whether a step gives to the player that a state is, takes from it, or names it as the winner."""
    asked: Sequence[Expr | None] = ()
    match step.effect:
        case Move(source=source, to=to):
            asked = (*to.keys, *(source.keys if source is not None else ()))
        case SetState(target=target):
            asked = target.keys
        case Finish(winners=winners):
            asked = (winners,)
        case Leave(seats=seats):
            asked = (seats,)
    return any(isinstance(expr, ReadState) and expr.name == name for expr in asked)


__all__ = ["check_unset_players"]
