"""Each check is told by a case file: there is no place in it that reports something which none of them shows, and no
code of its own that none of them states.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from case_files import codes_in, covered
from rulewright.checker.checker import check
from rulewright.checker.common import allowance_codes, codes, lint_codes
from rulewright.diagnostics import Diagnostics

CASES = Path(__file__).parent / "diagnostics"
FOLDERS = ("check", "model", "play", "secrets")
CHECKER = Path(__file__).parent.parent / "interpreter" / "rulewright" / "checker"
ROOMS = ("causes", "logic", "played", "secrets", "texts")
TELLING = ("report_constant", "warn")  # which report what they are given
DECISIONS = {"play": 300}  # by folder, of each rule set and number of players

Site = tuple[str, int]  # a module, and a line


def callers(frame: FrameType | None) -> Iterator[Site]:
    """The lines of checks from which something is reported, from the innermost on."""
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(CHECKER):
            yield path.relative_to(CHECKER).as_posix(), frame.f_lineno
        frame = frame.f_back


def reporting_calls() -> Iterator[tuple[str, int, int]]:
    """The calls of all checks that report something: the module, their first and last line."""
    for path in (path for room in ROOMS for path in sorted((CHECKER / room).glob("*.py"))):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and is_reporting(node.func):
                assert node.end_lineno is not None
                yield path.relative_to(CHECKER).as_posix(), node.lineno, node.end_lineno


def is_reporting(function: ast.expr) -> bool:
    if isinstance(function, ast.Attribute):
        return function.attr == "add" and "diagnostics" in ast.unparse(function.value)
    return isinstance(function, ast.Name) and function.id in TELLING


@pytest.mark.slow
def test_each_place_that_reports_is_shown_by_a_case(monkeypatch: pytest.MonkeyPatch) -> None:
    seen, add = set[Site](), Diagnostics.add

    def recorded(self: Diagnostics, *args: Any, **kwargs: Any) -> None:
        seen.update(callers(sys._getframe(1)))
        add(self, *args, **kwargs)

    monkeypatch.setattr(Diagnostics, "add", recorded)
    for folder in FOLDERS:
        for path in sorted((CASES / folder).iterdir()):
            game = path / "game"  # what stands beside it is found from there
            check([game if game.is_dir() else path], play=DECISIONS.get(folder, 0))
    silent = [
        f"{module}:{first}"
        for module, first, last in reporting_calls()
        if not any((module, line) in seen for line in range(first, last + 1))
    ]
    assert silent == []


def test_each_code_of_the_checker_is_stated_by_a_case() -> None:
    here = {code.name for code in codes_in(codes, lint_codes, allowance_codes)}
    assert here - covered(CASES) == set()
