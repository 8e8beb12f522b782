"""The actions of a position as numbers, and back.

In: an engine, and how its actions are numbered. Out: numbers that mean the same in every position: this choice, this
place, this bag. Which thing lies in a place, and what a card costs, the position says.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from rulewright.engine.context import Context
from rulewright.engine.interface import Engine
from rulewright.engine.place_compiler import CompiledTuple
from rulewright.engine.state import DECLINE, Action, State
from rulewright.engine.values import Content, Pile, RuntimeValue, as_int, as_tuple
from rulewright.errors import require_types
from rulewright.model.actions import Choice, Pay
from rulewright.model.facts.action_numbers import (
    NUMBERING_VERSION,
    ActionNumbering,
    ByCounts,
    ByPlace,
    BySubset,
    ByValue,
    ByWild,
    Numbering,
)


class NumberedActions:
    """The numbers of one engine's actions. `count`: every number is below it; 0 declines. Numbers of the same digest
    and `version` mean the same.
    """

    version: ClassVar[int] = NUMBERING_VERSION

    def __init__(self, engine: Engine, numbers: ActionNumbering) -> None:
        self.engine = engine
        self.numbers = numbers
        self.count = numbers.count
        self._places: dict[tuple[str, int], CompiledTuple] = {}
        self._prices: dict[str, CompiledTuple] = {}

    def number(self, state: State, action: Action) -> int:
        """The number of a whole action that is legal in a position.

        Raises `ValueError` for one that is put together piece by piece, and for one in a position that no game has.
        """
        if not isinstance(action, Action):
            raise TypeError(f"an action is one of `legal()`, not {action!r}")
        if action == DECLINE:
            return 0
        if action.token is not None:
            raise ValueError("an action that is put together piece by piece has no number")
        numbered, definition = self.numbers.actions[action.number], self.engine.rules.actions[action.number]
        rank, context = 0, self.engine.context(state)
        for slot, (choice, numbering) in enumerate(zip(definition.choices, numbered.choices, strict=True)):
            value = action.values[slot]
            own = self._rank(choice, numbering, value, state, context)
            if not 0 <= own < numbering.count:
                raise ValueError(
                    f"by the rules `{choice.address}` can never be answered like this, so it has no number"
                )
            rank = rank * numbering.count + own
            context.env[slot] = value
        return numbered.first + rank

    def action(self, state: State, number: int) -> Action | None:
        """The action with a number in a position; None when it has no meaning there. It need not be legal."""
        require_types(number=(number, int))
        if number == 0:
            return DECLINE
        if not 0 < number < self.count:
            raise ValueError(f"there is no action number {number} (0 to {self.count - 1})")
        index = max(index for index, numbered in enumerate(self.numbers.actions) if numbered.first <= number)
        numbered = self.numbers.actions[index]
        rank, ranks = number - numbered.first, list[int]()
        for numbering in reversed(numbered.choices):
            rank, inner = divmod(rank, numbering.count)
            ranks.insert(0, inner)
        context, values = self.engine.context(state), list[RuntimeValue]()
        choices = self.engine.rules.actions[index].choices
        for slot, (choice, numbering) in enumerate(zip(choices, numbered.choices, strict=True)):
            value = self._value(choice, numbering, ranks[slot], state, context)
            if value is None:
                return None
            values.append(value)
            context.env[slot] = value
        return Action(index, tuple(values))

    def _rank(self, choice: Choice, numbering: Numbering, value: RuntimeValue, state: State, context: Context) -> int:
        match numbering:
            case ByValue(values=values):
                return values.index(as_int(value))
            case ByCounts():
                return numbering.rank(as_tuple(value))
            case BySubset():
                return numbering.rank(as_tuple(value))
            case ByPlace():
                first = 0
                for place, slots in self._slots(numbering, context):
                    things = listed_things(state.contents[place])
                    if value in things:
                        return first + things.index(as_int(value))
                    first += slots
                raise ValueError(f"{choice.address}: what is chosen is in none of its places")
            case ByWild(vectors=vectors, wild=wild):
                price = self._price(choice)(context)
                paid = as_tuple(value)
                return vectors.rank([0 if i == wild else price[i] - paid[i] for i in range(len(price))])

    def _value(
        self, choice: Choice, numbering: Numbering, rank: int, state: State, context: Context
    ) -> RuntimeValue | None:
        match numbering:
            case ByValue(values=values):
                return values[rank]
            case ByCounts():
                return numbering.counts(rank)
            case BySubset():
                return numbering.elements(rank)
            case ByPlace():
                for place, slots in self._slots(numbering, context):
                    if rank < slots:
                        things = listed_things(state.contents[place])
                        return things[rank] if rank < len(things) else None
                    rank -= slots
                return None
            case ByWild(vectors=vectors, wild=wild):
                price, replaced = self._price(choice)(context), vectors.counts(rank)
                if any(count > cost for count, cost in zip(replaced, price, strict=True)):
                    return None
                return tuple(
                    sum(replaced) if index == wild else cost - replaced[index] for index, cost in enumerate(price)
                )

    def _slots(self, numbering: ByPlace, context: Context) -> Iterator[tuple[int, int]]:
        """The places in their order, each with how many numbers it takes."""
        for read, slots in zip(numbering.reads, numbering.slots, strict=True):
            key = (read.name, len(read.keys))
            if key not in self._places:
                zone = self.engine.rules.zones[read.name]
                self._places[key] = self.engine.compiler.compile_places(zone, read.keys)
            yield from zip(self._places[key](context), slots, strict=True)

    def _price(self, choice: Choice) -> CompiledTuple:
        assert isinstance(choice.domain, Pay)
        if choice.address not in self._prices:
            self._prices[choice.address] = self.engine.compiler.compile_tuple(choice.domain.price)
        return self._prices[choice.address]


def listed_things(content: Content) -> tuple[int, ...]:
    """The things in a place as rules list them: those of a shuffled place by their rows, whatever order they have."""
    return tuple(sorted(content.things)) if isinstance(content, Pile) else content


__all__ = ["NumberedActions"]
