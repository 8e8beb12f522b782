"""Actions and values as text and JSON: `build(tile=…, payment=2 red + 1 blue)`.

In: run-time values and their types, or text, or JSON data. Out: the other form. Reading is the reverse of writing; what
cannot be read raises `NotationError` with the nearest names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Final, TypedDict, TypeVar

from rulewright import limits
from rulewright.document.text_addresses import reason_address
from rulewright.engine.state import DECLINE, STOP_TOKEN, Action
from rulewright.engine.value_notation import (
    AnswerData,
    HiddenTest,
    NotationError,
    UnknownName,
    ValueNotation,
    stripped_range,
)
from rulewright.engine.values import RuntimeValue, as_int, as_tuple
from rulewright.errors import quote
from rulewright.expr.types import Bag, SetOf, Thing, Type
from rulewright.json_values import has_more_values
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.actions import ActionDef, Choice
from rulewright.model.locale import ENGLISH
from rulewright.model.rules import DECLINE_TEXT
from rulewright.suggestions import did_you_mean, join_hints, list_names

COLON_BEFORE: Final = lazy_pattern(r"^[a-z_][a-z0-9_]*: ")  # a choice, before its answer
ACTION_PATTERN: Final = lazy_pattern(r"([a-z][a-z0-9_]*)\s*(?:\((.*)\))?", re.DOTALL)
STOP_TEXT: Final = "+stop"
ACTION_NAME: Final = lazy_pattern(r"[a-z][a-z0-9_]*")
ACTION_KEYS: Final = ("action", "choose")  # of an action as JSON data

Written = TypeVar("Written")  # how an answer is written: text or JSON data


class ActionData(TypedDict):
    """An action as JSON data: its name, and its answers by choice."""

    action: str
    choose: dict[str, AnswerData]


class Notation(ValueNotation):
    """Writes and reads the actions of one rule model, and the values in them."""

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
            hint = join_hints(did_you_mean(name, names), list_names("actions", names))
            raise NotationError(f"there is no action {quote(name)}", hint=hint)
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
        begin, end = stripped_range(text)
        match = ACTION_PATTERN.fullmatch(text, begin, end)
        if match is None:
            missing = text.count("(") - text.count(")")
            message, hint = f"{quote(text)} is not an action, expected name(choice=value, …)", self._form_hint(text)
            if missing:
                message, hint = f"missing `{')' if missing > 0 else '('}` in {quote(text)}", ""
            return [NotationError(message, (begin, end), hint=hint)]
        name, arguments = match.group(1), match.group(2) or ""
        if name == DECLINE_TEXT and self.rules.find_action(name) is None:
            return DECLINE
        try:
            definition = self.find_action(name)
        except NotationError as error:
            return [error.moved(match.span(1))]
        errors: list[NotationError] = []
        answers: dict[str, str] = {}
        answer_starts: dict[str, int] = {}
        part_start = match.start(2)
        for part in re.split(r",(?=[^,]*=)", arguments) if arguments.strip() else []:
            key, equals, answer = part.partition("=")
            start, stop = stripped_range(key)
            try:
                if not equals:
                    message = f"expected choice=value, found {quote(part.strip())}"
                    raise NotationError(message, hint=_choices_hint(definition, arguments))
                choice_name = self._check_choice(definition, key.strip(), answers)
                answers[choice_name], answer_starts[choice_name] = answer, part_start + len(key) + 1
            except NotationError as error:
                errors.append(error.moved((part_start + start, part_start + stop)))
            part_start += len(part) + 1
        for choice in definition.choices:
            answer = answers.get(choice.name, "")
            if choice.name in answers and not _is_token(answer, choice.type):
                answer_start = answer_starts[choice.name]
                for value_error in self.value_errors(answer, choice.type):
                    start, stop = value_error.text_range or (0, len(answer))
                    text_range = (answer_start + start, answer_start + stop)
                    errors.append(self._answer_error(choice, value_error).moved(text_range))
        if errors:
            return errors
        try:
            return self._assemble(definition, answers, self.parse_value)
        except NotationError as error:
            return [error.moved((begin, end))]

    def _form_hint(self, text: str) -> str:
        """How an action is written whose name begins a text in another form."""
        word = ACTION_NAME.match(text)
        definition = self.rules.find_action(word[0]) if word else None
        return "" if definition is None else f"write `{_form(definition)}`"

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
            message = f"unknown key {quote(extra[0][:40])} in an action" if extra else '"choose" must be an object'
            raise NotationError(message, hint=did_you_mean(extra[0], ACTION_KEYS) if extra else "")
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
            hint = join_hints(did_you_mean(name, names), list_names("choices", names))
            raise NotationError(f"{definition.name} has no choice {quote(name)}", hint=hint)
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
                raise self._answer_error(choice, error) from None
            values.append(_sort_set(value) if isinstance(choice.type, SetOf) else value)
        return Action(definition.index, tuple(values))

    def _answer_error(self, choice: Choice, error: NotationError) -> NotationError:
        """What is wrong with an answer: in the words of the rules where they have some for whatever is not offered."""
        is_of_thing = isinstance(choice.type, Thing)  # which is called by its id: another word is a slip
        reason = self.reason_without_value(choice) if isinstance(error, UnknownName) and not is_of_thing else ""
        if reason:
            return NotationError(f"{choice.name}: {reason}")
        return NotationError(f"{choice.name}: {error.message}", hint=error.hint)

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


def _form(definition: ActionDef, answers: Sequence[str] = ()) -> str:
    """How an action is written; `…` where no answer is given."""
    written = [*answers, *["…"] * len(definition.choices)]
    choices = (f"{choice.name}={answer}" for choice, answer in zip(definition.choices, written, strict=False))
    return f"{definition.name}({', '.join(choices)})" if definition.choices else definition.name


def _choices_hint(definition: ActionDef, arguments: str) -> str:
    """How answers are written whose choices are not named: in order, several of one choice with plus signs."""
    if not definition.choices:
        return f"{definition.name} has no choices: write `{definition.name}`"
    answers = [part.strip() for part in arguments.strip("[](){} ").split(",")] if "=" not in arguments else []
    answers = [COLON_BEFORE.sub("", answer) for answer in answers]
    if len(definition.choices) == 1 and isinstance(definition.choices[0].type, Bag | SetOf):
        answers = [" + ".join(answers)]
    text = _form(definition, answers if len(answers) == len(definition.choices) else ())
    return f"write `{text}`" if len(text) <= limits.MAX_QUOTED_EXPRESSION else f"write `{_form(definition)}`"


def is_left_out(choice: Choice, value: RuntimeValue) -> bool:
    """Whether an answer is not written: nothing was chosen, and the choice is not always there."""
    is_nothing = not any(as_tuple(value)) if isinstance(choice.type, Bag) else value == ()
    return choice.condition is not None and is_nothing


def _is_token(text: str, type_: Type) -> bool:
    """Whether a text is one piece of an answer that is given piece by piece."""
    return text.strip().startswith("+") and isinstance(type_, Bag | SetOf)


def _sort_set(value: RuntimeValue) -> RuntimeValue:
    # a set of members is one set however it is written; things keep the order of their place, see `match_action`
    elements = as_tuple(value)
    return tuple(sorted(elements)) if len(set(elements)) == len(elements) else elements
