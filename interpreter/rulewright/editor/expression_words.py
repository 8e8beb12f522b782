"""The words that can follow in an expression, by the grammar and by what each name is.

In: the rules, an address and the beginning of an expression there. Out: words, each with what it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from rulewright.editor.fitting_words import Word, fitting_fields, fitting_words, members_wanted
from rulewright.editor.known_names import KnownNames
from rulewright.editor.local_names import Visible, visible_at
from rulewright.editor.open_rules import OpenRules
from rulewright.editor.typed_scopes import scope_at, type_of_text, with_procedures
from rulewright.editor.wanted_types import scope_within, wanted_behind, wanted_by_key
from rulewright.expr.keywords import BUILTINS, FUNCTIONS
from rulewright.expr.scope import ComponentSymbol, Scope
from rulewright.expr.types import ANY_NUMBER, Member, SetOf, Thing, Type, UnknownType
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.nodes import MappingNode

if TYPE_CHECKING:
    from rulewright.expr.grammar import StartRule
    from rulewright.expr.lark_parser import OpenPart

STARTS: Final[dict[str, tuple[StartRule, ...]]] = {
    "for_each": ("binding",), "type": ("type",), "move": ("amount",), "to": ("place", "expr"), "grid": ("grid",),
}  # fmt: skip
VALUES_BESIDE: Final = frozenset({"set", "reveal"})  # where `to` is no place
LAST_NAME: Final = lazy_pattern(r"\w*$")
DOTTED: Final = lazy_pattern(r"[\w.]*$")  # what is replaced with a field
LOOP: Final = lazy_pattern(r"\b(?:some|every|no|each|for) ([a-z]\w*)(?: in ([a-z]\w*))?")
ASKS_FOR_ACTION: Final = lazy_pattern(r"\bpossible\(\w*$")
NAMES_OF_CELLS: Final = ("row", "column")
NOT_IN_EXPRESSIONS: Final = ("action", "procedure", "measure", "thing")
KINDS: Final = ("kind", "component")
WORD: Final = "word of the language"
IN_TYPES: Final = ("kind", "component", "parameter")


def expression_words(
    rules: OpenRules, root: MappingNode, parts: tuple[str, ...], written: str, beside: Mapping[str, str]
) -> Iterator[Word]:
    """The words that can follow what is written, those first that fit by their types; the last word of it may be
    unfinished. `beside`: what is written under the other keys there.
    """
    if ASKS_FOR_ACTION.search(written):
        yield from ((each.name, each.label) for each in rules.declarations.values() if each.label == "action")
        return
    if rules.symbols is None:
        return
    match, names, key = LAST_NAME.search(written), KnownNames(root), parts[-1]
    before = written[: match.start()] if match is not None else written
    place = parts[:-1] if key == "for_each" else (*parts, "")  # a loop does not see its own variable
    starts: Sequence[StartRule] = ("expr",) if VALUES_BESIDE & {*beside} else STARTS.get(key, ("expr",))
    opened, scope = _opened(before, starts), scope_at(rules.symbols, names, place)
    if key == "run":
        scope = with_procedures(scope, root)
    outer, inner = wanted_by_key(parts, beside, scope), scope_within(opened, scope)
    if before.endswith("."):
        owner = type_of_text(opened[-2].text, inner) if opened[1:] else UnknownType()
        chain = DOTTED.search(before)
        fields = fitting_fields(_fields(owner, inner), wanted_behind(opened[:-2], outer, inner), inner)
        yield from ((f"{'' if chain is None else chain[0]}{name}", label) for name, label in fields)
        return
    following, wanted = _following(before, starts), wanted_behind(opened, outer, inner)
    words = [(word, WORD) for word in sorted(following) if word.isalpha() and word.islower()]
    if "NAME" in following:
        named = _names(rules, visible_at(names, place), before, key)
        is_asked = bool(opened) and opened[-1].text == "is"  # what `empty` asks, and `nothing` writes
        operators = [each for each in words if each[0] == "not" and is_asked]
        prefixes = [each for each in words if each not in operators]
        known = [*members_wanted(wanted, inner), *named, *prefixes]
        yield from fitting_words([each for each in known if each[0] != "nothing" or not is_asked], wanted, inner)
        words = operators
    yield from words


def _opened(before: str, starts: Sequence[StartRule]) -> tuple[OpenPart, ...]:
    """What the beginning of an expression leaves open."""
    from rulewright.expr.lark_parser import open_parts  # as below

    found = (open_parts(before, start) for start in starts)
    return next(filter(None, found), ())


def _following(before: str, starts: Sequence[StartRule]) -> frozenset[str]:
    """The keywords that the grammar allows next, and NAME."""
    from rulewright.expr.lark_parser import words_that_follow  # the parser is not loaded until something is typed

    return frozenset[str]().union(*(words_that_follow(before, start) for start in starts))


def _names(rules: OpenRules, visible: Visible, before: str, key: str) -> Iterator[Word]:
    for name, local in visible.items():
        yield name, local.label
    for loop in LOOP.finditer(before):
        yield loop[1], "loop variable"
    declared = rules.declarations.values()
    if key == "type":
        yield from ((each.name, each.label) for each in declared if each.label in IN_TYPES)
        yield "flag", WORD
        return
    if key == "for_each" and not before.strip():  # without a set it is all of a kind or component
        yield from ((each.name, each.label) for each in declared if each.label in KINDS)
        yield "player", "kind"
        return
    yield from ((each.name, each.label) for each in declared if each.label not in NOT_IN_EXPRESSIONS)
    yield from ((word, WORD) for word in sorted(BUILTINS))
    yield "player", "kind"
    if key != "for_each" or " where " in before:
        yield from ((word, "function") for word in sorted(FUNCTIONS))


def _fields(owner: Type, scope: Scope) -> Iterator[tuple[str, Type, str]]:
    """The fields of a thing or cell, and the totals of a set, each with its type and what it is; of everything where
    that is not known.
    """
    of = owner.element if isinstance(owner, SetOf) else owner
    is_known = isinstance(of, Thing)
    for name, symbol in scope.symbols.items():
        if isinstance(symbol, ComponentSymbol) and (not is_known or of == Thing(name)):
            yield from ((field, type_, f"field of {name}") for field, type_ in symbol.field_types.items())
    if not is_known and (not isinstance(of, Member) or scope.kinds[of.kind].columns):
        yield from ((name, ANY_NUMBER, "of a cell") for name in NAMES_OF_CELLS)


__all__ = ["expression_words"]
