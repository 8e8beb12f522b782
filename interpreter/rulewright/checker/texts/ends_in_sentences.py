"""Does a sentence say another moment at which the game ends than its step, or that nobody wins where somebody does?

In: the state of a build. Out: warnings about steps of a turn that end the game at once where the sentence says that the
round is played to its end, or the reverse. Found by a few words, English and French.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.expr.types import SEAT
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Finish, Step

TURN: Final = "turn."
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
DRAWN: Final = {  # nobody is ahead
    "en": lazy_pattern(r"(?i)\b(?:(?:is|ends? (?:in|as|with)) (?:a )?(?:draw|tie)|game is drawn|nobody wins)\b"),
    "fr": lazy_pattern(r"(?i)\b(?:partie (?:est )?nulle|match (?:est )?nul|personne ne gagne)\b"),
}
NOT_DRAWN: Final = lazy_pattern(r"(?i)\b(?:not|no longer|unless|instead|would|pas|sauf|sinon)\b")


@build_pass(needs=["book_sentences", "judged"], skip=after_errors)
def check_ends_in_sentences(state: BuildState) -> None:
    """Reports them."""
    for step in state.judged.steps:
        if isinstance(step.effect, Finish):
            if step.address.startswith(TURN):
                _check_moment(state, step, step.effect)
            _check_draw(state, step, step.effect)


def _check_moment(state: BuildState, step: Step, finish: Finish) -> None:
    """Whether the game ends at once, or with the round."""
    is_now = finish.when == "now"
    words, others = (LATER, AT_ONCE) if is_now else (AT_ONCE, LATER)
    for language, text in sentence_by_language(state, step.address).items():
        says = words[language].search(text.text) if language in words else None
        if says is None or others[language].search(text.text):
            continue
        node = condition_node(state.document.root, step.address, "end_game")
        span, what = step.span if node is None else node.span, "at once" if is_now else "with the round"
        message = f"its sentence says `{says[0]}`, and this ends the game {what}"
        hint = f"write `end_game: {'after_round' if is_now else 'now'}`, or change the sentence"
        warn(state, span, OTHER_WAY, message, "another moment", hint, step.address)
        return


def _check_draw(state: BuildState, step: Step, finish: Finish) -> None:
    """Whether somebody wins alone."""
    if finish.winners is None or finish.winners.type != SEAT:
        return
    for language, text in sentence_by_language(state, step.address).items():
        says = DRAWN[language].search(text.text) if language in DRAWN else None
        if says is not None and not NOT_DRAWN.search(text.text):
            node = condition_node(state.document.root, step.address, "winners")
            span = step.span if node is None else node.span
            message, hint = f"its sentence says `{says[0]}`, and this names a winner", "write `winners: nobody`"
            warn(state, span, OTHER_WAY, message, "a winner", f"{hint}, or change the sentence", step.address)
            return


__all__ = ["check_ends_in_sentences"]
