"""Does the sentence of a value give examples that are not what the value comes to: "two cost three, three cost six"?

In: rules, and the composition they were built from. Out: warnings about values that are kept by a number and depend on
nothing else, whose sentence lists at least two examples of two numbers each. What is asked are numbers that follow each
other, in front of what they come to or behind it ("three points for two").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from rulewright.checker.common.judged_in import judged_in
from rulewright.checker.common.lint_codes import OTHER_NUMBER
from rulewright.checker.texts.numbers_in_sentences import number_in_word
from rulewright.checker.texts.sentence_languages import judged_sentences
from rulewright.diagnostics import Diagnostics
from rulewright.document.sentence_places import sentence_address
from rulewright.expr.types import Member, Number
from rulewright.expr.walk import find_position_read
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.facts.declared_ranges import find_declared_ranges
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.facts.value_ranges import Scalars
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules, ValueDef

SECTION: Final = "values"
PARTS: Final = lazy_pattern(r"[,;:.()]|\b(?:and|et)\b")
WORD: Final = lazy_pattern(r"\w+")
ONE: Final = {"en": ("one", "a", "an"), "fr": ("un", "une")}
PAIR: Final = 2
MIN_EXAMPLES: Final = 2

Examples = Sequence[tuple[int, int]]  # what is asked, what comes of it


def check_examples_in_sentences(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports the first wrong example of each value."""
    values = {name: value for name, value in judged_in(rules, composition).values.items() if _is_table(value, rules)}
    if not values:
        return
    declared = find_declared_ranges(rules)
    ranges = ExpressionRanges(rules, declared.contents, declared.variables)
    for sentence in judged_sentences(SECTION, composition):
        address = sentence_address(sentence.parts)
        value = values.get(sentence.parts[1])
        if value is None or address != f"{SECTION}.{value.name}":
            continue
        for language, text in sentence.texts:
            examples = _examples(language, text.text) if composition.is_judged(text.span) else ()
            wrong = next(_wrong_examples(value, examples, ranges), None)
            if wrong is not None:
                asked, stated, right = wrong
                message = f"by this `{value.name}` of {asked} is {stated}, and it comes to {right}"
                diagnostics.add(
                    text.span,
                    OTHER_NUMBER,
                    message,
                    label=f"not {stated}",
                    help="change the value, or its sentence",
                    address=address,
                )
                break


def _is_table(value: ValueDef, rules: Rules) -> bool:
    """Whether a value is a number that depends on another number alone."""
    exprs = [term for _, term in (*value.terms, *value.deductions)]
    if len(value.key_types) != 1 or not isinstance(value.type, Number):
        return False
    (key,) = value.key_types
    is_by_number = isinstance(key, Number) or (isinstance(key, Member) and rules.kinds[key.kind].is_numeric)
    return is_by_number and all(find_position_read(expr) is None for expr in exprs)


def _examples(language: str, text: str) -> Examples:
    """The pairs of numbers that a sentence lists, those that follow each other first."""
    pairs = list[tuple[int, int]]()
    for part in PARTS.split(text):
        words = [word.lower() for word in WORD.findall(part)]
        found = [1 if word in ONE.get(language, ()) else number_in_word(language, word) for word in words]
        numbers = [number for number in found if number is not None]
        if len(numbers) == PAIR:
            pairs.append((numbers[0], numbers[1]))
    if len(pairs) < MIN_EXAMPLES:
        return ()
    in_front, behind = (_follow_each_other([pair[side] for pair in pairs]) for side in (0, 1))
    if in_front == behind:
        return ()
    return pairs if in_front else [(asked, stated) for stated, asked in pairs]


def _follow_each_other(numbers: Sequence[int]) -> bool:
    return all(after == before + 1 for before, after in pairwise(numbers))


def _wrong_examples(value: ValueDef, examples: Examples, ranges: ExpressionRanges) -> Iterator[tuple[int, int, int]]:
    """The examples that are not so: what is asked, what is said to come of it, and what does."""
    key = value.key_types[0] if examples else None
    known = ranges.full_range(key) if key is not None else None
    for asked, stated in examples:
        if isinstance(known, Scalars) and asked in known:
            found = ranges.value(value.name, (Scalars.of((asked,)),), ranges.seats)
            if isinstance(found, Scalars) and found.single is not None and found.single != stated:
                yield asked, stated, found.single


__all__ = ["check_examples_in_sentences"]
