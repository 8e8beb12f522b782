"""What a scenario expects: looked up in its game first, then held against what came of it.

In: a case, the position reached, and the last action when it was not legal. Out: complaints, each with what was
expected, what came, and where the expectation is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Sequence as Series
from functools import partial
from typing import Any, Final

from rulewright.engine.state import Decision
from rulewright.engine.values import Context, Pile
from rulewright.expr.tree import Constant, ReadValue
from rulewright.expr.types import Bag, Member, SetOf, Thing, Type
from rulewright.model.rules import StateDef, ValueDef, ZoneDef
from rulewright.scenarios.assertions import (
    Assertion,
    AssertionParser,
    EndState,
    check_piece_counts,
    entries_by_place,
    format_reasons,
    join_limited,
    plain_or_none,
    report_mismatch,
    suggest_answers,
)
from rulewright.scenarios.expected_options import (
    parse_count,
    parse_illegal,
    parse_legal,
    parse_not_legal,
    parse_options,
)
from rulewright.scenarios.expected_views import parse_sees
from rulewright.scenarios.scenario_context import PieceCounts, ScenarioContext
from rulewright.scenarios.scenario_file import scalars_of
from rulewright.scenarios.scenario_game import ScenarioGame
from rulewright.source.nodes import MappingNode, Node, ScalarNode, to_builtins


def parse_expectations(then: MappingNode, desk: ScenarioContext, last: ScalarNode | None) -> list[Assertion]:
    """The claims of a case about what is reached; about names that the game does not have there are complaints
    instead. `last`: the last action of the case, if it has one.
    """
    claims: list[Assertion] = [] if last is None else [partial(_carried_out, then, desk)]
    for entry in then:
        claims.extend(EXPECTATION_PARSERS[entry.key.text](entry.value, desk, last))
    return claims


def _carried_out(then: MappingNode, desk: ScenarioContext, reached: EndState) -> None:
    if reached.refusal_reasons is not None and "illegal" not in then and plain_or_none(then.get("legal")) is not False:
        assert reached.last_action is not None
        answers = suggest_answers(reached, desk)
        report_mismatch(
            desk,
            reached.last_action,
            "expected it to be legal",
            f"refused: {format_reasons(reached.refusal_reasons)}",
            answers,
        )


# ---- what lies where -------------------------------------------------------------------------------------------


def _zones(node: Node, desk: ScenarioContext, last: ScalarNode | None) -> Iterator[Assertion]:
    for zone, keys, inner in entries_by_place(node, desk):
        place = desk.place_index(zone, keys)
        name = desk.place_name(zone, place)
        if isinstance(zone.content_type, Member):
            part = desk.parse_counts(zone.content_type.kind, inner)
            if part is not None:
                yield partial(_holds_part, zone, place, part, inner, desk)
        elif isinstance(inner, ScalarNode) and isinstance(inner.value, int):
            yield partial(_holds_so_many, name, place, inner, desk)
        else:
            listed = desk.parse_things(zone.content_type.component, inner)
            if listed is not None:
                yield partial(_holds_things, zone, place, [thing for thing, _ in listed], inner, desk)


def _holds_part(
    zone: ZoneDef, place: int, part: PieceCounts, node: Node, desk: ScenarioContext, reached: EndState
) -> None:
    assert isinstance(zone.content_type, Member)
    check_piece_counts(
        desk.place_name(zone, place), zone.content_type.kind, reached.state.contents[place], part, node, desk
    )


def _holds_so_many(name: str, place: int, node: ScalarNode, desk: ScenarioContext, reached: EndState) -> None:
    content = reached.state.contents[place]
    found = len(content.things if isinstance(content, Pile) else content)
    if found != node.value:
        report_mismatch(desk, node, f"expected {node.value} in {name}", f"there are {found}")


def _holds_things(
    zone: ZoneDef, place: int, expected: Series[int], node: Node, desk: ScenarioContext, reached: EndState
) -> None:
    assert isinstance(zone.content_type, Thing)
    content = reached.state.contents[place]
    # an order counts where the place has one that can matter
    ordered = zone.is_arrival_ordered or (isinstance(content, Pile) and not content.loose)
    things = content.things if isinstance(content, Pile) else content
    _compare_things(desk.place_name(zone, place), zone.content_type, things, expected, ordered, node, desk)


def _compare_things(
    name: str, holds: Thing, found: Series[int], expected: Series[int], ordered: bool, node: Node, desk: ScenarioContext
) -> None:
    if (list(found) if ordered else sorted(found)) == (list(expected) if ordered else sorted(expected)):
        return
    ids = desk.rules.components[holds.component].ids
    order = " in this order" if ordered and sorted(found) == sorted(expected) else ""
    wanted = join_limited([ids[thing] for thing in expected])
    report_mismatch(
        desk, node, f"expected in {name}: {wanted}{order}", f"there: {join_limited([ids[thing] for thing in found])}"
    )


def _state(node: Node, desk: ScenarioContext, last: ScalarNode | None) -> Iterator[Assertion]:
    for entry in node if isinstance(node, MappingNode) else ():
        one = desk.rules.states.get(entry.key.text)
        if one is None:
            desk.report_unknown(entry.key, "no state is called", desk.rules.states)
            continue
        for keys, inner in desk.entries_by_key(one, entry.key, entry.value):
            yield from _equals(one, keys, partial(_stands_at, desk.place_index(one, keys)), inner, desk)


def _stands_at(place: int, reached: EndState) -> Any:
    return reached.state.variables[place]


def _values(node: Node, desk: ScenarioContext, last: ScalarNode | None) -> Iterator[Assertion]:
    for entry in node if isinstance(node, MappingNode) else ():
        one = desk.rules.values.get(entry.key.text)
        if one is None:
            desk.report_unknown(entry.key, "no value is called", desk.rules.values)
            continue
        for keys, inner in desk.entries_by_key(one, entry.key, entry.value):
            yield from _equals(one, keys, partial(_comes_to, one, keys), inner, desk)


def _comes_to(one: ValueDef, keys: tuple[int, ...], reached: EndState) -> Any:
    return _worked_out(reached.game, one, keys)(reached.game.engine.context(reached.state))


def _worked_out(table: ScenarioGame, one: ValueDef, keys: tuple[int, ...]) -> Callable[[Context], Any]:
    constants = tuple(Constant(key, type_, (0, 0)) for key, type_ in zip(keys, one.key_types, strict=True))
    return table.engine.compiler.compile(ReadValue(one.name, constants, one.type, (0, 0)))


def _equals(
    owner: StateDef | ValueDef,
    keys: tuple[int, ...],
    found: Callable[[EndState], Any],
    node: Node,
    desk: ScenarioContext,
) -> Iterator[Assertion]:
    name, type_ = desk.name_with_keys(owner, keys), owner.type
    expected = desk.parse_counts(type_.kind, node) if isinstance(type_, Bag) else desk.parse_value(node, type_)
    if expected is not None:
        yield partial(_compare, name, type_, found, expected, node, desk)


def _compare(
    name: str,
    type_: Type,
    come: Callable[[EndState], Any],
    expected: Any,
    node: Node,
    desk: ScenarioContext,
    reached: EndState,
) -> None:
    found = come(reached)
    if isinstance(type_, Bag):
        check_piece_counts(name, type_.kind, found, expected, node, desk)
        return
    same = sorted(found) == sorted(expected) if isinstance(type_, SetOf) else found == expected
    if not same:
        text = desk.notation.format_value
        report_mismatch(desk, node, f"expected {name} to be {text(expected, type_)}", f"it is {text(found, type_)}")


# ---- who plays, and the end -----------------------------------------------------------------------------------


def _decides(node: Node, desk: ScenarioContext, last: ScalarNode | None) -> Iterator[Assertion]:
    if desk.parse_seat(node) is not None:
        yield partial(_is_asked, node, desk)


def _is_asked(node: Node, desk: ScenarioContext, reached: EndState) -> None:
    waiting = reached.state.waiting
    if not isinstance(waiting, Decision):
        report_mismatch(desk, node, f"expected seat {to_builtins(node)} to decide", "the game is over")
    elif waiting.seat != to_builtins(node):
        report_mismatch(desk, node, f"expected seat {to_builtins(node)} to decide", f"seat {waiting.seat} does")


def _step(node: Node, desk: ScenarioContext, last: ScalarNode | None) -> Iterator[Assertion]:
    assert isinstance(node, ScalarNode)
    known = [step.address for block in desk.rules.blocks for step in block.steps]
    if node.text in known:
        yield partial(_stands, node, desk)
    else:
        desk.report_unknown(node, "no step has the address", known)


def _stands(node: ScalarNode, desk: ScenarioContext, reached: EndState) -> None:
    waiting = reached.state.waiting
    here = reached.game.views.step_address(waiting) if isinstance(waiting, Decision) else ""
    if node.text != here:
        found = f"it stands at {here}" if here else "the game is over"
        report_mismatch(desk, node, f"expected the game to stand at {node.text}", found)


def _over(node: Node, desk: ScenarioContext, last: ScalarNode | None) -> Iterator[Assertion]:
    yield partial(_is_over, node, desk)


def _is_over(node: Node, desk: ScenarioContext, reached: EndState) -> None:
    state = reached.state
    if to_builtins(node) != state.over:
        waiting = f", seat {state.waiting.seat} decides" if isinstance(state.waiting, Decision) else ""
        found = "it is over" if state.over else f"it goes on{waiting}"
        report_mismatch(
            desk, node, "expected the game to be over" if to_builtins(node) else "expected the game to go on", found
        )


def _places_won(node: Node, desk: ScenarioContext, last: ScalarNode | None) -> Iterator[Assertion]:
    yield partial(_result, node, desk, "the places")


def _winners(node: Node, desk: ScenarioContext, last: ScalarNode | None) -> Iterator[Assertion]:
    seats = [desk.parse_seat(item) for item in scalars_of(node)]
    if None not in seats:
        yield partial(_result, node, desk, "the winners")


def _result(node: Node, desk: ScenarioContext, what: str, reached: EndState) -> None:
    expected = plain_or_none(node)
    if not reached.state.over:
        report_mismatch(desk, node, f"expected {what} to be {expected}", "the game is not over")
        return
    result = reached.game.engine.result(reached.state)
    found = list(result.winners if what == "the winners" else result.ranks)
    if found != expected:
        report_mismatch(desk, node, f"expected {what} to be {expected}", f"they are {found}")


EXPECTATION_PARSERS: Final[dict[str, AssertionParser]] = {
    "illegal": parse_illegal,
    "legal": parse_legal,
    "not_legal": parse_not_legal,
    "options": parse_options,
    "count": parse_count,
    "zones": _zones,
    "state": _state,
    "values": _values,
    "decides": _decides,
    "step": _step,
    "over": _over,
    "places": _places_won,
    "winners": _winners,
    "sees": parse_sees,
}

__all__ = ["parse_expectations"]
