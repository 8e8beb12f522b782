"""Numbers of the list on the screen, typed alone or behind an action's name.

In: a line, the list above it. Out: the option that it stands for, or a sentence that says what is wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from rulewright.expr.types import SEAT, Bag, Member, Thing
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.actions import ActionDef
from rulewright.session.typed_words import collected_type
from rulewright.terminal.menu import Menu, Option
from rulewright.terminal.play_context import PlayContext

NUMBERS: Final = lazy_pattern(r"-?\d[\d\s,;.-]*")  # a line that holds nothing else
NAME_AND_NUMBER: Final = lazy_pattern(r"(?P<name>[^(]*[^\s(])\s+(?P<number>-?\d+)")


@frozen
class NumberedLine:
    """A line that holds a number of the list. `called`: the numbers of the actions that the words before it name."""

    number: str
    name: str = ""
    called: frozenset[int] = frozenset()


class NumberedInput:
    """Reads numbers of lists. `spellings`: a line in the names of the rules, the likeliest forms first."""

    def __init__(self, context: PlayContext, spellings: Callable[[str], tuple[tuple[str, ...], ...]]) -> None:
        self.context = context
        self.messages = context.messages
        self.rules = context.match.rules
        self._spellings = spellings

    def parse(self, line: str) -> NumberedLine | None:
        """The line, if it is a number, or an action's name and a number that is not an answer of it."""
        if NUMBERS.fullmatch(line):
            return NumberedLine(line)
        match = NAME_AND_NUMBER.fullmatch(line)
        if match is None:
            return None
        legal = {action.number for action in self.context.match.legal()}
        called = self.actions_called(match["name"])
        # an action that is not legal now, too, unless the number can be its answer
        meant = called & legal or frozenset(
            number for number in called if not self._begins_with_number(self.rules.actions[number])
        )
        if not meant or (match["number"].startswith("-") and self._is_answer(int(match["number"]), meant)):
            return None
        return NumberedLine(match["number"], match["name"], meant)

    def find_option(self, line: NumberedLine, menu: Menu, command: str = "") -> Option | str:
        """What the number stands for, of the named actions only; else what is wrong. `command`: typed before it."""
        most = len(menu.options)
        if not re.fullmatch(r"\d{1,5}", line.number) or not 1 <= int(line.number) <= most:
            return self.messages("no_number", most=most)
        option = menu.options[int(line.number) - 1]
        if not line.called:
            return option
        actions = tuple(action for action in option.actions if action.number in line.called)
        if actions:
            return Option(option.label, actions, option.pieces)
        other = self.context.menu_builder.labels.name(option.actions[0].number)
        text = self.messages("number_of_another", number=line.number, name=line.name, other=other)
        return text + self._as_answer(line, command)

    def actions_called(self, words: str) -> frozenset[int]:
        """The numbers of the actions of the game whose name some words are, or begin, and nothing else."""
        parser = self.context.session.shorthand(self.messages.locale, by_player=True)
        return frozenset().union(*(parser.actions_called(text) for texts in self._spellings(words) for text in texts))

    def _begins_with_number(self, action: ActionDef) -> bool:
        """Whether the first answer of an action can be a number, or begin with one."""
        type_ = action.choices[0].type if action.choices else None
        element = None if type_ is None else collected_type(type_) or type_
        is_named = isinstance(element, Thing) or (
            isinstance(element, Member) and element != SEAT and not self.rules.kinds[element.kind].is_numeric
        )
        return action.choices != () and (isinstance(type_, Bag) or not is_named)

    def _is_answer(self, number: int, called: frozenset[int]) -> bool:
        """Whether a number is the first answer of one of the actions that are legal now."""
        legal = (action for action in self.context.match.legal() if action.number in called)
        return any(action.values[:1] == (number,) for action in legal)

    def _as_answer(self, line: NumberedLine, command: str) -> str:
        """How to type a number that is meant as an answer, where the action has a choice of numbers."""
        for action in sorted(line.called):
            for choice in self.rules.actions[action].choices:
                kind = self.rules.kinds[choice.type.kind] if isinstance(choice.type, Member) else None
                if kind is not None and kind.is_numeric and int(line.number) in kind.member_values:
                    name = f"{command} {line.name}".strip()
                    return " " + self.messages("number_as_answer", number=line.number, name=name, choice=choice.name)
        return ""


__all__ = ["NUMBERS", "NumberedInput", "NumberedLine"]
