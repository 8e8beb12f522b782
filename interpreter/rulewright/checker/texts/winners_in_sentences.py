"""Does the sentence of an end name the first or the second player, and not who wins there?

In: the state of a build. Out: warnings about ends at which the one wins and the sentence says of the other that he has
won, or of the winner that he loses; where the end says nothing, what a variant says whose only change it is. Found by a
few words, English and French. Of who is in turn, `outcomes_in_sentences.py` asks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.players_in_sentences import CALLED, MENTIONS, NAMED, NOT_FIRST, names_player, player_named
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.checker.texts.single_changes import text_of_single_change
from rulewright.expr.types import SEAT
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Finish
from rulewright.source.nodes import ScalarNode

BY_ORDER: Final = ("first", "second")  # players whom no turn changes
_GAME: Final = {"en": r"(?:the |this )?(?:whole )?(?:game|match)", "fr": r"(?:la |cette )?partie"}
_OBJECT: Final = {  # what is won or lost but the game
    "en": rf"(?! (?!{_GAME['en']}\b)(?:an?|the|one|two|three|\d+|\{{|all|every|each|his|her|their|its|this|that)\b)",
    "fr": rf"(?! (?!{_GAME['fr']}\b)(?:une?|les?|la|deux|trois|\d+|\{{|tous|toutes|son|sa|ses|cette?)\b)",
}
_BEGINS: Final = r"(?:^|[.;:,] |\b(?:and|then|but|et|puis|mais) )"
WINS: Final = {
    "en": rf"{_BEGINS}(?:{{who}}) (?:then |also )?(?:wins?|has won|is the winner){_OBJECT['en']}\b"
    rf"|\b(?:is|are|game|board|match) won by (?:{{who}})\b",
    "fr": rf"{_BEGINS}(?:{{who}}) (?:gagne|a gagné|l'emporte|est vainqueur|remporte(?= {_GAME['fr']})){_OBJECT['fr']}"
    r"|\b(?:gagnée?|remportée?) par (?:{who})\b",
}
LOSES: Final = {
    "en": rf"{_BEGINS}(?:{{who}}) (?:then |also )?(?:loses|has lost){_OBJECT['en']}\b",
    "fr": rf"{_BEGINS}(?:{{who}}) (?:perd|a perdu){_OBJECT['fr']}\b",
}
CLAIMS: Final = {
    (language, outcome, who): lazy_pattern("(?i)" + words[language].replace("{who}", NAMED[who][language]))
    for language in ("en", "fr")
    for outcome, words in (("wins", WINS), ("loses", LOSES))
    for who in NAMED
}
NOT_SO: Final = lazy_pattern(r"(?i)\b(?:instead|unless|would|either|or|sauf|au lieu|ou|sinon)\b")


@build_pass(needs=["blocks", "book_sentences", "judged"], skip=after_errors)
def check_winners_in_sentences(state: BuildState) -> None:
    """Reports them."""
    for step in state.judged.steps:
        finish = step.effect
        if not isinstance(finish, Finish) or finish.winners is None or finish.winners.type != SEAT:
            continue
        actual = player_named(finish.winners, step, state.players)
        span = key_span(state.document.root, step.address, "winners", step.span)
        texts = sentence_by_language(state, step.address) or text_of_single_change(state, span)
        says = _says_otherwise(texts, actual) if actual else None
        if says is not None and not names_player(step, says[0]):
            who, outcome = says
            message = f"its sentence says that {CALLED[who]} {outcome}, and here {CALLED[actual]} wins"
            hint = "change the rule, or its sentence"
            warn(state, span, OTHER_WAY, message, "another player", hint, step.address)


def _says_otherwise(texts: Mapping[str, ScalarNode], actual: str) -> tuple[str, str] | None:
    """Who wins or loses by a sentence, of a game that somebody else wins, or that very player."""
    for language, text in texts.items():
        if (language, actual) not in MENTIONS or NOT_SO.search(text.text):
            continue
        if actual in BY_ORDER and CLAIMS[language, "loses", actual].search(text.text):
            return actual, "loses"
        if not MENTIONS[language, actual].search(text.text):
            others = [who for who in NAMED if {who, actual} & {*BY_ORDER} and not _may_be_one(who, actual)]
            for who in others:
                if CLAIMS[language, "wins", who].search(text.text):
                    return who, "wins"
    return None


def _may_be_one(who: str, actual: str) -> bool:
    """Whether two names can mean one player."""
    return who == actual or {who, actual} <= NOT_FIRST or "each" in (who, actual)


__all__ = ["check_winners_in_sentences"]
