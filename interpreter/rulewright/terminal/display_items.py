"""What the game's display says of a zone or a value: how it is drawn.

In: the display, which was checked when the rules were loaded. Out: a `DisplayItem` for each line of a section.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.frozen import frozen
from rulewright.model.rules import Rules
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
    """The lines of a section (`board`, `seats`); none when the game does not have it."""
    return tuple(_item(line) for line in display_lines(rules.display, section))


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
