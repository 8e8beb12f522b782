"""What stands behind a dot: a field of a thing, its total over a set of things, how many of a member a bag holds.

In: the part `field` of an expression. Out: typed readings, or complaints about fields that there are not.
"""

from __future__ import annotations

from rulewright.expr import codes, type_relations
from rulewright.expr.scope import ComponentSymbol, KindSymbol, MemberSymbol, Scope, VariableSymbol
from rulewright.expr.syntax_tree import SyntaxNode, SyntaxToken
from rulewright.expr.tree import Constant, Expr, FieldAccess, FieldTotal, Local, MemberCount, Offsets
from rulewright.expr.typecheck.check_context import CheckContext, error_expr, members_hint
from rulewright.expr.typecheck.names import declaration_note, lookup
from rulewright.expr.types import Bag, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.suggestions import did_you_mean, unknown_name_hint


def check_field(desk: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """A dot: a field of a thing, its total over a set, or the count of a member in a bag."""
    of, word = desk.infer(node.child(0), scope), node.token(1)
    match of.type:
        case UnknownType():
            return error_expr(node.offsets)
        case Thing(component):
            found = _field(desk, word, component, scope)
            return error_expr(node.offsets) if found is None else FieldAccess(of, word.text, found, node.offsets)
        case SetOf(Thing(component), most):
            found = _field(desk, word, component, scope)
            if found is None:
                return error_expr(node.offsets)
            total = _total(found, most, scope)
            if total is None:
                message = (
                    f"`{word.text}` of a {component} is {type_relations.describe_type(found)}, which cannot be added up"
                )
                hint = f"go through them: `some {component} in … has {component}.{word.text} …`"
                return desk.reject(codes.FIELD_WITHOUT_TOTAL, word.offsets, message, label="no total", help=hint)
            return FieldTotal(of, word.text, total, node.offsets)
        case Bag(kind, most) if kind:
            return _count_in(desk, word, of, kind, most, node.offsets, scope)
    message = f"{type_relations.describe_type(of.type)} has no fields"
    return desk.reject(codes.NO_FIELDS, word.offsets, message, label="no fields")


def _field(desk: CheckContext, word: SyntaxToken, component: str, scope: Scope) -> Type | None:
    symbol = scope.symbols.get(component)
    assert isinstance(symbol, ComponentSymbol), component
    if word.text in symbol.field_types:
        return symbol.field_types[word.text]
    desk.emit(
        codes.UNKNOWN_FIELD,
        word.offsets,
        f"{type_relations.article(component)} {component} has no field `{word.text}`",
        label=f"not a field of `{component}`",
        help=unknown_name_hint(word.text, "fields", symbol.field_types),
        related=declaration_note(symbol.span, "its fields are declared here"),
    )
    return None


def _total(type_: Type, most: int, scope: Scope) -> Type | None:
    match type_:
        case Member(kind) if not scope.kinds[kind].is_numeric:
            return Bag(kind, most)
        case Bag(kind, in_one):
            return Bag(kind, in_one * most)
        case UnknownType():
            return type_
    bounds = type_relations.as_number(type_, scope.kinds)
    return None if bounds is None else Number(min(0, bounds.low * most), max(0, bounds.high * most))


def _count_in(
    desk: CheckContext, word: SyntaxToken, bag: Expr, kind: str, most: int, at: Offsets, scope: Scope
) -> Expr:
    symbol = lookup(word.text, scope)
    member: Expr | None = None
    match symbol:
        case MemberSymbol(of, number):
            member = Constant(number, Member(of), word.offsets)
        case VariableSymbol(Member() as type_, slot):
            member = Local(word.text, slot, type_, word.offsets)
    if member is None:

        def hint() -> str:
            if isinstance(symbol, KindSymbol):
                return f"`{word.text}` is a whole kind: how many in all is `count({desk.source_text(bag.offsets)})`"
            near = did_you_mean(word.text, scope.kinds[kind].members)
            return f"{near}      {members_hint(kind, scope)}" if near else members_hint(kind, scope)

        return desk.reject(
            codes.UNKNOWN_FIELD,
            word.offsets,
            f"`{word.text}` is no member of {type_relations.describe_type(bag.type)}",
            label=f"not a member of `{kind}`",
            help=hint,
        )
    member = desk.expect(
        member, Member(kind), scope, subject=f"what is counted in {type_relations.describe_type(bag.type)}"
    )
    return MemberCount(bag, member, Number(0, most), at)
