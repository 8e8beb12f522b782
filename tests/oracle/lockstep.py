"""Play an engine and the hand-written rules side by side, and stop at the first difference.

At every decision both name the seat that decides and the complete legal list; these have to be the same, each action
once. One action is then chosen at random and given to both. When the game is over, places and winners are compared.

    python -m tests.oracle.lockstep --games 1000 --players 2 3 4 --command "rulewright engine"

The players' tastes differ from game to game (`TASTES`), because uniform choice seldom meets the rare rules.
"""

import argparse
import json
import shlex
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from .rules import Game, Orders, shuffled

# How much likelier than others an action is chosen, by its name; 1 where nothing is said.
TASTES: dict[str, dict[str, float]] = {
    "uniform": {},
    "buyer": {"buy": 20, "reserve_face_up": 0.2, "reserve_from_deck": 0.2},  # reaches nobles and ties
    "hoarder": {"buy": 0.02, "reserve_from_deck": 4},  # empties the supply, gives back, has to pass
    "reserver": {"reserve_face_up": 5, "reserve_from_deck": 10, "buy": 10},  # empties the decks, pays with gold
}


@dataclass(frozen=True)
class Setting:
    """All that decides how a game begins; `seed` chooses the shuffles and the moves."""

    players: int
    first_seat: int
    seed: int
    taste: str = "uniform"
    tokenwise: bool = False
    colours_first: bool = False


class Engine(Protocol):
    """What is played beside the rules. `result` is the list of places and the list of winners, of a finished game."""

    def new(self, setting: Setting, orders: Orders) -> None: ...

    def decides(self) -> int | None: ...

    def legal(self) -> list[str]: ...

    def apply(self, text: str) -> None: ...

    def result(self) -> tuple[list[int], list[int]]: ...


class EngineError(Exception):
    """The engine answered with an error, or not at all."""


class EngineProcess:
    """An engine behind a command that answers one JSON object a line; the only place that knows the protocol.

    The requests, each with the part of its answer that is read; an answer with the key `error` is a failure:

        {"do": "new", "game": "splendor", "players": 2, "first_seat": 0, "variants": [], "tokenwise": [], "seed": 0,
         "orders": {"deck": {"1": ["l1_ruby_3", …], "2": […], "3": […]}, "noble_box": ["n01", …]}}          → {}
        {"do": "legal"}                                    → {"decides": 0, "actions": ["take_pair(colour=ruby)", …]}
        {"do": "apply", "seat": 0, "action": "take_pair(colour=ruby)"}                                      → {}
        {"do": "result"}                                   → {"over": true, "places": [1, 2], "winners": [0]}

    Nobody decides (null) when the game is over. Orders are whole, top card first; of the nobles the first players + 1
    are laid out, so nothing is left to the seed.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._answer: dict | None = None  # the answer to `legal`, good until something is applied

    def __enter__(self) -> "EngineProcess":
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait(timeout=60)
        assert self._process.stdout
        self._process.stdout.close()

    def new(self, setting: Setting, orders: Orders) -> None:
        decks = {str(level): list(deck) for level, deck in enumerate(orders.decks, start=1)}
        self._answer = None
        self._ask(
            do="new",
            game="splendor",
            players=setting.players,
            first_seat=setting.first_seat,
            variants=["colours-first"] if setting.colours_first else [],
            tokenwise=["actions.give_back.choose.tokens"] if setting.tokenwise else [],
            seed=0,
            orders={"deck": decks, "noble_box": list(orders.nobles)},
        )

    def decides(self) -> int | None:
        return self._look()["decides"]

    def legal(self) -> list[str]:
        return self._look()["actions"]

    def apply(self, text: str) -> None:
        seat = self.decides()
        self._answer = None
        self._ask(do="apply", seat=seat, action=text)

    def result(self) -> tuple[list[int], list[int]]:
        answer = self._ask(do="result")
        if not answer["over"]:
            raise EngineError("the engine says the game is not over")
        return answer["places"], answer["winners"]

    def _look(self) -> dict:
        if self._answer is None:
            self._answer = self._ask(do="legal")
        return self._answer

    def _ask(self, **request: object) -> dict:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise EngineError(f"no answer to {request}")
        answer = json.loads(line)
        if "error" in answer:
            raise EngineError(f"{request}: {answer['error']}")
        return answer


class MismatchError(AssertionError):
    """The engine and the rules differ; the message has all that is needed to come back to the spot."""


@dataclass(frozen=True)
class Played:
    """A game that went the same way in both. `met` counts the decisions by the name of the action."""

    decisions: int
    finished: bool
    met: Counter[str]
    places: list[int] | None


def name_of(text: str) -> str:
    return text.partition("(")[0]


def beginning(setting: Setting) -> tuple[Orders, Random]:
    """The shuffles of a game, and the chance that goes on to choose its moves."""
    rng = Random(f"{setting.seed} {setting.players} {setting.first_seat}")
    return shuffled(rng), rng


def play_beside(engine: Engine, setting: Setting, *, most: int = 2000) -> Played:
    """Play one game in both; a game that reaches `most` decisions is left unfinished."""
    orders, rng = beginning(setting)
    taste = TASTES[setting.taste]
    game = Game(
        setting.players,
        orders,
        first_seat=setting.first_seat,
        tokenwise=setting.tokenwise,
        colours_first=setting.colours_first,
    )
    played: list[str] = []

    def same(what: str, ours: object, theirs: object) -> None:
        if ours != theirs:
            details = json.dumps({"decks": orders.decks, "nobles": orders.nobles, "played": played})
            raise MismatchError(f"{what} after {len(played)} decisions of {setting}\n{details}\n{ours=}\n{theirs=}")

    engine.new(setting, orders)
    while not game.over and len(played) < most:
        same("deciding seat", game.decides(), engine.decides())
        ours, theirs = sorted(game.legal()), sorted(engine.legal())
        if ours != theirs:
            more, fewer = Counter(theirs) - Counter(ours), Counter(ours) - Counter(theirs)
            same("legal actions", {"missing": []}, {"missing": [*fewer.elements()], "too many": [*more.elements()]})
        [choice] = rng.choices(ours, [taste.get(name_of(text), 1) for text in ours])
        game.apply(choice)
        engine.apply(choice)
        played.append(choice)
    if game.over:
        same("deciding seat", None, engine.decides())
        same("result", (game.places(), game.winners()), engine.result())
    return Played(
        decisions=len(played),
        finished=game.over,
        met=Counter(map(name_of, played)),
        places=game.places() if game.over else None,
    )


def settings(
    games: int, players: Sequence[int], seed: int, *, tokenwise: bool = False, colours_first: bool = False
) -> list[Setting]:
    """So many different games for each number of players: every taste and every first seat comes in its turn."""
    tastes = list(TASTES)
    return [
        Setting(n, i // len(tastes) % n, seed + i, tastes[i % len(tastes)], tokenwise, colours_first)
        for n in players
        for i in range(games)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle.lockstep", description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=100, help="for each number of players")
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4], choices=(2, 3, 4))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--command", default=f"{sys.executable} -m rulewright engine", help="default: this Python's")
    parser.add_argument("--tokens", action="store_true", help="give tokens back one at a time")
    parser.add_argument("--colours-first", action="store_true", help="gold pays only for what one lacks")
    args = parser.parse_args()

    began = time.perf_counter()
    met: Counter[str] = Counter()
    finished = decisions = 0
    todo = settings(args.games, args.players, args.seed, tokenwise=args.tokens, colours_first=args.colours_first)
    with EngineProcess(shlex.split(args.command)) as engine:
        for setting in todo:
            try:
                played = play_beside(engine, setting)
            except (MismatchError, EngineError) as error:
                sys.exit(f"{type(error).__name__}: {error}")
            met += played.met
            decisions += played.decisions
            finished += played.finished
    seconds = time.perf_counter() - began
    print(f"{len(todo)} games, {finished} to their end, {decisions:,} decisions: no difference ({seconds:.1f} s)")
    for name, count in met.most_common():
        print(f"{count:>10,}  {name}")


if __name__ == "__main__":
    main()
