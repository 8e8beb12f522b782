"""What a scenario expects: looked up in its game first, then compared with the position it reaches.

In: the `then` of a case. Out: assertions, to be called with the end of the case; each adds a diagnostic, where the
expectation is written, when it does not hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from rulewright.engine.state import Decision
from rulewright.engine.values import Pile, RuntimeValue, as_tuple, content_bag, content_things
from rulewright.expr.tree import Constant, ReadValue
from rulewright.expr.types import Bag, Member, SetOf, Thing, Type
from rulewright.model.locale import player_name, player_number
from rulewright.model.rules import StateDef, ValueDef, ZoneDef
from rulewright.scenarios import codes
from rulewright.scenarios.assertions import (
    Assertion,
    AssertionParser,
    EndState,
    RefusalParser,
    ValueReader,
    builtins_or_none,
    check_piece_counts,
    entries_by_place,
    format_refusal,
    join_limited,
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
from rulewright.scenarios.possible_answers import has_possible_answers
from rulewright.scenarios.scenario_context import PieceCounts, ScenarioContext
from rulewright.scenarios.scenario_file import scalars_of
from rulewright.source.nodes import MappingNode, Node, ScalarNode, to_builtins


def parse_expectations(then: MappingNode, context: ScenarioContext, last_action: ScalarNode | None) -> list[Assertion]:
    """The assertions of a case. `last_action`: the last one of the case, if it has any.

    An expectation about a name that the game does not have is a diagnostic instead.
    """
    assertions = list[Assertion]()
    is_possible = last_action is None or _has_possible_answers(then, context, last_action)
    if last_action is not None and is_possible:
        assertions.append(partial(_check_was_legal, then, context))
    legal = then.get("legal")
    if legal is not None and "illegal" in then and builtins_or_none(legal) is True:
        message = "the action is expected to be illegal, and to be legal"
        context.report(legal, codes.WRONG_CONTENT, message, help="leave out `legal` or `illegal`")
    for entry in then:
        name = entry.key.text
        if name in REFUSAL_PARSERS:
            refusals = tuple(REFUSAL_PARSERS[name](entry.value, context, last_action))
            assertions.extend(refusals if is_possible else ())
        else:
            parsed = EXPECTATION_PARSERS[name](entry.value, context)
            if name in ("places", "winners") and builtins_or_none(then.get("over")) is True:
                parsed = (partial(_check_when_over, assertion) for assertion in parsed)  # else said of `over` already
            assertions.extend(parsed)
    return assertions


def _check_when_over(assertion: Assertion, end: EndState) -> None:
    if end.state.over:
        assertion(end)


def _expects_refusal(then: MappingNode) -> bool:
    return "illegal" in then or builtins_or_none(then.get("legal")) is False


def _has_possible_answers(then: MappingNode, context: ScenarioContext, last_action: ScalarNode) -> bool:
    """Whether the last action answers what can be answered, or is refused for that."""
    if _expects_refusal(then) and "illegal" not in then:
        return True
    refused_by = [item.text for item in scalars_of(then.get("illegal"))] if "illegal" in then else ()
    return has_possible_answers(context, last_action, refused_by)


def _check_was_legal(then: MappingNode, context: ScenarioContext, end: EndState) -> None:
    if end.refusal_reasons is not None and not _expects_refusal(then):
        assert end.last_action is not None
        message = f"`{end.last_action.text}` is not legal: {format_refusal(end.refusal_reasons)}"
        context.report(end.last_action, codes.NOT_AS_EXPECTED, message, help=suggest_answers(end, context))


# ---- zones, states and values ----------------------------------------------------------------------------------


def _parse_zones(node: Node, context: ScenarioContext) -> Iterator[Assertion]:
    for zone, keys, place_node in entries_by_place(node, context):
        place = context.place_index(zone, keys)
        if isinstance(zone.content_type, Member):
            counts = context.parse_counts(zone.content_type.kind, place_node)
            if counts is not None:
                yield partial(_check_pieces, zone, place, counts, place_node, context)
        elif isinstance(place_node, ScalarNode) and isinstance(place_node.value, int):
            yield partial(_check_thing_count, zone, place, place_node, context)
        else:
            things = context.parse_things(zone.content_type.component, place_node)
            if things is not None:
                yield partial(_check_things, zone, place, [thing for thing, _ in things], place_node, context)


def _check_pieces(
    zone: ZoneDef, place: int, counts: PieceCounts, node: Node, context: ScenarioContext, end: EndState
) -> None:
    assert isinstance(zone.content_type, Member)
    name, bag = context.place_name(zone, place), content_bag(end.state.contents[place])
    check_piece_counts(f"`{name}`", zone.content_type.kind, bag, counts, node, context)


def _check_thing_count(zone: ZoneDef, place: int, node: ScalarNode, context: ScenarioContext, end: EndState) -> None:
    count = len(content_things(end.state.contents[place]))
    if count != node.value:
        report_mismatch(
            context, node, f"expected {node.value} in `{context.place_name(zone, place)}`", f"found {count}"
        )


def _check_things(
    zone: ZoneDef, place: int, expected: Sequence[int], node: Node, context: ScenarioContext, end: EndState
) -> None:
    assert isinstance(zone.content_type, Thing)
    content = end.state.contents[place]
    things = content_things(content)
    # an order counts where the place has one that can matter
    is_ordered = zone.is_arrival_ordered or (isinstance(content, Pile) and not content.loose)
    has_same_things = sorted(things) == sorted(expected)
    if has_same_things and (not is_ordered or list(things) == list(expected)):
        return
    ids = context.rules.components[zone.content_type.component].ids
    expected_ids, actual_ids = (join_limited([ids[thing] for thing in part]) for part in (expected, things))
    order = " in this order" if has_same_things else ""
    expectation = f"expected in `{context.place_name(zone, place)}`: {expected_ids}{order}"
    report_mismatch(context, node, expectation, f"found: {actual_ids}")


def _parse_states(node: Node, context: ScenarioContext) -> Iterator[Assertion]:
    for entry in node if isinstance(node, MappingNode) else ():
        state = context.rules.states.get(entry.key.text)
        if state is None:
            context.report_unknown(entry.key, "state", context.rules.states)
            continue
        for keys, value_node in context.entries_by_key(state, entry.key, entry.value):
            read_value = partial(_read_state, context.place_index(state, keys))
            yield from _parse_value(state, keys, read_value, value_node, context)


def _read_state(index: int, end: EndState) -> RuntimeValue:
    return end.state.variables[index]


def _parse_values(node: Node, context: ScenarioContext) -> Iterator[Assertion]:
    for entry in node if isinstance(node, MappingNode) else ():
        value = context.rules.values.get(entry.key.text)
        if value is None:
            context.report_unknown(entry.key, "value", context.rules.values)
            continue
        for keys, value_node in context.entries_by_key(value, entry.key, entry.value):
            yield from _parse_value(value, keys, partial(_compute_value, value, keys), value_node, context)


def _compute_value(value: ValueDef, keys: tuple[int, ...], end: EndState) -> RuntimeValue:
    engine = end.game.engine
    constants = tuple(Constant(key, type_, (0, 0)) for key, type_ in zip(keys, value.key_types, strict=True))
    return engine.compiler.compile(ReadValue(value.name, constants, value.type, (0, 0)))(engine.context(end.state))


def _parse_value(
    owner: StateDef | ValueDef, keys: tuple[int, ...], read_value: ValueReader, node: Node, context: ScenarioContext
) -> Iterator[Assertion]:
    name, type_ = context.name_with_keys(owner, keys), owner.type
    if isinstance(type_, Bag):
        counts = context.parse_counts(type_.kind, node)
        if counts is not None:
            yield partial(_check_bag, name, type_, read_value, counts, node, context)
        return
    expected = context.parse_value(node, type_)
    if expected is not None:
        yield partial(_check_value, name, type_, read_value, expected, node, context)


def _check_bag(
    name: str,
    type_: Bag,
    read_value: ValueReader,
    counts: PieceCounts,
    node: Node,
    context: ScenarioContext,
    end: EndState,
) -> None:
    check_piece_counts(f"`{name}`", type_.kind, as_tuple(read_value(end)), counts, node, context)


def _check_value(
    name: str,
    type_: Type,
    read_value: ValueReader,
    expected: RuntimeValue,
    node: Node,
    context: ScenarioContext,
    end: EndState,
) -> None:
    value = read_value(end)
    is_equal = value == expected
    if isinstance(type_, SetOf):
        is_equal = sorted(as_tuple(value)) == sorted(as_tuple(expected))
    if not is_equal:
        expected_text, text = (context.notation.format_value(item, type_) for item in (expected, value))
        report_mismatch(context, node, f"expected `{name}` to be `{expected_text}`", f"found `{text}`")


# ---- whose turn it is, and the end ------------------------------------------------------------------------------


def _parse_decides(node: Node, context: ScenarioContext) -> Iterator[Assertion]:
    seat = context.parse_seat(node)
    if seat is not None:
        yield partial(_check_decides, seat, node, context)


def _check_decides(seat: int, node: Node, context: ScenarioContext, end: EndState) -> None:
    waiting = end.state.waiting
    if not isinstance(waiting, Decision):
        report_mismatch(context, node, f"expected {player_name(seat)} to decide", "the game is over")
    elif waiting.seat != seat:
        report_mismatch(context, node, f"expected {player_name(seat)} to decide", f"{player_name(waiting.seat)} does")


def _parse_step(node: Node, context: ScenarioContext) -> Iterator[Assertion]:
    assert isinstance(node, ScalarNode)
    known = [step.address for block in context.rules.blocks for step in block.steps]
    if node.text in known:
        yield partial(_check_step, node, context)
    else:
        context.report_unknown(node, "step", known)


def _check_step(node: ScalarNode, context: ScenarioContext, end: EndState) -> None:
    waiting = end.state.waiting
    address = end.game.views.step_address(waiting) if isinstance(waiting, Decision) else ""
    if node.text != address:
        actual = f"it is at `{address}`" if address else "the game is over"
        report_mismatch(context, node, f"expected the game to be at `{node.text}`", actual)


def _parse_over(node: Node, context: ScenarioContext) -> Iterator[Assertion]:
    yield partial(_check_over, node, context)


def _check_over(node: Node, context: ScenarioContext, end: EndState) -> None:
    state, expected = end.state, to_builtins(node)
    if expected != state.over:
        waiting = f", {player_name(state.waiting.seat)} decides" if isinstance(state.waiting, Decision) else ""
        actual = "it is over" if state.over else f"it goes on{waiting}"
        expectation = "expected the game to be over" if expected else "expected the game to go on"
        report_mismatch(context, node, expectation, actual)


def _parse_places(node: Node, context: ScenarioContext) -> Iterator[Assertion]:
    places, players = scalars_of(node), context.rules.players
    if len(places) != players:
        listed = f"{len(places)} place{'s' * (len(places) != 1)}"
        message = f"{listed} for {players} player{'s' * (players != 1)}"
        hint = "list one place for each player, or say with `players` how many there are in this case"
        context.report(node, codes.WRONG_CONTENT, message, help=hint)
        return
    yield partial(_check_result, node, context, "places")


def _parse_winners(node: Node, context: ScenarioContext) -> Iterator[Assertion]:
    seats = [context.parse_seat(item) for item in scalars_of(node)]
    if None not in seats:
        yield partial(_check_result, node, context, "winners")


def _check_result(node: Node, context: ScenarioContext, noun: str, end: EndState) -> None:
    expected = to_builtins(node)
    if not end.state.over:
        report_mismatch(context, node, f"expected the {noun} to be {expected}", "the game is not over")
        return
    result = end.game.engine.result(end.state)
    actual = list(map(player_number, result.winners) if noun == "winners" else result.ranks)
    if actual != expected:
        report_mismatch(context, node, f"expected the {noun} to be {expected}", f"found {actual}")


REFUSAL_PARSERS: Final[dict[str, RefusalParser]] = {  # of what is expected of the last action
    "illegal": parse_illegal,
    "legal": parse_legal,
}
EXPECTATION_PARSERS: Final[dict[str, AssertionParser]] = {
    "not_legal": parse_not_legal,
    "options": parse_options,
    "count": parse_count,
    "zones": _parse_zones,
    "state": _parse_states,
    "values": _parse_values,
    "decides": _parse_decides,
    "step": _parse_step,
    "over": _parse_over,
    "places": _parse_places,
    "winners": _parse_winners,
    "sees": parse_sees,
}

__all__ = ["parse_expectations"]
