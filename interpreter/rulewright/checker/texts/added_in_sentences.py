"""Is something added to a number by the sentence of a step, and does the step put it in its place?

In: the state of a build. Out: warnings about steps that set a number to what does not depend on what it was, where a
sentence says that it goes up, or that of the state that it is of all rounds. Of what gathers in a place or a state as
the game goes on nothing is said. Found by a few words, English and French.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.rules_read import all_parts, steps_within
from rulewright.checker.common.steps_asked import sets_state
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.checker.texts.words_found import words_found
from rulewright.expr.tree import Arithmetic, Builtin, Compare, Constant, Expr, ReadState, ReadValue, ReadZone
from rulewright.expr.types import Number
from rulewright.expr.walk import iter_exprs
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Effect, Move, Roll, SetState, Step
from rulewright.model.traversal import asked_exprs

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
OF_ALL: Final = {
    "en": lazy_pattern(
        r"\b(?:of|in|from|over|during|throughout) all (?:of )?(?:(?:the|these) )?(?:\w+ )?"
        r"(?:rounds|turns|deals|hands|nights|days)\b"
    ),
    "fr": lazy_pattern(
        r"\b(?:de|dans|pendant|durant|sur) (?:toutes les (?:\w+ )?(?:manches|donnes|nuits)"
        r"|tous les (?:\w+ )?(?:tours|jours))\b"
    ),
}
OF_ONE: Final = lazy_pattern(
    r"\b(?:last|latest|best|highest|lowest|most|fewest|least|longest|dernier|dernière|meilleure?|plus|moins)\b"
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


@build_pass(
    needs=["actions", "blocks", "section_blocks", "values", "states", "book_sentences", "judged"], skip=after_errors
)
def check_totals_of_all_rounds(state: BuildState) -> None:
    """Reports steps that forget what a state was of which the sentence says that it is of all rounds."""
    for step in state.judged.steps:
        name = step.effect.target.name if isinstance(step.effect, SetState) else ""
        texts = sentence_by_language(state, state.states[name].address) if name else {}
        says = words_found(OF_ALL, texts, in_small=True)
        if not says or any(OF_ONE.search(node.text.lower()) for node in texts.values()):
            continue
        before = {each.address for each in steps_within(state.section_blocks.setup, state.blocks)}
        steps = [each for block in state.blocks for each in block.steps if each.address not in before]
        if step in steps and all(_forgets(each, steps, state) for each in steps if sets_state(each, name)):
            _report(state, step, says, f"the sentence of `{name}`")


def _forgets(step: Step, steps: Sequence[Step], state: BuildState) -> bool:
    """Whether a step sets a number that lasts to what was not gathered in the rounds before."""
    effect = step.effect
    if not isinstance(effect, SetState) or not isinstance(effect.to.type, Number) or isinstance(effect.to, Constant):
        return False
    definition = state.states[effect.target.name]
    asked = [*all_parts(state.values, [*asked_exprs(step)])]
    reads = any(isinstance(part, ReadState) and part.name == definition.name for part in asked)
    parts = [*all_parts(state.values, [effect.to])]
    compared = {id(inner) for part in parts if isinstance(part, Compare) for inner in iter_exprs(part)}
    gathered = any(_lasts(part, steps, state) for part in parts if id(part) not in compared)
    return not (reads or gathered or definition.reset_scope or definition.block_address)


def _lasts(part: Expr, steps: Sequence[Step], state: BuildState) -> bool:
    """Whether an expression reads what may only grow as rounds go by; of what is compared it is not asked."""
    match part:
        case Builtin(name="round_number"):
            return True
        case ReadZone(name=name):
            emptying = (step.effect for step in steps if isinstance(step.effect, Move) and _takes_all(step.effect))
            return all(move.source is None or move.source.zone != name for move in emptying)
        case ReadState(name=name):
            effects = [step.effect for step in steps if sets_state(step, name)]
            is_begun = any(isinstance(one, Roll) or _is_constant(one) for one in effects)
            return not (state.states[name].reset_scope or is_begun)
    return False


def _is_constant(effect: Effect) -> bool:
    return isinstance(effect, SetState) and isinstance(effect.to, Constant)


def _takes_all(move: Move) -> bool:
    return move.amount.mode == "all"


def _report(state: BuildState, step: Step, says: str, whose: str = "its sentence") -> None:
    assert isinstance(step.effect, SetState)
    name = step.effect.target.name
    span = key_span(state.document.root, step.address, "to", step.span)
    message = f"{whose} says `{says}`, and this forgets what `{name}` was"
    hint = f"add to it, `{name} + …`, or change the sentence"
    warn(state, span, OTHER_WAY, message, "put in its place", hint, step.address)


__all__ = ["check_added_in_sentences", "check_totals_of_all_rounds"]
