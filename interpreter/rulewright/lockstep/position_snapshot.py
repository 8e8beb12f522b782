"""What engines must agree on at one moment of a game, as far as it can be seen from outside.

In: nothing. Out: the class of these data.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.engine.interface import GameResult
from rulewright.engine.state import ChanceEvent, Decision, State
from rulewright.engine.values import Content, RuntimeValue
from rulewright.frozen import frozen
from rulewright.lockstep.seen_position import SeenPosition


@frozen
class PositionSnapshot:
    """What engines must agree on at one moment of a game, as far as it can be seen from outside.

    Of a position that waits for chance, in the midst of what is done, only the event and what the position holds.
    `waiting`: without the variables around the step, which show in the legal actions. `assessments`: for the game's
    evaluation (None) and each strategy what the position is worth to each seat; `seen`: what each viewer sees.
    """

    waiting: Decision | ChanceEvent | None
    contents: tuple[Content, ...]
    variables: tuple[RuntimeValue, ...]
    rng: int | None
    first_seat: int
    round: int
    turn_count: int
    ending: bool
    extra_turns: tuple[int, ...]
    result: GameResult
    measures: Mapping[str, int | tuple[int, ...]]
    assessments: Mapping[str | None, tuple[int, ...]]
    seen: SeenPosition | None


def bare_snapshot(state: State) -> PositionSnapshot:
    """What a position holds by itself, which is all that engines must agree on where it waits for chance."""
    return PositionSnapshot(
        waiting=state.waiting,
        contents=state.contents,
        variables=state.variables,
        rng=state.rng,
        first_seat=state.first_seat,
        round=state.round,
        turn_count=state.turn_count,
        ending=state.ending,
        extra_turns=state.extra_turns,
        result=GameResult((), ()),
        measures={},
        assessments={},
        seen=None,
    )


__all__ = ["PositionSnapshot", "bare_snapshot"]
