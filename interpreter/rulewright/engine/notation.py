"""How positions' numbers are written for people and programs: `build(tile=…, payment=2 red + 1 blue)` and its JSON.

In: values of the engine and their types, or texts. Out: the other. Reading is the reverse of writing; what cannot be
read raises `NotationError` with the nearest names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final, TypedDict

from rulewright import limits
from rulewright.engine.state import DECLINE, STOP_TOKEN, Action
from rulewright.engine.values import as_tuple
from rulewright.errors import RulewrightError
from rulewright.expr.types import Bag, Flag, Member, Number, SetOf, Thing, Type
from rulewright.model.rules import ActionDef, Choice, Rules
from rulewright.suggestions import did_you_mean

ACTION_PATTERN: Final = re.compile(r"([a-z][a-z0-9_]*)\s*(?:\((.*)\))?", re.DOTALL)
PART_PATTERN: Final = re.compile(r"[^+\s](?:[^+]*[^+\s])?")  # of an answer joined with ` + `
DECLINE_TEXT: Final = "decline"
STOP_TEXT: Final = "+stop"
EMPTY_TEXT: Final = "nothing"
HIDDEN_TEXT: Final = "?"

HiddenTest = Callable[[str, int], bool]  # component and thing -> whether a reader may not know which thing it is


TextRange = tuple[int, int]  # characters of a text

AnswerData = bool | int | str | list["AnswerData"] | dict[str, int]  # an answer as JSON data; a bag counts by member


class ActionData(TypedDict):
    """An action as JSON data: its name, and its answers by choice."""

    action: str
    choose: dict[str, AnswerData]


class NotationError(RulewrightError):
    """A text or JSON value that names no action, choice or value of the game; `at`: where in a text."""

    def __init__(self, message: str, at: TextRange | None = None) -> None:
        self.text_range = at
        super().__init__(message)


class Notation:
    """Writes and reads the values and actions of one rule model."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    # ---- values -------------------------------------------------------------------------------------------

    def bag_member_ids(self, kind: str) -> dict[int, str]:
        """For each place in a bag of the kind's family the id of its member."""
        info = self.rules.kinds[kind]
        return dict(enumerate(self.rules.family_members[info.family]))

    def member_id(self, kind: str, number: int) -> str:
        """The id of a member."""
        info = self.rules.kinds[kind]
        if number in info.member_values:
            return info.members[info.member_values.index(number)]
        return self.rules.family_members[info.family][number]  # of a kind beside it: a wish outside the domain

    def value_to_data(self, value: Any, type_: Type, hides: HiddenTest | None = None) -> Any:
        """A value as plain JSON data."""
        match type_:
            case Member(kind="seat") | Number():
                return int(value)
            case Flag():
                return bool(value)
            case Member(kind=kind):
                return value if self.rules.kinds[kind].is_numeric else self.member_id(kind, value)
            case Thing(component=component):
                return HIDDEN_TEXT if hides and hides(component, value) else self.rules.components[component].ids[value]
            case Bag(kind=kind):
                names = self.bag_member_ids(kind) if kind else {}
                return {names[at]: count for at, count in enumerate(value) if count}
            case SetOf(element=of) if of is not None:
                return [self.value_to_data(one, of, hides) for one in value]
            case _:
                return []

    def format_value(self, value: Any, type_: Type, hides: HiddenTest | None = None) -> str:
        """A value as text."""
        data = self.value_to_data(value, type_, hides)
        if isinstance(data, dict):
            return " + ".join(f"{count} {name}" for name, count in data.items()) or EMPTY_TEXT
        if isinstance(data, list):
            return " + ".join(map(str, data)) or EMPTY_TEXT
        return str(data).lower() if isinstance(data, bool) else str(data)

    def value_from_data(self, data: Any, type_: Type) -> Any:
        """A value from JSON data."""
        match type_:
            case Flag() if isinstance(data, bool):
                return data
            case Member(kind="seat") if _whole(data):
                return self._seat(data)
            case Number() if _whole(data):
                return data
            case Member(kind=kind):
                return self._member(kind, str(data) if _whole(data) else data)
            case Thing(component=component) if isinstance(data, str):
                ids = self.rules.components[component].ids
                if data not in ids:
                    raise NotationError(f"no {component} is called {data!r}{_did_you(data, ids)}")
                return ids.index(data)
            case Bag(kind=kind) if isinstance(data, dict):
                counts = [0] * len(self.bag_member_ids(kind))
                for name, count in data.items():
                    if not _whole(count) or count < 0:
                        raise NotationError(f"{count!r} is no number of {name!r}")
                    counts[self._at(kind, name)] += count
                return tuple(counts)
            case SetOf(element=of) if isinstance(data, list) and of is not None:
                return tuple(self.value_from_data(one, of) for one in data)
            case _:
                raise NotationError(f"{data!r} is not the kind of answer that is wanted here")

    def _seat(self, number: int) -> int:
        if not 0 <= number < self.rules.players:
            raise NotationError(f"seat {number} does not play: seats are 0 to {self.rules.players - 1}")
        return number

    def _member(self, kind: str, name: Any) -> int:
        info = self.rules.kinds[kind]
        family = self.rules.family_members[info.family]
        if name not in info.members and name in family and not info.is_numeric:
            return family.index(name)  # another kind of the family: readable, though hardly legal
        if name not in info.members:
            raise NotationError(f"no {kind} is called {name!r}{_did_you(str(name), info.members)}")
        return info.member_values[info.members.index(name)]

    def _at(self, kind: str, name: str) -> int:
        """The place of a member in a bag."""
        number, info = self._member(kind, name), self.rules.kinds[kind]
        return number - info.member_values[0] if info.is_numeric else number

    def parse_value(self, text: str, type_: Type) -> Any:
        """A value from text."""
        text = text.strip()
        if isinstance(type_, Bag | SetOf) and "," in text:
            raise NotationError(f"{text!r}: several are joined with ` + `, not with commas")
        match type_:
            case Bag():
                counts: dict[str, int] = {}
                for part in _parts(text):
                    number, _, name = part.partition(" ") if part[:1].isdigit() else ("1", "", part)
                    if not number.isdecimal() or len(number) > 9:
                        raise NotationError(f"{part!r} is no number of something")
                    counts[name.strip()] = counts.get(name.strip(), 0) + int(number)
                return self.value_from_data(counts, type_)
            case SetOf(element=of) if of is not None:
                return tuple(self.parse_value(part, of) for part in _parts(text))
            case Flag():
                if text not in ("true", "false"):
                    raise NotationError(f"{text!r} is neither true nor false")
                return text == "true"
            case Number() | Member(kind="seat"):
                if not re.fullmatch(r"-?[0-9]{1,9}", text):
                    raise NotationError(f"{text!r} is no number")
                return self.value_from_data(int(text), type_)
            case _:
                return self.value_from_data(text, type_)

    def value_errors(self, text: str, type_: Type) -> list[NotationError]:
        """All that keeps a text from being a value, each with its stretch; nothing when it is one."""
        try:
            self.parse_value(text, type_)
        except NotationError as error:
            parts = []
            if isinstance(type_, Bag | SetOf) and "," not in text:
                for match in PART_PATTERN.finditer(text):
                    parts += [NotationError(str(one), match.span()) for one in self._each(match[0], type_)]
            return parts or [NotationError(str(error), _within(text))]
        return []

    def _each(self, part: str, type_: Type) -> list[NotationError]:
        try:
            self.parse_value(part, type_)
        except NotationError as error:
            return [error]
        return []

    # ---- actions ------------------------------------------------------------------------------------------

    def format_action(self, action: Action, is_hidden: HiddenTest | None = None) -> str:
        """An action as text."""
        if action == DECLINE:
            return DECLINE_TEXT
        definition = self.rules.actions[action.number]
        parts = [
            f"{choice.name}={self.format_value(value, choice.type, is_hidden)}"
            for choice, value in zip(definition.choices, action.values, strict=False)
        ]
        if action.token is not None:
            choice = definition.choices[len(action.values)]
            parts.append(f"{choice.name}={self.format_token(choice, action.token, is_hidden)}")
        return f"{definition.name}({', '.join(parts)})" if parts else definition.name

    def format_token(self, choice: Choice, token: int, hides: HiddenTest | None = None) -> str:
        """One piece more of a bag or set that is put together piece by piece."""
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
        }
        if action.token is not None:
            choice = definition.choices[len(action.values)]
            choose[choice.name] = self.format_token(choice, action.token, hides)
        return {"action": definition.name, "choose": choose}

    def find_action(self, name: str) -> ActionDef:
        """An action by its name."""
        found = self.rules.find_action(name)
        if found is None:
            names = [one.name for one in self.rules.actions]
            raise NotationError(f"no action is called {name!r}{_did_you(name, names)}; there are: {', '.join(names)}")
        return found

    def parse_action(self, text: str) -> Action:
        """An action, or a wish whose last choices are left open, from text."""
        found = self.try_parse_action(text)
        if isinstance(found, Action):
            return found
        raise found[0]

    def try_parse_action(self, text: str) -> Action | list[NotationError]:
        """An action as `parse` gives it, or all that is wrong with the text, each with its stretch."""
        if len(text) > limits.MAX_ACTION_LENGTH:
            message = f"an action of {len(text)} characters; {limits.MAX_ACTION_LENGTH} are allowed"
            return [NotationError(message, (0, len(text)))]
        begin, end = _within(text)
        match = ACTION_PATTERN.fullmatch(text, begin, end)
        if match is None:
            message = f"{text!r} is not written like an action: name(choice=value, …)"
            return [NotationError(message, (begin, end))]
        name, inside = match.group(1), match.group(2)
        if name == DECLINE_TEXT and self.rules.find_action(name) is None:
            return DECLINE
        try:
            definition = self.find_action(name)
        except NotationError as error:
            return [NotationError(str(error), match.span(1))]
        wrong: list[NotationError] = []
        given: dict[str, str] = {}
        spots: dict[str, int] = {}  # where the answer to each choice begins
        at = match.start(2)
        for part in re.split(r",(?=[^,]*=)", inside) if (inside or "").strip() else []:
            key, equals, value = part.partition("=")
            start, stop = _within(key)
            try:
                if not equals:
                    names = ", ".join(choice.name for choice in definition.choices) or "none"
                    raise NotationError(f"{part.strip()!r} should be choice=value; the choices of {name}: {names}")
                choice = self._choice(definition, key.strip(), given)
                given[choice], spots[choice] = value, at + len(key) + 1
            except NotationError as error:
                wrong.append(NotationError(str(error), (at + start, at + stop)))
            at += len(part) + 1
        for one in definition.choices:
            value = given.get(one.name, "")
            if one.name in given and not _is_piece(value, one.type):
                for fault in self.value_errors(value, one.type):
                    start, stop = fault.text_range or (0, len(value))
                    spot = spots[one.name]
                    wrong.append(NotationError(f"{one.name}: {fault}", (spot + start, spot + stop)))
        if wrong:
            return wrong
        try:
            return self._assemble(definition, given, self.parse_value)
        except NotationError as error:
            return [NotationError(str(error), (begin, end))]

    def action_from_data(self, data: Any) -> Action:
        """An action from JSON data, or from its text."""
        if isinstance(data, str):
            return self.parse_action(data)
        if not isinstance(data, dict) or not isinstance(data.get("action"), str):
            raise NotationError('an action is written {"action": name, "choose": {choice: value}} or as text')
        choose = data.get("choose", {})
        extra = sorted(set(data) - {"action", "choose"})
        if extra or not isinstance(choose, dict):
            raise NotationError(f"an action has no {extra[0]!r}" if extra else '"choose" is an object')
        if data["action"] == DECLINE_TEXT and self.rules.find_action(DECLINE_TEXT) is None:
            return DECLINE
        definition = self.find_action(data["action"])
        given: dict[str, Any] = {}
        for key, value in choose.items():
            given[self._choice(definition, key, given)] = value
        return self._assemble(definition, given, self.value_from_data)

    def _choice(self, definition: ActionDef, name: str, given: dict[str, Any]) -> str:
        names = [choice.name for choice in definition.choices]
        if name not in names:
            there = f"; it has: {', '.join(names)}" if names else "; it has none"
            raise NotationError(f"{definition.name} has no choice {name!r}{_did_you(name, names)}{there}")
        if name in given:
            raise NotationError(f"{name!r} is given twice")
        return name

    def _assemble(self, definition: ActionDef, given: dict[str, Any], read: Callable[[Any, Type], Any]) -> Action:
        values: list[Any] = []
        for at, choice in enumerate(definition.choices):
            if choice.name not in given:
                later = next((one.name for one in definition.choices[at:] if one.name in given), None)
                if later is not None:
                    raise NotationError(f"{definition.name} needs {choice.name!r} before {later!r}")
                break
            value = given[choice.name]
            if isinstance(value, str) and _is_piece(value, choice.type):
                return Action(definition.index, tuple(values), self._token(choice, value.strip()))
            try:
                values.append(self._in_order(read(value, choice.type), choice.type))
            except NotationError as error:
                raise NotationError(f"{choice.name}: {error}") from None
        return Action(definition.index, tuple(values))

    def _in_order(self, value: Any, type_: Type) -> Any:
        # a set of members is one set however it is written; things keep the order of their place, see `matching`
        return tuple(sorted(value)) if isinstance(type_, SetOf) and len(set(value)) == len(value) else value

    def _token(self, choice: Choice, text: str) -> int:
        if text == STOP_TEXT:
            return STOP_TOKEN
        if isinstance(choice.type, Bag):
            return self._at(choice.type.kind, text[1:].strip())
        assert isinstance(choice.type, SetOf)
        assert choice.type.element is not None
        token = self.parse_value(text[1:], choice.type.element)
        assert isinstance(token, int)
        return token

    def match_action(self, attempt: Action, actions: Sequence[Action]) -> Action | None:
        """The listed action that a complete wish means: sets are compared without their order."""

        def key(action: Action) -> Any:
            if action == DECLINE:
                return action
            types = [choice.type for choice in self.rules.actions[action.number].choices]
            values = [
                tuple(sorted(as_tuple(value))) if isinstance(type_, SetOf) else value
                for value, type_ in zip(action.values, types, strict=False)
            ]
            return action.number, tuple(values), action.token

        wanted = key(attempt)
        return next((action for action in actions if key(action) == wanted), None)


def _whole(data: Any) -> bool:
    return isinstance(data, int) and not isinstance(data, bool)


def _is_piece(text: str, type_: Type) -> bool:
    """Whether it is one piece of an answer that is put together piece by piece."""
    return text.strip().startswith("+") and isinstance(type_, Bag | SetOf)


def _within(text: str) -> TextRange:
    """Where a text stands between the blanks around it."""
    begin = len(text) - len(text.lstrip())
    return begin, max(begin, len(text.rstrip()))


def _parts(text: str) -> list[str]:
    return [] if text in (EMPTY_TEXT, "") else [part.strip() for part in text.split("+")]


def _did_you(name: str, names: Sequence[str]) -> str:
    hint = did_you_mean(name, names)
    return f" ({hint.replace('`', '')})" if hint else ""
