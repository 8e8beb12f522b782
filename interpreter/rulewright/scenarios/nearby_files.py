"""The game and the variants that a scenario file means: files beside it or above, else what is shipped.

In: the path of a scenario file, and names. Out: paths; the names that there are. `NearbyFiles` reads each file once,
however many scenarios ask for one.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import Final

from rulewright import limits
from rulewright.document.document import MANIFEST
from rulewright.frozen import field, mutable
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.locate import NotFound, available_variants, find_game, head_file
from rulewright.source.file_text import is_present_file
from rulewright.source.reader import peek_text
from rulewright.source.real_paths import real_path

PATTERNS: Final = ("*.yaml", "variants/*.yaml")  # where the game and variants of a scenario are looked for
NAMED: Final = lazy_pattern(r"^(game|variant): *([^#\n]*)", re.MULTILINE)
JOINT_HEAD: Final = lazy_pattern(r"^joins:", re.MULTILINE)  # a joint file has the name of its file
VARIANT_HEAD: Final = lazy_pattern(r"^(variant|for): *([a-z][a-z0-9_-]*)", re.MULTILINE)


@mutable
class _Heads:
    """What the files of a folder say they are. `paths`: by kind and name the file that is called like that, else the
    first; `variants`: names, each with its game.
    """

    paths: dict[tuple[str, str], Path] = field(default_factory=dict)
    variants: list[tuple[str, str]] = field(default_factory=list)

    def add(self, path: Path, text: str) -> None:
        """Takes what the text of a file says."""
        for kind, name in NAMED.findall(text):
            known = self.paths.setdefault((kind, name.rstrip()), path)
            if path.stem == name.rstrip() != known.stem:  # the other may be a copy that still has its name
                self.paths[kind, name.rstrip()] = path
        if JOINT_HEAD.search(text):
            self.paths.setdefault(("variant", path.stem), path)
        head = dict(VARIANT_HEAD.findall(text))
        if "variant" in head and "for" in head:
            self.variants.append((head["variant"], head["for"]))


class NearbyFiles:
    """The files around scenario files, as they were when they were first asked for."""

    def __init__(self) -> None:
        self._heads: dict[Path, _Heads] = {}  # by folder
        self._found: dict[tuple[Path, str, str], str] = {}  # by folder, kind and name
        self._known: dict[tuple[Path, str, str], list[str]] = {}

    def find(self, path: Path, kind: str, name: str) -> str:
        """The game or variant of that name beside a scenario file, or in a folder of games or variants there or above.

        The name itself when there is none: then it is that of a shipped one.
        """
        key = (path.parent, kind, name)
        if key not in self._found:
            self._found[key] = self._find(path, kind, name)
        return self._found[key]

    def _find(self, path: Path, kind: str, name: str) -> str:
        for folder in _folders_above(path):
            file = self._heads_in(folder).paths.get((kind, name))
            if file is None and Path(name).name == name and is_present_file(manifest := folder / name / MANIFEST):
                heads = _Heads()
                heads.add(manifest, peek_text(manifest, within=folder))
                file = heads.paths.get((kind, name))
            if file is not None:
                return str(file)
        return name

    def variants(self, path: Path, name: str, game: str) -> list[str]:
        """The names of the variants of a game that a scenario file can use: those beside it or above, and the game's
        own. Variants that are always applied are not among them.
        """
        key = (path.parent, name, game)
        if key not in self._known:
            found = [variant for folder in _folders_above(path) for variant in self._heads_in(folder).variants]
            own = _Heads()
            with suppress(NotFound):
                for file in available_variants(name, head_file(find_game(game))).values():
                    own.add(file, peek_text(file))
            named = (variant for variant, of_game in (*found, *own.variants) if of_game == name)
            self._known[key] = list(dict.fromkeys(named))
        return self._known[key]

    def _heads_in(self, folder: Path) -> _Heads:
        heads = self._heads.get(folder)
        if heads is None:
            heads = self._heads[folder] = _Heads()
            for file in (file for pattern in PATTERNS for file in sorted(folder.glob(pattern))):
                heads.add(file, peek_text(file, within=folder))
        return heads


def find_nearby_file(path: Path, kind: str, name: str) -> str:
    """The same as `NearbyFiles.find`, of the files as they are now."""
    return NearbyFiles().find(path, kind, name)


def known_variants(path: Path, name: str, game: str) -> list[str]:
    """The same as `NearbyFiles.variants`, of the files as they are now."""
    return NearbyFiles().variants(path, name, game)


def _folders_above(path: Path) -> list[Path]:
    return list(real_path(path).parents)[: limits.MAX_PARENT_FOLDERS]


__all__ = ["NearbyFiles", "find_nearby_file", "known_variants"]
