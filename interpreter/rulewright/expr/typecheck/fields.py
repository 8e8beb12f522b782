"""What is after a dot: a field of a thing, its total over a set of things, the count of a member in a bag.

In: the rule `field` of the grammar. Out: typed reads, or diagnostics about fields that do not exist.
"""

from __future__ import annotations

from rulewright.expr import codes
from rulewright.expr.method_hints import method_hint
from rulewright.expr.scope import ComponentSymbol, KindSymbol, MemberSymbol, Scope, VariableSymbol
from rulewright.expr.syntax_tree import SyntaxNode, SyntaxToken
from rulewright.expr.tree import Constant, Expr, FieldAccess, FieldTotal, Local, MemberCount, Offsets
from rulewright.expr.type_relations import article, as_number, describe_type
from rulewright.expr.typecheck.check_context import CheckContext, error_expr
from rulewright.expr.typecheck.expr_hints import members_hint
from rulewright.expr.typecheck.keys import declaration_note
from rulewright.expr.types import Bag, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.suggestions import did_you_mean, join_hints, unknown_name_hint


def check_field(ctx: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """A dot: a field of a thing, its total over a set, or the count of a member in a bag."""
    operand, word = ctx.infer(node.child(0), scope), node.token(1)
    match operand.type:
        case UnknownType():
            return error_expr(node.offsets)
        case Thing(component):
            type_ = _field_type(ctx, word, component, scope)
            return error_expr(node.offsets) if type_ is None else FieldAccess(operand, word.text, type_, node.offsets)
        case SetOf(Thing(component), size):
            type_ = _field_type(ctx, word, component, scope, of=ctx.source_text(operand.offsets))
            if type_ is None:
                return error_expr(node.offsets)
            total = _total_type(type_, size, scope)
            if total is None:
                message = f"`{word.text}` of {article(component)} {component} is {describe_type(type_)}, not a number"
                hint = f"loop over the set: `some {component} in … has {component}.{word.text} …`"
                return ctx.reject(codes.FIELD_WITHOUT_TOTAL, word.offsets, message, label="no total", help=hint)
            return FieldTotal(operand, word.text, total, node.offsets)
        case Bag(kind, size) if kind:
            return _check_member_count(ctx, word, operand, kind, size, node.offsets, scope)
    message = f"{describe_type(operand.type)} has no fields"
    owner = ctx.source_text(operand.offsets)
    hint = method_hint(word.text, owner) if isinstance(operand.type, SetOf) else ""
    return ctx.reject(codes.NO_FIELDS, word.offsets, message, label="no fields", help=hint)


def _field_type(ctx: CheckContext, word: SyntaxToken, component: str, scope: Scope, *, of: str = "") -> Type | None:
    """`of`: the set whose fields are added up, as it is written."""
    symbol = scope.symbols.get(component)
    assert isinstance(symbol, ComponentSymbol), component
    if word.text in symbol.field_types:
        return symbol.field_types[word.text]
    ctx.emit(
        codes.UNKNOWN_FIELD,
        word.offsets,
        f"{article(component)} {component} has no field `{word.text}`",
        label=f"not a field of `{component}`",
        help=(method_hint(word.text, of) if of else "") or unknown_name_hint(word.text, "fields", symbol.field_types),
        related=declaration_note(symbol.span, "its fields are declared here"),
    )
    return None


def _total_type(type_: Type, count: int, scope: Scope) -> Type | None:
    """The type of a sum of at most `count` values; None if values of this type cannot be added up."""
    match type_:
        case Member(kind) if not scope.kinds[kind].is_numeric:
            return Bag(kind, count)
        case Bag(kind, size):
            return Bag(kind, size * count)
        case UnknownType():
            return type_
    bounds = as_number(type_, scope.kinds)
    return None if bounds is None else Number(min(0, bounds.low * count), max(0, bounds.high * count))


def _check_member_count(
    ctx: CheckContext, word: SyntaxToken, bag: Expr, kind: str, size: int, offsets: Offsets, scope: Scope
) -> Expr:
    symbol = scope.lookup(word.text)
    bag_type = describe_type(bag.type)
    member: Expr
    match symbol:
        case MemberSymbol(member_kind, value):
            member = Constant(value, Member(member_kind), word.offsets)
        case VariableSymbol(Member() as type_, slot):
            member = Local(word.text, slot, type_, word.offsets)
        case _:

            def hint() -> str:
                if method := method_hint(word.text, ctx.source_text(bag.offsets)):
                    return method
                if isinstance(symbol, KindSymbol):
                    return (
                        f"`{word.text}` is a whole kind: for the total, write `count({ctx.source_text(bag.offsets)})`"
                    )
                return join_hints(did_you_mean(word.text, scope.kinds[kind].members), members_hint(kind, scope))

            message, label = f"`{word.text}` is not a member of {bag_type}", f"not a member of `{kind}`"
            return ctx.reject(codes.UNKNOWN_FIELD, word.offsets, message, label=label, help=hint)
    member = ctx.expect(member, Member(kind), scope, subject=f"what is counted in {bag_type}")
    return MemberCount(member, bag, Number(0, size), offsets)
