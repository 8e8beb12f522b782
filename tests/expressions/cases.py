"""The cases of the files in this folder, and the small world in which their expressions are worked out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from rulewright.diagnostics import Diagnostics, SourceFile, Span, render_full
from rulewright.model.loader import build_composition, compose_game
from rulewright.model.rules import Rules
from rulewright.source.nodes import ScalarNode

FOLDER = Path(__file__).parent
FILES = sorted(path for path in FOLDER.glob("*.yaml") if path.name not in ("world.yaml", "together.yaml"))


def expression_cases() -> Iterator[Any]:
    for path in FILES:
        for name, case in yaml.safe_load(path.read_text(encoding="utf-8"))["cases"].items():
            yield pytest.param(path.stem, case, id=f"{path.stem}.{name}")


def case_text(case: dict[str, Any]) -> str | int | bool:
    if "nested" in case:
        variables = [f"x_{number}" for number in range(case["nested"])]
        return " ".join(f"some {name} in 1 to 1 has" for name in variables) + " open"
    if "repeat" in case:
        return case.get("between", "").join([case["is"]] * case["repeat"]) + case.get("after", "")
    return case["is"]


def scalar_of(value: str | int | bool) -> ScalarNode:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return ScalarNode(value, text, Span(SourceFile("case.yaml", text), 0, len(text)))


def load_world() -> Rules:
    """The rules of the small world."""
    diagnostics = Diagnostics()
    resolved = compose_game(str(FOLDER / "world.yaml"), 2, (), diagnostics)
    rules = resolved and build_composition(resolved, diagnostics)
    assert rules, "\n".join(map(render_full, diagnostics))
    assert [one for one in diagnostics if one.code.name not in ("unused", "never-set")] == []
    return rules
