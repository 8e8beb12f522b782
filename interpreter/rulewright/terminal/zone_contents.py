"""What lies in a place, in the form in which a view or a saved position tells it.

In: the JSON data of a zone. Out: its places with their keys, and what is in them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.expr.types import Member
from rulewright.model.rules import ZoneDef


def seat_key(zone: ZoneDef) -> int | None:
    """Which of a zone's keys is the seat, if any."""
    return next((at for at, key in enumerate(zone.keys) if key == Member("seat")), None)


def hidden(content: Any) -> bool:
    """Whether the viewer is told how many there are, not all that there is."""
    return isinstance(content, dict) and "count" in content


def pile(content: Any) -> bool:
    """Whether it is a shuffled place as a saved position tells it."""
    return isinstance(content, dict) and {"top", "loose", "bottom"} <= set(content)


def things(content: Any) -> list[Any]:
    """The things in a place; one that is partly known stands for itself."""
    if pile(content):
        return [*content["top"], *content["loose"], *content["bottom"]]
    if content is None or isinstance(content, dict):
        return [] if content is None else [content]
    return content if isinstance(content, list) else [content]


def amount(content: Any) -> int:
    """How much lies in a place."""
    if hidden(content):
        return int(content["count"])
    return sum(content.values()) if isinstance(content, dict) and not pile(content) else len(things(content))


def flat(content: Any, depth: int, keys: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The places of a zone with their keys."""
    if depth == 0:
        yield keys, content
        return
    for key, inner in content.items():
        yield from flat(inner, depth - 1, (*keys, key))


__all__ = ["amount", "flat", "hidden", "pile", "seat_key", "things"]
