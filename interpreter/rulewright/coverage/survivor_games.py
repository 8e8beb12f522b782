"""For a fault that no scenario notices: does any game differ, and which case would notice it?

In: the task of a mutant. Out: whether all games are alike, where there are few positions; else a `Hint`: where a game
by these rules first differs from one by the rules as they are, and a case, written and tried, that the one keep and the
others do not. Games begin where the scenarios begin that come by the rule, and at the beginning of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Final

from rulewright.coverage.case_traces import case_name
from rulewright.coverage.game_differences import GameDifference, GameLimits, GamePair, MutantStart
from rulewright.coverage.mutation_run import NOTICED, Hint, MutationTask, changed_rules, find_case, unchanged_rules
from rulewright.diagnostics import Diagnostics, RulesError
from rulewright.engine.default_engine import make_engine
from rulewright.engine.faults import RuleFault
from rulewright.engine.state import State
from rulewright.frozen import replace
from rulewright.scenarios.export_scenario import (
    GameSegment,
    ScenarioExportError,
    export_segments,
    parse_case_text,
)
from rulewright.scenarios.runner import ScenarioRunner, parse_case
from rulewright.scenarios.scenario_context import ScenarioContext
from rulewright.scenarios.scenario_file import Case
from rulewright.scenarios.scenario_game import GameKey, ScenarioGame, make_game
from rulewright.scenarios.starting_position import build_position

MAX_KEYS: Final = 3  # rules that have the fault
MAX_CASES: Final = 12  # in whose positions games begin
FROM_CASE: Final = GameLimits(games=20, decisions=60, of_one=12)
FROM_BEGINNING: Final = GameLimits(games=60, decisions=1_000, of_one=250)
MAX_POSITIONS: Final = 4_000  # of games all of whose positions are looked at
CASE_NAME: Final = "notices_it"


def find_hint(task: MutationTask) -> Hint:
    """Plays the mutant beside the rules until they differ."""
    for key in task.keys[:MAX_KEYS]:
        game = _game(key)
        try:
            changed = make_game(changed_rules(task, key))
        except (RulesError, RuleFault):
            continue
        pair = GamePair(game.engine, changed.engine)
        found = pair.search(_case_starts(task, key, game, changed), FROM_CASE)
        found = found or pair.search([MutantStart("", _beginnings(pair))], FROM_BEGINNING)
        if found is not None:
            return Hint(_words(found, pair), _write_case(task, game, changed, found))
    return Hint()


def count_alike_positions(task: MutationTask) -> int:
    """How many positions the games by all rules with the fault have, if all are alike; 0 where they are not, or are
    too many to look at.
    """
    if not all(map(_is_small, task.keys)):
        return 0
    total = 0
    for key in task.keys:
        try:
            changed = make_engine(changed_rules(task, key))
        except (RulesError, RuleFault):
            continue
        alike = GamePair(_game(key).engine, changed).count_alike(MAX_POSITIONS)
        if alike is None:
            return 0
        total += alike
    return total


@cache
def _is_small(key: GameKey) -> bool:
    engine = _game(key).engine
    return GamePair(engine, engine).count_alike(MAX_POSITIONS) is not None


@cache
def _game(key: GameKey) -> ScenarioGame:
    return make_game(unchanged_rules(key))


def _beginnings(pair: GamePair) -> tuple[Callable[[int], State], Callable[[int], State]]:
    one, other = pair.engines
    return lambda seed: one.start(seed=seed), lambda seed: other.start(seed=seed)


def _case_starts(task: MutationTask, key: GameKey, game: ScenarioGame, changed: ScenarioGame) -> Iterator[MutantStart]:
    names = [name for of, name in task.attempts if of == key]
    for case in (find_case(*name) for name in names[:MAX_CASES]):
        states = [_start(case, each) for each in (game, changed)]
        one, other = states
        if one is not None and other is not None:
            yield MutantStart(case_name(case), (_always(one), _always(other)))


def _always(state: State) -> Callable[[int], State]:
    return lambda seed: state


def _start(case: Case, game: ScenarioGame) -> State | None:
    diagnostics = Diagnostics()
    context = ScenarioContext(game, diagnostics, f"cases.{case.name}")
    runnable = parse_case(game, case, context)
    try:
        if runnable is None or diagnostics.error_count:
            return None
        return build_position(game, runnable.given, case.first_seat, context, case.name_node)
    except RuleFault:
        return None


def _words(found: GameDifference, pair: GamePair) -> str:
    start = f"from `{found.start}`, " if found.start else ""
    after = "".join(f", after `{pair.notation.format_action(action)}`" for action in found.actions)
    return f"{start}seed {found.seed}, decision {found.decision}{after}: {found.words}"


def _write_case(task: MutationTask, game: ScenarioGame, changed: ScenarioGame, found: GameDifference) -> str:
    """A case that the rules keep and the mutant does not; empty where none can be written."""
    legal, not_legal = ((action,) if action is not None else () for action in found.legal_once)
    if found.actions:
        done = GameSegment(found.before, found.after, found.actions, (found.chances,), legal, not_legal)
        segments = [done, replace(done, unlike=found.other)]  # first what the action changes, then what it should not
    else:  # they differ from the set-up on, behind which a case begins
        segments = [GameSegment(found.after, found.after, (), (), legal, not_legal, unlike=found.other)]
    if found.actions and (legal or not_legal):
        segments.insert(0, GameSegment(found.after, found.after, (), (), legal, not_legal))
    for segment in segments:
        try:
            text = export_segments(game, [segment], CASE_NAME, f"{task.address}: {task.words}")
        except ScenarioExportError:
            continue
        result = ScenarioRunner(lambda *_: changed.rules).run(parse_case_text(text))
        if any(diagnostic.code in NOTICED for diagnostic in result.diagnostics):
            return text
    return ""


__all__ = ["count_alike_positions", "find_hint"]
