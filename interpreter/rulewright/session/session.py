"""One game at a table: what may be done, what was done, and taking back as far as that is honest.

In: an engine and how the game begins, then actions. Out: positions, a log for each reader, a record of all that
happened. Every action is in the record, on the disk, before `act` returns.

What is taken back leaves the log; the record keeps it, with the line that took it back. Under the policy "fair" nothing
is taken back past the last moment when chance fell or somebody was shown something (see `finality`): a card that was
seen cannot be unseen. Under "free", for one who plays alone or for a table that agrees, everything can; chance falls
again as it fell, for its generator is taken back too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal

from rulewright import limits
from rulewright.engine import chance, position_json
from rulewright.engine.notation import NotationError
from rulewright.engine.reference.explainer import Explainer, Reason
from rulewright.engine.reference.reference_engine import GameResult, NotWaitingError, ReferenceEngine
from rulewright.engine.state import Action, ChanceEvent, State
from rulewright.errors import RulewrightError
from rulewright.records.record_file import UndoPolicy
from rulewright.records.record_writer import RecordWriter, make_head, result_data
from rulewright.session.match import (
    ChanceOutcome,
    ChanceSource,
    Match,
    PlayedAction,
    format_action,
    resolve_pending_chance,
)
from rulewright.session.shorthand import NotLegalNow, ShorthandParser
from rulewright.session.undo_policy import IrreversibleCause, irreversible_cause

CANNOT_UNDO_REASONS: Final[Mapping[str, str]] = {
    "nothing": "nothing was done that could be taken back",
    "chance": "chance has fallen with action {number}",
    "shown": "somebody came to know something with action {number}",
    "secret": "choices made in secret were laid open with action {number}",
}


class CannotUndo(RulewrightError):
    """So much cannot be taken back. `cause`: chance, shown, secret or nothing; `number`: the action that stands in the
    way, from 1 (0: none); `possible`: how many actions can be taken back.
    """

    def __init__(self, cause: IrreversibleCause | Literal["nothing"], number: int, possible: int, wanted: int) -> None:
        self.cause = cause
        self.number = number
        self.possible = possible
        self.requested = wanted
        why = CANNOT_UNDO_REASONS[cause].format(number=number)
        can = f"; {possible} of {wanted} actions can be taken back" if possible else ""
        super().__init__(f"{why}{can}")


class CannotRedo(RulewrightError):
    """There is not so much to be done again. `possible`: how many actions are."""

    def __init__(self, possible: int, wanted: int) -> None:
        self.possible = possible
        self.requested = wanted
        if possible:
            super().__init__(f"{possible} of {wanted} actions can be done again")
        else:
            super().__init__("nothing was taken back since the last action")


@dataclass(frozen=True, slots=True)
class LogEntry:
    """An action as one reader may know it. `told` is its JSON form and `text` its notation; `together` are the secret
    choices that were carried out with it: seat and notation.
    """

    number: int
    turn: int
    round: int
    seat: int
    step: str
    action_data: Mapping[str, Any]
    text: str
    revealed_choices: tuple[tuple[int, str], ...]


class Session:
    """A game at a table. `states`: the position before each action, and the last. `seats`: who plays, if that was
    said.
    """

    def __init__(
        self,
        engine: ReferenceEngine,
        state: State,
        *,
        seats: Sequence[str] = (),
        policy: UndoPolicy = "fair",
        seed: int | None = None,
        keep: RecordWriter | None = None,
    ) -> None:
        self.engine = engine
        self.rules = engine.rules
        self.match = Match(engine, state)
        self.states: list[State] = [state]
        self.seats = tuple(seats)
        self.policy: UndoPolicy = policy
        self.seed = seed
        self._keep = keep
        self._undone: list[tuple[PlayedAction, State]] = []  # what can be done again, the next one last
        self._final: dict[int, IrreversibleCause | None] = {}  # by number of the action, from 0, as far as it was asked
        self._explainers: dict[str, Explainer] = {}
        self._shorthands: dict[tuple[str, bool], ShorthandParser] = {}

    # ---- how it begins ------------------------------------------------------------------------------------

    @classmethod
    def new(
        cls,
        engine: ReferenceEngine,
        *,
        first: int = 0,
        seed: int | None = None,
        seats: Sequence[str] = (),
        record: str | Path | None = None,
        rules_data: Mapping[str, Any] | None = None,
        policy: UndoPolicy = "fair",
    ) -> Session:
        """A new game. Without a seed chance comes from outside (`feed`).

        `record`: a new file that the game is written to; `rules_data` the rules as `read_rules` gives them (default:
        the shipped ones of that name are read once more). Raises `OSError` when the record cannot be written.
        """
        rng = None if seed is None else chance.seed_rng(seed)
        state, fell = resolve_pending_chance(engine, engine.start(first=first), rng)
        keep = None
        if record is not None:
            head = replace(make_head(engine, rules_data, seats, policy), first=first, seed=seed)
            keep = RecordWriter.create(record, engine, head, fell)
        return cls(engine, state, seats=seats, policy=policy, seed=seed, keep=keep)

    @classmethod
    def from_position(
        cls,
        engine: ReferenceEngine,
        state: State,
        *,
        seats: Sequence[str] = (),
        record: str | Path | None = None,
        rules_data: Mapping[str, Any] | None = None,
        policy: UndoPolicy = "fair",
    ) -> Session:
        """A game that goes on from a position. Raises `OSError` when the record cannot be written."""
        keep = None
        if record is not None:
            head = make_head(engine, rules_data, seats, policy)
            head = replace(head, first=state.first_seat, start_position=position_json.state_to_data(engine, state))
            keep = RecordWriter.create(record, engine, head, ())
        return cls(engine, state, seats=seats, policy=policy, keep=keep)

    def attach_recorder(self, writer: RecordWriter, *, ended: bool = False) -> None:
        """From now on what is done is written there; `ended`: the end stands there already, if there is one."""
        self._keep = writer
        if not ended:
            self._ended()

    # ---- what may be done ---------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The position as it stands."""
        return self.match.state

    @property
    def seat(self) -> int | None:
        """The seat that has to choose, if any."""
        return self.match.seat

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.match.state.over

    @property
    def waits_for_chance(self) -> bool:
        """Whether chance from outside is needed, see `feed`."""
        return isinstance(self.match.state.waiting, ChanceEvent)

    def legal(self) -> tuple[Action, ...]:
        """The legal actions of the deciding seat, in their fixed order."""
        return self.match.legal()

    def read(self, typed: str, *, language: str = "en", by_player: bool = False) -> tuple[Action, ...]:
        """The legal actions that a text can mean, in notation or a short form; several: which of them is left open.

        `by_player`: in a short form `2` is player 2 and not seat 2; notation always has seats.
        Raises `NotLegalNow` (with the wish) for an action that is not legal, else `NotationError`.
        """
        key = (language, by_player)
        shorthand = self._shorthands.setdefault(key, ShorthandParser(self.rules, language, by_player=by_player))
        return shorthand.parse(typed, self.legal())

    def why_not(self, attempt: Action | str, *, seat: int | None = None, language: str = "en") -> tuple[Reason, ...]:
        """Every reason for which a seat (default: the deciding one) cannot do this now; none when it can.

        A text is read as in `read`; raises `NotationError` when it is no action.
        """
        if isinstance(attempt, str):
            try:
                attempt = self.read(attempt, language=language)[0]
            except NotLegalNow as refused:
                attempt = refused.attempt
        explainer = self._explainers.setdefault(language, Explainer(self.engine, language))
        asked = seat if seat is not None else self.match.seat if self.match.seat is not None else 0
        return explainer.why_not(self.match.state, asked, attempt)

    def act(self, attempt: Action | str, *, chance_source: ChanceSource | None = None) -> PlayedAction:
        """Carries out an action of the deciding seat; a text is read as in `read`. It is in the record when this
        returns.

        Raises `IllegalAction`, `WrongMoment`, `NotationError` for a text that is no action or could be several,
        `OSError` when the record cannot be written; then nothing was done.
        """
        done, after = self.match.preview(self._one(attempt), chance_source)
        if self._keep is not None:
            self._keep.record_action(done.seat, done.action, done.chance_outcomes)
        self._undone.clear()
        self._forward(done, after)
        return done

    def _one(self, wish: Action | str) -> Action:
        """The action that is meant, if it is one."""
        if isinstance(wish, Action):
            return wish
        if not isinstance(wish, str):
            raise TypeError(f"an action is an `Action` or a text that says one, not {type(wish).__name__}")
        if self.match.seat is None:
            raise NotWaitingError("nobody has to choose now")
        try:
            found = self.read(wish)
        except NotLegalNow as refused:
            return refused.attempt
        if len(found) > 1:
            said = ", ".join(map(self.match.notation.format_action, found[: limits.MAX_AMBIGUOUS_CANDIDATES]))
            more = (
                f" and {len(found) - limits.MAX_AMBIGUOUS_CANDIDATES} more"
                if len(found) > limits.MAX_AMBIGUOUS_CANDIDATES
                else ""
            )
            raise NotationError(f"{wish!r} can mean {said}{more}")
        return found[0]

    def resolve_chance(self, outcome: int) -> None:
        """Chance from outside: `outcome` is a thing, member or value that the event names.

        Raises `WrongMoment` when the game does not wait for chance and `ValueError` for no outcome of the event.
        """
        event = self.match.state.waiting
        after = self.engine.resolve_chance(self.match.state, outcome)
        assert isinstance(event, ChanceEvent)
        if self._keep is not None:
            self._keep.record_chance([(event, outcome)])
        self._fell((event, outcome), after)

    def _fell(self, one: ChanceOutcome, after: State) -> None:
        history = self.match.history
        if history:
            history[-1] = replace(history[-1], chance_outcomes=(*history[-1].chance_outcomes, one))
            self._final.pop(len(history) - 1, None)
        self._undone.clear()
        self.match.state = self.states[-1] = after
        self._ended()

    def _forward(self, done: PlayedAction, after: State) -> None:
        self.match.history.append(done)
        self.match.state = after
        self.states.append(after)
        self._ended()

    def _ended(self) -> None:
        if self.match.state.over and self._keep is not None:
            with suppress(OSError):  # what led to the end is written; who takes the record up again writes this too
                self._keep.write_line({"do": "end", **result_data(self.engine, self.match.state)})

    # ---- taking back --------------------------------------------------------------------------------------

    def undo_steps(self, limit: int | None = None) -> int:
        """How many actions can be taken back; it is not looked further than `most`."""
        made = len(self.match.history)
        limit = made if limit is None else min(limit, made)
        if self.policy == "free":
            return limit
        return next((count for count in range(limit) if self._finality(made - 1 - count) is not None), limit)

    def can_undo(self) -> bool:
        """Whether the last action can be taken back."""
        return self.undo_steps(1) > 0

    @property
    def redo_steps(self) -> int:
        """How many actions that were taken back can be done again."""
        return len(self._undone)

    def undo(self, count: int = 1) -> tuple[PlayedAction, ...]:
        """Takes back so many actions, and returns them, the last one first. Raises `CannotUndo`; then nothing was."""
        if count < 1:
            raise ValueError("at least one action is taken back")
        possible = self.undo_steps(count)
        if possible < count:
            at = len(self.match.history) - possible
            raise CannotUndo((self._finality(at - 1) if at else None) or "nothing", at, possible, count)
        if self._keep is not None:
            self._keep.write_line({"do": "undo", "count": count})
        taken = []
        for _ in range(count):
            done = self.match.history.pop()
            self._undone.append((done, self.states.pop()))
            self._final.pop(len(self.match.history), None)
            taken.append(done)
        self.match.state = self.states[-1]
        return tuple(taken)

    def redo(self, count: int = 1) -> tuple[PlayedAction, ...]:
        """Does again what was taken back last, as it was. Raises `CannotRedo`."""
        if count < 1:
            raise ValueError("at least one action is done again")
        if count > len(self._undone):
            raise CannotRedo(len(self._undone), count)
        if self._keep is not None:
            self._keep.write_line({"do": "redo", "count": count})
        again = []
        for _ in range(count):
            done, after = self._undone.pop()
            self._forward(done, after)
            again.append(done)
        return tuple(again)

    def _finality(self, at: int) -> IrreversibleCause | None:
        if at not in self._final:
            before, after = self.states[at : at + 2]
            self._final[at] = irreversible_cause(self.engine, before, self.match.history[at], after)
        return self._final[at]

    # ---- what each may know -------------------------------------------------------------------------------

    def log(self, viewer: int | None = None) -> tuple[LogEntry, ...]:
        """What was done, as a seat or (None, or the number after the seats) a spectator may know it; what was taken
        back is not in it.
        """
        spectator = self.rules.players
        if viewer is not None and not 0 <= viewer <= spectator:
            raise ValueError(f"seat {viewer} does not play: seats are 0 to {spectator - 1}")
        row = spectator if viewer is None else viewer
        return tuple(_entry(number, done, row) for number, done in enumerate(self.match.history, start=1))

    def view(self, viewer: int | None = None) -> dict[str, Any]:
        """The position as a seat or (None) a spectator may know it, as JSON data."""
        spectator = self.rules.players
        if viewer is not None and not 0 <= viewer <= spectator:
            raise ValueError(f"seat {viewer} does not play: seats are 0 to {spectator - 1}")
        return self.match.views.view(self.match.state, None if viewer == spectator else viewer)

    def saved(self) -> str:
        """The position with everything that is hidden, as one line of JSON, from which a game can go on."""
        return position_json.state_to_json(self.engine, self.match.state)

    def result(self) -> GameResult:
        """Places and winners; raises `WrongMoment` before the end."""
        if not self.over:
            raise NotWaitingError("the game is not over")
        return self.engine.result(self.match.state)

    def close(self) -> None:
        """Nothing more will be written to the record."""
        if self._keep is not None:
            self._keep.close()


def _entry(number: int, done: PlayedAction, row: int) -> LogEntry:
    told = done.action_data[row]
    together = tuple((seat, format_action(data)) for seat, data in done.revealed_choices)
    return LogEntry(number, done.turn, done.round, done.seat, done.step, told, format_action(told), together)


__all__ = [
    "CannotRedo",
    "CannotUndo",
    "LogEntry",
    "Session",
    "UndoPolicy",
]
