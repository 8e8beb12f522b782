"""The errors that a caller of this package has to expect.

In: nothing. Out: `RulewrightError`, the base of this package's own exceptions, and those that belong to no other
package. A wrong argument in Python is a `ValueError` or `TypeError` that the function's docstring names. A mistake in
rules is not an exception but a `Diagnostic`; `RulesError` carries them.
"""

from __future__ import annotations


class RulewrightError(Exception):
    """An error that is not a bug of this program; its text says in one sentence what is wrong."""


class UsageError(RulewrightError):
    """Wrong usage, or something that cannot be read or written."""


def os_error_reason(error: Exception) -> str:
    """Why a file could not be read or written, in the system's words: `no such file or directory`."""
    reason = error.strerror if isinstance(error, OSError) else None
    return (reason or str(error)).lower()
