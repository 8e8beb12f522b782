"""In which ways the rules look at zones: counted, added up, thing by thing.

In: rules. Out: for each zone the ways in which it is read. A zone that is only counted and added up needs no list of
what lies in it to play: a few running totals do. (Who sees what still does.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Literal

from rulewright.expr.tree import Arithmetic, Call, Compare, Constant, Expr, FieldTotal, Filter, If, ReadZone
from rulewright.expr.types import Bag, SetOf
from rulewright.expr.walk import child_exprs
from rulewright.frozen import frozen
from rulewright.model.effects import Move
from rulewright.model.rules import Rules
from rulewright.model.traversal import asked_exprs, choice_exprs

Look = Literal["count", "total", "empty", "contains", "member", "each", "whole"]


@frozen
class ZoneUse:
    """A way to look at a zone: its count, the total of a field, whether it is empty, whether it contains something, the
    count of a member, each thing, or the whole bag. `field`: of a total.
    """

    look: Look
    field: str = ""

    @property
    def is_fold(self) -> bool:
        """Whether a running total answers it."""
        return self.look in ("count", "total", "empty", "member")


def find_zone_uses(rules: Rules) -> Mapping[str, frozenset[ZoneUse]]:
    """How each zone is looked at, by its name: by the rules of play, not by bots and sentences."""
    found: dict[str, set[ZoneUse]] = {name: set() for name in rules.zones}
    for expr in exprs_of_play(rules):
        _collect(expr, found)
    for move in (step.effect for block in rules.blocks for step in block.steps):
        if isinstance(move, Move) and move.source is not None:
            found[move.source.zone].add(_taken(move, is_pool=rules.zones[move.source.zone].is_pool))
    return {name: frozenset(uses) for name, uses in found.items()}


def _taken(move: Move, *, is_pool: bool) -> ZoneUse:
    """How a move looks at the zone from which it takes."""
    is_named = move.amount.mode in ("exactly", "up to")
    if is_pool:
        return ZoneUse("member" if is_named else "whole")
    return ZoneUse("contains" if is_named else "each")


def exprs_of_play(rules: Rules) -> Iterator[Expr]:
    """All expressions that play depends on."""
    for action in rules.actions:
        yield from chain.from_iterable(choice_exprs(choice) for choice in action.choices)
        yield from (clause.condition for clause in action.clauses)
    for value in rules.values.values():
        yield from (term for _, term in (*value.terms, *value.deductions))
    for block in rules.blocks:
        for step in block.steps:
            yield from asked_exprs(step)
    yield from (criterion.of for criterion in rules.ranking)
    yield from (invariant.condition for invariant in rules.invariants)


def _collect(expr: Expr, found: dict[str, set[ZoneUse]]) -> None:
    match expr:
        case Call(function="count", args=(of,)):
            _note(of, ZoneUse("count"), found)
        case FieldTotal(of=of, name=name):
            _note(of, ZoneUse("total", name), found)
        case Compare(op="is" | "is not", left=left, right=Constant(type=Bag("") | SetOf(None))):
            _note(left, ZoneUse("empty"), found)
        case Compare(op="in" | "not in", left=left, right=right):
            _collect(left, found)
            _note(right, ZoneUse("contains"), found)
        case _:
            _note(expr, ZoneUse("whole" if isinstance(expr.type, Bag) else "each"), found)


def _note(expr: Expr, use: ZoneUse, found: dict[str, set[ZoneUse]]) -> None:
    """Notes a way to look at what an expression consists of; what a condition selects is looked at one by one."""
    match expr:
        case ReadZone(name=name, keys=keys, member=member):
            found[name].add(ZoneUse("member") if member is not None else use)
            for each in (*keys, *(() if member is None else (member,))):
                _collect(each, found)
        case Arithmetic(op="+", left=left, right=right) if isinstance(expr.type, SetOf):
            _note(left, use, found)
            _note(right, use, found)
        case If(condition=condition, then=then, otherwise=otherwise):
            _collect(condition, found)
            _note(then, use, found)
            _note(otherwise, use, found)
        case Filter(over=over, condition=condition):
            _note(over, ZoneUse("each"), found)
            if condition is not None:
                _collect(condition, found)
        case _:
            for child in child_exprs(expr):
                _collect(child, found)


__all__ = ["Look", "ZoneUse", "exprs_of_play", "find_zone_uses"]
