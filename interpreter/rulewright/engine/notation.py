"""Actions and values as text and JSON: `build(tile=…, payment=2 red + 1 blue)`.

In: run-time values and their types, or text, or JSON data. Out: the other form. Reading is the reverse of writing; what
cannot be read raises `NotationError` with the nearest names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, Final, TypedDict, TypeVar, assert_never

from rulewright import limits
from rulewright.document.address import reason_address
from rulewright.engine.state import DECLINE, STOP_TOKEN, Action
from rulewright.engine.values import RuntimeValue, as_int, as_tuple
from rulewright.errors import RulewrightError, quote
from rulewright.expr.types import SEAT, Bag, Flag, KindInfo, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.json_values import has_more_values, is_integer
from rulewright.model.actions import ActionDef, Choice
from rulewright.model.locale import ENGLISH, player_number
from rulewright.model.rules import DECLINE_TEXT, Rules
from rulewright.suggestions import NUMBER_WORDS, did_you_mean

ACTION_PATTERN: Final = re.compile(r"([a-z][a-z0-9_]*)\s*(?:\((.*)\))?", re.DOTALL)
PART_PATTERN: Final = re.compile(r"[^+\s](?:[^+]*[^+\s])?")  # one of several values joined with ` + `
STOP_TEXT: Final = "+stop"
EMPTY_TEXT: Final = "nothing"
ACTION_KEYS: Final = ("action", "choose")  # of an action as JSON data
HIDDEN_TEXT: Final = "?"

HiddenTest = Callable[[str, int], bool]  # component and thing -> whether a reader may not know which thing it is
TextRange = tuple[int, int]  # characters of a text: first, one past the last
AnswerData = bool | int | str | list["AnswerData"] | dict[str, int]  # an answer as JSON data; a bag counts by member
Written = TypeVar("Written")  # how an answer is written: text or JSON data


class ActionData(TypedDict):
    """An action as JSON data: its name, and its answers by choice."""

    action: str
    choose: dict[str, AnswerData]


class NotationError(RulewrightError):
    """A text or JSON value that names no action, choice or value of the game. `text_range`: where in a text."""

    def __init__(self, message: str, text_range: TextRange | None = None) -> None:
        self.text_range = text_range
        super().__init__(message)


class UnknownName(NotationError):
    """A name that no member or thing has, and that is like none."""


class Notation:
    """Writes and reads the values and actions of one rule model.

    `language`: of what the rules say to wrong answers. `first_player`: the number of the first player: 0 where programs
    read and write, in protocol, records and saved positions; 1 where people do, in scenarios and on the screen.
    """

    def __init__(self, rules: Rules, language: str = ENGLISH, *, first_player: int = 0) -> None:
        self.rules = rules
        self.first_player = first_player
        self._language = language

    @classmethod
    def for_people(cls, rules: Rules, language: str = ENGLISH) -> Notation:
        """The notation that people read and type, who count players from 1."""
        return cls(rules, language, first_player=player_number(0))

    # ---- values -------------------------------------------------------------------------------------------

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
                raise NotationError(f"{quote(data)} is not a valid answer here")

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
            raise _unknown_name(kind, name, members)
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
            raise NotationError(f"{quote(text)}: join several with ` + `, not with commas")
        match type_:
            case Bag():
                counts: dict[str, int] = {}
                for part in _split_parts(text):
                    number, _, name = part.partition(" ") if part[:1].isdigit() else ("1", "", part)
                    word, _, counted = part.partition(" ")
                    if counted and not part[:1].isdigit():
                        example = NUMBER_WORDS.index(word) if word in NUMBER_WORDS else 2
                        raise NotationError(f"{quote(word)} is not a number: write `{example} {counted.strip()}`")
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
        if isinstance(type_, Bag | SetOf) and "," not in text:
            for match in PART_PATTERN.finditer(text):
                part_error = self._value_error(match[0], type_)
                if part_error is not None:
                    errors.append(type(part_error)(str(part_error), match.span()))
        return errors or [type(error)(str(error), _stripped_range(text))]

    def _value_error(self, text: str, type_: Type) -> NotationError | None:
        try:
            self.parse_value(text, type_)
        except NotationError as error:
            return error
        return None

    # ---- actions ------------------------------------------------------------------------------------------

    def format_action(self, action: Action, is_hidden: HiddenTest | None = None) -> str:
        """An action as text."""
        if action == DECLINE:
            return DECLINE_TEXT
        definition = self.rules.actions[action.number]
        parts = [
            f"{choice.name}={self.format_value(value, choice.type, is_hidden)}"
            for choice, value in zip(definition.choices, action.values, strict=False)
            if not is_left_out(choice, value)
        ]
        if action.token is not None:
            choice = definition.choices[len(action.values)]
            parts.append(f"{choice.name}={self.format_token(choice, action.token, is_hidden)}")
        return f"{definition.name}({', '.join(parts)})" if parts else definition.name

    def format_token(self, choice: Choice, token: int, hides: HiddenTest | None = None) -> str:
        """One more piece of a bag or set that is chosen piece by piece."""
        if token == STOP_TOKEN:
            return STOP_TEXT
        if isinstance(choice.type, Bag):
            return f"+{self.bag_member_ids(choice.type.kind)[token]}"
        assert isinstance(choice.type, SetOf)
        assert choice.type.element is not None
        return f"+{self.format_value(token, choice.type.element, hides)}"

    def action_to_data(self, action: Action, hides: HiddenTest | None = None) -> ActionData:
        """An action as JSON data."""
        if action == DECLINE:
            return {"action": DECLINE_TEXT, "choose": {}}
        definition = self.rules.actions[action.number]
        choose: dict[str, AnswerData] = {
            choice.name: self.value_to_data(value, choice.type, hides)
            for choice, value in zip(definition.choices, action.values, strict=False)
            if not is_left_out(choice, value)
        }
        if action.token is not None:
            choice = definition.choices[len(action.values)]
            choose[choice.name] = self.format_token(choice, action.token, hides)
        return {"action": definition.name, "choose": choose}

    def find_action(self, name: str) -> ActionDef:
        """An action by its name; raises `NotationError`."""
        definition = self.rules.find_action(name)
        if definition is None:
            names = [action.name for action in self.rules.actions]
            raise NotationError(
                f"there is no action {quote(name)}{_suggestion(name, names)}; actions: {', '.join(names)}"
            )
        return definition

    def parse_action(self, text: str) -> Action:
        """An action from text, its last choices perhaps left open; raises `NotationError`."""
        parsed = self.try_parse_action(text)
        if isinstance(parsed, Action):
            return parsed
        raise parsed[0]

    def try_parse_action(self, text: str) -> Action | list[NotationError]:
        """What `parse_action` returns, or every error in the text, each with its range."""
        if len(text) > limits.MAX_ACTION_LENGTH:
            message = f"an action of {len(text)} characters is over the limit of {limits.MAX_ACTION_LENGTH}"
            return [NotationError(message, (0, len(text)))]
        begin, end = _stripped_range(text)
        match = ACTION_PATTERN.fullmatch(text, begin, end)
        if match is None:
            missing = text.count("(") - text.count(")")
            message = f"{quote(text)} is not an action, expected name(choice=value, …)"
            if missing:
                message = f"missing `{')' if missing > 0 else '('}` in {quote(text)}"
            return [NotationError(message, (begin, end))]
        name, arguments = match.group(1), match.group(2) or ""
        if name == DECLINE_TEXT and self.rules.find_action(name) is None:
            return DECLINE
        try:
            definition = self.find_action(name)
        except NotationError as error:
            return [NotationError(str(error), match.span(1))]
        errors: list[NotationError] = []
        answers: dict[str, str] = {}
        answer_starts: dict[str, int] = {}
        part_start = match.start(2)
        for part in re.split(r",(?=[^,]*=)", arguments) if arguments.strip() else []:
            key, equals, answer = part.partition("=")
            start, stop = _stripped_range(key)
            try:
                if not equals:
                    names = ", ".join(choice.name for choice in definition.choices) or "none"
                    raise NotationError(
                        f"expected choice=value, found {quote(part.strip())}; choices of {name}: {names}"
                    )
                choice_name = self._check_choice(definition, key.strip(), answers)
                answers[choice_name], answer_starts[choice_name] = answer, part_start + len(key) + 1
            except NotationError as error:
                errors.append(NotationError(str(error), (part_start + start, part_start + stop)))
            part_start += len(part) + 1
        for choice in definition.choices:
            answer = answers.get(choice.name, "")
            if choice.name in answers and not _is_token(answer, choice.type):
                answer_start = answer_starts[choice.name]
                for value_error in self.value_errors(answer, choice.type):
                    start, stop = value_error.text_range or (0, len(answer))
                    text_range = (answer_start + start, answer_start + stop)
                    errors.append(NotationError(self._answer_error(choice, value_error), text_range))
        if errors:
            return errors
        try:
            return self._assemble(definition, answers, self.parse_value)
        except NotationError as error:
            return [NotationError(str(error), (begin, end))]

    def action_from_data(self, data: object) -> Action:
        """An action from JSON data, or from its text; raises `NotationError`."""
        if isinstance(data, str):
            return self.parse_action(data)
        if not isinstance(data, dict) or not isinstance(data.get("action"), str):
            raise NotationError('an action must be text or {"action": name, "choose": {choice: value}}')
        if has_more_values(data, limits.MAX_ACTION_LENGTH):
            raise NotationError(f"an action with more than {limits.MAX_ACTION_LENGTH} values is over the limit")
        choose = data.get("choose", {})
        extra = sorted(set(data).difference(ACTION_KEYS))
        if extra or not isinstance(choose, dict):
            unknown = (
                f"unknown key {quote(extra[0][:40])} in an action{_suggestion(extra[0], ACTION_KEYS)}" if extra else ""
            )
            raise NotationError(unknown or '"choose" must be an object')
        if data["action"] == DECLINE_TEXT and self.rules.find_action(DECLINE_TEXT) is None:
            return DECLINE
        definition = self.find_action(data["action"])
        answers: dict[str, object] = {}
        for name, answer in choose.items():
            answers[self._check_choice(definition, name, answers)] = answer
        return self._assemble(definition, answers, self.value_from_data)

    def _check_choice(self, definition: ActionDef, name: str, answers: Container[str]) -> str:
        """The name of a choice; raises `NotationError` when there is no such choice, or an answer to it already."""
        names = [choice.name for choice in definition.choices]
        if name not in names:
            choice_list = f"; it has: {', '.join(names)}" if names else "; it has none"
            raise NotationError(f"{definition.name} has no choice {quote(name)}{_suggestion(name, names)}{choice_list}")
        if name in answers:
            raise NotationError(f"{quote(name)} is given twice")
        return name

    def _assemble(
        self, definition: ActionDef, answers: Mapping[str, Written], read: Callable[[Written, Type], RuntimeValue]
    ) -> Action:
        values: list[RuntimeValue] = []
        for index, choice in enumerate(definition.choices):
            if choice.name not in answers:
                later = next((later.name for later in definition.choices[index:] if later.name in answers), None)
                if later is not None and choice.condition is not None:
                    values.append(self._nothing(choice))
                    continue
                if later is not None:
                    raise NotationError(f"{definition.name} needs {quote(choice.name)} before {quote(later)}")
                break
            answer = answers[choice.name]
            if isinstance(answer, str) and _is_token(answer, choice.type):
                return Action(definition.index, tuple(values), self._parse_token(choice, answer.strip()))
            try:
                value = read(answer, choice.type)
            except NotationError as error:
                raise NotationError(self._answer_error(choice, error)) from None
            values.append(_sort_set(value) if isinstance(choice.type, SetOf) else value)
        return Action(definition.index, tuple(values))

    def _answer_error(self, choice: Choice, error: NotationError) -> str:
        """What is wrong with an answer: in the words of the rules where they have some for whatever is not offered."""
        is_of_thing = isinstance(choice.type, Thing)  # which is called by its id: another word is a slip
        reason = self.reason_without_value(choice) if isinstance(error, UnknownName) and not is_of_thing else ""
        return f"{choice.name}: {reason or error}"

    def reason_without_value(self, choice: Choice) -> str:
        """What the rules say to an answer that is none; empty where that depends on the position, or they do not."""
        languages = [self.rules.languages[code] for code in (self._language, ENGLISH) if code in self.rules.languages]
        sentences = [language.sentences.get(reason_address(choice.address)) for language in languages]
        parts = next((sentence.parts for sentence in sentences if sentence is not None), ())
        texts = [part for part in parts if isinstance(part, str)]
        return "".join(texts) if len(texts) == len(parts) else ""

    def _parse_token(self, choice: Choice, text: str) -> int:
        if text == STOP_TEXT:
            return STOP_TOKEN
        if isinstance(choice.type, Bag):
            return self._bag_index(choice.type.kind, text[1:].strip())
        assert isinstance(choice.type, SetOf)
        assert choice.type.element is not None
        return as_int(self.parse_value(text[1:], choice.type.element))

    def match_action(self, attempt: Action, actions: Sequence[Action]) -> Action | None:
        """The listed action that a complete attempt means: sets are compared without their order."""

        def sort_sets(action: Action) -> object:
            if action == DECLINE:
                return action
            types = [choice.type for choice in self.rules.actions[action.number].choices]
            values = [
                tuple(sorted(as_tuple(value))) if isinstance(type_, SetOf) else value
                for value, type_ in zip(action.values, types, strict=False)
            ]
            return action.number, tuple(values), action.token

        wanted = (sort_sets(attempt), sort_sets(self._complete(attempt)))
        matches = [action for action in actions if sort_sets(action) in wanted]
        return next((action for action in matches if sort_sets(action) == wanted[0]), next(iter(matches), None))

    def _complete(self, attempt: Action) -> Action:
        """An attempt with nothing for its open choices, where all of them can be left out; else as it is."""
        if attempt == DECLINE or attempt.token is not None:
            return attempt
        left = self.rules.actions[attempt.number].choices[len(attempt.values) :]
        if any(choice.condition is None for choice in left):
            return attempt
        return attempt._replace(values=(*attempt.values, *map(self._nothing, left)))

    def _nothing(self, choice: Choice) -> RuntimeValue:
        """The answer that chooses nothing."""
        return self.value_from_data({}, choice.type) if isinstance(choice.type, Bag) else ()


def is_left_out(choice: Choice, value: RuntimeValue) -> bool:
    """Whether an answer is not written: nothing was chosen, and the choice is not always there."""
    is_nothing = not any(as_tuple(value)) if isinstance(choice.type, Bag) else value == ()
    return choice.condition is not None and is_nothing


def _is_token(text: str, type_: Type) -> bool:
    """Whether a text is one piece of an answer that is given piece by piece."""
    return text.strip().startswith("+") and isinstance(type_, Bag | SetOf)


def _stripped_range(text: str) -> TextRange:
    """The range of a text without the blanks around it."""
    begin = len(text) - len(text.lstrip())
    return begin, max(begin, len(text.rstrip()))


def _split_parts(text: str) -> list[str]:
    return [] if text in (EMPTY_TEXT, "") else [part.strip() for part in text.split("+")]


def _sort_set(value: RuntimeValue) -> RuntimeValue:
    # a set of members is one set however it is written; things keep the order of their place, see `match_action`
    elements = as_tuple(value)
    return tuple(sorted(elements)) if len(set(elements)) == len(elements) else elements


def _unknown_name(what: str, name: object, names: Sequence[str]) -> NotationError:
    suggestion = _suggestion(str(name), names)
    message = f"there is no {what} {quote(name)}{suggestion}"
    if not suggestion and len(names) <= limits.MAX_LISTED_NAMES:
        message += f", only {', '.join(names)}"
    return NotationError(message) if suggestion else UnknownName(message)


def _suggestion(name: str, names: Sequence[str]) -> str:
    hint = did_you_mean(name, names)
    return f" ({hint})" if hint else ""
