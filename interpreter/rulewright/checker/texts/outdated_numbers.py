"""Does a sentence say a number that a parameter of its rule has no longer?

In: a game with variants at a number of players. Out: warnings. A number in a sentence is meant to be that of
a parameter where the sentence stands at a rule that reads it, or is about it, where the game itself gives the parameter
that number, and where nothing else in the rule has it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from rulewright.checker.common.lint_codes import OTHER_NUMBER
from rulewright.checker.texts.numbers_in_sentences import (
    NAME,
    PARAMETERS,
    SMALLEST,
    Sentence,
    iter_sentences,
    listed_as_true,
    number_in_word,
    number_span,
    numbers_in_text,
    own_numbers,
    rules_spoken_of,
    words_of_rule,
)
from rulewright.diagnostics import Diagnostics, Related, Span
from rulewright.document.sentence_places import HOLE, PASSAGES, sentence_address
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.source.nodes import MappingNode, ScalarNode
from rulewright.suggestions import is_number
from rulewright.variants.change import Change

SHARE: Final = {  # a number of each player, where another is that of all
    "en": lazy_pattern(r"(?i)\b([\w-]+) (?:of|for|by|from) (?:each|every)(?: (?:player|one|side)\b|(?=[.,;:)]|$))"),
    "fr": lazy_pattern(r"(?i)\b([\w-]+) (?:de|pour|par) (?:chacun|chaque (?:joueur|camp)|joueur)\b"),
}


@frozen
class _UntrueSentence:
    """A number that a sentence says and that its parameter is not. `sharing`: how many players it says it of."""

    address: str
    span: Span
    parameter: str
    number: int
    sharing: int = 1


def check_outdated_numbers(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports sentences that say what a parameter was."""
    now = {name: parameter.value for name, parameter in rules.parameters.items() if type(parameter.value) is int}
    changed = {
        name: numbers
        for name, value in now.items()
        if (numbers := own_numbers(composition.base_document, name) - {value}) and max(numbers) >= SMALLEST
    }
    if not changed:
        return
    own = {entry.value.span.source.path for variant in composition.chosen_variants for entry in variant.root}
    accepted = {address for variant in composition.chosen_variants for address in listed_as_true(variant)}
    at_changes: dict[tuple[str, int], tuple[Change, list[_UntrueSentence]]] = {}
    written = composition.base_document.root.get("players")
    sharing = rules.players if isinstance(written, ScalarNode) and is_number(written.text) else 1
    for untrue in _untrue_sentences(composition.document.root, now, changed, sharing):
        if untrue.address in accepted:
            continue
        change = _change_of(untrue.parameter, composition)
        if change is None or untrue.span.source.path in own:
            _report([untrue], now[untrue.parameter], untrue.span, diagnostics)
        else:
            at_changes.setdefault((untrue.parameter, untrue.number), (change, []))[1].append(untrue)
    for (name, _), (change, sentences) in at_changes.items():
        _report(sentences, now[name], change.value_span, diagnostics)


def _untrue_sentences(
    root: MappingNode, now: Mapping[str, int], changed: Mapping[str, Collection[int]], sharing: int
) -> Iterator[_UntrueSentence]:
    wanted = {each for numbers in changed.values() for number in numbers for each in (number, number // sharing)}
    for sentence in iter_sentences(root, ()):
        if wanted.isdisjoint(sentence.numbers):
            continue
        parts = sentence.parts
        words = frozenset[str]().union(*map(words_of_rule, rules_spoken_of(sentence.node, parts, root)))
        read = (words & now.keys()) | ({parts[1]} if parts[0] == PARAMETERS else set())
        read -= _asked_by_passage(sentence)
        others = {word for word in words if is_number(word)} | {str(now[name]) for name in read & now.keys()}
        for name in sorted(read & changed.keys()):
            for number in sorted(changed[name]):
                texts = (
                    text
                    for text in sentence.texts
                    if _says(*text, number, name, now[name])
                    and not (number * sharing == now[name] and _share(*text) == number)
                )
                text = next(texts, None) if number >= SMALLEST and str(number) not in others else None
                if text is not None:
                    span = number_span(*text, number)
                    yield _UntrueSentence(sentence_address(sentence.parts), span, name, number)
        if sharing > 1 and parts[0] == PARAMETERS and parts[1] in changed:
            yield from _untrue_shares(sentence, changed[parts[1]], sharing)


def _untrue_shares(sentence: Sentence, before: Collection[int], sharing: int) -> Iterator[_UntrueSentence]:
    """What the sentence of a parameter says of each player, as it was: "forty of each" of 80 for two."""
    for language, text in sentence.texts:
        number = _share(language, text)
        if number is not None and number * sharing in before:
            span = number_span(language, text, number)
            yield _UntrueSentence(sentence_address(sentence.parts), span, sentence.parts[1], number, sharing)
            return


def _share(language: str, text: ScalarNode) -> int | None:
    """The number that a sentence says of each player."""
    match = SHARE[language].search(text.text) if language in SHARE else None
    return None if match is None else number_in_word(language, match[1])


def _asked_by_passage(sentence: Sentence) -> frozenset[str]:
    """Names in the condition of a passage of the book: it says itself for which of their values it is printed."""
    condition = sentence.node.get("when") if sentence.parts[0] == PASSAGES else None
    return frozenset() if condition is None else words_of_rule(condition)


def _says(language: str, text: ScalarNode, number: int, name: str, value: int) -> bool:
    """Whether a text has a number, and neither the parameter nor what it is now."""
    if any(name in NAME.findall(hole) for hole in HOLE.findall(text.text)):
        return False
    found = numbers_in_text(language, text)
    return number in found and value not in found


def _change_of(name: str, composition: Composition) -> Change | None:
    """The last change by which a chosen variant gives a parameter its number."""
    changes = [change for variant in composition.chosen_variants for change in variant.changes]
    return next((change for change in reversed(changes) if change.parts[:2] == (PARAMETERS, name)), None)


def _report(untrue: Sequence[_UntrueSentence], value: int, span: Span, diagnostics: Diagnostics) -> None:
    """Sentences that say the same number of the same parameter: where they stand, or at the change of it."""
    name, number, is_at_change = untrue[0].parameter, untrue[0].number, span != untrue[0].span
    addresses = " and ".join(f"`{one.address}`" for one in untrue)
    of_each = f" of each of {untrue[0].sharing} players" if untrue[0].sharing > 1 else ""
    verb, sentences = ("says", "the sentence then says") if len(untrue) == 1 else ("say", "the sentences then say")
    diagnostics.add(
        span,
        OTHER_NUMBER,
        f"{addresses} {verb} {number}{of_each}, but `{name}` is {value}",
        label="changed here" if is_at_change else f"`{name}` is {value}",
        help="write the sentence anew"
        if of_each
        else f"write `{{{name}}}` instead of the number: {sentences} what is set",
        address=untrue[0].address,
        related=[Related(one.span, "the sentence") for one in untrue if is_at_change],
    )


__all__ = ["check_outdated_numbers"]
