"""Is what a sentence calls likelier really so, by the weights of what is rolled?

In: the state of a build. Out: warnings about rolls of a kind's members whose sentence, or that of a variant which sets
only their weights, says of one member that it is more likely than others ("a six is twice as likely"), or less.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.names_of_things import NAMES_NEEDED, mentions
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.expr.types import Member
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Roll, Step
from rulewright.model.sentences import nodes_by_language
from rulewright.source.nodes import ScalarNode

LIKELIER: Final = {
    "en": lazy_pattern(
        r"\b(?:twice|times|much|more|most|far)(?: as| more)?(?: likely| often| frequent)|\blikeli(?:er|est)\b"
    ),
    "fr": lazy_pattern(r"\b(?:fois plus|plus|le plus|la plus)(?: probable| souvent| fréquente?)"),
}
RARER: Final = {
    "en": lazy_pattern(r"\b(?:half as|less|least)(?: likely| often| frequent)|\b(?:rarer|rarest)\b"),
    "fr": lazy_pattern(r"\b(?:fois moins|moins|le moins|la moins)(?: probable| souvent| fréquente?)|\bplus rare\b"),
}
NOT: Final = lazy_pattern(r"\b(?:not|no|never|than before|pas|jamais|qu'avant)\b")


@build_pass(needs=[*NAMES_NEEDED, "judged"], skip=after_errors)
def check_chances_in_sentences(state: BuildState) -> None:
    """Reports them."""
    rolls = [step for step in state.judged.steps if isinstance(step.effect, Roll)]
    for step in rolls:
        weights = _weights(step, state)
        for language, text in _texts(step, state) if len({*weights.values()}) > 1 else ():
            claimed, is_rarer = _claimed(language, text.text.lower(), weights, state)
            extreme = min(weights.values()) if is_rarer else max(weights.values())
            if claimed and weights[claimed] != extreme:
                real = next(member for member, weight in weights.items() if weight == extreme)
                says = "less" if is_rarer else "more"
                message = f"its sentence says that `{claimed}` is {says} likely, and by this `{real}` is"
                span = key_span(state.document.root, step.address, "weights", step.span)
                hint = "change the weights, or the sentence"
                warn(state, span, OTHER_WAY, message, f"`{real}` is {says} likely", hint, step.address)
                break


def _weights(step: Step, state: BuildState) -> Mapping[str, int]:
    """How likely each member is that can be rolled."""
    assert isinstance(step.effect, Roll)
    type_ = state.states[step.effect.target.name].type
    kind = state.symbols.kinds.get(type_.kind) if isinstance(type_, Member) else None
    if kind is None or kind.is_numeric:
        return {}
    members = state.symbols.family_members[kind.family]
    return {members[value]: weight for value, weight in step.effect.outcomes if 0 <= value < len(members)}


def _texts(step: Step, state: BuildState) -> Iterator[tuple[str, ScalarNode]]:
    """The sentence of a roll, and that of a variant that changes nothing but it."""
    yield from sentence_by_language(state, step.address).items()
    for variant in state.applied:
        changes = [change for change in variant.changes if not change.is_of_words]
        text = variant.root.entry("text")
        if text is not None and len(changes) == 1 and f"{changes[0].address}.".startswith(f"{step.address}."):
            yield from nodes_by_language(text).items()


def _claimed(language: str, text: str, weights: Mapping[str, int], state: BuildState) -> tuple[str, bool]:
    """The one member in front of the words by which it is likelier or rarer; whether it is rarer."""
    for patterns, is_rarer in ((LIKELIER, False), (RARER, True)):
        match = patterns[language].search(text) if language in patterns else None
        if match is None or NOT.search(text):
            continue
        before = text[: match.start()].rpartition(".")[2]
        found = {member for one in mentions(language, before, state) for member in one.names("member")}
        if len(found & weights.keys()) == 1:
            return next(iter(found & weights.keys())), is_rarer
    return "", False


__all__ = ["check_chances_in_sentences"]
