"""Rule files while they are migrated: their texts as they are by now, and which of them make up a game.

In: paths. Out: texts, nodes and edits of them. Nothing is written here.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rulewright.diagnostics import Diagnostics, SourceFile
from rulewright.document.migration.migration_edits import Edit, apply_edits
from rulewright.frozen import field, mutable
from rulewright.source.nodes import MappingNode
from rulewright.source.reader import parse_file, parse_source, peek_text


@mutable
class FileSet:
    """Rule files while they are migrated. `texts`: those that are read or new; `gone`: those to be deleted; `unread`:
    those that are there but cannot be read to their end, and stay as they are.
    """

    texts: dict[Path, str] = field(default_factory=dict)
    gone: set[Path] = field(default_factory=set)
    unread: set[Path] = field(default_factory=set)
    done: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)

    def text(self, path: Path) -> str:
        """The text of a file as it is by now; empty when there is none, or none that can be read to its end."""
        if path in self.gone or path in self.unread:
            return ""
        if path not in self.texts:
            diagnostics = Diagnostics()
            parse_file(path, diagnostics)
            if diagnostics.error_count:
                if path.exists():
                    self.unread.add(path)
                return ""
            self.texts[path] = peek_text(path)
        return self.texts[path]

    def root(self, path: Path) -> MappingNode | None:
        """The mapping of a file; None when it cannot be read to its end."""
        diagnostics = Diagnostics()
        node = parse_source(SourceFile(str(path), self.text(path)), diagnostics)
        return node if isinstance(node, MappingNode) and node.entries and not diagnostics.error_count else None

    def edit(self, path: Path, edits: Iterable[Edit]) -> bool:
        """Applies edits to a file; whether there were any."""
        made = tuple(edits)
        if made:
            self.texts[path] = apply_edits(self.text(path), made)
        return bool(made)


@mutable
class GameFiles:
    """A game: its manifest, the files that it lists, the variants that were given with it."""

    manifest: Path
    parts: list[Path]
    variants: list[Path]


__all__ = ["FileSet", "GameFiles"]
