"""What becomes of faults that no scenario notices: proved to change no game, or a hint for the case that is missing.

In: tasks. Out: `MutationResult`s as `mutation_run.py` makes them, with the proof or the hint.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from rulewright.coverage.equivalence import EquivalenceProver
from rulewright.coverage.mutation_run import MutationResult, MutationTask, changed_rules, run_mutation, unchanged_rules
from rulewright.coverage.survivor_games import count_alike_positions, find_hint
from rulewright.diagnostics import RulesError
from rulewright.frozen import replace
from rulewright.scenarios.scenario_game import GameKey
from rulewright.simulation.parallel import parallel_map


def examine_mutations(tasks: Iterable[MutationTask], *, jobs: int = 1) -> Iterator[MutationResult]:
    """Tries each mutant, and examines those that survive."""
    return parallel_map(examine_mutation, tasks, jobs=jobs)


def examine_mutation(task: MutationTask) -> MutationResult:
    """Tries one mutant; if it survives, looks for a proof that it changes no game, or else for a game that differs."""
    result = run_mutation(task)
    if result.verdict not in ("unnoticed", "never reached"):
        return result
    proof = _proof(task)
    if proof:
        return replace(result, verdict="proved alike", proof=proof)
    return replace(result, hint=find_hint(task))


def _proof(task: MutationTask) -> str:
    """Why no game differs by any rules that have the fault; empty: not proved."""
    reasons = dict[str, None]()
    for key in task.keys:
        try:
            reasons[_prover(key).prove(changed_rules(task, key))] = None
        except RulesError:
            continue
        if "" in reasons:
            positions = count_alike_positions(task)
            return f"all games are alike, {positions:,} positions" if positions else ""
    return "; ".join(reasons)


@cache
def _prover(key: GameKey) -> EquivalenceProver:
    return EquivalenceProver(unchanged_rules(key))


__all__ = ["examine_mutation", "examine_mutations"]
