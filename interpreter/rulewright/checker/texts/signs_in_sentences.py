"""Does a term add to what the most wins, where its sentence says that it costs points, or the reverse?

In: the state of a build. Out: warnings about terms of values that the ranking takes the most of, and about criteria
that only add, also what their sentence shows as a cost: "each loan costs {cost}" of `points(player) + cost * loans`,
where that is written, or a value. The sentence of a term is its own, else that of the value which is all that it reads,
else what a variant says of itself whose only change it is. Found by a few words, English and French.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.rules_read import all_parts
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.criteria import criterion_span
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.checker.texts.single_changes import text_of_single_change
from rulewright.checker.texts.words_found import contrary_found
from rulewright.expr.tree import Arithmetic, Call, Constant, Expr, ReadParameter, ReadValue
from rulewright.expr.walk import iter_exprs
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.source.nodes import Node, ScalarNode

Words = Mapping[str, re.Pattern[str]]  # by language

_NUMBER: Final = {
    "en": r"(?:(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|half|\d+)\b|\{[^}]{1,40}\})",
    "fr": r"(?:(?:une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|\d+)\b|\{[^}]{1,40}\})",
}
_POINTS: Final = r"(?: points?)?(?: de \w+)?"
COSTS: Final = {
    "en": lazy_pattern(
        rf"(?<!that )(?<!which )\b(?:(?<!it )(?<!they )costs?|loses?|minus|deducts?|takes? (?:off|away))"
        rf" {_NUMBER['en']}"
        rf"|(?:^|\b|(?<=\s)){_NUMBER['en']}(?: \w+)? points? (?:off|less|fewer|lost|down)\b"
        rf"|(?:^|\b|(?<=\s)){_NUMBER['en']} (?:off|less|fewer)(?: points?)?\b|\bfewer points\b"
        r"|\bpoints? (?:(?:is|are) )?lost\b|\bnegative points?\b|\btakes? (?:[\w{}]+ ){1,3}away\b"
        r"|\b(?:is|are) (?:subtracted|deducted|taken (?:off|away))\b|\bcounts? against\b|\bpenalty (?:of|for)\b"
    ),
    "fr": lazy_pattern(
        rf"(?<!qui )\b(?:coûte|perd|perdre|enlève|retire|ôte)(?:nt|)? {_NUMBER['fr']}"
        rf"|\bmoins {_NUMBER['fr']} points?\b|\bpoints? (?:(?:de|est|sont) )?perdus?\b"
        rf"|\b{_NUMBER['fr']}{_POINTS} (?:de|en) moins\b|\b(?:est|sont) (?:déduite?s?|retirée?s?|ôtée?s?)\b"
        r"|\bpénalité\b"
    ),
}
_BRINGS: Final = {
    "en": rf"\b(?:brings?|gains?|scores?|earns?|(?:is|are) worth|counts?) {_NUMBER['en']}"
    rf"|\b{_NUMBER['en']}(?: \w+)? points? (?:more|extra)\b|\b{_NUMBER['en']} (?:more|extra)\b|\bbonus\b"
    r"|\b(?:is|are) added\b",
    "fr": rf"\b(?:rapporte|gagne|marque|donne|compte|vaut|valent)(?:nt|)? {_NUMBER['fr']}"
    rf"|\b{_NUMBER['fr']}{_POINTS} (?:de|en) plus\b|\bs'ajoutent?\b|\b(?:est|sont) ajoutée?s?\b",
}
_COUNTS: Final = {  # under `less` this says how much it costs
    "en": rf"^{_NUMBER['en']}(?: \w+)?(?: points?)? for (?:each|every)\b",
    "fr": rf"^{_NUMBER['fr']}(?: points?)? (?:par|pour chaque)\b",
}
COST: Final = lazy_pattern(r"\{(\w+)\}")  # shown in words that say what something costs
BEYOND: Final = {  # a limit that is taken off, of what is counted, not of the points
    "en": lazy_pattern(r"\b(?:above|beyond|over|more than|in excess of|exceeding)\b"),
    "fr": lazy_pattern(r"\b(?:au-delà|au-dessus|plus de|dépass\w+|en trop)\b"),
}
BRINGS: Final = {language: lazy_pattern(words) for language, words in _BRINGS.items()}
BRINGS_OR_COUNTS: Final = {
    language: lazy_pattern(f"{words}|{_COUNTS[language]}") for language, words in _BRINGS.items()
}
NOT_SO: Final = lazy_pattern(r"\b(?:not|no|nothing|never|else|instead|unless|ne|pas|rien|sans|sinon)\b|\bn'")


@build_pass(needs=["assessments", "values", "book_sentences", "judged"], skip=after_errors)
def check_signs_in_sentences(state: BuildState) -> None:
    """Reports them."""
    _check_criteria(state)
    if not state.judged.values:
        return
    ranking = state.assessments.ranking
    fewest = all_parts(state.values, [criterion.of for criterion in ranking if not criterion.is_maximized])
    against = {part.name for part in fewest if isinstance(part, ReadValue)}
    values = dict.fromkeys(
        name for criterion in ranking if criterion.is_maximized for name in _values_added(criterion.of, state)
    )
    for value in [name for name in values if name not in against and name in state.judged.values]:
        definition = state.values[value]
        for key, terms in (("sum", definition.terms), ("less", definition.deductions)):
            for name, expr in terms:
                node = condition_node(state.document.root, f"values.{value}.{key}", name)
                is_negative = _is_taken_off(expr)
                is_beyond = _is_beyond(expr)
                if node is None or (not is_negative and not is_beyond and _may_be_negative(expr, state)):
                    continue
                brings = BRINGS_OR_COUNTS if key == "sum" else BRINGS
                wrong, right = (COSTS, brings) if (key == "sum") is not is_negative else (brings, COSTS)
                for texts in _sentences(state, f"values.{value}.{key}.{name}", expr, node):
                    says = contrary_found(_of_limit(texts) if is_beyond else texts, right, wrong, NOT_SO)
                    if says:
                        _report(state, value, key, name, says, is_negative=is_negative)
                        break


def _check_criteria(state: BuildState) -> None:
    """Reports criteria that only add, also what costs something by their sentence."""
    for criterion in state.assessments.ranking if state.judged.has("ranking") else ():
        of = criterion.of
        if not criterion.is_maximized or not isinstance(of, Arithmetic) or _may_be_negative(of, state):
            continue
        texts = sentence_by_language(state, criterion.address)
        says = contrary_found(texts, BRINGS, COSTS, NOT_SO)
        number = COST.search(says)
        if number is not None and [*_multiplied(of, state)].count(number[1]) == 1:
            message = f"its sentence says `{says}`, and this adds `{number[1]}` times something"
            hint = "write `-` in front of what costs something, or change the sentence"
            span = criterion_span(state, criterion)
            warn(state, span, OTHER_WAY, message, "the other way round", hint, criterion.address)


def _multiplied(expr: Expr, state: BuildState) -> Iterator[str]:
    """The parameters by which terms of a sum are multiplied, also those of values."""
    match expr:
        case Arithmetic(op="+", left=left, right=right):
            yield from _multiplied(left, state)
            yield from _multiplied(right, state)
        case ReadValue(name=name):
            for _, term in state.values[name].terms:
                yield from _multiplied(term, state)
        case Arithmetic(op="*", left=left, right=right):
            yield from (side.name for side in (left, right) if isinstance(side, ReadParameter))


def _values_added(expr: Expr, state: BuildState) -> Iterator[str]:
    """The values that an expression comes to, or adds."""
    match expr:
        case ReadValue(name=name):
            yield name
            for _, term in state.values[name].terms:
                yield from _values_added(term, state)
        case Arithmetic(op="+", left=left, right=right):
            yield from _values_added(left, state)
            yield from _values_added(right, state)


def _sentences(state: BuildState, address: str, expr: Expr, node: Node) -> Iterator[Mapping[str, ScalarNode]]:
    """The sentences that can say what a term counts, the nearest first."""
    value = f"values.{expr.name}" if isinstance(expr, ReadValue) else ""
    yield sentence_by_language(state, address) or sentence_by_language(state, value)
    yield text_of_single_change(state, node.span)


def _is_taken_off(expr: Expr) -> bool:
    """Whether a term is written as what is missing to nothing: `0 - count(hand(player))`."""
    match expr:
        case Arithmetic(op="-", left=Constant(value=0), right=right):
            return not any(isinstance(part, Arithmetic) and part.op in ("-", "less") for part in iter_exprs(right))
    return False


def _is_beyond(expr: Expr) -> bool:
    """Whether a term counts what there is above a limit: `count(hand(player)) less limit`."""
    match expr:
        case Arithmetic(op="less", left=Call(function="count"), right=Constant() | ReadParameter()):
            return True
    return False


def _of_limit(texts: Mapping[str, ScalarNode]) -> Mapping[str, ScalarNode]:
    """The sentences that speak of what is above a limit."""
    return {each: node for each, node in texts.items() if each in BEYOND and BEYOND[each].search(node.text.lower())}


def _may_be_negative(expr: Expr, state: BuildState) -> bool:
    """Whether a term can take points away by itself, as far as that is written."""
    return any(
        (isinstance(part, Arithmetic) and part.op in ("-", "less"))
        or (isinstance(part, Constant) and isinstance(part.value, int) and part.value < 0)
        or (isinstance(part, ReadValue) and bool(state.values[part.name].deductions))
        for part in all_parts(state.values, [expr])
    )


def _report(state: BuildState, value: str, key: str, name: str, says: str, *, is_negative: bool) -> None:
    node = condition_node(state.document.root, f"values.{value}.{key}", name)
    assert node is not None
    other, does = ("less", "adds to") if (key == "sum") is not is_negative else ("sum", "takes off")
    message = f"its sentence says `{says}`, and this {does} `{value}`"
    hint = "write it without `0 -`" if is_negative else f"write it under `{other}`"
    hint += ", or change the sentence"
    warn(state, node.span, OTHER_WAY, message, "the other way round", hint, f"values.{value}.{key}.{name}")


__all__ = ["check_signs_in_sentences"]
