"""Does a sentence of a clause draw a line elsewhere than the clause: "eight or more" of `<= 8`, which lets eight be?

In: the state of a build. Out: warnings about clauses of actions. What a clause says of itself is what it asks for, its
reason what is so where it does not hold; the sentence of a variant that changes nothing else may say either. Both may
speak of what is so after the action where the clause asks about what was before, and the line may then lie one beside:
so only what says plainly what somebody has is held against a `<` or a `>`, and only such a sentence is reported to say
the contrary. Found by the words by which lines are drawn, at the number with which the clause compares.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import OTHER_NUMBER
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.lines_in_sentences import CONTRARY, IN_WORDS, TURNED, drawn_lines
from rulewright.checker.texts.numbers_in_sentences import number_in_word
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.document.text_addresses import reason_address
from rulewright.expr.tree import Arithmetic, Compare, Constant, Expr, Logic, Not, ReadParameter
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.actions import Clause
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.sentences import nodes_by_language
from rulewright.source.nodes import Entry, ScalarNode

STATES: Final = lazy_pattern(  # it begins with what somebody has, and the line follows
    r"(?i)^(?:you (?:already |now |still )?(?:have|hold|own|carry)|there (?:is|are)(?: still)?"
    r"|vous (?:avez|possédez|détenez|portez)(?: déjà| encore)?|il y a(?: déjà| encore)?)(?: [^\W\d_]+)? ?$"
)
MAY_BE: Final = lazy_pattern(  # it says what may be, not what is
    r"(?i)\b(?:to|must|may|can|cannot|only|needs?|needed|would|will|should|if|unless|until|doit|doivent|faut|peut|si|sauf)\b"
)
ALREADY: Final = {  # "four already" is four or more
    "en": r"\balready (?:(?:have|has|holds?|owns?) )?(\w{1,24})|\b(\w{1,24})(?: [^\W\d_]+){0,3} already\b",
    "fr": r"\bdéjà (\w{1,24})",
}
ONE: Final = {"en": ("one",), "fr": ("un", "une")}
TEXT, WHY, VARIANT = "text", "why", "variant"


@frozen
class _Line:
    """A comparison with a number, its sign with the number on the right, and its name if it is a parameter."""

    compare: Compare
    sign: str
    number: int
    name: str

    def is_number(self, word: str, language: str) -> bool:
        """Whether a word or a hole says the number."""
        if word.startswith("{"):
            return word == f"{{{self.name}}}"
        number = 1 if word.lower() in ONE.get(language, ()) else number_in_word(language, word)
        return number == self.number


@frozen
class _Sentence:
    """A sentence about a clause: whether it is its text, its reason, or the one of its variant."""

    role: str
    language: str
    node: ScalarNode


@build_pass(needs=["parameters", "book_sentences", "judged"], skip=after_errors)
def check_lines_in_clauses(state: BuildState) -> None:
    """Reports them: at the clause, or at a sentence beside which another says what the clause does."""
    values = {name: value for name, each in state.parameters.items() if isinstance(value := each.value, int)}
    for clause in (clause for action in state.judged.actions for clause in action.clauses):
        lines = [*_lines(clause.condition, values, is_denied=False)]
        sentences = [*_sentences(clause, state)] if lines else []
        for line in lines:
            if sum(other.number == line.number for other in lines) > 1:
                continue
            if (says := _other_line(sentences, line)) is not None:
                _report(state, clause, line, says, sentences)
                break


def _report(
    state: BuildState, clause: Clause, line: _Line, says: tuple[_Sentence, str], sentences: list[_Sentence]
) -> None:
    sentence, words = says
    asks = f"asks for {IN_WORDS[line.sign].format(f'`{line.name}`' if line.name else line.number)}"
    own = {"why": "its reason", "text": "its sentence", "variant": "its variant"}[sentence.role]
    if any(_says_same(other, line) for other in sentences):
        message, hint = f"this says `{words}`, and its clause {asks}", "change the sentence, or the clause"
        warn(state, sentence.node.span, OTHER_NUMBER, message, "another line", hint, clause.address)
        return
    section, _, name = clause.address.rpartition(".")
    node = condition_node(state.document.root, section, name)
    span = clause.span if node is None else node.span
    if isinstance(node, ScalarNode):
        span = node.subspan(*line.compare.offsets)
    message = f"{own} says `{words}`, and this {asks}"
    warn(state, span, OTHER_NUMBER, message, "another line", "change the rule, or its sentence", clause.address)


# ---- what is asked ------------------------------------------------------------------------------------------------


def _lines(condition: Expr, values: Mapping[str, int], *, is_denied: bool) -> Iterator[_Line]:
    """The comparisons with one number by which a condition is made up."""
    match condition:
        case Logic(left=left, right=right):
            yield from _lines(left, values, is_denied=is_denied)
            yield from _lines(right, values, is_denied=is_denied)
        case Not(of=of):
            yield from _lines(of, values, is_denied=not is_denied)
        case Compare(op=op, left=left, right=right) if op in TURNED:
            for sign, bound, other in ((op, right, left), (TURNED[op], left, right)):
                sign = CONTRARY[sign] if is_denied else sign
                if isinstance(other, Arithmetic):
                    continue  # "eight" of `count + 1 <= 8` may be what was before
                match bound:
                    case Constant(value=int(number)) if type(number) is int:
                        yield _Line(condition, sign, number, "")
                    case ReadParameter(name=name, keys=()) if name in values:
                        yield _Line(condition, sign, values[name], name)


# ---- what is said -------------------------------------------------------------------------------------------------


def _sentences(clause: Clause, state: BuildState) -> Iterator[_Sentence]:
    """All sentences about a clause."""
    entries = state.book_sentences.entries
    for role, address in ((WHY, reason_address(clause.address)), (TEXT, clause.address)):
        entry = entries.get(address)
        for language, node in sentence_by_language(state, address, entry).items() if entry is not None else ():
            yield _Sentence(role, language, node)
    for variant in state.applied:
        changes = [change for change in variant.changes if not change.is_of_words]
        entry = variant.root.entry("text")
        if entry is not None and len(changes) == 1 and changes[0].address in (clause.address, f"{clause.address}.is"):
            yield from _of_variant(entry)


def _of_variant(entry: Entry) -> Iterator[_Sentence]:
    for language, node in nodes_by_language(entry).items():
        yield _Sentence(VARIANT, language, node)


def _other_line(sentences: list[_Sentence], line: _Line) -> tuple[_Sentence, str] | None:
    """The first sentence that draws another line, and its words."""
    for sentence in sentences:
        found = [*_drawn_at(sentence, line)]
        if found and all(_differs(sign, match, sentence, line) for sign, match in found):
            return sentence, found[0][1][0]
    return None


def _says_same(sentence: _Sentence, line: _Line) -> bool:
    """Whether a sentence draws the line of the clause, as what it asks for or as what is missing."""
    found = [*_drawn_at(sentence, line)]
    return any(not _differs(sign, match, sentence, line) for sign, match in found)


def _drawn_at(sentence: _Sentence, line: _Line) -> Iterator[tuple[str, re.Match[str]]]:
    """The lines that a sentence draws at the number of a clause."""
    text = sentence.node.text
    for sign, match in drawn_lines(sentence.language, text):
        if line.is_number(next(filter(None, match.groups())), sentence.language):
            yield sign, match
    if sentence.role == WHY and sentence.language in ALREADY:
        for match in re.finditer(ALREADY[sentence.language], text, re.IGNORECASE):
            if line.is_number(next(filter(None, match.groups())), sentence.language):
                yield ">=", match


def _differs(sign: str, match: re.Match[str], sentence: _Sentence, line: _Line) -> bool:
    """Whether a line that is drawn is surely another one, or the right one said the wrong way round."""
    is_plain = STATES.search(match.string[: match.start()]) is not None and not MAY_BE.search(match.string)
    if sign == line.sign:
        return sentence.role == WHY and is_plain
    if sign == CONTRARY[line.sign]:
        return sentence.role == TEXT and is_plain
    return line.sign in ("<=", ">=") or (sentence.role == WHY and is_plain)


__all__ = ["check_lines_in_clauses"]
