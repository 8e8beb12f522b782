"""What the manual shows of playing at the terminal is what happens there."""

from __future__ import annotations

import io
import re
import shlex
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from rulewright.cli.main import main
from screens import Typing

ROOT = Path(__file__).parent.parent
TEXT = (
    (ROOT / "rules" / "MANUAL.md").read_text(encoding="utf-8").partition("## At the terminal")[2].partition("\n## ")[0]
)
PROMPT = re.compile(r"^(.*\(\? for help\): )(.*)$", re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("block", re.findall(r"```console\n(.*?)```", TEXT, re.DOTALL))
def test_a_game_goes_as_it_is_shown(block: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    command, _, wanted = block.partition("\n")
    typed = [found[1] for found in PROMPT.findall(wanted)]
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "stdin", Typing("".join(f"{line}\n" for line in typed)))
    shown = io.StringIO()
    with redirect_stdout(shown):
        assert main(shlex.split(command.removeprefix("$ rulewright "))) == 0
    pattern = "".join(
        "(?:.*\\n)*?" if line == "…\n" else re.escape(line).replace("…", ".*")
        for line in wanted.splitlines(keepends=True)
    )
    assert re.fullmatch(pattern, shown.getvalue()), shown.getvalue()


def test_what_can_be_typed_is_what_the_table_says() -> None:
    from rulewright.terminal.commands import COMMAND_NAMES
    from rulewright.wording.messages import load_messages

    for name in COMMAND_NAMES:
        word = load_messages("en", "terminal")[f"use_{name}"].partition(" ")[0]
        assert re.search(rf"`{re.escape(word)}[` ]", TEXT), name
    for option in re.findall(r"`(--[a-z-]+)", TEXT):
        assert option in (ROOT / "interpreter/rulewright/cli/arguments.py").read_text(encoding="utf-8")
