"""What to write instead: the hints that several checks of expressions give.

In: an expression or a part of one, and its scope. Out: a text for the help line, or "" if there is nothing to suggest.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from rulewright.expr.scope import (
    ComponentSymbol,
    KindSymbol,
    MemberSymbol,
    ParameterSymbol,
    Scope,
    StateSymbol,
    Symbol,
    ValueSymbol,
    ZoneSymbol,
)
from rulewright.expr.syntax_tree import SyntaxNode
from rulewright.expr.tree import Builtin, Constant, Expr, Local, Offsets
from rulewright.expr.type_relations import KindTable, article, as_number, describe_type, is_assignable, is_comparable
from rulewright.expr.types import FORMER_SEAT_KIND, PLAYER_COUNT, SEAT, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.suggestions import WordHint


def all_members(name: str, scope: Scope, offsets: Offsets) -> Expr | None:
    """The set of all members of a kind, or all things of a component, by its name; None if it names neither."""
    match scope.symbols.get(name):
        case KindSymbol(kind):
            values = scope.kinds[kind].member_values
            type_ = SetOf(Member(kind), len(values))
            # the order of seats depends on who begins
            return Builtin(kind, type_, offsets) if kind == SEAT.kind else Constant(values, type_, offsets)
        case ComponentSymbol(row_count=count):
            return Constant(tuple(range(count)), SetOf(Thing(name), count), offsets)
        case _:
            return None


def one_member_hint(expr: Expr, scope: Scope, wanted: Type | None = None) -> str:
    """For the name of a kind or component, which means all of its members, where one member is needed. `wanted`: of
    which type, where it may be another.
    """
    match expr:
        case (
            Constant(type=SetOf(element=(Thing(component=name) | Member(kind=name)) as element))
            | Builtin(name=SEAT.kind as name, type=SetOf(element=Member() as element))
        ):
            is_wanted = wanted is None or is_comparable(element, wanted, scope.kinds)
            if is_wanted and all_members(name, scope, expr.offsets) == expr:
                variables = [f"`{name}`" for name, variable in scope.locals.items() if variable.type == element]
                return (
                    f"`{name}` means all of them; for one of them, write {' or '.join(variables)}" if variables else ""
                )
    return ""


def former_name(name: str) -> tuple[str, str] | None:
    """For the name that a kind had in version 1 of the language: the message, and what to write."""
    if name != FORMER_SEAT_KIND:
        return None
    hint = WordHint(f"write `{SEAT.kind}`", name, SEAT.kind)
    return f"`{name}` is what version 1 of the language called this kind", hint


def kind_hint(name: str) -> str:
    """For the number of players where the kind is needed."""
    return f"`{name}` is their number; for each of them, write `{SEAT.kind}`" if name == PLAYER_COUNT else ""


def takes_keys(symbol: Symbol | None) -> bool:
    """Whether a name needs or may have keys in parentheses."""
    match symbol:
        case ZoneSymbol():
            return True
        case ValueSymbol(key_types=keys) | StateSymbol(key_types=keys) | ParameterSymbol(key_types=keys):
            return bool(keys)
        case _:
            return False


def player_count_hint(expr: Expr) -> str:
    """For players where a number is needed."""
    match expr:
        case Builtin(name=SEAT.kind) | Local(name=SEAT.kind, type=Member(SEAT.kind)):
            return f"the number of players is `{PLAYER_COUNT}`"
    return ""


def all_members_hint(name: str, scope: Scope) -> str:
    """For a variable with the name of its kind, where the whole kind is meant.

    A loop of the expression can name its variable otherwise. A choice, a key or the variable of a step may belong to
    somebody else's rule: there the whole kind is had by a value, which does not see them.
    """
    if name == SEAT.kind:
        return f"`{name}` is a variable here; for all players, write `everyone`"
    if name not in scope.loop_names:
        return f"`{name}` is a variable of the rule here; rename it there, or loop over a value that is `each {name}`"
    unused = (each for each in (name[0], f"one_{name}") if each not in scope.locals and each not in scope.symbols)
    other = f"{next(unused, 'x')} in {name}"
    return f"`{name}` is the variable of the loop around; call that one otherwise, as in `{other}`"


def set_hint(given: Type) -> str:
    """For a value that is not a set, where a set is needed."""
    match given:
        case Number():
            return "for several numbers, write a range, as in `1 to 3`"
        case Member(name) | Thing(name):
            return f"for all of them, write `{name}`"
    return ""


def count_hint(given: Type, kinds: KindTable) -> str:
    """For a value that is not a set, where its elements are counted."""
    return "it is a number already: leave out `count`" if as_number(given, kinds) else ""


NO_SEAT_HINT: Final = (
    "no player is known before play: remove it, and `set` it in `setup`, to `first_player` for example"
)


def seat_hint(scope: Scope, *, many: bool = False) -> str:
    """For a number where a seat is needed, or a set of seats (`many`): seats have no numbers in rules."""
    if scope.is_before_play:
        keys = [f"`{name}`" for name, variable in scope.locals.items() if variable.type == SEAT]
        return f"a player is not a number: write {' or '.join(keys)}" if keys else NO_SEAT_HINT
    own = [name for name, variable in scope.locals.items() if variable.type == SEAT]
    names = ", ".join(f"`{name}`" for name in (*own, *(["me"] if scope.has_me else []), "first_player"))
    if many:
        return f"players have no numbers: write {names}, `everyone`, `nobody`, or `each player where …`"
    return f"a player is not a number: write {names}, or loop over the players"


def keys_at_hand_hint(wanted: Type, scope: Scope) -> str:
    """For a wrong key: the variables that are right ones."""
    own = [name for name, variable in scope.locals.items() if variable.type == wanted]
    names = [*own, *(["me"] if wanted == SEAT and scope.has_me else [])]
    if names:
        return f"{describe_type(wanted)} here: {', '.join(f'`{name}`' for name in names)}"
    return members_hint(wanted.kind, scope) if isinstance(wanted, Member) and wanted != SEAT else ""


Wanted = Type | Literal["zone", "state", "members"]  # what a name should stand for


def names_that_fit(wanted: Wanted | None, scope: Scope) -> list[str]:
    """The names that stand alone for one member or thing of a type, or those of zones or states; none of other types,
    of which whole expressions are as likely.
    """
    match wanted:
        case "zone":
            return [name for name, symbol in scope.symbols.items() if isinstance(symbol, ZoneSymbol)]
        case "state":
            return [name for name, symbol in scope.symbols.items() if isinstance(symbol, StateSymbol)]
        case "members":  # of which there can be several
            own = [name for name, variable in scope.locals.items() if isinstance(variable.type, Member | SetOf)]
            kinds = [
                name for name, symbol in scope.symbols.items() if isinstance(symbol, KindSymbol) and name != SEAT.kind
            ]
            return [*own, *kinds, *(name for name, symbol in scope.symbols.items() if isinstance(symbol, MemberSymbol))]
        case Member() | Thing():
            types = {name: variable.type for name, variable in scope.locals.items()}
            types |= {name: type_ for name, symbol in scope.symbols.items() if (type_ := _type_alone(symbol))}
            if not scope.is_before_play:
                types |= dict.fromkeys(_players_in_words(scope), SEAT)
            known = [(name, type_) for name, type_ in types.items() if not isinstance(type_, UnknownType)]
            return [name for name, type_ in known if is_assignable(type_, wanted, scope.kinds)]
        case SetOf(element) if element == SEAT:
            return [*names_that_fit(SEAT, scope), "everyone", *(["others"] if scope.has_me else []), "nobody"]
    return []


def _players_in_words(scope: Scope) -> list[str]:
    """The words of the language that mean one player here."""
    in_turn = ["me", *(["opponent"] if scope.players == 2 else [])] if scope.has_me else []
    return [*in_turn, "first_player"]


def _type_alone(symbol: Symbol) -> Type | None:
    """The type of what a name stands for without keys."""
    match symbol:
        case MemberSymbol(kind):
            return Member(kind)
        case ParameterSymbol(type_, ()) | StateSymbol(type_, ()) | ValueSymbol(type_, ()):
            return type_
        case _:
            return None


def members_hint(kind: str, scope: Scope) -> str:
    """The members of a kind."""
    info = scope.kinds[kind]
    if info.is_numeric and info.members:
        return f"{kind}: {info.members[0]} to {info.members[-1]}"
    named = dict.fromkeys("every player" if info.is_player(member) else member for member in info.members)
    more = ", …" if len(named) > 12 else ""
    return f"{kind}: {', '.join([*named][:12])}{more}"


def parameter_hint(node: SyntaxNode, scope: Scope) -> str:
    """The values of the parameters in a part, and of `players`: `the parameter `limit` is 0 here`."""
    values = list[str]()
    for name in dict.fromkeys(_names(node)):
        symbol = scope.symbols.get(name)
        if name == "players" and name not in scope.locals:
            values.append(f"`players` is {scope.players}")
        elif name not in scope.locals and isinstance(symbol, ParameterSymbol) and isinstance(symbol.value, int):
            values.append(f"the parameter `{name}` is {symbol.value}")
    return f"{' and '.join(values)} here" if values else ""


def _names(node: SyntaxNode) -> Iterator[str]:
    if node.rule == "name":
        yield node.token().text
    for part in node.children():
        yield from _names(part)


def describe_outside(expr: Expr, kind: str, scope: Scope) -> str:
    """How a value is outside of a kind, for a message."""
    member = f"{article(kind)} {kind}"
    match expr:
        case Constant(value=int() as value, type=Member(other_kind)):
            info = scope.kinds[other_kind]
            return f"`{info.members[info.member_values.index(value)]}` is not {member}"
    match expr.type:
        case Number(low, high) if low == high:
            return f"{low} is not {member}"
        case Number(low, high):
            return f"{low} to {high} is not always {member}"
    return f"{describe_type(expr.type)} is not always {member}"
