"""Does a state that no rule reads tell the players something?

In: actions, blocks, sentences, and who sees what. Out: the names of such states. All players see what is noted, so
rules need not read it: what a player has asked another, or was told. A state tells something where what it is set to,
or when, depends on a place that whoever is in turn does not see; or where an action says that it tells or asks, in
a few words, English and French. Any other state that nothing reads has been forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rulewright.checker.common.rules_read import steps_within
from rulewright.checker.secrets.information_leaks import HiddenReadFinder
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.checker.texts.words_found import words_found
from rulewright.expr.tree import Constant
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.actions import ActionDef
from rulewright.model.build_state import BuildState
from rulewright.model.effects import Block, RunSteps, SetState, Step
from rulewright.model.traversal import step_exprs

TELLS: Final = {
    "en": lazy_pattern(r"(?i)\b(?:tells?|asks?|answers?|says?|hints?|clues?|signals?)\b"),
    "fr": lazy_pattern(
        r"(?i)\b(?:dire|dit|dites|demande[rz]?|répon(?:d|dre|dez|se)|indique[rz]?|indices?|sign(?:al|aux|ale[rz]?))\b"
    ),
}


def announcing_states(
    actions: Sequence[ActionDef],
    blocks: Sequence[Block],
    finder: HiddenReadFinder,
    state: BuildState,
) -> frozenset[str]:
    """The names of the states by which players are told something."""
    found = set[str]()
    of_actions = {number: action for action in actions for number in _blocks_of(action, blocks)}
    around = _steps_around(blocks)
    for number, block in enumerate(blocks):
        action = of_actions.get(number)
        seats = {} if action is None else finder.choice_owners(action)
        is_announcement = action is not None and tells(action, state)
        for step in block.steps:
            if not isinstance(step.effect, SetState):
                continue
            asked = [expr for each in (step, *around.get(number, ())) for expr in step_exprs(each)]
            is_noted = is_announcement and not isinstance(step.effect.to, Constant)
            if is_noted or any(finder.find_first(expr, seats) is not None for expr in asked):
                found.add(step.effect.target.name)
    return frozenset(found)


def _blocks_of(action: ActionDef, blocks: Sequence[Block]) -> Iterator[int]:
    """The block of an action and those within it."""
    yield action.block
    for step in steps_within(action.block, blocks, with_procedures=True):
        if isinstance(step.effect, RunSteps):
            yield step.effect.block


def _steps_around(blocks: Sequence[Block]) -> Mapping[int, Sequence[Step]]:
    """The steps by which each block is run, and those around them."""
    runs = {
        step.effect.block: (number, step)
        for number, block in enumerate(blocks)
        for step in block.steps
        if isinstance(step.effect, RunSteps)
    }
    found: dict[int, list[Step]] = {}
    for inner in runs:
        number, steps, seen = inner, list[Step](), set[int]()
        while number in runs and number not in seen:
            seen.add(number)
            number, step = runs[number]
            steps.append(step)
        found[inner] = steps
    return found


def tells(action: ActionDef, state: BuildState) -> bool:
    """Whether an action tells or asks something by its sentence."""
    return words_found(TELLS, sentence_by_language(state, action.address)) != ""


__all__ = ["announcing_states", "tells"]
