"""Room for as much as a game may ever list: memory that is taken only as far as it is used.

In: how many bytes. Out: the memory, all zeros. A process that begins as a copy of this one has its own from then on.
"""

from __future__ import annotations

import mmap
from functools import reduce
from operator import or_
from typing import Final

_FLAGS: Final = ("MAP_PRIVATE", "MAP_ANONYMOUS", "MAP_NORESERVE")  # by default copies of a process would share it


def reserved_memory(size: int) -> mmap.mmap:
    """At least one byte."""
    flags = [getattr(mmap, name) for name in _FLAGS if hasattr(mmap, name)]
    if not flags:  # no copies of processes either
        return mmap.mmap(-1, max(size, 1))
    return mmap.mmap(-1, max(size, 1), flags=reduce(or_, flags))


__all__ = ["reserved_memory"]
