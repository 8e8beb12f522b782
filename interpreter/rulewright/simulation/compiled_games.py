"""Simulated games of bots that look at nothing but how many actions are legal, played by a compiled program.

In: rules, the bots' names, seeds. Out: the same `GameStats` as from any engine, sooner.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rulewright import limits
from rulewright.bots.aimless import are_blind
from rulewright.engine import chance
from rulewright.engine.compiled.compiler import CompiledProgram
from rulewright.engine.compiled.playing.make_game import make_compiled_game
from rulewright.engine.compiled.playing.position_reading import PositionReading
from rulewright.engine.engine_names import COMPILED_ENGINE
from rulewright.engine.interface import is_drawn_result
from rulewright.simulation.game_stats import GameStats


class CompiledTable:
    """A program, ready to play one game after another. Raises `NoMachineCode` for machine code without llvmlite."""

    def __init__(self, program: CompiledProgram, *, engine: str = COMPILED_ENGINE) -> None:
        self.rules = program.rules
        self._game = make_compiled_game(program, engine, is_kept=True)

    def play(self, bots: Sequence[str], seed: int, *, first: int = 0, cap: int = limits.MAX_GAME_TURNS) -> GameStats:
        """One game from its set-up to its end, or to the cap of turns. Raises `RuleFault` where the rules fail."""
        assert are_blind(bots), bots
        game = self._game
        streams = [chance.seed_rng(seed, stream=1 + seat) for seat in range(len(bots))]  # as `RandomBot` draws
        game.start(seed=seed, first=first)
        option_counts, forced = game.play_on(streams, cap=cap)
        return stats_of(game, seed, option_counts, forced)


def stats_of(game: PositionReading, seed: int, option_counts: Counter[int], forced: int) -> GameStats:
    """What is kept of a game that was played to its end, or given up. `option_counts`: how often so many actions were
    legal; `forced`: how many decisions left no choice.
    """
    rules, is_finished = game.program.rules, game.is_over
    result = game.result() if is_finished else None
    return GameStats(
        seed=seed,
        is_finished=is_finished,
        winners=result.winners if result else (),
        places=result.ranks if result else (),
        decisions=option_counts.total(),
        turns=game.turn_count,
        option_counts=tuple(sorted(option_counts.items())),
        forced_decisions=forced,
        measures=tuple(game.measures().items()),
        is_draw=result is not None
        and is_drawn_result(rules, result, are_named=game.are_winners_named, still_in=game.still_in),
        ending=game.ended_by if is_finished else "",
    )


__all__ = ["CompiledTable", "stats_of"]
