"""The shape of the rule language: its sections, which lists are ordered, which key a bare value is short for.

In: the schemas of a game and of the language, read once. Out: constants, and functions of an address. Nothing of this
is written a second time in the program: a new section or verb is an edit of the schemas.

What a schema cannot say by itself is an annotation, which validators ignore:

- `x-ordered: true` — a list whose named items have an order, as steps and criteria have
- `x-principal: key` — a bare value is short for a mapping with this key
- `x-condition: true` — its principal key is a true or false expression
- `x-fixed: true` — a key of a game's head that no variant may change
- `x-symbols: true` — a section whose names can be used in expressions
- `x-expression: true` — text of the expression language, in which spaces mean nothing
- `x-number: true` — a key whose expression may be a number, which a variant can adjust
- `x-optional: true` — a collection that may be empty, and so is there even where it is not written
- `x-rows: true` — the things of a component
- `x-sentence: true` — a sentence for people; `x-prose: true` — other words for people
- `x-printed: true` — sentences that only the rulebook prints: at the table nobody sees them
- `x-provenance: true` — who says so, and where
- `x-id: true` — text in the form of an id; `x-named-item: true` — an item of a list, under its own name
- `x-change: true` — a key of a variant that changes the rules below it
- `x-formerly: key` — what the key was called in the version of the language before; `x-former-values`: its words, too
- `x-advice: {key: text}` — what to write instead of a key of another branch, or of the version before
- `x-union: name` — a tagged union, or a branch of it; `x-verb: key` — the key that tells the branch from the others
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Final, Literal, TypedDict, get_args

from rulewright import bundle
from rulewright.suggestions import WordHint

AddressParts = tuple[str, ...]
LANGUAGE_VERSION: Final = 2

# what the package itself reads of a schema; who checks files reads the rest
Schema = TypedDict(
    "Schema",
    {
        "$defs": dict[str, "Schema"],
        "$ref": str,
        "title": str,
        "description": str,
        "examples": list[object],
        "type": str | list[str],
        "enum": list[object],
        "properties": dict[str, "Schema"],
        "additionalProperties": "Schema | bool",
        "items": "Schema",
        "required": list[str],
        "dependentRequired": dict[str, list[str]],
        "anyOf": list["Schema"],
        "x-ordered": bool,
        "x-principal": str,
        "x-condition": bool,
        "x-fixed": bool,
        "x-symbols": bool,
        "x-expression": bool,
        "x-number": bool,
        "x-optional": bool,
        "x-rows": bool,
        "x-sentence": bool,
        "x-prose": bool,
        "x-printed": bool,
        "x-provenance": bool,
        "x-id": bool,
        "x-named-item": bool,
        "x-change": bool,
        "x-union": str,
        "x-verb": str,
        "x-advice": dict[str, str],
        "x-formerly": str,
        "x-former-values": dict[str, str],
    },
    total=False,
)
Annotation = Literal[
    "x-fixed", "x-symbols", "x-number", "x-optional", "x-rows", "x-sentence", "x-prose", "x-provenance"
]
# what messages about a wrong shape ask of the schema that does not hold
MESSAGE_ANNOTATIONS: Final = ("x-id", "x-named-item", "x-change", "x-union", "x-verb", "x-advice")
ANNOTATIONS: Final = (
    *("x-ordered", "x-principal", "x-condition", "x-expression"),
    *get_args(Annotation),
    *MESSAGE_ANNOTATIONS,
    *("x-printed", "x-formerly", "x-former-values"),
)
SCHEMA_SUFFIX: Final = ".schema.json"
FALLBACK_SUFFIX: Final = "_any"  # ends the name of the branch of a tagged union that has the keys of all branches


@cache
def read_schema(name: str) -> Schema:
    """The schema of a kind of file, or `language` with the definitions that all share; not to be changed."""
    path = bundle.bundle_folder("schemas") / f"{name}{SCHEMA_SUFFIX}"
    schema: Schema = json.loads(path.read_text(encoding="utf-8"))
    return schema


def _definitions() -> dict[str, Schema]:
    return read_schema("language")["$defs"]


def _resolve(schema: Schema) -> Schema:
    """The definition that a schema refers to; the schema itself when it refers to none."""
    while "$ref" in schema:
        schema = _definitions()[schema["$ref"].rpartition("/")[2]]
    return schema


def _properties(schema: Schema) -> dict[str, Schema]:
    """The keys of a definition; of a tagged union those of all its branches."""
    target = schema.get("$ref", "").rpartition("/")[2]
    fallback = _definitions().get(f"{target}{FALLBACK_SUFFIX}")
    return _resolve(schema).get("properties", {}) if fallback is None else fallback["properties"]


def _child(schema: Schema, name: str) -> Schema | None:
    """The schema of the node of that name: under a key, of a mapping with any names, or of an item of a list."""
    properties, definition = _properties(schema), _resolve(schema)
    if name in properties:
        return properties[name]
    values = definition.get("additionalProperties")
    if isinstance(values, dict):
        return values
    if "items" in definition:
        item = definition["items"]
        values = _resolve(item).get("additionalProperties")
        return values if isinstance(values, dict) else item
    return None


@lru_cache(maxsize=8192)
def _schema_at(parts: AddressParts) -> Schema | None:
    """The schema of the node at an address of a game as it stands there, perhaps a reference to its definition."""
    if not parts:
        return read_schema("game")
    around = _schema_at(parts[:-1])
    return None if around is None else _child(around, parts[-1])


def definition_at(parts: AddressParts) -> Schema | None:
    """The definition of the node at an address of a game; None where the language has none."""
    schema = _schema_at(parts)
    return _resolve(schema) if schema is not None else None


def principal_key(parts: AddressParts) -> str:
    """The key that a bare value is short for: `value` of a parameter, `is` of an expression; empty if there is none."""
    definition = definition_at(parts)
    return definition.get("x-principal", "") if definition is not None else ""


def ordered_principal_key(parts: AddressParts) -> str:
    """The principal key of a rule whose bare value is an ordered list; empty for any other."""
    key = principal_key(parts)
    definition = definition_at((*parts, key)) if key else None
    return key if definition is not None and definition.get("x-ordered", False) else ""


def is_condition(parts: AddressParts) -> bool:
    """Whether a true or false expression is expected at an address: a clause, or the `when` of a step."""
    if parts[-1] == "is":
        parts = parts[:-1]
    definition = definition_at(parts)
    return definition is not None and definition.get("x-condition", False)


def is_expression(parts: AddressParts) -> bool:
    """Whether the text at an address is an expression, or short for a mapping with one."""
    definition = definition_at(parts)
    return definition is not None and (definition.get("x-expression", False) or "x-principal" in definition)


def is_adjustable(parts: AddressParts) -> bool:
    """Whether the expression at an address may be a number that a variant can adjust."""
    schema = _schema_at(parts)
    is_number = schema is not None and (schema.get("x-number", False) or "x-principal" in _resolve(schema))
    return is_number and not is_condition(parts)


def is_printed_only(parts: AddressParts) -> bool:
    """Whether what stands at an address is for the rulebook alone; names and reasons are also shown at the table."""
    schema = _schema_at(parts)
    return schema is not None and schema.get("x-printed", False)


def can_be_empty(parts: AddressParts) -> bool:
    """Whether a collection exists even when it is not written, as a section does."""
    schema = _schema_at(parts)
    return parts[0] in GAME_SECTIONS if len(parts) == 1 else schema is not None and schema.get("x-optional", False)


@lru_cache(maxsize=8192)
def keys_at(parts: AddressParts) -> frozenset[str]:
    """The keys that the language knows at an address; a collection of items named by the author has none."""
    schema = _schema_at(parts)
    return frozenset(_properties(schema)) if schema is not None else frozenset()


@lru_cache(maxsize=8192)
def keys_by_former_key(parts: AddressParts) -> Mapping[str, str]:
    """The keys at an address that had another name in the version before, by that name."""
    schema = _schema_at(parts)
    properties = {} if schema is None else _properties(schema)
    return {known["x-formerly"]: key for key, known in properties.items() if "x-formerly" in known}


@cache
def former_keys(title: str) -> Mapping[str, str]:
    """The keys of the definition with a title that had another name in the version before, by that name."""
    definition: Schema = next((each for each in _definitions().values() if each.get("title") == title), Schema())
    properties = definition.get("properties", {})
    return {known["x-formerly"]: key for key, known in properties.items() if "x-formerly" in known}


@cache
def former_keys_of(kind: str) -> Mapping[str, str]:
    """The keys at the top of a kind of file that had another name in the version before, by that name."""
    properties = read_schema(kind)["properties"]
    return {known["x-formerly"]: key for key, known in properties.items() if "x-formerly" in known}


def former_keys_of_scenarios() -> Mapping[str, str]:
    """The keys of files of scenarios, of cases and of what they give, by those of the version before."""
    case = read_schema("scenarios")["properties"]["cases"]["additionalProperties"]
    assert not isinstance(case, bool)
    given = case["properties"]["given"]["properties"]
    properties = {**read_schema("scenarios")["properties"], **case["properties"], **given}
    return {known["x-formerly"]: key for key, known in properties.items() if "x-formerly" in known}


def former_word_hint(former: str, current: str) -> WordHint:
    """For a word of the version before that is written where another stands today."""
    text = f"since version {LANGUAGE_VERSION} it is `{current}`; `rulewright migrate` rewrites a file"
    return WordHint(text, former, current)


def former_words_of_shown() -> Mapping[str, str]:
    """The words of the version before for when a state is shown, and those of today."""
    look = read_schema("display")["properties"]["state"]["additionalProperties"]
    assert not isinstance(look, bool)
    return look["properties"]["shown"]["x-former-values"]


def current_address(parts: AddressParts) -> AddressParts:
    """An address of the version before in the words of today."""
    found: AddressParts = ()
    for name in parts:
        known = keys_at(found)
        list_key = ordered_principal_key(found)
        if list_key and name not in known and not (name == "title" and len(found) == len(parts) - 1):
            found, known = (*found, list_key), frozenset()  # the steps of a procedure stood right below it
        found = (*found, name if name in known else keys_by_former_key(found).get(name, name))
    return found


def current_word(parts: AddressParts, text: str) -> str:
    """The word for a value at an address of today that had another one in the version before."""
    schema = _schema_at(parts)
    return text if schema is None else schema.get("x-former-values", {}).get(text, text)


def _annotated_keys(annotation: Annotation, *, outside: str = "") -> frozenset[str]:
    """All keys of the language and of files of rows with an annotation, their own or their definition's.

    `outside`: a definition whose keys are left out.
    """
    schemas = [read_schema("rows"), *(schema for name, schema in _definitions().items() if name != outside)]
    properties = [item for schema in schemas for item in schema.get("properties", {}).items()]
    return frozenset(key for key, schema in properties if annotation in schema or annotation in _resolve(schema))


def _is_collection(schema: Schema) -> bool:
    """Whether a value is always a collection of named items, each with an address of its own."""
    definition = _resolve(schema)
    return definition.get("type") == "object" or definition.get("x-ordered", False)


def _demand_keys() -> frozenset[str]:
    rules = [schema for name, schema in _definitions().items() if name not in ("passage", "row")]
    properties = [item for schema in rules for item in schema.get("properties", {}).items()]
    return frozenset(key for key, schema in properties if not _is_collection(schema)) - PROSE_KEYS - ROW_KEYS


def _ordered_depth(schema: Schema, depth: int = 1) -> int | None:
    """How many names lead to the first ordered list below a section, its own included."""
    definition = _resolve(schema)
    if definition.get("x-ordered", False):
        return depth
    values = definition.get("additionalProperties")
    children = [values] if isinstance(values, dict) else definition.get("properties", {}).values()
    return next((found for child in children if (found := _ordered_depth(child, depth + 1)) is not None), None)


def _keys_of(definition: str) -> tuple[str, ...]:
    return tuple(_definitions()[definition]["properties"])


def _common_keys(union: str) -> tuple[str, ...]:
    """The keys that all branches of a tagged union have."""
    prefix = f"{union}_"
    first, *others = [schema["properties"] for name, schema in _definitions().items() if name.startswith(prefix)]
    return tuple(key for key in first if all(key in other for other in others))


_GAME: Final = read_schema("game")["properties"]
_PART: Final = read_schema("part_of")["properties"]
FIXED_KEYS: Final = tuple(key for key, schema in _GAME.items() if schema.get("x-fixed", False))
PROVENANCE_KEYS: Final = _annotated_keys("x-provenance")
GAME_SECTIONS: Final = tuple(key for key in _GAME if key in _PART and key not in {*FIXED_KEYS, *PROVENANCE_KEYS})
HEAD_KEYS: Final = tuple(key for key in _GAME if key not in GAME_SECTIONS)
# section with an ordered list of named items → how many names lead to that list
ORDERED_LIST_DEPTHS: Final = MappingProxyType(
    {key: depth for key in GAME_SECTIONS if (depth := _ordered_depth(_GAME[key])) is not None}
)
FLOW_SECTIONS: Final = tuple(key for key in GAME_SECTIONS if _GAME[key].get("$ref", "").endswith("/steps"))
OFFER_VERBS: Final = tuple(
    key
    for key, schema in _definitions()[f"step{FALLBACK_SUFFIX}"]["properties"].items()
    if schema.get("$ref", "").endswith("/offers")
)
KEYS_OF_STEPS: Final = MappingProxyType(  # by the verb of a step
    {
        schema["x-verb"]: frozenset[str](schema["properties"])
        for name, schema in _definitions().items()
        if name.startswith("step_") and "x-verb" in schema
    }
)
VERBS: Final = frozenset(schema["x-verb"] for schema in _definitions().values() if "x-verb" in schema)
SYMBOL_SECTIONS: Final = tuple(key for key in GAME_SECTIONS if "x-symbols" in _GAME[key])
FILE_LISTS: Final = tuple(key for key in HEAD_KEYS if _GAME[key].get("type") == "array")
SENTENCE_KEYS: Final = _annotated_keys("x-sentence")
ROW_KEYS: Final = _annotated_keys("x-rows")
# of rules: what only people read; a passage of the book, all of it for people, has a title besides
PROSE_KEYS: Final = _annotated_keys("x-sentence", outside="passage") | _annotated_keys("x-prose") | PROVENANCE_KEYS
# of rules: a value that says what the rule demands or does, so that who changes it has changed the rule
DEMAND_KEYS: Final = _demand_keys()
DOMAIN_KEYS: Final = frozenset(_keys_of(f"domain{FALLBACK_SUFFIX}")) - PROSE_KEYS
KIND_KEYS: Final = _keys_of(f"kind{FALLBACK_SUFFIX}")
CHANGE_KEYS: Final = tuple(
    key for key, schema in read_schema("variant")["properties"].items() if schema.get("x-change", False)
)
KIND_NAME_KEYS: Final = _common_keys("kind")  # of every kind; any other name is a member

__all__ = [
    "ANNOTATIONS",
    "CHANGE_KEYS",
    "DEMAND_KEYS",
    "DOMAIN_KEYS",
    "FALLBACK_SUFFIX",
    "FILE_LISTS",
    "FIXED_KEYS",
    "FLOW_SECTIONS",
    "GAME_SECTIONS",
    "HEAD_KEYS",
    "KEYS_OF_STEPS",
    "KIND_KEYS",
    "KIND_NAME_KEYS",
    "LANGUAGE_VERSION",
    "OFFER_VERBS",
    "ORDERED_LIST_DEPTHS",
    "PROSE_KEYS",
    "PROVENANCE_KEYS",
    "ROW_KEYS",
    "SCHEMA_SUFFIX",
    "SENTENCE_KEYS",
    "SYMBOL_SECTIONS",
    "AddressParts",
    "Schema",
    "can_be_empty",
    "current_address",
    "current_word",
    "definition_at",
    "former_keys",
    "former_keys_of",
    "former_keys_of_scenarios",
    "former_word_hint",
    "former_words_of_shown",
    "is_adjustable",
    "is_condition",
    "is_expression",
    "is_printed_only",
    "keys_at",
    "keys_by_former_key",
    "ordered_principal_key",
    "principal_key",
    "read_schema",
]
