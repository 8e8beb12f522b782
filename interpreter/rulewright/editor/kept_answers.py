"""What was found of a text while it could be read, for as long as it cannot: what has not changed since keeps it.

In: files with their texts, and what is found of them. Out: what was found last, and a `TextChange`, which leads from a
place of the text in which it was found to the same place of the present one. Who types changes one place: what stands
before it stays, what stands behind it moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, Generic, TypeVar

from rulewright.editor.workspace import Workspace
from rulewright.frozen import frozen

T = TypeVar("T")


@frozen
class TextChange:
    """What differs between two texts: the first character, the one behind the last (in the earlier text), and by how
    much all behind it has moved.
    """

    first: int
    end: int
    shift: int

    def moved(self, offset: int) -> int | None:
        """Where a character of the earlier text stands in the present one; None where it has changed."""
        if offset < self.first:
            return offset
        return offset + self.shift if offset >= self.end else None

    def moved_end(self, offset: int) -> int:
        """The same of the end of a part, which is that of the change where it has changed."""
        return offset if offset <= self.first else max(offset, self.end) + self.shift


NO_CHANGE: Final = TextChange(0, 0, 0)


def change_between(before: str, after: str) -> TextChange:
    """What differs between a text and a later one."""
    first = length_in_common(before, after)
    rest = length_in_common(before[first:][::-1], after[first:][::-1])
    return TextChange(first, len(before) - rest, len(after) - len(before))


def length_in_common(left: Sequence[object], right: Sequence[object]) -> int:
    """How many characters two texts, or items two lists, begin with in common; halving compares large ones faster than
    a loop would.
    """
    least, most = 0, min(len(left), len(right))
    while least < most:
        middle = (least + most + 1) // 2
        if left[least:middle] == right[least:middle]:
            least = middle
        else:
            most = middle - 1
    return least


class KeptAnswers(Generic[T]):
    """What was found last of each open file that could be read then."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._known: dict[Path, tuple[str, T]] = {}

    def knows(self, path: Path) -> bool:
        """Whether anything was found of a file."""
        return path in self._known

    def latest(self, path: Path, text: str, found: T | None) -> tuple[T, TextChange] | None:
        """What is found of a file now or, where that is None, what was found last; None where nothing ever was."""
        if found is not None:
            self._known = {each: known for each, known in self._known.items() if each in self._workspace.open}
            self._known[path] = text, found
            return found, NO_CHANGE
        if path not in self._known:
            return None
        before, known = self._known[path]
        return known, change_between(before, text)


__all__ = ["NO_CHANGE", "KeptAnswers", "TextChange", "change_between", "length_in_common"]
