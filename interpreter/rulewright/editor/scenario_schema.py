"""The keys of a file of scenarios: what can stand at a place, and what a key there means.

In: the keys around a place, outermost first. Out: the part of the schema that holds there.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.document.language import Schema, read_schema
from rulewright.editor.open_rules import SCENARIOS


def schema_at(keys: Iterable[str]) -> Schema | None:
    """The schema of what is under these keys; None for what no schema knows."""
    schema: Schema | None = read_schema(SCENARIOS)
    for key in keys:
        schema = None if schema is None else _below(schema, key)
    return schema


def keys_below(keys: Iterable[str]) -> tuple[str, ...]:
    """The keys of the language that can stand under these keys."""
    schema = schema_at(keys)
    return () if schema is None else tuple(schema.get("properties", ()))


def is_of_language(keys: tuple[str, ...]) -> bool:
    """Whether the last of these keys is one of the language, not a name or a player."""
    return bool(keys) and keys[-1] in keys_below(keys[:-1])


def _below(schema: Schema, key: str) -> Schema | None:
    found = schema.get("properties", {}).get(key)
    others = schema.get("additionalProperties")
    return found if found is not None else others if isinstance(others, dict) else None


__all__ = ["is_of_language", "keys_below", "schema_at"]
