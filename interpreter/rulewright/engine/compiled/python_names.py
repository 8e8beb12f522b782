"""Variables of generated Python are numbered anew, when some of those with the same name are gone.

In: a finished function. Out: the same function, in which the first of several variables of one name has no number.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import chain, count
from keyword import iskeyword

from rulewright.engine.compiled.code_builder import RESERVED_NAMES
from rulewright.engine.compiled.joined_points import duplicate, names_in_part
from rulewright.engine.compiled.kernel_statements import Function


def renumber(function: Function, taken: Collection[str]) -> Function:
    """The function with its variables renamed. `taken`: names that mean something else in the module."""
    every = dict.fromkeys(names_in_part(function.body))
    fixed = {*function.parameters, *RESERVED_NAMES}
    used = {*fixed, *taken}
    new: dict[str, str] = {}
    for name in every:
        if name not in fixed:
            new[name] = next(other for other in _candidates(name) if other not in used and not iskeyword(other))
            used.add(new[name])
    changed = {name: other for name, other in new.items() if name != other}
    return replace(function, body=duplicate(function.body, changed)) if changed else function


def _candidates(name: str) -> Iterator[str]:
    base = name.rstrip("0123456789_")
    return chain([base] if base else [], (f"{base or name}{number}" for number in count(2)))


__all__ = ["renumber"]
