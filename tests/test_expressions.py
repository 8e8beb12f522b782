"""Expressions are text with a value: the files in tests/expressions hold them, with what each means or is told.

`world.yaml` is the small game in which they are worked out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import lark
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from case_files import case_files, compare
from expressions.world import scope
from rulewright import expr
from rulewright.diagnostics import Code, Report, Source, Span, draw
from rulewright.engine.reference.reference_engine import Engine
from rulewright.engine.values import Context
from rulewright.expr import codes, parser_tables
from rulewright.expr import parse as parsing
from rulewright.expr.keywords import BUILTINS, FUNCTIONS, RESERVED
from rulewright.expr.parse import canonical, parse, parser
from rulewright.expr.syntax_tree import Stumble, Syntax, Token
from rulewright.expr.templates import Hole, Plural
from rulewright.expr.typecheck import expressions
from rulewright.expr.types import Bag, Component, Flag, Member, Number, SetOf, Thing, Type, Unknown
from rulewright.model.loader import resolve, understood
from rulewright.source.nodes import Scalar

FOLDER = Path(__file__).parent / "expressions"
COMPLAINTS = Path(__file__).parent / "complaints" / "expressions"
PARSER = (parsing.FOLDER / "parser.json").read_text(encoding="utf-8")
FILES = sorted(path for path in FOLDER.glob("*.yaml") if path.name not in ("world.yaml", "together.yaml"))
TOGETHER = yaml.safe_load((FOLDER / "together.yaml").read_text(encoding="utf-8"))["cases"]


def _cases() -> Iterator[Any]:
    for path in FILES:
        for name, case in yaml.safe_load(path.read_text(encoding="utf-8"))["cases"].items():
            yield pytest.param(path.stem, case, id=f"{path.stem}.{name}")


def _text(case: dict[str, Any]) -> str | int | bool:
    if "nested" in case:
        variables = [f"x_{number}" for number in range(case["nested"])]
        return " ".join(f"some {name} in 1 to 1 has" for name in variables) + " open"
    if "repeat" in case:
        return case.get("between", "").join([case["is"]] * case["repeat"]) + case.get("after", "")
    return case["is"]


def _scalar(value: str | int | bool) -> Scalar:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return Scalar(value, text, Span(Source("case.yaml", text), 0, len(text)))


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
        case Unknown():
            return "unclear"


EXPECTED: dict[str, Type] = {
    "flag": Flag(),
    "bag": Bag(""),
    "set": SetOf(None),
    "bag of animal": Bag("animal"),
    "seat": Member("seat"),
    "colour": Member("colour"),
    "0 to 5": Number(0, 5),
    "0 to 9": Number(0, 9),
}


def _amount(scalar: Scalar, scope: Any, report: Report) -> str:
    found = expressions.amount(scalar, scope, report)
    return "" if found is None else found.how if found.of is None else f"{found.how} {phrase(found.of.type)}"


def _place(scalar: Scalar, scope: Any, report: Report, *, source: bool) -> str:
    found = expressions.place(scalar, scope, report, source=source)
    keys = f"/{len(found.keys)}" if found and found.keys else ""
    return "" if found is None else f"{'bottom ' * found.bottom}{found.zone}{keys}"


def _binding(scalar: Scalar, scope: Any, report: Report) -> str:
    found = expressions.binding(scalar, scope, report)
    return "" if found is None else f"{found.name} {phrase(found.type)}"


def _state(scalar: Scalar, scope: Any, report: Report) -> str:
    found = expressions.state_place(scalar, scope, report)
    return "" if found is None else phrase(found.type)


def _pair(found: tuple[int, int] | None) -> str:
    return "" if found is None else f"{found[0]} {found[1]}"


WAYS: dict[str, Callable[[Scalar, Any, Report], str]] = {
    "amount": _amount,
    "place": lambda scalar, scope, report: _place(scalar, scope, report, source=False),
    "source": lambda scalar, scope, report: _place(scalar, scope, report, source=True),
    "binding": _binding,
    "state": _state,
    "type": lambda scalar, scope, report: phrase(expressions.type_(scalar, scope, report)),
    "kind_range": lambda scalar, scope, report: _pair(expressions.kind_range(scalar, scope, report)),
    "every_kind": lambda scalar, scope, report: expressions.every_kind(scalar, scope, report) or "",
    "grid": lambda scalar, scope, report: _pair(expressions.grid(scalar, scope, report)),
}


def _read(file: str, case: dict[str, Any], report: Report) -> tuple[Any, Any]:
    """What a case gives, and what it says it gives."""
    names = scope(case.get("players", 2), has_me=case.get("me", True))
    scalar = _scalar(_text(case))
    if file == "sentences":
        made = expr.sentence(scalar, names, report)
        if made is None:
            return None, None
        pieces = [_piece(part) for part in made.parts]
        return (pieces, list(expr.holes(made))), (case["parts"], case.get("holes", []))
    if "as" in case:
        return WAYS[case["as"]](scalar, names, report), case.get("gives")
    expect = EXPECTED[case["expect"]] if "expect" in case else None
    condition = case.get("condition", False)
    return phrase(expr.expression(scalar, names, report, expect=expect, condition=condition).type), case.get("type")


def _piece(part: str | Hole | Plural) -> str:
    match part:
        case Hole():
            return f"{{{part.text}}}"
        case Plural():
            return f"{{{part.text}: {'|'.join(part.forms)}}}"
        case _:
            return part


@pytest.mark.parametrize(("file", "case"), list(_cases()))
def test_case(file: str, case: dict[str, Any]) -> None:
    report = Report()
    found, said = _read(file, case, report)
    told = "\n".join(draw(one) for one in report)
    if "complaint" not in case:
        assert not len(report), told
        assert found == said
        return
    assert [one.code.name for one in report] == [case["complaint"]], told
    (one,) = report
    assert one.span.start + 1 == case.get("at", one.span.start + 1), told
    assert case.get("help", "") in one.help, told


@pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in TOGETHER.items()])
def test_conditions_that_have_to_hold_together(case: dict[str, Any]) -> None:
    names, scalars = scope(), [_scalar(text) for text in case["all"]]
    conditions = [(one, expr.expression(one, names, Report()), f"clause {at}") for at, one in enumerate(scalars, 1)]
    report = Report()
    expr.contradictions(conditions, report)
    told = "\n".join(draw(one) for one in report)
    assert [one.code.name for one in report] == ([case["complaint"]] if "complaint" in case else []), told
    for one in report:
        assert one.span.source is scalars[case["told"] - 1].span.source, told
        assert (one.address, one.span.start + 1) == (f"clause {case['told']}", case["at"]), told
        assert [related.span.source for related in one.related] == [scalars[case["beside"] - 1].span.source], told


# ---- values ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def world() -> tuple[Engine, Context]:
    """The reference engine of the small world, and its first turn."""
    report = Report()
    resolved = resolve(str(FOLDER / "world.yaml"), 2, (), report)
    rules = resolved and understood(resolved, report)
    assert rules, "\n".join(map(draw, report))
    assert [one for one in report if one.code.name not in ("unused", "never-set")] == []
    engine = Engine(rules)
    return engine, engine.context(engine.start(first=0, seed=1))


def _said(value: Any, type_: Type) -> Any:
    """A value as the case files write it."""
    names = scope()
    match type_:
        case Member("seat") | Flag() | Number():
            return value
        case Member(kind):
            info = names.kinds[kind]
            return value if info.numeric else info.members[info.numbers.index(value)]
        case Thing(component):
            symbol = names.symbols[component]
            assert isinstance(symbol, Component)
            return symbol.rows[value]
        case Bag(""):
            return {}
        case Bag(kind):
            family = [one for one in names.kinds.values() if one.family == names.kinds[kind].family]
            members = max((one.members for one in family), key=len)
            return {member: count for member, count in zip(members, value, strict=False) if count}
        case SetOf(of):
            return [_said(one, of) for one in value] if of else []
        case Unknown():
            raise AssertionError("a value of no type")


@pytest.mark.parametrize(
    "case", [pytest.param(param.values[1], id=param.id) for param in _cases() if "value" in param.values[1]]
)
def test_value(case: dict[str, Any], world: tuple[Engine, Context]) -> None:
    engine, context = world
    found = expr.expression(_scalar(_text(case)), scope(), Report())
    value = _said(engine.evaluator.run(found)(context), found.type)
    assert (type(value), value) == (type(case["value"]), case["value"])


# ---- whatever is written --------------------------------------------------------------------------------------

NAMES = [*scope().symbols, *sorted(BUILTINS), "x", "0", "1", "2", "7", "-1"]
SIGNS = ["+", "-", "*", "//", "%", "<", "<=", ">", ">=", "(", ")", ",", ".", "=", "é", "'", "1.5"]
WORDS = [*NAMES, *sorted(RESERVED), *sorted(FUNCTIONS), *SIGNS]
KEYED = ("purse", "heaps", "deck", "market", "yard", "board", "marks", "worth", "prize", "reach", "missing", "bank")


def _larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    operators = ["+", "-", "less", "*", "of", "is", "is not", "<", ">=", "in", "fits in", "and", "or", "to"]
    loops = ["some x in {} has {}", "every tile has {1}", "no chip in {} has {}", "each cell where {1}"]
    return st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(operators), inner),
        st.builds("{}({})".format, st.sampled_from([*KEYED, "count", "first", "reversed", "next"]), inner),
        st.builds("{}({}, {})".format, st.sampled_from([*KEYED, "min", "max"]), inner, inner),
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
            return value in names.kinds[kind].numbers
        case Thing(component):
            symbol = names.symbols[component]
            return isinstance(symbol, Component) and 0 <= value < symbol.count
        case Bag(_, most):
            return all(count >= 0 for count in value) and sum(value) <= most
        case SetOf(of, most):
            single = len(set(value)) == len(value) <= most
            return single and all(of is not None and _holds(one, of) for one in value)
        case Unknown():
            return False


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.one_of(st.lists(st.sampled_from(WORDS)).map(" ".join), st.recursive(st.sampled_from(NAMES), _larger)))
def test_nothing_raises_and_bounds_hold(text: str, world: tuple[Engine, Context]) -> None:
    engine, context = world
    report = Report()
    found = expr.expression(_scalar(text), scope(), report)
    for one in report:
        assert 0 <= one.span.start <= one.span.end <= len(text)
        assert draw(one)
        assert not one.message.endswith(".")
    if not report.errors:
        assert _holds(engine.evaluator.run(found)(context), found.type), text


# ---- in a file ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", case_files(COMPLAINTS), ids=lambda path: path.stem)
def test_file(path: Path) -> None:
    report = Report()
    resolved = resolve(str(path), 2, (), report)
    assert resolved is not None
    understood(resolved, report)
    told = [one for one in report if one.code.name not in ("unused", "never-set")]
    assert compare(path, told) == []
    assert [one for one in told if not one.address] == []


# ---- the suite, the grammar and the parser --------------------------------------------------------------------


def test_ids_are_unique() -> None:
    ids = [param.id for param in _cases()]
    assert len(ids) == len(set(ids))


def _codes() -> dict[str, Code]:
    return {one.name: one for one in vars(codes).values() if isinstance(one, Code)}


def test_every_code_has_a_case() -> None:
    told = {param.values[1].get("complaint") for param in _cases()}
    assert sorted(_codes()) == sorted(told - {None})


def test_codes_are_numbered_once() -> None:
    named = [one for one in vars(codes).values() if isinstance(one, Code)]
    assert len({one.number for one in named}) == len(named) == len(_codes())


def test_every_rule_of_the_grammar_is_checked() -> None:
    named = [rule for rule in parser().rules if rule.alias or not rule.options.expand1]
    rules = {str(rule.alias or rule.origin.name) for rule in named} - {"_list"}
    ways = {"exactly", "all", "top", "up_to", "up_to_random", "random", "place", "bottom", "binding", "head"}
    kinds = {"named", "between", "bag", "set", "kind_range", "every_kind", "grid"}
    assert rules == set(expressions.RULES) | ways | kinds


@pytest.mark.skipif(f'"lark":"{lark.__version__}"' not in PARSER, reason="written by another version of Lark")
def test_parser_is_that_of_the_grammar() -> None:
    assert parser_tables.text() == PARSER


def test_parser_is_built_anew_for_another_version_of_lark(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = parser()
    monkeypatch.setattr(parsing, "__version__", "0.0.0")
    anew = parser.__wrapped__()
    ways = {"source": "place", "state": "expr"}
    for param in _cases():
        file, case = param.values
        if file != "sentences" and "complaint" not in case:
            start = case.get("as", "expr")
            text, start = str(_text(case)).lower(), ways.get(start, start)
            assert anew.parse(text, start=start) == loaded.parse(text, start=start), text


def test_reserved_words_are_those_of_the_grammar() -> None:
    grammar = (parsing.FOLDER / "grammar.lark").read_text(encoding="utf-8")
    assert f"(?!(?:{'|'.join(sorted(RESERVED))})(?![a-z0-9_]))" in grammar


def _shape(tree: Syntax | Token | Stumble) -> Any:
    """A tree as nested lists, wherever its words stand."""
    assert not isinstance(tree, Stumble)
    return tree.text if isinstance(tree, Token) else [tree.rule, *map(_shape, tree.parts)]


def test_grammar_has_no_conflicts(caplog: pytest.LogCaptureFixture) -> None:
    lark.logger.setLevel("DEBUG")
    with caplog.at_level("DEBUG", logger="lark"):
        parser_tables.built(debug=True)
    assert not [one for one in caplog.messages if "onflict" in one]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "(" * 2000,
            "(" * 999 + "1" + ")" * 999,
            "a(" * 600,
            "a(" * 500 + ")" * 500,
            "a." * 999 + "a",
            "1+" * 999 + "1",
        ),
        *("not " * 499 + "a", "some a has " * 180, "if a then " * 200, "if a then 1 else " * 110 + "1", "-" * 2000),
    ],
)
def test_no_depth_is_too_much(text: str) -> None:
    found = parse(text)
    assert isinstance(found, Stumble) or found.depth < 60


def test_canonical_spacing_keeps_the_meaning() -> None:
    for param in _cases():
        case = param.values[1]
        if "complaint" in case or not isinstance(case["is"], str) or "as" in case or "parts" in case:
            continue
        first, second = parse(case["is"]), parse(canonical(case["is"]))
        assert _shape(first) == _shape(second)
        assert canonical(canonical(case["is"])) == canonical(case["is"])
