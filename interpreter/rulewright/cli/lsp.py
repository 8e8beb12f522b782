"""`rulewright lsp`: answers an editor over standard input and output.

In: the Language Server Protocol. Out: the same.
"""

from __future__ import annotations

from rulewright.cli.options import CommandOptions
from rulewright.editor.server import run_server


class Options(CommandOptions):
    """The options of `lsp`: none."""


def run(args: Options) -> int:
    """Answers until the editor says goodbye."""
    return run_server()
