"""Whether machine code can be made here at all: that needs llvmlite, the extra `native`.

In: nothing. Out: an answer, or `NoMachineCode`.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import Final

from rulewright.engine.engine_names import NATIVE_ENGINE
from rulewright.errors import RulewrightError

LLVMLITE: Final = "llvmlite"


class NoMachineCode(RulewrightError):
    """Machine code cannot be made here: llvmlite is missing."""


def can_make_machine_code() -> bool:
    """Whether llvmlite is installed."""
    return sys.modules.get(LLVMLITE, True) is not None and find_spec(LLVMLITE) is not None


def require_machine_code(engine: str) -> None:
    """Raises `NoMachineCode` where an engine needs llvmlite and it is not installed."""
    if engine == NATIVE_ENGINE and not can_make_machine_code():
        raise NoMachineCode("machine code needs llvmlite: pip install 'rulewright[native]', or use --engine python")


__all__ = ["NoMachineCode", "can_make_machine_code", "require_machine_code"]
