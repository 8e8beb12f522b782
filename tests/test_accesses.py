"""Nothing is read and nothing is changed that the facts do not declare: watched in random games of all tables."""

from __future__ import annotations

import random
from functools import cache

import pytest

from fact_checks import Watch, mixed, play, read_exprs
from positions import Table, ranges_of, rules, share_of_rules
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import Decision, Draw, Frame
from rulewright.model.facts.accesses import AccessFinder
from rulewright.model.facts.flow import StepPlace, find_flow

TABLES = share_of_rules(0)


@cache
def finder_of(table: Table) -> AccessFinder:
    model = rules(table.game, table.players, table.variants)
    return AccessFinder(model, ranges_of(table.game, table.players, table.variants))


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_steps_change_what_they_declare(table: Table) -> None:
    watch = Watch(finder_of(table))
    for _ in play(watch.engine, 1, table.players):
        pass
    assert not watch.broken
    assert watch.seen


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_values_depend_on_what_they_declare(table: Table) -> None:
    finder, rng = finder_of(table), random.Random(str(table))
    engine = ReferenceEngine(finder.rules)
    engine.compiler.is_action_possible = lambda context, action: False
    first, second = ([state for state, _ in play(engine, seed, table.players)] for seed in (1, 2))
    for _ in range(12):
        state, other = rng.choice(first), rng.choice(second)
        assert isinstance(state.waiting, Decision)
        seat = state.waiting.seat
        for expr, env, reads in read_exprs(finder, engine, state, rng):
            compiled = engine.compiler.compile(expr)
            here, there = engine.context(state, seat), mixed(engine.rules, reads, state, other, seat)
            for context in (here, there):
                context.env[: len(env)] = env
            assert compiled(here) == compiled(there), (expr, reads)


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_decisions_follow_one_another_as_declared(table: Table) -> None:
    model = rules(table.game, table.players, table.variants)
    engine, flow = ReferenceEngine(model), find_flow(model)
    for seed in (1, 2):
        before: StepPlace | None = None
        for state, _ in play(engine, seed, table.players):
            assert isinstance(state.waiting, Decision)
            here = StepPlace(state.waiting.block, state.waiting.step)
            assert before is None or here in flow.next[before], (before, here)
            before = here
            blocks = [entry.block for entry in state.stack if isinstance(entry, Frame)]
            for depth, block in enumerate(blocks):
                assert set(blocks[:depth]) <= flow.around[block]
            assert not any(isinstance(entry, Draw) for entry in state.stack)
