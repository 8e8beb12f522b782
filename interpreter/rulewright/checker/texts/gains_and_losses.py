"""Does a step count a number up where its sentence says that some of it is lost, or down where it says it is gained?

In: the state of a build. Out: warnings about steps that set a number to itself and more, or less, whose sentence says
the contrary of what this number is called, "loses a point", "loses one". Nothing is said of a sentence that says both,
unless it is the same whoever gains, "it loses one"; nor where another step beside it goes the other way. Found by a few
words, English and French.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, Literal

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.rules_read import all_parts
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.expr.structural_key import are_same
from rulewright.expr.tree import Arithmetic, Call, Constant, Expr, ReadParameter, ReadState, ReadValue
from rulewright.expr.types import Number
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import SetState, Step
from rulewright.source.nodes import ScalarNode

Way = Literal["up", "down"]

_NUMBER: Final = {
    "en": r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d+|\{[^}]{1,40}\})",
    "fr": r"(?:une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|\d+|\{[^}]{1,40}\})",
}
_VERBS: Final[dict[tuple[str, Way], str]] = {
    ("en", "down"): r"loses?",
    ("en", "up"): r"(?:gains?|scores?|earns?)",
    ("fr", "down"): r"(?:perd|perdent|perdez)",
    ("fr", "up"): r"(?:gagne|gagnent|marque|marquent|obtient)",
}
_ITSELF: Final = {"en": r"(?:it|he|she|they)", "fr": r"(?:il|elle|on|ils|elles)"}
CLAIMS: Final = {  # a verb, a number, and the word behind it
    (language, way): lazy_pattern(
        rf"\b(?P<itself>{_ITSELF[language]} (?:then |also |en )?)?{verb} {_NUMBER[language]}(?P<of>(?: [^\W\d_]+)?)"
    )
    for (language, way), verb in _VERBS.items()
}
CONTRARY: Final[dict[Way, Way]] = {"up": "down", "down": "up"}
OF_ANOTHER: Final = lazy_pattern(  # before the verb: who does it is not who gains, or it is only so of some
    r"\b(?:who|whoever|whom|that|which|if|when|whenever|not|never|no|others?|opponents?|qui|quiconque|si|quand|ne|"
    r"lorsque|autres?|adversaires?)\b[^,.;:]*$|\bn'[^,.;:]*$"
)
OF_POINTS: Final = ("points", "score", "scores")  # numbers that are points
POINT: Final = ("point", "points")
BEHIND_NUMBER: Final = ("", "for", "pour", "and", "et")  # no word that says what is lost
ABOUT_LOSS: Final = lazy_pattern(r"lost|loss|penalt|minus|debt|against|negative|malus|wound|damage|fine")


@build_pass(needs=["blocks", "values", "states", "parameters", "book_sentences", "judged"], skip=after_errors)
def check_gains_and_losses(state: BuildState) -> None:
    """Reports them."""
    judged = {step.address for step in state.judged.steps}
    for block in state.blocks:
        for index, step in enumerate(block.steps):
            way = _way(step, state) if step.address in judged else None
            beside = (*block.steps[max(0, index - 1) : index], *block.steps[index + 1 : index + 2])
            if way is None or any(_is_contrary(other, step, way, state) for other in beside):
                continue
            says = _says_contrary(sentence_by_language(state, step.address), step, way)
            if says:
                assert isinstance(step.effect, SetState)
                does = "adds to" if way == "up" else "takes off"
                message = f"its sentence says `{says}`, and this only {does} `{step.effect.target.name}`"
                span = key_span(state.document.root, step.address, "to", step.span)
                hint = "change the sign, or the sentence"
                warn(state, span, OTHER_WAY, message, "the other way round", hint, step.address)


# ---- what the step does -------------------------------------------------------------------------------------------


def _way(step: Step, state: BuildState) -> Way | None:
    """Whether a step sets a number to what it was and more, or less; None for any other."""
    effect = step.effect
    if not isinstance(effect, SetState) or not isinstance(effect.to.type, Number):
        return None
    target = effect.target
    terms = [*_signed(_without_bound(effect.to), is_added=True)]
    own = [
        is_added
        for term, is_added in terms
        if isinstance(term, ReadState) and term.name == target.name and are_same(term.keys, target.keys)
    ]
    rest = [(term, is_added) for term, is_added in terms if not _reads(term, target.name, state)]
    if own != [True] or len(rest) != len(terms) - 1 or any(_may_be_negative(term, state) for term, _ in rest):
        return None
    ways = {is_added for _, is_added in rest}
    return None if len(ways) != 1 else "up" if ways.pop() else "down"


def _is_contrary(other: Step, step: Step, way: Way, state: BuildState) -> bool:
    """Whether another step counts the same number the other way, so that a sentence can be about both."""
    if not isinstance(other.effect, SetState) or not isinstance(step.effect, SetState):
        return False
    return other.effect.target.name == step.effect.target.name and _way(other, state) == CONTRARY[way]


def _without_bound(to: Expr) -> Expr:
    """What is kept within a type: `score + 1` of `min(40, score + 1)`."""
    while isinstance(to, Call) and to.function in ("min", "max") and len(to.args) == 2:
        parts = [part for part in to.args if not isinstance(part, Constant | ReadParameter)]
        if len(parts) != 1:
            break
        (to,) = parts
    return to


def _signed(expr: Expr, *, is_added: bool) -> Iterator[tuple[Expr, bool]]:
    """What is added in an expression, and what is taken off."""
    match expr:
        case Arithmetic(op="+" | "-" | "less" as op, left=left, right=right):
            yield from _signed(left, is_added=is_added)
            yield from _signed(right, is_added=is_added if op == "+" else not is_added)
        case _:
            yield expr, is_added


def _reads(term: Expr, name: str, state: BuildState) -> bool:
    return any(isinstance(part, ReadState) and part.name == name for part in all_parts(state.values, [term]))


def _may_be_negative(term: Expr, state: BuildState) -> bool:
    for part in all_parts(state.values, [term]):
        match part:
            case Constant(value=int(value)) if value < 0:
                return True
            case Arithmetic(op="-"):
                return True
            case ReadValue(name=name) if state.values[name].deductions:
                return True
            case ReadState(type=Number(low=low)) if low < 0:
                return True
            case ReadParameter(name=name):
                parameter = state.parameters[name].value if name in state.parameters else None
                if not isinstance(parameter, int) or parameter < 0:
                    return True
    return False


# ---- what the sentence says ---------------------------------------------------------------------------------------


def _says_contrary(texts: Mapping[str, ScalarNode], step: Step, way: Way) -> str:
    """The words of a sentence that say that a number goes the other way than a step counts it."""
    assert isinstance(step.effect, SetState)
    name = step.effect.target.name
    if ABOUT_LOSS.search(name):
        return ""
    for language, node in texts.items():
        if (language, way) not in CLAIMS:
            continue
        text = node.text.lower()
        says_both = CLAIMS[language, way].search(text) is not None
        for match in CLAIMS[language, CONTRARY[way]].finditer(text):
            is_same = match["itself"] is not None or not says_both
            if is_same and _is_called(match["of"].strip(), name, text) and not OF_ANOTHER.search(text[: match.start()]):
                return match[0].strip()
    return ""


def _is_called(of: str, name: str, text: str) -> bool:
    """Whether what is gained or lost is the number with a name: `of` is the word behind how much, if any."""
    called = POINT if name in OF_POINTS else (name, name.removesuffix("s"))
    if of in BEHIND_NUMBER:
        return any(re.search(rf"\b{re.escape(word)}\b", text) for word in called)
    return of in called


__all__ = ["check_gains_and_losses"]
