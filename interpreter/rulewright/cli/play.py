"""`rulewright play`: a game on the terminal, with people, bots or both; in a pipe bots play and all is printed.

In: parsed arguments, lines typed. Out: the board, menus and what happened, each as the one who looks may know it; a
record of every game that a person plays.
"""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from rulewright import limits
from rulewright.bots.bot_specs import Bot, make_bot
from rulewright.cli import open_game
from rulewright.engine import chance
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import ChanceEvent, State
from rulewright.errors import UsageError
from rulewright.model.rules import Rules
from rulewright.records.record_file import InvalidRecord, read_record
from rulewright.records.record_writer import start_recording
from rulewright.records.replayer import replay_record, resume_record
from rulewright.records.rules_snapshot import RulesSnapshot, load_rules_with_snapshot
from rulewright.session.session import Session
from rulewright.terminal import archive
from rulewright.terminal.board import Board
from rulewright.terminal.game_loop import QuitGame, TerminalGame
from rulewright.terminal.reasons import rules_headline, wrap
from rulewright.terminal.screen import Screen
from rulewright.terminal.watch import watch
from rulewright.wording.messages import Messages, available_locales

RESUMED_CHANCE_STREAM: Final = (
    1 << 33
)  # the stream of a chance that a saved position waits for; far from those of bots and games
HUMAN: Final = "human"


@dataclass(frozen=True, slots=True)
class GameStart:
    """A game ready to be played. `file`: its record, if there is one; `note`: what is to be said of that."""

    session: Session
    seats: tuple[str, ...]
    seed: int
    record_path: Path | None = None
    note: str = ""
    is_resumed: bool = False


def run(wish: Namespace) -> int:
    """Plays a game to its end, or until somebody leaves it."""
    screen = Screen(ascii_only=wish.ascii, colours=not wish.no_color)
    opened = _resumed(wish, screen) if wish.resume else _new(wish, screen)
    session, words = opened.session, Messages(opened.session.rules, wish.lang, "terminal")
    try:
        players = _bots(session.rules, opened.seats, opened.seed)
        board = Board(session.engine, require_locale(session.rules, wish.lang), shapes=not screen.is_ascii)
        screen.print_lines(_head(session, words, opened, wish.variant))
        if HUMAN not in opened.seats:
            watch(session, board, players, wish.cap, screen)
            return 0
        try:
            TerminalGame(session, board, players, screen, opened.record_path).play()
        except QuitGame as over:
            screen.print(*over.lines)
            return over.status
        return 0
    finally:
        session.close()
        nothing_done = not session.match.history and not session.redo_steps
        if nothing_done and opened.record_path is not None and wish.record is None and not opened.is_resumed:
            with suppress(OSError):
                opened.record_path.unlink()


def require_locale(rules: Rules, code: str) -> str:
    """The language, if the game has it or the program itself speaks it."""
    return code if code in available_locales("terminal") else open_game.require_language(rules, code)


# ---- how a game is opened ---------------------------------------------------------------------------------------


def _new(wish: Namespace, screen: Screen) -> GameStart:
    seed = wish.seed if wish.seed is not None else open_game.random_seed()
    rules, data = load_rules_with_snapshot(wish.game, players=wish.players, variants=wish.variant)
    engine = open_game.build_engine(rules, wish.tokenwise)
    seats = _seats(rules.players, wish.seat, screen.is_terminal)
    first = open_game.require_seat(rules, wish.first or 0)
    begun = partial(Session.new, engine, first=first, seed=seed)
    session, file, note = _recorded(wish, begun, rules, lambda: data, seats)
    return GameStart(session, seats, seed, file, note)


def _resumed(wish: Namespace, screen: Screen) -> GameStart:
    if wish.first is not None:
        raise UsageError("--first belongs to a new game, not to one that is resumed")
    if _is_record(wish.resume):
        return _taken_up(wish, screen)
    seed = wish.seed if wish.seed is not None else open_game.random_seed()
    engine, state = open_game.position_from_args(wish.resume, wish)
    rules = engine.rules
    seats = _seats(rules.players, wish.seat, screen.is_terminal)

    def data() -> RulesSnapshot:
        variants = wish.variant or rules.variants
        return load_rules_with_snapshot(wish.game or rules.game, players=rules.players, variants=variants)[1]

    begun = partial(Session.from_position, engine, ensure_chance_source(engine, state, seed))
    session, file, note = _recorded(wish, begun, rules, data, seats)
    return GameStart(session, seats, seed, file, note, is_resumed=True)


def _taken_up(wish: Namespace, screen: Screen) -> GameStart:
    """A game that goes on in its own record, under the rules that stand there."""
    if wish.game or wish.players or wish.variant or wish.tokenwise or wish.record:
        raise UsageError(
            f"{wish.resume} brings its own rules and is written on: leave the game, its options and --record out"
        )
    try:
        found = replay_record(read_record(wish.resume)) if wish.no_record else resume_record(wish.resume)
    except InvalidRecord as wrong:
        raise UsageError(f"{wish.resume} cannot be gone on with: {wrong}") from None
    session = found.session
    if wish.undo is not None:
        session.policy = wish.undo
    seats = _seats(session.rules.players, wish.seat or (list(session.seats) or None), screen.is_terminal)
    seed = session.seed if session.seed is not None else open_game.random_seed()
    file = None if wish.no_record else Path(wish.resume)
    return GameStart(session, seats, seed, file, "; ".join(found.notes), is_resumed=True)


def _is_record(name: str) -> bool:
    """Whether a file begins as a record does; what cannot be read is told by who reads it."""
    try:
        with Path(name).open("rb") as file:
            head = json.loads(file.readline(limits.MAX_RECORD_LINE_BYTES))
    except (OSError, ValueError, RecursionError):
        return name.endswith(archive.RECORD_SUFFIX)
    return isinstance(head, dict) and "record" in head


def _recorded(
    wish: Namespace,
    begun: Callable[..., Session],
    rules: Rules,
    data: Callable[[], RulesSnapshot],
    seats: tuple[str, ...],
) -> tuple[Session, Path | None, str]:
    """The session, with a record where one is wanted: a person's game always has one, unless it is to have none."""
    session = begun(seats=seats, policy=wish.undo or "fair")
    words = Messages(rules, require_locale(rules, wish.lang), "terminal")
    if wish.record:
        file = Path(wish.record)
        try:
            start_recording(session, file, data())
        except FileExistsError:
            raise UsageError(f"{file} is there already; --resume goes on with it") from None
        except (OSError, ValueError) as fault:
            raise UsageError(f"{file} cannot be written: {_reason(fault)}") from None
        return session, file, ""
    if wish.no_record or HUMAN not in seats:
        return session, None, ""
    try:
        file = archive.new_record_path(rules.game)
        start_recording(session, file, data())
    except (OSError, RuntimeError) as fault:
        return session, None, words("no_record", reason=_reason(fault))
    return session, file, ""


def _reason(fault: Exception) -> str:
    return (getattr(fault, "strerror", None) or str(fault)).lower()


def ensure_chance_source(engine: ReferenceEngine, state: State, seed: int) -> State:
    """The position with a generator of its own, if it had its chance from outside."""
    if state.rng is not None:
        return state
    state = replace(state, rng=chance.seed_rng(seed))
    if isinstance(state.waiting, ChanceEvent):
        rng, outcome = chance.pick_weighted(chance.seed_rng(seed, stream=RESUMED_CHANCE_STREAM), state.waiting.outcomes)
        state = engine.resolve_chance(replace(state, rng=rng), outcome)
    return state


def _seats(players: int, given: Sequence[str] | None, terminal: bool) -> tuple[str, ...]:
    if given is not None and len(given) > players:
        raise UsageError(f"--seat is given {len(given)} times, and {players} play")
    chosen = given if given is not None else [HUMAN] if terminal else []
    return (*chosen, *["greedy"] * (players - len(chosen)))


def _bots(rules: Rules, seats: Sequence[str], seed: int) -> dict[int, Bot]:
    return {
        seat: make_bot(open_game.require_bot(rules, who), rules, seed, seat)
        for seat, who in enumerate(seats)
        if who != HUMAN
    }


def _head(session: Session, words: Messages, opened: GameStart, named: Sequence[str]) -> list[str]:
    lines = [rules_headline(session.rules, words.locale, named)]
    who = [words("human") if one == HUMAN else one for one in opened.seats]
    lines += wrap(", ".join(f"{words.player(seat)}: {one}" for seat, one in enumerate(who)))
    first = session.state.first_seat
    began = words("began", seat=first) if opened.is_resumed else words("begins", seat=first, seed=opened.seed)
    kept = (
        [words("kept_in", file=opened.record_path)] if opened.record_path is not None and HUMAN in opened.seats else []
    )
    return [*lines, began, *kept, *([opened.note] if opened.note else [])]


__all__ = ["ensure_chance_source", "require_locale", "run"]
