"""Which way does what a condition asks go, while certain steps are carried out?

In: rules, some of their steps, an expression. Out: whether it only ever becomes true or more, or false or less, stays
as it is, or may go either way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rulewright.checker.common.emptying_moves import added_to
from rulewright.expr.tree import (
    Arithmetic,
    Builtin,
    Call,
    Compare,
    Constant,
    Expr,
    Local,
    Logic,
    Not,
    Quantifier,
    ReadParameter,
    ReadState,
    ReadZone,
    StateTarget,
)
from rulewright.expr.types import Member, Number
from rulewright.expr.walk import is_constant, is_everyone, is_me, iter_exprs
from rulewright.model.effects import Move, Roll, SetState, Step
from rulewright.model.facts.move_sources import find_move_sources
from rulewright.model.rules import Rules
from rulewright.model.traversal import filled_zones

UP, DOWN, STEADY = 1, -1, 0
RISING: Final = {">": UP, ">=": UP, "<": DOWN, "<=": DOWN}


class WaysOfChange:
    """Whether what conditions ask only ever becomes true or more (`UP`), or false or less (`DOWN`), as a game goes on;
    `STEADY`: it stays as it is; None: it may go either way.
    """

    def __init__(self, rules: Rules, steps: Sequence[Step], *, of_one_player: bool = False) -> None:
        self.rules = rules
        self.steps = steps
        self.of_one_player = of_one_player
        sources = find_move_sources(rules)
        moves = [step for step in steps if isinstance(step.effect, Move)]
        self.filled = filled_zones(moves)
        self.emptied = {place.zone for step in moves for place in sources.get(step.address, ())}
        if any(step.address not in sources for step in moves):
            self.emptied = set(rules.zones)
        for zone in rules.zones.values():
            if zone.refill is not None:
                self.filled.add(zone.name)
                self.emptied.add(zone.refill.zone)

    def of(self, expr: Expr) -> int | None:
        """The way of a condition, or of a number."""
        match expr:
            case Constant() | ReadParameter(keys=()) | Builtin(name="players"):
                return STEADY
            case Not(of=of):
                return _turned(self.of(of))
            case Logic(left=left, right=right):
                return _joined(self.of(left), self.of(right))
            case Quantifier(quantifier=quantifier, condition=condition, over=over):
                if not (is_constant(over) or (is_everyone(over) and not self.rules.has_elimination)):
                    return None
                way = self.of(condition)
                return _turned(way) if quantifier == "no" else way
            case Compare(op="is" | "is not" as op, left=ReadZone() as zone, right=Constant(value=None)):
                way = self.of(zone)
                return _turned(way) if op == "is" else way
            case Compare(op=op, left=left, right=right) if op in RISING and isinstance(left.type, Number):
                way = _joined(self.of(left), _turned(self.of(right)))
                return _turned(way) if RISING[op] == DOWN else way
            case Compare(op="is" | "is not" as op, left=left, right=Constant(value=least)) if _is_least(left, least):
                way = self.of(left)
                return _turned(way) if op == "is" else way
            case Call(function="count", args=(of,)):
                return self.of(of)
            case Arithmetic(op="+", left=left, right=right):
                return _joined(self.of(left), self.of(right))
            case ReadZone(name=name, keys=keys) if all(map(self._is_fixed, keys)):
                fills, empties = name in self.filled, name in self.emptied
                return None if fills and empties else UP if fills else DOWN if empties else STEADY
            case ReadState(name=name, keys=keys) if all(map(self._is_fixed, keys)):
                return self._of_state(name)
        return None

    def _of_state(self, name: str) -> int | None:
        state, ways = self.rules.states[name], set[int]()
        if state.reset_scope and not self.of_one_player:
            return None
        for step in self.steps:
            match step.effect:
                case SetState(target=target, to=Constant(value=True)) if target.name == name:
                    ways.add(UP)
                case SetState(target=target, to=to) if target.name == name:
                    way = self._way_of_sum(target, to)
                    if way is None:
                        return None
                    ways.add(way)
                case Roll(target=target) if target.name == name:
                    return None
        return STEADY if not ways else ways.pop() if len(ways) == 1 else None

    def _is_fixed(self, key: Expr) -> bool:
        """Whether a key is the same whoever is in turn; within what one player does, whoever that is."""
        if isinstance(key, Builtin):
            return key.name == "first_player" or (self.of_one_player and is_me(key))
        return isinstance(key, Constant | Local)

    def _way_of_sum(self, target: StateTarget, to: Expr) -> int | None:
        """Whether a state is counted up or down, perhaps to a bound; None where it is set otherwise."""
        added = added_to(target, to)
        sums = [part.op for part in iter_exprs(to) if isinstance(part, Arithmetic)]
        if added is None or len(sums) != 1 or self._can_be_negative(added):
            return None
        return UP if sums[0] == "+" else DOWN

    def _can_be_negative(self, number: Expr) -> bool:
        if isinstance(number.type, Member):
            return min(self.rules.kinds[number.type.kind].member_values, default=0) < 0
        return not isinstance(number.type, Number) or number.type.low < 0


def _is_least(number: Expr, value: object) -> bool:
    """Whether nothing below a value is possible."""
    return isinstance(number.type, Number) and isinstance(value, int) and number.type.low == value


def _turned(way: int | None) -> int | None:
    return None if way is None else -way


def _joined(one: int | None, other: int | None) -> int | None:
    """The way of what depends on two, which grows with both."""
    if one is None or other is None or one * other < 0:
        return None
    return one or other


__all__ = ["DOWN", "STEADY", "UP", "WaysOfChange"]
