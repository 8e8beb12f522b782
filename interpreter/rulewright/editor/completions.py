"""What can follow where somebody writes: keys of the language, addresses of rules, names and words of expressions.

In: a file, the rules it belongs to, its text and an offset. Out: words, each with what it is. The text may be
broken, as it is while somebody writes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from rulewright.document.address import child_entries, find_entry
from rulewright.document.language import (
    FIXED_KEYS,
    KEYS_OF_STEPS,
    OFFER_VERBS,
    PROSE_KEYS,
    Schema,
    definition_at,
    is_expression,
    keys_at,
    principal_key,
    read_schema,
)
from rulewright.editor.cursor_places import CursorPlace, cursor_place, values_beside
from rulewright.editor.expression_words import expression_words
from rulewright.editor.file_uses import CHANGES
from rulewright.editor.open_rules import FIRST_KEY, SCENARIOS, OpenRules, games_near
from rulewright.editor.scenario_words import scenario_words
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.nodes import MappingNode

FIRST_KEYS: Final = ("game", "part_of", "variant", "joins", "adjusts", "texts", "scenarios", "display", "rows")
LAST_WORD: Final = lazy_pattern(r"[\w.]*$")
LAST_NAME: Final = lazy_pattern(r"[\w.-]*$")  # of a variant or game, which may have hyphens
REST_OF_WORD: Final = lazy_pattern(r"\w*=?")  # which is written anew with it; of an address the name at the cursor
REST_OF_NAME: Final = lazy_pattern(r"[\w-]*=?")
OPEN_HOLE: Final = lazy_pattern(r"(?:^|[^{])(?:\{\{)*\{([^{}:]*)$")
ADDRESS_LISTS: Final = ("about", "at", "remove", "still_true")
KINDS: Final = ("kind", "component")
# what is named under a key: labels of declarations, and words besides
NAMED: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    **dict.fromkeys(OFFER_VERBS, (("action",), ())),
    "if_unable": (("action",), ("nothing",)),
    "holds": (KINDS, ("player",)), "per": (KINDS, ("player",)), "with": (KINDS, ("player",)),
    "start": ((), ()),
}  # fmt: skip


@frozen
class Completion:
    """A word that can follow, what it is, and how much it replaces of what is written before and behind the cursor (in
    characters).
    """

    word: str
    label: str
    replaced: int
    replaced_behind: int = 0


def completions_at(path: Path, rules: OpenRules | None, text: str, offset: int) -> list[Completion]:
    """The words that can follow, those of the same beginning only."""
    place = cursor_place(text, offset)
    is_name = place.is_key or len(place.keys) == 1 or place.keys[-1:] == ("variants",)
    match = (LAST_NAME if is_name else LAST_WORD).search(place.written)
    typed = "" if match is None else match[0]
    is_game = place.keys == ("for",) and not place.is_key
    beside = values_beside(text, offset)
    written = {*beside} if place.is_key else set[str]()
    games = ((name, "game") for name in games_near(path))
    offered = games if is_game else _offered(rules, text, offset, place, typed, beside)
    found: dict[str, str] = {}
    for word, label in offered:
        if word.startswith(typed) and word not in {typed, *written}:
            found.setdefault(word, label)
    rest = (REST_OF_NAME if is_name else REST_OF_WORD).match(text, offset) if typed else None
    behind = "" if rest is None else rest[0]
    ends = {word: len(behind) if word.endswith("=") else len(behind.rstrip("=")) for word in found}
    return [Completion(word, label, len(typed), ends[word]) for word, label in found.items()]


def _offered(
    rules: OpenRules | None, text: str, offset: int, place: CursorPlace, typed: str, beside: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    first = FIRST_KEY.search(text)
    if place.is_key and not place.keys:
        yield from _first_keys("" if first is None else first[1], text, is_first=first is None or offset <= first.end())
    if rules is None or rules.root is None:
        return
    if first is not None and first[1] == SCENARIOS:
        yield from scenario_words(rules, text, offset, place, typed) if place.keys else ()
        return
    parts = _address(rules, place)
    if place.is_key:
        yield from _keys(rules, rules.root, place, parts, typed, {*beside})
    elif place.keys[-1:] and place.keys[-1] in ADDRESS_LISTS:
        yield from _addresses_under(rules.root, typed)
    elif place.keys:
        yield from _values(rules, rules.root, place, parts, beside)


def _first_keys(first: str, text: str, *, is_first: bool) -> Iterator[tuple[str, str]]:
    """The keys at the top of a file: by its first one; those that it has already are left out. `is_first`: none is
    written before.
    """
    written = set(FIRST_KEY.findall(text))
    if first in FIRST_KEYS:
        properties = read_schema("part_of" if first == "part_of" else first)["properties"]
        yield from ((key, "changes rules" if key in CHANGES else "key") for key in properties if key not in written)
    elif is_first:
        yield from ((key, "first key of a file") for key in FIRST_KEYS)


def _address(rules: OpenRules, place: CursorPlace) -> tuple[str, ...]:
    """The address in the game of what the keys around the cursor lead to."""
    if not (rules.is_variant or (place.keys and place.keys[0] == "sentences")):
        return place.keys
    return tuple(".".join(place.keys[1:]).split(".")) if place.keys[1:] and place.keys[0] in CHANGES else ()


def _keys(
    rules: OpenRules, root: MappingNode, place: CursorPlace, parts: tuple[str, ...], typed: str, written: set[str]
) -> Iterator[tuple[str, str]]:
    """Keys of the language and names of rules at a place. `written`: those that are beside it."""
    is_changed = rules.is_variant or place.keys[:1] == ("sentences",)
    operation = place.keys[0] if place.keys and is_changed else ""
    if operation in CHANGES:
        addresses = _addresses_under(root, typed, parts)
        yield from (each for each in addresses if len(place.keys) > 1 or operation != "set" or each[1] == "rule")
    if parts:
        yield from ((name, "key") for name in sorted(_keys_that_fit(parts, written)))
        if parts[0] == "components" and parts[2:3] == ("rows",):
            entry = find_entry(root, f"components.{parts[1]}.fields")
            yield from ((field.key.text, "field") for field in (child_entries(entry.value) if entry else ()))


def _keys_that_fit(parts: tuple[str, ...], written: set[str]) -> frozenset[str]:
    """The keys of the language at an address; those of a step that has its verb already go with that verb."""
    known = keys_at(parts)
    verbs = written & KEYS_OF_STEPS.keys() if known >= KEYS_OF_STEPS.keys() else ()
    return known.intersection(*(KEYS_OF_STEPS[verb] for verb in verbs))


def _addresses_under(root: MappingNode, typed: str, outer: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """The addresses one level below what is typed, with their keys of the language."""
    parent = typed.rpartition(".")[0]
    parts = (*outer, *(parent.split(".") if parent else ()))
    entry = find_entry(root, ".".join(parts)) if parts else None
    if parts and entry is None:
        return
    children = child_entries(entry.value if entry is not None else root)
    names = [(child.key.text, "rule") for child in children if parts or child.key.text not in FIXED_KEYS]
    for name, label in [*names, *((name, "key") for name in sorted(keys_at(parts)) if parts)]:
        yield (f"{parent}.{name}" if parent else name), label


def _values(
    rules: OpenRules, root: MappingNode, place: CursorPlace, parts: tuple[str, ...], beside: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """What can be the value of a key, or follow in it."""
    key = parts[-1] if parts else place.keys[-1]
    hole = OPEN_HOLE.search(place.written)
    if any(each in PROSE_KEYS for each in place.keys) or place.keys[0] == "sentences":
        if hole is not None:
            yield from expression_words(rules, root, (*parts, "text"), hole[1], {})
        elif key in PROSE_KEYS:
            yield from _words_of(definition_at(parts))
        return
    if key in NAMED and NAMED[key] != ((), ()):
        labels, words = NAMED[key]
        yield from ((each.name, each.label) for each in rules.declarations.values() if each.label in labels)
        yield from ((word, "word of the language") for word in words)
        return
    if key == "run" and "(" not in place.written:
        yield from ((each.name, each.label) for each in rules.declarations.values() if each.label == "procedure")
        return
    definition = definition_at(parts)
    yield from _words_of(definition)
    principal = principal_key(parts)
    if key in ("for_each", "type") or is_expression(parts) or (principal and is_expression((*parts, principal))):
        yield from expression_words(rules, root, parts, place.written, beside)


def _words_of(definition: Schema | None) -> Iterator[tuple[str, str]]:
    """The words that a schema lists."""
    if definition is not None:
        yield from ((word, "word of the language") for word in definition.get("enum", ()) if isinstance(word, str))
        if definition.get("type") == "boolean":
            yield from ((word, "word of the language") for word in ("true", "false"))


__all__ = ["Completion", "completions_at"]
