"""Does a criterion of the ranking or a term of a value come to the same wherever the pieces and things are?

In: rules, and the composition they were built from. Out: warnings about criteria that are the same for every player in
every position, and about terms that never add or take off anything. What comes to nothing because a parameter is 0 is
left out, as is what counts pieces of which parameters say how many there are, and what differs with more players. Under
variants only what a variant wrote is asked about.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.checker.common.adjustable_numbers import can_be_adjusted
from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import CHANGES_NOTHING
from rulewright.checker.common.most_players import has_most_players, with_most_players
from rulewright.checker.logic.counts_check import ranges_with_parameters
from rulewright.diagnostics import Code, Diagnostics
from rulewright.engine.faults import RuleFault
from rulewright.expr.codes import ALWAYS_TRUE, NEVER_TRUE
from rulewright.expr.tree import Expr, ReadState, ReadValue, ReadZone
from rulewright.expr.walk import iter_exprs
from rulewright.frozen import frozen
from rulewright.model.codes import SAME_FOR_ALL
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.facts.value_ranges import BagRange, Scalars, ValueRange
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.source.nodes import ScalarNode


@frozen
class _Number:
    """Something that is computed, and where it is written. `is_term`: it is added to others or taken off."""

    address: str
    of: Expr
    node: ScalarNode
    is_term: bool


def check_constant_numbers(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them, unless a condition is reported that always comes out the same, which may be the reason."""
    if any(one.code in (NEVER_TRUE, ALWAYS_TRUE) for one in diagnostics):
        return
    reported = {one.address for one in diagnostics}
    numbers = [
        number
        for number in _numbers(rules, composition)
        if composition.is_judged(number.node.span)
        if number.address not in reported and _depends_on_positions(number.of)
    ]
    addresses = _flat_addresses(rules, numbers) if numbers else set()
    # what can be adjusted takes long to find out, and few come to the same
    flat = [number for number in numbers if number.address in addresses and not can_be_adjusted(rules, number.of)]
    if not flat:
        return
    always = _flat_with_most_players(composition)
    for number in flat:
        if always is not None and number.address not in always:
            continue
        code: Code = SAME_FOR_ALL
        message, label = "this is the same for every player, whatever happens", "decides nothing"
        if number.is_term:
            code, message, label = CHANGES_NOTHING, "this term is never anything but 0", "always 0"
        diagnostics.add(number.node.span, code, message, label=label, address=number.address)


def _numbers(rules: Rules, composition: Composition) -> Iterator[_Number]:
    root = composition.document.root
    for criterion in rules.ranking:
        node = condition_node(root, criterion.address, "most" if criterion.is_maximized else "fewest")
        if isinstance(node, ScalarNode):
            yield _Number(criterion.address, criterion.of, node, is_term=False)
    for value in rules.values.values():
        sections = (("sum", value.terms), ("less", value.deductions))
        for section, name, term in ((section, *term) for section, terms in sections for term in terms):
            node = condition_node(root, f"values.{value.name}.{section}", name)
            if isinstance(node, ScalarNode):
                yield _Number(f"values.{value.name}.{section}.{name}", term, node, is_term=True)


def _depends_on_positions(of: Expr) -> bool:
    return any(isinstance(part, ReadZone | ReadState | ReadValue) for part in iter_exprs(of))


def _flat_addresses(rules: Rules, numbers: list[_Number]) -> set[str]:
    """The addresses of those that always come to the same."""
    try:
        ranges = ranges_with_parameters(rules)
    except RuleFault:
        return set()  # reported by the set-up
    return {number.address for number in numbers if _is_flat(ranges, number)}


def _is_flat(ranges: ExpressionRanges, number: _Number) -> bool:
    slots = {} if number.is_term else {0: ranges.seats}
    found: ValueRange = ranges.range_of(number.of, slots, ranges.seats)
    if isinstance(found, BagRange):
        return number.is_term and found.high_total == 0
    if not isinstance(found, Scalars) or found.single is None:
        return False
    return found.single == 0 or not number.is_term


def _flat_with_most_players(composition: Composition) -> set[str] | None:
    """What is flat when as many play as can; None where that is what is being checked."""
    if has_most_players(composition):
        return None
    found = with_most_players(composition)
    if found is None:
        return set()
    larger, rules = found
    return _flat_addresses(rules, list(_numbers(rules, larger)))


__all__ = ["check_constant_numbers"]
