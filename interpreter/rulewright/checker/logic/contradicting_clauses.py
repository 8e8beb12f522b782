"""Do conditions exclude each other because of the numbers that parameters have: clauses of an action, conditions of a
step, or the sides of an `and`?

In: rules, and the composition they were built from. Out: warnings about what a variant wrote, also about a clause of it
that holds wherever those of the game hold; and about clauses of an offer beside those of its action. Else nothing is
said of the game itself, since a variant may change a parameter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.judged_in import judged_in
from rulewright.checker.common.step_conditions import step_conditions
from rulewright.checker.logic.rule_conditions import judged_conditions
from rulewright.diagnostics import Diagnostics
from rulewright.expr.tree import (
    Constant,
    Expr,
    Extremum,
    Filter,
    Local,
    Logic,
    Not,
    Offsets,
    Quantifier,
    ReadParameter,
    ReadValue,
    Sum,
)
from rulewright.expr.typecheck.contradictions import check_contradictions, check_implied, check_sides
from rulewright.expr.types import Flag, Number
from rulewright.expr.walk import iter_exprs, transform
from rulewright.frozen import replace
from rulewright.model.actions import Clause
from rulewright.model.effects import Choose
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.source.nodes import ScalarNode


def check_contradicting_clauses(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports clauses of an offer that never hold together with those of its action; of a variant also clauses and
    conditions that never hold together with others of the same action or step, clauses that hold wherever those of the
    game hold, and conditions whose sides never hold together, or one of which always holds.
    """
    files = {variant.root.span.source.path for variant in composition.chosen_variants}
    found = Diagnostics()
    _check_offers(rules, composition, found)
    if not files:
        diagnostics.extend(found)
        return
    _check_clauses(rules, composition, files, found)
    _check_steps(rules, composition, files, found)
    for condition in judged_conditions(rules, composition):
        node = condition.node
        if node is None or node.span.source.path not in files:
            continue
        for part in iter_exprs(_spelled_out(rules, condition.expr)):
            if isinstance(part, Logic):
                check_sides(part, node, 0, found, condition.address)
    reported = {(one.span.source.path, one.span.start) for one in diagnostics}
    diagnostics.extend(
        one for one in found if one.span.source.path in files and (one.span.source.path, one.span.start) not in reported
    )


def _check_offers(rules: Rules, composition: Composition, found: Diagnostics) -> None:
    for step in judged_in(rules, composition).steps:
        for offer in step.effect.offers if isinstance(step.effect, Choose) else ():
            if not offer.clauses or not (clauses := rules.actions[offer.action].clauses):
                continue
            own = Diagnostics()
            check_contradictions([*_written(composition, clauses), *_written(composition, offer.clauses)], own)
            at_offer = {clause.address for clause in offer.clauses}
            found.extend(one for one in own if one.address in at_offer)


def _written(composition: Composition, clauses: Iterable[Clause]) -> Iterator[tuple[ScalarNode, Expr, str]]:
    """Clauses with the nodes at which they are written."""
    for clause in clauses:
        section, _, name = clause.address.rpartition(".")
        node = condition_node(composition.document.root, section, name)
        if isinstance(node, ScalarNode):
            yield node, clause.condition, clause.address


def _check_clauses(rules: Rules, composition: Composition, files: Collection[str], found: Diagnostics) -> None:
    for action in judged_in(rules, composition).actions:
        if not any(clause.span.source.path in files for clause in action.clauses):
            continue
        conditions = [
            (node, _spelled_out(rules, condition), address)
            for node, condition, address in _written(composition, action.clauses)
        ]
        conditions.sort(key=lambda condition: condition[0].span.source.path in files)  # these are what is asked about
        check_contradictions(conditions, found)
        _check_implied(rules, [*_written(composition, action.clauses)], files, found)


def _check_implied(
    rules: Rules, conditions: Sequence[tuple[ScalarNode, Expr, str]], files: Collection[str], found: Diagnostics
) -> None:
    """Reports clauses of a variant that hold wherever those of the game hold, whatever parameters are."""
    spelled = [(node, _spelled_out(rules, expr, with_numbers=False), address) for node, expr, address in conditions]
    asked = [(node, expr) for node, expr, _ in spelled if node.span.source.path not in files]
    for condition in spelled:
        if condition[0].span.source.path in files:
            check_implied(condition, asked, found)


def _check_steps(rules: Rules, composition: Composition, files: Collection[str], found: Diagnostics) -> None:
    root = composition.document.root
    for step in judged_in(rules, composition).steps:
        conditions = [
            (node, _spelled_out(rules, condition), address)
            for condition, node, address in step_conditions(root, step)
            if isinstance(node, ScalarNode)
        ]
        if len(conditions) > 1 and any(node.span.source.path in files for node, _, _ in conditions):
            conditions.sort(key=lambda condition: condition[0].span.source.path in files)
            check_contradictions(conditions, found)


def _spelled_out(rules: Rules, condition: Expr, *, with_numbers: bool = True) -> Expr:
    """A condition in which values are what they ask, and (`with_numbers`) parameters the numbers that they have."""

    def meant(part: Expr) -> Expr | None:
        match part:
            case ReadParameter(name=name, keys=(), type=Number() as type_) if with_numbers:
                value = rules.parameters[name].value
                return Constant(value, type_, part.offsets) if type(value) is int else None
            case ReadValue(type=Flag()) if (asked := _asked_by(rules, part)) is not None:
                return transform(_written_at(asked, part.offsets), meant)
        return None

    return transform(condition, meant)


def _asked_by(rules: Rules, read: ReadValue) -> Expr | None:
    """The condition of a value, for its keys; None where it goes through a set, which has variables of its own."""
    ((_, asked),) = rules.values[read.name].terms
    if any(isinstance(part, Quantifier | Filter | Sum | Extremum) for part in iter_exprs(asked)):
        return None
    return transform(asked, lambda part: read.keys[part.slot] if isinstance(part, Local) else None)


def _written_at(condition: Expr, offsets: Offsets) -> Expr:
    """A condition that is shown where a value that asks it is read."""
    match condition:
        case Logic(left=left, right=right):
            sides = _written_at(left, offsets), _written_at(right, offsets)
            return replace(condition, left=sides[0], right=sides[1], offsets=offsets)
        case Not(of=of):
            return replace(condition, of=_written_at(of, offsets), offsets=offsets)
        case _:
            return replace(condition, offsets=offsets)


__all__ = ["check_contradicting_clauses"]
