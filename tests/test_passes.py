"""The passes from a document to rules: each reads and sets the fields that it declares, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.checker.lint import CHECKER_PASSES, LINTS, check_judged_rules, find_judged_rules
from rulewright.checker.local_lints import LOCAL_LINTS
from rulewright.diagnostics import Diagnostics
from rulewright.frozen import field_names, replace
from rulewright.model import build
from rulewright.model.build_state import INPUTS, BuildState, Pass, check_pass_order
from rulewright.model.explanations import BOOK_PASSES
from rulewright.model.loader import compose_game
from rulewright.model.symbol_table import SymbolTable

GAME = Path(__file__).parent / "games" / "lowest" / "lowest.yaml"
ALWAYS_THERE = INPUTS | {"reader", "sentence_reader", "variant_files"}


class Watched:
    """A state that only lets a pass read what it needs and set what it adds."""

    def __init__(self, state: BuildState, allowed: Pass) -> None:
        object.__setattr__(self, "_state", state)
        object.__setattr__(self, "_pass", allowed)
        object.__setattr__(self, "unread", set(allowed.needs))
        object.__setattr__(self, "unset", set(allowed.adds))

    def __getattr__(self, name: str) -> object:
        assert name in ALWAYS_THERE | self._pass.needs, f"{self._pass.name} reads `{name}`"
        self.unread.discard(name)
        return getattr(self._state, name)

    def __setattr__(self, name: str, value: object) -> None:
        assert name in self._pass.adds, f"{self._pass.name} sets `{name}`"
        self.unset.discard(name)
        setattr(self._state, name, value)


def test_a_pass_reads_and_sets_what_it_declares() -> None:
    diagnostics = Diagnostics()
    composition = compose_game(str(GAME), None, (), diagnostics)
    assert composition is not None
    state = BuildState(composition.document, composition.players, (), (), diagnostics)
    tables: list[tuple[str, SymbolTable, SymbolTable]] = []
    for each in (*CHECKER_PASSES, *LOCAL_LINTS):
        watched = Watched(state, each)
        each.run(watched)
        assert not watched.unset, f"{each.name} does not set {watched.unset}"
        if each.adds:  # a check that adds nothing may stop before it has read all
            assert not watched.unread, f"{each.name} does not read {watched.unread}"
        added = {name: getattr(state, name) for name in each.adds}
        tables += [(name, value, value.copy()) for name, value in added.items() if isinstance(value, SymbolTable)]
    assert len(tables) > 3
    for name, table, as_added in tables:
        for part in field_names(SymbolTable):
            is_same = part == "scopes" or getattr(table, part) == getattr(as_added, part)
            assert is_same, f"`{part}` of `{name}` has changed since it was added"


def test_an_order_in_which_a_field_is_not_there_yet_is_refused() -> None:
    first, second, *_ = build.PASSES
    with pytest.raises(AssertionError, match="needs"):
        check_pass_order((second, first))
    with pytest.raises(AssertionError, match="again"):
        check_pass_order((first, first))
    with pytest.raises(AssertionError, match="no field"):
        check_pass_order((replace(first, adds=frozenset({"nothing"})),))


def test_passes_that_others_run_need_no_more_than_these() -> None:
    assert not any(each.needs - check_judged_rules.needs or each.adds for each in LOCAL_LINTS)
    assert not set(LOCAL_LINTS) & set(CHECKER_PASSES)


def test_rules_are_built_without_lint_passes() -> None:
    assert not set(LINTS) & set(build.PASSES)
    adding = (*build.PASSES, *BOOK_PASSES, find_judged_rules)
    assert {name for each in adding for name in each.adds} | INPUTS | {"variant_files"} == set(field_names(BuildState))
