"""How many turns can have begun by a moment of a game.

In: an engine and a position. Out: the fewest and the most. Steps give turns: each is counted as often as its loop runs,
in the set-up, in the rounds before and in this one as far as its stack shows; a step with a condition may have given
none. Extra turns have no bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from rulewright import limits
from rulewright.engine.context import Context
from rulewright.engine.interface import Engine
from rulewright.engine.state import Frame, StackEntry, State
from rulewright.expr.tree import Expr
from rulewright.expr.types import Member, Number, Thing, Type
from rulewright.expr.walk import find_position_read, free_variables
from rulewright.model.effects import Choose, GiveTurn, RunSteps, Step

UNBOUNDED: Final = 10**12  # more turns than a saved position may name


class _Range(NamedTuple):
    """The fewest and the most."""

    low: int
    high: int

    def plus(self, other: _Range) -> _Range:
        return _Range(self.low + other.low, min(self.high + other.high, UNBOUNDED))

    def times(self, other: _Range) -> _Range:
        return _Range(self.low * other.low, min(self.high * other.high, UNBOUNDED))


NONE: Final = _Range(0, 0)
ONE: Final = _Range(1, 1)


def turn_count_range(engine: Engine, state: State) -> tuple[int, int]:
    """The fewest and the most turns that can have begun by a position."""
    low, high = _TurnCounter(engine, state).count()
    return low, high


class _TurnCounter:
    """Counts the turns of one position."""

    def __init__(self, engine: Engine, state: State) -> None:
        self.engine = engine
        self.rules = engine.rules
        self.state = state
        effects = [step.effect for block in self.rules.blocks for step in block.steps]
        self.has_extra_turns = any(isinstance(effect, GiveTurn) and effect.is_extra for effect in effects)
        self._counts: dict[int, _Range] = {}
        self._running: set[int] = set()

    def count(self) -> _Range:
        """The turns from the beginning of the game up to the position."""
        rules, rounds, stack = self.rules, self.state.round, self.state.stack
        bottom = stack[0] if stack else None
        if isinstance(bottom, Frame) and bottom.block == rules.setup:
            total = self._in_frame(stack)
        elif isinstance(bottom, Frame) and bottom.block == rules.round:
            total = self._in_rounds(rounds - 1).plus(self._in_frame(stack))
        elif rounds:  # the end may have come in the middle of a round
            last = self._in_block(rules.round).plus(self._in_block(rules.finale))
            total = self._in_rounds(rounds - 1).plus(_Range(0, last.high))
        else:
            total = _Range(0, self._in_block(rules.setup).plus(self._in_block(rules.finale)).high)
        return _Range(total.low, UNBOUNDED) if self.has_extra_turns else total

    def _in_rounds(self, rounds: int) -> _Range:
        """The set-up and so many whole rounds."""
        return self._in_block(self.rules.setup).plus(self._in_block(self.rules.round).times(_Range(rounds, rounds)))

    def _in_frame(self, stack: Sequence[StackEntry]) -> _Range:
        """What the frame at the bottom of a stack and those on it have begun so far."""
        frame, above = stack[0], stack[1:]
        assert isinstance(frame, Frame)
        steps = self.rules.blocks[frame.block].steps
        current = frame.step - 1 if frame.remaining is None else frame.step
        total = NONE
        for step in steps[: max(0, current)]:
            total = total.plus(self._in_step(step))
        if not 0 <= current < len(steps):
            return total
        step, started = steps[current], ONE
        if frame.remaining is not None:
            left = len(frame.remaining)
            repetitions = self._repetitions(step)
            started = _Range(max(1, repetitions.low - left), max(1, repetitions.high - left))
            once = self._once(step)
            total = total.plus(once.times(_Range(started.low - 1, started.high - 1)))
        if not above or not isinstance(above[0], Frame) or self._is_together(step):
            return total.plus(_Range(0, self._once(step).high))
        return total.plus(ONE if isinstance(step.effect, GiveTurn) else NONE).plus(self._in_frame(above))

    def _in_block(self, block: int) -> _Range:
        """What the steps of a block begin."""
        if block in self._running:
            return _Range(0, UNBOUNDED)
        if block not in self._counts:
            self._running.add(block)
            total = NONE
            for step in self.rules.blocks[block].steps:
                total = total.plus(self._in_step(step))
            self._running.discard(block)
            self._counts[block] = total
        return self._counts[block]

    def _in_step(self, step: Step) -> _Range:
        """What a step begins with all repetitions."""
        once = self._once(step)
        return once.times(self._repetitions(step)) if once.high else NONE

    def _once(self, step: Step) -> _Range:
        """What a step begins when it is carried out once, or skipped."""
        match step.effect:
            case GiveTurn(is_extra=False):
                total = ONE.plus(self._in_block(self.rules.turn))
                total = _Range(0, total.high) if self.rules.has_elimination else total  # who has left has no turn
            case RunSteps(block=block):
                total = self._in_block(block)
            case Choose(offers=offers, fallback=fallback):
                actions = [offer.action for offer in offers] + ([fallback] if isinstance(fallback, int) else [])
                most = max((self._in_block(self.rules.actions[action].block).high for action in actions), default=0)
                total = _Range(0, most * (self.rules.players if self._is_together(step) else 1))
            case _:
                total = NONE
        return total if step.when is None else _Range(0, total.high)

    def _is_together(self, step: Step) -> bool:
        return isinstance(step.effect, Choose) and step.effect.mode == "together"

    def _repetitions(self, step: Step) -> _Range:
        """How often a step is carried out."""
        count = ONE
        if step.for_each is not None:
            over = step.for_each.over
            if self._is_constant(over) and not self.rules.has_elimination:
                elements = len(tuple(self.engine.compiler.compile_elements(over)(self._context())))
                count = _Range(0 if step.for_each.condition is not None else elements, elements)
            else:
                count = _Range(0, self._size(step.for_each.type))
        if step.times is not None:
            if self._is_constant(step.times):
                times = max(0, self.engine.compiler.compile_number(step.times)(self._context()))
                count = count.times(_Range(times, times))
            else:
                most = step.times.type.high if isinstance(step.times.type, Number) else limits.MAX_AUTOMATIC_STEPS
                count = count.times(_Range(0, max(0, most)))
        return count if step.while_condition is None else _Range(0, count.high)

    def _is_constant(self, expr: Expr) -> bool:
        return find_position_read(expr) is None and not free_variables(expr)

    def _context(self) -> Context:
        return Context(self.state.contents, self.state.variables, me=-1, first=self.state.first_seat)

    def _size(self, type_: Type) -> int:
        """How many values a loop's variable can have."""
        match type_:
            case Number(low=low, high=high):
                return max(0, high - low + 1)
            case Member(kind=kind):
                return len(self.rules.kinds[kind].member_values)
            case Thing(component=component):
                return len(self.rules.components[component].ids)
            case _:
                return 2


__all__ = ["UNBOUNDED", "turn_count_range"]
