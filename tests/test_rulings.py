"""Every ruling is held by the tests: its rules exist, its cases show it, and no change of its rules goes unnoticed."""

from __future__ import annotations

from typing import Any

import pytest

import mutate
from rulewright.model.loader import load_rules
from rulewright.model.locate import available_variants, default_game

pytestmark = pytest.mark.slow

KINDS = {"legal", "illegal", "state"}
STATUSES = {"official", "manual", "guide", "ruling", "none"}
ROWS = sorted(mutate.rulings().items())
CHANGES = [
    pytest.param(ruling, number, operations, id=f"{ruling}-{number}")
    for ruling, row in ROWS
    for number, operations in enumerate(row.get("mutation", ()), start=1)
]

each_ruling = pytest.mark.parametrize(("ruling", "row"), [pytest.param(*one, id=str(one[0])) for one in ROWS])


def test_the_table_is_complete() -> None:
    assert [ruling for ruling, _ in ROWS] == list(range(1, len(ROWS) + 1))


def test_cases_name_rulings_that_exist() -> None:
    unknown = [(case.path.stem, case.name) for case in mutate.cases() if not set(case.rulings) <= set(mutate.rulings())]
    assert unknown == []


@each_ruling
def test_a_row_says_what_it_should(ruling: int, row: dict[str, Any]) -> None:
    assert row["question"].endswith("?")
    assert row["status"] in STATUSES
    admits, lacks = set(row["admits"]), dict(row.get("lacks", {}))
    assert admits <= KINDS
    assert admits | set(lacks) >= KINDS, "a kind that is neither admitted nor explained"
    assert not admits & set(lacks)
    assert all(reason.endswith(".") for reason in lacks.values())
    assert ("mutation" in row) != ("mutation" in lacks)


@each_ruling
def test_its_rules_exist(ruling: int, row: dict[str, Any]) -> None:
    rules = load_rules(default_game(), variants=row.get("variants", ()))
    for node in row["nodes"]:
        folder, slash, name = node.partition("/")
        if slash:
            assert (folder, name in available_variants(default_game())) == ("variants", True), node
        else:
            assert node in rules.provenance, node


@each_ruling
def test_its_cases_are_there(ruling: int, row: dict[str, Any]) -> None:
    cases = mutate.cases_of(ruling)
    shown = {sort for case in cases for sort in case.kinds}
    assert set(row["admits"]) - shown == set(), "a kind of case that is missing"
    # an action may have to be carried out to show what is so afterwards: only `legal:` itself claims anything
    claimed = {sort for case in cases for sort in case.kinds - {"legal"}}
    claimed |= {"legal" for case in cases if "legal" in case.then}
    assert claimed & set(row.get("lacks", {})) == set(), "a kind of case that is said not to be there"


@pytest.mark.parametrize(("ruling", "number", "operations"), CHANGES)
def test_a_change_is_noticed(ruling: int, number: int, operations: dict[str, Any]) -> None:
    result = mutate.tried(ruling, number, operations)
    assert result.outcome == "noticed", result.why
