"""Which of the words that can follow fit there, by their types: those that do come first, those that never do are left
out.

In: words, what should follow, and a scope. Out: the words that are left, in their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from rulewright.editor.wanted_types import NAMED, Wanted, ZoneOf, is_about_anything, keys_of
from rulewright.expr.keywords import BUILTINS, FUNCTIONS, KEYWORDS
from rulewright.expr.scope import (
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
from rulewright.expr.type_relations import as_number, element_type, is_comparable
from rulewright.expr.types import (
    ANY_BAG,
    ANY_NUMBER,
    FLAG,
    SEAT,
    Bag,
    Flag,
    Member,
    Number,
    SetOf,
    Thing,
    Type,
    UnknownType,
)

Word = tuple[str, str]
FITS, LEADS_THERE, NEVER = 0, 1, 2
ONLY: Final = "only"
PILE_ENDS: Final = ("top", "bottom")
MAX_MEMBERS: Final = 100  # of a kind of numbers
TYPES_OF_WORDS: Final[Mapping[str, Type]] = {
    **dict.fromkeys(("true", "false", "not", "some", "every", "no", "possible"), FLAG),
    **dict.fromkeys(("count", "min", "max", "sum", "players", "round_number"), ANY_NUMBER),
    **dict.fromkeys(("me", "opponent", "first_player", "next"), SEAT),
    **dict.fromkeys(("opponents", "others", "everyone", "nobody", "everyone_from"), SetOf(SEAT)),
    **dict.fromkeys(("each", "first", "last", "reversed"), SetOf(None)),
    **dict.fromkeys(("nothing", "empty"), ANY_BAG),
}  # what the words of the language are, or begin; of others that depends on what follows
IN_PLAY: Final = (ZoneSymbol, StateSymbol, ValueSymbol)  # what has no value before play
WORDS: Final = frozenset(TYPES_OF_WORDS) | BUILTINS | FUNCTIONS | KEYWORDS


def fitting_words(words: Iterable[Word], wanted: Sequence[Wanted], scope: Scope) -> list[Word]:
    """The words that can begin what is wanted, the best first."""
    if not wanted:
        return [*words]
    least = LEADS_THERE if is_about_anything(wanted) else NEVER
    ranked = [(min(least, _rank(name, wanted, scope)), (name, label)) for name, label in words]
    return [word for rank in (FITS, LEADS_THERE) for known, word in ranked if known == rank]


def members_wanted(wanted: Sequence[Wanted], scope: Scope) -> Iterator[Word]:
    """The members of the kinds that are wanted; players have no names."""
    for each in wanted:
        if isinstance(each, Member) and each != SEAT:
            yield from ((member, f"member of {each.kind}") for member in scope.kinds[each.kind].members[:MAX_MEMBERS])


def fitting_fields(fields: Iterable[tuple[str, Type, str]], wanted: Sequence[Wanted], scope: Scope) -> list[Word]:
    """Fields with their types and labels: those that fit first."""
    ranked = [
        (min((_rank_of_type(type_, each, scope) for each in wanted), default=FITS), (name, label))
        for name, type_, label in fields
    ]
    return [word for _, word in sorted(ranked, key=lambda each: each[0])]


def _rank(name: str, wanted: Sequence[Wanted], scope: Scope) -> int:
    if name.isdecimal():
        return FITS
    symbol = scope.lookup(name)
    if (name in WORDS and not isinstance(symbol, VariableSymbol)) or symbol is None:
        type_ = TYPES_OF_WORDS.get(name, UnknownType())
        return min(_rank_of_word(name, type_, each, scope) for each in wanted)
    return min(_rank_of_symbol(name, symbol, each, scope) for each in wanted)


def _rank_of_word(name: str, type_: Type, wanted: Wanted, scope: Scope) -> int:
    """Of a word of the language. `only(…)` is one of a set, whatever that is of."""
    if wanted in NAMED or (isinstance(wanted, ZoneOf) and name not in PILE_ENDS):
        return NEVER
    if name == ONLY:
        return NEVER if isinstance(wanted, Bag | SetOf) or wanted == "flag" else LEADS_THERE
    return _rank_of_type(type_, wanted, scope)


def _rank_of_symbol(name: str, symbol: Symbol, wanted: Wanted, scope: Scope) -> int:
    if isinstance(symbol, UnavailableSymbol):
        return LEADS_THERE
    if scope.is_before_play and isinstance(symbol, IN_PLAY):
        return NEVER
    match wanted:
        case ZoneOf(content):
            is_zone = isinstance(symbol, ZoneSymbol)
            return FITS if is_zone and (content is None or _holds(symbol, content, scope)) else NEVER
        case "state":
            return FITS if isinstance(symbol, StateSymbol) else NEVER
        case "kind":
            return FITS if isinstance(symbol, KindSymbol | ComponentSymbol) else NEVER
        case Member(kind) if isinstance(symbol, MemberSymbol):
            return FITS if name in scope.kinds[kind].members else NEVER
    type_ = _type_of_symbol(name, symbol)
    if type_ is None:
        return NEVER
    rank = _rank_of_type(type_, wanted, scope)
    if isinstance(type_, Bag) and keys_of(symbol):  # how many of a member there are
        return min(rank, LEADS_THERE if isinstance(wanted, Number) else NEVER)
    return rank


def _holds(symbol: Symbol, content: Member | Thing, scope: Scope) -> bool:
    return isinstance(symbol, ZoneSymbol) and is_comparable(symbol.content_type, content, scope.kinds)


def _type_of_symbol(name: str, symbol: Symbol) -> Type | None:
    """What a name stands for, with its keys; None for what has no value."""
    match symbol:
        case ParameterSymbol(type_) | StateSymbol(type_) | ValueSymbol(type_) | VariableSymbol(type_):
            return type_
        case ZoneSymbol(content):
            return Bag(content.kind) if isinstance(content, Member) else SetOf(content)
        case MemberSymbol(kind):
            return Member(kind)
        case KindSymbol(kind):
            return SetOf(Member(kind))
        case ComponentSymbol():
            return SetOf(Thing(name))
        case _:
            return None


def _rank_of_type(type_: Type, wanted: Wanted, scope: Scope) -> int:
    """How well a value of a type fits; `LEADS_THERE`: not itself, but what can be written behind it."""
    if isinstance(type_, UnknownType):
        return LEADS_THERE
    if _fits(type_, wanted, scope):
        return FITS
    things = type_.element if isinstance(type_, SetOf) else type_
    if isinstance(things, Thing) and isinstance(component := scope.symbols.get(things.component), ComponentSymbol):
        fields = component.field_types.values()
        is_total = isinstance(type_, SetOf)  # of a set a field is a sum
        if any(_fits(field, wanted, scope) for field in fields if not is_total or not isinstance(field, Member)):
            return LEADS_THERE
    is_amount = isinstance(wanted, Bag) and as_number(type_, scope.kinds) is not None  # 2 of red
    is_player = wanted == "members" and things == SEAT
    return LEADS_THERE if is_amount or is_player else NEVER


def _fits(type_: Type, wanted: Wanted, scope: Scope) -> bool:
    element = type_.element if isinstance(type_, SetOf) else type_
    match wanted:
        case ZoneOf() | "state" | "kind":
            return False
        case "members":
            return isinstance(element, Member) and element != SEAT
        case "things":
            return isinstance(element, Thing)
        case Bag(""):
            return isinstance(type_, Bag)
        case Flag() | "flag":
            return isinstance(type_, Flag)
        case Number():
            return as_number(type_, scope.kinds) is not None
        case SetOf(None):
            return element_type(type_, scope.kinds) is not None
        case SetOf(Member() | Thing() as of):
            found = element_type(type_, scope.kinds)
            return found is not None and is_comparable(found, of, scope.kinds)
        case _:
            return is_comparable(type_, wanted, scope.kinds)


__all__ = ["fitting_fields", "fitting_words", "members_wanted"]
