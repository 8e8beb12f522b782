"""`rulewright play`: a game on the terminal, with people, bots or both; in a pipe bots play and all is printed.

In: parsed arguments, lines typed. Out: the board, menus and what happened, each as its reader may know it; a record of
every game that a person plays.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from rulewright import limits
from rulewright.bots.bot_specs import make_bot
from rulewright.bots.deferred_thinking import DeferredThinking
from rulewright.bots.player_view import Bot
from rulewright.cli.argument_types import HUMAN
from rulewright.cli.exit_status import ExitStatus
from rulewright.cli.open_game import position_from_args, require_bot, require_locale
from rulewright.cli.options import EngineOptions
from rulewright.engine.compiled.playing.machine_support import NoMachineCode
from rulewright.engine.compiled.translation.refusal import NotCompiled
from rulewright.engine.engine_names import AUTO_ENGINE, EngineName
from rulewright.errors import UsageError, already_exists, os_error_reason
from rulewright.frozen import frozen
from rulewright.model.loader import load_rules
from rulewright.model.locate import require_path
from rulewright.model.rules import Rules
from rulewright.records.record_file import InvalidRecord, read_record
from rulewright.records.record_writer import start_recording
from rulewright.records.replayer import replay_record, resume_record
from rulewright.records.rules_snapshot import RulesSnapshot, SnapshotError, load_rules_with_snapshot
from rulewright.session.load_game import build_engine, ensure_chance_source, random_seed, require_seat
from rulewright.session.session import Session
from rulewright.session.undo import UndoPolicy
from rulewright.source.file_text import not_a_regular_file
from rulewright.terminal import archive
from rulewright.terminal.board import Board
from rulewright.terminal.game_loop import TerminalGame
from rulewright.terminal.headline import rules_headline
from rulewright.terminal.play_context import QuitGame, QuitReason
from rulewright.terminal.reasons import wrap
from rulewright.terminal.screen import Screen
from rulewright.variants.variant_names import format_player_count
from rulewright.wording.messages import Messages

QUIT_STATUS: Final[Mapping[QuitReason, ExitStatus]] = {
    "goodbye": ExitStatus.OK,
    "input_ended": ExitStatus.OK,
    "stopped": ExitStatus.INTERRUPTED,
    "rules_fail": ExitStatus.FINDINGS,
    "record_fails": ExitStatus.USAGE_ERROR,
}


class Options(EngineOptions):
    """The options of `play`."""

    lang: str
    engine: EngineName | None
    seat: list[str] | None
    first: int | None
    seed: int | None
    cap: int
    resume: str | None
    record: str | None
    no_record: bool
    undo: UndoPolicy | None
    ascii: bool
    no_color: bool


@frozen
class GameStart:
    """A game ready to be played. `seats`: a bot or `human` for each; `record_path`: its record, if there is one;
    `note`: what players are to know of the record.
    """

    session: Session
    seats: tuple[str, ...]
    seed: int
    record_path: Path | None = None
    note: str = ""
    is_resumed: bool = False


def run(args: Options) -> int:
    """Plays a game to its end, or until somebody quits."""
    screen = Screen(ascii_only=args.ascii, colours=not args.no_color)
    start = _resume(args, args.resume, screen) if args.resume else _begin(args, screen)
    session, messages = start.session, Messages(start.session.rules, args.lang, "terminal")
    try:
        bots = _make_bots(session.rules, start.seats, start.seed)
        thinking = _thinking(args.engine or AUTO_ENGINE, session)
        board = Board(session.engine, require_locale(session.rules, args.lang), shapes=not screen.is_ascii)
        screen.print_lines(_headlines(start, messages, args.variant))
        if args.engine is not None:
            screen.print(messages("bots_think", engine=thinking.engine_text))
        if HUMAN not in start.seats:
            from rulewright.terminal.watch import watch  # brings what simulates; people who play need it not

            watch(session, board, bots, args.cap, screen, thinking)
            return ExitStatus.OK
        try:
            TerminalGame(session, board, bots, screen, start.record_path, thinking=thinking).play()
        except QuitGame as quit_game:
            screen.print(*quit_game.lines)
            return QUIT_STATUS[quit_game.reason]
        return ExitStatus.OK
    finally:
        session.close()
        is_untouched = not session.match.history and not session.redo_steps
        if is_untouched and start.record_path is not None and args.record is None and not start.is_resumed:
            with suppress(OSError):
                start.record_path.unlink()


# ---- begin or resume ------------------------------------------------------------------------------------------------


def _begin(args: Options, screen: Screen) -> GameStart:
    seed = args.seed if args.seed is not None else random_seed()
    snapshot: RulesSnapshot | None = None
    if _is_recorded(args, screen.is_terminal):
        rules, snapshot = load_rules_with_snapshot(args.game, players=args.players, variants=args.variant)
    else:
        rules = load_rules(args.game, players=args.players, variants=args.variant)
    engine = build_engine(rules, args.tokenwise)
    seats = _fill_seats(rules.players, args.seat, screen.is_terminal)
    first = require_seat(rules, args.first or 0)
    new_session = partial(Session.new, engine, first=first, seed=seed)
    session, record_path, note = _with_record(args, new_session, rules, snapshot, seats)
    return GameStart(session, seats, seed, record_path, note)


def _resume(args: Options, path: str, screen: Screen) -> GameStart:
    require_path(path)
    if args.first is not None:
        raise UsageError("--first-player cannot be used with a resumed game")
    if _is_record(path):
        return _resume_record(args, path, screen)
    seed = args.seed if args.seed is not None else random_seed()
    engine, state = position_from_args(path, args)
    rules = engine.rules
    seats = _fill_seats(rules.players, args.seat, screen.is_terminal)

    snapshot: RulesSnapshot | None = None
    if _is_recorded(args, screen.is_terminal):
        variants = args.variant or rules.variants
        _, snapshot = load_rules_with_snapshot(args.game or rules.game, players=rules.players, variants=variants)
    new_session = partial(Session.from_position, engine, ensure_chance_source(engine, state, seed))
    session, record_path, note = _with_record(args, new_session, rules, snapshot, seats)
    return GameStart(session, seats, seed, record_path, note, is_resumed=True)


def _resume_record(args: Options, path: str, screen: Screen) -> GameStart:
    """A game that goes on in its own record, under the rules in it."""
    if args.game or args.players or args.variant or args.tokenwise or args.record:
        raise UsageError(f"{path} is a record with its own rules: leave out the game, its options and --record")
    try:
        replay = replay_record(read_record(path)) if args.no_record else resume_record(path)
    except InvalidRecord as error:
        raise UsageError(f"{path} cannot be resumed: {error}") from None
    session = replay.session
    if args.undo is not None:
        session.policy = args.undo
    seats = _fill_seats(session.rules.players, args.seat or (list(session.seats) or None), screen.is_terminal)
    seed = session.seed if session.seed is not None else random_seed()
    record_path = None if args.no_record else Path(path)
    return GameStart(session, seats, seed, record_path, "; ".join(replay.notes), is_resumed=True)


def _is_record(name: str) -> bool:
    """Whether a file begins as a record does; one that cannot be read is reported by its reader. A file that is gone
    through twice, and written to, must be a regular one.
    """
    try:
        if reason := not_a_regular_file(Path(name).stat().st_mode):
            raise UsageError(f"cannot read {name}: {reason}")
        with Path(name).open("rb") as file:
            head = json.loads(file.readline(limits.MAX_RECORD_LINE_BYTES))
    except (OSError, ValueError, RecursionError):
        return name.endswith(archive.RECORD_SUFFIX)
    return isinstance(head, dict) and "record" in head


def _with_record(
    args: Options,
    new_session: Callable[..., Session],
    rules: Rules,
    snapshot: RulesSnapshot | None,
    seats: tuple[str, ...],
) -> tuple[Session, Path | None, str]:
    """The session, with a record where there is a snapshot of its rules."""
    session = new_session(seats=seats, policy=args.undo or "fair")
    messages = Messages(rules, require_locale(rules, args.lang), "terminal")
    if snapshot is None:
        return session, None, ""
    if args.record:
        path = Path(args.record)
        try:
            start_recording(session, path, snapshot)
        except FileExistsError:
            raise already_exists(path, "continue it with --resume") from None
        except (OSError, ValueError, SnapshotError) as error:
            raise UsageError(f"cannot write {path}: {os_error_reason(error)}") from None
        return session, path, ""
    try:
        path = archive.new_record_path(rules.game)
        start_recording(session, path, snapshot)
    except (OSError, RuntimeError, SnapshotError) as error:
        return session, None, messages("no_record", reason=os_error_reason(error))
    return session, path, ""


def _is_recorded(args: Options, is_terminal: bool) -> bool:
    """Whether a record is kept: of a person's game always, unless --no-record is given; of bots' only with --record."""
    return bool(args.record) or (HUMAN in _chosen_seats(args.seat, is_terminal) and not args.no_record)


def _fill_seats(players: int, seats: Sequence[str] | None, is_terminal: bool) -> tuple[str, ...]:
    """Who plays: those chosen, then greedy bots."""
    chosen = _chosen_seats(seats, is_terminal)
    if len(chosen) > players:
        raise UsageError(f"--seat is given {len(chosen)} times for {format_player_count((players, players))}")
    return (*chosen, *["greedy"] * (players - len(chosen)))


def _chosen_seats(seats: Sequence[str] | None, is_terminal: bool) -> Sequence[str]:
    """Who is given; without any a person at a terminal."""
    return seats if seats is not None else [HUMAN] if is_terminal else []


def _make_bots(rules: Rules, seats: Sequence[str], seed: int) -> dict[int, Bot]:
    return {
        seat: make_bot(require_bot(rules, name, (HUMAN,)), rules, seed, seat)
        for seat, name in enumerate(seats)
        if name != HUMAN
    }


def _thinking(engine: EngineName, session: Session) -> DeferredThinking:
    """What bots think in, and hints; `UsageError` where the engine that is asked for has no program of the rules."""
    try:
        return DeferredThinking(session.rules, tokenwise=session.engine.tokenwise, engine=engine)
    except (NotCompiled, NoMachineCode) as refusal:
        raise UsageError(f"--engine {engine}: {refusal}") from None


def _headlines(start: GameStart, messages: Messages, asked_variants: Sequence[str]) -> list[str]:
    session = start.session
    names = [messages("human") if name == HUMAN else name for name in start.seats]
    players = ", ".join(f"{messages.player(seat)}{messages('colon')} {name}" for seat, name in enumerate(names))
    first = session.state.first_seat
    lines = [rules_headline(session.rules, messages.locale, asked_variants), *wrap(players)]
    lines.append(messages("began", seat=first) if start.is_resumed else messages("begins", seat=first, seed=start.seed))
    if start.record_path is not None and HUMAN in start.seats:
        lines.append(messages("kept_in", file=start.record_path))
    return [*lines, *([start.note] if start.note else [])]


__all__ = ["Options", "run"]
