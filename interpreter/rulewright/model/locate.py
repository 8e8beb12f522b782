"""Where games and variants are: shipped ones by name, others by path.

In: what somebody wrote for a game or a variant. Out: the path of its file or folder, or `NotFound` with the nearest
name. A bare word is the name of a shipped game, or of a variant of the game; what has a slash or ends in `.yaml` is a
path.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import Final, NamedTuple

from rulewright import limits
from rulewright.bundle import bundle_folder
from rulewright.diagnostics import Span
from rulewright.document.game_files import FIRST_CONTENT_LINE, MANIFEST, source_path
from rulewright.errors import RulewrightError, printable, quote
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.file_looks import note_look
from rulewright.source.file_text import files_in, is_present_file, is_present_folder, peek_text
from rulewright.source.real_paths import is_within, links_followed_once, real_path
from rulewright.source.unsaved import held_text
from rulewright.suggestions import did_you_mean, list_names

RULE_FILE_SUFFIX: Final = ".yaml"
RULE_FILE_SUFFIXES: Final = (RULE_FILE_SUFFIX, ".yml")  # those that `check` reads in a folder
VARIANTS_FOLDER: Final = "variants"
GAME_KIND: Final = "game"  # the first key of a game's file
JOINT_KIND: Final = "joins"  # the first key of a file that joins variants
GAME_NAME: Final = lazy_pattern(r"^game: *([a-z][a-z0-9_-]*)", re.MULTILINE)
GAMES_BELOW: Final = (f"*{RULE_FILE_SUFFIX}", f"*/{MANIFEST}", f"rules/*/{MANIFEST}")
FOR_GAME: Final = lazy_pattern(r"^for: *([a-z][a-z0-9_-]*)", re.MULTILINE)
JOINED: Final = lazy_pattern(rf"{JOINT_KIND}: *\[([a-z0-9_, -]*)\] *(?:#.*)?")


class NotFound(RulewrightError):
    """There is no game, variant or file of that name; the message lists those there are, or says which is nearest."""


def is_path(name: str) -> bool:
    """Whether a game or variant is given by path, and not by name."""
    return name in (".", "..") or name.endswith(RULE_FILE_SUFFIX) or "/" in name or os.sep in name


def missing_file(path: str | Path) -> NotFound:
    """The error for a file or folder that does not exist, with the nearest name in its folder."""
    shown = _shorten(printable(str(path)))
    if len(str(path)) > limits.MAX_PATH_LENGTH:
        return NotFound(f"there is no file or folder {shown}")
    named = Path(path)
    if os.path.islink(named):
        return NotFound(f"{shown} is a link that leads nowhere")
    try:
        siblings = [child.name for child in named.parent.iterdir() if not child.name.startswith(".")]
    except (OSError, ValueError):
        siblings = []
    hint = did_you_mean(named.name, siblings)
    return NotFound(f"there is no file or folder {shown}" + (f" ({hint})" if hint else ""))


def require_path(path: str | Path) -> Path:
    """The path of a file or folder that exists or has unsaved content; raises `NotFound` for any other."""
    is_too_long = len(str(path)) > limits.MAX_PATH_LENGTH
    note_look(path)
    if is_too_long or (not os.path.exists(path) and held_text(Path(path)) is None):
        raise missing_file(path)
    return Path(path)


def _shorten(name: str) -> str:
    return name if len(name) <= 80 else f"{name[:77]}…"


# ---- games --------------------------------------------------------------------------------------------------------


def available_games() -> list[str]:
    """The names of the shipped games."""
    root = bundle_folder("rules")
    return sorted(
        [path.name for path in files_in(root) if is_present_file(path / MANIFEST)]
        + [path.stem for path in root.glob(f"*{RULE_FILE_SUFFIX}")]
    )


def default_game() -> str:
    """The game when none is named: the default of the shipped rules."""
    marker = bundle_folder("rules") / "default"
    return marker.read_text(encoding="utf-8").strip()


def find_game(game: str) -> Path:
    """The path of a game: a shipped one by its name, any other by its path. Raises `NotFound`."""
    if is_path(game):
        path = require_path(game)
        if path.is_dir() and not is_present_file(path / MANIFEST):
            raise NotFound(f"there is no `{MANIFEST}` in {_shorten(game)}{_games_hint(path)}")
        return path.parent if path.name == MANIFEST else path
    names = available_games()
    if game not in names:
        hint = _path_hint(game) or did_you_mean(game, names)
        raise NotFound(
            f"there is no game {quote(_shorten(game))}; shipped games: {', '.join(names)}"
            + (f" ({hint})" if hint else "")
        )
    folder = bundle_folder("rules") / game
    return folder if is_present_folder(folder) else folder.with_name(f"{game}{RULE_FILE_SUFFIX}")


def games_beside(file: Path) -> list[str]:
    """The names of the games in the folders above a file, the nearest first; for hints only."""
    names = dict[str, None]()
    for folder in list(real_path(file).parents)[: limits.MAX_PARENT_FOLDERS]:
        found = chain(*(folder.glob(pattern) for pattern in GAMES_BELOW))
        for path in sorted(islice(found, limits.MAX_LISTED_FILES)):
            named = GAME_NAME.search(peek_text(path, within=folder))
            if named is not None:
                names.setdefault(named[1])
    return list(names)


def _games_hint(folder: Path) -> str:
    """Which files of a folder without a manifest are games."""
    games = [str(file) for file in yaml_files_in(folder) if _variant_head(file).kind == GAME_KIND]
    return f" ({list_names('games in one file are given by their paths', games)})" if games else ""


def _path_hint(name: str) -> str:
    """How to name a file or folder that is called like this."""
    if os.path.isdir(name):
        return f"for the folder, write `./{name}`"
    if os.path.isfile(f"{name}{RULE_FILE_SUFFIX}"):
        return f"for the file, write `{name}{RULE_FILE_SUFFIX}`"
    return ""


def head_file(path: Path) -> Path:
    """The file with the head of a game that is at a path: the manifest of a folder, or the only file."""
    return path / MANIFEST if is_present_folder(path) else path


def game_folder(game: str) -> Path:
    """The folder that a game is in: its own, or that of its only file. Raises `NotFound`."""
    path = find_game(game)
    return path if is_present_folder(path) else path.parent


# ---- variants -----------------------------------------------------------------------------------------------------


def own_variant_folders(game: str, path: Path | None) -> list[Path]:
    """The folders with variants that belong to a game given by path: `variants` in its folder or beside it, and
    `variants/NAME` beside the folder, such as `rules`, that it is in. `path`: the file with the game's head.
    """
    if path is None or is_shipped_path(path):
        return []
    parent = real_path(path).parent
    above = [parent.parent, parent.parent.parent] if path.name == MANIFEST else [parent.parent]
    folders = [parent / VARIANTS_FOLDER]
    folders += [folder / VARIANTS_FOLDER / game for folder in (parent, *above)]
    folders += [parent.parent / VARIANTS_FOLDER] if path.name == MANIFEST else []
    # a link that leads back to the game is no folder of variants; False for names that are too long
    return [folder for folder in dict.fromkeys(folders) if is_present_folder(folder) and real_path(folder) != parent]


def own_variants_note(game: str) -> str:
    """Says that a game given by path has variants of its own, where there are shipped ones for a game of that name."""
    manifest = head_file(find_game(game))
    named = GAME_NAME.search(peek_text(manifest))
    folders = [] if named is None else own_variant_folders(named[1], manifest)
    if named is None or not folders or not (bundle_folder("variants") / named[1]).is_dir():
        return ""
    return f"variants of {named[1]} are those in {' and '.join(map(source_path, folders))}, then the shipped ones"


def is_shipped_path(path: Path) -> bool:
    """Whether a file is one of the shipped rules or variants."""
    return str(real_path(path)).startswith(_shipped_folders())


@cache
def _shipped_folders() -> tuple[str, ...]:
    """The real paths of the shipped folders, each with the separator behind it."""
    return tuple(os.path.join(os.path.realpath(bundle_folder(kind)), "") for kind in ("rules", "variants"))


def portable_place(span: Span, folder: Path | None) -> str:
    """File, line and column without any folder of this machine: below the shipped files, or below the `folder` of a
    game; of any other file only its name.
    """
    if span.source.is_option:
        return str(span)
    path = Path(os.path.abspath(span.source.path))
    folders = [bundle_folder("rules").parent, bundle_folder("variants").parent] if is_shipped_path(path) else []
    folders += [] if folder is None else [folder.absolute()]
    below = next((path.relative_to(above) for above in folders if path.is_relative_to(above)), Path(path.name))
    return f"{below.as_posix()}:{span.line}:{span.column}"


def variant_folders(game: str, path: Path | None = None) -> list[Path]:
    """The folders with variants of a game, its own before the shipped one; see `own_variant_folders`."""
    folders = [*own_variant_folders(game, path), bundle_folder("variants") / game]
    return [folder for folder in dict.fromkeys(folders) if is_present_folder(folder)]


def available_variants(game: str, path: Path | None = None) -> Mapping[str, Path]:
    """The variants of a game by name (file names are variant names); `path`: the file with the game's head. Of two with
    one name the game's own is there, not the shipped one.
    """
    seen = _seen.get()
    if seen is None:
        return _find_variants(game, path)
    variants = seen.variants.get((game, path))
    if variants is None:
        variants = seen.variants[game, path] = _find_variants(game, path)
    return variants


def _find_variants(game: str, path: Path | None) -> dict[str, Path]:
    return {
        file.stem: file
        for folder in reversed(variant_folders(game, path))
        for file in yaml_files_in(folder)
        if _variant_head(file).game in ("", game)
    }


def yaml_files_in(folder: Path) -> tuple[Path, ...]:
    """The rule files in a folder, by name, looked for once until it changes; none where there is no folder.

    A link that leads elsewhere is none of them, which `check` reports; a pipe would keep its reader waiting.
    """
    note_look(folder, "entries")
    try:
        return _rule_files_at(folder, folder.stat().st_mtime_ns)
    except OSError:
        return ()


@lru_cache(maxsize=limits.MAX_REMEMBERED_HEADS)
def _rule_files_at(folder: Path, changed_at: int) -> tuple[Path, ...]:
    files = sorted(folder.glob(f"*{RULE_FILE_SUFFIX}"))
    return tuple(file for file in files if is_within(file, folder.parent) and file.is_file())


class _VariantHead(NamedTuple):
    """What the head of a variant says, before it is parsed: its game ("" where it does not say), its first key, and the
    variants that it joins, None where that is not seen at once.
    """

    game: str
    kind: str
    joined: frozenset[str] | None = None

    def can_join(self, played: Collection[str] | None) -> bool:
        """Whether it may join variants that are all `played`; None: any."""
        return self.kind == JOINT_KIND and (self.joined is None or played is None or self.joined.issubset(played))


class _Seen(NamedTuple):
    """What was seen of variants: their heads, those of each game, the files that join some in each folder."""

    heads: dict[Path, _VariantHead]
    variants: dict[tuple[str, Path | None], dict[str, Path]]
    joining: dict[Path, list[Path]]


_seen: Final[ContextVar[_Seen | None]] = ContextVar("seen", default=None)


@contextmanager
def heads_read_once() -> Iterator[None]:
    """Within it the head of each variant is looked at once, and its links are followed once, however many variants ask
    for it: with n of them it would be n times n. What changes meanwhile is seen afterwards.
    """
    if _seen.get() is not None:
        yield
        return
    token = _seen.set(_Seen({}, {}, {}))
    try:
        with links_followed_once():
            yield
    finally:
        _seen.reset(token)


def _variant_head(file: Path) -> _VariantHead:
    seen = _seen.get()
    if seen is None:
        return _read_variant_head(file)
    head = seen.heads.get(file)
    if head is None:
        head = seen.heads[file] = _read_variant_head(file)
    return head


def _read_variant_head(file: Path) -> _VariantHead:
    note_look(file, "bytes")
    try:
        stat = file.stat()
    except OSError:
        return _VariantHead("", "")
    return _variant_head_at(file, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=limits.MAX_REMEMBERED_HEADS)
def _variant_head_at(file: Path, changed_at: int, size: int) -> _VariantHead:
    text = peek_text(file)
    named = FOR_GAME.search(text)
    first = FIRST_CONTENT_LINE.search(text)
    line = "" if first is None else first[0]
    listed = JOINED.fullmatch(line)
    joined = None if listed is None else frozenset(listed[1].replace(",", " ").split())
    return _VariantHead("" if named is None else named[1], line.partition(":")[0], joined)


def joint_files(game: str, path: Path | None = None, *, played: Collection[str] | None = None) -> list[Path]:
    """The files of a game that join variants, all of which may be `played`; the others need no parsing. `path`: the
    file with the game's head.
    """
    variants = available_variants(game, path)
    joining = [file for folder in reversed(variant_folders(game, path)) for file in _joining_files(folder)]
    return [file for file in joining if variants.get(file.stem) == file and _variant_head(file).can_join(played)]


def joint_files_beside(game: str, variants: Iterable[Path], *, played: Collection[str] | None = None) -> list[Path]:
    """The files that may join variants given by path: those in their folders. `played`: as in `joint_files`."""
    folders = dict.fromkeys(file.absolute().parent for file in variants)
    heads = [(file, _variant_head(file)) for folder in folders for file in _joining_files(folder)]
    return [file for file, head in heads if head.game == game and head.can_join(played)]


def _joining_files(folder: Path) -> list[Path]:
    """The files in a folder that join variants."""
    seen = _seen.get()
    files = None if seen is None else seen.joining.get(folder)
    if files is None:
        files = [file for file in yaml_files_in(folder) if _variant_head(file).kind == JOINT_KIND]
        if seen is not None:
            seen.joining[folder] = files
    return files


def find_variant(game: str, variant: str, path: Path | None = None) -> Path:
    """The path of a variant: one of the game's by its name, any other by its path. Raises `NotFound`."""
    if is_path(variant):
        file = require_path(variant)
        if not file.is_file() and held_text(file) is None:
            kind = "a folder" if file.is_dir() else "a pipe or a device"
            raise NotFound(f"{_shorten(variant)} is {kind}, expected the file of a variant")
        return file
    known = available_variants(game, path)
    if variant in known:
        return known[variant]
    names = selectable_variants(known)
    hint = _path_hint(variant) or did_you_mean(variant, names)
    listed = ", ".join(names) or "none"
    suggestion = f" ({hint})" if hint else ""
    raise NotFound(f"{game} has no variant {quote(_shorten(variant))}{suggestion}; its variants: {listed}")


def selectable_variants(variants: Mapping[str, Path]) -> Collection[str]:
    """The names of those variants that can be chosen; joint files apply by themselves."""
    return [name for name, file in variants.items() if _variant_head(file).kind != JOINT_KIND]


__all__ = [
    "RULE_FILE_SUFFIX",
    "RULE_FILE_SUFFIXES",
    "NotFound",
    "available_games",
    "available_variants",
    "default_game",
    "find_game",
    "find_variant",
    "games_beside",
    "head_file",
    "heads_read_once",
    "is_path",
    "is_shipped_path",
    "joint_files",
    "joint_files_beside",
    "missing_file",
    "own_variant_folders",
    "own_variants_note",
    "require_path",
    "variant_folders",
    "yaml_files_in",
]
