"""Does everybody learn from a state what a player holds in secret, though the player does not mean to tell?

In: the state of a build. Out: warnings about actions that draw something unseen, go through the place of the player in
turn where it lies and write what it is into a state, which everybody sees, unless the sentence of the action says that
it is told or asked, or the action shows things or puts them in the open.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import LOOKS_AT_HIDDEN
from rulewright.checker.common.rules_read import steps_within
from rulewright.checker.common.warn import warn
from rulewright.checker.secrets.announcing_states import tells
from rulewright.expr.tree import FieldAccess, Local, ReadZone
from rulewright.expr.walk import is_me
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Move, Reveal, SetState, Step
from rulewright.model.rules import StateDef, ZoneDef


@build_pass(needs=["blocks", "zones", "states", "actions", "book_sentences"], skip=after_errors)
def check_noted_by_owners(state: BuildState) -> None:
    """Reports the first step of each action that does."""
    blocks, zones, states, entries = state.blocks, state.zones, state.states, state.book_sentences.entries
    for action in state.actions if state.players > 1 else ():
        steps = [*steps_within(action.block, blocks, with_procedures=True)]
        noted = ((step, name) for step in steps if (name := _noted_zone(step, states)))
        step, zone = next(noted, (None, ""))
        if step is None or zones[zone].seen_by != "owner" or not any(_draws(each, zone, zones) for each in steps):
            continue
        entry = entries.get(action.address)
        if any(_shows(each, zones) for each in steps) or (entry is not None and tells(action, entry, state)):
            continue
        assert isinstance(step.effect, SetState)
        span = key_span(state.document.root, step.address, "to", step.span)
        message = f"everybody sees `{step.effect.target.name}`, which tells what `{zone}` of the player in turn holds"
        hint = "keep it in a zone that only its owner sees, or let the sentence of the action say that it is told"
        warn(state, span, LOOKS_AT_HIDDEN, message, "hidden from the others", hint, step.address)


def _noted_zone(step: Step, states: Mapping[str, StateDef]) -> str:
    """The zone of the player in turn of whose things a step writes a field into a state that all see."""
    loop, effect = step.for_each, step.effect
    if loop is None or not isinstance(effect, SetState) or not states[effect.target.name].is_shown:
        return ""
    over, to = loop.over, effect.to
    if not isinstance(over, ReadZone) or not over.keys or not all(map(is_me, over.keys)):
        return ""
    is_field = isinstance(to, FieldAccess) and isinstance(to.of, Local) and to.of.slot == loop.slot
    return over.name if is_field else ""


def _draws(step: Step, zone: str, zones: Mapping[str, ZoneDef]) -> bool:
    """Whether a step brings to a zone what nobody has seen."""
    move = step.effect
    is_unseen = isinstance(move, Move) and move.source is not None and zones[move.source.zone].seen_by == "nobody"
    return is_unseen and isinstance(move, Move) and move.to.zone == zone


def _shows(step: Step, zones: Mapping[str, ZoneDef]) -> bool:
    """Whether a step shows things, or puts what its owner alone saw where all see it."""
    move = step.effect
    if not isinstance(move, Move) or move.source is None:
        return isinstance(move, Reveal)
    return zones[move.source.zone].seen_by == "owner" and zones[move.to.zone].seen_by == "all"


__all__ = ["check_noted_by_owners"]
