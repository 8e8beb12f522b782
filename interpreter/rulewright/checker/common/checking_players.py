"""Who plays the games in which `check` looks for faults: players who do anything, and those who avoid one action.

In: rules. Out: names of bots, in the order in which they play. Those who avoid an action that leads to the end of the
game come before other ones: they hoard, their games are long, and they come to where nothing is left to take.
"""

from __future__ import annotations

from rulewright.checker.common.names_touched import NO_NAMES, NamesTouched
from rulewright.model.effects import Finish
from rulewright.model.rules import Rules


def checking_players(rules: Rules) -> list[str]:
    """The bots: the first plays at random, each of the others avoids an action, if it can."""
    names, steps = NamesTouched(rules), [step for block in rules.blocks for step in block.steps]
    ends = [step.when for step in steps if isinstance(step.effect, Finish) and step.when is not None]
    asked = NO_NAMES.union(*map(names.read, ends))
    if len(rules.actions) == 1:
        return ["random"]  # nothing else can be done instead
    order = sorted(rules.actions, key=lambda action: asked.isdisjoint(names.written_in(action.block)))
    return ["random", *(f"avoid:{action.name}" for action in order)]


__all__ = ["checking_players"]
