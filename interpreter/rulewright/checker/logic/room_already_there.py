"""Does a clause ask whether anything is in a place that the action itself fills, and that has room for one?

In: rules, and the composition they were built from. Out: warnings about conditions joined by `or` of which one says
that such a place is empty: the action fails where it is not, so what else is asked never counts; and about conditions
that want something to be there already. Under variants only what a variant wrote.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.checker.logic.rule_conditions import judged_conditions, report_constant
from rulewright.diagnostics import Diagnostics
from rulewright.expr.structural_key import are_same
from rulewright.expr.tree import (
    BagLiteral,
    Call,
    Compare,
    Constant,
    Expr,
    FieldTotal,
    Local,
    Not,
    Quantifier,
    ReadZone,
)
from rulewright.expr.types import Bag, Member, SetOf, Thing
from rulewright.expr.walk import conjuncts, disjuncts
from rulewright.model.actions import ActionDef
from rulewright.model.effects import Move, Step
from rulewright.model.facts.move_sources import find_move_sources
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules

FEWER_WILL_DO: Final = ("up to", "all", "top")  # which may bring nothing


def check_room_already_there(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    filled = {f"{action.address}.when.": (action, list(_filled(action, rules))) for action in rules.actions}
    if not any(moves for _, moves in filled.values()):
        return
    for condition in judged_conditions(rules, composition):
        for action, moves in (filled[clauses] for clauses in filled if condition.address.startswith(clauses)):
            for side in _alternatives(condition.expr):
                if any(_asks_for_room(side, move) for move in moves):
                    hint = f"`{action.name}` fills it, and it has room for one, so the rest is never asked"
                    report_constant(condition, side, True, hint, diagnostics)
            for side in (side for part in conjuncts(condition.expr) for side in disjuncts(part)):
                if any(_asks_for_things(side, move) for move in moves):
                    hint = f"`{action.name}` puts something there, where there is room for one: look elsewhere"
                    report_constant(condition, side, False, hint, diagnostics)


def _alternatives(condition: Expr) -> Iterator[Expr]:
    """The parts of a condition instead of which another one may hold."""
    for part in conjuncts(condition):
        sides = disjuncts(part)
        yield from sides if len(sides) > 1 else ()


def _asks_for_room(condition: Expr, move: Move) -> bool:
    """Whether a condition says that the place is empty to which a move goes."""
    match condition:
        case Compare(op="is", left=ReadZone(member=None) as read, right=Constant(type=Bag("") | SetOf(None))):
            return _is_there(read, move)
    return False


def _asks_for_things(condition: Expr, move: Move) -> bool:
    """Whether a condition holds only where something is in the place to which a move goes."""
    match condition:
        case Not(of=Compare(op="is") as of):
            return _asks_for_room(of, move)
        case Compare(op="is not", left=ReadZone(member=None) as read, right=Constant(type=Bag("") | SetOf(None))):
            return _is_there(read, move)
        case Compare(op="in", right=FieldTotal(of=ReadZone() as read) | (ReadZone() as read)):
            return _is_there(read, move)
        case Compare(op=op, left=Call(function="count", args=(ReadZone() as read,)), right=Constant(value=int(value))):
            return _is_there(read, move) and (op, value) in ((">", 0), (">=", 1), ("is", 1))
        case Quantifier(quantifier="some", over=ReadZone() as read):
            return _is_there(read, move)
    return False


def _is_there(read: ReadZone, move: Move) -> bool:
    return read.name == move.to.zone and are_same(read.keys, move.to.keys)


def _filled(action: ActionDef, rules: Rules) -> Iterator[Move]:
    """The moves of an action that bring something to a place with room for one, which nothing empties before."""
    sources, emptied = find_move_sources(rules), set[str]()
    for step in rules.blocks[action.block].steps:
        if not isinstance(step.effect, Move):
            return  # which may do anything
        capacity = rules.zones[step.effect.to.zone].capacity
        is_for_one = isinstance(capacity, Constant) and capacity.value == 1
        if is_for_one and step.effect.to.zone not in emptied and _is_sure(step):
            yield step.effect
        places = sources.get(step.address)
        if places is None:
            return
        emptied |= {place.zone for place in places}


def _is_sure(step: Step) -> bool:
    """Whether a step moves something, whatever happens."""
    assert isinstance(step.effect, Move)
    is_asked = step.when is not None or step.while_condition is not None or step.times is not None
    if is_asked or step.for_each is not None or step.effect.amount.mode in FEWER_WILL_DO:
        return False
    match step.effect.amount.of:
        case Local(type=Thing() | Member()) | BagLiteral(count=Constant()):
            return True
    return False


__all__ = ["check_room_already_there"]
