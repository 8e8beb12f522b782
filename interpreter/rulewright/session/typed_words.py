"""The words that somebody typed, what values are called, and how far one is from the other.

In: a text; rules and languages. Out: words in their simplest letters, the names of a value, distances between the two.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, assert_never

from rulewright import limits
from rulewright.engine.notation import Notation
from rulewright.engine.value_notation import EMPTY_TEXT, NotationError
from rulewright.engine.values import RuntimeValue, as_int
from rulewright.expr.types import Bag, Flag, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.frozen import field, frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.actions import ActionDef
from rulewright.model.locale import ENGLISH
from rulewright.model.rules import Rules

SEPARATORS: Final = lazy_pattern(r"[\s,;:+&()\[\]]+")
COUNT_PATTERN: Final = lazy_pattern(r"(\d{1,9})[x×*]?([^\W\d]\w*)?")
NEGATIVE_NUMBER: Final = lazy_pattern(r"-\d{1,9}")
EXACT, PREFIX, PART_PREFIXES = 0, 1, 2  # distances of a typed name


@frozen
class TypedWord:
    """A word as it was typed, in its simplest letters. `is_choice_name`: it names the choice that the next word
    answers; `typed`: with its own letters.
    """

    text: str
    is_choice_name: bool = False
    typed: str = field(default="", compare=False)

    def __str__(self) -> str:
        return self.typed or self.text


def normalize(text: str) -> str:
    """A text in its simplest letters: small ones, without accents, words joined by `_`. A raised 2 is no 2."""
    plain = "".join(char for char in unicodedata.normalize("NFD", text) if not unicodedata.combining(char))
    return re.sub(r"[-\s'’_]+", "_", plain.casefold()).strip("_")


def split_words(text: str) -> list[TypedWord]:
    """The words of a text. Raises `NotationError` for one that is too long."""
    if len(text) > limits.MAX_SHORTHAND_LENGTH:
        raise NotationError(f"{len(text)} characters are over the limit of {limits.MAX_SHORTHAND_LENGTH}")
    words: list[TypedWord] = []
    for part in SEPARATORS.split(text.replace("=", "= ")):
        if not part:
            continue
        if part.endswith("="):
            if part != "=":
                words.append(TypedWord(normalize(part[:-1]), is_choice_name=True, typed=part[:-1]))
            elif words:
                words[-1] = TypedWord(words[-1].text, is_choice_name=True, typed=words[-1].typed)
            continue
        counted = COUNT_PATTERN.fullmatch(part)
        if counted is not None and counted[2]:
            words += [TypedWord(counted[1]), TypedWord(normalize(counted[2]), typed=counted[2])]
        elif counted is not None:
            words.append(TypedWord(counted[1]))
        else:
            words.append(TypedWord(part if NEGATIVE_NUMBER.fullmatch(part) else normalize(part), typed=part))
    if len(words) > limits.MAX_SHORTHAND_WORDS:
        raise NotationError(f"{len(words)} words are over the limit of {limits.MAX_SHORTHAND_WORDS}")
    return [word for word in words if word.text]


def join_words(words: Sequence[TypedWord], start: int, end: int) -> str:
    """Some words as one name; empty when one of them names a choice."""
    joined = words[start:end]
    return "" if any(word.is_choice_name for word in joined) else "_".join(word.text for word in joined)


@lru_cache(maxsize=100_000)
def name_distance(typed: str, name: str) -> int | None:
    """How far what was typed is from a name: 0 the same, 1 its beginning, 2 beginnings of its parts; None: no match."""
    if typed == name:
        return EXACT
    if name.startswith(typed):
        return PREFIX
    parts = iter(name.split("_"))
    is_match = all(any(part.startswith(prefix) for part in parts) for prefix in typed.split("_"))
    return PART_PREFIXES if is_match else None


def action_name_distance(definition: ActionDef, words: Sequence[TypedWord], word_count: int) -> int | None:
    """How far the first words are from the name of an action."""
    typed = join_words(words, 0, word_count)
    return name_distance(typed, definition.name) if typed else None


def collected_type(type_: Type) -> Member | Thing | Number | None:
    """The type of the elements of a bag or set; None for anything else."""
    match type_:
        case Bag(kind=kind):
            return Member(kind)
        case SetOf(element=element):
            return element
        case Flag() | Number() | Member() | Thing() | UnknownType():
            return None
        case _:
            assert_never(type_)


class ValueNames:
    """What values are called in one game: in the rules, in one language, and in English.

    `by_player`: a seat is the number of its player, from 1.
    """

    def __init__(self, rules: Rules, language: str, *, by_player: bool) -> None:
        self.rules = rules
        self.notation = Notation.for_people(rules, language) if by_player else Notation(rules, language)
        self._languages = [
            rules.languages[code] for code in dict.fromkeys((language, ENGLISH)) if code in rules.languages
        ]
        self._member_names: dict[str, tuple[str, ...]] = {}
        self._thing_names: dict[tuple[str, int], tuple[str, ...]] = {}
        self._empty = {EMPTY_TEXT, "0", *self._messages("nothing")}
        self._yes = {"true", "yes", *self._messages("yes")}
        self._no = {"false", "no", *self._messages("no")}

    def _messages(self, key: str) -> list[str]:
        return [normalize(language.messages[key]) for language in self._languages]

    def is_nothing(self, word: TypedWord) -> bool:
        """Whether a word says that nothing is chosen."""
        return word.text in self._empty

    def of_value(self, type_: Type, value: RuntimeValue) -> tuple[str, ...]:
        """What a single value is called."""
        match type_:
            case Flag():
                return tuple(sorted(self._yes if value else self._no))
            case Number():
                return (str(value),)
            case Member(kind=kind):
                return self.of_member(self.notation.member_id(kind, as_int(value)))
            case Thing(component=component):
                return self._of_thing(component, as_int(value))
            case Bag() | SetOf() | UnknownType():
                return ()
            case _:
                assert_never(type_)

    def of_member(self, member: str) -> tuple[str, ...]:
        """What a member or thing of this id is called."""
        if member not in self._member_names:
            translated = [form for language in self._languages for form in language.member_names.get(member, ())]
            names = [normalize(member), *map(normalize, translated)]
            self._member_names[member] = tuple(dict.fromkeys(names))
        return self._member_names[member]

    def _of_thing(self, component: str, thing: int) -> tuple[str, ...]:
        """A thing's id, and what its row is called in the languages."""
        key = (component, thing)
        if key not in self._thing_names:
            definition = self.rules.components[component]
            thing_id = definition.ids[thing]
            address = f"{definition.address}.rows.{thing_id}"
            sentences = [language.sentences.get(address) for language in self._languages]
            texts = [
                normalize("".join(part for part in sentence.parts if isinstance(part, str)))
                for sentence in sentences
                if sentence is not None
            ]
            names = [*self.of_member(thing_id), *self._with_member_names(thing_id), *filter(None, texts)]
            self._thing_names[key] = tuple(dict.fromkeys(names))
        return self._thing_names[key]

    def _with_member_names(self, thing_id: str) -> Iterator[str]:
        """A thing's id with other names of the members that are parts of it: `top_red_2` is `top_rouge_2` too."""
        parts = thing_id.split("_")
        for language in self._languages:
            forms = [language.member_names.get(part, (part,)) for part in parts]
            for number in range(max(map(len, forms))):
                yield normalize("_".join(names[min(number, len(names) - 1)] for names in forms))


__all__ = [
    "EXACT",
    "PART_PREFIXES",
    "TypedWord",
    "ValueNames",
    "action_name_distance",
    "collected_type",
    "join_words",
    "name_distance",
    "normalize",
    "split_words",
]
