"""What is the same in all turns of a loop is computed in the first turn that needs it, and looked up in the others.

In: the body of a loop. Out: the parts of it to keep, a site for each, while the body is compiled; functions that keep a
value at its site, and that forget the sites of a loop whenever it begins. Sites are numbers; their values are in the
context. A loop never runs within itself, so one value for each site is enough.

Answers are judged by a clause in such a loop, too, though nothing tells where it begins. Parts of a clause without any
variable are therefore kept as derived values are, by the seat in turn, until the position changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from rulewright.engine.context import Context
from rulewright.engine.place_compiler import CompiledExpr, CompiledTuple
from rulewright.engine.values import RuntimeValue
from rulewright.expr.loop_invariants import PartFacts, loop_invariants, part_facts
from rulewright.expr.tree import Expr, Extremum, ReadState, ReadValue, ReadZone, Sum
from rulewright.expr.walk import child_exprs, iter_exprs

POSITION_READS: Final = (ReadState, ReadValue, ReadZone)


class InvariantSites:
    """The sites of one compiler. `sites`: by `id`, the parts of the loops that are being compiled; `closed`: those of a
    clause, each with a name of its own.
    """

    def __init__(self) -> None:
        self.sites: dict[int, int] = {}
        self.closed: dict[int, str] = {}
        self._count = 0

    @contextmanager
    def of_loop(self, body: Sequence[Expr], slot: int) -> Iterator[tuple[int, ...]]:
        """The sites of a loop, known as long as its body is compiled; `slot`: of its variable."""
        parts = {id(part): part for part in loop_invariants(body, slot, part_facts(body), self.sites)}
        added = {key: self._count + index for index, key in enumerate(parts)}
        self._count += len(added)
        outer, self.sites = self.sites, {**self.sites, **added}
        try:
            yield tuple(added.values())
        finally:
            self.sites = outer

    @contextmanager
    def of_clause(self, condition: Expr) -> Iterator[None]:
        """The parts of a clause that no answer changes, known as long as it is compiled."""
        parts = _closed_parts(condition, part_facts((condition,)))
        self.closed = {id(part): f"part {self._count + index}" for index, part in enumerate(parts)}
        self._count += len(self.closed)
        try:
            yield
        finally:
            self.closed = {}


def _closed_parts(expr: Expr, facts: Mapping[int, PartFacts]) -> Iterator[Expr]:
    """The largest parts without variables that take longer than to look them up."""
    if facts[id(expr)].slots:
        for child in child_exprs(expr):
            yield from _closed_parts(child, facts)
    elif facts[id(expr)].is_long or sum(isinstance(part, POSITION_READS) for part in iter_exprs(expr)) > 1:
        yield expr


def loop_body(expr: Sum | Extremum) -> tuple[Expr, ...]:
    """The parts of a loop that are computed for each of its elements."""
    return (expr.of,) if expr.condition is None else (expr.condition, expr.of)


def keep_at(site: int, run: CompiledExpr) -> CompiledExpr:
    """The function that computes a value once, until its site is forgotten."""

    def kept(c: Context) -> RuntimeValue:
        value = c.kept.get(site)
        if value is None:
            value = c.kept[site] = run(c)
        return value

    return kept


def keep_in_position(name: str, run: CompiledExpr) -> CompiledExpr:
    """The function that computes a value once in each position, for each seat in turn."""

    def kept(c: Context) -> RuntimeValue:
        key = (name, c.me)
        value = c.memo.get(key)
        if value is None:
            value = c.memo[key] = run(c)
        return value

    return kept


def forget_at(sites: tuple[int, ...], elements: CompiledTuple) -> CompiledTuple:
    """The elements of a loop, which forgets its sites when it begins."""
    if not sites:
        return elements

    def begin(c: Context) -> tuple[int, ...]:
        for site in sites:
            c.kept.pop(site, None)
        return elements(c)

    return begin


__all__ = ["InvariantSites", "forget_at", "keep_at", "keep_in_position", "loop_body"]
