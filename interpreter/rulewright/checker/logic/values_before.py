"""What can a state be where a step begins, by the steps that lead there?

In: rules, a state that is one for all, a block of steps and the place of a step in it. Out: its values: what the last
step before it that surely set or rolled it gave it, here or where these steps are run from; else all that any step
gives it. None where these are too many to list.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.checker.common.names_touched import NamesTouched
from rulewright.checker.logic.state_values import StateValues
from rulewright.expr.tree import Constant
from rulewright.model.effects import Roll, RunSteps, SetState, Step
from rulewright.model.facts.declared_ranges import find_declared_ranges
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.facts.value_ranges import Scalars
from rulewright.model.rules import Rules, StateDef

Values = frozenset[int]


class ValuesBefore:
    """Finds them; what a state can be at all is found once."""

    def __init__(self, rules: Rules, names: NamesTouched) -> None:
        self.rules, self.names = rules, names
        declared = find_declared_ranges(rules)
        self.ranges = ExpressionRanges(rules, declared.contents, declared.variables)
        self._ever: dict[str, Values | None] = {}

    def of(self, state: StateDef, block: int, index: int) -> Values | None:
        """What a state can be before a step."""
        for step in reversed(self.rules.blocks[block].steps[:index]):
            given = _surely_given(step, state.name)
            if given is not None:
                return given
            if state.name in self.names.written(step):
                return self.ever(state)
        callers = [*self._callers(block)]
        if not callers or state.name in self.names.written_in(block):
            return self.ever(state)
        found = [self.of(state, *caller) for caller in callers]
        return None if None in found else Values().union(*(values for values in found if values is not None))

    def ever(self, state: StateDef) -> Values | None:
        """What a state can ever be."""
        if state.name not in self._ever:
            steps = [step for block in self.rules.blocks for step in block.steps]
            found = StateValues(self.rules, self.ranges, steps).of(state)
            self._ever[state.name] = found.listed if isinstance(found, Scalars) else None
        return self._ever[state.name]

    def _callers(self, block: int) -> Iterator[tuple[int, int]]:
        """The places of the steps that run a block; a section or an action is led to from elsewhere."""
        for number, other in enumerate(self.rules.blocks):
            for index, step in enumerate(other.steps):
                if isinstance(step.effect, RunSteps) and step.effect.block == block:
                    yield number, index


def _surely_given(step: Step, name: str) -> Values | None:
    """What a step gives a state whatever happens; None if it may leave it as it is, or gives it what is not known."""
    if step.when is not None or step.is_repeated:
        return None
    match step.effect:
        case Roll(target=target, outcomes=outcomes) if target.name == name:
            return Values(outcome for outcome, weight in outcomes if weight)
        case SetState(target=target, to=Constant(value=int(value))) if target.name == name:
            return Values((int(value),))
    return None


__all__ = ["Values", "ValuesBefore"]
