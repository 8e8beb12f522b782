"""Bots among themselves: the game is played through and printed for a spectator; in the end all is open.

In: a match and its bots. Out: text on stdout.
"""

from __future__ import annotations

from typing import Any

from rulewright.bots.bot_specs import Bot, Seated
from rulewright.engine.notation import HIDDEN
from rulewright.session.match import SECRET, Done, Match, written
from rulewright.session.session import Session
from rulewright.simulation.simulations import within
from rulewright.terminal.board import Board
from rulewright.terminal.screen import Screen
from rulewright.terminal.terminal_messages import Words
from rulewright.terminal.transcript import Recorder, ranking_lines, told_line


class Secrets:
    """Remembers what was hidden from somebody when it was done, to be told in the end."""

    def __init__(self, match: Match, words: Words) -> None:
        self._match = match
        self._words = words
        self._hidden: dict[int, str] = {}  # by number of the action, its line
        self._chosen: dict[int, list[int]] = {}  # by seat, numbers of secret choices that are not carried out yet

    def note(self, number: int, done: Done) -> None:
        """Hears of an action right after it was done."""
        open_ = self._match.unhidden(done.action)
        told = [one for viewer, one in enumerate(done.told) if viewer != done.seat]
        if any(one != open_ for one in told):
            self._hidden[number] = told_line(number, done.seat, open_, self._words)
        if all(one == SECRET for one in told):
            self._chosen.setdefault(done.seat, []).append(number)
        for seat, wording in done.together:  # said to all by now, unless something in it stays hidden
            for one in self._chosen.pop(seat, []):
                if not _hides(wording):
                    self._hidden.pop(one, None)

    def lines(self) -> list[str]:
        """All of it, in the order in which it was done."""
        return [self._hidden[number] for number in sorted(self._hidden)]


def _hides(told: dict[str, Any]) -> bool:
    return HIDDEN in written(told)


def watch(session: Session, board: Board, bots: dict[int, Bot], cap: int, screen: Screen) -> None:
    """Plays the game through, or to the cap of turns, and prints it."""
    match, words = session.match, board.words
    recorder, secrets = Recorder(board, match.rules.players), Secrets(match, words)
    screen.say("", *board.lines(match.state, None), "")
    while match.seat is not None and within(cap, match.state, len(match.history)):
        before, seat = match.state, match.seat
        done = session.act(bots[seat].choose(Seated(match.engine, before, seat, match.legal())))
        number = len(match.history)
        if number == 1 or match.history[-2].round != done.round:
            screen.say(words("round_begins", round=done.round))
        screen.put(recorder.lines(number, done, before, match.state))
        secrets.note(number, done)
    screen.say("", words("end_open"), *board.lines(match.state, "all"))
    if hidden := secrets.lines():
        screen.say("", words("was_hidden"), *hidden)
    if match.state.over:
        screen.say("", *ranking_lines(match, board, recorder.viewer))
    else:
        screen.say("", words("given_up", turns=min(cap, match.state.turns)))


__all__ = ["Secrets", "watch"]
