"""The built-in functions: count, min, max, only, next, everyone_from, reversed, possible; and `first 2 of row`.

In: a call and its arguments. Out: a typed call, or diagnostics. To add a function, add a row to the table below, its
name to `keywords.FUNCTIONS`, and its evaluation to the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, Literal

from rulewright.diagnostics import missing_name
from rulewright.expr import codes
from rulewright.expr.scope import ActionSymbol, Scope, UnavailableSymbol, ZoneSymbol
from rulewright.expr.syntax_tree import SyntaxNode
from rulewright.expr.tree import Call, Constant, Expr, ReadZone
from rulewright.expr.type_relations import describe_type, element_type, join_types, max_elements
from rulewright.expr.typecheck.check_context import CheckContext, error_expr
from rulewright.expr.typecheck.expr_hints import count_hint
from rulewright.expr.types import SEAT, Bag, Flag, Number, SetOf, UnknownType
from rulewright.expr.walk import is_constant
from rulewright.suggestions import unknown_name_hint

FunctionCheck = Callable[[CheckContext, SyntaxNode, tuple[SyntaxNode, ...], Scope], Expr]


def _has_args(
    ctx: CheckContext, node: SyntaxNode, args: tuple[SyntaxNode, ...], minimum: int, maximum: int | None
) -> bool:
    """Whether a function gets as many arguments as it takes; reported if it does not."""
    if minimum <= len(args) and (maximum is None or len(args) <= maximum):
        return True
    name = node.child(0).token().text
    expected = "one argument" if maximum == 1 else f"at least {minimum} arguments"
    message = f"`{name}` takes {expected}, got {len(args)}"
    is_alone = len(args) == 1 and minimum > 1
    hint = f"write `{name}(…, …)`; to go through many, `{name} of … for … in …`" if is_alone else ""
    if maximum == 1:
        several = " + ".join(ctx.source_text(arg.offsets) for arg in args)
        hint = f"write `{name}({several})` for both together" if several and name == "count" else f"write `{name}(…)`"
    ctx.emit(codes.ARGUMENT_COUNT, node.offsets, message, label=f"takes {expected}", help=hint)
    return False


def _check_count(ctx: CheckContext, node: SyntaxNode, args: tuple[SyntaxNode, ...], scope: Scope) -> Expr:
    if not _has_args(ctx, node, args, 1, 1):
        return error_expr(node.offsets)
    over = ctx.infer_iterable(args[0], scope, hint_for=partial(count_hint, kinds=scope.kinds))
    if isinstance(over.type, UnknownType):
        return error_expr(node.offsets)
    maximum = over.type.max_size if isinstance(over.type, Bag) else max_elements(over.type, scope.kinds)
    is_exact = is_constant(over)
    return Call("count", (over,), "", Number(maximum if is_exact else 0, maximum), node.offsets)


def _check_min_max(
    name: Literal["min", "max"], ctx: CheckContext, node: SyntaxNode, args: tuple[SyntaxNode, ...], scope: Scope
) -> Expr:
    if not _has_args(ctx, node, args, 2, None):
        return error_expr(node.offsets)
    numbers = [ctx.infer_number(arg, scope) for arg in args]
    bounds = [interval for _, interval in numbers if interval is not None]
    if len(bounds) < len(numbers):
        return error_expr(node.offsets)
    select = min if name == "min" else max
    type_ = Number(select(interval.low for interval in bounds), select(interval.high for interval in bounds))
    return Call(name, tuple(expr for expr, _ in numbers), "", type_, node.offsets)


def _infer_ordered(ctx: CheckContext, part: SyntaxNode, scope: Scope) -> tuple[Expr, SetOf | None]:
    """A set, whose elements have an order, and its type; None for a bag, whose members have none and which is
    reported.
    """
    over = ctx.infer_iterable(part, scope)
    if isinstance(over.type, Bag):
        message = f"{describe_type(over.type)} has no order"
        return ctx.reject(codes.NOT_A_SET, over.offsets, message, label="not a set", help="sets have one"), None
    zone = scope.lookup(over.name) if isinstance(over, ReadZone) else None
    if isinstance(over, ReadZone) and isinstance(zone, ZoneSymbol) and zone.is_shuffled:
        message = f"`{over.name}` is shuffled: what lies first or last in it is not known to the rules"
        hint = "`move: top, from: …` draws what lies on top; a place of your own can show it, and hand it back"
        return ctx.reject(codes.NOT_A_SET, over.offsets, message, label="has no order", help=hint), None
    element = element_type(over.type, scope.kinds)
    if element is None or isinstance(over.type, UnknownType):
        return over, None
    return over, SetOf(None if isinstance(element, UnknownType) else element, max_elements(over.type, scope.kinds))


def _check_reversed(ctx: CheckContext, node: SyntaxNode, args: tuple[SyntaxNode, ...], scope: Scope) -> Expr:
    if not _has_args(ctx, node, args, 1, 1):
        return error_expr(node.offsets)
    over, type_ = _infer_ordered(ctx, args[0], scope)
    return error_expr(node.offsets) if type_ is None else Call("reversed", (over,), "", type_, node.offsets)


def check_end_of_set(ctx: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """`first 2 of row`, `last 2 of row`: so many elements from one end, in their order; all if there are fewer."""
    (count, bounds), (over, type_) = (
        ctx.infer_number(node.child(0), scope),
        _infer_ordered(ctx, node.child(1), scope),
    )
    if bounds is None or type_ is None:
        return error_expr(node.offsets)
    if bounds.high < 1:
        message, hint = "this is always empty", "write how many, as in `first 1 of …`"
        return ctx.reject(codes.NOT_ABOVE_ZERO, count.offsets, message, label="not above 0", help=hint)
    ends = SetOf(type_.element, min(type_.max_size, bounds.high))
    return Call(node.rule, (count, over), "", ends, node.offsets)


def check_former_first(ctx: CheckContext, node: SyntaxNode, args: tuple[SyntaxNode, ...], scope: Scope) -> Expr:
    """`first(row)`, as version 1 wrote it; reported with the spelling of today."""
    name = node.child(0).token().text
    of = ctx.source_text(args[0].offsets) if len(args) == 1 else "…"
    of = of if len(args) != 1 or args[0].rule in ("name", "at", "field") else f"({of})"
    message = f"`{name}(…)` is how version 1 of the language said it"
    ctx.emit(codes.FORMER_SPELLING, node.offsets, message, label="former", help=f"write `{name} 1 of {of}`")
    if len(args) != 1:
        return error_expr(node.offsets)
    over, type_ = _infer_ordered(ctx, args[0], scope)
    if type_ is None:
        return error_expr(node.offsets)
    one = Constant(1, Number(1, 1), node.offsets)
    return Call(name, (one, over), "", SetOf(type_.element, min(1, type_.max_size)), node.offsets)


def _check_only(ctx: CheckContext, node: SyntaxNode, args: tuple[SyntaxNode, ...], scope: Scope) -> Expr:
    """`only(S, E)`: the single element of a set, and another value where it has none or several."""
    if len(args) != 2:
        message = f"`only` takes two arguments, got {len(args)}"
        hint = "write `only(set, value)`: the second is its value where the set has none or several"
        return ctx.reject(codes.ARGUMENT_COUNT, node.offsets, message, label="takes two arguments", help=hint)
    over, other = ctx.infer_iterable(args[0], scope), ctx.infer(args[1], scope)
    element = element_type(over.type, scope.kinds)
    if element is None or isinstance(element, UnknownType) or isinstance(other.type, UnknownType):
        return error_expr(node.offsets)
    type_ = join_types(element, other.type, scope.kinds)
    if type_ is None:
        message = f"one outcome is {describe_type(element)}, the other {describe_type(other.type)}"
        return ctx.reject(codes.BRANCHES_DIFFER, other.offsets, message, label=describe_type(other.type))
    return Call("only", (over, other), "", type_, node.offsets)


def _check_next(ctx: CheckContext, node: SyntaxNode, args: tuple[SyntaxNode, ...], scope: Scope) -> Expr:
    if not _has_args(ctx, node, args, 1, 1):
        return error_expr(node.offsets)
    seat = ctx.expect(ctx.infer(args[0], scope), SEAT, scope, subject="the argument of `next`")
    if isinstance(seat.type, UnknownType):
        return error_expr(node.offsets)
    return Call("next", (seat,), "", SEAT, node.offsets)


def _check_everyone_from(ctx: CheckContext, node: SyntaxNode, args: tuple[SyntaxNode, ...], scope: Scope) -> Expr:
    if not _has_args(ctx, node, args, 1, 1):
        return error_expr(node.offsets)
    seat = ctx.expect(ctx.infer(args[0], scope), SEAT, scope, subject="the argument of `everyone_from`")
    if isinstance(seat.type, UnknownType):
        return error_expr(node.offsets)
    return Call("everyone_from", (seat,), "", SetOf(SEAT, scope.players), node.offsets)


def _check_possible(ctx: CheckContext, node: SyntaxNode, args: tuple[SyntaxNode, ...], scope: Scope) -> Expr:
    if not _has_args(ctx, node, args, 1, 1):
        return error_expr(node.offsets)
    if not scope.has_me:
        message = "`possible` is not available here: it is nobody's turn"
        return ctx.reject(codes.NOT_AVAILABLE_HERE, node.child(0).offsets, message, label="nobody's turn")
    if args[0].rule != "name":
        message, hint = "`possible` takes the name of an action", "write `possible(action)`"
        return ctx.reject(codes.WRONG_KIND_OF_NAME, args[0].offsets, message, label="not an action", help=hint)
    word = args[0].token()
    match scope.lookup(word.text):
        case ActionSymbol():
            return Call("possible", (), word.text, Flag(), node.offsets)
        case UnavailableSymbol(reason):
            message = f"`{word.text}` is not available here: {reason}"
            return ctx.reject(codes.NOT_AVAILABLE_HERE, word.offsets, message, label="not available here")
        case symbol:
            actions = (name for name, other in scope.symbols.items() if isinstance(other, ActionSymbol))
            suggestions = unknown_name_hint(word.text, "actions", actions)
            code = codes.UNKNOWN_NAME if symbol is None else codes.WRONG_KIND_OF_NAME
            message = f"no action `{word.text}`" if symbol is None else f"`{word.text}` is not an action"
            cause = missing_name(word.text) if symbol is None else None
            return ctx.reject(code, word.offsets, message, label="not an action", help=suggestions, cause=cause)


FUNCTION_CHECKS: Final[Mapping[str, FunctionCheck]] = {
    "count": _check_count,
    "min": partial(_check_min_max, "min"),
    "max": partial(_check_min_max, "max"),
    "only": _check_only,
    "next": _check_next,
    "everyone_from": _check_everyone_from,
    "reversed": _check_reversed,
    "possible": _check_possible,
}
