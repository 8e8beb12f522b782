"""The game that a file belongs to, as it is while the file is written.

In: the path of a rule file. Out: an `OpenRules`: the game's document, with the file's variant applied, its files, and
what is declared in it; None for a file that belongs to no game.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

from rulewright.checker.nearby_games import find_game_of_variant, folder_of_game
from rulewright.diagnostics import Diagnostics
from rulewright.document.declared_names import Declaration, iter_declarations
from rulewright.document.document import MANIFEST, Document
from rulewright.document.document_reader import load_document, load_mended_document
from rulewright.document.schemas import FILE_KINDS
from rulewright.editor.file_names import GameNames
from rulewright.editor.file_nodes import node_of_file
from rulewright.editor.typed_scopes import declared_symbols
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.allowed_players import common_player_counts
from rulewright.model.loader import build_composition, compose_document
from rulewright.model.locate import NotFound, available_games, available_variants, find_game, is_shipped_path
from rulewright.model.rules import Rules
from rulewright.model.symbol_table import SymbolTable
from rulewright.scenarios.nearby_files import find_nearby_file
from rulewright.source.nodes import MappingNode
from rulewright.source.reader import peek_text
from rulewright.source.real_paths import real_path
from rulewright.suggestions import closest_name
from rulewright.variants.variant import load_variant, translation_files

LOCAL: Final = frozenset({"field", "choice"})  # names that mean something only after another or in an action
SCENARIOS: Final = "scenarios"
KEYS_OF_RULE_FILES: Final = ("for", "language", "part_of")
KINDS_WITH_RULES: Final = ("game", "part_of")  # of files in which a key at the top is an address
VARIANT_KEYS: Final = ("variant", "joins")
# files whose first key other programs have, too; here the name of a game, component or language follows it
PARTS: Final = ("rows", "texts", "display", "sources", "statements")
NAMED_PART: Final = lazy_pattern(rf"^(?:{'|'.join(PARTS)}):[ \t]+[\"']?[A-Za-z]", re.MULTILINE)
FIRST_KEY: Final = lazy_pattern(r"^(\w+):", re.MULTILINE)
GAME_OF_FILE: Final = lazy_pattern(r"^(?:for|part_of|display): *([\w-]+)", re.MULTILINE)
NOT_SEARCHED: Final = ("node_modules", "site-packages", "__pycache__")
MAX_FILES: Final = 20_000  # of an open folder that are looked at
GAME: Final = lazy_pattern(r"^game: *([\w-]+)", re.MULTILINE)
MAX_FOLDERS: Final = 4  # above a variant, in which its game is looked for
GAME_OF_VARIANT: Final = lazy_pattern(r"^for: *([\w-]+)", re.MULTILINE)


class OpenRules:
    """A game with the variant of the file that is open, if it is one. `path`: of that file; `game`: of the game;
    `folders`: those that the editor has open, in which scenarios and variants of the game may be.
    """

    def __init__(self, path: Path, game: Path, *, is_variant: bool = False, folders: Sequence[Path] = ()) -> None:
        self.path, self.game, self.is_variant, self.folders = path, game, is_variant, folders

    @property
    def kind(self) -> str:
        """The first key of the file; empty where there is none yet."""
        first = FIRST_KEY.search(peek_text(self.path))
        return "" if first is None else first[1]

    @cached_property
    def base(self) -> Document | None:
        """The game's document without variants; where its files have a wrong shape, without the parts that have it."""
        return self._read_game[0]

    @property
    def is_whole(self) -> bool:
        """Whether nothing of the game is left out because it has a wrong shape."""
        return self._read_game[1]

    @cached_property
    def _read_game(self) -> tuple[Document | None, bool]:
        document = load_document(self.game, Diagnostics())
        mended = load_mended_document(self.game) if document is None else None
        return (mended[0], False) if mended is not None else (document, True)

    @cached_property
    def names(self) -> GameNames | None:
        """The names of the game, and of its variants."""
        return None if self.base is None else GameNames(self.base)

    @cached_property
    def root(self) -> MappingNode | None:
        """The rules as they are with the variant; without it where it cannot be applied."""
        if self.names is None:
            return None
        node = node_of_file(self.path)
        names = self.names.of_file(self.path, node) if isinstance(node, MappingNode) and node.entries else None
        return (names or self.names.of_game).root

    @cached_property
    def symbols(self) -> SymbolTable | None:
        """What each name means that the rules declare, with its type."""
        return None if self.base is None or self.root is None else declared_symbols(self.base, self.root)

    @cached_property
    def built(self) -> dict[int, tuple[MappingNode, Rules]]:
        """The rules at each number of players at which they are right, as they are written and as they are played."""
        if self.base is None or self.names is None:
            return {}
        paths = self.names.variants_of(self.path) if self.is_variant else ()
        variants = [variant for path in paths if (variant := load_variant(Path(path), Diagnostics())) is not None]
        found: dict[int, tuple[MappingNode, Rules]] = {}
        for players in common_player_counts(self.base, variants):
            diagnostics = Diagnostics()
            composition = compose_document(self.base, players, paths, diagnostics)
            rules = None if composition is None else build_composition(composition, diagnostics)
            if composition is not None and rules is not None and not diagnostics.error_count:
                found[players] = composition.document.root, rules
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
        """The files of the game, its variants and scenarios, the open one first; shipped ones with a shipped game."""
        paths = [self.path]
        if self.base is not None:
            folder = self.game if self.game.is_dir() else self.game.parent
            near = folder.rglob("*.y*ml") if self.game.is_dir() else folder.glob("*.y*ml")
            paths += (path for path in sorted(near) if self.game.is_dir() or self._is_of_this_game(path))
            variants = available_variants(self.base.name, self.base.path).values()
            paths += variants
            paths += (text for variant in variants for text in translation_files(variant))
            beside = [*folder.parent.glob("*.y*ml"), *self.path.parent.glob("*.y*ml")]
            elsewhere = (path for open_folder in self.folders for path in rule_files_in(open_folder))
            paths += (path for path in sorted({*beside, *elsewhere}) if self._is_of_this_game(path))
        is_shipped = is_shipped_path(self.path) or is_shipped_path(self.game)
        return list({real_path(path): path for path in paths if is_shipped or not is_shipped_path(path)}.values())

    def _is_of_this_game(self, path: Path) -> bool:
        """Whether a file outside of the game's folder is the game, or says that it is for it."""
        if self.base is None or real_path(path) == real_path(self.base.path):
            return self.base is not None
        named = GAME_OF_FILE.search(peek_text(path))
        if named is None or named[1] != self.base.name:
            return False
        first = FIRST_KEY.search(peek_text(path))
        game = _game_named_by(path, "" if first is None else first[1], self.base.name)
        return game is not None and real_path(game) == real_path(self.game)


def rule_files_in(folder: Path) -> Iterator[Path]:
    """The YAML files in a folder that an editor has open, without those that are hidden or installed."""
    count = 0
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in NOT_SEARCHED)
        for name in sorted(files):
            count += 1
            if name.endswith((".yaml", ".yml")):
                yield Path(place, name)
        if count > MAX_FILES:
            return


def open_rules(path: Path, folders: Sequence[Path] = ()) -> OpenRules | None:
    """The game that a file belongs to, also while its text is broken: only lines are looked at."""
    text = peek_text(path)
    first, game_named = FIRST_KEY.search(text), GAME_OF_VARIANT.search(text)
    kind = "" if first is None else first[1]
    folder = folder_of_game(path) if kind not in VARIANT_KEYS else None
    if kind == "game":
        return OpenRules(path, path.parent if path.name == MANIFEST else path, folders=folders)
    if folder is not None and kind != SCENARIOS:
        return OpenRules(path, folder, folders=folders)
    game = _game_named_by(path, kind, "" if game_named is None else game_named[1])
    return None if game is None else OpenRules(path, game, is_variant=kind in VARIANT_KEYS, folders=folders)


def is_rule_file(path: Path) -> bool:
    """Whether a file is one of rules, not another YAML file that an editor has open: it begins as one, or is in the
    folder of a game. Only lines are looked at.
    """
    folder = folder_of_game(path)
    return _begins_as_rules(path) or (folder is not None and _begins_as_rules(folder / MANIFEST))


def _begins_as_rules(path: Path) -> bool:
    """By its first key, also where that is misspelled and there are keys that no other files have."""
    text = peek_text(path)
    keys = FIRST_KEY.findall(text)
    if keys[:1] and keys[0] in FILE_KINDS and (keys[0] not in PARTS or NAMED_PART.search(text) is not None):
        return True
    is_slip = bool(keys) and (not {*keys}.isdisjoint(FILE_KINDS) or bool(closest_name(keys[0], FILE_KINDS)))
    return is_slip and not {*keys}.isdisjoint(KEYS_OF_RULE_FILES)


def _game_named_by(path: Path, kind: str, name: str) -> Path | None:
    """The game that a file outside of it says that it is for."""
    if kind != SCENARIOS:
        return find_game_of_variant(path, name)
    try:
        found = find_game(find_nearby_file(path, "game", name)) if name else None
    except NotFound:
        return None
    return found.parent if found is not None and found.name == MANIFEST else found


def games_near(path: Path) -> list[str]:
    """The names of the games that a variant of this path can be for: those around it, and the shipped ones."""
    found = []
    for folder in list(path.parents)[:MAX_FOLDERS]:
        for file in (*folder.glob("*.yaml"), *folder.glob(f"*/{MANIFEST}"), *folder.glob(f"rules/*/{MANIFEST}")):
            named = GAME.search(peek_text(file))
            found += [named[1]] if named is not None else []
    return list(dict.fromkeys([*found, *available_games()]))


__all__ = ["OpenRules", "games_near", "is_rule_file", "open_rules"]
