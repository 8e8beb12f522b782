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
    Claim,
    Reached,
    Reader,
    compare_bag,
    could_be,
    differs,
    places,
    plainly,
    refusal,
    shown,
)
from rulewright.scenarios.expected_options import count, exactly, illegal, legal, not_legal
from rulewright.scenarios.expected_views import sees
from rulewright.scenarios.scenario_context import Desk, Part
from rulewright.scenarios.scenario_file import items
from rulewright.scenarios.scenario_game import Table
from rulewright.source.nodes import Mapping, Node, Scalar, plain


def read(then: Mapping, desk: Desk, last: Scalar | None) -> list[Claim]:
    """The claims of a case about what is reached; about names that the game does not have there are complaints
    instead. `last`: the last action of the case, if it has one.
    """
    claims: list[Claim] = [] if last is None else [partial(_carried_out, then, desk)]
    for entry in then:
        claims.extend(EXPECTATIONS[entry.key.text](entry.value, desk, last))
    return claims


def _carried_out(then: Mapping, desk: Desk, reached: Reached) -> None:
    if reached.refused is not None and "illegal" not in then and plainly(then.get("legal")) is not False:
        assert reached.last is not None
        answers = could_be(reached, desk)
        differs(desk, reached.last, "expected it to be legal", f"refused: {refusal(reached.refused)}", answers)


# ---- what lies where -------------------------------------------------------------------------------------------


def _zones(node: Node, desk: Desk, last: Scalar | None) -> Iterator[Claim]:
    for zone, keys, inner in places(node, desk):
        place = desk.place(zone, keys)
        name = desk.named(zone, place)
        if isinstance(zone.holds, Member):
            part = desk.part(zone.holds.kind, inner)
            if part is not None:
                yield partial(_holds_part, zone, place, part, inner, desk)
        elif isinstance(inner, Scalar) and isinstance(inner.value, int):
            yield partial(_holds_so_many, name, place, inner, desk)
        else:
            listed = desk.things(zone.holds.component, inner)
            if listed is not None:
                yield partial(_holds_things, zone, place, [thing for thing, _ in listed], inner, desk)


def _holds_part(zone: ZoneDef, place: int, part: Part, node: Node, desk: Desk, reached: Reached) -> None:
    assert isinstance(zone.holds, Member)
    compare_bag(desk.named(zone, place), zone.holds.kind, reached.state.contents[place], part, node, desk)


def _holds_so_many(name: str, place: int, node: Scalar, desk: Desk, reached: Reached) -> None:
    content = reached.state.contents[place]
    found = len(content.things if isinstance(content, Pile) else content)
    if found != node.value:
        differs(desk, node, f"expected {node.value} in {name}", f"there are {found}")


def _holds_things(zone: ZoneDef, place: int, expected: Series[int], node: Node, desk: Desk, reached: Reached) -> None:
    assert isinstance(zone.holds, Thing)
    content = reached.state.contents[place]
    # an order counts where the place has one that can matter
    ordered = zone.arrival or (isinstance(content, Pile) and not content.loose)
    things = content.things if isinstance(content, Pile) else content
    _compare_things(desk.named(zone, place), zone.holds, things, expected, ordered, node, desk)


def _compare_things(
    name: str, holds: Thing, found: Series[int], expected: Series[int], ordered: bool, node: Node, desk: Desk
) -> None:
    if (list(found) if ordered else sorted(found)) == (list(expected) if ordered else sorted(expected)):
        return
    ids = desk.rules.components[holds.component].ids
    order = " in this order" if ordered and sorted(found) == sorted(expected) else ""
    wanted = shown([ids[thing] for thing in expected])
    differs(desk, node, f"expected in {name}: {wanted}{order}", f"there: {shown([ids[thing] for thing in found])}")


def _state(node: Node, desk: Desk, last: Scalar | None) -> Iterator[Claim]:
    for entry in node if isinstance(node, Mapping) else ():
        one = desk.rules.states.get(entry.key.text)
        if one is None:
            desk.unknown(entry.key, "no state is called", desk.rules.states)
            continue
        for keys, inner in desk.by_key(one, entry.key, entry.value):
            yield from _equals(one, keys, partial(_stands_at, desk.place(one, keys)), inner, desk)


def _stands_at(place: int, reached: Reached) -> Any:
    return reached.state.variables[place]


def _values(node: Node, desk: Desk, last: Scalar | None) -> Iterator[Claim]:
    for entry in node if isinstance(node, Mapping) else ():
        one = desk.rules.values.get(entry.key.text)
        if one is None:
            desk.unknown(entry.key, "no value is called", desk.rules.values)
            continue
        for keys, inner in desk.by_key(one, entry.key, entry.value):
            yield from _equals(one, keys, partial(_comes_to, one, keys), inner, desk)


def _comes_to(one: ValueDef, keys: tuple[int, ...], reached: Reached) -> Any:
    return _worked_out(reached.table, one, keys)(reached.table.engine.context(reached.state))


def _worked_out(table: Table, one: ValueDef, keys: tuple[int, ...]) -> Callable[[Context], Any]:
    constants = tuple(Constant(key, type_, (0, 0)) for key, type_ in zip(keys, one.keys, strict=True))
    return table.engine.evaluator.run(ReadValue(one.name, constants, one.type, (0, 0)))


def _equals(
    owner: StateDef | ValueDef, keys: tuple[int, ...], found: Callable[[Reached], Any], node: Node, desk: Desk
) -> Iterator[Claim]:
    name, type_ = desk.with_keys(owner, keys), owner.type
    expected = desk.part(type_.kind, node) if isinstance(type_, Bag) else desk.value(node, type_)
    if expected is not None:
        yield partial(_compare, name, type_, found, expected, node, desk)


def _compare(
    name: str, type_: Type, come: Callable[[Reached], Any], expected: Any, node: Node, desk: Desk, reached: Reached
) -> None:
    found = come(reached)
    if isinstance(type_, Bag):
        compare_bag(name, type_.kind, found, expected, node, desk)
        return
    same = sorted(found) == sorted(expected) if isinstance(type_, SetOf) else found == expected
    if not same:
        text = desk.notation.text
        differs(desk, node, f"expected {name} to be {text(expected, type_)}", f"it is {text(found, type_)}")


# ---- who plays, and the end -----------------------------------------------------------------------------------


def _decides(node: Node, desk: Desk, last: Scalar | None) -> Iterator[Claim]:
    if desk.seat(node) is not None:
        yield partial(_is_asked, node, desk)


def _is_asked(node: Node, desk: Desk, reached: Reached) -> None:
    waiting = reached.state.waiting
    if not isinstance(waiting, Decision):
        differs(desk, node, f"expected seat {plain(node)} to decide", "the game is over")
    elif waiting.seat != plain(node):
        differs(desk, node, f"expected seat {plain(node)} to decide", f"seat {waiting.seat} does")


def _step(node: Node, desk: Desk, last: Scalar | None) -> Iterator[Claim]:
    assert isinstance(node, Scalar)
    known = [step.address for block in desk.rules.blocks for step in block.steps]
    if node.text in known:
        yield partial(_stands, node, desk)
    else:
        desk.unknown(node, "no step has the address", known)


def _stands(node: Scalar, desk: Desk, reached: Reached) -> None:
    waiting = reached.state.waiting
    here = reached.table.views.step(waiting) if isinstance(waiting, Decision) else ""
    if node.text != here:
        found = f"it stands at {here}" if here else "the game is over"
        differs(desk, node, f"expected the game to stand at {node.text}", found)


def _over(node: Node, desk: Desk, last: Scalar | None) -> Iterator[Claim]:
    yield partial(_is_over, node, desk)


def _is_over(node: Node, desk: Desk, reached: Reached) -> None:
    state = reached.state
    if plain(node) != state.over:
        waiting = f", seat {state.waiting.seat} decides" if isinstance(state.waiting, Decision) else ""
        found = "it is over" if state.over else f"it goes on{waiting}"
        differs(desk, node, "expected the game to be over" if plain(node) else "expected the game to go on", found)


def _places_won(node: Node, desk: Desk, last: Scalar | None) -> Iterator[Claim]:
    yield partial(_result, node, desk, "the places")


def _winners(node: Node, desk: Desk, last: Scalar | None) -> Iterator[Claim]:
    seats = [desk.seat(item) for item in items(node)]
    if None not in seats:
        yield partial(_result, node, desk, "the winners")


def _result(node: Node, desk: Desk, what: str, reached: Reached) -> None:
    expected = plainly(node)
    if not reached.state.over:
        differs(desk, node, f"expected {what} to be {expected}", "the game is not over")
        return
    result = reached.table.engine.result(reached.state)
    found = list(result.winners if what == "the winners" else result.places)
    if found != expected:
        differs(desk, node, f"expected {what} to be {expected}", f"they are {found}")


EXPECTATIONS: Final[dict[str, Reader]] = {
    "illegal": illegal,
    "legal": legal,
    "not_legal": not_legal,
    "options": exactly,
    "count": count,
    "zones": _zones,
    "state": _state,
    "values": _values,
    "decides": _decides,
    "step": _step,
    "over": _over,
    "places": _places_won,
    "winners": _winners,
    "sees": sees,
}

__all__ = ["read"]
