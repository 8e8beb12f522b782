"""Simulated games of bots that look at nothing but how many actions are legal, played by a compiled program.

In: rules, the bots' names, seeds. Out: the same `GameStats` as from any engine, sooner.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

from rulewright import limits
from rulewright.engine import chance
from rulewright.engine.compiled.compiled_game import CompiledGame
from rulewright.engine.compiled.compiler import compile_program
from rulewright.engine.compiled.python_program import PythonProgram
from rulewright.engine.interface import is_drawn_result
from rulewright.model.rules import Rules
from rulewright.simulation.game_stats import GameStats

BLIND_BOTS: Final = frozenset({"random"})  # bots whose choice depends on the number of legal actions alone


def can_play_compiled(bots: Collection[str]) -> bool:
    """Whether none of these bots looks at the position."""
    return BLIND_BOTS.issuperset(bots)


class CompiledTable:
    """A program, ready to play one game after another. Raises `NotCompiled` for rules that cannot be compiled yet."""

    def __init__(self, rules: Rules, *, tokenwise: Collection[str] = ()) -> None:
        self.rules = rules
        self._game = CompiledGame(PythonProgram(compile_program(rules, tokenwise=tokenwise)))

    def play(self, bots: Sequence[str], seed: int, *, first: int = 0, cap: int = limits.MAX_GAME_TURNS) -> GameStats:
        """One game from its set-up to its end, or to the cap of turns. Raises `RuleFault` where the rules fail."""
        assert can_play_compiled(bots), bots
        game = self._game
        streams = [chance.seed_rng(seed, stream=1 + seat) for seat in range(len(bots))]  # as `RandomBot` draws
        option_counts: Counter[int] = Counter()
        decisions = forced = 0
        most_decisions = cap * limits.MAX_DECISIONS_PER_TURN
        game.start(seed=seed, first=first)
        while not game.is_over and game.turn_count <= cap and decisions < most_decisions:
            seat, count = game.seat, len(game.options)
            option_counts[count] += 1
            forced += count == 1 and game.is_forced
            decisions += 1
            streams[seat], index = chance.rand_below(streams[seat], count)
            game.act(index)
        is_finished = game.is_over
        result = game.result() if is_finished else None
        return GameStats(
            seed=seed,
            is_finished=is_finished,
            winners=result.winners if result else (),
            places=result.ranks if result else (),
            decisions=decisions,
            turns=game.turn_count,
            option_counts=tuple(sorted(option_counts.items())),
            forced_decisions=forced,
            measures=tuple(game.measures().items()),
            is_draw=result is not None
            and is_drawn_result(self.rules, result, are_named=game.are_winners_named, still_in=game.still_in),
            ending=game.ended_by if is_finished else "",
        )


__all__ = ["BLIND_BOTS", "CompiledTable", "can_play_compiled"]
