"""The game that a file belongs to, as it is while the file is written.

In: the path of a rule file. Out: an `OpenRules`: the game's document, with the file's variant applied, its files, and
what is declared in it; None for a file that belongs to no game.
"""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path
from typing import Final

from rulewright.checker.checker import find_game_of_variant, folder_of_game
from rulewright.diagnostics import Diagnostics
from rulewright.document.declared_names import Declaration, iter_declarations
from rulewright.document.document import MANIFEST, Document, load_document
from rulewright.model.loader import build_composition, common_player_counts, compose_document, player_counts
from rulewright.model.locate import available_games, available_variants, is_shipped_path, joint_files
from rulewright.model.rules import Rules
from rulewright.source.nodes import MappingNode
from rulewright.source.reader import peek_text
from rulewright.variants.variant import Variant, load_variant

LOCAL: Final = frozenset({"field", "choice"})  # names that mean something only after another or in an action
VARIANT_KEYS: Final = ("variant", "joins")
FIRST_KEY: Final = re.compile(r"^(\w+):", re.MULTILINE)
GAME_OF_FILE: Final = re.compile(r"^(?:for|part_of|display): *([\w-]+)", re.MULTILINE)
GAME: Final = re.compile(r"^game: *([\w-]+)", re.MULTILINE)
MAX_FOLDERS: Final = 4  # above a variant, in which its game is looked for
GAME_OF_VARIANT: Final = re.compile(r"^for: *([\w-]+)", re.MULTILINE)


class OpenRules:
    """A game with the variant of the file that is open, if it is one. `path`: of that file; `game`: of the game;
    `variant`: None also while it cannot be read.
    """

    def __init__(self, path: Path, game: Path, variant: Variant | None, *, is_variant: bool = False) -> None:
        self.path, self.game, self.variant, self.is_variant = path, game, variant, is_variant

    @cached_property
    def base(self) -> Document | None:
        """The game's document without variants."""
        return load_document(self.game, Diagnostics())

    @cached_property
    def root(self) -> MappingNode | None:
        """The rules as they are with the variant; without it where it cannot be applied."""
        if self.base is None:
            return None
        fewest = player_counts(self.base)[0]
        chosen = [] if self.variant is None else [str(self.variant.path)]
        for paths in (chosen, list[str]()):
            composition = compose_document(self.base, fewest, paths, Diagnostics())
            if composition is not None:
                return composition.document.root
        return self.base.root

    @cached_property
    def rules_by_players(self) -> dict[int, Rules]:
        """The rules at each number of players at which they are right."""
        if self.base is None:
            return {}
        variants = [] if self.variant is None else [self.variant]
        found: dict[int, Rules] = {}
        for players in common_player_counts(self.base, variants):
            diagnostics = Diagnostics()
            composition = compose_document(self.base, players, [str(each.path) for each in variants], diagnostics)
            rules = None if composition is None else build_composition(composition, diagnostics)
            if rules is not None and not diagnostics.error_count:
                found[players] = rules
        return found

    @cached_property
    def declarations(self) -> dict[str, Declaration]:
        """What the rules declare, by its name; of two things of one name the first."""
        found: dict[str, Declaration] = {}
        for declaration in [] if self.root is None else iter_declarations(self.root):
            if declaration.label not in LOCAL:
                found.setdefault(declaration.name, declaration)
        return found

    def read_now(self) -> None:
        """Reads the files as they are now; else they are read when something is asked for."""
        _ = self.declarations  # which asks for all the rest

    def files(self) -> list[Path]:
        """The files of the game and its variants, the open one first; shipped ones only with a shipped game."""
        paths = [self.path]
        if self.base is not None:
            folder = self.game if self.game.is_dir() else self.game.parent
            near = folder.rglob("*.y*ml") if self.game.is_dir() else folder.glob("*.y*ml")
            paths += (path for path in sorted(near) if self.game.is_dir() or self._is_of_this_game(path))
            paths += available_variants(self.base.name, self.base.path).values()
            paths += joint_files(self.base.name, self.base.path)
        is_shipped = is_shipped_path(self.path) or is_shipped_path(self.game)
        return list({path.resolve(): path for path in paths if is_shipped or not is_shipped_path(path)}.values())

    def _is_of_this_game(self, path: Path) -> bool:
        """Whether a file beside a game of one file is the game, or says that it is for it."""
        named = GAME_OF_FILE.search(peek_text(path))
        return path == self.game or (named is not None and self.base is not None and named[1] == self.base.name)


def open_rules(path: Path) -> OpenRules | None:
    """The game that a file belongs to, also while its text is broken: only lines are looked at."""
    text = peek_text(path)
    first, game_named = FIRST_KEY.search(text), GAME_OF_VARIANT.search(text)
    kind = "" if first is None else first[1]
    if kind in VARIANT_KEYS:
        name = "" if game_named is None else game_named[1]
        game = find_game_of_variant(path, name)
        return None if game is None else OpenRules(path, game, load_variant(path, Diagnostics()), is_variant=True)
    if kind == "game":
        return OpenRules(path, path.parent if path.name == MANIFEST else path, None)
    folder = folder_of_game(path)
    return None if folder is None else OpenRules(path, folder, None)


def games_near(path: Path) -> list[str]:
    """The names of the games that a variant of this path can be for: those around it, and the shipped ones."""
    found = []
    for folder in list(path.parents)[:MAX_FOLDERS]:
        for file in (*folder.glob("*.yaml"), *folder.glob(f"*/{MANIFEST}"), *folder.glob(f"rules/*/{MANIFEST}")):
            named = GAME.search(peek_text(file))
            found += [named[1]] if named is not None else []
    return list(dict.fromkeys([*found, *available_games()]))


__all__ = ["OpenRules", "games_near", "open_rules"]
