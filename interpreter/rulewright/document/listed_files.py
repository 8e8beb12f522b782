"""Files that a game lists and that are not there, and files in its folder that it does not list.

In: which files were found where they are listed, and which were not. Out: diagnostics, with the file that is meant.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Final

from rulewright import limits
from rulewright.diagnostics import Diagnostics, Related, SourceFile, Span
from rulewright.document import codes
from rulewright.document.game_files import FIRST_CONTENT_LINE, MANIFEST, is_inside, source_path
from rulewright.frozen import field, mutable
from rulewright.source.file_text import files_below
from rulewright.source.nodes import Entry, MappingNode, ScalarNode, SequenceNode
from rulewright.source.reader import is_present_file, parse_file, peek_text
from rulewright.source.real_paths import is_within, real_path
from rulewright.suggestions import closest_name, did_you_mean, meant_hint

OTHER_SUFFIX: Final = ".yml"  # of YAML elsewhere
FILES_KEY: Final = "files"  # of a game's head: the manifest
UNLISTED_HINTS: Final = {  # by the first key of a file in a game's folder that its manifest does not list
    "scenarios": "move scenarios next to the game's folder, not into it",
    "variant": "move variants next to the game's folder, into `variants`, not into it",
    "joins": "move joint files next to their variants, not into the game's folder",
}


@mutable
class ListedFiles:
    """Those of one game. `path`: of its manifest, or of its only file; `listed`: each file with where it is listed."""

    path: Path
    listed: Mapping[Path, tuple[Span, str]]
    not_found: list[ScalarNode]  # names of files that are not there
    diagnostics: Diagnostics
    _meant: set[Path] = field(default_factory=set)  # files that a misspelled name probably means
    _siblings: list[str] = field(default_factory=list)  # what files that are not there may mean

    def report_missing(self) -> None:
        """Reports the files that are not there."""
        for item in self.not_found:
            self._report_missing(item)

    def _report_missing(self, item: ScalarNode) -> None:
        names = item.text.split()
        if len(names) > 1 and all(is_inside(name) and is_present_file(self.path.parent / name) for name in names):
            self._meant.update(real_path(self.path.parent / name) for name in names)
            message, hint = f"no file `{item.text}` in the game's folder", f"put commas between: `{', '.join(names)}`"
            self.diagnostics.add(item.span, codes.MISSING_FILE, message, label="several files", help=hint)
            return
        if not self._siblings:
            below = islice(files_below(self.path.parent, "*.yaml"), limits.MAX_SIBLING_FILES)
            self._siblings += sorted(path.relative_to(self.path.parent).as_posix() for path in below)
        closest = closest_name(item.text, self._siblings)
        if not closest and self.path.name == MANIFEST and len(self.not_found) == 1:
            unlisted = [path.relative_to(self.path.parent).as_posix() for path in self._unlisted()]
            closest = unlisted[0] if len(unlisted) == 1 else ""
        if closest:  # the file that is meant is not reported as one that nothing lists
            self._meant.add(real_path(self.path.parent / closest))
        message = f"no file `{item.text}` in the game's folder"
        hint = did_you_mean(item.text, self._siblings) or meant_hint(item.text, closest)
        hint = hint or "remove it from the list, or write the file"
        other = Path(item.text).with_suffix(OTHER_SUFFIX)
        if is_present_file(self.path.parent / other):
            hint = f"rename `{other.as_posix()}`: files of rules end in `.yaml`"
        self.diagnostics.add(item.span, codes.MISSING_FILE, message, label="not found", help=hint)

    def _unlisted(self) -> list[Path]:
        variants = self.path.parent / "variants"  # not files of the game itself
        known = {*self.listed, *self._meant}
        files = (path for path in sorted(files_below(self.path.parent, "*.yaml")) if not path.is_relative_to(variants))
        return [path for path in files if real_path(path) not in known]

    def report_unlisted(self, root: MappingNode, head: Mapping[str, Entry]) -> None:
        """Reports the files in the game's folder that its manifest does not list, unless that is wrong itself."""
        unlisted = self._unlisted()
        manifest = head.get(FILES_KEY, head.get("game"))
        if any(key in head and not isinstance(head[key].value, SequenceNode) for key in (FILES_KEY, "texts")):
            return  # what the manifest should be is reported
        others = [entry.key.text for entry in root if entry.key.text not in head]
        if FILES_KEY not in head and any(did_you_mean(key, [FILES_KEY]) for key in others):
            return  # a misspelled manifest is reported as that
        key = "texts" if all(_is_text_file(path, self.path.parent) for path in unlisted) else FILES_KEY
        if key not in head and len(unlisted) > 1 and manifest is not None:
            names = [path.relative_to(self.path.parent).as_posix() for path in unlisted]
            message = f"the game lists no {key}, but {len(names)} are in its folder"
            hint = f"add `{key}: [{', '.join(names)}]`, or delete them"
            self.diagnostics.add(manifest.key.span, codes.UNREACHED_FILE, message, help=hint)
            return
        for path in unlisted:
            self._report_unlisted(path, manifest)

    def _report_unlisted(self, path: Path, manifest: Entry | None) -> None:
        if not is_within(path, self.path.parent):
            parse_file(path, self.diagnostics, source_path=source_path(path), within=self.path.parent)
        elif is_present_file(path):
            source = SourceFile(source_path(path), peek_text(path))
            related = [Related(manifest.key.span, "the manifest")] if manifest is not None else []
            match = FIRST_CONTENT_LINE.search(source.text)
            first_key = "" if match is None else match[0].partition(":")[0]
            self.diagnostics.add(
                Span(source, *match.span()) if match else Span(source, 0, len(source.line_text(1))),
                codes.UNREACHED_FILE,
                "file not listed in the game's manifest",
                help=UNLISTED_HINTS.get(first_key, "list it under `files`, or delete it"),
                related=related,
            )


def _is_text_file(path: Path, within: Path) -> bool:
    """Whether a file in a folder has the sentences in a language."""
    match = FIRST_CONTENT_LINE.search(peek_text(path, within)) if is_present_file(path) else None
    return match is not None and match[0].startswith("texts:")


__all__ = ["ListedFiles"]
