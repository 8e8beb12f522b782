"""Does somebody else win than who wins by the sentence of an end?

In: the state of a build. Out: warnings about ends at which the one in turn wins, whose sentence says that who has done
something loses, and the reverse, also where it says so of who has none of something, and the opponent is asked to have
none; where neither says it, the sentence of the action, or what a variant says of itself whose only change this is,
counts as that of the end. Found by a few words, English and French.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, Literal

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.checker.texts.single_changes import text_of_single_change
from rulewright.expr.tree import Builtin, Call, Compare, Constant, Expr, Local, ReadState
from rulewright.expr.types import SEAT
from rulewright.expr.walk import is_me, iter_exprs
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Finish, Step
from rulewright.source.nodes import ScalarNode

Outcome = Literal["wins", "loses"]  # of the one in turn

CLAUSES: Final = lazy_pattern(
    r"[.;:](?:\s|$)|, (?=(?:and |et )?(?:the others?|(?:the|your) opponents?|l'autre|l'adversaire|les autres)\b)"
)
_COUNTS: Final = {  # what is done so often: a line, three of a kind
    "en": r"(?:one|two|three|four|five|six|seven|eight|nine|ten|\d+|\{[a-z_]+\})\b(?! (?:of the )?players?\b)"
    r"|an? (?:(?:full|whole|complete|closed|unbroken) )?"
    r"(?:line|row|column|diagonal|chain|set|pair|run|ring|loop|bridge)\b"
    r"|(?:having|reaching|completing|getting|making|taking|building|collecting|entering)\b",
    "fr": r"(?:deux|trois|quatre|cinq|six|sept|huit|neuf|dix|\d+|\{[a-z_]+\})\b(?! (?:des )?joueurs?\b)"
    r"|une? (?:ligne|rangée|colonne|diagonale|chaîne|série|paire|suite|boucle)\b",
}
ACHIEVED: Final = {language: lazy_pattern(f"^(?:{words})") for language, words in _COUNTS.items()}
WHO_PLAYS: Final = {
    "en": lazy_pattern(
        r"^(?:but )?(?:who|whoever|(?:a|the|any) player (?:who|whose|that|with|in turn)|the (?:current|active) player"
        r"|(?:the )?first (?:player )?(?:who|to|with))\b"
        r"|\byou (?:win|lose|have (?:won|lost))\b"
        r"|\b(?:(?<!other )one|(?:that|this|the same) player) (?:wins|loses|has (?:won|lost))\b"
    ),
    "fr": lazy_pattern(
        r"^(?:mais )?(?:qui|quiconque|celui qui|le joueur (?:qui|dont|avec|actif|en cours)"
        r"|le premier (?:joueur )?(?:qui|à|avec))\b"
        r"|\bvous (?:gagnez|perdez|avez (?:gagné|perdu))\b|\b(?:on|ce joueur) (?:gagne|perd|a (?:gagné|perdu))\b"
    ),
}
WHOSE: Final = lazy_pattern(
    r"^(?:whose opponent|(?:the |a )?player whose opponent|(?:celui |le joueur )?dont l'adversaire)\b"
)
ONCE_OPPONENT: Final = lazy_pattern(  # of whom the sentence goes on to speak
    r"^(?:(?:if|when|once|as soon as) (?:the|your) opponent|(?:si|quand|lorsque|dès que) (?:l'|votre )adversaire)\b"
)
WHO_LACKS: Final = lazy_pattern(  # where the opponent is asked to have none, who that is
    r"^(?:but |mais )?(?:(?:who|whoever|(?:the|a|any) player who) (?:then |now )?has (?:no|none|nothing)\b(?! other)"
    r"|(?:qui|quiconque|celui qui|(?:le|un) joueur qui) n'a (?:plus|pas|rien|aucune?)\b(?! d'autre))"
)
OPPONENT: Final = lazy_pattern(
    r"^(?:and |then |but |et |alors |mais )?(?:(?:the|your) opponent|(?:l'|votre )adversaire)\b"
)
THE_OTHER: Final = {
    "en": lazy_pattern(r"^(?:but |and |then )?(?:the others?|the other player|(?:the|your) opponents?)\b"),
    "fr": lazy_pattern(r"^(?:mais |et |alors )?(?:l'autre(?: joueur)?|l'adversaire|les autres)\b"),
}
_OBJECT: Final = {  # what is won or lost but the game
    "en": r"(?! (?:the|an?|one|two|three|all|each|every|any|most|more|this|that|his|her|its|their|your)\b"
    r"(?! (?:whole )?(?:game|match|race)\b))",
    "fr": r"(?! (?:les?|la|une?|deux|trois|des|tous|toutes|sa|son|ses|votre)\b(?! (?:partie|jeu|manche|course)\b))",
}
WINS: Final = {
    "en": lazy_pattern(rf"\b(?:wins?|won|is the winner)\b{_OBJECT['en']}"),
    "fr": lazy_pattern(
        rf"\b(?:gagn(?:e|ent|é|ez)|font gagner|fait gagner|remporte(?:nt)?|l'emportent?|vainqueur)\b{_OBJECT['fr']}"
    ),
}
LOSES: Final = {
    "en": lazy_pattern(rf"\b(?:loses?|lost|is the loser)\b{_OBJECT['en']}"),
    "fr": lazy_pattern(rf"\b(?:perd(?:|ent|ez|u)|font perdre|fait perdre)\b{_OBJECT['fr']}"),
}
ANY_OUTCOME: Final = lazy_pattern(r"\b(?:wins?|won|los(?:es?|t)|gagn\w+|remporte\w*|perd\w*)\b")
OF_OTHERS: Final = lazy_pattern(
    r"\b(?:others|other (?:player|side)s?|other(?= (?:has|have|had|is|are|can|wins?|loses?)\b|$)"
    r"|opponents?|nobody|never|unless|les autres|l'autre(?: joueur)?(?= (?:a|est|ne|gagne|perd|peut)\b|$)"
    r"|autres? joueurs?|advers\w+|personne|sauf)\b"
)
DENIED: Final = lazy_pattern(r"\b(?:not|cannot|can't|nothing|no|without|ne|pas|rien|sans|plus de|aucune?)\b|\bn'")
OTHERS: Final = ("opponent", "opponents", "others")


@frozen
class _Claim:
    """What becomes of the one in turn by a clause of a sentence."""

    outcome: Outcome
    text: ScalarNode
    word: str
    of_whom: str
    is_sure: bool  # that it is about the one in turn


@build_pass(needs=["actions", "blocks", "book_sentences", "judged"], skip=after_errors)
def check_outcomes_in_sentences(state: BuildState) -> None:
    """Reports them."""
    actions = {step.address: action.address for action in state.actions for step in state.blocks[action.block].steps}
    for step in (step for block in state.blocks for step in block.steps):
        outcome = _outcome(step)
        if outcome is None or not state.judged.has(actions.get(step.address, step.address)):
            continue
        for texts in _sentences(state, step, actions.get(step.address, "")):
            claims = list(_claims(texts, is_about_me=_asks_only_me(step.when)))
            if _asks_only_opponent(step.when):
                claims = list(_claims_of_opponent(texts))
                if _asks_for_none(step.when):
                    claims += _claims_of_who_lacks(texts)
            sure = [claim for claim in claims if claim.is_sure]
            if sure and all(claim.outcome != outcome for claim in claims):
                _report(state, step, sure[0])
            if claims:
                break


def _sentences(state: BuildState, step: Step, action: str) -> Iterator[Mapping[str, ScalarNode]]:
    """The sentences that can say who wins at an end, the nearest first."""
    for address in (step.address, action):
        yield sentence_by_language(state, address)
    node = condition_node(state.document.root, step.address, "winners")
    yield text_of_single_change(state, step.span if node is None else node.span)


def _report(state: BuildState, step: Step, claim: _Claim) -> None:
    """A warning at the step, or at the translation in a file of texts that alone says the contrary."""
    node = condition_node(state.document.root, step.address, "winners")
    span, rule, sentence = step.span if node is None else node.span, "this", "its sentence"
    if claim.text.span.source.path not in (step.span.source.path, span.source.path):
        span, rule, sentence = claim.text.span, "its rule", "this"
    message = f"{sentence} says `{claim.word}` of {claim.of_whom}, and {rule} says the contrary"
    hint = "change the rule, or its sentence"
    warn(state, span, OTHER_WAY, message, "the other way round", hint, step.address)


def _outcome(step: Step) -> Outcome | None:
    """Whether the one in turn wins alone when a step ends the game, or somebody else does."""
    winners = step.effect.winners if isinstance(step.effect, Finish) else None
    if winners is None:
        return None
    if is_me(winners):
        return "wins"
    is_next = isinstance(winners, Call) and winners.function == "next" and is_me(winners.args[0])
    if is_next and not _asks_of_next(step.when):
        return "loses"
    return "loses" if isinstance(winners, Builtin) and winners.name in ("nobody", *OTHERS) else None


def _asks_of_next(condition: Expr | None) -> bool:
    """Whether a condition is not, or not only, about the one in turn."""
    parts = [*iter_exprs(condition)] if condition is not None else []
    return not any(map(is_me, parts)) or any(isinstance(part, Call) and part.function == "next" for part in parts)


def _asks_only_me(condition: Expr | None) -> bool:
    """Whether a condition is about the one in turn and names nobody else."""
    parts = [*iter_exprs(condition)] if condition is not None else []
    return any(map(is_me, parts)) and not any(
        (isinstance(part, Call) and part.function == "next")
        or (isinstance(part, Builtin) and part.name in (*OTHERS, "first_player"))
        or (isinstance(part, ReadState | Local) and part.type == SEAT)
        for part in parts
    )


def _claims(texts: Mapping[str, ScalarNode], *, is_about_me: bool) -> Iterator[_Claim]:
    """What the clauses of a sentence say; `is_about_me`: that the end depends on the one in turn alone."""
    for language, text in texts.items():
        for clause in CLAUSES.split(text.text.lower()) if language in WINS else ():
            claim = _claim(clause.strip(), language, text, is_about_me=is_about_me)
            if claim is not None:
                yield claim


def _asks_only_opponent(condition: Expr | None) -> bool:
    """Whether a condition is about the opponent alone."""
    parts = [*iter_exprs(condition)] if condition is not None else []
    seats = [part for part in parts if part.type == SEAT and not isinstance(part, Constant)]
    return bool(seats) and all(isinstance(seat, Builtin) and seat.name == "opponent" for seat in seats)


def _claims_of_opponent(texts: Mapping[str, ScalarNode]) -> Iterator[_Claim]:
    """What sentences say that begin with what the opponent has: of the opponent, or of whose opponent that is."""
    for language, text in texts.items():
        clauses = [clause.strip() for clause in CLAUSES.split(text.text.lower())] if language in WINS else [""]
        is_of_whose = WHOSE.search(clauses[0]) is not None
        if not is_of_whose and not ONCE_OPPONENT.search(clauses[0]):
            continue
        for clause in clauses:
            wins, loses = WINS[language].search(clause), LOSES[language].search(clause)
            verb = wins or loses
            if verb is None or len(ANY_OUTCOME.findall(clause)) > 1 or DENIED.search(clause):
                continue
            if OPPONENT.search(clause):
                yield _Claim("loses" if wins else "wins", text, verb[0], "the opponent", is_sure=True)
            elif WHOSE.search(clause):
                yield _Claim("wins" if wins else "loses", text, verb[0], "whose opponent it is", is_sure=True)


def _asks_for_none(condition: Expr | None) -> bool:
    """Whether all that a condition asks is that something is empty, or that there are none."""
    match condition:
        case Compare(op="is", right=Constant(value=None)):
            return True
        case Compare(op=op, right=Constant(value=int(number))):
            return (op, number) in (("is", 0), ("<=", 0), ("<", 1))
    return False


def _claims_of_who_lacks(texts: Mapping[str, ScalarNode]) -> Iterator[_Claim]:
    """What sentences say of who has none of something, where that is the opponent."""
    for language, text in texts.items():
        for clause in map(str.strip, CLAUSES.split(text.text.lower())) if language in WINS else ():
            match = WHO_LACKS.search(clause)
            behind = "" if match is None else clause[match.end() :]
            wins, loses = WINS[language].search(behind), LOSES[language].search(behind)
            verb = wins or loses
            if (
                verb is None
                or len(ANY_OUTCOME.findall(clause)) > 1
                or DENIED.search(behind)
                or OF_OTHERS.search(clause)
            ):
                continue
            yield _Claim("loses" if wins else "wins", text, verb[0], "who has none, the opponent here", is_sure=True)


def _claim(clause: str, language: str, text: ScalarNode, *, is_about_me: bool) -> _Claim | None:
    wins, loses = WINS[language].search(clause), LOSES[language].search(clause)
    verb = wins or loses
    if verb is None or len(ANY_OUTCOME.findall(clause)) > 1 or _is_denied(clause, verb):
        return None
    if THE_OTHER[language].search(clause):
        is_sure = is_about_me and not DENIED.search(clause)
        return _Claim("loses" if wins else "wins", text, verb[0], "the other player", is_sure)
    is_who = WHO_PLAYS[language].search(clause) and (is_about_me or not DENIED.search(clause))
    is_meant = is_who or (is_about_me and ACHIEVED[language].search(clause))
    if not is_meant or OF_OTHERS.search(clause):
        return None
    return _Claim("wins" if wins else "loses", text, verb[0], "who plays", is_sure=True)


def _is_denied(clause: str, verb: re.Match[str]) -> bool:
    """Whether it is said not to come to that."""
    return re.search(r"\b(?:not|never|cannot|ne)(?: \w+)?\s*$|\bn'\s*$", clause[: verb.start()]) is not None


__all__ = ["check_outcomes_in_sentences"]
