"""Expressions are text with a value: the files in tests/expressions hold them, with what each means or is told.

`world.yaml` is the small game in which they are worked out.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from case_files import case_files, compare
from expressions.cases import FOLDER, case_text, expression_cases, load_world, scalar_of
from expressions.world import NAMES, WORDS, scope
from rulewright.diagnostics import Code, Diagnostics, render_full
from rulewright.engine.context import Context
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.expr import codes
from rulewright.expr.grammar import GRAMMAR_DIR
from rulewright.expr.lark_parser import load_parser
from rulewright.expr.scope import ComponentSymbol
from rulewright.expr.sentence_template import Hole, PluralHole
from rulewright.expr.templates import hole_texts, parse_template
from rulewright.expr.typecheck import declarations, expressions
from rulewright.expr.typecheck.contradictions import check_contradictions
from rulewright.expr.types import SEAT, Bag, Flag, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.model.loader import build_composition, compose_game
from rulewright.source.nodes import ScalarNode

DIAGNOSTICS = Path(__file__).parent / "diagnostics" / "expressions"
PARSER = (GRAMMAR_DIR / "parser.json").read_text(encoding="utf-8")
TOGETHER = yaml.safe_load((FOLDER / "together.yaml").read_text(encoding="utf-8"))["cases"]


def phrase(type_: Type) -> str:
    match type_:
        case Flag():
            return "flag"
        case Number(low, high):
            return f"{low} to {high}"
        case Member(name) | Thing(name):
            return name
        case Bag(kind):
            return f"bag of {kind}" if kind else "bag"
        case SetOf(of):
            return "set" if of is None else f"set of {phrase(of)}"
        case UnknownType():
            return "unclear"


EXPECTED: dict[str, Type] = {
    "flag": Flag(),
    "bag": Bag(""),
    "set": SetOf(None),
    "bag of animal": Bag("animal"),
    "player": SEAT,
    "colour": Member("colour"),
    "0 to 5": Number(0, 5),
    "0 to 9": Number(0, 9),
}


def _amount(scalar: ScalarNode, scope: Any, diagnostics: Diagnostics) -> str:
    found = expressions.check_amount(scalar, scope, diagnostics)
    return "" if found is None else found.mode if found.of is None else f"{found.mode} {phrase(found.of.type)}"


def _place(scalar: ScalarNode, scope: Any, diagnostics: Diagnostics, *, source: bool) -> str:
    found = expressions.check_place(scalar, scope, diagnostics, is_source=source)
    keys = f"/{len(found.keys)}" if found and found.keys else ""
    return "" if found is None else f"{f'{found.end} {found.zone}'.strip()}{keys}"


def _binding(scalar: ScalarNode, scope: Any, diagnostics: Diagnostics) -> str:
    found = expressions.check_binding(scalar, scope, diagnostics)
    return "" if found is None else f"{found.name} {phrase(found.type)}"


def _state(scalar: ScalarNode, scope: Any, diagnostics: Diagnostics) -> str:
    found = expressions.check_state_target(scalar, scope, diagnostics)
    return "" if found is None else phrase(found.type)


def _pair(found: tuple[int, int] | None) -> str:
    return "" if found is None else f"{found[0]} {found[1]}"


WAYS: dict[str, Callable[[ScalarNode, Any, Diagnostics], str]] = {
    "amount": _amount,
    "place": lambda scalar, scope, diagnostics: _place(scalar, scope, diagnostics, source=False),
    "source": lambda scalar, scope, diagnostics: _place(scalar, scope, diagnostics, source=True),
    "binding": _binding,
    "state": _state,
    "type": lambda scalar, scope, diagnostics: phrase(declarations.check_type(scalar, scope, diagnostics)),
    "kind_range": lambda scalar, scope, diagnostics: _pair(declarations.check_kind_range(scalar, scope, diagnostics)),
    "every_kind": lambda scalar, scope, diagnostics: declarations.check_every_kind(scalar, scope, diagnostics) or "",
    "grid": lambda scalar, scope, diagnostics: _pair(declarations.check_grid(scalar, scope, diagnostics)),
}


def _read(file: str, case: dict[str, Any], diagnostics: Diagnostics) -> tuple[Any, Any]:
    """What a case gives, and what it says it gives."""
    names = scope(case.get("players", 2), has_me=case.get("me", True))
    scalar = scalar_of(case_text(case))
    if file == "sentences":
        made = parse_template(scalar, names, diagnostics)
        if made is None:
            return None, None
        pieces = [_piece(part) for part in made.parts]
        return (pieces, list(hole_texts(made))), (case["parts"], case.get("holes", []))
    if "as" in case:
        return WAYS[case["as"]](scalar, names, diagnostics), case.get("gives")
    expect = EXPECTED[case["expect"]] if "expect" in case else None
    condition = case.get("condition", False)
    return phrase(
        expressions.check_expression(scalar, names, diagnostics, expected_type=expect, is_condition=condition).type
    ), case.get("type")


def _piece(part: str | Hole | PluralHole) -> str:
    match part:
        case Hole():
            return f"{{{part.text}}}"
        case PluralHole():
            return f"{{{part.text}: {'|'.join(part.forms)}}}"
        case _:
            return part


@pytest.mark.parametrize(("file", "case"), list(expression_cases()))
def test_case(file: str, case: dict[str, Any]) -> None:
    diagnostics = Diagnostics()
    found, said = _read(file, case, diagnostics)
    told = "\n".join(render_full(one) for one in diagnostics)
    if "complaint" not in case:
        assert not len(diagnostics), told
        assert found == said
        return
    assert [one.code.name for one in diagnostics] == [case["complaint"]], told
    (one,) = diagnostics
    assert one.span.start + 1 == case.get("at", one.span.start + 1), told
    assert case.get("help", "") in one.help, told


@pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in TOGETHER.items()])
def test_conditions_that_have_to_hold_together(case: dict[str, Any]) -> None:
    names, scalars = scope(), [scalar_of(text) for text in case["all"]]
    conditions = [
        (scalar, expressions.check_expression(scalar, names, Diagnostics()), f"clause {number}")
        for number, scalar in enumerate(scalars, 1)
    ]
    diagnostics = Diagnostics()
    check_contradictions(conditions, diagnostics)
    told = "\n".join(render_full(one) for one in diagnostics)
    assert [one.code.name for one in diagnostics] == ([case["complaint"]] if "complaint" in case else []), told
    for one in diagnostics:
        assert one.span.source is scalars[case["told"] - 1].span.source, told
        assert (one.address, one.span.start + 1) == (f"clause {case['told']}", case["at"]), told
        assert [related.span.source for related in one.related] == [scalars[case["beside"] - 1].span.source], told


# ---- values ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def world() -> tuple[ReferenceEngine, Context]:
    """The reference engine of the small world, and its first turn."""
    engine = ReferenceEngine(load_world())
    return engine, engine.context(engine.start(first=0, seed=1))


def _as_data(value: Any, type_: Type) -> Any:
    """A value as the case files write it."""
    names = scope()
    match type_:
        case Member(SEAT.kind) | Flag() | Number():
            return value
        case Member(kind):
            info = names.kinds[kind]
            return value if info.is_numeric else info.members[info.member_values.index(value)]
        case Thing(component):
            symbol = names.symbols[component]
            assert isinstance(symbol, ComponentSymbol)
            return symbol.row_ids[value]
        case Bag(""):
            return {}
        case Bag(kind):
            family = [one for one in names.kinds.values() if one.family == names.kinds[kind].family]
            members = max((one.members for one in family), key=len)
            return {member: count for member, count in zip(members, value, strict=False) if count}
        case SetOf(of):
            return [_as_data(one, of) for one in value] if of else []
        case UnknownType():
            raise AssertionError("a value of no type")


@pytest.mark.parametrize(
    "case", [pytest.param(param.values[1], id=param.id) for param in expression_cases() if "value" in param.values[1]]
)
def test_value(case: dict[str, Any], world: tuple[ReferenceEngine, Context]) -> None:
    engine, context = world
    found = expressions.check_expression(scalar_of(case_text(case)), scope(), Diagnostics())
    value = _as_data(engine.compiler.compile(found)(context), found.type)
    assert (type(value), value) == (type(case["value"]), case["value"])


# ---- whatever is written --------------------------------------------------------------------------------------

KEYED = ("purse", "heaps", "deck", "market", "yard", "board", "marks", "worth", "prize", "reach", "missing", "bank")


def _larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    operators = ["+", "-", "less", "*", "of", "is", "is not", "<", ">=", "in", "fits in", "and", "or", "to"]
    loops = ["some x in {} has {}", "every tile has {1}", "no chip in {} has {}", "each cell where {1}", "each x in {}"]
    return st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(operators), inner),
        st.builds("{}({})".format, st.sampled_from([*KEYED, "count", "reversed", "next"]), inner),
        st.builds("{}({}, {})".format, st.sampled_from([*KEYED, "min", "max"]), inner, inner),
        st.builds("({} {} of {})".format, st.sampled_from(["first", "last"]), inner, inner),
        st.builds("only({}, {})".format, inner, inner),
        st.builds("({})({})".format, inner, st.sampled_from(["red", "joker", "x"])),
        st.builds("({}).{}".format, inner, st.sampled_from(["points", "price", "colour", "red", "joker"])),
        st.builds("(if {} then {} else {})".format, inner, inner, inner),
        st.builds("({} of {} for x in {})".format, st.sampled_from(["sum", "max", "min"]), inner, inner),
        st.builds(lambda form, one, two: f"({form.format(one, two)})", st.sampled_from(loops), inner, inner),
    )


def _holds(value: Any, type_: Type) -> bool:
    """Whether a value is what its type says, inside its bounds."""
    names = scope()
    match type_:
        case Flag():
            return isinstance(value, bool)
        case Number(low, high):
            return type(value) is int and low <= value <= high
        case Member(kind):
            return value in names.kinds[kind].member_values
        case Thing(component):
            symbol = names.symbols[component]
            return isinstance(symbol, ComponentSymbol) and 0 <= value < symbol.row_count
        case Bag(_, most):
            return all(count >= 0 for count in value) and sum(value) <= most
        case SetOf(of, most):
            single = len(set(value)) == len(value) <= most
            return single and all(of is not None and _holds(one, of) for one in value)
        case UnknownType():
            return False


@pytest.mark.slow
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.one_of(st.lists(st.sampled_from(WORDS)).map(" ".join), st.recursive(st.sampled_from(NAMES), _larger)))
def test_nothing_raises_and_bounds_hold(text: str, world: tuple[ReferenceEngine, Context]) -> None:
    engine, context = world
    diagnostics = Diagnostics()
    found = expressions.check_expression(scalar_of(text), scope(), diagnostics)
    for one in diagnostics:
        assert 0 <= one.span.start <= one.span.end <= len(text)
        assert render_full(one)
        assert not one.message.endswith(".")
    if not diagnostics.error_count:
        assert _holds(engine.compiler.compile(found)(context), found.type), text


# ---- in a file ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", case_files(DIAGNOSTICS), ids=lambda path: path.stem)
def test_file(path: Path) -> None:
    diagnostics = Diagnostics()
    resolved = compose_game(str(path), 2, (), diagnostics)
    assert resolved is not None
    build_composition(resolved, diagnostics)
    told = [one for one in diagnostics if one.code.name not in ("unused", "never-set")]
    assert compare(path, told) == []
    assert [one for one in told if not one.address] == []


# ---- the suite ------------------------------------------------------------------------------------------------


def test_ids_are_unique() -> None:
    ids = [param.id for param in expression_cases()]
    assert len(ids) == len(set(ids))


def _codes() -> dict[str, Code]:
    return {one.name: one for one in vars(codes).values() if isinstance(one, Code)}


def test_every_code_has_a_case() -> None:
    told = {param.values[1].get("complaint") for param in expression_cases()}
    assert sorted(_codes()) == sorted(told - {None})


def test_codes_are_numbered_once() -> None:
    named = [one for one in vars(codes).values() if isinstance(one, Code)]
    assert len({one.number for one in named}) == len(named) == len(_codes())


def test_every_rule_of_the_grammar_is_checked() -> None:
    named = [rule for rule in load_parser().rules if rule.alias or not rule.options.expand1]
    rules = {str(rule.alias or rule.origin.name) for rule in named} - {"_list"}
    ways = {"exactly", "all", "top", "up_to", "up_to_random", "random", "place", "bottom", "binding", "head"}
    kinds = {"named", "between", "bag", "set", "kind_range", "every_kind", "grid"}
    assert rules == set(expressions.EXPRESSION_CHECKS) | ways | kinds
