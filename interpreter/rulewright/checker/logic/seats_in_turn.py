"""Which players can have a turn, as far as that follows from who is the first?

In: the blocks of steps, states and values of a game, how many play. Out: the players by how many places they sit behind
the first, at most: what depends on anything else than the order of players can be any of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rulewright.expr.tree import (
    Arithmetic,
    Builtin,
    Call,
    Compare,
    Constant,
    Expr,
    Filter,
    If,
    Local,
    ReadState,
    ReadValue,
)
from rulewright.expr.types import SEAT
from rulewright.expr.walk import conjuncts, iter_exprs
from rulewright.model.effects import Block, GiveTurn, RunSteps, SetState, Step
from rulewright.model.rules import StateDef, ValueDef

Seats = frozenset[int]  # places behind the first player, who is 0
Bound = Mapping[int, Seats]  # who the variables of a step can be, by their slots
EVERYBODY: Final = (SEAT.kind, "everyone")
MAX_DEPTH: Final = 12  # of derived values that read one another


class SeatsInTurn:
    """Finds who has turns and what states that are players can be, until nothing is added any more."""

    def __init__(
        self,
        blocks: Sequence[Block],
        states: Mapping[str, StateDef],
        values: Mapping[str, ValueDef],
        players: int,
        *,
        has_elimination: bool,
    ) -> None:
        self._blocks = blocks
        self._values = values
        self._players = players
        self._can_leave = has_elimination
        self._all: Seats = frozenset(range(players))
        self._states = {
            name: frozenset[int]() if _is_set_first(name, blocks) else self._all
            for name, state in states.items()
            if state.type == SEAT
        }
        self._turns: Seats = frozenset()
        self._followed: set[tuple[int, frozenset[tuple[int, Seats]]]] = set()  # since all was gone through anew

    def find(self) -> Seats:
        """Who can have a turn, other than one that follows from another of their own."""
        run = {step.effect.block for block in self._blocks for step in block.steps if isinstance(step.effect, RunSteps)}
        while True:
            before = (self._turns, dict(self._states))
            self._followed.clear()
            for number in range(len(self._blocks)):
                if number not in run:
                    self._follow(number, {})
            if before == (self._turns, self._states) or self._turns == self._all:
                return self._turns

    def _follow(self, number: int, bound: Bound) -> None:
        key = (number, frozenset(bound.items()))
        if key in self._followed:
            return
        self._followed.add(key)
        for step in self._blocks[number].steps:
            within = self._within(step, bound)
            match step.effect:
                case GiveTurn(seat=seat):
                    self._turns |= self._of(seat, within)
                case SetState(target=target, to=to) if target.name in self._states:
                    self._states[target.name] |= self._of(to, within)
                case RunSteps(block=block, is_procedure=is_procedure, arguments=arguments):
                    given = {slot: self._of(argument, within) for slot, argument in enumerate(arguments)}
                    self._follow(block, given if is_procedure else within)

    def _within(self, step: Step, bound: Bound) -> Bound:
        """The variables that a step sees."""
        loop = step.for_each
        if loop is None:
            return bound
        return {**bound, loop.slot: self._fitting(self._of(loop.over, bound), loop.slot, loop.condition, bound)}

    def _of(self, expr: Expr, bound: Bound, depth: int = 0) -> Seats:
        """Who a player is at most, or who is in a set of players."""
        match expr:
            case Builtin(name="first_player"):
                return frozenset({0})
            case Builtin(name="me"):
                return self._turns
            case Builtin(name="opponent"):
                return self._shifted(self._turns, 1)
            case Local(slot=slot):
                return bound.get(slot, self._all)
            case ReadState(name=name):
                return self._states.get(name, self._all)
            case ReadValue(name=name, keys=()) if depth < MAX_DEPTH:
                definition = self._values[name]
                terms = [term for _, term in definition.terms]
                return self._all if len(terms) > 1 else self._of(terms[0], {}, depth + 1)
            case If(then=then, otherwise=otherwise):
                return self._of(then, bound, depth) | self._of(otherwise, bound, depth)
            case Filter(slot=slot, condition=condition, over=over):
                return self._fitting(self._of(over, bound, depth), slot, condition, bound)
            case Arithmetic(op="+", left=left, right=right):
                return self._of(left, bound, depth) | self._of(right, bound, depth)
            case Call(function="next", args=(seat,)):
                return self._shifted(self._of(seat, bound, depth), 1)
            case Call(function="first", args=(Constant(value=int(number)), over)) if not self._can_leave:
                return self._first(number, over, bound, depth)
            case Call(function="reversed" | "only", args=args):
                return frozenset[int]().union(*(self._of(arg, bound, depth) for arg in args))
            case _:
                return self._all

    def _first(self, number: int, over: Expr, bound: Bound, depth: int) -> Seats:
        """Who is among the first few of a set."""
        starts = self._of(over, bound, depth)
        match over:
            case Call(function="everyone_from", args=(seat,)):
                starts = self._of(seat, bound, depth)
            case Builtin(name=name) if name in EVERYBODY:
                starts = frozenset({0})
            case _:
                return starts
        return frozenset[int]().union(*(self._shifted(starts, place) for place in range(min(number, self._players))))

    def _fitting(self, seats: Seats, slot: int, condition: Expr | None, bound: Bound) -> Seats:
        """Those of whom a condition can hold, which may say who they are or are not."""
        for part in conjuncts(condition) if condition is not None else ():
            match part:
                case Compare(op="is" | "is not" as op, left=Local(slot=asked), right=other) if asked == slot:
                    named = self._of(other, bound)
                    if op == "is":
                        seats &= named
                    elif _is_settled(other) and len(named) == 1:
                        seats -= named
        return seats

    def _shifted(self, seats: Seats, by: int) -> Seats:
        if self._can_leave and seats:
            return self._all
        return frozenset((seat + by) % self._players for seat in seats)


def _is_settled(seat: Expr) -> bool:
    """Whether it is the same player all the time."""
    parts: Iterator[Expr] = iter_exprs(seat)
    return all(isinstance(part, Builtin | Call) and part.type == SEAT for part in parts)


def _is_set_first(name: str, blocks: Sequence[Block]) -> bool:
    """Whether the set-up gives a state a value, whatever happens."""
    return any(
        isinstance(step.effect, SetState)
        and step.effect.target.name == name
        and not step.effect.target.keys
        and step.when is None
        and step.for_each is None
        and step.times is None
        for block in blocks
        if block.address == "setup"
        for step in block.steps
    )


__all__ = ["SeatsInTurn"]
