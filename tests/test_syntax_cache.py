"""An expression that an earlier process has read is the same tree in this one, and read anew where nothing is kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright import limits
from rulewright.expr import syntax_cache
from rulewright.expr.lark_parser import parse_by_grammar
from rulewright.expr.parse import parse
from rulewright.expr.syntax_cache import find_tree, keep_trees, note_tree
from rulewright.expr.syntax_tree import ParseError, SyntaxNode
from rulewright.private_cache import CACHE_VARIABLE

TEXTS = (
    "1",
    "hand(me)",
    "count(hand(me)) <= hand_limit + 2",
    "some card in market has card.cost fits in tokens(me) and not (1 is 2 or a is not b)",
    "if x then 1 of gold else nothing",
    "(2 of red) + (all of blue)",
    "total of points(each) for each in player where each is not me",
)


@pytest.fixture(autouse=True)
def nothing_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder, and nothing known of the one that other tests share."""
    folder = tmp_path / "kept"
    monkeypatch.setenv(CACHE_VARIABLE, str(folder))
    forget()
    yield folder
    forget()


def forget() -> None:
    """As in a process that has just begun."""
    syntax_cache._kept_trees.cache_clear()
    syntax_cache._new.clear()
    parse.cache_clear()


def test_trees_are_the_same_in_the_next_process() -> None:
    trees = {text: parse(text) for text in TEXTS}
    keep_trees()
    forget()
    assert {text: find_tree(text, "expr") for text, tree in trees.items() if isinstance(tree, SyntaxNode)} == {
        text: tree for text, tree in trees.items() if isinstance(tree, SyntaxNode)
    }
    assert {text: parse(text) for text in TEXTS} == {text: parse_by_grammar(text, "expr") for text in TEXTS}
    assert sum(isinstance(tree, SyntaxNode) for tree in trees.values()) >= 5


def test_a_text_is_another_one_as_something_else() -> None:
    parse("2 of red", "amount")
    keep_trees()
    forget()
    assert find_tree("2 of red", "amount") is not None
    assert find_tree("2 of red", "expr") is None


def test_what_is_wrong_is_explained_each_time() -> None:
    first = parse("1 +")
    keep_trees()
    forget()
    assert find_tree("1 +", "expr") is None
    assert isinstance(first, ParseError)
    assert parse("1 +") == first


def test_more_are_added_to_those_that_are_kept() -> None:
    for text in TEXTS[:2]:
        parse(text)
        keep_trees()
        forget()
    assert all(find_tree(text, "expr") is not None for text in TEXTS[:2])


def test_only_so_many_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_KEPT_TREES", 3)
    tree = parse_by_grammar("1", "expr")
    assert isinstance(tree, SyntaxNode)
    for first in (0, 3):
        for number in range(first, first + 3):
            note_tree(str(number), "expr", tree)
        keep_trees()
        forget()
    assert [number for number in range(6) if find_tree(str(number), "expr") is not None] == [3, 4, 5]


def test_another_program_reads_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    parse("1")
    keep_trees()
    forget()
    monkeypatch.setattr(syntax_cache, "program_signature", lambda: "another")
    assert find_tree("1", "expr") is None


def test_what_is_damaged_is_read_anew(nothing_kept: Path) -> None:
    parse("1")
    keep_trees()
    (file,) = nothing_kept.iterdir()
    file.write_bytes(file.read_bytes()[:-1])
    forget()
    assert find_tree("1", "expr") is None
    assert parse("1") == parse_by_grammar("1", "expr")


def test_without_a_folder_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, "")
    parse("1")
    keep_trees()
    forget()
    assert find_tree("1", "expr") is None
