"""The games in which `check` looks for faults: their seeds follow from the rules, all players are of one sort.

In: an engine, the name of a bot, a seed. Out: a game, and its steps as it is played. The same rules have the same games
on every machine, so that what is found is found everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright import limits
from rulewright.bots.bot_specs import make_bot
from rulewright.bots.player_view import bot_chooser
from rulewright.engine.interface import Engine
from rulewright.engine.playout import Chooser, Playout, PlayoutStep, play_out
from rulewright.model.rules import Rules

SEED_DIGITS: Final = 8  # of the rules' digest: a seed that people can type


def first_seed(rules: Rules) -> int:
    """The seed of the first game; those that follow count on from it."""
    return int(rules.digest[:SEED_DIGITS], 16)


def bots_asked(engine: Engine, bot: str, seed: int) -> Chooser:
    """Asks a bot of its own for each seat."""
    bots = {seat: make_bot(bot, engine.rules, seed, seat) for seat in range(engine.rules.players)}
    return bot_chooser(engine, bots)


def try_game(engine: Engine, bot: str, seed: int) -> tuple[Playout, Iterator[PlayoutStep]]:
    """A game, which is played on with each step that is read. Raises `RuleFault` where the rules fail."""
    game = Playout(engine, engine.start(seed=seed))
    return game, play_out(game, bots_asked(engine, bot, seed), max_turns=limits.MAX_GAME_TURNS)


__all__ = ["bots_asked", "first_seed", "try_game"]
