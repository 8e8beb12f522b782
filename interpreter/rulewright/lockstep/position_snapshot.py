"""What engines must agree on at one moment of a game, as far as it can be seen from outside.

In: nothing. Out: the class of these data.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.engine.interface import GameResult
from rulewright.engine.state import ChanceEvent, Decision
from rulewright.engine.values import Content, RuntimeValue
from rulewright.frozen import frozen


@frozen
class PositionSnapshot:
    """What engines must agree on at one moment of a game, as far as it can be seen from outside.

    `waiting`: without the variables around the step, which show in the legal actions. `assessments`: for the game's
    evaluation (None) and each strategy what the position is worth to each seat; `views`: what each seat sees, and last
    a spectator.
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
    views: tuple[Mapping[str, Any], ...]


__all__ = ["PositionSnapshot"]
