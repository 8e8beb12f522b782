"""Does the sentence of a value say other points, another cap or another number than the value?

In: the state of a build. Out: warnings about values and terms of sums: "three points for each hat" where nothing counts
three, "two at most" of `max(2, …)`, "of which a player has three" of `>= 2`. Nothing is said where a number may come
from elsewhere: from the fields of things, a table, or what counts the value in its turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.known_numbers import known_number
from rulewright.checker.common.lint_codes import OTHER_NUMBER
from rulewright.checker.common.rules_read import all_parts
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.lines_in_sentences import drawn_lines
from rulewright.checker.texts.numbers_in_sentences import (
    SMALLEST,
    boundary_in_words,
    number_in_word,
    numbers_in_text,
)
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.diagnostics import Span
from rulewright.document.sentence_places import HOLE
from rulewright.expr.tree import (
    Arithmetic,
    Call,
    Compare,
    Expr,
    FieldAccess,
    FieldTotal,
    ReadParameter,
    ReadValue,
)
from rulewright.expr.types import SEAT, Number
from rulewright.expr.walk import iter_exprs
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.source.nodes import Entry, ScalarNode

POINTS: Final = {  # so many for each of what is counted
    "en": lazy_pattern(
        r"(?i)\b(\w{1,24})(?: more| extra)?(?: [^\W\d_]+)? points? (?:for|per) (?:each|every|an?|one)\b"
    ),
    "fr": lazy_pattern(r"(?i)\b(\w{1,24}) points?(?: [^\W\d_]+){0,2} (?:par|pour (?:chaque|une?))\b"),
}
UP_TO: Final = {"en": lazy_pattern(r"(?i)\bup to (\w{1,24})\b"), "fr": lazy_pattern(r"(?i)\bjusqu'à (\w{1,24})\b")}
SHARES: Final = {  # one for so many of what is counted
    "en": lazy_pattern(r"(?i)\bfor (?:each|every) (\w{1,24}) [^\W\d_]"),
    "fr": lazy_pattern(r"(?i)\b(?:pour|par) (\w{1,24}) [^\W\d_]"),
}
ONE: Final = {"en": ("one", "a"), "fr": ("un", "une")}
CAPS: Final = {"<=": ("max", "min"), ">=": ("min", "max")}  # the wrong function for a line, and the right one


@frozen
class _Term:
    """A value or a term of its sum: where it is, its sentence, and the name of the value."""

    address: str
    key: str
    expr: Expr
    value: str
    texts: dict[str, ScalarNode]
    entry: Entry


@build_pass(needs=["values", "parameters", "symbols", "assessments", "book_sentences", "judged"], skip=after_errors)
def check_values_in_sentences(state: BuildState) -> None:
    """Reports them, of each value or term the first."""
    for term in _terms(state):
        found = (
            _wrong_cap(term, state)
            or _wrong_points(term, state)
            or _wrong_share(term, state)
            or _wrong_number(term, state)
        )
        if found is not None:
            message, label = found
            warn(
                state,
                _span(term, state),
                OTHER_NUMBER,
                message,
                label,
                "change the value, or its sentence",
                term.address,
            )


def _terms(state: BuildState) -> Iterator[_Term]:
    """The values and terms that have a sentence."""
    for name, value in state.judged.values.items():
        for section, terms in (("sum", value.terms), ("less", value.deductions)):
            for key, expr in terms:
                section_address = f"values.{name}" if key == "is" else f"values.{name}.{section}"
                address = section_address if key == "is" else f"{section_address}.{key}"
                entry = state.book_sentences.entries.get(address)
                if entry is not None:
                    texts = sentence_by_language(state, address)
                    yield _Term(section_address, key, expr, name, texts, entry)


def _span(term: _Term, state: BuildState) -> Span:
    node = condition_node(state.document.root, term.address, term.key)
    return term.entry.key.span if node is None else node.span


def _wrong_cap(term: _Term, state: BuildState) -> tuple[str, str] | None:
    """What is said at most is at least so by the value, or the reverse."""
    calls = [part for part in iter_exprs(term.expr) if isinstance(part, Call) and part.function in ("min", "max")]
    for language, text in term.texts.items() if calls else ():
        lines = [
            (sign, match[0], next(filter(None, match.groups()))) for sign, match in drawn_lines(language, text.text)
        ]
        if language in UP_TO:
            lines += [("<=", match[0], match[1]) for match in UP_TO[language].finditer(text.text)]
        for sign, words, number in lines:
            if sign not in CAPS:
                continue
            wrong, right = CAPS[sign]
            functions = {call.function for call in calls if _is_bound(number, language, call, state)}
            if functions == {wrong}:
                return f"its sentence says `{words}`, and this takes the `{wrong}` with it", f"`{right}` is meant"
    return None


def _is_bound(word: str, language: str, call: Call, state: BuildState) -> bool:
    """Whether a word or hole says a number with which `min` or `max` compares."""
    if word.startswith("{"):
        return any(isinstance(each, ReadParameter) and word == f"{{{each.name}}}" for each in call.args)
    number = number_in_word(language, word)
    return number is not None and number in [known_number(each, state.parameters) for each in call.args]


def _wrong_points(term: _Term, state: BuildState) -> tuple[str, str] | None:
    """So many points are said for each, and the value does not count so many."""
    numbers = _numbers(term.expr, state)
    if numbers is None:
        return None
    for language, text in term.texts.items():
        for match in POINTS[language].finditer(text.text) if language in POINTS else ():
            word = match[1].lower()
            number = 1 if word in ONE[language] else number_in_word(language, word)
            if number is None or number in numbers or number in _numbers_beyond(term.value, state):
                continue
            factor = _factor(term.expr, state)
            if number == 1 and factor in (None, 1):
                continue
            if not any(low * high == number or low + high == number for low in numbers for high in numbers):
                has = "nothing of it counts so many" if factor is None else f"this counts {factor}"
                return f"its sentence says `{match[0]}`, and {has}", f"no {number} here"
    return None


def _wrong_share(term: _Term, state: BuildState) -> tuple[str, str] | None:
    """One is said for so many of something, and the value divides by another number."""
    shared = [part for part in iter_exprs(term.expr) if isinstance(part, Arithmetic) and part.op == "//"]
    divisors = {number for part in shared if (number := known_number(part.right, state.parameters)) is not None}
    for language, text in term.texts.items() if len(shared) == len(divisors) == 1 else ():
        found = [*SHARES[language].finditer(text.text)] if language in SHARES else []
        numbers = [number for match in found if (number := number_in_word(language, match[1])) is not None]
        if len(numbers) == 1 and numbers[0] >= SMALLEST and numbers[0] not in divisors:
            (divisor,) = divisors
            return f"its sentence says one for every {numbers[0]}, and this divides by {divisor}", f"not {numbers[0]}"
    return None


def _factor(expr: Expr, state: BuildState) -> int | None:
    """By what a count is multiplied, if that is all."""
    if isinstance(expr, Arithmetic) and expr.op == "*":
        found = [
            number for side in (expr.left, expr.right) if (number := known_number(side, state.parameters)) is not None
        ]
        return found[0] if len(found) == 1 else None
    return None


def _wrong_number(term: _Term, state: BuildState) -> tuple[str, str] | None:
    """One number is said, and the value compares with another one, the only one that it has."""
    numbers = _numbers(term.expr, state)
    parts = [*all_parts(state.values, [term.expr])]
    compares = [part for part in parts if isinstance(part, Compare)]
    asked = {
        number
        for part in compares
        for side in (part.left, part.right)
        if (number := known_number(side, state.parameters)) is not None
    }
    is_reckoned = any(isinstance(part, Arithmetic) and part.op != "+" for part in parts)
    if numbers is None or len(asked) != 1 or numbers != asked or min(asked) < SMALLEST or is_reckoned:
        return None
    sizes = {len(kind.members) for kind in state.symbols.kinds.values() if kind.family != SEAT.kind}
    (number,) = asked
    for language, text in term.texts.items():
        stated = {each for each in numbers_in_text(language, text) if each >= SMALLEST}
        if len(stated) != 1 or stated <= asked | sizes or HOLE.search(text.text):
            continue
        if boundary_in_words(language, text, min(stated)) is None:
            return f"its sentence says {min(stated)}, and this asks for {number}", f"not {min(stated)}"
    return None


def _numbers(expr: Expr, state: BuildState) -> set[int] | None:
    """The numbers that a value is written with, also by values; None where some come from elsewhere."""
    found = set[int]()
    for part in all_parts(state.values, [expr]):
        if isinstance(part, FieldAccess | FieldTotal) and isinstance(part.type, Number):
            return None
        if isinstance(part, ReadParameter) and (part.keys or part.name not in state.parameters):
            return None
        number = known_number(part, state.parameters)
        found |= set() if number is None else {number}
    return found


def _numbers_beyond(value: str, state: BuildState) -> set[int]:
    """The numbers of the values that read a value, and of what ranks by it."""
    exprs = [of for each in state.values.values() for _, of in (*each.terms, *each.deductions)]
    exprs += [criterion.of for criterion in state.assessments.ranking]
    readers = [of for of in exprs if any(isinstance(part, ReadValue) and part.name == value for part in iter_exprs(of))]
    return {
        number
        for of in readers
        for part in iter_exprs(of)
        if (number := known_number(part, state.parameters)) is not None
    }


__all__ = ["check_values_in_sentences"]
