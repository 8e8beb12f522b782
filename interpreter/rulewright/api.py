"""A game from a program of one's own: begin one, take one up again, replay one, have many played by bots.

In: names and paths, as the command line takes them. Out: sessions, replays, simulations. The package gives these
functions out under its own name (`from rulewright import new_session`).
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Sequence
from pathlib import Path

from rulewright.engine.position_json import state_from_json
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.validate_position import InvalidPosition
from rulewright.model.loader import default_game, load_rules
from rulewright.records.record_file import read_record
from rulewright.records.replayer import Replay, replay_record, resume_record
from rulewright.records.rules_snapshot import load_rules_with_snapshot
from rulewright.session.session import Session, UndoPolicy
from rulewright.simulation.aggregate import Simulation, aggregate
from rulewright.simulation.simulations import SimulationConfig
from rulewright.simulation.simulations import simulate_games as played


def new_session(
    game: str | None = None,
    *,
    players: int | None = None,
    variants: Sequence[str] = (),
    seed: int | None = None,
    first: int = 0,
    seats: Sequence[str] = (),
    record: str | Path | None = None,
    policy: UndoPolicy = "fair",
    tokenwise: Collection[str] = (),
) -> Session:
    """A new game, at its first decision.

    `game`: a shipped one by name, or a path; default: the shipped default. `players`: default the fewest. `seed`: the
    same gives the same chance; default: one that nobody has chosen. `record`: a new file to write the game to.
    `policy`: how far actions can be taken back, see `Session`. `tokenwise`: choices answered piece by piece.

    Raises `NotFound` for unknown names, `RulesError` when the rules have errors, `OSError` when the record cannot be
    written.
    """
    _names(variants)
    rules, data = load_rules_with_snapshot(game, players=players, variants=variants)
    return Session.new(
        ReferenceEngine(rules, tokenwise=tokenwise),
        first=first,
        seed=secrets.randbits(63) if seed is None else seed,
        seats=seats,
        record=record,
        rules_data=data,
        policy=policy,
    )


def _names(variants: object) -> None:
    """A word instead of a list of names is a slip that would be read letter by letter."""
    if isinstance(variants, str):
        raise TypeError(f"variants is a list of names: [{variants!r}], not {variants!r}")


def restore(
    text: str,
    *,
    game: str | None = None,
    variants: Sequence[str] | None = None,
    record: str | Path | None = None,
    policy: UndoPolicy = "fair",
    tokenwise: Collection[str] = (),
) -> Session:
    """The game of a saved position (`Session.saved`), to go on with. Game and variants are what the position says,
    unless they are given, by name or path.

    Raises `BadPosition` for what is no position of these rules, else as `new_session`.
    """
    try:
        said = json.loads(text)
        name, players, chosen = str(said["game"]), int(said["players"]), [str(one) for one in said["variants"]]
    except (ValueError, KeyError, TypeError, RecursionError) as wrong:
        raise InvalidPosition(f"it is no saved position: {wrong}") from None
    rules, data = load_rules_with_snapshot(
        game or name, players=players, variants=chosen if variants is None else variants
    )
    engine = ReferenceEngine(rules, tokenwise=tokenwise)
    return Session.from_position(engine, state_from_json(engine, text), record=record, rules_data=data, policy=policy)


def resume(path: str | Path) -> Session:
    """The game of a record, to go on with; what is done is added to the record.

    Raises `BadRecord` for what is no record, or is being written by somebody else, and `OSError`.
    """
    return resume_record(path).session


def replay(path: str | Path, *, game: str | None = None, variants: Sequence[str] | None = None) -> Replay:
    """A recorded game played again, under the rules in the record; or, when a game or variants are given, under those
    (and no variants but those), up to the first difference. Nothing is written.

    Raises `BadRecord` and `OSError`; `NotFound` and `RulesError` for the rules that are given.
    """
    record = read_record(path)
    if game is None and variants is None:
        return replay_record(record)
    head = record.head
    rules = load_rules(game or head.game, players=head.players, variants=variants or ())
    return replay_record(record, ReferenceEngine(rules, tokenwise=head.tokenwise))


def simulate(
    game: str | None = None,
    games: int = 100,
    *,
    players: int | None = None,
    variants: Sequence[str] = (),
    bots: Sequence[str] = ("random",),
    seed: int = 1,
    jobs: int = 1,
) -> Simulation:
    """So many games played by bots, and every measure of the game over them. `bots`: one name for all seats, or one for
    each, with settings as on the command line (`search:200`). The same seed gives the same games, however many
    processes (`jobs`) share them.

    Raises `ValueError` for bots that do not fit, else as `new_session`.
    """
    rules = load_rules(game, players=players, variants=variants)
    if len(bots) not in (1, rules.players):
        raise ValueError(f"{len(bots)} bots for {rules.players} seats: give one for all or one for each")
    from rulewright.bots.bot_specs import resolve_bot_spec

    for name in bots:
        resolve_bot_spec(name, rules)  # a wrong one is told before any game is played
    names = tuple(bots) * (rules.players if len(bots) == 1 else 1)
    setting = SimulationConfig(game or default_game(), rules.players, tuple(variants), names, seed)
    return aggregate(played(setting, range(1, games + 1), jobs=jobs), rules.players)


__all__ = ["new_session", "replay", "restore", "resume", "simulate"]
