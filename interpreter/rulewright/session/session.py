"""One game at a table: what may be done, what was done, and undo as far as that is honest.

In: an engine and how the game begins, then actions. Out: positions, a log for each reader, and events for a recorder.
With a recorder every action is kept, on the disk, before `act` returns.

What is undone (see `undo`) leaves the log; a record keeps it, with the line that undid it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rulewright import limits
from rulewright.engine import chance, position_json
from rulewright.engine.interface import Engine, GameResult, IllegalAction, NotWaitingError
from rulewright.engine.notation import ActionData
from rulewright.engine.reference.explainer import Explainer, Reason
from rulewright.engine.state import Action, ChanceEvent, State
from rulewright.engine.value_notation import NotationError
from rulewright.errors import quote, require_types
from rulewright.expr.types import SEAT
from rulewright.frozen import frozen, replace
from rulewright.model.rules import StateDef, ZoneDef
from rulewright.session.match import (
    ChanceOutcome,
    ChanceSource,
    LegalAction,
    Match,
    PlayedAction,
    format_action,
    resolve_pending_chance,
)
from rulewright.session.recorder import Recorder, SessionStart
from rulewright.session.shorthand import InvalidAnswer, NotLegalNow, ShorthandParser
from rulewright.session.undo import UndoHistory, UndoPolicy

if TYPE_CHECKING:
    from rulewright.engine.numbered_actions import NumberedActions


@frozen
class LogEntry:
    """An action as one reader may know it. `action_data` is its JSON form and `text` its notation; `revealed_choices`
    are the secret choices that were carried out with it: seat and notation.
    """

    number: int
    turn: int
    round: int
    seat: int
    step: str
    action_data: ActionData
    text: str
    revealed_choices: tuple[tuple[int, str], ...]


class RefusedAction(IllegalAction):
    """An action that is not legal now, and why: `reasons`, in English."""

    def __init__(self, action: Action, text: str, reasons: tuple[Reason, ...]) -> None:
        self.reasons = reasons
        sentences = " ".join(dict.fromkeys(reason.sentence for reason in reasons))
        super().__init__(action, f"{text} is not legal now" + (f": {sentences}" if sentences else ""))


class Session:
    """A game at a table. `seats`: the names of those who play, if they are known. `start`: how the game began."""

    def __init__(
        self,
        engine: Engine,
        state: State,
        *,
        seats: Sequence[str] = (),
        policy: UndoPolicy = "fair",
        seed: int | None = None,
        start: SessionStart | None = None,
    ) -> None:
        self.engine = engine
        self.rules = engine.rules
        self.match = Match(engine, state)
        self.seats = tuple(seats)
        self.seed = seed
        self.start = SessionStart(state.first_seat, position=state) if start is None else start
        self.renderer: Callable[[Session], str] | None = None  # what `repr` shows
        # typed text in the names of the rules: groups of spellings, the likeliest first
        self.spellings: Callable[[str], Sequence[Sequence[str]]] | None = None
        self._recorder: Recorder | None = None
        self._undo_history = UndoHistory(engine, self.match, policy)
        self._explainers: dict[str, Explainer] = {}
        self._shorthand_parsers: dict[tuple[str, bool], ShorthandParser] = {}

    # ---- how it begins ------------------------------------------------------------------------------------

    @classmethod
    def new(
        cls,
        engine: Engine,
        *,
        first: int = 0,
        seed: int | None = None,
        seats: Sequence[str] = (),
        policy: UndoPolicy = "fair",
    ) -> Session:
        """A new game. Without a seed chance comes from outside (`resolve_chance`). Raises `ValueError` when there is no
        seat `first` or no such seed.
        """
        chance.require_seed(seed)
        rng = None if seed is None else chance.seed_rng(seed)
        state, outcomes = resolve_pending_chance(engine, engine.start(first=first), rng)
        start = SessionStart(first, chance_outcomes=outcomes)
        return cls(engine, state, seats=seats, policy=policy, seed=seed, start=start)

    @classmethod
    def from_position(
        cls, engine: Engine, state: State, *, seats: Sequence[str] = (), policy: UndoPolicy = "fair"
    ) -> Session:
        """A game that continues from a position."""
        return cls(engine, state, seats=seats, policy=policy)

    def attach_recorder(self, recorder: Recorder, *, has_ended: bool = False) -> None:
        """Everything that happens from now on goes to the recorder; `has_ended`: it has recorded the end, if there is
        one.
        """
        self._recorder = recorder
        if not has_ended:
            self._record_end()

    # ---- what may be done ---------------------------------------------------------------------------------

    @property
    def states(self) -> Sequence[State]:
        """The position before each action, and the current one."""
        return self._undo_history.states

    @property
    def policy(self) -> UndoPolicy:
        """How far actions can be undone; it may be changed at any time."""
        return self._undo_history.policy

    @policy.setter
    def policy(self, policy: UndoPolicy) -> None:
        self._undo_history.policy = policy

    @property
    def state(self) -> State:
        """The current position."""
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
        """Whether chance from outside is needed, see `resolve_chance`."""
        return isinstance(self.match.state.waiting, ChanceEvent)

    def legal(self) -> tuple[Action, ...]:
        """The legal actions of the deciding seat, in their fixed order; each prints as its notation."""
        return tuple(map(self.match.in_notation, self.match.legal()))

    @cached_property
    def action_numbers(self) -> NumberedActions:
        """A number for every action, the same in every position: for masks and tables. The first use takes a moment."""
        from rulewright.engine.numbered_actions import NumberedActions  # few games ask for them
        from rulewright.model.facts.facts import Facts

        return NumberedActions(self.engine, Facts(self.rules).action_numbering)

    def __repr__(self) -> str:
        """The board, where the session was made by a function of `rulewright`."""
        return super().__repr__() if self.renderer is None else self.renderer(self)

    def _repr_html_(self) -> str:
        """The same for a notebook."""
        from html import escape  # nothing else asks for it

        return f"<pre>{escape(repr(self))}</pre>"

    def read(
        self, typed: str, *, language: str = "en", by_player: bool = False, among: Sequence[Action] | None = None
    ) -> tuple[Action, ...]:
        """The legal actions that a text can mean, in notation or a short form; several if the text is ambiguous.

        `by_player`: `2` is player 2, as people count, and not seat 2. `among`: some of the legal actions, the only ones
        that are meant.
        Raises `NotLegalNow` (with the attempted action) for an action that is not legal, else `NotationError`.
        """
        parser, legal = self.shorthand(language, by_player=by_player), self.match.legal() if among is None else among
        spellings = ((typed,),) if self.spellings is None else self.spellings(typed)
        errors: list[NotationError] = []
        for texts in spellings:
            matches: dict[Action, None] = {}
            for text in dict.fromkeys(texts):
                try:
                    matches.update(dict.fromkeys(parser.parse(text, legal)))
                except NotationError as error:
                    errors.append(error)
            if matches:
                return tuple(map(self.match.in_notation, matches))
        # the one that says most: of the likeliest spelling that is an attempt; else where most words could be read, of
        # several such the text as it was typed
        attempt = next((error for error in errors if isinstance(error, NotLegalNow)), None)
        invalid_answers = [error for error in (errors[-1], *errors) if isinstance(error, InvalidAnswer)]
        invalid_answer = min(invalid_answers, key=lambda error: error.unread, default=None)
        raise attempt or invalid_answer or errors[-1]

    def shorthand(self, language: str = "en", *, by_player: bool = False) -> ShorthandParser:
        """What reads typed text in a language; see `read`."""
        key = (language, by_player)
        if key not in self._shorthand_parsers:
            self._shorthand_parsers[key] = ShorthandParser(self.rules, language, by_player=by_player)
        return self._shorthand_parsers[key]

    def why_not(self, attempt: Action | str, *, seat: int | None = None, language: str = "en") -> tuple[Reason, ...]:
        """Every reason for which a seat (default: the deciding one) cannot do this now; none when it can.

        A text is read as in `read`; raises `NotationError` when it is not an action, `TypeError` when it is no text.
        """
        if not isinstance(attempt, str | Action):
            raise TypeError(f"an action is a text or one of `legal()`, not {attempt!r}")
        require_types(seat=(seat, int))
        if isinstance(attempt, str):
            try:
                attempt = self.read(attempt, language=language)[0]
            except NotLegalNow as error:
                attempt = error.attempt
        explainer = self._explainers.setdefault(language, Explainer(self.engine, language))
        if seat is None:
            seat = 0 if self.match.seat is None else self.match.seat
        return explainer.why_not(self.match.state, seat, attempt)

    def act(self, attempt: Action | str, *, chance_source: ChanceSource | None = None) -> PlayedAction:
        """Carries out an action of the deciding seat; a text is read as in `read`. With a recorder the action is kept
        when this returns.

        Raises `IllegalAction` (with its `reasons`), `NotWaitingError`, `NotationError` for a text that is not an action
        or is ambiguous, `OSError` when the action cannot be kept; then nothing was done.
        """
        action = self.find_attempt(attempt)
        try:
            played, after = self.match.preview(action, chance_source)
        except IllegalAction:
            text = self.match.notation.format_action(action)
            raise RefusedAction(action, text, self.why_not(action)) from None
        if self._recorder is not None:
            self._recorder.record_action(played.seat, played.action, played.chance_outcomes)
        self._undo_history.add(played, after)
        self._record_end()
        return played

    def find_attempt(self, attempt: Action | str, *, by_player: bool = False) -> Action:
        """The one action that is meant, legal or not; raises `NotWaitingError` and `NotationError` as `act`.

        `by_player`: as in `read`.
        """
        if isinstance(attempt, Action):
            return attempt
        if not isinstance(attempt, str):
            raise TypeError(f"an action is a text or one of `legal()`, not {attempt!r}")
        if self.match.seat is None:
            raise NotWaitingError("nobody has to choose now")
        try:
            candidates = self.read(attempt, by_player=by_player)
        except NotLegalNow as error:
            return error.attempt
        if len(candidates) > 1:
            shown = candidates[: limits.MAX_AMBIGUOUS_CANDIDATES]
            more = f" and {len(candidates) - len(shown)} more" if len(candidates) > len(shown) else ""
            listed = ", ".join(map(self.shorthand(by_player=by_player).notation.format_action, shown))
            raise NotationError(f"{quote(attempt)} is ambiguous: {listed}{more}")
        return candidates[0]

    def resolve_chance(self, outcome: int) -> None:
        """Chance from outside: `outcome` is a thing, member or value that the event names.

        Raises `NotWaitingError` when the game does not wait for chance and `ValueError` when the event has no such
        outcome; `OSError` when it cannot be kept; then nothing was done.
        """
        event = self.match.state.waiting
        after = self.engine.resolve_chance(self.match.state, outcome)
        assert isinstance(event, ChanceEvent)
        if self._recorder is not None:
            self._recorder.record_chance([(event, outcome)])
        self._add_chance((event, outcome), after)

    def _add_chance(self, outcome: ChanceOutcome, after: State) -> None:
        last = self.match.history[-1] if self.match.history else None
        if last is not None:
            last = replace(last, chance_outcomes=(*last.chance_outcomes, outcome))
        self._undo_history.replace_last(last, after)
        self._record_end()

    def _record_end(self) -> None:
        if self.match.state.over and self._recorder is not None:
            with suppress(OSError):  # what led to the end is kept; whoever resumes the record adds the end
                self._recorder.record_end(self.match.state)

    # ---- undo and redo ------------------------------------------------------------------------------------

    def undo_steps(self, limit: int | None = None) -> int:
        """How many actions can be undone; no more than `limit` are examined."""
        return self._undo_history.undo_steps(limit)

    def can_undo(self) -> bool:
        """Whether the last action can be undone."""
        return self.undo_steps(1) > 0

    @property
    def redo_steps(self) -> int:
        """How many undone actions can be redone."""
        return self._undo_history.redo_steps

    def undo(self, count: int = 1) -> tuple[PlayedAction, ...]:
        """Undoes the last `count` actions and returns them, the last one first. Raises `CannotUndo`, `ValueError` for a
        count below 1, and `OSError` when it cannot be kept; then nothing was undone.
        """
        self._undo_history.require_undo(count)
        if self._recorder is not None:
            self._recorder.record_undo(count)
        return self._undo_history.undo(count)

    def redo(self, count: int = 1) -> tuple[PlayedAction, ...]:
        """Redoes the actions that were undone last, as they were. Raises `CannotRedo`, `ValueError` for a count below
        1, and `OSError` when it cannot be kept; then nothing was redone.
        """
        self._undo_history.require_redo(count)
        if self._recorder is not None:
            self._recorder.record_redo(count)
        redone = self._undo_history.redo(count)
        self._record_end()
        return redone

    # ---- what each may know -------------------------------------------------------------------------------

    def log(self, viewer: int | None = None) -> tuple[LogEntry, ...]:
        """The actions so far, as a seat or (None, or the number after the seats) a spectator may know them; what was
        undone is not among them. Raises `ValueError` for any other number.
        """
        viewer = self._viewer_index(viewer)
        return tuple(_log_entry(number, played, viewer) for number, played in enumerate(self.match.history, start=1))

    def view(self, viewer: int | None = None) -> dict[str, Any]:
        """The position as a seat or (None) a spectator may know it, as JSON data, but that seats are numbers where they
        are keys. Raises `ValueError` for any other number, `TypeError` for what is not a number.
        """
        viewer = self._viewer_index(viewer)
        data = self.match.views.view(self.match.state, None if viewer == self.rules.players else viewer)
        return {
            **data,
            "zones": {name: _by_seat(self.rules.zones[name], value) for name, value in data["zones"].items()},
            "state": {name: _by_seat(self.rules.states[name], value) for name, value in data["state"].items()},
        }

    def _viewer_index(self, viewer: int | None) -> int:
        spectator = self.rules.players
        require_types(viewer=(viewer, int))
        if viewer is not None and not 0 <= viewer <= spectator:
            raise ValueError(f"there is no seat {viewer} (0 to {spectator - 1})")
        return spectator if viewer is None else viewer

    def saved(self) -> str:
        """The position with everything that is hidden, as one line of JSON, from which a game can continue."""
        return position_json.state_to_json(self.engine, self.match.state)

    def result(self) -> GameResult:
        """Places and winners, in a draw all seats; raises `NotWaitingError` before the end."""
        if not self.over:
            raise NotWaitingError("the game is not over")
        return self.engine.result(self.match.state)

    def close(self) -> None:
        """Closes the recorder, if there is one: nothing more will be recorded."""
        if self._recorder is not None:
            self._recorder.close()


def _by_seat(definition: ZoneDef | StateDef, data: Any) -> Any:
    """What is nested by keys, with numbers for seats."""

    def convert(nested: Any, depth: int) -> Any:
        if depth == len(definition.key_types) or not isinstance(nested, dict):
            return nested
        is_seat = definition.key_types[depth] == SEAT
        return {(int(key) if is_seat else key): convert(inner, depth + 1) for key, inner in nested.items()}

    return convert(data, 0)


def _log_entry(number: int, played: PlayedAction, viewer: int) -> LogEntry:
    data = played.action_data[viewer]
    revealed = tuple((seat, format_action(choice)) for seat, choice in played.revealed_choices)
    return LogEntry(number, played.turn, played.round, played.seat, played.step, data, format_action(data), revealed)


__all__ = ["LegalAction", "LogEntry", "RefusedAction", "Session"]
