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
from rulewright.expr.scope import ComponentSymbol, KindSymbol, Scope
from rulewright.expr.syntax_tree import SyntaxNode, SyntaxToken
from rulewright.expr.tree import Binding, Constant, Expr, Extremum, Filter, If, Quantifier, QuantifierKind, Range, Sum
from rulewright.expr.typecheck.check_context import CheckContext, all_members, error_expr
from rulewright.expr.typecheck.names import lookup, reject_unknown
from rulewright.expr.types import Bag, Flag, Member, Number, SetOf, Thing, Type, UnknownType

QUANTIFIERS: Final[dict[str, QuantifierKind]] = {"some": "some", "every": "every", "no": "no"}


def shadowing_reason(name: str, type_: Type, scope: Scope) -> str:
    """Why a variable of this type may not bear this name; the empty string when it may."""
    if name in BUILTINS | FUNCTIONS:
        return f"`{name}` is a word of the language"
    if name in scope.locals:
        return f"`{name}` is a variable already"
    match scope.symbols.get(name):
        case None:
            return ""
        case KindSymbol(kind):
            own = type_relations.is_assignable(type_, Member(kind), scope.kinds)
            return "" if own else f"`{name}` is a kind, and this variable is {type_relations.describe_type(type_)}"
        case ComponentSymbol():
            own = type_relations.is_assignable(type_, Thing(name), scope.kinds)
            return "" if own else f"`{name}` is a component, and this variable is {type_relations.describe_type(type_)}"
        case _:
            return f"`{name}` stands for something already"


def check_loop_header(desk: CheckContext, node: SyntaxNode, scope: Scope) -> tuple[SyntaxToken, Expr, Scope]:
    """`name in set`, or the name of a kind or component: the variable, what it runs over, and the scope inside."""
    word = node.token()
    over: Expr
    if len(node.parts) > 1:
        over = desk.infer_iterable(node.child(1), scope)
        if isinstance(over.type, SetOf | Bag) and isinstance(
            type_relations.element_type(over.type, scope.kinds), UnknownType
        ):
            over = desk.reject(
                codes.NOT_A_SET, over.offsets, "there is nothing in it to go through", label="always empty"
            )
    else:
        everything = all_members(word.text, scope, node.offsets)
        over = everything if everything else _no_kind(desk, word, scope)
    type_ = type_relations.element_type(over.type, scope.kinds) or UnknownType()
    if scope.slot_count >= limits.MAX_BOUND_VARIABLES:
        message = f"more than {limits.MAX_BOUND_VARIABLES} variables inside one another"
        desk.emit(
            codes.EXPRESSION_TOO_DEEP, word.offsets, message, label="too deep", help="name a part of it in `values`"
        )
    if why := shadowing_reason(word.text, type_, scope):
        symbol = lookup(word.text, scope)
        where: Span | None = getattr(symbol, "span", None)
        related = (Related(where, "it stands for this"),) if where else ()
        if len(node.parts) > 1 or all_members(word.text, scope, node.offsets):
            desk.emit(codes.SHADOWING, word.offsets, why, label="taken", help="choose another name", related=related)
    return word, over, scope.with_variable(word.text, type_)


def _no_kind(desk: CheckContext, word: SyntaxToken, scope: Scope) -> Expr:
    hint = f"to go through a set, write `{word.text} in …`"
    if lookup(word.text, scope) is None and word.text not in BUILTINS:
        return reject_unknown(desk, word, scope, what="kind or component")
    message = f"`{word.text}` is no kind and no component"
    return desk.reject(codes.WRONG_KIND_OF_NAME, word.offsets, message, label="not a kind", help=hint)


def check_quantifier(desk: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """`some x in S has P`, `every`, `no`."""
    _, over, inner = check_loop_header(desk, node.child(0), scope)
    has = desk.infer_condition(node.child(1), inner)
    return Quantifier(QUANTIFIERS[node.rule], scope.slot_count, over, has, Flag(), node.offsets)


def check_filter(desk: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """`each x in S where P`: those for which it holds."""
    _, over, inner = check_loop_header(desk, node.child(0), scope)
    where = desk.infer_condition(node.child(1), inner)
    of = type_relations.element_type(over.type, scope.kinds)
    if of is None or isinstance(over.type, UnknownType):
        return error_expr(node.offsets)
    type_ = SetOf(None if isinstance(of, UnknownType) else of, type_relations.max_elements(over.type, scope.kinds))
    return Filter(scope.slot_count, over, where, type_, node.offsets)


def check_loop_binding(desk: CheckContext, node: SyntaxNode, scope: Scope) -> tuple[Binding, Scope]:
    """`x in S where P`, and the scope inside."""
    word, over, inner = check_loop_header(desk, node.child(0), scope)
    where = desk.infer_condition(node.child(1), inner) if len(node.parts) > 1 else None
    type_ = inner.locals[word.text].type
    return Binding(word.text, scope.slot_count, over, where, type_, node.offsets), inner


def check_sum(desk: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """`sum of E for x in S`: numbers or bags added up."""
    loop, inner = check_loop_binding(desk, node.child(1), scope)
    of = desk.infer(node.child(0), inner)
    if isinstance(of.type, UnknownType) or isinstance(loop.over.type, UnknownType):
        return error_expr(node.offsets)
    times = type_relations.max_elements(loop.over.type, scope.kinds)
    bounds = type_relations.as_number(of.type, scope.kinds)
    if bounds is not None:
        type_: Type = Number(min(0, bounds.low * times), max(0, bounds.high * times))
    elif isinstance(of.type, Bag):
        type_ = Bag(of.type.kind, of.type.max_size * times)
    else:
        message = f"`sum` adds up numbers or bags, and this is {type_relations.describe_type(of.type)}"
        hint = "`count(each … where …)` says for how many it holds" if isinstance(of.type, Flag) else ""
        hint = "one of each: `sum of 1 of … for …`" if isinstance(of.type, Member) else hint
        return desk.reject(
            codes.ARITHMETIC_ON_NON_NUMBER, of.offsets, message, label=type_relations.describe_type(of.type), help=hint
        )
    return Sum(loop.slot, loop.over, loop.condition, of, type_, node.offsets)


def check_extremum(desk: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """`max of E for x in S`, `min of E for x in S`: the greatest or least number; 0 where there is none."""
    pick: Literal["max", "min"] = "max" if node.rule == "greatest" else "min"
    loop, inner = check_loop_binding(desk, node.child(1), scope)
    of = desk.infer(node.child(0), inner)
    if isinstance(of.type, UnknownType) or isinstance(loop.over.type, UnknownType):
        return error_expr(node.offsets)
    bounds = type_relations.as_number(of.type, scope.kinds)
    if bounds is None:
        message = f"`{pick}` finds a number, and this is {type_relations.describe_type(of.type)}"
        return desk.reject(
            codes.ARITHMETIC_ON_NON_NUMBER, of.offsets, message, label=type_relations.describe_type(of.type)
        )
    if loop.condition is not None or not _surely_some(loop.over):
        bounds = Number(min(0, bounds.low), max(0, bounds.high))
    return Extremum(pick, loop.slot, loop.over, loop.condition, of, bounds, node.offsets)


def _surely_some(over: Expr) -> bool:
    """Whether a set has members in every position."""
    match over:
        case Constant(value=tuple() as members):
            return bool(members)
        case Range(low=low, high=high) if isinstance(low.type, Number) and isinstance(high.type, Number):
            return low.type.high <= high.type.low
        case _:
            return False


def check_if(desk: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """`if A then B else C`."""
    when = desk.infer_condition(node.child(0), scope)
    then, otherwise = desk.infer(node.child(1), scope), desk.infer(node.child(2), scope)
    type_ = type_relations.join_types(then.type, otherwise.type, scope.kinds)
    if type_ is None:
        one, other = type_relations.describe_type(then.type), type_relations.describe_type(otherwise.type)
        message = f"one outcome is {one}, the other {other}"
        return desk.reject(
            codes.BRANCHES_DIFFER, otherwise.offsets, message, label=type_relations.describe_type(otherwise.type)
        )
    return If(when, then, otherwise, type_, node.offsets)
