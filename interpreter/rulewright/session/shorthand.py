"""What a person types for an action: `pair red`, `build 3`, `2 blue red`; case and accents do not matter.

In: a text, and the legal actions. Out: those among them that it can mean, the likeliest reading alone where one is
better than the others: an exact name before the beginning of one, that before the beginning of its parts. The full
notation is read too. What fits no legal action, but makes an action of the game, raises `NotLegalNow` with that wish,
so that it can be explained; any other text raises `NotationError`.

The forms: parts of a name, each perhaps only begun (`pair`, `ta pa`, `ta_pa`); answers in the order of the choices,
several pieces or things in any order, with counts before them (`2 red blue`), or only some of them; `choice=answer`
where the order leaves open what is meant; last answers may be left out, and the action's name too.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

from rulewright import limits
from rulewright.engine.notation import DECLINE_TEXT, EMPTY_TEXT, Notation, NotationError
from rulewright.engine.state import DECLINE, STOP_TOKEN, Action
from rulewright.expr.types import Bag, Flag, Member, Number, SetOf, Thing, Type
from rulewright.model.locale import player_number
from rulewright.model.rules import ActionDef, Choice, Rules
from rulewright.suggestions import did_you_mean

SEPARATORS: Final = re.compile(r"[\s,;:+&()\[\]]+")
COUNT_PATTERN: Final = re.compile(r"(\d{1,9})[x×*]?([^\W\d]\w*)?")
EXACT, PREFIX, PART_PREFIXES = 0, 1, 2
PARTIAL_ANSWER_PENALTY: Final = (
    100  # how far a part of an answer of several is from it: any whole answer of the action is nearer
)


class NotLegalNow(NotationError):
    """A text that means an action of the game, which is not legal now. `wish`: that action."""

    def __init__(self, attempt: Action, message: str) -> None:
        self.attempt = attempt
        super().__init__(message)


class InvalidAnswer(NotationError):
    """A text that names an action of the game and then something that is no answer in it. `begun`: the action with the
    answers before that; `word`: what is no answer.
    """

    def __init__(self, begun: Action, word: str, message: str) -> None:
        self.partial_action = begun
        self.word = word
        super().__init__(message)


class ReadingScore(NamedTuple):
    """How well a text fits an action; less is better. `unnamed`: 1 when it does not name it."""

    unnamed: int
    skipped_answers: int  # answers that were passed over
    distance: int  # how far its words are from the names


@dataclass(frozen=True, slots=True)
class TypedWord:
    """A word as it was typed, in its simplest letters. `key`: it names the choice that the next word answers."""

    text: str
    is_choice_name: bool = False


def normalize(text: str) -> str:
    """A text in its simplest letters: small ones, without accents, words joined by `_`."""
    plain = "".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one))
    return re.sub(r"[-\s'’_]+", "_", plain.casefold()).strip("_")


def split_words(text: str) -> list[TypedWord]:
    """The words of a text. Raises `NotationError` for one that is too long."""
    if len(text) > limits.MAX_SHORTHAND_LENGTH:
        raise NotationError(f"a text of {len(text)} characters; {limits.MAX_SHORTHAND_LENGTH} are read")
    found: list[TypedWord] = []
    for part in SEPARATORS.split(text.replace("=", "= ")):
        if not part:
            continue
        if part.endswith("="):
            if part != "=":
                found.append(TypedWord(normalize(part[:-1]), is_choice_name=True))
            elif found:
                found[-1] = TypedWord(found[-1].text, is_choice_name=True)
            continue
        counted = COUNT_PATTERN.fullmatch(part)
        if counted is not None and counted[2]:
            found += [TypedWord(counted[1]), TypedWord(normalize(counted[2]))]
        elif counted is not None:
            found.append(TypedWord(counted[1]))
        else:
            found.append(TypedWord(part if re.fullmatch(r"-\d{1,9}", part) else normalize(part)))
    if len(found) > limits.MAX_SHORTHAND_WORDS:
        raise NotationError(f"{len(found)} words; {limits.MAX_SHORTHAND_WORDS} are read")
    return [word for word in found if word.text]


@lru_cache(maxsize=100_000)
def name_distance(typed: str, name: str) -> int | None:
    """How far what was typed is from a name: 0 the same, 1 its beginning, 2 beginnings of its parts; None: no fit."""
    if typed == name:
        return EXACT
    if name.startswith(typed):
        return PREFIX
    parts = iter(name.split("_"))
    return PART_PREFIXES if all(any(part.startswith(one) for part in parts) for one in typed.split("_")) else None


class ShorthandParser:
    """Reads what is typed, for one rule model and one language (and English, and the names in the rules).

    `by_player`: a seat is typed as the number of its player, from 1.
    """

    def __init__(self, rules: Rules, language: str = "en", *, by_player: bool = False) -> None:
        self.rules = rules
        self.by_player = by_player
        self.notation = Notation(rules)
        spoken = [rules.languages[code] for code in dict.fromkeys((language, "en")) if code in rules.languages]
        self._spoken = spoken
        self._called: dict[str, tuple[str, ...]] = {}
        self._things: dict[tuple[str, int], tuple[str, ...]] = {}
        self._empty = {EMPTY_TEXT, "0", *(normalize(one.messages["nothing"]) for one in spoken)}
        self._yes = {"true", "yes", *(normalize(one.messages["yes"]) for one in spoken)}
        self._no = {"false", "no", *(normalize(one.messages["no"]) for one in spoken)}

    def parse(self, typed: str, legal: Sequence[Action]) -> tuple[Action, ...]:
        """The legal actions that a text can mean, at least one. Raises `NotLegalNow` or `NotationError`."""
        exact, refused = self._exact(typed, legal)
        if exact:
            return exact
        if refused is not None:  # who writes in full means what is written
            raise NotLegalNow(refused, f"{self.notation.format_action(refused)} is not legal now")
        words = split_words(typed)
        if not words:
            raise NotationError("nothing was typed")
        found = self._likeliest(words, legal)
        if found:
            return found
        attempt = next(self._attempts(words), None)
        if attempt is not None:
            raise NotLegalNow(attempt, f"{self.notation.format_action(attempt)} is not legal now")
        begun = self._begun(words)
        if begun is not None:
            raise InvalidAnswer(*begun, self._no_match_message(words))
        raise NotationError(self._no_match_message(words))

    # ---- the full notation --------------------------------------------------------------------------------

    def _exact(self, typed: str, legal: Sequence[Action]) -> tuple[tuple[Action, ...], Action | None]:
        """What the full notation means among the legal actions, or the wish that it means instead."""
        try:
            attempt = self.notation.parse_action(typed)
        except NotationError:
            return (), None
        same = self.notation.match_action(attempt, legal)
        if same is not None:
            return (same,), None
        if attempt == DECLINE or attempt.token is not None:
            return (), attempt
        made = len(attempt.values)
        longer = [one for one in legal if one.number == attempt.number and len(one.values) >= made]
        cut = {Action(one.number, one.values[:made]): None for one in longer}
        meant = self.notation.match_action(attempt, list(cut))
        found = tuple(one for one in longer if meant is not None and one.values[:made] == meant.values)
        return found, attempt

    # ---- among the legal actions --------------------------------------------------------------------------

    def _likeliest(self, words: Sequence[TypedWord], legal: Sequence[Action]) -> tuple[Action, ...]:
        reading = _Reading(self, words)
        fits = [(action, fit) for action in legal if (fit := reading.fit(action)) is not None]
        if not fits:
            return ()
        unnamed, skipped = min(fit[:2] for _, fit in fits)
        fits = [(action, fit) for action, fit in fits if fit[:2] == (unnamed, skipped)]
        # a whole answer is meant rather than a part of one: of the same action, or of any where none is named
        whole = {action.number for action, fit in fits if fit.distance < PARTIAL_ANSWER_PENALTY}
        fits = [
            (action, fit)
            for action, fit in fits
            if fit.distance < PARTIAL_ANSWER_PENALTY or not (whole if unnamed else action.number in whole)
        ]
        best: dict[int, int] = {}
        for action, fit in fits:
            group = action.number if unnamed else 0  # where no action is named, none is better than another
            best[group] = min(fit.distance % PARTIAL_ANSWER_PENALTY, best.get(group, PARTIAL_ANSWER_PENALTY))
        return tuple(
            action
            for action, fit in fits
            if fit.distance % PARTIAL_ANSWER_PENALTY == best[action.number if unnamed else 0]
        )

    def member_names(self, name: str) -> tuple[str, ...]:
        """What a member or thing is called: by the rules, and in the languages."""
        if name not in self._called:
            spelled = [form for one in self._spoken for form in one.member_names.get(name, ())]
            self._called[name] = tuple(dict.fromkeys([normalize(name), *map(normalize, spelled)]))
        return self._called[name]

    def value_names(self, type_: Type, value: Any) -> tuple[str, ...]:
        """What a single value is called."""
        match type_:
            case Flag():
                return tuple(sorted(self._yes if value else self._no))
            case Member(kind="seat"):
                return (str(player_number(value) if self.by_player else value),)
            case Number():
                return (str(value),)
            case Member(kind=kind):
                return self.member_names(self.notation.member_id(kind, value))
            case Thing(component=component):
                return self._thing(component, value)
            case _:
                return ()

    def _thing(self, component: str, thing: int) -> tuple[str, ...]:
        """A thing's id, and what its row is called in the languages."""
        known = self._things.get((component, thing))
        if known is None:
            definition = self.rules.components[component]
            name = definition.ids[thing]
            sentences = [one.sentences.get(f"{definition.address}.rows.{name}") for one in self._spoken]
            parts = [[part for part in one.parts if isinstance(part, str)] for one in sentences if one is not None]
            spelled = [normalize("".join(some)) for some in parts]
            known = self._things[component, thing] = tuple(
                dict.fromkeys([*self.member_names(name), *filter(None, spelled)])
            )
        return known

    def is_nothing(self, word: TypedWord) -> bool:
        """Whether a word says that nothing is chosen."""
        return word.text in self._empty

    # ---- what is not legal, and what is nothing -----------------------------------------------------------

    def _attempts(self, words: Sequence[TypedWord]) -> Iterator[Action]:
        """The actions of the game that the words would mean if they were legal, the best name first."""
        if len(words) == 1 and words[0].text == DECLINE_TEXT:
            yield DECLINE
        heads = []
        for definition in self.rules.actions:
            for used in range(1, min(len(words), limits.MAX_NAME_WORDS) + 1):
                loose = action_name_distance(definition, words, used)
                if loose is not None:
                    heads.append((loose, -used, definition.index))
        for _, used, number in sorted(heads):
            definition = self.rules.actions[number]
            for values in self._answers(definition.choices, words[-used:]):
                yield Action(number, values)

    def _begun(self, words: Sequence[TypedWord]) -> tuple[Action, str] | None:
        """The action that the text names, with the answers that can be read, and the word that cannot."""
        for used in range(len(words) - 1, 0, -1):
            for attempt in self._attempts(words[:used]):
                choices = self.rules.actions[attempt.number].choices if attempt != DECLINE else ()
                if len(attempt.values) < len(choices):
                    return attempt, words[used].text
        return None

    def _answers(self, choices: Sequence[Choice], words: Sequence[TypedWord]) -> Iterator[tuple[Any, ...]]:
        """Values for the first choices that use up the words."""
        if not words:
            yield ()
        elif choices:
            at = 1 if words[0].is_choice_name and name_distance(words[0].text, choices[0].name) is not None else 0
            for used, value in self._values(choices[0].type, words[at:]):
                for rest in self._answers(choices[1:], words[at + used :]):
                    yield (value, *rest)

    def _values(self, type_: Type, words: Sequence[TypedWord]) -> Iterator[tuple[int, Any]]:
        """Values that begin the words, each with the number of words it uses; several pieces use as many as fit."""
        if isinstance(type_, Bag | SetOf):
            one = Member(type_.kind) if isinstance(type_, Bag) else type_.element
            if one is None or not words:
                return
            if self.is_nothing(words[0]):
                yield 1, self._gathered(type_, [])
                return
            pieces: list[tuple[int, Any]] = []
            at = 0
            while at < len(words):
                counted = isinstance(type_, Bag) and words[at].text.isdecimal() and at + 1 < len(words)
                single = next(self._single(one, words[at + counted :]), None)
                if single is None:
                    break
                pieces.append((int(words[at].text) if counted else 1, single[1]))
                at += counted + single[0]
            if pieces:
                yield at, self._gathered(type_, pieces)
            return
        yield from self._single(type_, words)

    def _gathered(self, type_: Bag | SetOf, pieces: Sequence[tuple[int, Any]]) -> tuple[int, ...]:
        if isinstance(type_, SetOf):
            return tuple(sorted(dict.fromkeys(value for _, value in pieces)))
        info = self.rules.kinds[type_.kind]
        counts = [0] * len(self.notation.bag_member_ids(type_.kind))
        for count, value in pieces:
            counts[value - info.member_values[0] if info.is_numeric else value] += count
        return tuple(counts)

    def _single(self, type_: Type, words: Sequence[TypedWord]) -> Iterator[tuple[int, Any]]:
        if isinstance(type_, Number):
            if words and re.fullmatch(r"-?\d{1,9}", words[0].text):
                yield 1, int(words[0].text)
            return
        found = []
        for used in range(1, min(len(words), limits.MAX_NAME_WORDS) + 1):
            typed = join_words(words, 0, used)
            for value in self._all(type_) if typed else ():
                loose = [
                    one
                    for one in (name_distance(typed, name) for name in self.value_names(type_, value))
                    if one is not None
                ]
                if loose:
                    found.append((min(loose), -used, value))
        yield from ((-used, value) for _, used, value in sorted(found, key=lambda one: one[:2]))

    def _all(self, type_: Type) -> Sequence[Any]:
        match type_:
            case Flag():
                return (True, False)
            case Member(kind=kind):
                info = self.rules.kinds[kind]
                others = range(len(self.rules.family_members[info.family])) if not info.is_numeric else ()
                return tuple(dict.fromkeys([*info.member_values, *others]))
            case Thing(component=component):
                return range(len(self.rules.components[component].ids))
            case _:
                return ()

    def _no_match_message(self, words: Sequence[TypedWord]) -> str:
        names = [one.name for one in self.rules.actions]
        if any(action_name_distance(one, words, 1) is not None for one in self.rules.actions):
            spelled = " ".join(word.text for word in words)
            return f"{spelled!r} fits nothing that can be chosen now"
        hint = did_you_mean(words[0].text, names).replace("`", "")
        more = f" ({hint})" if hint else ""
        return f"no action is called {words[0].text!r}{more}; there are: {', '.join(names)}"


def join_words(words: Sequence[TypedWord], start: int, end: int) -> str:
    """Some words as one name; empty when one of them names a choice."""
    some = words[start:end]
    return "" if any(word.is_choice_name for word in some) else "_".join(word.text for word in some)


def action_name_distance(definition: ActionDef, words: Sequence[TypedWord], used: int) -> int | None:
    """How far the first words are from the name of an action."""
    typed = join_words(words, 0, used)
    return name_distance(typed, definition.name) if typed else None


class _Reading:
    """One typed text, held against one action after another."""

    def __init__(self, shorthand: ShorthandParser, words: Sequence[TypedWord]) -> None:
        self.shorthand = shorthand
        self.words = words
        self.heads: dict[int, list[tuple[int, int, int]]] = {}  # by action: unnamed, words used, looseness
        self.known: dict[Any, dict[int, int]] = {}

    def fit(self, action: Action) -> ReadingScore | None:
        """How well the text fits an action; None when it does not."""
        words = self.words
        if action == DECLINE:
            loose = (
                name_distance(words[0].text, DECLINE_TEXT) if len(words) == 1 and not words[0].is_choice_name else None
            )
            return None if loose is None else ReadingScore(0, 0, loose)
        definition = self.shorthand.rules.actions[action.number]
        if action.number not in self.heads:
            named = [
                (0, used, loose)
                for used in range(1, min(len(words), limits.MAX_NAME_WORDS) + 1)
                if (loose := action_name_distance(definition, words, used)) is not None
            ]
            self.heads[action.number] = [*named, (1, 0, 0)]
        choices = definition.choices[: len(action.values)]
        given: list[tuple[Choice, Any, bool]] = [
            (choice, value, False) for choice, value in zip(choices, action.values, strict=True)
        ]
        if action.token is not None:
            given.append((definition.choices[len(action.values)], action.token, True))
        fits = [
            ReadingScore(unnamed, skipped, loose + more)
            for unnamed, used, loose in self.heads[action.number]
            for skipped, more in self._rest(used, given)
        ]
        return min(fits, default=None)

    def _rest(self, at: int, given: Sequence[tuple[Choice, Any, bool]]) -> Iterator[tuple[int, int]]:
        """How well the words from `at` on fit the answers: answers passed over, and looseness."""
        if at == len(self.words):
            yield 0, 0
            return
        if not given:
            return
        choice, value, is_token = given[0]
        start = at
        word = self.words[at]
        if word.is_choice_name:
            if name_distance(word.text, choice.name) is None:
                start = -1
            else:
                start += 1
        if start >= 0:
            for end, loose in self._taken(start, choice, value, is_token).items():
                yield from ((skipped, loose + more) for skipped, more in self._rest(end, given[1:]))
        yield from ((skipped + 1, more) for skipped, more in self._rest(at, given[1:]))

    def _taken(self, at: int, choice: Choice, value: Any, is_token: bool) -> dict[int, int]:
        """Where an answer that begins at a word can end, each with its looseness."""
        key = (at, choice.address, value, is_token)
        if key not in self.known:
            self.known[key] = self._found(at, choice.type, value, is_token)
        return self.known[key]

    def _found(self, at: int, type_: Type, value: Any, is_token: bool) -> dict[int, int]:
        if is_token:
            if value == STOP_TOKEN:
                stops = at < len(self.words) and self.words[at].text == "stop"
                return {at + 1: 0} if stops else {}
            one = Member(type_.kind) if isinstance(type_, Bag) else getattr(type_, "element", None)
            return {} if one is None else self._single(at, one, self._member(type_, value))
        match type_:
            case Bag(kind=kind):
                pieces = {self._member(type_, place): count for place, count in enumerate(value) if count}
                return self._several(at, Member(kind), pieces, counted=True)
            case SetOf(element=of) if of is not None:
                return self._several(at, of, dict.fromkeys(value, 1), counted=False)
            case _:
                return self._single(at, type_, value)

    def _member(self, type_: Type, place: int) -> int:
        """The member at a place of a bag."""
        if not isinstance(type_, Bag):
            return place
        info = self.shorthand.rules.kinds[type_.kind]
        return place + info.member_values[0] if info.is_numeric else place

    def _single(self, at: int, type_: Type, value: Any) -> dict[int, int]:
        found: dict[int, int] = {}
        names = self.shorthand.value_names(type_, value)
        strict = isinstance(type_, Number) or type_ == Member("seat")  # 1 is not the beginning of 10
        for end in range(at + 1, min(at + limits.MAX_NAME_WORDS, len(self.words)) + 1):
            typed = join_words(self.words, at, end)
            fits = [one for one in (name_distance(typed, name) for name in names) if one is not None] if typed else []
            if typed.lstrip("-").isdecimal():
                fits = [one for one in fits if one == EXACT or (not strict and one == PART_PREFIXES)]
            if fits:
                found[end] = min(fits)
        return found

    def _several(self, at: int, type_: Type, pieces: dict[int, int], *, counted: bool) -> dict[int, int]:
        """Pieces or things in any order, no others; where the words end, it can be a part of them."""
        if not pieces:
            return {at + 1: 0} if at < len(self.words) and self.shorthand.is_nothing(self.words[at]) else {}
        order = tuple(pieces)
        layer = {(at, tuple(pieces.values())): 0}
        done: dict[int, int] = {}
        while layer:
            further: dict[tuple[int, tuple[int, ...]], int] = {}
            for (here, left), cost in layer.items():
                if not any(left):
                    done[here] = min(cost, done.get(here, cost))
                    continue
                if at < here == len(self.words):
                    done[here] = min(cost + PARTIAL_ANSWER_PENALTY, done.get(here, cost + PARTIAL_ANSWER_PENALTY))
                    continue
                for end, number, count, loose in self._one_more(here, type_, order, left, counted):
                    rest = (*left[:number], left[number] - count, *left[number + 1 :])
                    further[end, rest] = min(cost + loose, further.get((end, rest), cost + loose))
            layer = further
        return done

    def _one_more(
        self, at: int, type_: Type, order: tuple[int, ...], left: tuple[int, ...], counted: bool
    ) -> Iterator[tuple[int, int, int, int]]:
        if at >= len(self.words):
            return
        count, start = 1, at
        if counted and self.words[at].text.isdecimal() and at + 1 < len(self.words):
            count, start = int(self.words[at].text), at + 1
        for number, value in enumerate(order):
            if 0 < count <= left[number]:
                for end, loose in self._single(start, type_, value).items():
                    yield end, number, count, loose


__all__ = ["InvalidAnswer", "NotLegalNow", "ShorthandParser", "normalize"]
