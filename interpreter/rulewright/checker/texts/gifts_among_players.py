"""Does a step take from each of the others what they get by its sentence, or give to them what they give?

In: the state of a build. Out: warnings about moves between the player and each of the others, or the next one, where
the sentence says who gives or gets, or from whom to whom it goes, and the move goes the other way; and about loops over
the others, which get something by the sentence, or give it, in which the player in turn does. Found by a few words,
English and French.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.players_in_sentences import GETS, GIVES
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.checker.texts.words_found import contrary_words
from rulewright.expr.tree import Builtin, Call, Expr, Local, Place
from rulewright.expr.types import SEAT
from rulewright.expr.walk import free_variables, is_me
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
_YOU: Final = {
    "en": r"(?:you(?:rself)?|the player in turn|the (?:current|active) player)",
    "fr": r"(?:vous|le joueur (?:actif|en cours|dont c'est le tour))",
}
_ONE_OTHER: Final = {
    "en": r"(?:(?:the|your) (?:next player|opponent|other player|player (?:to|on) (?:the|your) (?:left|right)"
    r"|(?:left |right )?neighbour)|another player)",
    "fr": r"(?:(?:le |au |du )?joueur (?:suivant|de gauche)|(?:l'|à l'|de l')(?:autre joueur|adversaire)"
    r"|(?:votre |à votre |de votre )(?:adversaire|voisin)|(?:un |à un )autre joueur)",
}
_FROM_TO: Final = {"en": r"\bfrom {giver} to {taker}\b", "fr": r"\bpasse(?:nt)? (?:de )?{giver} (?:à |au )?{taker}\b"}
_GIVE: Final = {
    "en": r"^(?:you |the player )?(?:gives?|hands?|pass(?:es)?|pays?) [^.;:]*\bto {taker}\b",
    "fr": r"^(?:vous |le joueur )?(?:donner|donnez|donne|passer|passez|payer|payez) [^.;:]* (?:à |au )?{taker}\b",
}
_TAKE: Final = {
    "en": r"^(?:you |the player )?(?:takes?|steals?|draws?|receives?|gets?) [^.;:]*\bfrom {giver}\b",
    "fr": r"^(?:vous |le joueur )?(?:prendre|prenez|prend|voler|volez) [^.;:]* (?:à |au )?{giver}\b",
}
YOU_GIVE: Final = {
    language: lazy_pattern(
        "(?i)" + f"{_FROM_TO[language]}|{_GIVE[language]}".format(giver=you, taker=_ONE_OTHER[language])
    )
    for language, you in _YOU.items()
}
YOU_GET: Final = {
    language: lazy_pattern(
        "(?i)" + f"{_FROM_TO[language]}|{_TAKE[language]}".format(giver=_ONE_OTHER[language], taker=you)
    )
    for language, you in _YOU.items()
}
_WHO: Final = {  # which of the others
    "en": r"(?: (?:with|without|who|that|whose) [^,.;:]*?)?",
    "fr": r"(?: (?:avec|sans|qui|dont) [^,.;:]*?)?",
}
SOME_GET: Final = {
    language: lazy_pattern(rf"(?i)^(?:{who}){_WHO[language]} {GETS[language]}\b")
    for language, who in EACH_OTHER.items()
}
SOME_GIVE: Final = {
    language: lazy_pattern(rf"(?i)^(?:{who}){_WHO[language]} {GIVES[language]}\b")
    for language, who in EACH_OTHER.items()
}
NAMES_PLAYER: Final = {
    "en": lazy_pattern(r"(?i)\b(?:you|your|yours|the player|they|them|him|her|who plays|nothing|not|no|less|only)\b"),
    "fr": lazy_pattern(r"(?i)\b(?:vous|votre|vos|le joueur|lui|celui|ne|pas|rien|aucune?|de moins)\b|\bn'"),
}


@build_pass(needs=["blocks", "book_sentences", "judged"], skip=after_errors)
def check_gifts_among_players(state: BuildState) -> None:
    """Reports them."""
    for action in state.judged.actions:
        steps = [step for step in state.blocks[action.block].steps if _giver_of_two(step)]
        if len(steps) == 1:
            _check_between_two(steps[0], action.address, state)
    for step in state.judged.steps:
        if _giver_of_two(step):
            _check_between_two(step, step.address, state)
        elif (key := _own_key_in_loop(step)) is not None:
            _check_loop(step, key, state)
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


def _check_between_two(step: Step, sentence: str, state: BuildState) -> None:
    """A move between the player and one other that goes the other way by a sentence, of the step or its action."""
    giver = _giver_of_two(step)
    right, contrary = (YOU_GIVE, YOU_GET) if giver == "me" else (YOU_GET, YOU_GIVE)
    for language, text in sentence_by_language(state, sentence).items():
        if language in _YOU and (says := contrary_words(text.text, [right[language]], [contrary[language]])):
            whose = "its sentence" if sentence == step.address else "the sentence of the action"
            what = "takes from the player in turn" if giver == "me" else "gives to the player in turn"
            span = key_span(state.document.root, step.address, "from", step.span)
            message, hint = f"{whose} says `{says}`, and this {what}", "exchange `from` and `to`"
            warn(state, span, OTHER_WAY, message, "the other way round", hint, step.address)
            return


def _giver_of_two(step: Step) -> str:
    """Who gives where a step moves something between the player in turn and one other: `me` or `other`."""
    move = step.effect
    if not isinstance(move, Move) or move.source is None or step.for_each is not None:
        return ""
    sides = [_seats(place) for place in (move.source, move.to)]
    if any(len(keys) != 1 for keys in sides):
        return ""
    giver, taker = (keys[0] for keys in sides)
    if is_me(giver) and _is_other(taker):
        return "me"
    return "other" if _is_other(giver) and is_me(taker) else ""


def _is_other(seat: Expr) -> bool:
    """Whether a player is the next one, or the opponent."""
    match seat:
        case Builtin(name="opponent"):
            return True
        case Call(function="next", args=(of,)):
            return is_me(of)
    return False


def _check_loop(step: Step, key: str, state: BuildState) -> None:
    """A loop over the others that changes what the player in turn has, and the others get or give by its sentence."""
    wanted, contrary = (SOME_GET, OTHERS_GIVE) if key == "to" else (SOME_GIVE, OTHERS_GET)
    for language, text in sentence_by_language(state, step.address).items():
        if language not in EACH_OTHER or NAMES_PLAYER[language].search(text.text):
            continue
        if says := contrary_words(text.text, [contrary[language]], [wanted[language]]):
            loop = step.for_each
            assert loop is not None
            message = f"its sentence says `{says}`, and this names the player in turn"
            span = key_span(state.document.root, step.address, key, step.span)
            warn(state, span, OTHER_WAY, message, "another player", f"did you mean `{loop.name}`?", step.address)
            return


def _own_key_in_loop(step: Step) -> str | None:
    """The key at which a loop over the others names the player in turn, and nobody else; whom it is at does not matter
    for what it moves.
    """
    move, loop = step.effect, step.for_each
    if not isinstance(move, Move) or move.source is None or loop is None or not _is_over_others(loop.over):
        return None
    exprs = [*move.source.keys, *move.to.keys, *(() if move.amount.of is None else (move.amount.of,))]
    seats = [(key, seat) for key, place in (("from", move.source), ("to", move.to)) for seat in _seats(place)]
    if len(seats) != 1 or not is_me(seats[0][1]) or any(loop.slot in free_variables(expr) for expr in exprs):
        return None
    return seats[0][0]


def _seats(place: Place) -> list[Expr]:
    return [key for key in place.keys if key.type == SEAT]


def _is_over_others(over: Expr) -> bool:
    return isinstance(over, Builtin) and over.name in ("others", "opponents")


__all__ = ["check_gifts_among_players"]
