"""What is in a place, in the form of a view or a saved position.

In: the JSON data of a zone. Out: its places with their keys, and what is in them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.expr.types import Member
from rulewright.model.rules import ZoneDef

ZoneContent = Any


def seat_key_index(zone: ZoneDef) -> int | None:
    """Which of a zone's keys is the seat, if any."""
    return next((index for index, key in enumerate(zone.key_types) if key == Member("seat")), None)


def is_count_only(content: Any) -> bool:
    """Whether the viewer knows how many there are, but not everything that is there."""
    return isinstance(content, dict) and "count" in content


def is_pile(content: Any) -> bool:
    """Whether it is a shuffled place in the form of a saved position."""
    return isinstance(content, dict) and {"top", "loose", "bottom"} <= set(content)


def list_things(content: Any) -> list[Any]:
    """The things in a place; content that is partly known counts as one."""
    if is_pile(content):
        return [*content["top"], *content["loose"], *content["bottom"]]
    if content is None or isinstance(content, dict):
        return [] if content is None else [content]
    return content if isinstance(content, list) else [content]


def count_things(content: Any) -> int:
    """How many things or pieces are in a place."""
    if is_count_only(content):
        return int(content["count"])
    return sum(content.values()) if isinstance(content, dict) and not is_pile(content) else len(list_things(content))


def known_things(content: ZoneContent) -> list[str]:
    """The things in a place that the viewer knows to be there."""
    things = content.get("known", ()) if isinstance(content, dict) else content
    return [things] if isinstance(things, str) else list(things or ())


def known_counts(content: ZoneContent) -> dict[str, int]:
    """The pieces in a place that the viewer knows to be there."""
    assert isinstance(content, dict)
    return content["known"] if isinstance(content.get("known"), dict) else content


def iter_zone_places(content: Any, depth: int, keys: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The places of a zone with their keys."""
    if depth == 0:
        yield keys, content
        return
    for key, inner in content.items():
        yield from iter_zone_places(inner, depth - 1, (*keys, key))


__all__ = [
    "ZoneContent",
    "count_things",
    "is_count_only",
    "is_pile",
    "iter_zone_places",
    "known_counts",
    "known_things",
    "list_things",
    "seat_key_index",
]
