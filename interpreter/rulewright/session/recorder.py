"""What a session reports to whoever writes the game down.

In: what happens at the table, event by event. Out: nothing. The session calls before it changes anything of its own, so
that an event that cannot be saved is not carried out. `records.record_writer` is the recorder of files.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from rulewright.engine.state import Action, State
from rulewright.frozen import frozen
from rulewright.session.match import ChanceOutcome


@frozen
class SessionStart:
    """How a session began: by setting up the game with `first` as its first seat, or (`position`) from a position.

    `chance_outcomes`: how chance fell during the set-up.
    """

    first: int
    position: State | None = None
    chance_outcomes: tuple[ChanceOutcome, ...] = ()


class Recorder(Protocol):
    """Keeps a game. Each method returns when the event is on the disk, or raises `OSError` and has kept nothing."""

    def record_action(self, seat: int, action: Action, outcomes: Sequence[ChanceOutcome]) -> None:
        """A seat acts; `outcomes`: how chance fell after it."""

    def record_chance(self, outcomes: Sequence[ChanceOutcome]) -> None:
        """Chance from outside is resolved."""

    def record_undo(self, count: int) -> None:
        """The last `count` actions are undone."""

    def record_redo(self, count: int) -> None:
        """The last `count` undone actions are redone."""

    def record_end(self, state: State) -> None:
        """The game is over in this position."""

    def close(self) -> None:
        """Nothing more will be recorded."""


__all__ = ["Recorder", "SessionStart"]
