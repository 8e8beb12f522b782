"""How wide the terminal is.

In: the terminal, or the environment's COLUMNS. Out: a number of columns.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Final

from rulewright import limits

DEFAULT_WIDTH: Final = 80


def terminal_width() -> int:
    """The characters of a line: what the terminal or COLUMNS says, else 80; never less than 40."""
    return max(limits.MIN_COLUMNS, terminal_columns())


def terminal_columns() -> int:
    """What the terminal or COLUMNS says, else 80: as `shutil.get_terminal_size` has it, whose module reads archives of
    five sorts and takes longer to import than most commands take to read their words.
    """
    columns = 0
    with suppress(ValueError):
        columns = int(os.environ.get("COLUMNS", 0))
    if columns <= 0 and sys.__stdout__ is not None:
        with suppress(ValueError, OSError):  # a closed output, one that is no terminal
            columns = os.get_terminal_size(sys.__stdout__.fileno()).columns
    return min(columns, limits.UNLIMITED_COLUMNS) if columns > 0 else DEFAULT_WIDTH


__all__ = ["DEFAULT_WIDTH", "terminal_columns", "terminal_width"]
