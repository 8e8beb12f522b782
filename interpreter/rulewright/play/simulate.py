"""Many games by bots, and what came of them: who won, how long they were, every measure that the game defines.

In: a `Setting` and a number of games. Out: `Played` games and their `Simulation`. The seed of each game comes from the
setting's seed and the game's number alone, so it does not matter how many processes share the work.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from threading import current_thread, main_thread
from typing import Any, Final

from rulewright.engine import chance
from rulewright.engine.reference import Engine
from rulewright.engine.state import Action, Decision, State
from rulewright.model.load import load_rules
from rulewright.model.rules import Choose
from rulewright.play.bots import Bot, Seated, made
from rulewright.play.statistics import Summary, ratio, share, summary

CAP: Final = 2000  # turns after which a game is given up
DECISIONS_A_TURN: Final = 20  # on average; more is a game that never gets to its next turn
CHUNK: Final = 8  # games handed to a process at once
FIRST_STREAM: Final = 1 << 32  # far from the streams of bots


@dataclass(frozen=True, slots=True)
class Setting:
    """All that decides how simulated games go. `bots`: one name for each seat."""

    game: str
    players: int | None
    variants: tuple[str, ...]
    bots: tuple[str, ...]
    seed: int
    cap: int = CAP
    first: int = 0
    tokenwise: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Played:
    """One game. `legal`: legal actions of all its decisions together; `forced`: decisions without a choice, where an
    action stood in for missing ones.
    """

    seed: int
    finished: bool
    winners: tuple[int, ...]
    places: tuple[int, ...]
    decisions: int
    turns: int
    legal: int
    forced: int
    measures: tuple[tuple[str, int | tuple[int, ...]], ...]


def game_seed(base: int, number: int) -> int:
    """The seed of the game with that number, from 0; different numbers have different seeds."""
    return chance.seeded(base, stream=FIRST_STREAM + number)


def is_forced(engine: Engine, state: State, legal: Sequence[Action]) -> bool:
    """Whether a decision has the one option that stands in where no offer is legal."""
    decision = state.waiting
    if not isinstance(decision, Decision) or len(legal) != 1:
        return False
    effect = engine.rules.blocks[decision.block].steps[decision.at].effect
    assert isinstance(effect, Choose)
    number = legal[0].number
    return effect.otherwise == number and all(offer.action != number for offer in effect.offers)


def within(cap: int, state: State, decisions: int) -> bool:
    """Whether a game goes on: it has not had too many turns, nor too many decisions for so few turns."""
    return state.turns <= cap and decisions < cap * DECISIONS_A_TURN


def play_game(engine: Engine, bots: Sequence[Bot], seed: int, *, first: int = 0, cap: int = CAP) -> Played:
    """One game from its set-up to its end, or to the cap of turns."""
    state = engine.start(first=first, seed=seed)
    decisions = legal = forced = 0
    while isinstance(state.waiting, Decision) and within(cap, state, decisions):
        actions = engine.legal(state)
        decisions += 1
        legal += len(actions)
        forced += is_forced(engine, state, actions)
        seat = state.waiting.seat
        state = engine.apply_legal(state, bots[seat].choose(Seated(engine, state, seat, actions)))
    result = engine.result(state) if state.over else None
    return Played(
        seed=seed,
        finished=state.over,
        winners=result.winners if result else (),
        places=result.places if result else (),
        decisions=decisions,
        turns=state.turns,
        legal=legal,
        forced=forced,
        measures=tuple(engine.measures(state).items()),
    )


@lru_cache(maxsize=1)
def _engine(game: str, players: int | None, variants: tuple[str, ...], tokenwise: tuple[str, ...]) -> Engine:
    return Engine(load_rules(game, players=players, variants=variants), tokenwise=tokenwise)


def play_numbers(setting: Setting, numbers: Sequence[int]) -> list[Played]:
    """The games with these numbers; a process calls this for its share."""
    engine = _engine(setting.game, setting.players, setting.variants, setting.tokenwise)
    played = []
    for number in numbers:
        seed = game_seed(setting.seed, number)
        bots = [made(name, engine.rules, seed, seat) for seat, name in enumerate(setting.bots)]
        played.append(play_game(engine, bots, seed, first=setting.first, cap=setting.cap))
    return played


def games(setting: Setting, count: int, *, jobs: int = 1) -> Generator[Played, None, None]:
    """So many games in the order of their numbers, played by `jobs` processes."""
    _engine.cache_clear()  # files may have changed since the games before
    chunks = [range(at, min(at + CHUNK, count)) for at in range(0, count, CHUNK)]
    if jobs <= 1 or len(chunks) <= 1:
        for number in range(count):
            yield from play_numbers(setting, [number])
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import active_children, get_context

    others = set(active_children())
    pool = ProcessPoolExecutor(min(jobs, len(chunks)), mp_context=get_context("spawn"), initializer=_undisturbed)
    with _uninterrupted():  # processes inherit it, so that none of them is stopped while it still begins
        pool.submit(_undisturbed)
    done = False
    try:
        for played in pool.map(play_numbers, [setting] * len(chunks), chunks):
            yield from played
        done = True
    finally:
        if not done:  # nobody waits any more for the games that are being played
            for process in set(active_children()) - others:
                process.terminate()
        pool.shutdown(wait=True, cancel_futures=True)


def _undisturbed() -> None:
    """What a process of the pool does first: an interrupt from the keyboard is for the one who shares out the work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Within it interrupts are ignored, where that can be arranged: only in the main thread."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


# ---- what came of them ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Simulation:
    """Numbers over many games. `measures`: by name the summary over games, or one for each seat; unfinished games are
    counted and otherwise left out.
    """

    games: int
    unfinished: tuple[int, ...]  # their seeds
    wins: tuple[Summary | None, ...]  # of each seat; a shared win is shared
    shared: int  # games with several winners
    numbers: dict[str, Summary | None]
    forced_games: int  # games with a forced decision
    measures: dict[str, Summary | tuple[Summary | None, ...] | None]

    def data(self) -> dict[str, Any]:
        """The simulation as JSON data."""

        def one(value: Summary | None) -> dict[str, Any] | None:
            return None if value is None else value.data()

        return {
            "games": self.games,
            "finished": self.games - len(self.unfinished),
            "unfinished_seeds": list(self.unfinished),
            "wins": [one(value) for value in self.wins],
            "shared_wins": self.shared,
            **{name: one(value) for name, value in self.numbers.items()},
            "games_with_forced": self.forced_games,
            "measures": {
                name: [one(seat) for seat in value] if isinstance(value, tuple) else one(value)
                for name, value in self.measures.items()
            },
        }


def summed_up(played: Sequence[Played], players: int) -> Simulation:
    """What came of some games for so many players."""
    done = [one for one in played if one.finished]
    return Simulation(
        games=len(played),
        unfinished=tuple(one.seed for one in played if not one.finished),
        wins=tuple(
            share([1 / len(one.winners) if seat in one.winners else 0.0 for one in done]) for seat in range(players)
        ),
        shared=sum(len(one.winners) > 1 for one in done),
        numbers={
            "turns": summary([one.turns for one in done]),
            "decisions": summary([one.decisions for one in done]),
            "legal_per_decision": ratio([one.legal for one in done], [one.decisions for one in done]),
            "forced": summary([one.forced for one in done]),
        },
        forced_games=sum(one.forced > 0 for one in done),
        measures={} if not done else {name: _measure(done, at) for at, (name, _) in enumerate(done[0].measures)},
    )


def _measure(done: Sequence[Played], at: int) -> Summary | tuple[Summary | None, ...] | None:
    values = [one.measures[at][1] for one in done]
    if not isinstance(values[0], tuple):
        return summary([value for value in values if isinstance(value, int)])
    rows = [value for value in values if isinstance(value, tuple)]
    return tuple(summary([row[seat] for row in rows]) for seat in range(len(rows[0])))


def run(
    setting: Setting, count: int, *, jobs: int = 1, told: Callable[[int], None] = lambda done: None
) -> tuple[Simulation, list[Played]]:
    """Plays so many games and sums them up; `told` hears after each game how many are done."""
    played: list[Played] = []
    with closing(games(setting, count, jobs=jobs)) as all_games:
        for one in all_games:
            played.append(one)
            told(len(played))
    return summed_up(played, len(setting.bots)), played


__all__ = ["CAP", "Played", "Setting", "Simulation", "game_seed", "games", "play_game", "run", "summed_up", "within"]
