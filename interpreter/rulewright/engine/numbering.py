"""A number for every action that could ever be legal, the same in every position of a rule model.

In: the rule model. Out: numbers from 0 and back. An action's numbers stand side by side, action after action; within it
the answers of its choices are the digits, each with its own base: a member or thing its rank, a subset one bit for each
member, a bag the count of each member, of which there are never more than pieces in the game. What one may decline has
the last number. Choices answered piece by piece have their numbers after the whole actions.
"""

from __future__ import annotations

from typing import Any

from rulewright.engine.reference.legal_actions import DECLINE
from rulewright.engine.reference.reference_engine import Engine
from rulewright.engine.state import Action
from rulewright.engine.validate_position import pieces
from rulewright.expr.types import Bag, Flag, Member, Number, SetOf, Thing, Type


class Numbering:
    """The fixed numbers of one rule model's actions."""

    def __init__(self, engine: Engine) -> None:
        self.rules = engine.rules
        self._totals = pieces(engine, engine.layout.contents)
        self._sizes = [[self.size(choice.type) for choice in action.choices] for action in self.rules.actions]
        self._firsts: list[tuple[int, int, int | None]] = []  # first number, action, open choice (None: whole)
        total = 0
        for action in self.rules.actions:
            self._firsts.append((total, action.number, None))
            total += _product(self._sizes[action.number])
        for action in self.rules.actions:
            for at, choice in enumerate(action.choices):
                if isinstance(choice.type, Bag | SetOf):
                    self._firsts.append((total, action.number, at))
                    total += _product(self._sizes[action.number][:at]) * (self._pieces(choice.type) + 1)
        self.declined = total
        self.count = total + 1  # how many numbers there are

    def _universe(self, type_: Type) -> tuple[int, ...]:
        match type_:
            case Member(kind=kind):
                return self.rules.kinds[kind].numbers
            case Number(low=low, high=high):
                return tuple(range(low, high + 1))
            case Thing(component=component):
                return tuple(range(len(self.rules.components[component].ids)))
            case Flag():
                return (0, 1)
            case _:
                raise AssertionError(type_)

    def _bases(self, type_: Bag) -> tuple[int, ...]:
        return tuple(total + 1 for total in self._totals[self.rules.kinds[type_.kind].family])

    def _pieces(self, type_: Bag | SetOf) -> int:
        if isinstance(type_, Bag):
            return len(self._bases(type_))
        assert type_.of is not None
        return len(self._universe(type_.of))

    def size(self, type_: Type) -> int:
        """How many answers a choice of this type can ever have."""
        match type_:
            case Bag():
                return _product(list(self._bases(type_)))
            case SetOf(of=of):
                assert of is not None
                return 1 << len(self._universe(of))
            case _:
                return len(self._universe(type_))

    def rank(self, value: Any, type_: Type) -> int:
        """The number of an answer among all answers of its type."""
        match type_:
            case Bag():
                rank = 0
                for count, base in zip(value, self._bases(type_), strict=True):
                    rank = rank * base + count
                return rank
            case SetOf(of=of):
                assert of is not None
                universe = self._universe(of)
                return sum(1 << universe.index(one) for one in value)
            case _:
                return self._universe(type_).index(value)

    def answer(self, rank: int, type_: Type) -> Any:
        """The answer of that number: `rank` the other way."""
        match type_:
            case Bag():
                counts: list[int] = []
                for base in reversed(self._bases(type_)):
                    rank, count = divmod(rank, base)
                    counts.append(count)
                return tuple(reversed(counts))
            case SetOf(of=of):
                assert of is not None
                return tuple(one for at, one in enumerate(self._universe(of)) if rank >> at & 1)
            case _:
                return self._universe(type_)[rank]

    def number(self, action: Action) -> int:
        """The number of an action."""
        if action == DECLINE:
            return self.declined
        choices = self.rules.actions[action.number].choices
        rank = 0
        for value, choice, size in zip(action.values, choices, self._sizes[action.number], strict=False):
            rank = rank * size + self.rank(value, choice.type)
        at: int | None = None
        if action.token is not None:
            at = len(action.values)
            type_ = choices[at].type
            assert isinstance(type_, Bag | SetOf)
            piece = action.token if isinstance(type_, Bag) or action.token < 0 else self.rank(action.token, _of(type_))
            rank = rank * (self._pieces(type_) + 1) + piece + 1  # STOP is -1, which comes first
        first = next(first for first, number, place in self._firsts if (number, place) == (action.number, at))
        return first + rank

    def action(self, number: int) -> Action:
        """The action of a number; raises `ValueError` for a number that no action has."""
        if number == self.declined:
            return DECLINE
        if not 0 <= number < self.count:
            raise ValueError(f"actions are numbered 0 to {self.count - 1}")
        first, index, at = max((one for one in self._firsts if one[0] <= number), key=lambda one: (one[0], one[1]))
        rank = number - first
        choices = self.rules.actions[index].choices
        token: int | None = None
        if at is not None:
            type_ = choices[at].type
            assert isinstance(type_, Bag | SetOf)
            rank, piece = divmod(rank, self._pieces(type_) + 1)
            token = piece - 1 if isinstance(type_, Bag) or piece == 0 else self.answer(piece - 1, _of(type_))
        values: list[Any] = []
        for choice, size in reversed(list(zip(choices[:at], self._sizes[index], strict=False))):
            rank, digit = divmod(rank, size)
            values.append(self.answer(digit, choice.type))
        return Action(index, tuple(reversed(values)), token)


def _of(type_: SetOf) -> Type:
    assert type_.of is not None
    return type_.of


def _product(sizes: list[int]) -> int:
    product = 1
    for size in sizes:
        product *= size
    return product
