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
from rulewright.bots.bot_specs import NoSuchBot, known
from rulewright.diagnostics import nearest
from rulewright.engine.notation import Notation, NotationError
from rulewright.engine.position_json import from_data
from rulewright.engine.reference.reference_engine import Engine
from rulewright.engine.state import Action, State
from rulewright.errors import UsageError
from rulewright.model.loader import SUFFIX, games, load_rules
from rulewright.model.rules import Rules


def engine_of(
    game: str | None, players: int | None, variants: Sequence[str], tokenwise: Collection[str] = ()
) -> Engine:
    """The engine of a game; raises `NotFound`, `RulesError` or `UsageError`."""
    if game == "":
        raise UsageError("the name of the game is empty: leave it out, or give a name or path")
    return engine_for(load_rules(game, players=players, variants=variants), tokenwise)


def engine_for(rules: Rules, tokenwise: Collection[str] = ()) -> Engine:
    """The engine of some rules; raises `UsageError` for an address at which no choice stands."""
    choices = [choice.address for action in rules.actions for choice in action.choices]
    for address in tokenwise:
        if address not in choices:
            hint = nearest(address, choices).replace("`", "")
            raise UsageError(
                f"no choice stands at {address!r}" + (f" ({hint})" if hint else f"; choices are: {', '.join(choices)}")
            )
    return Engine(rules, tokenwise=tokenwise)


def shipped(game: str | None, variants: Sequence[str]) -> bool:
    """Whether a game and its variants are all meant by name, not by path."""
    named = game is None or (game in games() and not Path(game).is_dir())
    return named and not any(Path(one).suffix == SUFFIX for one in variants)


def opened(wish: Namespace) -> Engine:
    """The engine that a command's arguments ask for."""
    return engine_of(wish.game, wish.players, wish.variant, wish.tokenwise)


def bot(rules: Rules, name: str) -> str:
    """The name of a bot with its settings, if the game has such a one."""
    try:
        known(name, rules)
    except NoSuchBot as wrong:
        raise UsageError(str(wrong)) from None
    return name


def language(rules: Rules, code: str) -> str:
    """The language, if the game has it."""
    if code not in rules.languages:
        raise UsageError(f"{rules.game} does not speak {code!r}; it speaks: {', '.join(rules.languages)}")
    return code


def seat(rules: Rules, number: int) -> int:
    """The seat, if it plays."""
    if not 0 <= number < rules.players:
        raise UsageError(f"seat {number} does not play: seats are 0 to {rules.players - 1}")
    return number


def action(notation: Notation, text: str) -> Action:
    """The action that a text means."""
    try:
        return notation.parse(text)
    except NotationError as error:
        raise UsageError(str(error)) from None


def new_seed() -> int:
    """A seed that nobody has chosen, and that nobody who sees a game begin can find by trying."""
    return secrets.randbits(63)


def json_file(path: str) -> Any:
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


def resumed(path: str, wish: Namespace) -> tuple[Engine, State]:
    """A saved position and the engine it goes on with; what is not given (game, players, variants) is the file's."""
    data = json_file(path)
    return position(data, wish.game, wish.players, wish.variant, wish.tokenwise, path)


def position(
    data: Any,
    game: str | None,
    players: int | None,
    variants: Sequence[str],
    tokenwise: Collection[str],
    what: str = "the position",
) -> tuple[Engine, State]:
    """A position from its JSON data, and its engine."""
    if not isinstance(data, dict) or not isinstance(data.get("game"), str):
        raise UsageError(f"{what} is no saved position")
    saved_variants = data.get("variants")
    if not variants and isinstance(saved_variants, list):
        variants = [name for name in saved_variants if isinstance(name, str)]
    saved_players = data.get("players")
    if players is None and isinstance(saved_players, int):
        players = saved_players
    engine = engine_of(game or data["game"], players, variants, tokenwise)
    if engine.rules.game != data["game"]:
        raise UsageError(
            f"{what} is a position of {data['game'][: limits.MAX_QUOTED_NAME]!r}, not of {engine.rules.game}"
        )
    return engine, from_data(engine, data)


__all__ = [
    "action", "engine_for", "engine_of", "json_file", "language", "new_seed", "opened", "position", "resumed", "seat",
    "shipped",
]  # fmt: skip
