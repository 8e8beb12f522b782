"""What a player can choose from, cut into short lists: first the action, then its choices one after another.

In: legal actions. Out: numbered options, each of one action or of several that go on alike.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rulewright.engine.legal import DECLINE
from rulewright.engine.state import Action, State
from rulewright.expr.sentence import Sentence
from rulewright.expr.types import Thing
from rulewright.front.board import Board
from rulewright.model.walk import slots

MANY: Final = 12  # more actions than this are not listed one by one


@dataclass(frozen=True, slots=True)
class Option:
    """A line of a menu and the actions it stands for."""

    text: str
    actions: tuple[Action, ...]


class Menu:
    """Menus of one game in one language."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.rules = board.rules
        self.notation = board.looks.notation
        self.speaker = board.looks.speaker

    def options(self, state: State, actions: Sequence[Action], known: Container[int] = ()) -> list[Option]:
        """Up to a dozen actions one by one; more of them grouped by what they differ in first.

        `known`: numbers of the actions whose own sentence need not be said any more.
        """
        if len(actions) <= MANY:
            return [Option(self.notation.write(action), (action,)) for action in actions]
        groups: dict[Hashable, list[Action]] = {}
        at = self._differ(actions)
        for action in actions:
            groups.setdefault(self._key(action, at), []).append(action)
        return [Option(self._text(state, group, at, known), tuple(group)) for group in groups.values()]

    def _differ(self, actions: Sequence[Action]) -> int:
        """The first choice in which actions differ; -1: the action itself."""
        if len({action.number for action in actions}) > 1:
            return -1
        made = len(actions[0].values)
        return next((at for at in range(made) if len({action.values[at] for action in actions}) > 1), made)

    def _key(self, action: Action, at: int) -> Any:
        if at < 0:
            return action.number
        return action.values[at] if at < len(action.values) else action.token

    def _text(self, state: State, group: Sequence[Action], at: int, known: Container[int]) -> str:
        first = group[0]
        ways = f"  ({len(group)} ways)" if len(group) > 1 else ""
        if at < 0:
            text = self.rules.actions[first.number].name if len(group) > 1 else self.notation.write(first)
            said = "" if first.number in known else self.said(state, first.number)
            return f"{text}{ways}" + (f"  {said}" if said else "")
        if at >= len(first.values):
            return self.notation.write(first)
        choice = self.rules.actions[first.number].choices[at]
        value = self.notation.text(first.values[at], choice.type)
        if isinstance(choice.type, Thing):
            value = self.board.inline(choice.type.component, value, full=True)
        return f"{choice.name}={value}{ways}"

    def said(self, state: State, number: int) -> str:
        """What an action's own sentence says, unless it speaks of choices that are not made yet."""
        if number == DECLINE.number:
            return ""
        address = self.rules.actions[number].address
        sentence = self.speaker.sentence(address)
        if sentence is None or is_open(sentence):
            return ""
        seat = self.board.engine.acting(state)
        return self.speaker.say(
            address, self.board.engine.context(state), max(seat, 0), self.board.views.hides(state, max(seat, 0))
        )


def is_open(sentence: Sentence) -> bool:
    """Whether a sentence speaks of choices, or of keys, that have no value yet."""
    return any(not isinstance(part, str) and slots(part.expr) for part in sentence.parts)


__all__ = ["Menu", "Option", "is_open"]
