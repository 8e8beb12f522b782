"""Turns a played game, or one action of it, into a scenario that anybody can run as a test.

In: a session and perhaps the number of an action. Out: the text of a scenario file: the position before, what was done,
the outcomes of chance, and what came of it. The scenario is run before it is returned; what a scenario cannot express
(an incomplete action, for example) raises `ScenarioExportError`.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Final, TypeVar

from rulewright.diagnostics import Diagnostics
from rulewright.document.language import LANGUAGE_VERSION
from rulewright.engine.faults import RuleFault
from rulewright.engine.state import Action, ChanceEvent, Decision, State
from rulewright.engine.values import Content, Pile, RuntimeValue, content_things
from rulewright.errors import RulewrightError
from rulewright.expr.types import Flag, Member
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.locale import player_number, seat_of_player
from rulewright.model.rules import StateDef, ZoneDef
from rulewright.scenarios.given import parse_given
from rulewright.scenarios.runner import CHANCE_CALL, ScenarioRunner
from rulewright.scenarios.scenario_context import ScenarioContext
from rulewright.scenarios.scenario_file import Case, parse_scenario_file
from rulewright.scenarios.scenario_game import ScenarioGame, make_game, opening_position, take_first_outcomes
from rulewright.scenarios.starting_position import build_position
from rulewright.session.session import Session

SCENARIO_SCHEMA_COMMENT: Final = "# yaml-language-server: $schema=../../schemas/scenarios.schema.json"
UNQUOTED_WORD: Final = lazy_pattern(r"[a-z][a-z0-9_]*")
UNQUOTED_ADDRESS: Final = lazy_pattern(r"[a-z_]+(\.[a-z0-9_]+)+")
UNQUOTED_NUMBER: Final = lazy_pattern(r"0|[1-9]\d{0,8}")
MAX_FLOW_WIDTH: Final = 110
YAML_RESERVED_WORDS: Final = frozenset({"yes", "no", "on", "off", "true", "false", "null", "y", "n"})
DIFFERENT_END: Final = "the scenario does not lead to the same position"

T = TypeVar("T")
Yaml = bool | int | str | list["Yaml"] | dict[str, "Yaml"]


class ScenarioExportError(RulewrightError):
    """What cannot be expressed as a scenario; the text says why."""


@frozen
class GameSegment:
    """The part of a game that becomes a scenario: the position before, what was done, the position after.

    `legal`, `not_legal`: actions of the position after of which the scenario says whether they are legal. `unlike`: a
    position; what is otherwise in the position after is what the scenario expects. By default that is the one before.
    """

    before: State
    after: State
    actions: tuple[Action, ...]
    chance_outcomes: tuple[tuple[tuple[ChanceEvent, int], ...], ...]  # after each action
    legal: tuple[Action, ...] = ()
    not_legal: tuple[Action, ...] = ()
    unlike: State | None = None


def export_scenario(session: Session, number: int | None, title: str) -> str:
    """The scenario file of a whole game (None) or of the action with that number, from 1.

    Raises `ScenarioExportError`.
    """
    if number == 0:
        raise ScenarioExportError("there is no action 0: the first is action 1")
    if not session.match.history:
        raise ScenarioExportError("the game has no actions yet")
    game = make_game(session.rules)
    name = "whole_game" if number is None else f"action_{number}"
    start, stop = _bounds(session, number)
    segments = (_segment(session, first, stop) for first in dict.fromkeys((start, 0)))
    return export_segments(game, segments, name, f"played, {title}")


def export_segments(game: ScenarioGame, segments: Iterable[GameSegment], name: str, title: str) -> str:
    """The scenario file of the first of these that a scenario can express. Raises `ScenarioExportError`."""
    reason = DIFFERENT_END
    for segment in segments:
        for moment in _moments(game, segment.before):
            try:
                text = _scenario_text(game, segment, moment, name, title)
            except ScenarioExportError as error:
                reason = str(error)
                continue
            if text is not None:
                return text
    raise ScenarioExportError(reason)


def _bounds(session: Session, number: int | None) -> tuple[int, int]:
    """The first and last position of the segment, by index; no action is incomplete at either."""
    states = session.states
    if number is None:
        return 0, len(states) - 1
    start, stop = number - 1, number
    while start and _is_mid_action(states[start]):
        start -= 1
    while stop < len(states) - 1 and _is_mid_action(states[stop]):
        stop += 1
    if _is_mid_action(states[stop]):
        raise ScenarioExportError("the action is incomplete")
    return start, stop


def _is_mid_action(state: State) -> bool:
    return isinstance(state.waiting, Decision) and state.waiting.partial_action is not None


def _segment(session: Session, start: int, stop: int) -> GameSegment:
    actions, chance_outcomes = [], []
    for played, before in zip(session.match.history[start:stop], session.states[start:stop], strict=True):
        is_token = played.action.number >= 0
        action = session.engine.complete_action(before, played.action) if is_token else played.action
        if isinstance(action, Action):
            actions.append(action)
            chance_outcomes.append(played.chance_outcomes)
    return GameSegment(session.states[start], session.states[stop], tuple(actions), tuple(chance_outcomes))


# ---- the position before ---------------------------------------------------------------------------------------------


def _moments(game: ScenarioGame, state: State) -> Iterator[dict[str, Yaml]]:
    """The ways to say at which moment the game is, the shortest first."""
    yield {}
    decision = state.waiting
    if isinstance(decision, Decision):
        seat = game.views.turn_seat(state)
        turn: dict[str, Yaml] = {} if seat is None else {"player": player_number(seat)}
        if turn:
            yield turn
        yield {**turn, "step": game.views.step_address(decision)}
        if state.round > 1:
            yield {**turn, "step": game.views.step_address(decision), "round": state.round}


def _given_contents(game: ScenarioGame, opening: State, target: State) -> dict[str, Yaml]:
    """The contents and states in which a position differs from the one that the scenario opens with."""
    given: dict[str, Yaml] = {}
    for name, zone in game.rules.zones.items():
        pairs = zip(_values_of(zone, opening.contents), _values_of(zone, target.contents), strict=True)
        values = [_content_data(game, zone, new) if _must_be_given(old, new) else None for old, new in pairs]
        nested = _nest_by_keys(game, zone, values)
        if nested is not None:
            given[name] = nested
    states = _changed_states(game, opening, target)
    return {**given, "state": states} if states else given


def _changed_states(game: ScenarioGame, before: State, after: State) -> dict[str, Yaml]:
    states: dict[str, Yaml] = {}
    for name, state in game.rules.states.items():
        pairs = zip(_values_of(state, before.variables), _values_of(state, after.variables), strict=True)
        values = [_state_data(game, state, new) if old != new else None for old, new in pairs]
        nested = _nest_by_keys(game, state, values)
        if nested is not None:
            states[name] = nested
    return states


def _values_of(owner: ZoneDef | StateDef, values: Sequence[T]) -> Sequence[T]:
    return values[owner.first_index : owner.first_index + owner.size]


def _must_be_given(old: Content, new: Content) -> bool:
    """Whether a place must be given; what is loose in a pile follows from all other places."""
    if isinstance(old, Pile) and isinstance(new, Pile):
        has_known_order = bool(new.top or new.bottom) and len(new.things) > 1
        return has_known_order or (bool(old.things) and not new.things)
    return old != new


def _content_data(game: ScenarioGame, zone: ZoneDef, content: Content) -> Yaml:
    if isinstance(zone.content_type, Member):
        members = game.notation.member_ids(zone.content_type.kind)
        return _counts(game, zone.content_type, content_things(content)) or dict.fromkeys(members, 0)
    ids: list[Yaml] = [game.notation.value_to_data(thing, zone.content_type) for thing in content_things(content)]
    return ids or "nothing"


def _counts(game: ScenarioGame, type_: Member, bag: tuple[int, ...]) -> dict[str, Yaml]:
    members = game.notation.member_ids(type_.kind)
    names = game.notation.bag_member_ids(type_.kind)
    return {name: bag[index] for index, name in names.items() if name in members} if bag else {}


def _state_data(game: ScenarioGame, state: StateDef, value: RuntimeValue) -> Yaml:
    data: Yaml = bool(value) if isinstance(state.type, Flag) else game.notation.value_to_data(value, state.type)
    return data


def _nest_by_keys(game: ScenarioGame, owner: ZoneDef | StateDef, values: Sequence[Yaml | None]) -> Yaml | None:
    """Values under their keys, without those that are None; None when nothing is left."""
    if not owner.key_types:
        return values[0]
    nested: dict[str, Yaml] = {}
    for keys, value in zip(product(*owner.key_values), values, strict=True):
        if value is None:
            continue
        *outer, last = [
            game.notation.format_value(key, type_) for key, type_ in zip(keys, owner.key_types, strict=True)
        ]
        inner = nested
        for name in outer:
            child = inner.setdefault(name, {})
            assert isinstance(child, dict)
            inner = child
        inner[last] = value
    return nested or None


# ---- what was done and what came of it -------------------------------------------------------------------------------


def _scenario_text(
    game: ScenarioGame, segment: GameSegment, moment: dict[str, Yaml], name: str, title: str
) -> str | None:
    """The scenario, if it begins as the game was at this moment and ends in the same position."""
    before, first = segment.before, segment.before.first_seat
    player = moment.get("player")
    seat = seat_of_player(player) if isinstance(player, int) else None
    opening = opening_position(game, first, seat, "turn" if moment else "decision")
    if opening is None:
        return None
    given = {**_given_contents(game, take_first_outcomes(game.engine, opening), before), **moment}
    head = [*_head(game, first, title, name), *_lines(4, {"given": given} if given else {})]
    start = _start_of([*head, "    then: {over: false}"], game, first)
    if start is None or not isinstance(start.waiting, Decision) or not _is_same_decision(game, start, before):
        return None
    when, end = _replay(game, segment, start)
    if not _has_same_contents(end, segment.after):
        raise ScenarioExportError(f"{DIFFERENT_END}: the rules read more than a scenario can express")
    lines = [
        *head,
        *(["    when:"] if when else []),
        *[f"      - {json.dumps(line, ensure_ascii=False)}" for line in when],
    ]
    written = (("legal", segment.legal), ("not_legal", segment.not_legal))
    asked: dict[str, Yaml] = {key: list(map(game.notation.format_action, each)) for key, each in written if each}
    text = "\n".join([*lines, *_lines(4, {"then": {**asked, **_then(game, segment.unlike or before, end)}})]) + "\n"
    diagnostics = ScenarioRunner(lambda *_: game.rules).run(parse_case_text(text)).diagnostics
    if diagnostics:
        raise ScenarioExportError(diagnostics[0].message)
    return text


def _start_of(lines: Sequence[str], game: ScenarioGame, first: int) -> State | None:
    """The position in which a scenario begins; None when the game fails there."""
    case, diagnostics = parse_case_text("\n".join(lines)), Diagnostics()
    context = ScenarioContext(game, diagnostics, f"cases.{case.name}")
    given = parse_given(case.given, context, case.name_node)
    try:
        start = None if given is None else build_position(game, given, first, context, case.name_node)
    except RuleFault:
        return None
    if start is None or diagnostics.error_count:
        raise ScenarioExportError(next(iter(diagnostics)).message)
    return start


def _is_same_decision(game: ScenarioGame, state: State, target: State) -> bool:
    """Whether the same seat chooses at the same step among the same actions, with the same contents."""
    decision, target_decision = state.waiting, target.waiting
    if not isinstance(decision, Decision) or not isinstance(target_decision, Decision):
        return False
    return (
        decision[:3] == target_decision[:3]
        and _has_same_contents(state, target)
        and set(game.engine.legal(state)) == set(game.engine.legal(target))
    )


def _has_same_contents(state: State, other: State) -> bool:
    def without_order(content: Content) -> Sequence[int]:
        return sorted(content.things) if isinstance(content, Pile) else content

    contents = list(map(without_order, state.contents))
    return state.variables == other.variables and contents == list(map(without_order, other.contents))


def _replay(game: ScenarioGame, segment: GameSegment, state: State) -> tuple[list[str], State]:
    """The lines of `when`, actions and outcomes of chance, and the position that they lead to."""
    engine, notation = game.engine, game.notation
    when: list[str] = []
    for action, chance_outcomes in zip(segment.actions, segment.chance_outcomes, strict=True):
        legal = engine.legal(state) if isinstance(state.waiting, Decision) else ()
        if action not in legal:
            raise ScenarioExportError(f"{notation.format_action(action)} is not legal in the scenario")
        when.append(notation.format_action(action))
        try:
            state = engine.apply_legal(state, action)
        except RuleFault as error:
            raise ScenarioExportError(str(error)) from None
        remaining = list(chance_outcomes)
        while isinstance(state.waiting, ChanceEvent):
            outcome = _take_outcome(remaining, state.waiting)
            when.append(f"{CHANCE_CALL}({game.format_outcome(state.waiting, outcome)})")
            state = engine.resolve_chance(state, outcome)
    return when, state


def _take_outcome(remaining: list[tuple[ChanceEvent, int]], event: ChanceEvent) -> int:
    """Removes the first recorded outcome that fits a chance event, and returns it."""
    possible = {value for value, _ in event.outcomes}
    for index, (recorded, value) in enumerate(remaining):
        if (recorded.kind, recorded.target) == (event.kind, event.target) and value in possible:
            del remaining[index]
            return value
    raise ScenarioExportError("chance has other outcomes in the scenario")


def _then(game: ScenarioGame, before: State, after: State) -> dict[str, Yaml]:
    """How the position after is, and what is otherwise in it than in the one before."""
    then: dict[str, Yaml] = {}
    if after.over:
        result = game.engine.result(after)
        then = {"over": True, "places": list(result.ranks), "winners": list(map(player_number, result.winners))}
    elif isinstance(after.waiting, Decision):
        address = game.views.step_address(after.waiting)
        then = {"decides": player_number(after.waiting.seat), "step": address, "count": len(game.engine.legal(after))}
    zones: dict[str, Yaml] = {}
    for name, zone in game.rules.zones.items():
        pairs = zip(_values_of(zone, before.contents), _values_of(zone, after.contents), strict=True)
        nested = _nest_by_keys(game, zone, [_changed_content(game, zone, old, new) for old, new in pairs])
        if nested is not None:
            zones[name] = nested
    states = _changed_states(game, before, after)
    changed: tuple[tuple[str, dict[str, Yaml]], ...] = (("zones", zones), ("state", states))
    return {**then, **{key: data for key, data in changed if data}}


def _changed_content(game: ScenarioGame, zone: ZoneDef, old: Content, new: Content) -> Yaml | None:
    if old == new:
        return None
    if isinstance(new, Pile):
        return len(new.things) if len(new.things) != len(content_things(old)) else None
    if isinstance(zone.content_type, Member):
        old_counts = _content_data(game, zone, old)
        new_counts = _content_data(game, zone, new)
        assert isinstance(old_counts, dict)
        assert isinstance(new_counts, dict)
        return {name: count for name, count in new_counts.items() if count != old_counts.get(name)} or None
    return _content_data(game, zone, new)


# ---- the text --------------------------------------------------------------------------------------------------------


def _head(game: ScenarioGame, first: int, title: str, name: str) -> list[str]:
    rules = game.rules
    lines = [
        SCENARIO_SCHEMA_COMMENT,
        f"scenarios: {_quote(title)}",
        f"for: {rules.game}",
        f"language: {LANGUAGE_VERSION}",
        f"players: {rules.players}",
    ]
    if rules.variants:
        lines.append(f"variants: {_flow(list(rules.variants))}")
    if first:
        lines.append(f"first_player: {player_number(first)}")
    return [*lines, "cases:", f"  {name}:"]


def parse_case_text(text: str) -> Case:
    """The first case of a scenario file. Raises `ScenarioExportError` where there is none."""
    diagnostics = Diagnostics()
    with tempfile.TemporaryDirectory(prefix="rulewright-") as folder:
        path = Path(folder) / "scenario.yaml"
        path.write_text(f"{text}\n", encoding="utf-8")
        file = parse_scenario_file(path, diagnostics)
    if file is None:
        raise ScenarioExportError(next(iter(diagnostics)).message)
    return file.cases[0]


def _lines(indent: int, data: Mapping[str, Yaml]) -> Iterator[str]:
    """A mapping in lines: each value on the line of its key where it fits."""
    for key, value in data.items():
        line = f"{' ' * indent}{_quote(key)}: {_flow(value)}"
        if len(line) <= MAX_FLOW_WIDTH or not isinstance(value, dict):
            yield line
        else:
            yield f"{' ' * indent}{_quote(key)}:"
            yield from _lines(indent + 2, value)


def _flow(value: Yaml | list[str]) -> str:
    match value:
        case dict():
            return "{" + ", ".join(f"{_quote(key)}: {_flow(inner)}" for key, inner in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(_flow, value)) + "]"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case _:
            return _quote(value)


def _quote(text: str) -> str:
    is_word = UNQUOTED_WORD.fullmatch(text) and text not in YAML_RESERVED_WORDS
    is_plain = is_word or UNQUOTED_ADDRESS.fullmatch(text) or UNQUOTED_NUMBER.fullmatch(text)
    return text if is_plain else json.dumps(text, ensure_ascii=False)


__all__ = ["GameSegment", "ScenarioExportError", "export_scenario", "export_segments", "parse_case_text"]
