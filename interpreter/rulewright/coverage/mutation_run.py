"""Which faults in the rules the scenarios notice: each mutant is played by the cases that came by what it changes.

In: traces of cases with their rules. Out: for each mutant a `MutationResult`, in the order of the rules. A mutant is
noticed when a case fails in what it expects or does, or the rules fail in play; that a position can no longer be set up
does not count. Rules with the same fault at several numbers of players, or with several variants, are one mutant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, Literal, TypeAlias

from rulewright.coverage.case_traces import CaseTrace, case_name
from rulewright.coverage.mutant import RuleMutant
from rulewright.coverage.mutant_keys import has_unknown_key
from rulewright.coverage.rule_mutants import rule_mutants
from rulewright.coverage.scenario_coverage import is_asked_for
from rulewright.diagnostics import Diagnostics, RulesError, SourceFile, Span
from rulewright.engine import chance
from rulewright.expr.codes import OUTSIDE_KIND
from rulewright.frozen import frozen
from rulewright.model.rules import Rules
from rulewright.scenarios import codes
from rulewright.scenarios.runner import ScenarioRunner
from rulewright.scenarios.scenario_file import Case, parse_scenario_file
from rulewright.scenarios.scenario_game import GameKey, load_from_files
from rulewright.simulation.parallel import parallel_map

Verdict = Literal["noticed", "proved alike", "unnoticed", "never reached", "not rules"]
CaseName: TypeAlias = tuple[Path, str]
NOTICED: Final = frozenset(
    {codes.NOT_AS_EXPECTED, codes.STOPPED_BEFORE, codes.FAULT_IN_PLAY, codes.NOT_AN_ACTION}  # which it was before
)
SAMPLE_STREAM: Final = 1 << 35  # of a seed


@frozen
class MutationTask:
    """A mutant and the cases that can notice it, those first that came by little else: what fails them is near.

    `keys`: the rules that have it.
    """

    game: str
    address: str
    words: str
    origin: str
    attempts: tuple[tuple[GameKey, CaseName], ...]
    keys: tuple[GameKey, ...]


@frozen
class Hint:
    """For whoever writes a case: `words`, where games first differ; empty: none did. `case`: the text of a scenario
    file whose case notices it, where one can be written.
    """

    words: str = ""
    case: str = ""


@frozen
class MutationResult:
    """What became of a mutant. `noticed_by`: the first case that failed; `proof`: why no game differs."""

    task: MutationTask
    verdict: Verdict
    noticed_by: str = ""
    proof: str = ""
    hint: Hint = Hint()


def plan_mutations(
    traces: Sequence[CaseTrace], rules: Mapping[GameKey, Rules], only: str = ""
) -> tuple[MutationTask, ...]:
    """What is to be tried. Of a game that no case plays without variants only what variants wrote.

    `only`: a variant or game whose rules are asked for, or how their addresses begin.
    """
    usable = [trace for trace in traces if trace.key in rules and trace.has_passed]
    played_alone = {rules[trace.key].game for trace in usable if not trace.key[2]}
    traces_of: dict[GameKey, list[CaseTrace]] = {}
    for trace in sorted(usable, key=lambda trace: len(trace.events)):
        traces_of.setdefault(trace.key, []).append(trace)
    origins: dict[tuple[str, str, str], str] = {}
    attempts: dict[tuple[str, str, str], list[tuple[GameKey, CaseName]]] = {}
    keys: dict[tuple[str, str, str], list[GameKey]] = {}
    for key, known in sorted(traces_of.items(), key=lambda item: (len(item[0][2]), str(item[0]))):
        of_rules, game = rules[key], rules[key].game
        sites_of = [(trace, frozenset(site for site, _ in trace.events)) for trace in known]
        for mutant in mutants_of(key, of_rules):
            is_wanted = bool(only) or mutant.origin != game or game in played_alone
            if is_wanted and is_asked_for(mutant.address, mutant.origin, only):
                name = (game, mutant.address, mutant.words)
                origins.setdefault(name, mutant.origin)
                keys.setdefault(name, []).append(key)
                attempts.setdefault(name, []).extend(
                    (key, (trace.case.path, trace.case.name))
                    for trace, sites in sites_of
                    if not mutant.sites or mutant.sites & sites
                )
    return tuple(
        MutationTask(*name, origin, tuple(attempts[name]), tuple(keys[name])) for name, origin in origins.items()
    )


def draw_sample(tasks: Sequence[MutationTask], count: int, seed: int) -> tuple[MutationTask, ...]:
    """So many of the tasks, drawn by the seed, in their order."""
    rng, left, drawn = chance.seed_rng(seed, SAMPLE_STREAM), list(range(len(tasks))), list[int]()
    while left and len(drawn) < count:
        rng, index = chance.rand_below(rng, len(left))
        drawn.append(left.pop(index))
    return tuple(tasks[index] for index in sorted(drawn))


def run_mutations(tasks: Iterable[MutationTask], *, jobs: int = 1) -> Iterator[MutationResult]:
    """Tries each mutant until a case notices it."""
    return parallel_map(run_mutation, tasks, jobs=jobs)


def run_mutation(task: MutationTask) -> MutationResult:
    """Plays the cases of one mutant, one after another, until one fails."""
    if not task.attempts:
        return MutationResult(task, "never reached")
    refused = set[GameKey]()

    def load(game: str, players: int | None, variants: tuple[str, ...]) -> Rules:
        return changed_rules(task, (game, players, variants))

    runner = ScenarioRunner(load)
    for key, name in task.attempts:
        if key in refused:
            continue
        case = find_case(*name)
        result = runner.run(case)
        if any(diagnostic.code in NOTICED for diagnostic in result.diagnostics):
            return MutationResult(task, "noticed", case_name(case))
        if any(diagnostic.code is codes.CANNOT_BE_PLAYED for diagnostic in result.diagnostics):
            refused.add(key)
    is_refused = refused == {key for key, _ in task.attempts}
    return MutationResult(task, "not rules" if is_refused else "unnoticed")


def mutants_of(key: GameKey, rules: Rules) -> tuple[RuleMutant, ...]:
    """The mutants of the rules that a case is played with."""
    game, players, variants = key
    return rule_mutants(rules, lambda setting: load_from_files(game, players, (*variants, setting)))


@cache
def _mutants_by_name(key: GameKey) -> Mapping[tuple[str, str], RuleMutant]:
    return {mutant.name: mutant for mutant in mutants_of(key, unchanged_rules(key))}


@cache
def unchanged_rules(key: GameKey) -> Rules:
    """The rules of a key, of which its mutants are made."""
    return load_from_files(*key)


@cache
def _cases(path: Path) -> Mapping[str, Case]:
    diagnostics = Diagnostics()
    file = parse_scenario_file(path, diagnostics)
    if file is None:
        raise RulesError(diagnostics)
    return {case.name: case for case in file.cases}


def changed_rules(task: MutationTask, key: GameKey) -> Rules:
    """The rules of a key with the fault of a task. Raises `RulesError` where they are none."""
    changed = _mutants_by_name(key)[task.address, task.words].change()
    if has_unknown_key(changed, unchanged_rules(key)):
        diagnostics, source = Diagnostics(), SourceFile(task.address, task.words)
        diagnostics.add(Span(source, 0, len(task.words)), OUTSIDE_KIND, "a key that is not in its kind")
        raise RulesError(diagnostics)
    return changed


def find_case(path: Path, name: str) -> Case:
    """A case of a file by its name."""
    return _cases(path)[name]


__all__ = [
    "NOTICED",
    "Hint",
    "MutationResult",
    "MutationTask",
    "Verdict",
    "changed_rules",
    "draw_sample",
    "find_case",
    "mutants_of",
    "plan_mutations",
    "run_mutation",
    "run_mutations",
    "unchanged_rules",
]
