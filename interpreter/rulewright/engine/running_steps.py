"""What step each frame of a position runs, and what it may have computed when it began.

In: a position under check, whose zones, variables and bound values are right, and the engine that knows its rules.
Out: the running step of a frame, the contexts in which it may have begun, and whether one of its expressions can have
given a seat, a place or an argument. What it computed from the position may have changed since and is believed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rulewright import limits
from rulewright.engine.context import Context
from rulewright.engine.interface import Engine
from rulewright.engine.state import Frame, State
from rulewright.engine.values import RuntimeValue, as_int, content_bag, content_things
from rulewright.expr.tree import Binding, Expr, Place
from rulewright.expr.types import Member, Number, SetOf, Thing, Type
from rulewright.expr.walk import find_position_read
from rulewright.model.effects import Step


class RunningSteps:
    """The steps that one position's frames run."""

    def __init__(self, engine: Engine, state: State) -> None:
        self.engine = engine
        self.rules = engine.rules
        self.state = state

    def running_index(self, frame: Frame) -> int:
        """The index of the step that a frame runs; -1 when it has not begun."""
        return frame.step - 1 if frame.remaining is None else frame.step

    def running_step(self, frame: Frame) -> Step | None:
        """The step that a frame runs; None when it has not begun, or cannot be where the frame says it is."""
        index = self.running_index(frame)
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
            return self._can_be_turns(step, frame, remaining)
        once, most = _once(remaining), _most_elements(step.for_each.over.type)
        if len(once) > most or (step.times is None and len(once) < len(remaining)):
            return False
        if any(remaining[index] != once[index % len(once)] for index in range(len(once), len(remaining))):
            return False
        if is_changeable(step.for_each.over):
            return True
        elements = self._elements(step.for_each, frame)
        if self._is_fixed_loop(step):
            return any(tuple(remaining) == elements[index:] for index in range(1, len(elements) + 1))
        if step.times is not None or step.order is not None:
            return set(remaining) <= set(elements)
        in_order = iter(elements)  # a condition may have left some out
        return all(as_int(value) in in_order for value in remaining)

    def _can_be_turns(self, step: Step, frame: Frame, remaining: Sequence[RuntimeValue]) -> bool:
        """Whether these turns can be left of a step that is done so often: it counts them from 0, and one has begun."""
        if not remaining:
            return True
        assert step.times is not None
        first, last = as_int(remaining[0]), as_int(remaining[-1])
        if first < 1 or tuple(remaining) != tuple(range(first, first + len(remaining))):
            return False
        if is_changeable(step.times):
            return last < min(max(map(as_int, _all_values(self.engine, step.times.type))), limits.MAX_AUTOMATIC_STEPS)
        times = self.engine.compiler.compile_number(step.times)(self._context(frame, frame.env))
        return last == min(times, limits.MAX_AUTOMATIC_STEPS) - 1

    def _is_fixed_loop(self, step: Step) -> bool:
        """Whether a loop over elements runs over all of them in their order, whatever the position."""
        loop = step.for_each
        if loop is None or loop.condition is not None or step.times is not None or step.order is not None:
            return False
        return not is_changeable(loop.over) and not self.engine.compiler.elimination.is_possible

    def _elements(self, loop: Binding, frame: Frame) -> tuple[RuntimeValue, ...]:
        return tuple(self.engine.compiler.compile_elements(loop.over)(self._context(frame, frame.env)))

    def _context(self, frame: Frame, env: tuple[RuntimeValue, ...]) -> Context:
        state = self.state
        return Context(
            state.contents, state.variables, me=frame.seat, env=env, first=state.first_seat, round=state.round
        )

    # ---- values that a step computes ----------------------------------------------------------------------

    def loop_values(self, step: Step, frame: Frame) -> Iterable[RuntimeValue | None]:
        """What the variable of a running loop may be; None where there is no variable."""
        if step.for_each is None:
            return (None,)
        if frame.remaining is not None and self._is_fixed_loop(step):
            elements = self._elements(step.for_each, frame)
            return elements[len(elements) - len(frame.remaining) - 1 :][:1]
        values, remaining = _all_values(self.engine, step.for_each.type), frame.remaining or ()
        if step.times is None:
            return (value for value in values if value not in remaining)  # each has its turn once
        once = _once(remaining)
        if len(once) < len(remaining):  # it comes again after all others have come
            return once[-1:]
        return (value for value in values if value not in remaining[:-1])  # or it is the last, and comes once more

    def contexts(self, step: Step, frame: Frame) -> Iterator[Context]:
        """The contexts in which a running step may have been carried out."""
        for value in self.loop_values(step, frame):
            yield self._context(frame, frame.env if value is None else (*frame.env, value))

    def can_give(self, step: Step, expr: Expr, frame: Frame, seat: int) -> bool:
        """Whether an expression of a running step can have given a seat."""
        if seat < 0:
            return False
        if is_changeable(expr):
            return True
        value_of = self.engine.compiler.compile_number(expr)
        return any(value_of(c) == seat for c in self.contexts(step, frame))

    def can_pass(self, step: Step, arguments: Sequence[Expr], frame: Frame, values: Sequence[RuntimeValue]) -> bool:
        """Whether the arguments of a running step can have had these values, all in the same round of its loop."""
        if len(arguments) != len(values):
            return False
        known = [
            (self.engine.compiler.compile(argument), value)
            for argument, value in zip(arguments, values, strict=True)
            if not is_changeable(argument)
        ]
        return not known or any(
            all(value_of(c) == value for value_of, value in known) for c in self.contexts(step, frame)
        )

    def can_name(self, step: Step, place: Place, frame: Frame, index: int) -> bool:
        """Whether the place of a running step can have been this one."""
        zone = self.rules.zones[place.zone]
        if not zone.first_index <= index < zone.first_index + zone.size:
            return False
        if any(map(is_changeable, place.keys)):
            return True
        places_of = self.engine.compiler.compile_places(zone, place.keys)
        return any(index in places_of(c) for c in self.contexts(step, frame))

    def content_size(self, place: int) -> int:
        """How many pieces or things lie in a place."""
        is_pool = self.engine.layout.visibility.zone_by_place[place].is_pool
        content = self.state.contents[place]
        return sum(content_bag(content)) if is_pool else len(content_things(content))


def _once(values: Sequence[RuntimeValue]) -> Sequence[RuntimeValue]:
    """The different values at the beginning, up to where one of them comes again."""
    different = dict.fromkeys(values)
    repeated = (index for index, pair in enumerate(zip(values, different, strict=False)) if pair[0] != pair[1])
    return values[: next(repeated, len(different))]


def _most_elements(type_: Type) -> int:
    """How many elements a loop over a value of a type can have; of a bag or a line that follows from their kind."""
    return type_.max_size if isinstance(type_, SetOf) else limits.MAX_MEMBERS


def is_changeable(expr: Expr) -> bool:
    """Whether a step may have computed another value than the position gives now."""
    return find_position_read(expr) is not None


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


__all__ = ["RunningSteps", "is_changeable"]
