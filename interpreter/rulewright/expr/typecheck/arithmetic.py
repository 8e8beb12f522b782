"""Arithmetic on numbers, bags and sets: +, less, -, *, //, %, to, of.

In: the rules of the grammar that compute a value from two others. Out: typed trees with the bounds of their numbers, or
diagnostics about values that do not go together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, assert_never

from rulewright import limits
from rulewright.expr import codes
from rulewright.expr.fold import fold_constant
from rulewright.expr.scope import ComponentSymbol, Scope
from rulewright.expr.syntax_tree import SyntaxNode
from rulewright.expr.tree import Arithmetic, ArithmeticOp, Constant, Expr, Offsets, Range
from rulewright.expr.type_relations import as_number, describe_type, is_comparable, join_types
from rulewright.expr.typecheck.check_context import CheckContext, error_expr
from rulewright.expr.typecheck.expr_hints import player_count_hint
from rulewright.expr.typecheck.literals import is_literal
from rulewright.expr.types import SEAT, Bag, Flag, Member, Number, SetOf, Thing, Type, UnknownType

ARITHMETIC_OPERATORS: Final[Mapping[str, ArithmeticOp]] = {  # by the rules of the grammar
    "plus": "+",
    "minus": "-",
    "less": "less",
    "times": "*",
    "divide": "//",
    "remainder": "%",
}
EQUAL_WORDS: Final = ("equal", "equals", "identical")  # with `to` behind them, which makes a range


def check_arithmetic(ctx: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """`+` and `less` of numbers, bags or sets; `-`, `*`, `//` and `%` of numbers."""
    op = ARITHMETIC_OPERATORS[node.rule]
    left, right = ctx.infer(node.child(0), scope), ctx.infer(node.child(1), scope)
    if isinstance(left.type, UnknownType) or isinstance(right.type, UnknownType):
        return error_expr(node.offsets)
    left_bounds, right_bounds = as_number(left.type, scope.kinds), as_number(right.type, scope.kinds)
    if left_bounds and right_bounds:
        return _check_numbers(ctx, op, left, right, left_bounds, right_bounds, node)
    is_for_collections = op in ("+", "less")
    if is_for_collections and isinstance(left.type, Bag | SetOf) and isinstance(right.type, Bag | SetOf):
        return _check_collections(ctx, "+" if op == "+" else "less", left, right, node.offsets, scope)
    is_left_fine = left_bounds or (is_for_collections and isinstance(left.type, Bag | SetOf))
    is_set_with_number = bool(right_bounds) and is_for_collections and isinstance(left.type, SetOf)
    operand = right if is_left_fine and not is_set_with_number else left
    is_ = describe_type(operand.type)
    message = f"`{op}` needs {'numbers, bags or sets' if is_for_collections else 'numbers'}, not {is_}"
    other = right if left_bounds else left
    if is_for_collections and (left_bounds or right_bounds) and isinstance(other.type, Bag | SetOf):
        verb, preposition = ("add", "to") if op == "+" else ("subtract", "from")
        message = f"cannot {verb} {describe_type(right.type)} {preposition} {describe_type(left.type)}"
    has_number = bool(left_bounds or right_bounds)
    hint = player_count_hint(operand) or _operand_hint(op, operand.type, has_number=has_number)
    if left_bounds and node.child(1).rule == "bag_literal":
        amount, member = (ctx.source_text(part.offsets) for part in node.child(1).children())
        hint = f"`of` binds tighter than `{op}`: write `({ctx.source_text(left.offsets)} {op} {amount}) of {member}`"
    elif op == "+" and left.type == SEAT and right_bounds == Number(1, 1):
        hint = f"the player after another is `next({ctx.source_text(left.offsets)})`"
    elif has_number and isinstance(operand.type, Flag):
        hint = f"to count it, write `(if {ctx.source_text(operand.offsets)} then 1 else 0)`"
    elif right_bounds and is_for_collections and isinstance(left.type, Bag):
        hint = f"for a bag, write `{ctx.source_text(right.offsets)} of …`"
    return ctx.reject(codes.ARITHMETIC_ON_NON_NUMBER, operand.offsets, message, label=is_, help=hint)


def _operand_hint(op: ArithmeticOp, given: Type, *, has_number: bool) -> str:
    match op, given:
        case "-", Bag() | SetOf():
            return "`less` subtracts bags and sets"
        case "*", Bag() | SetOf() | Member():
            return "for a bag, write `2 of …`"
        case _, Bag() | SetOf() if has_number:
            return "to count its elements, write `count(…)`"
        case _, Member(SEAT.kind):
            return "players are not numbers"
        case _, Member():
            return "for a bag with one of it, write `1 of …`"
    return ""


def _check_numbers(
    ctx: CheckContext,
    op: ArithmeticOp,
    left: Expr,
    right: Expr,
    left_bounds: Number,
    right_bounds: Number,
    node: SyntaxNode,
) -> Expr:
    if op in ("//", "%"):
        divisor = fold_constant(right)
        if not isinstance(divisor, int) or divisor < 1:
            message = f"the divisor of `{op}` must be a constant above 0"
            hint = "divide by a number that stands here"
            return ctx.reject(codes.DIVISOR, right.offsets, message, label="not a constant above 0", help=hint)
        right_bounds = Number(divisor, divisor)
        right = Constant(divisor, right_bounds, right.offsets)
    bounds = arithmetic_bounds(op, left_bounds, right_bounds)
    if max(abs(bounds.low), abs(bounds.high)) > limits.MAX_NUMBER:
        message = f"this could exceed the limit of {limits.MAX_NUMBER:,}"
        hint = "give its operands narrower bounds"
        return ctx.reject(codes.RESULT_TOO_LARGE, node.offsets, message, label="too large", help=hint)
    return Arithmetic(op, left, right, bounds, node.offsets)


def arithmetic_bounds(op: ArithmeticOp, left: Number, right: Number) -> Number:
    """The bounds of a result from the bounds of its operands."""
    match op:
        case "+":
            return Number(left.low + right.low, left.high + right.high)
        case "-":
            return Number(left.low - right.high, left.high - right.low)
        case "less":
            return Number(max(0, left.low - right.high), max(0, left.high - right.low))
        case "*":
            products = [x * y for x in (left.low, left.high) for y in (right.low, right.high)]
            return Number(min(products), max(products))
        case "//":
            return Number(left.low // right.low, left.high // right.low)
        case "%":
            # if no multiple is between them, the remainders keep their order
            is_ordered = left.low // right.low == left.high // right.low
            return Number(left.low % right.low, left.high % right.low) if is_ordered else Number(0, right.low - 1)
        case _:
            assert_never(op)


def _check_collections(
    ctx: CheckContext, op: Literal["+", "less"], left: Expr, right: Expr, offsets: Offsets, scope: Scope
) -> Expr:
    """`+` and `less` of two bags or two sets."""
    is_mixed = isinstance(left.type, Bag) != isinstance(right.type, Bag)
    if op == "less" and not is_mixed and is_comparable(left.type, right.type, scope.kinds):
        return Arithmetic(op, left, right, left.type, offsets)
    joined = join_types(left.type, right.type, scope.kinds)
    if joined is None:
        message = f"{describe_type(left.type)} and {describe_type(right.type)} cannot be combined"
        hint = "to turn a set into a bag, write `1 of …`" if is_mixed else ""
        return ctx.reject(codes.OTHER_FAMILY, offsets, message, label="cannot be combined", help=hint)
    assert isinstance(left.type, Bag | SetOf)
    assert isinstance(right.type, Bag | SetOf)
    size = left.type.max_size + (right.type.max_size if op == "+" else 0)
    type_: Type = Bag(joined.kind, size) if isinstance(joined, Bag) else joined
    if isinstance(joined, SetOf):
        type_ = SetOf(joined.element, min(size, element_count(joined, scope)))
    return Arithmetic(op, left, right, type_, offsets)


def element_count(type_: SetOf, scope: Scope) -> int:
    """How many distinct elements a set of this type can have at all."""
    match type_.element:
        case Member(kind):
            return len(scope.kinds[kind].members)
        case Thing(component):
            symbol = scope.symbols.get(component)
            return symbol.row_count if isinstance(symbol, ComponentSymbol) else type_.max_size
        case Number(low, high):
            return high - low + 1
        case None:
            return type_.max_size
        case _:
            assert_never(type_.element)


def check_range(ctx: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """`1 to 3`: all numbers from one to another."""
    first = node.child(0)
    if ctx.source_text(first.offsets) in EQUAL_WORDS and scope.lookup(first.token().text) is None:
        message, hint = f"`{first.token().text} to` is not an operator", "leave it out: `is` compares"
        return ctx.reject(codes.FOREIGN_OPERATOR, first.offsets, message, help=hint)
    (low, low_bounds), (high, high_bounds) = (ctx.infer_number(part, scope) for part in node.children())
    if low_bounds is None or high_bounds is None:
        return error_expr(node.offsets)
    if low_bounds.low > high_bounds.high and all(is_literal(part, scope) for part in node.children()):
        return ctx.reject(codes.RANGE_UPSIDE_DOWN, node.offsets, "this range ends before it starts", label="empty")
    size = max(0, high_bounds.high - low_bounds.low + 1)
    element = Number(low_bounds.low, max(low_bounds.low, high_bounds.high))
    return Range(low, high, SetOf(element, size), node.offsets)
