"""Where may somebody name a number that is taken from them later, whatever they have?

In: a step that failed since a place holds less than it takes, the rules, the composition they were built from. Out: the
choice whose answer was remembered as that number, where what is chosen from does not depend on the place.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.names_touched import NamesTouched
from rulewright.expr.tree import Local, ReadState
from rulewright.expr.walk import iter_exprs
from rulewright.model.actions import ActionDef, Choice
from rulewright.model.effects import Move, SetState, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.model.traversal import choice_exprs
from rulewright.source.nodes import ScalarNode


def find_answer_taken(step: Step, rules: Rules, composition: Composition) -> ScalarNode | None:
    """What is chosen from; None where no single choice gives the number."""
    move = step.effect
    if not isinstance(move, Move) or move.source is None or move.amount.of is None:
        return None
    remembered = {part.name for part in iter_exprs(move.amount.of) if isinstance(part, ReadState)}
    names, zone = NamesTouched(rules), move.source.zone
    found = [
        choice
        for action, choice in _remembered_answers(rules, remembered)
        if not any(zone in names.read(expr) for expr in choice_exprs(choice))
        and not any(zone in names.read(clause.condition) for clause in action.clauses)
    ]
    if len(found) != 1:
        return None
    node = condition_node(composition.document.root, found[0].address, "one_of")
    return node if isinstance(node, ScalarNode) else None


def _remembered_answers(rules: Rules, states: set[str]) -> Iterator[tuple[ActionDef, Choice]]:
    """The choices of actions whose answer one of the states is set to."""
    for action in rules.actions:
        for step in rules.blocks[action.block].steps:
            match step.effect:
                case SetState(target=target, to=Local(slot=slot)) if target.name in states:
                    if slot < len(action.choices):
                        yield action, action.choices[slot]


__all__ = ["find_answer_taken"]
