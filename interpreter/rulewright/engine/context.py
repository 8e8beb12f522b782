"""What an expression may look at: a position, the seat in turn, the variables bound so far.

In: the contents and variables of a position. Out: the `Context` that every compiled expression takes. It is the only
mutable part of evaluation: loops write `env` and `kept`, derived values write `memo`; who changes the position clears
`memo`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from rulewright import limits
from rulewright.engine.values import Content, RuntimeValue
from rulewright.expr.tree import FIRST_OUTER_SLOT

MemoKey: TypeAlias = tuple[str, int, *tuple[RuntimeValue, ...]]  # name, seat in turn, arguments


class Context:
    """The data that an expression reads. `me`: the seat in turn, -1 when there is none; `env`: variables by slot."""

    __slots__ = ("contents", "env", "expr_steps", "first_seat", "kept", "me", "memo", "round", "variables")

    def __init__(
        self,
        contents: Sequence[Content],
        variables: Sequence[RuntimeValue],
        *,
        me: int,
        env: tuple[RuntimeValue, ...] = (),
        first: int = 0,
        round: int = 0,
    ) -> None:
        self.contents = contents
        self.variables = variables
        self.me = me
        self.first_seat = first
        self.round = round
        self.memo: dict[MemoKey, RuntimeValue] = {}  # values computed in this position
        self.kept: dict[int, RuntimeValue] = {}  # of loops under way: what is the same in all of their turns
        self.expr_steps = 0  # an upper bound on the evaluation steps spent on legal actions so far
        self.env: list[RuntimeValue] = [*env, *SPARE_SLOTS]

    def see_around(self, variables: tuple[RuntimeValue, ...]) -> None:
        """Gives what is offered at a step the variables around that step."""
        self.env[FIRST_OUTER_SLOT:] = variables


SPARE_SLOTS: Final = (0,) * limits.MAX_BOUND_VARIABLES  # room for the variables that quantifiers bind


__all__ = ["SPARE_SLOTS", "Context", "MemoKey"]
