"""Loops: some, every, no, each, sum, max, min; and `if`.

In: the rules of the grammar that bind a variable, and `if`. Out: typed trees, or diagnostics. A variable may have the
name of its own kind, as is usual; any other name that is taken is refused.
"""

from __future__ import annotations

from typing import Final, Literal

from rulewright import limits
from rulewright.diagnostics import Span
from rulewright.expr import codes
from rulewright.expr.keywords import BUILTINS, FUNCTIONS
from rulewright.expr.scope import (
    ComponentSymbol,
    KindSymbol,
    MemberSymbol,
    Scope,
    UnavailableSymbol,
    VariableSymbol,
)
from rulewright.expr.structural_key import structural_key
from rulewright.expr.syntax_tree import SyntaxNode, SyntaxToken
from rulewright.expr.tree import (
    Binding,
    Builtin,
    Constant,
    Expr,
    Extremum,
    Filter,
    If,
    Quantifier,
    QuantifierKind,
    Range,
    Sum,
)
from rulewright.expr.type_relations import (
    as_number,
    describe_type,
    element_type,
    is_assignable,
    join_types,
    max_elements,
)
from rulewright.expr.typecheck.check_context import CheckContext, error_expr
from rulewright.expr.typecheck.contradictions import check_branches
from rulewright.expr.typecheck.expr_hints import all_members, all_members_hint, kind_hint
from rulewright.expr.typecheck.keys import declaration_note
from rulewright.expr.typecheck.names import LOOP_NAME, reject_unknown
from rulewright.expr.types import SEAT, Bag, Flag, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.suggestions import closest_name

QUANTIFIERS: Final[dict[str, QuantifierKind]] = {"some": "some", "every": "every", "no": "no"}


def shadowing_reason(name: str, type_: Type, scope: Scope) -> str:
    """Why a variable of this type may not have this name; the empty string if it may."""
    if name in BUILTINS | FUNCTIONS:
        return f"`{name}` is built into the language"
    if name in scope.locals:
        return f"`{name}` is already a variable"
    match scope.symbols.get(name):
        case None | UnavailableSymbol(""):  # the second is reported where it is declared
            return ""
        case KindSymbol(kind):
            if is_assignable(type_, Member(kind), scope.kinds):
                return ""
            return f"`{name}` is a kind, but this variable is {describe_type(type_)}"
        case ComponentSymbol():
            if is_assignable(type_, Thing(name), scope.kinds):
                return ""
            return f"`{name}` is a component, but this variable is {describe_type(type_)}"
        case _:
            return f"`{name}` is already defined"


def check_loop_header(ctx: CheckContext, node: SyntaxNode, scope: Scope) -> tuple[SyntaxToken, Expr, Scope]:
    """`name in set`, or the name of a kind or component: the variable, what it loops over, and the scope inside."""
    word = node.token()
    members = all_members(word.text, scope, node.offsets)
    over: Expr
    if len(node.parts) > 1:
        over = ctx.infer_iterable(node.child(1), scope)
        is_collection = isinstance(over.type, SetOf | Bag)
        if is_collection and isinstance(element_type(over.type, scope.kinds), UnknownType):
            over = ctx.reject(codes.NOT_A_SET, over.offsets, "this is always empty", label="always empty")
    else:
        over = members or _reject_loop_name(ctx, word, scope)
    type_ = element_type(over.type, scope.kinds) or UnknownType()
    if scope.slot_count >= limits.MAX_BOUND_VARIABLES:
        message = f"more than {limits.MAX_BOUND_VARIABLES} nested variables"
        hint = "name a part of it in `values`"
        ctx.emit(codes.EXPRESSION_TOO_DEEP, word.offsets, message, label="too deep", help=hint)
    reason = shadowing_reason(word.text, type_, scope)
    if reason and (len(node.parts) > 1 or members):
        related = declaration_note(_declaration_span(word.text, scope), "declared here")
        is_kind = len(node.parts) == 1 and word.text in scope.locals
        hint = all_members_hint(word.text, scope) if is_kind else "choose another name"
        ctx.emit(codes.SHADOWING, word.offsets, reason, label="taken", help=hint, related=related)
        type_ = UnknownType()  # what uses it is not reported again
    inner = scope.inside_loop(word.text, type_)
    meant = "" if len(node.parts) > 1 or members else _meant_kind(word.text, scope)
    return word, over, inner.inside_loop(meant, UnknownType()) if meant else inner


def _meant_kind(name: str, scope: Scope) -> str:
    """The kind or component that an unknown one is probably meant to be: inside the loop its name is the variable."""
    return closest_name(name, [known for known in scope.symbols if all_members(known, scope, (0, 0)) is not None]) or ""


def _declaration_span(name: str, scope: Scope) -> Span | None:
    match scope.lookup(name):
        case None | VariableSymbol() | MemberSymbol() | UnavailableSymbol():
            return None
        case _:
            return scope.spans.get(name)


def _reject_loop_name(ctx: CheckContext, word: SyntaxToken, scope: Scope) -> Expr:
    if scope.lookup(word.text) is None and word.text not in BUILTINS:
        return reject_unknown(ctx, word, scope, category=LOOP_NAME)
    if scope.lookup(word.text) == UnavailableSymbol(""):
        return error_expr(word.offsets)
    message = f"`{word.text}` is not a kind or component"
    hint = kind_hint(word.text) or f"to loop over a set, write `{word.text} in …`"
    return ctx.reject(codes.WRONG_KIND_OF_NAME, word.offsets, message, label="not a kind", help=hint)


def check_quantifier(ctx: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """`some x in S has P`, `every`, `no`."""
    _, over, inner = check_loop_header(ctx, node.child(0), scope)
    condition = ctx.infer_condition(node.child(1), inner)
    return Quantifier(QUANTIFIERS[node.rule], scope.slot_count, condition, over, Flag(), node.offsets)


def check_filter(ctx: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """`each x in S where P`: the elements for which it holds; `each x in S`: all of them."""
    _, over, inner = check_loop_header(ctx, node.child(0), scope)
    condition = ctx.infer_condition(node.child(1), inner) if len(node.parts) > 1 else None
    element = element_type(over.type, scope.kinds)
    if element is None or isinstance(over.type, UnknownType):
        return error_expr(node.offsets)
    type_ = SetOf(None if isinstance(element, UnknownType) else element, max_elements(over.type, scope.kinds))
    return Filter(scope.slot_count, condition, over, type_, node.offsets)


def check_loop_binding(ctx: CheckContext, node: SyntaxNode, scope: Scope) -> tuple[Binding, Scope]:
    """`x in S where P`, and the scope inside."""
    word, over, inner = check_loop_header(ctx, node.child(0), scope)
    condition = ctx.infer_condition(node.child(1), inner) if len(node.parts) > 1 else None
    type_ = inner.locals[word.text].type
    return Binding(word.text, scope.slot_count, over, condition, type_, node.offsets), inner


def check_sum(ctx: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """`sum of E for x in S`: numbers or bags added up."""
    loop, inner = check_loop_binding(ctx, node.child(1), scope)
    term = ctx.infer(node.child(0), inner)
    if isinstance(term.type, UnknownType) or isinstance(loop.over.type, UnknownType):
        return error_expr(node.offsets)
    count = max_elements(loop.over.type, scope.kinds)
    bounds = as_number(term.type, scope.kinds)
    if bounds is not None:
        type_: Type = Number(min(0, bounds.low * count), max(0, bounds.high * count))
    elif isinstance(term.type, Bag):
        type_ = Bag(term.type.kind, term.type.max_size * count)
    else:
        is_ = describe_type(term.type)
        hint = "to count those for which it holds, write `count(each … where …)`" if isinstance(term.type, Flag) else ""
        hint = "for a bag of them, write `sum of 1 of … for …`" if isinstance(term.type, Member) else hint
        message = f"`sum` adds up numbers or bags, not {is_}"
        return ctx.reject(codes.ARITHMETIC_ON_NON_NUMBER, term.offsets, message, label=is_, help=hint)
    return Sum(loop.slot, term, loop.condition, loop.over, type_, node.offsets)


def check_extremum(ctx: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """`max of E for x in S`, `min of E for x in S`: the greatest or least number; 0 if there is none."""
    function: Literal["max", "min"] = "max" if node.rule == "greatest" else "min"
    loop, inner = check_loop_binding(ctx, node.child(1), scope)
    term = ctx.infer(node.child(0), inner)
    if isinstance(term.type, UnknownType) or isinstance(loop.over.type, UnknownType):
        return error_expr(node.offsets)
    bounds = as_number(term.type, scope.kinds)
    if bounds is None:
        is_ = describe_type(term.type)
        message = f"`{function}` compares numbers, not {is_}"
        return ctx.reject(codes.ARITHMETIC_ON_NON_NUMBER, term.offsets, message, label=is_)
    if loop.condition is not None or not _is_never_empty(loop.over):
        bounds = Number(min(0, bounds.low), max(0, bounds.high))
    return Extremum(function, loop.slot, term, loop.condition, loop.over, bounds, node.offsets)


def _is_never_empty(over: Expr) -> bool:
    """Whether a set has elements in every position."""
    match over:
        case Constant(value=tuple() as members):
            return bool(members)
        case Builtin(name=SEAT.kind):
            return True
        case Range(low=low, high=high) if isinstance(low.type, Number) and isinstance(high.type, Number):
            return low.type.high <= high.type.low
        case _:
            return False


def check_if(ctx: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """`if A then B else C`."""
    count = len(ctx.diagnostics)
    condition = ctx.infer_condition(node.child(0), scope)
    then, otherwise = ctx.infer(node.child(1), scope), ctx.infer(node.child(2), scope)
    type_ = join_types(then.type, otherwise.type, scope.kinds)
    if type_ is None:
        label = describe_type(otherwise.type)
        message = f"one outcome is {describe_type(then.type)}, the other {label}"
        return ctx.reject(codes.BRANCHES_DIFFER, otherwise.offsets, message, label=label)
    # the outcome of one class is never that of another: in a long chain of `else if` nothing is compared
    outcome = structural_key(then) if type(then) is type(otherwise) else None
    if outcome is not None and outcome == structural_key(otherwise):
        message, hint = "both outcomes of this `if` are the same", "change one of them, or write it without the `if`"
        ctx.emit(codes.SAME_BRANCHES, otherwise.offsets, message, label="the same again", help=hint)
    expr = If(condition, then, otherwise, type_, node.offsets)
    if isinstance(otherwise, If) and len(ctx.diagnostics) == count:
        check_branches(expr, ctx.scalar, ctx.offset, ctx.diagnostics, ctx.address)
    return expr
