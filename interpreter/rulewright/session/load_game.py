"""From what somebody asks for to a game ready to be played: a game by name or path, its variants, a saved position.

In: names, paths, numbers from outside. Out: an engine, a position; what does not exist is a `UsageError` or `NotFound`
with the nearest name.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

from rulewright import limits
from rulewright.engine import chance
from rulewright.engine.default_engine import make_engine
from rulewright.engine.interface import Engine
from rulewright.engine.state import ChanceEvent, State
from rulewright.errors import UsageError, json_error_reason, os_error_reason, quote
from rulewright.expr.types import Bag, SetOf
from rulewright.frozen import replace
from rulewright.json_values import refuse_constant
from rulewright.model.kept_rules import load_kept_rules
from rulewright.model.locale import player_name
from rulewright.model.locate import available_games, is_path, missing_file
from rulewright.model.rules import Rules
from rulewright.source.file_text import read_once
from rulewright.suggestions import did_you_mean

RESUMED_CHANCE_STREAM: Final = 1 << 33  # of a chance event in a saved position; far from the streams of bots and games


def load_engine(
    game: str | None, players: int | None, variants: Sequence[str], tokenwise: Collection[str] = ()
) -> Engine:
    """The engine of a game by name or path. `tokenwise`: addresses of choices that are answered piece by piece.

    Raises `NotFound`, `RulesError` or `UsageError`.
    """
    if game == "":
        raise UsageError("the name of the game is empty: leave it out, or give a name or path")
    return build_engine(load_kept_rules(game, players=players, variants=variants), tokenwise)


def build_engine(rules: Rules, tokenwise: Collection[str] = ()) -> Engine:
    """The engine of rules; raises `UsageError` for an address that is not that of a choice with pieces."""
    types = {choice.address: choice.type for action in rules.actions for choice in action.choices}
    choices = [address for address, type_ in types.items() if isinstance(type_, Bag | SetOf)]
    for address in tokenwise:
        if address in types and address not in choices:
            raise UsageError(f"the choice {quote(address)} takes a single value, which has no pieces")
        if address not in choices and not choices:
            raise UsageError(f"{rules.game} has no choice that is answered piece by piece")
        if address not in choices:
            hint = did_you_mean(address, choices)
            raise UsageError(
                f"there is no choice {quote(address)}" + (f" ({hint})" if hint else f"; choices: {', '.join(choices)}")
            )
    return make_engine(rules, tokenwise=tokenwise)


def is_shipped(game: str | None, variants: Sequence[str]) -> bool:
    """Whether a game is a shipped one (None: the default), and it and its variants are given by name, not by path."""
    return (game is None or game in available_games()) and not any(map(is_path, variants))


def require_language(rules: Rules, locale: str) -> str:
    """The language, if the game has it; else raises `UsageError`."""
    if locale not in rules.languages:
        raise UsageError(f"{rules.game} has no language {quote(locale)}; it has: {', '.join(rules.languages)}")
    return locale


def require_seat(rules: Rules, seat: int) -> int:
    """The seat, if there is one of that number; else raises `UsageError`, which says the number of the player."""
    if not 0 <= seat < rules.players:
        raise UsageError(f"there is no {player_name(seat)} (1 to {rules.players})")
    return seat


def random_seed() -> int:
    """A seed that nobody has chosen, and that nobody who sees a game begin can find by trying: 63 random bits."""
    return int.from_bytes(os.urandom(8), "big") >> 1


def read_json(path: str) -> object:
    """The JSON data in a file; raises `NotFound`, or `UsageError` when it cannot be read."""
    try:
        data = read_once(Path(path), limits.MAX_POSITION_BYTES + 1)
        if len(data) > limits.MAX_POSITION_BYTES:
            raise UsageError(f"{path} is larger than {limits.MAX_POSITION_BYTES // 1024 // 1024} MiB")
        parsed: object = json.loads(data.decode("utf-8-sig"), parse_constant=refuse_constant)
        return parsed
    except FileNotFoundError:
        raise missing_file(path) from None
    except OSError as error:
        raise UsageError(f"cannot read {path}: {os_error_reason(error)}") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is not valid JSON: {json_error_reason(error)}") from None


def load_position(
    data: object,
    game: str | None,
    players: int | None,
    variants: Sequence[str],
    tokenwise: Collection[str],
    source_name: str = "the position",
) -> tuple[Engine, State]:
    """A position from its JSON data, and its engine; the data says what is not given (game, players, variants).

    Raises `UsageError`, `NotFound`, `RulesError`, `InvalidPosition`.
    """
    from rulewright.engine.position_json import state_from_data  # with it comes all that judges positions

    if not isinstance(data, dict) or not isinstance(data.get("game"), str):
        missing = next((key for key in ("format", "game") if isinstance(data, dict) and key not in data), "")
        raise UsageError(f"{source_name} is not a saved position" + (f": it has no `{missing}`" if missing else ""))
    saved_variants = data.get("variants")
    if not variants and isinstance(saved_variants, list):
        variants = [name for name in saved_variants if isinstance(name, str)]
    saved_players = data.get("players")
    if players is None and isinstance(saved_players, int):
        players = saved_players
    engine = load_engine(game or data["game"], players, variants, tokenwise)
    if engine.rules.game != data["game"]:
        raise UsageError(
            f"{source_name} is a position of {quote(data['game'][: limits.MAX_QUOTED_NAME])}, "
            f"not of {engine.rules.game}"
        )
    return engine, state_from_data(engine, data)


def ensure_chance_source(engine: Engine, state: State, seed: int) -> State:
    """The position with a random generator of its own, if its chance came from outside so far."""
    if state.rng is not None:
        return state
    state = replace(state, rng=chance.seed_rng(seed))
    if isinstance(state.waiting, ChanceEvent):
        rng, outcome = chance.pick_weighted(chance.seed_rng(seed, stream=RESUMED_CHANCE_STREAM), state.waiting.outcomes)
        state = engine.resolve_chance(replace(state, rng=rng), outcome)
    return state


__all__ = [
    "build_engine",
    "ensure_chance_source",
    "is_shipped",
    "load_engine",
    "load_position",
    "random_seed",
    "read_json",
    "require_language",
    "require_seat",
]
