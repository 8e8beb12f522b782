"""What joins conditions: and, or, not.

In: the rules `and`, `or` and `not` of the grammar. Out: typed trees, or diagnostics, also about two sides that never
hold together.
"""

from __future__ import annotations

from typing import Final, Literal

from rulewright.expr import codes
from rulewright.expr.scope import Scope
from rulewright.expr.syntax_tree import SyntaxNode
from rulewright.expr.tree import Expr, Logic, Not
from rulewright.expr.type_relations import describe_type
from rulewright.expr.typecheck.check_context import CheckContext, error_expr
from rulewright.expr.typecheck.contradictions import check_sides
from rulewright.expr.types import Flag, UnknownType

COMPARISON_RULES: Final = frozenset({"is", "is_not", "below", "at_most", "above", "at_least", "in", "not_in"})
CONDITION_RULES: Final = COMPARISON_RULES | {"fits_in", "and", "or", "not", "some", "every", "no"}


def check_and(ctx: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """Both of two conditions."""
    return _check_logic(ctx, node, scope, "and")


def check_or(ctx: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """One of two conditions, or both."""
    return _check_logic(ctx, node, scope, "or")


def check_not(ctx: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """The negation of a condition."""
    return Not(ctx.infer_condition(node.child(0), scope), Flag(), node.offsets)


def _check_logic(ctx: CheckContext, node: SyntaxNode, scope: Scope, op: Literal["and", "or"]) -> Expr:
    count = len(ctx.diagnostics)
    left = ctx.infer_condition(node.child(0), scope)
    right = _infer_right(ctx, node, scope, count)
    expr = Logic(op, left, right, Flag(), node.offsets)
    if len(ctx.diagnostics) == count:
        check_sides(expr, ctx.scalar, ctx.offset, ctx.diagnostics, ctx.address)
    return expr


def _infer_right(ctx: CheckContext, node: SyntaxNode, scope: Scope, count: int) -> Expr:
    """The right side of `or` and `and`: a condition too, which `x is 3 or 6` forgets.

    `count`: how many diagnostics there were before the left side.
    """
    comparison = _last_comparison(node.child(0))
    right = node.child(1)
    is_literal_flag = right.rule == "name" and right.token().text in ("true", "false")
    if comparison is None or is_literal_flag or right.rule in CONDITION_RULES:
        return ctx.infer_condition(right, scope)
    expr = ctx.infer(right, scope)
    if isinstance(expr.type, Flag | UnknownType):
        return ctx.expect(expr, Flag(), scope)
    if len(ctx.diagnostics) > count:
        return error_expr(expr.offsets)  # `x is 3 or 6 or 9`: reported at the 6
    # from the left operand up to the right one, the operator included
    left_and_operator = ctx.source_text((comparison.child(0).offsets[0], comparison.child(1).offsets[0]))
    left = f"{left_and_operator} {ctx.source_text(comparison.child(1).offsets)}"
    text = ctx.source_text(right.offsets)
    message = f"`{node.rule}` joins conditions, but `{text}` is {describe_type(expr.type)}"
    hint = f"repeat the comparison: `{left} {node.rule} {left_and_operator} {text}`"
    return ctx.reject(codes.CONDITION_NOT_A_FLAG, right.offsets, message, label="not a comparison", help=hint)


def _last_comparison(node: SyntaxNode) -> SyntaxNode | None:
    """The comparison that is nearest before the right side of a condition."""
    while node.rule in ("and", "or"):
        if node.child(1).rule in COMPARISON_RULES:
            return node.child(1)
        node = node.child(0)
    return node if node.rule in COMPARISON_RULES else None
