"""Where exactly is the mistake when a step fails: its amount, its destination, or the condition that lets it happen?

In: a fault, the rules, the composition they were built from. Out: the place to show and, where a condition asks of the
very zone or state that the step could not change and yet held, of the same pieces and on the same side of its bound,
that condition: a clause of the action, or the step's own `when`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.names_touched import NamesTouched
from rulewright.checker.common.rules_read import all_parts, offer_clauses
from rulewright.checker.common.steps_asked import step_at
from rulewright.checker.played.answers_taken import find_answer_taken
from rulewright.diagnostics import Span
from rulewright.document.address import find_entry
from rulewright.engine.faults import RuleFault
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import (
    Arithmetic,
    BagLiteral,
    Compare,
    Constant,
    Expr,
    Local,
    Not,
    Place,
    Quantifier,
    ReadState,
    ReadValue,
    ReadZone,
)
from rulewright.expr.types import Bag, Member, Number, SetOf
from rulewright.expr.walk import find_position_read, iter_exprs
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.effects import Move, SetState, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.source.nodes import ScalarNode

LESS_FIRST: Final[Mapping[str, bool]] = {  # whether the left side is what is to be small
    "<": True,
    "<=": True,
    "fits in": True,
    ">": False,
    ">=": False,
}

PLACE: Final = lazy_pattern(r"\w+(?:\([^()]*\))?")  # a zone with its keys, and nothing beside it


@frozen
class FaultPlace:
    """`span`: where to show a fault. `allowing`: the text of the condition there, if it is one that let it be. `hint`:
    how the value there stays within its bounds, or the amount within what there is.
    """

    span: Span
    allowing: str = ""
    hint: str = ""


def find_fault_place(fault: RuleFault, rules: Rules, composition: Composition) -> FaultPlace | None:
    """The part of a rule that a fault is about; None where there is nothing better than the rule itself."""
    root = composition.document.root
    step = step_at(rules.blocks, fault.address)
    if step is None or not fault.key:
        return None
    allowing = _allowing(step, fault.key, rules, composition)
    if allowing is None and fault.key != "to":
        allowing = find_answer_taken(step, rules, composition)
    if allowing is not None:
        return FaultPlace(allowing.span, allowing.text, _asking_enough(step, fault.key, rules))
    entry = find_entry(root, f"{step.address}.{fault.key}")
    if entry is None or not isinstance(entry.value, ScalarNode):
        return None
    text = entry.value.text
    hint = _fewer(step, fault.key, text) or _bounded(step, text, rules) or _where_there_is_room(step, fault.key, text)
    return FaultPlace(entry.value.span, hint=hint)


def room_there_is(fault: RuleFault, rules: Rules, composition: Composition) -> str:
    """How much room there is where a step puts too much, as it is written; empty for other faults."""
    step = step_at(rules.blocks, fault.address)
    if step is None or fault.key != "to" or not isinstance(step.effect, Move):
        return ""
    address = f"zones.{step.effect.to.zone}.at_most"
    entry = find_entry(composition.document.root, address)
    return f"`{address}` is `{entry.value.text}`" if entry is not None and isinstance(entry.value, ScalarNode) else ""


def _asking_enough(step: Step, key: str, rules: Rules) -> str:
    """What a condition should ask that lets a step fail."""
    match step.effect:
        case Move():
            return "ask for room for all that comes" if key == "to" else "ask for as many as are taken"
        case SetState(target=target) if isinstance(type_ := rules.states[target.name].type, Number):
            return f"ask for a value with which `{target.name}` stays within {type_.low} to {type_.high}"
        case _:
            return ""


def _fewer(step: Step, key: str, text: str) -> str:
    """How to take what there is where a step takes more."""
    if key != "move" or not isinstance(step.effect, Move) or step.effect.amount.mode not in ("exactly", "random"):
        return ""
    return f"write `up to {text}`, or do it only where there is enough"


def _where_there_is_room(step: Step, key: str, text: str) -> str:
    """How to move only what there is room for."""
    if key != "to" or not isinstance(step.effect, Move):
        return ""
    return f"do it only where there is room: ask for `count({text})` first" if PLACE.fullmatch(text) else ""


def _bounded(step: Step, text: str, rules: Rules) -> str:
    """How to keep a state within its type that is set to a number, where it can leave it on one side only."""
    if not isinstance(step.effect, SetState):
        return ""
    own, given = rules.states[step.effect.target.name].type, step.effect.to.type
    if not isinstance(own, Number) or not isinstance(given, Number):
        return ""
    match given.high > own.high, given.low < own.low:
        case True, False:
            return f"write `min({text}, {own.high})`, set it back in time, or give the state a wider type"
        case False, True:
            return f"write `max({text}, {own.low})`, or give the state a wider type"
    return ""


def _allowing(step: Step, key: str, rules: Rules, composition: Composition) -> ScalarNode | None:
    """The one condition in the step's file, or of a variant, that asks of what the step could not change."""
    changed = _changed(step, key)
    names, root = NamesTouched(rules), composition.document.root
    conditions: list[tuple[str, Expr]] = []
    for action in rules.actions:
        if f"{step.address}.".startswith(f"{action.address}."):
            clauses = (*action.clauses, *offer_clauses(rules.blocks).get(action.index, ()))
            conditions += [(clause.address, clause.condition) for clause in clauses]
    if step.when is not None:
        conditions.append((step.address, step.when))
    asking = [
        address
        for address, condition in conditions
        if changed in names.read(condition)
        and _could_prevent(step, key, condition, changed, names)
        and not _asks_of_other_pieces(step, condition, changed, rules)
        and not (key == "to" and isinstance(step.effect, Move) and _asks_only_which(condition, changed, rules))
    ]
    if len(asking) != 1:
        return None
    section, _, name = asking[0].rpartition(".")
    node = condition_node(root, asking[0]) if asking[0] == step.address else condition_node(root, section, name)
    if not isinstance(node, ScalarNode):
        return None
    is_of_variant = bool(composition.chosen_variants) and composition.is_judged(node.span)
    return node if is_of_variant or node.span.source.path == step.span.source.path else None


def _could_prevent(step: Step, key: str, condition: Expr, changed: str, names: NamesTouched) -> bool:
    """Whether a condition is one that is to keep a step from failing: that there is enough where something is taken, or
    room where it is put; that a state is not yet at a bound that does not change in play.
    """
    if isinstance(step.effect, Move) and _asks_of_others(step.effect, key, condition):
        return False
    if isinstance(step.effect, SetState) and _is_set_by_another(step.effect, condition, names):
        return False
    comparisons = [part for part in iter_exprs(condition) if isinstance(part, Compare) and part.op in LESS_FIRST]
    asked = [part for part in comparisons if changed in names.read(part)]
    if not asked or any(isinstance(part, Not | Quantifier | ReadValue) for part in iter_exprs(condition)):
        return True  # what exactly is asked is not known
    if isinstance(step.effect, SetState):
        is_raised = _is_raised(step.effect, names)
        return any(
            find_position_read(one.right if changed in names.read(one.left) else one.left) is None
            and is_raised in (None, (changed in names.read(one.left)) is LESS_FIRST[one.op])
            for one in asked
        )
    needs_room = isinstance(step.effect, Move) and key == "to"
    return any((changed in names.read(one.left)) is (LESS_FIRST[one.op] is needs_room) for one in asked)


def _is_raised(effect: SetState, names: NamesTouched) -> bool | None:
    """Whether a step adds to a state, or takes from it; None where that is not known."""
    to = effect.to
    if not isinstance(to, Arithmetic) or to.op not in ("+", "-") or effect.target.name not in names.read(to.left):
        return None
    change = to.right.value if isinstance(to.right, Constant) else None
    lowest = to.right.type.low if isinstance(to.right.type, Number) else None
    is_more = isinstance(change, int) and change > 0 if change is not None else lowest is not None and lowest >= 0
    return to.op == "+" if is_more else None


def _asks_only_which(condition: Expr, changed: str, rules: Rules) -> bool:
    """Whether a condition asks which things lie in a zone, not how many, and so not whether there is room."""
    loops, others = 0, 0
    for part in all_parts(rules.values, [condition]):
        match part:
            case Quantifier(quantifier="some" | "every", over=ReadZone(name=name)) if name == changed:
                loops += 1
            case ReadZone(name=name) if name == changed:
                others += 1
    return loops > 0 and loops == others


def _asks_of_other_pieces(step: Step, condition: Expr, changed: str, rules: Rules) -> bool:
    """Whether all that a condition asks of a zone is about pieces of which a move moves none."""
    if not isinstance(step.effect, Move) or not isinstance(of := step.effect.amount.of, BagLiteral):
        return False
    moved = _members(of.members, rules)
    reads = [part for part in iter_exprs(condition) if isinstance(part, ReadZone) and part.name == changed]
    asked = [None if read.member is None else _members(read.member, rules) for read in reads]
    return bool(asked) and moved is not None and all(one is not None and moved.isdisjoint(one) for one in asked)


def _members(expr: Expr, rules: Rules) -> frozenset[int] | None:
    """All members of a kind that an expression can be, or have in it; None where it has none."""
    if isinstance(expr, Constant) and isinstance(expr.type, Member) and isinstance(expr.value, int):
        return frozenset({expr.value})
    type_ = expr.type.element if isinstance(expr.type, SetOf) else expr.type
    kind = rules.kinds.get(type_.kind) if isinstance(type_, Member | Bag) else None
    return None if kind is None else frozenset(kind.member_values)


def _asks_of_others(move: Move, key: str, condition: Expr) -> bool:
    """Whether a condition asks of other places of a zone than the one from which a move takes or to which it puts."""
    place = move.to if key == "to" or move.source is None else move.source
    reads = [part for part in iter_exprs(condition) if isinstance(part, ReadZone) and part.name == place.zone]
    if any(_has_fixed_key(read, place) for read in reads):
        return False  # one place is always asked about, whichever is chosen: that is the mistake
    moved = [structural_key(each) for each in place.keys]
    asked = [[structural_key(each) for each in read.keys] for read in reads]
    is_known = bool(reads) and None not in moved and all(len(keys) == len(moved) and None not in keys for keys in asked)
    return is_known and moved not in asked


def _has_fixed_key(read: ReadZone, place: Place) -> bool:
    """Whether a place is named by a word or a number where the move has a choice."""
    keys = zip(read.keys, place.keys, strict=False)
    return any(isinstance(asked, Constant) and isinstance(moved, Local) for asked, moved in keys)


def _is_set_by_another(effect: SetState, condition: Expr, names: NamesTouched) -> bool:
    """Whether what a state is set to depends on the same state of others only, of whom the condition does not ask."""
    name = effect.target.name
    asked = {structural_key(part) for part in iter_exprs(condition) if _reads_state(part, name)}
    read = {structural_key(part) for part in iter_exprs(effect.to) if _reads_state(part, name)}
    is_known = not any(
        isinstance(part, ReadValue) and name in names.read(part)
        for expr in (condition, effect.to)
        for part in iter_exprs(expr)
    )
    return is_known and bool(read) and None not in asked | read and asked.isdisjoint(read)


def _reads_state(part: Expr, name: str) -> bool:
    return isinstance(part, ReadState) and part.name == name


def _changed(step: Step, key: str) -> str:
    """The zone or state that could not be changed."""
    match step.effect:
        case Move(source=source, to=to):
            return to.zone if key == "to" or source is None else source.zone
        case SetState(target=target):
            return target.name
        case _:
            return ""


__all__ = ["FaultPlace", "find_fault_place"]
