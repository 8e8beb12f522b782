"""Does a variant remove all that brings something to a zone, and leave a condition that asks what is there?

In: rules with variants, and the composition they were built from. Out: a warning at the removal after which such a zone
is always empty, so that a condition of the game comes out the same every time: the zone and the condition were probably
to go, too. A condition that asks more than that, and comes out either way, is right.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rulewright.checker.common.lint_codes import ALWAYS_EMPTY
from rulewright.checker.common.parameter_reads import ParameterReads
from rulewright.checker.common.steps_asked import fills_zone
from rulewright.checker.logic.empty_zones import empty_at_the_start
from rulewright.checker.logic.known_conditions import Known, KnownRanges
from rulewright.checker.logic.rule_conditions import RuleCondition, rule_conditions
from rulewright.diagnostics import Diagnostics, Related
from rulewright.document.language import FLOW_SECTIONS
from rulewright.engine.faults import RuleFault
from rulewright.expr.tree import ReadZone
from rulewright.expr.walk import conjuncts, iter_exprs
from rulewright.model.facts.declared_ranges import find_declared_ranges
from rulewright.model.facts.value_ranges import FALSE, TRUE, Scalars
from rulewright.model.loader import Composition, base_rules
from rulewright.model.rules import Rules
from rulewright.model.traversal import filled_zones
from rulewright.variants.change import Change


def check_asked_of_removed(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports the first such condition of each zone."""
    removals = [change for variant in composition.chosen_variants for change in variant.changes if _removes(change)]
    asking = [*_asking(rules, composition)] if removals else []
    if not asking:
        return
    base, empty = base_rules(composition), _begin_empty(rules)
    before = () if base is None else [step for block in base.blocks for step in block.steps]
    for zone in dict.fromkeys(zone for zone, _ in asking if zone in empty):
        filling = [step.address for step in before if fills_zone(step, zone)]
        removal = next((each for each in removals if any(_is_within(address, each) for address in filling)), None)
        settled = [(one, outcome) for name, one in asking if name == zone and (outcome := _outcome(one, zone, rules))]
        if removal is None or not settled:
            continue
        condition, outcome = settled[0]
        diagnostics.add(
            removal.span,
            ALWAYS_EMPTY,
            f"without `{removal.address}` nothing ever comes to `{zone}`, and `{condition.address}` still asks what is "
            f"there: it {outcome}",
            label="nothing comes there now",
            help=f"remove the zone and what asks about it, too, or let something else fill `{zone}`",
            address=removal.address,
            related=[Related(condition.span, outcome)],
        )


def _removes(change: Change) -> bool:
    """Whether a change takes away steps, or an action with its steps."""
    is_whole = change.operation == "remove" and change.item is None and not change.is_of_words
    return is_whole and change.parts[0] in ("actions", "procedures", *FLOW_SECTIONS)


def _asking(rules: Rules, composition: Composition) -> Iterator[tuple[str, RuleCondition]]:
    """The zones to which nothing comes, each with a condition that asks about it and no variant wrote."""
    filled = filled_zones([step for block in rules.blocks for step in block.steps])
    unfilled = {zone.name for zone in rules.zones.values() if zone.refill is None} - filled
    for condition in rule_conditions(rules, composition) if unfilled else ():
        if condition.span.source.path in composition.variant_files:
            continue
        reads = {part.name for part in iter_exprs(condition.expr) if isinstance(part, ReadZone)}
        yield from ((name, condition) for name in rules.zones if name in reads & unfilled)


def _begin_empty(rules: Rules) -> Collection[str]:
    try:
        return set(empty_at_the_start(rules))
    except RuleFault:
        return ()  # reported by the set-up


def _is_within(address: str, change: Change) -> bool:
    return f"{address}.".startswith(f"{change.address}.")


def _outcome(condition: RuleCondition, zone: str, rules: Rules) -> str:
    """How a condition comes out where nothing is in a zone, if that makes a part of it the same each time."""
    declared, parameters = find_declared_ranges(rules), ParameterReads(rules)
    first, size = rules.zones[zone].first_index, rules.zones[zone].size
    empty = dict.fromkeys(range(first, first + size), (zone, condition.address))
    known = Known(declared.variables, {}, {})
    asked = KnownRanges(rules, declared.contents, known, parameters)
    where_empty = KnownRanges(rules, declared.contents, Known(declared.variables, {}, {}, empty), parameters)
    seats = Scalars.between(0, rules.players - 1)
    parts = [part for part in conjuncts(condition.expr) if asked.scalars(part, {}, seats) not in (TRUE, FALSE)]
    outcomes = [where_empty.scalars(part, {}, seats) for part in parts]
    return "never holds" if FALSE in outcomes else "always holds" if outcomes == [TRUE] else ""


__all__ = ["check_asked_of_removed"]
