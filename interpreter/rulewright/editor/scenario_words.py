"""What can follow in a file of scenarios: its keys, names of the game, players, actions as they are written down.

In: the rules that are open, the text and the place of the cursor. Out: words, each with what it is. The names are those
of the rules by which the case is played, with its variants.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.diagnostics import Diagnostics, SourceFile
from rulewright.document.address import child_entries, find_entry
from rulewright.editor.cursor_places import CursorPlace
from rulewright.editor.file_schemas import keys_below, schema_at
from rulewright.editor.known_names import KnownNames, key_sorts, label_of
from rulewright.editor.listed_members import members_of_kind, things_of_component
from rulewright.editor.local_names import choices_of
from rulewright.editor.open_rules import SCENARIOS, OpenRules
from rulewright.expr.types import SEAT
from rulewright.frozen import frozen
from rulewright.scenarios.nearby_files import known_variants
from rulewright.source.nodes import MappingNode, ScalarNode, as_mapping
from rulewright.source.reader import parse_source

Word = tuple[str, str]

CASES: Final = "cases"
GIVEN: Final = "given"
EXPECTED: Final = "then"
ACTIONS: Final = ("when", "legal", "not_legal", "options")
ADDRESSES: Final = ("step", "illegal")
OF_PLAYERS: Final = ("decides", "player", "first_player", "winners", "places")
NAMED: Final = ("zones", "state", "values")  # sections of names, also as keys of what is expected
CHANCE: Final = "chance"
HIDDEN: Final = "hidden"
NOTHING: Final = "nothing"


@frozen
class CaseNames:
    """The names that a case speaks of, and how many play."""

    names: KnownNames
    players: int


def scenario_words(rules: OpenRules, text: str, offset: int, place: CursorPlace, typed: str) -> Iterator[Word]:
    """The words that can follow at a place below the top of the file."""
    keys = place.keys
    if place.is_key:
        yield from ((key, "key") for key in keys_below(SCENARIOS, keys))
    case = names_at(rules, text, offset, keys)
    if case is None:
        return
    if keys[-1] == "variants" and not place.is_key:
        yield from _variants(rules, case)
    elif keys[-1] in OF_PLAYERS and not place.is_key:
        yield from members_of(case, SEAT.kind)
    elif keys[0] == CASES and len(keys) > 2:
        yield from _in_case(case, keys[2:], place, typed)
    yield from _words_of_schema(keys, place)


def names_at(rules: OpenRules, text: str, offset: int, keys: tuple[str, ...]) -> CaseNames | None:
    """The names at a place: of a case those of its own variants. What the line that is being written says of them is
    left out while the file cannot be read with it.
    """
    if rules.names is None or rules.base is None:
        return None
    start, end = text.rfind("\n", 0, offset) + 1, text.find("\n", offset)
    without_line = text[:start] + (text[end:] if end >= 0 else "")
    nodes = (parse_source(SourceFile(str(rules.path), each), Diagnostics()) for each in (text, without_line))
    file = next((node for node in nodes if isinstance(node, MappingNode)), MappingNode((), rules.base.root.span))
    case = as_mapping(as_mapping(file.get(CASES)).get(keys[1]) if len(keys) > 1 else None)
    names, players = rules.names.of_case(rules.path, file, case)
    return CaseNames(names, players)


def _in_case(case: CaseNames, keys: tuple[str, ...], place: CursorPlace, typed: str) -> Iterator[Word]:
    part, *inner = keys
    is_expected = part == EXPECTED
    if part in ACTIONS or (is_expected and inner[:1] and inner[0] in ACTIONS):
        yield from () if place.is_key else _action(case, place.written)
    elif inner[:1] and inner[0] in ADDRESSES and not place.is_key:
        yield from _addresses(case.names, typed)
    elif is_expected and inner[:1] == ["sees"] and len(inner) == 1:
        yield from members_of(case, SEAT.kind) if place.is_key else ()
    else:
        section, *path = named_in_case(keys)
        if section and not path:
            yield from _named(case.names, section) if place.is_key else ()
        elif section:
            yield from _contents(case, f"{section}.{path[0]}", len(path) - 1, is_key=place.is_key)
            if inner[:1] == ["sees"]:
                yield HIDDEN, "word of the language"


def named_in_case(keys: tuple[str, ...]) -> tuple[str, ...]:
    """The section of the names below some keys of a case, and the names and keys that lead there; else an empty one.
    `given` has zones beside keys of its own.
    """
    part, *inner = keys or ("",)
    if inner[:1] == ["sees"] and len(inner) > 1:
        return ("zones", *inner[2:])
    if part in (GIVEN, EXPECTED) and inner[:1] and inner[0] in NAMED:
        return (*inner,)
    return ("zones", *inner) if part == GIVEN else ("",)


def _named(names: KnownNames, section: str) -> Iterator[Word]:
    for name, address in names.in_expressions.items():
        if address.split(".")[-2:-1] == [section]:
            yield name, label_of(address)


def sorts_of_contents(names: KnownNames, address: str) -> tuple[tuple[str, ...], str]:
    """What a zone, state or value has keys of, and what is in it: a kind, a component, or a type in words."""
    entry = find_entry(names.root, names.in_expressions.get(address.rpartition(".")[2], address))
    rule = None if entry is None else entry.value
    if isinstance(rule, ScalarNode):
        return (), rule.text.rpartition(" ")[2]
    node = as_mapping(rule)
    what = next((each.text for key in ("holds", "type") if isinstance(each := node.get(key), ScalarNode)), "")
    return tuple(sort for _, sort in key_sorts(node.get("per"))), what.rpartition(" ")[2]


def _contents(case: CaseNames, address: str, depth: int, *, is_key: bool) -> Iterator[Word]:
    """What is in a zone, state or value: by its keys; then members with their counts, or things."""
    keys, what = sorts_of_contents(case.names, address)
    if is_key and depth < len(keys):
        yield from members_of(case, keys[depth])
    elif depth >= len(keys):
        if what == "flag" and not is_key:
            yield from ((word, "word of the language") for word in ("true", "false"))
        is_count = address.startswith("zones.") and f"kinds.{what}" in case.names.declared
        if not is_key or is_count or what == SEAT.kind:
            yield from members_of(case, what)


def members_of(case: CaseNames, sort: str) -> Iterator[Word]:
    """The members of a kind, the things of a component, or the players, as scenarios write them."""
    if sort == SEAT.kind:
        yield from ((str(number), SEAT.kind) for number in range(1, case.players + 1))
        return
    root = case.names.root
    yield from ((thing, f"thing of {sort}") for thing in things_of_component(root, sort))
    yield from ((member, f"member of {sort}") for member in members_of_kind(root, sort))


def _action(case: CaseNames, written: str) -> Iterator[Word]:
    """An action as it is written down: its name, its choices, and what answers them."""
    name, opened, answers = written.partition("(")
    if not opened:
        yield from ((address.partition(".")[2], "action") for address in _actions(case.names))
        yield CHANCE, "word of the language"
        return
    choices = choices_of(case.names, name.strip(), None)
    given = _top_level_parts(answers)
    choice, is_answer, _ = given[-1].partition("=")
    if is_answer:
        local = choices.get(choice.strip())
        if local is None:
            return
        yield from members_of(case, local.sort) if local.sort else _all_members(case.names)
        entry = find_entry(case.names.root, local.address)
        if entry is not None and "one_of" not in as_mapping(entry.value):
            yield NOTHING, "word of the language"
    else:
        written_choices = {part.partition("=")[0].strip() for part in given[:-1]}
        yield from ((f"{choice}=", "choice") for choice in choices if choice not in written_choices)


def _actions(names: KnownNames) -> Iterator[str]:
    return (address for address in names.own if address.startswith("actions.") and address.count(".") == 1)


def _all_members(names: KnownNames) -> Iterator[Word]:
    for address in names.own:
        if address.startswith("kinds.") and address.count(".") == 2:
            _, kind, member = address.split(".")
            yield member, f"member of {kind}"


def _top_level_parts(text: str) -> list[str]:
    """The parts between the commas that are in no parentheses of their own."""
    parts, depth = [""], 0
    for character in text:
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def _addresses(names: KnownNames, typed: str) -> Iterator[Word]:
    """The addresses one level below what is typed."""
    above = typed.rpartition(".")[0]
    entry = find_entry(names.root, above) if above else None
    node = names.root if not above else None if entry is None else entry.value
    for child in child_entries(node) if node is not None else ():
        yield (f"{above}.{child.key.text}" if above else child.key.text), "rule"


def _variants(rules: OpenRules, case: CaseNames) -> Iterator[Word]:
    assert rules.base is not None
    yield from ((name, "variant") for name in known_variants(rules.path, rules.base.name, str(rules.game)))
    yield from ((f"{name}=", label) for name, label in _named(case.names, "parameters"))


def _words_of_schema(keys: tuple[str, ...], place: CursorPlace) -> Iterator[Word]:
    schema = None if place.is_key else schema_at(SCENARIOS, keys)
    types = () if schema is None else schema.get("type", ())
    if "boolean" in ([types] if isinstance(types, str) else types):
        yield from ((word, "word of the language") for word in ("true", "false"))


__all__ = [
    "CASES",
    "OF_PLAYERS",
    "CaseNames",
    "members_of",
    "named_in_case",
    "names_at",
    "scenario_words",
    "sorts_of_contents",
]
