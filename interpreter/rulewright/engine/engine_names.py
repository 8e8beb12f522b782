"""What engines are called, on the command line and in tables.

In: nothing. Out: names.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

EngineName: TypeAlias = Literal["auto", "reference", "python", "native"]
AUTO_ENGINE: Final[Literal["auto"]] = "auto"  # the fastest of those that can
REFERENCE_ENGINE: Final[Literal["reference"]] = "reference"  # defines what rules mean
COMPILED_ENGINE: Final[Literal["python"]] = "python"  # generated Python
NATIVE_ENGINE: Final[Literal["native"]] = "native"  # machine code, by llvmlite
ENGINE_NAMES: Final[tuple[EngineName, ...]] = get_args(EngineName)

__all__ = [
    "AUTO_ENGINE",
    "COMPILED_ENGINE",
    "ENGINE_NAMES",
    "NATIVE_ENGINE",
    "REFERENCE_ENGINE",
    "EngineName",
]
