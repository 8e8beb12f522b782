"""A played game, or one action of it, told as a scenario that anybody can run as a test.

In: a session and perhaps the number of an action. Out: the text of a scenario file: the position before, what was done,
how chance fell, and what came of it. It is run before it is given out; what a scenario cannot say (an answer
half given) raises `NoScenario`.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Final

from rulewright.diagnostics import Diagnostics
from rulewright.engine.faults import RuleFault
from rulewright.engine.reference.choice_domains import TooManyAnswersError
from rulewright.engine.state import Action, ChanceEvent, Decision, State
from rulewright.engine.values import Pile
from rulewright.errors import RulewrightError
from rulewright.expr.types import Flag, Member
from rulewright.model.rules import StateDef, ZoneDef
from rulewright.scenarios.given import build_position
from rulewright.scenarios.given import parse_given as read_given
from rulewright.scenarios.runner import ScenarioRunner
from rulewright.scenarios.scenario_context import ScenarioContext
from rulewright.scenarios.scenario_file import Case, parse_scenario_file
from rulewright.scenarios.scenario_game import ScenarioGame, make_game, opening_position, take_first_outcomes
from rulewright.session.session import Session
from rulewright.source.nodes import ScalarNode

SCENARIO_SCHEMA_COMMENT: Final = "# yaml-language-server: $schema=../../schemas/scenarios.schema.json"
UNQUOTED_WORD: Final = re.compile(r"[a-z][a-z0-9_]*")
MAX_FLOW_WIDTH: Final = 110
YAML_RESERVED_WORDS: Final = frozenset({"yes", "no", "on", "off", "true", "false", "null", "y", "n"})
CHANCE: Final = "chance"


class ScenarioExportError(RulewrightError):
    """What cannot be told as a scenario; the text says why."""


@dataclass(frozen=True, slots=True)
class GameSegment:
    """What a scenario is to tell: the position before, what was done and how chance fell, the position after."""

    before: State
    after: State
    actions: tuple[Action, ...]
    chance_outcomes: tuple[tuple[tuple[ChanceEvent, int], ...], ...]  # after each action


def export_scenario(session: Session, number: int | None, title: str) -> str:
    """The scenario file of a whole game (None) or of the action with that number, from 1. Raises `NoScenario`."""
    if number == 0:
        raise ScenarioExportError("at 0 nothing has been done; actions are counted from 1")
    if not session.match.history:
        raise ScenarioExportError("nothing has been done")
    table = make_game(session.rules)
    name = "whole_game" if number is None else f"action_{number}"
    start, stop = _bounds(session, number)
    said = "it does not come out the same"
    for begin in dict.fromkeys((start, 0)):
        stretch = _stretch(session, begin, stop)
        for moment in _moments(table, stretch.before):
            try:
                text = _written(table, stretch, moment, name, title)
            except ScenarioExportError as wrong:
                said = str(wrong)
                continue
            if text is not None:
                return text
    raise ScenarioExportError(said)


def _bounds(session: Session, number: int | None) -> tuple[int, int]:
    """Positions by number between which whole answers lie."""
    states = session.states
    if number is None:
        return 0, len(states) - 1
    start, stop = number - 1, number
    while start and _half(states[start]):
        start -= 1
    while stop < len(states) - 1 and _half(states[stop]):
        stop += 1
    if _half(states[stop]):
        raise ScenarioExportError("the answer is only half given")
    return start, stop


def _half(state: State) -> bool:
    return isinstance(state.waiting, Decision) and state.waiting.partial_action is not None


def _stretch(session: Session, start: int, stop: int) -> GameSegment:
    actions, fell = [], []
    for done, before in zip(session.match.history[start:stop], session.states[start:stop], strict=True):
        whole = session.engine.complete_action(before, done.action) if done.action.number >= 0 else done.action
        if isinstance(whole, Action):
            actions.append(whole)
            fell.append(done.chance_outcomes)
    return GameSegment(session.states[start], session.states[stop], tuple(actions), tuple(fell))


# ---- the position before ---------------------------------------------------------------------------------------------


def _moments(table: ScenarioGame, state: State) -> Iterator[dict[str, Any]]:
    """The ways to say at which moment the game stands, the shortest first."""
    yield {}
    decision = state.waiting
    if isinstance(decision, Decision):
        seat = table.views.turn_seat(state)
        where = {} if seat is None else {"seat": seat}
        if where:
            yield where
        yield {**where, "step": table.views.step_address(decision)}
        if state.round > 1:
            yield {**where, "step": table.views.step_address(decision), "round": state.round}


def _laid(table: ScenarioGame, opened: State, wanted: State) -> dict[str, Any]:
    """Contents and states in which a position differs from the one that the scenario opens with."""
    given: dict[str, Any] = {}
    for name, zone in table.rules.zones.items():
        found = _by_key(
            table,
            zone,
            [
                _content(table, zone, now) if _differs(was, now) else None
                for was, now in zip(_of(zone, opened.contents), _of(zone, wanted.contents), strict=True)
            ],
        )
        if found is not None:
            given[name] = found
    states: dict[str, Any] = {}
    for name, one in table.rules.states.items():
        values = zip(_of(one, opened.variables), _of(one, wanted.variables), strict=True)
        found = _by_key(table, one, [_value(table, one, now) if was != now else None for was, now in values])
        if found is not None:
            states[name] = found
    return {**given, **({"state": states} if states else {})}


def _of(owner: ZoneDef | StateDef, values: Sequence[Any]) -> Sequence[Any]:
    return values[owner.first_index : owner.first_index + owner.size]


def _differs(was: Any, now: Any) -> bool:
    """Whether a place must be laid out; what lies loose in a pile follows from all the others."""
    if isinstance(now, Pile):
        known = now.top or now.bottom
        return bool(known and len(now.things) > 1) or (bool(was.things) != bool(now.things) and not now.things)
    return bool(was != now)


def _content(table: ScenarioGame, zone: ZoneDef, content: Any) -> Any:
    if isinstance(zone.content_type, Member):
        info = table.rules.kinds[zone.content_type.kind]
        names = table.views.notation.bag_member_ids(zone.content_type.kind)
        family = {name: content[at] for at, name in names.items() if name in info.members} if content else {}
        return family or dict.fromkeys(info.members, 0)
    things = content.things if isinstance(content, Pile) else content
    return [table.views.notation.value_to_data(thing, zone.content_type) for thing in things] or "nothing"


def _value(table: ScenarioGame, one: StateDef, value: Any) -> Any:
    return bool(value) if isinstance(one.type, Flag) else table.views.notation.value_to_data(value, one.type)


def _by_key(table: ScenarioGame, owner: ZoneDef | StateDef, values: Sequence[Any]) -> Any:
    """Values under their keys, those that are None left out; None when nothing is left."""
    if not owner.key_types:
        return values[0]
    found: dict[str, Any] = {}
    for keys, value in zip(product(*owner.key_values), values, strict=True):
        if value is not None:
            inner = found
            names = [
                table.views.notation.format_value(key, type_) for key, type_ in zip(keys, owner.key_types, strict=True)
            ]
            for name in names[:-1]:
                inner = inner.setdefault(name, {})
            inner[names[-1]] = value
    return found or None


# ---- what was done and what came of it -------------------------------------------------------------------------------


def _written(table: ScenarioGame, stretch: GameSegment, moment: dict[str, Any], name: str, title: str) -> str | None:
    """The scenario, if it begins as the game stood at this moment and comes out as it did."""
    before, first = stretch.before, stretch.before.first_seat
    seat = moment.get("seat")
    opened = opening_position(table, first, seat, "turn" if moment else "decision")
    if opened is None:
        return None
    given = {**_laid(table, take_first_outcomes(table.engine, opened), before), **moment}
    head = _head(table, first, title, name)
    case, diagnostics = _case([*head, *_lines(4, {"given": given} if given else {}), "    then: {over: false}"])
    desk = ScenarioContext(table, diagnostics, f"cases.{name}")
    spot = ScalarNode(name, name, case.span)
    wanted = read_given(case.given, desk, spot)
    try:
        state = None if wanted is None else build_position(table, wanted, first, desk, spot)
    except RuleFault:
        return None  # begun there, the game could not go on
    if state is None or diagnostics.error_count:
        raise ScenarioExportError(next(iter(diagnostics)).message)
    if not isinstance(state.waiting, Decision) or not _alike(table, state, before):
        return None
    when, reached = _when(table, stretch, state)
    if not _same(reached, stretch.after):
        raise ScenarioExportError("it does not come out the same, for rules that look at more than a scenario can say")
    then = _then(table, before, reached)
    lines = [*head, *_lines(4, {"given": given} if given else {})]
    lines += ["    when:", *[f"      - {json.dumps(one, ensure_ascii=False)}" for one in when]]
    text = "\n".join([*lines, *_lines(4, {"then": then})]) + "\n"
    case, _ = _case(text.splitlines())
    complaints = ScenarioRunner(lambda *_: table.rules).run(case).diagnostics
    if complaints:
        raise ScenarioExportError(complaints[0].message)
    return text


def _alike(table: ScenarioGame, state: State, wanted: State) -> bool:
    """Whether the same seat chooses at the same step among the same actions, with the same on the table."""
    one, other = state.waiting, wanted.waiting
    if not isinstance(one, Decision) or not isinstance(other, Decision):
        return False
    return (
        (one.seat, one.block, one.step) == (other.seat, other.block, other.step)
        and _same(state, wanted)
        and set(table.engine.legal(state)) == set(table.engine.legal(wanted))
    )


def _same(one: State, other: State) -> bool:
    def plain(content: Any) -> Any:
        return sorted(content.things) if isinstance(content, Pile) else content

    return one.variables == other.variables and list(map(plain, one.contents)) == list(map(plain, other.contents))


def _when(table: ScenarioGame, stretch: GameSegment, state: State) -> tuple[list[str], State]:
    """The lines of what was done, with how chance fell, and the position that they lead to."""
    engine, notation = table.engine, table.views.notation
    when: list[str] = []
    for action, fell in zip(stretch.actions, stretch.chance_outcomes, strict=True):
        legal = engine.legal(state) if isinstance(state.waiting, Decision) else ()
        if action not in legal:
            raise ScenarioExportError(f"{notation.format_action(action)} is not legal in the scenario")
        when.append(notation.format_action(action))
        try:
            state = engine.apply_legal(state, action)
        except (RuleFault, TooManyAnswersError) as fault:
            raise ScenarioExportError(str(fault)) from None
        left = list(fell)
        while isinstance(state.waiting, ChanceEvent):
            outcomes = {value for value, _ in state.waiting.outcomes}
            at = (state.waiting.kind, state.waiting.target)
            value = next(
                (value for event, value in left if (event.kind, event.target) == at and value in outcomes), None
            )
            if value is None:
                raise ScenarioExportError("chance falls otherwise in the scenario")
            left.remove(next(one for one in left if (one[0].kind, one[0].target) == at and one[1] == value))
            when.append(f"{CHANCE}({_outcome(table, state.waiting, value)})")
            state = engine.resolve_chance(state, value)
    return when, state


def _meant(fell: tuple[ChanceEvent, int], event: ChanceEvent) -> bool:
    """Whether chance that fell in the game is an outcome of an event in the scenario."""
    was, outcome = fell
    return (was.kind, was.target) == (event.kind, event.target) and outcome in [value for value, _ in event.outcomes]


def _outcome(table: ScenarioGame, event: ChanceEvent, value: int) -> str:
    notation = table.views.notation
    if event.kind == "draw":
        holds = table.engine.layout.visibility.zone_by_place[event.target].content_type
        return (
            notation.bag_member_ids(holds.kind)[value]
            if isinstance(holds, Member)
            else notation.format_value(value, holds)
        )
    states = table.rules.states.values()
    type_ = next(one.type for one in states if one.first_index <= event.target < one.first_index + one.size)
    return notation.format_value(bool(value) if isinstance(type_, Flag) else value, type_)


def _then(table: ScenarioGame, before: State, after: State) -> dict[str, Any]:
    then: dict[str, Any] = {}
    if after.over:
        result = table.engine.result(after)
        then.update(over=True, places=list(result.ranks), winners=list(result.winners))
    elif isinstance(after.waiting, Decision):
        then.update(decides=after.waiting.seat, step=table.views.step_address(after.waiting))
        then["count"] = len(table.engine.legal(after))
    zones: dict[str, Any] = {}
    for name, zone in table.rules.zones.items():
        pairs = zip(_of(zone, before.contents), _of(zone, after.contents), strict=True)
        found = _by_key(table, zone, [_changed(table, zone, was, now) for was, now in pairs])
        if found is not None:
            zones[name] = found
    states: dict[str, Any] = {}
    for name, one in table.rules.states.items():
        values = zip(_of(one, before.variables), _of(one, after.variables), strict=True)
        found = _by_key(table, one, [_value(table, one, now) if was != now else None for was, now in values])
        if found is not None:
            states[name] = found
    return {**then, **({"zones": zones} if zones else {}), **({"state": states} if states else {})}


def _changed(table: ScenarioGame, zone: ZoneDef, was: Any, now: Any) -> Any:
    if was == now:
        return None
    if isinstance(now, Pile):
        return len(now.things) if len(now.things) != len(was.things) else None
    if isinstance(zone.content_type, Member):
        new, old = _content(table, zone, now), _content(table, zone, was)
        return {name: count for name, count in new.items() if count != old.get(name)} or None
    return _content(table, zone, now)


# ---- the text --------------------------------------------------------------------------------------------------------


def _head(table: ScenarioGame, first: int, title: str, name: str) -> list[str]:
    rules = table.rules
    lines = [
        SCENARIO_SCHEMA_COMMENT,
        f"scenarios: {_quoted(f'played, {title}')}",
        f"for: {rules.game}",
        f"players: {rules.players}",
    ]
    if rules.variants:
        lines.append(f"variants: {_flow(list(rules.variants))}")
    if first:
        lines.append(f"first_seat: {first}")
    return [*lines, "cases:", f"  {name}:"]


def _case(lines: Sequence[str]) -> tuple[Case, Diagnostics]:
    diagnostics = Diagnostics()
    with tempfile.TemporaryDirectory(prefix="rulewright-") as folder:
        path = Path(folder) / "scenario.yaml"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        file = parse_scenario_file(path, diagnostics)
    if file is None:
        raise ScenarioExportError(next(iter(diagnostics)).message)
    return file.cases[0], Diagnostics()


def _lines(indent: int, data: dict[str, Any]) -> Iterator[str]:
    """A mapping in lines: each value on the line of its key where it fits there."""
    for key, value in data.items():
        line = f"{' ' * indent}{_quoted(key)}: {_flow(value)}"
        if len(line) <= MAX_FLOW_WIDTH or not isinstance(value, dict):
            yield line
        else:
            yield f"{' ' * indent}{_quoted(key)}:"
            yield from _lines(indent + 2, value)


def _flow(value: Any) -> str:
    match value:
        case dict():
            return "{" + ", ".join(f"{_quoted(key)}: {_flow(one)}" for key, one in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(_flow, value)) + "]"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case _:
            return _quoted(str(value))


def _quoted(text: str) -> str:
    plain = (UNQUOTED_WORD.fullmatch(text) and text not in YAML_RESERVED_WORDS) or re.fullmatch(
        r"[a-z_]+(\.[a-z0-9_]+)+", text
    )
    return text if plain or re.fullmatch(r"0|[1-9]\d{0,8}", text) else json.dumps(text, ensure_ascii=False)


__all__ = ["ScenarioExportError", "export_scenario"]
