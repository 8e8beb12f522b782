"""Games from a Python program: begin one, resume one, replay one, let bots play many.

In: names and paths, as the command line takes them. Out: sessions, replays, simulations. The package exports these
functions under its own name (`from rulewright import new_session`).
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from rulewright.engine import chance
from rulewright.engine.default_engine import make_engine
from rulewright.engine.engine_names import AUTO_ENGINE, ENGINE_NAMES, EngineName
from rulewright.engine.position_data import InvalidPosition
from rulewright.engine.position_json import state_from_json
from rulewright.errors import quote, require_texts, require_types
from rulewright.model.loader import load_rules
from rulewright.model.locale import ENGLISH
from rulewright.model.locate import default_game, missing_file
from rulewright.records.record_file import read_record
from rulewright.records.record_writer import start_recording
from rulewright.records.replayer import Replay, replay_record, resume_record
from rulewright.records.rules_snapshot import load_rules_with_snapshot
from rulewright.session.session import Session
from rulewright.session.undo import UndoPolicy
from rulewright.simulation.aggregate import Simulation, SimulationBuilder
from rulewright.simulation.shared_sums import simulate_sums
from rulewright.simulation.simulations import SimulationConfig

PRINTED_WIDTH: Final = 80  # columns of a board that `repr` shows


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
    same gives the same chance; default: a random one. `record`: a new file to write the game to. `policy`: how far
    actions can be undone, see `Session`. `tokenwise`: addresses of choices answered piece by piece.

    Raises `NotFound` for unknown names, `RulesError` when the rules have errors, `OSError` when the record cannot be
    written, `SnapshotError` when the rules are too large for one, `ValueError` when there is no seat `first`, no
    choice at an address of `tokenwise` or no such `seed` (0 to 2^64 - 1), `TypeError` when an argument is of a wrong
    type, or `variants` a single text.
    """
    require_texts("names", variants=variants)
    require_types(game=(game, str), players=(players, int), seed=(seed, int), first=(first, int), record=(record, Path))
    rules, snapshot = load_rules_with_snapshot(game, players=players, variants=variants)
    session = Session.new(
        make_engine(rules, tokenwise=tokenwise),
        first=first,
        seed=secrets.randbits(63) if seed is None else seed,
        seats=seats,
        policy=policy,
    )
    if record is not None:
        start_recording(session, record, snapshot)
    return _with_board(session)


def _with_board(session: Session) -> Session:
    """The session, which shows itself as its board, and reads the letters that stand on it."""
    session.renderer = _draw_board
    session.spellings = partial(_spellings, session)
    return session


def _spellings(session: Session, typed: str) -> Sequence[Sequence[str]]:
    from rulewright.terminal.aliases import resolve_letters
    from rulewright.terminal.theme import Theme

    return resolve_letters(typed, Theme(session.engine, ENGLISH))


def _draw_board(session: Session) -> str:
    """The board as the deciding seat sees it, or who looks on, without colours."""
    from rulewright.terminal.board import Board

    lines = Board(session.engine).render(session.state, session.seat, PRINTED_WIDTH)
    return "\n".join(line.plain.rstrip() for line in lines)


def restore(
    text: str,
    *,
    game: str | None = None,
    variants: Sequence[str] | None = None,
    record: str | Path | None = None,
    policy: UndoPolicy = "fair",
    tokenwise: Collection[str] = (),
) -> Session:
    """The game of a saved position (`Session.saved`), to be continued. Game and variants, by name or path, are by
    default those that the position names.

    Raises `InvalidPosition` for a text that is not a position of these rules, else as `new_session`.
    """
    if variants is not None:
        require_texts("names", variants=variants)
    require_types(text=(text, str), game=(game, str), record=(record, Path))
    try:
        data = json.loads(text)
        name, players, saved_variants = str(data["game"]), int(data["players"]), list(map(str, data["variants"]))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InvalidPosition(f"not a saved position: {error}") from None
    rules, snapshot = load_rules_with_snapshot(
        game or name, players=players, variants=saved_variants if variants is None else variants
    )
    engine = make_engine(rules, tokenwise=tokenwise)
    session = Session.from_position(engine, state_from_json(engine, text), policy=policy)
    if record is not None:
        start_recording(session, record, snapshot)
    return _with_board(session)


def resume(path: str | Path) -> Session:
    """The game of a record, to be continued; what is done is added to the record.

    Raises `NotFound` for a file that does not exist, `InvalidRecord` for one that is not a record, or that another
    process is writing, `OSError`, and `TypeError` for what is not a path.
    """
    require_types(path=(path, Path))
    try:
        return _with_board(resume_record(path).session)
    except FileNotFoundError:
        raise missing_file(path) from None


def replay(path: str | Path, *, game: str | None = None, variants: Sequence[str] | None = None) -> Replay:
    """A recorded game played again, under the rules in the record; or, when a game or variants are given, under those
    (and no variants but those), up to the first divergence. Nothing is written.

    Raises `NotFound` for a file, game or variant that does not exist, `InvalidRecord`, `OSError`, `RulesError` for
    the rules that are given, and `TypeError` for an argument of a wrong type.
    """
    if variants is not None:
        require_texts("names", variants=variants)
    require_types(path=(path, Path), game=(game, str))
    try:
        record = read_record(path)
    except FileNotFoundError:
        raise missing_file(path) from None
    if game is None and variants is None:
        return _with_shown_session(replay_record(record))
    head = record.head
    rules = load_rules(game or head.game, players=head.players, variants=variants or ())
    return _with_shown_session(replay_record(record, make_engine(rules, tokenwise=head.tokenwise)))


def _with_shown_session(replayed: Replay) -> Replay:
    _with_board(replayed.session)
    return replayed


def simulate(
    game: str | None = None,
    games: int = 100,
    *,
    players: int | None = None,
    variants: Sequence[str] = (),
    bots: Sequence[str] = ("random",),
    seed: int = 1,
    jobs: int = 1,
    engine: EngineName = AUTO_ENGINE,
) -> Simulation:
    """Games played by bots, and every measure of the game over them. `games`: how many. `bots`: one name for all seats,
    or one for each, with settings as on the command line (`search:200`). The same seed gives the same games, however
    many processes (`jobs`) share them, and whichever `engine` plays: `auto` (the fastest that can), `reference` or
    `python`.

    Raises `ValueError` for too few or too many bots or an unknown one (`BotSpecError`) and for less than one game or
    process, `SimulationError` for a game that cannot continue, `NotCompiled` for rules that
    `python` cannot play, else as `new_session`.
    """
    require_texts("names", variants=variants, bots=bots)
    require_types(game=(game, str), players=(players, int), seed=(seed, int), games=(games, int), jobs=(jobs, int))
    for name, number in (("games", games), ("jobs", jobs)):
        if number < 1:
            raise ValueError(f"{name} is at least 1, not {number}")
    if engine not in ENGINE_NAMES:
        raise ValueError(f"there is no engine {quote(engine)}: expected {', '.join(ENGINE_NAMES)}")
    chance.require_seed(seed)
    rules = load_rules(game, players=players, variants=variants)
    if len(bots) not in (1, rules.players):
        raise ValueError(f"expected 1 or {rules.players} bots, found {len(bots)}")
    from rulewright.bots.bot_specs import resolve_bot_spec

    for name in bots:
        resolve_bot_spec(name, rules)  # an unknown one is reported before any game is played
    names = tuple(bots) * (rules.players if len(bots) == 1 else 1)
    config = SimulationConfig(game or default_game(), rules.players, tuple(variants), names, seed, engine=engine)
    builder = SimulationBuilder(rules.players)
    for sums in simulate_sums(config, range(1, games + 1), jobs=jobs, rules=rules):
        builder.merge(sums)
    return builder.build()


__all__ = ["new_session", "replay", "restore", "resume", "simulate"]
