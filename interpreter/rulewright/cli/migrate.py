"""`rulewright migrate`: rule files of the version of the language before, rewritten in the words of today.

In: parsed arguments. Out: the same files with other words and those beside them that they need, a line of text for each
change, and what a person has to decide; exit status 1 when a file cannot be read to its end: it stays as it is, and the
others are rewritten all the same.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from rulewright.atomic_write import atomic_write
from rulewright.checker.checker import check
from rulewright.cli.exit_status import ExitStatus
from rulewright.cli.options import CommandOptions
from rulewright.cli.rule_paths import require_rule_files
from rulewright.diagnostics import Diagnostics, SourceFile, render_full
from rulewright.document.migration.migration_files import FileSet, migrate_files
from rulewright.expr.codes import FORMER_SPELLING
from rulewright.expr.migration_expressions import respell_counts, respell_words
from rulewright.expr.migration_players import respell_players
from rulewright.expr.types import SEAT
from rulewright.model.locate import RULE_FILE_SUFFIXES
from rulewright.scenarios.migration_scenarios import ScenarioMigration, is_former, migrate_scenarios
from rulewright.scenarios.scenario_game import ScenarioGames
from rulewright.source.file_text import files_below
from rulewright.source.reader import parse_file, parse_source, peek_text
from rulewright.source.real_paths import is_within, real_path


class Options(CommandOptions):
    """The options of `migrate`."""

    paths: list[str]
    dry_run: bool


def run(args: Options) -> int:
    """Rewrites the files, and says what has changed."""
    require_rule_files(args.paths)
    diagnostics = Diagnostics()
    paths = list(dict.fromkeys(file for name in args.paths for file in _files(Path(name))))
    for path in paths:
        parse_file(path, diagnostics)
    files = migrate_files(paths)
    texts = {path: _respelled(files, path) for path in files.texts if path not in files.gone}
    changed = {path for path, text in texts.items() if text != peek_text(path)}
    if not args.dry_run:
        _require_writable({*changed, *files.gone})
        for path in sorted(changed):
            path.parent.mkdir(parents=True, exist_ok=True)
            atomic_write(str(path), texts[path], replace=True)
        for path in files.gone:
            path.unlink(missing_ok=True)
        known = dict.fromkeys((*(file for name in args.paths for file in _files(Path(name))), *texts))
        changed |= _respell_counts([file for file in known if file.is_file()])
    changed |= _count_players(files, args)
    for line in files.done:
        print(line)
    for diagnostic in diagnostics:
        print(f"{render_full(diagnostic)}\n")
    if files.left:
        print("to be decided by a person:")
    for line in files.left:
        print(f"  {line}")
    verb, seen = "would be rewritten" if args.dry_run else "rewritten", len({*paths, *changed})
    counts = f"{len(changed)} of {seen} {'file' if seen == 1 else 'files'}"
    print(f"{counts} {verb}; `rulewright check` finds what is left to do")
    return ExitStatus.FINDINGS if diagnostics.error_count else ExitStatus.OK


def _count_players(files: FileSet, args: Options) -> set[Path]:
    """Rewrites the scenarios that count players from 0, by the rules as they are now; the files that are changed."""
    games, changed = ScenarioGames(), set[Path]()
    for path in dict.fromkeys(file for name in args.paths for file in _files(Path(name))):
        text = peek_text(path)
        if not is_former(parse_source(SourceFile(str(path), text), Diagnostics())):
            continue
        migrated = ScenarioMigration(text) if args.dry_run else migrate_scenarios(path, text, games)
        if migrated.left:
            files.left.append(f"{path}: players are counted from 0 still: {migrated.left}")
            continue
        if not args.dry_run:
            atomic_write(str(path), migrated.text, replace=True)
        files.done.append(f"{path}: players are counted from 1")
        changed.add(path)
    return changed


def _require_writable(paths: Collection[Path]) -> None:
    """Raises `PermissionError` before anything is written: what moves from one file to another must not be lost."""
    for path in sorted(paths):
        folder = next(folder for folder in path.parents if folder.is_dir())
        if not os.access(folder, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))


def _respelled(files: FileSet, path: Path) -> str:
    """The text of a file with the expressions of today as far as the words say them."""
    text = files.texts[path]
    node = parse_source(SourceFile(str(path), text), Diagnostics())
    if node is not None:
        text = respell_words(node)[0]
        node = parse_source(SourceFile(str(path), text), Diagnostics())
    if node is None:
        return text
    players = respell_players(node)
    if players.count:
        places = "place" if players.count == 1 else "places"
        files.done.append(f"{path}: the kind of the players in {players.count} {places}")
    if players.is_left:
        files.left.append(
            f"{path}: `{SEAT.kind}` is the kind of the players now: call what else is called so otherwise"
        )
    return players.text


def _respell_counts(paths: Sequence[Path]) -> set[Path]:
    """Rewrites counts of members, which only the checked rules tell from fields; the files that have changed.

    What one round has put right lets the next one look further, so that it is repeated until nothing is left.
    """
    changed = set[Path]()
    own = {real_path(path): path for path in paths}
    while True:
        places: dict[Path, set[int]] = {}
        for diagnostic in check(paths):
            path = own.get(real_path(Path(diagnostic.span.source.path)))
            if diagnostic.code is FORMER_SPELLING and path is not None:
                places.setdefault(path, set()).add(diagnostic.span.start)
        rewritten = {path for path, offsets in places.items() if _respell_counts_in(path, offsets)}
        changed |= rewritten
        if not rewritten:
            return changed


def _respell_counts_in(path: Path, places: Collection[int]) -> bool:
    node = parse_file(path, Diagnostics())
    text, count = ("", 0) if node is None else respell_counts(node, places)
    if count:
        atomic_write(str(path), text, replace=True)
        print(f"{path}: {count} {'count' if count == 1 else 'counts'} of members")
    return bool(count)


def _files(path: Path) -> Iterator[Path]:
    """A file, or the rule files below a folder; links that lead out of it are left out."""
    if not path.is_dir():
        yield path
        return
    for child in sorted(files_below(path, "*")):
        is_hidden = any(part.startswith(".") for part in child.relative_to(path).parts)
        if child.suffix in RULE_FILE_SUFFIXES and not is_hidden and child.is_file() and is_within(child, path):
            yield child
