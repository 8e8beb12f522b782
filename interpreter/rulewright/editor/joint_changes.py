"""Changes of several files that belong together, as when a name is changed in all of them: until the last has come
nobody is told what is wrong with the others.

In: what renaming asks an editor to change, and the changes that come. Out: how long it is to be waited for more. An
editor that takes a renaming back, or does it again, sends the same texts, perhaps word by word; other changes belong
together where they come at once, in more than one file.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal

from rulewright.editor.renaming import NameEdit
from rulewright.editor.workspace import Workspace
from rulewright.frozen import frozen
from rulewright.source.real_paths import real_path
from rulewright.source.unsaved import held_text

MAX_KEPT: Final = 8  # renamings that can be taken back
MAX_WAIT: Final = 0.5  # seconds for the next of the changes that are expected
TOGETHER: Final = 0.1  # seconds at most between changes of two files that come at once
SILENCE: Final = 0.05  # seconds after which no more of them come

State = Literal["before", "between", "after"]  # of a file, as long as nothing else changes in it


@frozen
class RenamedText:
    """A text of which some words change: what is around them, and each word with what is to stand instead."""

    around: tuple[str, ...]
    words: tuple[tuple[str, str], ...]

    def state_of(self, text: str) -> State | None:
        """Whether none, some or all of the words are changed in a text; None for one in which more has changed."""
        if not text.startswith(self.around[0]):
            return None
        place, changed = len(self.around[0]), 0
        for pair, behind in zip(self.words, self.around[1:], strict=True):
            index = next((index for index in (1, 0) if text.startswith(pair[index] + behind, place)), None)
            if index is None:
                return None
            changed += index
            place += len(pair[index]) + len(behind)
        if place != len(text):
            return None
        return "before" if not changed else "after" if changed == len(self.words) else "between"


class JointChanges:
    """What was renamed, and the changes that have come last."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._renamings: deque[Mapping[Path, RenamedText]] = deque(maxlen=MAX_KEPT)
        self._under_way: Mapping[Path, RenamedText] = {}
        self._state: State = "before"  # of the file that has changed last
        self._last_path: Path | None = None
        self._last_time = 0.0
        self._are_several = False

    def expect(self, edits: Mapping[Path, Sequence[NameEdit]]) -> None:
        """An editor is asked to change this."""
        if edits:
            self._renamings.appendleft({real_path(path): _renamed_text(its) for path, its in edits.items()})

    def note(self, path: Path, now: float) -> None:
        """A text has changed. `now`: in seconds."""
        if now - self._last_time >= TOGETHER:
            self._are_several = False
        elif path != self._last_path:
            self._are_several = True
        self._last_path, self._last_time, self._under_way = path, now, {}
        for renaming in self._renamings:
            state = _state_of(renaming, path)
            if state is not None:
                self._under_way, self._state = renaming, state
                break

    def wait_time(self, now: float) -> float:
        """How many seconds it is to be waited for more; 0 where all has come."""
        wait = MAX_WAIT if any(map(self._is_missing, self._under_way)) else SILENCE if self._are_several else 0
        return max(0.0, self._last_time + wait - now)

    def _is_missing(self, path: Path) -> bool:
        """Whether more is to come of a file: some of its words, or all where those of another file have changed."""
        if path not in self._workspace.open:
            return False
        state = _state_of(self._under_way, path)
        return state == "between" or (state is not None and self._state not in (state, "between"))


def _state_of(renaming: Mapping[Path, RenamedText], path: Path) -> State | None:
    text, renamed = held_text(path), renaming.get(path)
    return None if text is None or renamed is None else renamed.state_of(text)


def _renamed_text(edits: Iterable[NameEdit]) -> RenamedText:
    ordered = sorted(edits, key=lambda edit: edit.span.start)
    before = ordered[0].span.source.text
    starts, ends = [edit.span.start for edit in ordered], [edit.span.end for edit in ordered]
    around = (before[end:start] for end, start in zip([0, *ends], [*starts, len(before)], strict=True))
    return RenamedText(tuple(around), tuple((edit.span.text, edit.text) for edit in ordered))


__all__ = ["JointChanges"]
