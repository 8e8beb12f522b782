"""Does somebody pay all that they have, where they have named a number of it before?

In: the state of a build. Out: warnings about steps that move all of what a place of a player holds, or set a state of a
player to 0, although players have chosen how much of it, this is remembered, and no step ever takes so much. A step
whose sentence says that all goes is meant so, and so is one without a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import ONE_SIDED
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.expr.tree import Call, Constant, Expr, Local, Range, ReadState, ReadZone
from rulewright.expr.walk import is_me, iter_exprs
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.actions import ActionDef, OneOf
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Move, SetState, Step
from rulewright.source.nodes import ScalarNode

ALL: Final = lazy_pattern(
    r"\b(?:all|everything|whole|entire|each|every|any|rest|remaining|emptied|tout|toute|toutes|tous|entièr\w*|reste)\b"
)


@build_pass(needs=["actions", "blocks", "book_sentences", "judged"], skip=after_errors)
def check_named_amounts(state: BuildState) -> None:
    """Reports them."""
    for action in state.actions if state.judged.steps else ():
        for whole, note in _named_of(action, state):
            steps = [step for block in state.blocks for step in block.steps if step is not note]
            assert isinstance(note.effect, SetState)
            noted = note.effect.target.name
            if any(_reads(expr, noted) for step in steps for expr in _taken(step)):
                continue
            for step in steps:
                key = _takes_all(step, whole)
                texts = _sentences(step, state) if key else {}
                if not key or not texts or any(ALL.search(node.text.lower()) for node in texts.values()):
                    continue
                span = key_span(state.document.root, step.address, key, step.span)
                message = f"this takes all of `{whole}`, and nothing takes the `{noted}` that `{action.name}` names"
                hint = f"take `{noted}(…)` of it, or let the sentence say that all goes"
                warn(state, span, ONE_SIDED, message, "all of it", hint, step.address)


def _named_of(action: ActionDef, state: BuildState) -> Iterator[tuple[str, Step]]:
    """Of what of the player's own an action chooses a number, and the step that remembers it."""
    for slot, choice in enumerate(action.choices):
        if not isinstance(choice.domain, OneOf) or not isinstance(choice.domain.of, Range):
            continue
        match choice.domain.of.high:
            case Call(function="count", args=(ReadZone(name=name, keys=(key,), member=None),)) if is_me(key):
                whole = name
            case ReadZone(name=name, keys=(key,), member=Constant()) | ReadState(name=name, keys=(key,)) if is_me(key):
                whole = name
            case _:
                continue
        for step in state.blocks[action.block].steps:
            to = step.effect.to if isinstance(step.effect, SetState) else None
            if isinstance(to, Local) and to.slot == slot:
                yield whole, step


def _taken(step: Step) -> Iterator[Expr]:
    """How much a step takes or adds."""
    match step.effect:
        case Move(amount=amount) if amount.of is not None:
            yield amount.of
        case SetState(to=to):
            yield to
    if step.times is not None:
        yield step.times


def _reads(expr: Expr, name: str) -> bool:
    return any(isinstance(part, ReadState) and part.name == name for part in iter_exprs(expr))


def _takes_all(step: Step, whole: str) -> str:
    """The key at which a step says that all of something goes; empty where it does not."""
    match step.effect:
        case Move(amount=amount, source=source) if source is not None and source.zone == whole and source.keys:
            return "move" if amount.mode == "all" else ""
        case SetState(target=target, to=Constant(value=0)) if target.name == whole and target.keys:
            return "to"
    return ""


def _sentences(step: Step, state: BuildState) -> Mapping[str, ScalarNode]:
    return sentence_by_language(state, step.address)


__all__ = ["check_named_amounts"]
