"""Does the sentence of a choice say another range than the choice has: "from 1 to 3" of `0 to 3`?

In: the state of a build. Out: warnings about choices of one number of a range, or of so many, where the reason or the
sentence of the choice says a range with words ("one or two", "from 1 to {limit}") and one of its ends is not that of
the rule, and is not said elsewhere in it either ("one, two or three"). An end that the rule reckons is not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import OTHER_NUMBER
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.numbers_in_sentences import number_in_word
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.document.text_addresses import reason_address
from rulewright.expr.tree import Constant, Expr, Range, ReadParameter
from rulewright.frozen import frozen
from rulewright.model.actions import Choice, OneOf, SomeOf
from rulewright.model.build_state import BuildState, after_errors, build_pass

_NUMBER: Final = r"(\{[a-z_][a-z0-9_]*\}|\w{1,24})"
_WORD: Final = r"\{[a-z_][a-z0-9_]*\}|\w{1,24}"
RANGES: Final = {  # by language: the two ends; of "one or two" only numbers that follow each other are ends
    "en": (
        rf"\bfrom {_NUMBER} to {_NUMBER}",
        rf"\bbetween {_NUMBER} and {_NUMBER}",
        rf"\b{_NUMBER} (?:or|to) {_NUMBER}",
    ),
    "fr": (rf"\bde {_NUMBER} à {_NUMBER}", rf"\bentre {_NUMBER} et {_NUMBER}", rf"\b{_NUMBER} (?:ou|à) {_NUMBER}"),
}
ONE: Final = {"en": ("one",), "fr": ("un", "une")}


@frozen
class _End:
    """One end of a range as a sentence says it: a number, or the parameter in a hole."""

    number: int | None
    name: str

    def differs(self, expr: Expr) -> bool:
        """Whether the rule's end is surely another one."""
        match expr:
            case Constant(value=int(value)) if type(value) is int:
                return self.number is not None and self.number != value
            case ReadParameter(name=name, keys=()):
                return self.name not in ("", name)
        return False


@build_pass(needs=["book_sentences", "judged"], skip=after_errors)
def check_ranges_in_sentences(state: BuildState) -> None:
    """Reports them."""
    for action in state.judged.actions:
        for choice in action.choices:
            says = next(_says_other(choice, state), None)
            if says is not None:
                node = condition_node(
                    state.document.root, choice.address, "one_of" if isinstance(choice.domain, OneOf) else "total"
                )
                span = choice.span if node is None else node.span
                message, hint = (
                    f"its sentence says `{says}`, and this is another range",
                    "change the rule, or its sentence",
                )
                warn(state, span, OTHER_NUMBER, message, "another range", hint, choice.address)


def _says_other(choice: Choice, state: BuildState) -> Iterator[str]:
    """The words of the choice, or of its reason, that say another range."""
    numbers = _range_of(choice)
    if numbers is None:
        return
    for address in (choice.address, reason_address(choice.address)):
        for language, text in sentence_by_language(state, address).items():
            yield from _other_ends(language, text.text, numbers)


def _range_of(choice: Choice) -> Range | None:
    """The numbers out of which one is chosen, or of how many things or pieces are."""
    match choice.domain:
        case OneOf(of=Range() as numbers) | SomeOf(total=Range() as numbers):
            return numbers
    return None


def _other_ends(language: str, text: str, numbers: Range) -> Iterator[str]:
    """The words of a sentence that say another range."""
    for pattern in RANGES.get(language, ()):
        for match in re.finditer(pattern, text, re.IGNORECASE):
            low, high = _end(match[1], language), _end(match[2], language)
            if low is None or high is None or (low.number is None and high.number is None):
                continue
            is_list = re.search(r" (?:or|ou) ", match[0])
            if is_list and (low.number is None or high.number != low.number + 1):
                continue
            others = {end for word in re.findall(_WORD, text[: match.start()]) if (end := _end(word, language))}
            ends = [(low, numbers.low), (high, numbers.high)]
            wrong = [bound for end, bound in ends if end.differs(bound)]
            if any(all(other.differs(bound) for other in others) for bound in wrong):
                yield match[0]
            else:
                return


def _end(word: str, language: str) -> _End | None:
    if word.startswith("{"):
        return _End(None, word.strip("{}"))
    if word.lower() in ONE[language]:
        return _End(1, "")
    number = number_in_word(language, word)
    return None if number is None else _End(number, "")


__all__ = ["check_ranges_in_sentences"]
