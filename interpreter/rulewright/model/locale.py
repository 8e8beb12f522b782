"""The connecting words around those of the rules, and the answers to an attempted action, in English and French.

In: a locale. Out: messages by key, and plural rules; what people call a seat. A game may override messages; in a locale
that neither has they are English.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from rulewright.document.game_files import ENGLISH
from rulewright.suggestions import NUMBER_WORDS

ENGLISH_MESSAGES: Final[Mapping[str, str]] = {
    "and": "and",
    "or": "or",
    "nothing": "nothing",
    "player": "player",
    "yes": "yes",
    "no": "no",
    "hidden": "hidden",
    # the answer to an attempted action, and why it is not legal
    "legal": "{action} is legal for player {seat}.",
    "not_legal": "{action} is not legal for player {seat}:",
    "values": "values",
    "source": "source",
    "status": "status",
    "rule": "rule",
    "file": "file",
    "game_over": "The game is over.",
    "chance_awaited": "The game is waiting for chance.",
    "seat_decides": "It is player {seat}'s turn.",
    "not_optional": "Declining is not allowed here.",
    "complete_first": "{action} must be completed first.",
    "piece_by_piece": "{choice} is answered piece by piece.",
    "offered": "What can be done now, at {step}: {offers}.",
    "can_be": "{choice} can be: {answers}.",
    "nothing_to_choose": "There is nothing to choose for {choice}.",
    "must_hold": "Required: {clause}.",
}
FRENCH_MESSAGES: Final[Mapping[str, str]] = {
    "and": "et",
    "or": "ou",
    "nothing": "rien",
    "player": "joueur",
    "yes": "oui",
    "no": "non",
    "hidden": "caché",
    "legal": "{action} est permis au joueur {seat}.",
    "not_legal": "{action} n'est pas permis au joueur {seat} :",
    "values": "valeurs",
    "source": "source",
    "status": "statut",
    "rule": "règle",
    "file": "fichier",
    "game_over": "La partie est terminée.",
    "chance_awaited": "On attend le hasard.",
    "seat_decides": "C'est au joueur {seat} de choisir.",
    "not_optional": "On ne peut pas s'en abstenir ici.",
    "complete_first": "Il faut d'abord achever {action}.",
    "piece_by_piece": "{choice} : on répond pièce par pièce.",
    "offered": "Ce qu'on peut faire maintenant, à {step} : {offers}.",
    "can_be": "{choice} peut être : {answers}.",
    "nothing_to_choose": "Il n'y a rien à choisir pour {choice}.",
    "must_hold": "Condition requise : {clause}.",
}
BUILTIN_MESSAGES: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {ENGLISH: ENGLISH_MESSAGES, "fr": FRENCH_MESSAGES}
)
PLURAL_RULES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({ENGLISH: ("n is 1",), "fr": ("n < 2",)})


_ORDINALS_FROM_SECOND: Final[Mapping[str, str]] = {
    ENGLISH: "second third fourth fifth sixth seventh eighth ninth tenth",
    "fr": "deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième",
}
_NUMBERS_FROM_TWO: Final[Mapping[str, str]] = {
    ENGLISH: " ".join(NUMBER_WORDS[2:]),
    "fr": "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit"
    " dix-neuf vingt",
    "de": "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn"
    " achtzehn neunzehn zwanzig",
    "es": "dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete"
    " dieciocho diecinueve veinte",
    "it": "due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici"
    " diciassette diciotto diciannove venti",
    "nl": "twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien"
    " achttien negentien twintig",
    "pt": "dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito"
    " dezenove vinte",
}
_INFLECTED: Final[Mapping[str, Mapping[str, int]]] = {
    "de": {"zwo": 2, "zweier": 2, "zweien": 2, "dreier": 3, "dreien": 3},
    "pt": {"duas": 2, "dezasseis": 16, "dezassete": 17, "dezanove": 19},
}
_NOT_ONLY_NUMBERS: Final[Mapping[str, tuple[str, ...]]] = {"it": ("sei", "venti"), "nl": ("acht", "elf")}
_TENS_FROM_TWENTY: Final[Mapping[str, str]] = {
    ENGLISH: "twenty thirty forty fifty sixty seventy eighty ninety",
    "fr": "vingt trente quarante cinquante soixante",
}
_AFTER_SIXTY_AND_EIGHTY: Final = ("soixante", "quatre-vingt")  # in French, where counting goes on to 79 and 99


@cache
def spelled_numbers(locale: str) -> Mapping[str, int]:
    """The numbers from 2 by their words in a locale, in English and French to 99; none if they are not known."""
    words = {word: number for number, word in enumerate(_NUMBERS_FROM_TWO.get(locale, "").split(), 2)}
    words |= _INFLECTED.get(locale, {})
    words = {word: number for word, number in words.items() if word not in _NOT_ONLY_NUMBERS.get(locale, ())}
    units = {word: number for word, number in words.items() if number < 10}
    tens = {word: number for number, word in enumerate(_TENS_FROM_TWENTY.get(locale, "").split(), 2)}
    one = {"fr": ("un", "une", "et-un", "et-une")}.get(locale, ("one",))
    for word, number in tens.items():
        words |= {word: 10 * number, **{f"{word}-{unit}": 10 * number + more for unit, more in units.items()}}
        words |= {f"{word}-{each}": 10 * number + 1 for each in one}
    return words | (_french_from_seventy(words) if locale == "fr" else {})


def _french_from_seventy(words: Mapping[str, int]) -> dict[str, int]:
    """The numbers that French counts from sixty and from eighty; `words`: those below twenty, and others."""
    small = {**{word: number for word, number in words.items() if number < 20}, "un": 1, "une": 1, "et-onze": 11}
    sixty, eighty = _AFTER_SIXTY_AND_EIGHTY
    above = {f"{sixty}-{word}": 60 + number for word, number in small.items() if number >= 10}
    return above | {f"{eighty}s": 80, **{f"{eighty}-{word}": 80 + number for word, number in small.items()}}


@cache
def spelled_ordinals(locale: str) -> Mapping[str, int]:
    """The same of the words for the second to the tenth of a row."""
    return {word: number for number, word in enumerate(_ORDINALS_FROM_SECOND.get(locale, "").split(), 2)}


def builtin_messages(locale: str) -> Mapping[str, str]:
    """The built-in messages of a locale, else those in English."""
    return BUILTIN_MESSAGES.get(locale, ENGLISH_MESSAGES)


def plural_rules(locale: str) -> tuple[str, ...]:
    """Conditions over `n` for each plural form but the last, as expressions."""
    return PLURAL_RULES.get(locale, PLURAL_RULES[ENGLISH])


def player_number(seat: int) -> int:
    """The number by which people know a seat: they count players from 1, the program counts seats from 0."""
    return seat + 1


def seat_of_player(number: int) -> int:
    """The seat of the player with a number: player 1 has seat 0."""
    return number - 1


def player_name(seat: int, word: str = ENGLISH_MESSAGES["player"]) -> str:
    """What people call a seat: `player 1` for seat 0. `word`: a language's word for a player."""
    return f"{word} {player_number(seat)}"


__all__ = [
    "BUILTIN_MESSAGES",
    "ENGLISH",
    "ENGLISH_MESSAGES",
    "PLURAL_RULES",
    "builtin_messages",
    "player_name",
    "player_number",
    "plural_rules",
    "seat_of_player",
    "spelled_numbers",
    "spelled_ordinals",
]
