"""Does a condition hold in the first rounds where its sentence says that they are over, or the reverse?

In: the state of a build. Out: warnings about clauses and steps that compare the number of the round, or a state that
counts what is named, with a number that their sentence says beside a word of time: "the first three rounds are over",
"nothing is taken before round 4", "from the second day on". What a reason says is so where its clause does not hold,
unless it says what may be done only then, or what may not. Found by a few words, English and French.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

from rulewright.checker.common.known_numbers import known_number
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.numbers_in_sentences import SMALLEST, number_in_word
from rulewright.checker.texts.spoken_rules import RULES_NEEDED, SpokenRule, spoken_rules
from rulewright.expr.tree import SIDES_SWAPPED, Builtin, Compare, Expr, ReadParameter, ReadState
from rulewright.expr.types import Number
from rulewright.expr.walk import conjuncts
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Finish
from rulewright.model.locale import spelled_ordinals

Time = Literal["early", "late"]
Way = Literal["fact", "when", "until"]  # what is so; when something is done; how long it is

ROUND: Final = "round_number"
TURNED: Final[dict[Time, Time]] = {"early": "late", "late": "early"}
IN_WORDS: Final[dict[Time, str]] = {"early": "until then", "late": "from then on"}
_N: Final = r"(?P<number>\{[^{}]{1,40}\}|\w{1,24})"
_ORDINAL: Final = r"(?P<ordinal>\w{1,24})"
_ONE: Final = {  # what comes again and again, but for turns, of which there are several in a round
    "en": r"(?P<noun>round|hand|deal|day|night|week|month|season|year)",
    "fr": r"(?P<noun>tour(?= de table)|manche|donne|jour|nuit|semaine|saison|année)(?: de table)?",
}
_SOME: Final = {
    "en": r"(?P<noun>round|hand|deal|day|night|week|month|season|year)s?",
    "fr": r"(?P<noun>tour(?=s? de table)|manche|donne|jour|nuit|semaine|saison|année)s?(?: de table)?",
}
_OVER: Final = {
    "en": r"(?:over|past|done|finished|completed|behind us|played)",
    "fr": r"(?:passée?s?|finie?s?|écoulée?s?|terminée?s?|jouée?s?|achevée?s?)",
}
_NUMBERED: Final = {  # one round by its number, or its place in the row
    "en": rf"(?:(?:the )?end of )?(?:{_ONE['en']} {_N}|the {_ORDINAL} {_ONE['en'].replace('noun', 'second')})\b",
    "fr": rf"(?:l[ae] )?(?:{_ONE['fr']} {_N}|{_ORDINAL} {_ONE['fr'].replace('noun', 'second')})\b",
}
_FIRST: Final = {
    "en": rf"the first(?: {_N})? {_SOME['en']}",
    "fr": rf"(?:l[ae]s? )?(?:{_N} )?premi(?:er|ère)s? {_SOME['fr']}",
}
_PHRASES: Final[dict[str, tuple[tuple[Time, Way, str], ...]]] = {
    "en": (
        ("late", "fact", rf"{_FIRST['en']} (?:is|are|has been|have been) (?:already )?{_OVER['en']}\b"),
        ("late", "fact", rf"\b(?:is|are) {_FIRST['en']} {_OVER['en']}\b"),
        ("early", "fact", rf"{_FIRST['en']} (?:is|are|has|have) not (?:yet )?(?:been )?{_OVER['en']}\b"),
        ("early", "when", rf"\b(?:in|during|within|for) {_FIRST['en']}\b"),
        ("late", "when", rf"\bafter {_FIRST['en']}\b"),
        ("late", "when", rf"\bafter {_NUMBERED['en']}"),
        ("late", "when", rf"\b(?:from|as of) {_NUMBERED['en']} on(?:wards?)?\b"),
        ("early", "until", rf"\b(?:before|until|till|up to) {_NUMBERED['en']}"),
    ),
    "fr": (
        ("late", "fact", rf"{_FIRST['fr']} (?:est|sont|ont été) (?:déjà )?{_OVER['fr']}"),
        ("early", "fact", rf"{_FIRST['fr']} n(?:e |')(?:est|sont|ont) pas (?:encore )?(?:été )?{_OVER['fr']}"),
        ("early", "when", rf"\b(?:aux?|à|pendant|durant|dans|lors des?|lors du) {_FIRST['fr']}"),
        ("late", "when", rf"\baprès {_FIRST['fr']}"),
        ("late", "when", rf"\baprès {_NUMBERED['fr']}"),
        ("late", "when", rf"\b(?:à partir (?:du|de)|dès) {_NUMBERED['fr']}"),
        ("early", "until", rf"\b(?:avant|jusqu'au|jusqu'à) {_NUMBERED['fr']}"),
    ),
}
PHRASES: Final = {
    language: tuple((time, way, lazy_pattern(f"(?i){words}")) for time, way, words in phrases)
    for language, phrases in _PHRASES.items()
}
NO: Final = {
    "en": lazy_pattern(r"(?i)\b(?:not|no|nothing|nobody|none|never|cannot|neither)\b|n't\b"),
    "fr": lazy_pattern(r"(?i)\b(?:pas|rien|aucune?|personne|jamais|interdite?s?)\b"),
}
ONLY: Final = {"en": lazy_pattern(r"(?i)\bonly\b"), "fr": lazy_pattern(r"(?i)\b(?:seulement|uniquement)\b")}
OTHERWISE: Final = lazy_pattern(  # it may be about another time, too
    r"(?i)\b(?:unless|except|but|then|later|afterwards|instead|than|if|once|still|again|sauf|mais|puis|ensuite"
    r"|sinon|si|encore|que|qu)\b|[;:]"
)
BARE: Final = lazy_pattern(r"(?i)(?:it is |this is |on est |c'est )?…[.?!]?")


@frozen
class _Asked:
    """A comparison with the number of the round, or of what a state counts; `name`: of the parameter it is compared
    with.
    """

    part: Expr
    key: str
    time: Time
    counted: str
    number: int
    name: str


@frozen
class _Phrase:
    """Words of time in a sentence."""

    time: Time
    way: Way
    words: str
    rest: str  # the sentence, without them


@build_pass(needs=sorted({*RULES_NEEDED, "parameters"}), skip=after_errors)
def check_times_in_sentences(state: BuildState) -> None:
    """Reports them."""
    reported = set[str]()
    for rule in spoken_rules(state):
        asked = (
            _asked(rule, state) if rule.role in ("clause", "reason", "step") and rule.place not in reported else None
        )
        if asked is None:
            continue
        meant = [(_meant(rule, phrase, language), phrase) for language, phrase in _phrases(rule, asked)]
        wrong = next((phrase for time, phrase in meant if time == TURNED[asked.time]), None)
        if wrong is not None and all(time != asked.time for time, _ in meant):
            reported.add(rule.place)
            says = "its reason says" if rule.role == "reason" else "its sentence says"
            message = f"{says} `{wrong.words}`, and this holds {IN_WORDS[asked.time]}"
            span, hint = rule.span_of(asked.key, asked.part, state), "change the comparison, or the sentence"
            warn(state, span, OTHER_WAY, message, "the other way round", hint, rule.place)


def _asked(rule: SpokenRule, state: BuildState) -> _Asked | None:
    """What a rule asks for the time; None where that is nothing, or several things."""
    found = [one for key, expr in rule.asked if key != "move" for one in _compared(expr, key, state)]
    step = rule.steps[0] if rule.steps else None
    if len(found) != 1 or (step is not None and (step.while_condition is not None or step.for_each is not None)):
        return None
    return found[0]


def _compared(expr: Expr, key: str, state: BuildState) -> Iterator[_Asked]:
    for part in conjuncts(expr):
        if not isinstance(part, Compare):
            continue
        for counter, bound, op in (
            (part.left, part.right, part.op),
            (part.right, part.left, SIDES_SWAPPED.get(part.op, part.op)),
        ):
            counted, number = _counted(counter), known_number(bound, state.parameters)
            time = _time(op)
            if counted and time is not None and number is not None and number >= SMALLEST:
                name = bound.name if isinstance(bound, ReadParameter) else ""
                yield _Asked(part, key, time, counted, number, name)


def _counted(counter: Expr) -> str:
    match counter:
        case Builtin(name=name) if name == ROUND:
            return ROUND
        case ReadState(name=name, keys=(), type=Number()):
            return name
    return ""


def _time(op: str) -> Time | None:
    """Whether a comparison holds from some round on, or until then."""
    return "late" if op in (">", ">=") else "early" if op in ("<", "<=") else None


def _phrases(rule: SpokenRule, asked: _Asked) -> Iterator[tuple[str, _Phrase]]:
    """The words of time of a rule's sentences that have the number which is asked for, by language."""
    for language, text in rule.texts.items():
        for time, way, pattern in PHRASES.get(language, ()):
            match = pattern.search(text.text)
            if match is not None and _is_meant(match, language, asked):
                rest = f"{text.text[: match.start()]}…{text.text[match.end() :]}"
                yield language, _Phrase(time, way, match[0], rest)
                break


def _is_meant(match: re.Match[str], language: str, asked: _Asked) -> bool:
    """Whether words of time name what is counted, and the number with which it is compared, or the one beside it."""
    groups = match.groupdict()
    noun = (groups.get("noun") or groups.get("second") or "").lower()
    is_counted = asked.counted == ROUND or noun in (asked.counted, *asked.counted.rstrip("s").split("_"))
    word, ordinal = groups.get("number"), groups.get("ordinal")
    if word is not None and word.startswith("{"):
        return is_counted and bool(asked.name) and word[1:-1].strip() == asked.name
    number = number_in_word(language, word) if word else 1
    if ordinal is not None:
        number = spelled_ordinals(language).get(ordinal.lower())
    return is_counted and number is not None and abs(number - asked.number) <= 1


def _meant(rule: SpokenRule, phrase: _Phrase, language: str) -> Time | None:
    """When a condition holds by words of time in its sentence; None where that is not sure."""
    is_denied, is_only = NO[language].search(phrase.rest) is not None, ONLY[language].search(phrase.rest) is not None
    if OTHERWISE.search(phrase.rest):
        return None
    if rule.role == "step":
        is_end = any(isinstance(step.effect, Finish) for step in rule.steps)
        is_sure = not is_denied and phrase.way != "until" and not (is_end and phrase.time == "early")
        return phrase.time if is_sure and (is_only or phrase.rest.startswith("…") or phrase.time == "late") else None
    if phrase.way == "fact":
        if is_denied or is_only:
            return None
        return phrase.time if rule.role == "clause" else TURNED[phrase.time]
    if is_denied:
        return None if is_only or len(rule.asked) != 1 or not _is_single(rule) else TURNED[phrase.time]
    if is_only or (rule.role == "clause" and BARE.fullmatch(phrase.rest)):
        return phrase.time
    return None


def _is_single(rule: SpokenRule) -> bool:
    """Whether a rule asks for nothing else."""
    return all(isinstance(expr, Compare) for _, expr in rule.asked)


__all__ = ["check_times_in_sentences"]
