"""Which steps can stop, and which can begin while they are under way.

In: the blocks of rules. Out: the numbers of those in which somebody can be asked, a turn can begin or the game can end;
and of those that can begin within themselves. A long procedure is treated as if it could stop: it is written once then,
not again wherever it is run, which could make a program of any length out of few rules.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Final, assert_never

from rulewright.model.effects import Choose, Finish, GiveTurn, Leave, Move, Reveal, Roll, RunSteps, SetState, Step
from rulewright.model.rules import Rules

MAX_REPEATED_STEPS: Final = 200  # of a procedure that is written wherever it is run


class FlowingBlocks:
    """Looks at the blocks of one rule model."""

    rules: Rules
    _flowing: set[int]

    def _find_flowing(self) -> set[int]:
        """The blocks in which somebody can be asked, a turn can begin or the game can end."""
        rules, flowing = self.rules, self._long_procedures()
        while True:
            more = {
                number
                for number, block in enumerate(rules.blocks)
                if number not in flowing and any(self._flows(step, flowing) for step in block.steps)
            }
            if not more:
                return flowing | {rules.setup, rules.round, rules.turn, rules.finale}
            flowing |= more

    def _is_flowing_step(self, step: Step) -> bool:
        return self._flows(step, self._flowing)

    def _flows(self, step: Step, flowing: set[int]) -> bool:
        """Whether the game can be taken up again within or behind a step. `flowing`: the blocks where it can."""
        match step.effect:
            case Choose() | Leave() | GiveTurn(is_extra=False) | Finish(when="now"):
                return True
            case Finish():
                return bool(self.rules.blocks[self.rules.finale].steps)
            case RunSteps(block=inner):
                return inner in flowing
            case Move() | SetState() | Roll() | Reveal() | GiveTurn():
                return False
            case _:
                assert_never(step.effect)

    def _recursive_blocks(self) -> set[int]:
        """The turns, actions and procedures that can begin while they are under way."""
        rules = self.rules
        actions = {action.index: action.block for action in rules.actions}

        def called(block: int) -> set[int]:
            found: set[int] = set()
            for step in rules.blocks[block].steps:
                match step.effect:
                    case Choose() as choose:
                        found |= {actions[offer.action] for offer in choose.offers}
                        if isinstance(choose.fallback, int):
                            found.add(actions[choose.fallback])
                    case GiveTurn(is_extra=False):
                        found.add(rules.turn)
                    case RunSteps(block=inner, is_procedure=True):
                        found.add(inner)
                    case RunSteps(block=inner):
                        found |= called(inner)
                    case _:
                        pass
            return found

        reached = {block: called(block) for block in {*actions.values(), rules.turn, *self._procedures()}}
        while True:
            grown = {
                block: found.union(*(reached.get(other, set()) for other in found)) for block, found in reached.items()
            }
            if grown == reached:
                return {block for block, found in reached.items() if block in found}
            reached = grown

    def _long_procedures(self) -> set[int]:
        """The procedures that are run from several places, and have more steps than are to be written again."""
        rules = self.rules

        @cache
        def size(block: int) -> int:
            return sum(
                1 + (size(step.effect.block) if isinstance(step.effect, RunSteps) else 0)
                for step in rules.blocks[block].steps
            )

        uses = Counter(
            step.effect.block
            for block in rules.blocks
            for step in block.steps
            if isinstance(step.effect, RunSteps) and step.effect.is_procedure
        )
        return {block for block, count in uses.items() if count > 1 and size(block) > MAX_REPEATED_STEPS}

    def _procedures(self) -> set[int]:
        return {
            step.effect.block
            for block in self.rules.blocks
            for step in block.steps
            if isinstance(step.effect, RunSteps) and step.effect.is_procedure
        }


__all__ = ["FlowingBlocks"]
