"""What the facts say holds of rules changed at random, too: of rules that nobody has looked at."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from fact_checks import Meter, RangeCheck, Watch, mixed, read_exprs
from rule_changes import changed_rules
from rulewright.engine.faults import RuleFault
from rulewright.engine.numbered_actions import NumberedActions
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import Action, Decision, State
from rulewright.model.facts.facts import Facts
from rulewright.model.facts.flow import StepPlace
from rulewright.model.loader import load_rules

GAMES = (
    ("splendor", 2),
    ("splendor", 3),
    ("wrack-line", 2),
    ("kuhn-poker", 2),
    ("nim", 2),
    *((f"tests/games/{name}/{name}.yaml", 2) for name in ("auction", "island", "outlast", "race", "sack", "workers")),
)
SEEDS = range(4)
SEEDS_OF_ODD = 8
ODD = sorted((Path(__file__).parent / "odd_rules").glob("*.yaml"))
DECISIONS = 40


def contradictions(facts: Facts, seed: int) -> Iterator[str]:
    """What a random game shows that the facts exclude; it ends where the rules fail."""
    watch = Watch(facts.accesses)
    engine, meter = watch.engine, Meter(watch.engine)
    check = RangeCheck(engine, facts.positions)
    numbered = NumberedActions(engine, facts.action_numbering)
    rng, before, seen = random.Random(seed), None, list[State]()
    try:
        state = engine.start(seed=seed, first=seed % facts.rules.players)
        for _ in range(DECISIONS):
            yield from check.exceeded(state)
            if state.over:
                break
            assert isinstance(state.waiting, Decision)
            here = StepPlace(state.waiting.block, state.waiting.step)
            if before is not None and here not in facts.flow.next[before]:
                yield f"{here} follows {before}"
            before = here
            with meter.contexts() as contexts:
                actions = engine.legal(state)
            address = facts.rules.blocks[here.block].steps[here.index].address
            if any(context.expr_steps > facts.costs.lists[address] for context in contexts):
                yield f"the legal list of {address} takes more than {facts.costs.lists[address]}"
            yield from check.impossible(actions)
            yield from misnumbered(numbered, state, actions)
            yield from undeclared(facts, engine, state, rng.choice(seen) if seen else state, rng)
            seen.append(state)
            state = engine.apply_legal(state, rng.choice(actions))
    except RuleFault:
        pass
    yield from sorted(watch.broken)
    most = facts.costs.game.longest
    for amount in meter.amounts:
        if amount.evaluation > most.evaluation or amount.steps > most.steps:
            yield f"{amount} between two decisions, not {most}"


def misnumbered(numbered: NumberedActions, state: State, actions: Sequence[Action]) -> Iterator[str]:
    """Legal actions without a number of their own from which they can be found again."""
    numbers = [numbered.number(state, action) for action in actions]
    if len(set(numbers)) < len(actions):
        yield f"two of {actions} have one number"
    for action, number in zip(actions, numbers, strict=True):
        found = numbered.action(state, number) if number < numbered.count else None
        if found is None or found.number != action.number or numbered.number(state, found) != number:
            yield f"{action} has number {number}, which means {found}"


def undeclared(facts: Facts, engine: ReferenceEngine, state: State, other: State, rng: random.Random) -> Iterator[str]:
    """Values that differ where nothing differs that they are said to read."""
    assert isinstance(state.waiting, Decision)
    seat = state.waiting.seat
    ask, engine.compiler.is_action_possible = engine.compiler.is_action_possible, lambda context, action: False
    for expr, env, reads in read_exprs(facts.accesses, engine, state, rng):
        compiled = engine.compiler.compile(expr)
        here, there = engine.context(state, seat), mixed(engine.rules, reads, state, other, seat)
        for context in (here, there):
            context.env[: len(env)] = env
        if compiled(here) != compiled(there):
            yield f"{expr} depends on more than {reads}"
    engine.compiler.is_action_possible = ask


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("path", ODD, ids=lambda path: path.stem)
def test_facts_hold_of_odd_rules(path: Path) -> None:
    """Small games in each of which something stands where analyses of it once went wrong."""
    players = load_rules(str(path)).players
    facts = Facts(load_rules(str(path), players=players))
    for seed in range(SEEDS_OF_ODD):
        assert not list(contradictions(facts, seed)), seed


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("game", "players"), GAMES)
def test_facts_hold_of_changed_rules(game: str, players: int, seed: int, tmp_path: Path) -> None:
    model, changes = changed_rules(game, players, seed, tmp_path)
    facts = Facts(model)
    assert not list(contradictions(facts, seed)), changes
