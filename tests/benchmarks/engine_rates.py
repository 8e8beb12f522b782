"""The engines that are measured: each plays random games as fast as it goes, with every legal action listed.

In: rules, seeds. Out: how many decisions there were. An engine that cannot play says why.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from functools import partial
from typing import Final, TypeAlias

from benchmarks.random_games import count_random_decisions
from rulewright.engine.compiled.compiler import compile_program
from rulewright.engine.compiled.playing.compiled_game import CompiledGame
from rulewright.engine.compiled.playing.make_game import make_compiled_game
from rulewright.engine.engine_names import COMPILED_ENGINE, NATIVE_ENGINE
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.model.rules import Rules

PlayGames: TypeAlias = Callable[[range], int]  # the seeds of games → decisions
MakePlayer: TypeAlias = Callable[[Rules, Collection[str]], PlayGames]


def _reference(rules: Rules, tokenwise: Collection[str]) -> PlayGames:
    return partial(count_random_decisions, ReferenceEngine(rules, tokenwise=tokenwise))


def _compiled(name: str, rules: Rules, tokenwise: Collection[str], *, checks_invariants: bool = True) -> PlayGames:
    program = compile_program(
        rules, tokenwise=tokenwise, checks_invariants=checks_invariants, is_native=name == NATIVE_ENGINE
    )
    return partial(_play_compiled, make_compiled_game(program, name))


def _play_compiled(game: CompiledGame, seeds: range) -> int:
    return game.play_many(seeds.start, len(seeds))


ENGINES: Final[dict[str, MakePlayer]] = {
    "reference": _reference,
    "python": partial(_compiled, COMPILED_ENGINE),
    "native": partial(_compiled, NATIVE_ENGINE),
    "native-unchecked": partial(_compiled, NATIVE_ENGINE, checks_invariants=False),
}


def rate_of(play: PlayGames, seeds: range) -> float:
    """Decisions per second of processor time."""
    began = time.process_time()
    count = play(seeds)
    return count / max(time.process_time() - began, 1e-9)


__all__ = ["ENGINES", "MakePlayer", "PlayGames", "rate_of"]
