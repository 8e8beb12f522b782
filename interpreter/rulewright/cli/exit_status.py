"""What a command's exit status means.

In: nothing. Out: `ExitStatus`.
"""

from __future__ import annotations

from enum import IntEnum


class ExitStatus(IntEnum):
    """The exit statuses of `rulewright`."""

    OK = 0
    FINDINGS = 1  # problems in rule files, failed tests, an action that is not legal
    USAGE_ERROR = 2  # wrong arguments, or a file that cannot be read or written
    INTERNAL_ERROR = 3
    INTERRUPTED = 130  # stopped from the keyboard, by convention 128 and the number of the signal


__all__ = ["ExitStatus"]
