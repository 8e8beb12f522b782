"""A game in which people play at this terminal. Nothing is shown that the one in front of it may not see, and nothing
is lost: what was done is in the record before the next is asked.

In: a session, a board, bots for some seats, a screen. Out: the game, played to its end or left on the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NoReturn

from rich.text import Text

from rulewright import limits
from rulewright.bots.bot_specs import Bot, PlayerView
from rulewright.engine.faults import RuleFault
from rulewright.engine.state import Action, State
from rulewright.errors import RulewrightError
from rulewright.model.rules import Choose
from rulewright.session.match import Match, PlayedAction
from rulewright.session.session import Session
from rulewright.terminal.archive import resume_command
from rulewright.terminal.board import Board
from rulewright.terminal.boxes import ROOMY
from rulewright.terminal.commands import Commands
from rulewright.terminal.menu import Menu, MenuBuilder
from rulewright.terminal.screen import Screen
from rulewright.terminal.transcript import Transcript, ranking_lines

INTERRUPTED: Final = 130
FINDINGS: Final = 1
WRONG_USE: Final = 2


class QuitGame(RulewrightError):
    """Somebody stops: what is said to that, and the exit status."""

    def __init__(self, lines: Sequence[str], status: int = 0) -> None:
        self.lines = lines
        self.status = status
        super().__init__(*lines)


class TerminalGame:
    """People and bots at one table, one of them at a time before the screen."""

    def __init__(
        self, session: Session, board: Board, bots: dict[int, Bot], screen: Screen, file: Path | None = None
    ) -> None:
        self.session = session
        self.match = session.match
        self.board = board
        self.bots = bots
        self.screen = screen
        self.record_path = file
        self.messages = board.messages
        self.menu_builder = MenuBuilder(board)
        self.commands = Commands(self)
        self.humans = [seat for seat in range(session.rules.players) if seat not in bots]
        self.has_secrets = len(self.humans) > 1 and has_secrets(self.match)
        self.viewer: int | None = None if self.has_secrets else self.humans[0]
        self.shown_counts: dict[int, int] = dict.fromkeys(self.humans, len(self.match.history))
        self.transcripts = {seat: Transcript(board, seat) for seat in self.humans}

    def play(self) -> None:
        """Plays to the end; raises `Over` when somebody stops."""
        try:
            while self.session.seat is not None:
                seat = self.session.seat
                if seat in self.bots:
                    seated = PlayerView(self.session.engine, self.session.state, seat, self.session.legal())
                    self._act(self.bots[seat].choose(seated))
                else:
                    self._turn(seat)
        except KeyboardInterrupt:
            self.quit("stopped", INTERRUPTED)
        self._end()

    def _act(self, action: Action) -> PlayedAction:
        try:
            return self.session.act(action)
        except RuleFault as fault:  # it was not done, so that something else can be
            self.quit("rules_fail", FINDINGS, str(fault))
        except OSError as fault:
            self.quit("record_fails", WRONG_USE, (fault.strerror or str(fault)).lower())

    def quit(self, message_key: str = "goodbye", status: int = 0, reason: str = "") -> NoReturn:
        """Somebody has had enough, or the game cannot go on here: says where it is, and how it goes on."""
        lines = [self.messages(message_key, reason=reason)]
        begun = self.match.history or self.session.redo_steps
        if self.record_path is not None and begun:
            command = resume_command(self.record_path, self.messages.locale)
            lines += [self.messages("is_kept", file=self.record_path), self.messages("go_on"), f"  {command}"]
        elif begun:
            lines.append(self.messages("not_kept"))
        raise QuitGame(lines, status)

    def _turn(self, seat: int) -> None:
        if self.has_secrets and self.viewer != seat:
            if self.viewer is not None:
                self.screen.clear()
            self.ask(self.messages("hand_over", seat=seat))
        self.viewer = seat
        action = self._chosen(seat, self._table(seat, self._recap(seat)))
        if action is None:
            return  # what was done was taken back, or done again
        done = self._act(action)
        if not self.has_secrets:  # else the screen is cleared now, and the seat reads it when it is back
            number = len(self.match.history)
            self.screen.print_lines(
                self.transcripts[seat].action_lines(
                    number, done, *self.session.states[-2:], with_sentence=False, is_own=True
                )
            )
            self.shown_counts[seat] = number

    def _recap(self, seat: int) -> list[str]:
        """What happened since the seat was last told; it stands below the board, so that it is not scrolled away."""
        lines = list[str]()
        for at in range(self.shown_counts[seat], len(self.match.history)):
            done, (before, after) = self.match.history[at], self.session.states[at : at + 2]
            lines += self.transcripts[seat].action_lines(
                at + 1, done, before, after, with_sentence=False, is_own=done.seat == seat
            )
        self.shown_counts[seat] = len(self.match.history)
        return lines

    def _table(self, seat: int, recap: list[str]) -> Menu:
        """Shows the board, what happened and what can be done."""
        size = self.screen.width, self.screen.height - 1  # a line before the board
        lines, menu = arrange_screen(
            self.board, self.menu_builder, self.session.state, seat, self.session.legal(), recap, size
        )
        self.screen.print("", *lines)
        return menu

    def show_board(self, seat: int) -> None:
        """Shows the board alone, with all there is room for."""
        high = self.screen.height - 2
        marks = self.menu_builder.marks(self.session.legal())
        self.screen.print(*self.board.render_to_fit(self.session.state, seat, self.screen.width, high, high, marks))

    def _end(self) -> None:
        spectator = self.match.rules.players
        recorder = self.transcripts[self.humans[0]] if len(self.humans) == 1 else Transcript(self.board, spectator)
        shown = self.shown_counts.values()
        for at in range(min(shown) if self.has_secrets else max(shown), len(self.match.history)):
            self.screen.print_lines(
                recorder.action_lines(
                    at + 1, self.match.history[at], *self.session.states[at : at + 2], with_sentence=False
                )
            )
        final = self.board.render(self.match.state, "all", level=ROOMY)
        self.screen.print("", *final, "", *ranking_lines(self.match, self.board, recorder.viewer))
        if self.record_path is not None:
            self.screen.print("", self.messages("is_kept", file=self.record_path))

    # ---- choosing -----------------------------------------------------------------------------------------

    def _chosen(self, seat: int, menu: Menu) -> Action | None:
        """Asks until a legal action is chosen; none when it is no longer the same position."""
        state, scope, pieces = self.session.state, self.session.legal(), None
        while self.session.state is state:
            typed = self.ask(self.messages("prompt", seat=seat, most=len(menu.options))).strip()
            picked: tuple[int, ...] | None = None
            found: tuple[Action, ...]
            if not typed:
                menu, scope, pieces = self._table(seat, []), self.session.legal(), None
                continue
            if typed.isascii() and typed.isdecimal() and len(typed) < 6:
                if not 1 <= int(typed) <= len(menu.options):
                    self.screen.print(self.messages("no_number", most=len(menu.options)))
                    continue
                option = menu.options[int(typed) - 1]
                found, picked = option.actions, option.pieces
            elif typed.startswith("+"):
                found, picked = self.menu_builder.with_piece(scope, typed[1:], pieces)
                if not found:
                    self.print(self.messages("no_piece", piece=typed[1:].strip()))
            elif self.commands.execute(typed, seat, menu):
                continue
            else:
                found = self.commands.find_actions(typed, seat)
                found = tuple(action for action in found if action in scope) or found
            if len(found) == 1:
                return found[0]
            if found:
                scope, pieces = found, picked
                menu = self.menu_builder.build(state, found, self.screen.width, self.screen.height - 2, picked)
                self.screen.print_lines(menu.lines)
        return None

    def ask(self, prompt: str) -> str:
        """A line that is typed; raises `Over` when the input has ended."""
        try:
            return self.screen.ask(prompt)
        except EOFError:
            self.screen.print("")
            self.quit("input_ended")

    # ---- taking back ------------------------------------------------------------------------------------------

    def undo(self) -> int:
        """Takes back what was done since a person chose last, that included; returns how many actions. Raises
        `CannotUndo`.
        """
        history = self.match.history
        last = max((at for at, done in enumerate(history) if done.seat in self.humans), default=None)
        count = 1 if last is None else len(history) - last
        self.session.undo(count)
        self.shown_counts = {seat: min(number, len(history)) for seat, number in self.shown_counts.items()}
        return count

    def redo(self) -> int:
        """Does again what was taken back, up to the next choice of a person; returns how many. Raises `CannotRedo`."""
        count = 0
        while not count or (self.session.seat in self.bots and self.session.redo_steps):
            self.session.redo()
            count += 1
        return count

    def print(self, *lines: str | Text) -> None:
        """Shows lines."""
        self.screen.print(*lines)


def arrange_screen(
    board: Board,
    menus: MenuBuilder,
    state: State,
    seat: int,
    legal: Sequence[Action],
    recap: Sequence[str],
    size: tuple[int, int],
) -> tuple[list[str | Text], Menu]:
    """The board, what happened and what can be done, in one screen with a line for the prompt, where that is possible.

    The menu has the room that it takes to list all, but not more than half; the board what is left, down to what it
    needs at least; and the menu again what the board leaves.
    """
    width, high = size
    free = high - 1 - len(recap)
    broad = len(menus.build(state, legal, width, limits.UNLIMITED_LINES, with_sentences=True).lines)
    least = len({action.number for action in legal})
    drawn = board.render_to_fit(
        state,
        seat,
        width,
        free - min(broad, max(least, free // 2)),
        free - max(least, limits.MIN_MENU_LINES),
        menus.marks(legal),
    )
    menu = menus.build(state, legal, width, free - len(drawn))
    if len(menu.lines) > free - len(drawn):
        menu = menus.build(state, legal, width, free - len(drawn), with_names=False)
    spare = free - len(drawn) - len(menu.lines)
    lines: list[str | Text] = [*drawn]
    if spare > 0:
        lines.append("")
    lines += recap
    if recap and spare > 1:
        lines.append("")
    return [*lines, *menu.lines], menu


def has_secrets(match: Match) -> bool:
    """Whether somebody may see what others at the same keyboard may not: hidden places, or choices made in secret."""
    return any(zone.seen_by != "all" for zone in match.rules.zones.values()) or any(
        isinstance(step.effect, Choose) and step.effect.mode == "together"
        for block in match.rules.blocks
        for step in block.steps
    )


__all__ = ["QuitGame", "TerminalGame", "arrange_screen", "has_secrets"]
