"""Does everybody get as much as is dealt in the set-up?

In: rules, and the composition they were built from. Out: a warning about a step that deals from a pile to each player
and runs short: `top 7` takes what there is, so that the last players get less; or that asks a pile once for more than
it ever held.
"""

from __future__ import annotations

from rulewright.checker.change_causes import change_span
from rulewright.checker.codes import DEALS_SHORT
from rulewright.checker.condition_nodes import condition_node
from rulewright.checker.setup_check import rule_span
from rulewright.diagnostics import Diagnostics, Related
from rulewright.engine.faults import RuleFault
from rulewright.engine.layout import layout_of
from rulewright.engine.values import content_things
from rulewright.expr.tree import Builtin
from rulewright.expr.types import SEAT
from rulewright.expr.walk import find_position_read
from rulewright.model.effects import Move, Step
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules


def check_deals(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports the first deal that runs short."""
    ranges = ExpressionRanges(rules, (), ())
    deals = [(step, *deal) for step in rules.blocks[rules.setup].steps if (deal := _deal(rules, step, ranges))]
    if not deals:
        return
    try:
        contents = layout_of(rules).contents
    except RuleFault:
        return  # reported by the set-up
    held = {name: len(content_things(contents[rules.zones[name].first_index])) for _, name, _, _ in deals}
    left = dict(held)
    for step, name, each, times in deals:
        if (times > 1 and each * times > left[name]) or each > held[name]:
            node = condition_node(composition.document.root, step.address, "move")
            span = rule_span(step.address, composition) if node is None else node.span
            related = list[Related]()
            asked, there = (f"{each} for each player", left[name]) if times > 1 else (str(each), held[name])
            label, message = "too few", f"{asked} is more than the {there} in `{name}`"
            files = {variant.root.span.source.path for variant in composition.applied_variants}
            if composition.chosen_variants and span.source.path not in files:
                variant = composition.chosen_variants[-1]
                message, related = f"with variant `{variant.name}`: {message}", [Related(span, step.address)]
                span, label = change_span(variant, step.address, composition), "causes it"
            hint = "`all` takes what is there"
            if times > 1:
                hint = "the last players get less: deal fewer, or let fewer play"
            diagnostics.add(span, DEALS_SHORT, message, label=label, help=hint, address=step.address, related=related)
            return
        left[name] -= each * times


def _deal(rules: Rules, step: Step, ranges: ExpressionRanges) -> tuple[str, int, int] | None:
    """From which zone a step takes, how many things at once, and how often; None where that is not certain."""
    move = step.effect
    if not isinstance(move, Move) or move.source is None or move.amount.mode != "top" or move.amount.of is None:
        return None
    zone, amount = rules.zones[move.source.zone], ranges.scalars(move.amount.of, {}, ranges.seats)
    refills = any(other.refill is not None and other.refill.zone == zone.name for other in rules.zones.values())
    if zone.is_pool or zone.size > 1 or refills or find_position_read(move.amount.of) is not None:
        return None
    loop, times = step.for_each, 1
    if loop is not None:
        is_all = isinstance(loop.over, Builtin) and loop.over.name == SEAT.kind and loop.condition is None
        times = rules.players if is_all else 0
    if amount.single is None or not times or step.when or step.times or step.while_condition:
        return None
    return zone.name, amount.single, times


__all__ = ["check_deals"]
