"""The players that a program can be, by name: `random`, `greedy`, `heuristic`, `search`, and the strategies of a game.

In: a name with its settings as people write it, and the rules. Out: a `Bot`, or `NoSuchBot` with a sentence. What may
be written is told here and nowhere else:

    random, greedy, heuristic      as they are
    search:200, search:500ms       with so many playouts, or so many milliseconds, for each choice
    NAME                           does what looks best by the game's strategy of that name
    heuristic:NAME, search:200:NAME    and judges by that strategy

Each bot draws from its own stream of the seed, so that what it does changes nothing about the game's chance.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from rulewright import limits
from rulewright.bots.greedy import GreedyBot, RandomBot
from rulewright.bots.heuristic import HeuristicBot
from rulewright.bots.player_view import Bot, Seated
from rulewright.bots.search import PLAYOUTS, SearchBot
from rulewright.diagnostics import nearest
from rulewright.errors import RulewrightError
from rulewright.model.rules import Rules


class NoSuchBot(RulewrightError, ValueError):
    """Somebody asked for a bot that does not exist; the text is a sentence that says what does."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A bot as it was asked for. `name`: one that is there in every game, or else a strategy's."""

    name: str
    playouts: int | None = None
    milliseconds: int | None = None
    strategy: str | None = None


BOTS: Final[Mapping[str, Callable[[int, int], Bot]]] = MappingProxyType(
    {"random": RandomBot, "greedy": GreedyBot, "heuristic": HeuristicBot, "search": SearchBot}
)  # those that are there in every game, as they are without settings
TAKES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "random": "it takes no settings",
        "greedy": "it takes the name of a strategy of the game",
        "heuristic": "it takes the name of a strategy of the game",
        "search": f"it takes playouts (search:{PLAYOUTS}) or milliseconds (search:500ms), and the name of a strategy",
    }
)
NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
BUDGET: Final = re.compile(r"([0-9]{1,7})(ms)?")


def asked(text: str) -> Asked:
    """What a name with settings asks for, as far as that can be told without the rules; raises `NoSuchBot`."""
    name, *settings = text.split(":")
    if not NAME.fullmatch(name):
        raise NoSuchBot(f"{name!r} is no name of a bot: {_there_are(())}")
    found = Asked(name)
    for setting in settings:
        budget = BUDGET.fullmatch(setting)
        if name == "search" and budget is not None and found.playouts is None and found.milliseconds is None:
            number = int(budget[1])
            if not 1 <= number <= limits.MAX_SEARCH_BUDGET:
                raise NoSuchBot(
                    f"{name!r} cannot be given {setting!r}: the number is from 1 to {limits.MAX_SEARCH_BUDGET}"
                )
            found = replace(found, milliseconds=number) if budget[2] else replace(found, playouts=number)
        elif name in BOTS and name != "random" and NAME.fullmatch(setting) and found.strategy is None:
            found = replace(found, strategy=setting)
        else:
            raise NoSuchBot(f"{name!r} cannot be given {setting!r}: {TAKES.get(name, 'it takes no settings')}")
    return found


def known(text: str, rules: Rules) -> Asked:
    """What a name with settings asks for in a game; raises `NoSuchBot`."""
    wish, strategies = asked(text), [one.name for one in rules.strategies]
    if wish.name not in (*BOTS, *strategies):
        raise NoSuchBot(_none("bot", wish.name, [*BOTS, *strategies]) + _there_are(strategies))
    if wish.strategy is not None and wish.strategy not in strategies:
        raise NoSuchBot(_none("strategy", wish.strategy, strategies) + f"there are {', '.join(strategies) or 'none'}")
    return wish if wish.name in BOTS else Asked("greedy", strategy=wish.name)


def made(text: str, rules: Rules, seed: int, seat: int) -> Bot:
    """The bot that a name with settings asks for, for a seat; raises `NoSuchBot`."""
    wish = known(text, rules)
    match wish.name:
        case "random":
            return RandomBot(seed, seat)
        case "greedy":
            return GreedyBot(seed, seat, wish.strategy)
        case "heuristic":
            return HeuristicBot(seed, seat, wish.strategy)
        case _:
            return SearchBot(seed, seat, wish.playouts, wish.milliseconds, wish.strategy)


def _none(what: str, name: str, there: Sequence[str]) -> str:
    hint = nearest(name, there).replace("`", "")
    return f"no {what} of this game is called {name!r}{f' ({hint})' if hint else ''}; "


def _there_are(strategies: Sequence[str]) -> str:
    of_game = f", and by the strategies of the game {', '.join(strategies)}" if strategies else ""
    return f"there are {', '.join(BOTS)}{of_game}"


__all__ = [
    "BOTS",
    "Asked",
    "Bot",
    "GreedyBot",
    "HeuristicBot",
    "NoSuchBot",
    "RandomBot",
    "SearchBot",
    "Seated",
    "asked",
    "known",
    "made",
]
