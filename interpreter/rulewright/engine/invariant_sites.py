"""What is the same in all turns of a loop is computed in the first turn that needs it, and looked up in the others.

In: the body of a loop. Out: the parts of it to keep, a site for each, while the body is compiled; functions that keep a
value at its site, and that forget the sites of a loop whenever it begins. Sites are numbers; their values are in the
context. A loop never runs within itself, so one value for each site is enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rulewright.engine.context import Context
from rulewright.engine.place_compiler import CompiledExpr, CompiledTuple
from rulewright.engine.values import RuntimeValue
from rulewright.expr.loop_invariants import loop_invariants, part_facts
from rulewright.expr.tree import Expr, Extremum, Sum


class InvariantSites:
    """The sites of one compiler. `sites`: by `id`, the parts of the loops that are being compiled."""

    def __init__(self) -> None:
        self.sites: dict[int, int] = {}
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


def forget_at(sites: tuple[int, ...], elements: CompiledTuple) -> CompiledTuple:
    """The elements of a loop, which forgets its sites when it begins."""
    if not sites:
        return elements

    def begin(c: Context) -> tuple[int, ...]:
        for site in sites:
            c.kept.pop(site, None)
        return elements(c)

    return begin


__all__ = ["InvariantSites", "forget_at", "keep_at", "loop_body"]
