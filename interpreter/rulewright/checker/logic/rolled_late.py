"""Is a die read before it is thrown, and never after?

In: the state of a build. Out: warnings about steps that read a state which only a later step of the same block rolls,
where nothing else reads or sets it and it is not said with what it begins. What a step offers or runs, and derived
values, may be what reads it if it is a die, all of whose faces count from 1 at least: no such state is right unrolled;
what is done in turns also, if the state is of this round by its sentence and rolled in each. And warnings about steps
of a round that ask for what a later step of it rolls, for those behind that one, though their sentence says that it is
of this round (`… of this day`): it is what the round before left.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import READ_BEFORE_SET
from rulewright.checker.common.rules_read import action_exprs, reads_state, steps_within
from rulewright.checker.common.steps_asked import sets_state
from rulewright.checker.common.warn import warn
from rulewright.checker.logic.states_set_back import OF_EACH, PASSING
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.checker.texts.words_found import words_found
from rulewright.document.address import find_entry
from rulewright.expr.tree import Expr, ReadState, ReadValue
from rulewright.expr.types import Number
from rulewright.expr.walk import iter_exprs
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Choose, GiveTurn, Roll, RunSteps, SetState, Step
from rulewright.model.rules import ValueDef
from rulewright.model.traversal import asked_exprs, offered_actions, step_exprs

ARTICLE: Final = lazy_pattern(r"(?i)^(?:the|a|an|le|la|les|un|une)\s+|^l'")
OF_THIS: Final = {"en": r"(?:of|in) (?:this|the current) \w+", "fr": r"(?:de|dans) (?:cette|cet|ce) \w+"}


@build_pass(needs=["actions", "states", "blocks", "section_blocks", "values", "book_sentences"], skip=after_errors)
def check_rolled_late(state: BuildState) -> None:
    """Reports the first step that reads such a state."""
    steps = [step for block in state.blocks for step in block.steps]
    for block in state.blocks:
        for number, roll in enumerate(block.steps):
            if not isinstance(roll.effect, Roll):
                continue
            name = roll.effect.target.name
            writers = [step for step in steps if sets_state(step, name)]
            earlier = [step for step in block.steps[:number] if _reads(step, name, state)]
            is_begun = find_entry(state.document.root, f"{state.states[name].address}.start") is not None
            if len(writers) != 1 or not earlier or is_begun or not _is_read_only_by(earlier, name, state):
                continue
            step = earlier[0]
            if isinstance(step.effect, GiveTurn):
                _report_after_turns(roll, step, name, state)
                continue
            span = key_span(
                state.document.root, step.address, "to" if isinstance(step.effect, SetState) else "", step.span
            )
            reads = "this reads" if reads_state(step_exprs(step), name) else "what is done here reads"
            message = f"{reads} `{name}`, which is only rolled after it, and nothing reads it then"
            hint = f"put `{roll.address}` before this"
            warn(state, span, READ_BEFORE_SET, message, "before it is rolled", hint, step.address)


def _report_after_turns(roll: Step, turns: Step, name: str, state: BuildState) -> None:
    message = f"`{name}` is of this round by its sentence, is read in `{turns.address}`, and is only rolled behind it"
    hint = f"put this before `{turns.address}`, or let the set-up roll it, too, for the first round"
    warn(state, roll.span, READ_BEFORE_SET, message, "rolled too late", hint, roll.address)


@build_pass(needs=["states", "blocks", "section_blocks", "book_sentences"], skip=after_errors)
def check_read_before_its_roll(state: BuildState) -> None:
    """Reports steps of a round that read what it only rolls later, and say that it is of this one."""
    steps = state.blocks[state.section_blocks.round].steps
    for number, roll in enumerate(steps):
        if not isinstance(roll.effect, Roll) or roll.when is not None or roll.is_repeated:
            continue
        name = roll.effect.target.name
        writers = [step for block in state.blocks for step in block.steps if sets_state(step, name)]
        if len(writers) != 1 or not any(_reads_within(step, name, state) for step in steps[number + 1 :]):
            continue  # what is rolled for the next round may be of that one
        for step in steps[:number]:
            says = _says_of_this(step, name, state) if reads_state(asked_exprs(step), name) else ""
            if says:
                span = key_span(state.document.root, step.address, "when", step.span)
                message = f"its sentence says `{says}`, and this reads `{name}` before `{roll.address}` rolls it"
                hint = f"put this behind `{roll.address}`: here it is what the round before has left"
                warn(state, span, READ_BEFORE_SET, message, "before it is rolled", hint, step.address)


def _reads_within(step: Step, name: str, state: BuildState) -> bool:
    """Whether a step reads a state, or one of those that it runs."""
    inner = steps_within(step.effect.block, state.blocks) if isinstance(step.effect, RunSteps) else ()
    return any(reads_state(step_exprs(each), name) for each in (step, *inner))


def _says_of_this(step: Step, name: str, state: BuildState) -> str:
    """What the sentence of a step says of a state being that of this round, whatever a round is called."""
    nouns = {language: node.text for language, node in sentence_by_language(state, state.states[name].address).items()}
    for language, node in sentence_by_language(state, step.address).items():
        noun = ARTICLE.sub("", nouns.get(language, name.replace("_", " "))).strip(" .").lower()
        words = OF_THIS.get(language)
        found = re.search(rf"\b{re.escape(noun)}\b {words}", node.text.lower()) if words and noun else None
        if found is not None:
            return found[0]
    return ""


def _reads(step: Step, name: str, state: BuildState) -> bool:
    if reads_state(step_exprs(step), name):
        return True
    names = _names(state, name)
    return any(_is_about(expr, names) for expr in _exprs(step, name, state))


def _is_read_only_by(steps: list[Step], name: str, state: BuildState) -> bool:
    names = _names(state, name)
    own = {id(expr) for step in steps for expr in _exprs(step, name, state)}
    own |= {id(term) for value in names - {name} for term in _terms(state.values[value])}
    return all(id(read.expr) in own for read in state.usage.expressions if _is_about(read.expr, names))


def _exprs(step: Step, name: str, state: BuildState) -> Iterator[Expr]:
    """What a step asks, with all that it offers or runs at once if a state is a die."""
    kind, is_of_round = state.states[name].type, _is_of_each_round(name, state)
    is_die = isinstance(kind, Number) and kind.low >= 1 and not isinstance(step.effect, GiveTurn)
    if not is_die and not is_of_round:
        yield from step_exprs(step)
        return
    waiting, seen = [step], set[int]()
    while waiting:
        each = waiting.pop()
        yield from asked_exprs(each)
        offered = offered_actions(each.effect) if isinstance(each.effect, Choose) else ()
        actions = [state.actions[number] for number in offered]
        for action in actions:
            yield from action_exprs(action)
        blocks = [each.effect.block] if isinstance(each.effect, RunSteps) else [action.block for action in actions]
        blocks += [state.section_blocks.turn] if is_of_round and isinstance(each.effect, GiveTurn) else []
        waiting += [inner for block in blocks if block not in seen for inner in state.blocks[block].steps]
        seen.update(blocks)


def _is_of_each_round(name: str, state: BuildState) -> bool:
    """Whether a state is of this round by its sentence, and each round rolls it in any case."""
    in_round = state.blocks[state.section_blocks.round].steps
    rolls = [step for step in in_round if sets_state(step, name) and step.when is None and not step.is_repeated]
    says = words_found(PASSING, sentence_by_language(state, state.states[name].address), in_small=True)
    return bool(rolls) and any(word in says for word in OF_EACH["round"])


def _names(state: BuildState, name: str) -> frozenset[str]:
    """A state, and the derived values that depend on it."""
    names = {name}
    while True:
        more = {value.name for value in state.values.values() if any(_is_about(term, names) for term in _terms(value))}
        if more <= names:
            return frozenset(names)
        names |= more


def _terms(value: ValueDef) -> list[Expr]:
    return [term for _, term in (*value.terms, *value.deductions)]


def _is_about(expr: Expr, names: Collection[str]) -> bool:
    return any(isinstance(part, ReadState | ReadValue) and part.name in names for part in iter_exprs(expr))


__all__ = ["check_read_before_its_roll", "check_rolled_late"]
