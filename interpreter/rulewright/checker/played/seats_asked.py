"""Does one player have all the turns of a round, in all games that were tried?

In: each position of these games in which somebody decides; the rules, and the composition they were built from. Out:
the step that gives the turns, where it names one player, and in no round anybody else was asked, though turn followed
turn. That is no proof, so the number of decisions is said. A round that is the turn of one player has a single turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rulewright.checker.common.codes import FAILS_IN_PLAY
from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import NO_TURN
from rulewright.checker.common.tried_games import GameWatcher
from rulewright.diagnostics import Diagnostics, Related
from rulewright.engine.state import Action, Decision, State
from rulewright.frozen import field, mutable
from rulewright.model.effects import GiveTurn
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules

MIN_ASKED: Final = 12  # decisions, before anything is said


@mutable
class SeatsAsked(GameWatcher):
    """Who has decided in each round, and in how many turns; `decisions`: how many there were. `game`: its number."""

    rules: Rules
    rounds: dict[tuple[int, int], tuple[set[int], set[int]]] = field(default_factory=dict)
    decisions: int = 0
    game: int = 0

    def add(self, state: State, legal: Sequence[Action]) -> None:
        """Counts a decision."""
        if isinstance(state.waiting, Decision):
            seats, turns = self.rounds.setdefault((self.game, state.round), (set(), set()))
            seats.add(state.waiting.seat)
            turns.add(state.turn_count)
            self.decisions += 1

    def end_game(self, state: State) -> None:
        """The next decision is of another game."""
        self.game += 1

    def report(self, composition: Composition, diagnostics: Diagnostics, failing: Related | None = None) -> bool:
        """Reports it where only one player was asked; returns whether that is so. `failing`: what has failed for it."""
        is_of_one = all(len(seats) == 1 for seats, _ in self.rounds.values())
        several = sum(len(turns) > 1 for _, turns in self.rounds.values())
        has_turns = 2 * several > len(self.rounds)  # those that were not played to their end have fewer
        if self.rules.players == 1 or self.decisions < MIN_ASKED or not is_of_one or not has_turns:
            return False
        steps = [step for block in self.rules.blocks for step in block.steps]
        giving = [step for step in steps if isinstance(step.effect, GiveTurn)]  # who gets an extra turn has several
        if len(giving) != 1 or giving[0].for_each is not None or any(one.code is NO_TURN for one in diagnostics):
            return False
        span = key_span(composition.document.root, giving[0].address, "turn", giving[0].span)
        message = f"one player has all the turns of a round: nobody else was asked in {self.decisions} decisions of "
        message += "games that were tried"
        if failing is not None:
            message += f", so the rules fail: {failing.note}"
        diagnostics.add(
            span,
            NO_TURN if failing is None else FAILS_IN_PLAY,
            message,
            label="always the same player",
            help="give each player a turn: `for_each: player, turn: player`, or `for_each: player in everyone_from(…)`",
            address=giving[0].address,
            related=() if failing is None else (Related(failing.span, "fails here"),),
        )
        return True


__all__ = ["SeatsAsked"]
