"""Lays out the position of a scenario: the standard set-up, changed as the case says, and nothing won or lost.

In: a case and its table. Out: the position, standing where the case wants it, or None with complaints. Pieces that are
named must come from somewhere and go somewhere; a thing that is named leaves where it was, and a thing whose place is
taken goes back to where things start.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from rulewright.engine.knowledge import KNOWN_POOL, Knowledge
from rulewright.engine.position_json import count_pieces
from rulewright.engine.state import Decision, Frame, SimultaneousChoice, State
from rulewright.engine.values import Pile
from rulewright.engine.values import normalize_pile as settled_pile
from rulewright.expr.types import Member, Thing
from rulewright.model.rules import Choose, ComponentDef, RunSteps, ZoneDef
from rulewright.scenarios import codes
from rulewright.scenarios.scenario_context import PieceCounts, ScenarioContext
from rulewright.scenarios.scenario_game import (
    ScenarioGame,
    opening_position,
    refill_places,
    run_until_waiting,
    take_first_outcomes,
)
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode
from rulewright.suggestions import did_you_mean

MOMENT_KEYS: Final = ("seat", "step", "round")


@dataclass(frozen=True, slots=True)
class GivenPosition:
    """What a case gives, every name of it looked up. Of places: where that is written, how much of what lies there,
    and for those that hold things the things in order.
    """

    node: MappingNode
    seat: int | None
    round: int | None
    step_path: tuple[tuple[int, int], ...]  # see `_step`
    pieces: list[tuple[int, PieceCounts]]  # in the order of the case
    things: dict[int, tuple[int, ...]]
    states: dict[int, Any]
    zone_keys: dict[int, ScalarNode]  # place -> the zone's name in the case
    thing_nodes: dict[tuple[str, int], ScalarNode]  # component and thing -> where it is named


def parse_given(node: MappingNode | None, desk: ScenarioContext, name: ScalarNode) -> GivenPosition | None:
    """What a case gives; None with complaints about every name that the game does not have."""
    before = desk.diagnostics.error_count
    written = node if node is not None else MappingNode((), name.span)
    rules = desk.rules
    moment = [key for key in MOMENT_KEYS if key not in rules.zones]
    number = written.get("round") if "round" in moment else None
    path = _step(written, desk)
    given = GivenPosition(
        written, desk.parse_seat(written.get("seat")), desk.parse_round(number), path, [], {}, {}, {}, {}
    )
    for entry in written:
        key = entry.key.text
        if key == "state":
            _read_states(entry.value, given, desk)
        elif key in rules.zones:
            _read_zone(rules.zones[key], entry, given, desk)
        elif key not in moment:
            desk.report_unknown(entry.key, "no zone is called", [*rules.zones, "state", *MOMENT_KEYS])
    return given if desk.diagnostics.error_count == before else None


def build_position(
    table: ScenarioGame,
    given: GivenPosition,
    first: int,
    desk: ScenarioContext,
    name: ScalarNode,
    *,
    keep_chance: bool = False,
) -> State | None:
    """The position in which a case begins, with chance settled unless it is to `wait`; None with complaints, at the
    `name` of the case when there is no better place.
    """
    before = desk.diagnostics.error_count
    seat, path = given.seat, given.step_path
    to: Literal["decision", "round", "turn"] = "decision"
    if given.round is not None:
        to = "round"
    if "seat" in given.node or "step" in given.node:
        to = "round" if path and path[0][0] == table.rules.round else "turn"
    state = opening_position(table, first, seat, to)
    if state is None:
        spot = given.node.get("seat") or given.node.get("step") or name
        message = "the first round has no turn" if seat is None else f"the first round gives seat {seat} no turn"
        desk.report(spot, codes.NO_SUCH_MOMENT, message)
        return None
    opened, state = state, _laid(table, given, state, desk)
    if given.round is not None:
        state = replace(state, round=given.round)
    if desk.diagnostics.error_count == before:
        _check_invariants(table, opened, state, "step" in given.node, given, desk, name)
    if desk.diagnostics.error_count > before:
        return None
    state = _standing(table, state, path)
    over = _passed_over(table, state, path)
    if state.waiting is None:
        state = run_until_waiting(table.engine, state, touched=True)
    if over and not _asks_there(state, path):
        node = given.node.get("step")
        assert node is not None
        help_ = "give what makes the game stop there, or another step"
        desk.report(node, codes.NO_SUCH_MOMENT, over, label="not reached", help=help_)
        return None
    return state if keep_chance else take_first_outcomes(table.engine, state)


# ---- where the game stands ------------------------------------------------------------------------------------


def _step(given: MappingNode, desk: ScenarioContext) -> tuple[tuple[int, int], ...]:
    """The way to the step where the game is to stand: block and number of each step down to it; empty: not said."""
    node = given.get("step")
    if not isinstance(node, ScalarNode):
        return ()
    rules = desk.rules
    for block in (rules.turn, rules.round):
        path = _way(desk, block, node.text, ())
        if path:
            return path
    known = [step.address for block in (rules.turn, rules.round) for step in rules.blocks[block].steps]
    if node.text in rules.provenance:
        message = f"the game cannot be made to stand at `{node.text}`: it is no step of a turn or round"
        desk.report(node, codes.NO_SUCH_MOMENT, message, help=did_you_mean(node.text, known))
    else:
        desk.report_unknown(node, "no step has the address", known)
    return ()


def _way(desk: ScenarioContext, block: int, address: str, seen: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    for at, step in enumerate(desk.rules.blocks[block].steps):
        if step.address == address:
            return ((block, at),)
        inner = step.effect.block if isinstance(step.effect, RunSteps) else None
        # steps done several times have variables of their own, which a case cannot name
        if inner is not None and step.for_each is None and step.times is None and inner not in seen:
            below = _way(desk, inner, address, (*seen, inner))
            if below:
                return ((block, at), *below)
    return ()


def _standing(table: ScenarioGame, state: State, path: tuple[tuple[int, int], ...]) -> State:
    """The same position at the step that is wanted, else at the decision it waits for, which is looked at anew."""
    top = state.stack[-1]
    if path:
        in_turn = path[0][0] == table.rules.turn
        seat = top.seat if in_turn and isinstance(top, Frame) else -1
        frames = [Frame(block, at + 1, (), None, seat) for block, at in path]
        frames[-1] = frames[-1]._replace(step=path[-1][1])
        return replace(state, stack=(*(state.stack[:-1] if in_turn else ()), *frames), waiting=None)
    match top:
        case SimultaneousChoice():
            return replace(state, waiting=None)
        case Frame(remaining=None) if isinstance(state.waiting, Decision):
            return replace(state, stack=(*state.stack[:-1], top._replace(step=state.waiting.step)), waiting=None)
        case _:
            return state


def _passed_over(table: ScenarioGame, state: State, path: tuple[tuple[int, int], ...]) -> str:
    """Why the step that is wanted is passed over in this position, if it is."""
    if not path:
        return ""
    block, at = path[-1]
    step, seat = table.rules.blocks[block].steps[at], table.engine.acting_seat(state)
    if step.for_each is not None:
        return ""  # it may be carried out for some
    c = table.engine.context(state, seat)
    if step.when is not None and not table.engine.compiler.compile(step.when)(c):
        return f"`{step.address}` is passed over: its `when` does not hold"
    asks = isinstance(step.effect, Choose) and step.by is None and step.effect.mode != "together"
    if asks and seat in table.engine.eliminated(state):
        return f"`{step.address}` is passed over: seat {seat} has left the game"
    return ""


def _asks_there(state: State, path: tuple[tuple[int, int], ...]) -> bool:
    """Whether a seat chooses at the step that is wanted, since places were filled first."""
    return isinstance(state.waiting, Decision) and (state.waiting.block, state.waiting.step) == path[-1]


# ---- what lies where ------------------------------------------------------------------------------------------


def _read_zone(zone: ZoneDef, entry: Entry, given: GivenPosition, desk: ScenarioContext) -> None:
    for keys, node in desk.entries_by_key(zone, entry.key, entry.value):
        place = desk.place_index(zone, keys)
        given.zone_keys[place] = entry.key
        if isinstance(zone.content_type, Member):
            part = desk.parse_counts(zone.content_type.kind, node)
            given.pieces.extend([(place, part)] if part is not None else [])
            continue
        component = zone.content_type.component
        listed = desk.parse_things(component, node)
        for thing, spot in listed or ():
            other = given.thing_nodes.setdefault((component, thing), spot)
            if other is not spot:
                message = f"`{spot.text}` stands in two places"
                desk.report(spot, codes.IN_TWO_PLACES, message, help=f"the first: {other.span}")
        given.things[place] = tuple(thing for thing, _ in listed or ())


def _read_states(node: Node, given: GivenPosition, desk: ScenarioContext) -> None:
    for entry in node if isinstance(node, MappingNode) else ():
        one = desk.rules.states.get(entry.key.text)
        if one is None:
            desk.report_unknown(entry.key, "no state is called", desk.rules.states)
            continue
        for keys, value in desk.entries_by_key(one, entry.key, entry.value):
            found = desk.parse_value(value, one.type)
            if found is not None:
                given.states[desk.place_index(one, keys)] = found


def _laid(table: ScenarioGame, given: GivenPosition, state: State, desk: ScenarioContext) -> State:
    """The position with the contents and states that a case gives."""
    before = desk.diagnostics.error_count
    contents, variables = list(state.contents), list(state.variables)
    for place, value in given.states.items():
        variables[place] = value
    for place, part in given.pieces:
        for at, count in part.counts.items():
            held = contents[place]
            contents[place] = (*held[:at], count, *held[at + 1 :])
        _check_room(table, place, sum(contents[place]), given.zone_keys[place], desk)
    _check_pieces(table, state, contents, given.node, desk)
    if desk.diagnostics.error_count > before:
        return state
    moved = _move_things(table, state, contents, given, desk)
    _check_refills(table, contents, given, desk)
    knowledge = _known(table, state, contents, moved)
    return replace(
        state,
        contents=tuple(contents),
        variables=tuple(variables),
        thing_pools=tuple(knowledge.thing_pools),
        pools=knowledge.pools,
        known_pieces=_seen(table, state, contents),
    )


def _check_room(table: ScenarioGame, place: int, count: int, spot: ScalarNode, desk: ScenarioContext) -> None:
    room = table.engine.layout.capacities[place]
    if room is not None and count > room:
        zone = table.engine.layout.visibility.zone_by_place[place]
        desk.report(spot, codes.NO_ROOM, f"{desk.place_name(zone, place)} has room for {room}, this would be {count}")


def _check_pieces(
    table: ScenarioGame, state: State, contents: list[Any], given: MappingNode, desk: ScenarioContext
) -> None:
    """There are as many pieces of every sort as before."""
    rules = table.rules
    before, after = count_pieces(table.engine, state.contents), count_pieces(table.engine, tuple(contents))
    pools = [e for e in given if e.key.text in rules.zones and rules.zones[e.key.text].is_pool]
    for family, counts in before.items():
        for name, had, has in zip(rules.family_members[family], counts, after[family], strict=True):
            if had == has:
                continue
            # the last pool that names the member is the likeliest place of the slip
            spot = next((e.key for e in reversed(pools) if name in _names(e.value)), pools[-1].key)
            wrong = f"{had - has} missing" if has < had else f"{has - had} too many"
            message = f"there are {had} {name} in the game, and with what is given {has}: {wrong}"
            help_ = f"give {had - has} more to some place" if has < had else "take it from some other place"
            desk.report(spot, codes.PIECES_NOT_KEPT, message, help=help_)


def _names(node: Any) -> list[str]:
    if not isinstance(node, MappingNode):
        return str(getattr(node, "text", "")).split()
    return [name for entry in node for name in (entry.key.text, *_names(entry.value))]


def _check_invariants(
    table: ScenarioGame,
    before: State,
    after: State,
    in_turn: bool,
    given: GivenPosition,
    desk: ScenarioContext,
    name: ScalarNode,
) -> None:
    """What always holds at such a moment, and held without what is given, holds with it, once the places from which
    given things were taken have filled themselves.
    """
    after = refill_places(table.engine, after)
    for one, holds in table.invariants:
        if in_turn and one.after != "step":
            continue
        if holds(table.engine.context(before)) and not holds(table.engine.context(after)):
            message = f"with what is given `{one.address}` does not hold"
            taken = "; ".join(_taken(table, before, given, desk))
            desk.report(
                name, codes.BREAKS_AN_INVARIANT, message, help=f"at {one.span}" + (f"; {taken}" if taken else "")
            )


def _taken(table: ScenarioGame, before: State, given: GivenPosition, desk: ScenarioContext) -> Iterator[str]:
    """Things that are given to a place, and lay before in a place of which nothing is said."""
    zone_of = table.engine.layout.visibility.zone_by_place
    for component, thing in given.thing_nodes:
        for place, zone in enumerate(zone_of):
            if (
                place not in given.zone_keys
                and zone.content_type == Thing(component)
                and thing in _in(before.contents[place])
            ):
                yield f"`{table.rules.components[component].ids[thing]}` was taken from {desk.place_name(zone, place)}"


# ---- things ---------------------------------------------------------------------------------------------------


def _move_things(
    table: ScenarioGame, state: State, contents: list[Any], given: GivenPosition, desk: ScenarioContext
) -> dict[int, tuple[ComponentDef, list[int]]]:
    """Puts every thing where it is to be; gives for each place the things that came there."""
    layout = table.engine.layout
    moved: dict[int, tuple[ComponentDef, list[int]]] = {}
    for component in table.rules.components.values():
        places = [
            at for at, zone in enumerate(layout.visibility.zone_by_place) if zone.content_type == Thing(component.name)
        ]
        now = {thing: place for place in places for thing in _in(state.contents[place])}
        start = {thing: place for place in places for thing in _in(layout.contents[place])}
        goal = dict(now)
        goal.update({thing: place for place in places for thing in given.things.get(place, ())})
        for thing, place in now.items():
            if place in given.things and goal[thing] == place and thing not in given.things[place]:
                goal[thing] = start[thing]
                _check_home(component, thing, goal[thing], place, given, desk)
        for place in places:
            came = [thing for thing, to in goal.items() if to == place and now[thing] != place]
            if came or place in given.things or any(now[t] == place != to for t, to in goal.items()):
                stay = [thing for thing in _in(state.contents[place]) if goal[thing] == place]
                contents[place] = _content(
                    layout.visibility.zone_by_place[place], state.contents[place], stay, came, given, place
                )
                spot = given.zone_keys.get(place) or given.zone_keys[next(iter(given.things))]
                _check_room(table, place, len(_in(contents[place])), spot, desk)
            if came:
                moved[place] = (component, came)
    return moved


def _in(content: Any) -> tuple[int, ...]:
    return content.things if isinstance(content, Pile) else content


def _check_home(
    component: ComponentDef, thing: int, home: int, left: int, given: GivenPosition, desk: ScenarioContext
) -> None:
    if home in given.things and thing not in given.things[home]:
        name = component.ids[thing]
        key = given.zone_keys[home]
        message = f"`{name}` stands nowhere: it would go back to where it starts, but that place is listed without it"
        desk.report(key, codes.LEFT_OVER, message, help="list it here, or put it into another place")


def _content(zone: ZoneDef, old: Any, stay: list[int], came: list[int], given: GivenPosition, place: int) -> Any:
    """What a place holds: as listed, else what stayed and what came, in the order that the place has."""
    listed = given.things.get(place)
    if listed is not None:
        if zone.is_shuffled:
            return settled_pile(Pile((), tuple(listed), (), fixed=True))
        return listed if zone.is_arrival_ordered else tuple(sorted(listed))
    if not zone.is_shuffled:
        return (*stay, *came) if zone.is_arrival_ordered else tuple(sorted((*stay, *came)))
    if came:
        return settled_pile(Pile((), tuple(sorted((*stay, *came))), ()))
    top, loose, bottom = [tuple(thing for thing in part if thing in stay) for part in old.parts]
    return settled_pile(Pile(top, loose, bottom))


def _check_refills(table: ScenarioGame, contents: list[Any], given: GivenPosition, desk: ScenarioContext) -> None:
    zone_of = table.engine.layout.visibility.zone_by_place

    def size(place: int) -> int:
        return sum(contents[place]) if zone_of[place].is_pool else len(_in(contents[place]))

    for to, source, room in table.engine.layout.refills:
        if to in given.zone_keys and size(to) < room and size(source):
            place, pile = desk.place_name(zone_of[to], to), desk.place_name(zone_of[source], source)
            message = f"{place} fills itself at once from {pile}, which is not empty"
            desk.report(given.zone_keys[to], codes.WOULD_BE_REFILLED, message)


def _known(
    table: ScenarioGame, state: State, contents: list[Any], moved: dict[int, tuple[ComponentDef, list[int]]]
) -> Knowledge:
    """Who knows what: what came where one can look is known, of what came elsewhere no more than at the start."""
    layout = table.engine.layout
    sight = layout.visibility
    knowledge = Knowledge(sight, state.thing_pools, state.pools, state.known_pieces)
    for place, (component, came) in moved.items():
        for viewer in range(sight.viewer_count):
            for number in (component.first_index + thing for thing in came):
                pool = KNOWN_POOL if sight.can_see[viewer][place] else layout.thing_pools[viewer][number]
                row = knowledge.thing_pools[viewer]
                knowledge.thing_pools[viewer] = (*row[:number], pool, *row[number + 1 :])
            if not sight.can_see[viewer][place]:
                strange = [
                    component.first_index + t
                    for t in came
                    if layout.thing_pools[viewer][component.first_index + t] == KNOWN_POOL
                ]
                if strange:
                    others = [component.first_index + thing for thing in _in(contents[place])]
                    hidden = [number for number in others if knowledge.thing_pools[viewer][number] != KNOWN_POOL]
                    knowledge.merge_pools(viewer, tuple(sorted({*strange, *hidden})))
    return knowledge


def _seen(table: ScenarioGame, state: State, contents: list[Any]) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """What surely lies in the places of pieces that a viewer does not see: of one that a case changes, nothing."""
    places = list(table.engine.layout.visibility.hidden_piece_places)
    return tuple(
        tuple(
            bag if contents[place] == state.contents[place] else (0,) * len(bag)
            for place, bag in zip(places, row, strict=True)
        )
        for row in state.known_pieces
    )


__all__ = ["GivenPosition", "build_position", "parse_given"]
