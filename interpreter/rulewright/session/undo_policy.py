"""Why a move cannot honestly be taken back: chance has fallen since, or somebody has learnt something.

In: the position before an action, the action with how chance fell after it, the position after. Out: what makes it
final, if anything does. It is found out from the rules and positions alone: the action is done once more, and it is
watched what each viewer comes to know; and it is done in positions that a viewer could not tell from the true one:
where they would look different to it afterwards, it has learnt which of them is true.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal

from rulewright.engine import chance
from rulewright.engine.determinize import determinize
from rulewright.engine.faults import RuleFault
from rulewright.engine.knowledge import KNOWN_POOL, Knowledge
from rulewright.engine.reference.legal_actions import DECLINE
from rulewright.engine.reference.mutable_state import MutableState
from rulewright.engine.reference.reference_engine import IllegalAction, ReferenceEngine
from rulewright.engine.state import Action, ChanceEvent, Decision, SimultaneousChoice, State
from rulewright.engine.values import is_sub_bag
from rulewright.engine.views import Views
from rulewright.session.match import PlayedAction

DETERMINIZATIONS: Final = 6  # imagined positions that are tried for each viewer

IrreversibleCause = Literal[
    "chance", "shown", "secret"
]  # chance fell; somebody saw something; secret choices were laid open


class KnowledgeWatch(Knowledge):
    """Knowledge that notices when somebody comes to know something, if only for a moment."""

    has_grown: bool = False

    def _learn(self, viewer: int, thing: int, pool: int) -> None:
        self.has_grown = self.has_grown or (pool == KNOWN_POOL and self.thing_pools[viewer][thing] != KNOWN_POOL)
        super()._learn(viewer, thing, pool)

    def record_piece_move(self, bag: tuple[int, ...], source: int, to: int) -> None:
        """As in the game; who sees pieces come from a hidden place may not have known that they lay there."""
        at = self.visibility.hidden_piece_places.get(source)
        if at is not None:
            for viewer, row in enumerate(self.known_pieces):
                sees = self.visibility.can_see[viewer]
                self.has_grown = self.has_grown or (sees[to] and not sees[source] and not is_sub_bag(bag, row[at]))
        super().record_piece_move(bag, source, to)


def irreversible_cause(
    engine: ReferenceEngine, before: State, done: PlayedAction, after: State
) -> IrreversibleCause | None:
    """What makes an action final; None when it can be taken back."""
    if any(len(event.outcomes) > 1 for event, _ in done.chance_outcomes):
        return "chance"
    if len(done.revealed_choices) > 1:
        return "secret"
    if _grown(engine, before, done) or _told_apart(engine, before, done.action, after):
        return "shown"
    return None


def _grown(engine: ReferenceEngine, before: State, done: PlayedAction) -> bool:
    action, decision = done.action, before.waiting
    assert isinstance(decision, Decision)
    draft = MutableState(engine.rules, engine.layout, replace(before, rng=None))
    draft.knowledge = watched = KnowledgeWatch(
        engine.layout.visibility, before.thing_pools, before.pools, before.known_pieces
    )
    if action == DECLINE:
        draft.waiting = None
    else:
        whole = engine.complete_action(before, action)
        if isinstance(whole, Decision):
            return False  # a piece of an answer: nothing is done yet
        engine.interpreter.begin_action(draft, whole)
    engine.interpreter.run(draft)
    for _, outcome in done.chance_outcomes:
        engine.interpreter.resolve_chance(draft, outcome)
        engine.interpreter.run(draft)
    return watched.has_grown


def _told_apart(engine: ReferenceEngine, before: State, action: Action, after: State) -> bool:
    """Whether somebody, who sees the position after the action, knows more than it did of the one before."""
    sight, views = engine.layout.visibility, Views(engine)
    for viewer in range(sight.viewer_count):
        seat = None if viewer == sight.spectator else viewer
        if not _blind(engine, before, viewer):
            continue
        truth = views.view(after, seat)
        rng = chance.seed_rng(viewer)
        for _ in range(DETERMINIZATIONS):
            rng, draw = chance.rand_below(rng, 1 << 32)
            world = determinize(engine, before, seat, draw)
            if _same(world, before):
                continue
            try:
                reached = _sure(engine, engine.apply(replace(world, rng=None), action))
            except (RuleFault, IllegalAction):
                continue  # that it was possible is told by the one who chose it
            if views.view(reached, seat) != truth:
                return True
    return False


def _blind(engine: ReferenceEngine, state: State, viewer: int) -> bool:
    """Whether there is anything that a viewer does not know."""
    sees = engine.layout.visibility.can_see[viewer]
    return (
        any(pool != KNOWN_POOL for pool in state.thing_pools[viewer])
        or any(not sees[place] for place in engine.layout.visibility.hidden_piece_places)
        or any(isinstance(entry, SimultaneousChoice) for entry in state.stack)
    )


def _same(world: State, before: State) -> bool:
    return world.contents == before.contents and world.stack == before.stack


def _sure(engine: ReferenceEngine, state: State) -> State:
    """Chance that can fall in one way only has fallen."""
    while isinstance(state.waiting, ChanceEvent) and len(state.waiting.outcomes) == 1:
        state = engine.resolve_chance(state, state.waiting.outcomes[0][0])
    return state


__all__ = ["IrreversibleCause", "irreversible_cause"]
