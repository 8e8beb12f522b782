"""The forms in which diagnostics are printed and written.

In: nothing. Out: their names.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

Format: TypeAlias = Literal["full", "short", "json", "github", "sarif", "gitlab", "junit"]
FORMATS: Final[tuple[Format, ...]] = get_args(Format)

__all__ = ["FORMATS", "Format"]
