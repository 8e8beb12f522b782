"""What readers are shown of a position, and games that differ only in what a reader never sees."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from itertools import islice

from rulewright.engine.interface import IllegalAction
from rulewright.engine.notation import Notation
from rulewright.engine.playout import Playout, play_out
from rulewright.engine.reference.explainer import Explainer
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import Action, Decision, State
from rulewright.engine.views import Views

Viewer = int | None


def viewers(engine: ReferenceEngine) -> list[Viewer]:
    return [*range(engine.rules.players), None]


@cache
def explainers(engine: ReferenceEngine) -> list[Explainer]:
    return [Explainer(engine, language) for language in engine.rules.languages]


def all_shown(engine: ReferenceEngine, state: State, viewer: Viewer, asked: list[Action]) -> Iterator[str]:
    """All that a viewer is shown of a position, and what it is answered to its attempts."""
    yield json.dumps(Views(engine).view(state, viewer), ensure_ascii=False)
    yield f"{state.over} {engine.result(state) if state.over else ''}"
    if viewer is None:
        return
    decides = isinstance(state.waiting, Decision) and state.waiting.seat == viewer
    notation = Notation(engine.rules)
    if decides:
        actions = engine.legal(state)
        yield "\n".join(map(notation.format_action, actions))
        yield json.dumps([notation.action_to_data(action) for action in actions])
        asked = [*asked, *actions[:3]]
    for attempt in asked:
        text = notation.format_action(attempt)
        for explainer in explainers(engine):
            reasons = explainer.why_not(state, viewer, attempt)
            yield f"{text}: {json.dumps([reason.to_data() for reason in reasons], ensure_ascii=False)}"
        if decides:
            try:
                engine.apply(state, attempt)
            except IllegalAction as refused:
                yield f"{text}: {refused}"


def names(engine: ReferenceEngine, rng: random.Random) -> list[Action]:
    """Wishes that name things, so that an answer could give away where they lie."""
    found = []
    for action in engine.rules.actions:
        for choice in action.choices[:1]:
            component = getattr(choice.type, "component", None)
            if component is not None:
                ids = engine.rules.components[component].ids
                found += [Action(action.index, (rng.randrange(len(ids)),)) for _ in range(4)]
    return found


def random_orders(engine: ReferenceEngine, rng: random.Random) -> dict[int, list[int]]:
    found = {}
    for zone in engine.rules.zones.values():
        if zone.is_shuffled:
            for place in range(zone.first_index, zone.first_index + zone.size):
                things = engine.layout.contents[place].things
                found[place] = rng.sample(things, len(things))
    return found


def reshuffled(
    engine: ReferenceEngine, unseen: set[int], orders: dict[int, list[int]], rng: random.Random
) -> dict[int, list[int]]:
    """Orders in which the things that a viewer never knows have changed places."""
    found = {}
    for place, order in orders.items():
        first = engine.rules.components[
            engine.layout.visibility.zone_by_place[place].content_type.component
        ].first_index
        unknown = [at for at, thing in enumerate(order) if first + thing in unseen]
        found[place] = list(order)
        for at, other in zip(unknown, rng.sample(unknown, len(unknown)), strict=True):
            found[place][at] = order[other]
    return found


def never_known(engine: ReferenceEngine, states: list[State], viewer: Viewer) -> set[int]:
    """The things of which a viewer knows in none of the positions where they are."""
    row = Views(engine).viewer_index(viewer)
    return {
        thing
        for thing in range(len(states[0].thing_pools[row]))
        if all(state.thing_pools[row][thing] for state in states)
    }


def played(engine: ReferenceEngine, state: State, rng: random.Random, most: int) -> tuple[list[Action], list[State]]:
    """Random moves from a position on, each action liked more or less, and the positions on the way."""
    moves, states = [], [state]
    liking = [rng.choice((0.1, 1, 5)) for _ in engine.rules.actions]
    playout = Playout(engine, state)

    def choose(state: State, legal: tuple[Action, ...]) -> Action:
        return rng.choices(legal, [liking[one.number] for one in legal])[0]

    for step in islice(play_out(playout, choose), most):
        assert step.action is not None
        moves.append(step.action)
        states.append(playout.state)
    return moves, states
