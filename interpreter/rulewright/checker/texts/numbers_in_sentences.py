"""What sentences say in numbers, and of which rules they are.

In: rules as nodes, a text in a language. Out: sentences with the numbers that they say, in figures or in words, what
these count as far as a few words tell, and the rules that a sentence stands at or, in a passage of the book, is about.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final

from rulewright import limits
from rulewright.checker.texts.numbers_of_known_things import counts_known_things
from rulewright.diagnostics import Span
from rulewright.document.address import AddressParts, find_entry
from rulewright.document.document import Document
from rulewright.document.language import PROSE_KEYS, keys_at
from rulewright.document.sentence_places import HOLE, PASSAGES, is_name, sentence_address
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.locale import ENGLISH, spelled_numbers, spelled_ordinals
from rulewright.source.node_memo import NodeMemo, Same
from rulewright.source.nodes import MappingNode, Node, ScalarNode, as_items, as_mapping, iter_scalars
from rulewright.suggestions import is_number
from rulewright.variants.variant import Variant

PARAMETERS: Final = "parameters"
NOT_RULES: Final = frozenset({"components", "sources", "statements", "figures", "display", "texts"})
NAME: Final = lazy_pattern(r"\w+")
CALLED: Final = lazy_pattern(r"\b(\w+)\(")  # what a rule asks of something: `next(next(me))`
WORD: Final = lazy_pattern(r"[^\W_]+(?:(?:[-–/:]|[.,](?=\d))[^\W_]+)*")  # 1-2, 3.5 and twenty-one are one word each
NUMBERED: Final = frozenset(  # a name follows
    {"page", "pages", "section", "chapter", "step", "level", "levels", "number", "numbers"}
) | {"étape", "chapitre", "niveau", "niveaux", "numéro", "numéros"}
LARGE: Final = {  # beside a number they make another one: "two hundred", "cent vingt"
    "en": frozenset({"hundred", "thousand", "million", "dozen"}),
    "fr": frozenset({"cent", "cents", "mille", "millions", "douzaines"}),
}
TENS: Final = range(20, 100, 10)  # "twenty five" and "vingt et un" are one number
UNITS: Final = range(2, 10)
ONES: Final = frozenset({"one", "un", "une", "onze"})
JOINING: Final = frozenset({"or", "and", "to", "ou", "et", "à"})
NOT_OF_RULES: Final = frozenset(  # what a number before them counts
    {
        "player",
        "players",
        "joueur",
        "joueurs",
        "joueuses",
        "spieler",
        "spielern",
        "jugadores",
        "giocatori",
        "spelers",
        "jogadores",
        "minutes",
        "hours",
        "weeks",
        "months",
        "years",
        "heures",
        "semaines",
        "mois",
        "ans",
        "faces",
        "sides",
        "dozen",
        "dozens",
        "douzaines",
    }
)
# words beside a number by which a line is drawn just below it, or just above it
BELOW_BEFORE: Final = lazy_pattern(
    r"\b(?:fewer than|less than|at least|needs?|below|moins de|moins d'|au moins|il faut|au-dessous de|en dessous de)$"
)
ABOVE_BEFORE: Final = lazy_pattern(
    r"\b(?:more than|at most|above|beyond|exceeds?|plus de|plus d'|au plus|au-dessus de|au-delà de|dépassent?)$"
)
BELOW_BEHIND: Final = lazy_pattern(r"(?: \w+){0,2} (?:or more|ou plus)\b")
ALREADY_BEFORE: Final = lazy_pattern(r"\b(?:already (?:have|has|holds?|own|owns)|already|déjà)$")
ALREADY_BEHIND: Final = lazy_pattern(r"(?: \w+){0,3} already\b")
ABOVE_BEHIND: Final = lazy_pattern(r"(?: \w+){0,2} (?:or fewer|or less|ou moins)\b")
BEGINNING: Final = lazy_pattern(r"(?:^|[.:;!?])[\s\"„«»(]*$")  # of a sentence
ATTENTION_BEHIND: Final = lazy_pattern(r"\s*(?:[.,:;!?]|$)| (?:auf|dass|darauf)\b")
MAX_WORDS_BEFORE: Final = 3  # words: "Every player draws two …"
MAX_WORDS_BEHIND: Final = 3  # words: "… two small red pieces"
AMOUNT_OF_OTHERS: Final = frozenset(
    {"than", "least", "most", "up", "to", "of", "all", "if", "when", "other", "another"}
)
PUNCTUATION: Final = lazy_pattern(r"[,;:.(]")
SMALLEST: Final = 2  # "one" may mean anything


@frozen
class Sentence:
    """A sentence of the composed rules: where it is, its text in each language, the numbers that any of them says, and
    the node at which it stands.
    """

    parts: AddressParts
    texts: tuple[tuple[str, ScalarNode], ...]
    numbers: frozenset[int]
    node: MappingNode


def _blank(hole: re.Match[str]) -> str:
    """What stands for a hole while words are looked for: as long as it, and no word."""
    return "_" * len(hole[0])


def listed_as_true(variant: Variant) -> Iterator[str]:
    """The addresses of sentences of which a variant says that they are still true."""
    for item in as_items(variant.root.get("still_true")):
        if isinstance(item, ScalarNode):
            yield item.text


def says_a_number_of(root: MappingNode, address: str, parameters: Collection[str]) -> bool:
    """Whether the sentence at an address speaks of a rule that reads one of some parameters, and says a number."""
    return any(
        sentence_address(sentence.parts) == address
        and any(numbers_in_text(*text) for text in sentence.texts)
        and not set(parameters).isdisjoint(
            {
                *sentence.parts[1:2],
                *set[str]().union(*map(words_of_rule, rules_spoken_of(sentence.node, sentence.parts, root))),
            }
        )
        for sentence in iter_sentences(root, ())
    )


def own_numbers(base: Document, name: str) -> set[int]:
    """What the game itself gives a parameter, at any number of players, where it is written as a number."""
    entry = find_entry(base.root, f"{PARAMETERS}.{name}")
    found = [] if entry is None else [entry.value]
    for adjustment in base.adjustments:
        found += [
            change.value
            for change in as_mapping(adjustment.root.get("set"))
            if change.key.text in (f"{PARAMETERS}.{name}", f"{PARAMETERS}.{name}.value")
        ]
    values = [node.get("value") if isinstance(node, MappingNode) else node for node in found]
    return {int(value.text) for value in values if isinstance(value, ScalarNode) and is_number(value.text)}


def iter_sentences(node: Node, parts: AddressParts) -> Iterator[Sentence]:
    """All sentences below a node that say more than what something is called."""
    if not isinstance(node, MappingNode):
        for item in as_items(node):
            if isinstance(item, MappingNode):
                yield from iter_sentences(item, parts)
        return
    for entry in node:
        key, here = entry.key.text, (*parts, entry.key.text)
        if not parts and key in NOT_RULES:
            continue
        if key in PROSE_KEYS and (not parts or key in keys_at(parts)):
            if parts and not is_name(here):
                texts = tuple(sentence_texts(entry.value))
                numbers = frozenset(number for text in texts for number in numbers_in_text(*text))
                yield Sentence(here, texts, numbers, node)
        elif len(here) <= 2:
            yield from _sentences_once(Same(entry.value), here)
        else:
            yield from iter_sentences(entry.value, here)


@lru_cache(maxsize=limits.MAX_REMEMBERED_NODES)
def _sentences_once(node: Same[Node], parts: AddressParts) -> tuple[Sentence, ...]:
    """Those of one rule, or one section, which most variants leave as it is."""
    return tuple(iter_sentences(node.value, parts))


def sentence_texts(value: Node) -> Iterator[tuple[str, ScalarNode]]:
    """The languages of a sentence, and what it is in each."""
    if isinstance(value, ScalarNode) and is_compared(value):
        yield ENGLISH, value
    for entry in as_mapping(value) if isinstance(value, MappingNode) else ():
        if isinstance(entry.value, ScalarNode) and is_compared(entry.value):
            yield entry.key.text, entry.value


def is_compared(text: ScalarNode) -> bool:
    """Whether the words of a sentence are compared with its rule: of a long one that would take long."""
    return len(text.text) <= limits.MAX_COMPARED_CHARACTERS


def rules_spoken_of(node: MappingNode, parts: AddressParts, root: MappingNode) -> Iterator[Node]:
    """The rule at which a sentence stands; of a passage of the book those that it is about."""
    if parts[0] != PASSAGES:
        yield node
        return
    at = node.get("at")
    for topic in (*as_items(node.get("about")), *((at,) if at is not None else ())):
        entry = find_entry(root, topic.text) if isinstance(topic, ScalarNode) and "." in topic.text else None
        if entry is not None:
            yield entry.value


def words_of_rule(node: Node) -> frozenset[str]:
    """The names and numbers that a rule is written with, without its sentences."""
    return frozenset(NAME.findall(node.text)) if isinstance(node, ScalarNode) else _words_within(node)


def _find_words(node: Node) -> frozenset[str]:
    if not isinstance(node, MappingNode):
        return frozenset[str]().union(*map(words_of_rule, as_items(node)))
    entries = [entry for entry in node if entry.key.text not in PROSE_KEYS]
    return frozenset(entry.key.text for entry in entries).union(*(words_of_rule(entry.value) for entry in entries))


_words_within: Final = NodeMemo(_find_words, limits.MAX_REMEMBERED_READINGS)  # asked for each sentence of a rule


def numbers_in_text(language: str, text: ScalarNode) -> set[int]:
    """The numbers that a sentence says itself, in figures or in words."""
    return {number for number, _ in _amounts(language, text)}


def numbers_beside(language: str, text: ScalarNode) -> set[int]:
    """All numbers of a sentence, also those by which something is named, or its place in a row: "level 3", "third"."""
    words = {match[0].lower() for match in WORD.finditer(HOLE.sub(_blank, text.text))}
    ordinals = spelled_ordinals(language)
    found = {number for word in words if (number := number_in_word(language, word)) is not None}
    return found | {ordinals[word] for word in words if word in ordinals}


def numbers_of_steps_on(node: Node) -> set[int]:
    """How often a rule asks one thing of another, as a sentence counts it: two seats on of `next(next(me))`."""
    calls = [Counter(CALLED.findall(scalar.text)) for scalar in iter_scalars(node, PROSE_KEYS)]
    return {*range(SMALLEST, max((count for called in calls for count in called.values()), default=0) + 1)}


def number_span(language: str, text: ScalarNode, number: int) -> Span:
    """Where a sentence says a number; the whole sentence if it does not."""
    word = next((word for found, word in _amounts(language, text) if found == number), None)
    return text.span if word is None else text.subspan(word.start(), word.end())


def number_to_write(numbers: Collection[int], words: Collection[str], parameters: Mapping[str, int]) -> str:
    """The hint for a sentence whose rule has other numbers, written with these words."""
    named = [name for name in sorted(words) if parameters.get(name) in numbers]
    if named:
        return f"write {' or '.join(f'`{{{name}}}`' for name in named)}: the sentence then says what is set"
    only = f"{min(numbers)}" if len(numbers) == 1 else "the number of the rule"
    return f"write {only}, or give it a name among the `parameters` and write `{{name}}`"


def leading_amount(text: ScalarNode) -> tuple[int, Span, tuple[str, ...]] | None:
    """The number of a sentence that begins with what is done and how often, as "Take two red cards …" does, where it
    says it, and the words behind it; None where it begins otherwise.
    """
    plain = HOLE.sub(_blank, text.text)
    for number, word in _amounts(ENGLISH, text):
        rest = plain[word.end() :]
        before = [match[0].lower() for match in WORD.finditer(plain[: word.start()])]
        behind = [match[0].lower() for match in islice(WORD.finditer(rest.partition(".")[0]), MAX_WORDS_BEHIND)]
        is_leading = 0 < len(before) <= MAX_WORDS_BEFORE and not AMOUNT_OF_OTHERS.intersection(before)
        is_bare = "_" not in plain[: word.start()] and not PUNCTUATION.search(plain[: word.start()])
        if not is_leading or not is_bare or number < SMALLEST or BELOW_BEHIND.match(rest.lower()):
            return None
        return number, text.subspan(word.start(), word.end()), tuple(behind)
    return None


def boundary_in_words(language: str, text: ScalarNode, number: int, *, is_most: bool = False) -> int | None:
    """Between which two numbers a sentence draws a line, as their sum: 2 times 5 and 1 less for "fewer than 5", "5 or
    more"; 1 more for "more than 5", "at most 5". `is_most`: it says why there may not be more, so that "5 already" is
    5 or more. None where no such words stand beside the number.
    """
    plain = HOLE.sub(_blank, text.text).lower()
    for found, word in _amounts(language, text):
        if found == number:
            before, behind = plain[: word.start()].rstrip(), plain[word.end() :]
            if BELOW_BEFORE.search(before) or BELOW_BEHIND.match(behind):
                return 2 * number - 1
            if ABOVE_BEFORE.search(before) or ABOVE_BEHIND.match(behind):
                return 2 * number + 1
            if is_most and (ALREADY_BEFORE.search(before) or ALREADY_BEHIND.match(behind)):
                return 2 * number - 1
    return None


def number_in_word(language: str, word: str) -> int | None:
    """The number that a word says, in figures or spelled out."""
    return int(word) if is_number(word) else spelled_numbers(language).get(word.lower())


def _amounts(language: str, text: ScalarNode) -> tuple[tuple[int, re.Match[str]], ...]:
    """The numbers that count something, with the words that say them: no part of a longer one, no number of players,
    no page that a number names.
    """
    return _amounts_in(language, text.text)


@lru_cache(maxsize=limits.MAX_REMEMBERED_NODES)  # several checks ask of the same sentences
def _amounts_in(language: str, text: str) -> tuple[tuple[int, re.Match[str]], ...]:
    return tuple(_find_amounts(language, text))


def _find_amounts(language: str, text: str) -> Iterator[tuple[int, re.Match[str]]]:
    spelled, named = spelled_numbers(language), False  # whether a number here is a name, as in "level 2 or 3"
    matches = [*WORD.finditer(HOLE.sub(_blank, text))]
    words = [match[0].lower() for match in matches]
    for index, (before, word, after, match) in enumerate(
        zip(("", *words), words, (*words[1:], ""), matches, strict=False)
    ):
        number = int(word) if is_number(word) else spelled.get(word)
        named = before in NUMBERED or (named and (word in JOINING or before in JOINING))
        is_name = named or after in NOT_OF_RULES or _is_part(words, index, language)
        sides = text[: match.start()], text[match.end() :]
        is_name = is_name or (language == "de" and _is_german_noun(match[0], *sides))
        if number is not None and not is_name and not counts_known_things(language, *sides):
            yield number, match
        named = named and (number is not None or word in JOINING)


def _is_german_noun(word: str, before: str, behind: str) -> bool:
    """Whether a word is no number: written large within a sentence, or called to attention by, "Gib acht, dass …"."""
    if word.istitle():
        return word == "Elf" or not BEGINNING.search(before)
    return word == "acht" and ATTENTION_BEHIND.match(behind) is not None


def _is_part(words: Sequence[str], index: int, language: str) -> bool:
    """Whether a number is only a part of one that several words say."""
    before, (word, after, then) = ["", "", *words][index : index + 2], [*words, "", ""][index : index + 3]
    spelled, large = spelled_numbers(language), LARGE.get(language, ())
    if after in large or before[1] in large or (before[0] in large and before[1] in JOINING):
        return True
    if after in JOINING:
        after = then if then in ONES else ""
    tens = before[0] if before[1] in JOINING and word in ONES else before[1]
    is_behind = spelled.get(tens) in TENS and (word in ONES or spelled.get(word) in UNITS)
    return is_behind or (spelled.get(word) in TENS and (after in ONES or spelled.get(after) in UNITS))


__all__ = [
    "NAME",
    "PARAMETERS",
    "SMALLEST",
    "Sentence",
    "boundary_in_words",
    "is_compared",
    "iter_sentences",
    "leading_amount",
    "listed_as_true",
    "number_in_word",
    "number_span",
    "number_to_write",
    "numbers_beside",
    "numbers_in_text",
    "numbers_of_steps_on",
    "own_numbers",
    "rules_spoken_of",
    "says_a_number_of",
    "sentence_texts",
    "words_of_rule",
]
