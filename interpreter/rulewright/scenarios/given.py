"""Lays out the position of a scenario: the standard set-up, changed as the case says, and nothing won or lost.

In: a case and its table. Out: the position, standing where the case wants it, or None with complaints. Pieces that are
named must come from somewhere and go somewhere; a thing that is named leaves where it was, and a thing whose place is
taken goes back to where things start.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from rulewright.diagnostics import nearest
from rulewright.engine.knowledge import KNOWN, Knowledge
from rulewright.engine.position_json import pieces
from rulewright.engine.state import Decision, Frame, State, Together
from rulewright.engine.values import Pile
from rulewright.engine.values import settled as settled_pile
from rulewright.expr.types import Member, Thing
from rulewright.model.rules import Choose, ComponentDef, Run, ZoneDef
from rulewright.scenarios import codes
from rulewright.scenarios.scenario_context import Desk, Part
from rulewright.scenarios.scenario_game import Table, opening, refilled, resumed, settled
from rulewright.source.nodes import Entry, Mapping, Node, Scalar

MOMENT: Final = ("seat", "step", "round")


@dataclass(frozen=True, slots=True)
class Given:
    """What a case gives, every name of it looked up. Of places: where that is written, how much of what lies there,
    and for those that hold things the things in order.
    """

    node: Mapping
    seat: int | None
    round: int | None
    path: tuple[tuple[int, int], ...]  # see `_step`
    pieces: list[tuple[int, Part]]  # in the order of the case
    things: dict[int, tuple[int, ...]]
    states: dict[int, Any]
    keys: dict[int, Scalar]  # place -> the zone's name in the case
    spots: dict[tuple[str, int], Scalar]  # component and thing -> where it is named


def read(node: Mapping | None, desk: Desk, name: Scalar) -> Given | None:
    """What a case gives; None with complaints about every name that the game does not have."""
    before = desk.report.errors
    written = node if node is not None else Mapping((), name.span)
    rules = desk.rules
    moment = [key for key in MOMENT if key not in rules.zones]
    number = written.get("round") if "round" in moment else None
    path = _step(written, desk)
    given = Given(written, desk.seat(written.get("seat")), desk.round(number), path, [], {}, {}, {}, {})
    for entry in written:
        key = entry.key.text
        if key == "state":
            _read_states(entry.value, given, desk)
        elif key in rules.zones:
            _read_zone(rules.zones[key], entry, given, desk)
        elif key not in moment:
            desk.unknown(entry.key, "no zone is called", [*rules.zones, "state", *MOMENT])
    return given if desk.report.errors == before else None


def position(table: Table, given: Given, first: int, desk: Desk, name: Scalar, *, wait: bool = False) -> State | None:
    """The position in which a case begins, with chance settled unless it is to `wait`; None with complaints, at the
    `name` of the case when there is no better place.
    """
    before = desk.report.errors
    seat, path = given.seat, given.path
    to: Literal["decision", "round", "turn"] = "decision"
    if given.round is not None:
        to = "round"
    if "seat" in given.node or "step" in given.node:
        to = "round" if path and path[0][0] == table.rules.round else "turn"
    state = opening(table, first, seat, to)
    if state is None:
        spot = given.node.get("seat") or given.node.get("step") or name
        message = "the first round has no turn" if seat is None else f"the first round gives seat {seat} no turn"
        desk.complain(spot, codes.NO_SUCH_MOMENT, message)
        return None
    opened, state = state, _laid(table, given, state, desk)
    if given.round is not None:
        state = replace(state, round=given.round)
    if desk.report.errors == before:
        _check_invariants(table, opened, state, "step" in given.node, given, desk, name)
    if desk.report.errors > before:
        return None
    state = _standing(table, state, path)
    over = _passed_over(table, state, path)
    if state.waiting is None:
        state = resumed(table.engine, state, touched=True)
    if over and not _asks_there(state, path):
        node = given.node.get("step")
        assert node is not None
        help_ = "give what makes the game stop there, or another step"
        desk.complain(node, codes.NO_SUCH_MOMENT, over, label="not reached", help=help_)
        return None
    return state if wait else settled(table.engine, state)


# ---- where the game stands ------------------------------------------------------------------------------------


def _step(given: Mapping, desk: Desk) -> tuple[tuple[int, int], ...]:
    """The way to the step where the game is to stand: block and number of each step down to it; empty: not said."""
    node = given.get("step")
    if not isinstance(node, Scalar):
        return ()
    rules = desk.rules
    for block in (rules.turn, rules.round):
        path = _way(desk, block, node.text, ())
        if path:
            return path
    known = [step.address for block in (rules.turn, rules.round) for step in rules.blocks[block].steps]
    if node.text in rules.notes:
        message = f"the game cannot be made to stand at `{node.text}`: it is no step of a turn or round"
        desk.complain(node, codes.NO_SUCH_MOMENT, message, help=nearest(node.text, known))
    else:
        desk.unknown(node, "no step has the address", known)
    return ()


def _way(desk: Desk, block: int, address: str, seen: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    for at, step in enumerate(desk.rules.blocks[block].steps):
        if step.address == address:
            return ((block, at),)
        inner = step.effect.block if isinstance(step.effect, Run) else None
        # steps done several times have variables of their own, which a case cannot name
        if inner is not None and step.each is None and step.times is None and inner not in seen:
            below = _way(desk, inner, address, (*seen, inner))
            if below:
                return ((block, at), *below)
    return ()


def _standing(table: Table, state: State, path: tuple[tuple[int, int], ...]) -> State:
    """The same position at the step that is wanted, else at the decision it waits for, which is looked at anew."""
    top = state.stack[-1]
    if path:
        in_turn = path[0][0] == table.rules.turn
        seat = top.seat if in_turn and isinstance(top, Frame) else -1
        frames = [Frame(block, at + 1, (), None, seat) for block, at in path]
        frames[-1] = frames[-1]._replace(at=path[-1][1])
        return replace(state, stack=(*(state.stack[:-1] if in_turn else ()), *frames), waiting=None)
    match top:
        case Together():
            return replace(state, waiting=None)
        case Frame(todo=None) if isinstance(state.waiting, Decision):
            return replace(state, stack=(*state.stack[:-1], top._replace(at=state.waiting.at)), waiting=None)
        case _:
            return state


def _passed_over(table: Table, state: State, path: tuple[tuple[int, int], ...]) -> str:
    """Why the step that is wanted is passed over in this position, if it is."""
    if not path:
        return ""
    block, at = path[-1]
    step, seat = table.rules.blocks[block].steps[at], table.engine.acting(state)
    if step.each is not None:
        return ""  # it may be carried out for some
    c = table.engine.context(state, seat)
    if step.when is not None and not table.engine.evaluator.run(step.when)(c):
        return f"`{step.address}` is passed over: its `when` does not hold"
    asks = isinstance(step.effect, Choose) and step.by is None and step.effect.how != "together"
    if asks and seat in table.engine.gone(state):
        return f"`{step.address}` is passed over: seat {seat} has left the game"
    return ""


def _asks_there(state: State, path: tuple[tuple[int, int], ...]) -> bool:
    """Whether a seat chooses at the step that is wanted, since places were filled first."""
    return isinstance(state.waiting, Decision) and (state.waiting.block, state.waiting.at) == path[-1]


# ---- what lies where ------------------------------------------------------------------------------------------


def _read_zone(zone: ZoneDef, entry: Entry, given: Given, desk: Desk) -> None:
    for keys, node in desk.by_key(zone, entry.key, entry.value):
        place = desk.place(zone, keys)
        given.keys[place] = entry.key
        if isinstance(zone.holds, Member):
            part = desk.part(zone.holds.kind, node)
            given.pieces.extend([(place, part)] if part is not None else [])
            continue
        component = zone.holds.component
        listed = desk.things(component, node)
        for thing, spot in listed or ():
            other = given.spots.setdefault((component, thing), spot)
            if other is not spot:
                message = f"`{spot.text}` stands in two places"
                desk.complain(spot, codes.TWO_PLACES, message, help=f"the first: {other.span}")
        given.things[place] = tuple(thing for thing, _ in listed or ())


def _read_states(node: Node, given: Given, desk: Desk) -> None:
    for entry in node if isinstance(node, Mapping) else ():
        one = desk.rules.states.get(entry.key.text)
        if one is None:
            desk.unknown(entry.key, "no state is called", desk.rules.states)
            continue
        for keys, value in desk.by_key(one, entry.key, entry.value):
            found = desk.value(value, one.type)
            if found is not None:
                given.states[desk.place(one, keys)] = found


def _laid(table: Table, given: Given, state: State, desk: Desk) -> State:
    """The position with the contents and states that a case gives."""
    before = desk.report.errors
    contents, variables = list(state.contents), list(state.variables)
    for place, value in given.states.items():
        variables[place] = value
    for place, part in given.pieces:
        for at, count in part.counts.items():
            held = contents[place]
            contents[place] = (*held[:at], count, *held[at + 1 :])
        _check_room(table, place, sum(contents[place]), given.keys[place], desk)
    _check_pieces(table, state, contents, given.node, desk)
    if desk.report.errors > before:
        return state
    moved = _move_things(table, state, contents, given, desk)
    _check_refills(table, contents, given, desk)
    knowledge = _known(table, state, contents, moved)
    return replace(
        state,
        contents=tuple(contents),
        variables=tuple(variables),
        knows=tuple(knowledge.knows),
        pools=knowledge.pools,
        seen=_seen(table, state, contents),
    )


def _check_room(table: Table, place: int, count: int, spot: Scalar, desk: Desk) -> None:
    room = table.engine.layout.capacity[place]
    if room is not None and count > room:
        zone = table.engine.layout.sight.zone_of[place]
        desk.complain(spot, codes.NO_ROOM, f"{desk.named(zone, place)} has room for {room}, this would be {count}")


def _check_pieces(table: Table, state: State, contents: list[Any], given: Mapping, desk: Desk) -> None:
    """There are as many pieces of every sort as before."""
    rules = table.rules
    before, after = pieces(table.engine, state.contents), pieces(table.engine, tuple(contents))
    pools = [e for e in given if e.key.text in rules.zones and rules.zones[e.key.text].pooled]
    for family, counts in before.items():
        for name, had, has in zip(rules.family_members[family], counts, after[family], strict=True):
            if had == has:
                continue
            # the last pool that names the member is the likeliest place of the slip
            spot = next((e.key for e in reversed(pools) if name in _names(e.value)), pools[-1].key)
            wrong = f"{had - has} missing" if has < had else f"{has - had} too many"
            message = f"there are {had} {name} in the game, and with what is given {has}: {wrong}"
            help_ = f"give {had - has} more to some place" if has < had else "take it from some other place"
            desk.complain(spot, codes.PIECES, message, help=help_)


def _names(node: Any) -> list[str]:
    if not isinstance(node, Mapping):
        return str(getattr(node, "text", "")).split()
    return [name for entry in node for name in (entry.key.text, *_names(entry.value))]


def _check_invariants(
    table: Table, before: State, after: State, in_turn: bool, given: Given, desk: Desk, name: Scalar
) -> None:
    """What always holds at such a moment, and held without what is given, holds with it, once the places from which
    given things were taken have filled themselves.
    """
    after = refilled(table.engine, after)
    for one, holds in table.invariants:
        if in_turn and one.after != "step":
            continue
        if holds(table.engine.context(before)) and not holds(table.engine.context(after)):
            message = f"with what is given `{one.address}` does not hold"
            taken = "; ".join(_taken(table, before, given, desk))
            desk.complain(name, codes.BROKEN, message, help=f"at {one.span}" + (f"; {taken}" if taken else ""))


def _taken(table: Table, before: State, given: Given, desk: Desk) -> Iterator[str]:
    """Things that are given to a place, and lay before in a place of which nothing is said."""
    zone_of = table.engine.layout.sight.zone_of
    for component, thing in given.spots:
        for place, zone in enumerate(zone_of):
            if place not in given.keys and zone.holds == Thing(component) and thing in _in(before.contents[place]):
                yield f"`{table.rules.components[component].ids[thing]}` was taken from {desk.named(zone, place)}"


# ---- things ---------------------------------------------------------------------------------------------------


def _move_things(
    table: Table, state: State, contents: list[Any], given: Given, desk: Desk
) -> dict[int, tuple[ComponentDef, list[int]]]:
    """Puts every thing where it is to be; gives for each place the things that came there."""
    layout = table.engine.layout
    moved: dict[int, tuple[ComponentDef, list[int]]] = {}
    for component in table.rules.components.values():
        places = [at for at, zone in enumerate(layout.sight.zone_of) if zone.holds == Thing(component.name)]
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
                contents[place] = _content(layout.sight.zone_of[place], state.contents[place], stay, came, given, place)
                spot = given.keys.get(place) or given.keys[next(iter(given.things))]
                _check_room(table, place, len(_in(contents[place])), spot, desk)
            if came:
                moved[place] = (component, came)
    return moved


def _in(content: Any) -> tuple[int, ...]:
    return content.things if isinstance(content, Pile) else content


def _check_home(component: ComponentDef, thing: int, home: int, left: int, given: Given, desk: Desk) -> None:
    if home in given.things and thing not in given.things[home]:
        name = component.ids[thing]
        key = given.keys[home]
        message = f"`{name}` stands nowhere: it would go back to where it starts, but that place is listed without it"
        desk.complain(key, codes.LEFT_OVER, message, help="list it here, or put it into another place")


def _content(zone: ZoneDef, old: Any, stay: list[int], came: list[int], given: Given, place: int) -> Any:
    """What a place holds: as listed, else what stayed and what came, in the order that the place has."""
    listed = given.things.get(place)
    if listed is not None:
        if zone.shuffled:
            return settled_pile(Pile((), tuple(listed), (), fixed=True))
        return listed if zone.arrival else tuple(sorted(listed))
    if not zone.shuffled:
        return (*stay, *came) if zone.arrival else tuple(sorted((*stay, *came)))
    if came:
        return settled_pile(Pile((), tuple(sorted((*stay, *came))), ()))
    top, loose, bottom = [tuple(thing for thing in part if thing in stay) for part in old.parts]
    return settled_pile(Pile(top, loose, bottom))


def _check_refills(table: Table, contents: list[Any], given: Given, desk: Desk) -> None:
    zone_of = table.engine.layout.sight.zone_of

    def size(place: int) -> int:
        return sum(contents[place]) if zone_of[place].pooled else len(_in(contents[place]))

    for to, source, room in table.engine.layout.refills:
        if to in given.keys and size(to) < room and size(source):
            place, pile = desk.named(zone_of[to], to), desk.named(zone_of[source], source)
            message = f"{place} fills itself at once from {pile}, which is not empty"
            desk.complain(given.keys[to], codes.REFILLED, message)


def _known(
    table: Table, state: State, contents: list[Any], moved: dict[int, tuple[ComponentDef, list[int]]]
) -> Knowledge:
    """Who knows what: what came where one can look is known, of what came elsewhere no more than at the start."""
    layout = table.engine.layout
    sight = layout.sight
    knowledge = Knowledge(sight, state.knows, state.pools, state.seen)
    for place, (component, came) in moved.items():
        for viewer in range(sight.viewers):
            for number in (component.first + thing for thing in came):
                pool = KNOWN if sight.sees[viewer][place] else layout.knows[viewer][number]
                row = knowledge.knows[viewer]
                knowledge.knows[viewer] = (*row[:number], pool, *row[number + 1 :])
            if not sight.sees[viewer][place]:
                strange = [component.first + t for t in came if layout.knows[viewer][component.first + t] == KNOWN]
                if strange:
                    others = [component.first + thing for thing in _in(contents[place])]
                    hidden = [number for number in others if knowledge.knows[viewer][number] != KNOWN]
                    knowledge.mix(viewer, tuple(sorted({*strange, *hidden})))
    return knowledge


def _seen(table: Table, state: State, contents: list[Any]) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """What surely lies in the places of pieces that a viewer does not see: of one that a case changes, nothing."""
    places = list(table.engine.layout.sight.covered)
    return tuple(
        tuple(
            bag if contents[place] == state.contents[place] else (0,) * len(bag)
            for place, bag in zip(places, row, strict=True)
        )
        for row in state.seen
    )


__all__ = ["Given", "position", "read"]
