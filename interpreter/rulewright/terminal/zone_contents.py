"""What is in a place, in the form of a view or a saved position.

In: the JSON data of a zone. Out: its places with their keys, and what is in them.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.expr.types import SEAT
from rulewright.model.rules import ZoneDef

# JSON data. Pieces: counts by member, or {count, known: counts} where not all are known. Things: a list of ids, an id
# or null in a place for one, {count, known: ids} where not all are known, {top, loose, bottom} in a saved position.
# A zone with keys: such data under each key.
ZoneContent = None | bool | int | str | list["ZoneContent"] | dict[str, "ZoneContent"]


def seat_key_index(zone: ZoneDef) -> int | None:
    """Which of a zone's keys is the seat, if any."""
    return next((index for index, key in enumerate(zone.key_types) if key == SEAT), None)


def is_count_only(content: ZoneContent) -> bool:
    """Whether the viewer knows how many there are, but not everything that is there."""
    return isinstance(content, dict) and "count" in content


def list_things(content: ZoneContent) -> list[ZoneContent]:
    """The things in a place; content that is partly known counts as one."""
    match content:
        case None:
            return []
        case list():
            return content
        case {"top": list(top), "loose": list(loose), "bottom": list(bottom)}:
            return [*top, *loose, *bottom]
        case _:
            return [content]


def known_things(content: ZoneContent) -> list[str]:
    """The things in a place that the viewer knows to be there."""
    match content:
        case {"count": _, "known": list(known) | dict(known)}:
            return [str(thing) for thing in known]
        case _:
            return [str(thing) for thing in list_things(content)]


def known_counts(content: ZoneContent) -> dict[str, int]:
    """The pieces in a place that the viewer knows to be there."""
    assert isinstance(content, dict)
    known = content.get("known")
    counts = known if isinstance(known, dict) else content
    return {member: count for member, count in counts.items() if isinstance(count, int)}


def count_things(content: ZoneContent) -> int:
    """How many things or pieces are in a place."""
    match content:
        case {"count": int(count)}:
            return count
        case {"top": list(), "loose": list(), "bottom": list()}:
            return len(list_things(content))
        case dict():
            return sum(known_counts(content).values())
        case _:
            return len(list_things(content))


def iter_zone_places(
    content: ZoneContent, depth: int, keys: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], ZoneContent]]:
    """The places of a zone with their keys."""
    if depth == 0:
        yield keys, content
        return
    assert isinstance(content, dict)
    for key, inner in content.items():
        yield from iter_zone_places(inner, depth - 1, (*keys, key))


__all__ = [
    "ZoneContent",
    "count_things",
    "is_count_only",
    "iter_zone_places",
    "known_counts",
    "known_things",
    "list_things",
    "seat_key_index",
]
