"""Shipped rule files that were checked without a problem are not judged again before something changes.

In: what `check_paths` takes. Out: what it returns. The counts of a check without problems are kept under a digest of
all shipped rule files, of the program with what it is built on, and of what was asked. Whatever else is checked is
judged every time: files elsewhere depend on folders around them, where a new file can change what is found.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from rulewright.bundle import bundle_folder
from rulewright.checker.check_result import CheckResult
from rulewright.diagnostics import Diagnostics
from rulewright.frozen import frozen
from rulewright.private_cache import cache_folder, cache_key, keep, read_cached
from rulewright.program_signature import program_signature


@frozen
class CheckedCounts:
    """How much was checked without a problem."""

    games: int
    variants: int
    scenario_files: int
    files: int


def check_paths_again(
    paths: Sequence[str | Path] = (),
    *,
    players: int | None = None,
    game: str | None = None,
    variants: Sequence[str] = (),
    play: int = 0,
    on_file: Callable[[], None] = lambda: None,
    jobs: int = 1,
) -> CheckResult:
    """As `check_paths`; `on_file` is not called when the answer is known."""
    is_kept = game is None and not variants and cache_folder() is not None and _are_shipped(paths)
    key = _key(paths, players, play) if is_kept else None
    known = None if key is None else _read_counts(key)
    if known is not None:
        return CheckResult(Diagnostics(), known.games, known.variants, known.scenario_files, known.files)
    from rulewright.checker.checker import check_paths  # with all that reads rules
    from rulewright.checker.clean_rule_sets import CleanRuleSets

    clean = CleanRuleSets()
    result = check_paths(
        paths, players=players, game=game, variants=variants, play=play, on_file=on_file, jobs=jobs, clean=clean
    )
    # a file that changed meanwhile may have been read before or after
    if key is not None and not len(result.diagnostics) and key == _key(paths, players, play):
        counts = CheckedCounts(result.games, result.variants, result.scenario_files, result.files)
        keep(key, json.dumps(asdict(counts)).encode())
    return result


def _read_counts(key: str) -> CheckedCounts | None:
    content = read_cached(key)
    return None if content is None else CheckedCounts(**json.loads(content))


def _are_shipped(paths: Iterable[str | Path]) -> bool:
    """Whether all paths are files and folders in those of the shipped rules."""
    shipped = [bundle_folder("rules").resolve(), bundle_folder("variants").resolve()]
    resolved = [Path(path).resolve() for path in paths]
    return all(path.exists() and any(path.is_relative_to(folder) for folder in shipped) for path in resolved)


def _key(paths: Iterable[str | Path], players: int | None, play: int) -> str | None:
    """A digest of everything that the answer depends on; None where a link leads to what is not in it."""
    parts: list[str | bytes] = ["check", program_signature(), str(players), str(play)]
    parts += ["paths", *(str(Path(path).resolve()) for path in paths)]
    for folder in (bundle_folder("rules"), bundle_folder("variants")):
        parts.append(str(folder))
        for file in _files(folder):
            if file.is_symlink() or not file.is_file():
                return None
            try:
                parts += [str(file), file.read_bytes()]
            except OSError:
                return None
    return cache_key(*parts)


def _files(folder: Path) -> Iterator[Path]:
    """All files below a folder, and links to folders, in order."""
    for path, folders, files in os.walk(folder):
        parent = Path(path)
        yield from (parent / name for name in sorted(folders) if (parent / name).is_symlink())
        folders[:] = sorted(folders)
        yield from (parent / name for name in sorted(files))


__all__ = ["check_paths_again"]
