"""A JSON Schema of the variants of one game, for editors that know nothing of rules but schemas.

In: a game's document, and what its variants add. Out: the schema of variants, in which the changes name only addresses
that this game has.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from rulewright.bundle import bundle_folder
from rulewright.diagnostics import Diagnostics
from rulewright.document.address import iter_addresses
from rulewright.document.document import Document
from rulewright.document.language import GAME_SECTIONS, keys_at
from rulewright.model.allowed_players import player_counts
from rulewright.model.loader import compose_document
from rulewright.model.locate import available_variants
from rulewright.variants.variant import load_variant

OF_RULES_THAT_ARE_THERE: Final = ("set", "adjust", "extend", "drop")
OF_NEW_RULES: Final = ("add", "insert")
KEYS_NOT_WRITTEN: Final = (
    "is",
    "why",
    "title",
    "text",
    "value",
)  # a bare value or a sentence elsewhere stands for them
Schema = dict[str, Any]  # as JSON has it


def variant_schema(document: Document) -> Schema:
    """The schema of the variants of a game, and of the files that join some. It needs no other file. Where a file names
    a variant that is not known here, its addresses may be those of that one.
    """
    files = {kind: _read_schema(kind) for kind in ("variant", "joins", "language", "display")}
    for kind in ("variant", "joins"):
        files[kind]["properties"]["for"] = {"const": document.name}
    files["variant"]["title"] = f"a variant of {document.name}"
    existing, new = {"$ref": "#/$defs/address"}, {"$ref": "#/$defs/new_address"}
    named = {change: {"type": "object", "propertyNames": existing} for change in OF_RULES_THAT_ARE_THERE}
    named |= {change: {"type": "object", "propertyNames": new} for change in OF_NEW_RULES}
    named |= {listed: {"type": "array", "items": existing} for listed in ("remove", "still_true")}
    addresses = sorted(set(_addresses(document)))
    return {
        "$schema": files["variant"].pop("$schema"),
        "title": f"a variant of {document.name}, or a file that joins some",
        "if": {"type": "object", "required": ["joins"]},
        "then": {"$ref": "#/$defs/joins"},
        "else": {"$ref": "#/$defs/variant"},
        "allOf": [{"if": _names_another(document), "else": {"properties": named}}],
        "$defs": {
            # what editors say of it: instead of a list of thousands, and of a pattern as long
            "address": {"enum": addresses, "errorMessage": "the game has no such address"},
            "new_address": {
                "type": "string",
                "pattern": _new_address_pattern(addresses),
                "patternErrorMessage": "the game has nothing to which this could be added",
            },
            **files,
        },
    }


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


def _new_address_pattern(existing: Iterable[str]) -> str:
    """What an address looks like at which there can be something new: an entry of a section with any name, or below one
    that is there what an entry of its sort can have.
    """
    entries: dict[str, set[str]] = {}
    keys: dict[str, set[str]] = {}
    for section, *names in (address.split(".") for address in existing):
        if names:
            entries.setdefault(section, set()).add(names[0])
            keys.setdefault(section, set()).update(names[1:2], keys_at((section, names[0])))
    below = [
        rf"{section}\.({'|'.join(sorted(names))})\.({'|'.join(sorted(keys[section]))})(\..+)?"
        for section, names in sorted(entries.items())
        if keys[section]
    ]
    return rf"^(({'|'.join(sorted(GAME_SECTIONS))})(\.[a-z0-9][a-z0-9_-]*)?|{'|'.join(below)})$"


def _addresses(document: Document) -> Iterator[str]:
    """Whatever a variant may change: what the game has at any number of players, and what other variants bring."""
    fewest, most = player_counts(document)
    paths = available_variants(document.name, document.path).values()
    chosen = [[], *([str(path)] for path in paths if load_variant(path, Diagnostics()) is not None)]
    for players in range(fewest, most + 1):
        for variants in chosen if players == fewest else chosen[:1]:
            composition = compose_document(document, players, variants, Diagnostics())
            root = document.root if composition is None else composition.document.root
            for address in iter_addresses(root):
                yield address
                keys = keys_at(tuple(address.split(".")))
                yield from (f"{address}.{key}" for key in KEYS_NOT_WRITTEN if key in keys)


__all__ = ["variant_schema"]
