"""Does a step say another round, another one of a row or another face of a die than it asks for?

In: the state of a build. Out: warnings about steps: "rounds 3, 6, 9" of `round_number % 3 is 1`; "the third card" of a
count that is 2 once that card is there, or 3 before it is; "who throws a 1" of `die is 6`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rulewright.checker.common.condition_nodes import part_span
from rulewright.checker.common.lint_codes import OTHER_NUMBER
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.checker.texts.words_found import WORD
from rulewright.expr.structural_key import are_same
from rulewright.expr.tree import Arithmetic, Builtin, Call, Compare, Constant, Expr, Filter, ReadState, ReadZone
from rulewright.expr.types import Number
from rulewright.expr.walk import conjuncts, iter_exprs
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Block, Move, Roll, Step
from rulewright.model.locale import spelled_ordinals
from rulewright.source.nodes import ScalarNode

SERIES: Final = {  # the numbers of several rounds
    "en": lazy_pattern(r"(?i)\b(?:rounds?) (\d{1,3}(?:(?:, | and |, and )\d{1,3})+)"),
    "fr": lazy_pattern(r"(?i)\btours?(?: de table)? (\d{1,3}(?:(?:, | et )\d{1,3})+)"),
}
FIGURES: Final = lazy_pattern(r"\d{1,3}")
FIGURE_ORDINAL: Final = {
    "en": lazy_pattern(r"\b(\d{1,2})(?:nd|rd|th)\b"),
    "fr": lazy_pattern(r"\b(\d{1,2})(?:e|ème)\b"),
}
NOT_YET: Final = lazy_pattern(
    r"(?i)\b(?:not|no|none|never|until|before|without|except|rounds?|turns?|pas|sans|sauf|avant|jusqu\w*|jamais|tours?)\b"
)
THROWS_ONE: Final = {
    "en": lazy_pattern(
        r"(?i)\b(?:throws?|thrown|threw|rolls?|rolled|dice?|with|on|at|by) (?:an? |the )?(?:1|one)\b(?! (?:of|or|die))"
    ),
    "fr": lazy_pattern(r"(?i)\b(?:lance|jette|obtient|fait|tire|avec|sur|à) (?:un |le )?1\b"),
}


@build_pass(needs=["blocks", "book_sentences", "judged"], skip=after_errors)
def check_ordinals_in_sentences(state: BuildState) -> None:
    """Reports them."""
    rolled = {
        step.effect.target.name for block in state.blocks for step in block.steps if isinstance(step.effect, Roll)
    }
    for block in state.blocks:
        for index, step in enumerate(block.steps):
            if step.when is None or not state.judged.has(step.address):
                continue
            texts = sentence_by_language(state, step.address)
            for part in conjuncts(step.when):
                found = isinstance(part, Compare) and (
                    _other_rounds(part, texts)
                    or _other_ordinal(part, texts, index, block)
                    or _other_face(part, texts, rolled)
                )
                if found:
                    says, asks = found
                    span = part_span(state.document.root, step.address, "when", part, step.span)
                    message = f"its sentence says `{says}`, and {asks}"
                    hint = "change the rule, or its sentence"
                    warn(state, span, OTHER_NUMBER, message, "another number", hint, step.address)
                    break


# ---- rounds -------------------------------------------------------------------------------------------------------


def _other_rounds(compare: Compare, texts: Mapping[str, ScalarNode]) -> tuple[str, str] | None:
    """The rounds that a sentence lists, in none of which the condition holds."""
    if compare.op != "is" or not any(isinstance(part, Arithmetic) and part.op == "%" for part in iter_exprs(compare)):
        return None
    for language, text in texts.items():
        match = SERIES[language].search(text.text) if language in SERIES else None
        rounds = [] if match is None else [int(number) for number in FIGURES.findall(match[1])]
        sides = [(_in_round(compare.left, each), _in_round(compare.right, each)) for each in rounds]
        if match is not None and all(None not in each and each[0] != each[1] for each in sides):
            first = next((number for number in range(1, 100) if _holds(compare, number)), None)
            asks = "this holds in no round" if first is None else f"this is so in round {first} first"
            return match[0], asks
    return None


def _holds(compare: Compare, number: int) -> bool:
    return _in_round(compare.left, number) == _in_round(compare.right, number)


def _in_round(expr: Expr, number: int) -> int | None:
    """What a number is that only depends on the round; None for any other."""
    match expr:
        case Constant(value=int(value), type=Number()):
            return value
        case Builtin(name="round_number"):
            return number
        case Arithmetic(op=op, left=left, right=right):
            one, other = _in_round(left, number), _in_round(right, number)
            if one is None or other is None:
                return None
            match op:
                case "+":
                    return one + other
                case "-":
                    return one - other
                case "%":
                    return one % other if other else None
    return None


# ---- one of a row -------------------------------------------------------------------------------------------------


def _other_ordinal(
    compare: Compare, texts: Mapping[str, ScalarNode], index: int, block: Block
) -> tuple[str, str] | None:
    """The one that is said to be meant, and which one it is by the order of the steps."""
    sides = ((compare.left, compare.right), (compare.right, compare.left))
    found = [(zone, number) for side, bound in sides if (zone := _counted(side)) and (number := _plain(bound))]
    if compare.op not in ("is", ">=") or len(found) != 1:
        return None
    ((zone, number),) = found
    arrivals = [place for place, step in enumerate(block.steps) if _brings_to(step, zone)]
    if len(arrivals) != 1 or arrivals[0] == index:
        return None
    meant = number if arrivals[0] < index else number + 1
    for language, text in texts.items():
        ordinals = [*_ordinals(language, text.text)]
        if len(ordinals) != 1 or NOT_YET.search(text.text):
            continue
        word, stated = ordinals[0]
        if stated != meant and stated in (number, number + 1):
            when = "after it is there" if arrivals[0] < index else "before it is there"
            return word, f"this is asked {when}, so it is number {meant}"
    return None


def _ordinals(language: str, text: str) -> Iterator[tuple[str, int]]:
    """The words by which something is called the second or a later one."""
    words = spelled_ordinals(language)
    yield from ((word, words[word.lower()]) for word in WORD.findall(text) if word.lower() in words)
    if language in FIGURE_ORDINAL:
        yield from ((match[0], int(match[1])) for match in FIGURE_ORDINAL[language].finditer(text))


def _counted(expr: Expr) -> ReadZone | None:
    """The place of which things are counted, all or those of one sort."""
    match expr:
        case Call(function="count", args=(ReadZone(member=None) as zone,)):
            return zone
        case Call(function="count", args=(Filter(over=ReadZone(member=None) as zone, condition=condition),)):
            parts = [] if condition is None else [*iter_exprs(condition)]
            return None if any(isinstance(part, Compare) and part.op == "is not" for part in parts) else zone
    return None


def _plain(expr: Expr) -> int:
    return expr.value if isinstance(expr, Constant) and isinstance(expr.value, int) else 0


def _brings_to(step: Step, zone: ReadZone) -> bool:
    """Whether a step, done once whatever is so, brings something to a place."""
    move = step.effect
    is_once = step.when is None and step.for_each is None and step.times is None
    return is_once and isinstance(move, Move) and move.to.zone == zone.name and are_same(move.to.keys, zone.keys)


# ---- faces --------------------------------------------------------------------------------------------------------


def _other_face(compare: Compare, texts: Mapping[str, ScalarNode], rolled: set[str]) -> tuple[str, str] | None:
    """That a 1 is thrown, where another face is asked for."""
    die, face = compare.left, compare.right
    if compare.op != "is" or not isinstance(die, ReadState) or die.name not in rolled or not isinstance(face, Constant):
        return None
    if not isinstance(die.type, Number) or face.value == 1:
        return None
    for language, text in texts.items():
        match = THROWS_ONE[language].search(text.text) if language in THROWS_ONE else None
        if match is not None and str(face.value) not in FIGURES.findall(text.text):
            return match[0], f"this asks for {face.value}"
    return None


__all__ = ["check_ordinals_in_sentences"]
