"""A position as JSON and back, at any moment: everything by the names that the rules give it.

In: a position, or JSON data. Out: the other. What is read is checked: the rules it was saved under, its shape, that
every thing is in one place and that no piece was added or lost. One that does not carry its own seal is also played on
for a while. What does not fit raises `InvalidPosition` with one sentence.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final, TypeGuard

from rulewright import limits
from rulewright.bundle import bundle_folder
from rulewright.engine import chance
from rulewright.engine.interface import Engine
from rulewright.engine.knowledge import KNOWN_POOL
from rulewright.engine.notation import Notation
from rulewright.engine.position_data import (
    ActionNumbers,
    ChanceEventData,
    DecisionData,
    DrawNumbers,
    InvalidPosition,
    PileData,
    SavedPosition,
    StackEntryData,
    ValueNumbers,
)
from rulewright.engine.position_seal import has_own_seal, position_seal
from rulewright.engine.state import Action, ChanceEvent, Decision, Draw, Frame, SimultaneousChoice, StackEntry, State
from rulewright.engine.validation.validate_contents import check_reachable
from rulewright.engine.validation.validate_playable import check_playable
from rulewright.engine.validation.validate_position import (
    check_coherence,
    check_conservation,
    check_knowledge,
    check_room,
)
from rulewright.engine.value_notation import AnswerData, NotationError
from rulewright.engine.values import (
    BagCounts,
    Content,
    Pile,
    RuntimeValue,
    as_int,
    as_tuple,
    content_bag,
    is_sub_bag,
    normalize_pile,
)
from rulewright.engine.views import format_key_values, nest_by_keys
from rulewright.errors import json_error_reason
from rulewright.expr.types import Bag, Member, Number, Thing
from rulewright.json_values import has_more_values
from rulewright.model.rules import StateDef, ZoneDef

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

STATE_FORMAT: Final = 1
PILE_PARTS: Final = ("top", "loose", "bottom")  # of a shuffled place


def state_to_data(engine: Engine, state: State) -> SavedPosition:
    """The whole position, hidden things included: for the referee only."""
    notation = Notation(engine.rules)
    rules = engine.rules
    hidden = [
        {_thing_name(engine, thing): pool for thing, pool in enumerate(row) if pool != KNOWN_POOL}
        for row in state.thing_pools
    ]
    data: SavedPosition = {
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
                    _content_to_data(notation, zone, content)
                    for content in state.contents[zone.first_index : zone.first_index + zone.size]
                ),
            )
            for name, zone in rules.zones.items()
        },
        "state": {
            name: nest_by_keys(
                definition,
                notation,
                (
                    notation.value_to_data(value, definition.type)
                    for value in state.variables[definition.first_index : definition.first_index + definition.size]
                ),
            )
            for name, definition in rules.states.items()
        },
        "hidden": hidden,
        "seen": [[list(bag) for bag in row] for row in state.known_pieces],
        "pools": [[_thing_name(engine, thing) for thing in pool] for pool in state.pools],
        "stack": [_stack_entry_to_data(engine, entry) for entry in state.stack],
        "waiting": _waiting_to_data(engine, state.waiting),
        "first_seat": state.first_seat,
        "round": state.round,
        "turn": state.turn_count,
        "ending": state.ending,
        "extra_turns": list(state.extra_turns),
        "winners": None if state.winners is None else list(state.winners),
        "generator": chance.GENERATOR,
        "rng": None if state.rng is None else f"{state.rng:016x}",
    }
    data["seal"] = position_seal(data)
    return data


def _content_to_data(notation: Notation, zone: ZoneDef, content: Content) -> AnswerData | PileData:
    if isinstance(zone.content_type, Member):
        bag: AnswerData = notation.value_to_data(content_bag(content), Bag(zone.content_type.kind))
        return bag
    if not isinstance(content, Pile):
        return [notation.value_to_data(thing, zone.content_type) for thing in content]
    top, loose, bottom = [
        [notation.value_to_data(thing, zone.content_type) for thing in part] for part in content.parts
    ]
    return {"top": top, "loose": loose, "bottom": bottom, "fixed": content.fixed}


def _thing_name(engine: Engine, number: int) -> str:
    for component in engine.rules.components.values():
        if number < component.first_index + len(component.ids):
            return f"{component.name}.{component.ids[number - component.first_index]}"
    raise AssertionError("every thing belongs to a component")


def _stack_entry_to_data(engine: Engine, entry: StackEntry) -> StackEntryData:
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
            numbers: DrawNumbers = {
                "source": entry.source,
                "to": entry.to,
                "left": entry.left,
                "bottom": entry.end == "bottom",
                "random": entry.random,
            }
            return {"draw": {**numbers, "on_top": True} if entry.end == "top" else numbers}
        case SimultaneousChoice():
            return {
                "together": engine.rules.blocks[entry.block].address,
                "next": entry.step,
                "bound": list(entry.env),
                "seat": entry.seat,
                "waiting": list(entry.remaining_seats),
                "chosen": [(seat, _action_to_data(action)) for seat, action in entry.actions],
            }


def _action_to_data(action: Action) -> ActionNumbers:
    return {"number": action.number, "values": action.values, "token": action.token}


def _waiting_to_data(engine: Engine, waiting: Decision | ChanceEvent | None) -> DecisionData | ChanceEventData | None:
    if waiting is None:
        return None
    if isinstance(waiting, Decision):
        data: DecisionData = {
            "for": "decision",
            "seat": waiting.seat,
            "steps": engine.rules.blocks[waiting.block].address,
            "at": waiting.step,
            "partial": None if waiting.partial_action is None else _action_to_data(waiting.partial_action),
            "bag": list(waiting.partial_bag),
        }
        return {**data, "around": list(waiting.around)} if waiting.around else data
    return {
        "for": "chance",
        "kind": waiting.kind,
        "where": waiting.target,
        "outcomes": [list(outcome) for outcome in waiting.outcomes],
    }


def state_to_json(engine: Engine, state: State) -> str:
    """The position as one line of JSON."""
    return json.dumps(state_to_data(engine, state), ensure_ascii=False, separators=(",", ":"))


# ---- reading --------------------------------------------------------------------------------------------------


@cache
def _validator() -> Draft202012Validator:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(
        json.loads((bundle_folder("schemas") / "state.schema.json").read_text(encoding="utf-8"))
    )


def _is_saved_position(data: object) -> TypeGuard[SavedPosition]:
    return _validator().is_valid(data)


def _first_schema_error(data: object) -> str:
    error = next(_validator().iter_errors(data))  # all of them could be very many
    path = ".".join(map(str, error.path))
    if error.validator == "required":
        missing = next(key for key in error.validator_value if key not in error.instance)
        return f"{f'`{path}` of ' if path else ''}the position has no `{missing}`"
    return f"{path or 'the position'}: {error.message[:200]}"


def state_from_data(engine: Engine, data: object) -> State:
    """The position that JSON data describes; raises `InvalidPosition`."""
    if has_more_values(data, limits.MAX_POSITION_VALUES):
        raise InvalidPosition(f"it has more than {limits.MAX_POSITION_VALUES:,} values")
    if not _is_saved_position(data):
        raise InvalidPosition(_first_schema_error(data))
    rules = engine.rules
    if data["rules"] != rules.digest:
        players = "player" if data["players"] == 1 else "players"
        raise InvalidPosition(
            f"it was saved under different rules: {data['game']} {data['version']} for {data['players']} {players}"
            f", variants: {', '.join(data['variants']) or 'none'}"
        )
    if (data["game"], data["version"], data["players"]) != (rules.game, rules.version, rules.players):
        raise InvalidPosition(
            f"its digest is that of {rules.game} {rules.version} for {rules.players} players, but it says"
            f" {data['game']} {data['version'][: limits.MAX_QUOTED_NAME]} for {data['players']}"
        )
    try:
        state = _read_state(engine, data)
    except (NotationError, KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise InvalidPosition(f"it does not fit these rules: {error}") from None
    check_conservation(engine, state)
    check_room(engine, state)
    check_reachable(engine, state)
    check_knowledge(engine, state)
    check_coherence(engine, state)
    if not has_own_seal(data):
        check_playable(engine, state)
    return state


def state_from_json(engine: Engine, text: str) -> State:
    """The position in a line of JSON; raises `InvalidPosition`."""
    try:
        data: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidPosition(f"it is not valid JSON: {json_error_reason(error)}") from None
    return state_from_data(engine, data)


def _read_state(engine: Engine, data: SavedPosition) -> State:
    rules, notation = engine.rules, Notation(engine.rules)
    _check_names("zones", data["zones"], rules.zones)
    _check_names("state", data["state"], rules.states)
    contents = tuple(
        _read_content(notation, zone, content)
        for zone in sorted(rules.zones.values(), key=lambda zone: zone.first_index)
        for content in _values_by_key(zone, notation, data["zones"][zone.name])
    )
    variables = tuple(
        _check_bounds(notation.value_from_data(value, definition.type), definition)
        for definition in sorted(rules.states.values(), key=lambda definition: definition.first_index)
        for value in _values_by_key(definition, notation, data["state"][definition.name])
    )
    numbers = {_thing_name(engine, thing): thing for thing in range(len(engine.layout.thing_pools[0]))}
    pools = tuple(tuple(numbers[name] for name in pool) for pool in data["pools"])
    thing_pools: list[tuple[int, ...]] = []
    for pool_by_name in data["hidden"]:
        row = [KNOWN_POOL] * len(numbers)
        for name, pool in pool_by_name.items():
            row[numbers[name]] = pool
            if not 0 < pool < len(pools) or numbers[name] not in pools[pool]:
                raise ValueError(f"{name} is not in the pool {pool}")
        thing_pools.append(tuple(row))
    if len(thing_pools) != engine.layout.visibility.viewer_count:
        raise ValueError("knowledge must be given for every seat and for spectators")
    blocks = {block.address: number for number, block in enumerate(rules.blocks)}
    return State(
        contents=contents,
        variables=variables,
        thing_pools=tuple(thing_pools),
        pools=pools,
        stack=tuple(_read_stack_entry(entry, blocks) for entry in data["stack"]),
        waiting=_read_waiting(data["waiting"], blocks),
        first_seat=data["first_seat"],
        round=data["round"],
        turn_count=data["turn"],
        ending=data["ending"],
        extra_turns=tuple(data["extra_turns"]),
        winners=None if data["winners"] is None else tuple(data["winners"]),
        rng=None if data["rng"] is None else int(data["rng"], 16),
        known_pieces=_read_known_pieces(engine, contents, data["seen"]),
    )


def _check_names(section: str, data: Mapping[str, object], names: Mapping[str, object]) -> None:
    if sorted(data) != sorted(names):
        raise ValueError(f"{section} must have the keys {', '.join(names)}")


def _read_known_pieces(
    engine: Engine, contents: Sequence[Content], data: Sequence[Sequence[Sequence[int]]]
) -> tuple[tuple[BagCounts, ...], ...]:
    known_pieces = tuple(tuple(tuple(bag) for bag in row) for row in data)
    visibility = engine.layout.visibility
    if len(known_pieces) != (visibility.viewer_count if visibility.hidden_piece_places else 0):
        raise ValueError("known pieces must be given for every seat and for spectators")
    for viewer, row in enumerate(known_pieces):
        for place, bag in zip(visibility.hidden_piece_places, row, strict=True):
            content = content_bag(contents[place])
            if len(bag) != len(content) or not is_sub_bag(bag, content):
                raise ValueError("more is known of a hidden place than it contains")
            if visibility.can_see[viewer][place] and any(bag):
                raise ValueError("pieces are noted as known to somebody who sees them")
    return known_pieces


def _values_by_key(owner: ZoneDef | StateDef, notation: Notation, data: object) -> Iterator[object]:
    """The value for each combination of keys, in key order, whatever the order in the JSON data."""
    key_values = format_key_values(owner, notation)

    def flatten(nested: object, depth: int) -> Iterator[object]:
        if depth == len(key_values):
            yield nested
            return
        if not isinstance(nested, dict) or sorted(nested) != sorted(key_values[depth]):
            raise ValueError(f"{owner.name} must have the keys {', '.join(key_values[depth])}")
        for name in key_values[depth]:
            yield from flatten(nested[name], depth + 1)

    return flatten(data, 0)


def _read_content(notation: Notation, zone: ZoneDef, data: object) -> Content:
    if isinstance(zone.content_type, Member):
        return as_tuple(notation.value_from_data(data, Bag(zone.content_type.kind)))
    if not zone.is_shuffled:
        things = _read_things(notation, zone.content_type, data)
        return things if zone.is_arrival_ordered else tuple(sorted(things))
    if (
        not isinstance(data, dict)
        or sorted(data) != sorted((*PILE_PARTS, "fixed"))
        or not isinstance(data["fixed"], bool)
    ):
        raise ValueError(f"a shuffled place must have the keys {', '.join(PILE_PARTS)} and fixed")
    top, loose, bottom = [_read_things(notation, zone.content_type, data[part]) for part in PILE_PARTS]
    fixed: bool = data["fixed"]
    return normalize_pile(Pile(top, loose if fixed else tuple(sorted(loose)), bottom, fixed))


def _read_things(notation: Notation, type_: Thing, data: object) -> tuple[int, ...]:
    if not isinstance(data, Iterable):
        raise TypeError(f"{data!r} is not a list of things")
    return tuple(as_int(notation.value_from_data(thing, type_)) for thing in data)


def _check_bounds(value: RuntimeValue, definition: StateDef) -> RuntimeValue:
    type_ = definition.type
    if isinstance(type_, Number) and not type_.low <= as_int(value) <= type_.high:
        raise ValueError(f"{definition.name} is {value}, expected {type_.low} to {type_.high}")
    return value


def _read_values(data: Sequence[ValueNumbers]) -> tuple[RuntimeValue, ...]:
    return tuple(value if isinstance(value, int) else tuple(value) for value in data)


def _read_action(data: ActionNumbers) -> Action:
    return Action(data["number"], _read_values(data["values"]), data["token"])


def _read_draw(source: int, to: int, left: int, bottom: bool, random: bool, on_top: bool = False) -> Draw:
    if bottom and on_top:
        raise ValueError("a draw puts things both on top and at the bottom")
    return Draw(source, to, left, random, "bottom" if bottom else "top" if on_top else "")


def _read_stack_entry(data: StackEntryData, blocks: Mapping[str, int]) -> StackEntry:
    if "draw" in data:
        return _read_draw(**data["draw"])
    env = _read_values(data["bound"])
    if "together" in data:
        actions = tuple((seat, _read_action(action)) for seat, action in data["chosen"])
        return SimultaneousChoice(
            blocks[data["together"]], data["next"], env, data["seat"], tuple(data["waiting"]), actions
        )
    remaining = None if data["left"] is None else _read_values(data["left"])
    return Frame(blocks[data["steps"]], data["next"], env, remaining, data["seat"])


def _read_waiting(
    data: DecisionData | ChanceEventData | None, blocks: Mapping[str, int]
) -> Decision | ChanceEvent | None:
    if data is None:
        return None
    if data["for"] == "decision":
        partial_action = None if data["partial"] is None else _read_action(data["partial"])
        around = _read_values(data.get("around", ()))
        return Decision(data["seat"], blocks[data["steps"]], data["at"], partial_action, tuple(data["bag"]), around)
    outcomes = tuple((value, weight) for value, weight in data["outcomes"])
    return ChanceEvent(data["kind"], data["where"], outcomes)


__all__ = ["InvalidPosition", "state_from_data", "state_from_json", "state_to_data", "state_to_json"]
