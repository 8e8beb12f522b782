"""Whether a position from outside waits for what the step on top of its stack waits for.

In: the steps that its frames run. Out: nothing, or `InvalidPosition` with one sentence. Nothing has happened since the
step on top ran: it stopped there because it waits. Run again from where it began, it must wait for the same and change
nothing. That says who decides, whether the step's condition holds and what a roll can give; the engine itself says it,
so that nothing of it is written a second time.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright import limits
from rulewright.engine.faults import MALFORMED_STATE_ERRORS
from rulewright.engine.interface import Engine
from rulewright.engine.position_data import InvalidPosition
from rulewright.engine.running_steps import RunningSteps
from rulewright.engine.state import Decision, Frame, SimultaneousChoice, State
from rulewright.expr.types import Bag
from rulewright.frozen import replace


class WaitingCheck:
    """What one position waits for, under check."""

    def __init__(self, engine: Engine, steps: RunningSteps) -> None:
        self.engine = engine
        self.rules = engine.rules
        self.steps = steps
        self.state = steps.state

    def check_pause(self) -> None:
        """The step on top waits for what the position waits for, and has done nothing else."""
        state, waiting = self.state, self.state.waiting
        whole = waiting._replace(partial_action=None, partial_bag=()) if isinstance(waiting, Decision) else waiting
        begun = replace(state, waiting=whole)
        if begun not in self._run_again(len(state.stack) - 1):
            raise InvalidPosition("what it waits for does not fit its pending steps")
        self._check_partial_action(begun)

    def check_simultaneous_choice(self, choice: SimultaneousChoice) -> None:
        """Each seat chooses in its order; what was chosen was legal, and who did not choose could not."""
        state, waiting = self.state, self.state.waiting
        seats: list[int] = [seat for seat, _ in choice.actions]
        whole = choice._replace(remaining_seats=(), actions=())
        orders = [
            after.stack[-1].remaining_seats
            for after in self._run_again(len(state.stack) - 2)
            if isinstance(after.stack[-1], SimultaneousChoice) and after.stack[-1]._replace(remaining_seats=()) == whole
        ]
        count = len(choice.remaining_seats)
        for order in orders:
            done = order[: len(order) - count]
            if (*done, *choice.remaining_seats) == order and seats == [seat for seat in done if seat in seats]:
                break
        else:
            raise InvalidPosition("the seats that choose together are not those that its pending step asks")
        passed = [seat for seat in done if seat not in seats]
        if any(self.engine.offered_actions(state, seat, choice, limit=1) for seat in passed):
            raise InvalidPosition("a seat has not chosen, although it could")
        for seat, action in choice.actions:
            is_whole, limit = action.token is None, limits.MAX_ANSWERS  # although it may be answered piece by piece
            if not (is_whole and action in self.engine.offered_actions(state, seat, choice, limit=limit)):
                raise InvalidPosition("a secret choice that was made is not legal")
        if not isinstance(waiting, Decision) or choice.remaining_seats[:1] != (waiting.seat,):
            raise InvalidPosition("what it waits for does not fit its pending steps")
        if (waiting.block, waiting.step, waiting.around) != (choice.block, choice.step, choice.env):
            raise InvalidPosition("what it waits for does not fit its pending steps")
        self._check_partial_action(replace(state, waiting=waiting._replace(partial_action=None, partial_bag=())))

    def _run_again(self, depth: int) -> Iterator[State]:
        """What the running step of the frame at a depth of the stack leads to, begun anew: once for each value that a
        loop may have reached.
        """
        frame, below = self.state.stack[depth], self.state.stack[:depth]
        assert isinstance(frame, Frame)
        step = self.steps.running_step(frame)
        if step is None:
            return
        for value in self.steps.loop_values(step, frame):
            begun = frame._replace(step=self.steps.running_index(frame))
            if frame.remaining is not None:
                begun = begun._replace(remaining=(0 if value is None else value, *frame.remaining))
            try:
                yield self.engine.run_step(replace(self.state, stack=(*below, begun), waiting=None))
            except MALFORMED_STATE_ERRORS:
                continue

    def _check_partial_action(self, begun: State) -> None:
        """A choice that is partly made, piece by piece, can be made so from the beginning."""
        waiting = self.state.waiting
        if not isinstance(waiting, Decision) or waiting.partial_action is None:
            if isinstance(waiting, Decision) and waiting.partial_bag:
                raise InvalidPosition("it has pieces of a choice that is not being made")
            return
        reached, seen = [begun], {begun.waiting}
        while reached:
            state = reached.pop()
            for action in self.engine.legal(state):
                decision = self.engine.complete_action(state, action)
                if not isinstance(decision, Decision) or decision in seen or not self._leads_to(decision, waiting):
                    continue
                if decision == waiting:
                    return
                seen.add(decision)
                reached.append(replace(state, waiting=decision))
        raise InvalidPosition("the choice that it is partly through does not fit these rules")

    def _leads_to(self, decision: Decision, goal: Decision) -> bool:
        """Whether all that was chosen so far is part of a choice that is partly made."""
        partial, wanted = decision.partial_action, goal.partial_action
        if partial is None or wanted is None or partial.number != wanted.number:
            return False
        count = len(partial.values)
        if partial.values != wanted.values[:count]:
            return False
        bag, whole = decision.partial_bag, goal.partial_bag
        if count < len(wanted.values):
            answer = wanted.values[count]
            if isinstance(answer, int):
                return not bag
            whole = answer
        if isinstance(self.rules.actions[partial.number].choices[count].type, Bag):
            return not bag or (len(bag) == len(whole) and all(a <= b for a, b in zip(bag, whole, strict=True)))
        return set(bag) <= set(whole)


__all__ = ["WaitingCheck"]
