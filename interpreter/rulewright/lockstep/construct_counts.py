"""Which constructs of the language rules use: verbs, domains, kinds of expression.

In: `Rules`. Out: their names, by group. Played decisions are counted for each, so that it shows what was never tried.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from rulewright.expr.tree import Arithmetic, Call, Compare, Expr, Quantifier
from rulewright.expr.walk import iter_exprs
from rulewright.model.effects import Choose, Step
from rulewright.model.rules import Rules, ValueDef, ZoneDef
from rulewright.model.traversal import asked_exprs, choice_exprs

ConstructGroup: TypeAlias = Literal["verbs", "domains", "expressions"]
Construct: TypeAlias = tuple[ConstructGroup, str]
GROUPS: Final[tuple[ConstructGroup, ...]] = ("verbs", "domains", "expressions")
STEP_PARTS: Final = ("for_each", "order", "times", "while_condition", "by", "when")


def rule_constructs(rules: Rules) -> frozenset[Construct]:
    """The constructs that rules use somewhere, whether or not a game comes there."""
    found: set[Construct] = set()
    for block in rules.blocks:
        for step in block.steps:
            found |= {("verbs", name) for name in _step_names(step)}
    for action in rules.actions:
        for choice in action.choices:
            found.add(("domains", _snake_case(choice.domain)))
            if choice.condition is not None:
                found.add(("domains", "condition"))
    for expr in rule_exprs(rules):
        found |= {("expressions", name) for part in iter_exprs(expr) for name in _expr_names(part)}
    return frozenset(found)


def rule_exprs(rules: Rules) -> Iterator[Expr]:
    """All expressions of rules."""
    for block in rules.blocks:
        for step in block.steps:
            yield from asked_exprs(step)
    for action in rules.actions:
        for choice in action.choices:
            yield from choice_exprs(choice)
        for clause in action.clauses:
            yield clause.condition
    for zone in rules.zones.values():
        yield from _zone_exprs(zone)
    for value in rules.values.values():
        yield from _value_exprs(value)
    for state in rules.states.values():
        yield state.initial_value
    yield from (criterion.of for criterion in rules.ranking)
    yield from (measure.of for measure in rules.measures)
    for invariant in rules.invariants:
        yield invariant.condition
    for terms in (rules.evaluation, *(strategy.terms for strategy in rules.strategies)):
        for term in terms:
            yield term.of
            if term.when is not None:
                yield term.when


def _zone_exprs(zone: ZoneDef) -> Iterator[Expr]:
    refill = () if zone.refill is None else zone.refill.keys
    yield from (expr for expr in (zone.capacity, zone.initial_content, *refill) if expr is not None)


def _value_exprs(value: ValueDef) -> Iterator[Expr]:
    yield from (term for _, term in (*value.terms, *value.deductions))


def _step_names(step: Step) -> Iterator[str]:
    effect = step.effect
    yield effect.mode if isinstance(effect, Choose) else _snake_case(effect)
    for part in STEP_PARTS:
        if getattr(step, part) is not None:
            yield part.removesuffix("_condition")


def _expr_names(expr: Expr) -> Iterator[str]:
    match expr:
        case Compare(op=op) | Arithmetic(op=op):
            yield op
        case Quantifier(quantifier=quantifier):
            yield quantifier
        case Call(function=function):
            yield function
        case _:
            yield _snake_case(expr)


def _snake_case(node: object) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", type(node).__name__).lower()


__all__ = ["GROUPS", "Construct", "rule_constructs", "rule_exprs"]
