"""Files that are written whole or not at all.

In: a name and a text, or bytes. Out: a new file; when anything goes wrong there is none.
"""

from __future__ import annotations

import os
from pathlib import Path
from secrets import token_hex

from rulewright.wording.messages import Messages


def atomic_write(name: str, content: str | bytes, *, replace: bool = False) -> None:
    """Writes a file: beside it first, then under its name; a new one unless it may `replace` one that is there. Raises
    `OSError`, or `ValueError` for a name that no file can have.
    """
    path = Path(name)
    if not replace and os.path.lexists(path):
        raise FileExistsError(name)
    part = path.with_name(f"{path.name}.{token_hex(4)}.part")
    try:
        with part.open("xb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def kept(words: Messages, name: str, text: str) -> str:
    """Writes a new file and says in a sentence what came of it."""
    shown = name if name.isprintable() else repr(name)
    try:
        atomic_write(name, text)
    except FileExistsError:
        return words("there_already", file=shown)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        return words("cannot_write", file=shown, reason=reason.lower())
    return words("saved_in", file=shown)


__all__ = ["atomic_write", "kept"]
