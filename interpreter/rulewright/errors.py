"""The errors that a caller of this package has to expect.

In: nothing. Out: `RulewrightError`, the base of this package's own exceptions, and those that belong to no other
package. A wrong argument in Python is a `ValueError` or `TypeError` that the function's docstring names. A mistake in
rules is not an exception but a `Diagnostic`; `RulesError` carries them.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Final

JSON_REASONS: Final = {  # where Python's own words need some more
    "expected value": "expected a value",
    "expected property name enclosed in double quotes": "expected a key in double quotes",
    "expected ',' delimiter": "expected a comma",
    "expected ':' delimiter": "expected a colon",
    "Extra data": "unexpected text after the end",
    "Unterminated string": "a text without closing quotes",
}

TYPE_NAMES: Final[Mapping[type, str]] = {int: "a whole number", str: "a text", Path: "a path"}


class RulewrightError(Exception):
    """An error that is not a bug of this program; its text says in one sentence what is wrong."""


class UsageError(RulewrightError):
    """Wrong usage, or something that cannot be read or written."""


def already_exists(path: object, alternative: str = "") -> UsageError:
    """The error for a file that would be overwritten. `alternative`: what else can be done, as a command."""
    return UsageError(f"{path} already exists; choose another name" + (f", or {alternative}" if alternative else ""))


def require_types(**arguments: tuple[object, type]) -> None:
    """Raises `TypeError` for an argument that is not of its type; None is a default. A `Path` may also be a text."""
    for name, (value, type_) in arguments.items():
        types = (str, PathLike) if issubclass(type_, PathLike) else (type_,)
        if value is not None and (not isinstance(value, types) or isinstance(value, bool)):
            raise TypeError(f"{name} is {TYPE_NAMES[type_]}, not {value!r}")


def require_whole(**arguments: object) -> None:
    """Raises `TypeError` for an argument that is not a whole number: of Python, or of a library that has its own."""
    for name, value in arguments.items():
        if not hasattr(value, "__index__") or isinstance(value, bool):
            raise TypeError(f"{name} is a whole number, not {value!r}")


def require_texts(elements: str, **arguments: object) -> None:
    """Raises `TypeError` for an argument that is not a list of texts or paths. `elements`: what they are."""
    for name, value in arguments.items():
        if isinstance(value, str | PathLike):  # it would be read letter by letter
            raise TypeError(f"{name} is a list of {elements}: [{str(value)!r}], not {str(value)!r}")
        if not isinstance(value, Iterable) or (
            isinstance(value, Collection) and not all(isinstance(element, str | PathLike) for element in value)
        ):
            raise TypeError(f"{name} is a list of {elements}, not {value!r}")


def json_error_reason(error: ValueError | RecursionError, *, is_line: bool = False) -> str:
    """Why a text is not JSON, as part of a sentence: `expected a value at line 1, column 1`.

    `is_line`: the text is a single line, of which only the column is said, or that it is at its end.
    """
    match error:
        case json.JSONDecodeError(msg=message, lineno=line, colno=column, doc=text, pos=index):
            reason = message.removesuffix(" at").removesuffix(" starting").replace("Expecting", "expected")
            reason = JSON_REASONS.get(reason, reason[:1].lower() + reason[1:])
            if is_line:
                return f"{reason} {'at the end of the line' if index >= len(text.rstrip()) else f'at column {column}'}"
            return f"{reason} at line {line}, column {column}"
        case UnicodeDecodeError():
            return "it is not UTF-8"
        case RecursionError():
            return "it is nested too deeply"
        case _:
            return "a number has too many digits" if "digits" in str(error) else str(error)


def quote(text: object) -> str:
    """A word as messages quote it; what cannot be printed is escaped."""
    return f"`{repr(str(text))[1:-1]}`"


def printable(text: str) -> str:
    """A text in which what cannot be printed is escaped: a file's name may hold orders to the terminal."""
    return text if text.isprintable() else "".join(one if one.isprintable() else repr(one)[1:-1] for one in text)


def os_error_reason(error: Exception) -> str:
    """Why a file could not be read or written, in the system's words: `no such file or directory`."""
    reason = error.strerror if isinstance(error, OSError) else None
    return (reason or str(error)).lower()
