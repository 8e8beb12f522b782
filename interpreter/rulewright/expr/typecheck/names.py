"""What a name stands for: a variable, a pile, a value, a table, a member; with its keys or without.

In: the parts `name` and `at` of an expression. Out: typed readings, or complaints about names that mean
nothing, mean something else, or are asked with keys that are not theirs.
"""

from __future__ import annotations

from math import prod
from typing import Final

from rulewright import limits
from rulewright.diagnostics import Related, Span, closest, listed, nearest
from rulewright.expr import codes, type_relations
from rulewright.expr.keywords import BUILTINS, FUNCTIONS
from rulewright.expr.syntax_tree import Syntax, Token
from rulewright.expr.tree import (
    At,
    Builtin,
    Constant,
    Expr,
    Local,
    ReadParameter,
    ReadState,
    ReadValue,
    ReadZone,
)
from rulewright.expr.typecheck.check_context import Desk, all_of, seat_help, unclear, usable
from rulewright.expr.typecheck.functions import FUNCTION_RULES
from rulewright.expr.types import (
    ActionName,
    Bag,
    Component,
    Flag,
    KindName,
    Member,
    Number,
    Parameter,
    Scope,
    SetOf,
    StateVar,
    Symbol,
    Thing,
    Type,
    Unavailable,
    Unknown,
    Value,
    Variable,
    Word,
    Zone,
)

MINE: Final = frozenset({"my", "mine", "myself", "you", "your"})  # how one speaks of the seat in turn
NOTHING: Final = frozenset({"none", "null", "nil"})  # what other languages say for it
NEED_ME: Final = frozenset({"me", "opponent", "opponents", "others"})


def find(name: str, scope: Scope) -> Symbol | None:
    """What a name stands for, apart from the names of the language."""
    return scope.locals.get(name) or scope.symbols.get(name)


def name(desk: Desk, node: Syntax, scope: Scope) -> Expr:
    """A bare name."""
    word = node.word()
    if word.text not in scope.locals and word.text in BUILTINS:
        return builtin(desk, word, scope)
    if word.text not in scope.locals and word.text in FUNCTIONS:
        message = f"`{word.text}` is a function, and is given something in parentheses"
        return desk.wrong(codes.WRONG_NAME, node.at, message, label="a function", help=f"write `{word.text}(…)`")
    return _reading(desk, word, (), node.at, scope)


def builtin(desk: Desk, word: Token, scope: Scope) -> Expr:
    """A name of the language."""
    seats, seat = scope.players, Member("seat")
    if word.text in NEED_ME and not scope.has_me:
        message = f"`{word.text}` is not available here: no seat is in turn"
        return desk.wrong(codes.NOT_HERE, word.at, message, label="whose?", help="go through the seats: `seat`")
    match word.text:
        case "true" | "false":
            return Constant(word.text == "true", Flag(), word.at)
        case "nothing":
            return Constant(None, Bag("", 0), word.at)
        case "empty":
            return Constant((), SetOf(None, 0), word.at)
        case "nobody":
            return Builtin(word.text, SetOf(seat, 0), word.at)
        case "players":
            return Builtin(word.text, Number(seats, seats), word.at)
        case "opponent" if seats != 2:
            message = f"`opponent` is not available here: with {seats} players there is not just one"
            return desk.wrong(codes.NOT_HERE, word.at, message, label="which one?", help="write `opponents`, a set")
        case "me" | "opponent" | "first_player":
            return Builtin(word.text, seat, word.at)
        case "everyone":
            return Builtin(word.text, SetOf(seat, seats), word.at)
        case "round_number":
            return Builtin(word.text, Number(0, limits.MAX_ROUNDS), word.at)
    assert word.text in ("opponents", "others")
    return Builtin(word.text, SetOf(seat, seats - 1), word.at)


def at(desk: Desk, node: Syntax, scope: Scope) -> Expr:
    """Something with parentheses: a function and what it is given, or a name and its keys."""
    target, args = node.node(0), tuple(part for part in node.parts[1:] if isinstance(part, Syntax))
    if target.rule != "name":
        last = target.parts[-1]
        if target.rule == "field" and isinstance(last, Token) and last.text in FUNCTIONS:
            hint = f"a function stands before what it is asked of: `{last.text}(…)`"
        else:
            desk.read(target, scope)
            hint = "a member of a bag is asked with a dot: `bag.member`" if target.rule == "field" else ""
        return desk.wrong(codes.WRONG_INDEX, target.at, "only a name can have keys", label="not a name", help=hint)
    word = target.word()
    if word.text not in scope.locals and word.text in FUNCTIONS:
        return FUNCTION_RULES[word.text](desk, node, args, scope)
    if word.text not in scope.locals and word.text in BUILTINS:
        message = f"`{word.text}` takes no keys"
        return desk.wrong(codes.WRONG_NAME, word.at, message, label="no keys")
    return _reading(desk, word, args, node.at, scope, called=True)


def _reading(desk: Desk, word: Token, args: tuple[Syntax, ...], at: At, scope: Scope, *, called: bool = False) -> Expr:
    symbol = find(word.text, scope)
    if word.text in scope.twice and word.text not in scope.locals:
        for arg in args:
            desk.read(arg, scope)
        return unclear(at)
    match symbol:
        case Zone():
            return _zone(desk, word, symbol, args, at, scope)
        case Parameter(type_, per, value):
            keys = _keys(desk, word, symbol, per, args, at, scope, called)
            known = isinstance(value, int) and not isinstance(value, bool) and isinstance(type_, Number)
            exact = Number(value, value) if known and isinstance(value, int) else type_
            return unclear(at) if keys is None else ReadParameter(word.text, keys, exact, at)
        case StateVar(type_, types):
            keys = _keys(desk, word, symbol, types, args, at, scope, called)
            return unclear(at) if keys is None else ReadState(word.text, keys, type_, at)
        case Value(type_, types):
            keys = _keys(desk, word, symbol, types, args, at, scope, called)
            return unclear(at) if keys is None else ReadValue(word.text, keys, type_, at)
        case Unavailable(""):
            return unclear(at)  # what is wrong with it has been told where it is declared
        case Unavailable(why):
            message = f"`{word.text}` is not available here: {why}"
            return desk.wrong(codes.NOT_HERE, word.at, message, label="not here")
        case None:
            return unknown(desk, word, scope, called=called)
        case _ if called:
            for arg in args:
                desk.read(arg, scope)
            message = f"`{word.text}` is {_sort(symbol)} and takes no keys"
            hint = "a field is asked with a dot" if isinstance(symbol, Variable) else ""
            return desk.wrong(codes.WRONG_NAME, word.at, message, label=_sort(symbol), help=hint)
        case Variable(type_, slot):
            return Local(word.text, slot, type_, at)
        case Word(kind, number):
            return Constant(number, Member(kind), at)
        case ActionName():
            message = f"`{word.text}` is an action, and has no value"
            hint = f"`possible({word.text})` says whether it could be done"
            return desk.wrong(codes.WRONG_NAME, word.at, message, label="an action", help=hint)
        case KindName() | Component():
            everything = all_of(word.text, scope, at)
            assert everything is not None
            _nearly_chosen(desk, word, everything, scope)
            return everything


def _nearly_chosen(desk: Desk, word: Token, everything: Constant, scope: Scope) -> None:
    """Warns where all there are stand beside one of them that has nearly their name, but not the name of several."""
    assert isinstance(everything.type, SetOf)
    ones = [
        name
        for name, variable in scope.locals.items()
        if variable.type == everything.type.of and not (name.startswith(word.text) or word.text.startswith(name))
    ]
    near = closest(word.text, ones)
    if near:
        message = f"`{word.text}` is all there are, and one of them is here `{near}`"
        desk.complain(codes.ALL_OR_ONE, word.at, message, label="all of them", help=f"did you mean `{near}`?")


def _takes_keys(symbol: Symbol | None) -> bool:
    match symbol:
        case Zone(keys=keys) | Value(keys=keys) | StateVar(keys=keys) | Parameter(per=keys):
            return bool(keys) or isinstance(symbol, Zone)
        case _:
            return False


def _sort(symbol: Symbol) -> str:
    match symbol:
        case Variable():
            return "a variable"
        case Word():
            return "a member of a kind"
        case KindName():
            return "a kind"
        case Component():
            return "a component"
        case ActionName():
            return "an action"
        case Zone():
            return "a zone"
        case Parameter():
            return "a parameter"
        case Value():
            return "a value"
        case StateVar():
            return "state"
        case Unavailable():
            return "not available"


def unknown(desk: Desk, word: Token, scope: Scope, *, called: bool = False, what: str = "") -> Constant:
    """The complaint about a name that stands for nothing."""

    def hint() -> str:
        if word.text in scope.removed:
            return "a variant removes it: change what uses it too, or remove that"
        if word.text in MINE and scope.has_me:
            return "the seat in turn is `me`, and what is its own `name(me)`"
        if word.text in NOTHING:
            return "whether nothing is there: `is empty`; a bag of nothing: `nothing`; no seats: `nobody`"
        if row := _row(word.text, scope):
            return row
        others = (one for one, symbol in scope.symbols.items() if not isinstance(symbol, Word))
        here = list(dict.fromkeys([*scope.locals, *others]))
        if called:
            here = [one for one in here if _takes_keys(find(one, scope))]
            here += sorted(FUNCTIONS)
        near = nearest(word.text, here if called else [*here, *scope.symbols, *BUILTINS])
        known = listed("known" if called else "names here", here)
        return f"{near}      {known}" if near else known

    if called:
        message = f"no function, zone, value or state is called `{word.text}`"
        return desk.wrong(codes.UNKNOWN_FUNCTION, word.at, message, label="unknown", help=hint)
    message = f"no {what or 'name'} `{word.text}`"
    return desk.wrong(codes.UNKNOWN_NAME, word.at, message, label="unknown", help=hint)


def _row(name: str, scope: Scope) -> str:
    """What to write instead of the id of a row, which expressions do not know."""
    found = next((one for one, s in scope.symbols.items() if isinstance(s, Component) and name in s.rows), "")
    if not found:
        return ""
    symbol = scope.symbols[found]
    assert isinstance(symbol, Component)
    field = next(iter(symbol.fields), "")
    asked = f"`some {found} in … has {found}.{field} is …`" if field else f"`some {found} in … has …`"
    return f"`{name}` is a row of `{found}`: rows are found by their fields, as in {asked}"


# ---- keys -----------------------------------------------------------------------------------------------------


def declared(span: Span | None, note: str) -> tuple[Related, ...]:
    """Where something is declared, for a complaint, when that is known."""
    return (Related(span, note),) if span else ()


def _form(name: str, keys: tuple[Type, ...]) -> str:
    return f"{name}({', '.join(_key_name(key) for key in keys)})" if keys else name


def whole_form(name: str, keys: tuple[Type, ...], scope: Scope) -> str:
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
            return type_relations.phrase(key)


def _keys(
    desk: Desk,
    word: Token,
    symbol: Parameter | StateVar | Value,
    types: tuple[Type, ...],
    args: tuple[Syntax, ...],
    at: At,
    scope: Scope,
    called: bool,
) -> tuple[Expr, ...] | None:
    """The keys of a value, table or state, each a single member; None when one is wrong."""
    found = [desk.read(arg, scope) for arg in args]
    if len(args) != len(types) or (called and not types):
        form = _form(word.text, types)
        message = f"`{word.text}` takes {_times(len(types))}, and is given {_times(len(args))}"
        if any(isinstance(one.type, Unknown) for one in found):
            return None
        desk.complain(
            codes.WRONG_INDEX,
            at,
            message,
            label=f"written `{form}`",
            help=_keys_help(desk, word, symbol, types, found, scope) or f"write `{form}`",
            related=declared(symbol.span, "declared here"),
        )
        return None
    keys = tuple(
        desk.need(one, wanted, scope, what=f"the key of `{word.text}`", code=codes.WRONG_INDEX)
        for one, wanted in zip(found, types, strict=True)
    )
    return None if any(isinstance(key.type, Unknown) for key in keys) else keys


def _keys_help(
    desk: Desk,
    word: Token,
    symbol: Parameter | StateVar | Value,
    types: tuple[Type, ...],
    found: list[Expr],
    scope: Scope,
) -> str:
    """What was probably meant by keys too many: a member of the bag, or a key that the declaration has lost."""
    if len(found) != len(types) + 1:
        return ""
    last, given = found[-1], symbol.type
    if isinstance(given, Bag) and given.kind and type_relations.alike(last.type, Member(given.kind), scope.kinds):
        keys = f"({', '.join(desk.text(one.at) for one in found[:-1])})" if types else ""
        member = desk.text(last.at)
        if isinstance(last, Local | Constant):
            return f"it is a bag: how many of one member it holds is asked with a dot, `{word.text}{keys}.{member}`"
        some = f"`sum of {word.text}{keys}.x for x in {given.kind} where x is {member}`"
        return f"it is a bag: how many of one member it holds is asked with a dot, here {some}"
    match last.type:
        case Member(name) | Thing(name) if not types:
            key = "of" if isinstance(symbol, Value) else "per"
            return f"write `{word.text}`, or say `{key}: {name}` where it is declared"
    return ""


def _times(count: int) -> str:
    return "no key" if not count else "one key" if count == 1 else f"{count} keys"


def _zone(desk: Desk, word: Token, zone: Zone, args: tuple[Syntax, ...], at: At, scope: Scope) -> Expr:
    """A zone: with all keys its content, with fewer the union, with one member more the count of it."""
    found = [desk.read(arg, scope) for arg in args]
    pool = isinstance(zone.holds, Member)
    form = _form(word.text, zone.keys)
    if len(found) > len(zone.keys) + pool:
        if any(isinstance(one.type, Unknown) for one in found):
            return unclear(at)
        more = f", then optionally {type_relations.phrase(zone.holds)}" if pool else ""
        message = f"`{word.text}` takes {_times(len(zone.keys))}{more}, and is given {_times(len(args))}"
        return desk.wrong(
            codes.WRONG_INDEX,
            at,
            message,
            label=f"written `{form}`",
            related=declared(zone.span, "declared here"),
        )
    keys = tuple(_zone_key(desk, word, one, wanted, scope, zone) for one, wanted in zip(found, zone.keys, strict=False))
    if any(isinstance(key.type, Unknown) for key in keys):
        return unclear(at)
    places = prod(_places(key, wanted, scope) for key, wanted in zip(keys, zone.keys, strict=False))
    places *= prod(_many(wanted, scope) for wanted in zone.keys[len(keys) :])
    most = zone.most * places
    if len(found) > len(zone.keys):
        assert isinstance(zone.holds, Member)
        asked = f"what is counted in `{word.text}`"
        member = desk.need(found[-1], zone.holds, scope, what=asked, code=codes.WRONG_INDEX)
        counted = ReadZone(word.text, keys, member, Number(0, most), at)
        return unclear(at) if isinstance(member.type, Unknown) else counted
    if isinstance(zone.holds, Member):
        return ReadZone(word.text, keys, None, Bag(zone.holds.kind, most), at)
    component = scope.symbols.get(zone.holds.component)
    if isinstance(component, Component):
        most = min(most, component.count)
    return ReadZone(word.text, keys, None, SetOf(zone.holds, most), at)


def _zone_key(desk: Desk, word: Token, found: Expr, wanted: Type, scope: Scope, zone: Zone) -> Expr:
    """One key: a member, or a set or line of them for all their places together."""
    if usable(found, wanted, scope) or isinstance(found.type, Unknown):
        return found
    match found.type:
        case SetOf(of) if of is None or type_relations.fits(of, wanted, scope.kinds):
            return found
        case Member(kind) if scope.kinds[kind].lines_of and type_relations.fits(
            Member(scope.kinds[kind].lines_of), wanted, scope.kinds
        ):
            return found
    if not type_relations.alike(found.type, wanted, scope.kinds) and not isinstance(found.type, SetOf):
        form = _form(word.text, zone.keys)
        key, this = type_relations.phrase(wanted), type_relations.phrase(found.type)
        message = f"the key of `{word.text}` is {key}, and this is {this}"
        hint = f"write `{form}`"
        if wanted == Member("seat") and isinstance(found.type, Number):
            hint = seat_help(scope)
        if isinstance(zone.holds, Member) and type_relations.alike(found.type, zone.holds, scope.kinds):
            hint = f"a member stands behind all keys: `{form[:-1]}, {zone.holds.kind})`"
        return desk.wrong(
            codes.WRONG_INDEX,
            found.at,
            message,
            label=type_relations.phrase(found.type),
            help=hint,
            related=declared(zone.span, "declared here"),
        )
    return desk.need(found, wanted, scope, what=f"the key of `{word.text}`", code=codes.WRONG_INDEX)


def _places(key: Expr, wanted: Type, scope: Scope) -> int:
    if isinstance(key.type, SetOf):
        return min(key.type.most, _many(wanted, scope))
    if isinstance(key.type, Member) and key.type != wanted and scope.kinds[key.type.kind].lines_of:
        return type_relations.longest(key.type.kind, scope.kinds)
    return 1


def _many(key: Type, scope: Scope) -> int:
    match key:
        case Member(kind):
            return len(scope.kinds[kind].members)
        case Thing(component):
            symbol = scope.symbols.get(component)
            return symbol.count if isinstance(symbol, Component) else 1
        case _:
            return 1
