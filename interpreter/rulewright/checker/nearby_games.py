"""The game that a file belongs to: by the folders around it.

In: the path of a part of a game, or of a variant with the name of its game. Out: the game's folder or file, if there
is one.
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from rulewright import limits
from rulewright.diagnostics import Diagnostics
from rulewright.document.document import MANIFEST
from rulewright.model.locate import available_games, find_game, games_beside
from rulewright.source.file_text import is_present_file, peek_text
from rulewright.source.nodes import ScalarNode
from rulewright.source.real_paths import real_path
from rulewright.suggestions import did_you_mean, join_hints, list_names
from rulewright.variants.codes import UNKNOWN_GAME


def folder_of_game(path: Path) -> Path | None:
    """The folder of the game that a file belongs to."""
    folders = list(real_path(path).parents)[: limits.MAX_PARENT_FOLDERS]
    return next((folder for folder in folders if is_present_file(folder / MANIFEST)), None)


class BaseGames:
    """The games of variants, each looked for once in a folder, however many variants of it are there."""

    def __init__(self) -> None:
        self._games: dict[tuple[Path, str], Path] = {}  # by a folder of variants and the game's name
        self._found: dict[tuple[Path, str], Path | None] = {}  # the same, of what is right in it
        self._beside: dict[Path, list[str]] = {}  # by folder the games around it

    def add_folder(self, folder: Path, name: str, game: Path) -> None:
        """Takes a folder of variants of a game; of two games of that name the first."""
        self._games.setdefault((real_path(folder), name), game)

    def find(self, variant: Path, name: ScalarNode, diagnostics: Diagnostics) -> Path | None:
        """The game of a variant: one with it in its folders, one nearby, a shipped one; reports that there is none."""
        path = real_path(variant)
        game = next((game for folder in path.parents if (game := self._games.get((folder, name.text)))), None)
        game = game or self._find_nearby(path, name.text)
        if game is None:
            message = f"there is no game `{name.text}`"
            hint = partial(self._hint, variant, name.text)
            diagnostics.add(name.span, UNKNOWN_GAME, message, label="not found", help=hint, address="for")
        return game

    def _hint(self, variant: Path, name: str) -> str:
        if variant.parent not in self._beside:
            self._beside[variant.parent] = games_beside(variant)
        shipped = available_games()
        hints = (
            did_you_mean(name, [*self._beside[variant.parent], *shipped]),
            list_names("shipped games", shipped),
            "for another game, give `--game PATH`",
        )
        return join_hints(*hints)

    def _find_nearby(self, variant: Path, name: str) -> Path | None:
        if variant.stem == name:  # which is not its own game, but may be that of those beside it
            return find_game_of_variant(variant, name)
        key = (variant.parent, name)
        if key not in self._found:
            self._found[key] = find_game_of_variant(variant, name)
        return self._found[key]


def find_game_of_variant(variant: Path, name: str) -> Path | None:
    """The game of that name nearby, else the shipped one."""
    nearby = _find_nearby_game(real_path(variant), name)
    return nearby if nearby is not None else find_game(name) if name in available_games() else None


def _find_nearby_game(variant: Path, name: str) -> Path | None:
    """The game of that name in a folder above a variant, or in `rules` of such a folder."""
    if not name or Path(name).name != name:  # an empty name, `.` or a path
        return None
    for parent in variant.parents:
        for path in (parent / "rules" / name, parent / name):
            if is_present_file(path / MANIFEST):
                return path
            file = path.with_name(f"{path.name}.yaml")
            if is_present_file(file) and file != variant:
                return file
        if _is_manifest_of(parent / MANIFEST, name):
            return parent
    return None


def _is_manifest_of(path: Path, name: str) -> bool:
    line = re.compile(rf"^game: *{re.escape(name)}\s*(#|$)", re.MULTILINE)
    return line.search(peek_text(path)) is not None


__all__ = ["BaseGames", "find_game_of_variant", "folder_of_game"]
