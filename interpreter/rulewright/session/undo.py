"""Undo and redo: the positions of a game at a table, and the actions that were taken back.

In: a match, and each action with the position after it. Out: the match as it was so many actions ago, and again as it
was before that. Under the policy "fair" nothing is undone past the last moment when chance fell or somebody was shown
something (see `irreversible`): a card that was seen cannot be unseen. Under "free", for one who plays alone or for a
table that agrees, everything can; chance falls again as it fell, for its generator is restored too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from rulewright.engine.interface import Engine
from rulewright.engine.state import State
from rulewright.errors import RulewrightError, require_types
from rulewright.session.irreversible import IrreversibleCause, irreversible_cause
from rulewright.session.match import Match, PlayedAction

UndoPolicy = Literal["fair", "free"]
UNDO_POLICIES: Final = ("fair", "free")

CANNOT_UNDO_REASONS: Final[Mapping[str, str]] = {
    "nothing": "there is nothing to undo",
    "chance": "action {number} involved chance",
    "shown": "action {number} showed somebody something new",
    "secret": "action {number} revealed secret choices",
}


class CannotUndo(RulewrightError):
    """So many actions cannot be undone. `cause`: chance, shown, secret or nothing; `number`: the action that prevents
    it, from 1 (0: none); `possible`: how many actions can be undone; `requested`: how many should have been.
    """

    def __init__(self, cause: IrreversibleCause | Literal["nothing"], number: int, possible: int, wanted: int) -> None:
        self.cause = cause
        self.number = number
        self.possible = possible
        self.requested = wanted
        reason = CANNOT_UNDO_REASONS[cause].format(number=number)
        alternative = f"; {possible} of {wanted} actions can be undone" if possible else ""
        super().__init__(f"{reason}{alternative}")


class CannotRedo(RulewrightError):
    """Fewer actions can be redone than were requested. `possible`: how many can; `requested`: how many should have."""

    def __init__(self, possible: int, wanted: int) -> None:
        self.possible = possible
        self.requested = wanted
        if possible:
            super().__init__(f"{possible} of {wanted} actions can be redone")
        else:
            super().__init__("there is nothing to redo")


class UndoHistory:
    """What can be undone and redone in a match. `states`: the position before each action, and the current one."""

    def __init__(self, engine: Engine, match: Match, policy: UndoPolicy) -> None:
        self._engine = engine
        self._match = match
        self.policy: UndoPolicy = policy
        self.states: list[State] = [match.state]
        self._undone: list[tuple[PlayedAction, State]] = []  # what can be redone, the next one last
        self._causes: dict[int, IrreversibleCause | None] = {}  # by index of the action, once computed

    def add(self, played: PlayedAction, after: State) -> None:
        """One more action; what was undone before can no longer be redone."""
        self._undone.clear()
        self._append(played, after)

    def replace_last(self, played: PlayedAction | None, after: State) -> None:
        """The last action with more that happened after it (None: nobody has acted yet), and the position after it."""
        if played is not None:
            self._match.history[-1] = played
            self._causes.pop(len(self._match.history) - 1, None)
        self._undone.clear()
        self._match.state = self.states[-1] = after

    def _append(self, played: PlayedAction, after: State) -> None:
        self._match.history.append(played)
        self._match.state = after
        self.states.append(after)

    def undo_steps(self, limit: int | None = None) -> int:
        """How many actions can be undone; no more than `limit` are examined."""
        count = len(self._match.history)
        limit = count if limit is None else min(limit, count)
        if self.policy == "free":
            return limit
        return next((back for back in range(limit) if self._cause(count - 1 - back) is not None), limit)

    @property
    def redo_steps(self) -> int:
        """How many undone actions can be redone."""
        return len(self._undone)

    def require_undo(self, count: int) -> None:
        """Raises `CannotUndo` if so many actions cannot be undone, and `ValueError` for less than one."""
        require_types(count=(count, int))
        if count < 1:
            raise ValueError("the number of actions to undo must be at least 1")
        possible = self.undo_steps(count)
        if possible < count:
            number = len(self._match.history) - possible
            cause = self._cause(number - 1) if number else None
            raise CannotUndo(cause or "nothing", number, possible, count)

    def require_redo(self, count: int) -> None:
        """Raises `CannotRedo` if so many actions cannot be redone, and `ValueError` for less than one."""
        require_types(count=(count, int))
        if count < 1:
            raise ValueError("the number of actions to redo must be at least 1")
        if count > len(self._undone):
            raise CannotRedo(len(self._undone), count)

    def undo(self, count: int) -> tuple[PlayedAction, ...]:
        """Undoes the last `count` actions and returns them, the last one first. See `require_undo`."""
        undone = []
        for _ in range(count):
            played = self._match.history.pop()
            self._undone.append((played, self.states.pop()))
            self._causes.pop(len(self._match.history), None)
            undone.append(played)
        self._match.state = self.states[-1]
        return tuple(undone)

    def redo(self, count: int) -> tuple[PlayedAction, ...]:
        """Redoes the `count` actions that were undone last, as they were. See `require_redo`."""
        redone = []
        for _ in range(count):
            played, after = self._undone.pop()
            self._append(played, after)
            redone.append(played)
        return tuple(redone)

    def _cause(self, index: int) -> IrreversibleCause | None:
        if index not in self._causes:
            before, after = self.states[index : index + 2]
            self._causes[index] = irreversible_cause(self._engine, before, self._match.history[index], after)
        return self._causes[index]


__all__ = ["UNDO_POLICIES", "CannotRedo", "CannotUndo", "UndoHistory", "UndoPolicy"]
