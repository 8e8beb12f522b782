"""The errors that a caller can meet.

In: nothing. Out: `RulewrightError`, the base of every exception that this package raises on purpose, and those that
belong to no subject. What an author of rules did wrong is no exception but a `Diagnostic`; `RulesError` carries them.
"""

from __future__ import annotations


class RulewrightError(Exception):
    """Something went wrong that is not a fault of this program; its text says what, in one sentence."""


class UsageError(RulewrightError):
    """Wrong use, or something that cannot be read or written."""


def os_error_reason(error: Exception) -> str:
    """Why a file could not be read or written, in the system's words: `no such file or directory`."""
    reason = error.strerror if isinstance(error, OSError) else None
    return (reason or str(error)).lower()
