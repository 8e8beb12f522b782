"""A recorded game played again, line by line: under the rules that stand in the record, or under others, to see where
they part.

In: a record and, for other rules, an engine. Out: the session as it stood, and the first difference. Chance is not
asked: it falls as the record says. What a record claims and its own rules refuse makes it a bad record.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal

from rulewright import limits
from rulewright.engine import chance
from rulewright.engine.faults import RuleFault
from rulewright.engine.notation import Notation, NotationError
from rulewright.engine.position_json import state_from_data
from rulewright.engine.reference.choice_domains import TooManyAnswersError
from rulewright.engine.reference.explainer import Explainer, Reason
from rulewright.engine.reference.reference_engine import IllegalAction, ReferenceEngine
from rulewright.engine.state import ChanceEvent, State
from rulewright.engine.validate_position import MALFORMED_STATE_ERRORS, InvalidPosition
from rulewright.model.locale import player_name
from rulewright.records.record_file import InvalidRecord, Record, RecordHead, RecordLine, read_record
from rulewright.records.record_writer import ChanceNotation, RecordWriter, result_data
from rulewright.records.rules_snapshot import SnapshotError, parameter_values, rules_from_snapshot
from rulewright.session.match import format_action, resolve_pending_chance
from rulewright.session.session import CannotRedo, CannotUndo, Session

MAX_QUOTED_CHARACTERS: Final = 200  # characters of what a stranger wrote that are said again


@dataclass(frozen=True, slots=True)
class Divergence:
    """Where a recorded game and some rules part. `number`: the action, as it is counted at that moment, from 1; 0: the
    set-up. `line`: of the record. `reasons`: the rules against an action. All of it is the referee's: it may speak of
    what is hidden from seats.
    """

    number: int
    line: int
    kind: Literal["begin", "moment", "action", "chance", "undo", "result", "fault"]
    sentence: str
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Replay:
    """A game played again, up to the difference if there is one. `notes`: what else there is to say of the record."""

    session: Session
    divergence: Divergence | None
    notes: tuple[str, ...]


class _Parted(Exception):
    """The record and the rules part here."""

    def __init__(self, kind: Any, sentence: str, reasons: tuple[Reason, ...] = ()) -> None:
        self.kind = kind
        self.sentence = sentence
        self.reasons = reasons
        super().__init__(sentence)


def engine_from_record(record: Record) -> ReferenceEngine:
    """The engine of the rules that stand in a record. Raises `BadRecord`."""
    head = record.head
    try:
        rules = rules_from_snapshot(head.rules, head.players, head.variants, f"the rules in {record.path}")
    except (SnapshotError, *MALFORMED_STATE_ERRORS, AssertionError) as wrong:
        raise InvalidRecord(1, f"its rules cannot be used: {_short(wrong)}") from None
    for what, said, found in (
        ("game", head.game, rules.game),
        ("version", head.version, rules.version),
        ("digest", head.digest, rules.digest),
        ("text_digest", head.text_digest, rules.text_digest),
        ("parameters", dict(head.parameters), dict(parameter_values(rules))),
    ):
        if said != found:
            told = f"their {what} is {str(found)[:MAX_QUOTED_CHARACTERS]}, not {str(said)[:MAX_QUOTED_CHARACTERS]}"
            raise InvalidRecord(1, f"the rules in it are not those it names; {told}")
    try:
        return ReferenceEngine(rules, tokenwise=head.tokenwise)
    except (ValueError, RuleFault, TooManyAnswersError, *MALFORMED_STATE_ERRORS) as wrong:
        raise InvalidRecord(1, f"its rules cannot be used: {_short(wrong)}") from None


def replay_record(record: Record, engine: ReferenceEngine | None = None) -> Replay:
    """Plays a record again, under its own rules or those of an engine.

    Raises `BadRecord` for what cannot be: a record that does not even fit the rules in it.
    """
    own = engine is None
    table = _Table(record, engine_from_record(record) if engine is None else engine)
    difference = table.difference()
    if own and difference is not None:
        reasons = " ".join(reason.sentence for reason in difference.reasons[:3])
        raise InvalidRecord(difference.line, f"{difference.sentence} {reasons}".rstrip())
    assert table.session is not None or not own
    notes = (
        [f"the last line was cut off and is left out ({record.truncated_bytes} bytes)"]
        if record.truncated_bytes
        else []
    )
    session = table.session if table.session is not None else Session(table.engine, table.engine.start())
    session.policy = record.head.undo_policy
    return Replay(session, difference, tuple(notes))


def action_data_at_line(record: Record, line: int, viewer: int) -> dict[str, Any] | None:
    """The JSON form in which a viewer was told, under the rules in the record, of the action in a line; None for a line
    in which nobody acts.
    """
    lines = tuple(one for one in record.lines if one.number <= line)
    if not lines or lines[-1].do != "act":
        return None
    session = replay_record(replace(record, lines=lines, truncated_bytes=0)).session
    return session.match.history[-1].action_data[viewer]


def resume_record(path: str | Path) -> Replay:
    """The game of a record, to go on with; what is done is written to the same record.

    Raises `BadRecord`, or `OSError`.
    """
    record = read_record(path)
    found = replay_record(record)
    found.session.attach_recorder(RecordWriter.append_to(record, found.session.engine), ended=_ended(record))
    return found


def _ended(record: Record) -> bool:
    return bool(record.lines) and record.lines[-1].do == "end"


def _short(wrong: BaseException) -> str:
    return " ".join(str(wrong).split())[:MAX_QUOTED_CHARACTERS] or type(wrong).__name__


class _Table:
    """One replay as it goes on."""

    def __init__(self, record: Record, engine: ReferenceEngine) -> None:
        self.record = record
        self.head: RecordHead = record.head
        self.engine = engine
        self.names = ChanceNotation(engine)
        self.notation = Notation(engine.rules)
        self.session: Session | None = None
        self.at = 1  # the line that is looked at
        self.turned = 0  # actions taken back and done again so far
        self.explainer = Explainer(engine)

    def difference(self) -> Divergence | None:
        """Plays all lines; returns where record and rules part."""
        try:
            lines = iter(self.record.lines)
            self._begun(lines)
            for line in lines:
                self.at = line.number
                LINE_HANDLERS[line.do](self, line)
        except _Parted as parted:
            return Divergence(self._number(), self.at, parted.kind, parted.sentence, parted.reasons)
        except (RuleFault, TooManyAnswersError, *MALFORMED_STATE_ERRORS) as fault:
            return Divergence(self._number(), self.at, "fault", f"the rules ask for the impossible: {_short(fault)}")
        return None

    def _number(self) -> int:
        """The number of the action that is looked at."""
        if self.session is None:
            return 0
        acts = any(line.number == self.at and line.do == "act" for line in self.record.lines)
        return len(self.session.match.history) + acts

    def _begun(self, lines: Iterator[RecordLine]) -> None:
        """Sets the game up, with the line that says how chance fell in the set-up."""
        head = self.head
        if head.players != self.engine.rules.players:
            raise _Parted(
                "begin", f"the game was played by {head.players}, these rules are for {self.engine.rules.players}"
            )
        if not head.first < head.players:
            raise _Parted("begin", f"seat {head.first} cannot begin: seats are 0 to {head.players - 1}")
        if head.start_position is not None:
            try:
                state = state_from_data(self.engine, dict(head.start_position))
            except InvalidPosition as wrong:
                raise _Parted("begin", f"the position it began with cannot be: {_short(wrong)}") from None
            self._seated(state)
            return
        state = self.engine.start(first=head.first)
        if head.seed is not None and isinstance(state.waiting, ChanceEvent):
            line = next(lines, None)
            self.at = 2
            if line is None or line.do != "chance":
                raise _Parted("chance", "it does not say how chance fell in the set-up")
            self._seated(self._fallen(state, line, chance.seed_rng(head.seed)))
        else:
            self._seated(state if head.seed is None else replace(state, rng=chance.seed_rng(head.seed)))

    def _seated(self, state: State) -> None:
        self.session = Session(self.engine, state, seats=self.head.seats, policy="free", seed=self.head.seed)

    def _fallen(self, state: State, line: RecordLine, rng: int) -> State:
        dice = _Said(self.names, line.data["chance"])
        state, _ = resolve_pending_chance(self.engine, state, rng, dice)
        dice.all_used(state)
        return state

    def _act(self, line: RecordLine) -> None:
        session, data = self.session, line.data
        assert session is not None
        said = {"action": data["action"], "choose": data["choose"]}
        if session.seat is None:
            text = "the game is over already" if session.over else "the game waits for chance"
            raise _Parted("moment", f"{_written(said)} cannot be done: {text}")
        if session.seat != data["seat"]:
            was, now = player_name(data["seat"]), player_name(session.seat)
            raise _Parted("moment", f"{was} did {_written(said)}; under these rules {now} chooses")
        try:
            wish = self.notation.action_from_data(said)
        except NotationError as wrong:
            raise _Parted("action", f"{_written(said)} is no action of these rules: {_short(wrong)}") from None
        dice = _Said(self.names, data.get("chance", ()))
        outside = session.state.rng is None
        before = session.state
        try:
            session.act(wish, chance_source=dice)
        except IllegalAction:
            reasons = self.explainer.why_not(before, data["seat"], wish)
            raise _Parted(
                "action", f"{_written(said)} is not legal for {player_name(data['seat'])}:", reasons
            ) from None
        dice.all_used(None if outside else session.state)

    def _chance(self, line: RecordLine) -> None:
        session = self.session
        assert session is not None
        if session.state.rng is not None:
            raise _Parted("chance", "chance falls where nothing was done")
        for said in line.data["chance"]:
            event = session.state.waiting
            if not isinstance(event, ChanceEvent):
                raise _Parted("chance", f"the record says {_outcome(said)}, but under these rules no chance falls here")
            session.resolve_chance(_Said(self.names, [said]).outcome(event))

    def _undo(self, line: RecordLine) -> None:
        assert self.session is not None
        self.turned += int(line.data["count"])
        if self.turned > limits.MAX_REPLAYED_ACTIONS:
            raise _Parted("undo", f"more than {limits.MAX_REPLAYED_ACTIONS} actions are taken back and done again")
        try:
            (self.session.undo if line.do == "undo" else self.session.redo)(line.data["count"])
        except (CannotUndo, CannotRedo) as wrong:
            raise _Parted("undo", f"{line.data['count']} actions cannot be {line.do}ne: {wrong}") from None

    def _end(self, line: RecordLine) -> None:
        session = self.session
        assert session is not None
        if not session.over:
            raise _Parted("result", "the record ends the game here; under these rules it goes on")
        found = result_data(self.engine, session.state)
        for what, said in line.data.items():
            if what != "do" and said != found[what]:
                raise _Parted(
                    "result", f"the {what} are {found[what]} under these rules, and in the record {_cut(said)}"
                )


LINE_HANDLERS: Final[Mapping[str, Any]] = {
    "act": _Table._act,
    "chance": _Table._chance,
    "undo": _Table._undo,
    "redo": _Table._undo,
    "end": _Table._end,
}


class _Said:
    """Chance as a record tells it."""

    def __init__(self, names: ChanceNotation, said: Any) -> None:
        self.names = names
        self.said = list(said)
        self.used = 0

    def __call__(self, event: ChanceEvent) -> int | None:
        if self.used == len(self.said):
            return None
        self.used += 1
        return self.outcome(event, self.said[self.used - 1])

    def outcome(self, event: ChanceEvent, said: Any = None) -> int:
        """The outcome that is said of an event."""
        said = self.said[0] if said is None else said
        value = self.names.from_data(event, said)
        if value is None:
            what = f"something is drawn from {self.names.source_name(event)}"
            if event.kind == "roll":
                what = f"{self.names.source_name(event)} is rolled"
            raise _Parted("chance", f"under these rules {what}; what the record says cannot be then: {_outcome(said)}")
        return value

    def all_used(self, state: State | None) -> None:
        """Complains of what was said and did not happen, or (`state`) of what happened and was not said."""
        if self.used < len(self.said):
            said = _outcome(self.said[self.used])
            raise _Parted("chance", f"the record says {said}, but under these rules no chance falls here")
        if state is not None and isinstance(state.waiting, ChanceEvent):
            raise _Parted(
                "chance", f"the record does not say how chance fell for {self.names.source_name(state.waiting)}"
            )


def _outcome(said: Mapping[str, Any]) -> str:
    return _cut(f"{said.get('draw', said.get('roll'))}: {said['is']}")


def _written(said: dict[str, Any]) -> str:
    return _cut(format_action(said))


def _cut(said: Any) -> str:
    text = "".join(one if one.isprintable() else "?" for one in str(said))
    return text if len(text) <= MAX_QUOTED_CHARACTERS else f"{text[:MAX_QUOTED_CHARACTERS]}…"


def first_seed_mismatch(session: Session) -> int | None:
    """The number of the first action after which chance fell otherwise than the seed would have it; None when it did
    not, or when there is no seed.
    """
    if session.seed is None:
        return None
    engine = session.engine
    for number, (done, before) in enumerate(zip(session.match.history, session.states, strict=False), start=1):
        _, fell = resolve_pending_chance(engine, engine.apply_legal(replace(before, rng=None), done.action), before.rng)
        if fell != done.chance_outcomes:
            return number
    return None


__all__ = [
    "Divergence",
    "Replay",
    "action_data_at_line",
    "engine_from_record",
    "first_seed_mismatch",
    "replay_record",
    "resume_record",
]
