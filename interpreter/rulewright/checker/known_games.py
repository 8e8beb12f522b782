"""Games that were read and judged before, so that nobody waits for the same again while a variant of one is written.

In: the path of a game. Out: its document, and what is wrong with it.
"""

from __future__ import annotations

from pathlib import Path

from rulewright.diagnostics import Diagnostics
from rulewright.document.document import Document
from rulewright.document.document_reader import load_document
from rulewright.document.unread_files import read_explanations
from rulewright.frozen import frozen


@frozen
class KnownGame:
    """A game, None where it cannot be read; what was found while it was read, and when its rules were judged: None
    where only variants of it were.
    """

    document: Document | None
    reading: Diagnostics
    judgement: Diagnostics | None = None


def read_game(path: Path) -> KnownGame:
    """Reads a game."""
    reported = Diagnostics()
    document = load_document(path, reported)
    reading = Diagnostics()
    reading.extend(reported)
    if document is None:
        from rulewright.checker.beyond_shape import check_game_beyond_shape  # most files have the right shape

        reading.extend(check_game_beyond_shape(path, reported))
    return KnownGame(None if document is None else read_explanations(document, reading), reading)


__all__ = ["KnownGame", "read_game"]
