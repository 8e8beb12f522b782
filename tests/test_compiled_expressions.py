"""Every expression that has a value in the files of tests/expressions has the same in compiled programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from expressions.cases import case_text, expression_cases, load_world, scalar_of
from expressions.world import scope
from rulewright.diagnostics import Diagnostics
from rulewright.engine.compiled.compiler import compile_program
from rulewright.engine.compiled.playing.compiled_game import CompiledGame
from rulewright.engine.compiled.playing.machine_support import can_make_machine_code
from rulewright.engine.compiled.playing.make_game import make_compiled_game
from rulewright.engine.engine_names import COMPILED_ENGINE, NATIVE_ENGINE
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.expr.tree import Call, Compare, Constant, Expr, MemberCount
from rulewright.expr.typecheck import expressions
from rulewright.expr.types import Bag, Flag, Member, Number, SetOf, Thing, Type
from rulewright.model.rules import Measure

ENGINES = [COMPILED_ENGINE, *([NATIVE_ENGINE] if can_make_machine_code() else [])]
CASES = {param.id: param.values[1] for param in expression_cases() if "value" in param.values[1]}
HIGHEST = 9  # of the numbers that are looked for in sets


def checked(case: dict[str, Any]) -> Expr:
    return expressions.check_expression(scalar_of(case_text(case)), scope(), Diagnostics())


def elements(type_: Type | None) -> range:
    """What can be in a set."""
    match type_:
        case Member(kind):
            return range(max(scope().kinds[kind].member_values) + 1)
        case Thing():
            return range(6)
        case _:
            return range(HIGHEST + 1)


def numbers_of(expr: Expr) -> Iterator[Expr]:
    """Expressions whose values are numbers and flags, and which say together what the value of one is."""
    match expr.type:
        case Flag() | Number() | Member() | Thing():
            yield expr
        case Bag(kind) if kind:
            for member in range(len(scope().kinds[kind].members)):
                yield MemberCount(Constant(member, Member(kind), expr.offsets), expr, Number(0, 99), expr.offsets)
        case SetOf(of) if of is not None:
            yield Call("count", (expr,), "", Number(0, 99), expr.offsets)
            for element in elements(of):
                yield Compare("in", Constant(element, of, expr.offsets), expr, Flag(), expr.offsets)


@cache
def reference() -> ReferenceEngine:
    """An engine of the small world in which each of these numbers is a measure."""
    found = [
        Measure(f"{name} {index}", False, number)
        for name, case in CASES.items()
        for index, number in enumerate(numbers_of(checked(case)))
    ]
    return ReferenceEngine(replace(load_world(), measures=tuple(found)))


@cache
def game(engine: str) -> CompiledGame:
    """The same position in a compiled program."""
    played = make_compiled_game(compile_program(reference().rules), engine)
    played.start(first=0, seed=1)
    return played


@pytest.mark.parametrize("engine", ENGINES)
def test_expressions_have_the_same_values(engine: str) -> None:
    state = reference().start(first=0, seed=1)
    expected = reference().measures(state)
    assert len(expected) > len(CASES)
    found = game(engine).measures()
    assert {name: (found[name], value) for name, value in expected.items() if found[name] != value} == {}
