"""Numbers and bags as they are written, and what is fixed by the text of an expression alone.

In: the rules `number`, `negative` and `bag_literal` of the grammar, or any part of an expression. Out: constants and
bags, or yes or no.
"""

from __future__ import annotations

from rulewright.expr import codes
from rulewright.expr.scope import MemberSymbol, ParameterSymbol, Scope
from rulewright.expr.syntax_tree import SyntaxNode
from rulewright.expr.tree import Arithmetic, BagLiteral, Constant, Expr, ReadZone
from rulewright.expr.type_relations import describe_type
from rulewright.expr.typecheck.check_context import CheckContext, error_expr
from rulewright.expr.typecheck.expr_hints import parameter_hint
from rulewright.expr.types import Bag, Member, Number, SetOf, Thing, UnknownType


def check_number(ctx: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """A number."""
    value = int(node.token().text)
    return Constant(value, Number(value, value), node.offsets)


def check_negative(ctx: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """A number below 0."""
    value = -int(node.token().text)
    return Constant(value, Number(value, value), node.offsets)


def check_bag_literal(ctx: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """`2 of red`, `1 of colours`: a bag with a number of a member, or of each member of a set."""
    (count, bounds), members = ctx.infer_number(node.child(0), scope), ctx.infer(node.child(1), scope)
    if isinstance(members.type, UnknownType):
        ctx.tell_what_fits("members", node.child(1), scope)
    if bounds is None or isinstance(members.type, UnknownType):
        return error_expr(node.offsets)
    if bounds.high < 0 or (bounds.high == 0 and is_literal(node.child(0), scope)):
        message, hint = "this bag is always empty", "write `nothing`"
        if not is_literal(node.child(0), scope):
            least = "" if bounds.low == bounds.high else "at most "
            message += f": the amount `{ctx.source_text(count.offsets)}` is {least}{bounds.high} here"
            hint = parameter_hint(node.child(0), scope)
        return ctx.reject(codes.NOT_ABOVE_ZERO, count.offsets, message, label="not above 0", help=hint)
    if bounds.low < 0:  # a count below 0 means 0
        zero = Constant(0, Number(0, 0), count.offsets)
        count = Arithmetic("less", count, zero, Number(0, bounds.high), count.offsets)
    match members.type:
        case Member(kind):
            return BagLiteral(count, members, Bag(kind, bounds.high), node.offsets)
        case SetOf(Member(kind), size):
            return BagLiteral(count, members, Bag(kind, bounds.high * size), node.offsets)
        case SetOf(None) | Bag(""):
            return Constant(None, Bag("", 0), node.offsets)  # any number of nothing
    is_ = describe_type(members.type)
    message = f"`of` needs a member, a kind or a set of members, not {is_}"
    match members.type:
        case Thing():
            hint = "leave out the number: a thing is there only once"
        case SetOf(Thing()):
            hint = "leave out the number for all of these things, or choose some of them"
            if isinstance(members, ReadZone) and isinstance(count, Constant):
                taken = (
                    f"`top {count.value}` or `{count.value} at random`, and `from: {ctx.source_text(members.offsets)}`"
                )
                hint = f"to take some, write {taken}; leave out the number for all of these things"
            if ctx.address.startswith("zones."):
                hint = "leave this out: things begin where the `start` of their component says"
        case _:
            hint = ""
    return ctx.reject(codes.TYPE_MISMATCH, members.offsets, message, label=is_, help=hint)


def is_literal(node: SyntaxNode, scope: Scope) -> bool:
    """Whether a part consists of numbers, flags and members alone, so that nothing can ever change its value."""
    if node.rule == "name":
        name = node.token().text
        is_member = name not in scope.locals and isinstance(scope.symbols.get(name), MemberSymbol)
        return name in ("true", "false") or is_member
    if node.rule in ("number", "negative"):
        return True
    is_arithmetic = node.rule in ("plus", "minus", "less", "times", "divide", "remainder")
    return is_arithmetic and all(is_literal(part, scope) for part in node.children())


def depends_on_parameters(node: SyntaxNode, scope: Scope) -> bool:
    """Whether a part depends on a parameter or the number of players, which a variant may change."""
    if node.rule == "name":
        name = node.token().text
        return name == "players" or (name not in scope.locals and isinstance(scope.symbols.get(name), ParameterSymbol))
    return any(depends_on_parameters(part, scope) for part in node.children())
