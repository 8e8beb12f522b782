"""A JSON Schema of the variants of one game, for editors that know nothing of rules but schemas.

In: a game's document, and what its variants add. Out: the schema of variants, in which the changes name only addresses
that this game has.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from rulewright.bundle import bundle_folder
from rulewright.diagnostics import Diagnostics
from rulewright.document.address import iter_addresses
from rulewright.document.document import Document
from rulewright.document.language import keys_at
from rulewright.model.allowed_players import player_counts
from rulewright.model.loader import compose_document
from rulewright.model.locate import available_variants
from rulewright.variants.variant import load_variant

OF_RULES_THAT_ARE_THERE: Final = ("set", "adjust", "extend", "drop")
KEYS_NOT_WRITTEN: Final = (
    "is",
    "why",
    "title",
    "text",
    "value",
)  # a bare value or a sentence elsewhere stands for them
Schema = dict[str, Any]  # as JSON has it


def variant_schema(document: Document) -> Schema:
    """The schema of the variants of a game. Its references lead to the installed schemas."""
    folder = bundle_folder("schemas")
    schema: Schema = json.loads((folder / "variant.schema.json").read_text(encoding="utf-8"))
    _resolve_references(schema, folder.resolve().as_uri())
    addresses = sorted(set(_addresses(document)))
    schema["title"] = f"a variant of {document.name}"
    schema["$defs"] = {"address": {"enum": addresses}}
    schema["properties"]["for"] = {"const": document.name}
    own = {"$ref": "#/$defs/address"}
    for change in OF_RULES_THAT_ARE_THERE:
        schema["properties"][change]["propertyNames"] = own
    schema["properties"]["remove"]["items"] = own
    return schema


def _resolve_references(part: Any, folder: str) -> None:
    """References to other files lead to them from everywhere."""
    if isinstance(part, Mapping):
        reference = part.get("$ref")
        if isinstance(reference, str) and isinstance(part, dict):
            part["$ref"] = f"{folder}/{reference}"
        for inner in part.values():
            _resolve_references(inner, folder)
    elif isinstance(part, list):
        for inner in part:
            _resolve_references(inner, folder)


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
