"""What is after a dot: a field of a thing or cell, or its total over a set of things.

In: the rule `field` of the grammar. Out: typed reads, or diagnostics about fields that do not exist.
"""

from __future__ import annotations

from rulewright.diagnostics import Cause
from rulewright.expr import codes
from rulewright.expr.method_hints import method_hint
from rulewright.expr.scope import ComponentSymbol, KindSymbol, MemberSymbol, Scope, VariableSymbol, ZoneSymbol
from rulewright.expr.syntax_tree import Rewriting, SyntaxNode, SyntaxToken
from rulewright.expr.tree import Constant, Expr, FieldAccess, FieldTotal, Local, MemberCount, ReadZone
from rulewright.expr.type_relations import article, as_number, describe_type
from rulewright.expr.typecheck.check_context import CheckContext, error_expr
from rulewright.expr.typecheck.expr_hints import members_hint, takes_keys
from rulewright.expr.typecheck.keys import declaration_note, member_count_text
from rulewright.expr.types import SEAT, Bag, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.suggestions import did_you_mean, join_hints, unknown_name_hint


def check_field(ctx: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """A dot: a field of a thing or cell, or its total over a set."""
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
            return _check_former_count(ctx, node, operand, kind, size, scope)
        case Member(kind) if columns := scope.kinds[kind].columns:
            sizes = {"row": len(scope.kinds[kind].members) // columns, "column": columns}
            if word.text in sizes:
                return FieldAccess(operand, word.text, Number(1, sizes[word.text]), node.offsets)
            message, label = f"a cell has no field `{word.text}`", f"not a field of `{kind}`"
            known = unknown_name_hint(word.text, "fields", sizes)
            return ctx.reject(codes.UNKNOWN_FIELD, word.offsets, message, label=label, help=known)
    message = f"{describe_type(operand.type)} has no fields"
    owner = ctx.source_text(operand.offsets)
    hint = method_hint(word.text, owner) if isinstance(operand.type, SetOf) else ""
    if takes_keys(scope.lookup(word.text)):
        key = "me" if isinstance(operand.type, SetOf) and owner == SEAT.kind and scope.has_me else owner
        hint = f"keys go in parentheses: `{word.text}({key})`"
    return ctx.reject(codes.NO_FIELDS, word.offsets, message, label="no fields", help=hint)


def _field_type(ctx: CheckContext, word: SyntaxToken, component: str, scope: Scope, *, of: str = "") -> Type | None:
    """`of`: the set whose fields are added up, as it is written."""
    symbol = scope.symbols.get(component)
    if not isinstance(symbol, ComponentSymbol):
        return None  # what is wrong with it is reported where it is declared
    if word.text in symbol.field_types:
        return symbol.field_types[word.text]
    ctx.emit(
        codes.UNKNOWN_FIELD,
        word.offsets,
        f"{article(component)} {component} has no field `{word.text}`",
        label=f"not a field of `{component}`",
        help=(method_hint(word.text, of) if of else "") or unknown_name_hint(word.text, "fields", symbol.field_types),
        related=declaration_note(scope.spans.get(component), "its fields are declared here"),
        cause=Cause("no field", word.text, component),
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


def _missing_keys(bag: Expr, scope: Scope) -> tuple[str, ...]:
    """The kinds of the keys that a zone lacks, which is therefore read as the union of its places."""
    zone = scope.symbols.get(bag.name) if isinstance(bag, ReadZone) else None
    types = zone.key_types[len(bag.keys) :] if isinstance(bag, ReadZone) and isinstance(zone, ZoneSymbol) else ()
    return tuple(type_.kind if isinstance(type_, Member) else describe_type(type_) for type_ in types)


def _check_former_count(ctx: CheckContext, node: SyntaxNode, bag: Expr, kind: str, size: int, scope: Scope) -> Expr:
    """`bag.member`, as version 1 wrote the count of a member; reported with the spelling of today."""
    word = node.token(1)
    symbol = scope.lookup(word.text)
    bag_type, owner = describe_type(bag.type), ctx.source_text(bag.offsets)
    member: Expr
    match symbol:
        case MemberSymbol(member_kind, value):
            member = Constant(value, Member(member_kind), word.offsets)
        case VariableSymbol(Member() as type_, slot):
            member = Local(word.text, slot, type_, word.offsets)
        case _:

            def hint() -> str:
                if method := method_hint(word.text, owner):
                    return method
                if isinstance(symbol, KindSymbol):
                    return f"`{word.text}` is a whole kind: for the total, write `count({owner})`"
                return join_hints(did_you_mean(word.text, scope.kinds[kind].members), members_hint(kind, scope))

            message, label = f"`{word.text}` is not a member of {bag_type}", f"not a member of `{kind}`"
            cause = Cause("no member", word.text, kind)
            return ctx.reject(codes.UNKNOWN_FIELD, word.offsets, message, label=label, help=hint, cause=cause)
    member = ctx.expect(member, Member(kind), scope, subject=f"what is counted in {bag_type}")
    if missing := _missing_keys(bag, scope):
        places = member_count_text(node.child(0), owner, ", ".join((*missing, word.text)))
        message, help_ = "a dot is for fields of things", f"add up its places: `sum of {places} for {missing[-1]}`"
        return ctx.reject(codes.WRONG_INDEX, word.offsets, message, label="a member of a bag", help=help_)
    if not isinstance(member.type, UnknownType):
        message, text = "a dot is for fields of things", member_count_text(node.child(0), owner, word.text)
        label, help_, rewriting = "a member of a bag", f"write `{text}`", Rewriting(node.offsets, text)
        ctx.emit(codes.FORMER_SPELLING, word.offsets, message, label=label, help=help_, rewriting=rewriting)
    return MemberCount(member, bag, Number(0, size), node.offsets)
