"""A JSON Schema of the variants of one game, for editors that know nothing of rules but schemas.

In: a game's document, and what its variants add. Out: the schema of variants, in which the changes name only addresses
that this game has: lists where lists are changed, and what is in them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from rulewright.bundle import bundle_folder
from rulewright.diagnostics import Diagnostics
from rulewright.document.address import (
    AddressParts,
    child_entries,
    is_choices,
    is_ordered_list,
    is_rows,
    iter_addresses,
    split_address,
)
from rulewright.document.document import Document
from rulewright.document.language import GAME_SECTIONS, keys_at
from rulewright.document.unread_files import read_explanations
from rulewright.frozen import frozen
from rulewright.model.allowed_players import player_counts
from rulewright.model.loader import compose_document
from rulewright.model.locate import available_variants
from rulewright.source.nodes import Node, SequenceNode
from rulewright.variants.variant import load_variant

OF_RULES_THAT_ARE_THERE: Final = ("set", "adjust")
LISTS_OF_ADDRESSES: Final = ("remove", "still_true")
BRINGING_NAMES: Final = ("add", "insert", "extend")  # of which sentences may speak
PLACES_OF_INSERTIONS: Final = ("before", "after", "at")
SIBLINGS: Final = ("before", "after")
NAME: Final = "[a-z0-9][a-z0-9_-]*"
ENDS_OF_SENTENCES: Final = ("why", "title")  # an address without one means its text
KEYS_NOT_WRITTEN: Final = (
    "is",
    "why",
    "title",
    "text",
    "value",
)  # a bare value or a sentence elsewhere stands for them
Schema = dict[str, Any]  # as JSON has it


@frozen
class KnownAddresses:
    """Whatever a variant may change: what the game has at any number of players, and what other variants bring.
    `names`: of the members, rows, offers, steps and choices in each list, by its address.
    """

    addresses: tuple[str, ...]
    names: Mapping[str, tuple[str, ...]]


def variant_schema(document: Document) -> Schema:
    """The schema of the variants of a game, and of the files that join some. It needs no other file. Where a file names
    a variant that is not known here, its addresses may be those of that one.
    """
    files = {kind: _read_schema(kind) for kind in ("variant", "joins", "language", "display")}
    for kind in ("variant", "joins"):
        files[kind]["properties"]["for"] = {"const": document.name}
    files["variant"]["title"] = f"a variant of {document.name}"
    known = _known_addresses(document)
    existing = _reference("address")
    named = {change: {"propertyNames": existing} for change in OF_RULES_THAT_ARE_THERE}
    named |= {listed: {"items": existing} for listed in LISTS_OF_ADDRESSES}
    named["add"] = {"propertyNames": _reference("new_address")}
    named["insert"] = {
        "propertyNames": _reference("place_in_list"),
        "additionalProperties": {"oneOf": [{"required": [place]} for place in PLACES_OF_INSERTIONS]},
    }
    if shapes := _shapes_of_insertions(known, files["language"]["$defs"]):
        named["insert"]["patternProperties"] = shapes
    lists = {address: names for address, names in sorted(known.names.items()) if not is_choices(split_address(address))}
    named["extend"] = {"propertyNames": _reference("list")}
    items = {address: {"items": {"enum": [*names]}} for address, names in lists.items()}
    named["drop"] = {"propertyNames": _reference("list"), "properties": items}
    named["sentences"] = {"propertyNames": _reference("sentence")}
    _offer_addresses(files["variant"]["properties"], existing)
    return {
        "$schema": files["variant"].pop("$schema"),
        "title": f"a variant of {document.name}, or a file that joins some",
        "if": {"type": "object", "required": ["joins"]},
        "then": {"$ref": "#/$defs/joins"},
        "else": {"$ref": "#/$defs/variant"},
        "allOf": [
            {
                "if": _names_another(document),
                "else": {"properties": named, "allOf": [_where_nothing_is_new(), _where_one_is_inserted(known)]},
            }
        ],
        "$defs": {
            # what editors say of it: instead of a list of thousands, and of a pattern as long
            "address": {"enum": [*known.addresses], "errorMessage": "the game has no such address"},
            "list": {"enum": [*lists], "errorMessage": "the game has no such list"},
            "new_address": {
                "type": "string",
                "pattern": f"^{_new_address_pattern(known.addresses)}$",
                "patternErrorMessage": "the game has nothing to which this could be added",
            },
            "place_in_list": {
                "type": "string",
                "pattern": _pattern_of_items(_lists_with_order(known)),
                "patternErrorMessage": "the game has no such list in which this could be inserted",
            },
            "sentence": _sentence_of([existing, {"pattern": _sentence_pattern(known.addresses)}]),
            "sentence_of_what_is_there": _sentence_of(
                [existing, {"pattern": f"^({_general_sentences(known.addresses)})$"}]
            ),
            **files,
        },
    }


def _offer_addresses(properties: Schema, existing: Schema) -> None:
    """Names the addresses that are there beside the shape of any, since editors offer as keys only what is listed where
    an object is asked for, not where one is judged by its other keys.
    """
    for change in (*OF_RULES_THAT_ARE_THERE, "sentences"):
        properties[change]["propertyNames"] = {"anyOf": [existing, properties[change]["propertyNames"]]}
    for change in ("extend", "drop"):
        properties[change]["propertyNames"] = {"anyOf": [_reference("list"), properties[change]["propertyNames"]]}


def _reference(definition: str) -> Schema:
    return {"$ref": f"#/$defs/{definition}"}


def _sentence_of(addresses: list[Schema]) -> Schema:
    return {"anyOf": addresses, "errorMessage": "the game has nothing of which this could be a sentence"}


def _where_nothing_is_new() -> Schema:
    """Where a variant brings no new names, and sets no whole section, its sentences are about what is there."""
    whole_section = {"required": ["set"], "properties": {"set": {"not": {"propertyNames": {"pattern": r"\."}}}}}
    brings_names = {"anyOf": [*({"required": [change]} for change in BRINGING_NAMES), whole_section]}
    about = {"properties": {"sentences": {"propertyNames": _reference("sentence_of_what_is_there")}}}
    return {"if": {"not": brings_names}, "then": about}


def _where_one_is_inserted(known: KnownAddresses) -> Schema:
    """Its neighbour is one that is there; of several one may be the neighbour of the next."""
    siblings = {
        _pattern_of_items([address]): {"properties": {side: {"enum": [*names]} for side in SIBLINGS}}
        for address, names in sorted(known.names.items())
    }
    alone = {"required": ["insert"], "properties": {"insert": {"maxProperties": 1}}}
    return {"if": alone, "then": {"properties": {"insert": {"patternProperties": siblings}}}}


def _names_another(document: Document) -> Schema:
    """What holds of a file that builds on a variant which the game does not have."""
    known = sorted(available_variants(document.name, document.path))
    other = {
        "anyOf": [
            {"type": "string", "not": {"enum": known}},
            {"type": "array", "contains": {"not": {"enum": known}}},
        ]
    }
    return {"anyOf": [{"required": [key], "properties": {key: other}} for key in ("requires", "after", "joins")]}


def _read_schema(kind: str) -> Schema:
    """An installed schema, with references that lead to it, and to others, among the definitions of one file."""
    schema: Schema = json.loads((bundle_folder("schemas") / f"{kind}.schema.json").read_text(encoding="utf-8"))
    _redirect_references(schema, kind)
    return schema


def _redirect_references(part: Any, kind: str) -> None:
    if isinstance(part, dict):
        reference = part.get("$ref")
        if isinstance(reference, str):
            file, _, path = reference.partition("#")
            part["$ref"] = f"#/$defs/{file.removesuffix('.schema.json') or kind}{path}"
        for inner in part.values():
            _redirect_references(inner, kind)
    elif isinstance(part, list):
        for inner in part:
            _redirect_references(inner, kind)


def _shapes_of_insertions(known: KnownAddresses, definitions: Schema) -> dict[str, Schema]:
    """What is inserted in each sort of list: a step, a choice or a line of the ranking, with its place."""
    lists: dict[str, list[str]] = {}
    for address in _lists_with_order(known):
        if union := _union_of_items(split_address(address)):
            lists.setdefault(union, []).append(address)
    return {_pattern_of_items(found): _shape_of_insertion(union, definitions) for union, found in lists.items()}


def _union_of_items(parts: AddressParts) -> str:
    """How the definitions begin of what can be an item of a list; empty where it is a name alone."""
    if parts == ("ranking",):
        return "criterion"
    return "domain" if is_choices(parts) else "step" if is_ordered_list(parts) else ""


def _shape_of_insertion(union: str, definitions: Schema) -> Schema:
    """One of the branches of a union, with a place besides."""
    branches = [each for each in definitions.values() if each.get("x-union") == union and "x-verb" in each]
    shapes = [
        {
            "if": {"required": [branch["x-verb"]]},
            "then": {
                "required": branch["required"],
                "propertyNames": {"enum": [*branch["properties"], *PLACES_OF_INSERTIONS]},
            },
        }
        for branch in branches
    ]
    is_one = {"anyOf": [{"required": [branch["x-verb"]]} for branch in branches]}
    return {"allOf": [is_one, {"oneOf": [{"required": [place]} for place in PLACES_OF_INSERTIONS]}, *shapes]}


def _pattern_of_items(lists: Iterable[str]) -> str:
    return rf"^({'|'.join(map(re.escape, lists))})\.{NAME}$"


def _new_address_pattern(existing: Iterable[str]) -> str:
    """What an address looks like at which there can be something new: an entry of a section with any name, or below one
    that is there what an entry of its sort can have.
    """
    return rf"(({'|'.join(sorted(GAME_SECTIONS))})(\.{NAME})?|{_below_pattern(existing)})"


def _below_pattern(existing: Iterable[str], ends: Iterable[str] = ()) -> str:
    """What the address of a part of an entry looks like that is there, perhaps of one that is not there yet. `ends`:
    what such a part can be called besides.
    """
    entries: dict[str, set[str]] = {}
    keys: dict[str, set[str]] = {}
    for section, *names in (address.split(".") for address in existing):
        if names:
            entries.setdefault(section, set()).add(names[0])
            keys.setdefault(section, {*ends}).update(names[1:2], keys_at((section, names[0])))
    return "|".join(
        rf"{section}\.({'|'.join(sorted(names))})\.({'|'.join(sorted(keys[section]))})(\..+)?"
        for section, names in sorted(entries.items())
        if keys[section]
    )


def _sentence_pattern(existing: Iterable[str]) -> str:
    """What the address of a sentence looks like: of a rule that is there, or of one that may be new with all below it,
    perhaps with what ends it.
    """
    names: dict[str, set[str]] = {section: set() for section in GAME_SECTIONS}
    for section, *below in (address.split(".") for address in existing):
        names.get(section, set()).update(below[:1])
    new = "|".join(
        rf"{section}\.(?!({'|'.join(sorted(known)) or '-'})\.){NAME}(\..+)?" for section, known in sorted(names.items())
    )
    return rf"^({new}|{_general_sentences(existing)})$"


def _general_sentences(existing: Iterable[str]) -> str:
    """What the address of a sentence looks like that is no rule's, or that of a part of an entry which is there."""
    titles = rf"({'|'.join(sorted(GAME_SECTIONS))})\.title"
    return rf"game|variant|{titles}|{_below_pattern(existing, ENDS_OF_SENTENCES)}"


def _lists_with_order(known: KnownAddresses) -> list[str]:
    """The addresses of lists in which there can be something new at a place, also of those that are not written."""
    lists = {address for address in known.names if not address.startswith("components.")}
    lists.update(section for section in GAME_SECTIONS if is_ordered_list((section,)))
    actions = (address for address in known.addresses if re.fullmatch(rf"actions\.{NAME}", address))
    lists.update(f"{action}.{key}" for action in actions for key in ("choose", "do"))
    return sorted(lists)


def _known_addresses(document: Document) -> KnownAddresses:
    document = read_explanations(document, Diagnostics()) or document  # with its book
    fewest, most = player_counts(document)
    paths = available_variants(document.name, document.path).values()
    chosen = [[], *([str(path)] for path in paths if load_variant(path, Diagnostics()) is not None)]
    addresses, names = set[str](), dict[str, dict[str, None]]()
    for players in range(fewest, most + 1):
        for variants in chosen if players == fewest else chosen[:1]:
            composition = compose_document(document, players, variants, Diagnostics())
            root = document.root if composition is None else composition.document.root
            for address in iter_addresses(root):
                keys = keys_at(split_address(address))
                addresses |= {address, *(f"{address}.{key}" for key in KEYS_NOT_WRITTEN if key in keys)}
            for address, listed in _lists_in(root, ()):
                names.setdefault(address, {}).update(dict.fromkeys(listed))
                if address.startswith("kinds."):  # `members` can be left out
                    addresses.update(f"{address.removesuffix('.members')}.{name}" for name in listed)
    return KnownAddresses(tuple(sorted(addresses)), {address: tuple(listed) for address, listed in names.items()})


def _lists_in(node: Node, parts: AddressParts) -> Iterator[tuple[str, list[str]]]:
    """The lists of names in a tree, each with its names; the members of a kind stand for it."""
    entries = child_entries(node)
    is_named = isinstance(node, SequenceNode) and bool(entries)
    if parts and (is_named or is_rows(parts) or is_ordered_list(parts) or is_choices(parts)):
        listed = [entry.key.text for entry in entries]
        yield ".".join(parts), listed
        if parts[0] == "kinds" and parts[2:] == ("members",):
            yield ".".join(parts[:2]), listed
    for entry in entries:
        yield from _lists_in(entry.value, (*parts, entry.key.text))


__all__ = ["variant_schema"]
