"""Plays the scenarios of a game and says which of them fail.

In: scenario files. Out: for each case its diagnostics, none when all is as expected. A case is read before it is
played: `ScenarioRunner.check` only reads it, and reports every name that the game does not have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from rulewright.diagnostics import Diagnostic, Diagnostics, Related
from rulewright.engine.faults import RuleFault
from rulewright.engine.state import Action, ChanceEvent, Decision, State
from rulewright.engine.value_notation import NotationError
from rulewright.errors import quote
from rulewright.expr.types import Flag, Member, Number, Type
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.scenarios import codes
from rulewright.scenarios.assertions import Assertion, EndState, describe_incomplete, format_refusal, join_limited
from rulewright.scenarios.expectations import parse_expectations
from rulewright.scenarios.given import GivenPosition, parse_given
from rulewright.scenarios.possible_answers import has_possible_answers
from rulewright.scenarios.scenario_context import ScenarioContext
from rulewright.scenarios.scenario_file import Case, parse_scenario_file
from rulewright.scenarios.scenario_game import (
    GameKey,
    GameMaker,
    RulesLoader,
    ScenarioGame,
    ScenarioGames,
    load_from_files,
    take_first_outcomes,
)
from rulewright.scenarios.starting_position import OpeningKey, build_position, check_contents
from rulewright.source.file_text import files_below
from rulewright.source.nodes import ScalarNode
from rulewright.source.reader import peek_text

CHANCE_CALL: Final = "chance"
SCENARIO_FILE_PATTERN: Final = lazy_pattern(r"^scenarios:", re.MULTILINE)


@frozen
class CaseResult:
    """How a case came out: it passed when there are no diagnostics."""

    case: Case
    diagnostics: tuple[Diagnostic, ...]
    rule_diagnostics: tuple[Diagnostic, ...] = ()  # errors in the rules, because of which it cannot be played


@frozen
class FileResult:
    """How the cases of a file came out; `diagnostics` say why a file without `cases` cannot be used."""

    path: Path
    cases: tuple[CaseResult, ...]
    diagnostics: Diagnostics
    is_usable: bool

    @property
    def failures(self) -> tuple[CaseResult, ...]:
        """The cases that failed."""
        return tuple(result for result in self.cases if result.diagnostics)


class ScenarioRunner:
    """Plays cases; rules are loaded once for each game, number of players and variants."""

    def __init__(self, load: RulesLoader = load_from_files, make: GameMaker | None = None) -> None:
        self._games = ScenarioGames(load, make)
        self._openings: dict[GameKey, dict[OpeningKey, State | None]] = {}

    def key_of(self, case: Case) -> GameKey:
        """What a case is played with."""
        return self._games.key_of(case)

    def check(self, case: Case, diagnostics: Diagnostics) -> None:
        """Looks up every name of a case, and whether there is what it gives, without playing it. Errors in its rules
        are reported instead of the case.
        """
        case_diagnostics = Diagnostics()
        game = self._games.game_for(case, case_diagnostics)
        diagnostics.extend(self._games.rule_diagnostics(case) or case_diagnostics)
        if game is None:
            return
        can_start = not case_diagnostics.error_count
        context = ScenarioContext(game, diagnostics, f"cases.{case.name}")
        runnable = parse_case(game, case, context)
        if runnable is not None and can_start:
            with suppress(RuleFault):  # told of the rules
                openings = self._openings.setdefault(self.key_of(case), {})
                check_contents(game, runnable.given, case.first_seat, context, openings)

    def run(self, case: Case) -> CaseResult:
        """Plays one case."""
        diagnostics, address = Diagnostics(), f"cases.{case.name}"
        game = self._games.game_for(case, diagnostics)
        if game is None:
            return CaseResult(case, tuple(diagnostics), self._games.rule_diagnostics(case))
        can_start = not diagnostics.error_count
        context = ScenarioContext(game, diagnostics, address)
        runnable = parse_case(game, case, context)
        try:
            if runnable is not None and can_start:
                _play(game, case, runnable, context)
        except RuleFault as fault:
            related = [Related(fault.span, fault.address)] if fault.span is not None else []
            message = f"{fault.address}: {fault.message}"
            diagnostics.add(case.span, codes.FAULT_IN_PLAY, message, address=address, related=related)
        return CaseResult(case, tuple(diagnostics))


@frozen
class RunnableCase:
    """A case whose position and actions are all known. `attempts`: an action, or None for chance."""

    given: GivenPosition
    attempts: tuple[tuple[ScalarNode, Action | None], ...]
    assertions: tuple[Assertion, ...]


def parse_case(game: ScenarioGame, case: Case, context: ScenarioContext) -> RunnableCase | None:
    """The meaning of a case; None when it cannot be played.

    An expectation that is wrong is reported; the case is still played and the others are checked.
    """
    given = parse_given(case.given, context, case.name_node)
    errors_before = context.diagnostics.error_count
    attempts = tuple((item, _parse_attempt(game, item, context)) for item in case.when)
    is_playable = context.diagnostics.error_count == errors_before
    actions = [item for item in case.when if not is_chance(game, item)]
    last_action = actions[-1] if actions else None
    is_playable &= all(has_possible_answers(context, item) for item in actions[:-1])
    assertions = tuple(parse_expectations(case.then, context, last_action))
    return RunnableCase(given, attempts, assertions) if given is not None and is_playable else None


def _parse_attempt(game: ScenarioGame, item: ScalarNode, context: ScenarioContext) -> Action | None:
    if not is_chance(game, item):
        return context.parse_action(item)
    types = chance_types(game)
    errors = [error for type_ in types if (error := outcome_error(game, item, type_))]
    if len(errors) == len(types):
        message = errors[0] if len(errors) == 1 else f"no chance event has an outcome {quote(outcome_text(item))}"
        context.report(item, codes.NOT_AN_ACTION, message)
    return None


def _play(game: ScenarioGame, case: Case, runnable: RunnableCase, context: ScenarioContext) -> None:
    keeps_chance = bool(case.when) and is_chance(game, case.when[0])
    start = build_position(game, runnable.given, case.first_seat, context, case.name_node, keep_chance=keeps_chance)
    end = None if start is None else _play_attempts(game, start, runnable.attempts, context)
    if end is not None:
        for index, check_assertion in enumerate(runnable.assertions):
            errors_before = context.diagnostics.error_count
            check_assertion(end)
            if index == 0 and end.refusal_reasons is not None and context.diagnostics.error_count > errors_before:
                return  # the first asks whether the last action was legal: without it the rest means nothing


def _play_attempts(
    game: ScenarioGame, state: State, attempts: Sequence[tuple[ScalarNode, Action | None]], context: ScenarioContext
) -> EndState | None:
    """Plays the actions. After each, chance gives the outcomes of the case, else always the first."""
    last_action: ScalarNode | None = None
    for index, (item, attempt) in enumerate(attempts):
        if attempt is None:
            outcome = _chance_outcome(game, state, item, context)
            if outcome is None:
                return None
            state = game.engine.resolve_chance(state, outcome)
        else:
            waiting = state.waiting
            options = game.engine.legal(state) if isinstance(waiting, Decision) else ()
            action = context.notation.match_action(attempt, options)
            if action is None:
                seat = waiting.seat if isinstance(waiting, Decision) else 0
                reasons = game.explainer.why_not(state, seat, attempt)
                if index == len(attempts) - 1 and (reasons or not isinstance(waiting, Decision)):
                    return EndState(game, state, item, reasons)
                why = format_refusal(reasons) or describe_incomplete(attempt, options, context)
                context.report(item, codes.STOPPED_BEFORE, f"`{item.text}` is not legal: {why}")
                return None
            state = game.engine.apply_legal(state, action)
            last_action = item
        is_chance_next = index + 1 < len(attempts) and attempts[index + 1][1] is None
        if not is_chance_next:
            state = take_first_outcomes(game.engine, state)
    return EndState(game, state, last_action, None)


# ---- chance that is not the first outcome -----------------------------------------------------------------------


def is_chance(game: ScenarioGame, item: ScalarNode) -> bool:
    """Whether an item is `chance(outcome)`, in a game without an action of that name."""
    return item.text.startswith(f"{CHANCE_CALL}(") and game.rules.find_action(CHANCE_CALL) is None


def outcome_text(item: ScalarNode) -> str:
    """The outcome in `chance(outcome)`."""
    return item.text.strip().removeprefix(f"{CHANCE_CALL}(").removesuffix(")")


def chance_types(game: ScenarioGame) -> tuple[Type, ...]:
    """The types of all possible outcomes: what is in places, and states that can be rolled."""
    contents = [zone.content_type for zone in game.rules.zones.values()]
    states = [state.type for state in game.rules.states.values() if isinstance(state.type, Number | Member | Flag)]
    return tuple(dict.fromkeys([*contents, *states]))


def outcome_error(game: ScenarioGame, item: ScalarNode, type_: Type) -> str:
    """Why an outcome is none of that type; empty when it can be one."""
    return "; ".join(str(error) for error in game.notation.value_errors(outcome_text(item), type_))


def _chance_outcome(game: ScenarioGame, state: State, item: ScalarNode, context: ScenarioContext) -> int | None:
    """The outcome that a case gives to the pending chance event; None, with a diagnostic, when there is none."""
    event, notation = state.waiting, context.notation
    if not isinstance(event, ChanceEvent):
        context.report(item, codes.STOPPED_BEFORE, "the game is not waiting for chance here")
        return None
    text, type_ = outcome_text(item), game.outcome_type(event)
    outcomes = {game.format_outcome(event, value): value for value, _ in event.outcomes}
    try:
        name = notation.format_value(notation.parse_value(text, type_), type_)
    except NotationError as error:
        context.report(item, codes.NOT_AN_ACTION, str(error))
        return None
    if name not in outcomes:
        message = f"{text} cannot come up here, expected one of {join_limited(list(outcomes))}"
        context.report(item, codes.STOPPED_BEFORE, message)
        return None
    return outcomes[name]


# ---- many files -----------------------------------------------------------------------------------------------


def find_scenario_files(paths: Iterable[Path]) -> list[Path]:
    """The files among the paths, and all scenario files below the folders among them."""
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            below = sorted(files_below(path, "*.yaml"))
            files += [file for file in below if SCENARIO_FILE_PATTERN.search(peek_text(file, within=path))]
        else:
            files.append(path)
    return files


def run_scenario_files(paths: Iterable[Path], run: Callable[[Case], CaseResult] | None = None) -> Iterator[FileResult]:
    """Plays all cases of some files and folders, file by file. `run`: what plays a case."""
    run = run or ScenarioRunner().run
    for path in find_scenario_files(paths):
        diagnostics = Diagnostics()
        file = parse_scenario_file(path, diagnostics)
        cases = tuple(map(run, file.cases)) if file is not None else ()
        yield FileResult(path, cases, diagnostics, is_usable=file is not None)


__all__ = [
    "CaseResult",
    "FileResult",
    "ScenarioRunner",
    "chance_types",
    "find_scenario_files",
    "is_chance",
    "outcome_error",
    "outcome_text",
    "parse_case",
    "run_scenario_files",
]
