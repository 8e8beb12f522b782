"""Values as text and JSON: `2 red + 1 blue`.

In: run-time values and their types, or text, or JSON data. Out: the other form. Reading is the reverse of writing; what
cannot be read raises `NotationError` with the nearest names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final, Self, assert_never

from rulewright import limits
from rulewright.engine.values import RuntimeValue, as_int
from rulewright.errors import RulewrightError, quote
from rulewright.expr.types import SEAT, Bag, Flag, KindInfo, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.json_values import is_integer
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.locale import ENGLISH, player_number
from rulewright.model.rules import Rules
from rulewright.suggestions import did_you_mean, list_names, number_word

OF_PATTERN: Final = lazy_pattern(r"(?<=[0-9]) of ")  # between a number and a name, as expressions have it
JOINED_PATTERN: Final = lazy_pattern(r" +(?:and|&|plus|with) +")  # between values, as people say it
PART_PATTERN: Final = lazy_pattern(r"[^+\s](?:[^+]*[^+\s])?")  # one of several values joined with ` + `
EMPTY_TEXT: Final = "nothing"
HIDDEN_TEXT: Final = "?"

HiddenTest = Callable[[str, int], bool]  # component and thing -> whether a reader may not know which thing it is
TextRange = tuple[int, int]  # characters of a text: first, one past the last
AnswerData = bool | int | str | list["AnswerData"] | dict[str, int]  # an answer as JSON data; a bag counts by member


class NotationError(RulewrightError):
    """A text or JSON value that names no action, choice or value of the game.

    `message`: what is wrong; `hint`: what to write instead, perhaps empty; `text_range`: where in a text.
    """

    def __init__(self, message: str, text_range: TextRange | None = None, *, hint: str = "") -> None:
        self.message, self.hint, self.text_range = message, hint, text_range
        super().__init__(f"{message} ({hint})" if hint else message)

    def moved(self, text_range: TextRange) -> Self:
        """The same error, at another range."""
        return type(self)(self.message, text_range, hint=self.hint)


class UnknownName(NotationError):
    """A name that no member or thing has, and that is like none."""


class ValueNotation:
    """Writes and reads the values of one rule model.

    `language`: of what the rules say to wrong answers. `first_player`: the number of the first player: 0 where programs
    read and write, in protocol, records and saved positions; 1 where people do, in scenarios and on the screen.
    """

    def __init__(self, rules: Rules, language: str = ENGLISH, *, first_player: int = 0) -> None:
        self.rules = rules
        self.first_player = first_player
        self._language = language

    @classmethod
    def for_people(cls, rules: Rules, language: str = ENGLISH) -> Self:
        """The notation that people read and type, who count players from 1."""
        return cls(rules, language, first_player=player_number(0))

    def bag_member_ids(self, kind: str) -> dict[int, str]:
        """For each index in a bag of the kind's family the id of its member."""
        definition = self.rules.kinds[kind]
        members = self.rules.family_members[definition.family]
        if not self.first_player:
            return dict(enumerate(members))
        return {index: self._written(definition, member) for index, member in enumerate(members)}

    def member_ids(self, kind: str) -> tuple[str, ...]:
        """The ids of the members of a kind, in order."""
        definition = self.rules.kinds[kind]
        if not self.first_player:
            return definition.members
        return tuple(self._written(definition, member) for member in definition.members)

    def _written(self, definition: KindInfo, member: str) -> str:
        """A member's id as it is written here: that of a player counts from the number of the first."""
        is_shifted = self.first_player and definition.is_player(member)
        return str(int(member) + self.first_player) if is_shifted else member

    def member_id(self, kind: str, number: int) -> str:
        """The id of a member."""
        definition = self.rules.kinds[kind]
        if number in definition.member_values:
            return self._written(definition, definition.members[definition.member_values.index(number)])
        member = self.rules.family_members[definition.family][number]  # of another kind: an attempt outside the domain
        return self._written(definition, member)

    def value_to_data(self, value: Any, type_: Type, hides: HiddenTest | None = None) -> Any:
        """A value as JSON data, an `AnswerData` whose form follows from the type. `hides`: which things are `?`."""
        match type_:
            case Member(kind=SEAT.kind):
                return int(value) + self.first_player
            case Number():
                return int(value)
            case Flag():
                return bool(value)
            case Member(kind=kind):
                return value if self.rules.kinds[kind].is_numeric else self.member_id(kind, value)
            case Thing(component=component):
                return HIDDEN_TEXT if hides and hides(component, value) else self.rules.components[component].ids[value]
            case Bag(kind=kind):
                ids = self.bag_member_ids(kind) if kind else {}
                return {ids[index]: count for index, count in enumerate(value) if count}
            case SetOf(element=element_type) if element_type is not None:
                return [self.value_to_data(element, element_type, hides) for element in value]
            case SetOf() | UnknownType():
                return []
            case _:
                assert_never(type_)

    def format_value(self, value: RuntimeValue | None, type_: Type, hides: HiddenTest | None = None) -> str:
        """A value as text. `hides`: which things are `?`."""
        data = self.value_to_data(value, type_, hides)
        if isinstance(data, dict):
            return " + ".join(f"{count} {name}" for name, count in data.items()) or EMPTY_TEXT
        if isinstance(data, list):
            return " + ".join(map(str, data)) or EMPTY_TEXT
        return str(data).lower() if isinstance(data, bool) else str(data)

    def value_from_data(self, data: object, type_: Type) -> RuntimeValue:
        """A value from JSON data; raises `NotationError`."""
        match type_:
            case Flag() if isinstance(data, bool):
                return data
            case Member(kind=SEAT.kind) if is_integer(data):
                return self._check_seat(data)
            case Number() if is_integer(data):
                return data
            case Member(kind=kind):
                return self._member_number(kind, str(data) if is_integer(data) else data)
            case Thing(component=component) if isinstance(data, str):
                ids = self.rules.components[component].ids
                if data not in ids:
                    raise _unknown_name(component, data, ids)
                return ids.index(data)
            case Bag(kind=kind) if isinstance(data, dict):
                counts = [0] * len(self.bag_member_ids(kind))
                for name, count in data.items():
                    if not is_integer(count) or count < 0:
                        raise NotationError(f"expected a number of {quote(name)}, found {quote(count)}")
                    counts[self._bag_index(kind, name)] += count
                return tuple(counts)
            case SetOf(element=element_type) if isinstance(data, list) and element_type is not None:
                return tuple(as_int(self.value_from_data(element, element_type)) for element in data)
            case _:
                raise NotationError(f"{quote(data)} is not {_form_of(type_)}")

    def _check_seat(self, number: int) -> int:
        seat, last = number - self.first_player, self.rules.players - 1 + self.first_player
        if not 0 <= seat < self.rules.players:
            who = "player" if self.first_player else "seat"
            raise NotationError(f"there is no {who} {number} ({self.first_player} to {last})")
        return seat

    def _member_number(self, kind: str, name: object) -> int:
        definition = self.rules.kinds[kind]
        members = self.member_ids(kind)
        if name not in members and not definition.is_numeric:
            family = tuple(self.bag_member_ids(kind).values())
            if name in family:
                return family.index(str(name))  # another kind of the family: readable, though hardly legal
        if name not in members:
            is_board = definition.columns > 0 and len(members) > limits.MAX_LISTED_NAMES
            raise _unknown_name(kind, name, members, f"{members[0]} to {members[-1]}" if is_board else "")
        return definition.member_values[members.index(str(name))]

    def _bag_index(self, kind: str, name: object) -> int:
        """The index of a member in a bag."""
        number, definition = self._member_number(kind, name), self.rules.kinds[kind]
        return number - definition.member_values[0] if definition.is_numeric else number

    def parse_value(self, text: str, type_: Type) -> RuntimeValue:
        """A value from text; raises `NotationError`."""
        text = text.strip()
        if not text and not isinstance(type_, Bag | SetOf):
            raise NotationError("no value")
        if isinstance(type_, Bag | SetOf) and "," in text:
            parts = " + ".join(part.strip() for part in text.strip("[](){} ").split(",") if part.strip())
            hint = f"write {quote(parts)}" if len(parts) <= limits.MAX_QUOTED_IN_HINT else ""
            raise NotationError(f"{quote(text)}: join several with ` + `, not with commas", hint=hint)
        if isinstance(type_, Bag | SetOf) and OF_PATTERN.search(text):
            written = OF_PATTERN.sub(" ", text)
            hint = f"without `of`: write {quote(written)}" if len(written) <= limits.MAX_QUOTED_IN_HINT else ""
            raise NotationError(f"{quote(text)} is written as in rules", hint=hint)
        if isinstance(type_, Bag | SetOf) and JOINED_PATTERN.search(text):
            written = JOINED_PATTERN.sub(" + ", text)
            hint = f"write {quote(written)}" if len(written) <= limits.MAX_QUOTED_IN_HINT else ""
            raise NotationError(f"{quote(text)}: join several with ` + `", hint=hint)
        match type_:
            case Bag():
                counts: dict[str, int] = {}
                for part in _split_parts(text):
                    number, _, name = part.partition(" ") if part[:1].isdigit() else ("1", "", part)
                    word, _, counted = part.partition(" ")
                    if counted and not part[:1].isdigit():
                        meant = number_word(word)
                        hint = f"write `{2 if meant is None else meant} {counted.strip()}`"
                        raise NotationError(f"{quote(word)} is not a number", hint=hint)
                    if not number.isdecimal() or len(number) > 9:
                        raise NotationError(f"expected a number and a name, such as `2 name`, found {quote(part)}")
                    counts[name.strip()] = counts.get(name.strip(), 0) + int(number)
                return self.value_from_data(counts, type_)
            case SetOf(element=element_type) if element_type is not None:
                return tuple(as_int(self.parse_value(part, element_type)) for part in _split_parts(text))
            case Flag():
                if text not in ("true", "false"):
                    raise NotationError(f"{quote(text)} is not `true` or `false`")
                return text == "true"
            case Number() | Member(kind=SEAT.kind):
                if not re.fullmatch(r"-?[0-9]{1,9}", text):
                    raise NotationError(f"{quote(text)} is not a number")
                return self.value_from_data(int(text), type_)
            case Member() | Thing() | SetOf() | UnknownType():
                return self.value_from_data(text, type_)
            case _:
                assert_never(type_)

    def value_errors(self, text: str, type_: Type) -> list[NotationError]:
        """Everything that keeps a text from being a value, each with its range; empty when it is one."""
        error = self._value_error(text, type_)
        if error is None:
            return []
        errors: list[NotationError] = []
        is_one_mistake = "," in text or JOINED_PATTERN.search(text) or OF_PATTERN.search(text)
        if isinstance(type_, Bag | SetOf) and not is_one_mistake:
            for match in PART_PATTERN.finditer(text):
                part_error = self._value_error(match[0], type_)
                if part_error is not None:
                    errors.append(part_error.moved(match.span()))
        return errors or [error.moved(stripped_range(text))]

    def _value_error(self, text: str, type_: Type) -> NotationError | None:
        try:
            self.parse_value(text, type_)
        except NotationError as error:
            return error
        return None


def stripped_range(text: str) -> TextRange:
    """The range of a text without the blanks around it."""
    begin = len(text) - len(text.lstrip())
    return begin, max(begin, len(text.rstrip()))


def _split_parts(text: str) -> list[str]:
    return [] if text in (EMPTY_TEXT, "") else [part.strip() for part in text.split("+")]


def _form_of(type_: Type) -> str:
    """What a value of a type is, for a message about one that is not."""
    match type_:
        case Number():
            return "a number"
        case Flag():
            return "true or false"
        case Bag():
            return "a number of each piece"
        case SetOf():
            return "a list"
        case Thing(component=component):
            return f"the id of a {component}"
        case _:
            return "a value that can be here"


def _unknown_name(what: str, name: object, names: Sequence[str], of_many: str = "") -> NotationError:
    message, near = f"there is no {what} {quote(name)}", did_you_mean(str(name), names)
    if near:
        return NotationError(message, hint=near)
    are_few = len(names) <= limits.MAX_LISTED_NAMES
    return UnknownName(message, hint=list_names("expected one of", names) if are_few else of_many)
