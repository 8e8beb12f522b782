"""What a position is worth for a seat, as functions of a program: the game's evaluation, and each strategy.

In: the weighted terms of rules. Out: for each list of terms two functions: which terms apply for a seat that judges
from a position, a bit for each; and the sum of terms that apply, there or in a position that follows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rulewright.engine.compiled.kernel.cell_layout import CellLayout
from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import Int, Invoke, Name
from rulewright.engine.compiled.kernel.kernel_arithmetic import ZERO, add, binary, product
from rulewright.engine.compiled.kernel.kernel_statements import (
    Body,
    CellLoop,
    CountLoop,
    EntryLoop,
    Function,
    ListLoop,
    Return,
    TestLoop,
)
from rulewright.engine.compiled.translation.expression_writer import ExpressionWriter
from rulewright.engine.compiled.translation.place_expressions import Surroundings
from rulewright.frozen import field_names, frozen
from rulewright.model.dependencies import is_iterative, place_dependencies
from rulewright.model.rules import Rules, WeightedTerm

GAME_EVALUATION: Final = "evaluation"


def applicable_name(strategy: str | None) -> str:
    """The function that says which terms apply."""
    return f"applicable_{_name(strategy)}"


def worth_name(strategy: str | None) -> str:
    """The function that adds up the terms that apply."""
    return f"worth_{_name(strategy)}"


def _name(strategy: str | None) -> str:
    return GAME_EVALUATION if strategy is None else f"strategy_{strategy}"


@frozen
class TermSum:
    """Terms that read the same places: the function that adds them up, and for each seat the cells that decide its
    value; None for terms that are as soon computed as looked up.
    """

    function: str
    cells: tuple[tuple[int, ...] | None, ...]


def evaluation_functions(rules: Rules, expressions: ExpressionWriter) -> list[Function]:
    """The functions of the game's evaluation and of all strategies."""
    functions: list[Function] = []
    for name, address, terms in _evaluations(rules):
        functions += _functions_of(expressions, name, address, terms)
    return functions


def cached_functions(
    rules: Rules, expressions: ExpressionWriter
) -> tuple[list[Function], dict[str | None, tuple[TermSum, ...]]]:
    """The same sums in parts, so that a bot can keep those that an action does not change."""
    functions: list[Function] = []
    groups: dict[str | None, tuple[TermSum, ...]] = {}
    for name, address, terms in _evaluations(rules):
        by_places: dict[tuple[frozenset[int] | None, ...], list[tuple[int, WeightedTerm]]] = {}
        for index, term in enumerate(terms):
            by_places.setdefault(_places(rules, term), []).append((index, term))
        found, short = [], list[tuple[int, WeightedTerm]]()
        for number, (places, members) in enumerate(by_places.items()):
            function = _sum_function(expressions, f"{worth_name(name)}_{number}", address, members)
            if not all(places) or not _takes_long(function.body):
                short += members
                continue
            functions.append(function)
            found.append(TermSum(function.name, tuple(_cells_of(expressions.cells, read) for read in places)))
        rest = _sum_function(expressions, f"{worth_name(name)}_rest", address, short)
        functions.append(rest)
        groups[name] = (TermSum(rest.name, (None,) * rules.players), *found)
    return functions, groups


def _cells_of(layout: CellLayout, places: frozenset[int] | None) -> tuple[int, ...]:
    return tuple(cell for place in sorted(places or ()) for cell in layout.cells_of(place))


def _takes_long(part: object) -> bool:
    """Whether a part of a function has a loop or calls another, so that it is looked up sooner than computed."""
    if isinstance(part, CountLoop | CellLoop | EntryLoop | ListLoop | TestLoop | Invoke):
        return True
    if isinstance(part, Body):
        return any(map(_takes_long, part.statements))
    values = [getattr(part, name) for name in field_names(part)]
    return any(_takes_long(inner) for value in values for inner in (value if isinstance(value, tuple) else (value,)))


def _evaluations(rules: Rules) -> Iterator[tuple[str | None, str, Sequence[WeightedTerm]]]:
    yield None, GAME_EVALUATION, rules.evaluation
    for strategy in rules.strategies:
        yield strategy.name, f"strategies.{strategy.name}", strategy.terms


def _places(rules: Rules, term: WeightedTerm) -> tuple[frozenset[int] | None, ...]:
    """By seat the places that decide the value of a term; None where it is as soon computed as looked up."""
    if not is_iterative(rules, term.of):
        return (None,) * rules.players
    return tuple(place_dependencies(rules, term.of, {0: seat}) for seat in range(rules.players))


def _functions_of(
    expressions: ExpressionWriter, strategy: str | None, address: str, terms: Sequence[WeightedTerm]
) -> list[Function]:
    around = Surroundings(Name("me"), {0: Name("me")})
    code = CodeBuilder(("me",), is_pure=True)
    applied = code.variable(ZERO, "applied")
    for index, term in enumerate(terms):
        bit = binary("|", applied, Int(1 << index))
        if term.when is None:
            code.assign(applied, bit)
        else:
            with code.when(expressions.number(code, term.when, around)):
                code.assign(applied, bit)
    code.write(Return((applied,)))
    judged = Function(applicable_name(strategy), ("me",), code.block, True, address, "which terms apply")
    return [judged, _sum_function(expressions, worth_name(strategy), address, list(enumerate(terms)))]


def _sum_function(
    expressions: ExpressionWriter, name: str, address: str, terms: Sequence[tuple[int, WeightedTerm]]
) -> Function:
    around = Surroundings(Name("me"), {0: Name("me")})
    code = CodeBuilder(("me", "applied"), is_pure=True)
    total = code.variable(ZERO, "total")
    for index, term in terms:
        if term.when is None:
            code.assign(total, add(total, product(expressions.number(code, term.of, around), Int(term.weight))))
            continue
        with code.when(binary("&", Name("applied"), Int(1 << index))):
            code.assign(total, add(total, product(expressions.number(code, term.of, around), Int(term.weight))))
    code.write(Return((total,)))
    return Function(name, ("me", "applied"), code.block, True, address, "the sum of terms that apply")


__all__ = ["TermSum", "applicable_name", "cached_functions", "evaluation_functions", "worth_name"]
