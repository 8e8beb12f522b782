"""Simulated games of bots that think: a compiled program plays them, and in another one the bots think.

In: rules, bots, seeds. Out: the same `GameStats` as from any engine, sooner. Where a seat does not know more than what
lies in places (what others choose in secret, which thing a step under way is about) the engine that defines what rules
mean catches up with the game, and says what could be true.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from rulewright import limits
from rulewright.bots.compiled_positions import ThinkingProgram
from rulewright.bots.followed_view import FollowedView
from rulewright.bots.player_view import Bot, PlayerView
from rulewright.engine.compiled.compiler import compile_program
from rulewright.engine.compiled.playing.followed_game import FollowedGame
from rulewright.engine.interface import Engine
from rulewright.engine.state import Action, State
from rulewright.simulation.compiled_games import stats_of
from rulewright.simulation.game_stats import GameStats


class ThinkingTable:
    """Plays one game after another. `engine`: gives the engine that defines what the rules mean; `thinking`: the
    program in which the bots think.
    """

    def __init__(self, engine: Callable[[], Engine], thinking: ThinkingProgram, tokenwise: Sequence[str] = ()) -> None:
        program = compile_program(
            thinking.rules, tokenwise=tokenwise, is_imagined=True, is_witnessed=True, checks_invariants=True
        )
        self._engine = engine
        self._thinking = thinking
        self._game = FollowedGame(program)

    def play(self, bots: Sequence[Bot], seed: int, *, first: int = 0, cap: int = limits.MAX_GAME_TURNS) -> GameStats:
        """One game from its set-up to its end, or to the cap of turns. Raises `RuleFault` where the rules fail, and
        `NotCompiled` for what the program has no room for.
        """
        game, thinking = self._game, self._thinking
        word_of, number_of, decisions = game.program.words.word, game.program.words.word_number, game.program.decisions
        reference = _CatchingUp(self._engine, seed, first)
        option_counts: Counter[int] = Counter()
        made = forced = 0
        game.start(seed=seed, first=first)
        while not game.is_over and game.turn_count <= cap and made < cap * limits.MAX_DECISIONS_PER_TURN:
            position = thinking.position_of(game.cells)
            words = thinking.list_options(position)
            if words is None:
                words = game.options  # it says what fails
            else:
                game.listed(words)
            option_counts[len(words)] += 1
            forced += len(words) == 1 and number_of(words[0]) in decisions[game.decision].fallbacks
            made += 1
            view = FollowedView(game, thinking, position, words, lambda: reference.view(game, thinking))
            action = bots[game.seat].choose(view)
            reference.actions.append(action)
            game.act(words.index(word_of(action)))
        return stats_of(game, seed, option_counts, forced)


class _CatchingUp:
    """The same game in the engine that defines what rules mean, as far as it was asked for. `actions`: all so far."""

    def __init__(self, engine: Callable[[], Engine], seed: int, first: int) -> None:
        self._engine = engine
        self._seed, self._first = seed, first
        self._state: State | None = None
        self._done = 0
        self.actions: list[Action] = []

    def view(self, game: FollowedGame, thinking: ThinkingProgram) -> PlayerView:
        """What the deciding seat sees now."""
        engine = self._engine()
        if self._state is None:
            self._state = engine.start(first=self._first, seed=self._seed)
        for action in self.actions[self._done :]:
            self._state = engine.apply_legal(self._state, action)
        self._done = len(self.actions)
        return PlayerView(engine, self._state, game.seat, game.legal(), thinking)


__all__ = ["ThinkingTable"]
