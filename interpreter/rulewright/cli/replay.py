"""`rulewright replay`: a recorded game shown again, checked, played under other rules, or made into a scenario.

In: parsed arguments. Out: the game as one reader may know it; status 1 when record and rules diverge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from rulewright.cli.exit_status import ExitStatus
from rulewright.cli.options import CommandOptions
from rulewright.diagnostics import RulesError
from rulewright.engine.interface import Engine, is_draw
from rulewright.engine.value_notation import HIDDEN_TEXT
from rulewright.errors import UsageError, os_error_reason
from rulewright.frozen import replace
from rulewright.model.locale import player_name
from rulewright.model.locate import NotFound, missing_file
from rulewright.records.divergence_cause import find_divergence_cause
from rulewright.records.record_file import ActLine, ChanceLine, EndLine, InvalidRecord, Record, read_record
from rulewright.records.replayer import Divergence, Replay, action_data_at_line, first_seed_mismatch, replay_record
from rulewright.session import load_game
from rulewright.session.match import format_action
from rulewright.session.session import Session
from rulewright.terminal.board import Board
from rulewright.terminal.headline import rules_headline
from rulewright.terminal.ranking import ranking_lines
from rulewright.terminal.reasons import reasons_lines, wrap
from rulewright.terminal.transcript import Transcript, revealed_lines, viewer_action_line

CAUSE_MESSAGES: Final = {
    "one": "The cause is {names}: without it the record goes on.",
    "ones": "The cause is {names} together: without any one of them the record goes on.",
    "each": "The cause is {names}, each of them alone.",
    "together": "The cause is {names} together, none of them alone.",
    "rules": "They diverge without any variant too.",
}


class Options(CommandOptions):
    """The options of `replay`."""

    record: str
    at: int | None
    seat: int | None
    verify: bool
    to_scenario: bool
    game: str | None
    variant: list[str]
    lang: str


def run(args: Options) -> int:
    """Replays a record as the arguments say."""
    try:
        record = read_record(args.record)
        original = replay_record(record)
        other = _other_engine(args, record, args.variant)
        replay = original if other is None else replay_record(record, other)
    except InvalidRecord as error:
        place = f"{args.record}:{error.line}" if error.line else str(args.record)
        raise UsageError(f"{place}: {error.reason}") from None
    except FileNotFoundError:
        raise missing_file(args.record) from None
    except OSError as error:
        raise UsageError(f"cannot read {args.record}: {os_error_reason(error)}") from None
    locale = load_game.require_language(replay.session.rules, args.lang)
    seat = None if args.seat is None else load_game.require_seat(replay.session.rules, args.seat)
    count = len(replay.session.match.history)
    if args.at is not None and args.at > count:
        raise UsageError(f"--at must be 0 to {count}: the game has {count} actions")
    if args.to_scenario:
        if seat is not None or args.verify:
            option = "--player" if seat is not None else "--verify"
            raise UsageError(f"{option} cannot be used with --to-scenario, which shows everything, also what is hidden")
        return _print_scenario(args, record, replay)
    cause = _find_cause(args, record, replay.divergence)
    if args.verify:
        return _verify(record, original, replay if other is not None else None, locale, cause)
    for line in _replay_lines(record, replay, args.at, seat, locale, cause):
        print(line)
    return ExitStatus.OK if replay.divergence is None else ExitStatus.FINDINGS


def _other_engine(args: Options, record: Record, variants: Sequence[str]) -> Engine | None:
    """The engine of the rules that the arguments give, if any, with these of their variants."""
    if args.game is None and not args.variant:
        return None
    head = record.head
    engine = load_game.load_engine(args.game or head.game, head.players, variants, head.tokenwise)
    if engine.rules.game != head.game:
        raise UsageError(f"the record is of {_printable(head.game)}, not {engine.rules.game}")
    return engine


def _find_cause(args: Options, record: Record, divergence: Divergence | None) -> str:
    """Which of the given variants make the record diverge, in a sentence."""
    if divergence is None or not args.variant:
        return ""

    def engine_with(variants: Sequence[str]) -> Engine:
        engine = _other_engine(args, record, variants)
        assert engine is not None
        return engine

    cause = find_divergence_cause(record, divergence, args.variant, engine_with)
    names = " and ".join(f"`{_printable(name if '=' in name else Path(name).name)}`" for name in cause.variants)
    missing = [f"`{_printable(name)}`" for name in record.head.variants if name not in args.variant]
    if cause.kind == "rules" and missing:
        return f"{CAUSE_MESSAGES[cause.kind]} The game was played with {' and '.join(missing)}."
    return CAUSE_MESSAGES["ones" if cause.kind == "one" and len(cause.variants) > 1 else cause.kind].format(names=names)


# ---- the game --------------------------------------------------------------------------------------------------------


def _replay_lines(
    record: Record, replay: Replay, number: int | None, seat: int | None, locale: str, cause: str
) -> Iterator[str]:
    session = replay.session
    viewer = session.rules.players if seat is None else seat
    yield rules_headline(session.rules)
    yield from _player_lines(session)
    for note in replay.notes:
        yield from wrap(f"{note}.")
    board = Board(session.engine, locale)
    if number is not None:
        if number:
            played = session.match.history[number - 1]
            yield viewer_action_line(number, played, viewer, board.rules, board.messages)
            yield from revealed_lines(played, viewer, board.rules, board.messages)
        yield from ["", *map(str, board.render(session.states[number], seat))]
        return
    transcript = Transcript(board, viewer)
    yield from ["", *map(str, board.render(session.states[0], seat)), ""]
    turn_round = -1
    for index, played in enumerate(session.match.history):
        if played.round != turn_round:
            turn_round = played.round
            yield f"Round {turn_round}"
        yield from transcript.action_lines(index + 1, played, *session.states[index : index + 2])
    if replay.divergence is not None:
        divergence = _redact_divergence(record, replay.divergence, viewer)
        cause = cause if divergence is replay.divergence else ""
        yield from ["", *_divergence_lines(divergence, session, locale, cause)]
        return
    yield from ["", *map(str, board.render(session.state, seat))]
    if session.over:
        yield from ["", *ranking_lines(session.match, board, viewer)]
    else:
        yield from ["", "The game is unfinished."]


def _player_lines(session: Session) -> Iterator[str]:
    seats = range(session.rules.players)
    names = session.seats if len(session.seats) == len(seats) else ()
    if names:
        players = ", ".join(f"{player_name(seat)}: {_printable(name)}" for seat, name in zip(seats, names, strict=True))
        yield from wrap(players)
    yield f"{player_name(session.states[0].first_seat)} began"


def _printable(name: str) -> str:
    """A name as a stranger wrote it, made safe for the terminal."""
    return "".join(char if char.isprintable() else "?" for char in name)[:40]


def _redact_divergence(record: Record, divergence: Divergence, viewer: int) -> Divergence:
    """A divergence as a viewer may know it: what was chosen or drawn in secret stays so."""
    if divergence.kind in ("begin", "result", "undo"):
        return divergence
    data = action_data_at_line(record, divergence.line, viewer) if divergence.kind in ("action", "moment") else None
    if data is not None and HIDDEN_TEXT not in format_action(data):
        return divergence
    summary = "the chance outcomes differ" if divergence.kind == "chance" else "the action is not possible"
    return replace(divergence, sentence=f"{summary}; the rest is hidden; --verify shows it", reasons=())


def _divergence_lines(divergence: Divergence, session: Session, locale: str, cause: str) -> Iterator[str]:
    place = f"At action {divergence.number}" if divergence.number else "At the beginning"
    yield from wrap(f"{place} (line {divergence.line}) the record and these rules diverge: {divergence.sentence}")
    yield from reasons_lines(divergence.reasons, session.rules, locale)
    if cause:
        yield from wrap(cause)


# ---- verify ----------------------------------------------------------------------------------------------------------


def _verify(record: Record, original: Replay, other: Replay | None, locale: str, cause: str) -> int:
    session = original.session
    action_count = sum(isinstance(line, ActLine) for line in record.lines)
    kept_count = len(session.match.history)
    undone = f", {action_count - kept_count} of them undone" if action_count > kept_count else ""
    outcome_count = sum(len(line.chance) for line in record.lines if isinstance(line, ActLine | ChanceLine))
    has_end = any(isinstance(line, EndLine) for line in record.lines)
    unfinished = "the game is unfinished" if not session.over else "not in the record"
    lines = [
        ("rules", f"those in the record, {rules_headline(session.rules)}"),
        ("actions", f"{action_count}{undone}; {outcome_count} chance outcomes: all possible under these rules"),
        ("result", _result(session) if has_end else unfinished),
    ]
    has_problem = False
    if session.seed is not None:
        number = first_seed_mismatch(session)
        has_problem = number is not None
        differs = f"chance outcomes differ from those of its seed, first after action {number}"
        lines.append(("seed", "all chance outcomes are those of its seed" if number is None else differs))
    lines += [("note", note) for note in original.notes]
    compared, name = other, "given"
    if compared is None:
        name = "shipped"
        compared, problem = _shipped(record)
        if problem:
            lines.append((name, problem))
    if compared is not None:
        lines.append((name, _comparison(session, compared)))
        has_problem = has_problem or compared.divergence is not None
    for label, text in lines:
        print("\n".join(wrap(text, f"{label:<9}")))
    if compared is not None and compared.divergence is not None:
        print("\n".join(_divergence_lines(compared.divergence, compared.session, locale, cause)))
    return ExitStatus.FINDINGS if has_problem else ExitStatus.OK


def _result(session: Session) -> str:
    result = session.engine.result(session.state)
    if is_draw(session.engine, session.state, result):
        return "as under its rules: a draw"
    winners = result.winners
    return f"as under its rules: {' and '.join(map(player_name, winners)) or 'nobody'} won"


def _shipped(record: Record) -> tuple[Replay | None, str]:
    """The record under the shipped rules of its name, or why that cannot be tried."""
    head = record.head
    if not load_game.is_shipped(head.game, head.variants):
        return None, f"there is no shipped game {_printable(head.game)}"
    try:
        return replay_record(record, load_game.load_engine(head.game, head.players, head.variants, head.tokenwise)), ""
    except (NotFound, UsageError) as error:
        return None, f"the shipped rules cannot be used: {error}"
    except RulesError as error:
        first = next(iter(error.diagnostics)).message
        return None, f"the shipped rules cannot be used: {first}"


def _comparison(session: Session, other: Replay) -> str:
    ours, theirs = session.rules, other.session.rules
    if ours.digest == theirs.digest:
        return "the same rules" if ours.text_digest == theirs.text_digest else "the same rules, worded differently"
    if other.divergence is None:
        return f"other rules (version {theirs.version}), under which the game is the same"
    return f"other rules (version {theirs.version}), under which the game diverges"


# ---- a scenario ------------------------------------------------------------------------------------------------------


def _print_scenario(args: Options, record: Record, replay: Replay) -> int:
    from rulewright.scenarios.export_scenario import ScenarioExportError, export_scenario

    if replay.divergence is not None:
        raise UsageError(f"the record and these rules diverge at action {replay.divergence.number}")
    title = Path(record.path).name
    try:
        print(export_scenario(replay.session, args.at, _printable(title)), end="")
    except ScenarioExportError as error:
        raise UsageError(f"this cannot be written as a scenario: {error}") from None
    return ExitStatus.OK


__all__ = ["Options", "run"]
