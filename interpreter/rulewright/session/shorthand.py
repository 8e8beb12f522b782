"""What a person types for an action: `pair red`, `build 3`, `2 blue red`; case and accents do not matter.

In: a text, and the legal actions. Out: those among them that it can mean, the likeliest reading alone where one is
better than the others: an exact name before the beginning of one, that before the beginning of its parts. The full
notation is read too. A text that means an action of the game, but no legal one, raises `NotLegalNow` with that attempt,
so that it can be explained; any other text raises `NotationError`.

The forms: parts of a name, each perhaps only begun (`pair`, `ta pa`, `ta_pa`); answers in the order of the choices,
several pieces or things in any order, with counts before them (`2 red blue`), or only some of them; `choice=answer`
where the order leaves open what is meant; last answers may be left out, and the action's name too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import assert_never

from rulewright import limits
from rulewright.engine.state import DECLINE, Action
from rulewright.engine.value_notation import NotationError
from rulewright.engine.values import RuntimeValue, as_int
from rulewright.errors import quote
from rulewright.expr.types import Bag, Flag, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.model.actions import Choice
from rulewright.model.locale import ENGLISH
from rulewright.model.rules import DECLINE_TEXT, Rules
from rulewright.session.shorthand_matching import best_matches, says_all
from rulewright.session.typed_words import (
    EXACT,
    TypedWord,
    ValueNames,
    action_name_distance,
    collected_type,
    join_words,
    name_distance,
    split_words,
)
from rulewright.suggestions import did_you_mean


class NotLegalNow(NotationError):
    """A text that means an action of the game, which is not legal now. `attempt`: that action."""

    def __init__(self, attempt: Action, message: str) -> None:
        self.attempt = attempt
        super().__init__(message)


class InvalidAnswer(NotationError):
    """A text that names an action of the game and then something that is no answer in it. `partial_action`: the action
    with the answers before that; `word`: what is no answer, or one too many; `is_choice_name`: it is written before a
    `=` and is no choice of the action; `unread`: how many words there are from it on.
    """

    def __init__(
        self, partial_action: Action, word: str, message: str, unread: int, *, is_choice_name: bool = False
    ) -> None:
        self.partial_action = partial_action
        self.word = word
        self.unread = unread
        self.is_choice_name = is_choice_name
        super().__init__(message)


class ShorthandParser:
    """Reads what is typed, for one rule model and one language (and English, and the names in the rules).

    `by_player`: a seat is typed as the number of its player, from 1, in notation too.
    """

    def __init__(self, rules: Rules, language: str = ENGLISH, *, by_player: bool = False) -> None:
        self.rules = rules
        self.names = ValueNames(rules, language, by_player=by_player)
        self.notation = self.names.notation

    def parse(self, typed: str, legal: Sequence[Action]) -> tuple[Action, ...]:
        """The legal actions that a text can mean, at least one. Raises `NotLegalNow` or `NotationError`."""
        try:
            attempt = self.notation.parse_action(typed)
        except NotationError:
            return self._parse_short_form(typed, legal)
        matches = self._match_notation(attempt, legal)
        if not matches:  # who writes in full means what is written
            raise self._not_legal(attempt)
        return matches

    def actions_called(self, typed: str) -> frozenset[int]:
        """The numbers of the actions that a text is the name of, or the beginning of one, and nothing else."""
        try:
            words = split_words(typed)
        except NotationError:
            return frozenset()
        count = len(words)
        return frozenset(
            definition.index
            for definition in self.rules.actions
            if count and action_name_distance(definition, words, count) is not None
        )

    def says_all(self, typed: str, action: Action) -> bool:
        """Whether a text that means an action leaves nothing of it open but a payment, and abbreviates nothing."""
        with suppress(NotationError):
            attempt = self.notation.parse_action(typed)
            return len(attempt.values) == len(action.values) and attempt.token == action.token
        with suppress(NotationError):
            return says_all(self.names, split_words(typed), action)
        return False

    def _match_notation(self, attempt: Action, legal: Sequence[Action]) -> tuple[Action, ...]:
        """The legal action that an attempt is; else those that begin with the answers it has."""
        same = self.notation.match_action(attempt, legal)
        if same is not None:
            return (same,)
        if attempt == DECLINE or attempt.token is not None:
            return ()
        count = len(attempt.values)
        longer = [action for action in legal if action.number == attempt.number and len(action.values) >= count]
        begun = list(dict.fromkeys(Action(action.number, action.values[:count]) for action in longer))
        meant = self.notation.match_action(attempt, begun)
        return tuple(action for action in longer if meant is not None and action.values[:count] == meant.values)

    def _parse_short_form(self, typed: str, legal: Sequence[Action]) -> tuple[Action, ...]:
        words = split_words(typed)
        if not words:
            raise NotationError("nothing was typed")
        if typed.count("(") != typed.count(")"):
            raise NotationError("a parenthesis is missing")
        matches = best_matches(self.names, words, legal)
        if matches:
            return matches
        attempt = next(self._attempts(words), None)
        if attempt is not None:
            raise self._not_legal(attempt)
        invalid_answer = self._invalid_answer(words)
        if invalid_answer is not None:
            raise invalid_answer
        unnamed = self._unnamed_attempt(words, legal)
        if unnamed is not None:
            raise self._not_legal(unnamed)
        raise NotationError(self._no_match_message(words))

    def _not_legal(self, attempt: Action) -> NotLegalNow:
        return NotLegalNow(attempt, f"{self.notation.format_action(attempt)} is not legal now")

    # ---- what is not legal now ----------------------------------------------------------------------------

    def _attempts(self, words: Sequence[TypedWord]) -> Iterator[Action]:
        """The actions of the game that the words would mean if they were legal, the best name first."""
        if len(words) == 1 and words[0].text == DECLINE_TEXT:
            yield DECLINE
        name_matches = []
        for definition in self.rules.actions:
            for word_count in range(1, min(len(words), limits.MAX_NAME_WORDS) + 1):
                distance = action_name_distance(definition, words, word_count)
                if distance is not None:
                    name_matches.append((distance, -word_count, definition.index))
        for _, negative_count, number in sorted(name_matches):  # of the nearest names the longest first
            choices = self.rules.actions[number].choices
            for values in self._answers(choices, words[-negative_count:]):
                yield Action(number, values)

    def _unnamed_attempt(self, words: Sequence[TypedWord], legal: Sequence[Action]) -> Action | None:
        """The action whose first answer the text is, in full: one that is possible now with other answers."""
        typed = join_words(words, 0, len(words))
        for number in dict.fromkeys(action.number for action in legal if action != DECLINE):
            for choice in self.rules.actions[number].choices[:1]:
                for value in self._all_values(choice.type):
                    if typed in self.names.of_value(choice.type, value):
                        return Action(number, (value,))
        return None

    def ambiguous_attempts(self, typed: str, attempt: Action) -> tuple[Action, ...]:
        """The attempts that a text means as well as this one, which an abbreviated last answer leaves open."""
        with suppress(NotationError):
            words = split_words(typed)
            choices = self.rules.actions[attempt.number].choices if attempt != DECLINE else ()
            if attempt.values and isinstance(choices[len(attempt.values) - 1].type, Member | Thing):
                names = self.names.of_value(choices[len(attempt.values) - 1].type, attempt.values[-1])
                others = [other for other in self._attempts(words) if other.number == attempt.number]
                if not any(name_distance(words[-1].text, name) == EXACT for name in names):
                    return tuple(other for other in others if other.values[:-1] == attempt.values[:-1])
        return (attempt,)

    def _invalid_answer(self, words: Sequence[TypedWord]) -> InvalidAnswer | None:
        """The action that the text names, with the answers that can be read, and the word that cannot."""
        for word_count in range(len(words) - 1, 0, -1):
            attempts = list(islice(self._attempts(words[:word_count]), limits.MAX_NAME_WORDS))
            if not attempts:
                continue
            word, message, unread = words[word_count], self._no_match_message(words), len(words) - word_count
            # of several actions that are begun the one that has a choice of that name
            named = [one for one in attempts if one != DECLINE and self._has_choice(one, word)]
            attempt = named[0] if named else attempts[0]
            if named and word_count + 1 < len(words):
                word = TypedWord(word.text, is_choice_name=True, typed=word.typed)
            choices = self.rules.actions[attempt.number].choices if attempt != DECLINE else ()
            if word.is_choice_name and not any(name_distance(word.text, choice.name) is not None for choice in choices):
                return InvalidAnswer(attempt, str(word), message, unread, is_choice_name=True)
            if attempt != DECLINE and len(attempt.values) < len(choices):
                choice = choices[len(attempt.values)]
                reason = self.notation.reason_without_value(choice)
                message = f"{choice.name}: {reason}" if reason else message
            names_choice = word.is_choice_name and word_count + 1 < len(words)
            return InvalidAnswer(attempt, str(words[word_count + names_choice]), message, unread)
        return None

    def _has_choice(self, attempt: Action, word: TypedWord) -> bool:
        """Whether a word is the name of a choice that an attempt leaves open, or begins it before a `=`."""
        open_choices = self.rules.actions[attempt.number].choices[len(attempt.values) :]
        distances = [name_distance(word.text, choice.name) for choice in open_choices]
        return EXACT in distances or (word.is_choice_name and any(distance is not None for distance in distances))

    def _answers(self, choices: Sequence[Choice], words: Sequence[TypedWord]) -> Iterator[tuple[RuntimeValue, ...]]:
        """Values for the first choices that use up the words."""
        if not words:
            yield ()
        elif choices:
            is_named = words[0].is_choice_name and name_distance(words[0].text, choices[0].name) is not None
            start = 1 if is_named else 0
            for word_count, value in self._values(choices[0].type, words[start:]):
                for values in self._answers(choices[1:], words[start + word_count :]):
                    yield (value, *values)

    def _values(self, type_: Type, words: Sequence[TypedWord]) -> Iterator[tuple[int, RuntimeValue]]:
        """Values that begin the words, each with the number of words it uses."""
        if isinstance(type_, Bag | SetOf):
            yield from self._collections(type_, words)
        else:
            yield from self._single_values(type_, words)

    def _collections(self, type_: Bag | SetOf, words: Sequence[TypedWord]) -> Iterator[tuple[int, RuntimeValue]]:
        """The bag or set that begins the words: as many pieces as can be read."""
        element = collected_type(type_)
        if element is None or not words:
            return
        if self.names.is_nothing(words[0]):
            yield 1, self._collect(type_, [])
            return
        pieces: list[tuple[int, int]] = []  # how many of each value
        index = 0
        while index < len(words):
            has_count = isinstance(type_, Bag) and words[index].text.isdecimal() and index + 1 < len(words)
            piece = next(self._single_values(element, words[index + has_count :]), None)
            if piece is None:
                break
            word_count, value = piece
            pieces.append((int(words[index].text) if has_count else 1, as_int(value)))
            index += has_count + word_count
        if pieces:
            yield index, self._collect(type_, pieces)

    def _collect(self, type_: Bag | SetOf, pieces: Sequence[tuple[int, int]]) -> tuple[int, ...]:
        """The bag or set of such pieces."""
        if isinstance(type_, SetOf):
            return tuple(sorted({value for _, value in pieces}))
        info = self.rules.kinds[type_.kind]
        counts = [0] * len(self.notation.bag_member_ids(type_.kind))
        for count, value in pieces:
            counts[value - info.member_values[0] if info.is_numeric else value] += count
        return tuple(counts)

    def _single_values(self, type_: Type, words: Sequence[TypedWord]) -> Iterator[tuple[int, RuntimeValue]]:
        if isinstance(type_, Number):
            if words and re.fullmatch(r"-?\d{1,9}", words[0].text):
                yield 1, int(words[0].text)
            return
        matches = []
        for word_count in range(1, min(len(words), limits.MAX_NAME_WORDS) + 1):
            typed = join_words(words, 0, word_count)
            for value in self._all_values(type_) if typed else ():
                names = self.names.of_value(type_, value)
                distances = [distance for name in names if (distance := name_distance(typed, name)) is not None]
                if isinstance(type_, Thing) and typed.isdecimal():  # a thing is not meant by the number in its id
                    distances = [distance for distance in distances if distance == EXACT]
                if distances:
                    matches.append((min(distances), -word_count, value))
        matches.sort(key=lambda match: match[:2])  # of the nearest names the longest first
        yield from ((-negative_count, value) for _, negative_count, value in matches)

    def _all_values(self, type_: Type) -> Sequence[int]:
        match type_:
            case Flag():
                return (True, False)
            case Member(kind=kind):
                info = self.rules.kinds[kind]
                family = range(len(self.rules.family_members[info.family])) if not info.is_numeric else ()
                return tuple(dict.fromkeys([*info.member_values, *family]))
            case Thing(component=component):
                return range(len(self.rules.components[component].ids))
            case Number() | Bag() | SetOf() | UnknownType():
                return ()
            case _:
                assert_never(type_)

    def _no_match_message(self, words: Sequence[TypedWord]) -> str:
        if any(action_name_distance(definition, words, 1) is not None for definition in self.rules.actions):
            typed = " ".join(word.text for word in words)
            return f"{quote(typed)} matches nothing that can be chosen now"
        names = [definition.name for definition in self.rules.actions]
        hint = did_you_mean(words[0].text, names)
        more = f" ({hint})" if hint else ""
        return f"there is no action {quote(words[0].text)}{more}; actions: {', '.join(names)}"


__all__ = ["InvalidAnswer", "NotLegalNow", "ShorthandParser"]
