"""Whether a game can go on from a position that comes from outside.

In: an engine and a position whose form is right. Out: nothing, or `InvalidPosition`. Pieces and states can contradict
one another in ways that no rule names; then the rules fail some decisions later, in the middle of somebody's game. So a
few random games are played on from there first. That is a trial, not a proof. Positions that a game saved itself need
none (`position_seal`).
"""

from __future__ import annotations

from itertools import islice

from rulewright import limits
from rulewright.engine import chance
from rulewright.engine.faults import RuleFault
from rulewright.engine.interface import Engine
from rulewright.engine.playout import Playout, RandomChoices, play_out
from rulewright.engine.position_data import InvalidPosition
from rulewright.engine.state import State
from rulewright.frozen import replace


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
    playout, choices, listed = Playout(engine, replace(state, rng=None)), RandomChoices(chance.seed_rng(seed)), 0
    for step in islice(play_out(playout, choices.choose, draw=choices.draw), limits.TRIAL_MOVES):
        listed += len(step.legal)
        if listed > budget:
            break
    return listed


__all__ = ["check_playable"]
