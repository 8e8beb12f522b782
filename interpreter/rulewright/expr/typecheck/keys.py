"""Keys: which place of a zone, which entry of a value, state or parameter a name means.

In: a name with its symbol and arguments. Out: typed keys or reads, or diagnostics about keys that are missing, too many
or of the wrong type.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from math import prod
from typing import Final, assert_never

from rulewright.diagnostics import Cause, CauseSort, Related, Span
from rulewright.expr import codes
from rulewright.expr.scope import ComponentSymbol, ParameterSymbol, Scope, StateSymbol, ValueSymbol, ZoneSymbol
from rulewright.expr.syntax_tree import SyntaxNode, SyntaxToken
from rulewright.expr.tree import Expr, MemberCount, Offsets, ReadZone
from rulewright.expr.type_relations import describe_type, is_assignable, is_comparable, max_line_length
from rulewright.expr.typecheck.check_context import CheckContext, error_expr, is_usable
from rulewright.expr.typecheck.expr_hints import seat_hint
from rulewright.expr.types import SEAT, Bag, Flag, Member, Number, SetOf, Thing, Type, UnknownType

KEY: Final = "key"
MAX_REORDERED_KEYS: Final = 4  # of which 24 orders are tried


def declaration_note(span: Span | None, note: str) -> tuple[Related, ...]:
    """Where something is declared, for a diagnostic; empty if that is unknown."""
    return (Related(span, note),) if span else ()


def _key_form(name: str, key_types: tuple[Type, ...]) -> str:
    """How a name is written with its keys: `hand(seat)`."""
    return f"{name}({', '.join(_key_name(key_type) for key_type in key_types)})" if key_types else name


def place_form(name: str, key_types: tuple[Type, ...], scope: Scope) -> str:
    """How a place of a zone, or a name with such keys, is probably written here."""
    if not key_types:
        return name
    return f"{name}({', '.join(_key_at_hand(key_type, scope) for key_type in key_types)})"


def _fitting_form(
    ctx: CheckContext, word: SyntaxToken, exprs: Sequence[Expr], types: tuple[Type, ...], scope: Scope
) -> str:
    """How a name is written with the first of its keys, where those fit and there are too many."""
    if types and len(exprs) > len(types) and all(is_usable(*pair, scope) for pair in zip(exprs, types, strict=False)):
        return f"{word.text}({', '.join(ctx.source_text(expr.offsets) for expr in exprs[: len(types)])})"
    return place_form(word.text, types, scope)


def _key_at_hand(key_type: Type, scope: Scope) -> str:
    """A key of a type: a variable, else for a seat the one in turn, else a field of a thing."""
    variables = [name for name, variable in scope.locals.items() if variable.type == key_type]
    if variables:
        return _key_name(key_type) if _key_name(key_type) in variables else variables[-1]
    if key_type == SEAT and scope.has_me:
        return "me"
    for name, variable in scope.locals.items():
        component = scope.symbols.get(variable.type.component) if isinstance(variable.type, Thing) else None
        if isinstance(component, ComponentSymbol):
            field = next((field for field, type_ in component.field_types.items() if type_ == key_type), None)
            if field is not None:
                return f"{name}.{field}"
    return _key_name(key_type)


def _key_name(key_type: Type) -> str:
    match key_type:
        case Member(name) | Thing(name):
            return name
        case _:
            return describe_type(key_type)


def _describe_key_count(count: int, noun: str = "key") -> str:
    return f"no {noun}s" if not count else f"one {noun}" if count == 1 else f"{count} {noun}s"


# ---- values, state, parameters --------------------------------------------------------------------------------


def check_keys(
    ctx: CheckContext,
    word: SyntaxToken,
    symbol: ParameterSymbol | StateSymbol | ValueSymbol,
    args: tuple[SyntaxNode, ...],
    offsets: Offsets,
    scope: Scope,
    *,
    is_call: bool,
) -> tuple[Expr, ...] | None:
    """The keys of a value, state or parameter, each a single member; None if one is wrong."""
    exprs = [ctx.infer(arg, scope) for arg in args]
    types = symbol.key_types
    if len(args) != len(types) or (is_call and not types):
        if any(isinstance(expr.type, UnknownType) for expr in exprs):
            return None
        form = _key_form(word.text, types)
        message = f"`{word.text}` takes {_describe_key_count(len(types), _noun(symbol))}, got {len(args)}"
        if not types and not args:
            message = f"`{word.text}` takes no {_noun(symbol)}s, so it has no parentheses"
        cause = _missing_per(word, symbol, exprs)
        hint = _per_hint(cause, _noun(symbol)) or f"write `{_fitting_form(ctx, word, exprs, types, scope)}`"
        related = declaration_note(scope.spans.get(word.text), "declared here")
        label = f"expected `{form}`"
        ctx.emit(codes.WRONG_INDEX, offsets, message, label=label, help=hint, related=related, cause=cause)
        return None
    if any(isinstance(expr.type, UnknownType) for expr in exprs):
        _tell_what_fits(ctx, args, exprs, types, scope)
    elif all(is_usable(expr, wanted, scope) for expr, wanted in zip(exprs, types, strict=True)):
        return tuple(exprs)
    elif _reject_other_order(ctx, word, exprs, types, scope, _noun(symbol)):
        return None
    subject = f"{'an argument' if _noun(symbol) == 'argument' else 'the key'} of `{word.text}`"
    for expr, wanted in zip(exprs, types, strict=True):
        ctx.expect(expr, wanted, scope, subject=subject, code=codes.WRONG_INDEX)
    return None


def _noun(symbol: ParameterSymbol | StateSymbol | ValueSymbol) -> str:
    """What stands in parentheses after a name."""
    return "argument" if isinstance(symbol, ValueSymbol) and symbol.is_procedure else KEY


def _tell_what_fits(
    ctx: CheckContext, args: Sequence[SyntaxNode], exprs: Sequence[Expr], types: Sequence[Type], scope: Scope
) -> None:
    """Tells which names fit where a key is none. `types`: of the keys, and of the member behind them."""
    for arg, expr, wanted in zip(args, exprs, types, strict=False):
        if isinstance(expr.type, UnknownType):
            ctx.tell_what_fits(wanted, arg, scope)


def _reject_other_order(
    ctx: CheckContext, word: SyntaxToken, exprs: Sequence[Expr], types: Sequence[Type], scope: Scope, noun: str
) -> bool:
    """Reports keys that fit, but in another order, once, at the first that stands where it does not fit."""
    wrong = [expr for expr, wanted in zip(exprs, types, strict=True) if not is_usable(expr, wanted, scope)]
    if len(wrong) < 2 or len(exprs) > MAX_REORDERED_KEYS or any(isinstance(each.type, UnknownType) for each in exprs):
        return False
    for order in permutations(exprs):
        if all(is_usable(expr, wanted, scope) for expr, wanted in zip(order, types, strict=True)):
            written = f"{word.text}({', '.join(ctx.source_text(expr.offsets) for expr in order)})"
            message = f"the {noun}s of `{word.text}` stand in another order"
            label = describe_type(wrong[0].type)
            ctx.emit(codes.WRONG_INDEX, wrong[0].offsets, message, label=label, help=f"write `{written}`")
            return True
    return False


def _missing_per(
    word: SyntaxToken, symbol: ParameterSymbol | StateSymbol | ValueSymbol | ZoneSymbol, exprs: Sequence[Expr]
) -> Cause | None:
    """What keys too many probably come from: a `per` that the declaration lacks."""
    kinds = [name for expr in exprs if (name := _kind_of_key(expr.type))]
    if len(exprs) <= len(symbol.key_types) or len(kinds) != len(exprs):
        return None
    sort: CauseSort = "more keys" if symbol.key_types else "no keys"
    return Cause(sort, word.text, kinds[0] if len(kinds) == 1 else f"[{', '.join(kinds)}]")


def _per_hint(cause: Cause | None, noun: str = KEY) -> str:
    if cause is None or cause.sort != "no keys":
        return ""
    if noun != KEY:
        return (
            f"write `{cause.name}`, or declare it with arguments: `with: {{name: {cause.meant}}}`, its steps under `do`"
        )
    return f"write `{cause.name}`, or add `per: {cause.meant}` where it is declared"


def _kind_of_key(key_type: Type) -> str:
    """The kind or component of which a key is a member."""
    match key_type:
        case Member(name) | Thing(name) | SetOf(Member(name)) | SetOf(Thing(name)):
            return name
    return ""


# ---- members of a bag -----------------------------------------------------------------------------------------


def member_count_text(bag: SyntaxNode, owner: str, member: str) -> str:
    """How the count of a member is written. `owner`: the bag as it is written."""
    if bag.rule == "at":
        return f"{owner[:-1].rstrip()}, {member})"
    return f"{owner}({member})"


def check_member_count(ctx: CheckContext, bag: Expr, part: SyntaxNode, offsets: Offsets, scope: Scope) -> Expr:
    """The count of a member in a bag: what is in parentheses behind its other keys."""
    assert isinstance(bag.type, Bag)
    subject = f"what is counted in {describe_type(bag.type)}"
    member = ctx.infer(part, scope)
    if bag.type.kind:
        member = ctx.expect(member, Member(bag.type.kind), scope, subject=subject, code=codes.WRONG_INDEX)
    if isinstance(member.type, UnknownType):
        return error_expr(offsets)
    return MemberCount(member, bag, Number(0, bag.type.max_size), offsets)


# ---- zones ----------------------------------------------------------------------------------------------------


def check_zone_read(
    ctx: CheckContext, word: SyntaxToken, zone: ZoneSymbol, args: tuple[SyntaxNode, ...], offsets: Offsets, scope: Scope
) -> Expr:
    """A zone: with all keys the content of a place, with fewer the union, with a member as well the count of it."""
    exprs = [ctx.infer(arg, scope) for arg in args]
    if len(exprs) > len(zone.key_types) + isinstance(zone.content_type, Member) or _is_foreign_key(exprs, zone, scope):
        return _reject_extra_zone_keys(ctx, word, zone, exprs, offsets, scope)
    if (
        len(exprs) == len(zone.key_types) > 1
        and not is_usable(exprs[0], zone.key_types[0], scope)
        and _reject_other_order(ctx, word, exprs, zone.key_types, scope, "key")
    ):
        return error_expr(offsets)
    pairs = list(zip(exprs, zone.key_types, strict=False))
    keys = tuple(_check_zone_key(ctx, word, expr, wanted, scope, zone) for expr, wanted in pairs)
    if any(isinstance(key.type, UnknownType) for key in keys):
        _tell_what_fits(ctx, args, exprs, zone.key_types, scope)
        return error_expr(offsets)
    places = prod(_max_places(key, wanted, scope) for key, wanted in zip(keys, zone.key_types, strict=False))
    places *= prod(_member_count(wanted, scope) for wanted in zone.key_types[len(keys) :])
    size = zone.max_size * places
    match zone.content_type:
        case Member(kind) as content_type:
            if len(exprs) <= len(zone.key_types):
                return ReadZone(word.text, keys, None, Bag(kind, size), offsets)
            subject = f"what is counted in `{word.text}`"
            member = ctx.expect(exprs[-1], content_type, scope, subject=subject, code=codes.WRONG_INDEX)
            if isinstance(member.type, UnknownType):
                _tell_what_fits(ctx, args[-1:], exprs[-1:], (content_type,), scope)
                return error_expr(offsets)
            return ReadZone(word.text, keys, member, Number(0, size), offsets)
        case Thing(component):
            symbol = scope.symbols.get(component)
            if isinstance(symbol, ComponentSymbol):
                size = min(size, symbol.row_count)
            return ReadZone(word.text, keys, None, SetOf(zone.content_type, size), offsets)
        case _:
            assert_never(zone.content_type)


def _reject_extra_zone_keys(
    ctx: CheckContext, word: SyntaxToken, zone: ZoneSymbol, exprs: list[Expr], offsets: Offsets, scope: Scope
) -> Expr:
    if any(isinstance(expr.type, UnknownType) for expr in exprs):
        return error_expr(offsets)
    is_pool = isinstance(zone.content_type, Member)
    is_foreign = len(exprs) <= len(zone.key_types) + is_pool
    member = f", then optionally {describe_type(zone.content_type)}" if is_pool and not is_foreign else ""
    count = _describe_key_count(len(zone.key_types))
    message = f"`{word.text}` takes {count}{member}, got {len(exprs)}"
    label = f"expected `{_key_form(word.text, zone.key_types)}`"
    related = declaration_note(scope.spans.get(word.text), "declared here")
    counts_member = is_pool and bool(exprs[1:]) and is_comparable(exprs[-1].type, zone.content_type, scope.kinds)
    cause = _missing_per(word, zone, exprs[:-1] if counts_member else exprs)
    hint = _per_hint(cause) or f"write `{_fitting_form(ctx, word, exprs, zone.key_types, scope)}`"
    return ctx.reject(codes.WRONG_INDEX, offsets, message, label=label, help=hint, related=related, cause=cause)


def _is_foreign_key(exprs: Sequence[Expr], zone: ZoneSymbol, scope: Scope) -> bool:
    """Whether a zone without keys is given one that cannot be a member of what it holds."""
    if zone.key_types or len(exprs) != 1:
        return False
    key = exprs[0].type
    element = key.element if isinstance(key, SetOf) else key
    return isinstance(element, Member | Thing) and not is_comparable(element, zone.content_type, scope.kinds)


def _check_zone_key(
    ctx: CheckContext, word: SyntaxToken, expr: Expr, wanted: Type, scope: Scope, zone: ZoneSymbol
) -> Expr:
    """A single key: a member, or a set or line of members for the union of their places."""
    if is_usable(expr, wanted, scope) or isinstance(expr.type, UnknownType):
        return expr
    match expr.type:
        case SetOf(element) if element is None or is_assignable(element, wanted, scope.kinds):
            return expr
        case Member(kind) if (cell_kind := scope.kinds[kind].cell_kind) and is_assignable(
            Member(cell_kind), wanted, scope.kinds
        ):
            return expr
    if is_comparable(expr.type, wanted, scope.kinds) or isinstance(expr.type, SetOf):
        return ctx.expect(expr, wanted, scope, subject=f"the key of `{word.text}`", code=codes.WRONG_INDEX)
    form, is_ = _key_form(word.text, zone.key_types), describe_type(expr.type)
    message = f"the key of `{word.text}` must be {describe_type(wanted)}, not {is_}"
    hint = f"write `{place_form(word.text, zone.key_types, scope)}`"
    if wanted == SEAT and isinstance(expr.type, Number):
        hint = seat_hint(scope)
    content_type = zone.content_type
    if isinstance(content_type, Member) and is_comparable(expr.type, content_type, scope.kinds):
        hint = f"a member comes after all keys: `{form[:-1]}, {content_type.kind})`"
    related = declaration_note(scope.spans.get(word.text), "declared here")
    return ctx.reject(codes.WRONG_INDEX, expr.offsets, message, label=is_, help=hint, related=related)


def _max_places(key: Expr, wanted: Type, scope: Scope) -> int:
    """How many places a key can mean at most."""
    if isinstance(key.type, SetOf):
        return min(key.type.max_size, _member_count(wanted, scope))
    if isinstance(key.type, Member) and key.type != wanted and scope.kinds[key.type.kind].cell_kind:
        return max_line_length(key.type.kind, scope.kinds)
    return 1


def _member_count(key_type: Type, scope: Scope) -> int:
    match key_type:
        case Member(kind):
            return len(scope.kinds[kind].members)
        case Thing(component):
            symbol = scope.symbols.get(component)
            return symbol.row_count if isinstance(symbol, ComponentSymbol) else 1
        case Number() | Flag() | Bag() | SetOf() | UnknownType():
            return 1
        case _:
            assert_never(key_type)
