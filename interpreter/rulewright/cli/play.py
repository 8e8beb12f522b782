"""`rulewright play`: a game on the terminal, with people, bots or both; in a pipe bots play and all is printed.

In: parsed arguments, lines typed. Out: the board, menus and what happened, each as the one who looks may know it; a
record of every game that a person plays.
"""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from rulewright import limits
from rulewright.bots.bot_specs import Bot, made
from rulewright.cli import open_game
from rulewright.engine import chance
from rulewright.engine.reference.reference_engine import Engine
from rulewright.engine.state import Chance, State
from rulewright.errors import UsageError
from rulewright.model.rules import Rules
from rulewright.records.record_file import BadRecord, read_record
from rulewright.records.replayer import continued, replayed
from rulewright.records.rules_snapshot import read_rules
from rulewright.session.session import Session
from rulewright.terminal import archive
from rulewright.terminal.board import Board
from rulewright.terminal.game_loop import Game, Over
from rulewright.terminal.reasons import headline, wrapped
from rulewright.terminal.screen import Screen
from rulewright.terminal.terminal_messages import Words, spoken
from rulewright.terminal.watch import watch

FIRST_EVENT: Final = 1 << 33  # the stream of a chance that a saved position waits for; far from those of bots and games
HUMAN: Final = "human"


@dataclass(frozen=True, slots=True)
class Opened:
    """A game ready to be played. `file`: its record, if there is one; `note`: what is to be said of that."""

    session: Session
    seats: tuple[str, ...]
    seed: int
    file: Path | None = None
    note: str = ""
    resumed: bool = False


def run(wish: Namespace) -> int:
    """Plays a game to its end, or until somebody leaves it."""
    screen = Screen(ascii_only=wish.ascii, colours=not wish.no_color)
    opened = _resumed(wish, screen) if wish.resume else _new(wish, screen)
    session, words = opened.session, Words(opened.session.rules, wish.lang)
    try:
        players = _bots(session.rules, opened.seats, opened.seed)
        board = Board(session.engine, language(session.rules, wish.lang), shapes=not screen.ascii)
        screen.put(_head(session, words, opened, wish.variant))
        if HUMAN not in opened.seats:
            watch(session, board, players, wish.cap, screen)
            return 0
        try:
            Game(session, board, players, screen, opened.file).play()
        except Over as over:
            screen.say(*over.lines)
            return over.status
        return 0
    finally:
        session.close()
        nothing_done = not session.match.history and not session.redo_steps
        if nothing_done and opened.file is not None and wish.record is None and not opened.resumed:
            with suppress(OSError):
                opened.file.unlink()


def language(rules: Rules, code: str) -> str:
    """The language, if the game has it or the program itself speaks it."""
    return code if code in spoken() else open_game.language(rules, code)


# ---- how a game is opened ---------------------------------------------------------------------------------------


def _new(wish: Namespace, screen: Screen) -> Opened:
    seed = wish.seed if wish.seed is not None else open_game.new_seed()
    rules, data = read_rules(wish.game, players=wish.players, variants=wish.variant)
    engine = open_game.engine_for(rules, wish.tokenwise)
    seats = _seats(rules.players, wish.seat, screen.terminal)
    first = open_game.seat(rules, wish.first or 0)
    begun = partial(Session.new, engine, first=first, seed=seed)
    session, file, note = _recorded(wish, begun, rules, lambda: data, seats)
    return Opened(session, seats, seed, file, note)


def _resumed(wish: Namespace, screen: Screen) -> Opened:
    if wish.first is not None:
        raise UsageError("--first belongs to a new game, not to one that is resumed")
    if _is_record(wish.resume):
        return _taken_up(wish, screen)
    seed = wish.seed if wish.seed is not None else open_game.new_seed()
    engine, state = open_game.resumed(wish.resume, wish)
    rules = engine.rules
    seats = _seats(rules.players, wish.seat, screen.terminal)

    def data() -> Mapping[str, Any]:
        variants = wish.variant or rules.variants
        return read_rules(wish.game or rules.game, players=rules.players, variants=variants)[1]

    begun = partial(Session.from_position, engine, with_chance(engine, state, seed))
    session, file, note = _recorded(wish, begun, rules, data, seats)
    return Opened(session, seats, seed, file, note, resumed=True)


def _taken_up(wish: Namespace, screen: Screen) -> Opened:
    """A game that goes on in its own record, under the rules that stand there."""
    if wish.game or wish.players or wish.variant or wish.tokenwise or wish.record:
        raise UsageError(
            f"{wish.resume} brings its own rules and is written on: leave the game, its options and --record out"
        )
    try:
        found = replayed(read_record(wish.resume)) if wish.no_record else continued(wish.resume)
    except BadRecord as wrong:
        raise UsageError(f"{wish.resume} cannot be gone on with: {wrong}") from None
    session = found.session
    if wish.undo is not None:
        session.policy = wish.undo
    seats = _seats(session.rules.players, wish.seat or (list(session.seats) or None), screen.terminal)
    seed = session.seed if session.seed is not None else open_game.new_seed()
    file = None if wish.no_record else Path(wish.resume)
    return Opened(session, seats, seed, file, "; ".join(found.notes), resumed=True)


def _is_record(name: str) -> bool:
    """Whether a file begins as a record does; what cannot be read is told by who reads it."""
    try:
        with Path(name).open("rb") as file:
            head = json.loads(file.readline(limits.MAX_RECORD_LINE_BYTES))
    except (OSError, ValueError, RecursionError):
        return name.endswith(archive.SUFFIX)
    return isinstance(head, dict) and "record" in head


def _recorded(
    wish: Namespace,
    begun: Callable[..., Session],
    rules: Rules,
    data: Callable[[], Mapping[str, Any]],
    seats: tuple[str, ...],
) -> tuple[Session, Path | None, str]:
    """The session, with a record where one is wanted: a person's game always has one, unless it is to have none."""
    begun = partial(begun, seats=seats, policy=wish.undo or "fair")
    words = Words(rules, language(rules, wish.lang))
    if wish.record:
        file = Path(wish.record)
        try:
            return begun(record=file, rules_data=data()), file, ""
        except FileExistsError:
            raise UsageError(f"{file} is there already; --resume goes on with it") from None
        except (OSError, ValueError) as fault:
            raise UsageError(f"{file} cannot be written: {_reason(fault)}") from None
    if wish.no_record or HUMAN not in seats:
        return begun(), None, ""
    try:
        file = archive.new_file(rules.game)
        return begun(record=file, rules_data=data()), file, ""
    except (OSError, RuntimeError) as fault:
        return begun(), None, words("no_record", reason=_reason(fault))


def _reason(fault: Exception) -> str:
    return (getattr(fault, "strerror", None) or str(fault)).lower()


def with_chance(engine: Engine, state: State, seed: int) -> State:
    """The position with a generator of its own, if it had its chance from outside."""
    if state.rng is not None:
        return state
    state = replace(state, rng=chance.seeded(seed))
    if isinstance(state.waiting, Chance):
        rng, outcome = chance.pick(chance.seeded(seed, stream=FIRST_EVENT), state.waiting.outcomes)
        state = engine.feed(replace(state, rng=rng), outcome)
    return state


def _seats(players: int, given: Sequence[str] | None, terminal: bool) -> tuple[str, ...]:
    if given is not None and len(given) > players:
        raise UsageError(f"--seat is given {len(given)} times, and {players} play")
    chosen = given if given is not None else [HUMAN] if terminal else []
    return (*chosen, *["greedy"] * (players - len(chosen)))


def _bots(rules: Rules, seats: Sequence[str], seed: int) -> dict[int, Bot]:
    return {seat: made(open_game.bot(rules, who), rules, seed, seat) for seat, who in enumerate(seats) if who != HUMAN}


def _head(session: Session, words: Words, opened: Opened, named: Sequence[str]) -> list[str]:
    lines = [headline(session.rules, words.code, named)]
    who = [words("human") if one == HUMAN else one for one in opened.seats]
    lines += wrapped(", ".join(f"{words('seat')} {seat}: {one}" for seat, one in enumerate(who)))
    first = session.state.first
    began = words("began", seat=first) if opened.resumed else words("begins", seat=first, seed=opened.seed)
    kept = [words("kept_in", file=opened.file)] if opened.file is not None and HUMAN in opened.seats else []
    return [*lines, began, *kept, *([opened.note] if opened.note else [])]


__all__ = ["language", "run", "with_chance"]
