"""What engines are called, on the command line and in tables.

In: nothing. Out: names.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

EngineName: TypeAlias = Literal["auto", "reference", "python"]
AUTO_ENGINE: Final = "auto"  # the fastest of those that can
REFERENCE_ENGINE: Final = "reference"  # defines what rules mean
COMPILED_ENGINE: Final = "python"  # generated Python
ENGINE_NAMES: Final[tuple[EngineName, ...]] = get_args(EngineName)

__all__ = ["AUTO_ENGINE", "COMPILED_ENGINE", "ENGINE_NAMES", "REFERENCE_ENGINE", "EngineName"]
