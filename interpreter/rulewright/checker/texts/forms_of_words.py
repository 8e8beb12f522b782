"""Does a sentence have the word for one where there are more, or the word for more where there is one?

In: rules, and the composition they were built from. Out: warnings at the words. Which words are for one and which for
more is what the game says elsewhere: in the names of its things and pieces, in other holes with two forms, behind "a"
and behind numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from rulewright import limits
from rulewright.checker.common.lint_codes import OTHER_FORM
from rulewright.checker.texts.sentence_languages import judged_texts
from rulewright.diagnostics import Diagnostics, Span
from rulewright.expr.sentence_template import PluralHole, SentenceTemplate
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.loader import Composition
from rulewright.model.rules import Language, Rules
from rulewright.source.node_memo import EqualMemo, NodeMemo
from rulewright.source.nodes import ScalarNode

PLURAL: Final = lazy_pattern(r"\{([^{}:]+):([^{}|]*)\|([^{}|]*)\}")
COUNTED: Final = lazy_pattern(r"\{(\w+)\} ((?:[^\W\d_]+[ '’-]){0,2}[^\W\d_]+)")  # a name, and up to three words
NUMBERED: Final = lazy_pattern(  # what has a number, and is not as many
    r"\b(?:level|row|rank|round|turn|step|number|column|to|or"
    r"|niveau|rang|rangée|manche|tour|numéro|colonne|à|ou) $"
)
ALONE: Final = lazy_pattern(  # a name, up to two words, and one that no other noun follows
    r"\{(\w+)\} ((?:[^\W\d_]+ ){0,2})([^\W\d_]+)"
    r"(?=[.,;:!?)]|$| (?:already|of|in|on|from|to|at|for|with|and|or|there|here|per|is|are|left"
    r"|when|if|each|de|du|des|dans|sur|et|ou|déjà|à|au|aux|par|pour|avec)\b)"
)
BETWEEN: Final = frozenset(  # what follows is not what is counted
    ("of", "or", "to", "the", "and", "more", "less", "fewer", "than", "de", "des", "du", "ou", "et", "plus", "moins")
)
NOT_COUNTED: Final = BETWEEN.union(  # what follows these words is not what is counted
    (
        "in",
        "on",
        "from",
        "at",
        "for",
        "with",
        "per",
        "is",
        "are",
        "left",
        "when",
        "if",
        "each",
        "every",
        "a",
        "an",
        "one",
        "another",
        "this",
        "that",
        "your",
        "their",
        "its",
        "no",
        "by",
        "as",
        "any",
        "other",
        "dans",
        "sur",
        "par",
        "pour",
        "avec",
        "un",
        "une",
        "le",
        "la",
        "les",
        "ce",
        "cet",
        "cette",
        "à",
        "au",
        "aux",
        "chaque",
        "en",
        "son",
        "sa",
        "leur",
        "votre",
        "sans",
        "sous",
        "autre",
        "est",
        "sont",
    )
)
BEHIND_ONE: Final = lazy_pattern(r"(?i)\b(?:an?|one|each|every|another|une?|chaque) ([^\W\d_]+)\b")
BEHIND_NUMBER: Final = lazy_pattern(
    r"(?i)\b(?:two|three|four|five|six|seven|eight|nine|ten|several|many|few|deux|trois|quatre|cinq|sept|huit|neuf|dix"
    r"|plusieurs) ([^\W\d_]+)\b"
)
WORD: Final = lazy_pattern(r"[^\W\d_]+")
MAX_LANGUAGES: Final = 16  # whose words are known, of rules that are checked by turns
TWO: Final = 2  # forms: for one, and for more
Pairs = Mapping[tuple[str, str], int]  # the word for one, that for more: how often the game has both


@frozen
class _Words:
    """The words that differ in two forms of which the first is for one; those that stand behind a word for one."""

    pairs: Pairs
    ones: frozenset[str]


@frozen
class _Slip:
    """Words in the wrong form: where, what is right, what is wrong."""

    span: Span
    right: str
    problem: str


def check_forms_of_words(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports the first in each sentence."""
    alone = (name for name, parameter in rules.parameters.items() if not parameter.values_by_key)
    numbers = {name: value for name in alone if isinstance(value := rules.parameters[name].value, int)}
    ones, several = {name for name in numbers if numbers[name] == 1}, {name for name in numbers if numbers[name] > 1}
    known = dict[str, _Words]()
    for address, language, text in judged_texts(composition):
        has_forms = "{" in text.text and any(pattern.search(text.text) is not None for pattern in (PLURAL, COUNTED))
        if not has_forms or language not in rules.languages:
            continue
        if language not in known:
            known[language] = _words_once(rules.languages[language])
        words = known[language]
        slip = _exchanged(text, words) or _more_than_one(text, ones, words.pairs)
        slip = slip or _one_of_more(text, several, words.pairs)
        if slip is not None and composition.is_judged(slip.span):
            diagnostics.add(
                slip.span,
                OTHER_FORM,
                slip.problem,
                label="another form",
                help=f"write `{slip.right}`",
                address=address,
            )


def _words_of(language: Language) -> _Words:
    """What a game says elsewhere. With an ending, what stands behind a word for one also stands behind numbers."""
    found, ones, several = Counter[tuple[str, str]](), set[str](), set[str]()
    for forms in language.member_names.values():
        found.update(_differing(*forms) if len(forms) == TWO else ())
    for template in language.sentences.values():
        pairs, behind_one, behind_number = _words_in(template)
        found.update(pairs)
        ones.update(behind_one)
        several.update(behind_number)
    found.update((word, f"{word}s") for word in ones if f"{word}s" in several)
    return _Words(found, frozenset(ones))


_words_once: Final = EqualMemo(_words_of, MAX_LANGUAGES)


def _find_words(template: SentenceTemplate) -> tuple[list[tuple[str, str]], list[str], list[str]]:
    """The words that differ in two forms, those behind a word for one, and those behind a number."""
    found, ones, several = list[tuple[str, str]](), list[str](), list[str]()
    for part in template.parts:
        if isinstance(part, PluralHole) and len(part.forms) == TWO:
            found += _differing(*part.forms)
        elif isinstance(part, str):
            ones += BEHIND_ONE.findall(part)
            several += BEHIND_NUMBER.findall(part)
    return found, ones, several


_words_in: Final = NodeMemo(_find_words, limits.MAX_REMEMBERED_READINGS)  # templates stay from build to build


def _differing(one: str, more: str) -> list[tuple[str, str]]:
    """The words by which two forms differ that have as many words."""
    first, second = WORD.findall(one), WORD.findall(more)
    pairs = zip(first, second, strict=True) if len(first) == len(second) else ()
    return [pair for pair in pairs if pair[0] != pair[1]]


def _exchanged(text: ScalarNode, words: _Words) -> _Slip | None:
    """Two forms of which the first is elsewhere for more, and the second for one."""
    for found in PLURAL.finditer(text.text):
        one, more = found[2].strip(), found[3].strip()
        for pair in _differing(one, more):
            as_elsewhere, otherwise = words.pairs.get(pair, 1) - 1, words.pairs.get((pair[1], pair[0]), 0)
            is_regular = pair[0] in (f"{pair[1]}s", f"{pair[1]}es", f"{pair[1]}x")  # so are verbs, the other way round
            if otherwise > as_elsewhere or (not as_elsewhere and is_regular and pair[1] in words.ones):
                problem = f"`{one}` stands for one, `{more}` for more"
                right = f"{{{found[1]}: {more} | {one}}}"
                return _Slip(text.subspan(found.start(), found.end()), right, problem)
    return None


def _more_than_one(text: ScalarNode, ones: set[str], known: Pairs) -> _Slip | None:
    """A word for more behind a parameter that is 1."""
    for found in COUNTED.finditer(text.text):
        name, behind = found[1], [*WORD.finditer(text.text, found.start(2), found.end(2))]
        if name not in ones or NUMBERED.search(text.text[: found.start()].lower()):
            continue
        for word in behind:
            if word[0].lower() in BETWEEN:
                break
            one = max((pair for pair in known if pair[1] == word[0]), key=lambda pair: known[pair], default=None)
            if one is None or known[one] <= _often(word[0], 0, known):
                continue
            start, end = found.start(2), word.end()
            words = text.text[start:end]
            right = f"{{{name}: {text.text[start : word.start()]}{one[0]} | {words}}}"
            return _Slip(text.subspan(start, end), right, f"this says `1 {words}`")
    return None


def _one_of_more(text: ScalarNode, several: set[str], known: Pairs) -> _Slip | None:
    """A word for one behind a parameter that is more."""
    for found in ALONE.finditer(text.text):
        name, before, word = found[1], WORD.findall(found[2].lower()), found[3]
        if name not in several or NUMBERED.search(text.text[: found.start()].lower()):
            continue
        if any(each in NOT_COUNTED or _often(each, 1, known) for each in before):
            continue
        more = max((pair for pair in known if pair[0] == word), key=lambda pair: known[pair], default=None)
        if more is not None and known[more] > _often(word, 1, known):
            problem = f"this says `{word}` of more than one"
            return _Slip(text.subspan(found.start(3), found.end(3)), f"{{{name}: {word} | {more[1]}}}", problem)
    return None


def _often(word: str, place: int, known: Pairs) -> int:
    """How often a word is said at one place of a pair."""
    return max((often for pair, often in known.items() if pair[place] == word), default=0)


__all__ = ["check_forms_of_words"]
