"""Expressions are text with a value: the files in tests/expressions hold them, with what each means or is told.

`world.yaml` is the small game in which they are worked out.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import lark
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from case_files import case_files, compare
from expressions.cases import FOLDER, case_text, expression_cases, load_world, scalar_of
from expressions.world import scope
from rulewright.diagnostics import Code, Diagnostics, render_full
from rulewright.engine.context import Context
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.expr import codes, lark_parser, parser_tables
from rulewright.expr.grammar import GRAMMAR_DIR, StartRule, build_lark_parser
from rulewright.expr.keywords import BUILTINS, FUNCTIONS, KEYWORDS
from rulewright.expr.lark_parser import load_parser, parse_by_grammar
from rulewright.expr.parse import canonical_text, parse
from rulewright.expr.scope import ComponentSymbol
from rulewright.expr.sentence_template import Hole, PluralHole
from rulewright.expr.syntax_tree import ParseError, SyntaxNode, SyntaxToken
from rulewright.expr.table_parser import READ_TABLE, parse_by_table
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

NAMES = [*scope().symbols, *sorted(BUILTINS), "x", "0", "1", "2", "7", "-1"]
SIGNS = ["+", "-", "*", "//", "%", "<", "<=", ">", ">=", "(", ")", ",", ".", "=", "é", "'", "1.5"]
WORDS = [*NAMES, *sorted(KEYWORDS), *sorted(FUNCTIONS), *SIGNS]
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


# ---- the suite, the grammar and the parser --------------------------------------------------------------------


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


@pytest.mark.skipif(f'"lark":"{lark.__version__}"' not in PARSER, reason="written by another version of Lark")
def test_parser_is_that_of_the_grammar() -> None:
    assert parser_tables.parser_json() == PARSER
    assert parser_tables.read_table_json() == READ_TABLE.read_text(encoding="utf-8")


def _read_by_both(text: str, start: StartRule) -> SyntaxNode | None:
    """The tree that the table gives, which is Lark's; None where Lark has something to say."""
    found, by_grammar = parse_by_table(text, start), parse_by_grammar(text, start)
    assert found == (by_grammar if isinstance(by_grammar, SyntaxNode) else None), (text, start)
    return found


def test_table_reads_as_the_grammar_does() -> None:
    ways: dict[str, StartRule] = {"source": "place", "state": "expr"}
    read = 0
    for param in expression_cases():
        file, case = param.values
        if file != "sentences":
            start = ways.get(case.get("as", "expr"), case.get("as", "expr"))
            read += any(_read_by_both(text, start) is not None for text in [str(case_text(case))])
    assert read > 100


@pytest.mark.parametrize(
    "text",
    [
        *("((1))", " ( a ) + ((b))(c) ", "max of x for y in z", "max(of)", "max  of", "first(row)", "first row"),
        *(
            "first 2 of a",
            "firstly",
            "1of 2",
            "1 offset",
            "a<=b",
            "a< =b",
            "01",
            "0",
            "9" * 40,
            "a.b.c(1, (2), d of e)",
        ),
        *(
            "top",
            "all",
            "bag of x",
            "3 by 4",
            "every colour",
            "not not a",
            "-1",
            "- 1",
            "a - -1",
            "a.1",
            "a b",
            "",
            " ",
        ),
        *("é", "a\t+\n b", "a;", "(" * 99, "not " * 99 + "a", "a is not empty", "empty", "up to 3 at random"),
        *("bottom of a(b)", "if a then b else c or d"),
    ],
)
@pytest.mark.parametrize("start", get_args(StartRule))
def test_table_reads_odd_texts_as_the_grammar_does(text: str, start: StartRule) -> None:
    _read_by_both(text, start)


@pytest.mark.slow
@settings(max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    words=st.lists(st.sampled_from([*WORDS, "a", "b", "1", "0", "(", ")", ",", ".", "of", "for", "in"]), max_size=9),
    joint=st.sampled_from([" ", "", "\n"]),
    start=st.sampled_from(get_args(StartRule)),
)
def test_table_reads_any_words_as_the_grammar_does(words: list[str], joint: str, start: StartRule) -> None:
    _read_by_both(joint.join(words), start)


@pytest.mark.slow
def test_parser_is_built_anew_for_another_version_of_lark(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = load_parser()
    monkeypatch.setattr(lark_parser, "__version__", "0.0.0")
    anew = load_parser.__wrapped__()
    ways = {"source": "place", "state": "expr"}
    for param in expression_cases():
        file, case = param.values
        if file != "sentences" and "complaint" not in case:
            start = case.get("as", "expr")
            text, start = str(case_text(case)).lower(), ways.get(start, start)
            assert anew.parse(text, start=start) == loaded.parse(text, start=start), text


def test_reserved_words_are_those_of_the_grammar() -> None:
    grammar = (GRAMMAR_DIR / "grammar.lark").read_text(encoding="utf-8")
    before_parentheses = {"first", "last"}  # version 1 wrote `first(row)`, which is read so that it can be reported
    assert f"(?!(?:{'|'.join(sorted(KEYWORDS - before_parentheses))})(?![a-z0-9_]))" in grammar
    assert f"(?!(?:{'|'.join(sorted(before_parentheses))})(?![a-z0-9_(]))" in grammar


def _shape(tree: SyntaxNode | SyntaxToken | ParseError) -> Any:
    """A tree as nested lists, wherever its words stand."""
    assert not isinstance(tree, ParseError)
    return tree.text if isinstance(tree, SyntaxToken) else [tree.rule, *map(_shape, tree.parts)]


def test_grammar_has_no_conflicts(caplog: pytest.LogCaptureFixture) -> None:
    lark.logger.setLevel("DEBUG")
    with caplog.at_level("DEBUG", logger="lark"):
        build_lark_parser(debug=True)
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
    assert isinstance(found, ParseError) or found.depth < 60


def test_canonical_spacing_keeps_the_meaning() -> None:
    for param in expression_cases():
        case = param.values[1]
        if "complaint" in case or not isinstance(case["is"], str) or "as" in case or "parts" in case:
            continue
        first, second = parse(case["is"]), parse(canonical_text(case["is"]))
        assert _shape(first) == _shape(second)
        assert canonical_text(canonical_text(case["is"])) == canonical_text(case["is"])
