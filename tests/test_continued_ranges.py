"""Ranges that are taken over from the rules before a key are those that are found anew."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright import load_rules
from rulewright.checker.logic.counts_check import ranges_with_parameters
from rulewright.expr.tree import Expr
from rulewright.expr.walk import free_variables, iter_exprs
from rulewright.frozen import replace
from rulewright.model.facts import continued_ranges
from rulewright.model.facts.continued_ranges import COMPARED, continued
from rulewright.model.facts.declared_ranges import find_declared_ranges
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.rules import Rules

PACKAGE = Path(continued_ranges.__file__).parents[2]
READERS = (
    "model/facts/range_reader.py",
    "model/facts/content_ranges.py",
    "model/facts/loop_ranges.py",
    "model/facts/expression_ranges.py",
    "checker/logic/counted_ranges.py",
    "model/bag_indexes.py",
    "model/place_keys.py",
)
READ = re.compile(r"\brules\.([a-z_]+)\b(?=[\[.),: ]|$)", re.MULTILINE)
BY_PARTS = {"zones", "components", "values"}  # of which some fields are compared, or one after the other


def conditions_of(rules: Rules) -> list[Expr]:
    clauses = [clause.condition for action in rules.actions for clause in action.clauses]
    terms = [term for value in rules.values.values() for _, term in value.terms]
    return [part for expr in (*clauses, *terms) for part in iter_exprs(expr)]


def rules_with_one_value_changed(rules: Rules) -> Iterator[Rules]:
    """The same rules, each time with the terms of another value of the same type in place of those of one."""
    for name, value in rules.values.items():
        for other in rules.values.values():
            if other is not value and (other.type, other.key_types) == (value.type, value.key_types):
                yield replace(rules, values={**rules.values, name: replace(value, terms=other.terms)})
                break


def ranges_found(ranges: ExpressionRanges) -> list[object]:
    asked = [expr for expr in conditions_of(ranges.rules) if not free_variables(expr)]
    return [ranges.range_of(expr, {}, ranges.seats) for expr in asked]


def test_all_that_ranges_depend_on_is_compared():
    read = {name for path in READERS for name in READ.findall(_code(PACKAGE / path))}
    assert read <= {*COMPARED, *BY_PARTS}, "a field of rules that ranges depend on is not compared"


def _code(path: Path) -> str:
    lines = path.read_text(encoding="utf-8").split("\n")
    return "\n".join(line for line in lines if not line.startswith(("from ", "import ")))


@pytest.mark.parametrize("variant", ["orient", "cities"])
def test_taken_over_ranges_are_those_found_anew(variant):
    rules = load_rules("splendor", players=2, variants=[variant])
    number = 0
    for number, changed in enumerate((rules, *rules_with_one_value_changed(rules), rules)):
        declared = find_declared_ranges(changed)
        kept = continued(ExpressionRanges(changed, declared.contents, declared.variables))
        anew = ExpressionRanges(changed, declared.contents, declared.variables)
        assert number == 0 or kept.known_ranges, "nothing was taken over"
        assert ranges_found(kept) == ranges_found(anew)
        counted = ranges_with_parameters(changed)
        found = ranges_found(counted)
        counted.known_ranges.clear()
        counted.known_values.clear()
        counted.constant_values.clear()
        assert found == ranges_found(counted)
    assert number > 1
