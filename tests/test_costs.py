"""What the facts say of costs is never exceeded: counted in random games of all tables."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from fact_checks import DECISIONS, Meter, play
from positions import Table, ranges_of, rules, share_of_rules
from rulewright import limits
from rulewright.engine.context import Context
from rulewright.engine.expr_compiler import ExprCompiler
from rulewright.engine.place_compiler import CompiledExpr
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import Decision, State
from rulewright.engine.values import RuntimeValue
from rulewright.expr.tree import Expr
from rulewright.model.facts.costs import find_costs
from rulewright.model.facts.routes import NOTHING, NOWHERE, STRAIGHT, Route, Workload, work
from rulewright.model.facts.value_ranges import UNBOUNDED

TABLES = share_of_rules(0)


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_no_cost_is_exceeded(table: Table) -> None:
    model = rules(table.game, table.players, table.variants)
    costs = find_costs(model, ranges_of(table.game, table.players, table.variants))
    meter = Meter(ReferenceEngine(model))
    engine, rng = meter.engine, random.Random(str(table))
    for first in (0, table.players - 1):
        state: State = engine.start(seed=rng.randrange(2**32), first=first)
        for _ in range(DECISIONS):
            if state.over:
                break
            assert isinstance(state.waiting, Decision)
            with meter.contexts() as contexts:
                actions = engine.legal(state)
            address = model.blocks[state.waiting.block].steps[state.waiting.step].address
            assert contexts
            assert all(context.expr_steps <= costs.lists[address] for context in contexts), address
            state = engine.apply_legal(state, rng.choice(actions))
    most = costs.game.longest
    assert all(amount.evaluation <= most.evaluation and amount.steps <= most.steps for amount in meter.amounts)
    assert max(amount.steps for amount in meter.amounts) > 1


def test_the_official_rules_stay_below_all_limits() -> None:
    for players in (2, 3, 4):
        costs = find_costs(rules("splendor", players), ranges_of("splendor", players))
        assert costs.game.longest.evaluation < limits.MAX_WORK
        assert costs.game.longest.steps < limits.MAX_AUTOMATIC_STEPS
        assert max(costs.lists.values()) < limits.MAX_WORK


ASKED = Route(until=Workload(1, 1), after=Workload(2, 2))  # a decision in the middle of some work


@pytest.mark.parametrize(
    ("route", "expected"),
    [
        (work(3, 1).then(work(4, 2)), work(7, 3)),
        (work(3, 1).then(NOWHERE), NOWHERE),
        (work(3, 1).then(ASKED), Route(until=Workload(4, 2), after=Workload(2, 2))),
        (ASKED.then(work(3, 1)), Route(until=Workload(1, 1), after=Workload(5, 3))),
        (ASKED.then(ASKED), Route(until=Workload(1, 1), after=Workload(2, 2), between=Workload(3, 3))),
        (ASKED.repeated(1, 9), ASKED.then(ASKED)),
        (ASKED.repeated(0, 1), ASKED.or_else(STRAIGHT)),
        (work(3, 1).repeated(2, 5), work(15, 5)),
        (work(3, 1).repeated(0, 0), STRAIGHT),
        (work(3, 1).repeated(1, UNBOUNDED), work(UNBOUNDED, UNBOUNDED)),
        (
            ASKED.or_else(work(4, 1)).repeated(0, 3),
            Route(Workload(12, 3), Workload(9, 3), Workload(10, 4), Workload(7, 4)),
        ),
    ],
)
def test_routes(route: Route, expected: Route) -> None:
    assert route == expected


def test_the_longest_way() -> None:
    assert Route(Workload(1, 5), None, Workload(3, 2), Workload(2, 2)).longest == Workload(3, 5)
    assert NOWHERE.longest == NOTHING


# ---- what loops compute once ---------------------------------------------------------------------------------


class CountingCompiler(ExprCompiler):
    """Counts the parts that are computed."""

    computed = 0

    def _compile_part(self, expr: Expr) -> CompiledExpr:
        run = super()._compile_part(expr)

        def counted(c: Context) -> RuntimeValue:
            self.computed += 1
            return run(c)

        return counted


class ForgetfulCompiler(CountingCompiler):
    """Computes in each turn of a loop all of its body."""

    def compile(self, expr: Expr) -> CompiledExpr:
        return self._compile_part(expr)


def test_what_a_loop_does_not_change_is_computed_and_counted_once() -> None:
    model = rules(str(Path(__file__).parent / "odd_rules" / "repeated-parts.yaml"), 2)
    engine = ReferenceEngine(model)
    counting, forgetful = CountingCompiler(model), ForgetfulCompiler(model)
    most, without = dict[str, int](), dict[str, int]()
    for seed in range(3):
        for before, _ in play(engine, seed, 2):
            for invariant in model.invariants:
                for compiler, counts in ((counting, most), (forgetful, without)):
                    compiler.computed = 0
                    assert compiler.compile(invariant.condition)(engine.context(before)) is True, invariant.address
                    counts[invariant.address] = max(counts.get(invariant.address, 0), compiler.computed)
    costs = {invariant.address: invariant.cost for invariant in model.invariants}
    assert all(most[address] <= costs[address] for address in costs), (most, costs)
    exceeded = {address for address in costs if without[address] > costs[address]}
    assert exceeded == {f"invariants.{name}" for name in ("bags", "deeper", "loads")}, (most, without, costs)
