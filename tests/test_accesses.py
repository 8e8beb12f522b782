"""Nothing is read and nothing is changed that the facts do not declare: watched in random games of all tables."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import pytest

from fact_checks import Watch, places_among, play
from positions import Table, chosen, rules
from rulewright.engine.context import Context
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import Decision, Draw, Frame, State
from rulewright.engine.values import RuntimeValue
from rulewright.expr.tree import Constant, Expr, ReadValue
from rulewright.facts.accesses import Access, AccessFinder
from rulewright.facts.flow import StepPlace, find_flow
from rulewright.facts.position_ranges import find_position_ranges
from rulewright.facts.value_ranges import Scalars
from rulewright.model.rules import Rules
from rulewright.model.traversal import domain_exprs

TABLES = tuple({(table.game, table.variants or table.players): table for table in chosen("whole")}.values())


@cache
def finder_of(table: Table) -> AccessFinder:
    model = rules(table.game, table.players, table.variants)
    return AccessFinder(model, find_position_ranges(model))


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_steps_change_what_they_declare(table: Table) -> None:
    watch = Watch(finder_of(table))
    for seed in (1, 2):
        for _ in play(watch.engine, seed, table.players):
            pass
    assert not watch.broken
    assert watch.seen


def mixed(model: Rules, reads: frozenset[Access], state: State, other: State, seat: int) -> Context:
    """A position that is like one in what is read, and like another in everything else."""
    contents, variables = list(other.contents), list(other.variables)
    for place in places_among(model, reads, "zone"):
        contents[place] = state.contents[place]
    for index in places_among(model, reads, "state"):
        variables[index] = state.variables[index]
    round_ = state.round if any(access.kind == "round" for access in reads) else other.round
    return Context(contents, variables, me=seat, first=state.first_seat, round=round_)


ReadExpr = tuple[Expr, tuple[RuntimeValue, ...], frozenset[Access]]


def read_exprs(finder: AccessFinder, engine: ReferenceEngine, state: State, rng: random.Random) -> Iterator[ReadExpr]:
    """Expressions with what their variables are and what they are said to read."""
    assert isinstance(state.waiting, Decision)
    me = Scalars.of((state.waiting.seat,))
    for name, definition in engine.rules.values.items():
        full = [finder.ranges.full_range(type_) for type_ in definition.key_types]
        keys = [rng.choice(sorted(known.listed or ())) for known in full if isinstance(known, Scalars)]
        args = tuple(Constant(key, type_, (0, 0)) for key, type_ in zip(keys, definition.key_types, strict=True))
        reads = finder.value_reads(name, tuple(Scalars.of((key,)) for key in keys), me)
        yield ReadValue(name, args, definition.type, (0, 0)), (), reads
    for action in rng.sample(engine.legal(state), min(6, len(engine.legal(state)))):
        if action.number < 0:
            continue
        definition_ = engine.rules.actions[action.number]
        answers = dict(enumerate(finder.positions.choices[action.number]))
        exprs = [expr for choice in definition_.choices for expr in domain_exprs(choice.domain)]
        for expr in (*exprs, *(clause.condition for clause in definition_.clauses)):
            yield expr, action.values, finder.reads(expr, answers, me)


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
