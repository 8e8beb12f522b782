"""Changes of several files that belong together, as when a name is changed in all of them: until the last has come
nobody is told what is wrong with the others.

In: what renaming asks an editor to change, and the changes that come. Out: how long it is to be waited for more. An
editor that takes a renaming back, or does it again, sends the same texts; other changes belong together where they come
at once, in more than one file.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from rulewright.editor.renaming import NameEdit
from rulewright.editor.workspace import Workspace
from rulewright.source.real_paths import real_path
from rulewright.source.unsaved import held_text

MAX_KEPT: Final = 8  # renamings that can be taken back
MAX_WAIT: Final = 0.5  # seconds for the next of the changes that are expected
TOGETHER: Final = 0.1  # seconds at most between changes of two files that come at once
SILENCE: Final = 0.05  # seconds after which no more of them come

TextPair = tuple[str, str]  # before a renaming, and after it


class JointChanges:
    """What was renamed, and the changes that have come last."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._renamings: deque[Mapping[Path, TextPair]] = deque(maxlen=MAX_KEPT)
        self._missing: dict[Path, str] = {}  # what files still say until their change comes
        self._last_path: Path | None = None
        self._last_time = 0.0
        self._are_several = False

    def expect(self, edits: Mapping[Path, Sequence[NameEdit]]) -> None:
        """An editor is asked to change this."""
        pairs = {real_path(path): _texts(its) for path, its in edits.items() if its}
        if len(pairs) > 1:
            self._renamings.appendleft(pairs)

    def note(self, path: Path, now: float) -> None:
        """A text has changed. `now`: in seconds."""
        if now - self._last_time >= TOGETHER:
            self._are_several = False
        elif path != self._last_path:
            self._are_several = True
        self._last_path, self._last_time = path, now
        text = held_text(path)
        for pairs in self._renamings:
            if path in pairs and text in pairs[path]:
                others = 1 - pairs[path].index(text)
                self._missing = {other: texts[others] for other, texts in pairs.items() if other != path}
                return
        self._missing = {}

    def wait_time(self, now: float) -> float:
        """How many seconds it is to be waited for more; 0 where all has come."""
        is_missing = any(self._is_still(path, text) for path, text in self._missing.items())
        wait = MAX_WAIT if is_missing else SILENCE if self._are_several else 0
        return max(0.0, self._last_time + wait - now)

    def _is_still(self, path: Path, text: str) -> bool:
        return path in self._workspace.open and held_text(path) == text


def _texts(edits: Iterable[NameEdit]) -> TextPair:
    """What a file says before some edits, and after them."""
    ordered = sorted(edits, key=lambda edit: edit.span.start)
    before = ordered[0].span.source.text
    parts, end = list[str](), 0
    for edit in ordered:
        parts += [before[end : edit.span.start], edit.text]
        end = edit.span.end
    return before, "".join([*parts, before[end:]])


__all__ = ["JointChanges"]
