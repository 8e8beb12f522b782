"""Expression text → typed expression: what stands behind `is:`, `move:`, `to:`, and inside the braces of a sentence.

In: scalars with their places, and a `Scope`: what each name stands for, as plain data; nothing here knows a game model.
Out: frozen typed trees (`tree`), and complaints. `parse` reads, `check` gives meaning, `sentence` does both for texts.
"""

from rulewright.expr.cost import cost
from rulewright.expr.fold import fold
from rulewright.expr.templates import Hole, Plural, Sentence, holes, sentence
from rulewright.expr.typecheck.expressions import (
    amount,
    binding,
    every_kind,
    expression,
    grid,
    kind_range,
    place,
    state_place,
    type_,
)
from rulewright.expr.typecheck.logic import contradictions
from rulewright.expr.typecheck.loops import shadowed

__all__ = [
    "Hole",
    "Plural",
    "Sentence",
    "amount",
    "binding",
    "contradictions",
    "cost",
    "every_kind",
    "expression",
    "fold",
    "grid",
    "holes",
    "kind_range",
    "place",
    "sentence",
    "shadowed",
    "state_place",
    "type_",
]
