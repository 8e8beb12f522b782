"""What several commands do with their arguments: the engine, the position, the bots that they ask for.

In: parsed arguments. Out: an engine, a position; what does not exist is a `UsageError` (see `session/load_game`).
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.bots.bot_specs import BotSpecError, resolve_bot_spec
from rulewright.cli.options import EngineOptions
from rulewright.engine.interface import Engine
from rulewright.engine.state import State
from rulewright.errors import UsageError
from rulewright.model.rules import Rules
from rulewright.session.load_game import load_engine, load_position, read_json, require_language
from rulewright.wording.messages import available_locales


def engine_from_args(args: EngineOptions) -> Engine:
    """The engine that a command's arguments ask for."""
    return load_engine(args.game, args.players, args.variant, args.tokenwise)


def position_from_args(path: str, args: EngineOptions) -> tuple[Engine, State]:
    """A saved position and its engine; what is not given (game, players, variants) is the file's."""
    return load_position(read_json(path), args.game, args.players, args.variant, args.tokenwise, path)


def require_bot(rules: Rules, name: str, others: Sequence[str] = ()) -> str:
    """The name of a bot with its settings, if the game has that bot; else raises `UsageError`.

    `others`: who else could have been named, such as `human`.
    """
    try:
        resolve_bot_spec(name, rules, others)
    except BotSpecError as error:
        raise UsageError(str(error)) from None
    return name


def require_locale(rules: Rules, locale: str) -> str:
    """The language, if the game has it or the program itself does; else raises `UsageError`."""
    return locale if locale in available_locales("terminal") else require_language(rules, locale)


__all__ = ["engine_from_args", "position_from_args", "require_bot", "require_locale"]
