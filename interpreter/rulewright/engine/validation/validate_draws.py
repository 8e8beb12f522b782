"""Whether draws that are under way in a position from outside can be, and whether places that fill themselves are full.

In: the steps that its frames run, and the draws on top of its stack. Out: nothing, or `InvalidPosition`.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright import limits
from rulewright.engine.interface import Engine
from rulewright.engine.position_data import InvalidPosition
from rulewright.engine.running_steps import RunningSteps, is_changeable
from rulewright.engine.state import Draw, Frame, StackEntry
from rulewright.expr.types import Number, Type
from rulewright.model.effects import Move, Step


def check_draws(engine: Engine, steps: RunningSteps, top: StackEntry, draws: Sequence[Draw]) -> None:
    """Raises `InvalidPosition` unless draws under way are those of the running step of the entry below them, `top`, or
    refill places that have room.
    """
    first, last = draws[0], draws[-1]
    if steps.state.waiting != engine.chance_event(steps.state, last):
        raise InvalidPosition("the chance event it waits for does not fit its pending draw")
    step = steps.running_step(top) if isinstance(top, Frame) else None
    if len(draws) == 1 and isinstance(top, Frame) and step is not None and _can_draw(steps, step, top, first):
        return
    refills = {(source, to): capacity - steps.content_size(to) for to, source, capacity in engine.layout.refills}
    ends = [(draw.source, draw.to) for draw in draws]
    # the first place in the order of the rules is filled first, so it is on top
    if ends != [end for end in reversed(list(refills)) if end in ends]:
        raise unknown_draw()
    for draw in draws:
        if draw.left != refills[draw.source, draw.to] or draw.random or draw.end:
            raise unknown_draw()


def check_refilled(engine: Engine, steps: RunningSteps) -> None:
    """Raises `InvalidPosition` where a place has room and could have filled itself before anything else happened."""
    for to, source, capacity in engine.layout.refills:
        if steps.content_size(to) < capacity and steps.content_size(source):
            zone = engine.layout.visibility.zone_by_place[to]
            raise InvalidPosition(f"a place of {zone.name} has room, although it fills itself")


def unknown_draw() -> InvalidPosition:
    """What is wrong with a draw that neither a step nor a refill makes."""
    return InvalidPosition("a draw is under way that no pending step makes")


def _can_draw(steps: RunningSteps, step: Step, frame: Frame, draw: Draw) -> bool:
    """Whether the running step of a frame can have this draw under way."""
    move, layout = step.effect, steps.engine.layout
    if not isinstance(move, Move) or move.source is None:
        return False
    amount = move.amount
    if amount.mode not in ("top", "random", "up to random"):
        return False
    if (draw.end, draw.random) != (move.to.end, amount.mode != "top"):
        return False
    capacity = layout.capacities[draw.to]
    if capacity is not None and steps.content_size(draw.to) + draw.left > capacity:
        return False
    if not (steps.can_name(step, move.source, frame, draw.source) and steps.can_name(step, move.to, frame, draw.to)):
        return False
    if amount.of is None or is_changeable(amount.of):
        return 1 <= draw.left <= (1 if amount.of is None else _upper_bound(amount.of.type))
    count_of = steps.engine.compiler.compile_number(amount.of)
    return any(1 <= draw.left <= count_of(c) for c in steps.contexts(step, frame))


def _upper_bound(type_: Type) -> int:
    return type_.high if isinstance(type_, Number) else limits.MAX_AUTOMATIC_STEPS


__all__ = ["check_draws", "check_refilled", "unknown_draw"]
