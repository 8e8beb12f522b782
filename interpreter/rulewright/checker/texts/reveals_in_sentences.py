"""Does a step show somebody else's things, or to somebody else, than its sentence says?

In: the state of a build. Out: warnings about steps of actions that show another player's place where the sentence of
the step or action shows one's own, one's own place to another where the sentence has one look at another's, and to all
what one player is to see. Found by a few words, English and French, also in what a variant says of itself whose only
change this is.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import SEEN_OTHERWISE
from rulewright.checker.common.rules_read import steps_within
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.checker.texts.single_changes import text_of_single_change
from rulewright.checker.texts.words_found import words_found
from rulewright.expr.tree import Builtin, Call, Expr, Local, ReadZone
from rulewright.expr.walk import is_me, iter_exprs
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.actions import ActionDef, OneOf
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Reveal, Step

ME: Final = "me"
OTHER: Final = "other"
ALL: Final = "all"
_OTHER_PLAYER: Final = {
    "en": r"(?:the |an?)?(?:opponent|opponents|other|another|next|neighbour|neighbor|rival|somebody|someone|chosen|left"
    r"|right)(?:'s|s')?\b",
    "fr": r"(?:adversaires?|autres?|suivante?|voisine?|quelqu'un|gauche|droite|rivale?)\b",
}
OTHERS: Final = {language: lazy_pattern(rf"\b{words}") for language, words in _OTHER_PLAYER.items()}
SHOWS_OWN: Final = {
    "en": lazy_pattern(
        r"\b(?:shows?|reveals?|uncovers?|discloses?|lays? open|lays? down|turns? over|turns? up)"
        r"(?: to (?:all|everybody|everyone))?,?(?: (?:all|some|one|any|each|both|of|the|cards?|letters?|tiles?))*"
        r" (?:your|one's|his|her|their|its)(?: own)?\b"
    ),
    "fr": lazy_pattern(
        r"\b(?:montre[rz]?|révèle[rz]?|révéler|dévoile[rz]?|étale[rz]?|abat(?:tre|tez)?|retourne[rz]?)"
        r"(?: à tous)?,?(?: (?:toutes?|tous|une?|des?|l'une?|les?|la|cartes?|lettres?|tuiles?))*"
        r" (?:vos|votre|ses|son|sa|leurs?)\b"
    ),
}
LOOKS_AT_OTHER: Final = {
    "en": lazy_pattern(
        r"\b(?:(?:looks?|peeks?|peeps?|glances?)(?: (?:secretly|privately|quickly|once|in secret))* (?:at|into)|sees?"
        r"|spies on|spy on|inspects?|examines?|learns?|finds? out|gets? to know)\b"
        rf"(?:(?!\b(?:your|one's|own)\b)[^.;:,])*?\b{_OTHER_PLAYER['en']}"
    ),
    "fr": lazy_pattern(
        r"\b(?<!sans )(?:regarde[rz]?|espionne[rz]?|consulte[rz]?|examine[rz]?|observe[rz]?|apprendre|apprenez"
        rf"|voir|voyez)\b(?:(?!\b(?:vos|votre|ses|sa)\b)[^.;:,])*?\b{_OTHER_PLAYER['fr']}"
    ),
}
SHOWS_TO_ONE: Final = {
    "en": lazy_pattern(
        r"\b(?:shows?|reveals?|discloses?|introduces?|presents?)\b[^.;:]{0,200}? to (?:the |your |an? )?"
        r"(?:(?:opponent|other|next|neighbour|neighbor|chosen|left|right)(?! players)|another(?: player)?|one)\b"
    ),
    "fr": lazy_pattern(
        r"\b(?:montre[rz]?|révèle[rz]?|révéler|dévoile[rz]?|présente[rz]?)\b[^.;:]{0,200}?"
        r" (?:au (?:joueur )?(?:suivant|voisin)"
        r"|à (?:l'|son |sa |votre |un |une )(?:adversaire|voisine?|autre(?: joueur)?)(?!s))\b"
    ),
}
_SEEING_EN: Final = r"(?:can |may )?(?:sees?|knows?|learns?|looks?|notices?)"
SHOWS_ALONE: Final = {  # to one, and nobody else
    "en": lazy_pattern(
        r"\b(?:shows?|reveals?|discloses?|uncovers?|presents?|(?:is|are) (?:shown|revealed))\b"
        r"(?:(?!\b(?:and|then|but|or|not|that|which|whose|known|belong\w*)\b(?! (?:nobody|no)\b))[^.;:]){0,200}?"
        r"(?:\b(?<!known )(?<!left )to (?:[\w{}']+ ){1,5}"
        r"(?:(?:alone|only)\b(?! (?:if|when|after|once|where))|in (?:secret|private)\b|secretly\b|privately\b)"
        r"|\bonly to (?:the|your|who\w*|one|an?|that|this)\b"
        rf"|\b(?:(?:nobody|no one|no-one) else|no other player|none of the others) {_SEEING_EN}\b"
        r"|\b(?:to|but) (?:nobody|no one|no-one) (?:else|but)\b"
        r"|\bwithout (?:the others?|anybody else|anyone else) seeing\b)"
        r"|\b(?:secretly|privately) (?:shows?|reveals?|discloses?)\b"
    ),
    "fr": lazy_pattern(
        r"\b(?:montre[rz]?|révèle[rz]?|révéler|dévoile[rz]?|présente[rz]?)\b"
        r"(?:(?!\b(?:et|puis|mais|ou|pas|qui|dont)\b)[^.;:]){0,200}?"
        r"(?:\bà (?:l'|lui |son |sa |votre )?(?:[\wà-ÿ]+ ){0,4}seule?\b|\b(?:seulement|uniquement) (?:à|au)\b"
        r"|\b(?:personne d'autre|nul autre|aucun autre) (?:joueur )?ne (?:l[ae] |les |l')?(?:voi[te]|sache|connaisse)"
        r"|\bsans que (?:les|aucun) autres? (?:joueurs? )?(?:ne )?(?:l[ae] |les |l')?voi(?:en)?t?\b)"
    ),
}
EVERYBODY: Final = {
    "en": lazy_pattern(r"\b(?:everybody|everyone|all (?:others?|players?|see|can)|to all|openly|publicly)\b"),
    "fr": lazy_pattern(r"\b(?:tous|toutes (?:et|les)|chacun|tout le monde|publiquement)\b"),
}


_found: Final = partial(words_found, in_small=True)


@frozen
class _Sight:
    """A zone of which a step shows what only the owner sees, whose place it is, and who gets to see it."""

    zone: str
    whose: str
    to: str


@frozen
class _Finding:
    """What is wrong with a sight, by a word of a sentence; at which key of the step, and what to write there."""

    word: str
    key: str
    does: str
    label: str
    hint: str


@build_pass(needs=["actions", "blocks", "zones", "book_sentences"], skip=after_errors)
def check_reveals_in_sentences(state: BuildState) -> None:
    """Reports the first of each action."""
    for action in state.actions if state.players > 1 else ():
        if _check_alone(action, state):
            continue
        sights = [
            (step, sight) for step in steps_within(action.block, state.blocks) for sight in _sights(step, action, state)
        ]
        looks = any((sight.whose, sight.to) == (OTHER, ME) for _, sight in sights)
        for step, sight in sights:
            if (found := _finding(step, sight, action, looks, state)) is None:
                continue
            span = key_span(state.document.root, step.address, found.key, step.span)
            message = f"the sentence says `{found.word}`, and {found.does}"
            warn(
                state, span, SEEN_OTHERWISE, message, found.label, f"{found.hint}, or change the sentence", step.address
            )
            break


def _check_alone(action: ActionDef, state: BuildState) -> bool:
    """Reports what is shown to all where the sentence says that only one sees it; two players hide nothing so."""
    steps = [step for step in steps_within(action.block, state.blocks) if isinstance(step.effect, Reveal)]
    if state.players == 2 or len(steps) != 1 or not isinstance(steps[0].effect, Reveal):
        return False
    step, effect = steps[0], steps[0].effect
    for address in (step.address, action.address) if effect.to is None else ():
        texts = sentence_by_language(state, address)
        word = "" if _found(EVERYBODY, texts) else _found(SHOWS_ALONE, texts)
        if word:
            span = key_span(state.document.root, step.address, "to", step.span)
            message = f"the sentence says `{word}`, and everybody sees what this shows"
            hint = "name who is to see it, or change the sentence"
            warn(state, span, SEEN_OTHERWISE, message, "seen by everybody", hint, step.address)
            return True
    return False


def _finding(step: Step, sight: _Sight, action: ActionDef, looks: bool, state: BuildState) -> _Finding | None:
    of_step, of_action, of_variant = (
        sentence_by_language(state, step.address),
        sentence_by_language(state, action.address),
        text_of_single_change(state, step.span),
    )
    for texts in (of_step, of_action, of_variant):
        if sight.whose == OTHER and not _found(OTHERS, texts) and (word := _found(SHOWS_OWN, texts)):
            does = f"this shows `{sight.zone}` of another player"
            return _Finding(word, "reveal", does, "another player's", "write `(me)`")
        if (sight.whose, sight.to) == (ME, OTHER) and not looks and (word := _found(LOOKS_AT_OTHER, texts)):
            does, hint = f"this shows one's own `{sight.zone}`", "exchange whose it is and who sees it"
            return _Finding(word, "reveal", does, "the other way round", hint)
        if sight.to != ALL or state.players == 2 or _found(EVERYBODY, texts):
            continue
        word = _found(SHOWS_TO_ONE, texts) if sight.whose == ME else ""
        if sight.whose == OTHER and not _found(LOOKS_AT_OTHER, of_action):  # that is told where the action is judged
            word = _found(LOOKS_AT_OTHER, texts)
        if word:
            does = f"everybody sees `{sight.zone}`"
            return _Finding(word, "to", does, "seen by everybody", "name who is to see it")
    return None


def _sights(step: Step, action: ActionDef, state: BuildState) -> Iterator[_Sight]:
    if not isinstance(step.effect, Reveal):
        return
    to = ALL if step.effect.to is None else _whose(step.effect.to, action)
    loop = () if step.for_each is None else iter_exprs(step.for_each.over)
    for part in (*iter_exprs(step.effect.what), *loop):
        if isinstance(part, ReadZone):
            zone = state.zones[part.name]
            if zone.seen_by == "owner" and zone.owner_key is not None and zone.owner_key < len(part.keys):
                yield _Sight(part.name, _whose(part.keys[zone.owner_key], action), to)


def _whose(seat: Expr, action: ActionDef) -> str:
    """Whether an expression is the player in turn or surely another; empty where it may be either."""
    match seat:
        case Builtin(name="opponent" | "others" | "opponents"):
            return OTHER
        case Call(function="next", args=(of,)) if is_me(of):
            return OTHER
        case Local(slot=slot) if slot < len(action.choices):
            domain = action.choices[slot].domain
            parts = iter_exprs(domain.of) if isinstance(domain, OneOf) else ()
            is_other = any(isinstance(part, Builtin) and part.name in ("others", "opponents") for part in parts)
            return OTHER if is_other else ""
        case _:
            return ME if is_me(seat) else ""


__all__ = ["check_reveals_in_sentences"]
