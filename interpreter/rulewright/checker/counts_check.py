"""Does a condition ask for more pieces than there are? Found by counting what the game starts with.

In: rules, and the composition they were built from. Out: warnings about comparisons of a clause or step that never
hold, because moves only change where pieces are. Numbers that are parameters are left out: a variant may change them.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.diagnostics import Diagnostics, Span
from rulewright.engine.expr_compiler import ExprCompiler
from rulewright.engine.faults import RuleFault
from rulewright.engine.layout import Layout
from rulewright.engine.validate_position import count_pieces
from rulewright.expr.codes import NEVER_TRUE
from rulewright.expr.tree import Compare, Constant, Expr, ReadZone
from rulewright.expr.typecheck.comparisons import compare_bounds
from rulewright.expr.types import Member, Number
from rulewright.expr.walk import iter_exprs
from rulewright.json_values import is_integer
from rulewright.model.effects import Choose
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules


def check_counts(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports conditions that the pieces of the game can never meet; under variants, those that a variant wrote."""
    try:
        contents = Layout(rules, ExprCompiler(rules)).contents
    except RuleFault:
        return  # reported by the set-up
    totals = count_pieces(rules, contents)
    variant_files = {variant.root.span.source.path for variant in composition.applied_variants}
    for condition, text, span, address in _conditions(rules):
        if composition.chosen_variants and span.source.path not in variant_files:
            continue
        for part in iter_exprs(condition):
            if not isinstance(part, Compare):
                continue
            sides = part.left, part.right
            counts = [most for side in sides if (most := _most(side, totals, rules)) is not None]
            left, right = [_bounds(side, totals, rules) for side in sides]
            if counts and compare_bounds(part.op, left, right) is False:
                comparison = f"`{text[slice(*part.offsets)].strip()}`" if text else "this comparison"
                hint = f"there are {max(counts)} in the whole game"
                diagnostics.add(
                    span, NEVER_TRUE, f"{comparison} never holds", label="never holds", help=hint, address=address
                )


def _conditions(rules: Rules) -> Iterator[tuple[Expr, str, Span, str]]:
    """Clauses and conditions of steps, as written, with where they are."""
    steps = [step for block in rules.blocks for step in block.steps]
    offered = [offer for step in steps if isinstance(step.effect, Choose) for offer in step.effect.offers]
    clauses = [clause for action in rules.actions for clause in action.clauses]
    clauses += [clause for offer in offered for clause in offer.clauses]
    for clause in clauses:
        yield clause.condition, clause.source_text, clause.span, clause.address
    for step in steps:
        for condition in (step.when, step.while_condition):
            if condition is not None:
                yield condition, "", step.span, step.address


def _bounds(expr: Expr, totals: dict[str, tuple[int, ...]], rules: Rules) -> Number | None:
    """What a side of a comparison can be, where that is a number as written or a count of pieces."""
    if isinstance(expr, Constant) and is_integer(expr.value):
        return Number(expr.value, expr.value)
    most = _most(expr, totals, rules)
    return None if most is None else Number(0, most)


def _most(expr: Expr, totals: dict[str, tuple[int, ...]], rules: Rules) -> int | None:
    """The most that a count of pieces can be: all of one member that there are; None for any other expression."""
    if not isinstance(expr, ReadZone) or expr.member is None or not isinstance(expr.member.type, Member):
        return None
    kind = rules.kinds[expr.member.type.kind]
    if kind.is_numeric:
        return None
    members = kind.member_values
    if isinstance(expr.member, Constant) and isinstance(expr.member.value, int):
        members = (expr.member.value,)
    total = totals.get(kind.family, ())
    return max((total[member] for member in members if member < len(total)), default=None)


__all__ = ["check_counts"]
