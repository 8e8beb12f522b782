"""Do conditions exclude each other because of the numbers that parameters have: two clauses of an action, or the sides
of an `and`?

In: rules with variants, and the composition they were built from. Out: warnings about what a variant wrote. In the game
itself nothing is said, since a variant may change a parameter.
"""

from __future__ import annotations

from collections.abc import Collection

from rulewright.checker.condition_nodes import condition_node
from rulewright.checker.counts_check import rule_conditions
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
from rulewright.expr.typecheck.contradictions import check_contradictions, check_sides
from rulewright.expr.types import Flag, Number
from rulewright.expr.walk import iter_exprs, transform
from rulewright.frozen import replace
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.source.nodes import ScalarNode


def check_contradicting_clauses(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports clauses of a variant that never hold together with others of the same action, and conditions of a variant
    whose sides never hold together, or one of which always holds.
    """
    files = {variant.root.span.source.path for variant in composition.chosen_variants}
    if not files:
        return
    found = Diagnostics()
    _check_clauses(rules, composition, files, found)
    for condition in rule_conditions(rules, composition):
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


def _check_clauses(rules: Rules, composition: Composition, files: Collection[str], found: Diagnostics) -> None:
    for action in rules.actions:
        if not any(clause.span.source.path in files for clause in action.clauses):
            continue
        conditions = []
        for clause in action.clauses:
            section, _, name = clause.address.rpartition(".")
            node = condition_node(composition.document.root, section, name)
            if isinstance(node, ScalarNode):
                conditions.append((node, _spelled_out(rules, clause.condition), clause.address))
        conditions.sort(key=lambda condition: condition[0].span.source.path in files)  # these are what is asked about
        check_contradictions(conditions, found)


def _spelled_out(rules: Rules, condition: Expr) -> Expr:
    """A condition in which parameters are the numbers that they have, and values what they ask."""

    def meant(part: Expr) -> Expr | None:
        match part:
            case ReadParameter(name=name, keys=(), type=Number() as type_):
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
