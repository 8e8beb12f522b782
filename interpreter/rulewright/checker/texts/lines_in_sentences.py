"""Does a sentence draw a line elsewhere than the condition that it is about: "8 or more" of `> 8`?

In: the state of a build. Out: warnings about steps and choices. Found by a few words beside a number, English and
French, and only of a number with which the condition compares. A sentence that does not say for whom or when a step is
done may say what comes of it, which is the contrary; so may the reason of a choice, which says what is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import OTHER_NUMBER
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.numbers_in_sentences import number_in_word
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.document.text_addresses import reason_address
from rulewright.expr.tree import Compare, Constant, Expr, Filter, ReadParameter
from rulewright.expr.walk import conjuncts
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.actions import OneOf, SomeOf
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.source.nodes import Entry, ScalarNode

NUMBER: Final = r"(\{[a-z_][a-z0-9_]*\}|\b\w{1,24})"
UNITS: Final = r"(?: [^\W\d_]+){0,2}"  # what is counted: "8 red tokens or more"
WORDS: Final = {  # by language and comparison: how a line is drawn
    "en": {
        ">=": rf"(?:at least|no fewer than|no less than) {NUMBER}|{NUMBER}{UNITS} (?:or more|at least)\b",
        ">": rf"(?<!no )(?<!not )more than {NUMBER}",
        "<": rf"(?<!no )(?<!not )(?:fewer|less) than {NUMBER}",
        "<=": rf"(?:at most|no more than|not more than) {NUMBER}|{NUMBER}{UNITS} (?:or (?:fewer|less)|at most)\b",
    },
    "fr": {
        ">=": rf"(?:au moins|pas moins de) {NUMBER}|{NUMBER}{UNITS} (?:ou plus|au moins)\b",
        ">": rf"(?<!pas )plus (?:de |d'){NUMBER}",
        "<": rf"(?<!pas )moins (?:de |d'){NUMBER}",
        "<=": rf"(?:au plus|pas plus de) {NUMBER}|{NUMBER}{UNITS} (?:ou moins|au (?:plus|maximum))\b",
    },
}
SAYS_WHEN: Final = {  # before the line: the sentence says for whom or when something is done
    "en": r"\b(?:who|whoever|if|when|once|as soon as|with)\b[^,.;:]{0,200}$",
    "fr": r"\b(?:qui|quiconque|si|s'il|quand|lorsque|lorsqu'\w+|dès que|dès qu'\w+)\b[^,.;:]{0,200}$",
}
SAYS_WHAT: Final = lazy_pattern(  # between the two: it says what is done until then
    r"(?i)\b(?:to|until|till|down|keeps?|gives?|discards?|returns?|may|must|jusqu\w*|rend\w*|garde\w*|défausse\w*)\b"
)
IN_WORDS: Final = {">=": "{} or more", ">": "more than {}", "<": "fewer than {}", "<=": "{} or fewer"}
CONTRARY: Final = {">=": "<", "<": ">=", ">": "<=", "<=": ">"}
MAX_LINES: Final = 20  # in one sentence, of which no author draws more
TURNED: Final = {">=": "<=", "<=": ">=", ">": "<", "<": ">"}  # the sides exchanged


@frozen
class _Line:
    """A comparison with a number: the comparison, its sign with the number on the right, and how it is written."""

    compare: Compare
    sign: str
    number: int
    name: str  # of a parameter, or empty


@build_pass(needs=["parameters", "book_sentences", "judged"], skip=after_errors)
def check_lines_in_sentences(state: BuildState) -> None:
    """Reports them."""
    values = {name: value for name, each in state.parameters.items() if isinstance(value := each.value, int)}
    for step in state.judged.steps:
        conditions = [("when", step.when)]
        if step.for_each is not None:
            conditions.append(("for_each", step.for_each.condition))
        entry = state.book_sentences.entries.get(step.address)
        if entry is None or (step.when is not None and step.while_condition is not None):
            continue
        for key, condition in conditions:
            if condition is not None:
                _check(state, values, condition, key, step.address, step.address, entry)
    for action in state.judged.actions:
        for choice in action.choices:
            entry = state.book_sentences.entries.get(reason_address(choice.address))
            domain = choice.domain
            if entry is None or not isinstance(domain, OneOf | SomeOf) or not isinstance(domain.of, Filter):
                continue
            if domain.of.condition is not None:
                key = "one_of" if isinstance(domain, OneOf) else "some_of"
                _check(state, values, domain.of.condition, key, choice.address, reason_address(choice.address), entry)


def _check(
    state: BuildState,
    values: Mapping[str, int],
    condition: Expr,
    key: str,
    address: str,
    text_address: str,
    entry: Entry,
) -> None:
    lines = [*_lines(condition, values)]
    for line in lines:
        if sum(other.number == line.number for other in lines) > 1:
            continue
        for language, text in sentence_by_language(state, text_address, entry).items():
            if (says := _other_line(language, text.text, line, is_reason=text_address != address)) is None:
                continue
            node = condition_node(state.document.root, address, key)
            span = entry.key.span if node is None else node.span
            if isinstance(node, ScalarNode):
                span = node.subspan(*line.compare.offsets)
            number = f"`{line.name}`" if line.name else str(line.number)
            message = f"its sentence says `{says}`, and this asks for {IN_WORDS[line.sign].format(number)}"
            warn(state, span, OTHER_NUMBER, message, "another line", "change the rule, or its sentence", address)
            return


def _lines(condition: Expr, values: Mapping[str, int]) -> Iterator[_Line]:
    """The comparisons of a condition, all of which have to hold, with one number."""
    for part in conjuncts(condition):
        if not isinstance(part, Compare) or part.op not in TURNED:
            continue
        for sign, side in ((part.op, part.right), (TURNED[part.op], part.left)):
            match side:
                case Constant(value=int(number)) if type(number) is int:
                    yield _Line(part, sign, number, "")
                case ReadParameter(name=name, keys=()) if name in values:
                    yield _Line(part, sign, values[name], name)


def _other_line(language: str, text: str, line: _Line, *, is_reason: bool) -> str | None:
    """The words of a sentence that draw another line at the number of a condition, if no others draw the same."""
    found = [
        (sign, match)
        for sign, match in drawn_lines(language, text)
        if _is_number(next(filter(None, match.groups())), language, line)
    ]
    for sign, match in found[:MAX_LINES]:
        before = None if is_reason else re.search(SAYS_WHEN[language], text[: match.start()], re.IGNORECASE)
        says_when = before is not None and not SAYS_WHAT.search(before[0])
        if sign == line.sign or (sign == CONTRARY[line.sign] and not says_when):
            return None
    return found[0][1][0] if found else None


def drawn_lines(language: str, text: str) -> Iterator[tuple[str, re.Match[str]]]:
    """The lines that a sentence draws: by the sign of a comparison with the number, which is the group that matches.
    Of "hold two cards or more" each word may be the number.
    """
    for sign, words in WORDS.get(language, {}).items():
        pattern, start = re.compile(words, re.IGNORECASE), 0
        while (match := pattern.search(text, start)) is not None:
            yield sign, match
            start = match.start() + 1


def _is_number(word: str, language: str, line: _Line) -> bool:
    if word.startswith("{"):
        return word == f"{{{line.name}}}"
    return line.number == number_in_word(language, word)


__all__ = ["CONTRARY", "IN_WORDS", "TURNED", "check_lines_in_sentences", "drawn_lines"]
