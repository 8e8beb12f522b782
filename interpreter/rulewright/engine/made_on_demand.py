"""What is made ready when it is first asked for: of a game that is only set up, most steps and actions never are.

In: a function that makes the value of a key. Out: a table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

KeyT = TypeVar("KeyT")
ValueT = TypeVar("ValueT")


class MadeOnDemand(dict[KeyT, ValueT]):
    """Values by key, of which only those are there that somebody has asked for by `table[key]`."""

    def __init__(self, make: Callable[[KeyT], ValueT]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: KeyT) -> ValueT:
        value = self[key] = self._make(key)
        return value


__all__ = ["MadeOnDemand"]
