"""Where things are and what is kept track of: zones, derived values, and state.

In: the sections `zones`, `values` and `state`. Out: symbols in the table of names, and the definitions of the model.
"""

from __future__ import annotations

from math import prod
from typing import Literal, cast

from rulewright import limits
from rulewright.diagnostics import Report
from rulewright.expr.cost import cost
from rulewright.expr.fold import fold
from rulewright.expr.tree import Constant, Expr
from rulewright.expr.type_relations import fits, join, phrase
from rulewright.expr.types import (
    Bag,
    Component,
    Flag,
    KindName,
    Member,
    Number,
    StateVar,
    Thing,
    Type,
    Unknown,
    Value,
    Zone,
)
from rulewright.model import codes
from rulewright.model.dependency_order import in_order_of_need
from rulewright.model.kinds import SEAT
from rulewright.model.rules import StateDef, ValueDef, ZoneDef
from rulewright.model.symbol_table import Names, mapping, text_of
from rulewright.model.value_checks import fixed, is_number, must_be_known, within, wrong_content
from rulewright.source.nodes import Entry, Mapping, Scalar


def _pieces(names: Names) -> dict[str, int]:
    """For each family of kinds how many pieces there can be: what places start with, since moves conserve."""
    totals: dict[str, int] = {}
    for entry in names.section("zones"):
        node = mapping(entry.value)
        holds, starts = names.symbols.get(text_of(node.get("holds"))), node.get("starts")
        if not isinstance(holds, KindName) or not isinstance(starts, Scalar):
            continue
        unheard = Names(names.root, names.players, Report())  # what is wrong with it is told when the zone is read
        unheard.symbols, unheard.kinds = names.symbols, names.kinds
        per = unheard.per(node.get("per"), "")
        bag = unheard.expression(starts, unheard.scope(variables=dict(per)))
        family = names.kinds[holds.kind].family
        most = bag.type.most if isinstance(bag.type, Bag) else limits.MAX_PLACE_PIECES
        totals[family] = totals.get(family, 0) + most * prod(len(names.key_values(type_)) for _, type_ in per)
    return totals


def declare_zones(names: Names) -> dict[str, tuple[tuple[str, Type], ...]]:
    """The zones' names, so that expressions may use them; what their own expressions say is read afterwards."""
    keys: dict[str, tuple[tuple[str, Type], ...]] = {}
    pieces = _pieces(names)
    sizes: dict[str, int] = {}
    for entry in names.section("zones"):
        node, address = mapping(entry.value), f"zones.{entry.key.text}"
        holds_node = node.get("holds")
        assert holds_node is not None
        holds = names.key_type(holds_node, f"{address}.holds")
        per = names.per(node.get("per"), f"{address}.per")
        keys[entry.key.text] = per
        size = prod(len(names.key_values(type_)) for _, type_ in per)
        sizes[entry.key.text] = size
        at_most = node.get("at_most")
        most = at_most.value if isinstance(at_most, Scalar) and is_number(at_most) else limits.MAX_PLACE_PIECES
        if isinstance(holds, Unknown):
            names.poison(entry)
            continue
        assert isinstance(holds, Member | Thing)
        if isinstance(holds, Thing):
            symbol = names.symbols.get(holds.component)
            most = min(cast(int, most), symbol.count if isinstance(symbol, Component) else limits.MAX_PLACE_PIECES)
        else:
            total = pieces.get(names.kinds[holds.kind].family, 0)
            most = min(cast(int, most), total) if at_most is not None and total else total or most
        symbol_zone = Zone(holds, tuple(type_ for _, type_ in per), cast(int, most), entry.key.span)
        names.declare(entry.key.text, symbol_zone, entry.key.span)
    _not_too_many(names, sizes)
    return keys


def _not_too_many(names: Names, sizes: dict[str, int]) -> None:
    """Too many places are told at the zone that has most of them."""
    places = sum(sizes.values())
    if places > limits.MAX_PLACES:
        largest = max(sizes, key=lambda name: sizes[name])
        text = f"{sizes[largest]:,} places here, {places:,} in all zones; {limits.MAX_PLACES:,} are allowed"
        span = next(entry.key.span for entry in names.section("zones") if entry.key.text == largest)
        names.report.add(span, codes.TOO_MANY, text, label="most of them", address=f"zones.{largest}")


def zones(names: Names, keys: dict[str, tuple[tuple[str, Type], ...]]) -> dict[str, ZoneDef]:
    """The definitions of all zones, their places numbered side by side."""
    found: dict[str, ZoneDef] = {}
    first = 0
    for entry in names.section("zones"):
        name, node, address = entry.key.text, mapping(entry.value), f"zones.{entry.key.text}"
        symbol = names.symbols.get(name)
        if not isinstance(symbol, Zone):
            continue
        per = keys[name]
        scope = names.scope(variables=dict(per))
        key_values = tuple(names.key_values(type_) for _, type_ in per)
        size = prod(len(values) for values in key_values)
        at_most, refill, starts = node.get("at_most"), node.get("refill"), node.get("starts")
        definition = ZoneDef(
            name=name,
            holds=symbol.holds,
            keys=tuple(type_ for _, type_ in per),
            key_names=tuple(key for key, _ in per),
            key_values=key_values,
            first=first,
            size=size,
            at_most=None if at_most is None else fixed(names, at_most, scope, Number(0, 10**6), f"{address}.at_most"),
            shuffled=text_of(node.get("order")) == "shuffled",
            arrival=text_of(node.get("order")) == "arrival",
            refill=None if refill is None else names.place(refill, scope, f"{address}.refill", source=False),
            starts=None if starts is None else fixed(names, starts, scope, None, f"{address}.starts"),
            seen_by=cast(Literal["all", "nobody", "owner", "others"], text_of(node.get("seen_by"), "all")),
            owner=next((at for at, (_, type_) in enumerate(per) if type_ == Member(SEAT)), None),
            forgets=isinstance(one := node.get("forgets"), Scalar) and one.value is True,
            address=address,
            span=entry.key.span,
        )
        _check_zone(names, definition, node, address)
        found[name] = definition
        first += size
    return found


def _check_zone(names: Names, zone: ZoneDef, node: Mapping, address: str) -> None:
    if zone.seen_by in ("owner", "others") and zone.owner is None:
        seen = node.get("seen_by")
        assert seen is not None
        names.report.add(
            seen.span,
            codes.WRONG_KEY,
            f"`{zone.seen_by}` speaks of a seat, but the zone is not kept per seat",
            help="add `per: seat`, or say `seen_by: all` or `nobody`",
            address=address,
        )
    starts = node.get("starts")
    if starts is not None and zone.starts is not None and not isinstance(zone.starts.type, Unknown):
        holds = zone.holds
        if isinstance(holds, Thing) or not fits(zone.starts.type, Bag(holds.kind), names.kinds):
            wanted = "things start where their component says (`starts_in`)" if isinstance(holds, Thing) else ""
            what = holds.component if isinstance(holds, Thing) else holds.kind
            names.report.add(
                starts.span,
                codes.WRONG_MOVE,
                f"this is no bag of {what}",
                label="does not fit",
                help=wanted,
                address=address,
            )
    order = node.get("order")
    if order is not None and zone.pooled:
        names.report.add(order.span, codes.NO_EFFECT, "pieces of a kind lie in no order", address=address)
    refill = node.get("refill")
    if refill is not None and zone.refill is not None:
        if zone.refill.zone == zone.name:
            names.report.add(refill.span, codes.CYCLE, "a zone is not refilled from itself", address=address)
        source = names.symbols.get(zone.refill.zone)
        must_be_known(names, zone.refill.keys, refill, address)
        if isinstance(source, Zone) and source.holds != zone.holds:
            what = zone.holds.component if isinstance(zone.holds, Thing) else zone.holds.kind
            wrong_content(names, refill, what, zone.refill.zone, address)
        if zone.at_most is None:
            names.report.add(
                refill.span,
                codes.MISSING_CASE,
                "a zone that is refilled must say how full",
                help="add `at_most:`",
                address=address,
            )


def values(names: Names) -> dict[str, ValueDef]:
    """Derived quantities, each after those it needs."""
    found: dict[str, ValueDef] = {}
    entries = list(names.section("values"))
    for entry in in_order_of_need(names, entries, "value"):
        definition = _value(names, entry)
        found[definition.name] = definition
    for entry in entries:
        if entry.key.text not in found:
            names.poison(entry)
    return {entry.key.text: found[entry.key.text] for entry in entries if entry.key.text in found}


def _value(names: Names, entry: Entry) -> ValueDef:
    name, node, address = entry.key.text, entry.value, f"values.{entry.key.text}"
    of: tuple[tuple[str, Type], ...] = ()
    terms: list[tuple[str, Expr]] = []
    less: list[tuple[str, Expr]] = []
    scope = names.scope(has_me=True)
    if isinstance(node, Mapping):
        of = names.per(node.get("of"), f"{address}.of")
        scope = names.scope(has_me=True, variables=dict(of))
        single = node.get("is")
        if single is not None:
            terms.append(("is", names.expression(single, scope, None, address)))
            names.speaks_of_turn(name, single, terms[-1][1])
        for key, target in (("sum", terms), ("less", less)):
            for term in mapping(node.get(key)) if key in node else ():
                names.plain_id(term.key.text, term.key.span)
                expr = names.expression(term.value, scope, None, f"{address}.{key}.{term.key.text}")
                target.append((term.key.text, expr))
                names.speaks_of_turn(name, term.value, expr)
    else:
        terms.append(("is", names.expression(node, scope, None, address)))
        names.speaks_of_turn(name, node, terms[-1][1])
    exprs = [expr for _, expr in (*terms, *less)]
    type_ = _less(
        _sum_type(names, [expr.type for _, expr in terms], entry, address),
        _sum_type(names, [expr.type for _, expr in less], entry, address) if less else None,
    )
    steps = sum(cost(expr, scope) for expr in exprs)
    names.declare(name, Value(type_, tuple(one for _, one in of), entry.key.span, steps), entry.key.span)
    return ValueDef(name, type_, tuple(one for _, one in of), tuple(terms), tuple(less))


def _less(type_: Type, taken: Type | None) -> Type:
    """The bounds of what remains: what is taken away never leaves less than nothing."""
    if isinstance(type_, Number) and isinstance(taken, Number):
        return Number(max(0, type_.low - max(0, taken.high)), max(0, type_.high - max(0, taken.low)))
    return type_


def _sum_type(names: Names, types: list[Type], entry: Entry, address: str) -> Type:
    if not types or any(isinstance(one, Unknown) for one in types):
        return Unknown()
    if len(types) == 1:
        return types[0]
    joined = types[0]
    for one in types[1:]:
        if isinstance(joined, Number) and isinstance(one, Number):
            joined = Number(joined.low + one.low, joined.high + one.high)
            continue
        both = join(joined, one, names.kinds)
        if both is None or isinstance(both, Flag | Member | Thing):
            said = f"{phrase(joined, names.kinds)} and {phrase(one, names.kinds)}"
            names.report.add(
                entry.key.span,
                codes.WRONG_VALUE,
                f"the terms of `{entry.key.text}` do not add up: {said}",
                address=address,
            )
            return Unknown()
        joined = (
            Bag(both.kind, joined.most + one.most)
            if isinstance(both, Bag) and isinstance(joined, Bag) and isinstance(one, Bag)
            else both
        )
    return joined


def states(names: Names) -> dict[str, StateDef]:
    """State variables, side by side."""
    found: dict[str, StateDef] = {}
    first = 0
    for entry in names.section("state"):
        name, node, address = entry.key.text, mapping(entry.value), f"state.{entry.key.text}"
        type_node, start_node = node.get("type"), node.get("start")
        assert type_node is not None
        type_ = names.type_(type_node, names.scope(), f"{address}.type")
        if not isinstance(type_, Flag | Number | Member | Unknown):
            names.report.add(
                type_node.span,
                codes.WRONG_VALUE,
                f"a state is a number within bounds, a flag or a member, not {phrase(type_, names.kinds)}",
                help="things and pieces stand in zones",
                address=address,
            )
        per = names.per(node.get("per"), f"{address}.per")
        scope = names.scope(variables=dict(per))
        if start_node is None:
            start: Expr = Constant(_first(names, type_), type_, (0, 0))
        else:
            start = fixed(names, start_node, scope, type_, f"{address}.start")
            value = fold(start)
            if isinstance(value, int):
                within(names, value, start, type_, start_node, f"{address}.start")
        key_values = tuple(names.key_values(one) for _, one in per)
        size = prod(len(one) for one in key_values)
        resets = cast(Literal["", "turn", "round"], text_of(node.get("resets")))
        keys = tuple(one for _, one in per)
        if first + size > limits.MAX_PLACES:
            text = f"{size} variables, {first + size} in all; {limits.MAX_PLACES} are allowed"
            names.report.add(entry.key.span, codes.TOO_MANY, text, address=address)
            size = 0
        found[name] = StateDef(name, type_, keys, key_values, first, size, start, resets)
        names.declare(name, StateVar(type_, keys, entry.key.span), entry.key.span)
        first += size
    return found


def _first(names: Names, type_: Type) -> object:
    """What a state begins with when nothing is said: false, the first member, 0 or the number nearest to it."""
    match type_:
        case Number(low=low, high=high):
            return min(max(0, low), high)
        case Member(kind=kind) if kind in names.kinds and names.kinds[kind].numbers:
            return names.kinds[kind].numbers[0]
        case _:
            return False
