"""Does a sentence say another moment at which the game ends than its step?

In: the state of a build. Out: warnings about steps that end the game: at once, in a turn, where the sentence says that
the round is played to its end, or the reverse; and, after the turns of a round or before them, a round later or earlier
than "after 10 rounds" says. Found by a few words, English and French.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rulewright.checker.condition_nodes import condition_node
from rulewright.checker.lint_codes import OTHER_NUMBER, OTHER_WAY
from rulewright.checker.sentence_languages import sentence_by_language
from rulewright.checker.warn import warn
from rulewright.expr.tree import Builtin, Compare, Constant, Expr, ReadParameter
from rulewright.expr.walk import conjuncts
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Block, Finish, GiveTurn, Step
from rulewright.model.locale import spelled_numbers
from rulewright.source.nodes import Entry, ScalarNode

TURN, ROUND = "turn", "round"
_GOES_ON: Final = r"(?:the|this|that|current) round is (?:played (?:to (?:its|the) end|out)|finished|completed)"
_FINISHED: Final = r"(?:finish|complete|play out) (?:the|this|that) (?:current )?round"
_FRENCH: Final = r"(?:finir|terminer|achever|finit|termine|achève) (?:la manche|le tour de table)"
LATER: Final = {  # the round goes on
    "en": lazy_pattern(rf"(?i)\b(?:{_GOES_ON}|{_FINISHED}|(?:at|with|after) the end of (?:the|this) round)\b"),
    "fr": lazy_pattern(rf"(?i)(?:\b{_FRENCH}|\bà la fin (?:de la manche|du tour de table))\b"),
}
AT_ONCE: Final = {
    "en": lazy_pattern(r"(?i)\b(?:at once|immediately|straight away|right away|instantly)\b"),
    "fr": lazy_pattern(r"(?i)\b(?:aussitôt|immédiatement|sur-le-champ|tout de suite)\b"),
}
AFTER_ROUNDS: Final = {
    "en": r"(?i)\bafter (\{[a-z_][a-z0-9_]*\}|\w+) rounds?\b",
    "fr": r"(?i)\baprès (\{[a-z_][a-z0-9_]*\}|\w+) (?:manches?|tours de table)\b",
}


@build_pass(needs=["blocks", "book_sentences"], skip=after_errors)
def check_ends_in_sentences(state: BuildState) -> None:
    """Reports them."""
    for block in state.blocks:
        for step in block.steps:
            entry = state.book_sentences.entries.get(step.address)
            if entry is not None and isinstance(step.effect, Finish):
                if block.address == ROUND:
                    _check_rounds(state, block, step, entry)
                elif block.address.partition(".")[0] == TURN:
                    _check_moment(state, step, step.effect, entry)


def _check_moment(state: BuildState, step: Step, finish: Finish, entry: Entry) -> None:
    """Whether the game ends at once, or with the round."""
    is_now = finish.when == "now"
    words, others = (LATER, AT_ONCE) if is_now else (AT_ONCE, LATER)
    for language, text in sentence_by_language(state, step.address, entry).items():
        says = words[language].search(text.text) if language in words else None
        if says is None or others[language].search(text.text):
            continue
        node = condition_node(state.document.root, step.address, "end_game")
        span, what = step.span if node is None else node.span, "at once" if is_now else "with the round"
        message = f"its sentence says `{says[0]}`, and this ends the game {what}"
        hint = f"write `end_game: {'after_round' if is_now else 'now'}`, or change the sentence"
        warn(state, span, OTHER_WAY, message, "another moment", hint, step.address)
        return


def _check_rounds(state: BuildState, block: Block, step: Step, entry: Entry) -> None:
    """Whether as many rounds are played as the sentence says."""
    place = block.steps.index(step)
    is_after_turns = any(isinstance(other.effect, GiveTurn) for other in block.steps[:place])
    if not is_after_turns and not any(isinstance(other.effect, GiveTurn) for other in block.steps[place:]):
        return  # where turns are given otherwise
    wrong = ">" if is_after_turns else ">="
    for compare, sign, number in _rounds_asked(step.when):
        if sign != wrong:
            continue
        for language, text in sentence_by_language(state, step.address, entry).items():
            says = re.search(AFTER_ROUNDS[language], text.text) if language in AFTER_ROUNDS else None
            if says is None or not _is_number(says[1], language, number):
                continue
            node = condition_node(state.document.root, step.address)
            span = step.span if node is None else node.span
            if isinstance(node, ScalarNode):
                span = node.subspan(*compare.offsets)
            when = "one round later" if is_after_turns else "one round earlier"
            message = f"its sentence says `{says[0]}`, and this holds {when}"
            hint = f"write `{'>=' if is_after_turns else '>'}`, or change the sentence"
            warn(state, span, OTHER_NUMBER, message, when, hint, step.address)
            return


def _rounds_asked(condition: Expr | None) -> Iterator[tuple[Compare, str, Constant | ReadParameter]]:
    """The comparisons of the number of the round with a number that all have to hold, and their signs."""
    for part in conjuncts(condition) if condition is not None else ():
        match part:
            case Compare(op=op, left=Builtin(name="round_number"), right=Constant() | ReadParameter() as number):
                yield part, op, number
            case Compare(op="<" | "<=" as op, left=Constant() | ReadParameter() as number, right=Builtin() as builtin):
                if builtin.name == "round_number":
                    yield part, ">" if op == "<" else ">=", number


def _is_number(word: str, language: str, number: Constant | ReadParameter) -> bool:
    if isinstance(number, ReadParameter):
        return word == f"{{{number.name}}}"
    return number.value == (int(word) if word.isdecimal() else spelled_numbers(language).get(word.lower()))


__all__ = ["check_ends_in_sentences"]
