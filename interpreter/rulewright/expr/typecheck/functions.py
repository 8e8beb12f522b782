"""The functions of the language: how many, the least, the most, the first, the next, the other way round.

In: a call and what it is given. Out: a typed call, or complaints. To add a function is a row of the table below, its
name in `names.py`, and its meaning in the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from rulewright.expr import codes, type_relations
from rulewright.expr.scope import ActionSymbol, Scope, UnavailableSymbol
from rulewright.expr.syntax_tree import SyntaxNode
from rulewright.expr.tree import Call, Constant, Expr
from rulewright.expr.typecheck.check_context import CheckContext, error_expr
from rulewright.expr.types import Bag, Flag, Member, Number, SetOf, UnknownType
from rulewright.suggestions import unknown_name_hint

FunctionCheck = Callable[[CheckContext, SyntaxNode, tuple[SyntaxNode, ...], Scope], Expr]


def _given(desk: CheckContext, node: SyntaxNode, args: tuple[SyntaxNode, ...], least: int, most: int | None) -> bool:
    """Whether a function is given as many arguments as it takes."""
    if least <= len(args) and (most is None or len(args) <= most):
        return True
    name = node.child(0).token().text
    wanted = "one argument" if most == 1 else f"{least} arguments or more"
    message = f"`{name}` takes {wanted}, and is given {len(args) or 'none'}"
    desk.emit(codes.ARGUMENT_COUNT, node.offsets, message, label=f"takes {wanted}")
    return False


def _count(desk: CheckContext, node: SyntaxNode, args: tuple[SyntaxNode, ...], scope: Scope) -> Expr:
    if not _given(desk, node, args, 1, 1):
        return error_expr(node.offsets)
    over = desk.infer_iterable(args[0], scope)
    if isinstance(over.type, UnknownType):
        return error_expr(node.offsets)
    most = over.type.max_size if isinstance(over.type, Bag) else type_relations.max_elements(over.type, scope.kinds)
    exact = isinstance(over, Constant) and isinstance(over.value, tuple)
    return Call("count", (over,), "", Number(most if exact else 0, most), node.offsets)


def _least(desk: CheckContext, node: SyntaxNode, args: tuple[SyntaxNode, ...], scope: Scope) -> Expr:
    return _extreme(desk, node, args, scope, min)


def _most(desk: CheckContext, node: SyntaxNode, args: tuple[SyntaxNode, ...], scope: Scope) -> Expr:
    return _extreme(desk, node, args, scope, max)


def _extreme(
    desk: CheckContext, node: SyntaxNode, args: tuple[SyntaxNode, ...], scope: Scope, pick: Callable[[list[int]], int]
) -> Expr:
    if not _given(desk, node, args, 2, None):
        return error_expr(node.offsets)
    found = [desk.infer_number(arg, scope) for arg in args]
    bounds = [one for _, one in found if one is not None]
    if len(bounds) < len(found):
        return error_expr(node.offsets)
    type_ = Number(pick([one.low for one in bounds]), pick([one.high for one in bounds]))
    return Call(node.child(0).token().text, tuple(one for one, _ in found), "", type_, node.offsets)


def _first(desk: CheckContext, node: SyntaxNode, args: tuple[SyntaxNode, ...], scope: Scope) -> Expr:
    return _ordered(desk, node, args, scope, "first")


def _reversed(desk: CheckContext, node: SyntaxNode, args: tuple[SyntaxNode, ...], scope: Scope) -> Expr:
    return _ordered(desk, node, args, scope, "reversed")


def _ordered(desk: CheckContext, node: SyntaxNode, args: tuple[SyntaxNode, ...], scope: Scope, name: str) -> Expr:
    """A function of a set, whose members have an order; a bag has none."""
    if not _given(desk, node, args, 1, 1):
        return error_expr(node.offsets)
    over = desk.infer_iterable(args[0], scope)
    if isinstance(over.type, Bag):
        message = f"{type_relations.describe_type(over.type)} has no order"
        return desk.reject(codes.NOT_A_SET, over.offsets, message, label="not a set", help="sets have one")
    of = type_relations.element_type(over.type, scope.kinds)
    if of is None or isinstance(over.type, UnknownType):
        return error_expr(node.offsets)
    most = type_relations.max_elements(over.type, scope.kinds)
    type_ = SetOf(None if isinstance(of, UnknownType) else of, min(1, most) if name == "first" else most)
    return Call(name, (over,), "", type_, node.offsets)


def _next(desk: CheckContext, node: SyntaxNode, args: tuple[SyntaxNode, ...], scope: Scope) -> Expr:
    if not _given(desk, node, args, 1, 1):
        return error_expr(node.offsets)
    seat = desk.expect(desk.infer(args[0], scope), Member("seat"), scope, subject="what `next` is given")
    return (
        error_expr(node.offsets)
        if isinstance(seat.type, UnknownType)
        else Call("next", (seat,), "", Member("seat"), node.offsets)
    )


def _possible(desk: CheckContext, node: SyntaxNode, args: tuple[SyntaxNode, ...], scope: Scope) -> Expr:
    if not _given(desk, node, args, 1, 1):
        return error_expr(node.offsets)
    if not scope.has_me:
        message = "`possible` is not available here: no seat is in turn"
        return desk.reject(codes.NOT_AVAILABLE_HERE, node.child(0).offsets, message, label="for whom?")
    if args[0].rule != "name":
        message = "`possible` is asked of the name of an action"
        return desk.reject(
            codes.WRONG_KIND_OF_NAME, args[0].offsets, message, label="no action", help="write `possible(action)`"
        )
    word = args[0].token()
    match scope.locals.get(word.text) or scope.symbols.get(word.text):
        case ActionSymbol():
            return Call("possible", (), word.text, Flag(), node.offsets)
        case UnavailableSymbol(why):
            message = f"`{word.text}` is not available here: {why}"
            return desk.reject(codes.NOT_AVAILABLE_HERE, word.offsets, message, label="not here")
        case symbol:
            actions = (name for name, one in scope.symbols.items() if isinstance(one, ActionSymbol))
            hint = unknown_name_hint(word.text, "actions", actions)
            code = codes.UNKNOWN_NAME if symbol is None else codes.WRONG_KIND_OF_NAME
            return desk.reject(code, word.offsets, f"`{word.text}` is no action", label="no action", help=hint)


FUNCTION_CHECKS: Final[Mapping[str, FunctionCheck]] = {
    "count": _count,
    "min": _least,
    "max": _most,
    "first": _first,
    "next": _next,
    "reversed": _reversed,
    "possible": _possible,
}
