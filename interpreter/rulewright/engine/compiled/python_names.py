"""Variables of generated Python are numbered anew: one name for several that are never needed at the same time.

In: a finished function. Out: the same function, in which a name has a number only beside another of that name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain, count
from keyword import iskeyword
from typing import NamedTuple

from rulewright.engine.compiled.code_builder import RESERVED_NAMES
from rulewright.engine.compiled.joined_points import duplicate
from rulewright.engine.compiled.kernel_statements import Body, Function, bodies_of, names_given, names_read
from rulewright.engine.compiled.word_widths import all_statements


class Span(NamedTuple):
    """Some statements one after another with all within them, by their numbers in the order of the text."""

    first: int
    last: int


def renumber(function: Function, taken: Collection[str]) -> Function:
    """The function with its variables renamed. `taken`: names that mean something else in the module."""
    fixed = {*function.parameters, *RESERVED_NAMES, *taken}
    used: dict[str, list[Span]] = {}  # by name the spans of the variables that have it now
    new: dict[str, str] = {}
    for name, span in _spans(function.body).items():
        if name in function.parameters or name in RESERVED_NAMES:
            continue
        new[name] = next(
            other
            for other in _candidates(name)
            if other not in fixed
            and not iskeyword(other)
            and all(span.last < held.first or held.last < span.first for held in used.get(other, ()))
        )
        used.setdefault(new[name], []).append(span)
    changed = {name: other for name, other in new.items() if name != other}
    return replace(function, body=duplicate(function.body, changed)) if changed else function


def _spans(body: Body) -> dict[str, Span]:
    """By variable the fewest statements of one block within which all that is said of it stands. Its value is needed
    nowhere else, also where a loop repeats that block: whatever is read there has been written in the same round.
    """
    mentions: dict[str, list[tuple[Span, ...]]] = {}  # the statements around each, from the outermost on
    for name, around in _mentions(body, (), count()):
        mentions.setdefault(name, []).append(around)
    return {name: _joined(places) for name, places in mentions.items()}


def _mentions(body: Body, around: tuple[Span, ...], numbers: Iterator[int]) -> Iterator[tuple[str, tuple[Span, ...]]]:
    for statement in body.statements:
        first = next(numbers)
        within = (*around, Span(first, first + sum(1 for inner in bodies_of(statement) for _ in all_statements(inner))))
        for name in dict.fromkeys((*names_given(statement), *sorted(names_read(statement)))):
            yield name, within
        for inner in bodies_of(statement):
            yield from _mentions(inner, within, numbers)


def _joined(places: Sequence[tuple[Span, ...]]) -> Span:
    """The statements of one block within which all of some places are."""
    for level in zip(*places, strict=False):
        if len(set(level)) > 1:
            return Span(min(span.first for span in level), max(span.last for span in level))
    return min(places, key=len)[-1]


def _candidates(name: str) -> Iterator[str]:
    base = name.rstrip("0123456789_")
    return chain([base] if base else [], (f"{base or name}{number}" for number in count(2)))


__all__ = ["renumber"]
