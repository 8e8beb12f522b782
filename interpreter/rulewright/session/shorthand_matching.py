"""Which of the legal actions a typed text means: each gets a score, and the best are meant.

In: the words of a text, and legal actions. Out: the likeliest actions. The words must all be used; a score counts the
answers that were left out and adds up how far words are from names.

Example: `take re blue` for `take(pieces=2 red + 1 blue)`: `take` is the name itself, `re` the beginning of one
(distance 1), and one of two red pieces is missing, so that it is a part of the answer: an action with just
`red + blue` would win.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, assert_never

from rulewright import limits
from rulewright.engine.state import DECLINE, STOP_TOKEN, Action
from rulewright.engine.values import RuntimeValue, as_int, as_tuple
from rulewright.expr.types import SEAT, Bag, Flag, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.model.actions import Choice, Pay
from rulewright.model.rules import DECLINE_TEXT
from rulewright.session.typed_words import (
    EXACT,
    PART_PREFIXES,
    TypedWord,
    ValueNames,
    action_name_distance,
    collected_type,
    join_words,
    name_distance,
)

STOP_WORD: Final = "stop"
# how far a part of an answer of several is from it: any whole answer of the action is nearer
PARTIAL_ANSWER_PENALTY: Final = 100

Ends = dict[int, int]  # index of the first word behind an answer -> distance of the words before it


class MatchScore(NamedTuple):
    """How well a text matches an action; less is better. `is_unnamed`: 1 when the text does not name it."""

    is_unnamed: int
    skipped_answers: int
    distance: int


class _NameMatch(NamedTuple):
    """How the first words name an action; none of them may, where the action is left unnamed."""

    is_unnamed: int
    word_count: int
    distance: int


class _Answer(NamedTuple):
    """What a legal action answers to a choice; a token is one more piece for it."""

    choice: Choice
    value: RuntimeValue
    is_token: bool


def best_matches(names: ValueNames, words: Sequence[TypedWord], legal: Sequence[Action]) -> tuple[Action, ...]:
    """The legal actions that the words mean, if any."""
    matcher = _ActionMatcher(names, words)
    scored = [(action, score) for action in legal if (score := matcher.score(action)) is not None]
    if not scored:
        return ()
    is_unnamed, skipped = min(score[:2] for _, score in scored)
    scored = [(action, score) for action, score in scored if score[:2] == (is_unnamed, skipped)]
    # a whole answer is meant rather than a part of one: of the same action, or of any where none is named
    whole = {action.number for action, score in scored if score.distance < PARTIAL_ANSWER_PENALTY}
    scored = [
        (action, score)
        for action, score in scored
        if score.distance < PARTIAL_ANSWER_PENALTY or not (whole if is_unnamed else action.number in whole)
    ]
    best: dict[int, int] = {}
    for action, score in scored:
        group = action.number if is_unnamed else 0  # where no action is named, none is better than another
        best[group] = min(score.distance % PARTIAL_ANSWER_PENALTY, best.get(group, PARTIAL_ANSWER_PENALTY))
    return tuple(
        action
        for action, score in scored
        if score.distance % PARTIAL_ANSWER_PENALTY == best[action.number if is_unnamed else 0]
    )


def says_all(names: ValueNames, words: Sequence[TypedWord], action: Action) -> bool:
    """Whether the words are the whole names of an action and of its answers; a payment may be left out."""
    if action == DECLINE:
        return len(words) == 1 and words[0].text == DECLINE_TEXT
    return _ActionMatcher(names, words).says_all(action)


class _ActionMatcher:
    """Scores one typed text against one action after another."""

    def __init__(self, names: ValueNames, words: Sequence[TypedWord]) -> None:
        self.names = names
        self.rules = names.rules
        self.words = words
        self._name_matches: dict[int, list[_NameMatch]] = {}  # by number of the action
        self._known_ends: dict[tuple[int, str, RuntimeValue, bool], Ends] = {}

    def score(self, action: Action) -> MatchScore | None:
        """How well the text matches an action; None when it does not."""
        if action == DECLINE:
            return self._score_decline()
        answers = self._answers(action)
        scores = [
            MatchScore(is_unnamed, skipped, distance + answers_distance)
            for is_unnamed, word_count, distance in self._match_name(action.number)
            for skipped, answers_distance in self._match_answers(word_count, answers)
        ]
        return min(scores, default=None)

    def says_all(self, action: Action) -> bool:
        """Whether the text names the action and all its answers in full, but perhaps a payment."""
        return any(
            not is_unnamed and distance == EXACT and self._names_all(word_count, self._answers(action))
            for is_unnamed, word_count, distance in self._match_name(action.number)
        )

    def _names_all(self, start: int, answers: Sequence[_Answer]) -> bool:
        """Whether the words from `start` on are the answers, in full."""
        if not answers:
            return start == len(self.words)
        answer, *rest = answers
        if isinstance(answer.choice.domain, Pay) and self._names_all(start, rest):
            return True
        if start == len(self.words):
            return False
        word = self.words[start]
        return (not word.is_choice_name or word.text == answer.choice.name) and any(
            distance == EXACT and self._names_all(end, rest)
            for end, distance in self._answer_ends(start + word.is_choice_name, answer).items()
        )

    def _answers(self, action: Action) -> list[_Answer]:
        """What an action answers, choice by choice."""
        choices = self.rules.actions[action.number].choices
        answers = [
            _Answer(choice, value, is_token=False) for choice, value in zip(choices, action.values, strict=False)
        ]
        if action.token is not None:
            answers.append(_Answer(choices[len(action.values)], action.token, is_token=True))
        return answers

    def _score_decline(self) -> MatchScore | None:
        if len(self.words) != 1 or self.words[0].is_choice_name:
            return None
        distance = name_distance(self.words[0].text, DECLINE_TEXT)
        return None if distance is None else MatchScore(0, 0, distance)

    def _match_name(self, number: int) -> list[_NameMatch]:
        if number not in self._name_matches:
            definition = self.rules.actions[number]
            named = [
                _NameMatch(0, word_count, distance)
                for word_count in range(1, min(len(self.words), limits.MAX_NAME_WORDS) + 1)
                if (distance := action_name_distance(definition, self.words, word_count)) is not None
            ]
            self._name_matches[number] = [*named, _NameMatch(1, 0, 0)]
        return self._name_matches[number]

    def _match_answers(self, start: int, answers: Sequence[_Answer]) -> Iterator[tuple[int, int]]:
        """The ways in which the words from `start` on match answers: how many answers are skipped, and the distance."""
        if start == len(self.words):
            yield 0, 0
            return
        if not answers:
            return
        answer, *rest = answers
        word = self.words[start]
        if not word.is_choice_name or name_distance(word.text, answer.choice.name) is not None:
            for end, distance in self._answer_ends(start + word.is_choice_name, answer).items():
                yield from ((skipped, distance + more) for skipped, more in self._match_answers(end, rest))
        yield from ((skipped + 1, distance) for skipped, distance in self._match_answers(start, rest))

    def _answer_ends(self, start: int, answer: _Answer) -> Ends:
        """Where an answer that begins at a word can end."""
        key = (start, answer.choice.address, answer.value, answer.is_token)
        if key not in self._known_ends:
            type_, value = answer.choice.type, answer.value
            find_ends = self._token_ends if answer.is_token else self._value_ends
            self._known_ends[key] = find_ends(start, type_, value)
        return self._known_ends[key]

    def _token_ends(self, start: int, type_: Type, value: RuntimeValue) -> Ends:
        token = as_int(value)
        if token == STOP_TOKEN:
            return {start + 1: 0} if start < len(self.words) and self.words[start].text == STOP_WORD else {}
        element = collected_type(type_)
        return {} if element is None else self._name_ends(start, element, self._member_value(type_, token))

    def _value_ends(self, start: int, type_: Type, value: RuntimeValue) -> Ends:
        element = collected_type(type_)
        match type_:
            case Bag() if element is not None:
                counts = enumerate(as_tuple(value))
                pieces = {self._member_value(type_, index): count for index, count in counts if count}
                return self._pieces_ends(start, element, pieces, counted=True)
            case SetOf() if element is not None:
                return self._pieces_ends(start, element, dict.fromkeys(as_tuple(value), 1), counted=False)
            case Flag() | Number() | Member() | Thing() | Bag() | SetOf() | UnknownType():
                return self._name_ends(start, type_, value)
            case _:
                assert_never(type_)

    def _member_value(self, type_: Type, index: int) -> int:
        """The value of a member from its index in a bag; an element of a set is its own value."""
        if not isinstance(type_, Bag):
            return index
        info = self.rules.kinds[type_.kind]
        return index + info.member_values[0] if info.is_numeric else index

    def _name_ends(self, start: int, type_: Type, value: RuntimeValue) -> Ends:
        """Where the name of a single value can end."""
        ends: Ends = {}
        names = self.names.of_value(type_, value)
        # 1 is not the beginning of 10, and a thing is not meant by the number in its id: numbers are those of a list
        is_whole = isinstance(type_, Number | Thing) or type_ == SEAT
        for end in range(start + 1, min(start + limits.MAX_NAME_WORDS, len(self.words)) + 1):
            typed = join_words(self.words, start, end)
            if not typed:
                continue
            distances = [distance for name in names if (distance := name_distance(typed, name)) is not None]
            if typed.lstrip("-").isdecimal():
                allowed = (EXACT,) if is_whole else (EXACT, PART_PREFIXES)
                distances = [distance for distance in distances if distance in allowed]
            if distances:
                ends[end] = min(distances)
        return ends

    def _pieces_ends(self, start: int, type_: Type, pieces: dict[int, int], *, counted: bool) -> Ends:
        """Where pieces or things in any order can end, no others; at the last word it can be a part of them.

        A search breadth first: a node is the next word and how many of each piece are not named yet; each step names
        one piece more, and of several ways to a node only the nearest is kept.
        """
        if not pieces:
            return {start + 1: 0} if start < len(self.words) and self.names.is_nothing(self.words[start]) else {}
        values = tuple(pieces)
        frontier = {(start, tuple(pieces.values())): 0}
        ends: Ends = {}
        while frontier:
            reached: dict[tuple[int, tuple[int, ...]], int] = {}
            for (position, missing), distance in frontier.items():
                if not any(missing):
                    ends[position] = min(distance, ends.get(position, distance))
                    continue
                if start < position == len(self.words):
                    partial = distance + PARTIAL_ANSWER_PENALTY
                    ends[position] = min(partial, ends.get(position, partial))
                    continue
                for end, index, count, more in self._next_pieces(position, type_, values, missing, counted):
                    node = (end, (*missing[:index], missing[index] - count, *missing[index + 1 :]))
                    reached[node] = min(distance + more, reached.get(node, distance + more))
            frontier = reached
        return ends

    def _next_pieces(
        self, start: int, type_: Type, values: tuple[int, ...], missing: tuple[int, ...], counted: bool
    ) -> Iterator[tuple[int, int, int, int]]:
        """The pieces that can be named next: where the name ends, which piece, how many of it, and the distance."""
        if start >= len(self.words):
            return
        count = 1
        if counted and self.words[start].text.isdecimal() and start + 1 < len(self.words):
            count, start = int(self.words[start].text), start + 1
        for index, value in enumerate(values):
            if 0 < count <= missing[index]:
                for end, distance in self._name_ends(start, type_, value).items():
                    yield end, index, count, distance


__all__ = ["best_matches", "says_all"]
