"""Does a step move pieces to where nothing reads them and nothing comes back from, so that they are out of the game?

In: the state of a build in which all rules have been read. Out: warnings at the places moved to.
"""

from __future__ import annotations

from re import Pattern
from typing import Final

from rulewright.checker.common import lint_codes
from rulewright.checker.common.warn import warn
from rulewright.checker.logic.doubted_heaps import INVARIANTS, is_doubted
from rulewright.checker.logic.ways_back import zones_with_a_way_back
from rulewright.diagnostics import Span
from rulewright.document.address import find_entry
from rulewright.expr.types import Member
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Move, Step
from rulewright.model.sentences import nodes_by_language

# what nothing reads is out of the game; whether that is meant no other property of the rules says, only its text
LEAVING: Final = lazy_pattern(r"\b(?:out|box|leaves?|left|removed|gone|hors|boîte|quitt\w*|retir\w*|sorti\w*)\b")

# what is to come of it, so that something has to take it from there
WAITING: Final = lazy_pattern(
    r"\b(?:waits?|waiting|awaits?|to be (?:\w+ )?\w+(?:ed|en|pt|ught|ld|id)|for the next|again"
    r"|attend\w*|en attente|à \w+er|prochain\w*|de nouveau)\b"
)


@build_pass(needs=["sentences", "blocks", "zones"], skip=after_errors)
def check_lost_pieces(state: BuildState) -> None:
    """Moves of pieces to where nothing comes back from and nothing is read: they are out of the game. That is meant
    where the rules have words for such a zone, unless a variant sends there what the game itself keeps, without a word
    of leaving, or each player has one of them which nobody sees; nothing is said of games that have words for none.
    """
    steps = [step for block in state.blocks for step in block.steps]
    kept, played = zones_with_a_way_back(state), zones_with_a_way_back(state, besides=INVARIANTS)
    entries = state.sentences.entries
    described = {name for name in state.zones if f"zones.{name}" in entries}
    for step in steps if described else ():
        if not isinstance(step.effect, Move) or (zone := step.effect.to.zone) in played:
            continue
        is_doubt = zone in described and not is_of_variant(step.span, state) and is_doubted(step, state)
        if zone in kept and not is_doubt:
            continue  # an invariant counts it
        if step.effect.source is not None and step.effect.source.zone not in kept:
            continue  # which has been told where it came there
        is_own, is_leaving = (
            is_of_variant(state.symbols.declaration_spans.get(zone), state),
            _says(LEAVING, zone, state),
        )
        is_sent_anew = is_redirected(step, state) or (is_own and is_of_variant(step.span, state))
        is_meant = zone in described and ((is_own and is_leaving) or not is_sent_anew)
        is_meant = is_meant and (is_leaving or not _says(WAITING, zone, state))
        is_pool = isinstance(state.zones[zone].content_type, Member)
        is_kept_apart = bool(state.zones[zone].key_types) and state.zones[zone].seen_by == "nobody"
        if is_kept_apart or is_doubt or (not is_meant and (is_pool or zone not in described)):
            message = f"what goes to `{zone}` is out of the game: nothing reads it, nothing comes back from it"
            says = "let its `text` say that it is" if zone in described else "give it a `text` that says so"
            is_counted = zone in described and not (is_own or is_doubt)
            meant = f"count it in `measures`: `count({zone})`" if is_counted else says
            hint = f"move it to where it is used again; if it is meant, {meant}"
            to = find_entry(state.document.root, f"{step.address}.to")
            span = step.span if to is None else to.value.span
            warn(state, span, lint_codes.ONLY_TAKES_IN, message, "never comes back", hint, step.address)


def is_redirected(step: Step, state: BuildState) -> bool:
    """Whether a variant has another place to which a step moves that was there before."""
    address = f"{step.address}.to"
    changes = (change for variant in state.applied for change in variant.changes if change.operation == "set")
    return any(f"{address}.".startswith(f"{change.address}.") for change in changes)


def is_of_variant(span: Span | None, state: BuildState) -> bool:
    """Whether a variant wrote it."""
    return span is not None and span.source.path in state.variant_files


def _says(words: Pattern[str], zone: str, state: BuildState) -> bool:
    """Whether some words are in the text of a zone."""
    entry = state.sentences.entries.get(f"zones.{zone}")
    texts = () if entry is None else nodes_by_language(entry).values()
    return any(words.search(text.text.lower()) for text in texts)


__all__ = ["check_lost_pieces", "is_of_variant", "is_redirected"]
