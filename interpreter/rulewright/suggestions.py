"""What a misspelled name was probably meant to be, and which names there are.

In: a name, and the names that are known. Out: hints for a diagnostic: `did you mean `hand`?`, `zones: hand, pile`.
A hint that replaces one word by another, a `WordHint`, has both as data beside its text; one that lists names, these.
"""

from __future__ import annotations

import heapq
import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from rulewright import limits
from rulewright.lazy_pattern import lazy_pattern
from rulewright.slips import edit_distance, is_certain_slip

MAX_MATCHES: Final = 4  # similar names that are looked at
# words here, and what they are called elsewhere; of several the first that is among the known names is meant
_MEANT_WORDS: Final[dict[str, str]] = {
    # sections and the head
    "kinds": "enum enums types",
    "parameters": "config constants consts options param params settings",
    "components": "comps entities items objects",
    "zones": "areas containers locations places regions",
    "values": "computed derived formulas functions",
    "state": "variables vars",
    "actions": "acts commands moves",
    "procedures": "functions macros subroutines",
    "finale": "aftermath cleanup ending epilogue",
    "ranking": "scoring victory winner",
    "invariants": "asserts assertions constraints",
    "measures": "metrics statistics stats",
    "files": "import imports include includes",
    # keys of entries
    "seen_by": "shown_to visibility visible visible_to",
    "at_most": "capacity limit max maximum size",
    "start": "default init initial initially",
    "per": "each owned_by",
    "holds": "contains content contents",
    "text": "desc description label",
    "why": "because error message msg reason",
    "is": "check expr expression formula test value",
    "when": "cond condition if requires where",
    "one_of": "pick select",
    "some_of": "any_of many_of several_of",
    "total": "amount count how_many",
    # steps
    "move": "deal draw give put take transfer",
    "from": "origin source",
    "to": "dest destination into onto target",
    "set": "assign change let modify override replace update",
    "roll": "random randomize",
    "reveal": "show",
    "must": "ask choose decide",
    "may": "optional optionally",
    "together": "simultaneous simultaneously",
    "end_game": "end game_over stop win",
    "winners": "winner",
    "leave": "eliminate quit",
    "run": "call exec execute invoke",
    "for_each": "for foreach loop",
    "times": "repeat",
    "while": "until",
    "lowest_first": "ascending",
    "highest_first": "descending",
    "if_unable": "else otherwise",
    "most": "highest max maximum",
    "fewest": "least lowest min minimum",
    # variants and scenarios
    "add": "append new",
    "remove": "delete omit",
    "adjust": "decrease increase increment",
    "requires": "depends needs",
    "conflicts": "excludes incompatible",
    "then": "expect expected",
    # expressions
    "some": "any exists",
    "every": "all",
    "count": "len length number size",
    "max": "maximum",
    "min": "minimum",
    "flag": "bool boolean",
    "player": "seat",
    "opponent": "adversary enemy rival",
    "owner": "me own self",
    "all": "everybody everyone players public",
    "round_number": "current_round rounds turn_number turns",
    "next": "after following left left_of successor",
    "everyone": "everybody",
    "nobody": "hidden none noone secret",
    "nothing": "none pass skip null nil",
}


def _by_foreign_word() -> dict[str, tuple[str, ...]]:
    meant: dict[str, tuple[str, ...]] = {}
    for word, others in _MEANT_WORDS.items():
        for other in others.split():
            meant[other] = (*meant.get(other, ()), word)
    return meant


FOREIGN_WORDS: Final = _by_foreign_word()
NUMBER_WORDS: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
MINUS_SIGNS: Final = ("-", "\u2212", "\u2013", "\u2010")
PRINTED_NUMBER: Final = lazy_pattern(  # with a sign of print, marks between the thousands or a unit
    r"([+\-\u2212\u2013\u2010]?) ?([0-9]{1,3}(?:[_ ',\u00a0\u202f\u2009][0-9]{3})+|[0-9]+)(?:\.0+)? ?(%|x|pts?)?"
)
_LOOK_ALIKES: Final = str.maketrans("аеорсхуіјѕԁԛԝοανικρ", "aeopcxyijsdqwoavikp")  # Cyrillic and Greek
LOOKS_LIKE: Final = {"l": 1, "I": 1, "o": 0, "O": 0}  # a digit
MIN_LENGTH_OF_BEGINNING: Final = 4
SIMILARITY: Final = 0.6  # share of the letters of two names that has to agree


class NamesHint(str):
    """A hint that lists what could be there: the first `names`, of so many (`name_count`)."""

    def __new__(cls, text: str, names: tuple[str, ...], name_count: int) -> NamesHint:
        """The hint with this text."""
        hint = super().__new__(cls, text)
        hint.names, hint.name_count = names, name_count
        return hint

    names: tuple[str, ...]
    name_count: int


class WordHint(str):
    """A hint to write `meant` where `written` is. `names`, `name_count`: what it lists besides.

    `is_certain`: nothing else can be meant, or a name is near and no other is.
    """

    def __new__(cls, text: str, written: str, meant: str, *, is_certain: bool = True) -> WordHint:
        """The hint with this text."""
        hint = super().__new__(cls, text)
        hint.written, hint.meant, hint.is_certain = written, meant, is_certain
        hint.names, hint.name_count = (), 0
        return hint

    written: str
    meant: str
    is_certain: bool
    names: tuple[str, ...]
    name_count: int

    def with_text(self, text: str, listed: NamesHint | WordHint | None = None) -> WordHint:
        """The same words, said otherwise, with the names that another hint lists."""
        hint = WordHint(text, self.written, self.meant, is_certain=self.is_certain)
        listed = listed or self
        hint.names, hint.name_count = listed.names, listed.name_count
        return hint

    def offsets_in(self, text: str) -> tuple[int, int] | None:
        """Where the word that is written is in a text; None where it is not there, or several times."""
        if text == self.written:
            return 0, len(text)
        places = [*re.finditer(rf"(?<![\w-]){re.escape(self.written)}(?![\w-])", text)]
        return places[0].span() if len(places) == 1 else None


def join_hints(*hints: str) -> str:
    """Several hints on one line; empty ones are left out. The first that replaces a word, the certain before others,
    says which.
    """
    joined = "; ".join(filter(None, hints)).replace("?; ", "? ")
    words = [hint for hint in hints if isinstance(hint, WordHint)]
    listed = next((hint for hint in hints if isinstance(hint, NamesHint | WordHint) and hint.names), None)
    if words:
        return min(words, key=lambda hint: not hint.is_certain).with_text(joined, listed)
    return joined if listed is None else NamesHint(joined, listed.names, listed.name_count)


def join_list(words: Iterable[str], conjunction: str) -> str:
    """`a, b or c`: at least one word."""
    *others, last = words
    return f"{', '.join(others)} {conjunction} {last}" if others else last


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """The hint `did you mean …?` when one of the names is close, else the empty string."""
    known = list(names)
    closest = closest_name(name, known)
    if not closest:
        return ""
    text = join_hints(f"did you mean `{closest}`?", str(describe_foreign_letter(name)))
    is_certain = name.translate(_LOOK_ALIKES) == closest or _is_certain(name, closest, known)
    return WordHint(text, name, closest, is_certain=is_certain)


def did_you_mean_word(word: str, words: Iterable[str]) -> str:
    """The same of all words that there can be: one of them with a letter left out at its end is that one."""
    known = list(words)
    hint = did_you_mean(word, known)
    if not isinstance(hint, WordHint) or hint.is_certain:
        return hint
    longer = [each for each in known if each.startswith(word)] if len(word) >= MIN_LENGTH_OF_BEGINNING else []
    is_certain = longer == [hint.meant] and len(hint.meant) == len(word) + 1
    return WordHint(hint, word, hint.meant, is_certain=is_certain)


def meant_hint(written: str, meant: str) -> str:
    """The hint `did you mean …?`, where a person has to decide; the empty string where nothing is meant."""
    return WordHint(f"did you mean `{meant}`?", written, meant, is_certain=False) if meant else ""


def _is_certain(name: str, closest: str, names: Iterable[str]) -> bool:
    """Whether a name is a slip for the closest one and for no other."""
    known = set(names)
    if len(known) > limits.MAX_COMPARED_NAMES or not is_certain_slip(name, closest):
        return False
    distance = edit_distance(name, closest)
    others = (other for other in known if other != closest and abs(len(other) - len(name)) <= distance)
    return all(edit_distance(name, other) > distance for other in others)


def describe_foreign_letter(name: str) -> str:
    """`` `о` is U+043E (cyrillic small letter o): write `o` …``; empty where all letters are plain ones."""
    letter = next((character for character in name if not character.isascii()), "")
    if not letter:
        return ""
    described = unicodedata.name(letter, "a character without a name").lower()
    shown = f"`{letter}` is " if letter.isprintable() else ""
    text = f"{shown}U+{ord(letter):04X} ({described})"
    plain = name.translate(_LOOK_ALIKES)
    if plain.isascii():
        return WordHint(f"{text}: write `{plain}` with a plain letter", name, plain)
    return f"{text}: use a to z instead"


def describe_blank(character: str) -> str:
    """`U+00A0 (no-break space)`; empty for all that is no blank, and for the ordinary space."""
    if len(character) != 1 or character.isascii() or not character.isspace():
        return ""
    return f"U+{ord(character):04X} ({unicodedata.name(character, 'a blank without a name').lower()})"


def closest_name(name: str, names: Iterable[str]) -> str:
    """The most similar of the names; the empty string when none is similar enough, because no suggestion is better than
    an absurd one.
    """
    if len(name) > limits.MAX_COMPARED_LENGTH:
        return ""
    is_digits = name.isdecimal()  # which are another number than any other, and no slip for it
    candidates = [
        each for each in names if len(each) <= limits.MAX_COMPARED_LENGTH and not (is_digits and each.isdecimal())
    ]
    if not candidates:
        return ""
    from difflib import get_close_matches  # most commands have no name that is wrong

    if name.lower() in candidates:
        return name.lower()
    number = number_word(name)
    if number is not None and str(number) in candidates:
        return str(number)
    synonym = next((word for word in FOREIGN_WORDS.get(name.lower(), ()) if word in candidates), "")
    if synonym:
        return synonym
    singular = f"{name[:-3]}y" if name.endswith("ies") else ""  # which is several letters off
    if singular in candidates:
        return singular
    end = name.rpartition(".")[2] if "." in name else ""
    if end in candidates and not any("." in one and edit_distance(name, one) == 1 for one in candidates):
        return end
    longer = [candidate for candidate in candidates if _is_part(name, candidate)]
    if len(candidates) > limits.MAX_COMPARED_NAMES:
        candidates = _likely(name, candidates)
    letters = sorted(name)
    swapped = [candidate for candidate in candidates if sorted(candidate) == letters]
    matches = [*swapped, *get_close_matches(name, candidates, MAX_MATCHES, SIMILARITY)]
    close = min((match for match in matches if _is_slip(name, match)), key=partial(edit_distance, name), default="")
    return close or (longer[0] if len(longer) == 1 else "")


def _is_part(name: str, candidate: str) -> bool:
    """Whether a name is the first or last words of another: `target` of `target_score`."""
    return len(name) > 2 and (candidate.startswith(f"{name}_") or candidate.endswith(f"_{name}"))


def _is_slip(name: str, candidate: str) -> bool:
    """Whether a name can be a slip for another: the same letters or words in another order, or few edits."""
    if "." in name and "." in candidate:
        name, candidate = _differing_parts(name, candidate)
    if sorted(name) == sorted(candidate) or sorted(name.split("_")) == sorted(candidate.split("_")):
        return True
    if name in candidate or candidate in name:
        return True
    same_start, length = name[:1] == candidate[:1], max(len(name), len(candidate))
    if length <= 3 and len(name) == len(candidate) and not same_start:
        return False  # in so short a word another first letter makes another word
    allowed = 2 if length <= 4 and same_start else max(1, length // 3)
    return edit_distance(name, candidate) <= allowed


def _differing_parts(left: str, right: str) -> tuple[str, str]:
    """Two addresses without the names at the beginning and end that they share, which make nothing more alike."""
    lefts, rights = left.split("."), right.split(".")
    for end in (0, -1):
        while len(lefts) > 1 and len(rights) > 1 and lefts[end] == rights[end]:
            lefts.pop(end)
            rights.pop(end)
    return ".".join(lefts), ".".join(rights)


def _likely(name: str, candidates: list[str]) -> list[str]:
    """The candidates of similar length that have most in common with `name` at both ends: a full comparison is slow."""
    # outside these lengths too few letters can agree
    shortest, longest = len(name) * SIMILARITY / (2 - SIMILARITY), len(name) * (2 - SIMILARITY) / SIMILARITY
    first, last = name[:1], name[-1:]
    plausible = [
        candidate
        for candidate in candidates
        if shortest <= len(candidate) <= longest and (candidate[:1] == first or candidate[-1:] == last)
    ]
    ends = [(name[:size], name[-size:], size) for size in (1, 2, 4, 8)]

    def distance(candidate: str) -> tuple[int, int]:
        differences = sum((candidate[:size] != start) + (candidate[-size:] != end) for start, end, size in ends)
        return differences, abs(len(candidate) - len(name))

    return heapq.nsmallest(limits.MAX_COMPARED_NAMES, plausible, key=distance)


def is_number(word: str) -> bool:
    """Whether a word is digits, no more of them than a number of rules has."""
    return word.isdecimal() and len(word) <= limits.MAX_NUMBER_DIGITS


def number_word(word: str) -> int | None:
    """The number that a word or digits name."""
    if is_number(word):
        return int(word)
    return NUMBER_WORDS.index(word.lower()) if word.lower() in NUMBER_WORDS else None


def letter_for_digit(text: str) -> str:
    """The hint for a letter that looks like a digit, where it stands alone; empty for any other text."""
    return f"a letter: write the digit `{LOOKS_LIKE[text]}`" if text in LOOKS_LIKE else ""


def number_hint(text: str, *, is_quoted: bool = False) -> str:
    """For a text where a number is needed, `three`, `player 2`: the number that it means; empty where it means none.

    `is_quoted`: in quotation marks, so that a number is no number.
    """
    if is_number(text):
        return f"write {int(text)} without quotation marks" if is_quoted else ""
    number = number_word(text)
    if number is not None:
        return WordHint(f"write {number}", text, str(number))
    printed = PRINTED_NUMBER.fullmatch(text)
    if printed is not None and is_number(digits := re.sub("[^0-9]", "", printed[2])):
        plain = f"{'-' if printed[1] in MINUS_SIGNS else ''}{int(digits)}"
        return WordHint(f"write {plain}", text, plain, is_certain=not printed[3])
    words = text.split()
    numbers = [each for each in map(number_word, words) if each is not None]
    return f"write {numbers[0]}" if len(words) == 2 and len(numbers) == 1 else ""


def snake_case(name: str) -> str:
    """`goalCards` as names are written here: `goal_cards`."""
    return re.sub("(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def list_names(heading: str, names: Iterable[str]) -> str:
    """`fields: a, b, c`; a long list is cut after `limits.MAX_LISTED_NAMES`."""
    listed = list(names)
    if not listed:
        return f"{heading}: none"
    more = f", … ({len(listed)} in all)" if len(listed) > limits.MAX_LISTED_NAMES else ""
    text = f"{heading}: {', '.join(listed[: limits.MAX_LISTED_NAMES])}{more}"
    return NamesHint(text, tuple(listed[: limits.MAX_EXPECTED_NAMES]), len(listed))


def unknown_name_hint(name: str, heading: str, names: Iterable[str]) -> Callable[[], str]:
    """The hint for an unknown name: the closest known one and a list of all; computed only when it is shown."""

    def hint() -> str:
        known = list(names)
        return join_hints(did_you_mean(name, known), list_names(heading, known))

    return hint


__all__ = [
    "NUMBER_WORDS",
    "NamesHint",
    "WordHint",
    "closest_name",
    "describe_blank",
    "describe_foreign_letter",
    "did_you_mean",
    "did_you_mean_word",
    "is_number",
    "join_hints",
    "join_list",
    "letter_for_digit",
    "list_names",
    "meant_hint",
    "number_hint",
    "number_word",
    "snake_case",
    "unknown_name_hint",
]
