"""Many games by bots: each from a seed of its own, so that any of them can be played again alone.

In: a `Setting` and numbers of games, from 1. Out: `Played` games. The seed of each game comes from the setting's seed
and the game's number alone, so it does not matter how many processes share the work.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from itertools import islice
from time import monotonic
from typing import Final

from rulewright.bots.bot_specs import Bot, Seated, made
from rulewright.engine import chance
from rulewright.engine.reference.choice_domains import TooMany
from rulewright.engine.reference.reference_engine import Engine, RuleFault
from rulewright.engine.state import Action, Decision, State
from rulewright.errors import RulewrightError
from rulewright.model.loader import load_rules
from rulewright.model.rules import Choose, Rules
from rulewright.simulation.parallel import shared_out

CAP: Final = 2000  # turns after which a game is given up
DECISIONS_A_TURN: Final = 20  # on average; more is a game that never gets to its next turn
CHUNK: Final = 64  # at most so many games are handed to a process at once
BITE: Final = 0.5  # seconds that they should take, so that handing them over costs little and nobody waits for long
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
    """One game. `options`: how many of its decisions had so many legal actions, fewest first; `forced`: decisions
    without a choice, where an action stood in for missing ones.
    """

    seed: int
    finished: bool
    winners: tuple[int, ...]
    places: tuple[int, ...]
    decisions: int
    turns: int
    options: tuple[tuple[int, int], ...]
    forced: int
    measures: tuple[tuple[str, int | tuple[int, ...]], ...]

    @property
    def legal(self) -> int:
        """Legal actions of all its decisions together."""
        return sum(actions * decisions for actions, decisions in self.options)

    def won(self, seat: int) -> Fraction:
        """What the seat has of the win: a shared win is shared."""
        return Fraction(1, len(self.winners)) if seat in self.winners else Fraction()


class Stumbled(RulewrightError):
    """A game that cannot go on, as its rules ask for the impossible or a choice has too many answers.

    `bots` and `seed` are those of the game; `reason` says what was asked for, if it can be said.
    """

    def __init__(self, bots: tuple[str, ...], seed: int, reason: str) -> None:
        super().__init__(bots, seed, reason)  # so that it can be told from one process to another
        self.bots = bots
        self.seed = seed
        self.reason = reason


def game_seed(base: int, number: int) -> int:
    """The seed of the game with that number; different numbers have different seeds."""
    return chance.seeded(base, stream=FIRST_STREAM + number)


def seated(names: Sequence[str], rules: Rules, seed: int) -> list[Bot]:
    """A bot for each seat, by name, with its own stream of the game's seed."""
    return [made(name, rules, seed, seat) for seat, name in enumerate(names)]


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
    options: Counter[int] = Counter()
    decisions = forced = 0
    while isinstance(state.waiting, Decision) and within(cap, state, decisions):
        actions = engine.legal(state)
        decisions += 1
        options[len(actions)] += 1
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
        options=tuple(sorted(options.items())),
        forced=forced,
        measures=tuple(engine.measures(state).items()),
    )


@lru_cache(maxsize=1)
def _engine(game: str, players: int | None, variants: tuple[str, ...], tokenwise: tuple[str, ...]) -> Engine:
    return Engine(load_rules(game, players=players, variants=variants), tokenwise=tokenwise)


Task = tuple[tuple[str, ...], int]  # who sits where, and the number that the game's seed comes from


def play_tasks(setting: Setting, tasks: Sequence[Task]) -> list[Played]:
    """These games; a process calls this for its share. Raises `Stumbled`."""
    engine = _engine(setting.game, setting.players, setting.variants, setting.tokenwise)
    played = []
    for names, number in tasks:
        seed = game_seed(setting.seed, number)
        try:
            played.append(
                play_game(engine, seated(names, engine.rules, seed), seed, first=setting.first, cap=setting.cap)
            )
        except RuleFault as fault:
            raise Stumbled(names, seed, f"the rules ask for the impossible: {fault}") from None
        except TooMany:
            raise Stumbled(names, seed, "a choice has more answers than can be listed") from None
    return played


def all_tasks(setting: Setting, tasks: Iterable[Task], count: int, *, jobs: int = 1) -> Generator[Played, None, None]:
    """The games of these `count` tasks, in their order, played by `jobs` processes; who sits where, each task says."""
    _engine.cache_clear()  # files may have changed since the games before
    rest, size = iter(tasks), 1
    chunks = iter(lambda: tuple(islice(rest, size)), ())
    with closing(shared_out(partial(play_tasks, setting), chunks, jobs=min(jobs, count))) as parts:
        began = monotonic()
        for played in parts:
            now = monotonic()
            each = jobs * (now - began) / len(played)
            began = now
            size = max(1, min(CHUNK, int(BITE / each))) if jobs > 1 and each else 1
            yield from played


def games(setting: Setting, numbers: range, *, jobs: int = 1) -> Generator[Played, None, None]:
    """The games with these numbers, in their order."""
    return all_tasks(setting, ((setting.bots, number) for number in numbers), len(numbers), jobs=jobs)


__all__ = [
    "CAP", "Played", "Setting", "Stumbled", "Task", "all_tasks", "game_seed", "games", "play_game", "play_tasks",
    "seated", "within",
]  # fmt: skip
