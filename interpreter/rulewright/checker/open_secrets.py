"""Does everybody see at once what a player does in secret?

In: the state of a build. Out: warnings about actions that are done in secret, or face down, by their sentence or by
that of the step that offers them, English or French, one player after the other, where what is chosen goes into a
state, or to a place that everybody sees. Where all choose together it is hidden until all have chosen; and where the
action brings something to a place that is not seen by all, or shows it to some, that is what is secret, whatever is
said aloud beside it. Things that lie face down already, or that are turned, are no secret of who plays.
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
from rulewright.model.effects import Block, Choose, Move, Reveal, SetState, Step
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


PAST: Final = {  # what has been done in secret before
    "en": lazy_pattern(r"(?i)\b(?:was|were|been|has|have|had)\b[^.;]*\b(?:in secret|secretly|face[- ]down)\b"),
    "fr": lazy_pattern(r"(?i)\b(?:a|ont|avai(?:t|ent)|été)\b[^.;]*(?:en secret|secrètement|face cachée)"),
}


@build_pass(needs=["actions", "blocks", "zones", "book_sentences", "judged"], skip=after_errors)
def check_open_secrets(state: BuildState) -> None:
    """Reports the first step that offers such an action."""
    if not state.judged.steps:
        return
    secret = {action.index: word for action in state.actions if (word := _word(action.address, state))}
    reported = set[int]()
    for step in (step for block in state.blocks for step in block.steps):
        if not isinstance(step.effect, Choose) or step.effect.mode == "together":
            continue
        offered = [state.actions[index] for index in offered_actions(step.effect)]
        for action in [action for action in offered if action.index in secret and action.index not in reported]:
            if seen := _open(action, state):
                reported.add(action.index)
                _report(state, step, action.name, secret[action.index], seen)
        if reported.isdisjoint(action.index for action in offered):
            _check_step(state, step, offered)


def _check_step(state: BuildState, step: Step, offered: Sequence[ActionDef]) -> None:
    """The step itself says that what it offers is done in secret, and none of that is."""
    zones, blocks = state.zones, state.blocks
    sources = sentence_by_language(state, step.address)
    word = "" if words_found(PAST, sources) else _word(step.address, state)
    seen = [(action, _seen(action, zones, blocks)) for action in offered] if word else []
    if any(_hides(action, name, zones, blocks) for action, name in seen):
        return
    name = next((name for _, name in seen if name), "")
    if name:
        _report(state, step, step.address.rsplit(".", 1)[-1], word, name)


def _report(state: BuildState, step: Step, name: str, word: str, seen: str) -> None:
    message = f"the sentence of `{name}` says `{word}`, and everybody sees `{seen}`"
    hint = "offer it with `together`, or move it to a zone that the others do not see"
    warn(state, step.span, OPEN_SECRET, message, "one after the other", hint, step.address)


def _open(action: ActionDef, state: BuildState) -> str:
    """The state or zone where everybody sees what is chosen for an action, if it hides nothing besides."""
    name = _seen(action, state.zones, state.blocks)
    return "" if _hides(action, name, state.zones, state.blocks) else name


def _word(address: str, state: BuildState) -> str:
    """The word by which something is done in secret, in the sentence of a rule."""
    texts = sentence_by_language(state, address)
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
