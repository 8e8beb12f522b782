"""What the loop of a game and the commands that players type share: the session, the screen, what was shown to whom.

In: a session, a board, a screen, bots. Out: lines on the screen; undo and redo as people mean them; `QuitGame`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Literal, NoReturn

from rich.text import Text

from rulewright.bots.deferred_thinking import DeferredThinking
from rulewright.errors import RulewrightError
from rulewright.session.session import Session
from rulewright.terminal.archive import resume_command
from rulewright.terminal.board import Board
from rulewright.terminal.boxes import ROOMY
from rulewright.terminal.menu import MenuBuilder
from rulewright.terminal.screen import Screen

QuitReason = Literal["goodbye", "input_ended", "stopped", "rules_fail", "record_fails"]  # each the key of a message


class QuitGame(RulewrightError):
    """The game stops before its end. `lines`: what players read; `reason`: why."""

    def __init__(self, lines: Sequence[str], reason: QuitReason) -> None:
        self.lines = lines
        self.reason = reason
        super().__init__(*lines)


class PlayContext:
    """A game at one terminal. `bots`: the seats that bots play; `record_path`: the record, if there is one;
    `thinking`: what bots think in.
    """

    def __init__(
        self,
        session: Session,
        board: Board,
        screen: Screen,
        bots: Collection[int],
        record_path: Path | None = None,
        *,
        thinking: DeferredThinking | None = None,
    ) -> None:
        self.session = session
        self.match = session.match
        self.board = board
        self.messages = board.messages
        self.menu_builder = MenuBuilder(board)
        self.screen = screen
        self.bots = bots
        self.humans = [seat for seat in range(session.rules.players) if seat not in bots]
        self.record_path = record_path
        self.thinking = thinking
        self.shown_counts = dict.fromkeys(self.humans, len(self.match.history))  # by person: actions that were shown

    def print(self, *lines: str | Text) -> None:
        """Shows lines."""
        self.screen.print(*lines)

    def show_board(self, seat: int) -> None:
        """Shows the board alone with all that lies open, also where that is more than one screen holds."""
        marks = self.menu_builder.labels.marks(self.match.legal())
        self.print(*self.board.render(self.session.state, seat, self.screen.width, ROOMY, marks))

    def undo(self) -> int:
        """Undoes everything from the last choice of a person on; returns the number of actions. Raises `CannotUndo`."""
        history = self.match.history
        last = max((index for index, played in enumerate(history) if played.seat in self.humans), default=None)
        count = 1 if last is None else len(history) - last
        self.session.undo(count)
        self.shown_counts = {seat: min(number, len(history)) for seat, number in self.shown_counts.items()}
        return count

    def redo(self) -> int:
        """Redoes actions up to the next choice of a person; returns the number of actions. Raises `CannotRedo`."""
        count = 0
        while not count or (self.session.seat in self.bots and self.session.redo_steps):
            self.session.redo()
            count += 1
        return count

    def saved_line(self, record_path: Path) -> str:
        """Where the game is saved; or that its record was removed while it was played."""
        return self.messages("is_kept" if record_path.exists() else "record_removed", file=record_path)

    def quit(self, reason: QuitReason = "goodbye", cause: str = "") -> NoReturn:
        """Stops the game: raises `QuitGame` with what was kept, and how the game goes on. `cause`: what failed."""
        lines = [self.messages(reason, reason=cause)]
        has_begun = self.match.history or self.session.redo_steps
        if self.record_path is not None and has_begun:
            lines.append(self.saved_line(self.record_path))
            if self.record_path.exists():
                lines += [self.messages("go_on"), f"  {resume_command(self.record_path, self.messages.locale)}"]
        elif has_begun:
            lines.append(self.messages("not_kept"))
        raise QuitGame(lines, reason)


__all__ = ["PlayContext", "QuitGame", "QuitReason"]
