"""What happened between one choice and the next, turn by turn, so that each seat reads what came in its own turn.

In: a position, the action played in it, and the position after it. Out: segments in their order; each begins where a
turn begins, or where one has ended after which more is done.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.engine.interface import Engine, TurnMarks
from rulewright.engine.state import State
from rulewright.frozen import frozen, replace
from rulewright.session.match import ChanceOutcome, PlayedAction


@frozen
class TurnSegment:
    """The positions at its ends and how chance fell in it. `seat`: whose turn it is, if it is anybody's. `is_own_turn`:
    it belongs to the action itself: no turn has begun since, or only another of the same seat's.
    """

    seat: int | None
    is_own_turn: bool
    before: State
    after: State
    chance_outcomes: tuple[ChanceOutcome, ...]


def turn_segments(engine: Engine, before: State, played: PlayedAction, after: State) -> Iterator[TurnSegment]:
    """The action is carried out once more, with the same chance, to see where turns begin."""
    new_marks: TurnMarks = []
    marks: list[tuple[int | None, State, int]] = []  # with how many chance events were resolved before
    state = engine.apply_legal(replace(before, rng=None), played.action, new_marks)
    marks += [(seat, position, 0) for seat, position in new_marks]
    for count, (_, outcome) in enumerate(played.chance_outcomes, start=1):
        new_marks.clear()
        state = engine.resolve_chance(state, outcome, new_marks)
        marks += [(seat, position, count) for seat, position in new_marks]
    seat: int | None = played.seat
    is_own_turn, begin, first_outcome = True, before, 0
    for next_seat, position, count in [*marks, (None, after, len(played.chance_outcomes))]:
        is_last = position is after
        if next_seat is None and is_own_turn and not is_last:
            continue  # what ends a turn, or a round, is shown under the action that led there
        yield TurnSegment(seat, is_own_turn, begin, position, played.chance_outcomes[first_outcome:count])
        is_own_turn = is_own_turn and next_seat == played.seat
        seat, begin, first_outcome = next_seat, position, count


__all__ = ["TurnSegment", "turn_segments"]
