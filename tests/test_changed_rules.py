"""What the facts say holds of rules changed at random, too: of rules that nobody has looked at."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from fact_checks import Meter, RangeCheck, Watch
from rule_changes import changed_rules
from rulewright.engine.faults import RuleFault
from rulewright.engine.numbered_actions import NumberedActions
from rulewright.engine.state import Decision
from rulewright.facts.facts import Facts
from rulewright.facts.flow import StepPlace

GAMES = (
    ("splendor", 2),
    ("splendor", 3),
    ("wrack-line", 2),
    ("kuhn-poker", 2),
    ("nim", 2),
    *((f"tests/games/{name}/{name}.yaml", 2) for name in ("auction", "island", "outlast", "race", "sack", "workers")),
)
SEEDS = range(4)
DECISIONS = 40


def contradictions(facts: Facts, seed: int) -> Iterator[str]:
    """What a random game shows that the facts exclude; it ends where the rules fail."""
    watch = Watch(facts.accesses)
    engine, meter = watch.engine, Meter(watch.engine)
    check = RangeCheck(engine, facts.positions)
    numbered = NumberedActions(engine, facts.action_numbering)
    rng, before = random.Random(seed), None
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
            numbers = [numbered.number(state, action) for action in actions]
            if len(set(numbers)) < len(actions):
                yield f"two actions of {address} have one number"
            state = engine.apply_legal(state, rng.choice(actions))
    except RuleFault:
        pass
    yield from sorted(watch.broken)
    most = facts.costs.game.longest
    for amount in meter.amounts:
        if amount.evaluation > most.evaluation or amount.steps > most.steps:
            yield f"{amount} between two decisions, not {most}"


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("game", "players"), GAMES)
def test_facts_hold_of_changed_rules(game: str, players: int, seed: int, tmp_path: Path) -> None:
    model, changes = changed_rules(game, players, seed, tmp_path)
    facts = Facts(model)
    assert not list(contradictions(facts, seed)), changes
