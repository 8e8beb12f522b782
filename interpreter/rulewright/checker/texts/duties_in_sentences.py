"""Does a step let players decline what they have to do by its sentence, if they can?

In: the state of a build. Out: warnings about decisions whose sentence says that who can do something has to, and that
offer beside it, under no condition, what is left to who cannot, or that can be declined. Found by a few words, English
and French.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.checker.texts.words_found import WORD
from rulewright.document.text_addresses import title_address
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.actions import ActionDef
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Choose, Step
from rulewright.model.locale import ENGLISH

DUTY: Final = {  # who can has to
    "en": lazy_pattern(
        r"(?i)\b(?:who|whoever|if (?:you|one|they|a player)) can\b[^.,;:]*(?:, (?:you|one|they))?"
        r" (?:has to|have to|must)\b"
    ),
    "fr": lazy_pattern(
        r"(?i)\b(?:qui|quiconque|si (?:vous|l'on|on|le joueur)) (?:peut|pouvez)\b[^.,;:]*"
        r"(?:, (?:vous|on|il))? (?:le |la |les )?(?:doit|devez)\b"
    ),
}
UNABLE: Final = {
    "en": lazy_pattern(r"(?i)\b(?:cannot|can not|can't|otherwise|else|only then)\b(?P<what>.*)"),
    "fr": lazy_pattern(r"(?i)\b(?:sinon|ne (?:le )?(?:peut|pouvez) pas|autrement)\b(?P<what>.*)"),
}
FREE: Final = lazy_pattern(  # it may be declined after all
    r"(?i)\b(?:or|may|but|unless|except|free|freely|if (?:they|you|one) wants?|(?:does|do) not|doesn't|fails?|refuses?"
    r"|ou|mais|sauf|libre|librement|choix|veut|ne le (?:fait|faites) pas|refuse)\b"
)
STEM: Final = 4  # letters of a word by which an action is meant


@build_pass(needs=["actions", "book_sentences", "judged"], skip=after_errors)
def check_duties_in_sentences(state: BuildState) -> None:
    """Reports them."""
    for step in state.judged.steps:
        if isinstance(step.effect, Choose) and step.effect.mode in ("must", "may") and step.when is None:
            _check(step, step.effect, state)


def _check(step: Step, choose: Choose, state: BuildState) -> None:
    offered = [(state.actions[offer.action], offer.clauses) for offer in choose.offers]
    free = [action for action, clauses in offered if not (clauses or action.clauses or action.choices)]
    bound = [action for action, _ in offered if action not in free]
    for language, text in sentence_by_language(state, step.address).items() if bound else ():
        duty = DUTY[language].search(text.text) if language in DUTY else None
        if duty is None or FREE.search(text.text):
            continue
        unable = UNABLE[language].search(text.text, duty.end())
        left = "" if unable is None else unable["what"]
        done = [action for action in bound if _is_named(action, language, text.text[duty.start() : duty.end()], state)]
        escape = next((action for action in free if _is_named(action, language, left, state)), None)
        says = duty[0]
        if choose.mode == "may" and (done or not free):
            message = f"its sentence says `{says}`, and this can be declined"
            span, hint = key_span(state.document.root, step.address, "may", step.span), "write `must` with `if_unable`"
            warn(state, span, OTHER_WAY, message, "can be declined", hint, step.address)
            return
        if choose.mode == "must" and escape is not None:
            message = f"its sentence says `{says}`, and `{escape.name}` is offered beside it to who can, too"
            span = key_span(state.document.root, step.address, "must", step.span)
            hint = f"leave it out there, and write `if_unable: {escape.name}`"
            warn(state, span, OTHER_WAY, message, "offered to all", hint, step.address)
            return


def _is_named(action: ActionDef, language: str, text: str, state: BuildState) -> bool:
    """Whether a text has a word like the name or the title of an action."""
    words = {word.lower()[:STEM] for word in WORD.findall(text) if len(word) >= STEM}
    return any(word.lower()[:STEM] in words for word in _words_for(action, language, state) if len(word) >= STEM)


def _words_for(action: ActionDef, language: str, state: BuildState) -> Iterator[str]:
    """The words by which an action is called: the first of its title, and in English those of its name."""
    title = state.book_sentences.templates.get(language, {}).get(title_address(action.address))
    if title is not None:
        yield from WORD.findall("".join(part for part in title.parts if isinstance(part, str)))[:1]
    if language == ENGLISH:
        yield from action.name.split("_")


__all__ = ["check_duties_in_sentences"]
