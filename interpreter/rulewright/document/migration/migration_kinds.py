"""Variants of version 1 that were no choice, in the files of today: joint files, and a game's own for its numbers of
players.

In: the mapping of a variant with `applies: always`, or of a game that lists `overlays`. Out: edits, or a new text.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from rulewright.document.migration.migration_edits import Edit, apply_edits, is_flow, node_end, removals, replaced
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.nodes import MappingNode, ScalarNode, SequenceNode, as_items, text_or_default

SCHEMA_COMMENT: Final = lazy_pattern(r"\$schema=(\S*/)?variant\.schema\.json")
FORMER_SIGN: Final = "applies"  # of a variant that was no choice
FORMER_LIST: Final = "overlays"  # of a game: the numbers of players for which there was one


def was_joint(root: MappingNode) -> bool:
    """Whether a variant of version 1 joined others."""
    return FORMER_SIGN in root and "requires" in root


def was_adjustment(root: MappingNode) -> bool:
    """Whether a variant of version 1 belonged to a number of players."""
    return FORMER_SIGN in root and "requires" not in root and "players" in root


def joint_edits(root: MappingNode) -> Iterator[Edit]:
    """Edits that make a joint file of a variant: what it requires is what it joins."""
    first, requires, text = root.entries[0], root.entry("requires"), root.span.source.text
    assert requires is not None
    names = ", ".join(text_or_default(item) for item in as_items(requires.value)) or text_or_default(requires.value)
    yield Edit(first.key.span.start, node_end(first.value), f"joins: [{names}]")
    yield from removals(root, [entry for entry in root if entry.key.text in ("requires", FORMER_SIGN)])
    comment = SCHEMA_COMMENT.search(text, 0, first.key.span.start)
    if comment is not None:
        yield Edit(comment.start(), comment.end(), f"$schema={comment[1] or ''}joins.schema.json")


def adjustment_text(root: MappingNode, old: Path, new: Path) -> str:
    """The text of a game's file for a number of players; `old`, `new`: where it was and where it will be."""
    first, text = root.entries[0], root.span.source.text
    assert isinstance(first.value, ScalarNode)
    edits = [replaced(first.key, "adjusts"), replaced(first.value, text_or_default(root.get("for")))]
    edits += removals(root, [entry for entry in root if entry.key.text in ("for", FORMER_SIGN)])
    comment = SCHEMA_COMMENT.search(text, 0, first.key.span.start)
    if comment is not None:
        folder = Path(os.path.relpath(old.parent / (comment[1] or "."), new.parent))
        edits.append(Edit(comment.start(), comment.end(), f"$schema={(folder / 'adjusts.schema.json').as_posix()}"))
    return apply_edits(text, edits)


def manifest_edits(root: MappingNode, names: Sequence[str]) -> Iterator[Edit]:
    """Edits of a game's head: files of these names are listed, numbers of players are not."""
    former, files, text = root.entry(FORMER_LIST), root.entry("files"), root.span.source.text
    if files is None and former is not None and names:
        yield Edit(former.key.span.start, node_end(former.value), f"files: [{', '.join(names)}]")
        return
    if former is not None:
        yield from removals(root, [former])
    if files is None or not isinstance(files.value, SequenceNode) or not files.value.items or not names:
        return
    last = files.value.items[-1]
    end = node_end(last)
    if is_flow(files.value):
        yield Edit(end, end, "".join(f", {name}" for name in names))
        return
    dash = text[text.rfind("\n", 0, last.span.start) + 1 : last.span.start].rstrip("'\"")
    line_end = text.find("\n", end)
    place = len(text) if line_end < 0 else line_end
    yield Edit(place, place, "".join(f"\n{dash}{name}" for name in names))


__all__ = ["adjustment_text", "joint_edits", "manifest_edits", "was_adjustment", "was_joint"]
