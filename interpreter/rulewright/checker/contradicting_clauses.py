"""Do conditions exclude each other because of the numbers that parameters have: two clauses of an action, or the sides
of an `and`?

In: rules with variants, and the composition they were built from. Out: warnings about what a variant wrote. In the game
itself nothing is said, since a variant may change a parameter.
"""

from __future__ import annotations

from collections.abc import Collection

from rulewright.checker.condition_nodes import condition_node
from rulewright.checker.counts_check import rule_conditions
from rulewright.diagnostics import Diagnostics
from rulewright.expr.tree import Constant, Expr, Logic, ReadParameter
from rulewright.expr.typecheck.contradictions import check_contradictions, check_sides
from rulewright.expr.types import Number
from rulewright.expr.walk import iter_exprs, transform
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.source.nodes import ScalarNode


def check_contradicting_clauses(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports clauses of a variant that never hold together with others of the same action, and conditions of a variant
    whose sides never hold together, or one of which always holds.
    """
    files = {variant.root.span.source.path for variant in composition.chosen_variants}
    if not files:
        return
    found = Diagnostics()
    _check_clauses(rules, composition, files, found)
    for condition in rule_conditions(rules, composition):
        node = condition.node
        if node is None or node.span.source.path not in files:
            continue
        for part in iter_exprs(_with_numbers(rules, condition.expr)):
            if isinstance(part, Logic):
                check_sides(part, node, 0, found, condition.address)
    reported = {(one.span.source.path, one.span.start) for one in diagnostics}
    diagnostics.extend(
        one for one in found if one.span.source.path in files and (one.span.source.path, one.span.start) not in reported
    )


def _check_clauses(rules: Rules, composition: Composition, files: Collection[str], found: Diagnostics) -> None:
    for action in rules.actions:
        if not any(clause.span.source.path in files for clause in action.clauses):
            continue
        conditions = []
        for clause in action.clauses:
            section, _, name = clause.address.rpartition(".")
            node = condition_node(composition.document.root, section, name)
            if isinstance(node, ScalarNode):
                conditions.append((node, _with_numbers(rules, clause.condition), clause.address))
        conditions.sort(key=lambda condition: condition[0].span.source.path in files)  # these are what is asked about
        check_contradictions(conditions, found)


def _with_numbers(rules: Rules, condition: Expr) -> Expr:
    """A condition in which parameters are the numbers that they have."""

    def number(part: Expr) -> Expr | None:
        if not isinstance(part, ReadParameter) or part.keys or not isinstance(part.type, Number):
            return None
        value = rules.parameters[part.name].value
        return Constant(value, part.type, part.offsets) if type(value) is int else None

    return transform(condition, number)


__all__ = ["check_contradicting_clauses"]
