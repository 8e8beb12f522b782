"""Does everybody get as much as is dealt, in the set-up and at the beginning of rounds?

In: rules, and the composition they were built from. Out: a warning about a step that deals from a pile to each player
and runs short: `top 7` takes what there is, so that the last players get less; or that asks a pile once for more than
it ever held. What the set-up has put into a pile before counts as much as can ever be there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial

from rulewright.checker.common.codes import DEALS_SHORT
from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.rule_spans import rule_span
from rulewright.checker.logic.thing_routes import most_things_ever
from rulewright.diagnostics import Diagnostics, Related
from rulewright.engine.faults import RuleFault
from rulewright.engine.layout import layout_of
from rulewright.engine.values import Content, content_things
from rulewright.expr.tree import Builtin
from rulewright.expr.types import SEAT
from rulewright.expr.walk import find_position_read
from rulewright.frozen import frozen
from rulewright.model.effects import Move, Step
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.facts.value_ranges import Scalars
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.model.traversal import blocks_within, filled_zones, run_blocks
from rulewright.suggestions import join_list


@frozen
class _Short:
    """A deal that runs short: what is said of it, and to how many it deals."""

    step: Step
    message: str
    times: int


def check_deals(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports the first deal that runs short."""
    short = _first_short(rules)
    if short is not None:
        _report(short, composition, diagnostics)


def _first_short(rules: Rules) -> _Short | None:
    ranges = ExpressionRanges(rules, (), ())
    steps = [(step, section) for section in (rules.setup, rules.round) for step in rules.blocks[section].steps]
    if not any(_deal(rules, step, ranges) for step, _ in steps):
        return None
    try:
        contents = layout_of(rules).contents
    except RuleFault:
        return None  # reported by the set-up
    zones = [zone for zone in rules.zones.values() if not zone.is_pool and zone.size == 1]
    held = {zone.name: len(content_things(contents[zone.first_index])) for zone in zones}
    most = {**dict.fromkeys(held, 0), **most_things_ever(rules, contents)}  # also of zones where nothing ever comes
    drawn = {name: _drawn_at_the_start(rules, name, ranges, contents) for name in held}
    left = {name: max(0, held[name] - drawn[name]) for name in held}
    for step, section in steps:
        deal = _deal(rules, step, ranges)
        if deal is None:
            _refill(left, held, most, _filled(rules, step))
            continue
        name, amounts = deal
        each, times = max(amounts), len(amounts)
        # what comes back before a round is not known
        there, ever = (left, held) if section == rules.setup else (most, most)
        found = ever[name] if times == 1 and each >= ever[name] else there[name]  # who takes just all takes the rest
        if sum(amounts) > found:
            asked = f"{each} for each player" if times > 1 else str(each)
            if each > min(amounts):
                asked = f"{join_list(map(str, amounts), 'and')}, one after another,"
            is_rest = (times == 1 or (section == rules.setup and drawn[name])) and found < ever[name]
            where = "left in" if is_rest else "in"
            return _Short(step, f"{asked} is more than the {found} {where} `{name}`", times)
        left[name] -= sum(amounts)
        _refill(left, held, most, filled_zones((step,)))
    return None


def _is_enough(address: str, rules: Rules) -> bool:
    """Whether a deal no longer runs short by other rules."""
    short = _first_short(rules)
    return short is None or short.step.address != address


def _drawn_at_the_start(rules: Rules, name: str, ranges: ExpressionRanges, contents: Sequence[Content]) -> int:
    """How many things surely go from a pile into places that fill themselves from it, before anything is dealt."""
    total = 0
    for zone in rules.zones.values():
        if zone.refill is None or zone.refill.zone != name or zone.capacity is None or zone.key_types:
            continue
        room = ranges.scalars(zone.capacity, {}, ranges.seats).low - len(content_things(contents[zone.first_index]))
        total += max(0, room)
    return total


def _refill(left: dict[str, int], held: dict[str, int], most: Mapping[str, int], filled: Collection[str]) -> None:
    """Notes that a step has put something into zones: how much is not known."""
    for name in filled:
        if name in left:
            left[name] = held[name] = most.get(name, held[name])


def _filled(rules: Rules, step: Step) -> set[str]:
    """The zones into which a step puts something, with all that it runs or offers."""
    blocks = blocks_within(rules, run_blocks(rules, step.effect))
    return filled_zones((step, *(each for block in blocks for each in rules.blocks[block].steps)))


def _report(short: _Short, composition: Composition, diagnostics: Diagnostics) -> None:
    step, message = short.step, short.message
    node = condition_node(composition.document.root, step.address, "move")
    span = rule_span(step.address, composition) if node is None else node.span
    related, label = list[Related](), "too few"
    if not composition.is_judged(span):
        variant = composition.chosen_variants[-1]
        message, related = f"with variant `{variant.name}`: {message}", [Related(span, step.address)]
        from rulewright.checker.common.change_causes import change_span  # most deals are right

        is_right = partial(_is_enough, step.address)
        span, label = change_span(variant, step.address, composition, is_right=is_right), "causes it"
    hint = (
        "the last players get less: deal fewer, or let fewer play" if short.times > 1 else "`all` takes what is there"
    )
    diagnostics.add(span, DEALS_SHORT, message, label=label, help=hint, address=step.address, related=related)


def _deal(rules: Rules, step: Step, ranges: ExpressionRanges) -> tuple[str, tuple[int, ...]] | None:
    """From which zone a step takes, and how many things, one time after another; None where that is not certain."""
    move = step.effect
    if not isinstance(move, Move) or move.source is None or move.amount.mode != "top" or move.amount.of is None:
        return None
    zone = rules.zones[move.source.zone]
    if zone.is_pool or zone.size > 1 or find_position_read(move.amount.of) is not None:
        return None
    loop, taken = step.for_each, [ranges.scalars(move.amount.of, {}, ranges.seats)]
    if loop is not None:
        is_all = isinstance(loop.over, Builtin) and loop.over.name == SEAT.kind and loop.condition is None
        seats = range(rules.players) if is_all else ()
        taken = [ranges.scalars(move.amount.of, {loop.slot: Scalars.of((seat,))}, ranges.seats) for seat in seats]
    amounts = tuple(amount.low for amount in taken if amount.single is not None)
    if not taken or len(amounts) < len(taken) or step.when or step.times or step.while_condition:
        return None
    return zone.name, amounts


__all__ = ["check_deals"]
