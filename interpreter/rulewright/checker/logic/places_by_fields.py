"""Is a thing put to a place of others, where each begins at a place that one of its fields names?

In: rules, and the composition they were built from. Out: warnings about steps that put a thing, whichever it is, to one
place of the zone in which things of its sort begin by a field: a card of any level under the pile of level 1. Nothing
is said where the action, or the step, asks for that field or takes from a place with the same key. Under variants only
what a variant wrote.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import OTHER_PLACE
from rulewright.checker.common.rules_read import all_parts
from rulewright.diagnostics import Diagnostics
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Constant, Expr, FieldAccess, Place
from rulewright.expr.types import SetOf, Thing, Type
from rulewright.model.effects import Move, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import ComponentDef, Rules
from rulewright.model.traversal import choice_exprs, step_exprs
from rulewright.source.nodes import ScalarNode


def check_places_by_fields(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    for step in (step for block in rules.blocks for step in block.steps):
        found = _other_place(step, rules)
        if found is None:
            continue
        component, field = found
        node = condition_node(composition.document.root, step.address, "to")
        span = step.span if node is None else node.span
        if not composition.is_judged(span):
            continue
        assert isinstance(step.effect, Move)
        zone = step.effect.to.zone
        written = f"`{node.text}`" if isinstance(node, ScalarNode) else f"one place of `{zone}`"
        message = f"this goes to {written} whatever its `{field}` is, and each {component.name} begins where that says"
        hint = f"write `{zone}(…)` with the `{field}` of what is moved, or ask for it with `when`"
        diagnostics.add(span, OTHER_PLACE, message, label="always the same place", help=hint, address=step.address)


def _other_place(step: Step, rules: Rules) -> tuple[ComponentDef, str] | None:
    """The component of what a step moves, the field that names its first place."""
    move = step.effect
    if not isinstance(move, Move) or move.amount.of is None:
        return None
    component = _component(move.amount.of.type, rules)
    start = None if component is None else component.initial_place
    if component is None or start is None or start.zone != move.to.zone or len(start.keys) != len(move.to.keys):
        return None
    read = {part.name for part in all_parts(rules.values, [*_asked(step, rules)]) if isinstance(part, FieldAccess)}
    known = {structural_key(part) for part in all_parts(rules.values, [*_asked(step, rules)])}
    for own, key in zip(start.keys, move.to.keys, strict=True):
        if not isinstance(own, FieldAccess) or not isinstance(key, Constant) or isinstance(key.value, tuple):
            continue
        is_several = len(set(component.columns[own.name])) > 1
        if is_several and own.name not in read and structural_key(key) not in known:
            return component, own.name
    return None


def _component(type_: Type, rules: Rules) -> ComponentDef | None:
    element = type_.element if isinstance(type_, SetOf) else type_
    return rules.components.get(element.component) if isinstance(element, Thing) else None


def _asked(step: Step, rules: Rules) -> Iterator[Expr]:
    """What decides about what a step moves, and where that comes from."""
    for action in rules.actions:
        if step.address.startswith(f"{action.address}."):
            yield from (clause.condition for clause in action.clauses)
            yield from (expr for choice in action.choices for expr in choice_exprs(choice))
    places: tuple[Place | None, ...] = (step.effect.source, step.effect.to) if isinstance(step.effect, Move) else ()
    of_places = {id(key) for place in places if place is not None for key in place.keys}
    yield from (expr for expr in step_exprs(step) if id(expr) not in of_places)
    if places and places[0] is not None:
        yield from places[0].keys


__all__ = ["check_places_by_fields"]
