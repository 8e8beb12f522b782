"""Does the sentence of an action or a step say another number than the rule is written with?

In: rules, and the composition they were built from. Out: warnings at sentences. Nothing is said unless the sentence
says a single number and the rule has one that the sentence does not print. A rule's numbers are those in it, of the
parameters, values and procedures that it names, how many members the kinds have that it is about, the faces of dice
that it names, how many choices and rolls it has, and how many seats on somebody sits. A number by which a sentence
names something, "level 3", is one that it says.
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
    numbers_beside,
    numbers_in_text,
    numbers_of_steps_on,
)
from rulewright.checker.texts.sentence_languages import judged_sentences
from rulewright.diagnostics import Diagnostics, Span
from rulewright.document.address import find_entry
from rulewright.document.language import PROSE_KEYS
from rulewright.document.sentence_places import HOLE, sentence_address
from rulewright.expr.types import SEAT, Member, Number
from rulewright.frozen import field, mutable
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.effects import Roll
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.source.nodes import MappingNode, Node, ScalarNode, as_items, as_mapping, iter_scalars
from rulewright.suggestions import is_number, join_list

ACTIONS: Final = "actions"
SECTIONS: Final = (ACTIONS, "setup", "turn", "round", "finale", "procedures")
NAMED_SECTIONS: Final = ("values", "procedures")  # whose numbers are those of what names them
CLAUSES: Final = "when"  # of an action: `clause_numbers.py` reads their sentences
RANGE: Final = lazy_pattern(r"\b([0-9]{1,9}) to ([0-9]{1,9})\b")
COMPARED: Final = lazy_pattern(r"(?:\b(\w+))?\){0,9}\s{0,9}[<>]=?\s*\(*(\w*)")  # what stands beside a comparison
ARITHMETIC: Final = lazy_pattern(r"[-+*]")
# a bound that keeps a state within its type, or nothing at all: no sentence says them
TECHNICAL: Final = lazy_pattern(r"\b(?:then|else) 0\b|\bmax\(0\b|, 0\)|^0$")
ASKED_OF: Final = lazy_pattern(r"\b(\w+) (?:is(?: not)?|[<>]=?) (\w+)")
CAPPED: Final = lazy_pattern(r"\b(?:min|max)\(")
AMOUNTS: Final = ("move", "times", "total")  # keys at which a rule says how many
MAX_FACES: Final = 99
SAYS_ONE: Final = lazy_pattern(  # no number elsewhere, but it may be the rule's
    r"(?i)\b(?:one|single|once|une)\b|\b(?:an?|un) (?!(?:player|side|team|turn|round|joueur|camp|tour)\b)"
)
MAX_SHOWN: Final = 3


def check_amounts_in_sentences(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them; under variants, those that a variant wrote."""
    files = {entry.value.span.source.path for variant in composition.applied_variants for entry in variant.root}
    accepted = {address for variant in composition.chosen_variants for address in listed_as_true(variant)}
    steps = (step.effect for block in rules.blocks for step in block.steps)
    rolled = frozenset(effect.target.name for effect in steps if isinstance(effect, Roll))
    numbers = _Numbers(rules, composition.document.root, rolled)
    for sentence in _asked(composition):
        if sentence_address(sentence.parts) in accepted:
            continue
        for language, text in sentence.texts:
            numbers_read = numbers_in_text(language, text) | ({1} if SAYS_ONE.search(text.text) else set())
            stated = {number for number in numbers_read if number >= SMALLEST}
            if len(stated) != 1 or (composition.chosen_variants and text.span.source.path not in files):
                continue
            printed = frozenset(NAME.findall(" ".join(HOLE.findall(text.text))))
            unsaid = numbers.written(sentence.node, printed) - numbers_read - numbers_beside(language, text)
            amounts = numbers.written(sentence.node, printed, AMOUNTS) & unsaid
            unsaid = amounts if len(amounts) == 1 else unsaid
            if unsaid and stated.isdisjoint(numbers.known(sentence.node, printed)):
                hint = number_to_write(unsaid, numbers.words(sentence.node) - printed, numbers.parameters())
                _report(min(stated), unsaid, number_span(language, text, min(stated)), hint, sentence, diagnostics)
                break


def _asked(composition: Composition) -> Iterator[Sentence]:
    """The sentences of steps and actions that say a number."""
    for section in SECTIONS:
        for sentence in judged_sentences(section, composition):
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


def _scalars_at(node: Node, keys: Collection[str]) -> Iterator[ScalarNode]:
    """What a rule has at some keys."""
    if isinstance(node, MappingNode):
        for entry in node:
            is_asked = entry.key.text in keys
            yield from iter_scalars(entry.value, PROSE_KEYS) if is_asked else _scalars_at(entry.value, keys)
    elif not isinstance(node, ScalarNode):
        for item in as_items(node):
            yield from _scalars_at(item, keys)


def _counted(node: Node) -> set[int]:
    """How many choices a rule has, how often it rolls, and what the weights of a roll are together: one of so many."""
    choices = as_mapping(node).get("choose") if isinstance(node, MappingNode) else None
    count = 0 if choices is None else len(as_mapping(choices).keys())
    rolls = len([*_scalars_at(node, ("roll",))])
    weights = [int(scalar.text) for scalar in _scalars_at(node, ("weights",)) if is_number(scalar.text)]
    return {*range(SMALLEST, count + 1), *range(SMALLEST, rolls + 1), sum(weights)}


@mutable
class _Numbers:
    """The numbers that rules are written with."""

    rules: Rules
    root: MappingNode
    rolled: frozenset[str]  # states that are dice
    _named: dict[str, frozenset[int]] = field(default_factory=dict)  # of what has a name of its own

    def written(self, node: Node, printed: frozenset[str], keys: Collection[str] = ()) -> set[int]:
        """Those in a rule, or only in what it has at some keys, and those of parameters that are not printed."""
        scalars = [*iter_scalars(node, PROSE_KEYS)] if not keys else [*_scalars_at(node, keys)]
        found = set[int]()
        for scalar in scalars:
            words = set(NAME.findall(TECHNICAL.sub("", scalar.text))) - printed
            values = (int(word) if is_number(word) else self._parameter(word) for word in words)
            bounds = self._bounds(words) if CAPPED.search(scalar.text) else set()
            found |= {value for value in values if value is not None} - bounds
        return found

    def _bounds(self, words: Collection[str]) -> set[int]:
        """The least and the greatest number of the states that are named."""
        types = [state.type for word in words if (state := self.rules.states.get(word)) is not None]
        return {bound for type_ in types if isinstance(type_, Number) for bound in (type_.low, type_.high)}

    def words(self, node: Node) -> set[str]:
        """The names and numbers in a rule."""
        return {word for scalar in iter_scalars(node, PROSE_KEYS) for word in NAME.findall(scalar.text)}

    def parameters(self) -> dict[str, int]:
        """Those that are one number."""
        return {name: value for name in self.rules.parameters if (value := self._parameter(name)) is not None}

    def known(self, node: Node, printed: frozenset[str] = frozenset()) -> set[int]:
        """All that a sentence about a rule may say, besides what it prints: "more than 4" of `>= 5`, too."""
        found = _counted(node) | numbers_of_steps_on(node)
        asked = self._dice_asked(node, printed)
        for scalar in iter_scalars(node, PROSE_KEYS):
            here = set[int]()
            for word in (word for word in NAME.findall(scalar.text) if word not in printed | asked):
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

    def _dice_asked(self, node: Node, printed: frozenset[str]) -> frozenset[str]:
        """The dice of which a rule asks for a number that its sentence does not print: any other face is another."""
        texts = [scalar.text for scalar in iter_scalars(node, PROSE_KEYS)]
        compared = (match for text in texts for match in ASKED_OF.findall(text))
        return frozenset(die for die, other in compared if die in self.rolled and other not in printed)

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
        """How many members a kind has, or those by which and of which there are places; the faces of a die."""
        zone, state = self.rules.zones.get(name), self.rules.states.get(name)
        if state is not None and isinstance(state.type, Number):
            low, high = state.type.low, min(state.type.high, state.type.low + MAX_FACES)
            return frozenset({*range(low, high + 1), high - low + 1} if name in self.rolled else {state.type.high})
        types = () if zone is None else (*zone.key_types, zone.content_type)
        types = types if state is None else (*state.key_types, state.type)
        kinds = {name, *(type_.kind for type_ in types if isinstance(type_, Member))} - {SEAT.kind}
        kinds &= self.rules.kinds.keys()
        return frozenset(len(self.rules.kinds[kind].members) for kind in kinds)


__all__ = ["check_amounts_in_sentences"]
