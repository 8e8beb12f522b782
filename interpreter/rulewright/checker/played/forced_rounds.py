"""Does a game go round in circles, so that its end never comes?

In: each position of a game in which somebody decides, with what is legal there. Out: a fault once a position recurs and
nobody could do anything else since, nor was anything drawn. What follows is then the same again, for ever: unlike one
that is only long, such a game is proved to have no end. Rules that read the number of the round can still leave it, so
of these nothing is said.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from rulewright.checker.common.tried_games import GameWatcher
from rulewright.engine.faults import EndlessSteps, RuleFault
from rulewright.engine.state import Action, State
from rulewright.expr.tree import Builtin
from rulewright.expr.walk import iter_exprs
from rulewright.model.facts.zone_uses import exprs_of_play
from rulewright.model.rules import Rules


class ForcedRounds(EndlessSteps):
    """Decisions without a choice go on for ever. `address`: of the round."""

    def __init__(self, address: str) -> None:
        message = "nobody has a choice any more, and all is again as it was before"
        RuleFault.__init__(self, address, None, message)


class ForcedPositions(GameWatcher):
    """The positions of one game since somebody last had a choice."""

    def __init__(self, rules: Rules) -> None:
        self._address = rules.blocks[rules.round].address
        self._positions = set[Hashable]()

    def add(self, state: State, legal: Sequence[Action]) -> None:
        """Raises `ForcedRounds` where the position comes again."""
        if len(legal) != 1:
            self._positions.clear()
            return
        position = position_key(state)
        if position in self._positions:
            raise ForcedRounds(self._address)
        self._positions.add(position)


def position_key(state: State) -> Hashable:
    """What decides how a game goes on, but for the number of the round."""
    flow = (state.stack, state.waiting, state.first_seat, state.ending, state.extra_turns)
    return state.contents, state.variables, flow, state.rng  # the generator shows what was drawn


def depends_on_round(rules: Rules) -> bool:
    """Whether play depends on the number of the round."""
    parts = (part for expr in exprs_of_play(rules) for part in iter_exprs(expr))
    return any(isinstance(part, Builtin) and part.name == "round_number" for part in parts)


__all__ = ["ForcedPositions", "ForcedRounds", "depends_on_round", "position_key"]
