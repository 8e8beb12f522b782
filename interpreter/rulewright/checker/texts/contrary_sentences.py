"""Does the sentence of a step say the contrary of what it does?

In: the state of a build. Out: warnings about steps that go through players from the lowest number on where their
sentence says the highest, or that are about whoever has the least where it says the most, and the other way round; and
about values that are the least of several
numbers, called the highest; and about choices of whatever has the least of all where their sentence says the most.
Found by a few words, English and French, and only where no other word of the sentence goes
with the rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

from rulewright.checker.common.condition_nodes import condition_node, part_span
from rulewright.checker.common.denied_parts import parts_with_denial
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.criteria import COUNTED_FEWEST, COUNTED_MOST, FEWEST, MOST, is_of_others, is_turned_round
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.checker.texts.words_found import contrary_words
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import (
    Arithmetic,
    Call,
    Compare,
    Expr,
    Extremum,
    FieldAccess,
    Filter,
    If,
    Local,
    Quantifier,
    ReadState,
    ReadValue,
)
from rulewright.expr.types import SEAT, Flag, Number, Type
from rulewright.expr.walk import free_variables, iter_exprs, transform
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.actions import OneOf, SomeOf
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Step
from rulewright.model.rules import ValueDef
from rulewright.source.nodes import ScalarNode

Direction = Literal["most", "fewest"]

RANKED: Final = lazy_pattern(
    r"\b(?:rank\w*|places?|positions?|rangs?|dearer|cheaper)\b"
)  # a low number may be a high one
ORDERS: Final = ("<", "<=", ">", ">=")
MORE: Final = {  # of two
    "en": lazy_pattern(
        r"\b(?:higher|better|stronger|greater|larger|longer)\b|(?<!no )\bmore(?: of \w+| \w+)? than the\b"
    ),
    "fr": lazy_pattern(r"\bplus (?:haute?|forte?|grande?|élevée?|longue?)\b|(?<!pas )\bplus que l[ae' ]"),
}
LESS: Final = {
    "en": lazy_pattern(r"\b(?:lower|weaker|smaller|shorter)\b|\b(?:fewer|less)(?: of \w+| \w+)? than the\b"),
    "fr": lazy_pattern(r"\bplus (?:basse?|faible|petite?|courte?)\b|\bmoins que l[ae' ]"),
}
NAMED_AFTER: Final = {  # what a number is called like: how the most and the fewest of it are called
    "strength": ("strongest", "weakest"),
    "force": ("plus forte?s?", "plus faibles?"),
    "height": ("highest|tallest", "lowest|shortest"),
    "length": ("longest", "shortest"),
    "depth": ("deepest", "shallowest"),
    "weight": ("heaviest", "lightest"),
    "wealth": ("richest", "poorest"),
    "speed": ("fastest", "slowest"),
    "size": ("biggest|largest|greatest", "smallest"),
}


@build_pass(needs=["book_sentences", "judged", "values"], skip=after_errors)
def check_contrary_sentences(state: BuildState) -> None:
    """Reports them."""
    for step in state.judged.steps:
        direction = _direction(step, state.values)
        if direction is None:
            continue
        texts = sentence_by_language(state, step.address)
        is_of_two = _is_of_two(step)
        if says := _contrary_word(texts, direction, is_of_two=is_of_two):
            takes = "the highest first" if direction == "most" else "the lowest first"
            if step.order is None:
                takes = "whoever has the most" if direction == "most" else "whoever has the fewest"
            key = "for_each" if step.order is None else "highest_first" if step.is_descending else "lowest_first"
            _report(state, step, key, texts[says[0]], f"{{rule}} takes {takes}, and {{sentence}} says `{says[1]}`")


@build_pass(needs=["book_sentences", "judged"], skip=after_errors)
def check_contrary_values(state: BuildState) -> None:
    """Reports values that are the least of several numbers where their sentence says the highest, or the reverse; and
    those that say of a player that all others have more where their sentence says the most.
    """
    for name, definition in state.judged.values.items():
        address = f"values.{name}"
        entry = state.book_sentences.entries.get(address)
        of = definition.terms[0][1] if len(definition.terms) == 1 and not definition.deductions else None
        direction = None if entry is None or of is None else _direction_of_value(of, definition.key_types)
        if entry is None or of is None or direction is None:
            continue
        texts = sentence_by_language(state, address)
        is_of_two = any(_is_of_next(part, definition.key_types) for part in iter_exprs(of))
        says = _contrary_word(texts, direction, is_of_two=is_of_two) or _named_otherwise(of, texts, direction)
        if says is None:
            continue
        node, text = condition_node(state.document.root, address, "is"), texts[says[0]]
        span = (
            entry.key.span if node is None else node.subspan(*of.offsets) if isinstance(node, ScalarNode) else node.span
        )
        is_of = "is the greatest" if direction == "most" else "is the least"
        if not isinstance(of, Extremum):
            is_of = "says who has the most" if direction == "most" else "says who has the fewest"
        message = f"this {is_of}, and its sentence says `{says[1]}`"
        if text.span.source.path != span.source.path:
            span, message = text.span, f"this says `{says[1]}`, and its value is the contrary"
        hint = "change the value, or its sentence"
        warn(state, span, OTHER_WAY, message, "the other way round", hint, address)


@build_pass(needs=["book_sentences", "judged"], skip=after_errors)
def check_contrary_choices(state: BuildState) -> None:
    """Reports choices of whatever has the least of something where their sentence says the highest, or the reverse."""
    for action in state.judged.actions:
        for choice in action.choices:
            of = choice.domain.of if isinstance(choice.domain, OneOf | SomeOf) else None
            if not isinstance(of, Filter) or of.condition is None:
                continue
            found = set(_directions_asked(of.condition, of.slot))
            if len(found) != 1:
                continue
            direction = found.pop()
            addresses = (choice.address, action.address) if len(action.choices) == 1 else (choice.address,)
            texts = [sentence_by_language(state, address) for address in addresses]
            says = next(filter(None, (_contrary_word(each, direction) for each in texts)), None)
            if says is not None:
                key = "one_of" if isinstance(choice.domain, OneOf) else "some_of"
                span = part_span(state.document.root, choice.address, key, of.condition, choice.span)
                takes = "has the most" if direction == "most" else "has the fewest"
                message = f"this takes whatever {takes}, and its sentence says `{says[1]}`"
                hint = "change the rule, or its sentence"
                warn(state, span, OTHER_WAY, message, "the other way round", hint, choice.address)


def _named_otherwise(of: Expr, texts: Mapping[str, ScalarNode], direction: Direction) -> tuple[str, str] | None:
    """The word for the most of what is called so, of which a value is the least, or the reverse."""
    names = {part.name for part in iter_exprs(of) if isinstance(part, ReadValue | ReadState)}
    names |= {part.name for part in iter_exprs(of) if isinstance(part, FieldAccess)}
    for name in names & NAMED_AFTER.keys():
        right, wrong = NAMED_AFTER[name] if direction == "most" else NAMED_AFTER[name][::-1]
        for language, text in texts.items():
            match = re.search(rf"\b(?:{wrong})\b", text.text, re.IGNORECASE)
            if match is not None and not re.search(rf"\b(?:{right})\b", text.text, re.IGNORECASE):
                return language, match[0]
    return None


def _direction_of_value(of: Expr, key_types: Sequence[Type]) -> Direction | None:
    """Whether a value is the greatest of several numbers, or says of a player that no other has more."""
    if isinstance(of, Extremum) and not _is_reckoned(of.of):
        return "most" if of.function == "max" else "fewest"
    if isinstance(of.type, Flag) and [*key_types].count(SEAT) == 1:
        found = set(_directions_asked(of, [*key_types].index(SEAT)))
        return found.pop() if len(found) == 1 else None
    return None


def _is_of_next(part: Expr, key_types: Sequence[Type]) -> bool:
    """Whether a part of a value compares the player that it is about with the next."""
    if not isinstance(part, Compare) or [*key_types].count(SEAT) != 1:
        return False
    return _compared_with_next(part, [*key_types].index(SEAT)) is not None


def _report(state: BuildState, step: Step, key: str, text: ScalarNode, message: str) -> None:
    """A warning at the step, or at the translation in a file of texts that alone says the contrary."""
    node = condition_node(state.document.root, step.address, key)
    span, rule, sentence = step.span if node is None else node.span, "this", "its sentence"
    if text.span.source.path != step.span.source.path:
        span, rule, sentence = text.span, "its rule", "this"
    message, hint = message.format(rule=rule, sentence=sentence), "change the rule, or its sentence"
    warn(state, span, OTHER_WAY, message, "the other way round", hint, step.address)


def _direction(step: Step, values: Mapping[str, ValueDef]) -> Direction | None:
    """Whether a loop begins with the highest or goes through those who have the most, or the reverse; None where that
    is not one and the same for all that it asks.
    """
    loop = step.for_each
    if loop is None:
        return None
    found = set() if loop.condition is None else set(_directions_asked(loop.condition, loop.slot))
    if step.order is not None and not _is_reckoned(step.order) and not is_of_others(step.order, values):
        found.add("most" if step.is_descending else "fewest")
    return found.pop() if len(found) == 1 else None


def _is_of_two(step: Step) -> bool:
    """Whether a loop compares each player with the next."""
    loop = step.for_each
    parts = iter_exprs(loop.condition) if loop is not None and loop.condition is not None else ()
    return any(isinstance(part, Compare) and loop and _compared_with_next(part, loop.slot) for part in parts)


def _directions_asked(condition: Expr, own: int) -> Iterator[Direction]:
    """What a condition says of a number of a variable, compared with that of all others."""
    for part, is_part_denied in parts_with_denial(condition):
        if isinstance(part, Quantifier) and part.quantifier in ("every", "no") and not is_part_denied:
            for compare, is_denied in parts_with_denial(part.condition):
                if isinstance(compare, Compare) and (found := _compared(compare, own, part.slot)) is not None:
                    yield found if (part.quantifier == "every") is not is_denied else _turned(found)
        elif isinstance(part, Compare):
            if (found := _compared_with_next(part, own)) is not None:
                yield _turned(found) if is_part_denied else found
            for value, bound in ((part.left, part.right), (part.right, part.left)):
                if isinstance(bound, Extremum) and _same_of(value, own, bound.of, bound.slot) and not is_part_denied:
                    yield "most" if bound.function == "max" else "fewest"


def _compared(compare: Compare, own: int, other: int) -> Direction | None:
    """Whether a comparison says that the one has more than the other, or fewer."""
    if compare.op not in ORDERS:
        return None
    is_more = compare.op in (">", ">=")
    if _same_of(compare.left, own, compare.right, other):
        return "most" if is_more else "fewest"
    if _same_of(compare.right, own, compare.left, other):
        return "fewest" if is_more else "most"
    return None


def _compared_with_next(compare: Compare, own: int) -> Direction | None:
    """Whether a comparison says that one player has more than the next, or fewer: of two, than the other."""

    def as_own(read: Expr) -> Expr | None:
        if isinstance(read, Call) and read.function == "next" and _is_variable(read.args[0], own):
            return read.args[0]
        return None

    sides = (compare.left, compare.right)
    is_of_next = [any(as_own(part) is not None for part in iter_exprs(side)) for side in sides]
    if compare.op not in ORDERS or is_of_next[0] == is_of_next[1] or any(map(_is_reckoned, sides)):
        return None
    keys = [structural_key(transform(side, as_own)) for side in sides]
    if keys[0] is None or keys[0] != keys[1]:
        return None
    return "most" if (compare.op in (">", ">=")) is is_of_next[1] else "fewest"


def _is_variable(seat: Expr, slot: int) -> bool:
    return isinstance(seat, Local) and seat.slot == slot


def _same_of(one: Expr, own: int, another: Expr, other: int) -> bool:
    """Whether two numbers are the same of two variables, and are counted as they are called."""
    if not isinstance(one.type, Number) or _is_reckoned(one) or own not in free_variables(one):
        return False

    def as_own(read: Expr) -> Expr | None:
        return Local("", own, read.type, read.offsets) if isinstance(read, Local) and read.slot == other else None

    key = structural_key(one)
    return key is not None and key == structural_key(transform(another, as_own))


def _is_reckoned(of: Expr) -> bool:
    """Whether the least of a number may be what is called the most: of a difference or a choice."""
    return any(isinstance(part, Arithmetic | If) for part in iter_exprs(of))


def _turned(direction: Direction) -> Direction:
    return "fewest" if direction == "most" else "most"


def _contrary_word(
    texts: Mapping[str, ScalarNode], direction: Direction, *, is_of_two: bool = False
) -> tuple[str, str] | None:
    """The word of a sentence that says the contrary, behind its language; None where another goes with the rule."""
    meant, contrary = (MOST, FEWEST) if direction == "most" else (FEWEST, MOST)
    counted = (COUNTED_MOST, COUNTED_FEWEST) if direction == "most" else (COUNTED_FEWEST, COUNTED_MOST)
    compared = (MORE, LESS) if direction == "most" else (LESS, MORE)
    for language, node in texts.items():
        text = node.text.lower()
        if language not in meant or is_turned_round(text) or RANKED.search(text):
            continue
        right = [meant[language], counted[0], compared[0][language]]
        wrong = [contrary[language], counted[1], *([compared[1][language]] if is_of_two else [])]
        if says := contrary_words(text, right, wrong):
            return language, says
    return None


__all__ = ["check_contrary_choices", "check_contrary_sentences", "check_contrary_values"]
