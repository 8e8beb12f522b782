"""The functions of the language: how many, the least, the most, the first, the next, the other way round.

In: a call and what it is given. Out: a typed call, or complaints. To add a function is a row of the table below, its
name in `names.py`, and its meaning in the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from rulewright.diagnostics import hint_of
from rulewright.expr import codes, type_relations
from rulewright.expr.syntax_tree import Syntax
from rulewright.expr.tree import Call, Constant, Expr
from rulewright.expr.typecheck.check_context import Desk, unclear
from rulewright.expr.types import ActionName, Bag, Flag, Member, Number, Scope, SetOf, Unavailable, Unknown

Function = Callable[[Desk, Syntax, tuple[Syntax, ...], Scope], Expr]


def _given(desk: Desk, node: Syntax, args: tuple[Syntax, ...], least: int, most: int | None) -> bool:
    """Whether a function is given as many arguments as it takes."""
    if least <= len(args) and (most is None or len(args) <= most):
        return True
    name = node.node(0).word().text
    wanted = "one argument" if most == 1 else f"{least} arguments or more"
    message = f"`{name}` takes {wanted}, and is given {len(args) or 'none'}"
    desk.complain(codes.ARGUMENT_COUNT, node.at, message, label=f"takes {wanted}")
    return False


def _count(desk: Desk, node: Syntax, args: tuple[Syntax, ...], scope: Scope) -> Expr:
    if not _given(desk, node, args, 1, 1):
        return unclear(node.at)
    over = desk.members(args[0], scope)
    if isinstance(over.type, Unknown):
        return unclear(node.at)
    most = over.type.most if isinstance(over.type, Bag) else type_relations.size(over.type, scope.kinds)
    exact = isinstance(over, Constant) and isinstance(over.value, tuple)
    return Call("count", (over,), "", Number(most if exact else 0, most), node.at)


def _least(desk: Desk, node: Syntax, args: tuple[Syntax, ...], scope: Scope) -> Expr:
    return _extreme(desk, node, args, scope, min)


def _most(desk: Desk, node: Syntax, args: tuple[Syntax, ...], scope: Scope) -> Expr:
    return _extreme(desk, node, args, scope, max)


def _extreme(
    desk: Desk, node: Syntax, args: tuple[Syntax, ...], scope: Scope, pick: Callable[[list[int]], int]
) -> Expr:
    if not _given(desk, node, args, 2, None):
        return unclear(node.at)
    found = [desk.number(arg, scope) for arg in args]
    bounds = [one for _, one in found if one is not None]
    if len(bounds) < len(found):
        return unclear(node.at)
    type_ = Number(pick([one.low for one in bounds]), pick([one.high for one in bounds]))
    return Call(node.node(0).word().text, tuple(one for one, _ in found), "", type_, node.at)


def _first(desk: Desk, node: Syntax, args: tuple[Syntax, ...], scope: Scope) -> Expr:
    return _ordered(desk, node, args, scope, "first")


def _reversed(desk: Desk, node: Syntax, args: tuple[Syntax, ...], scope: Scope) -> Expr:
    return _ordered(desk, node, args, scope, "reversed")


def _ordered(desk: Desk, node: Syntax, args: tuple[Syntax, ...], scope: Scope, name: str) -> Expr:
    """A function of a set, whose members have an order; a bag has none."""
    if not _given(desk, node, args, 1, 1):
        return unclear(node.at)
    over = desk.members(args[0], scope)
    if isinstance(over.type, Bag):
        message = f"{type_relations.phrase(over.type)} has no order"
        return desk.wrong(codes.NOT_A_SET, over.at, message, label="not a set", help="sets have one")
    of = type_relations.element(over.type, scope.kinds)
    if of is None or isinstance(over.type, Unknown):
        return unclear(node.at)
    most = type_relations.size(over.type, scope.kinds)
    type_ = SetOf(None if isinstance(of, Unknown) else of, min(1, most) if name == "first" else most)
    return Call(name, (over,), "", type_, node.at)


def _next(desk: Desk, node: Syntax, args: tuple[Syntax, ...], scope: Scope) -> Expr:
    if not _given(desk, node, args, 1, 1):
        return unclear(node.at)
    seat = desk.need(desk.read(args[0], scope), Member("seat"), scope, what="what `next` is given")
    return unclear(node.at) if isinstance(seat.type, Unknown) else Call("next", (seat,), "", Member("seat"), node.at)


def _possible(desk: Desk, node: Syntax, args: tuple[Syntax, ...], scope: Scope) -> Expr:
    if not _given(desk, node, args, 1, 1):
        return unclear(node.at)
    if not scope.has_me:
        message = "`possible` is not available here: no seat is in turn"
        return desk.wrong(codes.NOT_HERE, node.node(0).at, message, label="for whom?")
    if args[0].rule != "name":
        message = "`possible` is asked of the name of an action"
        return desk.wrong(codes.WRONG_NAME, args[0].at, message, label="no action", help="write `possible(action)`")
    word = args[0].word()
    match scope.locals.get(word.text) or scope.symbols.get(word.text):
        case ActionName():
            return Call("possible", (), word.text, Flag(), node.at)
        case Unavailable(why):
            message = f"`{word.text}` is not available here: {why}"
            return desk.wrong(codes.NOT_HERE, word.at, message, label="not here")
        case symbol:
            actions = (name for name, one in scope.symbols.items() if isinstance(one, ActionName))
            hint = hint_of(word.text, "actions", actions)
            code = codes.UNKNOWN_NAME if symbol is None else codes.WRONG_NAME
            return desk.wrong(code, word.at, f"`{word.text}` is no action", label="no action", help=hint)


FUNCTION_RULES: Final[Mapping[str, Function]] = {
    "count": _count,
    "min": _least,
    "max": _most,
    "first": _first,
    "next": _next,
    "reversed": _reversed,
    "possible": _possible,
}
