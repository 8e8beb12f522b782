"""What the manual shows of bots and figures is what is printed."""

from __future__ import annotations

import io
import re
import shlex
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from rulewright.cli.main import main

pytestmark = pytest.mark.slow

MANUAL = Path(__file__).parent.parent / "rules" / "MANUAL.md"
TEXT = MANUAL.read_text(encoding="utf-8").partition("## Simulations and tournaments")[2].partition("\n## ")[0]
COMMANDS = [
    one
    for block in re.findall(r"```console\n(.*?)```", TEXT, re.DOTALL)
    for one in re.findall(r"^\$ rulewright (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    if one[1]  # a command whose output is not shown may run for long
]


@pytest.mark.parametrize(("command", "wanted"), COMMANDS, ids=[command.split()[0] for command, _ in COMMANDS])
def test_it_prints_what_is_shown(command: str, wanted: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    shown = io.StringIO()
    with redirect_stdout(shown):
        assert main(shlex.split(command)) == 0
    pattern = "".join("(?:.*\\n)*?" if line == "…\n" else re.escape(line) for line in wanted.splitlines(keepends=True))
    assert re.fullmatch(pattern, shown.getvalue()), shown.getvalue()
