"""Which rules of a choice look where whoever chooses may not see: all that could give a secret away.

In: rules. Out: a `HiddenLook` for each such choice or clause. What is not among them depends on nothing hidden, so that
no list of options and no reason can tell two positions apart that look the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.checker.common.rules_read import all_parts
from rulewright.checker.secrets.information_leaks import HiddenReadFinder
from rulewright.expr.tree import Call, Expr, ReadState, ReadZone
from rulewright.frozen import frozen
from rulewright.model.actions import Choice, Clause
from rulewright.model.effects import Choose
from rulewright.model.rules import Rules
from rulewright.model.traversal import choice_exprs, step_exprs


@frozen
class HiddenLook:
    """A choice or clause of an action, by its index, that may look into hidden places of these zones."""

    address: str
    action: int
    zones: tuple[str, ...]


def find_hidden_looks(rules: Rules) -> tuple[HiddenLook, ...]:
    """Every choice and clause that may look into a hidden place, also through `possible` or a variable of steps."""
    if not hidden_zones(rules):
        return ()
    finder = HiddenReadFinder(rules.zones, rules.values, rules.players)
    variables = set(_unseen_variables(rules))
    found: dict[str, HiddenLook] = {}
    by_action: dict[int, list[tuple[str, tuple[Expr, ...]]]] = {}
    for number, address, exprs in _asked(rules):
        by_action.setdefault(number, []).append((address, exprs))
        seats = finder.choice_owners(rules.actions[number])
        if any(finder.find_first(expr, seats) is not None for expr in exprs):
            found[address] = HiddenLook(address, number, _zones_read(rules, exprs))
        elif any(part.name in variables for part in all_parts(rules.values, exprs) if isinstance(part, ReadState)):
            found[address] = HiddenLook(address, number, hidden_zones(rules))
    numbers = {action.name: action.index for action in rules.actions}
    is_settled = not found
    while not is_settled:  # what asks for an action that looks, looks
        is_settled = True
        for number, asked in by_action.items():
            for address, exprs in asked:
                names = {
                    part.action for part in all_parts(rules.values, exprs) if isinstance(part, Call) and part.action
                }
                behind = [look for look in found.values() if look.action in {numbers[name] for name in names}]
                if behind and address not in found:
                    zones = dict.fromkeys(zone for look in behind for zone in look.zones)
                    found[address] = HiddenLook(address, number, (*zones,))
                    is_settled = False
    return tuple(found.values())


def hidden_zones(rules: Rules) -> tuple[str, ...]:
    """The zones that not everybody sees."""
    return tuple(name for name, zone in rules.zones.items() if zone.seen_by != "all")


def _unseen_variables(rules: Rules) -> Iterator[str]:
    """Variables of steps, which nobody is shown, where one of these steps looks into a hidden place."""
    for name, state in rules.states.items():
        if not state.is_shown:
            steps = [
                step for block in rules.blocks for step in block.steps if step.address.startswith(state.block_address)
            ]
            if any(_zones_read(rules, step_exprs(step)) for step in steps):
                yield name


def _asked(rules: Rules) -> Iterator[tuple[int, str, tuple[Expr, ...]]]:
    """Of each choice and clause, also those of offers: the number of its action, its address and its expressions."""
    rows: list[tuple[int, Choice | Clause]] = []
    for action in rules.actions:
        rows += [(action.index, choice) for choice in action.choices]
        rows += [(action.index, clause) for clause in action.clauses]
    for block in rules.blocks:
        for step in block.steps:
            for offer in step.effect.offers if isinstance(step.effect, Choose) else ():
                rows += [(offer.action, clause) for clause in offer.clauses]
    for number, rule in rows:
        yield number, rule.address, choice_exprs(rule) if isinstance(rule, Choice) else (rule.condition,)


def _zones_read(rules: Rules, exprs: Sequence[Expr]) -> tuple[str, ...]:
    read = dict.fromkeys(part.name for part in all_parts(rules.values, exprs) if isinstance(part, ReadZone))
    return tuple(name for name in read if rules.zones[name].seen_by != "all")


__all__ = ["HiddenLook", "find_hidden_looks", "hidden_zones"]
