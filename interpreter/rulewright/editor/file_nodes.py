"""The node of a file as the editor has it, the same one that a check has read: a text is read once for both.

In: a path. Out: a node, or None where the file cannot be read to its end. A reader tells texts apart by what
diagnostics call their files, too.
"""

from __future__ import annotations

from pathlib import Path

from rulewright.diagnostics import Diagnostics
from rulewright.document.game_files import source_path
from rulewright.source.nodes import Node
from rulewright.source.reader import parse_file


def node_of_file(path: Path, diagnostics: Diagnostics | None = None) -> Node | None:
    """The node of a file. `diagnostics`: to which is added what is wrong with it."""
    return parse_file(path, Diagnostics() if diagnostics is None else diagnostics, source_path=source_path(path))


__all__ = ["node_of_file"]
