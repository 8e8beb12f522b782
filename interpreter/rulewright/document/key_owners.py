"""Which rules have a key, where it stands at one that has none of that name.

In: a key. Out: a hint, as `` `at_most` is a key of a zone ``; empty where there is no such key, or many have it.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from rulewright.document.language import Schema, read_schema
from rulewright.suggestions import join_list

MAX_OWNERS: Final = 4  # that say where it belongs


@cache
def owners_hint(name: str) -> str:
    """The hint for a key."""
    definitions: dict[str, Schema] = read_schema("language")["$defs"]
    having = (schema for schema in definitions.values() if name in schema.get("properties", {}))
    titles = dict.fromkeys(title.partition(" with ")[0] for schema in having if (title := schema.get("title", "")))
    return f"`{name}` is a key of {join_list(titles, 'or')}" if 0 < len(titles) <= MAX_OWNERS else ""


def is_key(name: str) -> bool:
    """Whether a name is a key of the language somewhere."""
    definitions: dict[str, Schema] = read_schema("language")["$defs"]
    return any(name in schema.get("properties", {}) for schema in definitions.values())


__all__ = ["is_key", "owners_hint"]
