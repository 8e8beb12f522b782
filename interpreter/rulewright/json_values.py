"""What all readers of JSON and YAML from strangers ask of values: whole numbers, and keys that differ.

In: values as the standard readers give them. Out: answers, or `DuplicateKeyError`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeGuard


class DuplicateKeyError(ValueError):
    """An object has a key twice. `key`: which."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(f"duplicate key {key!r}")


def is_integer(value: object) -> TypeGuard[int]:
    """Whether a value is a whole number; a flag is none, although Python counts it among them."""
    return isinstance(value, int) and not isinstance(value, bool)


def distinct_keys(pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    """An object whose keys all differ, as `object_pairs_hook` of `json.loads`; raises `DuplicateKeyError`."""
    data: dict[str, object] = {}
    for key, value in pairs:
        if key in data:
            raise DuplicateKeyError(key)
        data[key] = value
    return data


__all__ = ["DuplicateKeyError", "distinct_keys", "is_integer"]
