"""How values are combined: of two, of the terms of a sum, of the elements of a set.

In: functions that compute the parts. Out: the function that computes the whole. They are the same for numbers, bags and
sets; the type of the expression decides at their call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from rulewright.engine.context import Context
from rulewright.engine.place_compiler import CompiledExpr, CompiledTuple
from rulewright.engine.values import RuntimeValue

T = TypeVar("T")
R = TypeVar("R")


def apply_to_both(
    op: Callable[[T, T], R], left: Callable[[Context], T], right: Callable[[Context], T]
) -> Callable[[Context], R]:
    """The function that computes an operation of two values."""
    return lambda c: op(left(c), right(c))


def fold_terms(
    terms: Sequence[Callable[[Context], T]],
    plus: Callable[[T, T], T],
    deductions: Sequence[Callable[[Context], T]],
    minus: Callable[[T, T], T],
) -> Callable[[Context], T]:
    """The function that adds terms up and takes deductions off, in their order."""
    first, *others = terms
    if not others and len(deductions) == 1:
        return apply_to_both(minus, first, deductions[0])

    def run(c: Context) -> T:
        total = first(c)
        for term in others:
            total = plus(total, term(c))
        for term in deductions:
            total = minus(total, term(c))
        return total

    return run


def sum_loop(
    elements: CompiledTuple,
    of: Callable[[Context], T],
    where: CompiledExpr | None,
    slot: int,
    start: T,
    plus: Callable[[T, T], T],
) -> Callable[[Context], T]:
    """The function that adds a value up over the elements for which a condition holds."""

    def run_all(c: Context) -> T:
        total, env = start, c.env
        for x in elements(c):
            env[slot] = x
            total = plus(total, of(c))
        return total

    if where is None:
        return run_all

    def run(c: Context) -> T:
        total, env = start, c.env
        for x in elements(c):
            env[slot] = x
            if where(c):
                total = plus(total, of(c))
        return total

    return run


def with_slot(run: CompiledExpr, c: Context, slot: int, value: int) -> RuntimeValue:
    """The value of an expression for one value of a variable."""
    c.env[slot] = value
    return run(c)


__all__ = ["apply_to_both", "fold_terms", "sum_loop", "with_slot"]
