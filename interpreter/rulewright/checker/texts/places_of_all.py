"""Is something chosen out of the places of all players where the sentence says that it is one's own?

In: the state of a build. Out: warnings about choices out of a zone that each player has a place of, without saying
whose, where the reason or sentence of the choice, or the sentence of the action, speaks of what is the player's own, in
a few words of English or French, and nothing asks whose it is.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import ALL_SEATS
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.checker.texts.words_found import words_found
from rulewright.document.text_addresses import reason_address
from rulewright.expr.scope import ZoneSymbol
from rulewright.expr.tree import Filter, ReadZone
from rulewright.expr.types import SEAT
from rulewright.expr.walk import is_me, iter_exprs
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.actions import ActionDef, Choice, OneOf, SomeOf
from rulewright.model.build_state import BuildState, after_errors, build_pass

OWN: Final = {
    "en": lazy_pattern(
        r"(?i)\b(?:(?:your|one's|their) own|of yours|(?:from|of|in|out of) (?:your|one's)"
        r"|(?:that )?you (?:have|hold|own|bought|have bought|laid|have laid|took|have taken|won|have won))\b"
    ),
    "fr": lazy_pattern(
        r"(?i)\b(?:(?:de|dans|parmi) (?:votre|vos|son|sa|ses)|que vous (?:avez|possédez|tenez|gagnez))\b"
    ),
}


@build_pass(needs=["symbols", "book_sentences", "judged"], skip=after_errors)
def check_places_of_all(state: BuildState) -> None:
    """Reports them."""
    zones = {
        name for name, each in state.symbols.symbols.items() if isinstance(each, ZoneSymbol) and SEAT in each.key_types
    }
    for action in state.judged.actions:
        if any(is_me(part) for clause in action.clauses for part in iter_exprs(clause.condition)):
            continue  # it may ask whose it is
        for choice in action.choices:
            zone = _place_of_all(choice, zones)
            says = None if zone is None else _says_own(action, choice, state)
            if says is None:
                continue
            key = "one_of" if isinstance(choice.domain, OneOf) else "some_of"
            span = key_span(state.document.root, choice.address, key, choice.span)
            message = f"its sentence says `{says}`, and `{zone}` without a key means the places of all players together"
            warn(state, span, ALL_SEATS, message, "all players", f"write `{zone}(me)`", choice.address)


def _place_of_all(choice: Choice, zones: set[str]) -> str | None:
    """The zone of all players out of which a choice is made, whatever else is asked than whose it is."""
    of = choice.domain.of if isinstance(choice.domain, OneOf | SomeOf) else None
    if isinstance(of, Filter):
        if of.condition is not None and any(map(is_me, iter_exprs(of.condition))):
            return None
        of = of.over
    return of.name if isinstance(of, ReadZone) and not of.keys and of.name in zones else None


def _says_own(action: ActionDef, choice: Choice, state: BuildState) -> str | None:
    for address in (choice.address, reason_address(choice.address), action.address):
        if says := words_found(OWN, sentence_by_language(state, address)):
            return says
    return None


__all__ = ["check_places_of_all"]
