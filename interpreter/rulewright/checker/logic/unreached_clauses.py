"""Does an action ask for more pieces or things than there ever are with so many players, as its parameters are?

In: rules, and the composition they were built from. Out: warnings about comparisons without which a clause cannot hold,
and that never hold at this number of players. Under variants those that a variant wrote; of a game only those that can
hold when others play. Nothing is said of parameters that are 0 or as high as they can be, which may turn the action
off, nor where a clause or a sentence speaks of the number of players.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.checker.common.most_players import with_fewest_players, with_most_players
from rulewright.checker.common.parameter_reads import ParameterReads
from rulewright.checker.logic.counts_check import counts_something, describe_counted, ranges_with_parameters
from rulewright.checker.logic.rule_conditions import RuleCondition, judged_conditions, report_constant
from rulewright.checker.texts.numbers_in_sentences import sentence_texts
from rulewright.diagnostics import Diagnostics
from rulewright.document.address import find_entry
from rulewright.engine.faults import RuleFault
from rulewright.expr.tree import Builtin, Call, Compare, Expr, Filter, Quantifier
from rulewright.expr.walk import conjuncts, iter_exprs
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.actions import ActionDef
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.facts.value_ranges import FALSE
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules

OF_PLAYERS: Final = lazy_pattern(
    r"(?i)\b(?:two|three|four|five|six|\d|more|fewer|many|enough|number of|deux|trois|quatre|cinq|six|plus de|moins de"
    r"|nombre de|assez de)\b.{0,12}\b(?:players|joueurs|joueuses)\b|\bà (?:deux|trois|quatre|cinq|six|plusieurs)\b"
)


def check_unreached_clauses(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    asked = [*_asked(rules, composition)]
    ranges = _ranges(rules) if asked else None
    found = [each for each in asked if ranges is not None and _never_holds(each[1], ranges)]
    if not found or ranges is None:
        return
    if not composition.chosen_variants:
        possible = _that_can_hold(composition)
        found = [each for each in found if (each[0].address, each[1].offsets) in possible]
    for condition, part in found:
        hint = describe_counted(ranges, part) or "there is never so much"
        report_constant(condition, part, False, hint, diagnostics)


def _asked(rules: Rules, composition: Composition) -> Iterator[tuple[RuleCondition, Compare]]:
    """The comparisons of counts with parameters on which clauses depend."""
    parameters, switches = ParameterReads(rules), ParameterReads(rules, only_switches=True)
    actions = {clause.address: action for action in rules.actions for clause in action.clauses}
    spoken = any(
        speaks_of_players(text.text)
        for variant in composition.chosen_variants
        if variant.text is not None
        for _, text in sentence_texts(variant.text)
    )
    for condition in () if spoken else judged_conditions(rules, composition):
        action = actions.get(condition.address)
        if action is None:
            continue
        for part in _needed(condition.expr):
            if (
                isinstance(part, Compare)
                and parameters.are_in(part)
                and not switches.are_in(part)
                and counts_something(part, parameters)
                and not _is_about_players(action, composition)
            ):
                yield condition, part


def _needed(condition: Expr) -> Iterator[Expr]:
    """What has to hold for a condition to; of a loop, what it asks of each."""
    for part in conjuncts(condition):
        yield part
        if isinstance(part, Quantifier) and not isinstance(part.over, Filter):
            yield from conjuncts(part.condition)


def _is_about_players(action: ActionDef, composition: Composition) -> bool:
    """Whether a clause of an action asks how many play, or a sentence of it says something of their number."""
    if any(_counts_players(part) for clause in action.clauses for part in iter_exprs(clause.condition)):
        return True
    root = composition.document.root
    addresses = (action.address, *(clause.address for clause in action.clauses))
    entries = [find_entry(root, f"{address}.text") for address in addresses]
    return any(
        speaks_of_players(text.text)
        for entry in entries
        if entry is not None
        for _, text in sentence_texts(entry.value)
    )


def _counts_players(part: Expr) -> bool:
    match part:
        case Builtin(name="players") | Call(function="count", args=(Builtin(),)):
            return True
    return False


def speaks_of_players(sentence: str) -> bool:
    """Whether a sentence says something of how many play."""
    return OF_PLAYERS.search(sentence) is not None


def _that_can_hold(composition: Composition) -> set[tuple[str, tuple[int, int]]]:
    """The comparisons that can hold where the most or the fewest play: where each stands."""
    found = set[tuple[str, tuple[int, int]]]()
    for other in (with_most_players(composition), with_fewest_players(composition)):
        ranges = _ranges(other[1]) if other is not None else None
        if other is not None and ranges is not None:
            asked = _asked(other[1], other[0])
            found |= {(one.address, part.offsets) for one, part in asked if not _never_holds(part, ranges)}
    return found


def _never_holds(part: Expr, ranges: ExpressionRanges) -> bool:
    return ranges.scalars(part, {}, ranges.seats) == FALSE


def _ranges(rules: Rules) -> ExpressionRanges | None:
    try:
        return ranges_with_parameters(rules)
    except RuleFault:
        return None  # reported by the set-up


__all__ = ["check_unreached_clauses", "speaks_of_players"]
