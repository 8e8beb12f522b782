"""`rulewright migrate`: rule files of the version of the language before, rewritten in the words of today.

In: parsed arguments. Out: the same files with other words, and a line of text for each; exit status 1 when a file
cannot be read to its end: it stays as it is, and the others are rewritten all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rulewright.atomic_write import atomic_write
from rulewright.cli.exit_status import ExitStatus
from rulewright.cli.open_game import require_rule_files
from rulewright.cli.options import CommandOptions
from rulewright.diagnostics import Diagnostics, render_full
from rulewright.document.migration import migrate_text
from rulewright.model.locate import RULE_FILE_SUFFIXES
from rulewright.source.reader import is_within, parse_file


class Options(CommandOptions):
    """The options of `migrate`."""

    paths: list[str]
    dry_run: bool


def run(args: Options) -> int:
    """Rewrites the files, and says what has changed."""
    require_rule_files(args.paths)
    diagnostics, seen, changed = Diagnostics(), 0, 0
    for path in dict.fromkeys(file for name in args.paths for file in _files(Path(name))):
        seen += 1
        found = Diagnostics()
        node = parse_file(path, found)
        diagnostics.extend(found)
        if node is None or found.error_count:
            continue
        text, count = migrate_text(node)
        if count:
            changed += 1
            if not args.dry_run:
                atomic_write(str(path), text, replace=True)
            print(f"{path}: {count} {'word' if count == 1 else 'words'}")
    for diagnostic in diagnostics:
        print(f"{render_full(diagnostic)}\n")
    verb = "would be rewritten" if args.dry_run else "rewritten"
    print(f"{changed} of {seen} {'file' if seen == 1 else 'files'} {verb}; `rulewright check` finds what is left to do")
    return ExitStatus.FINDINGS if diagnostics.error_count else ExitStatus.OK


def _files(path: Path) -> Iterator[Path]:
    """A file, or the rule files below a folder; links that lead out of it are left out."""
    if not path.is_dir():
        yield path
        return
    for child in sorted(path.rglob("*")):
        is_hidden = any(part.startswith(".") for part in child.relative_to(path).parts)
        if child.suffix in RULE_FILE_SUFFIXES and not is_hidden and child.is_file() and is_within(child, path):
            yield child
