"""Does an action that is called spending take from a place that all share, and nothing of what it asks for?

In: the state of a build. Out: warnings about steps of actions whose sentence begins with such a word, in English or
French, which ask for something in a place of the player, take nothing from there, and take the same sort of thing from
a place of nobody to another of nobody.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import ONE_SIDED
from rulewright.checker.common.rules_read import steps_within
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.one_sided_exchanges import GOES, WORDS, asked_places
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.checker.texts.words_found import words_found
from rulewright.expr.walk import is_me
from rulewright.model.actions import ActionDef
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Move, Step


@build_pass(needs=["actions", "blocks", "zones", "book_sentences", "judged"], skip=after_errors)
def check_spent_elsewhere(state: BuildState) -> None:
    """Reports them."""
    for action in state.actions if state.judged.steps else ():
        asked = [read.name for clause in action.clauses for read, _, _ in asked_places(clause.condition) if read.keys]
        own = [name for name in asked if state.zones[name].owner_key is not None]
        if not own or not _is_spending(action, state):
            continue
        for step, name in _shared(action, own, state):
            span = key_span(state.document.root, step.address, "from", step.span)
            message = f"`{action.name}` asks for what is in `{name}`, and this takes from a place of nobody"
            hint = f"write `from: {name}(me)`"
            warn(state, span, ONE_SIDED, message, f"nothing is taken from `{name}`", hint, step.address)
            break


def _is_spending(action: ActionDef, state: BuildState) -> bool:
    """Whether the sentence of an action begins with something that the player gives away."""
    words = WORDS[frozenset({GOES})]
    return words_found(words, sentence_by_language(state, action.address)) != ""


def _shared(action: ActionDef, own: list[str], state: BuildState) -> Iterator[tuple[Step, str]]:
    """Steps that take the sort of thing from a shared place that lies in a place of the player, which is left alone."""
    steps = [*steps_within(action.block, state.blocks, with_procedures=True)]
    moves = [(step, step.effect) for step in steps if isinstance(step.effect, Move)]
    if any(move.source is None or any(map(is_me, (*move.source.keys, *move.to.keys))) for _, move in moves):
        return
    for step, move in moves:
        for name in own:
            assert move.source is not None
            is_same = state.zones[move.source.zone].content_type == state.zones[name].content_type
            zones = (state.zones[move.source.zone], state.zones[move.to.zone])
            if is_same and all(zone.owner_key is None for zone in zones):
                yield step, name


__all__ = ["check_spent_elsewhere"]
