"""A position as JSON and back, at any moment: everything by the names that the rules give it.

In: a position, or JSON data. Out: the other. What is read is checked: the rules it was saved under, its shape, that
every thing stands somewhere once and no piece was won or lost; what does not fit raises `BadPosition` with one
sentence.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from rulewright.bundle import bundle_folder
from rulewright.engine import chance
from rulewright.engine.interface import Engine
from rulewright.engine.knowledge import KNOWN_POOL
from rulewright.engine.notation import Notation, NotationError
from rulewright.engine.state import Action, ChanceEvent, Decision, Draw, Frame, SimultaneousChoice, StackEntry, State
from rulewright.engine.validate_position import InvalidPosition, check_coherence, check_conservation, count_pieces
from rulewright.engine.values import Pile, is_sub_bag, normalize_pile
from rulewright.engine.views import nest_by_keys
from rulewright.expr.types import Bag, Member, Number, Thing, Type
from rulewright.model.rules import StateDef, ZoneDef

STATE_FORMAT: Final = 1
PILE_PARTS: Final = ("top", "loose", "bottom")  # of a shuffled place


def state_to_data(engine: Engine, state: State) -> dict[str, Any]:
    """The whole position, hidden things included: this is the referee's copy."""
    notation = Notation(engine.rules)
    rules = engine.rules
    hidden = [
        {_thing_name(engine, thing): pool for thing, pool in enumerate(row) if pool != KNOWN_POOL}
        for row in state.thing_pools
    ]
    return {
        "format": STATE_FORMAT,
        "game": rules.game,
        "version": rules.version,
        "players": rules.players,
        "variants": list(rules.variants),
        "rules": rules.digest,
        "zones": {
            name: nest_by_keys(
                zone,
                notation,
                (
                    _content(notation, zone, content)
                    for content in state.contents[zone.first_index : zone.first_index + zone.size]
                ),
            )
            for name, zone in rules.zones.items()
        },
        "state": {
            name: nest_by_keys(
                one,
                notation,
                (
                    notation.value_to_data(value, one.type)
                    for value in state.variables[one.first_index : one.first_index + one.size]
                ),
            )
            for name, one in rules.states.items()
        },
        "hidden": hidden,
        "seen": [[list(bag) for bag in row] for row in state.known_pieces],
        "pools": [[_thing_name(engine, thing) for thing in pool] for pool in state.pools],
        "stack": [_entry(engine, entry) for entry in state.stack],
        "waiting": _waiting(engine, state.waiting),
        "first_seat": state.first_seat,
        "round": state.round,
        "turn": state.turn_count,
        "ending": state.ending,
        "extra_turns": list(state.extra_turns),
        "winners": None if state.winners is None else list(state.winners),
        "generator": chance.GENERATOR,
        "rng": None if state.rng is None else f"{state.rng:016x}",
    }


def _content(notation: Notation, zone: ZoneDef, content: Any) -> Any:
    if isinstance(zone.content_type, Member):
        return notation.value_to_data(content, Bag(zone.content_type.kind))
    if isinstance(content, Pile):
        parts = [[notation.value_to_data(thing, zone.content_type) for thing in part] for part in content.parts]
        return {**dict(zip(PILE_PARTS, parts, strict=True)), "fixed": content.fixed}
    return [notation.value_to_data(thing, zone.content_type) for thing in content]


def _thing_name(engine: Engine, number: int) -> str:
    for component in engine.rules.components.values():
        if number < component.first_index + len(component.ids):
            return f"{component.name}.{component.ids[number - component.first_index]}"
    raise AssertionError("every thing belongs to a component")


def _entry(engine: Engine, entry: StackEntry) -> dict[str, Any]:
    match entry:
        case Frame():
            return {
                "steps": engine.rules.blocks[entry.block].address,
                "next": entry.step,
                "bound": list(entry.env),
                "left": None if entry.remaining is None else list(entry.remaining),
                "seat": entry.seat,
            }
        case Draw():
            return {"draw": entry._asdict()}
        case SimultaneousChoice():
            return {
                "together": engine.rules.blocks[entry.block].address,
                "next": entry.step,
                "bound": list(entry.env),
                "seat": entry.seat,
                "waiting": list(entry.remaining_seats),
                "chosen": [[seat, action._asdict()] for seat, action in entry.actions],
            }


def _waiting(engine: Engine, waiting: Decision | ChanceEvent | None) -> dict[str, Any] | None:
    if waiting is None:
        return None
    if isinstance(waiting, Decision):
        return {
            "for": "decision",
            "seat": waiting.seat,
            "steps": engine.rules.blocks[waiting.block].address,
            "at": waiting.step,
            "partial": None if waiting.partial_action is None else waiting.partial_action._asdict(),
            "bag": list(waiting.partial_bag),
        }
    return {
        "for": "chance",
        "kind": waiting.kind,
        "where": waiting.target,
        "outcomes": [list(o) for o in waiting.outcomes],
    }


def state_to_json(engine: Engine, state: State) -> str:
    """The position as one line of JSON."""
    return json.dumps(state_to_data(engine, state), ensure_ascii=False, separators=(",", ":"))


# ---- reading --------------------------------------------------------------------------------------------------


@cache
def _validator() -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(
        json.loads((bundle_folder("schemas") / "state.schema.json").read_text(encoding="utf-8"))
    )


def state_from_data(engine: Engine, data: Any) -> State:
    """The position that JSON data describes; raises `BadPosition`."""
    error = next(iter(sorted(_validator().iter_errors(data), key=lambda e: list(map(str, e.path)))), None)
    if error is not None:
        where = ".".join(map(str, error.path)) or "the position"
        raise InvalidPosition(f"{where}: {error.message[:200]}")
    rules = engine.rules
    if data["rules"] != rules.digest:
        many = "player" if data["players"] == 1 else "players"
        raise InvalidPosition(
            f"it was saved under other rules: {data['game']} {data['version']} for {data['players']} {many}"
            f" with variants {', '.join(data['variants']) or 'none'}, whose digest differs"
        )
    try:
        state = _state(engine, data)
    except (NotationError, KeyError, IndexError, TypeError, ValueError, AttributeError) as wrong:
        raise InvalidPosition(f"it does not fit these rules: {wrong}") from None
    check_conservation(engine, state)
    check_coherence(engine, state)
    return state


def state_from_json(engine: Engine, text: str) -> State:
    """The position in a line of JSON; raises `BadPosition`."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as wrong:
        raise InvalidPosition(f"it is no JSON: {wrong}") from None
    return state_from_data(engine, data)


def _state(engine: Engine, data: dict[str, Any]) -> State:
    rules, notation = engine.rules, Notation(engine.rules)
    for section, names in (("zones", rules.zones), ("state", rules.states)):
        if sorted(data[section]) != sorted(names):
            raise ValueError(f"{section} are: {', '.join(names)}")
    contents: list[Any] = [None] * len(engine.layout.contents)
    for name, zone in rules.zones.items():
        for at, content in enumerate(_by_key(zone, notation, data["zones"][name])):
            contents[zone.first_index + at] = _read_content(notation, zone, content)
    variables: list[Any] = [None] * len(engine.layout.variables)
    for name, one in rules.states.items():
        for at, value in enumerate(_by_key(one, notation, data["state"][name])):
            variables[one.first_index + at] = _bounded(notation.value_from_data(value, one.type), one.type, name)
    if None in contents or None in variables:
        raise ValueError("a place or a state variable is missing")
    numbers = {_thing_name(engine, thing): thing for thing in range(len(engine.layout.thing_pools[0]))}
    pools = tuple(tuple(numbers[name] for name in pool) for pool in data["pools"])
    knows = []
    for row in data["hidden"]:
        known = [KNOWN_POOL] * len(numbers)
        for name, pool in row.items():
            known[numbers[name]] = pool
            if not 0 < pool < len(pools) or numbers[name] not in pools[pool]:
                raise ValueError(f"{name} is in no pool {pool}")
        knows.append(tuple(known))
    if len(knows) != engine.layout.visibility.viewer_count:
        raise ValueError("knowledge is kept for every seat and for spectators")
    blocks = {block.address: number for number, block in enumerate(rules.blocks)}
    return State(
        contents=tuple(contents),
        variables=tuple(variables),
        thing_pools=tuple(knows),
        pools=pools,
        stack=tuple(_read_entry(entry, blocks) for entry in data["stack"]),
        waiting=_read_waiting(data["waiting"], blocks),
        first_seat=data["first_seat"],
        round=data["round"],
        turn_count=data["turn"],
        ending=data["ending"],
        extra_turns=tuple(data["extra_turns"]),
        winners=None if data["winners"] is None else tuple(data["winners"]),
        rng=None if data["rng"] is None else int(data["rng"], 16),
        known_pieces=_seen(engine, contents, data["seen"]),
    )


def _seen(engine: Engine, contents: list[Any], data: list[list[list[int]]]) -> tuple[tuple[tuple[int, ...], ...], ...]:
    seen = tuple(tuple(tuple(bag) for bag in row) for row in data)
    covered = list(engine.layout.visibility.hidden_piece_places)
    if len(seen) != (engine.layout.visibility.viewer_count if covered else 0):
        raise ValueError("what lies in hidden places is kept for every seat and for spectators")
    for row in seen:
        for place, bag in zip(covered, row, strict=True):
            if len(bag) != len(contents[place]) or not is_sub_bag(bag, contents[place]):
                raise ValueError("more is said to be known of a hidden place than lies there")
    return seen


def _by_key(owner: ZoneDef | StateDef, notation: Notation, data: Any) -> Iterator[Any]:
    """What stands under each combination of keys, in key order, however the JSON orders it."""
    names = [
        [notation.format_value(value, type_) for value in values]
        for values, type_ in zip(owner.key_values, owner.key_types, strict=True)
    ]

    def inner(level: Any, depth: int) -> Iterator[Any]:
        if depth == len(names):
            yield level
            return
        if not isinstance(level, dict) or sorted(level) != sorted(names[depth]):
            raise ValueError(f"{owner.name} is kept by {', '.join(names[depth])}")
        for name in names[depth]:
            yield from inner(level[name], depth + 1)

    return inner(data, 0)


def _read_content(notation: Notation, zone: ZoneDef, data: Any) -> Any:
    if isinstance(zone.content_type, Member):
        return notation.value_from_data(data, Bag(zone.content_type.kind))
    holds: Thing = zone.content_type
    if zone.is_shuffled:
        if sorted(data) != sorted((*PILE_PARTS, "fixed")) or not isinstance(data["fixed"], bool):
            raise ValueError(f"a shuffled place says {', '.join(PILE_PARTS)} and fixed")
        top, loose, bottom = [tuple(notation.value_from_data(one, holds) for one in data[part]) for part in PILE_PARTS]
        pile = Pile(top, loose, bottom, data["fixed"])
        return normalize_pile(pile if pile.fixed else pile._replace(loose=tuple(sorted(pile.loose))))
    return tuple(notation.value_from_data(one, holds) for one in data)


def _bounded(value: Any, type_: Type, name: str) -> Any:
    if isinstance(type_, Number) and not type_.low <= value <= type_.high:
        raise ValueError(f"{name} is {value}, which is not within {type_.low} to {type_.high}")
    return value


def _deep(value: Any) -> Any:
    return tuple(map(_deep, value)) if isinstance(value, list) else value


def _read_action(data: dict[str, Any]) -> Action:
    return Action(data["number"], _deep(data["values"]), data["token"])


def _read_entry(data: dict[str, Any], blocks: dict[str, int]) -> StackEntry:
    if "draw" in data:
        return Draw(**data["draw"])
    if "together" in data:
        chosen = tuple((seat, _read_action(action)) for seat, action in data["chosen"])
        block = blocks[data["together"]]
        return SimultaneousChoice(
            block, data["next"], _deep(data["bound"]), data["seat"], tuple(data["waiting"]), chosen
        )
    left = data["left"]
    return Frame(
        blocks[data["steps"]], data["next"], _deep(data["bound"]), None if left is None else _deep(left), data["seat"]
    )


def _read_waiting(data: dict[str, Any] | None, blocks: dict[str, int]) -> Decision | ChanceEvent | None:
    if data is None:
        return None
    if data["for"] == "decision":
        partial = None if data["partial"] is None else _read_action(data["partial"])
        return Decision(data["seat"], blocks[data["steps"]], data["at"], partial, tuple(data["bag"]))
    return ChanceEvent(data["kind"], data["where"], _deep(data["outcomes"]))


__all__ = ["InvalidPosition", "count_pieces", "state_from_data", "state_from_json", "state_to_data", "state_to_json"]
