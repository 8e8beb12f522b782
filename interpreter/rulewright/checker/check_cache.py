"""Rule files that were checked without a problem are not read again before something changes.

In: what `check_paths` takes. Out: what it returns. The counts of a check without problems are kept under a digest of
the program with what it is built on and of what was asked. Of shipped files all that is shipped belongs to it.
Files elsewhere depend on folders around them, where a new file can change what is found; so with the counts is kept
what the check looked at (`source/file_looks.py`), and they count while it would see the same again. Scenarios, games
and variants that were asked for by name and texts that nobody has saved are read each time.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from rulewright.bundle import bundle_folder
from rulewright.checker.check_result import CheckResult
from rulewright.diagnostics import Diagnostics
from rulewright.frozen import field_names, frozen
from rulewright.private_cache import cache_folder, cache_key, keep, read_cached
from rulewright.program_signature import program_signature
from rulewright.source.file_looks import Answers, looks_noted, still_hold
from rulewright.source.unsaved import is_any_text_held


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
    is_kept = game is None and not variants and cache_folder() is not None and not is_any_text_held()
    is_shipped = is_kept and _are_shipped(paths)
    key = (_key if is_shipped else _key_elsewhere)(paths, players, play) if is_kept else None
    known = None if key is None else _read_counts(key)
    if known is not None:
        return CheckResult(Diagnostics(), known.games, known.variants, known.scenario_files, known.files)
    from rulewright.checker.checker import check_paths  # with all that reads rules
    from rulewright.checker.clean_rule_sets import CleanRuleSets

    with looks_noted(is_wanted=key is not None and not is_shipped) as looks:
        clean = CleanRuleSets()
        result = check_paths(
            paths, players=players, game=game, variants=variants, play=play, on_file=on_file, jobs=jobs, clean=clean
        )
    if key is None or len(result.diagnostics):
        return result
    # a file that changed meanwhile may have been read before or after
    is_unchanged = key == _key(paths, players, play) if is_shipped else not result.scenario_files and still_hold(looks)
    if is_unchanged:
        counts = CheckedCounts(result.games, result.variants, result.scenario_files, result.files)
        keep(
            key,
            json.dumps(
                {
                    "counts": {name: getattr(counts, name) for name in field_names(counts)},
                    "looks": {} if is_shipped else looks,
                }
            ).encode(),
        )
    return result


def _read_counts(key: str) -> CheckedCounts | None:
    content = read_cached(key)
    if content is None:
        return None
    kept = json.loads(content)
    looks: Answers = kept["looks"]
    return CheckedCounts(**kept["counts"]) if still_hold(looks) else None


def _key_elsewhere(paths: Iterable[str | Path], players: int | None, play: int) -> str:
    """A digest of the program and of what is asked, without what the files say."""
    named = [str(find(path)) for path in paths for find in (os.path.abspath, os.path.realpath)]
    return cache_key("looks", program_signature(), str(players), str(play), *named)


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
