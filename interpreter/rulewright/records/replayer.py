"""A recorded game played again, line by line: under the rules in the record, or under others, to see where they part.

In: a record and, for other rules, an engine. Out: the session as it was, and the first divergence. Chance is not drawn:
it falls as the record says. A record that its own rules refuse is invalid.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal, assert_never

from rulewright import limits
from rulewright.engine import chance
from rulewright.engine.default_engine import make_engine
from rulewright.engine.faults import MALFORMED_STATE_ERRORS, RuleFault
from rulewright.engine.interface import Engine, IllegalAction
from rulewright.engine.notation import ActionData, Notation
from rulewright.engine.position_data import InvalidPosition
from rulewright.engine.position_json import state_from_data
from rulewright.engine.reference.explainer import Explainer, Reason
from rulewright.engine.state import ChanceEvent, State
from rulewright.engine.value_notation import NotationError
from rulewright.frozen import frozen, replace
from rulewright.json_values import is_integer
from rulewright.model.locale import player_name
from rulewright.records.chance_notation import ChanceNotation, OutcomeData
from rulewright.records.record_file import (
    ActLine,
    ChanceLine,
    EndLine,
    InvalidRecord,
    Record,
    RecordLine,
    RedoLine,
    UndoLine,
    read_record,
)
from rulewright.records.record_writer import RecordWriter, result_data
from rulewright.records.rules_snapshot import SnapshotError, parameter_values, rules_from_snapshot
from rulewright.session.match import format_action, resolve_pending_chance
from rulewright.session.session import Session
from rulewright.session.undo import CannotRedo, CannotUndo

DivergenceKind = Literal["begin", "moment", "action", "chance", "undo", "result", "fault"]


@frozen
class Divergence:
    """Where a recorded game and some rules part. `number`: of the action in the log at that moment, from 1; 0: the
    set-up. `line`: of the record. `reasons`: the rules against an action. All of it is for the referee: it may show
    what is hidden from seats.
    """

    number: int
    line: int
    kind: DivergenceKind
    sentence: str
    reasons: tuple[Reason, ...] = ()


@frozen
class Replay:
    """A game played again, up to the divergence if there is one. `notes`: what else is remarkable about the record."""

    session: Session
    divergence: Divergence | None
    notes: tuple[str, ...]


class _Diverged(Exception):
    """The record and the rules part here."""

    def __init__(self, kind: DivergenceKind, sentence: str, reasons: tuple[Reason, ...] = ()) -> None:
        self.kind = kind
        self.sentence = sentence
        self.reasons = reasons
        super().__init__(sentence)


def engine_from_record(record: Record) -> Engine:
    """The engine of the rules in a record. Raises `InvalidRecord`."""
    head = record.head
    try:
        rules = rules_from_snapshot(head.rules, head.players, head.variants, f"the rules in {record.path}")
    except (SnapshotError, *MALFORMED_STATE_ERRORS, AssertionError) as error:
        raise InvalidRecord(1, f"its rules cannot be used: {_one_line(error)}") from None
    for name, recorded, actual in (
        ("game", head.game, rules.game),
        ("version", head.version, rules.version),
        ("digest", head.digest, rules.digest),
        ("text_digest", head.text_digest, rules.text_digest),
        ("parameters", dict(head.parameters), dict(parameter_values(rules))),
    ):
        if recorded != actual:
            difference = f"{str(actual)[: limits.MAX_QUOTED_RECORD]}, not {str(recorded)[: limits.MAX_QUOTED_RECORD]}"
            raise InvalidRecord(1, f"its rules are not the ones it names: their {name} is {difference}")
    try:
        return make_engine(rules, tokenwise=head.tokenwise)
    except (ValueError, RuleFault, *MALFORMED_STATE_ERRORS) as error:
        raise InvalidRecord(1, f"its rules cannot be used: {_one_line(error)}") from None


def replay_record(record: Record, engine: Engine | None = None) -> Replay:
    """Plays a record again, under its own rules or those of an engine.

    Raises `InvalidRecord` for a record that does not even fit the rules in it.
    """
    replayer = _Replayer(record, engine_from_record(record) if engine is None else engine)
    divergence = replayer.run()
    if engine is None and divergence is not None:
        reasons = " ".join(reason.sentence for reason in divergence.reasons[:3])
        raise InvalidRecord(divergence.line, f"{divergence.sentence} {reasons}".rstrip())
    assert replayer.session is not None or engine is not None
    notes = []
    if record.truncated_bytes:
        notes.append(f"the last line is cut off and was ignored ({record.truncated_bytes} bytes)")
    session = replayer.session or Session(replayer.engine, replayer.engine.start())
    session.policy = record.head.undo_policy
    return Replay(session, divergence, tuple(notes))


def action_data_at_line(record: Record, line: int, viewer: int) -> ActionData | None:
    """The JSON form in which a viewer saw, under the rules in the record, the action in a line; None for a line in
    which nobody acts.
    """
    lines = tuple(entry for entry in record.lines if entry.number <= line)
    if not lines or not isinstance(lines[-1], ActLine):
        return None
    session = replay_record(replace(record, lines=lines, truncated_bytes=0)).session
    return session.match.history[-1].action_data[viewer]


def resume_record(path: str | Path) -> Replay:
    """The game of a record, to be continued; what is done is added to the same record.

    Raises `InvalidRecord`, or `OSError`.
    """
    record = read_record(path)
    replay = replay_record(record)
    has_ended = bool(record.lines) and isinstance(record.lines[-1], EndLine)
    replay.session.attach_recorder(RecordWriter.append_to(record, replay.session.engine), has_ended=has_ended)
    return replay


class _Replayer:
    """One replay in progress."""

    def __init__(self, record: Record, engine: Engine) -> None:
        self.record = record
        self.head = record.head
        self.engine = engine
        self.chance_notation = ChanceNotation(engine)
        self.notation = Notation(engine.rules)
        self.people_notation = Notation.for_people(engine.rules)
        self.session: Session | None = None
        self.line_number = 1  # of the line being played
        self.undone_count = 0  # actions undone and redone so far
        self.explainer = Explainer(engine)

    def run(self) -> Divergence | None:
        """Plays all lines; returns where record and rules part."""
        try:
            lines = iter(self.record.lines)
            session = self.session = self._set_up(lines)
            for line in lines:
                self.line_number = line.number
                self._play_line(session, line)
        except _Diverged as diverged:
            return self._divergence(diverged.kind, diverged.sentence, diverged.reasons)
        except (RuleFault, *MALFORMED_STATE_ERRORS) as error:
            return self._divergence("fault", f"the rules fail here: {_one_line(error)}")
        return None

    def _divergence(self, kind: DivergenceKind, sentence: str, reasons: tuple[Reason, ...] = ()) -> Divergence:
        number = 0
        if self.session is not None:
            is_action = any(line.number == self.line_number and isinstance(line, ActLine) for line in self.record.lines)
            number = len(self.session.match.history) + is_action
        return Divergence(number, self.line_number, kind, sentence, reasons)

    def _set_up(self, lines: Iterator[RecordLine]) -> Session:
        """The session at its beginning; takes the line that says how chance fell in the set-up."""
        head = self.head
        if head.players != self.engine.rules.players:
            raise _Diverged(
                "begin", f"the game had {head.players} players, these rules are for {self.engine.rules.players}"
            )
        if head.first >= head.players:
            who = player_name(head.first)
            raise _Diverged("begin", f"{who} cannot begin: there is no such player (1 to {head.players})")
        if head.start_position is not None:
            try:
                return self._new_session(state_from_data(self.engine, dict(head.start_position)))
            except InvalidPosition as error:
                raise _Diverged("begin", f"the position it began with is invalid: {_one_line(error)}") from None
        state = self.engine.start(first=head.first)
        if head.seed is None:
            return self._new_session(state)
        rng = chance.seed_rng(head.seed)
        if not isinstance(state.waiting, ChanceEvent):
            return self._new_session(replace(state, rng=rng))
        line = next(lines, None)
        self.line_number = 2
        if not isinstance(line, ChanceLine):
            raise _Diverged("chance", "the record has no chance outcomes for the set-up")
        source = _RecordedChance(self.chance_notation, line.chance)
        state, _ = resolve_pending_chance(self.engine, state, rng, source)
        source.require_all_used(state)
        return self._new_session(state)

    def _new_session(self, state: State) -> Session:
        return Session(self.engine, state, seats=self.head.seats, policy="free", seed=self.head.seed)

    def _play_line(self, session: Session, line: RecordLine) -> None:
        match line:
            case ActLine():
                self._act(session, line)
            case ChanceLine():
                self._resolve_chance(session, line)
            case UndoLine() | RedoLine():
                self._rewind(session, line)
            case EndLine():
                self._compare_result(session, line)
            case _:
                assert_never(line)

    def _act(self, session: Session, line: ActLine) -> None:
        data: ActionData = {"action": line.action, "choose": line.choose}
        if session.seat is None:
            moment = "the game is already over" if session.over else "the game is waiting for chance"
            raise _Diverged("moment", f"{self._readable_action(data)} cannot be done: {moment}")
        if session.seat != line.seat:
            recorded, actual = player_name(line.seat), player_name(session.seat)
            raise _Diverged(
                "moment", f"{recorded} did {self._readable_action(data)}; under these rules {actual} chooses"
            )
        try:
            attempt = self.notation.action_from_data(data)
        except NotationError as error:
            raise _Diverged("action", f"{self._readable_action(data)}: {_one_line(error)}") from None
        source = _RecordedChance(self.chance_notation, line.chance)
        before = session.state
        try:
            session.act(attempt, chance_source=source)
        except IllegalAction:
            reasons = self.explainer.why_not(before, line.seat, attempt)
            text = self._readable_action(data)
            raise _Diverged("action", f"{text} is not legal for {player_name(line.seat)}:", reasons) from None
        source.require_all_used(None if before.rng is None else session.state)

    def _readable_action(self, data: ActionData) -> str:
        """An action of the record as people read it, if these rules have it; else as it is written there."""
        with suppress(NotationError):
            return _quote(self.people_notation.format_action(self.notation.action_from_data(data)))
        return _quote(format_action(data))

    def _resolve_chance(self, session: Session, line: ChanceLine) -> None:
        if session.state.rng is not None:
            raise _Diverged("chance", "chance outcomes without an action")
        for outcome in line.chance:
            event = session.state.waiting
            if not isinstance(event, ChanceEvent):
                raise _no_chance_here(self.chance_notation, outcome)
            session.resolve_chance(_parse_outcome(self.chance_notation, event, outcome))

    def _rewind(self, session: Session, line: UndoLine | RedoLine) -> None:
        self.undone_count += line.count
        if self.undone_count > limits.MAX_REPLAYED_ACTIONS:
            raise _Diverged("undo", f"over the limit of {limits.MAX_REPLAYED_ACTIONS} actions undone and redone")
        is_undo = isinstance(line, UndoLine)
        try:
            (session.undo if is_undo else session.redo)(line.count)
        except (CannotUndo, CannotRedo) as error:
            raise _Diverged(
                "undo", f"{line.count} actions cannot be {'undone' if is_undo else 'redone'}: {error}"
            ) from None

    def _compare_result(self, session: Session, line: EndLine) -> None:
        if not session.over:
            raise _Diverged("result", "the record ends the game here; under these rules it goes on")
        actual = result_data(self.engine, session.state)
        for name, recorded in line.result.items():
            if recorded != actual[name]:
                ours, theirs = (_format_result(name, value) for value in (actual[name], recorded))
                raise _Diverged("result", f"the {name} are {ours} under these rules, and {theirs} in the record")


class _RecordedChance:
    """A source of chance: the outcomes of one line of a record, one after another."""

    def __init__(self, notation: ChanceNotation, outcomes: Sequence[OutcomeData]) -> None:
        self.notation = notation
        self.outcomes = outcomes
        self.used = 0

    def __call__(self, event: ChanceEvent) -> int | None:
        if self.used == len(self.outcomes):
            return None
        self.used += 1
        return _parse_outcome(self.notation, event, self.outcomes[self.used - 1])

    def require_all_used(self, state: State | None) -> None:
        """Raises `_Diverged` for an outcome that was recorded and did not happen, or (in `state`) for an event whose
        outcome was not recorded.
        """
        if self.used < len(self.outcomes):
            raise _no_chance_here(self.notation, self.outcomes[self.used])
        if state is not None and isinstance(state.waiting, ChanceEvent):
            raise _Diverged(
                "chance", f"the record has no chance outcome for {_readable_source(self.notation, state.waiting)}"
            )


def _parse_outcome(notation: ChanceNotation, event: ChanceEvent, data: OutcomeData) -> int:
    outcome = notation.from_data(event, data)
    if outcome is None:
        name, is_roll = _readable_source(notation, event), event.kind == "roll"
        if data.get("roll" if is_roll else "draw") != notation.source_name(event):
            expected = f"{name} is rolled" if is_roll else f"something is drawn from {name}"
            recorded = _format_outcome(notation, data)
            raise _Diverged("chance", f"the record says {recorded}, but under these rules {expected}")
        verb = "come up for" if is_roll else "be drawn from"
        raise _Diverged("chance", f"{_quote(data['is'])} cannot {verb} {name} under these rules")
    return outcome


def _no_chance_here(notation: ChanceNotation, data: OutcomeData) -> _Diverged:
    recorded = _format_outcome(notation, data)
    return _Diverged("chance", f"the record says {recorded}, but these rules have no chance event here")


def _readable_source(notation: ChanceNotation, event: ChanceEvent) -> str:
    return notation.readable_names[notation.source_name(event)]


def _format_outcome(notation: ChanceNotation, data: OutcomeData) -> str:
    name = str(data.get("draw", data.get("roll")))
    return _quote(f"{notation.readable_names.get(name, name)}: {data['is']}")


def _format_result(name: str, value: object) -> str:
    """An entry of a game's result; winners by what people call them."""
    if name == "winners" and isinstance(value, list) and all(map(is_integer, value)):
        return _quote(" and ".join(map(player_name, value)) or "nobody")
    return _quote(value)


def _quote(value: object) -> str:
    """What a stranger wrote, made printable and cut."""
    text = "".join(character if character.isprintable() else "?" for character in str(value))
    return text if len(text) <= limits.MAX_QUOTED_RECORD else f"{text[: limits.MAX_QUOTED_RECORD]}…"


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[: limits.MAX_QUOTED_RECORD] or type(error).__name__


def first_seed_mismatch(session: Session) -> int | None:
    """The number of the first action after which chance fell otherwise than the seed has it; None when there is no
    such action, or no seed.
    """
    if session.seed is None:
        return None
    engine = session.engine
    for number, (played, before) in enumerate(zip(session.match.history, session.states, strict=False), start=1):
        after = engine.apply_legal(replace(before, rng=None), played.action)
        _, outcomes = resolve_pending_chance(engine, after, before.rng)
        if outcomes != played.chance_outcomes:
            return number
    return None


__all__ = [
    "Divergence",
    "DivergenceKind",
    "Replay",
    "action_data_at_line",
    "engine_from_record",
    "first_seed_mismatch",
    "replay_record",
    "resume_record",
]
