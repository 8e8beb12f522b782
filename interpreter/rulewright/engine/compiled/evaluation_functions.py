"""What a position is worth for a seat, as functions of a program: the game's evaluation, and each strategy.

In: the weighted terms of rules. Out: for each list of terms two functions: which terms apply for a seat that judges
from a position, a bit for each; and the sum of terms that apply, there or in a position that follows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rulewright.engine.compiled.code_builder import CodeBuilder
from rulewright.engine.compiled.expression_writer import ExpressionWriter
from rulewright.engine.compiled.kernel import Int, Name
from rulewright.engine.compiled.kernel_arithmetic import ZERO, add, binary, product
from rulewright.engine.compiled.kernel_statements import Function, Return
from rulewright.engine.compiled.place_expressions import Surroundings
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


def evaluation_functions(rules: Rules, expressions: ExpressionWriter) -> list[Function]:
    """The functions of the game's evaluation and of all strategies."""
    functions = _functions_of(expressions, None, GAME_EVALUATION, rules.evaluation)
    for strategy in rules.strategies:
        address = f"strategies.{strategy.name}"
        functions += _functions_of(expressions, strategy.name, address, strategy.terms)
    return functions


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
    code = CodeBuilder(("me", "applied"), is_pure=True)
    total = code.variable(ZERO, "total")
    for index, term in enumerate(terms):
        if term.when is None:
            code.assign(total, add(total, product(expressions.number(code, term.of, around), Int(term.weight))))
            continue
        with code.when(binary("&", Name("applied"), Int(1 << index))):
            code.assign(total, add(total, product(expressions.number(code, term.of, around), Int(term.weight))))
    code.write(Return((total,)))
    worth = Function(worth_name(strategy), ("me", "applied"), code.block, True, address, "the sum of terms that apply")
    return [judged, worth]


__all__ = ["applicable_name", "evaluation_functions", "worth_name"]
