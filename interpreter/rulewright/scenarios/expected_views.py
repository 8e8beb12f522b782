"""What a scenario expects that seats and spectators see.

In: what a case says of it. Out: assertions about the position reached; diagnostics for names that the game does not
have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from rulewright.document.located_nodes import describe_node
from rulewright.engine.value_notation import EMPTY_TEXT
from rulewright.expr.types import Bag, Member
from rulewright.model.locale import player_name, player_number
from rulewright.model.rules import ZoneDef
from rulewright.scenarios import codes
from rulewright.scenarios.assertions import (
    Assertion,
    EndState,
    builtins_or_none,
    check_piece_counts,
    entries_by_place,
    join_limited,
    report_mismatch,
)
from rulewright.scenarios.scenario_context import PieceCounts, ScenarioContext
from rulewright.scenarios.scenario_file import scalars_of
from rulewright.source.nodes import MappingNode, Node, ScalarNode

HIDDEN_WORD: Final = "hidden"
SPECTATOR: Final = "spectator"

ViewReader = Callable[[EndState], Any]  # JSON data of one place in a view


def parse_sees(node: Node, context: ScenarioContext) -> Iterator[Assertion]:
    """By seat, or for a spectator, what is seen in zones."""
    seats = {str(player_number(seat)): seat for seat in range(context.rules.players)}
    for entry in node if isinstance(node, MappingNode) else ():
        if entry.key.text != SPECTATOR and entry.key.text not in seats:
            context.report_unknown(entry.key, "player", [*seats, SPECTATOR])
            continue
        for zone, keys, place_node in entries_by_place(entry.value, context):
            yield from _parse_place(seats.get(entry.key.text), zone, keys, place_node, context)


def _parse_place(
    seat: int | None, zone: ZoneDef, keys: tuple[int, ...], node: Node, context: ScenarioContext
) -> Iterator[Assertion]:
    """What a seat (None: a spectator) should see in a place."""
    viewer, place = "a spectator" if seat is None else player_name(seat), context.name_with_keys(zone, keys)
    read_view = partial(_view_of_place, seat, zone, keys, context)
    expected = f"expected {viewer} to see in {place}"
    if isinstance(zone.content_type, Member):
        kind = zone.content_type.kind
        if builtins_or_none(node) == HIDDEN_WORD:
            yield partial(_check_hidden_pieces, expected, kind, read_view, node, context)
        elif (counts := context.parse_counts(kind, node)) is not None:
            name = f"{viewer}'s view of `{place}`"
            yield partial(_check_pieces, expected, name, kind, read_view, counts, node, context)
    elif isinstance(node, ScalarNode) and isinstance(node.value, int):
        yield partial(_check_count, expected, read_view, node, context)
    elif isinstance(node, MappingNode):
        message = f"expected a list of ids and `{HIDDEN_WORD}`, found {describe_node(node)}"
        context.report(node, codes.WRONG_CONTENT, message)
    else:
        members = context.members_by_name(zone.content_type)
        known = (*members, HIDDEN_WORD, EMPTY_TEXT)
        unknown = [item for item in scalars_of(node) if item.text not in known]
        for item in unknown:
            context.report_unknown(item, zone.content_type.component, [*members, HIDDEN_WORD])
        if not unknown:
            yield partial(_check_things, expected, read_view, node, context)


def _view_of_place(
    seat: int | None, zone: ZoneDef, keys: tuple[int, ...], context: ScenarioContext, end: EndState
) -> Any:
    """The place as in a view: ids, one or none where there is room for one; what is hidden is only counted."""
    view = end.game.views.view(end.state, seat)["zones"][zone.name]
    for key, type_ in zip(keys, zone.key_types, strict=True):
        view = view[end.game.views.notation.format_value(key, type_)]
    return view


def _is_hidden(view: dict[str, int], kind: str, context: ScenarioContext) -> bool:
    return "count" in view and "count" not in context.rules.kinds[kind].members


def _check_hidden_pieces(
    expected: str, kind: str, read_view: ViewReader, node: Node, context: ScenarioContext, end: EndState
) -> None:
    view = read_view(end)
    if not _is_hidden(view, kind, context):
        bag = _bag_of_view(view, kind, end)
        seen = context.notation.format_value(bag, Bag(kind))
        report_mismatch(context, node, f"{expected}: only a number", f"seen: {seen}")


def _check_pieces(
    expected: str,
    name: str,
    kind: str,
    read_view: ViewReader,
    counts: PieceCounts,
    node: Node,
    context: ScenarioContext,
    end: EndState,
) -> None:
    view = read_view(end)
    if _is_hidden(view, kind, context):
        report_mismatch(context, node, f"{expected}: how many of which {kind}", f"seen: {view['count']} hidden")
    else:
        check_piece_counts(name, kind, _bag_of_view(view, kind, end), counts, node, context)


def _bag_of_view(view: dict[str, int], kind: str, end: EndState) -> tuple[int, ...]:
    return tuple(view.get(member, 0) for member in end.game.views.notation.bag_member_ids(kind).values())


def _check_count(
    expected: str, read_view: ViewReader, node: ScalarNode, context: ScenarioContext, end: EndState
) -> None:
    count = len(_thing_ids(read_view(end)))
    if node.value != count:
        report_mismatch(context, node, f"{expected}: {node.value} in all", f"found {count}")


def _check_things(expected: str, read_view: ViewReader, node: Node, context: ScenarioContext, end: EndState) -> None:
    expected_ids = [] if builtins_or_none(node) == EMPTY_TEXT else [item.text for item in scalars_of(node)]
    ids = _thing_ids(read_view(end))
    if sorted(expected_ids) != sorted(ids):
        report_mismatch(context, node, f"{expected}: {join_limited(expected_ids)}", f"seen: {join_limited(ids)}")


def _thing_ids(view: Any) -> list[str]:
    match view:
        case None:
            return []
        case str():
            return [view]
        case dict():
            return [*view["known"], *[HIDDEN_WORD] * (view["count"] - len(view["known"]))]
        case _:
            return list(view)


__all__ = ["parse_sees"]
