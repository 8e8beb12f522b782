"""`rulewright test`: runs scenarios and says which of them the rules do not keep.

In: parsed arguments. Out: a line for each file and every failure in full, on stdout; exit status 1 when a case fails.
With --coverage and --coverage-html also what the scenarios have seen of the rules, with --mutate which changes of the
rules they do not notice.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Final

from rulewright.cli.exit_status import ExitStatus
from rulewright.cli.options import CommandOptions
from rulewright.cli.output import write_output
from rulewright.cli.rule_paths import require_rule_files
from rulewright.coverage.case_traces import CaseTrace, ObservedScenarios
from rulewright.coverage.coverage_page import coverage_page
from rulewright.coverage.coverage_table import coverage_lines
from rulewright.coverage.mutation_report import equivalence_lines, mutation_summary, survivor_lines
from rulewright.coverage.mutation_run import MutationResult, MutationTask, draw_sample, plan_mutations
from rulewright.coverage.scenario_coverage import Coverage, measure_coverage
from rulewright.coverage.survivors import examine_mutations
from rulewright.diagnostics import Diagnostic, render_full
from rulewright.errors import UsageError, quote
from rulewright.scenarios.codes import CANNOT_BE_PLAYED
from rulewright.scenarios.runner import CaseResult, FileResult, run_scenario_files
from rulewright.scenarios.scenario_file import Case

DEFAULT_SEED: Final = 1


class Options(CommandOptions):
    """The options of `test`."""

    paths: list[str]
    coverage: bool
    coverage_html: str | None
    mutate: bool
    only: str | None
    sample: int | None
    seed: int | None
    jobs: int
    write_cases: str | None
    force: bool


def run(args: Options) -> int:
    """Runs the scenario files, and those in folders."""
    require_rule_files(args.paths)
    wants_coverage = args.coverage or args.coverage_html is not None
    is_observed = wants_coverage or args.mutate
    _require_purpose(args, is_observed)
    paths = [Path(path) for path in args.paths]
    scenarios, traces = ObservedScenarios(), list[CaseTrace]()

    def run_observed(case: Case) -> CaseResult:
        traces.append(scenarios.run(case))
        return traces[-1].result

    results = run_scenario_files(paths, run_observed) if is_observed else run_scenario_files(paths)
    first = next(results, None)
    if first is None:
        raise UsageError(f"there are no scenarios in {' or '.join(args.paths)}")
    failed = write_results(chain([first], results), _write)
    if wants_coverage:
        _write_coverage(args, measure_coverage(traces, scenarios.rules, args.only or ""))
    if args.mutate:
        _write_mutations(args, plan_mutations(traces, scenarios.rules, args.only or ""))
    return ExitStatus.FINDINGS if failed else ExitStatus.OK


def _require_purpose(args: Options, is_observed: bool) -> None:
    """Raises `UsageError` for an option that would do nothing."""
    if args.only and not is_observed:
        raise UsageError("--only is about coverage and mutants: add --coverage, --coverage-html FILE or --mutate")
    is_about_mutants = args.sample is not None or args.seed is not None or args.jobs > 1 or args.write_cases is not None
    if is_about_mutants and not args.mutate:
        raise UsageError("--sample, --seed, --jobs and --write-cases are about mutants: add --mutate")
    if args.seed is not None and args.sample is None:
        raise UsageError("--seed draws a sample of the mutants: add --sample N")


def _write_mutations(args: Options, tasks: Sequence[MutationTask]) -> None:
    """Tries the mutants, writes those that no case notices as they come, at last how many there were."""
    if not tasks:
        about = f" of {quote(args.only)}" if args.only else ""
        raise UsageError(f"these scenarios play with no rules{about} that could be changed")
    chosen = tasks if args.sample is None else draw_sample(tasks, args.sample, args.seed or DEFAULT_SEED)
    _write(f"\nmutants: {len(chosen)}; what follows, no scenario notices")
    results = []
    for result in examine_mutations(chosen, jobs=args.jobs):
        results.append(result)
        for line in survivor_lines(result):
            _write(line)
    for line in (*equivalence_lines(results), mutation_summary(results)):
        _write(line)
    if args.write_cases is not None:
        _write_cases(args, results)


def _write_cases(args: Options, results: Iterable[MutationResult]) -> None:
    """Writes a scenario file for each mutant that none noticed, where a case was found that does."""
    folder = Path(args.write_cases or "")
    cases = [(result.task, result.hint.case) for result in results if result.hint.case]
    texts = {_without_title(text): (task, text) for task, text in reversed(cases)}  # one for all that it would notice
    folder.mkdir(parents=True, exist_ok=True)
    for number, (task, text) in enumerate(reversed(texts.values()), start=1):
        write_output(str(folder / f"{number:03}-{task.address}.scenarios.yaml"), text, replace=args.force)
    _write(f"{len(texts)} {'case' if len(texts) == 1 else 'cases'} that would notice written to {folder}")


def _without_title(case_text: str) -> tuple[str, ...]:
    return tuple(line for line in case_text.splitlines() if not line.startswith("scenarios:"))


def _write_coverage(args: Options, coverage: Coverage) -> None:
    if args.only and not coverage.games:
        raise UsageError(f"no rule that these scenarios play with is {quote(args.only)}, or written by it")
    if args.coverage:
        _write("\n" + "\n".join(coverage_lines(coverage)))
    if args.coverage_html is not None:
        write_output(args.coverage_html, coverage_page(coverage), replace=args.force)


def write_results(results: Iterable[FileResult], write: Callable[[str], None]) -> int:
    """Writes each file's result as it comes, at last the totals; returns the number of failures.

    A file that cannot be used is one failure. What keeps several cases from being played is written once.
    """
    passed = failed = 0
    written: set[str] = set()
    for file in results:
        if not file.is_usable:
            failed += 1
            write(f"{file.path}: cannot be used")
            _write_diagnostics(file.diagnostics, write)
            continue
        failures = file.failures
        passed_here = len(file.cases) - len(failures)
        passed, failed = passed + passed_here, failed + len(failures)
        write(f"{file.path}: {passed_here} passed" + (f", {len(failures)} failed" if failures else ""))
        repeated = sum(not _write_failure(failure, written, write) for failure in failures)
        if repeated:
            write(f"\n{repeated} more {'case' if repeated == 1 else 'cases'} cannot be played for the same reason\n")
    write(f"{passed} passed, {failed} failed")
    return failed


def _write_failure(failure: CaseResult, written: set[str], write: Callable[[str], None]) -> bool:
    """Writes what was not written before; returns whether there was anything."""
    unplayable = [diagnostic for diagnostic in failure.diagnostics if diagnostic.code is CANNOT_BE_PLAYED]
    reasons = {_identity(diagnostic): diagnostic for diagnostic in (*failure.rule_diagnostics, *unplayable)}
    new = [diagnostic for identity, diagnostic in reasons.items() if identity not in written]
    written.update(reasons)
    rest = [diagnostic for diagnostic in failure.diagnostics if diagnostic not in unplayable]
    _write_diagnostics((*new, *rest), write)
    return bool(new or rest)


def _identity(diagnostic: Diagnostic) -> str:
    return f"{diagnostic.span} {diagnostic.code.name} {diagnostic.message}"


def _write_diagnostics(diagnostics: Iterable[Diagnostic], write: Callable[[str], None]) -> None:
    for diagnostic in diagnostics:
        write(f"\n{render_full(diagnostic)}\n")


def _write(text: str) -> None:
    with suppress(BrokenPipeError):  # who has seen enough still wants the exit status
        sys.stdout.write(text if text.endswith("\n") else f"{text}\n")


__all__ = ["Options", "run", "write_results"]
