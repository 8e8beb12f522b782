"""What a name refers to: a variable, zone, value, state, parameter or member, with its keys or without.

In: the rules `name` and `at` of the grammar. Out: typed reads, or diagnostics about names that are unknown, refer to
something else, or get the wrong keys.
"""

from __future__ import annotations

from typing import Final, assert_never

from rulewright import limits
from rulewright.diagnostics import Cause, missing_name
from rulewright.expr import codes
from rulewright.expr.keywords import BUILTINS, FUNCTIONS, KEYWORDS, QUESTION_WORDS
from rulewright.expr.method_hints import method_hint
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
from rulewright.expr.tree import Builtin, Constant, Expr, Local, Offsets, ReadParameter, ReadState, ReadValue
from rulewright.expr.type_relations import as_number, is_comparable
from rulewright.expr.typecheck.check_context import CheckContext, error_expr
from rulewright.expr.typecheck.expr_hints import Wanted, all_members, former_name, names_that_fit, seat_hint, takes_keys
from rulewright.expr.typecheck.functions import FUNCTION_CHECKS, check_former_first
from rulewright.expr.typecheck.keys import check_keys, check_member_count, check_zone_read, member_count_text
from rulewright.expr.types import SEAT, Bag, Flag, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.json_values import is_integer
from rulewright.lazy_pattern import lazy_pattern
from rulewright.slips import edit_distance
from rulewright.suggestions import (
    WordHint,
    closest_name,
    did_you_mean,
    join_hints,
    letter_for_digit,
    list_names,
    meant_hint,
    number_hint,
)

POSSESSIVES: Final = frozenset({"my", "mine", "myself", "you", "your"})  # what people call the seat in turn
COUNTING_METHODS: Final = frozenset({"count", "get", "number"})  # of a member, in other languages
UNREAD_SYMBOLS: Final = (MemberSymbol, ActionSymbol)  # of the one kind there are too many, the others have no value
COUNT_WORDS: Final = frozenset({"number", "size", "length", "len"})  # of things or pieces
FOREIGN_FUNCTIONS: Final = {"len": "count", "length": "count", "maximum": "max", "minimum": "min"}  # with arguments
NULL_WORDS: Final = frozenset({"none", "null", "nil"})  # what other languages call it
FIELD_BEHIND: Final = lazy_pattern(r"\s*\.\s*([a-z][a-z0-9_]*)")
LOOP_NAME: Final = "kind or component"  # what a variable without a set has to be called like
STEP_SECTIONS: Final = frozenset({"setup", "round", "procedures", "finale"})  # steps outside of turns
TURN_BUILTINS: Final = frozenset({"me", "opponent", "opponents", "others"})


def check_name(ctx: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """A bare name."""
    word = node.token()
    if word.text not in scope.locals and word.text in BUILTINS:
        return check_builtin(ctx, word, scope)
    if word.text in QUESTION_WORDS:
        message, hint = "`empty` is asked, `nothing` is written", "write `nothing`; to ask, write `… is empty`"
        ctx.emit(codes.FORMER_SPELLING, word.offsets, message, label="former", help=hint)
        return Constant(None, Bag("", 0), word.offsets)
    if word.text not in scope.locals and word.text in FUNCTIONS:
        message = f"`{word.text}` is a function and needs arguments in parentheses"
        hint = f"write `{word.text}(…)`"
        return ctx.reject(codes.WRONG_KIND_OF_NAME, node.offsets, message, label="a function", help=hint)
    return _check_read(ctx, word, (), node.offsets, scope)


def check_builtin(ctx: CheckContext, word: SyntaxToken, scope: Scope) -> Expr:
    """A built-in name."""
    seat = SEAT
    if word.text in TURN_BUILTINS and not scope.has_me:
        message = f"`{word.text}` has no meaning here: it is nobody's turn"
        key = next((name for name, variable in scope.locals.items() if variable.type == seat), "")
        if key and word.text == "me":
            hint = f"write `{key}`" + (", the key of this zone" if ctx.address.startswith("zones.") else "")
        else:
            hint = "loop over the players, as in `each player where …`"
            if ctx.address.partition(".")[0] == "book":
                hint = "a book is about no position: only parameters have a value in it"
            if word.text == "me" and ctx.address.partition(".")[0] in STEP_SECTIONS:
                hint = "add `for_each: player` and write `player`; for several players, `each player where …`"
        return ctx.reject(codes.NOT_AVAILABLE_HERE, word.offsets, message, label="whose?", help=hint)
    match word.text:
        case "true" | "false":
            return Constant(word.text == "true", Flag(), word.offsets)
        case "nothing":
            return Constant(None, Bag("", 0), word.offsets)
        case "nobody":
            return Builtin(word.text, SetOf(seat, 0), word.offsets)
        case "players":
            return Builtin(word.text, Number(scope.players, scope.players), word.offsets)
        case "opponent" if scope.players != 2:
            message = f"`opponent` is not available here: with {scope.players} players there is not exactly one"
            hint, cause = "write `opponents`, a set", Cause("players")
            return ctx.reject(
                codes.NOT_AVAILABLE_HERE, word.offsets, message, label="ambiguous", help=hint, cause=cause
            )
        case "me" | "opponent" | "first_player":
            return Builtin(word.text, seat, word.offsets)
        case "everyone":
            return Builtin(word.text, SetOf(seat, scope.players), word.offsets)
        case "round_number":
            return Builtin(word.text, Number(0, limits.MAX_ROUNDS), word.offsets)
    assert word.text in ("opponents", "others")
    return Builtin(word.text, SetOf(seat, scope.players - 1), word.offsets)


def check_call(ctx: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """A name and what is in parentheses after it: the arguments of a function, or keys."""
    target, args = node.child(0), tuple(part for part in node.parts[1:] if isinstance(part, SyntaxNode))
    if target.rule != "name":
        return _check_member_call(ctx, node, target, scope)
    word = target.token()
    if word.text not in scope.locals and word.text in FUNCTIONS:
        return FUNCTION_CHECKS[word.text](ctx, node, args, scope)
    if word.text in KEYWORDS:  # the only ones that can be before a parenthesis
        return check_former_first(ctx, node, args, scope)
    if word.text not in scope.locals and word.text in BUILTINS:
        message = f"`{word.text}` takes no keys"
        return ctx.reject(codes.WRONG_KIND_OF_NAME, word.offsets, message, label="no keys")
    return _check_read(ctx, word, args, node.offsets, scope, is_call=True)


def _is_method(target: SyntaxNode) -> bool:
    """Whether what is before parentheses looks like a method of another language."""
    last = target.parts[-1]
    return target.rule == "field" and isinstance(last, SyntaxToken) and bool(method_hint(last.text, "x"))


def _check_member_call(ctx: CheckContext, node: SyntaxNode, target: SyntaxNode, scope: Scope) -> Expr:
    """Parentheses after something that is not a name: the member of a bag that is counted, or a mistake."""
    args = tuple(part for part in node.parts[1:] if isinstance(part, SyntaxNode))
    if target.rule != "at" and len(args) == 1 and not _is_method(target):
        bag = ctx.infer(target, scope)
        if isinstance(bag.type, UnknownType):
            return bag
        if isinstance(bag.type, Bag):
            return check_member_count(ctx, bag, args[0], node.offsets, scope)
    last = target.parts[-1]
    owner = ctx.source_text(target.child(0).offsets) if target.rule == "field" else ""
    hint = method_hint(last.text, owner) if owner and isinstance(last, SyntaxToken) else ""
    if hint and len(args) == 1 and isinstance(last, SyntaxToken) and last.text in COUNTING_METHODS:
        hint = f"write `{member_count_text(target.child(0), owner, ctx.source_text(args[0].offsets))}`"
    if not hint:
        bag = ctx.infer(target, scope)
        if isinstance(bag.type, Bag) and target.rule == "at" and len(args) == 1:
            text = member_count_text(target, ctx.source_text(target.offsets), ctx.source_text(args[0].offsets))
            hint = f"a member comes after all keys: `{text}`"
    return ctx.reject(
        codes.WRONG_INDEX, target.offsets, "only a name or a bag can have keys", label="no keys", help=hint
    )


def _check_read(
    ctx: CheckContext,
    word: SyntaxToken,
    args: tuple[SyntaxNode, ...],
    offsets: Offsets,
    scope: Scope,
    *,
    is_call: bool = False,
) -> Expr:
    """A name that is not built in, with its keys. `is_call`: whether it has parentheses."""
    name, symbol = word.text, scope.lookup(word.text)
    if _is_member_count(symbol, args):
        bag = _check_read(
            ctx, word, args[:-1], (offsets[0], args[-2].offsets[1] if args[1:] else word.offsets[1]), scope
        )
        if isinstance(bag.type, UnknownType):
            ctx.infer(args[-1], scope)
            return bag
        return check_member_count(ctx, bag, args[-1], offsets, scope)
    if name in scope.ambiguous_names and name not in scope.locals:
        for arg in args:
            ctx.infer(arg, scope)
        return error_expr(offsets)
    match symbol:
        case ZoneSymbol():
            return check_zone_read(ctx, word, symbol, args, offsets, scope)
        case ParameterSymbol(type_, value=value):
            keys = check_keys(ctx, word, symbol, args, offsets, scope, is_call=is_call)
            exact_type = Number(value, value) if is_integer(value) and isinstance(type_, Number) else type_
            return error_expr(offsets) if keys is None else ReadParameter(name, keys, exact_type, offsets)
        case StateSymbol(type_):
            keys = check_keys(ctx, word, symbol, args, offsets, scope, is_call=is_call)
            return error_expr(offsets) if keys is None else ReadState(name, keys, type_, offsets)
        case ValueSymbol(type_):
            keys = check_keys(ctx, word, symbol, args, offsets, scope, is_call=is_call)
            return error_expr(offsets) if keys is None else ReadValue(name, keys, type_, offsets)
        case UnavailableSymbol(""):
            return error_expr(offsets)  # what is wrong with it is reported where it is declared
        case UnavailableSymbol(reason):
            message = f"`{name}` is not available here: {reason}"
            return ctx.reject(codes.NOT_AVAILABLE_HERE, word.offsets, message, label="not available here")
        case None:
            return reject_unknown(ctx, word, scope, is_call=is_call)
        case _ if is_call:
            for arg in args:
                ctx.infer(arg, scope)
            if isinstance(symbol, VariableSymbol) and isinstance(symbol.type, UnknownType):
                return error_expr(offsets)  # what is wrong with it is reported where it is bound
            category = _describe_category(symbol)
            message = f"`{name}` is {category} and takes no keys"
            hint = _part_hint(symbol.type) if isinstance(symbol, VariableSymbol) else ""
            hint = seat_hint(scope) if name == SEAT.kind and isinstance(symbol, KindSymbol) else hint
            other = closest_name(name, [each for each in scope.symbols if takes_keys(scope.lookup(each))])
            if other and not hint:
                category_of_other = _describe_category(scope.symbols[other]).removeprefix("a ")
                hint = WordHint(f"did you mean the {category_of_other} `{other}`?", name, other, is_certain=False)
            return ctx.reject(codes.WRONG_KIND_OF_NAME, word.offsets, message, label=category, help=hint)
        case VariableSymbol(type_, slot):
            return Local(name, slot, type_, offsets)
        case MemberSymbol(kind, value):
            return Constant(value, Member(kind), offsets)
        case ActionSymbol():
            message = f"`{name}` is an action and has no value"
            hint = f"to test whether it is possible, write `possible({name})`"
            return ctx.reject(codes.WRONG_KIND_OF_NAME, word.offsets, message, label="an action", help=hint)
        case KindSymbol() | ComponentSymbol():
            members = all_members(name, scope, offsets)
            assert members is not None
            _warn_of_similar_variable(ctx, word, members, scope)
            return members
        case _:
            assert_never(symbol)


def _is_member_count(symbol: Symbol | None, args: tuple[SyntaxNode, ...]) -> bool:
    """Whether a name is read with one argument more than it has keys, which counts a member of the bag that it is."""
    match symbol:
        case ValueSymbol(Bag(), keys) | StateSymbol(Bag(), keys) | ParameterSymbol(Bag(), keys):
            return len(args) == len(keys) + 1
        case VariableSymbol(Bag()):
            return len(args) == 1
        case _:
            return False


def _part_hint(type_: Type) -> str:
    """How a part of a variable is read, for one that was written with keys."""
    match type_:
        case Thing() | SetOf(element=Thing()):
            return "read a field with a dot"
        case Bag():
            return "in parentheses after a bag stands the one member that is counted"
    return ""


def _warn_of_similar_variable(ctx: CheckContext, word: SyntaxToken, members: Expr, scope: Scope) -> None:
    """Warns of a whole kind or component where a variable for one of its members has nearly the same name.

    Variables whose name begins with that of the kind or has it as its last word, or the other way round, are left out:
    they are named on purpose.
    """
    assert isinstance(members.type, SetOf)
    kind, element = word.text, members.type.element
    variables = [
        name
        for name, variable in scope.locals.items()
        if variable.type == element
        and not (name.startswith(kind) or kind.startswith(name) or name.endswith(f"_{kind}"))
    ]
    nearest = closest_name(word.text, variables)
    if nearest:
        message, hint = f"`{word.text}` means all of them, `{nearest}` one of them", meant_hint(word.text, nearest)
        ctx.emit(codes.ALL_OR_ONE, word.offsets, message, label="all of them", help=hint)


def _describe_category(symbol: Symbol) -> str:
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
        case _:
            assert_never(symbol)


def reject_unknown(
    ctx: CheckContext, word: SyntaxToken, scope: Scope, *, is_call: bool = False, category: str = "name"
) -> Expr:
    """Reports an unknown name. `category`: what is expected, for the message."""
    former = former_name(word.text)
    near = _near_values(word.text, scope) if former else {}
    if former and not near:
        ctx.emit(codes.FORMER_SPELLING, word.offsets, former[0], label="former", help=former[1])
        return _check_read(ctx, SyntaxToken(SEAT.kind, word.offsets), (), word.offsets, scope)

    def hint() -> str:
        if former:
            meant = (name for name, type_ in near.items() if _is_wanted(type_, ctx.wanted, scope))
            return join_hints(meant_hint(word.text, next(meant, "")), f"{former[0]}: {former[1]}")
        if word.text in scope.removed_names:
            return "a variant removes it: change or remove what uses it, too"
        if word.text in POSSESSIVES and scope.has_me:
            return "the player in turn is `me`, and what belongs to it `name(me)`"
        if word.text == "all" and ctx.wanted == SetOf(SEAT):
            return "where all win together, write `player`; `everyone` is a draw"
        if word.text == "all":
            return "all players are `everyone`; all members of a kind are its name"
        if word.text == "random":
            return "by chance is `at random`, as in `1 at random`"
        if word.text in NULL_WORDS and isinstance(ctx.wanted, Flag):
            return "write `true` or `false`"
        if word.text in NULL_WORDS and not (isinstance(ctx.wanted, Member) and ctx.wanted != SEAT):
            return "to ask whether nothing is there, write `is empty`; as a value write `nothing`, of players `nobody`"
        if is_call and word.text == "abs":
            return "by how much two numbers differ is `max(a - b, b - a)`"
        if not is_call and word.text in COUNT_WORDS:
            return "how many there are is `count(…)`"
        if not is_call and (number := number_hint(word.text) or letter_for_digit(word.text)):
            return number
        if category == LOOP_NAME:
            kinds = [name for name in scope.symbols if all_members(name, scope, word.offsets) is not None]
            return did_you_mean(word.text, kinds) or f"to loop over a set, write `{word.text} in …`"
        if row_hint := _row_hint(word.text, scope):
            return row_hint
        if owner_hint := _owner_hint(ctx, word, scope):
            return owner_hint
        symbols = (name for name, symbol in scope.symbols.items() if not isinstance(symbol, UNREAD_SYMBOLS))
        listed = list(dict.fromkeys([*scope.locals, *symbols]))
        if is_call:
            listed = [name for name in listed if takes_keys(scope.lookup(name))] + sorted(FUNCTIONS)
        values = [name for name, symbol in scope.symbols.items() if not isinstance(symbol, ActionSymbol)]
        known = [*listed, *scope.later_names, *values, *BUILTINS]
        fitting = [] if is_call else names_that_fit(ctx.wanted, scope)
        others = () if word.text in NULL_WORDS else listed if is_call else known
        nearest = did_you_mean(word.text, fitting) or did_you_mean(word.text, others)
        function = FOREIGN_FUNCTIONS.get(word.text, "") if is_call else ""
        if isinstance(nearest, WordHint) and nearest.meant == function:
            nearest = WordHint(nearest, word.text, function)
        if isinstance(ctx.wanted, Flag) and ctx.address.startswith("parameters."):
            return join_hints(nearest, "write `true` or `false`")
        if fitting:
            return join_hints(nearest, list_names("names that fit", fitting))
        return join_hints(nearest, list_names("known" if is_call else "names here", listed))

    if is_call:
        if word.text.removeprefix("is_") in QUESTION_WORDS:
            text = f"no function `{word.text}`"
            return ctx.reject(codes.UNKNOWN_FUNCTION, word.offsets, text, label="unknown", help="write `… is empty`")
        message, code = f"no function, zone, value or state `{word.text}`", codes.UNKNOWN_FUNCTION
    else:
        message, code = f"no {category} `{word.text}`", codes.UNKNOWN_NAME
    return ctx.reject(code, word.offsets, message, label="unknown", help=hint, cause=missing_name(word.text))


def _near_values(name: str, scope: Scope) -> dict[str, Type]:
    """The names, one letter off, of what has a value without keys, and its type."""
    types = {other: variable.type for other, variable in scope.locals.items()}
    for other, symbol in scope.symbols.items():
        if isinstance(symbol, ParameterSymbol | StateSymbol | ValueSymbol) and not symbol.key_types:
            types.setdefault(other, symbol.type)
    return {other: type_ for other, type_ in types.items() if edit_distance(name, other) == 1}


def _is_wanted(type_: Type, wanted: Wanted | None, scope: Scope) -> bool:
    match wanted:
        case None:
            return True
        case "zone" | "state" | "members":
            return False  # places and states are known by their own names
        case Number():
            return as_number(type_, scope.kinds) is not None
        case _:
            return is_comparable(type_, wanted, scope.kinds)


def _owner_hint(ctx: CheckContext, word: SyntaxToken, scope: Scope) -> str:
    """For `tile.colour` in a loop over things called otherwise: the only variable that has the field."""
    field = FIELD_BEHIND.match(ctx.scalar.text, word.offsets[1] + ctx.offset)
    owners = [
        name
        for name, variable in scope.locals.items()
        if field is not None
        and isinstance(variable.type, Thing)
        and isinstance(component := scope.symbols.get(variable.type.component), ComponentSymbol)
        and field[1] in component.field_types
    ]
    return meant_hint(word.text, owners[0]) if len(owners) == 1 else ""


def _row_hint(name: str, scope: Scope) -> str:
    """What to write instead of the id of a component's row, which expressions do not know."""
    for component, symbol in scope.symbols.items():
        if isinstance(symbol, ComponentSymbol) and name in symbol.row_ids:
            field = next(iter(symbol.field_types), "")
            condition = f"{component}.{field} is …" if field else "…"
            return (
                f"`{name}` is a row of `{component}`: find rows by their fields, as in "
                f"`some {component} in … has {condition}`"
            )
    return ""
