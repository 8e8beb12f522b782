"""What the engines of one table play is compiled once, and only where a game needs it.

In: rules, and the choices that are made piece by piece. Out: their programs, by what they are for.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from rulewright.engine.compiled.compiler import CompiledProgram, compile_program
from rulewright.engine.compiled.optimisations import Optimisation
from rulewright.model.rules import Rules


class TablePrograms:
    """The programs of some rules. `played` says what positions are worth, `witnessed` what viewers see happen. Both
    raise `NotCompiled` for rules that cannot be compiled yet.
    """

    def __init__(self, rules: Rules, tokenwise: Collection[str], without: Collection[Optimisation]) -> None:
        def make(*, takes_orders: bool, is_witnessed: bool) -> CompiledProgram:
            return compile_program(
                rules,
                tokenwise=tokenwise,
                takes_orders=takes_orders,
                is_witnessed=is_witnessed,
                is_evaluated=not is_witnessed,
                without=without,
            )

        self._make = cache(make)
        self.without = frozenset(without)

    def played(self, *, takes_orders: bool) -> CompiledProgram:
        """The program of a game."""
        return self._make(takes_orders=takes_orders, is_witnessed=False)

    def witnessed(self, *, takes_orders: bool) -> CompiledProgram:
        """The program that follows what viewers know of it."""
        return self._make(takes_orders=takes_orders, is_witnessed=True)


__all__ = ["TablePrograms"]
