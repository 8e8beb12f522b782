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
from rulewright.engine.determinize import imagine
from rulewright.engine.faults import RuleFault
from rulewright.engine.knowledge import KNOWN, Knowledge
from rulewright.engine.reference.legal_actions import DECLINE
from rulewright.engine.reference.mutable_state import Draft
from rulewright.engine.reference.reference_engine import Engine, IllegalAction
from rulewright.engine.state import Action, Chance, Decision, State, Together
from rulewright.engine.values import fits
from rulewright.engine.views import Views
from rulewright.session.match import Done

WORLDS: Final = 6  # imagined positions that are tried for each viewer

Cause = Literal["chance", "shown", "secret"]  # chance fell; somebody saw something; secret choices were laid open


class Watched(Knowledge):
    """Knowledge that notices when somebody comes to know something, if only for a moment."""

    grown: bool = False

    def _learn(self, viewer: int, thing: int, pool: int) -> None:
        self.grown = self.grown or (pool == KNOWN and self.knows[viewer][thing] != KNOWN)
        super()._learn(viewer, thing, pool)

    def pieces_moved(self, bag: tuple[int, ...], source: int, to: int) -> None:
        """As in the game; who sees pieces come from a hidden place may not have known that they lay there."""
        at = self.sight.covered.get(source)
        if at is not None:
            for viewer, row in enumerate(self.seen):
                sees = self.sight.sees[viewer]
                self.grown = self.grown or (sees[to] and not sees[source] and not fits(bag, row[at]))
        super().pieces_moved(bag, source, to)


def final(engine: Engine, before: State, done: Done, after: State) -> Cause | None:
    """What makes an action final; None when it can be taken back."""
    if any(len(event.outcomes) > 1 for event, _ in done.chance):
        return "chance"
    if len(done.together) > 1:
        return "secret"
    if _grown(engine, before, done) or _told_apart(engine, before, done.action, after):
        return "shown"
    return None


def _grown(engine: Engine, before: State, done: Done) -> bool:
    action, decision = done.action, before.waiting
    assert isinstance(decision, Decision)
    draft = Draft(engine.rules, engine.layout, replace(before, rng=None))
    draft.knowledge = watched = Watched(engine.layout.sight, before.knows, before.pools, before.seen)
    if action == DECLINE:
        draft.waiting = None
    else:
        whole = engine.completed(before, action)
        if isinstance(whole, Decision):
            return False  # a piece of an answer: nothing is done yet
        engine.machine.act(draft, whole)
    engine.machine.run(draft)
    for _, outcome in done.chance:
        engine.machine.feed(draft, outcome)
        engine.machine.run(draft)
    return watched.grown


def _told_apart(engine: Engine, before: State, action: Action, after: State) -> bool:
    """Whether somebody, who sees the position after the action, knows more than it did of the one before."""
    sight, views = engine.layout.sight, Views(engine)
    for viewer in range(sight.viewers):
        seat = None if viewer == sight.spectator else viewer
        if not _blind(engine, before, viewer):
            continue
        truth = views.view(after, seat)
        rng = chance.seeded(viewer)
        for _ in range(WORLDS):
            rng, draw = chance.below(rng, 1 << 32)
            world = imagine(engine, before, seat, draw)
            if _same(world, before):
                continue
            try:
                reached = _sure(engine, engine.apply(replace(world, rng=None), action))
            except (RuleFault, IllegalAction):
                continue  # that it was possible is told by the one who chose it
            if views.view(reached, seat) != truth:
                return True
    return False


def _blind(engine: Engine, state: State, viewer: int) -> bool:
    """Whether there is anything that a viewer does not know."""
    sees = engine.layout.sight.sees[viewer]
    return (
        any(pool != KNOWN for pool in state.knows[viewer])
        or any(not sees[place] for place in engine.layout.sight.covered)
        or any(isinstance(entry, Together) for entry in state.stack)
    )


def _same(world: State, before: State) -> bool:
    return world.contents == before.contents and world.stack == before.stack


def _sure(engine: Engine, state: State) -> State:
    """Chance that can fall in one way only has fallen."""
    while isinstance(state.waiting, Chance) and len(state.waiting.outcomes) == 1:
        state = engine.feed(state, state.waiting.outcomes[0][0])
    return state


__all__ = ["Cause", "final"]
