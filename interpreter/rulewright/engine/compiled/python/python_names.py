"""Variables of generated Python are numbered anew: one name for several that are never needed at the same time.

In: a finished function. Out: the same function, in which a name has a number only beside another of that name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain, count
from keyword import iskeyword
from typing import NamedTuple

from rulewright.engine.compiled.kernel.code_builder import RESERVED_NAMES
from rulewright.engine.compiled.kernel.joined_points import duplicate
from rulewright.engine.compiled.kernel.kernel_statements import Body, Function, bodies_of, names_given, names_read
from rulewright.frozen import replace


class Lifetime(NamedTuple):
    """Some statements one after another with all within them, by their numbers in the order of the text."""

    first: int
    last: int


def renumber(function: Function, taken: Collection[str]) -> Function:
    """The function with its variables renamed. `taken`: names that mean something else in the module."""
    fixed = {*function.parameters, *RESERVED_NAMES, *taken}
    used: dict[str, list[Lifetime]] = {}  # by name the spans of the variables that have it now
    new: dict[str, str] = {}
    for name, span in _spans(function.body, count()).items():
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


def _spans(body: Body, numbers: Iterator[int]) -> dict[str, Lifetime]:
    """By variable the fewest statements of one block within which all that is said of it stands. Its value is needed
    nowhere else, also where a loop repeats that block: whatever is read there has been written in the same round.
    """
    spans: dict[str, Lifetime] = {}
    firsts: dict[str, int] = {}  # by variable the first statement of this block that has to do with it
    for statement in body.statements:
        first = next(numbers)
        own = dict.fromkeys((*names_given(statement), *names_read(statement)))
        inner = [_spans(block, numbers) for block in bodies_of(statement)]
        whole = Lifetime(first, next(numbers))
        found: dict[str, Lifetime] = dict.fromkeys(own, whole)
        for within in inner:
            found.update((name, whole if name in found else span) for name, span in within.items())
        for name, span in found.items():
            if name in firsts:
                spans[name] = Lifetime(firsts[name], whole.last)
            else:
                spans[name], firsts[name] = span, first
    return spans


def _candidates(name: str) -> Iterator[str]:
    base = name.rstrip("0123456789_")
    return chain([base] if base else [], (f"{base or name}{number}" for number in count(2)))


__all__ = ["renumber"]
