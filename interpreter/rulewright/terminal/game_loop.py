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
from rulewright.bots.bot_specs import Bot, Seated
from rulewright.engine.faults import RuleFault
from rulewright.engine.state import Action, State
from rulewright.errors import RulewrightError
from rulewright.model.rules import Choose
from rulewright.session.match import Done, Match
from rulewright.session.session import Session
from rulewright.terminal.archive import going_on
from rulewright.terminal.board import Board
from rulewright.terminal.boxes import ROOMY
from rulewright.terminal.commands import Commands
from rulewright.terminal.menu import Menu, Menus
from rulewright.terminal.screen import Screen
from rulewright.terminal.transcript import Recorder, ranking_lines

INTERRUPTED: Final = 130
FINDINGS: Final = 1
WRONG_USE: Final = 2


class Over(RulewrightError):
    """Somebody stops: what is said to that, and the exit status."""

    def __init__(self, lines: Sequence[str], status: int = 0) -> None:
        self.lines = lines
        self.status = status
        super().__init__(*lines)


class Game:
    """People and bots at one table, one of them at a time before the screen."""

    def __init__(
        self, session: Session, board: Board, bots: dict[int, Bot], screen: Screen, file: Path | None = None
    ) -> None:
        self.session = session
        self.match = session.match
        self.board = board
        self.bots = bots
        self.screen = screen
        self.file = file
        self.words = board.words
        self.menus = Menus(board)
        self.commands = Commands(self)
        self.humans = [seat for seat in range(session.rules.players) if seat not in bots]
        self.secret = len(self.humans) > 1 and has_secrets(self.match)
        self.at_screen: int | None = None if self.secret else self.humans[0]
        self.told: dict[int, int] = dict.fromkeys(self.humans, len(self.match.history))
        self.recorders = {seat: Recorder(board, seat) for seat in self.humans}

    def play(self) -> None:
        """Plays to the end; raises `Over` when somebody stops."""
        try:
            while self.session.seat is not None:
                seat = self.session.seat
                if seat in self.bots:
                    seated = Seated(self.session.engine, self.session.state, seat, self.session.legal())
                    self._act(self.bots[seat].choose(seated))
                else:
                    self._turn(seat)
        except KeyboardInterrupt:
            self.leave("stopped", INTERRUPTED)
        self._end()

    def _act(self, action: Action) -> Done:
        try:
            return self.session.act(action)
        except RuleFault as fault:  # it was not done, so that something else can be
            self.leave("rules_fail", FINDINGS, reason=str(fault))
        except OSError as fault:
            self.leave("record_fails", WRONG_USE, reason=(fault.strerror or str(fault)).lower())

    def leave(self, word: str = "goodbye", status: int = 0, **holes: object) -> NoReturn:
        """Somebody has had enough, or the game cannot go on here: says where it is, and how it goes on."""
        lines = [self.words(word, **holes)]
        begun = self.match.history or self.session.redo_steps
        if self.file is not None and begun:
            command = going_on(self.file, self.words.code)
            lines += [self.words("is_kept", file=self.file), self.words("go_on"), f"  {command}"]
        elif begun:
            lines.append(self.words("not_kept"))
        raise Over(lines, status)

    def _turn(self, seat: int) -> None:
        if self.secret and self.at_screen != seat:
            if self.at_screen is not None:
                self.screen.clear()
            self.ask(self.words("hand_over", seat=seat))
        self.at_screen = seat
        action = self._chosen(seat, self._table(seat, self._recap(seat)))
        if action is None:
            return  # what was done was taken back, or done again
        done = self._act(action)
        if not self.secret:  # else the screen is cleared now, and the seat reads it when it is back
            number = len(self.match.history)
            self.screen.put(self.recorders[seat].lines(number, done, *self.session.states[-2:], said=False, own=True))
            self.told[seat] = number

    def _recap(self, seat: int) -> list[str]:
        """What happened since the seat was last told; it stands below the board, so that it is not scrolled away."""
        lines = list[str]()
        for at in range(self.told[seat], len(self.match.history)):
            done, (before, after) = self.match.history[at], self.session.states[at : at + 2]
            lines += self.recorders[seat].lines(at + 1, done, before, after, said=False, own=done.seat == seat)
        self.told[seat] = len(self.match.history)
        return lines

    def _table(self, seat: int, recap: list[str]) -> Menu:
        """Shows the board, what happened and what can be done."""
        size = self.screen.width, self.screen.height - 1  # a line before the board
        lines, menu = arranged(self.board, self.menus, self.session.state, seat, self.session.legal(), recap, size)
        self.screen.say("", *lines)
        return menu

    def show_board(self, seat: int) -> None:
        """Shows the board alone, with all there is room for."""
        high = self.screen.height - 2
        marks = self.menus.marks(self.session.legal())
        self.screen.say(*self.board.fitting(self.session.state, seat, self.screen.width, high, high, marks))

    def _end(self) -> None:
        spectator = self.match.rules.players
        recorder = self.recorders[self.humans[0]] if len(self.humans) == 1 else Recorder(self.board, spectator)
        shown = self.told.values()
        for at in range(min(shown) if self.secret else max(shown), len(self.match.history)):
            self.screen.put(
                recorder.lines(at + 1, self.match.history[at], *self.session.states[at : at + 2], said=False)
            )
        final = self.board.lines(self.match.state, "all", level=ROOMY)
        self.screen.say("", *final, "", *ranking_lines(self.match, self.board, recorder.viewer))
        if self.file is not None:
            self.screen.say("", self.words("is_kept", file=self.file))

    # ---- choosing -----------------------------------------------------------------------------------------

    def _chosen(self, seat: int, menu: Menu) -> Action | None:
        """Asks until a legal action is chosen; none when it is no longer the same position."""
        state, scope, pieces = self.session.state, self.session.legal(), None
        while self.session.state is state:
            typed = self.ask(self.words("prompt", seat=seat, most=len(menu.options))).strip()
            picked: tuple[int, ...] | None = None
            found: tuple[Action, ...]
            if not typed:
                menu, scope, pieces = self._table(seat, []), self.session.legal(), None
                continue
            if typed.isascii() and typed.isdecimal() and len(typed) < 6:
                if not 1 <= int(typed) <= len(menu.options):
                    self.screen.say(self.words("no_number", most=len(menu.options)))
                    continue
                option = menu.options[int(typed) - 1]
                found, picked = option.actions, option.picked
            elif typed.startswith("+"):
                found, picked = self.menus.adding(scope, typed[1:], pieces)
                if not found:
                    self.say(self.words("no_piece", piece=typed[1:].strip()))
            elif self.commands.done(typed, seat, menu):
                continue
            else:
                found = self.commands.meant(typed, seat)
                found = tuple(action for action in found if action in scope) or found
            if len(found) == 1:
                return found[0]
            if found:
                scope, pieces = found, picked
                menu = self.menus.listing(state, found, self.screen.width, self.screen.height - 2, picked)
                self.screen.put(menu.lines)
        return None

    def ask(self, prompt: str) -> str:
        """A line that is typed; raises `Over` when the input has ended."""
        try:
            return self.screen.ask(prompt)
        except EOFError:
            self.screen.say("")
            self.leave("input_ended")

    # ---- taking back ------------------------------------------------------------------------------------------

    def undo(self) -> int:
        """Takes back what was done since a person chose last, that included; returns how many actions. Raises
        `CannotUndo`.
        """
        history = self.match.history
        last = max((at for at, done in enumerate(history) if done.seat in self.humans), default=None)
        count = 1 if last is None else len(history) - last
        self.session.undo(count)
        self.told = {seat: min(number, len(history)) for seat, number in self.told.items()}
        return count

    def redo(self) -> int:
        """Does again what was taken back, up to the next choice of a person; returns how many. Raises `CannotRedo`."""
        count = 0
        while not count or (self.session.seat in self.bots and self.session.redo_steps):
            self.session.redo()
            count += 1
        return count

    def say(self, *lines: str | Text) -> None:
        """Shows lines."""
        self.screen.say(*lines)


def arranged(
    board: Board,
    menus: Menus,
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
    broad = len(menus.listing(state, legal, width, limits.UNLIMITED_LINES, plain=True).lines)
    least = len({action.number for action in legal})
    drawn = board.fitting(
        state,
        seat,
        width,
        free - min(broad, max(least, free // 2)),
        free - max(least, limits.MIN_MENU_LINES),
        menus.marks(legal),
    )
    menu = menus.listing(state, legal, width, free - len(drawn))
    if len(menu.lines) > free - len(drawn):
        menu = menus.listing(state, legal, width, free - len(drawn), named=False)
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
        isinstance(step.effect, Choose) and step.effect.how == "together"
        for block in match.rules.blocks
        for step in block.steps
    )


__all__ = ["Game", "Over", "arranged", "has_secrets"]
