"""Is a state that is said to be of a turn, a round or an unbroken row ever set back?

In: the state of a build. Out: warnings about states whose sentence says so, that begin anew with nothing, and that all
steps only count up or set to true.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rulewright.checker.emptying_moves import added_to
from rulewright.checker.lint_codes import NEVER_SET_BACK
from rulewright.checker.sentence_languages import sentence_by_language
from rulewright.checker.warn import warn
from rulewright.expr.tree import Arithmetic, Constant, Expr, StateTarget
from rulewright.expr.walk import iter_exprs
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Block, Roll, SetState

PASSING: Final = {  # by language: words for what does not last
    "en": lazy_pattern(
        r"\b(?:th(?:is|e current) (?:turn|round)|in a row|in succession|one after (?:the )?(?:other|another))\b"
    ),
    "fr": lazy_pattern(r"\b(?:ce tour|cette manche|de suite|d'affilée|l'un après l'autre)\b"),
}
OF_EACH: Final = {"turn": ("turn", "tour"), "round": ("round", "manche")}  # what `resets` may say, by words


@build_pass(needs=["blocks", "states", "symbols", "sentences"], skip=after_errors)
def check_states_set_back(state: BuildState) -> None:
    """Reports them."""
    blocks, spans = state.blocks, state.symbols.declaration_spans
    for definition in state.states.values():
        entry = state.sentences.entries.get(definition.address)
        if definition.reset_scope or entry is None:
            continue
        passing = [
            match[0]
            for language, node in sentence_by_language(state, definition.address, entry).items()
            if language in PASSING and (match := PASSING[language].search(node.text.lower()))
        ]
        if not passing or not _only_grows(blocks, definition.name):
            continue
        scopes = [scope for scope, words in OF_EACH.items() if any(word in passing[0] for word in words)]
        hint = f"write `resets: {scopes[0]}`" if scopes else "set it to 0 where the row is broken"
        message = f"`{definition.name}` is said to be of `{passing[0]}`, and nothing sets it back"
        warn(state, spans[definition.name], NEVER_SET_BACK, message, "never set back", hint, definition.address)


def _only_grows(blocks: Iterable[Block], name: str) -> bool:
    """Whether all steps that set a state count it up or set it to true."""
    effects = [step.effect for block in blocks for step in block.steps]
    writers = [effect for effect in effects if isinstance(effect, SetState | Roll) and effect.target.name == name]
    return bool(writers) and all(isinstance(one, SetState) and _grows(one.target, one.to) for one in writers)


def _grows(target: StateTarget, to: Expr) -> bool:
    if isinstance(to, Constant):
        return to.value is True
    signs = [part.op for part in iter_exprs(to) if isinstance(part, Arithmetic)]
    return added_to(target, to) is not None and signs == ["+"]


__all__ = ["check_states_set_back"]
