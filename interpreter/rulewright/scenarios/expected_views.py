"""What a scenario expects that seats and spectators see.

In: what a case says of it. Out: claims about the position reached; complaints about names that the game does not have.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from rulewright.document.schema_check import sort_of
from rulewright.engine.notation import NOTHING
from rulewright.expr.types import Member
from rulewright.model.rules import ZoneDef
from rulewright.scenarios import codes
from rulewright.scenarios.assertions import Claim, Reached, View, compare_bag, differs, places, plainly, shown
from rulewright.scenarios.scenario_context import Desk, Part
from rulewright.scenarios.scenario_file import items
from rulewright.source.nodes import Mapping, Node, Scalar

HIDDEN: Final = "hidden"
SPECTATOR: Final = "spectator"


def sees(node: Node, desk: Desk, last: Scalar | None) -> Iterator[Claim]:
    """By seat, or for a spectator, what lies in zones as it is seen."""
    seats = {str(seat): seat for seat in range(desk.rules.players)}
    for entry in node if isinstance(node, Mapping) else ():
        if entry.key.text != SPECTATOR and entry.key.text not in seats:
            desk.unknown(entry.key, "no seat is called", [*seats, SPECTATOR])
            continue
        for zone, keys, inner in places(entry.value, desk):
            yield from _seen(seats.get(entry.key.text), zone, keys, inner, desk)


def _seen(seat: int | None, zone: ZoneDef, keys: tuple[int, ...], node: Node, desk: Desk) -> Iterator[Claim]:
    """What a seat (None: a spectator) should see in a place."""
    who = "a spectator" if seat is None else f"seat {seat}"
    what, view = f"{who} to see in {desk.with_keys(zone, keys)}", partial(_view, seat, zone, keys, desk)
    if isinstance(zone.holds, Member):
        part = None if plainly(node) == HIDDEN else desk.part(zone.holds.kind, node)
        if part is not None or plainly(node) == HIDDEN:
            yield partial(_sees_pieces, what, zone.holds.kind, view, part, node, desk)
    elif isinstance(node, Scalar) and isinstance(node.value, int):
        yield partial(_sees_so_many, what, view, node, desk)
    elif isinstance(node, Mapping):
        desk.complain(node, codes.WRONG_SORT, f"expected a list of ids and `{HIDDEN}`, found {sort_of(node)}")
    else:
        members = desk.members(zone.holds)
        strange = [item for item in items(node) if item.text not in (HIDDEN, NOTHING) and item.text not in members]
        for item in strange:
            desk.unknown(item, f"no {zone.holds.component} is called", [*members, HIDDEN])
        if not strange:
            yield partial(_sees_things, what, view, node, desk)


def _view(seat: int | None, zone: ZoneDef, keys: tuple[int, ...], desk: Desk, reached: Reached) -> Any:
    """As in a view: ids, one or none where there is room for one; what is hidden is only counted."""
    seen = reached.table.views.view(reached.state, seat)["zones"][zone.name]
    for key, type_ in zip(keys, zone.keys, strict=True):
        seen = seen[desk.notation.text(key, type_)]
    return seen


def _sees_pieces(what: str, kind: str, view: View, part: Part | None, node: Node, desk: Desk, reached: Reached) -> None:
    seen = view(reached)
    hidden = "count" in seen and "count" not in desk.rules.kinds[kind].members
    if part is None:
        if not hidden:
            differs(desk, node, f"expected {what}: nothing but a number", f"seen: {_bag_text(seen)}")
    elif hidden:
        differs(desk, node, f"expected {what} which they are", f"seen: {seen['count']} hidden")
    else:
        found = tuple(seen.get(name, 0) for name in desk.notation.members(kind).values())
        compare_bag(what.replace(" to see in ", "'s view of "), kind, found, part, node, desk)


def _sees_so_many(what: str, view: View, node: Scalar, desk: Desk, reached: Reached) -> None:
    found = len(_ids(view(reached)))
    if node.value != found:
        differs(desk, node, f"expected {what}: {node.value} in all", f"there are {found}")


def _sees_things(what: str, view: View, node: Node, desk: Desk, reached: Reached) -> None:
    expected = [] if plainly(node) == NOTHING else [item.text for item in items(node)]
    found = _ids(view(reached))
    if sorted(expected) != sorted(found):
        differs(desk, node, f"expected {what}: {shown(expected)}", f"seen: {shown(found)}")


def _ids(seen: Any) -> list[str]:
    match seen:
        case None:
            return []
        case str():
            return [seen]
        case dict():
            return [*seen["known"], *[HIDDEN] * (seen["count"] - len(seen["known"]))]
        case _:
            return list(seen)


def _bag_text(seen: dict[str, int]) -> str:
    return " + ".join(f"{count} {name}" for name, count in seen.items()) or NOTHING


__all__ = ["sees"]
