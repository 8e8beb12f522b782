"""What `check` says is ruled out by the steps before happens in no game: neither of shipped rules nor of rules whose
steps were copied to other places at random, so that many of them are ruled out.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from rulewright.checker.logic.step_flow import FlowResult, find_dead_steps
from rulewright.engine.default_engine import make_observed_engine
from rulewright.engine.faults import RuleFault
from rulewright.engine.interface import Event
from rulewright.engine.playout import Playout, play_out
from rulewright.expr.tree import Expr
from rulewright.expr.walk import free_variables
from rulewright.model.effects import Finish, Move, SetState
from rulewright.model.loader import load_rules
from rulewright.model.rules import Rules
from rulewright.model.traversal import single_run_exprs

GAMES = {"kuhn-poker": 2, "nim": 2, "reversi": 2, "splendor": 3}
GAMES |= {f"tests/games/{name}/{name}.yaml": 2 for name in ("island", "race", "sack")}
COPIES = 6
DECISIONS = 60
SEEDS = range(2)


def with_copies(rules: Rules, rng: random.Random) -> Rules:
    """The rules with copies of steps that set or move something or end the game, under conditions of other steps."""
    steps = [step for block in rules.blocks for step in block.steps]
    effects = [step for step in steps if isinstance(step.effect, SetState | Finish | Move) and not step.for_each]
    conditions: list[Expr | None] = [step.when for step in steps if step.when and not free_variables(step.when)]
    conditions += [
        clause.condition
        for action in rules.actions
        for clause in action.clauses
        if not free_variables(clause.condition)
    ]
    blocks = list(rules.blocks)
    for number in range(COPIES):
        index = rng.choice(
            [rules.turn, rules.turn, *(action.block for action in rules.actions)]
        )  # where one is in turn
        effect = rng.choice(effects)
        if any(map(free_variables, single_run_exprs(replace(effect, when=None)))):
            continue
        address = f"{blocks[index].address}.copy_{number}"
        condition = rng.choice([*conditions, *conditions, None]) if conditions else None
        copy = replace(effect, address=address, when=condition, times=None, while_condition=None)
        at = rng.randint(0, len(blocks[index].steps))
        blocks[index] = replace(blocks[index], steps=(*blocks[index].steps[:at], copy, *blocks[index].steps[at:]))
    return replace(rules, blocks=tuple(blocks))


def contradicted(rules: Rules, flow: FlowResult, seed: int) -> set[str]:
    """What a random game does although it is ruled out."""
    events: set[Event] = set()
    engine = make_observed_engine(rules, events.add)
    rng, made = random.Random(seed), 0
    try:
        for _ in play_out(Playout(engine, engine.start(seed=seed)), lambda _, legal: rng.choice(legal), max_turns=99):
            made += 1
            if made >= DECISIONS:
                break
    except (RuleFault, ValueError):
        pass  # the copies may lead anywhere
    done = {site for site, holds in events if holds}
    steps = {dead.step.address for dead in flow.steps}
    return done & (steps | {f"{address}.when" for address in steps} | {dead.clause.address for dead in flow.clauses})


@pytest.mark.parametrize("game", GAMES)
def test_what_is_ruled_out_happens_in_no_game(game: str) -> None:
    rules = load_rules(game, players=GAMES[game])
    assert replace(find_dead_steps(rules), ends=None) == FlowResult()
    for seed in SEEDS:
        changed = with_copies(rules, random.Random(f"{game} {seed}"))
        flow = find_dead_steps(changed)
        assert contradicted(changed, flow, seed) == set(), seed


def test_copies_are_ruled_out() -> None:
    rules = load_rules("nim")
    found = [find_dead_steps(with_copies(rules, random.Random(seed))) for seed in range(9)]
    assert sum(len(flow.steps) for flow in found) > 4
