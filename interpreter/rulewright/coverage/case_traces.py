"""Scenarios are played under observation: what each of them has asked and done of the rules.

In: cases. Out: for each a `CaseTrace`, with how it came out and the sites it came by; the rules of every game played.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.engine.default_engine import make_observed_engine
from rulewright.engine.expr_compiler import ExprCompiler
from rulewright.engine.interface import Engine, Event
from rulewright.engine.reference.observation import observe_actions
from rulewright.frozen import frozen
from rulewright.model.rules import Rules
from rulewright.scenarios.runner import CaseResult, ScenarioRunner
from rulewright.scenarios.scenario_file import Case
from rulewright.scenarios.scenario_game import GameKey, ScenarioGame, load_from_files, make_game


@frozen
class CaseTrace:
    """What a case came by: sites with their outcomes; `key`: the rules that it is played with."""

    result: CaseResult
    key: GameKey
    events: frozenset[Event]

    @property
    def case(self) -> Case:
        """The case."""
        return self.result.case

    @property
    def has_passed(self) -> bool:
        """Whether all was as expected."""
        return not self.result.diagnostics


def case_name(case: Case) -> str:
    """How a case is called where its file is not shown: `taking: one_of_each`."""
    return f"{case.path.stem}: {case.name}"


class ObservedScenarios:
    """Plays cases as `ScenarioRunner` does, and notes what they come by. `rules`: of what was played so far."""

    def __init__(self) -> None:
        self.rules: dict[GameKey, Rules] = {}
        self._events: set[Event] = set()
        self._compilers: list[ExprCompiler] = []
        self._runner = ScenarioRunner(self._load, self._make_game)

    def run(self, case: Case) -> CaseTrace:
        """Plays one case."""
        self._events.clear()
        for compiler in self._compilers:
            compiler.forget_constants()  # what an earlier case has computed, this one reads as well
        result = self._runner.run(case)
        return CaseTrace(result, self._runner.key_of(case), frozenset(self._events))

    def run_all(self, cases: Iterable[Case]) -> Iterator[CaseTrace]:
        """Plays them one after another."""
        return map(self.run, cases)

    def _load(self, game: str, players: int | None, variants: tuple[str, ...]) -> Rules:
        rules = self.rules[game, players, variants] = load_from_files(game, players, variants)
        return rules

    def _make_game(self, rules: Rules) -> ScenarioGame:
        game = make_game(rules, self._make_engine)
        observe_actions(game.explainer.action_generator, self._events.add)
        return game

    def _make_engine(self, rules: Rules) -> Engine:
        engine = make_observed_engine(rules, self._events.add)
        self._compilers.append(engine.compiler)
        return engine


__all__ = ["CaseTrace", "ObservedScenarios", "case_name"]
