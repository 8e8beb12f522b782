"""Sets up the position of a scenario: the standard set-up, changed as the case says, with nothing won or lost.

In: what a case gives, and its game. Out: the position at the moment that the case names, or None with diagnostics. The
number of pieces of every sort stays the same. A thing that is given leaves the place where it was; a thing that is
left out of a listed place goes back to where things start.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, assert_never

from rulewright.engine.knowledge import KNOWN_POOL, Knowledge
from rulewright.engine.piece_counts import count_pieces
from rulewright.engine.state import Decision, Frame, SimultaneousChoice, State
from rulewright.engine.turn_counts import turn_count_range
from rulewright.engine.values import Content, Pile, content_bag, content_things, normalize_pile
from rulewright.expr.types import Thing
from rulewright.frozen import frozen, replace
from rulewright.model.effects import Choose
from rulewright.model.locale import player_name
from rulewright.model.rules import ComponentDef, ZoneDef
from rulewright.scenarios import codes
from rulewright.scenarios.given import GivenPosition, StepPath
from rulewright.scenarios.scenario_context import ScenarioContext
from rulewright.scenarios.scenario_game import (
    ScenarioGame,
    opening_position,
    refill_places,
    run_until_waiting,
    take_first_outcomes,
)
from rulewright.source.nodes import MappingNode, Node, ScalarNode, SequenceNode

OpeningKey = tuple[int, int | None, str]  # the seat that begins, whose turn it is, how far


def check_contents(
    game: ScenarioGame,
    given: GivenPosition,
    first: int,
    context: ScenarioContext,
    openings: dict[OpeningKey, State | None],
) -> None:
    """Reports pieces and things of a case that cannot be there. `openings`: of this game, found so far."""
    if not given.pieces and not given.things and not given.tops:
        return
    kind = _moment_kind(game, given)
    key = (first, given.seat, kind)
    if key not in openings:
        openings[key] = opening_position(game, first, given.seat, kind)
    opening = openings[key]
    if opening is not None:
        _with_contents(game, given, opening, context)


def build_position(
    game: ScenarioGame,
    given: GivenPosition,
    first: int,
    context: ScenarioContext,
    name: ScalarNode,
    *,
    keep_chance: bool = False,
) -> State | None:
    """The position in which a case begins, every pending chance event resolved unless `keep_chance`.

    None with diagnostics, at the `name` of the case when there is no better place. `first`: the seat that begins.
    """
    errors_before = context.diagnostics.error_count
    opening = opening_position(game, first, given.seat, _moment_kind(game, given))
    if opening is None:
        node = given.node.get("player") or given.node.get("step") or name
        seat = given.seat
        message = (
            "the first round has no turn" if seat is None else f"{player_name(seat)} has no turn in the first round"
        )
        context.report(node, codes.NO_SUCH_MOMENT, message)
        return None
    state = _with_contents(game, given, opening, context)
    if given.tops and context.diagnostics.error_count == errors_before:
        state = _with_tops(game, given, state)
    if given.round is not None:
        state = replace(state, round=given.round)
    if context.diagnostics.error_count == errors_before:
        _check_invariants(game, opening, state, given, context, name)
    if context.diagnostics.error_count > errors_before:
        return None
    state = _at_step(game, state, given.step_path)
    skipped = _why_skipped(game, state, given.step_path)
    if state.waiting is None:
        state = run_until_waiting(game.engine, state, needs_refill=True)
    if skipped and not _is_waiting_at(state, given.step_path):  # refills can change whether it is skipped
        step = given.node.get("step")
        assert step is not None
        hint = "change the position so that the game stops there, or choose another step"
        context.report(step, codes.NO_SUCH_MOMENT, skipped, label="not reached", help=hint)
        return None
    state = state if keep_chance else take_first_outcomes(game.engine, state)
    fewest, most = turn_count_range(game.engine, state)
    return replace(state, turn_count=min(max(fewest, state.turn_count), most))


# ---- the moment -------------------------------------------------------------------------------------------------


def _moment_kind(game: ScenarioGame, given: GivenPosition) -> Literal["decision", "round", "turn"]:
    """How far the opening is played."""
    if "player" in given.node or "step" in given.node:
        return "round" if given.step_path and given.step_path[0][0] == game.rules.round else "turn"
    return "decision" if given.round is None else "round"


def _at_step(game: ScenarioGame, state: State, path: StepPath) -> State:
    """The same position just before the step of the path, else before the decision it waits for."""
    top = state.stack[-1]
    if path:
        is_in_turn = path[0][0] == game.rules.turn
        seat = top.seat if is_in_turn and isinstance(top, Frame) else -1
        frames = [Frame(block, index + 1, (), None, seat) for block, index in path]
        frames[-1] = frames[-1]._replace(step=path[-1][1])
        return replace(state, stack=(*(state.stack[:-1] if is_in_turn else ()), *frames), waiting=None)
    match top:
        case SimultaneousChoice():
            return replace(state, waiting=None)
        case Frame(remaining=None) if isinstance(state.waiting, Decision):
            return replace(state, stack=(*state.stack[:-1], top._replace(step=state.waiting.step)), waiting=None)
        case _:
            return state


def _why_skipped(game: ScenarioGame, state: State, path: StepPath) -> str:
    """Why the step of the path is skipped in this position; empty when it is not."""
    if not path:
        return ""
    block, index = path[-1]
    step, seat = game.rules.blocks[block].steps[index], state.acting_seat
    if step.for_each is not None:
        return ""  # it may be carried out for some
    position = game.engine.context(state, seat)
    if step.when is not None and not game.engine.compiler.compile(step.when)(position):
        return f"`{step.address}` is skipped: its `when` does not hold"
    asks_seat = isinstance(step.effect, Choose) and step.by is None and step.effect.mode != "together"
    if asks_seat and seat in game.engine.eliminated(state):
        return f"`{step.address}` is skipped: {player_name(seat)} has left the game"
    return ""


def _is_waiting_at(state: State, path: StepPath) -> bool:
    return isinstance(state.waiting, Decision) and (state.waiting.block, state.waiting.step) == path[-1]


# ---- contents and states ----------------------------------------------------------------------------------------


def _with_contents(game: ScenarioGame, given: GivenPosition, state: State, context: ScenarioContext) -> State:
    """The position with the contents and states of a case; unchanged, with diagnostics, when they cannot be."""
    errors_before = context.diagnostics.error_count
    contents, variables = list(state.contents), list(state.variables)
    for place, value in given.states.items():
        variables[place] = value
    for place, pieces in given.pieces:
        for index, count in pieces.counts.items():
            bag = content_bag(contents[place])
            contents[place] = (*bag[:index], count, *bag[index + 1 :])
        _check_room(game, place, sum(content_bag(contents[place])), given.zone_keys[place], context)
    _check_pieces(game, state, contents, given.node, context)
    if context.diagnostics.error_count > errors_before:
        return state
    moved = _move_things(game, state, contents, given, context)
    _check_refills(game, contents, given, context)
    knowledge = _knowledge(game, state, contents, moved)
    return replace(
        state,
        contents=tuple(contents),
        variables=tuple(variables),
        thing_pools=tuple(knowledge.thing_pools),
        pools=knowledge.pools,
        known_pieces=_known_pieces(game, state, contents),
    )


def _check_room(game: ScenarioGame, place: int, count: int, node: ScalarNode, context: ScenarioContext) -> None:
    room = game.engine.layout.capacities[place]
    if room is not None and count > room:
        zone = game.engine.layout.visibility.zone_by_place[place]
        context.report(node, codes.NO_ROOM, f"{context.place_name(zone, place)} has room for {room}, found {count}")


def _check_pieces(
    game: ScenarioGame, state: State, contents: list[Content], given: MappingNode, context: ScenarioContext
) -> None:
    """Reports members of which there are more or fewer pieces than before."""
    rules = game.rules
    before, after = count_pieces(game.rules, state.contents), count_pieces(game.rules, tuple(contents))
    bags = [entry for entry in given if entry.key.text in rules.zones and rules.zones[entry.key.text].is_pool]
    for family, counts in before.items():
        for name, expected, count in zip(rules.family_members[family], counts, after[family], strict=True):
            if expected == count:
                continue
            # the last bag that names the member is most likely the one that is wrong
            key = next((entry.key for entry in reversed(bags) if name in _words(entry.value)), bags[-1].key)
            is_short = count < expected
            difference = f"{expected - count} missing" if is_short else f"{count - expected} too many"
            message = f"`{name}`: expected {expected} in the whole game, found {count}: {difference}"
            hint = f"put {expected - count} more in some place" if is_short else "take it from another place"
            context.report(key, codes.PIECES_NOT_KEPT, message, help=hint)


def _words(node: Node) -> list[str]:
    match node:
        case MappingNode():
            return [name for entry in node for name in (entry.key.text, *_words(entry.value))]
        case ScalarNode():
            return node.text.split()
        case SequenceNode():
            return []
        case _:
            assert_never(node)


def _check_invariants(
    game: ScenarioGame,
    opening: State,
    state: State,
    given: GivenPosition,
    context: ScenarioContext,
    name: ScalarNode,
) -> None:
    """Reports invariants that hold in the opening but not in the given position after its refills."""
    state = refill_places(game.engine, state)
    for invariant, holds in game.invariants:
        if "step" in given.node and invariant.after != "step":
            continue
        if holds(game.engine.context(opening)) and not holds(game.engine.context(state)):
            message = f"`{invariant.address}` does not hold in the given position"
            hint = "; ".join([f"it is at {invariant.span}", *_implied_removals(game, opening, given, context)])
            context.report(name, codes.BREAKS_AN_INVARIANT, message, help=hint)


def _implied_removals(
    game: ScenarioGame, opening: State, given: GivenPosition, context: ScenarioContext
) -> Iterator[str]:
    """The things that a case puts into a place, and so takes from a place that it does not mention."""
    for component, thing in given.thing_nodes:
        for place, zone in enumerate(game.engine.layout.visibility.zone_by_place):
            is_unmentioned = place not in given.zone_keys and zone.content_type == Thing(component)
            if is_unmentioned and thing in content_things(opening.contents[place]):
                name = game.rules.components[component].ids[thing]
                yield f"`{name}` was taken from {context.place_name(zone, place)}"


# ---- things -----------------------------------------------------------------------------------------------------


@frozen
class Arrivals:
    """The things of a component that are new in a place."""

    component: ComponentDef
    things: tuple[int, ...]


def _move_things(
    game: ScenarioGame, state: State, contents: list[Content], given: GivenPosition, context: ScenarioContext
) -> dict[int, Arrivals]:
    """Puts every thing where it is to be, in `contents`; returns by place the things that were moved there."""
    arrivals: dict[int, Arrivals] = {}
    zone_by_place = game.engine.layout.visibility.zone_by_place
    for component in game.rules.components.values():
        places = [place for place, zone in enumerate(zone_by_place) if zone.content_type == Thing(component.name)]
        old_place = {thing: place for place in places for thing in content_things(state.contents[place])}
        new_place = _new_places(game, component, old_place, places, given, context)
        for place in places:
            came = tuple(thing for thing, to in new_place.items() if to == place and old_place[thing] != place)
            has_outgoing = any(old_place[thing] == place != to for thing, to in new_place.items())
            if came or has_outgoing or place in given.things or place in given.tops:
                stayed = tuple(thing for thing in content_things(state.contents[place]) if new_place[thing] == place)
                listed = given.things.get(place)
                contents[place] = _thing_content(zone_by_place[place], state.contents[place], stayed, came, listed)
                node = given.zone_keys.get(place) or given.zone_keys[next(iter((*given.things, *given.tops)))]
                _check_room(game, place, len(content_things(contents[place])), node, context)
            if came:
                arrivals[place] = Arrivals(component, came)
    return arrivals


def _new_places(
    game: ScenarioGame,
    component: ComponentDef,
    old_place: dict[int, int],
    places: Sequence[int],
    given: GivenPosition,
    context: ScenarioContext,
) -> dict[int, int]:
    """Where each thing of a component is to be: as listed, else where it starts if its place is listed without it."""
    initial = game.engine.layout.contents
    initial_place = {thing: place for place in places for thing in content_things(initial[place])}
    new_place = dict(old_place)
    new_place.update({thing: place for place in places for thing in given.things.get(place, ())})
    new_place.update({thing: place for place in places for thing in given.tops.get(place, ())})
    for thing, place in old_place.items():
        if place in given.things and new_place[thing] == place and thing not in given.things[place]:
            new_place[thing] = initial_place[thing]
            _check_has_place(component, thing, initial_place[thing], given, context)
    return new_place


def _check_has_place(
    component: ComponentDef, thing: int, initial_place: int, given: GivenPosition, context: ScenarioContext
) -> None:
    if initial_place in given.things and thing not in given.things[initial_place]:
        name = component.ids[thing]
        message = f"`{name}` is in no place: it starts here, but is not listed"
        hint = "list it here or in another place"
        context.report(given.zone_keys[initial_place], codes.LEFT_OVER, message, help=hint)


def _thing_content(
    zone: ZoneDef, old: Content, stayed: tuple[int, ...], came: tuple[int, ...], listed: tuple[int, ...] | None
) -> Content:
    """What is in a place: as listed, else what stayed and what came, in the order that the place has."""
    if listed is not None:
        if zone.is_shuffled:
            return normalize_pile(Pile((), listed, (), fixed=True))
        return listed if zone.is_arrival_ordered else tuple(sorted(listed))
    if not zone.is_shuffled:
        return (*stayed, *came) if zone.is_arrival_ordered else tuple(sorted((*stayed, *came)))
    if came:
        return normalize_pile(Pile((), tuple(sorted((*stayed, *came))), ()))
    assert isinstance(old, Pile)
    top, loose, bottom = [tuple(thing for thing in part if thing in stayed) for part in old.parts]
    return normalize_pile(Pile(top, loose, bottom))


def _check_refills(game: ScenarioGame, contents: list[Content], given: GivenPosition, context: ScenarioContext) -> None:
    zone_by_place = game.engine.layout.visibility.zone_by_place

    def size(place: int) -> int:
        things = content_things(contents[place])
        return sum(things) if zone_by_place[place].is_pool else len(things)

    for target, source, room in game.engine.layout.refills:
        if target in given.zone_keys and size(target) < room and size(source):
            target_name = context.place_name(zone_by_place[target], target)
            source_name = context.place_name(zone_by_place[source], source)
            message = f"{target_name} is refilled at once from {source_name}, which is not empty"
            context.report(given.zone_keys[target], codes.WOULD_BE_REFILLED, message)


def _with_tops(game: ScenarioGame, given: GivenPosition, state: State) -> State:
    """The position with the given things on top of their places, after refills, which take what lies below."""

    def arranged(state: State, *, on_top: bool) -> State:
        contents = list(state.contents)
        for place, listed in given.tops.items():
            pile = contents[place]
            assert isinstance(pile, Pile)
            above, loose, below = [tuple(thing for thing in part if thing not in listed) for part in pile.parts]
            there = tuple(thing for thing in listed if thing in pile.things)
            above, below = ((*there, *above), below) if on_top else (above, (*below, *there))
            contents[place] = normalize_pile(Pile(above, loose, below, pile.fixed))
        return replace(state, contents=tuple(contents))

    return arranged(refill_places(game.engine, arranged(state, on_top=False)), on_top=True)


# ---- knowledge --------------------------------------------------------------------------------------------------


def _knowledge(game: ScenarioGame, state: State, contents: list[Content], arrivals: dict[int, Arrivals]) -> Knowledge:
    """Who knows what: things that came where a viewer can look are known, of others no more than at the start."""
    layout = game.engine.layout
    visibility = layout.visibility
    knowledge = Knowledge(visibility, state.thing_pools, state.pools, state.known_pieces)
    for place, arrival in arrivals.items():
        first_index = arrival.component.first_index
        came = [first_index + thing for thing in arrival.things]
        for viewer in range(visibility.viewer_count):
            can_see = visibility.can_see[viewer][place]
            initial_pools = layout.thing_pools[viewer]
            row = list(knowledge.thing_pools[viewer])
            for number in came:
                row[number] = KNOWN_POOL if can_see else initial_pools[number]
            knowledge.thing_pools[viewer] = tuple(row)
            hidden = {number for number in came if initial_pools[number] == KNOWN_POOL}
            if hidden and not can_see:
                others = [first_index + thing for thing in content_things(contents[place])]
                hidden.update(number for number in others if row[number] != KNOWN_POOL)
                knowledge.merge_pools(viewer, tuple(sorted(hidden)))
    return knowledge


def _known_pieces(game: ScenarioGame, state: State, contents: list[Content]) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """What each viewer knows to be in hidden places of pieces: nothing of those that a case changes."""
    places = list(game.engine.layout.visibility.hidden_piece_places)
    return tuple(
        tuple(
            bag if contents[place] == state.contents[place] else (0,) * len(bag)
            for place, bag in zip(places, row, strict=True)
        )
        for row in state.known_pieces
    )


__all__ = ["OpeningKey", "build_position", "check_contents"]
