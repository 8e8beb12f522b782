"""The examples of explanations are checked: what the program says of them.

In: an example of `rulewright explain`, a fragment of the example game or whole files. Out: the names of the codes that
are reported. A fragment is put into the game at its place; a file of another kind is checked beside the game.
"""

from __future__ import annotations

import re
from pathlib import Path

from reference_extract import merged
from rulewright.checker.checker import check_paths
from rulewright.diagnostics import Diagnostics
from rulewright.document.schemas import FILE_KINDS
from rulewright.explanations.explanation import EXAMPLE_GAME, Example
from rulewright.scenarios.runner import ScenarioRunner
from rulewright.scenarios.scenario_file import parse_scenario_file
from rulewright.source.reader import parse_file

GAME = EXAMPLE_GAME.read_text(encoding="utf-8")


def write_example(example: Example, folder: Path) -> list[Path]:
    """The files of an example, written."""
    is_folder = "game.yaml" in example.files
    for name, text in example.files.items():
        first = text.partition(":")[0]
        if first in FILE_KINDS or name not in ("game.yaml", "chips.yaml"):
            (folder / name).write_text(text, encoding="utf-8")
        else:
            (folder / name).write_text(merged(GAME, text), encoding="utf-8")
    if not is_folder and not (folder / "chips.yaml").exists():
        (folder / "chips.yaml").write_text(GAME, encoding="utf-8")
    return [folder] if is_folder else sorted(folder.glob("*.yaml"))


def reported_as_yaml(example: Example, folder: Path) -> list[str]:
    """The names of the codes that are reported when an example is read as YAML, whatever its keys mean."""
    diagnostics = Diagnostics()
    for name, text in example.files.items():
        (folder / name).write_text(text, encoding="utf-8")
        parse_file(folder / name, diagnostics)
    return [one.code.name for one in diagnostics]


def reported(example: Example, folder: Path, *, play: int = 0) -> list[str]:
    """The names of the codes that are reported when an example is checked, with so many decisions of random players."""
    paths = write_example(example, folder)
    own = next((name for name, text in example.files.items() if text.startswith("game:")), "chips.yaml")
    game = folder if paths == [folder] else folder / own
    found = [one.code.name for one in check_paths(paths, game=str(game), play=play).diagnostics]
    for path in folder.glob("*.yaml"):
        if re.match("scenarios:", path.read_text(encoding="utf-8")) and not found:
            diagnostics = Diagnostics()
            file = parse_scenario_file(path, diagnostics)
            for case in file.cases if file is not None else ():
                diagnostics.extend(ScenarioRunner().run(case).diagnostics)
            found += [one.code.name for one in diagnostics]
    return found
