"""Who plays the games in which `check` looks for faults: players who do anything, and those who avoid one action.

In: rules. Out: names of bots, in the order in which they play. Those who avoid an action that leads to the end of the
game come before other ones: they hoard, their games are long, and they come to where nothing is left to take.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.expr.tree import Expr, ReadState, ReadValue, ReadZone
from rulewright.expr.walk import iter_exprs
from rulewright.model.effects import Finish, Move, Roll, RunSteps, SetState
from rulewright.model.rules import Rules


def checking_players(rules: Rules) -> list[str]:
    """The bots: the first plays at random, each of the others avoids an action, if it can."""
    asked = _names_read(rules, _end_conditions(rules))
    leading = [not asked.isdisjoint(_names_changed(rules, action.block, set())) for action in rules.actions]
    order = sorted(range(len(rules.actions)), key=lambda number: not leading[number])
    return ["random", *(f"avoid:{rules.actions[number].name}" for number in order)]


def _end_conditions(rules: Rules) -> Iterable[Expr]:
    steps = (step for block in rules.blocks for step in block.steps)
    return [step.when for step in steps if isinstance(step.effect, Finish) and step.when is not None]


def _names_read(rules: Rules, exprs: Iterable[Expr]) -> set[str]:
    """The zones and states that are read, also by values; the names of these stand among them."""
    names, pending = set[str](), [*exprs]
    while pending:
        for part in iter_exprs(pending.pop()):
            if not isinstance(part, ReadZone | ReadState | ReadValue) or part.name in names:
                continue
            names.add(part.name)
            if isinstance(part, ReadValue):
                value = rules.values[part.name]
                pending += (term for _, term in (*value.terms, *value.deductions))
    return names


def _names_changed(rules: Rules, block: int, seen: set[int]) -> set[str]:
    """The zones and states that a block and all that it runs may change."""
    if block in seen:
        return set()
    seen.add(block)
    names = set[str]()
    for step in rules.blocks[block].steps:
        match step.effect:
            case Move(source=source, to=to):
                names |= {to.zone} if source is None else {to.zone, source.zone}
            case SetState(target=target) | Roll(target=target):
                names.add(target.name)
            case RunSteps(block=inner):
                names |= _names_changed(rules, inner, seen)
            case _:
                pass
    return names


__all__ = ["checking_players"]
