"""The node of a file as the editor has it, the same one that a check has read: a text is read once for both.

In: a path. Out: a node, or None where the file cannot be read to its end. A reader tells texts apart by what
diagnostics call their files, too.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from rulewright import limits
from rulewright.diagnostics import Diagnostics, SourceFile
from rulewright.document.game_files import source_path
from rulewright.source.nodes import Node
from rulewright.source.reader import parse_file, parse_source

MAX_CUTS: Final = 4  # of a text, each before the mistake that was found in what was left


def node_of_file(path: Path, diagnostics: Diagnostics | None = None) -> Node | None:
    """The node of a file. `diagnostics`: to which is added what is wrong with it."""
    return parse_file(path, Diagnostics() if diagnostics is None else diagnostics, source_path=source_path(path))


def node_of_beginning(path: Path) -> Node | None:
    """What a file says before the first line that cannot be read; None where that is nothing."""
    diagnostics = Diagnostics()
    node = node_of_file(path, diagnostics)
    for _ in range(MAX_CUTS):
        first = min((one.span for one in diagnostics), key=lambda span: span.start, default=None)
        if node is not None or first is None:
            return node
        text = first.source.text
        if len(text) > limits.MAX_LARGE_CHARACTERS:
            return None  # which would take longer than anybody waits for a key
        beginning = SourceFile(first.source.path, text[: text.rfind("\n", 0, first.start) + 1])
        diagnostics = Diagnostics()
        node = parse_source(beginning, diagnostics)
    return node


__all__ = ["node_of_beginning", "node_of_file"]
