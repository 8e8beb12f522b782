"""What the game's display says of a zone or a value: how it is drawn.

In: the display, which was checked when the rules were loaded. Out: a `DisplayItem` for each line of a section.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from rulewright.frozen import frozen
from rulewright.model.rules import Rules
from rulewright.terminal.zone_contents import seat_key_index
from rulewright.wording.labels import display_lines


@frozen
class DisplayItem:
    """A zone or a value (the other is empty).

    `show`: `cards`, `counts`, `grid`, or empty. `row_key`: the key of the zone that makes the rows, from the last up if
    `is_upward`; `side_zone`: the zone of which the count is shown beside each row; `shared_zones`: those that are drawn
    in the same cells of a grid.
    """

    zone: str = ""
    value: str = ""
    show: str = ""
    row_key: str = ""
    is_upward: bool = False
    side_zone: str = ""
    shared_zones: tuple[str, ...] = ()


def display_items(rules: Rules, section: str) -> tuple[DisplayItem, ...]:
    """The lines of a section (`board`, `players`); none when the game does not have it.

    A zone that a variant brings, and that no line names, has a plain line of its own behind them.
    """
    items = {name: tuple(_item(line) for line in display_lines(rules.display, name)) for name in ("board", "players")}
    named = {zone for item in (*items["board"], *items["players"]) for zone in _zones_of(item)}
    own = () if not items[section] else tuple(_unnamed_zones(rules, named, is_of_players=section == "players"))
    return (*items[section], *own)


def _zones_of(item: DisplayItem) -> tuple[str, ...]:
    return (item.zone, item.side_zone, *item.shared_zones)


def _unnamed_zones(rules: Rules, named: Collection[str], *, is_of_players: bool) -> Iterator[DisplayItem]:
    """Zones of variants into which somebody sees and which no line of the display names."""
    for name, zone in rules.zones.items():
        note = rules.provenance.get(zone.address)
        if note is None or not note.variant or name in named or zone.seen_by == "nobody":
            continue
        if (seat_key_index(zone) is not None) == is_of_players:
            yield DisplayItem(zone=name)


def _item(line: Mapping[str, object]) -> DisplayItem:
    also = line.get("also", ())
    return DisplayItem(
        zone=str(line.get("zone", "")),
        value=str(line.get("value", "")),
        show=str(line.get("show", "")),
        row_key=str(line.get("rows", "")),
        is_upward=line.get("order") == "up",
        side_zone=str(line.get("beside", "")),
        shared_zones=tuple(map(str, also if isinstance(also, list | tuple) else [also])),
    )


__all__ = ["DisplayItem", "display_items"]
