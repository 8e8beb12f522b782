"""Bots alone: the game is played and printed for a spectator; at the end everything is revealed.

In: a match and its bots. Out: text on stdout.
"""

from __future__ import annotations

from rulewright.bots.player_view import Bot, Thinking, bot_chooser
from rulewright.engine.notation import ActionData
from rulewright.engine.playout import play_out
from rulewright.engine.value_notation import HIDDEN_TEXT
from rulewright.session.match import SECRET_ACTION, Match, PlayedAction, format_action
from rulewright.session.session import Session
from rulewright.terminal.board import Board
from rulewright.terminal.ranking import ranking_lines
from rulewright.terminal.screen import Screen
from rulewright.terminal.transcript import Transcript, action_line
from rulewright.wording.messages import Messages


class SecretLog:
    """Remembers what was hidden from somebody when it was played, to be shown at the end."""

    def __init__(self, match: Match, messages: Messages) -> None:
        self._match = match
        self._messages = messages
        self._hidden: dict[int, str] = {}  # by number of the action, its line
        self._chosen: dict[int, list[int]] = {}  # by seat, numbers of secret choices that are not carried out yet

    def add(self, number: int, played: PlayedAction) -> None:
        """Notes an action right after it was played."""
        full = self._match.full_action_data(played.action)
        others = [data for viewer, data in enumerate(played.action_data) if viewer != played.seat]
        if any(data != full for data in others):
            self._hidden[number] = action_line(number, played.seat, full, self._match.rules, self._messages)
        if all(data == SECRET_ACTION for data in others):
            self._chosen.setdefault(played.seat, []).append(number)
        for seat, revealed in played.revealed_choices:  # shown to all by now, unless something in it stays hidden
            for chosen_number in self._chosen.pop(seat, []):
                if not _hides(revealed):
                    self._hidden.pop(chosen_number, None)

    def lines(self) -> list[str]:
        """All of it, in the order in which it was played."""
        return [self._hidden[number] for number in sorted(self._hidden)]


def _hides(data: ActionData) -> bool:
    return HIDDEN_TEXT in format_action(data)


def watch(
    session: Session,
    board: Board,
    bots: dict[int, Bot],
    cap: int,
    screen: Screen,
    thinking: Thinking = None,
) -> None:
    """Plays the game through, or to the cap of turns, and prints it. `thinking`: as for `bot_chooser`."""
    match, messages = session.match, board.messages
    transcript, secrets = Transcript(board, match.rules.players), SecretLog(match, messages)
    screen.print("", *board.render(match.state, None), "")
    for step in play_out(
        session, bot_chooser(match.engine, bots, thinking), max_turns=cap, decisions=len(match.history)
    ):
        number, played = len(match.history), match.history[-1]
        if number == 1 or match.history[-2].round != played.round:
            screen.print(messages("round_begins", round=played.round))
        screen.print_lines(transcript.action_lines(number, played, step.before, match.state))
        secrets.add(number, played)
    screen.print("", messages("end_open"), *board.render(match.state, "all"))
    if hidden := secrets.lines():
        screen.print("", messages("was_hidden"), *hidden)
    if match.state.over:
        screen.print("", *ranking_lines(match, board, transcript.viewer))
    else:
        screen.print("", messages("given_up", turns=min(cap, match.state.turn_count)))


__all__ = ["SecretLog", "watch"]
