"""Comparisons: is, <, <=, >, >=, in, fits in.

In: the rules of the grammar that compare two values. Out: typed trees, or diagnostics about values that cannot be
compared, and warnings about comparisons that always come out the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, assert_never

from rulewright.expr import codes
from rulewright.expr.scope import Scope
from rulewright.expr.structural_key import structural_key
from rulewright.expr.syntax_tree import SyntaxNode
from rulewright.expr.tree import Compare, CompareOp, Constant, Expr, FieldTotal
from rulewright.expr.type_relations import as_number, describe_type, element_type, family_of, is_comparable
from rulewright.expr.typecheck.check_context import CheckContext
from rulewright.expr.typecheck.expr_hints import all_members, describe_outside, members_hint
from rulewright.expr.typecheck.literals import depends_on_parameters, is_literal
from rulewright.expr.types import SEAT, Bag, Flag, Member, Number, SetOf, Thing, UnknownType
from rulewright.expr.walk import find_position_read, free_variables
from rulewright.suggestions import WordHint

COMPARISON_OPERATORS: Final[Mapping[str, CompareOp]] = {  # by the rules of the grammar
    "is": "is",
    "is_not": "is not",
    "is_empty": "is",
    "is_not_empty": "is not",
    "below": "<",
    "at_most": "<=",
    "above": ">",
    "at_least": ">=",
    "in": "in",
    "not_in": "not in",
    "fits_in": "fits in",
}


def check_emptiness(ctx: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """`is empty` and `is not empty`."""
    left = ctx.infer(node.child(0), scope)
    end = node.offsets[1]
    nothing = Constant(None, Bag("", 0), (end - len("empty"), end))
    return _check_equal(ctx, node, left, nothing, scope)


def check_equality(ctx: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """`is` and `is not`."""
    left, right = ctx.infer(node.child(0), scope), ctx.infer(node.child(1), scope)
    part = node.child(1)
    if isinstance(right.type, UnknownType):
        ctx.tell_what_fits(left.type, part, scope)
    if part.rule == "name" and part.token().text == "nothing" and right.type == Bag("", 0):
        negation = " not" if node.rule == "is_not" else ""
        message, hint = (
            "`nothing` is written, `empty` is asked",
            WordHint(f"write `is{negation} empty`", "nothing", "empty"),
        )
        ctx.emit(codes.FORMER_SPELLING, part.offsets, message, label="former", help=hint)
    return _check_equal(ctx, node, left, right, scope)


def _check_equal(ctx: CheckContext, node: SyntaxNode, left: Expr, right: Expr, scope: Scope) -> Expr:
    if isinstance(left.type, UnknownType) or isinstance(right.type, UnknownType):
        return Compare(COMPARISON_OPERATORS[node.rule], left, right, Flag(), node.offsets)
    for side, other, part in zip((left, right), (right, left), node.children(), strict=False):
        if error := _check_member_operand(ctx, side, other, part, scope):
            return error
    if not is_comparable(left.type, right.type, scope.kinds):
        return _reject_incomparable(ctx, node, left, right, scope)
    return _check_outcome(ctx, node, left, right, scope)


def _check_member_operand(
    ctx: CheckContext, side: Expr, other: Expr, part: SyntaxNode, scope: Scope
) -> Constant | None:
    """Reports a whole kind where a member is meant, and a literal member that the other side never is."""
    match side.type, other.type:
        case SetOf(Member(name) | Thing(name) as element), Member() | Thing() | Number() if is_comparable(
            element, other.type, scope.kinds
        ):
            if part.rule == "name" and all_members(part.token().text, scope, part.offsets):
                message = f"`{name}` means all of its members, but is compared with a single one"
                hint = f"name one {name}; or write `… in {name}`"
                return ctx.reject(codes.KIND_FOR_MEMBER, side.offsets, message, label="a whole kind", help=hint)
        case Member(kind), Member(other_kind) if not scope.kinds[kind].is_numeric:
            is_related = family_of(kind, scope.kinds) == family_of(other_kind, scope.kinds)
            if is_related and isinstance(side, Constant) and side.value not in scope.kinds[other_kind].member_values:
                message = describe_outside(side, other_kind, scope)
                label, hint = f"outside {other_kind}", members_hint(other_kind, scope)
                return ctx.reject(codes.OUTSIDE_KIND, side.offsets, message, label=label, help=hint)
    return None


def _reject_incomparable(ctx: CheckContext, node: SyntaxNode, left: Expr, right: Expr, scope: Scope) -> Expr:
    message = f"{describe_type(left.type)} is never equal to {describe_type(right.type)}"
    if node.rule == "fits_in":
        message = f"{describe_type(left.type)} and {describe_type(right.type)} have no members in common"
    has_number = any(as_number(side.type, scope.kinds) for side in (left, right))
    are_collections = [isinstance(side.type, Bag | SetOf) for side in (left, right)]
    hint = ""
    if has_number and any(are_collections):
        hint = "to count its elements, write `count(…)`; to test that there are none, write `is empty`"
    elif any(are_collections) and not all(are_collections):
        hint = "write `in` to test whether it is one of them"
    elif isinstance(left.type, Flag) and isinstance(right, Constant) and right.value in (0, 1):
        hint = "a condition stands alone: leave out `is 1`, or ask `is true` or `is false`"
    elif isinstance(left.type, Member) and left.type != SEAT and not isinstance(left, Constant):
        hint = members_hint(left.type.kind, scope)
    return ctx.reject(codes.UNLIKE_COMPARISON, node.offsets, message, label="different types", help=hint)


def check_ordering(ctx: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """`<`, `<=`, `>`, `>=`: of numbers only."""
    sides = ctx.infer(node.child(0), scope), ctx.infer(node.child(1), scope)
    for side in sides:
        if as_number(side.type, scope.kinds) is None and not isinstance(side.type, UnknownType):
            op = COMPARISON_OPERATORS[node.rule]
            message = f"`{op}` compares numbers, not {describe_type(side.type)}"
            hint = "to count its elements, write `count(…)`" if isinstance(side.type, Bag | SetOf) else ""
            if all(isinstance(bag.type, Bag) for bag in sides):
                hint = "to test whether one bag has no more of anything than another, write `fits in`"
            return ctx.reject(codes.UNLIKE_COMPARISON, side.offsets, message, label="not a number", help=hint)
    return _check_outcome(ctx, node, *sides, scope)


def _check_outcome(ctx: CheckContext, node: SyntaxNode, left: Expr, right: Expr, scope: Scope) -> Expr:
    """The comparison; reported if nothing in play can change how it comes out."""
    expr = Compare(COMPARISON_OPERATORS[node.rule], left, right, Flag(), node.offsets)
    sides = node.children()
    if all(is_literal(side, scope) for side in sides):
        _report_literals(ctx, node)
    elif _check_self_comparison(ctx, expr) or _check_total_of_all(ctx, expr):
        pass
    elif not any(depends_on_parameters(side, scope) for side in sides):
        left_bounds, right_bounds = as_number(left.type, scope.kinds), as_number(right.type, scope.kinds)
        outcome = compare_bounds(expr.op, left_bounds, right_bounds)
        if left_bounds is not None and right_bounds is not None and outcome is not None:
            code, holds = (codes.ALWAYS_TRUE, "always holds") if outcome else (codes.NEVER_TRUE, "never holds")
            hint = f"the left side is {_describe_bounds(left_bounds)}, the right side {_describe_bounds(right_bounds)}"
            ctx.emit(code, node.offsets, f"`{ctx.source_text(node.offsets)}` {holds}", label=holds, help=hint)
    return expr


def _check_total_of_all(ctx: CheckContext, expr: Compare) -> bool:
    """Reports a field of a whole component that is compared with what is known before play: it never changes."""
    for side, other in ((expr.left, expr.right), (expr.right, expr.left)):
        if isinstance(side, FieldTotal) and isinstance(side.of, Constant) and _is_fixed(other):
            name, total = ctx.source_text(side.of.offsets), ctx.source_text(side.offsets)
            message = f"`{name}` means all of them, so `{total}` is always the same"
            hint = f"choose one, or write `some {name} in … has …`"
            ctx.emit(codes.ALL_OR_ONE, side.of.offsets, message, label="all of them", help=hint)
            return True
    return False


def _is_fixed(expr: Expr) -> bool:
    """Whether it is known before play."""
    return find_position_read(expr) is None and not free_variables(expr)


def _report_literals(ctx: CheckContext, node: SyntaxNode) -> None:
    ctx.emit(codes.CONSTANT_CONDITION, node.offsets, "both sides are literals", label="never changes")


SELF_COMPARISON: Final = {"is": True, "<=": True, ">=": True, "fits in": True, "is not": False, "<": False, ">": False}


def _check_self_comparison(ctx: CheckContext, expr: Compare) -> bool:
    """Whether something is compared with itself; reported if it is."""
    left = structural_key(expr.left)
    if left is None or left != structural_key(expr.right):
        return False
    always = SELF_COMPARISON[expr.op]
    code, holds = (codes.ALWAYS_TRUE, "always holds") if always else (codes.NEVER_TRUE, "never holds")
    hint = "compare it with something else, or leave this out"
    ctx.emit(code, expr.offsets, f"both sides are the same, so this {holds}", label=holds, help=hint)
    return True


def _describe_bounds(bounds: Number) -> str:
    return str(bounds.low) if bounds.low == bounds.high else f"{bounds.low} to {bounds.high}"


def compare_bounds(op: CompareOp, left: Number | None, right: Number | None) -> bool | None:
    """How a comparison of numbers comes out whatever they are within their bounds; None if that depends on them."""
    if left is None or right is None:
        return None
    match op:
        case "is":
            if left.high < right.low or right.high < left.low:
                return False
            return True if left.low == left.high == right.low == right.high else None
        case "is not":
            is_equal = compare_bounds("is", left, right)
            return None if is_equal is None else not is_equal
        case "<":
            return True if left.high < right.low else False if left.low >= right.high else None
        case "<=":
            return True if left.high <= right.low else False if left.low > right.high else None
        case ">":
            return compare_bounds("<", right, left)
        case ">=":
            return compare_bounds("<=", right, left)
        case "in" | "not in" | "fits in":
            return None
        case _:
            assert_never(op)


def check_membership(ctx: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """`in` and `not in`: of a set, of the members of a bag, of the cells of a line."""
    left, right = ctx.infer(node.child(0), scope), ctx.infer_iterable(node.child(1), scope)
    expr = Compare(COMPARISON_OPERATORS[node.rule], left, right, Flag(), node.offsets)
    element = element_type(right.type, scope.kinds)
    if isinstance(left.type, UnknownType) or isinstance(element, UnknownType) or element is None:
        return expr
    message = f"{describe_type(left.type)} is never an element of {describe_type(right.type)}"
    if isinstance(left.type, Bag | SetOf):
        hint = "`fits in` compares bags; for sets write `every x in … has x in …`"
        return ctx.reject(codes.UNLIKE_COMPARISON, node.offsets, message, label="different types", help=hint)
    if error := _check_member_operand(ctx, left, Constant(None, element, right.offsets), node.child(0), scope):
        return error
    if not is_comparable(left.type, element, scope.kinds):
        return ctx.reject(codes.UNLIKE_COMPARISON, node.offsets, message, label="different types")
    if all(is_literal(side, scope) for side in node.children()):
        _report_literals(ctx, node)
    return expr


def check_bag_inclusion(ctx: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """`fits in`: a bag has no more of anything than another."""
    left, right = ctx.infer(node.child(0), scope), ctx.infer(node.child(1), scope)
    for side in (left, right):
        if not isinstance(side.type, Bag | UnknownType):
            message = f"`fits in` compares bags, not {describe_type(side.type)}"
            hint = "for sets write `every x in … has x in …`" if isinstance(side.type, SetOf) else ""
            return ctx.reject(codes.UNLIKE_COMPARISON, side.offsets, message, label="not a bag", help=hint)
    if not is_comparable(left.type, right.type, scope.kinds):
        return _reject_incomparable(ctx, node, left, right, scope)
    expr = Compare("fits in", left, right, Flag(), node.offsets)
    _check_self_comparison(ctx, expr)
    return expr
