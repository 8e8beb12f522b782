"""Rule files with their certain mistakes corrected, as long as each correction makes them better; nothing is guessed.

In: paths, and a function that checks them. Out: the new texts, how many mistakes were corrected, and what is left. The
files on the disk, and what somebody is writing and has not saved, stay as they are: the new texts are held in memory
and checked there. A correction is taken only if
its mistake is gone, its line has no new mistake of that sort, and the whole has fewer mistakes: those that keep a file
from being read count before those in its meaning, which only then are seen. Where reading stops at the first mistake,
the next one may be seen instead, further to the right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from rulewright.checker.checker import CheckResult
from rulewright.diagnostics import Diagnostic, Fix
from rulewright.frozen import frozen
from rulewright.source.reader import is_present_file, peek_text
from rulewright.source.real_paths import real_path
from rulewright.source.unsaved import held_text, hold_text, release_text

MAX_ROUNDS: Final = 20
MAX_TRIALS: Final = 100  # corrections that are tried one by one
WARNING_RANK: Final = 4
LAST_HIDING_RANK: Final = 2
RANKS: Final = {"Y": 0, "S": 1, "E": 2}  # what hides mistakes of a higher rank; all others are of rank 3

RejectedKey = tuple[Path, int, str, str]  # file, line, code, new text: one that made nothing better


@frozen
class FixedText:
    """A file that was corrected."""

    path: Path
    before: str
    after: str


@frozen
class FixResult:
    """The corrected texts, how many corrections they have, and what a check of them finds."""

    texts: tuple[FixedText, ...]
    count: int
    checked: CheckResult


@frozen
class _Proposal:
    diagnostic: Diagnostic
    fix: Fix
    path: Path

    @property
    def rejected_key(self) -> RejectedKey:
        return self.path, self.fix.span.line, self.diagnostic.code.name, self.fix.text


def fix_files(paths: Iterable[Path], check: Callable[[], CheckResult]) -> FixResult:
    """Corrects what is certain in files at or below the paths."""
    roots = [real_path(path) for path in paths]
    originals: dict[Path, str] = {}
    unsaved: dict[Path, str | None] = {}
    rejected: set[RejectedKey] = set()
    checked, count, trials = check(), 0, 0
    try:
        for _ in range(MAX_ROUNDS):
            proposals = [one for one in _proposals(checked, roots) if one.rejected_key not in rejected]
            if not proposals or trials >= MAX_TRIALS:
                break
            for one in proposals:
                originals.setdefault(one.path, one.fix.span.source.text)
                unsaved.setdefault(one.path, held_text(one.path))
            after = _tried(proposals, checked, check)
            if after is not None:
                checked, count = after, count + len(proposals)
                continue
            if len(proposals) > 1:  # one of them is wrong: the first that helps alone is taken
                for one in proposals[: MAX_TRIALS - trials]:
                    trials += 1
                    after = _tried([one], checked, check)
                    if after is not None:
                        checked, count = after, count + 1
                        break
                    rejected.add(one.rejected_key)
            else:
                rejected.add(proposals[0].rejected_key)
        texts = [FixedText(path, before, peek_text(path)) for path, before in originals.items()]
        return FixResult(tuple(text for text in texts if text.before != text.after), count, checked)
    finally:
        for path, text in unsaved.items():
            release_text(path)
            if text is not None:
                hold_text(path, text)


def _proposals(checked: CheckResult, roots: Sequence[Path]) -> list[_Proposal]:
    """Corrections that do not overlap, in files at or below the roots."""
    proposals: list[_Proposal] = []
    for diagnostic in checked.diagnostics:
        fix = diagnostic.certain_fix
        if fix is None:
            continue
        path = real_path(Path(fix.span.source.path))
        if held_text(path) is None and not is_present_file(path):
            continue
        if peek_text(path) != fix.span.source.text or not any(path.is_relative_to(root) for root in roots):
            continue
        taken = [span for one in proposals if one.path == path for span in one.fix.spans]
        if not any(own.start <= span.end and span.start <= own.end for own in fix.spans for span in taken):
            proposals.append(_Proposal(diagnostic, fix, path))
    return proposals


def _tried(proposals: Sequence[_Proposal], before: CheckResult, check: Callable[[], CheckResult]) -> CheckResult | None:
    """What a check finds after the corrections; None when they make something worse, and are taken back."""
    old = {one.path: peek_text(one.path) for one in proposals}
    for path, text in old.items():
        edits = [(span, one.fix.text) for one in proposals if one.path == path for span in one.fix.spans]
        for span, new in sorted(edits, key=lambda edit: -edit[0].start):
            text = text[: span.start] + new + text[span.end :]
        hold_text(path, text)
    after = check()
    if _is_no_worse(proposals, before, after) and all(
        _count_beside(one, after, one.fix.text) < _count_beside(one, before, one.fix.span.text) for one in proposals
    ):
        return after
    for path, text in old.items():
        hold_text(path, text)
    return None


def _rank(diagnostic: Diagnostic) -> int:
    return WARNING_RANK if diagnostic.severity == "warning" else RANKS.get(diagnostic.code.number[0], 3)


def _count_by_rank(checked: CheckResult) -> list[int]:
    ranks = [_rank(diagnostic) for diagnostic in checked.diagnostics]
    return [ranks.count(rank) for rank in range(WARNING_RANK + 1)]


def _is_no_worse(proposals: Sequence[_Proposal], before: CheckResult, after: CheckResult) -> bool:
    """Whether there are fewer mistakes; behind one that hid others, as many are enough."""
    ranks = [_rank(one.diagnostic) for one in proposals]
    worst = max(ranks) + 1
    old, new = _count_by_rank(before)[:worst], _count_by_rank(after)[:worst]
    return new < old or (new == old and max(ranks) <= LAST_HIDING_RANK)


def _count_beside(proposal: _Proposal, checked: CheckResult, text: str) -> int:
    """How many mistakes that a correction should not bring are on its line; corrections never change line numbers.

    `text`: what is at its place. Behind one that hid others, only those up to its end count.
    """
    span, rank = proposal.fix.span, _rank(proposal.diagnostic)
    end = span.start + len(text)
    return sum(
        diagnostic.span.source.path == span.source.path
        and diagnostic.span.line == proposal.diagnostic.span.line
        and _rank(diagnostic) <= rank
        and (rank > LAST_HIDING_RANK or diagnostic.span.start <= end)
        for diagnostic in checked.diagnostics
    )


__all__ = ["FixResult", "FixedText", "fix_files"]
