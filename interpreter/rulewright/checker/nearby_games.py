"""The game that a file belongs to: by the folders around it.

In: the path of a part of a game, or of a variant with the name of its game. Out: the game's folder or file, if there
is one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
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


def find_base_game(
    variant: Path, name: ScalarNode, local_games: Mapping[tuple[Path, str], Path], diagnostics: Diagnostics
) -> Path | None:
    """The game of a variant: one with it in its folders, one nearby, a shipped one; reports that there is none.
    `local_games`: by a folder of variants and the game's name.
    """
    for (folder, game_name), game in local_games.items():
        if game_name == name.text and real_path(variant).is_relative_to(folder):
            return game
    found = find_game_of_variant(variant, name.text)
    if found is not None:
        return found
    shipped = available_games()
    hints = (
        did_you_mean(name.text, [*games_beside(variant), *shipped]),
        list_names("shipped games", shipped),
        "for another game, give `--game PATH`",
    )
    help_ = join_hints(*hints)
    message = f"there is no game `{name.text}`"
    diagnostics.add(name.span, UNKNOWN_GAME, message, label="not found", help=help_, address="for")
    return None


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


__all__ = ["find_base_game", "find_game_of_variant", "folder_of_game"]
