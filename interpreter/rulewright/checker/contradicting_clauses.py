"""Do two clauses of an action exclude each other because of the numbers that parameters have?

In: rules with variants, and the composition they were built from. Out: warnings about clauses of a variant. In the game
itself nothing is said, since a variant may change a parameter.
"""

from __future__ import annotations

from rulewright.checker.condition_nodes import condition_node
from rulewright.diagnostics import Diagnostics
from rulewright.expr.tree import Constant, Expr, ReadParameter
from rulewright.expr.typecheck.contradictions import check_contradictions
from rulewright.expr.types import Number
from rulewright.expr.walk import transform
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.source.nodes import ScalarNode


def check_contradicting_clauses(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports clauses of a variant that never hold together with others of the same action."""
    files = {variant.root.span.source.path for variant in composition.chosen_variants}

    def number(part: Expr) -> Expr | None:
        if not isinstance(part, ReadParameter) or part.keys or not isinstance(part.type, Number):
            return None
        value = rules.parameters[part.name].value
        return Constant(value, part.type, part.offsets) if type(value) is int else None

    found = Diagnostics()
    for action in rules.actions if files else ():
        if not any(clause.span.source.path in files for clause in action.clauses):
            continue
        conditions = []
        for clause in action.clauses:
            section, _, name = clause.address.rpartition(".")
            node = condition_node(composition.document.root, section, name)
            if isinstance(node, ScalarNode):
                conditions.append((node, transform(clause.condition, number), clause.address))
        conditions.sort(key=lambda condition: condition[0].span.source.path in files)  # these are what is asked about
        check_contradictions(conditions, found)
    reported = {(one.span.source.path, one.span.start) for one in diagnostics}
    diagnostics.extend(
        one for one in found if one.span.source.path in files and (one.span.source.path, one.span.start) not in reported
    )


__all__ = ["check_contradicting_clauses"]
