"""A game in which people play at this terminal. Nothing is shown that the player at the screen may not see, and nothing
is lost: what was done is in the record before the next player is asked.

In: a session, a board, bots for some seats, a screen. Out: the game, played to its end, or `QuitGame`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.text import Text

from rulewright import limits
from rulewright.bots.deferred_thinking import DeferredThinking
from rulewright.bots.player_view import Bot, PlayerView
from rulewright.engine.faults import RuleFault
from rulewright.engine.state import Action, State
from rulewright.errors import os_error_reason
from rulewright.model.effects import Choose
from rulewright.session.match import Match, PlayedAction
from rulewright.session.session import Session
from rulewright.terminal.action_prompt import ActionPrompt
from rulewright.terminal.board import Board
from rulewright.terminal.boxes import ROOMY
from rulewright.terminal.commands import Commands
from rulewright.terminal.menu import Menu, MenuBuilder
from rulewright.terminal.play_context import PlayContext
from rulewright.terminal.ranking import ranking_lines
from rulewright.terminal.screen import Screen
from rulewright.terminal.transcript import Transcript


class TerminalGame:
    """People and bots in one game, one person at a time at the screen."""

    def __init__(
        self,
        session: Session,
        board: Board,
        bots: Mapping[int, Bot],
        screen: Screen,
        record_path: Path | None = None,
        *,
        thinking: DeferredThinking | None = None,
    ) -> None:
        self.context = PlayContext(session, board, screen, bots.keys(), record_path, thinking=thinking)
        self.session = session
        self.match = session.match
        self.board = board
        self.bots = bots
        self.screen = screen
        self.messages = board.messages
        self.commands = Commands(self.context)
        humans = self.context.humans
        self.has_secrets = len(humans) > 1 and has_secrets(self.match)
        self.typed_ahead = ""  # at a prompt that only waits
        self.viewer: int | None = None if self.has_secrets else humans[0]  # the seat of the person at the screen
        self.transcripts = {seat: Transcript(board, seat) for seat in humans}

    def play(self) -> None:
        """Plays to the end; raises `QuitGame` when somebody stops."""
        try:
            while self.session.seat is not None:
                seat = self.session.seat
                if seat in self.bots:
                    self._bot_turn(seat)
                else:
                    self._human_turn(seat)
        except KeyboardInterrupt:
            self.context.quit("stopped")
        self._show_end()

    def _bot_turn(self, seat: int) -> None:
        view = PlayerView(self.session.engine, self.session.state, seat, self.match.legal(), self.context.thinking)
        with self.screen.notice(self.messages("thinking", seat=seat)):
            action = self.bots[seat].choose(view)
        self._act(action)

    def _act(self, action: Action) -> PlayedAction:
        try:
            return self.session.act(action)
        except RuleFault as fault:  # it was not done, so that something else can be
            self.context.quit("rules_fail", str(fault))
        except OSError as error:
            self.context.quit("record_fails", os_error_reason(error))

    def _human_turn(self, seat: int) -> None:
        if self.has_secrets and self.viewer != seat:
            if self.viewer is not None:
                self.screen.clear()
            typed = self._ask(self.messages("hand_over", seat=seat))
            if not self.screen.is_terminal:  # what is piped in is never dropped
                self.typed_ahead = typed.strip()
        self.viewer = seat
        menu = self._show_screen(seat, self._recap(seat))
        prompt = ActionPrompt(self.context, self.commands, seat, lambda: self._show_screen(seat, []), self._ask)
        action = prompt.choose(menu)
        if action is None:
            return  # something was undone or redone
        played = self._act(action)
        if not self.has_secrets:  # else the screen is cleared now, and the seat reads it when it is back
            number = len(self.match.history)
            states = self.session.states[-2:]
            self.screen.print_lines(
                self.transcripts[seat].action_lines(number, played, *states, with_sentence=False, is_own=True)
            )
            self.context.shown_counts[seat] = number

    def _recap(self, seat: int) -> list[str]:
        """What happened since the seat was last shown it; below the board, so that it does not scroll away."""
        lines, history = list[str](), self.match.history
        for index in range(self.context.shown_counts[seat], len(history)):
            lines += self.transcripts[seat].action_lines(
                index + 1,
                history[index],
                *self.session.states[index : index + 2],
                with_sentence=False,
                is_own=history[index].seat == seat,
            )
        self.context.shown_counts[seat] = len(history)
        return lines

    def _show_screen(self, seat: int, recap: Sequence[str]) -> Menu:
        """Shows the board, what happened and what can be done."""
        size = self.screen.width, self.screen.height - 1  # a line before the board
        lines, menu = arrange_screen(
            self.board, self.context.menu_builder, self.session.state, seat, self.match.legal(), recap, size
        )
        self.screen.print("", *lines)
        return menu

    def _show_end(self) -> None:
        spectator, humans = self.match.rules.players, self.context.humans
        transcript = self.transcripts[humans[0]] if len(humans) == 1 else Transcript(self.board, spectator)
        shown = self.context.shown_counts.values()
        for index in range(min(shown) if self.has_secrets else max(shown), len(self.match.history)):
            states = self.session.states[index : index + 2]
            self.screen.print_lines(
                transcript.action_lines(index + 1, self.match.history[index], *states, with_sentence=False)
            )
        final_board = self.board.render(self.match.state, "all", density=ROOMY)
        self.screen.print("", *final_board, "", *ranking_lines(self.match, self.board, transcript.viewer))
        if self.context.record_path is not None:
            self.screen.print("", self.context.saved_line(self.context.record_path))

    def _ask(self, prompt: str) -> str:
        """A line that is typed; raises `QuitGame` when the input has ended."""
        typed, self.typed_ahead = self.typed_ahead, ""
        if typed:
            self.screen.print(prompt + typed)
            return typed
        try:
            return self.screen.ask(prompt)
        except EOFError:
            self.screen.print("")
            self.context.quit("input_ended")


def arrange_screen(
    board: Board,
    menu_builder: MenuBuilder,
    state: State,
    seat: int,
    legal: Sequence[Action],
    recap: Sequence[str],
    size: tuple[int, int],
) -> tuple[list[str | Text], Menu]:
    """The board, what happened and what can be done, in one screen with a line for the prompt, if that is possible.

    The menu gets the lines that it takes to list everything, but no more than half; the board gets the rest, down to
    the least it needs; and the menu again what the board leaves. `size`: columns and lines.
    """
    width, height = size
    free = height - 1 - len(recap)
    full_menu = len(menu_builder.build(state, legal, width, limits.UNLIMITED_LINES, with_sentences=False).lines)
    short_menu = len({action.number for action in legal})  # a line for each action
    board_lines = board.render_to_fit(
        state,
        seat,
        width,
        free - min(full_menu, max(short_menu, free // 2)),
        free - max(short_menu, limits.MIN_MENU_LINES),
        menu_builder.labels.marks(legal),
    )
    menu = menu_builder.build(state, legal, width, free - len(board_lines))
    if len(menu.lines) > free - len(board_lines):
        menu = menu_builder.build(state, legal, width, free - len(board_lines), with_names=False)
    spare = free - len(board_lines) - len(menu.lines)
    lines: list[str | Text] = [*board_lines]
    if spare > 0:
        lines.append("")
    lines += recap
    if recap and spare > 1:
        lines.append("")
    return [*lines, *menu.lines], menu


def has_secrets(match: Match) -> bool:
    """Whether a player may see what others at the same keyboard may not: hidden places, or secret choices."""
    return any(zone.seen_by != "all" for zone in match.rules.zones.values()) or any(
        isinstance(step.effect, Choose) and step.effect.mode == "together"
        for block in match.rules.blocks
        for step in block.steps
    )


__all__ = ["TerminalGame", "arrange_screen", "has_secrets"]
