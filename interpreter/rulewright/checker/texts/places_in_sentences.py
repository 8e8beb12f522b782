"""Does the sentence of a move name another place than the move?

In: the state of a build. Out: warnings about steps that put something to a place, or take it from one, where their
sentence says of another place, by its name, that it goes there or comes from there, and does not name the right one;
and about the one move of an action whose own sentence says so. Both places hold the same sort of thing. Found by the
names of zones behind a few prepositions, English and French.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.rules_read import steps_within
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.expr.tree import Filter, ReadZone
from rulewright.expr.walk import iter_exprs
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Choose, Move, Step
from rulewright.source.nodes import ScalarNode

WHOSE: Final = (
    r"(?:the|its|their|his|her|your|my|one's|a|an|that|this|le|la|les|l'|sa|son|ses|leur|leurs|un|une|votre|cette|ce) ?"
)
NOUN: Final = rf"(?:{WHOSE})?(?:own |common |shared )?([a-zà-ÿ_]+(?: [a-zà-ÿ_]+)?)"
MENTIONS: Final = {  # by the key of a move, and the language: the words behind which the name of a place stands
    "to": {
        "en": lazy_pattern(rf"(?i)\b(?:into|onto|under|beneath|to|back on|on top of|on) {NOUN}"),
        "fr": lazy_pattern(rf"(?i)\b(?:dans|sous|vers|sur|rejoint|rejoignent) {NOUN}"),
    },
    "from": {
        "en": lazy_pattern(rf"(?i)\b(?:from|out of|off) {NOUN}"),
        "fr": lazy_pattern(rf"(?i)\b(?:hors de|provenant de) {NOUN}"),
    },
}

WORD: Final = lazy_pattern(r"[a-zà-ÿ_]+")


@build_pass(needs=["actions", "blocks", "zones", "book_sentences", "judged"], skip=after_errors)
def check_places_in_sentences(state: BuildState) -> None:
    """Reports them."""
    if not state.judged.steps:
        return
    names = {form: zone for zone in state.zones for form in _forms(zone)}
    for step in state.judged.steps:
        if isinstance(step.effect, Move):
            _check(step, step.address, [step], names, state)
    for action in state.actions:
        steps = [*steps_within(action.block, state.blocks, with_procedures=True)]
        moves = [step for step in steps if isinstance(step.effect, Move)]
        if (
            len(moves) == 1
            and state.judged.has(moves[0].address)
            and not any(isinstance(step.effect, Choose) for step in steps)
        ):
            _check(moves[0], action.address, steps, names, state)


def _forms(zone: str) -> Iterator[str]:
    name = zone.replace("_", " ")
    yield from (name, f"{name}s")


def _check(step: Step, address: str, steps: Iterable[Step], names: dict[str, str], state: BuildState) -> None:
    """Reports a move if a sentence at an address names another place; `steps`: all that the sentence is about."""
    entry, move = state.book_sentences.entries.get(address), step.effect
    assert isinstance(move, Move)
    if entry is None:
        return
    touched = {name for each in steps for name in _zones(each)}
    source = _source(move)
    for language, text in sentence_by_language(state, address, entry).items():
        for key, zone in (("to", move.to.zone), ("from", source)):
            says = _place(key, language, text, names)
            if says is None or zone is None or says in touched or zone in _named(text, names):
                continue
            if state.zones[says].content_type != state.zones[zone].content_type:
                continue
            written = "to" if key == "to" else "from" if move.source is not None else "move"
            span = key_span(state.document.root, step.address, written, step.span)
            whose = "its sentence" if address == step.address else "the sentence of the action"
            does = "goes to" if key == "to" else "takes from"
            message = f"{whose} says `{says}`, and this {does} `{zone}`"
            hint = "change the rule, or its sentence"
            warn(state, span, OTHER_WAY, message, "another place", hint, step.address)
            return


def _place(key: str, language: str, text: ScalarNode, names: dict[str, str]) -> str | None:
    """The one zone that a sentence names as the place where something goes, or comes from."""
    pattern = MENTIONS[key].get(language)
    found = set[str]()
    for match in pattern.finditer(text.text) if pattern is not None else ():
        first, _, second = match[1].lower().partition(" ")
        zone = names.get(f"{first} {second}") or names.get(first)
        if zone is not None:
            found.add(zone)
    return found.pop() if len(found) == 1 else None


def _named(text: ScalarNode, names: dict[str, str]) -> set[str]:
    """All zones whose names stand in a sentence."""
    words = f" {' '.join(WORD.findall(text.text.lower()))} "
    return {zone for form, zone in names.items() if f" {form} " in words}


def _source(move: Move) -> str | None:
    """The zone that things are taken from, as far as it is written at the move."""
    if move.source is not None:
        return move.source.zone
    of = move.amount.of
    while isinstance(of, Filter):
        of = of.over
    return of.name if isinstance(of, ReadZone) else None


def _zones(step: Step) -> Iterator[str]:
    """The zones that a step moves from and to, and those that it reads."""
    move = step.effect
    if isinstance(move, Move):
        yield move.to.zone
        if move.source is not None:
            yield move.source.zone
        parts = () if move.amount.of is None else iter_exprs(move.amount.of)
        yield from (part.name for part in parts if isinstance(part, ReadZone))


__all__ = ["check_places_in_sentences"]
