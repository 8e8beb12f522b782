"""`rulewright check`: everything that is wrong with rule files, at every number of players, variants over their game.

In: parsed arguments. Out: what the checker returns, on stdout or in files, in one form or several; exit status 1 when
a diagnostic is as severe as `--fail-on`, 2 when a file cannot be read.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal

from rulewright.bundle import bundle_folder
from rulewright.checker.check_cache import check_paths_again
from rulewright.checker.checker import CheckResult, check_paths
from rulewright.checker.fix_files import fix_files
from rulewright.checker.format_names import Format
from rulewright.checker.output_formats import render
from rulewright.checker.shared_checks import available_processors
from rulewright.cli.check_fixes import fixes_as_diff, shown_path, write_fixes
from rulewright.cli.exit_status import ExitStatus
from rulewright.cli.options import GameOptions
from rulewright.cli.output import write_output
from rulewright.cli.progress import show_progress
from rulewright.cli.rule_paths import require_rule_files
from rulewright.diagnostics import Diagnostic
from rulewright.errors import UsageError
from rulewright.source.codes import UNREADABLE_FILE

CheckFunction = Callable[..., CheckResult]  # `check_paths`, or what asks it only where something has changed
SHIPPED: Final = ("rules", "variants")


class Options(GameOptions):
    """The options of `check`."""

    paths: list[str]
    format: list[tuple[Format, str | None]]
    play: int
    fail_on: Literal["error", "warning"]
    fix: bool
    diff: bool


def run(args: Options) -> int:
    """Checks the paths, prints or writes the diagnostics and returns the exit status."""
    if sum(path is None for _, path in args.format) > 1:
        raise UsageError("only one --format can be printed; give the others a file: --format sarif=report.sarif")
    if args.diff and not args.fix:
        raise UsageError("--diff shows what --fix would change: give both")
    require_rule_files(args.paths)
    with show_progress("files checked") as count:
        if args.fix:
            fixed = fix_files(
                map(Path, args.paths) if args.paths else map(bundle_folder, SHIPPED),
                lambda: _checked(args, check_paths, lambda: None),
            )
            result = fixed.checked
        else:
            result = _checked(args, check_paths_again, count)
    if args.fix and args.diff:
        sys.stdout.write(fixes_as_diff(fixed.texts))
        print(f"{_count(fixed.count, 'correction')} in {_count(len(fixed.texts), 'file')}", file=sys.stderr)
        return ExitStatus.FINDINGS if fixed.texts else _exit_status([*result.diagnostics], fail_on=args.fail_on)
    if args.fix:
        write_fixes(fixed.texts)
        for file in fixed.texts:
            print(f"corrected {shown_path(file.path)}", file=sys.stderr)
    diagnostics, summary = list(result.diagnostics), _summary(result)
    printed = [form for form, path in args.format if path is None]
    for form, path in args.format or [("full", None)]:
        text = render(form, diagnostics, _summary_data(result), summary)
        if path is None:
            print(text)
        else:
            write_output(path, f"{text}\n", replace=True)
    if args.format and not printed:
        print(summary)
    return _exit_status(diagnostics, fail_on=args.fail_on)


def _checked(args: Options, check: CheckFunction, on_file: Callable[[], None]) -> CheckResult:
    return check(
        args.paths,
        players=args.players,
        game=args.game,
        variants=args.variant,
        play=args.play,
        on_file=on_file,
        jobs=available_processors(),
    )


def _exit_status(diagnostics: list[Diagnostic], *, fail_on: str) -> int:
    if any(diagnostic.code is UNREADABLE_FILE for diagnostic in diagnostics):
        return ExitStatus.USAGE_ERROR
    severe = ("error", "warning") if fail_on == "warning" else ("error",)
    return ExitStatus.FINDINGS if any(diagnostic.severity in severe for diagnostic in diagnostics) else ExitStatus.OK


def _summary_data(result: CheckResult) -> dict[str, int]:
    errors = result.diagnostics.error_count
    return {
        "games": result.games,
        "variants": result.variants,
        "errors": errors,
        "warnings": len(result.diagnostics) - errors,
    }


def _summary(result: CheckResult) -> str:
    """One line: what was checked, and how many errors and warnings there are."""
    counts = ((result.games, "game"), (result.variants, "variant"), (result.scenario_files, "scenario file"))
    checked = ", ".join(_count(count, noun) for count, noun in counts if count) or _count(result.files, "file")
    if not len(result.diagnostics):
        return f"checked {checked}: no problems found"
    errors = result.diagnostics.error_count
    files = len({diagnostic.span.source.path for diagnostic in result.diagnostics})
    return (
        f"checked {checked}: {_count(errors, 'error')} and {_count(len(result.diagnostics) - errors, 'warning')}"
        f" in {_count(files, 'file')}"
    )


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


__all__ = ["Options", "run"]
