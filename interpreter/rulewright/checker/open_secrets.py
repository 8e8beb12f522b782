"""Does everybody see at once what a player does in secret?

In: the state of a build. Out: warnings about actions that are done in secret, or face down, by their sentence, English
or French, one player after the other, where what is chosen goes into a state, or to a place that everybody sees. Where
all choose together it is hidden until all have chosen; and where the action brings something to a place that is not
seen by all, or shows it to some, that is what is secret, whatever is said aloud beside it. Things that lie face down
already, or that are turned, are no secret of who plays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rulewright.checker.common.lint_codes import OPEN_SECRET
from rulewright.checker.common.rules_read import steps_within
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.checker.texts.words_found import words_found
from rulewright.expr.walk import free_variables
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.actions import ActionDef
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Block, Choose, Move, Reveal, SetState
from rulewright.model.rules import ZoneDef
from rulewright.model.traversal import offered_actions

SECRET: Final = {
    "en": lazy_pattern(
        r"(?i)\b(?:in secret|secretly|(?<!lying )(?<!lies )(?<!lie )(?<!are )(?<!is )face[- ]down"
        r"(?! (?:cards?|tiles?|pieces?|tokens?|piles?|stacks?|ones?)\b))\b"
    ),
    "fr": lazy_pattern(r"(?i)\b(?:en secret|secrètement|(?<!sont )(?<!est )face cachée)\b"),
}
TURNED: Final = lazy_pattern(r"(?i)\b(?:turn(?:s|ed)?|flip(?:s|ped)?|face[- ]up|reveals?|retourne[rz]?|face visible)\b")


@build_pass(needs=["actions", "blocks", "zones", "book_sentences", "judged"], skip=after_errors)
def check_open_secrets(state: BuildState) -> None:
    """Reports the first step that offers such an action."""
    if not state.judged.steps:
        return
    zones, blocks = state.zones, state.blocks
    secret = {action.index: word for action in state.actions if (word := _word(action, state))}
    seen = {
        index: name
        for index in secret
        if (name := _seen(state.actions[index], zones, blocks))
        and not _hides(state.actions[index], name, zones, blocks)
    }
    for step in (step for block in state.blocks for step in block.steps):
        if not isinstance(step.effect, Choose) or step.effect.mode == "together":
            continue
        for index in [number for number in offered_actions(step.effect) if number in seen]:
            action = state.actions[index]
            message = f"the sentence of `{action.name}` says `{secret[index]}`, and everybody sees `{seen.pop(index)}`"
            hint = "offer it with `together`, or move it to a zone that the others do not see"
            warn(state, step.span, OPEN_SECRET, message, "one after the other", hint, step.address)


def _word(action: ActionDef, state: BuildState) -> str:
    """The word by which an action is done in secret."""
    texts = sentence_by_language(state, action.address)
    if any(TURNED.search(node.text) for node in texts.values()):
        return ""
    return words_found(SECRET, texts)


def _hides(action: ActionDef, seen: str, zones: Mapping[str, ZoneDef], blocks: Sequence[Block]) -> bool:
    """Whether an action brings something to a place that not all see, or shows it to some only: anything beside what
    is said aloud, and what is chosen beside another move.
    """
    for step in steps_within(action.block, blocks, with_procedures=True):
        match step.effect:
            case Move(amount=amount, to=place) if zones[place.zone].seen_by != "all":
                if seen not in zones or (amount.of is not None and free_variables(amount.of)):
                    return True
            case Reveal(to=viewers) if viewers is not None:
                return True
    return False


def _seen(action: ActionDef, zones: Mapping[str, ZoneDef], blocks: Sequence[Block]) -> str:
    """The state or zone where everybody sees what is chosen for an action."""
    for step in steps_within(action.block, blocks):
        match step.effect:
            case SetState(target=target, to=to) if free_variables(to):
                return target.name
            case Move(amount=amount, to=place) if amount.of is not None and free_variables(amount.of):
                if zones[place.zone].seen_by == "all":
                    return place.zone
    return ""


__all__ = ["check_open_secrets"]
