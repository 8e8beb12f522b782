"""What a scenario expects that seats and spectators see.

In: what a case says of it. Out: claims about the position reached; complaints about names that the game does not have.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from rulewright.document.violation_messages import describe_node
from rulewright.engine.notation import EMPTY_TEXT
from rulewright.expr.types import Member
from rulewright.model.rules import ZoneDef
from rulewright.scenarios import codes
from rulewright.scenarios.assertions import (
    Assertion,
    EndState,
    ViewReader,
    check_piece_counts,
    entries_by_place,
    join_limited,
    plain_or_none,
    report_mismatch,
)
from rulewright.scenarios.scenario_context import PieceCounts, ScenarioContext
from rulewright.scenarios.scenario_file import scalars_of
from rulewright.source.nodes import MappingNode, Node, ScalarNode

HIDDEN_WORD: Final = "hidden"
SPECTATOR: Final = "spectator"


def parse_sees(node: Node, desk: ScenarioContext, last: ScalarNode | None) -> Iterator[Assertion]:
    """By seat, or for a spectator, what lies in zones as it is seen."""
    seats = {str(seat): seat for seat in range(desk.rules.players)}
    for entry in node if isinstance(node, MappingNode) else ():
        if entry.key.text != SPECTATOR and entry.key.text not in seats:
            desk.report_unknown(entry.key, "no seat is called", [*seats, SPECTATOR])
            continue
        for zone, keys, inner in entries_by_place(entry.value, desk):
            yield from _seen(seats.get(entry.key.text), zone, keys, inner, desk)


def _seen(
    seat: int | None, zone: ZoneDef, keys: tuple[int, ...], node: Node, desk: ScenarioContext
) -> Iterator[Assertion]:
    """What a seat (None: a spectator) should see in a place."""
    who = "a spectator" if seat is None else f"seat {seat}"
    what, view = f"{who} to see in {desk.name_with_keys(zone, keys)}", partial(_view, seat, zone, keys, desk)
    if isinstance(zone.content_type, Member):
        part = None if plain_or_none(node) == HIDDEN_WORD else desk.parse_counts(zone.content_type.kind, node)
        if part is not None or plain_or_none(node) == HIDDEN_WORD:
            yield partial(_sees_pieces, what, zone.content_type.kind, view, part, node, desk)
    elif isinstance(node, ScalarNode) and isinstance(node.value, int):
        yield partial(_sees_so_many, what, view, node, desk)
    elif isinstance(node, MappingNode):
        desk.report(
            node, codes.WRONG_CONTENT, f"expected a list of ids and `{HIDDEN_WORD}`, found {describe_node(node)}"
        )
    else:
        members = desk.members_by_name(zone.content_type)
        strange = [
            item for item in scalars_of(node) if item.text not in (HIDDEN_WORD, EMPTY_TEXT) and item.text not in members
        ]
        for item in strange:
            desk.report_unknown(item, f"no {zone.content_type.component} is called", [*members, HIDDEN_WORD])
        if not strange:
            yield partial(_sees_things, what, view, node, desk)


def _view(seat: int | None, zone: ZoneDef, keys: tuple[int, ...], desk: ScenarioContext, reached: EndState) -> Any:
    """As in a view: ids, one or none where there is room for one; what is hidden is only counted."""
    seen = reached.game.views.view(reached.state, seat)["zones"][zone.name]
    for key, type_ in zip(keys, zone.key_types, strict=True):
        seen = seen[desk.notation.format_value(key, type_)]
    return seen


def _sees_pieces(
    what: str,
    kind: str,
    view: ViewReader,
    part: PieceCounts | None,
    node: Node,
    desk: ScenarioContext,
    reached: EndState,
) -> None:
    seen = view(reached)
    hidden = "count" in seen and "count" not in desk.rules.kinds[kind].members
    if part is None:
        if not hidden:
            report_mismatch(desk, node, f"expected {what}: nothing but a number", f"seen: {_bag_text(seen)}")
    elif hidden:
        report_mismatch(desk, node, f"expected {what} which they are", f"seen: {seen['count']} hidden")
    else:
        found = tuple(seen.get(name, 0) for name in desk.notation.bag_member_ids(kind).values())
        check_piece_counts(what.replace(" to see in ", "'s view of "), kind, found, part, node, desk)


def _sees_so_many(what: str, view: ViewReader, node: ScalarNode, desk: ScenarioContext, reached: EndState) -> None:
    found = len(_ids(view(reached)))
    if node.value != found:
        report_mismatch(desk, node, f"expected {what}: {node.value} in all", f"there are {found}")


def _sees_things(what: str, view: ViewReader, node: Node, desk: ScenarioContext, reached: EndState) -> None:
    expected = [] if plain_or_none(node) == EMPTY_TEXT else [item.text for item in scalars_of(node)]
    found = _ids(view(reached))
    if sorted(expected) != sorted(found):
        report_mismatch(desk, node, f"expected {what}: {join_limited(expected)}", f"seen: {join_limited(found)}")


def _ids(seen: Any) -> list[str]:
    match seen:
        case None:
            return []
        case str():
            return [seen]
        case dict():
            return [*seen["known"], *[HIDDEN_WORD] * (seen["count"] - len(seen["known"]))]
        case _:
            return list(seen)


def _bag_text(seen: dict[str, int]) -> str:
    return " + ".join(f"{count} {name}" for name, count in seen.items()) or EMPTY_TEXT


__all__ = ["parse_sees"]
