"""A command line, run in this process or in one of its own, with lines typed into it; small games to play.

In: words, lines. Out: what was printed, and the status.
"""

from __future__ import annotations

import atexit
import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest

from rulewright import bundle
from rulewright.cli.main import main

ROOT = Path(bundle.__file__).parent.parent
DATA = mkdtemp(prefix="rulewright-")  # where games are kept that people play in tests
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_DATA_HOME": DATA}
atexit.register(shutil.rmtree, DATA, ignore_errors=True)
NAMELESS = """
game: heaps
version: 1.0.0
language: 2
text: Heaps
players: 2
kinds:
  object: [match]
  heap: 1 to 3
zones:
  heaps: {holds: object, per: heap, seen_by: all, start: (2 * heap + 1) of match}
  gone: {holds: object, seen_by: all}
actions:
  take:
    text: Take any number of matches from one heap.
    choose: {heap: {one_of: heap}, number: {one_of: 1 to count(heaps(heap))}}
    do: [take: {move: number of match, from: heaps(heap), to: gone}]
turn:
  - take: {must: [take]}
  - last: {when: heaps is empty, end_game: now, winners: me}
round:
  - turns: {for_each: player, turn: player}
"""
BURYING = """
game: burying
version: 1.0.0
language: 2
text: Burying
players: 2
components:
  tile: {fields: {}, rows: [{id: t1}, {id: t2}, {id: t3}, {id: t4}], start: pile}
zones:
  pile: {holds: tile, order: shuffled, seen_by: nobody}
  hand: {holds: tile, per: player, seen_by: owner}
  grave: {holds: tile, seen_by: nobody}
setup:
  - deal: {for_each: player, move: top 2, from: pile, to: hand(player)}
actions:
  bury:
    choose: {tile: {one_of: hand(me)}}
    do: [bury: {move: tile, to: grave}]
turn:
  - act: {must: [bury]}
round:
  - turns: {for_each: player, turn: player}
  - end: {end_game: now}
"""
ROLLING = """
game: rolling
version: 1.0.0
language: 2
text: Rolling
players: 2
state:
  die: {type: 1 to 6, start: 1, resets: turn}
  place: {type: 0 to 99, per: player, start: 0, text: How far a seat has come.}
actions:
  roll: {text: Roll on., do: [roll: {roll: die}, go: {set: place(me), to: "min(99, place(me) + die)"}]}
turn:
  - act: {must: [roll]}
round:
  - turns: {for_each: player, turn: player}
  - end: {when: round_number is 3, end_game: now}
"""
SIGNS = """
game: signs
version: 1.0.0
language: 2
text: Signs
players: 2
kinds:
  sign: [rock, paper]
state:
  shown: {type: sign, per: player, start: rock}
actions:
  show:
    choose: {sign: {one_of: sign}}
    do: [note: {set: shown(me), to: sign}]
round:
  - both: {together: [show]}
  - end: {when: round_number is 2, end_game: now, winners: everyone}
"""
SACK = """
game: sacks
version: 1.0.0
language: 2
text: Sacks
players: 2
kinds:
  chip: [red, blue]
zones:
  sack: {holds: chip, seen_by: nobody, start: 3 of red + 3 of blue}
  mine: {holds: chip, per: player, seen_by: owner}
  row: {holds: chip, seen_by: all}
actions:
  draw:
    do:
      - open: {move: 1 at random, from: sack, to: row}
      - own: {move: 1 at random, from: sack, to: mine(me)}
turn:
  - act: {must: [draw]}
round:
  - turns: {for_each: player, turn: player}
  - end: {end_game: now}
"""


class CommandLine:
    """What a command line printed and how it ended."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.out = self.err = ""

    def __call__(self, *words: str) -> int:
        self._capsys.readouterr()
        status = main(words)
        self.out, self.err = self._capsys.readouterr()
        assert "Traceback" not in self.out + self.err
        return status

    def json(self) -> Any:
        return json.loads(self.out)


def process(*words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "rulewright", *words],
        capture_output=True, text=True, timeout=60, env=ENVIRONMENT, check=False, **more,
    )  # fmt: skip


def shell(line: str, **more: str) -> subprocess.CompletedProcess[str]:
    """A command line in which `rulewright` is the command."""
    line = line.replace("rulewright", f"{sys.executable} -m rulewright")
    return subprocess.run(
        ["sh", "-c", line], capture_output=True, text=True, timeout=60, env={**ENVIRONMENT, **more}, check=False
    )


def play_typing(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch, lines: list[str], *words: str) -> str:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    assert run_cli("play", *words) == 0
    return run_cli.out
