"""Does a step put something on top of a pile that its sentence puts under it, or the reverse?

In: the state of a build. Out: warnings about moves to an end of a pile, by the sentence of the step or of the action
whose only move to such an end it is. Where things lie as they arrived, the last lies on top. Found by a few words,
English and French, in front of what the place is called.
"""

from __future__ import annotations

from typing import Final, Literal

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.names_of_things import NAMES_NEEDED, mentions
from rulewright.checker.texts.spoken_rules import RULES_NEEDED, SpokenRule, spoken_rules
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Move, Step

End = Literal["top", "bottom"]
_ITS: Final = {
    "en": r" (?:the |its |their |his |her |your |that |this |a )?(?:own |same |right )?",
    "fr": r" (?:le |la |les |l'|sa |son |ses |leur |leurs |votre |vos |cette |ce )?",
}
_PUT: Final = {  # what happens to what is put there, not to what lies there
    "en": r"\b(?:goes?|puts?|placed?|places|laid|lays?|slides?|slid|tuck(?:s|ed)?|shoved?|moves?|moved|returns?"
    r"|returned|comes?|sent|back|discard(?:s|ed)?|pushed|buried|bury)\b[^.;:,]{0,200}?",
    "fr": r"\b(?:va|vont|passent?|mis(?:e|es)?|mettre|mettez|met|posée?s?|poser|posez|pose|placée?s?|placer|place"
    r"|glissée?s?|glisser|glisse|remise?s?|remettre|remettez|retournent?|reviennent|revient|enfouie?s?)\b[^.;:,]{0,200}?",
}
_END: Final[dict[End, dict[str, str]]] = {
    "bottom": {
        "en": r"\b(?:under(?:neath)?|beneath|(?:to|at|on) the (?:very )?bottom of)",
        "fr": r"(?:\bsous|\ben dessous de|\bau[- ]dessous de|\bau fond de|\ben bas de)",
    },
    "top": {
        "en": r"\b(?:on top of|(?:to|on|onto) the (?:very )?top of)",
        "fr": r"(?:\bau[- ]dessus de|\bau sommet de|\bsur le dessus de|\ben haut de)",
    },
}
SAYS: Final = {
    (end, language): lazy_pattern(f"(?i){_PUT[language]}(?P<end>{words}){_ITS[language]}(?P<pile>.{{1,30}})")
    for end, by_language in _END.items()
    for language, words in by_language.items()
}
AN_END: Final[dict[End, dict[str, str]]] = {  # any word for it
    "bottom": {"en": r"(?i)\b(?:under\w*|beneath|bottom|below|lowest)\b", "fr": r"(?i)\b(?:sous|dessous|fond|bas)\b"},
    "top": {
        "en": r"(?i)\b(?:(?:on|to|onto) (?:the )?(?:very )?top|onto|above|over|face[- ]up on)\b",
        "fr": r"(?i)\b(?:sur|dessus|sommet|haut)\b",
    },
}
MENTIONED: Final = {
    (end, language): lazy_pattern(words)
    for end, by_language in AN_END.items()
    for language, words in by_language.items()
}
PILE: Final = {
    "en": lazy_pattern(r"(?i)^(?:draw |drawing )?(?:pile|stack|stock)s?\b"),
    "fr": lazy_pattern(r"(?i)^(?:pile|pioche|paquet|talon|tas)s?\b"),
}


@build_pass(needs=sorted({*NAMES_NEEDED, *RULES_NEEDED}), skip=after_errors)
def check_pile_ends_in_sentences(state: BuildState) -> None:
    """Reports them."""
    for rule in spoken_rules(state):
        if rule.role in ("step", "action"):
            found = [(step, end) for step in rule.steps if (end := _end(step, state))]
            if len(found) == 1:
                _check(rule, *found[0], state)


def _check(rule: SpokenRule, step: Step, end: End, state: BuildState) -> None:
    """Reports the move if a sentence says the other end of the place, and nowhere this one."""
    assert isinstance(step.effect, Move)
    other: End = "bottom" if end == "top" else "top"
    for language, text in rule.texts.items():
        match = SAYS[other, language].search(text.text) if (other, language) in SAYS else None
        if match is None or MENTIONED[end, language].search(text.text):
            continue
        if _is_called(match["pile"], language, step.effect.to.zone, rule, state):
            whose = "its sentence" if rule.role == "step" else "the sentence of the action"
            does = "puts it on top" if end == "top" else "puts it at the bottom"
            message, hint = (
                f"{whose} says `{match['end']}`, and this {does}",
                f"write `{other} of`, or another sentence",
            )
            span = key_span(state.document.root, step.address, "to", step.span)
            warn(state, span, OTHER_WAY, message, "the other end", hint, step.address)
            return


def _end(step: Step, state: BuildState) -> End | None:
    """At which end of a pile a step puts something."""
    if not isinstance(step.effect, Move):
        return None
    to = step.effect.to
    return to.end or ("top" if state.zones[to.zone].is_arrival_ordered else None)


def _is_called(words: str, language: str, zone: str, rule: SpokenRule, state: BuildState) -> bool:
    """Whether words begin with what a place is called, or are about a pile of the only move of a step."""
    first = next(iter(mentions(language, words, state)), None)
    if first is not None and not first.before and zone in first.names("zone", "place"):
        return True
    return rule.role == "step" and PILE[language].search(words) is not None


__all__ = ["check_pile_ends_in_sentences"]
