"""How wide the terminal is.

In: the terminal, or the environment's COLUMNS. Out: a number of columns.
"""

from __future__ import annotations

from shutil import get_terminal_size
from typing import Final

from rulewright import limits

DEFAULT_WIDTH: Final = 80


def terminal_width() -> int:
    """The characters of a line: what the terminal or COLUMNS says, else 80; never less than 40."""
    return max(limits.MIN_COLUMNS, get_terminal_size((DEFAULT_WIDTH, 24)).columns)


__all__ = ["DEFAULT_WIDTH", "terminal_width"]
