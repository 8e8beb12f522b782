"""What files say of one another, in the form of today: what migrating one file changes in its neighbours, too.

In: paths of rule files. Out: the texts of those that change, files that are new or gone, and in words what was done
and what a person has to decide. Nothing is written here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from rulewright.document.citations import Citations, statement_index
from rulewright.document.document import MANIFEST
from rulewright.document.migration.migration import CHANGE_FILES, migrate_text
from rulewright.document.migration.migration_apart import (
    migrate_sentences,
    migrate_titles,
    migrate_variant_sentences,
    migrate_variant_titles,
)
from rulewright.document.migration.migration_file_set import FileSet, GameFiles
from rulewright.document.migration.migration_kinds import (
    adjustment_text,
    joint_edits,
    manifest_edits,
    was_adjustment,
    was_joint,
)
from rulewright.document.migration.migration_sources import (
    migrate_sources,
    missing_statuses,
    status_edits,
    variant_edits,
)
from rulewright.source.nodes import MappingNode, as_items, as_mapping, text_or_default


def migrate_files(paths: Collection[Path]) -> FileSet:
    """The files and those that belong to them, in the words and the form of today."""
    files = FileSet()
    for path in paths:
        root = files.root(path)
        if root is not None:
            files.texts[path], count = migrate_text(root)
            if count:
                files.done.append(f"{path}: {count} {'word' if count == 1 else 'words'}")
    for path in paths:
        _migrate_joint_file(files, path)
    for game in _games(files, paths):
        unread = [path for path in (*game.parts, *game.variants) if not files.text(path) and path in files.unread]
        if unread:  # what moves from file to file could be lost
            names = ", ".join(map(str, unread))
            files.left.append(f"{game.manifest}: sources and titles stay where they are until {names} can be read")
            continue
        _migrate_adjustments(files, game)
        _migrate_sources(files, game)
        migrate_titles(files, game)
        migrate_sentences(files, game)
    for path, root in _roots(files, paths, "variant", "joins"):
        migrate_variant_titles(files, path, root)
    for path, root in _roots(files, [path for path in files.texts if path not in files.gone], *CHANGE_FILES):
        migrate_variant_sentences(files, path, root)
    return files


def _games(files: FileSet, paths: Collection[Path]) -> Sequence[GameFiles]:
    """The games that the files are of."""
    found: dict[Path, GameFiles] = {}
    for path in paths:
        manifest = _manifest_of(files, path)
        if manifest is not None and manifest not in found:
            found[manifest] = GameFiles(manifest, list(_listed(files, manifest)), [])
    names = {text_or_default(as_mapping(files.root(game.manifest)).get("game")): game for game in found.values()}
    for path in paths:
        root = files.root(path)
        if (
            root is not None
            and root.entries[0].key.text in CHANGE_FILES
            and (named := text_or_default(root.get("for"))) in names
        ):
            names[named].variants.append(path)
    return list(found.values())


def _manifest_of(files: FileSet, path: Path) -> Path | None:
    """The file with the head of the game that a file is a part of; None for variants and whatever belongs to none."""
    root = files.root(path)
    if root is None:
        return None
    head = root.entries[0].key.text
    if head == "game":
        return path
    if head in ("variant", "joins", "scenarios"):
        return None
    for folder in (path.parent, path.parent.parent):
        manifest = folder / MANIFEST
        if manifest.is_file() and path in _listed(files, manifest):
            return manifest
    return None


def _listed(files: FileSet, manifest: Path) -> Iterator[Path]:
    root = files.root(manifest)
    for key in ("files", "texts") if root is not None else ():
        for item in as_items(as_mapping(root).get(key)):
            path = manifest.parent / text_or_default(item)
            if path.is_file() or path in files.texts:
                yield path


def _roots(files: FileSet, paths: Iterable[Path], *kinds: str) -> Iterator[tuple[Path, MappingNode]]:
    for path in paths:
        root = files.root(path)
        if root is not None and root.entries[0].key.text in kinds:
            yield path, root


# ---- variants that are no choice


def _migrate_joint_file(files: FileSet, path: Path) -> None:
    """A variant that applied wherever others are played says which it joins; its name is that of its file."""
    root = files.root(path)
    if root is None or root.entries[0].key.text != "variant" or not was_joint(root):
        return
    name = text_or_default(root.get("variant"))
    if files.edit(path, joint_edits(root)):
        files.done.append(f"{path}: joins variants")
    if name != path.stem:
        files.left.append(f"{path}: it was called `{name}` and is called like its file now: name the file so")


def _migrate_adjustments(files: FileSet, game: GameFiles) -> None:
    """Variants that belonged to a number of players become files of the game."""
    added: list[str] = []
    for path, root in _roots(files, sorted(game.variants), "variant"):
        new = game.manifest.parent / path.name
        if was_adjustment(root) and (new == path or not new.exists()):
            files.texts[new] = adjustment_text(root, path, new)
            files.gone |= {path} - {new}
            files.done.append(f"{new}: what {path} was, listed by the game")
            added.append(new.name)
    head = files.root(game.manifest)
    if head is not None and files.edit(game.manifest, manifest_edits(head, added)):
        files.done.append(f"{game.manifest}: files for numbers of players are listed like all others")


# ---- statements and sources


def _migrate_sources(files: FileSet, game: GameFiles) -> None:
    """Sources that statements give leave the rules; what all rules of a file share goes to its head."""
    head = files.root(game.manifest)
    if head is None:
        return
    rule_files = [(game.manifest, head), *_roots(files, game.parts, "part_of")]
    statuses = _migrate_works(files, game, [root for _, root in rule_files])
    stated: Mapping[str, Citations] = {}
    for path, _ in _roots(files, game.parts, "statements"):
        stated = statement_index(files.text(path))
    for path, root in rule_files:
        result = migrate_sources(root, head, stated, statuses)
        if files.edit(path, result.edits):
            files.done.append(f"{path}: sources that statements, works or the head of the file give")
        files.left += [f"{path}: {note}" for note in result.notes]
    for path, root in _roots(files, game.variants, *CHANGE_FILES):
        if files.edit(path, variant_edits(root, statuses)):
            files.done.append(f"{path}: a status that a variant has anyway")


def _migrate_works(files: FileSet, game: GameFiles, roots: Sequence[MappingNode]) -> Mapping[str, str]:
    """The statuses of the works, also those that they have only now."""
    statuses: dict[str, str] = {}
    for path, root in _roots(files, game.parts, "sources"):
        works = as_mapping(root.get("works"))
        missing = missing_statuses(works, roots)
        if files.edit(path, status_edits(works, missing)):
            files.done.append(f"{path}: the status that rules give to most of what they cite of a work")
        files.left += [
            f"{path}: the work `{work}` has no status, and no rule tells it"
            for work, status in missing.items()
            if not status
        ]
        statuses |= {work.key.text: text_or_default(as_mapping(work.value).get("status")) for work in works}
        statuses |= missing
    return statuses


__all__ = ["FileSet", "migrate_files"]
