"""Does a step move things unseen by its sentence, or to be looked at, and do those see them who are to?

In: the state of a build. Out: warnings about zones that everybody sees, where a step that brings things there says that
this is done unseen, or that takes them from there or brings them there says that nobody sees which; and about zones
that its owner does not see, where a step brings things that the owner looks at by its sentence. Found by a few words,
English and French.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import SEEN_OTHERWISE
from rulewright.checker.common.sources_of_moves import sources_of_move
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.checker.texts.words_found import words_found
from rulewright.expr.tree import Local, ReadZone
from rulewright.expr.types import SEAT, Thing
from rulewright.expr.walk import is_me, iter_exprs
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Move, Reveal, Step
from rulewright.model.rules import ZoneDef

UNSEEN: Final = {  # is how something is moved
    "en": lazy_pattern(
        r"(?<!the )(?<!is )(?<!are )(?<!an )(?<!any )(?<!stays )(?<!remains )"
        r"\bunseen(?=\s*(?:[.,;:]|$)|,? (?:and|under|to|into)\b)"
        r"|\bwithout (?:showing|revealing) (?:it|them)\b"
    ),
    "fr": lazy_pattern(r"\bsans (?:la|le|les) (?:montrer|révéler|dévoiler)\b|\bsans l['’]avoir montrée?\b"),
}
NOT_WHICH: Final = {
    "en": lazy_pattern(r"\b(?:but )?not which(?: ones?)?\b(?=\s*(?:[.,;:]|$))"),
    "fr": lazy_pattern(r"\b(?:mais )?(?:pas|non) l(?:a|es)?quel(?:le)?s?\b(?=\s*(?:[.,;:]|$))"),
}
LOOKS: Final = {  # at what has just come
    "en": lazy_pattern(
        r"\b(?:each|everybody|everyone|who|whoever|one|all)\b[^.;:]*\b(?:and|then) looks? at (?:it|them)\b"
    ),
    "fr": lazy_pattern(r"\b(?:chacun|tous|qui|on)\b[^.;:]*\bet (?:(?:la|le|les) regarden?t?|l['’]examine)\b"),
}
HIDE: Final = "write `seen_by: owner` or `nobody`"
DENIED: Final = lazy_pattern(
    r"\b(?:not look|others?|opponents?|neighbours?|neighbors?|next|later|until|nobody|adversaires?|autres?|voisine?s?"
    r"|suivante?|ensuite|personne)\b"
)


@build_pass(needs=["actions", "blocks", "zones", "book_sentences", "judged"], skip=after_errors)
def check_moved_unseen(state: BuildState) -> None:
    """Reports the first of each zone."""
    reported = set[str]()
    for step in (step for block in state.blocks for step in block.steps) if state.players > 1 else ():
        for zone, message, label, hint in _findings(step, state):
            if zone.name not in reported:
                reported.add(zone.name)
                _report(step, zone, message, label, hint, state)


def _report(step: Step, zone: ZoneDef, message: str, label: str, hint: str, state: BuildState) -> None:
    """A warning at who sees the zone, or at the step, where a variant wrote only that."""
    span, address = key_span(state.document.root, zone.address, "seen_by", zone.span), zone.address
    if state.variants and span.source.path not in state.variant_files:
        span, address = step.span, step.address
    warn(state, span, SEEN_OTHERWISE, message, label, f"{hint}, or change the sentence", address)


def _findings(step: Step, state: BuildState) -> Iterator[tuple[ZoneDef, str, str, str]]:
    """Zones that are seen otherwise than the sentence of a step says: what is wrong, on a label, and what may help."""
    move = step.effect
    if not isinstance(move, Move) or not isinstance(state.zones[move.to.zone].content_type, Thing):
        return
    to = state.zones[move.to.zone]
    if not state.judged.zones and not state.judged.has(step.address):
        return
    texts = sentence_by_language(state, step.address)
    if to.seen_by == "all" and (word := words_found(UNSEEN, texts, in_small=True)):
        message = f"by the sentence of `{step.address}` things come “{word}” to `{to.name}`, which everybody sees"
        yield to, message, "seen by all", HIDE
    if word := words_found(NOT_WHICH, texts, in_small=True):
        sources = (state.zones[name] for name in sorted(sources_of_move(step, state.actions)))
        zone = next((zone for zone in (to, *sources) if zone.seen_by == "all" and not zone.is_forgetful), None)
        if zone is not None:
            message = f"the sentence of `{step.address}` says “{word}”, and everybody sees what lies in `{zone.name}`"
            yield zone, message, "seen by all", HIDE
    if to.seen_by not in ("others", "nobody") or not _is_of_who_looks(step, move):
        return
    word = words_found(LOOKS, texts, in_small=True)
    if word and not words_found(dict.fromkeys(LOOKS, DENIED), texts, in_small=True) and not _is_shown(to, state):
        who = "only the others see" if to.seen_by == "others" else "nobody sees"
        message = f"the sentence of `{step.address}` says “{word}” of what comes to `{to.name}`, which {who}"
        yield to, message, f"seen by {to.seen_by}", "write `seen_by: owner`"


def _is_of_who_looks(step: Step, move: Move) -> bool:
    """Whether things come to the place of who plays, or of each player of a loop."""
    slot = None if step.for_each is None else step.for_each.slot
    return any(is_me(key) or (isinstance(key, Local) and key.slot == slot) for key in move.to.keys if key.type == SEAT)


def _is_shown(zone: ZoneDef, state: BuildState) -> bool:
    """Whether a step shows what lies in a zone: to some, or, where nobody sees it, to all."""
    for step in (step for block in state.blocks for step in block.steps):
        if isinstance(step.effect, Reveal) and (step.effect.to is not None or zone.seen_by == "nobody"):
            exprs = (step.effect.what, *(() if step.for_each is None else (step.for_each.over,)))
            parts = (part for expr in exprs for part in iter_exprs(expr))
            if any(isinstance(part, ReadZone) and part.name == zone.name for part in parts):
                return True
    return False


__all__ = ["check_moved_unseen"]
