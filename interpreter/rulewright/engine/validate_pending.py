"""Whether what is under way in a position from outside could have stopped there.

In: a position whose zones, variables and bound values are right. Out: nothing, or `InvalidPosition` with one sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from rulewright import limits
from rulewright.engine.context import Context
from rulewright.engine.faults import RuleFault
from rulewright.engine.interface import Engine
from rulewright.engine.position_data import InvalidPosition
from rulewright.engine.state import (
    Decision,
    Draw,
    Frame,
    SimultaneousChoice,
    StackEntry,
    State,
)
from rulewright.engine.values import RuntimeValue, as_int, content_bag, content_things
from rulewright.expr.tree import Binding, Expr, Place
from rulewright.expr.types import Bag, Member, Number, Thing, Type
from rulewright.expr.walk import find_position_read
from rulewright.frozen import replace
from rulewright.model.effects import Choose, Finish, GiveTurn, Leave, Move, RunSteps, Step

# what an engine may raise for bound values that no game would produce
MALFORMED_STATE_ERRORS: Final = (
    LookupError,
    TypeError,
    ValueError,
    ArithmeticError,
    AttributeError,
    AssertionError,
    RuleFault,
)

# How the stack is checked
#
# A game under way is a chain of calls: each entry of the stack was put there by the step that the entry below it runs.
# So from the bottom, which is the set-up, a round or the end of the game, each entry must be one that the running step
# of its parent can put there: the steps it names, a turn, an action that it offers, a draw between its places. What
# such a step computes from the position may have changed since; only what cannot have changed is computed again.
#
# At the top nothing has happened since the last step ran: it stopped there because it waits. Run again from where it
# began, it must wait for the same and change nothing. That says who decides, whether the step's condition holds and
# what a roll can give; the engine itself says it, so that nothing of it is written a second time.
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
            self._check_draws(top, draws)
        elif isinstance(top, SimultaneousChoice):
            self._check_simultaneous_choice(top)
        else:
            self._check_pause()
        if not draws:
            self._check_refilled()

    def _misfit(self, entry: StackEntry) -> InvalidPosition:
        if isinstance(entry, Draw):
            return InvalidPosition("a draw is under way that no pending step makes")
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
        step = self._running_step(parent)
        if step is None:
            return False
        match step.effect, entry:
            case RunSteps(block=block, is_procedure=True, arguments=arguments), Frame():
                is_its_steps = entry.block == block and entry.seat == parent.seat
                return is_its_steps and self._can_pass(step, arguments, parent, entry.env)
            case RunSteps(block=block), Frame():
                env, has_variable = parent.env, step.for_each is not None
                is_bound = len(entry.env) == len(env) + has_variable and entry.env[: len(env)] == env
                return entry.block == block and entry.seat == parent.seat and is_bound
            case GiveTurn(seat=seat, is_extra=False), Frame():
                is_turn = entry.block == self.rules.turn and not entry.env
                return is_turn and (self.has_extra_turns or self._can_give(step, seat, parent, entry.seat))
            case Choose(mode="together"), SimultaneousChoice():
                is_its_step = (entry.block, entry.step) == (parent.block, self._running_index(parent))
                return is_its_step and entry.seat == parent.seat
            case Choose() as choose, Frame():
                if not self._is_offered(choose, entry):
                    return False
                if choose.mode == "together":
                    return sibling is None or self._turn_order(entry.seat) < self._turn_order(sibling.seat)
                return (
                    entry.seat == parent.seat if step.by is None else self._can_give(step, step.by, parent, entry.seat)
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
        step = self._running_step(frame)
        return step is not None and isinstance(step.effect, Choose) and step.effect.mode == "together"

    def _running_index(self, frame: Frame) -> int:
        """The index of the step that a frame runs; -1 when it has not begun."""
        return frame.step - 1 if frame.remaining is None else frame.step

    def _running_step(self, frame: Frame) -> Step | None:
        index = self._running_index(frame)
        if index < 0:
            return None
        step = self.rules.blocks[frame.block].steps[index]
        is_loop = step.for_each is not None or step.times is not None
        if frame.remaining is None:
            return None if is_loop else step
        return step if is_loop and self._can_be_left(step, frame, frame.remaining) else None

    def _can_be_left(self, step: Step, frame: Frame, remaining: Sequence[RuntimeValue]) -> bool:
        """Whether a loop can have these values still to run over."""
        if step.for_each is None:
            return all(later == value + 1 for value, later in pairwise(map(as_int, remaining)))
        if step.times is None and len(set(remaining)) < len(remaining):
            return False
        if _is_changeable(step.for_each.over):
            return True
        elements = self._elements(step.for_each, frame)
        if self._is_fixed_loop(step):
            return any(tuple(remaining) == elements[index:] for index in range(1, len(elements) + 1))
        if step.times is not None or step.order is not None:
            return set(remaining) <= set(elements)
        in_order = iter(elements)  # a condition may have left some out
        return all(as_int(value) in in_order for value in remaining)

    def _is_fixed_loop(self, step: Step) -> bool:
        """Whether a loop over elements runs over all of them in their order, whatever the position."""
        loop = step.for_each
        if loop is None or loop.condition is not None or step.times is not None or step.order is not None:
            return False
        return not _is_changeable(loop.over) and not self.engine.compiler.elimination.is_possible

    def _elements(self, loop: Binding, frame: Frame) -> tuple[RuntimeValue, ...]:
        return tuple(self.engine.compiler.compile_elements(loop.over)(self._context(frame, frame.env)))

    def _context(self, frame: Frame, env: tuple[RuntimeValue, ...]) -> Context:
        state = self.state
        return Context(
            state.contents, state.variables, me=frame.seat, env=env, first=state.first_seat, round=state.round
        )

    # ---- values that a step computes ----------------------------------------------------------------------

    def _loop_values(self, step: Step, frame: Frame) -> Iterable[RuntimeValue | None]:
        """What the variable of a running loop may be; None where there is no variable."""
        if step.for_each is None:
            return (None,)
        if frame.remaining is not None and self._is_fixed_loop(step):
            elements = self._elements(step.for_each, frame)
            return elements[len(elements) - len(frame.remaining) - 1 :][:1]
        values = _all_values(self.engine, step.for_each.type)
        if step.times is not None or frame.remaining is None:
            return values
        return (value for value in values if value not in (frame.remaining or ()))  # each has its turn once

    def _contexts(self, step: Step, frame: Frame) -> Iterator[Context]:
        """The contexts in which a running step may have been carried out."""
        for value in self._loop_values(step, frame):
            yield self._context(frame, frame.env if value is None else (*frame.env, value))

    def _can_give(self, step: Step, expr: Expr, frame: Frame, seat: int) -> bool:
        """Whether an expression of a running step can have given a seat."""
        if seat < 0:
            return False
        if _is_changeable(expr):
            return True
        value_of = self.engine.compiler.compile_number(expr)
        return any(value_of(c) == seat for c in self._contexts(step, frame))

    def _can_pass(self, step: Step, arguments: Sequence[Expr], frame: Frame, values: Sequence[RuntimeValue]) -> bool:
        """Whether the arguments of a running step can have had these values, all in the same round of its loop."""
        if len(arguments) != len(values):
            return False
        known = [
            (self.engine.compiler.compile(argument), value)
            for argument, value in zip(arguments, values, strict=True)
            if not _is_changeable(argument)
        ]
        return not known or any(
            all(value_of(c) == value for value_of, value in known) for c in self._contexts(step, frame)
        )

    # ---- draws --------------------------------------------------------------------------------------------

    def _check_draws(self, top: StackEntry, draws: Sequence[Draw]) -> None:
        """Draws under way are those of the running step, or they refill places that have room."""
        first, last = draws[0], draws[-1]
        if self.state.waiting != self.engine.chance_event(self.state, last):
            raise InvalidPosition("the chance event it waits for does not fit its pending draw")
        step = self._running_step(top) if isinstance(top, Frame) else None
        if len(draws) == 1 and isinstance(top, Frame) and step is not None and self._can_draw(step, top, first):
            return
        refills = {(source, to): capacity - self._size(to) for to, source, capacity in self.engine.layout.refills}
        order = list(refills)
        ends = [(draw.source, draw.to) for draw in draws]
        # the first place in the order of the rules is filled first, so it is on top
        if ends != [end for end in reversed(order) if end in ends]:
            raise self._misfit(first)
        for draw in draws:
            if draw.left != refills[draw.source, draw.to] or draw.random or draw.end:
                raise self._misfit(draw)

    def _can_draw(self, step: Step, frame: Frame, draw: Draw) -> bool:
        """Whether the running step of a frame can have this draw under way."""
        move = step.effect
        if not isinstance(move, Move) or move.source is None:
            return False
        amount = move.amount
        if amount.mode not in ("top", "random", "up to random"):
            return False
        if (draw.end, draw.random) != (move.to.end, amount.mode != "top"):
            return False
        capacity = self.engine.layout.capacities[draw.to]
        if capacity is not None and self._size(draw.to) + draw.left > capacity:
            return False
        if not (
            self._can_name(step, move.source, frame, draw.source) and self._can_name(step, move.to, frame, draw.to)
        ):
            return False
        if amount.of is None or _is_changeable(amount.of):
            return 1 <= draw.left <= (1 if amount.of is None else _upper_bound(amount.of.type))
        count_of = self.engine.compiler.compile_number(amount.of)
        return any(1 <= draw.left <= count_of(c) for c in self._contexts(step, frame))

    def _can_name(self, step: Step, place: Place, frame: Frame, index: int) -> bool:
        """Whether the place of a running step can have been this one."""
        zone = self.rules.zones[place.zone]
        if not zone.first_index <= index < zone.first_index + zone.size:
            return False
        if any(map(_is_changeable, place.keys)):
            return True
        places_of = self.engine.compiler.compile_places(zone, place.keys)
        return any(index in places_of(c) for c in self._contexts(step, frame))

    def _size(self, place: int) -> int:
        is_pool = self.engine.layout.visibility.zone_by_place[place].is_pool
        content = self.state.contents[place]
        return sum(content_bag(content)) if is_pool else len(content_things(content))

    def _check_refilled(self) -> None:
        """Places fill themselves before anything else happens."""
        for to, source, capacity in self.engine.layout.refills:
            if self._size(to) < capacity and self._size(source):
                zone = self.engine.layout.visibility.zone_by_place[to]
                raise InvalidPosition(f"a place of {zone.name} has room, although it fills itself")

    # ---- the top ------------------------------------------------------------------------------------------

    def _run_again(self, depth: int) -> Iterator[State]:
        """What the running step of the frame at a depth of the stack leads to, begun anew: once for each value that a
        loop may have reached.
        """
        frame, below = self.state.stack[depth], self.state.stack[:depth]
        assert isinstance(frame, Frame)
        step = self._running_step(frame)
        if step is None:
            return
        for value in self._loop_values(step, frame):
            begun = frame._replace(step=self._running_index(frame))
            if frame.remaining is not None:
                begun = begun._replace(remaining=(0 if value is None else value, *frame.remaining))
            try:
                yield self.engine.run_step(replace(self.state, stack=(*below, begun), waiting=None))
            except MALFORMED_STATE_ERRORS:
                continue

    def _check_pause(self) -> None:
        """The step on top waits for what the position waits for, and has done nothing else."""
        state, waiting = self.state, self.state.waiting
        whole = waiting._replace(partial_action=None, partial_bag=()) if isinstance(waiting, Decision) else waiting
        begun = replace(state, waiting=whole)
        if begun not in self._run_again(len(state.stack) - 1):
            raise InvalidPosition("what it waits for does not fit its pending steps")
        self._check_partial_action(begun)

    def _check_simultaneous_choice(self, choice: SimultaneousChoice) -> None:
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


def _is_unstarted(frame: Frame) -> bool:
    return frame.step == 0 and frame.remaining is None


def _is_changeable(expr: Expr) -> bool:
    """Whether a step may have computed another value than the position gives now."""
    return find_position_read(expr) is not None


def _upper_bound(type_: Type) -> int:
    return type_.high if isinstance(type_, Number) else limits.MAX_AUTOMATIC_STEPS


def _all_values(engine: Engine, type_: Type) -> Sequence[RuntimeValue]:
    """Every value of the type of a loop's variable."""
    match type_:
        case Number(low=low, high=high):
            return range(low, min(high, low + limits.MAX_AUTOMATIC_STEPS) + 1)
        case Member(kind=kind):
            return engine.rules.kinds[kind].member_values
        case Thing(component=component):
            return range(len(engine.rules.components[component].ids))
        case _:
            return (False, True)


__all__ = ["MALFORMED_STATE_ERRORS", "check_pending"]
