"""Is what a sentence calls likelier really so, by the weights of what is rolled, and are the chances as it lists them?

In: the state of a build. Out: warnings about rolls whose sentence, or that of a variant which sets only their weights,
says of one member that it is more likely than others ("a six is twice as likely"), or less; lists the chances of all
("of six chances two bring rain and four none"); or calls all equally likely.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.names_of_things import NAMES_NEEDED, mentions
from rulewright.checker.texts.numbers_in_sentences import number_in_word
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.expr.types import Member, Number
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Roll, Step
from rulewright.model.sentences import nodes_by_language
from rulewright.source.nodes import ScalarNode

Outcome = int | str  # a number, or a member by its name
Chances = Mapping[Outcome, int]
WORD: Final = lazy_pattern(r"\w+")
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
LISTED: Final = {  # of how many chances, and what each of them brings
    "en": lazy_pattern(r"\b(?:out )?of (?P<all>\w+) chances?,? (?P<each>[^.;:{}]+)"),
    "fr": lazy_pattern(r"\bsur (?P<all>\w+) chances?,? (?P<each>[^.;:{}]+)"),
}
ONE: Final = frozenset({"one", "un", "une"})
BETWEEN: Final = lazy_pattern(r",? (?:and|et) |, ")
ALIKE: Final = {
    "en": lazy_pattern(
        r"\b(?:(?:each|all|both) (?:(?:is|are) )?(?:as|equally) (?:likely|often|frequent)"
        r"|(?:is|are) equally (?:likely|often|frequent)|with equal chances?)\b(?! as\b)"
    ),
    "fr": lazy_pattern(r"\bà chances égales\b|\bavec (?:les mêmes|la même) chances?\b(?! que)"),
}
NOT_ALL: Final = lazy_pattern(
    r"\b(?:but|except|other|others|others'|rest|twice|not|sauf|autres?|mais|fois|pas|excepté)\b"
)
NOT: Final = lazy_pattern(r"\b(?:not|no|never|than before|pas|jamais|qu'avant)\b")


@build_pass(needs=[*NAMES_NEEDED, "judged"], skip=after_errors)
def check_chances_in_sentences(state: BuildState) -> None:
    """Reports them."""
    rolls = [step for step in state.judged.steps if isinstance(step.effect, Roll)]
    for step in rolls:
        chances = _chances(step, state)
        for language, text in _texts(step, state):
            found = _contrary(language, text.text.lower(), chances, state)
            if found is not None:
                message, label = found
                span = key_span(state.document.root, step.address, "weights", step.span)
                hint = "change the weights, or the sentence"
                warn(state, span, OTHER_WAY, message, label, hint, step.address)
                break


def _contrary(language: str, text: str, chances: Chances, state: BuildState) -> tuple[str, str] | None:
    """What a sentence says of a roll that is not so, and how it is by the rule; None if it says nothing of the sort."""
    weights = {str(one): weight for one, weight in chances.items() if isinstance(one, str)}
    claimed, is_rarer = _claimed(language, text, weights, state) if len({*weights.values()}) > 1 else ("", False)
    extreme = min(weights.values(), default=0) if is_rarer else max(weights.values(), default=0)
    if claimed and weights[claimed] != extreme:
        real = next(member for member, weight in weights.items() if weight == extreme)
        says = "less" if is_rarer else "more"
        return (
            f"its sentence says that `{claimed}` is {says} likely, and by this `{real}` is",
            f"`{real}` is {says} likely",
        )
    whole = sum(chances.values())
    listed = _listed(language, text, chances, state)
    total = sum(listed.values())
    for one in (*listed, *(other for other in chances if other not in listed)) if listed else ():
        if listed.get(one, 0) * whole != chances.get(one, 0) * total:
            message = f"by its sentence `{one}` has {listed.get(one, 0)} of {total} chances"
            return f"{message}, and by this {chances.get(one, 0)} of {whole}", "other chances"
    if language in ALIKE and len({*chances.values()}) > 1 and (match := ALIKE[language].search(text)):
        named = _outcomes_named(language, text, chances, state)
        if not NOT_ALL.search(text) and (not named or named == chances.keys()):
            return f"its sentence says `{match[0]}`, and these are not", "not equally likely"
    return None


def _listed(language: str, text: str, chances: Chances, state: BuildState) -> Mapping[Outcome, int]:
    """How many chances a sentence gives each outcome, where it lists them all."""
    match = LISTED[language].search(text) if language in LISTED else None
    total = None if match is None else number_in_word(language, match["all"])
    found = dict[Outcome, int]()
    for item in BETWEEN.split(match["each"].strip()) if match is not None and chances else ():
        first, _, rest = item.partition(" ")
        number, named = _number(language, first), _outcomes_named(language, rest, chances, state)
        if number is None or len(named) != 1 or named & found.keys():
            return {}
        found[named.pop()] = number
    return found if total is not None and sum(found.values()) == total else {}


def _number(language: str, word: str) -> int | None:
    return 1 if word in ONE else number_in_word(language, word)


def _outcomes_named(language: str, text: str, chances: Chances, state: BuildState) -> set[Outcome]:
    """The faces of a die, or the members of a kind, that words name."""
    if all(isinstance(one, int) for one in chances):
        return {number for word in WORD.findall(text) if (number := _number(language, word)) is not None}
    return {member for one in mentions(language, text, state) for member in one.names("member")}


def _chances(step: Step, state: BuildState) -> Chances:
    """How likely each outcome of a roll is: a number, or a member by its name."""
    assert isinstance(step.effect, Roll)
    if isinstance(state.states[step.effect.target.name].type, Number):
        return {value: weight for value, weight in step.effect.outcomes if weight}
    return dict[int | str, int](_weights(step, state).items())


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
