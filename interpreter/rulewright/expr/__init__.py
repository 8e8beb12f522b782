"""Expression text → typed expression: what stands behind `is:`, `move:`, `to:`, and inside the braces of a sentence.

In: scalars with their places, and a `Scope`: what each name stands for, as plain data; nothing here knows a game model.
Out: frozen typed trees (`tree`), and complaints. `parse` reads, `check` gives meaning, `sentence` does both for texts.
"""

from rulewright.expr.cost import expression_cost
from rulewright.expr.fold import fold_constant
from rulewright.expr.templates import Hole, PluralHole, SentenceTemplate, hole_texts, parse_template
from rulewright.expr.typecheck.expressions import (
    check_amount,
    check_binding,
    check_every_kind,
    check_expression,
    check_grid,
    check_kind_range,
    check_place,
    check_state_target,
    check_type,
)
from rulewright.expr.typecheck.logic import check_contradictions
from rulewright.expr.typecheck.loops import shadowing_reason

__all__ = [
    "Hole",
    "PluralHole",
    "SentenceTemplate",
    "check_amount",
    "check_binding",
    "check_contradictions",
    "check_every_kind",
    "check_expression",
    "check_grid",
    "check_kind_range",
    "check_place",
    "check_state_target",
    "check_type",
    "expression_cost",
    "fold_constant",
    "hole_texts",
    "parse_template",
    "shadowing_reason",
]
