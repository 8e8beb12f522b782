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
from rulewright.bots.player_view import Bot, PlayerView
from rulewright.bots.search import DEFAULT_PLAYOUTS, SearchBot
from rulewright.errors import RulewrightError
from rulewright.model.rules import Rules
from rulewright.suggestions import did_you_mean


class BotSpecError(RulewrightError, ValueError):
    """Somebody asked for a bot that does not exist; the text is a sentence that says what does."""


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A bot as it was asked for. `name`: one that is there in every game, or else a strategy's."""

    name: str
    playouts: int | None = None
    milliseconds: int | None = None
    strategy: str | None = None


BUILTIN_BOTS: Final[Mapping[str, Callable[[int, int], Bot]]] = MappingProxyType(
    {"random": RandomBot, "greedy": GreedyBot, "heuristic": HeuristicBot, "search": SearchBot}
)  # those that are there in every game, as they are without settings
SETTINGS_HELP: Final[Mapping[str, str]] = MappingProxyType(
    {
        "random": "it takes no settings",
        "greedy": "it takes the name of a strategy of the game",
        "heuristic": "it takes the name of a strategy of the game",
        "search": f"it takes playouts (search:{DEFAULT_PLAYOUTS}) or milliseconds (search:500ms), "
        "and the name of a strategy",
    }
)
BOT_NAME_PATTERN: Final = re.compile(r"[a-z][a-z0-9_]*")
BOT_BUDGET_PATTERN: Final = re.compile(r"([0-9]{1,7})(ms)?")


def parse_bot_spec(text: str) -> BotSpec:
    """What a name with settings asks for, as far as that can be told without the rules; raises `NoSuchBot`."""
    name, *settings = text.split(":")
    if not BOT_NAME_PATTERN.fullmatch(name):
        raise BotSpecError(f"{name!r} is no name of a bot: {_there_are(())}")
    found = BotSpec(name)
    for setting in settings:
        budget = BOT_BUDGET_PATTERN.fullmatch(setting)
        if name == "search" and budget is not None and found.playouts is None and found.milliseconds is None:
            number = int(budget[1])
            if not 1 <= number <= limits.MAX_SEARCH_BUDGET:
                raise BotSpecError(
                    f"{name!r} cannot be given {setting!r}: the number is from 1 to {limits.MAX_SEARCH_BUDGET}"
                )
            found = replace(found, milliseconds=number) if budget[2] else replace(found, playouts=number)
        elif (
            name in BUILTIN_BOTS and name != "random" and BOT_NAME_PATTERN.fullmatch(setting) and found.strategy is None
        ):
            found = replace(found, strategy=setting)
        else:
            raise BotSpecError(
                f"{name!r} cannot be given {setting!r}: {SETTINGS_HELP.get(name, 'it takes no settings')}"
            )
    return found


def resolve_bot_spec(text: str, rules: Rules) -> BotSpec:
    """What a name with settings asks for in a game; raises `NoSuchBot`."""
    wish, strategies = parse_bot_spec(text), [one.name for one in rules.strategies]
    if wish.name not in (*BUILTIN_BOTS, *strategies):
        raise BotSpecError(_none("bot", wish.name, [*BUILTIN_BOTS, *strategies]) + _there_are(strategies))
    if wish.strategy is not None and wish.strategy not in strategies:
        raise BotSpecError(
            _none("strategy", wish.strategy, strategies) + f"there are {', '.join(strategies) or 'none'}"
        )
    return wish if wish.name in BUILTIN_BOTS else BotSpec("greedy", strategy=wish.name)


def make_bot(text: str, rules: Rules, seed: int, seat: int) -> Bot:
    """The bot that a name with settings asks for, for a seat; raises `NoSuchBot`."""
    wish = resolve_bot_spec(text, rules)
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
    hint = did_you_mean(name, there).replace("`", "")
    return f"no {what} of this game is called {name!r}{f' ({hint})' if hint else ''}; "


def _there_are(strategies: Sequence[str]) -> str:
    of_game = f", and by the strategies of the game {', '.join(strategies)}" if strategies else ""
    return f"there are {', '.join(BUILTIN_BOTS)}{of_game}"


__all__ = [
    "BUILTIN_BOTS",
    "Bot",
    "BotSpec",
    "BotSpecError",
    "GreedyBot",
    "HeuristicBot",
    "PlayerView",
    "RandomBot",
    "SearchBot",
    "make_bot",
    "parse_bot_spec",
    "resolve_bot_spec",
]
