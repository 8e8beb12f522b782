"""Which decisions could be without an option, and which players bring that about?

In: rules, and the composition they were built from. Out: the steps that must have an option where nothing in the rules
proves that they do; under variants only those that a variant wrote, or of which the rules without it prove it. And the
players who keep from them what has to be chosen: each avoids an action that changes it, first one that brings it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.checker.common.names_touched import NO_NAMES, Names, NamesTouched
from rulewright.checker.logic.guarantees import DECISION_HAS_OPTION, prove_guarantees
from rulewright.expr.tree import Expr
from rulewright.model.actions import ActionDef, OneOf, Pay
from rulewright.model.effects import Choose, Move, Step
from rulewright.model.loader import Composition, base_rules
from rulewright.model.rules import Rules
from rulewright.model.traversal import blocks_within


def find_unproved_choices(rules: Rules, composition: Composition) -> tuple[str, ...]:
    """The addresses of the steps."""
    unproved = _unproved(rules)
    if not unproved or not composition.chosen_variants:
        return tuple(unproved)
    base, files = base_rules(composition), composition.variant_files
    known = {} if base is None else _unproved(base)
    return tuple(
        address for address, step in unproved.items() if address not in known or step.span.source.path in files
    )


def starving_players(rules: Rules, addresses: Sequence[str]) -> list[str]:
    """The players, as they are named, in the order in which they play."""
    names, steps = NamesTouched(rules), _steps(rules)
    found: dict[str, None] = {}
    for address in addresses:
        effect = steps[address].effect if address in steps else None
        if not isinstance(effect, Choose):
            continue
        offered = [rules.actions[offer.action] for offer in effect.offers]
        needed = NO_NAMES.union(*(names.read(part) for action in offered for part in _asked(action)))
        others = [action for action in rules.actions if action not in offered] or list(offered)
        changing = [action for action in others if needed & names.written_in(action.block)]
        changing.sort(key=lambda action: needed.isdisjoint(_filled(rules, action)))
        found |= dict.fromkeys(f"avoid:{action.name}" for action in changing)
    return [*found]


def _unproved(rules: Rules) -> dict[str, Step]:
    steps = _steps(rules)
    return {
        each.address: steps[each.address]
        for each in prove_guarantees(rules)
        if each.statement == DECISION_HAS_OPTION and not each.is_proved
    }


def _steps(rules: Rules) -> dict[str, Step]:
    return {step.address: step for block in rules.blocks for step in block.steps}


def _asked(action: ActionDef) -> Iterator[Expr]:
    """What decides whether an action can be done."""
    for choice in action.choices:
        match choice.domain:
            case OneOf(of=of):
                yield of
            case Pay(price=price, funds=funds):
                yield price
                yield funds
            case domain:
                yield domain.of
                if domain.total is not None:
                    yield domain.total
    yield from (clause.condition for clause in action.clauses)


def _filled(rules: Rules, action: ActionDef) -> Names:
    """The zones to which an action brings something."""
    blocks = (rules.blocks[block] for block in blocks_within(rules, (action.block,)))
    effects = (step.effect for block in blocks for step in block.steps)
    return frozenset(effect.to.zone for effect in effects if isinstance(effect, Move))


__all__ = ["find_unproved_choices", "starving_players"]
