"""What the game's display table says of a zone or a value: its title, and how it is drawn.

In: the display table, which was checked when the rules were loaded. Out: a `DisplayItem` for each line of a section.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.frozen import frozen
from rulewright.model.rules import Rules
from rulewright.wording.labels import display_lines


@frozen
class DisplayItem:
    """A zone or a value (the other is empty). `title`: a text, or texts by language; None: its name is its title.

    `show`: `cards`, `counts`, `grid`, or empty. `row_key`: the key of the zone that makes the rows, from the last up if
    `is_upward`; `side_zone`: the zone of which the count is shown beside each row.
    """

    zone: str = ""
    value: str = ""
    title: object = None
    show: str = ""
    row_key: str = ""
    is_upward: bool = False
    side_zone: str = ""


def display_items(rules: Rules, section: str) -> tuple[DisplayItem, ...]:
    """The lines of a section (`board`, `seats`); none when the game does not have it."""
    return tuple(_item(line) for line in display_lines(rules.display, section))


def _item(line: Mapping[str, object]) -> DisplayItem:
    return DisplayItem(
        zone=str(line.get("zone", "")),
        value=str(line.get("value", "")),
        title=line.get("title"),
        show=str(line.get("show", "")),
        row_key=str(line.get("rows", "")),
        is_upward=line.get("order") == "up",
        side_zone=str(line.get("beside", "")),
    )


__all__ = ["DisplayItem", "display_items"]
