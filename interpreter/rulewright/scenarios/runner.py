"""Plays the scenarios of a game and says which of them do not come out as they should.

In: scenario files. Out: for each case the complaints about it, none when all is as expected; `run_paths` prints them.
A case is read before it is played: `Runner.look` only reads it, and complains of every name that the game does not
have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rulewright.diagnostics import Diagnostic, Diagnostics, Related, render_full
from rulewright.engine.notation import NotationError
from rulewright.engine.reference.choice_domains import TooManyAnswersError
from rulewright.engine.reference.reference_engine import RuleFault
from rulewright.engine.state import Action, ChanceEvent, Decision, State
from rulewright.expr.types import Flag, Member, Number, Type
from rulewright.scenarios import codes
from rulewright.scenarios.assertions import Assertion, EndState
from rulewright.scenarios.expectations import parse_expectations as read_then
from rulewright.scenarios.given import GivenPosition, build_position
from rulewright.scenarios.given import parse_given as read_given
from rulewright.scenarios.scenario_context import ScenarioContext
from rulewright.scenarios.scenario_file import Case, parse_scenario_file
from rulewright.scenarios.scenario_game import (
    RulesLoader,
    ScenarioGame,
    ScenarioGames,
    load_from_files,
    take_first_outcomes,
)
from rulewright.source.nodes import ScalarNode
from rulewright.source.reader import peek_text

CHANCE_CALL: Final = "chance"
_BEGINNING: Final = re.compile(r"^scenarios:", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class CaseResult:
    """How a case came out: it passed when there are no complaints."""

    case: Case
    diagnostics: tuple[Diagnostic, ...]
    rule_diagnostics: tuple[Diagnostic, ...] = ()  # what is wrong with the rules, so that it cannot be played


class ScenarioRunner:
    """Plays cases; rules are loaded once for each game, number of players and variants."""

    def __init__(self, load: RulesLoader = load_from_files) -> None:
        self._tables = ScenarioGames(load)

    def check(self, case: Case, report: Diagnostics) -> None:
        """Looks up every name of a case without playing it; of rules that are wrong that is told, not the case."""
        found = Diagnostics()
        table = self._tables.game_for(case, found)
        causes = self._tables.rule_diagnostics(case)
        report.extend(causes or found)
        if table is not None:
            _read(table, case, ScenarioContext(table, report, f"cases.{case.name}"))

    def run(self, case: Case) -> CaseResult:
        """Plays one case."""
        report = Diagnostics()
        table = self._tables.game_for(case, report)
        if table is not None:
            can_begin = not report.error_count
            desk = ScenarioContext(table, report, f"cases.{case.name}")
            ready = _read(table, case, desk)
            try:
                if ready is not None and can_begin:
                    _play(table, case, ready, desk)
            except RuleFault as fault:
                related = [Related(fault.span, fault.address)] if fault.span is not None else []
                message = f"{fault.address}: {fault.message}"
                report.add(case.span, codes.FAULT_IN_PLAY, message, address=f"cases.{case.name}", related=related)
            except TooManyAnswersError:
                message = "a choice admits more answers than can be listed"
                report.add(case.span, codes.FAULT_IN_PLAY, message, address=f"cases.{case.name}")
        return CaseResult(case, tuple(report), () if table is not None else self._tables.rule_diagnostics(case))


@dataclass(frozen=True, slots=True)
class RunnableCase:
    """A case that can be played: all that it gives and does is known. `wishes`: an action, or None for chance."""

    given: GivenPosition
    attempts: tuple[tuple[ScalarNode, Action | None], ...]
    assertions: tuple[Assertion, ...]


def _read(table: ScenarioGame, case: Case, desk: ScenarioContext) -> RunnableCase | None:
    """The meaning of a case; None when it cannot be played. What is wrong with its expectations is told, and the
    others are still held against what comes.
    """
    given = read_given(case.given, desk, _name(case))
    before = desk.diagnostics.error_count
    wishes = tuple((item, _wish(table, item, desk)) for item in case.when)
    playable = given is not None and desk.diagnostics.error_count == before
    last = next((item for item in reversed(case.when) if not _is_chance(table, (item,))), None)
    claims = tuple(read_then(case.then, desk, last))
    return RunnableCase(given, wishes, claims) if given is not None and playable else None


def _name(case: Case) -> ScalarNode:
    return ScalarNode(case.name, case.name, case.span)


def _wish(table: ScenarioGame, item: ScalarNode, desk: ScenarioContext) -> Action | None:
    if not _is_chance(table, (item,)):
        return desk.parse_action(item)
    wrong = [error for type_ in _drawn(table) if (error := _unread(table, item, type_))]
    if len(wrong) == len(_drawn(table)):
        message = wrong[0] if len(wrong) == 1 else f"chance gives nothing that is called {_spoken(item)!r}"
        desk.report(item, codes.NOT_AN_ACTION, message)
    return None


def _play(table: ScenarioGame, case: Case, ready: RunnableCase, desk: ScenarioContext) -> None:
    wait = _is_chance(table, case.when[:1])
    state = build_position(table, ready.given, case.first_seat, desk, _name(case), keep_chance=wait)
    reached = None if state is None else _done(table, state, ready.attempts, desk)
    if reached is not None:
        for claim in ready.assertions:
            claim(reached)


def _done(
    table: ScenarioGame, state: State, wishes: Sequence[tuple[ScalarNode, Action | None]], desk: ScenarioContext
) -> EndState | None:
    """Plays the actions. After each, chance speaks as the case says, else with its first outcome."""
    last: ScalarNode | None = None
    for at, (item, wish) in enumerate(wishes):
        if wish is None:
            if not isinstance(state.waiting, ChanceEvent):
                desk.report(item, codes.STOPPED_BEFORE, "the game does not wait for chance here")
                return None
            outcome = _outcome(table, state.waiting, item, desk)
            if outcome is None:
                return None
            state = table.engine.resolve_chance(state, outcome)
        else:
            waiting = state.waiting
            options = table.engine.legal(state) if isinstance(waiting, Decision) else ()
            action = desk.notation.match_action(wish, options)
            if action is None:
                seat = waiting.seat if isinstance(waiting, Decision) else 0
                reasons = table.explainer.why_not(state, seat, wish)
                if at == len(wishes) - 1 and (reasons or not isinstance(waiting, Decision)):
                    return EndState(table, state, item, reasons)
                why = "; ".join(f"{one.address}: {one.sentence}" for one in reasons) or "its choices are not complete"
                desk.report(item, codes.STOPPED_BEFORE, f"this is not legal: {why.rstrip('.')}")
                return None
            state = table.engine.apply_legal(state, action)
            last = item
        if not any(following is None for _, following in wishes[at + 1 : at + 2]):
            state = take_first_outcomes(table.engine, state)
    return EndState(table, state, last, None)


# ---- chance that is not the first outcome -----------------------------------------------------------------------


def _is_chance(table: ScenarioGame, items: Sequence[ScalarNode]) -> bool:
    """Whether the next item is `chance(outcome)`, in a game without an action of that name."""
    return bool(items) and items[0].text.startswith(f"{CHANCE_CALL}(") and table.rules.find_action(CHANCE_CALL) is None


def _spoken(item: ScalarNode) -> str:
    return item.text.strip().removeprefix(f"{CHANCE_CALL}(").removesuffix(")")


def _drawn(table: ScenarioGame) -> tuple[Type, ...]:
    """All that chance could speak of: what lies in places, and states that can be rolled."""
    held = [zone.content_type for zone in table.rules.zones.values()]
    rolled = [one.type for one in table.rules.states.values() if isinstance(one.type, Number | Member | Flag)]
    return tuple(dict.fromkeys([*held, *rolled]))


def _unread(table: ScenarioGame, item: ScalarNode, type_: Type) -> str:
    return "; ".join(str(error) for error in table.views.notation.value_errors(_spoken(item), type_))


def _outcome(table: ScenarioGame, waiting: ChanceEvent, item: ScalarNode, desk: ScenarioContext) -> int | None:
    text = _spoken(item)
    type_ = _type_of(table, waiting)
    pooled = waiting.kind == "draw" and isinstance(type_, Member)
    # the outcomes of a pool are places in a bag, which for a kind of numbers are not its members
    names = desk.notation.bag_member_ids(type_.kind) if isinstance(type_, Member) else {}
    possible = {
        names[value] if pooled else desk.notation.format_value(value, type_): value for value, _ in waiting.outcomes
    }
    try:
        read = desk.notation.format_value(desk.notation.parse_value(text, type_), type_)
    except NotationError as error:
        desk.report(item, codes.NOT_AN_ACTION, str(error))
        return None
    if read not in possible:
        shown = ", ".join(list(possible)[:12])
        desk.report(item, codes.STOPPED_BEFORE, f"chance cannot give {text} here; it can give {shown}")
        return None
    return possible[read]


def _type_of(table: ScenarioGame, waiting: ChanceEvent) -> Type:
    if waiting.kind == "draw":
        return table.engine.layout.visibility.zone_by_place[waiting.target].content_type
    states = table.rules.states.values()
    return next(one.type for one in states if one.first_index <= waiting.target < one.first_index + one.size)


# ---- many files -----------------------------------------------------------------------------------------------


def find_scenario_files(paths: Iterable[Path]) -> list[Path]:
    """The files named, and from folders named all files of scenarios below them."""
    found: list[Path] = []
    for path in paths:
        below = sorted(path.rglob("*.yaml")) if path.is_dir() else []
        found.extend([one for one in below if _BEGINNING.search(peek_text(one, within=path))])
        found.extend([] if path.is_dir() else [path])
    return found


def run_scenario_files(paths: Sequence[Path], *, write: Callable[[str], None]) -> int:
    """Plays all cases of some files or folders, writes a line for each file and every failure in full, and gives the
    number of failures; a file that cannot be read is one.
    """
    runner = ScenarioRunner()
    passed = failed = 0
    told: set[str] = set()  # what several cases cannot be played for is told once
    for path in find_scenario_files(paths):
        report = Diagnostics()
        file = parse_scenario_file(path, report)
        if file is None:
            failed += 1
            write(f"{path}: cannot be used")
            _write_all(report, write)
            continue
        outcomes = [runner.run(case) for case in file.cases]
        wrong = [one for one in outcomes if one.diagnostics]
        passed, failed = passed + len(outcomes) - len(wrong), failed + len(wrong)
        counts = f"{len(outcomes) - len(wrong)} passed" + (f", {len(wrong)} failed" if wrong else "")
        write(f"{path}: {counts}")
        alike = 0
        for one in wrong:
            lacking = [cause for cause in one.diagnostics if cause.code is codes.CANNOT_BE_PLAYED]
            reasons = [cause for cause in (*one.rule_diagnostics, *lacking) if _reason(cause) not in told]
            told.update(map(_reason, reasons))
            rest = [other for other in one.diagnostics if other not in lacking]
            alike += not reasons and not rest
            _write_all((*reasons, *rest), write)
        if alike:
            write(f"\nfor the same reason {alike} {'case' if alike == 1 else 'cases'} more cannot be played\n")
    write(f"{passed} passed, {failed} failed")
    return failed


def _reason(one: Diagnostic) -> str:
    return f"{one.span} {one.code.name} {one.message}"


def _write_all(complaints: Iterable[Diagnostic], write: Callable[[str], None]) -> None:
    for one in complaints:
        write(f"\n{render_full(one)}\n")


__all__ = ["Case", "CaseResult", "ScenarioRunner", "find_scenario_files", "parse_scenario_file", "run_scenario_files"]
