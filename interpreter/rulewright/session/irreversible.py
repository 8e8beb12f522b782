"""How far an action can honestly be undone: not after a chance outcome, or when somebody has learnt something.

In: the position before an action, the action with how chance fell after it, the position after. Out: what makes it
irreversible, if anything does. That is found out from the rules and positions alone. The engine does the action
once more and says whether a viewer learns something. And it is done in determinized positions, which a viewer could not
tell from the true one: where they would look different to it afterwards, it has learnt which of them is true.
"""

from __future__ import annotations

from typing import Final, Literal

from rulewright.engine import chance
from rulewright.engine.determinize import determinize
from rulewright.engine.faults import RuleFault
from rulewright.engine.interface import Engine, IllegalAction
from rulewright.engine.knowledge import KNOWN_POOL
from rulewright.engine.state import Action, ChanceEvent, SimultaneousChoice, State
from rulewright.engine.views import Views
from rulewright.frozen import replace
from rulewright.session.match import PlayedAction

UNDO_DETERMINIZATIONS: Final = 6  # positions that are tried for each viewer

# chance fell; somebody saw something; secret choices were revealed
IrreversibleCause = Literal["chance", "shown", "secret"]


def irreversible_cause(engine: Engine, before: State, played: PlayedAction, after: State) -> IrreversibleCause | None:
    """What makes an action irreversible; None when it can be undone."""
    if any(len(event.outcomes) > 1 for event, _ in played.chance_outcomes):
        return "chance"
    if len(played.revealed_choices) > 1:
        return "secret"
    outcomes = [outcome for _, outcome in played.chance_outcomes]
    if engine.reveals_information(before, played.action, outcomes):
        return "shown"
    if _narrows_down_positions(engine, before, played.action, after):
        return "shown"
    return None


def _narrows_down_positions(engine: Engine, before: State, action: Action, after: State) -> bool:
    """Whether a viewer that sees the position after the action can rule out positions before it that it could not."""
    visibility, views = engine.layout.visibility, Views(engine)
    for viewer in range(visibility.viewer_count):
        seat = None if viewer == visibility.spectator else viewer
        if not _has_hidden_parts(engine, before, viewer):
            continue
        true_view = views.view(after, seat)
        rng = chance.seed_rng(viewer)
        for _ in range(UNDO_DETERMINIZATIONS):
            rng, seed = chance.rand_below(rng, 1 << 32)
            position = determinize(engine, before, seat, seed)
            if _is_same_position(position, before):
                continue
            try:
                reached = _resolve_certain_chance(engine, engine.apply(replace(position, rng=None), action))
            except (RuleFault, IllegalAction):
                continue  # that it was possible is known from the seat that chose it
            if views.view(reached, seat) != true_view:
                return True
    return False


def _has_hidden_parts(engine: Engine, state: State, viewer: int) -> bool:
    """Whether there is anything that a viewer does not know."""
    sees = engine.layout.visibility.can_see[viewer]
    return (
        any(pool != KNOWN_POOL for pool in state.thing_pools[viewer])
        or any(not sees[place] for place in engine.layout.visibility.hidden_piece_places)
        or any(isinstance(entry, SimultaneousChoice) for entry in state.stack)
    )


def _is_same_position(position: State, before: State) -> bool:
    return position.contents == before.contents and position.stack == before.stack


def _resolve_certain_chance(engine: Engine, state: State) -> State:
    """The position after all chance events that have one outcome only."""
    while isinstance(state.waiting, ChanceEvent) and len(state.waiting.outcomes) == 1:
        state = engine.resolve_chance(state, state.waiting.outcomes[0][0])
    return state


__all__ = ["IrreversibleCause", "irreversible_cause"]
