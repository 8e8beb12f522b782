"""Choices that are made in secret at the same time: what the others may have chosen, drawn at random.

In: a position in which a seat chooses while others do. Out: the same position with a choice of every other seat, each
as likely as its other options, whether it has chosen already or not. So a bot can see what comes of its own choice, and
learns nothing of theirs.
"""

from __future__ import annotations

from dataclasses import replace

from rulewright import limits
from rulewright.engine import chance
from rulewright.engine.reference.reference_engine import Engine
from rulewright.engine.state import Action, Decision, State, Together


def in_secret(state: State) -> bool:
    """Whether others choose at the same time as the seat that decides, unseen by it."""
    top = _under_way(state)
    return top is not None and (len(top.waiting) > 1 or bool(top.chosen))


def all_chosen(engine: Engine, state: State, rng: int) -> State:
    """The position in which all others have chosen; the same where nobody chooses in secret."""
    top = _under_way(state)
    if top is None:
        return state
    seat = top.waiting[0]
    chosen: list[tuple[int, Action]] = []
    for other in (*[who for who, _ in top.chosen], *top.waiting[1:]):
        options = engine.legality.some(engine.context(state, other), top.block, top.at, limits.MAX_SECRET_OPTIONS)
        if options and other not in engine.gone(state):
            rng, at = chance.below(rng, len(options))
            chosen.append((other, options[at]))
    return replace(state, stack=(*state.stack[:-1], top._replace(waiting=(seat,), chosen=tuple(chosen))))


def _under_way(state: State) -> Together | None:
    """The secret choices to which the decision belongs that the position waits for."""
    top = state.stack[-1] if state.stack else None
    decision = state.waiting
    if isinstance(top, Together) and isinstance(decision, Decision):
        return top if (top.block, top.at) == (decision.block, decision.at) else None
    return None


__all__ = ["all_chosen", "in_secret"]
