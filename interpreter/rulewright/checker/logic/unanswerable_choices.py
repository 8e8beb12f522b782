"""Is there a choice that nobody can ever answer?

In: rules, and the composition they were built from. Out: warnings about prices that ask for more pieces than there are,
about choices of more than there is to choose from, and of one where there is never any. Pieces that a parameter sets to
none are left out. Under variants only what a variant wrote is asked about.
"""

from __future__ import annotations

from rulewright.checker.common.adjustable_numbers import can_be_adjusted
from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.parameter_reads import ParameterReads
from rulewright.checker.logic.counts_check import ranges_with_parameters
from rulewright.diagnostics import Diagnostics
from rulewright.engine.faults import RuleFault
from rulewright.expr.codes import NEVER_TRUE
from rulewright.expr.tree import Expr, ReadZone
from rulewright.expr.walk import iter_exprs
from rulewright.model.actions import Choice, OneOf, Pay, SomeOf
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.facts.value_ranges import BagRange, SetRange
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.source.nodes import Node


def check_unanswerable_choices(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    asked = [
        (choice, node)
        for action in rules.actions
        for choice in action.choices
        if choice.condition is None and (node := _node(composition, choice)) is not None
        if composition.is_judged(node.span)
    ]
    if not asked or _has_none_of_something(rules):
        return
    try:
        ranges = ranges_with_parameters(rules)
    except RuleFault:
        return  # reported by the set-up
    reported = {one.address for one in diagnostics}
    for choice, node in asked:
        reason = None if choice.address in reported else _reason(ranges, choice)
        if reason is not None:
            message = f"`{choice.name}` can never be answered: {reason}"
            diagnostics.add(node.span, NEVER_TRUE, message, label="no answer", address=choice.address)


def _node(composition: Composition, choice: Choice) -> Node | None:
    keys = {OneOf: "one_of", SomeOf: "total", Pay: "pay"}  # without a total nothing has to be chosen
    return condition_node(composition.document.root, choice.address, keys[type(choice.domain)])


def _has_none_of_something(rules: Rules) -> bool:
    """Whether a parameter says that there are no pieces at all in some place."""
    parameters = ParameterReads(rules)
    bare = ExpressionRanges(rules, (), ())
    starts = (zone.initial_content for zone in rules.zones.values() if zone.initial_content is not None)
    return any(parameters.are_in(start) and _is_nothing(bare, start) for start in starts)


def _is_nothing(bare: ExpressionRanges, start: Expr) -> bool:
    found = bare.range_of(start, {}, bare.seats)
    return isinstance(found, BagRange) and found.high_total == 0


def _reason(ranges: ExpressionRanges, choice: Choice) -> str | None:
    """Why a choice has no answer in any position; None where it may have one."""
    match choice.domain:
        case OneOf(of=of):
            is_of_places = any(isinstance(part, ReadZone) for part in iter_exprs(of))
            is_empty = is_of_places and _most(ranges, of) == 0 and not can_be_adjusted(ranges.rules, of)
            return "there is never anything to choose from" if is_empty else None
        case SomeOf(of=of, total=total):
            if total is None:
                return None
            fewest, most = _fewest(ranges, total), _most(ranges, of)
            return f"it asks for {fewest}, and there are never more than {most}" if fewest > most else None
        case Pay() as pay:
            return _unaffordable(ranges, pay)


def _most(ranges: ExpressionRanges, of: Expr) -> int:
    found = ranges.range_of(of, {}, ranges.seats)
    if isinstance(found, BagRange):
        return found.high_total
    return ranges.elements(of, {}, ranges.seats).most


def _fewest(ranges: ExpressionRanges, total: Expr) -> int:
    """The fewest that a total allows: a number, or the least of a range."""
    found = ranges.range_of(total, {}, ranges.seats)
    return found.elements.low if isinstance(found, SetRange) else ranges.scalars(total, {}, ranges.seats).low


def _unaffordable(ranges: ExpressionRanges, pay: Pay) -> str | None:
    """Whether a price asks for more than there can be to pay with, whatever stands for what."""
    price, funds = (ranges.range_of(each, {}, ranges.seats) for each in (pay.price, pay.funds))
    if not isinstance(price, BagRange) or not isinstance(funds, BagRange) or not price.highs:
        return None
    waived = 0 if pay.rebate is None else max(0, ranges.scalars(pay.rebate, {}, ranges.seats).high)
    highs = funds.highs or (0,) * len(price.highs)
    missing = sum(max(0, least - most) for least, most in zip(price.lows, highs, strict=True)) - waived
    for index, member in enumerate(pay.wild):
        worth = pay.worth_of(index)
        each = 1 if worth is None else ranges.scalars(worth, {}, ranges.seats).high
        missing -= max(0, highs[member] - price.lows[member]) * max(0, each)  # its own wild pieces stand for themselves
    return "it costs more of something than there is" if missing > 0 else None


__all__ = ["check_unanswerable_choices"]
