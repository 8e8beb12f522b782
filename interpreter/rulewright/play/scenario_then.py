"""Holds what a scenario expects against what came of it.

In: a case, the position reached, and the last action when it was not legal. Out: complaints, each with what was
expected, what came, and where the expectation is written.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Series
from dataclasses import dataclass
from typing import Any, Final

from rulewright.diagnostics import nearest
from rulewright.engine.explain import Reason
from rulewright.engine.notation import NOTHING, NotationError
from rulewright.engine.state import Action, Decision, State
from rulewright.engine.values import Context, Pile
from rulewright.expr.tree import Constant, ReadValue
from rulewright.expr.types import Bag, Member, SetOf, Thing, Type
from rulewright.model.rules import ValueDef, ZoneDef
from rulewright.play import codes
from rulewright.play.scenario_file import items
from rulewright.play.scenario_table import Table
from rulewright.play.scenario_values import Desk
from rulewright.text.nodes import Mapping, Node, Scalar, Sequence, plain
from rulewright.text.shape import sort_of

HIDDEN: Final = "hidden"
SPECTATOR: Final = "spectator"
MOST_SHOWN: Final = 12


@dataclass(frozen=True, slots=True)
class Reached:
    """Where a case ended. `refused`: why its last action is not legal; None: it was carried out, or there was none."""

    table: Table
    state: State
    last: Scalar | None
    refused: tuple[Reason, ...] | None


def check(reached: Reached, then: Mapping, desk: Desk) -> None:
    """Notes everything that is not as expected."""
    if reached.refused is not None and "illegal" not in then and _plainly(then.get("legal")) is not False:
        assert reached.last is not None
        _differs(desk, reached.last, "expected it to be legal", f"refused: {_reasons(reached.refused)}")
    for entry in then:
        EXPECTATIONS[entry.key.text](reached, entry.value, desk)


def _plainly(node: Node | None) -> Any:
    return None if node is None else plain(node)


def _differs(desk: Desk, node: Node, expected: str, found: str) -> None:
    desk.complain(node, codes.NOT_SO, f"{expected}; {found}")


def _reasons(reasons: Series[Reason]) -> str:
    return "; ".join(f"{one.address}: {one.sentence}".removeprefix(": ").rstrip(".") for one in reasons)


# ---- what can be done -----------------------------------------------------------------------------------------


def _legal(reached: Reached, node: Node, desk: Desk) -> None:
    if isinstance(node, Sequence):
        _among(reached, node, desk, wanted=True)
    elif reached.last is None:
        desk.complain(node, codes.WRONG_SORT, "`when` says no action that could be legal or not")
    elif plain(node) is False and reached.refused is None:
        _differs(desk, node, f"expected {reached.last.text} to be refused", "it is legal")


def _not_legal(reached: Reached, node: Node, desk: Desk) -> None:
    _among(reached, node, desk, wanted=False)


def _among(reached: Reached, node: Node, desk: Desk, *, wanted: bool) -> None:
    options = _options(reached)
    for item in items(node):
        wish = parsed(item, desk)
        if wish is None:
            continue
        found = desk.notation.matching(wish, options)
        if wanted and found is None:
            _differs(desk, item, f"expected {item.text} among the options", _why_not(reached, wish, options, desk))
        elif found is not None and not wanted:
            _differs(desk, item, f"expected {item.text} not to be an option", "it is one")


def _why_not(reached: Reached, wish: Action, options: Series[Action], desk: Desk) -> str:
    waiting = reached.state.waiting
    if not isinstance(waiting, Decision):
        return "the game is over"
    reasons = reached.table.explainer.why_not(reached.state, waiting.seat, wish)
    there = _shown([desk.notation.write(one) for one in options])
    return _reasons(reasons) if reasons else f"it is not complete; there are: {there}"


def _exactly(reached: Reached, node: Node, desk: Desk) -> None:
    options = {desk.notation.write(one) for one in _options(reached)}
    before = desk.report.errors
    wishes = [(item, parsed(item, desk)) for item in items(node)]
    if desk.report.errors > before:
        return
    matched = [(item, desk.notation.matching(wish, _options(reached))) for item, wish in wishes if wish is not None]
    missing = [item.text for item, found in matched if found is None]
    more = sorted(options - {desk.notation.write(found) for _, found in matched if found is not None})
    if missing or more:
        parts = [f"not there: {_shown(missing)}"] if missing else []
        parts += [f"there besides: {_shown(more)}"] if more else []
        _differs(desk, node, f"expected exactly {len(matched)} options", "; ".join(parts))


def _count(reached: Reached, node: Node, desk: Desk) -> None:
    found = len(_options(reached))
    if plain(node) != found:
        _differs(desk, node, f"expected {plain(node)} options", f"there are {found}")


def _illegal(reached: Reached, node: Node, desk: Desk) -> None:
    for item in items(node):
        if item.text not in desk.rules.notes:
            hint = nearest(item.text, desk.rules.notes)
            desk.complain(item, codes.UNKNOWN, f"no rule has the address `{item.text}`", label="not known", help=hint)
        if reached.last is None:
            desk.complain(item, codes.WRONG_SORT, "`when` says no action that could be refused")
        elif reached.refused is None:
            _differs(desk, item, f"expected {reached.last.text} to be refused by {item.text}", "it is legal")
        elif item.text not in [reason.address for reason in reached.refused] and item.text in desk.rules.notes:
            _differs(desk, item, f"expected it to be refused by {item.text}", f"refused: {_reasons(reached.refused)}")


def _options(reached: Reached) -> list[Action]:
    state = reached.state
    return list(reached.table.engine.legal(state)) if isinstance(state.waiting, Decision) else []


def parsed(item: Scalar, desk: Desk) -> Action | None:
    """An action of the game; None, with a complaint, when it is written as none."""
    try:
        return desk.notation.parse(item.text)
    except NotationError as error:
        desk.complain(item, codes.NO_ACTION, str(error))
        return None


def _shown(texts: Series[str]) -> str:
    more = f", … ({len(texts)} in all)" if len(texts) > MOST_SHOWN else ""
    return ", ".join(texts[:MOST_SHOWN]) + more if texts else "none"


# ---- what lies where ------------------------------------------------------------------------------------------


def _zones(reached: Reached, node: Node, desk: Desk) -> None:
    for zone, keys, inner in _places(node, desk):
        place = desk.place(zone, keys)
        content = reached.state.contents[place]
        name = desk.named(zone, place)
        if isinstance(zone.holds, Member):
            _compare_bag(name, zone.holds.kind, content, inner, desk)
        elif isinstance(inner, Scalar) and isinstance(inner.value, int):
            found = len(content.things if isinstance(content, Pile) else content)
            if found != inner.value:
                _differs(desk, inner, f"expected {inner.value} in {name}", f"there are {found}")
        else:
            listed = desk.things(zone.holds.component, inner)
            # an order counts where the place has one that can matter
            ordered = zone.arrival or (isinstance(content, Pile) and not content.loose)
            things = content.things if isinstance(content, Pile) else content
            if listed is not None:
                _compare_things(name, zone.holds, things, [thing for thing, _ in listed], ordered, inner, desk)


def _places(node: Node, desk: Desk) -> list[tuple[ZoneDef, tuple[int, ...], Node]]:
    found: list[tuple[ZoneDef, tuple[int, ...], Node]] = []
    for entry in node if isinstance(node, Mapping) else ():
        zone = desk.rules.zones.get(entry.key.text)
        if zone is None:
            desk.unknown(entry.key, "no zone is called", desk.rules.zones)
        else:
            found.extend((zone, keys, inner) for keys, inner in desk.by_key(zone, entry.key, entry.value))
    return found


def _compare_bag(name: str, kind: str, found: tuple[int, ...], node: Node, desk: Desk) -> None:
    part = desk.part(kind, node)
    if part is None:
        return
    found = found or (0,) * len(desk.notation.members(kind))
    wrong = {at: count for at, count in part.counts.items() if found[at] != count}
    members = desk.notation.members(kind)
    if wrong:
        expected = " + ".join(f"{count} {members[at]}" for at, count in wrong.items())
        came = " + ".join(f"{found[at]} {members[at]}" for at in wrong)
        _differs(desk, node, f"expected {expected} in {name}", f"there is {came}")


def _compare_things(
    name: str, holds: Thing, found: Series[int], expected: Series[int], ordered: bool, node: Node, desk: Desk
) -> None:
    if (list(found) if ordered else sorted(found)) == (list(expected) if ordered else sorted(expected)):
        return
    ids = desk.rules.components[holds.component].ids
    order = " in this order" if ordered and sorted(found) == sorted(expected) else ""
    wanted = _shown([ids[thing] for thing in expected])
    _differs(desk, node, f"expected in {name}: {wanted}{order}", f"there: {_shown([ids[thing] for thing in found])}")


def _state(reached: Reached, node: Node, desk: Desk) -> None:
    for entry in node if isinstance(node, Mapping) else ():
        one = desk.rules.states.get(entry.key.text)
        if one is None:
            desk.unknown(entry.key, "no state is called", desk.rules.states)
            continue
        for keys, inner in desk.by_key(one, entry.key, entry.value):
            place = desk.place(one, keys)
            _compare(desk.named(one, place), one.type, reached.state.variables[place], inner, desk)


def _values(reached: Reached, node: Node, desk: Desk) -> None:
    for entry in node if isinstance(node, Mapping) else ():
        one = desk.rules.values.get(entry.key.text)
        if one is None:
            desk.unknown(entry.key, "no value is called", desk.rules.values)
            continue
        for keys, inner in desk.by_key(one, entry.key, entry.value):
            found = _worked_out(reached.table, one, keys)(reached.table.engine.context(reached.state))
            _compare(desk.with_keys(one, keys), one.type, found, inner, desk)


def _worked_out(table: Table, one: ValueDef, keys: tuple[int, ...]) -> Callable[[Context], Any]:
    constants = tuple(Constant(key, type_, (0, 0)) for key, type_ in zip(keys, one.keys, strict=True))
    return table.engine.evaluator.run(ReadValue(one.name, constants, one.type, (0, 0)))


def _compare(name: str, type_: Type, found: Any, node: Node, desk: Desk) -> None:
    if isinstance(type_, Bag):
        _compare_bag(name, type_.kind, found, node, desk)
        return
    before = desk.report.errors
    expected = desk.value(node, type_)
    if desk.report.errors > before:
        return
    same = sorted(found) == sorted(expected) if isinstance(type_, SetOf) else found == expected
    if not same:
        text = desk.notation.text
        _differs(desk, node, f"expected {name} to be {text(expected, type_)}", f"it is {text(found, type_)}")


# ---- who plays, and the end -----------------------------------------------------------------------------------


def _decides(reached: Reached, node: Node, desk: Desk) -> None:
    waiting = reached.state.waiting
    if not isinstance(waiting, Decision):
        _differs(desk, node, f"expected seat {plain(node)} to decide", "the game is over")
    elif waiting.seat != plain(node):
        _differs(desk, node, f"expected seat {plain(node)} to decide", f"seat {waiting.seat} does")


def _step(reached: Reached, node: Node, desk: Desk) -> None:
    assert isinstance(node, Scalar)
    known = [step.address for block in desk.rules.blocks for step in block.steps]
    waiting = reached.state.waiting
    here = reached.table.views.step(waiting) if isinstance(waiting, Decision) else ""
    if node.text not in known:
        desk.unknown(node, "no step has the address", known)
    elif node.text != here:
        found = f"it stands at {here}" if here else "the game is over"
        _differs(desk, node, f"expected the game to stand at {node.text}", found)


def _over(reached: Reached, node: Node, desk: Desk) -> None:
    state = reached.state
    if plain(node) != state.over:
        waiting = f", seat {state.waiting.seat} decides" if isinstance(state.waiting, Decision) else ""
        found = "it is over" if state.over else f"it goes on{waiting}"
        _differs(desk, node, "expected the game to be over" if plain(node) else "expected the game to go on", found)


def _places_won(reached: Reached, node: Node, desk: Desk) -> None:
    _result(reached, node, desk, "the places", lambda: list(reached.table.engine.result(reached.state).places))


def _winners(reached: Reached, node: Node, desk: Desk) -> None:
    _result(reached, node, desk, "the winners", lambda: list(reached.table.engine.result(reached.state).winners))


def _result(reached: Reached, node: Node, desk: Desk, what: str, found: Callable[[], list[int]]) -> None:
    expected = _plainly(node)
    if not reached.state.over:
        _differs(desk, node, f"expected {what} to be {expected}", "the game is not over")
    elif found() != expected:
        _differs(desk, node, f"expected {what} to be {expected}", f"they are {found()}")


# ---- what is seen ---------------------------------------------------------------------------------------------


def _sees(reached: Reached, node: Node, desk: Desk) -> None:
    seats = {str(seat): seat for seat in range(desk.rules.players)}
    for entry in node if isinstance(node, Mapping) else ():
        if entry.key.text != SPECTATOR and entry.key.text not in seats:
            desk.unknown(entry.key, "no seat is called", [*seats, SPECTATOR])
            continue
        view = reached.table.views.view(reached.state, seats.get(entry.key.text))
        who = "a spectator" if entry.key.text == SPECTATOR else f"seat {entry.key.text}"
        for zone, keys, inner in _places(entry.value, desk):
            seen = view["zones"][zone.name]
            for key, type_ in zip(keys, zone.keys, strict=True):
                seen = seen[desk.notation.text(key, type_)]
            _compare_seen(f"{who} to see in {desk.with_keys(zone, keys)}", zone, seen, inner, desk)


def _compare_seen(what: str, zone: ZoneDef, seen: Any, node: Node, desk: Desk) -> None:
    """`seen` as in a view: ids, one or none where there is room for one; what is hidden is only counted."""
    if isinstance(zone.holds, Member):
        hidden = "count" in seen and "count" not in desk.rules.kinds[zone.holds.kind].members
        if _plainly(node) == HIDDEN:
            if not hidden:
                _differs(desk, node, f"expected {what}: nothing but a number", f"seen: {_bag_text(seen)}")
        elif hidden:
            _differs(desk, node, f"expected {what} which they are", f"seen: {seen['count']} hidden")
        else:
            members = desk.notation.members(zone.holds.kind)
            found = tuple(seen.get(name, 0) for name in members.values())
            _compare_bag(what.replace(" to see in ", "'s view of "), zone.holds.kind, found, node, desk)
        return
    found_ids = _ids(seen)
    if isinstance(node, Scalar) and isinstance(node.value, int):
        if node.value != len(found_ids):
            _differs(desk, node, f"expected {what}: {node.value} in all", f"there are {len(found_ids)}")
        return
    expected = [] if _plainly(node) == NOTHING else [item.text for item in items(node)]
    members_ = desk.members(zone.holds)
    for item in items(node):
        if item.text not in (HIDDEN, NOTHING) and item.text not in members_:
            desk.unknown(item, f"no {zone.holds.component} is called", [*members_, HIDDEN])
            return
    if isinstance(node, Mapping):
        desk.complain(node, codes.WRONG_SORT, f"expected a list of ids and `{HIDDEN}`, found {sort_of(node)}")
    elif sorted(expected) != sorted(found_ids):
        _differs(desk, node, f"expected {what}: {_shown(expected)}", f"seen: {_shown(found_ids)}")


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


EXPECTATIONS: Final[dict[str, Callable[[Reached, Node, Desk], None]]] = {
    "illegal": _illegal,
    "legal": _legal,
    "not_legal": _not_legal,
    "options": _exactly,
    "count": _count,
    "zones": _zones,
    "state": _state,
    "values": _values,
    "decides": _decides,
    "step": _step,
    "over": _over,
    "places": _places_won,
    "winners": _winners,
    "sees": _sees,
}

__all__ = ["Reached", "check", "parsed"]
