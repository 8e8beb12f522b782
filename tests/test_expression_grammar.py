"""The table by which expressions are read, the parser that Lark makes and the grammar say the same."""

from __future__ import annotations

from typing import Any, get_args

import lark
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from expressions.cases import case_text, expression_cases
from expressions.world import WORDS
from rulewright.expr import lark_parser, parser_tables
from rulewright.expr.grammar import GRAMMAR_DIR, StartRule, build_lark_parser
from rulewright.expr.keywords import KEYWORDS
from rulewright.expr.lark_parser import load_parser, parse_by_grammar
from rulewright.expr.parse import canonical_text, parse
from rulewright.expr.syntax_tree import ParseError, SyntaxNode, SyntaxToken
from rulewright.expr.table_parser import READ_TABLE, parse_by_table

PARSER = (GRAMMAR_DIR / "parser.json").read_text(encoding="utf-8")
ODD_TEXTS = (
    "((1))", " ( a ) + ((b))(c) ", "max of x for y in z", "max(of)", "max  of", "first(row)", "first row",
    "first 2 of a", "firstly", "1of 2", "1 offset", "a<=b", "a< =b", "01", "0", "9" * 40, "a.b.c(1, (2), d of e)",
    "top", "all", "bag of x", "3 by 4", "every colour", "not not a", "-1", "- 1", "a - -1", "a.1", "a b", "", " ",
    "é", "a\t+\n b", "a;", "(" * 99, "not " * 99 + "a", "a is not empty", "empty", "up to 3 at random",
    "bottom of a(b)", "if a then b else c or d",
)  # fmt: skip
DEEP_TEXTS = (
    "(" * 2000, "(" * 999 + "1" + ")" * 999, "a(" * 600, "a(" * 500 + ")" * 500, "a." * 999 + "a", "1+" * 999 + "1",
    "not " * 499 + "a", "some a has " * 180, "if a then " * 200, "if a then 1 else " * 110 + "1", "-" * 2000,
)  # fmt: skip


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


@pytest.mark.parametrize("text", ODD_TEXTS)
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


@pytest.mark.parametrize("text", DEEP_TEXTS)
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
