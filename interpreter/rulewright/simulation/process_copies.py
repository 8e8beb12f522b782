"""Whether a process may begin as a copy of this one, so that what was made ready here is there at once.

In: nothing. Out: yes or no.
"""

from __future__ import annotations

import os
import sys


def can_copy_process() -> bool:
    """Whether a process may begin as a copy of this one (`os.fork`). Of one with threads it would have only one, and
    what the others held would be held for ever; on macOS system libraries start threads of their own.
    """
    return hasattr(os, "fork") and sys.platform != "darwin" and _count_threads() == 1


def _count_threads() -> int:
    """All of this process, also those that Python does not know, as far as the system tells."""
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:
        threading = sys.modules.get("threading")  # without which Python has started none
        return 1 if threading is None else threading.active_count()


__all__ = ["can_copy_process"]
