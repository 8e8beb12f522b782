"""What happened between one choice and the next, turn by turn, so that each seat is told what came in its own turn.

In: a position, what was done in it, and the position after it. Out: stretches in their order; each begins where a turn
begins or where one has ended after which more is done.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rulewright.engine.reference.mutable_state import TurnMarks
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import State
from rulewright.session.match import ChanceOutcome, PlayedAction


@dataclass(frozen=True, slots=True)
class TurnSegment:
    """Positions at its ends and what chance said in it. `seat`: whose turn it is, if it is anybody's. `own`: it belongs
    to the action itself: nobody's turn has begun since, or only another of the same seat's.
    """

    seat: int | None
    is_own_turn: bool
    before: State
    after: State
    chance_outcomes: tuple[ChanceOutcome, ...]


def turn_segments(engine: ReferenceEngine, before: State, done: PlayedAction, after: State) -> Iterator[TurnSegment]:
    """The action is carried out once more, with the same chance, to see where turns begin."""
    turning: TurnMarks = []
    marks: list[tuple[int | None, State, int]] = []  # and how often chance had spoken before
    state = engine.apply_legal(replace(before, rng=None), done.action, turning)
    marks += [(seat, there, 0) for seat, there in turning]
    for number, (_, outcome) in enumerate(done.chance_outcomes, start=1):
        turning.clear()
        state = engine.resolve_chance(state, outcome, turning)
        marks += [(seat, there, number) for seat, there in turning]
    seat: int | None = done.seat
    own, begin, spoken = True, before, 0
    for turn, there, count in [*marks, (None, after, len(done.chance_outcomes))]:
        last = there is after
        if turn is None and own and not last:
            continue  # what ends a turn, or a round, is told under the action that led there
        yield TurnSegment(seat, own, begin, there, done.chance_outcomes[spoken:count])
        own = own and turn == done.seat
        seat, begin, spoken = turn, there, count


__all__ = ["TurnSegment", "turn_segments"]
