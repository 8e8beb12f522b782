"""The games in which `check` looks for faults: their seeds follow from the rules, all players are of one sort.

In: an engine, who plays, for how many decisions, and who watches. Out: games as they are played. The same rules have
the same games on every machine, so that what is found is found everywhere. Whoever looks for something in a whole game
is a `GameWatcher`, so that several look on while a game is played once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rulewright import limits
from rulewright.bots.bot_specs import make_bot
from rulewright.bots.player_view import bot_chooser
from rulewright.checker.common.checking_players import checking_players
from rulewright.engine.faults import RuleFault
from rulewright.engine.interface import Engine, WatchableEngine
from rulewright.engine.playout import Playout, play_out
from rulewright.engine.state import Action, State
from rulewright.model.rules import Rules

SEED_DIGITS: Final = 8  # of the rules' digest: a seed that people can type
GAMES: Final = 10  # that are played to their end, if nobody says how many
MIN_FINISHED: Final = 4  # of them, before anything is said of what never happens in games


class GameWatcher:
    """Looks on while games are played; whoever wants to see something of them overrides what is done then."""

    def attach(self, engine: WatchableEngine) -> None:
        """Before the first game: the engine can tell what it asks and does."""

    def add(self, state: State, legal: Sequence[Action]) -> None:
        """Somebody decides."""

    def end_game(self, state: State) -> None:
        """The next decision is of another game; `state`: how this one ended, or was left."""

    def has_seen_all(self) -> bool:
        """Whether nothing that may follow matters."""
        return False


class TriedGame:
    """A game that is played on as it is read: by the positions in which somebody has decided. `decisions`: how many
    are played at most. `made`: how many were; `fault`: how the rules have failed, if they have; `state`: the last
    position, if they have not failed before it.
    """

    def __init__(
        self, engine: Engine, bot: str, seed: int, decisions: int, watchers: Sequence[GameWatcher] = ()
    ) -> None:
        self.bot = bot
        self.seed = seed
        self.made = 0
        self.fault: RuleFault | None = None
        self.state: State | None = None
        self._engine = engine
        self._decisions = decisions
        self._watchers = watchers

    @property
    def is_over(self) -> bool:
        """Whether it has come to its end."""
        return self.state is not None and self.state.over

    def __iter__(self) -> Iterator[State]:
        rules = self._engine.rules
        bots = {seat: make_bot(self.bot, rules, self.seed, seat) for seat in range(rules.players)}
        ask = bot_chooser(self._engine, bots)

        def choose(state: State, legal: tuple[Action, ...]) -> Action:
            for watcher in self._watchers:
                watcher.add(state, legal)
            self.made += 1
            return ask(state, legal)

        try:
            game = Playout(self._engine, self._engine.start(seed=self.seed))
            self.state = game.state
            for step in play_out(game, choose, max_turns=limits.MAX_GAME_TURNS):
                self.state = game.state
                yield step.before
                if self.made >= self._decisions:
                    break
        except RuleFault as fault:
            self.fault = fault

    def play(self) -> TriedGame:
        """Plays all of it."""
        for _ in self:
            pass
        if self.fault is None and self.state is not None:
            for watcher in self._watchers:
                watcher.end_game(self.state)
        return self


def first_seed(rules: Rules) -> int:
    """The seed of the first game; those that follow count on from it."""
    return int(rules.digest[:SEED_DIGITS], 16)


def tried_games(engine: Engine, bots: Sequence[str], decisions: int) -> Iterator[TriedGame]:
    """One game after the other, to be read; `bots`: who plays each, `decisions`: as many are played of each."""
    for seed, bot in enumerate(bots, first_seed(engine.rules)):
        yield TriedGame(engine, bot, seed, decisions)


def random_games(engine: Engine, games: int, decisions: int) -> Iterator[TriedGame]:
    """The same of random players."""
    return tried_games(engine, ["random"] * games, decisions)


def watch_games(engine: WatchableEngine, watchers: Sequence[GameWatcher], decisions: int) -> bool:
    """Plays games, every second one of random players, the others of those who avoid something, until all has been
    seen. Returns whether enough of them came to their end, so that what was never seen says something.
    """
    for watcher in watchers:
        watcher.attach(engine)
    odd, first, finished = checking_players(engine.rules), first_seed(engine.rules), 0
    for number in range(GAMES):
        looking = [watcher for watcher in watchers if not watcher.has_seen_all()]
        if not looking:
            return True
        bot = odd[number // 2 % len(odd)] if number % 2 else "random"
        game = TriedGame(engine, bot, first + number, decisions, looking).play()
        finished += game.is_over
        if game.fault is not None or number + 1 - finished > GAMES - MIN_FINISHED:
            return False  # a fault is told elsewhere
    return True


__all__ = ["GAMES", "GameWatcher", "TriedGame", "first_seed", "random_games", "tried_games", "watch_games"]
