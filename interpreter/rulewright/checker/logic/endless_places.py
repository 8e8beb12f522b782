"""Where is the mistake when steps go on for ever: at an end that does not come, or where each turn gives another one?

In: a fault, the rules, the composition they were built from. Out: the place to show, what is said of it, a hint if one
is near, and the other ends, which do not come either.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rulewright.checker.common.condition_nodes import condition_node, key_span
from rulewright.checker.common.rule_spans import rule_span
from rulewright.diagnostics import Related, Span
from rulewright.engine.faults import EndlessSteps
from rulewright.expr.tree import Expr, Logic, Quantifier
from rulewright.expr.walk import disjuncts, free_variables, iter_exprs
from rulewright.frozen import frozen
from rulewright.model.effects import Choose, Finish, GiveTurn, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.source.nodes import ScalarNode

TURN: Final = "turn"
ROUND: Final = "round."


@frozen
class EndlessPlace:
    """Where steps that go on for ever are shown: `what` begins the message; `label` is printed after the caret."""

    span: Span
    what: str
    label: str
    hint: str
    related: tuple[Related, ...]


def find_endless_place(fault: EndlessSteps, rules: Rules, composition: Composition) -> EndlessPlace | None:
    """The extra turn that follows each turn, where the game does not leave a turn; else the end that does not come, if
    it is the only one or asks another thing than is meant. Where several could be it, the only step at which players
    decide anything, or else the only end of the round, to which goals of single turns are added; None where there are
    several of these, too.
    """
    root = composition.document.root
    goes_on = Related(rule_span(fault.address, composition), "goes on here")
    if f"{fault.address}.".startswith(f"{TURN}."):
        again = [step for step in rules.blocks[rules.turn].steps if _gives_another(step)]
        if len(again) == 1:
            return EndlessPlace(again[0].span, "turn follows turn", "gives another turn each time", "", (goes_on,))
    ends = [step for block in rules.blocks for step in block.steps if isinstance(step.effect, Finish)]
    of_round = ends if len(ends) == 1 else [step for step in ends if step.address.startswith(ROUND)]
    node = condition_node(root, of_round[0].address) if len(of_round) == 1 else None
    hint = _hint(of_round[0], node.text) if isinstance(node, ScalarNode) else ""
    if node is None or (len(ends) > 1 and not hint):
        stuck = _without_options(fault, ends, goes_on, rules, composition)
        if stuck is not None or node is None:
            return stuck
    others = [Related(step.span, "does not come either") for step in ends if step is not of_round[0]]
    return EndlessPlace(node.span, "the end does not come", "does not come", hint, (goes_on, *others))


def _without_options(
    fault: EndlessSteps, ends: Sequence[Step], goes_on: Related, rules: Rules, composition: Composition
) -> EndlessPlace | None:
    """The step at which nobody can do anything any more, with the ends that do not come."""
    asking = [step for block in rules.blocks for step in block.steps if isinstance(step.effect, Choose)]
    if fault.address != rules.blocks[rules.round].address or not ends or len(asking) != 1:
        return None
    effect = asking[0].effect
    if not isinstance(effect, Choose) or effect.is_automatic or effect.mode != "must" or effect.fallback != "nothing":
        return None
    span = key_span(composition.document.root, asking[0].address, "if_unable", asking[0].span)
    what = "nobody can do anything any more, and the game does not end"
    related = (*(Related(step.span, "does not come") for step in ends), goes_on)
    return EndlessPlace(span, what, "so nothing is done", "end the game when nobody can do anything", related)


def _gives_another(step: Step) -> bool:
    return isinstance(step.effect, GiveTurn) and step.effect.is_extra


def _hint(step: Step, text: str) -> str:
    """How to write it if a loop takes in what seems not to belong to it."""
    for loop, sides in _loops_over_either(step.when):
        inside = [side for side in sides if loop.slot in free_variables(side)]
        outside = [side for side in sides if loop.slot not in free_variables(side)]
        if inside and outside:
            apart = " or ".join(text[slice(*side.offsets)].strip() for side in outside)
            return f"`{loop.quantifier} … has` covers `or {apart}`, too: write `{apart} or …` first, or set parentheses"
    return ""


def _loops_over_either(condition: Expr | None) -> Iterator[tuple[Quantifier, Sequence[Expr]]]:
    """The loops of a condition that ask for one thing or another, with what they ask."""
    for part in iter_exprs(condition) if condition is not None else ():
        if isinstance(part, Quantifier) and isinstance(part.condition, Logic) and part.condition.op == "or":
            yield part, disjuncts(part.condition)


__all__ = ["EndlessPlace", "find_endless_place"]
