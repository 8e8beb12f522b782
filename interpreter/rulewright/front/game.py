"""A game in which people play at this terminal. Nothing is shown that the one in front of it may not see.

In: a match, a board, bots for some seats, a screen. Out: the game, played to its end or left on the way.
"""

from __future__ import annotations

from typing import NoReturn

from rich.text import Text

from rulewright.engine.state import Action
from rulewright.front.board import Board
from rulewright.front.commands import Commands
from rulewright.front.frames import ROOMY
from rulewright.front.menu import LEAST, Menu, Menus
from rulewright.front.record import Recorder, ranking_lines
from rulewright.front.screen import Screen
from rulewright.model.rules import Choose
from rulewright.play.bots import Bot, Seated
from rulewright.play.match import Done, Match

BROAD = 10_000  # lines of a menu for which there is all the room in the world


class Over(Exception):
    """Somebody wants to stop; the text says goodbye."""


class Game:
    """People and bots at one table, one of them at a time before the screen."""

    def __init__(self, match: Match, board: Board, bots: dict[int, Bot], screen: Screen) -> None:
        self.match = match
        self.board = board
        self.bots = bots
        self.screen = screen
        self.words = board.words
        self.menus = Menus(board)
        self.commands = Commands(self)
        self.humans = [seat for seat in range(match.rules.players) if seat not in bots]
        self.secret = len(self.humans) > 1 and has_secrets(match)
        self.at_screen: int | None = None if self.secret else self.humans[0]
        self.told: dict[int, int] = dict.fromkeys(self.humans, 0)
        self.recorders = {seat: Recorder(board, seat) for seat in self.humans}
        self.states = [match.state]  # before each action, and the last

    def play(self) -> None:
        """Plays to the end; raises `Over` when somebody stops."""
        while self.match.seat is not None:
            seat = self.match.seat
            if seat in self.bots:
                self._act(self.bots[seat].choose(Seated(self.match.engine, self.match.state, seat, self.match.legal())))
            else:
                self._turn(seat)
        self._end()

    def _act(self, action: Action) -> Done:
        done = self.match.act(action)
        self.states.append(self.match.state)
        return done

    def _turn(self, seat: int) -> None:
        if self.secret and self.at_screen != seat:
            if self.at_screen is not None:
                self.screen.clear()
            self.ask(self.words("hand_over", seat=seat))
        self.at_screen = seat
        done = self._act(self._chosen(seat, self._table(seat, self._recap(seat))))
        if not self.secret:  # else the screen is cleared now, and the seat reads it when it is back
            number = len(self.match.history)
            self.screen.put(self.recorders[seat].lines(number, done, *self.states[-2:], said=False, own=True))
            self.told[seat] = number

    def _recap(self, seat: int) -> list[str]:
        """What happened since the seat was last told; it stands below the board, so that it is not scrolled away."""
        lines = list[str]()
        for at in range(self.told[seat], len(self.match.history)):
            done, (before, after) = self.match.history[at], self.states[at : at + 2]
            lines += self.recorders[seat].lines(at + 1, done, before, after, said=False, own=done.seat == seat)
        self.told[seat] = len(self.match.history)
        return lines

    def _table(self, seat: int, recap: list[str]) -> Menu:
        """Shows the board, what happened and what can be done, in one screen where that is possible."""
        state, legal, width = self.match.state, self.match.legal(), self.screen.width
        free = self.screen.height - 2 - len(recap)  # but for the prompt, and a line before the board
        broad = len(self.menus.listing(state, legal, width, BROAD).lines)
        tight = len(self.menus.listing(state, legal, width, LEAST).lines)
        marks = self.menus.marks(legal)
        drawn = self.board.fitting(state, seat, width, free - min(broad, max(tight, free // 2)), marks)
        menu = self.menus.listing(state, legal, width, free - len(drawn))
        spare = free - len(drawn) - len(menu.lines)
        between = [""] if spare > 0 else []
        self.screen.say("", *drawn, *between, *recap, *(between if recap and spare > 1 else []), *menu.lines)
        return menu

    def show_board(self, seat: int) -> None:
        """Shows the board alone, with all there is room for."""
        self.screen.say(
            *self.board.fitting(self.match.state, seat, self.screen.width, self.screen.height, self.marks())
        )

    def marks(self) -> dict[str, str]:
        """What is written at things that can be chosen now."""
        return dict(self.menus.marks(self.match.legal()))

    def _end(self) -> None:
        spectator = self.match.rules.players
        recorder = self.recorders[self.humans[0]] if len(self.humans) == 1 else Recorder(self.board, spectator)
        shown = self.told.values()
        for at in range(min(shown) if self.secret else max(shown), len(self.match.history)):
            self.screen.put(recorder.lines(at + 1, self.match.history[at], *self.states[at : at + 2], said=False))
        final = self.board.lines(self.match.state, "all", self.screen.width, ROOMY)
        self.screen.say("", *final, "", *ranking_lines(self.words, self.match))

    # ---- choosing -----------------------------------------------------------------------------------------

    def _chosen(self, seat: int, menu: Menu) -> Action:
        """Asks until a legal action is chosen."""
        while True:
            typed = self.ask(self.words("prompt", seat=seat, most=len(menu.options))).strip()
            picked = None
            found: tuple[Action, ...]
            if not typed:
                menu = self._table(seat, [])
                continue
            if typed.isascii() and typed.isdecimal() and len(typed) < 6:
                if not 1 <= int(typed) <= len(menu.options):
                    self.screen.say(self.words("no_number", most=len(menu.options)))
                    continue
                option = menu.options[int(typed) - 1]
                found, picked = option.actions, option.picked
            elif self.commands.done(typed, seat, menu):
                continue
            else:
                found = self.commands.meant(typed, seat)
            if len(found) == 1:
                return found[0]
            if found:
                room = self.screen.height - 2
                menu = self.menus.listing(self.match.state, found, self.screen.width, room, picked)
                self.screen.put(menu.lines)

    def ask(self, prompt: str) -> str:
        """A line that is typed; raises `Over` when the input has ended."""
        try:
            return self.screen.ask(prompt)
        except EOFError:
            raise Over(f"\n{self.words('input_ended')}") from None

    def leave(self) -> NoReturn:
        """Somebody has had enough."""
        raise Over(self.words("goodbye"))

    def say(self, *lines: str | Text) -> None:
        """Shows lines."""
        self.screen.say(*lines)


def has_secrets(match: Match) -> bool:
    """Whether somebody may see what others at the same keyboard may not: hidden places, or choices made in secret."""
    return any(zone.seen_by != "all" for zone in match.rules.zones.values()) or any(
        isinstance(step.effect, Choose) and step.effect.how == "together"
        for block in match.rules.blocks
        for step in block.steps
    )


__all__ = ["Game", "Over", "has_secrets"]
