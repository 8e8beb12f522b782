"""Every id that the files of a game declare or bind, and another name for each of them.

In: a copy of a game in a folder. Out: the ids with the words that mean them, and the files under other names.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from rulewright.editor.meanings import Target, target_at
from rulewright.editor.name_uses import NameUse
from rulewright.editor.open_rules import OpenRules, open_rules
from rulewright.editor.renaming import NameEdit, edits_of, rename
from rulewright.model.locate import heads_read_once

ROOT = Path(__file__).parent.parent
Key = tuple[str, Path | None]  # an address, and the variant that declares it
PREFIX = "zz"  # of new names


def copy_game(game: str, to: Path) -> Path:
    """A game with its variants and scenarios in a folder of its own; the file with its head."""
    shutil.copytree(ROOT / "rules" / game, to / game)
    if (ROOT / "variants" / game).is_dir():
        shutil.copytree(ROOT / "variants" / game, to / "variants" / game)
    for path in sorted((ROOT / "tests" / "scenarios").glob("*.yaml")):
        if f"\nfor: {game}\n" in path.read_text(encoding="utf-8"):
            shutil.copy(path, to / path.name)
    return to / game / "game.yaml"


def opened(path: Path, folder: Path) -> OpenRules:
    """The rules that a file belongs to, in an editor that has the folder open."""
    rules = open_rules(path, [folder])
    assert rules is not None, path
    return rules


def texts_in(folder: Path) -> dict[Path, bytes]:
    """What all files of a folder say."""
    return {path: path.read_bytes() for path in sorted(folder.rglob("*.yaml"))}


def ids_of(manifest: Path, folder: Path) -> dict[Key, tuple[Path, Target, list[NameUse]]]:
    """The ids of a game: a file in which each is, what is meant, and all words that mean it."""
    found: dict[Key, tuple[Path, Target, list[NameUse]]] = {}
    rules = opened(manifest, folder)
    assert rules.names is not None
    with heads_read_once():
        for path in rules.files():
            for names, uses in rules.names.parts_of(path):
                for use in uses:
                    for address, target in _targets(use):
                        variant = names.file_of(address)
                        whole = Target(address, target.word, use.span.start, use.span.end, target.local, variant)
                        found.setdefault((address, variant), (path, whole, []))[2].append(use)
    return found


def _targets(use: NameUse) -> Iterator[tuple[str, Target]]:
    local = use.local
    if local is not None:
        is_field = local.label == "field"
        yield local.address, Target(local.address, local.name, 0, 0, None if is_field else local)
    if use.address and (local is None or local.address != use.address):
        yield use.address, Target(use.address, use.address.rpartition(".")[2], 0, 0)


def rename_one(path: Path, folder: Path, target: Target, new_name: str) -> list[NameEdit]:
    """Renames as an editor does."""
    edits = [edit for found in rename(opened(path, folder), target, new_name).values() for edit in found]
    _write(edits)
    return edits


def meant_after(edits: list[NameEdit], folder: Path, target: Target, new_name: str) -> tuple[Path, Target]:
    """What is meant at a place where the new name is now, as an editor finds it; and the file."""
    for edit in edits:
        path = Path(edit.span.source.path)
        before = [each for each in edits if each.span.source is edit.span.source and each.span.start < edit.span.start]
        moved = sum(len(each.text) - (each.span.end - each.span.start) for each in before)
        offset = edit.span.start + moved + edit.text.index(new_name)
        found = target_at(opened(path, folder), path.read_bytes().decode(), offset)
        if found is not None and (found.local is None) == (target.local is None):
            return path, found
    raise AssertionError(target.address)


def rename_all(manifest: Path, folder: Path, new_name: Callable[[Key, str], str | None]) -> int:
    """Renames all ids for which there is another name; how many. Those that are written in one place, as the keys of a
    list are, have their turns one after another.
    """
    count, done = 0, set[str]()
    while True:
        edits: list[NameEdit] = []
        taken = set[tuple[str, int]]()
        for key, (_, target, uses) in ids_of(manifest, folder).items():
            name = new_name(key, target.word)
            places = set(_places(uses))
            if name is None or name == target.word or target.word in done or places & taken:
                continue
            taken |= places
            edits += edits_of(uses, target, name)
            count, done = count + 1, done | {name}
        if not edits:
            return count
        _write(edits)


def _places(uses: list[NameUse]) -> Iterator[tuple[str, int]]:
    for use in uses:
        form = use.local.form if use.is_binding and use.local is not None else use.form
        for span in (use.span, *([] if form is None else [form.span])):
            yield from ((span.source.path, index) for index in range(span.start, span.end))


def _write(edits: list[NameEdit]) -> None:
    by_path: dict[str, dict[int, NameEdit]] = {}
    for edit in edits:
        by_path.setdefault(edit.span.source.path, {})[edit.span.start] = edit
    for path, here in by_path.items():
        text = Path(path).read_bytes().decode()
        for _, edit in sorted(here.items(), reverse=True):
            text = text[: edit.span.start] + edit.text + text[edit.span.end :]
        Path(path).write_bytes(text.encode())
