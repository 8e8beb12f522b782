"""What stands behind a dot: a field of a thing, its total over a set of things, how many of a member a bag holds.

In: the part `field` of an expression. Out: typed readings, or complaints about fields that there are not.
"""

from __future__ import annotations

from rulewright.diagnostics import hint_of, nearest
from rulewright.expr import codes, type_relations
from rulewright.expr.syntax_tree import Syntax, Token
from rulewright.expr.tree import At, Constant, CountIn, Expr, Field, Local, Total
from rulewright.expr.typecheck.check_context import Desk, members_of, unclear
from rulewright.expr.typecheck.names import declared, find
from rulewright.expr.types import (
    Bag,
    Component,
    KindName,
    Member,
    Number,
    Scope,
    SetOf,
    Thing,
    Type,
    Unknown,
    Variable,
    Word,
)


def field(desk: Desk, node: Syntax, scope: Scope) -> Expr:
    """A dot: a field of a thing, its total over a set, or the count of a member in a bag."""
    of, word = desk.read(node.node(0), scope), node.word(1)
    match of.type:
        case Unknown():
            return unclear(node.at)
        case Thing(component):
            found = _field(desk, word, component, scope)
            return unclear(node.at) if found is None else Field(of, word.text, found, node.at)
        case SetOf(Thing(component), most):
            found = _field(desk, word, component, scope)
            if found is None:
                return unclear(node.at)
            total = _total(found, most, scope)
            if total is None:
                message = f"`{word.text}` of a {component} is {type_relations.phrase(found)}, which cannot be added up"
                hint = f"go through them: `some {component} in … has {component}.{word.text} …`"
                return desk.wrong(codes.NOT_TOTALLED, word.at, message, label="no total", help=hint)
            return Total(of, word.text, total, node.at)
        case Bag(kind, most) if kind:
            return _count_in(desk, word, of, kind, most, node.at, scope)
    message = f"{type_relations.phrase(of.type)} has no fields"
    return desk.wrong(codes.NO_FIELDS, word.at, message, label="no fields")


def _field(desk: Desk, word: Token, component: str, scope: Scope) -> Type | None:
    symbol = scope.symbols.get(component)
    assert isinstance(symbol, Component), component
    if word.text in symbol.fields:
        return symbol.fields[word.text]
    desk.complain(
        codes.UNKNOWN_FIELD,
        word.at,
        f"{type_relations.article(component)} {component} has no field `{word.text}`",
        label=f"not a field of `{component}`",
        help=hint_of(word.text, "fields", symbol.fields),
        related=declared(symbol.span, "its fields are declared here"),
    )
    return None


def _total(type_: Type, most: int, scope: Scope) -> Type | None:
    match type_:
        case Member(kind) if not scope.kinds[kind].numeric:
            return Bag(kind, most)
        case Bag(kind, in_one):
            return Bag(kind, in_one * most)
        case Unknown():
            return type_
    bounds = type_relations.number(type_, scope.kinds)
    return None if bounds is None else Number(min(0, bounds.low * most), max(0, bounds.high * most))


def _count_in(desk: Desk, word: Token, bag: Expr, kind: str, most: int, at: At, scope: Scope) -> Expr:
    symbol = find(word.text, scope)
    member: Expr | None = None
    match symbol:
        case Word(of, number):
            member = Constant(number, Member(of), word.at)
        case Variable(Member() as type_, slot):
            member = Local(word.text, slot, type_, word.at)
    if member is None:

        def hint() -> str:
            if isinstance(symbol, KindName):
                return f"`{word.text}` is a whole kind: how many in all is `count({desk.text(bag.at)})`"
            near = nearest(word.text, scope.kinds[kind].members)
            return f"{near}      {members_of(kind, scope)}" if near else members_of(kind, scope)

        return desk.wrong(
            codes.UNKNOWN_FIELD,
            word.at,
            f"`{word.text}` is no member of {type_relations.phrase(bag.type)}",
            label=f"not a member of `{kind}`",
            help=hint,
        )
    member = desk.need(member, Member(kind), scope, what=f"what is counted in {type_relations.phrase(bag.type)}")
    return CountIn(bag, member, Number(0, most), at)
