"""`rulewright replay`: a recorded game told again, checked, held against other rules, or made into a scenario.

In: parsed arguments. Out: the game as one reader may know it; status 1 when the record and the rules part.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from rulewright.cli import open_game
from rulewright.diagnostics import RulesError
from rulewright.engine.notation import HIDDEN_TEXT
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.errors import UsageError
from rulewright.model.loader import NotFound
from rulewright.model.locale import player_name
from rulewright.records.bisect import bisect_variants
from rulewright.records.record_file import ActLine, ChanceLine, EndLine, InvalidRecord, Record, read_record
from rulewright.records.replayer import Divergence, Replay, action_data_at_line, first_seed_mismatch, replay_record
from rulewright.session.match import format_action
from rulewright.session.session import Session
from rulewright.terminal.board import Board
from rulewright.terminal.reasons import reasons_lines, rules_headline, wrap
from rulewright.terminal.transcript import Transcript, ranking_lines, revealed_lines, viewer_action_line

BLAME_MESSAGES: Final = {
    "one": "What parts them is {names}: without it the record goes on.",
    "ones": "What parts them is {names} together: without any one of them the record goes on.",
    "each": "What parts them is {names}, each of them alone.",
    "together": "What parts them is {names} together: no one of them does.",
    "rules": "They part without any variant too.",
}


def run(wish: Namespace) -> int:
    """Replays a record as the arguments say."""
    try:
        record = read_record(wish.record)
        own = replay_record(record)
        other = _others(wish, record, wish.variant)
        found = own if other is None else replay_record(record, other)
    except InvalidRecord as wrong:
        raise UsageError(f"{wish.record} is no record that can be used: {wrong}") from None
    except OSError as error:
        raise UsageError(f"{wish.record} cannot be opened: {(error.strerror or str(error)).lower()}") from None
    code = open_game.require_language(found.session.rules, wish.lang)
    seat = None if wish.seat is None else open_game.require_seat(found.session.rules, wish.seat)
    made = len(found.session.match.history)
    if wish.at is not None and wish.at > made:
        raise UsageError(f"the game has {made} actions; --at goes from 0 to {made}")
    if wish.to_scenario:
        if seat is not None or wish.verify:
            out = "--seat" if seat is not None else "--verify"
            raise UsageError(f"--to-scenario tells everything, also what is hidden, and nothing else: leave {out} out")
        return _scenario(wish, record, found)
    blame = _blame(wish, record, found.divergence)
    if wish.verify:
        return _verify(record, own, found if other is not None else None, code, blame)
    for line in _told(record, found, wish.at, seat, code, blame):
        print(line)
    return 0 if found.divergence is None else 1


def _others(wish: Namespace, record: Record, variants: Sequence[str]) -> ReferenceEngine | None:
    """The engine of the rules that are given beside the record, if any are, with so many of their variants."""
    if wish.game is None and not wish.variant:
        return None
    head = record.head
    return open_game.load_engine(wish.game or head.game, head.players, variants, head.tokenwise)


def _blame(wish: Namespace, record: Record, difference: Divergence | None) -> str:
    """Which of the variants that are given part the record from its game, in a sentence."""
    if difference is None or not wish.variant:
        return ""

    def engine_with(variants: Sequence[str]) -> ReferenceEngine:
        engine = _others(wish, record, variants)
        assert engine is not None
        return engine

    found = bisect_variants(record, difference, wish.variant, engine_with)
    names = " and ".join(f"`{_shown(one if '=' in one else Path(one).name)}`" for one in found.variants)
    missing = [f"`{_shown(one)}`" for one in record.head.variants if one not in wish.variant]
    if found.kind == "rules" and missing:
        return f"{BLAME_MESSAGES[found.kind]} The game was played with {' and '.join(missing)}."
    return BLAME_MESSAGES["ones" if found.kind == "one" and len(found.variants) > 1 else found.kind].format(names=names)


# ---- told ------------------------------------------------------------------------------------------------------------


def _told(record: Record, found: Replay, at: int | None, seat: int | None, code: str, blame: str) -> Iterator[str]:
    session = found.session
    row = session.rules.players if seat is None else seat
    yield rules_headline(session.rules)
    yield from _who(session)
    for note in found.notes:
        yield from wrap(f"{note}.")
    board = Board(session.engine, code)
    if at is not None:
        if at:
            done = session.match.history[at - 1]
            yield from [viewer_action_line(at, done, row, board.messages), *revealed_lines(done, board.messages)]
        yield from ["", *map(str, board.render(session.states[at], seat))]
        return
    recorder = Transcript(board, row)
    yield from ["", *map(str, board.render(session.states[0], seat)), ""]
    turn_round = -1
    for number, done in enumerate(session.match.history, start=1):
        if done.round != turn_round:
            turn_round = done.round
            yield f"Round {turn_round}"
        yield from recorder.action_lines(number, done, *session.states[number - 1 : number + 1])
    if found.divergence is not None:
        shown = _told_to(record, found.divergence, row)
        blame = blame if shown is found.divergence else ""
        yield from ["", *_difference_lines(shown, session, code, blame)]
        return
    yield from ["", *map(str, board.render(session.state, seat))]
    if session.over:
        yield from ["", *ranking_lines(session.match, board, row)]
    else:
        yield from ["", "The game is unfinished."]


def _who(session: Session) -> Iterator[str]:
    seats = range(session.rules.players)
    names = session.seats if len(session.seats) == len(seats) else ()
    if names:
        said = ", ".join(f"{player_name(seat)}: {_shown(who)}" for seat, who in zip(seats, names, strict=True))
        yield from wrap(said)
    yield f"{player_name(session.states[0].first_seat)} began"


def _shown(name: str) -> str:
    """A name as a stranger wrote it, made safe for the terminal."""
    return "".join(one if one.isprintable() else "?" for one in name)[:40]


def _told_to(record: Record, difference: Divergence, row: int) -> Divergence:
    """A difference as a reader may know it: what was done or drawn in secret stays so."""
    if difference.kind in ("begin", "result", "undo"):
        return difference
    told = action_data_at_line(record, difference.line, row) if difference.kind in ("action", "moment") else None
    if told is not None and HIDDEN_TEXT not in format_action(told):
        return difference
    what = "chance falls otherwise under them" if difference.kind == "chance" else "what was done cannot be done so"
    return replace(difference, sentence=f"{what}; more may not be told here, --verify tells it", reasons=())


def _difference_lines(difference: Divergence, session: Session, code: str, blame: str) -> Iterator[str]:
    where = f"At action {difference.number}" if difference.number else "At the beginning"
    yield from wrap(f"{where} (line {difference.line}) the record and these rules part: {difference.sentence}")
    yield from reasons_lines(difference.reasons, session.rules, code)
    if blame:
        yield from wrap(blame)


# ---- checked ---------------------------------------------------------------------------------------------------------


def _verify(record: Record, own: Replay, other: Replay | None, code: str, blame: str) -> int:
    session, parted = own.session, False
    acts = sum(isinstance(line, ActLine) for line in record.lines)
    kept = len(session.match.history)
    back = f", {acts - kept} of them taken back" if acts > kept else ""
    chances = sum(len(line.chance) for line in record.lines if isinstance(line, ActLine | ChanceLine))
    ended = any(isinstance(line, EndLine) for line in record.lines)
    lines = [
        ("rules", f"those it names, {rules_headline(session.rules)}"),
        ("actions", f"{acts}{back}; chance fell {chances} times: all as its rules have it"),
        ("result", _result(session) if ended else "the game is unfinished" if not session.over else "not written down"),
    ]
    if session.seed is not None:
        number = first_seed_mismatch(session)
        parted = number is not None
        text = (
            "chance fell as its seed has it" if number is None else "chance fell otherwise than its seed has it, first"
        )
        lines.append(("seed", text if number is None else f"{text} after action {number}"))
    lines += [("note", note) for note in own.notes]
    held, name = other, "given"
    if held is None:
        name = "shipped"
        held, text = _shipped(record)
        if text:
            lines.append((name, text))
    if held is not None:
        lines.append((name, _compared(session, held)))
        parted = parted or held.divergence is not None
    for label, text in lines:
        print("\n".join(wrap(text, f"{label:<9}")))
    if held is not None and held.divergence is not None:
        print("\n".join(_difference_lines(held.divergence, held.session, code, blame)))
    return 1 if parted else 0


def _result(session: Session) -> str:
    result = session.engine.result(session.state)
    won = " and ".join(map(player_name, result.winners)) or "nobody"
    return f"as its rules have it: {won} won"


def _shipped(record: Record) -> tuple[Replay | None, str]:
    """The record under the shipped rules of its name, or why that cannot be tried."""
    head = record.head
    if not open_game.is_shipped(head.game, head.variants):
        return None, f"no game of the name {_shown(head.game)} is shipped"
    try:
        return replay_record(record, open_game.load_engine(head.game, head.players, head.variants, head.tokenwise)), ""
    except (NotFound, UsageError) as wrong:
        return None, f"the shipped rules cannot be tried: {wrong}"
    except RulesError as wrong:
        first = next(iter(wrong.diagnostics)).message
        return None, f"the shipped rules cannot be tried: {first}"


def _compared(session: Session, other: Replay) -> str:
    ours, theirs = session.rules, other.session.rules
    if ours.digest == theirs.digest:
        return "the same rules" if ours.text_digest == theirs.text_digest else "the same rules in other words"
    if other.divergence is None:
        return f"other rules (version {theirs.version}), under which the game is the same"
    return f"other rules (version {theirs.version}), under which the game is another"


# ---- a scenario ------------------------------------------------------------------------------------------------------


def _scenario(wish: Namespace, record: Record, found: Replay) -> int:
    from rulewright.scenarios.export_scenario import ScenarioExportError, export_scenario

    if found.divergence is not None:
        raise UsageError(f"the record and these rules part at action {found.divergence.number}")
    title = Path(record.path).name
    try:
        print(export_scenario(found.session, wish.at, _shown(title)), end="")
    except ScenarioExportError as wrong:
        raise UsageError(f"this cannot be told as a scenario: {wrong}") from None
    return 0
