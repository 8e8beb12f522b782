"""Does a condition ask for more than there can be? Found by counting what the game starts with.

In: rules, and the composition they were built from. Out: warnings about comparisons of a clause or step that never hold
or always do, because moves only change where pieces and things are, and no place holds more than it has room for. What
depends on parameters is left out: a variant may change them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final

from rulewright.checker.common.parameter_reads import ParameterReads
from rulewright.checker.logic.counted_ranges import CountedRanges
from rulewright.checker.logic.least_pieces import with_least_pieces
from rulewright.checker.logic.owned_pieces import find_owned_pieces
from rulewright.checker.logic.rule_conditions import judged_conditions, judged_inner_conditions, report_constant
from rulewright.checker.logic.thing_routes import most_things_ever
from rulewright.diagnostics import Diagnostics
from rulewright.engine.faults import RuleFault
from rulewright.engine.layout import layout_of
from rulewright.engine.piece_counts import count_pieces
from rulewright.engine.values import Content, content_bag
from rulewright.expr.tree import (
    Compare,
    Constant,
    Expr,
    FieldTotal,
    Filter,
    Local,
    Quantifier,
    ReadState,
    ReadValue,
    ReadZone,
    Sum,
)
from rulewright.expr.typecheck.comparisons import compare_bounds
from rulewright.expr.types import SEAT, Bag, Member, Number, SetOf, Thing
from rulewright.expr.walk import find_position_read, free_variables, iter_exprs
from rulewright.model.facts.continued_ranges import continued
from rulewright.model.facts.declared_ranges import find_declared_ranges
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.facts.value_ranges import BagRange, Scalars, SetRange, ValueRange
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules, ZoneDef
from rulewright.model.traversal import filled_zones
from rulewright.source.node_memo import NodeMemo

MAX_MEMBERS: Final = 12  # of a kind, for each of which a condition is asked
WHATEVER_IS_SET: Final = "it is so whatever the parameters are"


def check_counts(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports conditions that can never be met, or never fail; under variants, those that a variant wrote."""
    asked = [*judged_conditions(rules, composition), *judged_inner_conditions(rules, composition)]
    if not asked:
        return
    from rulewright.checker.logic.bounds_by_parameters import ParameterBounds  # many variants write no condition

    parameters, numbers = ParameterReads(rules), ParameterReads(rules, only_numbers=True)
    parts = [(condition, part) for condition in asked for part in iter_exprs(condition.expr)]
    compared = [
        (condition, part)
        for condition, part in parts
        if (
            (isinstance(part, Compare) and counts_something(part, parameters))
            or _counts_for_every_seat(part, parameters)
        )
        and not numbers.are_in(part)
    ]
    bounds = ParameterBounds(rules, composition.document.root)
    for condition, part in parts:
        if (verdict := bounds.verdict(part)) is not None:
            cap = bounds.cap_asked(part)
            hint = WHATEVER_IS_SET if cap is None else f"`{cap[0]}` is never more than `{cap[1]}`"
            report_constant(condition, part, verdict, hint, diagnostics)
    if not compared:
        return
    try:
        ranges = (
            ranges_with_parameters(rules) if composition.chosen_variants else _find_counted_ranges(rules, parameters)
        )
    except RuleFault:
        return  # reported by the set-up
    for condition, part in compared:
        known = _only_outcome(ranges, part)
        if isinstance(part, Compare) and known is not None:
            report_constant(condition, part, bool(known), describe_counted(ranges, part), diagnostics)
        elif isinstance(part, Quantifier) and known == 0 and _is_open(ranges, part.condition):
            report_constant(condition, part, False, "there is not so much for all together", diagnostics)


def _only_outcome(ranges: ExpressionRanges, part: Expr) -> int | None:
    """How a condition comes out if it always comes out the same. What counts things by a member that is a variable is
    asked for each member: of one colour there are fewer than of all.
    """
    known = ranges.scalars(part, {}, ranges.seats).single
    reads = {each.slot: each.type for each in iter_exprs(part) if isinstance(each, Local)}
    asked = {slot: reads[slot] for slot in free_variables(part) if slot in reads and reads[slot] != SEAT}
    if (
        known is not None
        or len(asked) != 1
        or not any(_goes_through_things(each) for each in _with_values(ranges, part))
    ):
        return known
    ((slot, type_),) = asked.items()
    members = ranges.rules.kinds[type_.kind].member_values if isinstance(type_, Member) else ()
    if not 1 < len(members) <= MAX_MEMBERS:
        return None
    outcomes = set[int | None]()
    for member in members:
        outcomes.add(ranges.scalars(part, {slot: Scalars.of((member,))}, ranges.seats).single)
        if None in outcomes or len(outcomes) > 1:
            return None
    return outcomes.pop()


def _with_values(ranges: ExpressionRanges, part: Expr) -> Iterator[Expr]:
    """The parts of an expression, and of the values that it reads."""
    for each in iter_exprs(part):
        yield each
        if isinstance(each, ReadValue):
            for _, term in ranges.rules.values[each.name].terms:
                yield from iter_exprs(term)


def _goes_through_things(expr: Expr) -> bool:
    """Whether things are counted or added up that have something printed on them."""
    if not isinstance(expr, Filter | Sum | Quantifier):
        return False
    return isinstance(expr.over.type, SetOf) and isinstance(expr.over.type.element, Thing)


def _is_open(ranges: ExpressionRanges, condition: Expr) -> bool:
    return ranges.scalars(condition, {}, ranges.seats).single is None


def counts_something(compare: Expr, parameters: ParameterReads) -> bool:
    """Whether an expression compares numbers of which one is counted or added up."""
    if not isinstance(compare, Compare):
        return False
    sides = (compare.left, compare.right)
    types = [side.type for side in sides if isinstance(side.type, Number)]
    if len(types) < len(sides):
        return False
    is_open = compare_bounds(compare.op, *types) is None or parameters.are_in(compare)  # else its types say it
    return is_open and any(
        isinstance(part, ReadZone | FieldTotal | ReadState | ReadValue) for side in sides for part in iter_exprs(side)
    )


def _counts_for_every_seat(part: Expr, parameters: ParameterReads) -> bool:
    """Whether every seat is asked for a number of what is counted."""
    return isinstance(part, Quantifier) and part.quantifier == "every" and counts_something(part.condition, parameters)


def _find_counted_ranges(rules: Rules, parameters: ParameterReads | None) -> ExpressionRanges:
    """What expressions can be wherever the pieces and things are, as far as places have room for them; without
    `parameters` also as far as these say so. Raises `RuleFault` where there is no room for them at the start.
    """
    contents = layout_of(rules).contents
    totals = count_pieces(rules, contents)
    declared = find_declared_ranges(rules)
    bare = ExpressionRanges(rules, declared.contents, declared.variables)
    zones = sorted(rules.zones.values(), key=lambda zone: zone.first_index)
    filled = {zone.name for zone in zones if zone.refill is not None}
    filled |= filled_zones(step for block in rules.blocks for step in block.steps)
    held = [content for zone in zones for content in _contents_of(bare, zone, parameters, totals)]
    for zone in zones:
        if isinstance(zone.content_type, Member) and rules.kinds[zone.content_type.kind].is_numeric:
            continue
        for place in range(zone.first_index, zone.first_index + zone.size):
            whole = held[place]
            if zone.name not in filled and isinstance(whole, BagRange) and whole.highs:  # no more comes in
                counts = content_bag(contents[place])
                held[place] = BagRange.of((0,) * len(counts), counts, 0, sum(counts))
    for zone in (zone for zone in zones if zone.size == 1):
        whole = held[zone.first_index]
        if isinstance(whole, BagRange) and (least := _least_left(rules, zone, held, totals)) > 0:
            held[zone.first_index] = BagRange.of(whole.lows, whole.highs, least, whole.high_total)
    pieces = {
        zone.name: whole
        for zone in zones
        if isinstance(whole := _content(bare, zone, None, totals), BagRange) and zone.size > 1
    }
    owned = _owned(rules, contents)
    held = with_least_pieces(rules, held, totals)
    most = most_things_ever(rules, contents)
    return continued(CountedRanges(rules, tuple(held), declared.variables, most, pieces, owned), most, pieces, owned)


def _least_left(rules: Rules, zone: ZoneDef, held: Sequence[ValueRange], totals: Mapping[str, Sequence[int]]) -> int:
    """How many pieces are in the one place of a zone at least, since there is no more room elsewhere."""
    kind = rules.kinds[zone.content_type.kind] if isinstance(zone.content_type, Member) else None
    if kind is None or kind.is_numeric:
        return 0
    left = sum(totals.get(kind.family, ()))
    for other in (other for other in rules.zones.values() if other is not zone):
        content = other.content_type
        if isinstance(content, Member) and rules.kinds[content.kind].family == kind.family:
            rooms = held[other.first_index : other.first_index + other.size]
            left -= sum(room.high_total for room in rooms if isinstance(room, BagRange))
    return left


def _owned(rules: Rules, contents: Sequence[Content]) -> dict[str, list[BagRange]]:
    """By the names of zones whose pieces never leave their player, for each seat what it has of them."""
    found: dict[str, list[BagRange]] = {}
    for name, zones in find_owned_pieces(rules).items():
        held = [BagRange((), (), 0, 0) for _ in range(rules.players)]
        for zone in (rules.zones[other] for other in zones):
            seat = zone.key_types.index(SEAT)
            for place, keys in enumerate(product(*zone.key_values), zone.first_index):
                counts = content_bag(contents[place])
                held[keys[seat]] = held[keys[seat]].plus(BagRange.of((0,) * len(counts), counts))
        found[name] = held
    return found


# of the rules that are checked now, of which conditions and goals are asked one after another
ranges_with_parameters: Final = NodeMemo[Rules, ExpressionRanges](lambda rules: _find_counted_ranges(rules, None), 1)


def _contents_of(
    ranges: ExpressionRanges, zone: ZoneDef, parameters: ParameterReads | None, totals: dict[str, tuple[int, ...]]
) -> Iterator[ValueRange]:
    """What each place of a zone can hold: the same where there is the same room."""
    by_room = dict[int | None, ValueRange]()
    is_alike = zone.capacity is None or not free_variables(zone.capacity)
    room: int | None = None
    for number, keys in enumerate(product(*zone.key_values)):
        if not is_alike or not number:
            room = _room(ranges, zone, keys, parameters)
        if room not in by_room:
            by_room[room] = _content(ranges, zone, room, totals)
        yield by_room[room]


def _room(
    ranges: ExpressionRanges, zone: ZoneDef, keys: tuple[int, ...], parameters: ParameterReads | None
) -> int | None:
    """How much one place of a zone has room for, if anything says so that stays as it is."""
    if zone.capacity is None or (parameters is not None and parameters.are_in(zone.capacity)):
        return None
    return ranges.scalars(zone.capacity, {slot: Scalars.of((key,)) for slot, key in enumerate(keys)}, ranges.seats).high


def _content(
    ranges: ExpressionRanges, zone: ZoneDef, room: int | None, totals: dict[str, tuple[int, ...]]
) -> ValueRange:
    """What one place of a zone can hold."""
    held = zone.content_type
    if isinstance(held, Member):
        kind = ranges.rules.kinds[held.kind]
        counts = totals.get(kind.family, ())
        if not counts or kind.is_numeric:
            return ranges.full_range(Bag(held.kind))
        return BagRange.of((0,) * len(counts), counts, 0, sum(counts) if room is None else room)
    full = ranges.full_range(SetOf(held))
    assert isinstance(full, SetRange)
    return full if room is None else SetRange.of(full.elements, 0, room)


def describe_counted(ranges: ExpressionRanges, compare: Compare) -> str:
    """What the side of a comparison that is counted can be at this number of players; empty if that is plain."""
    counted = compare.left if find_position_read(compare.right) is None else compare.right
    if isinstance(counted, ReadZone) and counted.member is not None:
        return f"there are never more than {ranges.scalars(counted, {}, ranges.seats).high}"
    if isinstance(counted, Constant):
        return ""
    known = ranges.scalars(counted, {}, ranges.seats)
    return f"it is {known.low}" + (f" to {known.high}" if known.single is None else "")


__all__ = [
    "check_counts",
    "counts_something",
    "describe_counted",
    "ranges_with_parameters",
]
