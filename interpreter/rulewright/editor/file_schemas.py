"""The keys of rule files: what can stand at a place of a file, and what the schemas say of it.

In: the kind of a file, which is its first key, and the keys around a place, outermost first. Out: the part of the
schema that holds there. References are followed, also into other files, and a tagged union has the keys of all its
branches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

from rulewright.document.language import FALLBACK_SUFFIX, SCHEMA_SUFFIX, Schema, read_schema
from rulewright.document.schemas import FILE_KINDS
from rulewright.frozen import frozen

MAX_KNOWN: Final = 4096


@frozen
class _Part:
    """A part of a schema, and the file that it is in."""

    file: str
    schema: Schema


def schema_at(kind: str, keys: Sequence[str]) -> Schema | None:
    """The schema of what is under these keys, as it is described there; None for what no schema knows."""
    part = _part_at(kind, tuple(keys))
    return None if part is None else Schema(**{**_resolved(part).schema, **part.schema})


def keys_below(kind: str, keys: Sequence[str]) -> tuple[str, ...]:
    """The keys of the language that can stand under these keys."""
    part = _part_at(kind, tuple(keys))
    return () if part is None else tuple(_properties(part))


@lru_cache(MAX_KNOWN)
def _part_at(kind: str, keys: tuple[str, ...]) -> _Part | None:
    if kind not in FILE_KINDS:
        return None
    if not keys:
        return _Part(kind, read_schema(kind))
    around = _part_at(kind, keys[:-1])
    return None if around is None else next(_below(around, keys[-1]), None)


def _below(part: _Part, key: str) -> Iterator[_Part]:
    """What is under a key: of a mapping, or of a list of named items."""
    properties, whole = _properties(part), _resolved(part)
    if key in properties:
        yield properties[key]
    others = whole.schema.get("additionalProperties")
    if isinstance(others, dict):
        yield _Part(whole.file, others)
    if "items" in whole.schema:
        yield from _below(_Part(whole.file, whole.schema["items"]), key)


def _properties(part: _Part) -> dict[str, _Part]:
    whole = _resolved(part)
    union = f"{part.schema.get('$ref', '').rpartition('/')[2]}{FALLBACK_SUFFIX}"
    definition = read_schema(whole.file).get("$defs", {}).get(union, whole.schema)
    return {key: _Part(whole.file, schema) for key, schema in definition.get("properties", {}).items()}


def _resolved(part: _Part) -> _Part:
    """The definition that a schema refers to."""
    file, schema = part.file, part.schema
    while "$ref" in schema:
        other, _, path = schema["$ref"].partition("#/")
        file = other.removesuffix(SCHEMA_SUFFIX) or file
        found: Any = read_schema(file)
        for name in path.split("/"):
            found = found[name]
        schema = found
    return _Part(file, schema)


__all__ = ["keys_below", "schema_at"]
