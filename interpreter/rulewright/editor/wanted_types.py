"""Of which type a word should be where somebody writes: by the key that it stands under, and by what is before it.

In: an address and what is written beside it, or the beginning of an expression. Out: types, each of which would do;
none where nothing is known of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Literal

from rulewright.diagnostics import Diagnostics
from rulewright.document.address import AddressParts
from rulewright.document.language import is_condition
from rulewright.editor.typed_scopes import binding_of_text, declared_type, scalar_of_text, type_of_text
from rulewright.expr.keywords import FUNCTIONS
from rulewright.expr.scope import (
    ParameterSymbol,
    Scope,
    StateSymbol,
    Symbol,
    ValueSymbol,
    VariableSymbol,
    ZoneSymbol,
)
from rulewright.expr.type_relations import as_number, element_type
from rulewright.expr.typecheck.expressions import check_amount, check_place
from rulewright.expr.types import (
    ANY_BAG,
    ANY_NUMBER,
    FLAG,
    SEAT,
    Bag,
    Flag,
    Member,
    SetOf,
    Thing,
    Type,
    UnknownType,
)
from rulewright.frozen import frozen

if TYPE_CHECKING:
    from rulewright.expr.lark_parser import OpenPart


@frozen
class ZoneOf:
    """A zone that holds this, if that is known."""

    content: Member | Thing | None = None


# besides types: a flag alone, not a condition; any state; a name whose members a loop runs over; members or sets of
# them; things or sets of them
Wanted = Type | ZoneOf | Literal["flag", "state", "kind", "members", "things"]
NAMED: Final = ("state", "kind")  # that only names alone stand for, as for zones

ANY_SET: Final = SetOf(None)
PLAYERS: Final[tuple[Wanted, ...]] = (SEAT, SetOf(SEAT))
NUMBER: Final[tuple[Wanted, ...]] = (ANY_NUMBER,)
CONDITION: Final[tuple[Wanted, ...]] = (FLAG,)
BY_KEY: Final[Mapping[str, tuple[Wanted, ...]]] = {
    "when": CONDITION, "while": CONDITION, "set": ("state",), "roll": ("state",), "turn": (SEAT,),
    "extra_turn": (SEAT,), "by": (SEAT,), "winners": PLAYERS, "leave": PLAYERS, "one_of": (ANY_SET,),
    "some_of": (ANY_SET,), "pay": (ANY_BAG,), "rebate": NUMBER, "worth": NUMBER, "times": NUMBER,
    "lowest_first": NUMBER, "highest_first": NUMBER, "most": NUMBER, "fewest": NUMBER, "at_most": NUMBER,
    "refill": (ZoneOf(),), "reveal": ("things",),
}  # fmt: skip
OF_NUMBERS: Final = ("evaluation", "strategies", "measures")  # sections whose terms are numbers
BY_FUNCTION: Final[Mapping[str, tuple[Wanted, ...]]] = {
    "count": (ANY_SET,), "only": (ANY_SET,), "reversed": (ANY_SET,), "min": NUMBER, "max": NUMBER,
    "next": (SEAT,), "everyone_from": (SEAT,),
}  # fmt: skip
BEFORE_CONDITIONS: Final = ("and", "or", "not", "has", "where", "if")
BEFORE_LOOPS: Final = ("each", "some", "every", "no", "for")
BEFORE_NUMBERS: Final = ("<", "<=", ">", ">=", "*", "//", "%", "to", "top")
LIKE_THE_LEFT: Final = ("+", "-", "less")
TOTALS: Final = ("sum", "max", "min")
PARTS_OF_SETS: Final = ("first", "last")
PILE_ENDS: Final = ("top", "bottom")


def wanted_by_key(parts: AddressParts, beside: Mapping[str, str], scope: Scope) -> tuple[Wanted, ...]:
    """What the expression at an address should be. `beside`: what is written under the other keys there."""
    key = parts[-1]
    if parts[0] == "parameters":
        return _like(type_of_text(parts[1], scope), scope) if key in ("value", parts[1]) else ()
    if is_condition(parts) or (key == "is" and parts[0] == "invariants"):
        return CONDITION
    if key == "is":
        return NUMBER if parts[0] in OF_NUMBERS else ()
    if key == "start":
        return _wanted_at_start(parts, beside, scope)
    if key == "move":
        content = _content_of_place(beside.get("from", ""), scope)
        return ("things", "members", ANY_BAG) if content is None else _movable(content)
    if key == "from":
        return (ZoneOf(_content_of_amount(beside.get("move") or beside.get("pay", ""), scope)),)
    if key == "to":
        if "set" in beside:
            return _like(type_of_text(beside["set"], scope), scope)
        return PLAYERS if "reveal" in beside else (ZoneOf(_content_of_amount(beside.get("move", ""), scope)),)
    return BY_KEY.get(key, ())


def _wanted_at_start(parts: AddressParts, beside: Mapping[str, str], scope: Scope) -> tuple[Wanted, ...]:
    if parts[0] == "components":
        return (ZoneOf(),)
    if "type" in beside:
        return _like(declared_type(beside["type"], scope), scope)
    match declared_type(beside.get("holds", ""), scope):
        case Member(kind):
            return (Bag(kind),)
        case _:
            return ()


def _movable(content: Member | Thing) -> tuple[Wanted, ...]:
    one: tuple[Wanted, ...] = (content, SetOf(content))
    return (*one, Bag(content.kind)) if isinstance(content, Member) else one


def _content_of_place(text: str, scope: Scope) -> Member | Thing | None:
    place = check_place(scalar_of_text(text), scope, Diagnostics(), is_source=True) if text.strip() else None
    zone = None if place is None else scope.symbols.get(place.zone)
    return zone.content_type if isinstance(zone, ZoneSymbol) else None


def _content_of_amount(text: str, scope: Scope) -> Member | Thing | None:
    amount = check_amount(scalar_of_text(text), scope, Diagnostics()) if text.strip() else None
    type_ = UnknownType() if amount is None or amount.of is None else amount.of.type
    content = element_type(type_, scope.kinds) if isinstance(type_, Bag | SetOf) else type_
    return content if isinstance(content, Member | Thing) else None


def _like(type_: Type, scope: Scope) -> tuple[Wanted, ...]:
    """What can be compared with a value of a type; nothing is known where that is unknown."""
    if isinstance(type_, UnknownType):
        return ()
    return (type_, ANY_NUMBER) if as_number(type_, scope.kinds) is not None else (type_,)


# ---- in an expression -------------------------------------------------------------------------------------------


def scope_within(parts: Sequence[OpenPart], scope: Scope) -> Scope:
    """The scope behind the beginning of an expression: with the variables of the loops that are open."""
    for part, following in pairwise(parts):
        if not part.is_word and following.text in ("has", "where"):
            binding = binding_of_text(part.text, scope)
            if binding is not None:
                scope = scope.with_variable(binding.name, binding.type)
    return scope


def wanted_behind(parts: Sequence[OpenPart], outer: tuple[Wanted, ...], scope: Scope) -> tuple[Wanted, ...]:
    """What should follow behind the beginning of an expression. `outer`: what the whole expression should be."""
    if not parts:
        return outer
    last, before = parts[-1].text, parts[:-1]
    if not parts[-1].is_word:
        return ()
    previous = before[-1].text if before and before[-1].is_word else ""
    if last == "not" and previous == "is":
        last, before = previous, before[:-1]
    if last in ("(", ","):
        return _wanted_in_parentheses(parts, outer, scope)
    if last in LIKE_THE_LEFT and not (before and not before[-1].is_word):
        return NUMBER  # a sign
    if last in ("is", "else", *LIKE_THE_LEFT):
        found = _like(type_of_text(before[-1].text, scope), scope)
        return ("flag",) if last == "is" and found == CONDITION else found
    if last == "in":
        return _wanted_behind_in(before, scope)
    if last == "of":
        return _wanted_behind_of(before, outer)
    if last == "then":
        return wanted_behind(before[:-2], outer, scope)
    if last == "to" and previous == "up":
        return outer
    if last in BEFORE_CONDITIONS:
        return CONDITION
    if last in BEFORE_LOOPS:
        return ("kind",)
    return NUMBER if last in BEFORE_NUMBERS else ()


def _wanted_behind_in(before: Sequence[OpenPart], scope: Scope) -> tuple[Wanted, ...]:
    while before and before[-1].text in ("not", "fits"):
        if before[-1].text == "fits":
            return _like(type_of_text(before[-2].text, scope), scope)
        before = before[:-1]
    if not before or before[-1].is_word:
        return (ANY_SET,)  # of a loop
    match type_of_text(before[-1].text, scope):
        case Member() | Thing() as element:
            return (SetOf(element),)
        case _:
            return (ANY_SET,)


def _wanted_behind_of(before: Sequence[OpenPart], outer: tuple[Wanted, ...]) -> tuple[Wanted, ...]:
    words = [part.text for part in before[-2:] if part.is_word]
    if words and words[-1] in TOTALS:
        return NUMBER
    if words and words[-1] in PILE_ENDS and before[-1].is_word:
        return outer
    if words and words[-1] in PARTS_OF_SETS:
        return tuple(each for each in outer if isinstance(each, SetOf)) or (ANY_SET,)
    kinds = [each.kind for each in outer if isinstance(each, Bag) and each.kind]
    return tuple(each for kind in kinds for each in (Member(kind), SetOf(Member(kind)))) or ("members",)


def _wanted_in_parentheses(parts: Sequence[OpenPart], outer: tuple[Wanted, ...], scope: Scope) -> tuple[Wanted, ...]:
    is_first = parts[-1].text == "("
    before = parts[:-1] if is_first else parts[:-3]
    if not before or before[-1].is_word:
        return wanted_behind(before, outer, scope)
    name = before[-1].text
    if name in FUNCTIONS and name not in scope.locals:
        return BY_FUNCTION.get(name, ())
    keys = keys_of(scope.lookup(name))
    index = 0 if is_first else parts[-2].count
    if index >= len(keys):
        return ()
    key, symbol = keys[index], scope.lookup(name)
    found = _like(key, scope)
    if isinstance(symbol, ZoneSymbol) and index < len(symbol.key_types) and isinstance(key, Member | Thing):
        return (*found, SetOf(key))  # of several places
    return found


def keys_of(symbol: Symbol | None) -> tuple[Type, ...]:
    """What can be in parentheses behind a name: its keys, and last a member of the bag that it is."""
    match symbol:
        case ZoneSymbol(content, keys):
            return (*keys, content) if isinstance(content, Member) else keys
        case ParameterSymbol(type_, keys) | StateSymbol(type_, keys) | ValueSymbol(type_, keys):
            return (*keys, Member(type_.kind)) if isinstance(type_, Bag) and type_.kind else keys
        case VariableSymbol(Bag(kind)) if kind:
            return (Member(kind),)
        case _:
            return ()


def is_about_anything(wanted: Sequence[Wanted]) -> bool:
    """Whether every value can be the beginning of what is wanted: conditions compare all sorts of values."""
    return not wanted or any(isinstance(each, Flag) for each in wanted)


__all__ = [
    "NAMED",
    "Wanted",
    "ZoneOf",
    "is_about_anything",
    "keys_of",
    "scope_within",
    "wanted_behind",
    "wanted_by_key",
]
