"""The expression suite holds in a real game too: each case is written into the small world and read with its rules.

`test_expressions.py` reads the cases in a scope built by hand; here the whole way is gone, from the YAML line to the
value as data, and from the mistake to its line and column in the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from games.playing import read
from rulewright.diagnostics import Diagnostic, Diagnostics, render_full
from rulewright.engine.notation import Notation
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import Decision
from rulewright.expr.tree import ReadValue
from rulewright.model.loader import build_composition, compose_game
from rulewright.model.rules import Rules

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parent / "expressions"
WORLD = (FOLDER / "world.yaml").read_text(encoding="utf-8")
# amounts, places, types, conditions: not read as a value of the game
OTHER_WAYS = {"as", "nested", "repeat", "expect", "condition"}
# diagnostics that the cases make of names that only the scope built by hand has
BY_HAND = {"not_here", "not_here_action"}


def cases(key: str) -> Iterator[Any]:
    for path in sorted(FOLDER.glob("*.yaml")):
        if path.stem in ("world", "sentences", "together"):
            continue
        for name, case in read(path)["cases"].items():
            if key in case and not OTHER_WAYS & case.keys() and name not in BY_HAND and "\n" not in str(case["is"]):
                yield pytest.param(case, id=f"{path.stem}.{name}")


def asked(case: dict[str, Any], folder: Path) -> tuple[Rules | None, Diagnostics, int, int]:
    """The world with the case's expression in it, and the line and column where the expression begins."""
    text = str(case["is"]).lower() if isinstance(case["is"], bool) else str(case["is"])
    section = "values:\n" if case.get("me", True) else "measures:\n"
    line = "  asked: {is: '" + text.replace("'", "''") + "'}\n"
    path = folder / "world.yaml"
    path.write_text(WORLD.replace(f"\n{section}", f"\n{section}{line}", 1), encoding="utf-8")
    diagnostics = Diagnostics()
    resolved = compose_game(str(path), case.get("players", 2), (), diagnostics)
    rules = None if resolved is None else build_composition(resolved, diagnostics)
    return rules, diagnostics, WORLD[: WORLD.index(f"\n{section}")].count("\n") + 3, line.index("'") + 2


def serious(diagnostics: Diagnostics) -> list[Diagnostic]:
    return [one for one in diagnostics if one.code.name not in ("unused", "never-set")]


@cache
def count_of_cases() -> int:
    return sum(1 for _ in cases("value"))


@pytest.mark.parametrize("case", list(cases("value")))
def test_value(case: dict[str, Any], tmp_path: Path) -> None:
    rules, diagnostics, _, _ = asked(case, tmp_path)
    assert serious(diagnostics) == [], "\n".join(map(render_full, diagnostics))
    assert rules is not None
    engine = ReferenceEngine(rules)
    state = engine.start(first=0, seed=1)
    assert isinstance(state.waiting, Decision)
    definition = rules.values["asked"]
    value = engine.compiler.compile(ReadValue("asked", (), definition.type, (0, 0)))(engine.context(state))
    found = Notation(rules).value_to_data(value, definition.type)
    assert found == case["value"] or (not found and not case["value"] and found is not False)


@pytest.mark.parametrize("case", list(cases("complaint")))
def test_diagnostic(case: dict[str, Any], tmp_path: Path) -> None:
    rules, diagnostics, line, column = asked(case, tmp_path)
    found = serious(diagnostics)
    assert [one.code.name for one in found] == [case["complaint"]], "\n".join(map(render_full, diagnostics))
    (one,) = found
    assert (rules is None) == (one.severity == "error")
    assert one.span.line == line
    if "at" in case and "'" not in str(case["is"]):
        assert one.span.column == column + case["at"] - 1, render_full(one)


def test_there_are_cases() -> None:
    assert count_of_cases() > 100
