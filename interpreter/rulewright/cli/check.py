"""`rulewright check`: everything that is wrong with rule files, at every number of players, variants over their game.

In: parsed arguments. Out: what the checker returns, on stdout as text or JSON; exit status 1 when a diagnostic is as
severe as `--fail-on`, 2 when a file cannot be read.
"""

from __future__ import annotations

import json
from typing import Literal

from rulewright.checker.check_cache import check_paths_again
from rulewright.checker.checker import CheckResult
from rulewright.checker.diagnostic_json import diagnostic_to_json
from rulewright.cli.exit_status import ExitStatus
from rulewright.cli.open_game import require_rule_files
from rulewright.cli.options import GameOptions
from rulewright.cli.progress import show_progress
from rulewright.diagnostics import Diagnostic, order_for_printing, render_concise, render_full
from rulewright.source.codes import UNREADABLE_FILE


class Options(GameOptions):
    """The options of `check`."""

    paths: list[str]
    format: Literal["full", "short", "json"]
    fail_on: Literal["error", "warning"]


def run(args: Options) -> int:
    """Checks the paths, prints the diagnostics and returns the exit status."""
    require_rule_files(args.paths)
    with show_progress("files checked") as count:
        result = check_paths_again(
            args.paths, players=args.players, game=args.game, variants=args.variant, on_file=count
        )
    diagnostics = list(result.diagnostics)
    match args.format:
        case "json":
            data = {"diagnostics": list(map(diagnostic_to_json, diagnostics)), "summary": _summary_data(result)}
            print(json.dumps(data, ensure_ascii=False))
        case "short":
            print("\n".join(map(render_concise, diagnostics)) or _summary(result))
        case _:
            for diagnostic in order_for_printing(diagnostics):
                print(f"{render_full(diagnostic)}\n")
            print(_summary(result))
    return _exit_status(diagnostics, fail_on=args.fail_on)


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
