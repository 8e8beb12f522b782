"""Where things are and what is counted: zones and derived values.

In: the sections `zones` and `values`. Out: symbols, and the definitions of the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Final, get_args

from rulewright import limits
from rulewright.diagnostics import Cause
from rulewright.expr.cost import total_cost
from rulewright.expr.scope import ComponentSymbol, KindSymbol, ValueSymbol, ZoneSymbol
from rulewright.expr.tree import Expr
from rulewright.expr.type_relations import is_assignable, join_types
from rulewright.expr.types import SEAT, Bag, Flag, Member, Number, Thing, Type, UnknownType
from rulewright.model import codes
from rulewright.model.dependency_order import sort_by_dependency
from rulewright.model.expr_reader import ExprReader
from rulewright.model.key_reader import key_values, keyed_symbol, read_key_type, read_keys
from rulewright.model.rules import SeenBy, ValueDef, ZoneDef
from rulewright.model.value_checks import (
    check_static,
    emit_wrong_content,
    read_static_expression,
)
from rulewright.source.nodes import (
    Entry,
    MappingNode,
    Node,
    ScalarNode,
    as_mapping,
    int_value,
    literal_value,
    text_or_default,
)

SEEN_BY: Final[tuple[SeenBy, ...]] = get_args(SeenBy)


def _count_pieces(reader: ExprReader) -> dict[str, int]:
    """For each family of kinds how many pieces there can be: what places start with, since moves conserve."""
    totals: dict[str, int] = {}
    for entry in reader.section("zones"):
        node = as_mapping(entry.value)
        holds, starts = reader.table.symbols.get(text_or_default(node.get("holds"))), node.get("start")
        if not isinstance(holds, KindSymbol) or not isinstance(starts, ScalarNode):
            continue
        silent = reader.silent()  # what is wrong with it is reported when the zone is read
        per = read_keys(silent, node.get("per"), "")
        bag = silent.read_expression(starts, silent.scope(variables=dict(per)))
        family = reader.kinds[holds.kind].family
        most = bag.type.max_size if isinstance(bag.type, Bag) else limits.MAX_PLACE_PIECES
        totals[family] = totals.get(family, 0) + most * prod(len(key_values(reader, type_)) for _, type_ in per)
    return totals


def declare_zones(reader: ExprReader) -> dict[str, tuple[tuple[str, Type], ...]]:
    """The zones' names, so that expressions may use them; their own expressions are read afterwards."""
    keys: dict[str, tuple[tuple[str, Type], ...]] = {}
    pieces = _count_pieces(reader)
    sizes: dict[str, int] = {}
    for entry in reader.section("zones"):
        node, address = as_mapping(entry.value), f"zones.{entry.key.text}"
        holds_node = node.get("holds")
        assert holds_node is not None
        holds = read_key_type(reader, holds_node, f"{address}.holds")
        per = read_keys(reader, node.get("per"), f"{address}.per")
        keys[entry.key.text] = per
        size = prod(len(key_values(reader, type_)) for _, type_ in per)
        sizes[entry.key.text] = size
        at_most = node.get("at_most")
        capacity = int_value(at_most)
        most = limits.MAX_PLACE_PIECES if capacity is None else capacity
        if isinstance(holds, UnknownType) or any(isinstance(type_, UnknownType) for _, type_ in per):
            reader.mark_invalid(entry)
            continue
        assert isinstance(holds, Member | Thing)
        if isinstance(holds, Thing):
            symbol = reader.table.symbols.get(holds.component)
            most = min(most, symbol.row_count if isinstance(symbol, ComponentSymbol) else limits.MAX_PLACE_PIECES)
        else:
            total = pieces.get(reader.kinds[holds.kind].family, 0)
            most = min(most, total) if at_most is not None and total else total or most
        is_shuffled = text_or_default(node.get("order")) == "shuffled"
        symbol_zone = ZoneSymbol(holds, tuple(type_ for _, type_ in per), most, is_shuffled)
        reader.declare(entry.key.text, symbol_zone, entry.key.span)
    _check_place_limit(reader, sizes)
    return keys


def _check_place_limit(reader: ExprReader, sizes: dict[str, int]) -> None:
    """Reports too many places, at the zone that has most of them."""
    places = sum(sizes.values())
    if places > limits.MAX_PLACES:
        largest = max(sizes, key=lambda name: sizes[name])
        text = f"{sizes[largest]:,} places here, {places:,} in all zones, over the limit of {limits.MAX_PLACES:,}"
        span = next(entry.key.span for entry in reader.section("zones") if entry.key.text == largest)
        reader.diagnostics.add(span, codes.TOO_MANY, text, label="most of them", address=f"zones.{largest}")


def read_zones(reader: ExprReader, keys: Mapping[str, tuple[tuple[str, Type], ...]]) -> dict[str, ZoneDef]:
    """The definitions of all zones, their places numbered one after another."""
    found: dict[str, ZoneDef] = {}
    first_index = 0
    for entry in reader.section("zones"):
        name, node, address = entry.key.text, as_mapping(entry.value), f"zones.{entry.key.text}"
        symbol = reader.table.symbols.get(name)
        if not isinstance(symbol, ZoneSymbol):
            continue
        per = keys[name]
        scope = reader.scope(variables=dict(per))
        values = tuple(key_values(reader, type_) for _, type_ in per)
        size = prod(map(len, values))
        at_most, refill, starts = node.get("at_most"), node.get("refill"), node.get("start")
        definition = ZoneDef(
            name=name,
            content_type=symbol.content_type,
            key_types=tuple(type_ for _, type_ in per),
            key_names=tuple(key for key, _ in per),
            key_values=values,
            first_index=first_index,
            size=size,
            capacity=None
            if at_most is None
            else read_static_expression(reader, at_most, scope, Number(0, 10**6), f"{address}.at_most"),
            is_shuffled=text_or_default(node.get("order")) == "shuffled",
            is_arrival_ordered=text_or_default(node.get("order")) == "arrival",
            refill=None if refill is None else reader.read_place(refill, scope, f"{address}.refill", is_source=False),
            initial_content=None
            if starts is None
            else read_static_expression(reader, starts, scope, None, f"{address}.start"),
            seen_by=literal_value(node.get("seen_by"), SEEN_BY, "all"),
            owner_key=next((index for index, (_, type_) in enumerate(per) if type_ == SEAT), None),
            is_forgetful=isinstance(forgets := node.get("forgets"), ScalarNode) and forgets.value is True,
            address=address,
            span=entry.key.span,
        )
        _check_zone(reader, definition, node, address)
        found[name] = definition
        first_index += size
    return found


def _check_zone(reader: ExprReader, zone: ZoneDef, node: MappingNode, address: str) -> None:
    if zone.seen_by in ("owner", "others") and zone.owner_key is None:
        seen = node.get("seen_by")
        assert seen is not None
        reader.diagnostics.add(
            seen.span,
            codes.WRONG_ZONE_KEY,
            f"`{zone.seen_by}` needs a player, but the zone is not kept per player",
            help="add `per: player`, or write `seen_by: all` or `nobody`",
            address=address,
            cause=Cause("no key", "per"),
        )
    starts = node.get("start")
    if (
        starts is not None
        and zone.initial_content is not None
        and not isinstance(zone.initial_content.type, UnknownType)
    ):
        holds = zone.content_type
        if isinstance(holds, Thing) or not is_assignable(zone.initial_content.type, Bag(holds.kind), reader.kinds):
            wanted = "set where things start with `start` of their component" if isinstance(holds, Thing) else ""
            if isinstance(holds, Member) and isinstance(zone.initial_content.type, Number):
                wanted = f"write `{text_or_default(starts)} of {holds.kind}`: that many of each"
            what = holds.component if isinstance(holds, Thing) else holds.kind
            reader.diagnostics.add(
                starts.span,
                codes.WRONG_MOVE,
                f"this is not a bag of `{what}`",
                label="does not fit",
                help=wanted,
                address=address,
            )
    order = node.get("order")
    if order is not None and zone.is_pool:
        reader.diagnostics.add(
            order.span, codes.NO_EFFECT, "pieces of a kind have no order", help="leave it out", address=address
        )
    refill = node.get("refill")
    if refill is not None and zone.refill is not None:
        if zone.refill.zone == zone.name:
            reader.diagnostics.add(refill.span, codes.CYCLE, "a zone cannot be refilled from itself", address=address)
        source = reader.table.symbols.get(zone.refill.zone)
        check_static(reader, zone.refill.keys, refill, address)
        if isinstance(source, ZoneSymbol) and source.content_type != zone.content_type:
            what = zone.content_type.component if isinstance(zone.content_type, Thing) else zone.content_type.kind
            emit_wrong_content(reader, refill, what, zone.refill.zone, address)
        if zone.capacity is None:
            reader.diagnostics.add(
                refill.span,
                codes.MISSING_CASE,
                "a zone that is refilled needs an `at_most`",
                help="add `at_most:`",
                address=address,
                cause=Cause("no key", "at_most"),
            )


def read_values(reader: ExprReader) -> dict[str, ValueDef]:
    """Derived values, each after those it reads."""
    found: dict[str, ValueDef] = {}
    entries = list(reader.section("values"))
    for entry in sort_by_dependency(reader, entries, "value"):
        definition = _read_value(reader, entry)
        found[definition.name] = definition
    for entry in entries:
        if entry.key.text not in found:
            reader.mark_invalid(entry)
    return {entry.key.text: found[entry.key.text] for entry in entries if entry.key.text in found}


def _read_value(reader: ExprReader, entry: Entry) -> ValueDef:
    name, node, address = entry.key.text, entry.value, f"values.{entry.key.text}"
    of: tuple[tuple[str, Type], ...] = ()
    terms: list[tuple[str, Expr]] = []
    less: list[tuple[str, Expr]] = []
    nodes: list[Node] = []
    scope = reader.scope(has_me=True)
    if isinstance(node, MappingNode):
        of = read_keys(reader, node.get("per"), f"{address}.per")
        scope = reader.scope(has_me=True, variables=dict(of))
        single = node.get("is")
        if single is not None:
            nodes.append(single)
            terms.append(("is", reader.read_expression(single, scope, None, address)))
            reader.record_turn_value(name, single, terms[-1][1])
        for key, target in (("sum", terms), ("less", less)):
            for term in as_mapping(node.get(key)) if key in node else ():
                reader.check_local_id(term.key.text, term.key.span)
                expr = reader.read_expression(term.value, scope, None, f"{address}.{key}.{term.key.text}")
                target.append((term.key.text, expr))
                nodes.append(term.value)
                reader.record_turn_value(name, term.value, expr)
    else:
        nodes.append(node)
        terms.append(("is", reader.read_expression(node, scope, None, address)))
        reader.record_turn_value(name, node, terms[-1][1])
    exprs = [expr for _, expr in (*terms, *less)]
    type_ = _subtract(
        _sum_type(reader, [expr.type for _, expr in terms], entry, address),
        _sum_type(reader, [expr.type for _, expr in less], entry, address) if less else None,
    )
    cost = total_cost(exprs, scope)
    key_types = tuple(key_type for _, key_type in of)
    symbol = ValueSymbol(type_, key_types, cost)
    reader.declare(name, keyed_symbol(symbol, key_types), entry.key.span)
    return ValueDef(name, type_, key_types, tuple(terms), tuple(less), tuple(map(_term_text, nodes)))


def _term_text(node: Node) -> str:
    of = node.get("is") if isinstance(node, MappingNode) else node
    return " ".join(text_or_default(of).split())


def _subtract(type_: Type, taken: Type | None) -> Type:
    """The bounds of a difference, which is never below 0."""
    if isinstance(type_, Number) and isinstance(taken, Number):
        return Number(max(0, type_.low - max(0, taken.high)), max(0, type_.high - max(0, taken.low)))
    return type_


def _sum_type(reader: ExprReader, types: list[Type], entry: Entry, address: str) -> Type:
    if not types or any(isinstance(type_, UnknownType) for type_ in types):
        return UnknownType()
    if len(types) == 1:
        return types[0]
    joined = types[0]
    for type_ in types[1:]:
        if isinstance(joined, Number) and isinstance(type_, Number):
            joined = Number(joined.low + type_.low, joined.high + type_.high)
            continue
        both = join_types(joined, type_, reader.kinds)
        if both is None or isinstance(both, Flag | Member | Thing):
            types_text = f"{reader.describe(joined)} and {reader.describe(type_)}"
            reader.diagnostics.add(
                entry.key.span,
                codes.WRONG_VALUE,
                f"the terms of `{entry.key.text}` cannot be added: {types_text}",
                address=address,
            )
            return UnknownType()
        joined = (
            Bag(both.kind, joined.max_size + type_.max_size)
            if isinstance(both, Bag) and isinstance(joined, Bag) and isinstance(type_, Bag)
            else both
        )
    return joined
