"""How good a position is for a seat, as the rules say it: weighted terms of an evaluation or a strategy.

In: the rule model and a context. Out: the terms that apply, and their weighted sum. A term carries the places that it
depends on, so that a bot can keep its value while these stay the same.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from rulewright.engine.context import Context
from rulewright.engine.expr_compiler import ExprCompiler
from rulewright.engine.place_compiler import CompiledNumber
from rulewright.model.dependencies import is_iterative, place_dependencies
from rulewright.model.rules import Rules, WeightedTerm


class Term(NamedTuple):
    """A weight and the expression it belongs to. `dependencies`: by seat the places that decide its value, where it is
    worth caching, else None; `value_dependencies`: those of them that the derived values in it read.
    """

    weight: int
    expr: CompiledNumber
    dependencies: tuple[frozenset[int] | None, ...]
    value_dependencies: tuple[frozenset[int], ...]


Terms: TypeAlias = tuple[Term, ...]


def sum_terms(terms: Terms, c: Context) -> int:
    """The weighted sum of some terms for the seat in turn."""
    total = 0
    for weight, run, _, _ in terms:
        c.env[0] = c.me
        total += weight * run(c)
    return total


class EvaluationTerms:
    """The compiled terms of one rule model; each strategy is compiled when it is first asked for."""

    def __init__(self, rules: Rules, compiler: ExprCompiler) -> None:
        self.rules = rules
        self.compiler = compiler
        self._terms: dict[str | None, list[tuple[CompiledNumber | None, Term]]] = {}

    def applicable(self, c: Context, strategy: str | None = None) -> Terms:
        """The terms by which the seat in turn judges positions that follow from this one: the game's evaluation (None),
        or those of a strategy whose condition holds here.
        """
        terms: list[Term] = []
        for when, term in self._of_strategy(strategy):
            c.env[0] = c.me
            if when is None or when(c):
                terms.append(term)
        return tuple(terms)

    def _of_strategy(self, name: str | None) -> list[tuple[CompiledNumber | None, Term]]:
        compiled = self._terms.get(name)
        if compiled is None:
            rules = self.rules
            weighted = (
                rules.evaluation
                if name is None
                else next(strategy.terms for strategy in rules.strategies if strategy.name == name)
            )
            compiled = self._terms[name] = [
                (None if term.when is None else self.compiler.compile_number(term.when), self._compile_term(term))
                for term in weighted
            ]
        return compiled

    def _compile_term(self, term: WeightedTerm) -> Term:
        rules, seats = self.rules, range(self.rules.players)
        dependencies: tuple[frozenset[int] | None, ...] = (None,) * rules.players
        if is_iterative(rules, term.of):
            dependencies = tuple(place_dependencies(rules, term.of, {0: seat}) for seat in seats)
        value_dependencies = tuple(
            place_dependencies(rules, term.of, {0: seat}, within_values=True) or frozenset() for seat in seats
        )
        return Term(term.weight, self.compiler.compile_number(term.of), dependencies, value_dependencies)


__all__ = ["EvaluationTerms", "Term", "Terms", "sum_terms"]
