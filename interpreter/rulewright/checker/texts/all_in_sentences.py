"""Does a sentence say that all of something goes, and its move take a number of it?

In: the state of a build. Out: warnings about the moves of actions and steps whose sentence begins with a word of moving
and "all", in English or French, which are done once and move a number, where nothing else takes from that place; and
about steps that move one sort of pieces of a place where others lie, too, and begin with "everything".
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import OTHER_NUMBER
from rulewright.checker.common.rules_read import steps_within
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.expr.structural_key import are_same
from rulewright.expr.tree import BagLiteral, Constant
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Choose, Move, Step

MOVES_ALL: Final = {
    "en": lazy_pattern(
        r"(?i)^(?:take|lift|draw|pick up|gather|collect|move|give(?: back| up)?|discard|return|put(?: back| down)?|pay)"
        r" (?:up |back |away )?all\b(?! but\b| other players?\b| the others\b)"
    ),
    "fr": lazy_pattern(
        r"(?i)^(?:prendre|prenez|ramasser|piocher|déplacer|donner|rendre|défausser|poser|payer)"
        r" (?:tous|toutes|tout)\b(?! sauf\b)"
    ),
}
EVERYTHING: Final = {
    "en": lazy_pattern(
        r"(?i)^(?:everything|all that (?:is|lies))"
        r"(?: (?:that )?(?:is |lies )?(?:in|on) (?:the |your |a )?[\w ]{2,30}?)?"
        r" (?:then |now )?(?:comes?|goes|returns?|is (?:put|taken|given|moved|brought|laid))\b"
    ),
    "fr": lazy_pattern(
        r"(?i)^tout(?: ce qui (?:est|se trouve)| ce qu'il y a)?(?: (?:le|la|l'|dans|sur|du|de la)[\w' ]{2,30}?)?"
        r" (?:va|revient|retourne|est (?:mis|remis|rendu|pris|posé))\b"
    ),
}
OTHERWISE: Final = lazy_pattern(r"(?i)\b(?:or|ou|except|sauf|but|mais|one by one|un à un|une à une)\b")


@build_pass(needs=["blocks", "book_sentences", "judged"], skip=after_errors)
def check_all_in_sentences(state: BuildState) -> None:
    """Reports them."""
    for action in state.judged.actions:
        steps = [*steps_within(action.block, state.blocks, with_procedures=True)]
        _check(action.address, state.blocks[action.block].steps, steps, state)
    for step in state.judged.steps:
        if isinstance(step.effect, Move):
            _check(step.address, (step,), [step], state)
            _check_sorts(step, state)


def _check(address: str, own: tuple[Step, ...], steps: list[Step], state: BuildState) -> None:
    """Reports the first of a rule's own steps that moves a number; `steps`: with those within them."""
    step = next((each for each in own if _takes_number(each)), None)
    if step is None or _does_several(step) or any(isinstance(each.effect, Choose) for each in steps):
        return
    if any(_takes_from_same(each, step) and not _takes_number(each) for each in steps):
        return
    for language, text in sentence_by_language(state, address).items():
        match = MOVES_ALL[language].search(text.text) if language in MOVES_ALL else None
        if match is None or OTHERWISE.search(text.text):
            continue
        span = key_span(state.document.root, step.address, "move", step.span)
        whose = "its sentence" if step.address == address else "the sentence of the action"
        message = f"{whose} says `{match[0]}`, and this moves a number"
        hint = "write `move: all`, or change the sentence"
        warn(state, span, OTHER_NUMBER, message, "not all", hint, step.address)
        return


def _check_sorts(step: Step, state: BuildState) -> None:
    """Reports a step that moves one sort of what lies in a place, where everything goes by its sentence."""
    member = _only_member(step)
    if member is None or _does_several(step) or not _holds_others(step, member, state):
        return
    block = next(block for block in state.blocks if step in block.steps)
    if any(_takes_from_same(each, step) for each in block.steps if each is not step):
        return
    for language, text in sentence_by_language(state, step.address).items():
        match = EVERYTHING[language].search(text.text) if language in EVERYTHING else None
        if match is not None and not OTHERWISE.search(text.text):
            span = key_span(state.document.root, step.address, "move", step.span)
            message = f"its sentence says `{match[0]}`, and this moves one sort of it"
            hint = "write `move: all`, or change the sentence"
            warn(state, span, OTHER_NUMBER, message, "not all", hint, step.address)
            return


def _only_member(step: Step) -> Constant | None:
    """The only sort of pieces that a step takes from a place."""
    move = step.effect
    of = move.amount.of if isinstance(move, Move) and move.source is not None else None
    return of.members if isinstance(of, BagLiteral) and isinstance(of.members, Constant) else None


def _holds_others(step: Step, member: Constant, state: BuildState) -> bool:
    """Whether a step somewhere brings, to where a step takes from, pieces of another sort, or of any."""
    assert isinstance(step.effect, Move)
    source = step.effect.source
    filling = (each for block in state.blocks for each in block.steps if each is not step)
    return any(
        isinstance(each.effect, Move)
        and source is not None
        and each.effect.to.zone == source.zone
        and ((other := _only_member(each)) is None or other.value != member.value)
        for each in filling
    )


def _takes_number(step: Step) -> bool:
    """Whether a step moves a number that is written there."""
    of = step.effect.amount.of if isinstance(step.effect, Move) else None
    return isinstance(of.count if isinstance(of, BagLiteral) else of, Constant)


def _takes_from_same(one: Step, other: Step) -> bool:
    """Whether two moves take from the same place, as far as it is written there."""
    sides = [each.effect.source for each in (one, other) if isinstance(each.effect, Move)]
    if len(sides) < 2:
        return False
    first, second = sides
    if first is None or second is None:
        return first is second
    return first.zone == second.zone and are_same(first.keys, second.keys)


def _does_several(step: Step) -> bool:
    return any(each is not None for each in (step.for_each, step.times, step.while_condition))


__all__ = ["check_all_in_sentences"]
