"""Bots alone: the game is played and printed for a spectator; at the end everything is revealed.

In: a match and its bots. Out: text on stdout.
"""

from __future__ import annotations

from rulewright.bots.bot_specs import Bot, PlayerView
from rulewright.engine.notation import HIDDEN_TEXT, ActionData
from rulewright.session.match import SECRET_ACTION, Match, PlayedAction, format_action
from rulewright.session.session import Session
from rulewright.simulation.simulations import can_continue
from rulewright.terminal.board import Board
from rulewright.terminal.screen import Screen
from rulewright.terminal.transcript import Transcript, action_line, ranking_lines
from rulewright.wording.messages import Messages


class SecretLog:
    """Remembers what was hidden from somebody when it was done, to be shown at the end."""

    def __init__(self, match: Match, messages: Messages) -> None:
        self._match = match
        self._messages = messages
        self._hidden: dict[int, str] = {}  # by number of the action, its line
        self._chosen: dict[int, list[int]] = {}  # by seat, numbers of secret choices that are not carried out yet

    def add(self, number: int, done: PlayedAction) -> None:
        """Takes note of an action right after it was done."""
        open_ = self._match.full_action_data(done.action)
        views = [one for viewer, one in enumerate(done.action_data) if viewer != done.seat]
        if any(one != open_ for one in views):
            self._hidden[number] = action_line(number, done.seat, open_, self._messages)
        if all(one == SECRET_ACTION for one in views):
            self._chosen.setdefault(done.seat, []).append(number)
        for seat, wording in done.revealed_choices:  # said to all by now, unless something in it stays hidden
            for one in self._chosen.pop(seat, []):
                if not _hides(wording):
                    self._hidden.pop(one, None)

    def lines(self) -> list[str]:
        """All of it, in the order in which it was done."""
        return [self._hidden[number] for number in sorted(self._hidden)]


def _hides(data: ActionData) -> bool:
    return HIDDEN_TEXT in format_action(data)


def watch(session: Session, board: Board, bots: dict[int, Bot], cap: int, screen: Screen) -> None:
    """Plays the game through, or to the cap of turns, and prints it."""
    match, messages = session.match, board.messages
    transcript, secrets = Transcript(board, match.rules.players), SecretLog(match, messages)
    screen.print("", *board.render(match.state, None), "")
    while match.seat is not None and can_continue(cap, match.state, len(match.history)):
        before, seat = match.state, match.seat
        done = session.act(bots[seat].choose(PlayerView(match.engine, before, seat, match.legal())))
        number = len(match.history)
        if number == 1 or match.history[-2].round != done.round:
            screen.print(messages("round_begins", round=done.round))
        screen.print_lines(transcript.action_lines(number, done, before, match.state))
        secrets.add(number, done)
    screen.print("", messages("end_open"), *board.render(match.state, "all"))
    if hidden := secrets.lines():
        screen.print("", messages("was_hidden"), *hidden)
    if match.state.over:
        screen.print("", *ranking_lines(match, board, transcript.viewer))
    else:
        screen.print("", messages("given_up", turns=min(cap, match.state.turn_count)))


__all__ = ["SecretLog", "watch"]
