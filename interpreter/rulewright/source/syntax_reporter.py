"""Reports what is wrong with the YAML of one file, each place once.

In: problems of a text, by offsets. Out: `Diagnostics`.
"""

from __future__ import annotations

from rulewright.diagnostics import Cause, Code, Diagnostics, Related, SourceFile, Span
from rulewright.source.yaml_failure import SyntaxProblem, TextCorrection


class SyntaxReporter:
    """Reports what is wrong with a file."""

    def __init__(self, source: SourceFile, diagnostics: Diagnostics) -> None:
        self.source = source
        self.diagnostics = diagnostics
        self.reported_lines: set[int] = set()  # a syntax error on these is the same mistake

    def add(
        self,
        start: int,
        end: int,
        code: Code,
        message: str,
        *,
        label: str = "",
        help: str = "",
        replacement: TextCorrection | None = None,
        cause: Cause | None = None,
    ) -> None:
        """Reports the characters from `start` up to, not including, `end`."""
        self._add(SyntaxProblem(code, start, end, message, label, help, replacement=replacement), cause)

    def add_problem(self, problem: SyntaxProblem) -> None:
        """Reports a mistake after which other problems on its line are no news."""
        self._add(problem)
        self.reported_lines.add(self.source.line_and_column(problem.start)[0])

    def _add(self, problem: SyntaxProblem, cause: Cause | None = None) -> None:
        related = [Related(Span(self.source, start, end), note) for start, end, note in problem.related]
        span, fix = Span(self.source, problem.start, problem.end), problem.fix(self.source)
        self.diagnostics.add(
            span,
            problem.code,
            problem.message,
            label=problem.label,
            help=problem.help,
            related=related,
            fix=fix,
            cause=cause,
        )


__all__ = ["SyntaxReporter"]
