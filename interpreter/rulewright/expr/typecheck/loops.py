"""What goes through many: some, every, no, each, sum, max, min; and what chooses between two: if.

In: the parts of an expression that bind a variable, and `if`. Out: typed trees, or complaints. A variable may bear the
name of its own kind, as is the custom; any other name that means something already is refused.
"""

from __future__ import annotations

from typing import Final, Literal

from rulewright import limits
from rulewright.diagnostics import Related, Span
from rulewright.expr import codes, type_relations
from rulewright.expr.keywords import BUILTINS, FUNCTIONS
from rulewright.expr.syntax_tree import Syntax, Token
from rulewright.expr.tree import Binding, Constant, Each, Expr, Extreme, If, Quantified, Quantifier, Range, Sum
from rulewright.expr.typecheck.check_context import Desk, all_of, unclear
from rulewright.expr.typecheck.names import find, unknown
from rulewright.expr.types import Bag, Component, Flag, KindName, Member, Number, Scope, SetOf, Thing, Type, Unknown

QUANTIFIERS: Final[dict[str, Quantifier]] = {"some": "some", "every": "every", "no": "no"}


def shadowed(name: str, type_: Type, scope: Scope) -> str:
    """Why a variable of this type may not bear this name; the empty string when it may."""
    if name in BUILTINS | FUNCTIONS:
        return f"`{name}` is a word of the language"
    if name in scope.locals:
        return f"`{name}` is a variable already"
    match scope.symbols.get(name):
        case None:
            return ""
        case KindName(kind):
            own = type_relations.fits(type_, Member(kind), scope.kinds)
            return "" if own else f"`{name}` is a kind, and this variable is {type_relations.phrase(type_)}"
        case Component():
            own = type_relations.fits(type_, Thing(name), scope.kinds)
            return "" if own else f"`{name}` is a component, and this variable is {type_relations.phrase(type_)}"
        case _:
            return f"`{name}` stands for something already"


def head(desk: Desk, node: Syntax, scope: Scope) -> tuple[Token, Expr, Scope]:
    """`name in set`, or the name of a kind or component: the variable, what it runs over, and the scope inside."""
    word = node.word()
    over: Expr
    if len(node.parts) > 1:
        over = desk.members(node.node(1), scope)
        if isinstance(over.type, SetOf | Bag) and isinstance(type_relations.element(over.type, scope.kinds), Unknown):
            over = desk.wrong(codes.NOT_A_SET, over.at, "there is nothing in it to go through", label="always empty")
    else:
        everything = all_of(word.text, scope, node.at)
        over = everything if everything else _no_kind(desk, word, scope)
    type_ = type_relations.element(over.type, scope.kinds) or Unknown()
    if scope.slots >= limits.MAX_BOUND_VARIABLES:
        message = f"more than {limits.MAX_BOUND_VARIABLES} variables inside one another"
        desk.complain(codes.TOO_DEEP, word.at, message, label="too deep", help="name a part of it in `values`")
    if why := shadowed(word.text, type_, scope):
        symbol = find(word.text, scope)
        where: Span | None = getattr(symbol, "span", None)
        related = (Related(where, "it stands for this"),) if where else ()
        if len(node.parts) > 1 or all_of(word.text, scope, node.at):
            desk.complain(codes.SHADOWING, word.at, why, label="taken", help="choose another name", related=related)
    return word, over, scope.with_variable(word.text, type_)


def _no_kind(desk: Desk, word: Token, scope: Scope) -> Expr:
    hint = f"to go through a set, write `{word.text} in …`"
    if find(word.text, scope) is None and word.text not in BUILTINS:
        return unknown(desk, word, scope, what="kind or component")
    message = f"`{word.text}` is no kind and no component"
    return desk.wrong(codes.WRONG_NAME, word.at, message, label="not a kind", help=hint)


def quantified(desk: Desk, node: Syntax, scope: Scope) -> Expr:
    """`some x in S has P`, `every`, `no`."""
    _, over, inner = head(desk, node.node(0), scope)
    has = desk.flag(node.node(1), inner)
    return Quantified(QUANTIFIERS[node.rule], scope.slots, over, has, Flag(), node.at)


def each(desk: Desk, node: Syntax, scope: Scope) -> Expr:
    """`each x in S where P`: those for which it holds."""
    _, over, inner = head(desk, node.node(0), scope)
    where = desk.flag(node.node(1), inner)
    of = type_relations.element(over.type, scope.kinds)
    if of is None or isinstance(over.type, Unknown):
        return unclear(node.at)
    type_ = SetOf(None if isinstance(of, Unknown) else of, type_relations.size(over.type, scope.kinds))
    return Each(scope.slots, over, where, type_, node.at)


def binding(desk: Desk, node: Syntax, scope: Scope) -> tuple[Binding, Scope]:
    """`x in S where P`, and the scope inside."""
    word, over, inner = head(desk, node.node(0), scope)
    where = desk.flag(node.node(1), inner) if len(node.parts) > 1 else None
    type_ = inner.locals[word.text].type
    return Binding(word.text, scope.slots, over, where, type_, node.at), inner


def total(desk: Desk, node: Syntax, scope: Scope) -> Expr:
    """`sum of E for x in S`: numbers or bags added up."""
    loop, inner = binding(desk, node.node(1), scope)
    of = desk.read(node.node(0), inner)
    if isinstance(of.type, Unknown) or isinstance(loop.over.type, Unknown):
        return unclear(node.at)
    times = type_relations.size(loop.over.type, scope.kinds)
    bounds = type_relations.number(of.type, scope.kinds)
    if bounds is not None:
        type_: Type = Number(min(0, bounds.low * times), max(0, bounds.high * times))
    elif isinstance(of.type, Bag):
        type_ = Bag(of.type.kind, of.type.most * times)
    else:
        message = f"`sum` adds up numbers or bags, and this is {type_relations.phrase(of.type)}"
        hint = "`count(each … where …)` says for how many it holds" if isinstance(of.type, Flag) else ""
        hint = "one of each: `sum of 1 of … for …`" if isinstance(of.type, Member) else hint
        return desk.wrong(codes.NOT_A_NUMBER, of.at, message, label=type_relations.phrase(of.type), help=hint)
    return Sum(loop.slot, loop.over, loop.where, of, type_, node.at)


def extreme(desk: Desk, node: Syntax, scope: Scope) -> Expr:
    """`max of E for x in S`, `min of E for x in S`: the greatest or least number; 0 where there is none."""
    pick: Literal["max", "min"] = "max" if node.rule == "greatest" else "min"
    loop, inner = binding(desk, node.node(1), scope)
    of = desk.read(node.node(0), inner)
    if isinstance(of.type, Unknown) or isinstance(loop.over.type, Unknown):
        return unclear(node.at)
    bounds = type_relations.number(of.type, scope.kinds)
    if bounds is None:
        message = f"`{pick}` finds a number, and this is {type_relations.phrase(of.type)}"
        return desk.wrong(codes.NOT_A_NUMBER, of.at, message, label=type_relations.phrase(of.type))
    if loop.where is not None or not _surely_some(loop.over):
        bounds = Number(min(0, bounds.low), max(0, bounds.high))
    return Extreme(pick, loop.slot, loop.over, loop.where, of, bounds, node.at)


def _surely_some(over: Expr) -> bool:
    """Whether a set has members in every position."""
    match over:
        case Constant(value=tuple() as members):
            return bool(members)
        case Range(low=low, high=high) if isinstance(low.type, Number) and isinstance(high.type, Number):
            return low.type.high <= high.type.low
        case _:
            return False


def choice(desk: Desk, node: Syntax, scope: Scope) -> Expr:
    """`if A then B else C`."""
    when = desk.flag(node.node(0), scope)
    then, otherwise = desk.read(node.node(1), scope), desk.read(node.node(2), scope)
    type_ = type_relations.join(then.type, otherwise.type, scope.kinds)
    if type_ is None:
        message = (
            f"one outcome is {type_relations.phrase(then.type)}, the other {type_relations.phrase(otherwise.type)}"
        )
        return desk.wrong(codes.BRANCHES_DIFFER, otherwise.at, message, label=type_relations.phrase(otherwise.type))
    return If(when, then, otherwise, type_, node.at)
