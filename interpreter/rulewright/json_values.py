"""What all readers of JSON and YAML from strangers ask of values: their types, how many there are, keys that differ.

In: values as the standard readers give them. Out: answers, or `DuplicateKeyError`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeGuard

from rulewright.errors import quote


class DuplicateKeyError(ValueError):
    """An object has a key twice. `key`: which."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(f"duplicate key {quote(key)}")


def is_integer(value: object) -> TypeGuard[int]:
    """Whether a value is a whole number; a flag is none, although Python counts it among them."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_text(value: object) -> TypeGuard[str]:
    """Whether a value is a text."""
    return isinstance(value, str)


def is_text_list(value: object) -> TypeGuard[list[str]]:
    """Whether a value is a list of texts."""
    return isinstance(value, list) and all(map(is_text, value))


def has_more_values(data: object, limit: int) -> bool:
    """Whether JSON data holds more values than a limit; asked before anything looks at all of them."""
    count, pending = 0, [data]
    while pending:
        node = pending.pop()
        children = list(node.values()) if isinstance(node, dict) else node if isinstance(node, list | tuple) else ()
        count += len(children)
        if count > limit:
            return True
        pending.extend(child for child in children if isinstance(child, dict | list | tuple))
    return False


def distinct_keys(pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    """An object whose keys all differ, as `object_pairs_hook` of `json.loads`; raises `DuplicateKeyError`."""
    data: dict[str, object] = {}
    for key, value in pairs:
        if key in data:
            raise DuplicateKeyError(key)
        data[key] = value
    return data


def refuse_constant(name: str) -> None:
    """`NaN` and `Infinity`, as `parse_constant` of `json.loads`: raises `ValueError`."""
    raise ValueError(f"{name} is not a number")


__all__ = [
    "DuplicateKeyError",
    "distinct_keys",
    "has_more_values",
    "is_integer",
    "is_text",
    "is_text_list",
    "refuse_constant",
]
