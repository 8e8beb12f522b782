"""Does an end say that nobody can do something, where players only need not?

In: the state of a build. Out: warnings about ends that depend on one state alone and whose sentence says that somebody
cannot do something, where an action that counts this state is offered beside others and may always be done. Found by a
few words, English and French.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.rules_read import steps_within
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.checker.texts.words_found import words_found
from rulewright.document.address import find_entry
from rulewright.expr.tree import Compare, Constant, Expr, ReadParameter, ReadState
from rulewright.expr.walk import iter_exprs
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.actions import ActionDef
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Choose, Finish, SetState, Step

CANNOT: Final = {
    "en": lazy_pattern(
        r"(?i)\b(?:neither|no|nobody|none)\b[^.,;:]{0,40}? can\b(?! (?:win|lose)\b)|\bcannot\b|\bis unable to\b"
    ),
    "fr": lazy_pattern(
        r"(?i)\b(?:aucune?|personne|nul)\b[^.,;:]{0,40}? ne peut\b|\bne (?:peut|peuvent)(?: plus| pas)\b"
    ),
}
WANTED: Final = lazy_pattern(r"(?i)\b(?:wants?|will|wish\w*|likes?|pass\w*|veut|veulent|souhait\w+|pass\w+)\b")


@build_pass(needs=["actions", "blocks", "book_sentences", "judged"], skip=after_errors)
def check_ends_for_want(state: BuildState) -> None:
    """Reports them: at what is offered."""
    ends = [step for block in state.blocks for step in block.steps if isinstance(step.effect, Finish)]
    for end in ends:
        name = _state_alone(end.when)
        texts = sentence_by_language(state, end.address) if name else {}
        says = words_found(CANNOT, texts)
        if not says or any(WANTED.search(text.text) for text in texts.values()):
            continue
        for choosing, action in _free_offers(name, state):
            if any(one.code is OTHER_WAY and one.address == choosing.address for one in state.diagnostics):
                break
            if state.judged.has(choosing.address):
                _report(state, choosing, action, says, end)
                break


def _report(state: BuildState, choosing: Step, action: ActionDef, says: str, end: Step) -> None:
    assert isinstance(choosing.effect, Choose)
    mode = choosing.effect.mode
    offer = find_entry(state.document.root, f"{choosing.address}.{mode}.{action.name}")
    span = key_span(state.document.root, choosing.address, mode, choosing.span) if offer is None else offer.key.span
    message = f"`{action.name}` may always be done here, and `{end.address}` then says `{says}`"
    hint = "write `if_unable` for it, or another sentence there"
    warn(state, span, OTHER_WAY, message, "nobody has to be unable", hint, choosing.address)


def _state_alone(condition: Expr | None) -> str:
    """The state that is all that an end asks for; empty where there is none, or more."""
    match condition:
        case Compare(op="is" | ">=" | ">", left=ReadState(name=name, keys=()), right=Constant() | ReadParameter()):
            return name
    return ""


def _free_offers(name: str, state: BuildState) -> Iterator[tuple[Step, ActionDef]]:
    """The actions that count a state and that a step offers beside others, whatever is so."""
    for block in state.blocks:
        for step in block.steps:
            if not isinstance(step.effect, Choose) or step.when is not None or len(step.effect.offers) < 2:
                continue
            offered = [(state.actions[offer.action], offer.clauses) for offer in step.effect.offers]
            counting = [_counts(action, name, state) for action, _ in offered]
            if all(counting):
                continue
            for (action, clauses), is_counting in zip(offered, counting, strict=True):
                if is_counting and not clauses and not action.clauses and not action.choices:
                    yield step, action


def _counts(action: ActionDef, name: str, state: BuildState) -> bool:
    """Whether an action counts a state up."""
    return any(
        isinstance(step.effect, SetState)
        and step.effect.target.name == name
        and any(isinstance(part, ReadState) and part.name == name for part in iter_exprs(step.effect.to))
        for step in steps_within(action.block, state.blocks)
    )


__all__ = ["check_ends_for_want"]
