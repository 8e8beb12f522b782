"""Choices that are made in secret at the same time: what the others may have chosen, drawn at random.

In: a position in which a seat chooses while others do. Out: the same position with a choice of every other seat, each
of its options equally likely, whether it has chosen already or not. So a bot can see the effect of its own choice, and
learns nothing about theirs.
"""

from __future__ import annotations

from rulewright import limits
from rulewright.engine import chance
from rulewright.engine.interface import Engine
from rulewright.engine.state import Action, Decision, SimultaneousChoice, State
from rulewright.frozen import replace


def is_choosing_in_secret(state: State) -> bool:
    """Whether others choose at the same time as the seat that decides, unseen by it."""
    pending = _pending_choice(state)
    return pending is not None and (len(pending.remaining_seats) > 1 or bool(pending.actions))


def sample_secret_choices(engine: Engine, state: State, rng: int) -> State:
    """The position in which all others have chosen; the same where nobody chooses in secret."""
    pending = _pending_choice(state)
    if pending is None:
        return state
    seat = pending.remaining_seats[0]
    chosen: list[tuple[int, Action]] = []
    for other in (*[chooser for chooser, _ in pending.actions], *pending.remaining_seats[1:]):
        options = engine.offered_actions(state, other, pending, limit=limits.MAX_SECRET_OPTIONS)
        if options and other not in engine.eliminated(state):
            rng, index = chance.rand_below(rng, len(options))
            chosen.append((other, options[index]))
    completed = pending._replace(remaining_seats=(seat,), actions=tuple(chosen))
    return replace(state, stack=(*state.stack[:-1], completed))


def _pending_choice(state: State) -> SimultaneousChoice | None:
    """The secret choices that the pending decision belongs to, if it does."""
    top = state.stack[-1] if state.stack else None
    decision = state.waiting
    if isinstance(top, SimultaneousChoice) and isinstance(decision, Decision):
        return top if (top.block, top.step) == (decision.block, decision.step) else None
    return None


__all__ = ["is_choosing_in_secret", "sample_secret_choices"]
