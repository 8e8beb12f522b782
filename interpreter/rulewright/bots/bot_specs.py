"""The players that a program can be, by name: `random`, `greedy`, `heuristic`, `search`, and the strategies of a game.

In: a name with its settings as people write it, and the rules. Out: a `Bot`, or `BotSpecError` with a sentence. What
can be written is defined here and nowhere else:

    random, greedy, heuristic      without settings
    avoid:ACTION                   anything but this action, as long as something else can be done
    search:200, search:500ms       with that many playouts, or milliseconds, for each choice
    NAME                           the greedy bot with the game's strategy of that name
    heuristic:NAME, search:200:NAME    evaluating positions by that strategy

Each bot draws from its own stream of the seed, so that what it does changes nothing about the game's chance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from rulewright import limits
from rulewright.bots.aimless import AvoidingBot, RandomBot
from rulewright.errors import RulewrightError, quote
from rulewright.frozen import frozen, replace
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.rules import Rules
from rulewright.suggestions import did_you_mean

if TYPE_CHECKING:
    from rulewright.bots.player_view import Bot


class BotSpecError(RulewrightError, ValueError):
    """A name of a bot that does not exist, or settings that it does not take; the text says which do."""


@frozen
class BotSpec:
    """A bot with its settings. `name`: a built-in bot, or a strategy of the game; `action`: what it avoids."""

    name: str
    action: str | None = None
    playouts: int | None = None
    milliseconds: int | None = None
    strategy: str | None = None


# bots that think are imported, with all that they think in, when one of them plays


def _greedy(seed: int, seat: int, strategy: str | None = None) -> Bot:
    from rulewright.bots.greedy import GreedyBot

    return GreedyBot(seed, seat, strategy)


def _heuristic(seed: int, seat: int, strategy: str | None = None) -> Bot:
    from rulewright.bots.heuristic import HeuristicBot

    return HeuristicBot(seed, seat, strategy)


def _search(
    seed: int, seat: int, playouts: int | None = None, milliseconds: int | None = None, strategy: str | None = None
) -> Bot:
    from rulewright.bots.search import SearchBot

    return SearchBot(seed, seat, playouts, milliseconds, strategy)


BUILTIN_BOTS: Final[Mapping[str, Callable[[int, int], Bot]]] = MappingProxyType(
    {
        "random": RandomBot,
        "avoid": AvoidingBot,
        "greedy": _greedy,
        "heuristic": _heuristic,
        "search": _search,
    }
)  # by name: what makes it, without settings, from a seed and a seat
THINKING_BOTS: Final = frozenset({"greedy", "heuristic", "search"})  # which take a strategy
SETTINGS_HELP: Final[Mapping[str, str]] = MappingProxyType(
    {
        "random": "no settings",
        "avoid": "the name of an action",
        "greedy": "the name of a strategy",
        "heuristic": "the name of a strategy",
        "search": f"playouts (search:{limits.DEFAULT_PLAYOUTS}) or milliseconds (search:500ms), "
        "and the name of a strategy",
    }
)
BOT_NAME_PATTERN: Final = lazy_pattern(r"[a-z][a-z0-9_]*")
BOT_BUDGET_PATTERN: Final = lazy_pattern(r"([0-9]{1,7})(ms)?")


def parse_bot_spec(text: str, others: Sequence[str] = ()) -> BotSpec:
    """The bot that a name with settings means, as far as that is known without the rules; raises `BotSpecError`.

    `others`: who else can be named where bots are, for the message.
    """
    name, *settings = text.split(":")
    if not BOT_NAME_PATTERN.fullmatch(name):
        raise BotSpecError(
            f"there is no bot {quote(name)}{_hint(name, [*others, *BUILTIN_BOTS])}; {_available_bots((), others)}"
        )
    if settings and name not in BUILTIN_BOTS and (hint := _hint(name, [*BUILTIN_BOTS])):
        raise BotSpecError(f"there is no bot {quote(name)}{hint}; {_available_bots((), others)}")
    spec = BotSpec(name)
    for setting in settings:
        budget = BOT_BUDGET_PATTERN.fullmatch(setting)
        if name == "search" and budget is not None and spec.playouts is None and spec.milliseconds is None:
            number = int(budget[1])
            if not 1 <= number <= limits.MAX_SEARCH_BUDGET:
                raise BotSpecError(
                    f"unexpected {quote(setting)} for {quote(name)}, "
                    f"expected a number from 1 to {limits.MAX_SEARCH_BUDGET}"
                )
            spec = replace(spec, milliseconds=number) if budget[2] else replace(spec, playouts=number)
        elif name == "avoid" and BOT_NAME_PATTERN.fullmatch(setting) and spec.action is None:
            spec = replace(spec, action=setting)
        elif name in THINKING_BOTS and BOT_NAME_PATTERN.fullmatch(setting) and spec.strategy is None:
            spec = replace(spec, strategy=setting)
        else:
            raise BotSpecError(
                f"unexpected {quote(setting)} for {quote(name)}, expected {SETTINGS_HELP.get(name, 'no settings')}"
            )
    return spec


def resolve_bot_spec(text: str, rules: Rules, others: Sequence[str] = ()) -> BotSpec:
    """The bot that a name with settings means in a game; raises `BotSpecError`. `others`: as for `parse_bot_spec`."""
    spec, strategies = parse_bot_spec(text, others), [strategy.name for strategy in rules.strategies]
    if spec.name not in (*BUILTIN_BOTS, *strategies):
        unknown = _unknown("bot", spec.name, [*others, *BUILTIN_BOTS, *strategies])
        raise BotSpecError(unknown + _available_bots(strategies, others))
    if spec.strategy is not None and spec.strategy not in strategies:
        raise BotSpecError(
            _unknown("strategy", spec.strategy, strategies) + f"available: {', '.join(strategies) or 'none'}"
        )
    if spec.name == "avoid":
        actions = [action.name for action in rules.actions]
        if spec.action is None:
            raise BotSpecError(f"`avoid` needs the action that it avoids, such as avoid:{actions[0]}")
        if spec.action not in actions:
            raise BotSpecError(_unknown("action", spec.action, actions) + f"available: {', '.join(actions)}")
    return spec if spec.name in BUILTIN_BOTS else BotSpec("greedy", strategy=spec.name)


def make_bot(text: str, rules: Rules, seed: int, seat: int) -> Bot:
    """The bot that a name with settings means, for a seat; raises `BotSpecError`."""
    spec = resolve_bot_spec(text, rules)
    match spec.name:
        case "random":
            return RandomBot(seed, seat)
        case "avoid":
            return AvoidingBot(seed, seat, next(one.index for one in rules.actions if one.name == spec.action))
        case "greedy":
            return _greedy(seed, seat, spec.strategy)
        case "heuristic":
            return _heuristic(seed, seat, spec.strategy)
        case "search":
            return _search(seed, seat, spec.playouts, spec.milliseconds, spec.strategy)
        case _:
            raise AssertionError(spec.name)


def _unknown(sort: str, name: str, available: Sequence[str]) -> str:
    return f"this game has no {sort} {quote(name)}{_hint(name, available)}; "


def _hint(name: str, available: Sequence[str]) -> str:
    hint = did_you_mean(name.lower(), available)
    return f" ({hint})" if hint else ""


def _available_bots(strategies: Sequence[str], others: Sequence[str] = ()) -> str:
    from_rules = f"; strategies of this game: {', '.join(strategies)}" if strategies else ""
    return f"available: {', '.join([*others, *BUILTIN_BOTS])}{from_rules}"


__all__ = [
    "BUILTIN_BOTS",
    "BotSpec",
    "BotSpecError",
    "make_bot",
    "parse_bot_spec",
    "resolve_bot_spec",
]
