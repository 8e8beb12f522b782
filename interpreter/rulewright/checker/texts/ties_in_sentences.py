"""Does a sentence say that somebody is alone with the most, where the rule takes all who are equal, or the reverse?

In: the state of a build. Out: warnings about values, and about loops of steps, that compare a player with all others.
Found by a few words, English and French, such as "alone" and "tied", in the sentence of the value or step, or in what a
variant says of itself where it has only one such rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.denied_parts import parts_with_denial
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.numbers_in_sentences import sentence_texts
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.checker.texts.words_found import contrary_found
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Compare, Expr, Local, Quantifier
from rulewright.expr.types import SEAT, Flag
from rulewright.expr.walk import free_variables, transform
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.source.nodes import ScalarNode

Tie = Literal["alone", "tied"]  # who is equal to another is left out, or is taken, too

ALONE: Final = {  # by language: words for who shares it with nobody
    "en": lazy_pattern(r"\b(?:alone|sole|strictly|outright|single-handed\w*|without a tie)\b"),
    "fr": lazy_pattern(r"\b(?:seule?|strictement|sans égalité|sans ex æquo|sans partage)\b"),
}
TIED: Final = {
    "en": lazy_pattern(r"\b(?:tied|in a tie|even if equal|shared?|jointly|also when equal|all who are equal)\b"),
    "fr": lazy_pattern(r"\b(?:à égalité|ex æquo|même à égalité|partagée?)\b"),
}
NOT_SO: Final = lazy_pattern(r"\b(?:not|no|nobody|unless|except|without|pas|ne|sauf|sans|personne)\b")
STRICT: Final = ("<", ">")
ORDERS: Final = (*STRICT, "<=", ">=")


@build_pass(needs=["blocks", "values", "book_sentences", "judged"], skip=after_errors)
def check_ties_in_sentences(state: BuildState) -> None:
    """Reports them."""
    if not state.judged.steps and not state.judged.values:
        return
    found = [(place, ties) for place in _conditions(state) if len(ties := dict(_ties(place[2]))) == 1]
    for (address, key, _), ties in found:
        ((tie, part),) = ties.items()
        node = condition_node(state.document.root, address, key)
        texts = sentence_by_language(state, address)
        says = _contrary_word(texts, tie)
        if not says and not _has_word(texts) and len(found) == 1:
            own = [each.text for each in state.applied if node and each.root.span.source.path == node.span.source.path]
            says = next((_contrary_word(dict(sentence_texts(text)), tie) for text in own if text is not None), "")
        if not says or not isinstance(node, ScalarNode):
            continue
        takes = "only who is equal to nobody" if tie == "alone" else "all who are equal"
        message = f"its sentence says `{says}`, and this takes {takes}"
        hint = f"write `{part.op}=`" if part.op in STRICT else f"write `{part.op[0]}`"
        hint += ", or change the sentence"
        warn(state, node.subspan(*part.offsets), OTHER_WAY, message, "of those who are equal", hint, address)


def _conditions(state: BuildState) -> Iterator[tuple[str, str, Expr]]:
    """The conditions that say something of a player, each with the address of its sentence and the key there."""
    for name, value in state.values.items():
        if isinstance(value.type, Flag) and SEAT in value.key_types and len(value.terms) == 1:
            yield f"values.{name}", "is", value.terms[0][1]
    for step in (step for block in state.blocks for step in block.steps):
        if step.for_each is not None and step.for_each.condition is not None:
            yield step.address, "for_each", step.for_each.condition


def _ties(condition: Expr) -> Iterator[tuple[Tie, Compare]]:
    """The comparisons with all others, each with what it says of those who are equal."""
    for loop, is_loop_denied in parts_with_denial(condition):
        if not isinstance(loop, Quantifier) or loop.quantifier not in ("every", "no") or is_loop_denied:
            continue
        for part, is_denied in parts_with_denial(loop.condition):
            if isinstance(part, Compare) and part.op in ORDERS and _is_of_two(part, loop.slot):
                is_strict = (part.op in STRICT) is not is_denied
                yield "alone" if is_strict is (loop.quantifier == "every") else "tied", part


def _is_of_two(part: Compare, other: int) -> bool:
    """Whether a comparison is of the same number of two players, one of them that of the loop."""
    for one, another in ((part.left, part.right), (part.right, part.left)):
        for slot in free_variables(another) if other in free_variables(one) else ():

            def as_other(read: Expr, slot: int = slot) -> Expr | None:
                is_own = isinstance(read, Local) and read.slot == slot and read.type == SEAT
                return Local("", other, SEAT, read.offsets) if is_own else None

            key = structural_key(one)
            if slot != other and key is not None and key == structural_key(transform(another, as_other)):
                return True
    return False


def _has_word(texts: Mapping[str, ScalarNode]) -> bool:
    """Whether sentences say anything of those who are equal."""
    lowered = [(language, node.text.lower()) for language, node in texts.items() if language in ALONE]
    return any(ALONE[language].search(text) or TIED[language].search(text) for language, text in lowered)


def _contrary_word(texts: Mapping[str, ScalarNode], tie: Tie) -> str:
    """The word of a sentence that says the contrary, where none goes with the rule."""
    right, wrong = (ALONE, TIED) if tie == "alone" else (TIED, ALONE)
    return contrary_found(texts, right, wrong, NOT_SO)


__all__ = ["check_ties_in_sentences"]
