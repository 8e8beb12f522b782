"""Does a variant put things where they are lost, or pieces where they only lie until the places are awarded?

In: the state of a build in which all rules have been read. Out: warnings at the places moved to.

A pile of discarded cards that nothing reads is common, so of things it is asked whether the game keeps them in
circulation: whether they come back by some way to where they are taken from, or were to come back before the variant
sent them elsewhere, or its sentence says so. Pieces that only a ranking counts are missing where the variant took them
from. Nothing is said where a sentence has a word of leaving or keeping, English or French.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import ONLY_TAKES_IN
from rulewright.checker.common.rules_read import steps_within
from rulewright.checker.common.sources_of_moves import sources_of_move
from rulewright.checker.common.steps_asked import action_of
from rulewright.checker.common.warn import warn
from rulewright.checker.logic.lost_pieces import is_of_variant, is_redirected
from rulewright.checker.logic.ways_back import asked_zones, round_trips, zones_with_a_way_back
from rulewright.document.address import child_entries, find_entry
from rulewright.expr.types import Member
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Move, Step
from rulewright.model.sentences import nodes_by_language
from rulewright.source.nodes import MappingNode, Node, ScalarNode

LEAVING: Final = lazy_pattern(
    r"\b(?:out of|box|leaves?|left|removed?|gone|for good|never|lost|dead|destroy\w*|discard\w*|burn\w*|eaten|trash\w*"
    r"|hors|boîte|quitt\w*|retir\w*|sorti\w*|pour de bon|jamais|perdu\w*|mort\w*|détrui\w*|défauss\w*|brûl\w*"
    r"|mang\w*)\b"
)
# in the text of a variant, which says more than where something goes
OUT_OF_GAME: Final = lazy_pattern(
    r"\b(?:out of the game|gone|for good|never|removed?|lost|destroy\w*|discard\w*|burn\w*|eaten|hors (?:du )?jeu"
    r"|pour de bon|jamais|perdu\w*|quitte\w* la partie|retir\w*|détrui\w*|défauss\w*|brûl\w*|mang\w*)\b"
)
KEEPING: Final = lazy_pattern(r"\b(?:kept|keeps?|beside|apart|stays?|gard\w*|conserv\w*|côté|reste\w*)\b")
BACK: Final = lazy_pattern(r"\b(?:back|returns?|returned|rend\w*|remet\w*|remis\w*|retourn\w*|revien\w*)\b")
HINT: Final = "move it to where it is used again; if it is meant, let its `text` say that it is"
RANKING: Final = "ranking"
JUDGING: Final = ("invariants.", "evaluation.", "strategies.")  # no rule of play


@build_pass(needs=["sentences", "actions", "blocks", "zones"], skip=after_errors)
def check_lost_things(state: BuildState) -> None:
    """Reports them."""
    moves = [step for block in state.blocks for step in block.steps if isinstance(step.effect, Move)]
    own = [step for step in moves if is_of_variant(step.span, state) or is_redirected(step, state)]
    own = [step for step in own if _is_own_place(step, state)] if state.variants else []
    if not own:
        return
    kept, returning = zones_with_a_way_back(state), round_trips(state)
    has_words = any(f"zones.{name}" in state.sentences.entries for name in state.zones)
    for step in own:
        assert isinstance(step.effect, Move)
        zone = step.effect.to.zone
        sources = sources_of_move(step, state.actions)
        texts = [*_texts(zone, step, state)]
        claims = [text for variant in state.applied for text in _words(variant.text)]
        if any(map(LEAVING.search, texts)) or any(map(OUT_OF_GAME.search, claims)):
            continue
        is_read = zone in kept
        is_pool = isinstance(state.zones[zone].content_type, Member)
        if is_pool and is_read:
            is_lost = _is_read_only_in(JUDGING, zone, state)
            if not is_lost and is_redirected(step, state) and not any(map(KEEPING.search, (*texts, *claims))):
                criteria = _former_criteria(state) if _is_reworded(step, state) else (RANKING,)
                is_lost = _is_read_only_in((*JUDGING, *criteria), zone, state)
        elif is_pool:  # with words for zones `check_lost_pieces` tells it
            is_lost = is_redirected(step, state) and not has_words
        else:
            is_lost = not is_read and (
                is_redirected(step, state) or bool(sources & returning) or _says_back(step, state)
            )
        if is_lost:
            how = "only what judges a position reads it" if is_read else "nothing reads it, nothing comes back from it"
            span = key_span(state.document.root, step.address, "to", step.span)
            message = f"what goes to `{zone}` is out of the game: {how}"
            warn(state, span, ONLY_TAKES_IN, message, "never comes back", HINT, step.address)


def _is_own_place(step: Step, state: BuildState) -> bool:
    """Whether the variant also brings the zone to which a step moves."""
    assert isinstance(step.effect, Move)
    return is_of_variant(state.symbols.declaration_spans.get(step.effect.to.zone), state)


def _is_read_only_in(sections: tuple[str, ...], zone: str, state: BuildState) -> bool:
    """Whether what lies in a zone stays there, and only some sections read it, and not by way of a value."""
    moves = [step for block in state.blocks for step in block.steps if isinstance(step.effect, Move)]
    if any(zone in sources_of_move(step, state.actions) for step in moves):
        return False
    return zone in asked_zones(state) and zone not in asked_zones(state, besides=sections)


def _is_reworded(step: Step, state: BuildState) -> bool:
    """Whether the variant also writes the sentence of a step that it redirects."""
    entry = state.sentences.entries.get(step.address)
    return entry is not None and is_of_variant(entry.value.span, state)


def _former_criteria(state: BuildState) -> Iterator[str]:
    """How the addresses of what the ranking of the game itself asks begin, not those of what variants ask there."""
    ranking = find_entry(state.document.root, RANKING)
    for entry in () if ranking is None else child_entries(ranking.value):
        if not is_of_variant(entry.key.span, state):
            yield f"{RANKING}.{entry.key.text}"


def _says_back(step: Step, state: BuildState) -> bool:
    """Whether the sentence of a step, or of the action of which it is the only move, says that something goes back."""
    addresses = [step.address]
    action = action_of(state.actions, step.address)
    if action is not None:
        inner = steps_within(action.block, state.blocks, with_procedures=True)
        addresses += [action.address] if sum(isinstance(each.effect, Move) for each in inner) == 1 else []
    return any(BACK.search(text) for address in addresses for text in _sentences(address, state))


def _texts(zone: str, step: Step, state: BuildState) -> Iterator[str]:
    """What is said of a zone, of a step that moves there and of what it is a part of."""
    names = step.address.split(".")
    for address in (f"zones.{zone}", *(".".join(names[:end]) for end in range(2, len(names) + 1))):
        yield from _sentences(address, state)


def _sentences(address: str, state: BuildState) -> Iterator[str]:
    entry = state.sentences.entries.get(address)
    yield from () if entry is None else (text.text.lower() for text in nodes_by_language(entry).values())


def _words(text: Node | None) -> Iterator[str]:
    match text:
        case ScalarNode():
            yield text.text.lower()
        case MappingNode():
            yield from (entry.value.text.lower() for entry in text if isinstance(entry.value, ScalarNode))


__all__ = ["check_lost_things"]
