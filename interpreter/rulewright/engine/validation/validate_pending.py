"""Whether what is under way in a position from outside could have stopped there.

In: a position whose zones, variables and bound values are right. Out: nothing, or `InvalidPosition` with one sentence.
"""

from __future__ import annotations

from rulewright.engine.interface import Engine
from rulewright.engine.position_data import InvalidPosition
from rulewright.engine.running_steps import RunningSteps
from rulewright.engine.state import (
    Draw,
    Frame,
    SimultaneousChoice,
    StackEntry,
    State,
)
from rulewright.engine.validation.validate_draws import check_draws, check_refilled, unknown_draw
from rulewright.engine.validation.validate_waiting import WaitingCheck
from rulewright.model.effects import Choose, Finish, GiveTurn, Leave, RunSteps

# How the stack is checked
#
# A game under way is a chain of calls: each entry of the stack was put there by the step that the entry below it runs.
# So from the bottom, which is the set-up, a round or the end of the game, each entry must be one that the running step
# of its parent can put there: the steps it names, a turn, an action that it offers, a draw between its places. What
# such a step computes from the position may have changed since; only what cannot have changed is computed again.
#
# At the top nothing has happened since the last step ran (`validate_waiting.py`).
#
# Two kinds of entries have no such step. Draws that refill places come between two steps, and are checked against the
# room that is left. Actions that were chosen together are all put on the stack at once: those below have not begun.


def check_pending(engine: Engine, state: State) -> None:
    """Raises `InvalidPosition` unless a game by these rules can have stopped with this stack, waiting for this."""
    check = _PendingCheck(engine, state)
    check.check_flags()
    check.check_variables()
    if state.waiting is None:
        if state.stack or not state.ending:
            raise InvalidPosition("it waits for nothing, but the game is not over")
    elif not state.stack:
        raise InvalidPosition("it waits for something, but has no pending steps")
    else:
        check.check_stack()


class _PendingCheck:
    """One position's stack under check."""

    def __init__(self, engine: Engine, state: State) -> None:
        self.engine = engine
        self.rules = engine.rules
        self.state = state
        self.steps = RunningSteps(engine, state)
        self.effects = [step.effect for block in engine.rules.blocks for step in block.steps]
        self.has_extra_turns = any(isinstance(effect, GiveTurn) and effect.is_extra for effect in self.effects)

    def check_flags(self) -> None:
        """What is noted for later must have been noted by some step."""
        state, effects = self.state, self.effects
        bottom = state.stack[0] if state.stack else None
        if bottom is None or (isinstance(bottom, Frame) and bottom.block == self.rules.finale):
            can_end = any(isinstance(effect, Finish | Leave) for effect in effects)
        else:  # only the last round goes on
            can_end = any(isinstance(effect, Finish) and effect.when == "after_round" for effect in effects)
        if state.ending and not can_end:
            raise InvalidPosition("it is about to end, which no step of these rules brings about")
        if state.extra_turns and not self.has_extra_turns:
            raise InvalidPosition("it has extra turns, which no step of these rules gives")

    def check_variables(self) -> None:
        """Variables of a block that is not under way are as they are where it begins; the end may have left them so."""
        state, rules = self.state, self.rules
        under_way = {rules.blocks[entry.block].address for entry in state.stack if isinstance(entry, Frame)}
        initial = self.engine.layout.variables
        for variable in rules.states.values():
            if variable.block_address in ("", *under_way) or state.ending:
                continue
            indexes = slice(variable.first_index, variable.first_index + variable.size)
            if state.variables[indexes] != initial[indexes]:
                raise InvalidPosition(f"{variable.name} has a value, although its steps are not under way")

    def check_stack(self) -> None:
        """Every entry belongs on the one below it, and the top one waits for what the position waits for."""
        state, count = self.state, len(self.state.stack)
        while count and isinstance(state.stack[count - 1], Draw):
            count -= 1
        bottom = state.stack[0]
        if not isinstance(bottom, Frame) or not self._can_be_bottom(bottom):
            raise InvalidPosition("its pending steps do not begin with the set-up, a round or the end of the game")
        parent, sibling = bottom, None
        for entry in state.stack[1:count]:
            if isinstance(entry, Draw) or not self._can_be_on(parent, entry, sibling):
                raise self._misfit(entry)
            if isinstance(entry, Frame):
                if self._is_simultaneous(parent) and _is_unstarted(entry):
                    sibling = entry
                else:
                    parent, sibling = entry, None
        top = state.stack[count - 1]
        draws = [entry for entry in state.stack[count:] if isinstance(entry, Draw)]
        if draws:
            check_draws(self.engine, self.steps, top, draws)
            return
        waiting = WaitingCheck(self.engine, self.steps)
        if isinstance(top, SimultaneousChoice):
            waiting.check_simultaneous_choice(top)
        else:
            waiting.check_pause()
        check_refilled(self.engine, self.steps)

    def _misfit(self, entry: StackEntry) -> InvalidPosition:
        if isinstance(entry, Draw):
            return unknown_draw()
        address = self.rules.blocks[entry.block].address
        return InvalidPosition(f"the steps of {address} are under way, but not by the steps around them")

    def _can_be_bottom(self, frame: Frame) -> bool:
        if frame.seat != -1 or frame.env:
            return False
        if frame.block == self.rules.finale:
            return self.state.ending
        return frame.block == (self.rules.round if self.state.round else self.rules.setup)

    # ---- one entry on another -----------------------------------------------------------------------------

    def _can_be_on(self, parent: Frame, entry: StackEntry, sibling: Frame | None) -> bool:
        """Whether the running step of a frame can have put an entry there. `sibling`: an action chosen together with
        this one, which is done after it.
        """
        step = self.steps.running_step(parent)
        if step is None:
            return False
        match step.effect, entry:
            case RunSteps(block=block, is_procedure=True, arguments=arguments), Frame():
                is_its_steps = entry.block == block and entry.seat == parent.seat
                return is_its_steps and self.steps.can_pass(step, arguments, parent, entry.env)
            case RunSteps(block=block), Frame():
                env, values = parent.env, self.steps.loop_values(step, parent)
                is_bound = len(entry.env) == len(env) + (step.for_each is not None) and entry.env[: len(env)] == env
                is_reached = step.for_each is None or entry.env[-1] in values
                return entry.block == block and entry.seat == parent.seat and is_bound and is_reached
            case GiveTurn(seat=seat, is_extra=False), Frame():
                is_turn = entry.block == self.rules.turn and not entry.env
                return is_turn and (self.has_extra_turns or self.steps.can_give(step, seat, parent, entry.seat))
            case Choose(mode="together"), SimultaneousChoice():
                is_its_step = (entry.block, entry.step) == (parent.block, self.steps.running_index(parent))
                return is_its_step and entry.seat == parent.seat
            case Choose() as choose, Frame():
                if not self._is_offered(choose, entry):
                    return False
                if choose.mode == "together":
                    return sibling is None or self._turn_order(entry.seat) < self._turn_order(sibling.seat)
                return (
                    entry.seat == parent.seat
                    if step.by is None
                    else self.steps.can_give(step, step.by, parent, entry.seat)
                )
            case _:
                return False

    def _is_offered(self, choose: Choose, frame: Frame) -> bool:
        numbers = [offer.action for offer in choose.offers]
        if isinstance(choose.fallback, int):
            numbers.append(choose.fallback)
        return frame.seat >= 0 and any(self.rules.actions[number].block == frame.block for number in numbers)

    def _turn_order(self, seat: int) -> int:
        return (seat - self.state.first_seat) % self.rules.players

    def _is_simultaneous(self, frame: Frame) -> bool:
        step = self.steps.running_step(frame)
        return step is not None and isinstance(step.effect, Choose) and step.effect.mode == "together"


def _is_unstarted(frame: Frame) -> bool:
    return frame.step == 0 and frame.remaining is None


__all__ = ["check_pending"]
