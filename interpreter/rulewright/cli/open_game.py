"""From the words of a command to a game ready to be played.

In: parsed arguments. Out: an engine, languages, seats, saved positions; what does not exist is told with the nearest
name.
"""

from __future__ import annotations

import json
import secrets
from argparse import Namespace
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from rulewright import limits
from rulewright.bots.bot_specs import BotSpecError, resolve_bot_spec
from rulewright.engine.notation import Notation, NotationError
from rulewright.engine.position_json import state_from_data
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import Action, State
from rulewright.errors import UsageError
from rulewright.model.loader import RULE_FILE_SUFFIX, available_games, load_rules
from rulewright.model.rules import Rules
from rulewright.suggestions import did_you_mean


def load_engine(
    game: str | None, players: int | None, variants: Sequence[str], tokenwise: Collection[str] = ()
) -> ReferenceEngine:
    """The engine of a game; raises `NotFound`, `RulesError` or `UsageError`."""
    if game == "":
        raise UsageError("the name of the game is empty: leave it out, or give a name or path")
    return build_engine(load_rules(game, players=players, variants=variants), tokenwise)


def build_engine(rules: Rules, tokenwise: Collection[str] = ()) -> ReferenceEngine:
    """The engine of some rules; raises `UsageError` for an address at which no choice stands."""
    choices = [choice.address for action in rules.actions for choice in action.choices]
    for address in tokenwise:
        if address not in choices:
            hint = did_you_mean(address, choices).replace("`", "")
            raise UsageError(
                f"no choice stands at {address!r}" + (f" ({hint})" if hint else f"; choices are: {', '.join(choices)}")
            )
    return ReferenceEngine(rules, tokenwise=tokenwise)


def is_shipped(game: str | None, variants: Sequence[str]) -> bool:
    """Whether a game and its variants are all meant by name, not by path."""
    named = game is None or (game in available_games() and not Path(game).is_dir())
    return named and not any(Path(one).suffix == RULE_FILE_SUFFIX for one in variants)


def engine_from_args(wish: Namespace) -> ReferenceEngine:
    """The engine that a command's arguments ask for."""
    return load_engine(wish.game, wish.players, wish.variant, wish.tokenwise)


def require_bot(rules: Rules, name: str) -> str:
    """The name of a bot with its settings, if the game has such a one."""
    try:
        resolve_bot_spec(name, rules)
    except BotSpecError as wrong:
        raise UsageError(str(wrong)) from None
    return name


def require_language(rules: Rules, locale: str) -> str:
    """The language, if the game has it."""
    if locale not in rules.languages:
        raise UsageError(f"{rules.game} does not speak {locale!r}; it speaks: {', '.join(rules.languages)}")
    return locale


def require_seat(rules: Rules, number: int) -> int:
    """The seat, if it plays."""
    if not 0 <= number < rules.players:
        raise UsageError(f"seat {number} does not play: seats are 0 to {rules.players - 1}")
    return number


def parse_action(notation: Notation, text: str) -> Action:
    """The action that a text means."""
    try:
        return notation.parse_action(text)
    except NotationError as error:
        raise UsageError(str(error)) from None


def random_seed() -> int:
    """A seed that nobody has chosen, and that nobody who sees a game begin can find by trying."""
    return secrets.randbits(63)


def read_json(path: str) -> Any:
    """The JSON data in a file."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(limits.MAX_POSITION_BYTES + 1)
        if len(data) > limits.MAX_POSITION_BYTES:
            raise UsageError(f"{path} is larger than {limits.MAX_POSITION_BYTES // 1024 // 1024} MiB")
        return json.loads(data.decode("utf-8-sig"))
    except OSError as error:
        raise UsageError(f"{path} cannot be opened: {(error.strerror or str(error)).lower()}") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is no JSON: {error}") from None


def position_from_args(path: str, wish: Namespace) -> tuple[ReferenceEngine, State]:
    """A saved position and the engine it goes on with; what is not given (game, players, variants) is the file's."""
    data = read_json(path)
    return load_position(data, wish.game, wish.players, wish.variant, wish.tokenwise, path)


def load_position(
    data: Any,
    game: str | None,
    players: int | None,
    variants: Sequence[str],
    tokenwise: Collection[str],
    source_name: str = "the position",
) -> tuple[ReferenceEngine, State]:
    """A position from its JSON data, and its engine."""
    if not isinstance(data, dict) or not isinstance(data.get("game"), str):
        raise UsageError(f"{source_name} is no saved position")
    saved_variants = data.get("variants")
    if not variants and isinstance(saved_variants, list):
        variants = [name for name in saved_variants if isinstance(name, str)]
    saved_players = data.get("players")
    if players is None and isinstance(saved_players, int):
        players = saved_players
    engine = load_engine(game or data["game"], players, variants, tokenwise)
    if engine.rules.game != data["game"]:
        raise UsageError(
            f"{source_name} is a position of {data['game'][: limits.MAX_QUOTED_NAME]!r}, not of {engine.rules.game}"
        )
    return engine, state_from_data(engine, data)


__all__ = [
    "build_engine",
    "engine_from_args",
    "is_shipped",
    "load_engine",
    "load_position",
    "parse_action",
    "position_from_args",
    "random_seed",
    "read_json",
    "require_language",
    "require_seat",
]  # fmt: skip
