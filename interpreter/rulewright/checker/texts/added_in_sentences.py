"""Is something added to a number by the sentence of a step, and does the step put it in its place?

In: the state of a build. Out: warnings about steps that set a number to what does not depend on what it was, where a
sentence says that it goes up. Found by a few words, English and French.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.rules_read import all_parts
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.expr.tree import Arithmetic, ReadState, ReadValue
from rulewright.expr.types import Number
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import SetState, Step

_NUMBER: Final = {
    "en": r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d+|\{[^}]+\})",
    "fr": r"(?:une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|\d+|\{[^}]+\})",
}
ADDED: Final = {
    "en": lazy_pattern(
        r"\b(?:is|are) added to\b|\badds? (?:[\w{}']+ ){1,4}to\b"
        r"|\b(?:rises?|raised?|raises|increase[sd]?|grows?|go(?:es)? up|moves? up|counts? up|counted up) by\b"
        rf"|\bmoves? (?:on|ahead|forward|further) (?:by|{_NUMBER['en']})\b|\bgets? {_NUMBER['en']} more points?\b"
        rf"|\b(?:scores?|gains?|earns?|counts?) {_NUMBER['en']} more\b|\b(?:is|are) counted (?:up|on)\b"
        rf"|\b{_NUMBER['en']} more is counted\b"
    ),
    "fr": lazy_pattern(
        r"\bs'ajoute(?:nt)?\b|\b(?:est|sont) ajoutée?s?\b|\bajoute[rz]?\b"
        rf"|\b(?:augmente|monte|grandit|avance)(?:nt)? (?:de |d'){_NUMBER['fr']}\b"
        rf"|\b(?:marque|gagne|compte)(?:nt)? {_NUMBER['fr']} (?:\w+ )?de plus\b"
    ),
}
REPLACED: Final = lazy_pattern(
    r"\b(?:instead|replace[sd]?|anew|again|afresh|becomes?|set to|up to|not|only"
    r"|jusqu\w*|remplac\w+|devien\w+|nouveau|pas)\b"
)


@build_pass(needs=["actions", "blocks", "values", "states", "book_sentences", "judged"], skip=after_errors)
def check_added_in_sentences(state: BuildState) -> None:
    """Reports them."""
    alone = {
        state.blocks[action.block].steps[0].address: action.address
        for action in state.actions
        if len(state.blocks[action.block].steps) == 1
    }
    for step in state.judged.steps:
        if not _puts_in_place(step, state):
            continue
        for address in (step.address, alone.get(step.address, "")):
            texts = sentence_by_language(state, address)
            says = [
                match[0]
                for language, node in texts.items()
                if language in ADDED and not REPLACED.search(node.text.lower())
                if (match := ADDED[language].search(node.text.lower())) is not None
            ]
            if says:
                _report(state, step, says[0])
                break


def _puts_in_place(step: Step, state: BuildState) -> bool:
    """Whether a step sets a number that lasts to what adds nothing and does not read it."""
    effect = step.effect
    if not isinstance(effect, SetState) or not isinstance(effect.to.type, Number):
        return False
    definition = state.states[effect.target.name]
    parts = [*all_parts(state.values, [effect.to])]
    reads = any(isinstance(part, ReadState) and part.name == definition.name for part in parts)
    adds = any(isinstance(part, Arithmetic) and part.op in ("+", "-", "less") for part in parts)
    sums = any(isinstance(part, ReadValue) and len(state.values[part.name].terms) > 1 for part in parts)
    return not (reads or adds or sums or definition.reset_scope)


def _report(state: BuildState, step: Step, says: str) -> None:
    assert isinstance(step.effect, SetState)
    name = step.effect.target.name
    span = key_span(state.document.root, step.address, "to", step.span)
    message = f"its sentence says `{says}`, and this forgets what `{name}` was"
    hint = f"add to it, `{name} + …`, or change the sentence"
    warn(state, span, OTHER_WAY, message, "put in its place", hint, step.address)


__all__ = ["check_added_in_sentences"]
