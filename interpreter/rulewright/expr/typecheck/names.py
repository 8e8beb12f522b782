"""What a name stands for: a variable, a pile, a value, a table, a member; with its keys or without.

In: the parts `name` and `at` of an expression. Out: typed readings, or complaints about names that mean
nothing, mean something else, or are asked with keys that are not theirs.
"""

from __future__ import annotations

from math import prod
from typing import Final

from rulewright import limits
from rulewright.diagnostics import Related, Span
from rulewright.expr import codes, type_relations
from rulewright.expr.keywords import BUILTINS, FUNCTIONS
from rulewright.expr.scope import (
    ActionSymbol,
    ComponentSymbol,
    KindSymbol,
    MemberSymbol,
    ParameterSymbol,
    Scope,
    StateSymbol,
    Symbol,
    UnavailableSymbol,
    ValueSymbol,
    VariableSymbol,
    ZoneSymbol,
)
from rulewright.expr.syntax_tree import SyntaxNode, SyntaxToken
from rulewright.expr.tree import (
    Builtin,
    Constant,
    Expr,
    Local,
    Offsets,
    ReadParameter,
    ReadState,
    ReadValue,
    ReadZone,
)
from rulewright.expr.typecheck.check_context import CheckContext, all_members, error_expr, is_usable, seat_hint
from rulewright.expr.typecheck.functions import FUNCTION_CHECKS
from rulewright.expr.types import Bag, Flag, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.suggestions import closest_name, did_you_mean, list_names

POSSESSIVES: Final = frozenset({"my", "mine", "myself", "you", "your"})  # how one speaks of the seat in turn
NULL_WORDS: Final = frozenset({"none", "null", "nil"})  # what other languages say for it
TURN_BUILTINS: Final = frozenset({"me", "opponent", "opponents", "others"})


def lookup(name: str, scope: Scope) -> Symbol | None:
    """What a name stands for, apart from the names of the language."""
    return scope.locals.get(name) or scope.symbols.get(name)


def check_name(desk: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """A bare name."""
    word = node.token()
    if word.text not in scope.locals and word.text in BUILTINS:
        return check_builtin(desk, word, scope)
    if word.text not in scope.locals and word.text in FUNCTIONS:
        message = f"`{word.text}` is a function, and is given something in parentheses"
        return desk.reject(
            codes.WRONG_KIND_OF_NAME, node.offsets, message, label="a function", help=f"write `{word.text}(…)`"
        )
    return _reading(desk, word, (), node.offsets, scope)


def check_builtin(desk: CheckContext, word: SyntaxToken, scope: Scope) -> Expr:
    """A name of the language."""
    seats, seat = scope.players, Member("seat")
    if word.text in TURN_BUILTINS and not scope.has_me:
        message = f"`{word.text}` is not available here: no seat is in turn"
        return desk.reject(
            codes.NOT_AVAILABLE_HERE, word.offsets, message, label="whose?", help="go through the seats: `seat`"
        )
    match word.text:
        case "true" | "false":
            return Constant(word.text == "true", Flag(), word.offsets)
        case "nothing":
            return Constant(None, Bag("", 0), word.offsets)
        case "empty":
            return Constant((), SetOf(None, 0), word.offsets)
        case "nobody":
            return Builtin(word.text, SetOf(seat, 0), word.offsets)
        case "players":
            return Builtin(word.text, Number(seats, seats), word.offsets)
        case "opponent" if seats != 2:
            message = f"`opponent` is not available here: with {seats} players there is not just one"
            return desk.reject(
                codes.NOT_AVAILABLE_HERE, word.offsets, message, label="which one?", help="write `opponents`, a set"
            )
        case "me" | "opponent" | "first_player":
            return Builtin(word.text, seat, word.offsets)
        case "everyone":
            return Builtin(word.text, SetOf(seat, seats), word.offsets)
        case "round_number":
            return Builtin(word.text, Number(0, limits.MAX_ROUNDS), word.offsets)
    assert word.text in ("opponents", "others")
    return Builtin(word.text, SetOf(seat, seats - 1), word.offsets)


def check_call(desk: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """Something with parentheses: a function and what it is given, or a name and its keys."""
    target, args = node.child(0), tuple(part for part in node.parts[1:] if isinstance(part, SyntaxNode))
    if target.rule != "name":
        last = target.parts[-1]
        if target.rule == "field" and isinstance(last, SyntaxToken) and last.text in FUNCTIONS:
            hint = f"a function stands before what it is asked of: `{last.text}(…)`"
        else:
            desk.infer(target, scope)
            hint = "a member of a bag is asked with a dot: `bag.member`" if target.rule == "field" else ""
        return desk.reject(
            codes.WRONG_INDEX, target.offsets, "only a name can have keys", label="not a name", help=hint
        )
    word = target.token()
    if word.text not in scope.locals and word.text in FUNCTIONS:
        return FUNCTION_CHECKS[word.text](desk, node, args, scope)
    if word.text not in scope.locals and word.text in BUILTINS:
        message = f"`{word.text}` takes no keys"
        return desk.reject(codes.WRONG_KIND_OF_NAME, word.offsets, message, label="no keys")
    return _reading(desk, word, args, node.offsets, scope, called=True)


def _reading(
    desk: CheckContext,
    word: SyntaxToken,
    args: tuple[SyntaxNode, ...],
    at: Offsets,
    scope: Scope,
    *,
    called: bool = False,
) -> Expr:
    symbol = lookup(word.text, scope)
    if word.text in scope.ambiguous_names and word.text not in scope.locals:
        for arg in args:
            desk.infer(arg, scope)
        return error_expr(at)
    match symbol:
        case ZoneSymbol():
            return _zone(desk, word, symbol, args, at, scope)
        case ParameterSymbol(type_, per, value):
            keys = _keys(desk, word, symbol, per, args, at, scope, called)
            known = isinstance(value, int) and not isinstance(value, bool) and isinstance(type_, Number)
            exact = Number(value, value) if known and isinstance(value, int) else type_
            return error_expr(at) if keys is None else ReadParameter(word.text, keys, exact, at)
        case StateSymbol(type_, types):
            keys = _keys(desk, word, symbol, types, args, at, scope, called)
            return error_expr(at) if keys is None else ReadState(word.text, keys, type_, at)
        case ValueSymbol(type_, types):
            keys = _keys(desk, word, symbol, types, args, at, scope, called)
            return error_expr(at) if keys is None else ReadValue(word.text, keys, type_, at)
        case UnavailableSymbol(""):
            return error_expr(at)  # what is wrong with it has been told where it is declared
        case UnavailableSymbol(why):
            message = f"`{word.text}` is not available here: {why}"
            return desk.reject(codes.NOT_AVAILABLE_HERE, word.offsets, message, label="not here")
        case None:
            return reject_unknown(desk, word, scope, called=called)
        case _ if called:
            for arg in args:
                desk.infer(arg, scope)
            message = f"`{word.text}` is {_sort(symbol)} and takes no keys"
            hint = "a field is asked with a dot" if isinstance(symbol, VariableSymbol) else ""
            return desk.reject(codes.WRONG_KIND_OF_NAME, word.offsets, message, label=_sort(symbol), help=hint)
        case VariableSymbol(type_, slot):
            return Local(word.text, slot, type_, at)
        case MemberSymbol(kind, number):
            return Constant(number, Member(kind), at)
        case ActionSymbol():
            message = f"`{word.text}` is an action, and has no value"
            hint = f"`possible({word.text})` says whether it could be done"
            return desk.reject(codes.WRONG_KIND_OF_NAME, word.offsets, message, label="an action", help=hint)
        case KindSymbol() | ComponentSymbol():
            everything = all_members(word.text, scope, at)
            assert everything is not None
            _nearly_chosen(desk, word, everything, scope)
            return everything


def _nearly_chosen(desk: CheckContext, word: SyntaxToken, everything: Constant, scope: Scope) -> None:
    """Warns where all there are stand beside one of them that has nearly their name, but not the name of several."""
    assert isinstance(everything.type, SetOf)
    ones = [
        name
        for name, variable in scope.locals.items()
        if variable.type == everything.type.element and not (name.startswith(word.text) or word.text.startswith(name))
    ]
    near = closest_name(word.text, ones)
    if near:
        message = f"`{word.text}` is all there are, and one of them is here `{near}`"
        desk.emit(codes.ALL_OR_ONE, word.offsets, message, label="all of them", help=f"did you mean `{near}`?")


def _takes_keys(symbol: Symbol | None) -> bool:
    match symbol:
        case (
            ZoneSymbol(key_types=keys)
            | ValueSymbol(key_types=keys)
            | StateSymbol(key_types=keys)
            | ParameterSymbol(key_types=keys)
        ):
            return bool(keys) or isinstance(symbol, ZoneSymbol)
        case _:
            return False


def _sort(symbol: Symbol) -> str:
    match symbol:
        case VariableSymbol():
            return "a variable"
        case MemberSymbol():
            return "a member of a kind"
        case KindSymbol():
            return "a kind"
        case ComponentSymbol():
            return "a component"
        case ActionSymbol():
            return "an action"
        case ZoneSymbol():
            return "a zone"
        case ParameterSymbol():
            return "a parameter"
        case ValueSymbol():
            return "a value"
        case StateSymbol():
            return "state"
        case UnavailableSymbol():
            return "not available"


def reject_unknown(
    desk: CheckContext, word: SyntaxToken, scope: Scope, *, called: bool = False, what: str = ""
) -> Constant:
    """The complaint about a name that stands for nothing."""

    def hint() -> str:
        if word.text in scope.removed_names:
            return "a variant removes it: change what uses it too, or remove that"
        if word.text in POSSESSIVES and scope.has_me:
            return "the seat in turn is `me`, and what is its own `name(me)`"
        if word.text in NULL_WORDS:
            return "whether nothing is there: `is empty`; a bag of nothing: `nothing`; no seats: `nobody`"
        if row := _row(word.text, scope):
            return row
        others = (one for one, symbol in scope.symbols.items() if not isinstance(symbol, MemberSymbol))
        here = list(dict.fromkeys([*scope.locals, *others]))
        if called:
            here = [one for one in here if _takes_keys(lookup(one, scope))]
            here += sorted(FUNCTIONS)
        near = did_you_mean(word.text, here if called else [*here, *scope.symbols, *BUILTINS])
        known = list_names("known" if called else "names here", here)
        return f"{near}      {known}" if near else known

    if called:
        message = f"no function, zone, value or state is called `{word.text}`"
        return desk.reject(codes.UNKNOWN_FUNCTION, word.offsets, message, label="unknown", help=hint)
    message = f"no {what or 'name'} `{word.text}`"
    return desk.reject(codes.UNKNOWN_NAME, word.offsets, message, label="unknown", help=hint)


def _row(name: str, scope: Scope) -> str:
    """What to write instead of the id of a row, which expressions do not know."""
    found = next((one for one, s in scope.symbols.items() if isinstance(s, ComponentSymbol) and name in s.row_ids), "")
    if not found:
        return ""
    symbol = scope.symbols[found]
    assert isinstance(symbol, ComponentSymbol)
    field = next(iter(symbol.field_types), "")
    asked = f"`some {found} in … has {found}.{field} is …`" if field else f"`some {found} in … has …`"
    return f"`{name}` is a row of `{found}`: rows are found by their fields, as in {asked}"


# ---- keys -----------------------------------------------------------------------------------------------------


def declaration_note(span: Span | None, note: str) -> tuple[Related, ...]:
    """Where something is declared, for a complaint, when that is known."""
    return (Related(span, note),) if span else ()


def _form(name: str, keys: tuple[Type, ...]) -> str:
    return f"{name}({', '.join(_key_name(key) for key in keys)})" if keys else name


def place_form(name: str, keys: tuple[Type, ...], scope: Scope) -> str:
    """How one place of a zone can be written here: its seat is most often the one in turn."""
    return _form(name, keys) if not scope.has_me else f"{name}({', '.join(map(_my_key, keys))})"


def _my_key(key: Type) -> str:
    return "me" if key == Member("seat") else _key_name(key)


def _key_name(key: Type) -> str:
    match key:
        case Member(kind):
            return kind
        case Thing(component):
            return component
        case _:
            return type_relations.describe_type(key)


def _keys(
    desk: CheckContext,
    word: SyntaxToken,
    symbol: ParameterSymbol | StateSymbol | ValueSymbol,
    types: tuple[Type, ...],
    args: tuple[SyntaxNode, ...],
    at: Offsets,
    scope: Scope,
    called: bool,
) -> tuple[Expr, ...] | None:
    """The keys of a value, table or state, each a single member; None when one is wrong."""
    found = [desk.infer(arg, scope) for arg in args]
    if len(args) != len(types) or (called and not types):
        form = _form(word.text, types)
        message = f"`{word.text}` takes {_times(len(types))}, and is given {_times(len(args))}"
        if any(isinstance(one.type, UnknownType) for one in found):
            return None
        desk.emit(
            codes.WRONG_INDEX,
            at,
            message,
            label=f"written `{form}`",
            help=_keys_help(desk, word, symbol, types, found, scope) or f"write `{form}`",
            related=declaration_note(symbol.span, "declared here"),
        )
        return None
    keys = tuple(
        desk.expect(one, wanted, scope, subject=f"the key of `{word.text}`", code=codes.WRONG_INDEX)
        for one, wanted in zip(found, types, strict=True)
    )
    return None if any(isinstance(key.type, UnknownType) for key in keys) else keys


def _keys_help(
    desk: CheckContext,
    word: SyntaxToken,
    symbol: ParameterSymbol | StateSymbol | ValueSymbol,
    types: tuple[Type, ...],
    found: list[Expr],
    scope: Scope,
) -> str:
    """What was probably meant by keys too many: a member of the bag, or a key that the declaration has lost."""
    if len(found) != len(types) + 1:
        return ""
    last, given = found[-1], symbol.type
    if (
        isinstance(given, Bag)
        and given.kind
        and type_relations.is_comparable(last.type, Member(given.kind), scope.kinds)
    ):
        keys = f"({', '.join(desk.source_text(one.offsets) for one in found[:-1])})" if types else ""
        member = desk.source_text(last.offsets)
        if isinstance(last, Local | Constant):
            return f"it is a bag: how many of one member it holds is asked with a dot, `{word.text}{keys}.{member}`"
        some = f"`sum of {word.text}{keys}.x for x in {given.kind} where x is {member}`"
        return f"it is a bag: how many of one member it holds is asked with a dot, here {some}"
    match last.type:
        case Member(name) | Thing(name) if not types:
            key = "of" if isinstance(symbol, ValueSymbol) else "per"
            return f"write `{word.text}`, or say `{key}: {name}` where it is declared"
    return ""


def _times(count: int) -> str:
    return "no key" if not count else "one key" if count == 1 else f"{count} keys"


def _zone(
    desk: CheckContext, word: SyntaxToken, zone: ZoneSymbol, args: tuple[SyntaxNode, ...], at: Offsets, scope: Scope
) -> Expr:
    """A zone: with all keys its content, with fewer the union, with one member more the count of it."""
    found = [desk.infer(arg, scope) for arg in args]
    pool = isinstance(zone.content_type, Member)
    form = _form(word.text, zone.key_types)
    if len(found) > len(zone.key_types) + pool:
        if any(isinstance(one.type, UnknownType) for one in found):
            return error_expr(at)
        more = f", then optionally {type_relations.describe_type(zone.content_type)}" if pool else ""
        message = f"`{word.text}` takes {_times(len(zone.key_types))}{more}, and is given {_times(len(args))}"
        return desk.reject(
            codes.WRONG_INDEX,
            at,
            message,
            label=f"written `{form}`",
            related=declaration_note(zone.span, "declared here"),
        )
    keys = tuple(
        _zone_key(desk, word, one, wanted, scope, zone) for one, wanted in zip(found, zone.key_types, strict=False)
    )
    if any(isinstance(key.type, UnknownType) for key in keys):
        return error_expr(at)
    places = prod(_places(key, wanted, scope) for key, wanted in zip(keys, zone.key_types, strict=False))
    places *= prod(_many(wanted, scope) for wanted in zone.key_types[len(keys) :])
    most = zone.max_size * places
    if len(found) > len(zone.key_types):
        assert isinstance(zone.content_type, Member)
        asked = f"what is counted in `{word.text}`"
        member = desk.expect(found[-1], zone.content_type, scope, subject=asked, code=codes.WRONG_INDEX)
        counted = ReadZone(word.text, keys, member, Number(0, most), at)
        return error_expr(at) if isinstance(member.type, UnknownType) else counted
    if isinstance(zone.content_type, Member):
        return ReadZone(word.text, keys, None, Bag(zone.content_type.kind, most), at)
    component = scope.symbols.get(zone.content_type.component)
    if isinstance(component, ComponentSymbol):
        most = min(most, component.row_count)
    return ReadZone(word.text, keys, None, SetOf(zone.content_type, most), at)


def _zone_key(desk: CheckContext, word: SyntaxToken, found: Expr, wanted: Type, scope: Scope, zone: ZoneSymbol) -> Expr:
    """One key: a member, or a set or line of them for all their places together."""
    if is_usable(found, wanted, scope) or isinstance(found.type, UnknownType):
        return found
    match found.type:
        case SetOf(of) if of is None or type_relations.is_assignable(of, wanted, scope.kinds):
            return found
        case Member(kind) if scope.kinds[kind].cell_kind and type_relations.is_assignable(
            Member(scope.kinds[kind].cell_kind), wanted, scope.kinds
        ):
            return found
    if not type_relations.is_comparable(found.type, wanted, scope.kinds) and not isinstance(found.type, SetOf):
        form = _form(word.text, zone.key_types)
        key, this = type_relations.describe_type(wanted), type_relations.describe_type(found.type)
        message = f"the key of `{word.text}` is {key}, and this is {this}"
        hint = f"write `{form}`"
        if wanted == Member("seat") and isinstance(found.type, Number):
            hint = seat_hint(scope)
        if isinstance(zone.content_type, Member) and type_relations.is_comparable(
            found.type, zone.content_type, scope.kinds
        ):
            hint = f"a member stands behind all keys: `{form[:-1]}, {zone.content_type.kind})`"
        return desk.reject(
            codes.WRONG_INDEX,
            found.offsets,
            message,
            label=type_relations.describe_type(found.type),
            help=hint,
            related=declaration_note(zone.span, "declared here"),
        )
    return desk.expect(found, wanted, scope, subject=f"the key of `{word.text}`", code=codes.WRONG_INDEX)


def _places(key: Expr, wanted: Type, scope: Scope) -> int:
    if isinstance(key.type, SetOf):
        return min(key.type.max_size, _many(wanted, scope))
    if isinstance(key.type, Member) and key.type != wanted and scope.kinds[key.type.kind].cell_kind:
        return type_relations.max_line_length(key.type.kind, scope.kinds)
    return 1


def _many(key: Type, scope: Scope) -> int:
    match key:
        case Member(kind):
            return len(scope.kinds[kind].members)
        case Thing(component):
            symbol = scope.symbols.get(component)
            return symbol.row_count if isinstance(symbol, ComponentSymbol) else 1
        case _:
            return 1
