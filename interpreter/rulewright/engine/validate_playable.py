"""Whether a game can go on from a position that comes from outside.

In: an engine and a position whose form is right. Out: nothing, or `InvalidPosition`. Pieces and states can contradict
one another in ways that no rule names; then the rules fail some decisions later, in the middle of somebody's game. So a
few random games are played on from there first. That is a trial, not a proof.
"""

from __future__ import annotations

from dataclasses import replace

from rulewright import limits
from rulewright.engine import chance
from rulewright.engine.faults import NoLegalAction, RuleFault
from rulewright.engine.interface import Engine
from rulewright.engine.position_data import InvalidPosition
from rulewright.engine.state import ChanceEvent, State


def check_playable(engine: Engine, state: State) -> None:
    """Plays on at random, always in the same way; raises `InvalidPosition` when the rules fail."""
    budget = limits.MAX_TRIAL_ACTIONS
    for game in range(limits.TRIAL_GAMES):
        if budget <= 0:
            return
        try:
            budget -= _play_on(engine, state, game, budget)
        except RuleFault as fault:
            raise InvalidPosition(f"the rules fail later on: {fault.address}: {fault.message}") from None


def _play_on(engine: Engine, state: State, seed: int, budget: int) -> int:
    """Plays some decisions; returns how many legal actions were listed."""
    rng, listed = chance.seed_rng(seed), 0
    state = replace(state, rng=None)
    for _ in range(limits.TRIAL_MOVES):
        if state.over or listed > budget:
            break
        if isinstance(state.waiting, ChanceEvent):
            rng, outcome = chance.pick_weighted(rng, state.waiting.outcomes)
            state = engine.resolve_chance(state, outcome)
            continue
        legal = engine.legal(state)
        if not legal:
            raise NoLegalAction(_deciding_address(engine, state), None)
        listed += len(legal)
        rng, index = chance.rand_below(rng, len(legal))
        state = engine.apply_legal(state, legal[index])
    return listed


def _deciding_address(engine: Engine, state: State) -> str:
    decision = state.waiting
    assert decision is not None
    assert not isinstance(decision, ChanceEvent)
    return engine.rules.blocks[decision.block].steps[decision.step].address


__all__ = ["check_playable"]
