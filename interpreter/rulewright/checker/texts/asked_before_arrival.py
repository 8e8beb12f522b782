"""Is it asked who is where a player arrives before the player has moved, or who was left behind after that?

In: the state of a build. Out: warnings about steps of actions that compare where others are with where the player in
turn is, by a state that another step of the action sets: behind this one where its sentence speaks of arriving, before
it where it speaks of leaving. Found by a few words, English and French.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.expr.tree import Compare, Expr, ReadState
from rulewright.expr.walk import is_me, iter_exprs
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import SetState, Step
from rulewright.source.nodes import ScalarNode

Moment = Literal["before", "behind"]

ARRIVES: Final = {  # by language: words for where somebody comes to
    "en": lazy_pattern(r"\b(?:arriv(?:es?|ed|ing)|lands?|landed|reach(?:es|ed)?|ends? up|comes? to|moved to)\b"),
    "fr": lazy_pattern(r"\b(?:arrive|arrivent|atteint|tombe|se retrouve|aboutit)\b"),
}
LEAVES: Final = {
    "en": lazy_pattern(r"\b(?:leaves?|left behind|leaving|started from|comes? from|came from|stood before)\b"),
    "fr": lazy_pattern(r"\b(?:quitte|quittent|quitté|part de|parti de|vient de)\b"),
}


@build_pass(needs=["blocks", "book_sentences", "judged"], skip=after_errors)
def check_asked_before_arrival(state: BuildState) -> None:
    """Reports them."""
    for action in state.judged.actions:
        steps = state.blocks[action.block].steps
        for index, step in enumerate(steps):
            texts = sentence_by_language(state, step.address)
            moved = _moved(steps, index) if texts else None
            if moved is None:
                continue
            moment, setting = moved
            says = _other_moment(texts, moment)
            if says is None:
                continue
            key = "when" if step.for_each is None or step.for_each.condition is None else "for_each"
            node = condition_node(state.document.root, step.address, key)
            name = setting.address.rpartition(".")[2]
            message = f"its sentence says `{says}`, and this is asked {moment} `{name}`"
            hint = f"put it {'behind' if moment == 'before' else 'before'} `{name}`, or change the sentence"
            span = step.span if node is None else node.span
            warn(state, span, OTHER_WAY, message, "at another moment", hint, step.address)


def _moved(steps: Sequence[Step], index: int) -> tuple[Moment, Step] | None:
    """The only step that sets the state by which one compares others with the player in turn, and whether that comes
    before it.
    """
    asked = {*_places(steps[index])}
    setting = [each for each in steps if each is not steps[index] and _sets_own(each) in asked]
    if len(asked) != 1 or len(setting) != 1:
        return None
    return "before" if steps.index(setting[0]) > index else "behind", setting[0]


def _places(step: Step) -> Iterator[str]:
    """The states by which a step asks whether others are where the player in turn is."""
    loop = step.for_each
    conditions: list[Expr | None] = [step.when, None if loop is None else loop.condition]
    for condition in conditions:
        for part in iter_exprs(condition) if condition is not None else ():
            match part:
                case Compare(op="is", left=ReadState(name=one, keys=(mine,)), right=ReadState(name=other, keys=(its,))):
                    if one == other and is_me(mine) is not is_me(its):
                        yield one


def _sets_own(step: Step) -> str:
    """The state of the player in turn that a step sets."""
    if not isinstance(step.effect, SetState) or len(step.effect.target.keys) != 1:
        return ""
    return step.effect.target.name if is_me(step.effect.target.keys[0]) else ""


def _other_moment(texts: Mapping[str, ScalarNode], moment: Moment) -> str | None:
    right, wrong = (LEAVES, ARRIVES) if moment == "before" else (ARRIVES, LEAVES)
    for language, node in texts.items():
        text = node.text.lower()
        if language in wrong and not right[language].search(text) and (match := wrong[language].search(text)):
            return match[0]
    return None


__all__ = ["check_asked_before_arrival"]
