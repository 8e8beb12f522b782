"""Does the sentence of an action or a step say another number than the rule is written with?

In: rules, and the composition they were built from. Out: warnings at sentences. Nothing is said unless the sentence
says a single number and the rule has one that the sentence does not print. A rule's numbers are those in it, of the
parameters, values and procedures that it names, and how many members the kinds have that it is about.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from rulewright.checker.common.lint_codes import OTHER_NUMBER
from rulewright.checker.texts.numbers_in_sentences import (
    NAME,
    SMALLEST,
    Sentence,
    listed_as_true,
    number_span,
    number_to_write,
    numbers_in_text,
)
from rulewright.checker.texts.sentence_languages import sentences_of
from rulewright.diagnostics import Diagnostics, Span
from rulewright.document.address import find_entry
from rulewright.document.language import PROSE_KEYS
from rulewright.document.sentence_places import HOLE, sentence_address
from rulewright.expr.types import SEAT, Member
from rulewright.frozen import field, mutable
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.source.nodes import MappingNode, Node, iter_scalars
from rulewright.suggestions import is_number, join_list

ACTIONS: Final = "actions"
SECTIONS: Final = (ACTIONS, "setup", "turn", "round", "finale", "procedures")
NAMED_SECTIONS: Final = ("values", "procedures")  # whose numbers are those of what names them
CLAUSES: Final = "when"  # of an action: `clause_numbers.py` reads their sentences
RANGE: Final = lazy_pattern(r"\b([0-9]{1,9}) to ([0-9]{1,9})\b")
COMPARED: Final = lazy_pattern(r"(\w*)\)*\s*[<>]=?\s*\(*(\w*)")  # what stands beside a comparison
ARITHMETIC: Final = lazy_pattern(r"[-+*]")
SAYS_ONE: Final = lazy_pattern(r"(?i)\b(?:one|single|once|une)\b")  # no number elsewhere, but it may be the rule's
MAX_SHOWN: Final = 3


def check_amounts_in_sentences(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them; under variants, those that a variant wrote."""
    files = {entry.value.span.source.path for variant in composition.applied_variants for entry in variant.root}
    accepted = {address for variant in composition.chosen_variants for address in listed_as_true(variant)}
    numbers = _Numbers(rules, composition.document.root)
    for sentence in _asked(composition):
        if sentence_address(sentence.parts) in accepted:
            continue
        for language, text in sentence.texts:
            numbers_read = numbers_in_text(language, text) | ({1} if SAYS_ONE.search(text.text) else set())
            stated = {number for number in numbers_read if number >= SMALLEST}
            if len(stated) != 1 or (composition.chosen_variants and text.span.source.path not in files):
                continue
            printed = frozenset(NAME.findall(" ".join(HOLE.findall(text.text))))
            unsaid = numbers.written(sentence.node, printed) - numbers_read
            if unsaid and stated.isdisjoint(numbers.known(sentence.node, printed)):
                hint = number_to_write(unsaid, numbers.words(sentence.node) - printed, numbers.parameters())
                _report(min(stated), unsaid, number_span(language, text, min(stated)), hint, sentence, diagnostics)
                break


def _asked(composition: Composition) -> Iterator[Sentence]:
    """The sentences of steps and actions that say a number."""
    for section in SECTIONS:
        for sentence in sentences_of(section, composition):
            is_of_clause = section == ACTIONS and sentence.parts[2:3] == (CLAUSES,)
            if not is_of_clause and any(number >= SMALLEST for number in sentence.numbers):
                yield sentence


def _report(
    number: int, unsaid: Collection[int], span: Span, hint: str, sentence: Sentence, diagnostics: Diagnostics
) -> None:
    shown = join_list([str(each) for each in sorted(unsaid)[:MAX_SHOWN]], "and")
    message = f"this says {number}, but its rule is written with {shown}"
    address = sentence_address(sentence.parts)
    diagnostics.add(span, OTHER_NUMBER, message, label=f"its rule has no {number}", help=hint, address=address)


@mutable
class _Numbers:
    """The numbers that rules are written with."""

    rules: Rules
    root: MappingNode
    _named: dict[str, frozenset[int]] = field(default_factory=dict)  # of what has a name of its own

    def written(self, node: Node, printed: frozenset[str]) -> set[int]:
        """Those in a rule, and those of parameters that are not printed."""
        words = self.words(node) - printed
        values = (int(word) if is_number(word) else self._parameter(word) for word in words)
        return {value for value in values if value is not None}

    def words(self, node: Node) -> set[str]:
        """The names and numbers in a rule."""
        return {word for scalar in iter_scalars(node, PROSE_KEYS) for word in NAME.findall(scalar.text)}

    def parameters(self) -> dict[str, int]:
        """Those that are one number."""
        return {name: value for name in self.rules.parameters if (value := self._parameter(name)) is not None}

    def known(self, node: Node, printed: frozenset[str] = frozenset()) -> set[int]:
        """All that a sentence about a rule may say, besides what it prints: "more than 4" of `>= 5`, too."""
        found = set[int]()
        for scalar in iter_scalars(node, PROSE_KEYS):
            here = set[int]()
            for word in (word for word in NAME.findall(scalar.text) if word not in printed):
                here |= {int(word)} if is_number(word) else self._of_name(word)
            found |= here
            for words in COMPARED.findall(scalar.text):
                compared = {int(word) if is_number(word) else self._parameter(word) for word in words}
                found |= {number + beside for number in compared if number is not None for beside in (-1, 1)}
            if ARITHMETIC.search(scalar.text):
                found |= {result for a in here for b in here for result in (a + b, a - b, a * b)}
            for low, high in RANGE.findall(scalar.text):
                found |= {*range(int(low), min(int(high), int(low) + 99))}
        return found

    def _parameter(self, name: str) -> int | None:
        parameter = self.rules.parameters.get(name)
        return parameter.value if parameter is not None and type(parameter.value) is int else None

    def _of_name(self, name: str) -> frozenset[int]:
        value = self._parameter(name)
        if value is not None:
            return frozenset({value})
        if name not in self._named:
            self._named[name] = self._sizes(name)  # while it is looked at: nothing names itself
            entries = (find_entry(self.root, f"{section}.{name}") for section in NAMED_SECTIONS)
            numbers = (self.known(entry.value) for entry in entries if entry is not None)
            self._named[name] = self._named[name].union(*numbers)
        return self._named[name]

    def _sizes(self, name: str) -> frozenset[int]:
        """How many members a kind has, or those by which and of which there are places."""
        zone = self.rules.zones.get(name)
        types = () if zone is None else (*zone.key_types, zone.content_type)
        kinds = {name, *(type_.kind for type_ in types if isinstance(type_, Member))} - {SEAT.kind}
        kinds &= self.rules.kinds.keys()
        return frozenset(len(self.rules.kinds[kind].members) for kind in kinds)


__all__ = ["check_amounts_in_sentences"]
