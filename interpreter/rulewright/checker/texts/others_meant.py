"""Can players choose themselves where the sentence says another player?

In: the state of a build. Out: warnings about choices of a player out of all, where the reason or the sentence of the
choice, or how the sentence of the action names who is meant, says another one, in a few words of English or French, and
nothing in the rules asks whether it is oneself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.checker.texts.words_found import words_found
from rulewright.document.text_addresses import reason_address
from rulewright.expr.tree import Expr, Filter, Local
from rulewright.expr.walk import is_all_seats, is_me, iter_exprs
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.actions import ActionDef, Choice, OneOf
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Choose, Step

_OTHER_EN: Final = (
    r"(?:another player|an? (?:other|opposing) player|an opponent|(?:the|your) opponents?|other players)\b"
)
_OTHER_FR: Final = (
    r"(?:un autre joueur|un adversaire|(?:l'|votre |ton |les |des )adversaires?|(?:les |d')autres joueurs)\b"
)
OTHER: Final = {"en": lazy_pattern(rf"(?i)\b{_OTHER_EN}"), "fr": lazy_pattern(rf"(?i)\b{_OTHER_FR}")}
OBJECT: Final = {  # of what an action does, by its sentence
    "en": lazy_pattern(rf"(?i)\b(?:from|to|of|with|rob|challenge|attack|choose|name|pick) {_OTHER_EN}"),
    "fr": lazy_pattern(rf"(?i)\b(?:à|de|d'|avec|contre|choisir|désigner|attaquer|défier) ?{_OTHER_FR}"),
}


@build_pass(needs=["blocks", "book_sentences", "judged"], skip=after_errors)
def check_others_meant(state: BuildState) -> None:
    """Reports them."""
    steps = [step for block in state.blocks for step in block.steps]
    for action in state.judged.actions:
        seats = [choice for choice in action.choices if _is_of_all(choice)]
        for choice in seats if len(seats) == 1 else ():
            slot = action.choices.index(choice)
            if any(_asks_who(expr, slot) for expr in _asked(action, steps)):
                continue
            says = next(_words(action, choice, state), None)
            if says is None:
                continue
            span = key_span(state.document.root, choice.address, "one_of", choice.span)
            message = f"its sentence says `{says}`, and players can choose themselves"
            hint = "write `opponents`, or `each player in … where player is not me`"
            warn(state, span, OTHER_WAY, message, "oneself, too", hint, choice.address)


def _is_of_all(choice: Choice) -> bool:
    """Whether a choice is of one of all players, whatever else is asked of them than who they are."""
    of = choice.domain.of if isinstance(choice.domain, OneOf) else None
    if isinstance(of, Filter):
        return is_all_seats(of.over) and not (of.condition is not None and _asks_who(of.condition, of.slot))
    return is_all_seats(of)


def _asks_who(condition: Expr, slot: int) -> bool:
    """Whether a condition depends on who is in turn and on who is in a variable."""
    parts = [*iter_exprs(condition)]
    return any(map(is_me, parts)) and any(isinstance(part, Local) and part.slot == slot for part in parts)


def _asked(action: ActionDef, steps: Sequence[Step]) -> Iterator[Expr]:
    """The clauses of an action and of the steps that offer it; who is chosen has the same number in both."""
    yield from (clause.condition for clause in action.clauses)
    for step in steps:
        for offer in step.effect.offers if isinstance(step.effect, Choose) else ():
            if offer.action == action.index:
                yield from (clause.condition for clause in offer.clauses)


def _words(action: ActionDef, choice: Choice, state: BuildState) -> Iterator[str]:
    """What says that another player is meant."""
    for address, words in ((choice.address, OTHER), (reason_address(choice.address), OTHER), (action.address, OBJECT)):
        if says := words_found(words, sentence_by_language(state, address)):
            yield says


__all__ = ["check_others_meant"]
