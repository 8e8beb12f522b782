"""`rulewright check`: everything that is wrong with rule files, at every number of players, variants over their game.

In: parsed arguments. Out: what the checker returns, on stdout or in files, in one form or several; exit status 1 when
a diagnostic is as severe as `--fail-on`, 2 when a file cannot be read.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Final, Literal

from rulewright import limits
from rulewright.bundle import bundle_folder
from rulewright.checker.check_cache import check_paths_again
from rulewright.checker.check_result import CheckResult
from rulewright.checker.output.format_names import Format
from rulewright.checker.output.output_formats import render
from rulewright.checker.shared_checks import available_processors
from rulewright.cli.exit_status import ExitStatus
from rulewright.cli.options import GameOptions
from rulewright.cli.output import write_output
from rulewright.cli.progress import show_progress
from rulewright.cli.rule_paths import require_rule_files
from rulewright.diagnostics import Diagnostic
from rulewright.errors import UsageError, quote
from rulewright.model.locate import RULE_FILE_SUFFIXES
from rulewright.source.codes import UNREADABLE_FILE
from rulewright.source.unsaved import hold_text, path_without_name, release_text

STDIN: Final = "-"

CheckFunction = Callable[..., CheckResult]  # `check_paths`, or what asks it only where something has changed
SHIPPED: Final = ("rules", "variants")
GC_THRESHOLD: Final = 600_000  # instead of that of other commands: what one set of rules leaves is small beside it


class Options(GameOptions):
    """The options of `check`."""

    paths: list[str]
    format: list[tuple[Format, str | None]]
    play: int
    verbose: bool
    fail_on: Literal["error", "warning"]
    fix: bool
    diff: bool
    stdin_filename: str | None
    watch: bool
    problem_matcher: bool


def run(args: Options) -> int:
    """Checks the paths, prints or writes the diagnostics and returns the exit status."""
    gc.set_threshold(GC_THRESHOLD)
    if args.problem_matcher:
        from rulewright.checker.output.problem_matcher import problem_matcher

        print(problem_matcher())
        return ExitStatus.OK
    _require_places_for_reports(args.format)
    if args.diff and not args.fix:
        raise UsageError("--diff shows what --fix would change: give both")
    if args.fix and args.watch:
        raise UsageError("--fix corrects files once: give it without --watch")
    if args.fix and STDIN in args.paths and not args.diff:
        raise UsageError("--fix corrects files: give --diff as well, to be shown what it would correct")
    if STDIN in args.paths:
        return _check_stdin(args)
    if args.stdin_filename is not None:
        raise UsageError("--stdin-filename says what standard input is: give - as a path")
    require_rule_files(args.paths)
    if args.watch:
        from rulewright.cli.check_again import check_again

        folders = [*map(bundle_folder, SHIPPED)]
        return check_again(lambda: _check(args, args.paths), [*map(Path, args.paths)] or folders)
    return _check(args, args.paths)


def _require_places_for_reports(formats: list[tuple[Format, str | None]]) -> None:
    """Raises `UsageError` where one would be written over another, or over rules."""
    if sum(path is None for _, path in formats) > 1:
        raise UsageError("only one --format can be printed; give the others a file: --format sarif=report.sarif")
    files = [path for _, path in formats if path is not None]
    for number, path in enumerate(files):
        if Path(path).suffix in RULE_FILE_SUFFIXES:
            raise UsageError(f"{path} is named like a rule file, which a report would replace: give it another name")
        if path in files[:number]:
            raise UsageError(f"only one --format can be written to {path}")


def _check_stdin(args: Options) -> int:
    """Checks what is typed or piped in, as if it were in its file."""
    if args.watch:
        raise UsageError("standard input cannot be watched")
    if args.paths.count(STDIN) > 1:
        raise UsageError("standard input can be checked only once")
    name = args.stdin_filename or str(path_without_name("stdin"))
    if Path(name).suffix not in RULE_FILE_SUFFIXES:
        raise UsageError(f"--stdin-filename ends in .yaml or .yml, as rule files do, not {quote(name)}")
    paths = [name if path == STDIN else path for path in args.paths]
    require_rule_files(path for path in args.paths if path != STDIN)
    hold_text(Path(name), _read_stdin())
    try:
        return _check(args, paths)
    finally:
        release_text(Path(name))


def _read_stdin() -> str:
    """The text of standard input, a little more than a file may have at most."""
    binary = getattr(sys.stdin, "buffer", None)
    if binary is None:  # replaced by a stream of text
        return sys.stdin.read()
    try:
        return str(binary.read(limits.MAX_FILE_BYTES + 1), "utf-8")
    except UnicodeDecodeError:
        raise UsageError("standard input is not UTF-8 text") from None


def _check(args: Options, paths: list[str]) -> int:
    # what is typed in is not kept, and of what is known the rules are not read
    check: CheckFunction = check_paths_again
    if args.fix or STDIN in args.paths or args.verbose:
        from rulewright.checker.checker import check_paths

        check = check_paths if STDIN in args.paths or args.verbose else check
    if args.fix:
        from rulewright.checker.fix_files import fix_files
        from rulewright.cli.check_fixes import fixes_as_diff, write_fixes

        folders = map(Path, paths) if paths else map(bundle_folder, SHIPPED)
        fixed = fix_files(folders, lambda: _checked(args, paths, check_paths, lambda: None, play=0))
        if args.diff:
            sys.stdout.write(fixes_as_diff(fixed.texts))
            print(f"{_count(fixed.count, 'correction')} in {_count(len(fixed.texts), 'file')}", file=sys.stderr)
            return ExitStatus.FINDINGS if fixed.texts else _exit_status([*fixed.checked.diagnostics], args.fail_on)
        write_fixes(fixed.texts)
    with show_progress("files and sets of rules checked") as count:
        result = _checked(args, paths, check, count, play=args.play)
    diagnostics, summary = list(result.diagnostics), _summary(result)
    proofs = None
    if args.verbose:
        from rulewright.checker.proofs import prove_rule_sets

        proofs = list(prove_rule_sets(result.rule_sets))
    printed = [form for form, path in args.format if path is None]
    for form, path in args.format or [("full", None)]:
        text = render(form, diagnostics, _summary_data(result), summary, proofs)
        if path is None:  # who has seen enough of it still wants the exit status; who watches waits for more
            with nullcontext() if args.watch else suppress(BrokenPipeError):
                print(text)
        else:
            write_output(path, f"{text}\n", replace=True)
    if args.format and not printed:
        print(summary)
    return _exit_status(diagnostics, args.fail_on)


def _checked(
    args: Options, paths: list[str], check: CheckFunction, on_file: Callable[[], None], *, play: int
) -> CheckResult:
    return check(
        paths,
        players=args.players,
        game=args.game,
        variants=args.variant,
        play=play,
        on_file=on_file,
        jobs=available_processors(),
    )


def _exit_status(diagnostics: list[Diagnostic], fail_on: str) -> int:
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
    known = ", ".join(_count(count, noun) for count, noun in counts if count)
    checked = known or _count(result.files, "file")
    if not len(result.diagnostics):
        apart = "" if known else f" by {'its' if result.files == 1 else 'their'} shape alone, since no game is around"
        return f"checked {checked}{apart}: no problems found"
    errors = result.diagnostics.error_count
    files = len({diagnostic.span.source.path for diagnostic in result.diagnostics})
    return (
        f"checked {checked}: {_count(errors, 'error')} and {_count(len(result.diagnostics) - errors, 'warning')}"
        f" in {_count(files, 'file')}"
    )


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


__all__ = ["Options", "run"]
