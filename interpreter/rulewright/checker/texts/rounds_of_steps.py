"""Does a step come in one round where its sentence says that it comes in every one, or in all for the first; or at
another moment of the turn?

In: the state of a build. Out: warnings about conditions that hold in one round, about steps that ask for no round, and
about steps of a turn before or behind what is decided in it.
Found by a few words, English and French.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rulewright.checker.common.condition_nodes import part_span
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.rules_read import all_parts
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.checker.texts.words_found import words_found
from rulewright.expr.tree import Builtin, Compare, Constant, Expr, ReadState
from rulewright.expr.walk import conjuncts
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Choose, Step
from rulewright.model.traversal import step_exprs

ROUND: Final = "round_number"
SECTIONS: Final = ("turn", "round")  # which come again and again
EVERY_ROUND: Final = {
    "en": lazy_pattern(
        r"(?i)\b(?:in|of|after|before|at) (?:each|every) round\b(?! (?:after|but|except|until|from|on\b))"
    ),
    "fr": lazy_pattern(r"(?i)\b(?:à|de|après|avant) chaque (?:tour de table|manche)\b(?! (?:sauf|après|jusqu|dès))"),
}
FIRST_ROUND: Final = {
    "en": lazy_pattern(
        r"(?i)^in the first round\b|\b(?:only|just) (?:in|after) the first round\b|\bthe first round only\b"
    ),
    "fr": lazy_pattern(
        r"(?i)^au premier tour de table\b|^(?:à|dans) la première manche\b"
        r"|\b(?:seulement|uniquement) (?:au premier tour de table|(?:à|dans) la première manche)\b"
    ),
}

_OF_TURN: Final = r"(?:the|a|an?|each|every|your|his|her|their|one's) turn"
_DU_TOUR: Final = r"(?:du|de (?:son|votre|chaque|leur)) tour(?! de)"
ENDING: Final = {  # what is done when players have decided
    "en": lazy_pattern(rf"(?i)\b(?:at the end of {_OF_TURN}|(?:ends?|finish(?:es)?) {_OF_TURN})\b"),
    "fr": lazy_pattern(rf"(?i)\bà la fin {_DU_TOUR}|\b(?:finit|termine) (?:son|le|leur) tour(?! de)\b"),
}
BEGINNING: Final = {
    "en": lazy_pattern(rf"(?i)\b(?:at the (?:beginning|start) of {_OF_TURN}|(?:begins?|starts?) {_OF_TURN})\b"),
    "fr": lazy_pattern(rf"(?i)\bau début {_DU_TOUR}|\b(?:commence|débute) (?:son|le|leur) tour(?! de)\b"),
}
OTHER_MOMENT: Final = lazy_pattern(r"(?i)\b(?:until|till|before|next|last|lasts?|jusqu\w*|avant|prochain|dernier)\b")


@build_pass(needs=["blocks", "section_blocks", "values", "book_sentences", "judged"], skip=after_errors)
def check_rounds_of_steps(state: BuildState) -> None:
    """Reports them."""
    _check_turn(state)
    steps = {step.address: step for block in state.blocks for step in block.steps}
    for step in state.judged.steps:
        if step.address.partition(".")[0] not in SECTIONS:
            continue
        texts = sentence_by_language(state, step.address)
        single = _single_round(step)
        if single is not None and (says := words_found(EVERY_ROUND, texts).lower()):
            span = part_span(state.document.root, step.address, "when", single, step.span)
            message = f"its sentence says `{says}`, and this is so in one round only"
            hint = "leave this condition out, or change the sentence"
            warn(state, span, OTHER_WAY, message, "in one round", hint, step.address)
        elif (says := words_found(FIRST_ROUND, texts).lower()) and not _asks_for_time(step, steps, state):
            message = f"its sentence says `{says}`, and this is done in every round"
            hint = f"add `when: {ROUND} is 1`, or change the sentence"
            warn(state, step.span, OTHER_WAY, message, "asks for no round", hint, step.address)


def _check_turn(state: BuildState) -> None:
    """Steps of a turn that come before the decision of which their sentence says that they come at the end, or after it
    and are said to come at the beginning.
    """
    steps = state.blocks[state.section_blocks.turn].steps
    decisions = [index for index, step in enumerate(steps) if isinstance(step.effect, Choose)]
    for index, step in enumerate(steps) if decisions else ():
        words = ENDING if index < decisions[0] else BEGINNING if index > decisions[-1] else None
        if words is None or not state.judged.has(step.address):
            continue
        texts = sentence_by_language(state, step.address)
        says = words_found(words, texts).lower()
        if says and not any(OTHER_MOMENT.search(text.text) for text in texts.values()):
            name = steps[decisions[0] if words is ENDING else decisions[-1]].address.rpartition(".")[2]
            where, other = ("before", "behind") if words is ENDING else ("behind", "before")
            message = f"its sentence says `{says}`, and this comes {where} `{name}`, which players decide"
            hint = f"put it {other} `{name}`, or change the sentence"
            warn(state, step.span, OTHER_WAY, message, "at another moment", hint, step.address)


def _single_round(step: Step) -> Expr | None:
    """The part of the condition of a step that names the one round in which it comes."""
    for part in conjuncts(step.when) if step.when is not None else ():
        match part:
            case Compare(op="is", left=Builtin(name="round_number"), right=Constant()):
                return part
    return None


def _asks_for_time(step: Step, steps: Mapping[str, Step], state: BuildState) -> bool:
    """Whether a step, or one around it, asks for the round, or for a state, which may tell it."""
    around = [each for address, each in steps.items() if f"{step.address}.".startswith(f"{address}.")]
    exprs = [expr for each in around for expr in step_exprs(each)]
    parts = all_parts(state.values, exprs)
    return any(isinstance(part, ReadState) or (isinstance(part, Builtin) and part.name == ROUND) for part in parts)


__all__ = ["check_rounds_of_steps"]
