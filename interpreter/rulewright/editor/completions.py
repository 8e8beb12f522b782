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
from rulewright.document.schemas import VARIANT_KINDS
from rulewright.editor.cursor_places import CursorPlace, cursor_place, values_beside
from rulewright.editor.expression_words import expression_words
from rulewright.editor.file_schemas import keys_below, schema_at
from rulewright.editor.file_uses import CHANGES
from rulewright.editor.key_meanings import MEANINGS_OF_WORDS, meaning_of_key
from rulewright.editor.named_files import OF_VARIANTS, sentence_of
from rulewright.editor.open_rules import FIRST_KEY, KINDS_WITH_RULES, SCENARIOS, VARIANT_KEYS, OpenRules, games_near
from rulewright.editor.scenario_words import scenario_words
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.scenarios.nearby_files import known_variants
from rulewright.source.nodes import MappingNode, as_mapping

FIRST_KEYS: Final = ("game", "part_of", "variant", "joins", "adjusts", "texts", "scenarios", "display", "rows")
LAST_WORD: Final = lazy_pattern(r"[\w.]*$")
LAST_NAME: Final = lazy_pattern(r"[\w.-]*$")  # of a variant or game, which may have hyphens
REST_OF_WORD: Final = lazy_pattern(r"\w*=?")  # which is written anew with it; of an address the name at the cursor
REST_OF_NAME: Final = lazy_pattern(r"[\w-]*=?")
OPEN_HOLE: Final = lazy_pattern(r"(?:^|[^{])(?:\{\{)*\{([^{}:]*)$")
PLACES_OF_INSERTIONS: Final = ("before", "after", "at")
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
    characters). `meaning`: what is said of it beside the list; empty where nothing is.
    """

    word: str
    label: str
    replaced: int
    replaced_behind: int = 0
    meaning: str = ""


def completions_at(path: Path, rules: OpenRules | None, text: str, offset: int) -> list[Completion]:
    """The words that can follow, those of the same beginning only."""
    place = cursor_place(text, offset)
    is_name = place.is_key or len(place.keys) == 1 or place.keys[-1:] == ("variants",)
    match = (LAST_NAME if is_name else LAST_WORD).search(place.written)
    typed = "" if match is None else match[0]
    is_game = place.keys in (("for",), ("part_of",)) and not place.is_key
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
    first = FIRST_KEY.search(text)
    kind = "" if first is None else first[1]
    # a word that the schema lists may mean something else than in expressions
    listed = () if rules is None else _schema_of(rules, place).get("enum", ())
    return [
        Completion(
            word, label, len(typed), ends[word], "" if word in listed else _meaning(kind, place, rules, word, label)
        )
        for word, label in found.items()
    ]


def _meaning(kind: str, place: CursorPlace, rules: OpenRules | None, word: str, label: str) -> str:
    """What the language says of a word that can follow, or the sentence of the rule that has that name."""
    if label == "first key of a file":
        return meaning_of_key(word, (word,)) or ""
    if label in ("key", "changes rules"):
        return meaning_of_key(kind, (*place.keys, word)) or ""
    if rules is None or rules.root is None:
        return ""
    if label in ("function", "word of the language"):
        return MEANINGS_OF_WORDS.get(word, "")
    declared = rules.declarations.get(word)
    address = ".".join((*place.keys[1:], word)) if label == "rule" else "" if declared is None else declared.address
    entry = find_entry(rules.root, address) if address else None
    text = None if entry is None else as_mapping(entry.value).get("text")
    return "" if text is None else sentence_of(text)


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
    elif place.keys[:1] == ("insert",) and place.keys[2:] in [(each,) for each in PLACES_OF_INSERTIONS]:
        yield from _neighbours(rules.root, place)
    elif len(place.keys) == 1 and place.keys[0] in OF_VARIANTS and rules.kind in VARIANT_KEYS:
        yield from _other_variants(rules)
    elif place.keys[-1:] and place.keys[-1] in ADDRESS_LISTS:
        addresses = _addresses_under(rules.root, typed)  # of what is there; sentences may be in other files
        yield from (each for each in addresses if each[1] == "rule" or place.keys[-1] == "still_true")
    elif place.keys:
        yield from _values(rules, rules.root, place, parts, beside)


def _other_variants(rules: OpenRules) -> Iterator[tuple[str, str]]:
    if rules.base is not None:
        known = known_variants(rules.path, rules.base.name, str(rules.game))
        yield from ((name, "variant") for name in known if name != rules.path.stem)


def _neighbours(root: MappingNode, place: CursorPlace) -> Iterator[tuple[str, str]]:
    """What can stand beside what is inserted, or at which end of the list it can."""
    if place.keys[2] == "at":
        yield from ((word, "word of the language") for word in ("start", "end"))
        return
    above = find_entry(root, place.keys[1].rpartition(".")[0])
    own = place.keys[1].rpartition(".")[2]
    names = [] if above is None else [entry.key.text for entry in child_entries(above.value)]
    yield from ((name, "rule") for name in names if name != own)


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


def _schema_of(rules: OpenRules, place: CursorPlace) -> Schema:
    """What the language says of the value of the key at the cursor."""
    parts = _address(rules, place)
    of_rules = definition_at(parts) if parts and rules.kind in (*KINDS_WITH_RULES, *VARIANT_KINDS) else None
    return of_rules or schema_at(rules.kind, place.keys) or Schema()


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
    if operation == "insert" and len(place.keys) == 2 and written.isdisjoint(PLACES_OF_INSERTIONS):
        yield from ((name, "key") for name in PLACES_OF_INSERTIONS)
    if operation not in CHANGES and rules.kind not in KINDS_WITH_RULES:
        yield from ((name, "key") for name in keys_below(rules.kind, place.keys))
    elif parts:
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
            yield from _words_of(_schema_of(rules, place))
        return
    if key in NAMED and NAMED[key] != ((), ()):
        labels, words = NAMED[key]
        yield from ((each.name, each.label) for each in rules.declarations.values() if each.label in labels)
        yield from ((word, "word of the language") for word in words)
        return
    if key == "run" and "(" not in place.written:
        yield from ((each.name, each.label) for each in rules.declarations.values() if each.label == "procedure")
        return
    yield from _words_of(_schema_of(rules, place))
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
