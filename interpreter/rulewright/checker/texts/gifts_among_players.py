"""Does a step take from each of the others what they get by its sentence, or give to them what they give?

In: the state of a build. Out: warnings about moves between the player and each of the others, where the sentence begins
with who gives or gets, and the move goes the other way. Found by a few words, English and French.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.players_in_sentences import GETS, GIVES
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.checker.texts.words_found import contrary_words
from rulewright.expr.tree import Local, Place
from rulewright.expr.types import SEAT
from rulewright.expr.walk import is_me
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Move, Step

EACH_OTHER: Final = {
    "en": r"(?:each|every) (?:other player|opponent)|(?:each|every one|all) of the (?:others|other players|opponents)"
    r"|all (?:the )?(?:other players|others|opponents)|the (?:others|other players|opponents)"
    r"|(?:everybody|everyone) else",
    "fr": r"chaque (?:autre joueur|adversaire)|chacun des (?:autres|adversaires)|tous les (?:autres|adversaires)"
    r"|les (?:autres|adversaires)|l'(?:autre joueur|adversaire)",
}
FROM_EACH: Final = {"en": r"from", "fr": r"(?:de|à|d')"}
TO_EACH: Final = {"en": r"(?:to )?", "fr": r"à"}
OTHERS_GIVE: Final = {  # to the player
    language: lazy_pattern(rf"(?i)^(?:{who}) {GIVES[language]}\b") for language, who in EACH_OTHER.items()
}
OTHERS_GET: Final = {
    language: lazy_pattern(rf"(?i)^(?:{who}) {GETS[language]}\b") for language, who in EACH_OTHER.items()
}
GETS_FROM_OTHERS: Final = {
    language: lazy_pattern(rf"(?i)\b{GETS[language]}\b[^.;:]*\b{FROM_EACH[language]} (?:{who})\b")
    for language, who in EACH_OTHER.items()
}
GIVES_TO_OTHERS: Final = {
    language: lazy_pattern(rf"(?i)\b{GIVES[language]}\b[^.;:]*\b{TO_EACH[language]}(?:{who})\b")
    for language, who in EACH_OTHER.items()
}


@build_pass(needs=["book_sentences", "judged"], skip=after_errors)
def check_gifts_among_players(state: BuildState) -> None:
    """Reports them."""
    for step in state.judged.steps:
        giver = _giver(step)
        if not giver:
            continue
        contrary = (OTHERS_GIVE, GETS_FROM_OTHERS) if giver == "me" else (OTHERS_GET, GIVES_TO_OTHERS)
        right = (OTHERS_GET, GIVES_TO_OTHERS) if giver == "me" else (OTHERS_GIVE, GETS_FROM_OTHERS)
        for language, text in sentence_by_language(state, step.address).items():
            if language not in EACH_OTHER:
                continue
            patterns = ([words[language] for words in each] for each in (right, contrary))
            if says := contrary_words(text.text, *patterns):
                what = "takes from the player in turn" if giver == "me" else "gives to the player in turn"
                message, hint = f"its sentence says `{says}`, and this {what}", "exchange `from` and `to`"
                span = key_span(state.document.root, step.address, "from", step.span)
                warn(state, span, OTHER_WAY, message, "the other way round", hint, step.address)
                break


def _giver(step: Step) -> str:
    """Who gives where a step moves something between the player in turn and each of the loop: `me` or `each`."""
    move, loop = step.effect, step.for_each
    if not isinstance(move, Move) or move.source is None or loop is None or loop.type != SEAT:
        return ""

    def is_of_loop(place: Place) -> bool:
        return any(isinstance(key, Local) and key.slot == loop.slot for key in place.keys)

    def is_own(place: Place) -> bool:
        return any(map(is_me, place.keys))

    if is_own(move.source) and is_of_loop(move.to):
        return "me"
    return "each" if is_of_loop(move.source) and is_own(move.to) else ""


__all__ = ["check_gifts_among_players"]
