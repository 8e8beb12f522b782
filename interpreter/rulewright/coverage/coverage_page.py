"""Coverage as one HTML page: the rule files, line by line, with what scenarios have seen of each rule.

In: `Coverage`. Out: the text of a page that needs no network and no script. A line is green where all was seen that can
be, yellow where a condition came out only one way, red where no scenario came by; the cases are listed on demand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Final, Literal

from rulewright.coverage.coverage_table import coverage_summary
from rulewright.coverage.scenario_coverage import Coverage, SiteCoverage
from rulewright.diagnostics import SourceFile

LineState = Literal["seen", "half", "unseen"]
MAX_LISTED_CASES: Final = 40  # of one outcome of a rule
STYLE: Final = """\
:root { color-scheme: light dark; --seen: #2a7d3a; --half: #a86a00; --unseen: #c02b2b }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem }
h2 { margin-top: 2.5rem } nav li { margin: .15rem 0 }
table.source { border-collapse: collapse; width: 100%; font: 13px/1.5 ui-monospace, monospace }
table.source td { vertical-align: top; padding: 0 .6rem; white-space: pre-wrap; overflow-wrap: anywhere }
td.number { text-align: right; opacity: .55; width: 3rem; user-select: none }
td.mark { width: 1rem; font-weight: bold }
tr.seen td.mark, tr.seen td.number { color: var(--seen) } tr.half td.mark { color: var(--half) }
tr.unseen td.mark { color: var(--unseen) }
tr.half { background: color-mix(in srgb, var(--half) 14%, transparent) }
tr.unseen { background: color-mix(in srgb, var(--unseen) 14%, transparent) }
details { font: 12px/1.4 system-ui, sans-serif; white-space: normal } summary { cursor: pointer }
summary .half { color: var(--half) } summary .unseen { color: var(--unseen) } ul { margin: .2rem 0 }
"""
MARKS: Final[Mapping[LineState, str]] = {"seen": "✓", "half": "½", "unseen": "✗"}  # also for who sees no colours


def coverage_page(coverage: Coverage) -> str:
    """The whole page."""
    body = "\n".join(_body(coverage))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>What the scenarios have seen</title>\n<style>\n{STYLE}</style>\n</head>\n"
        f"<body>\n<h1>What the scenarios have seen</h1>\n{body}\n</body>\n</html>\n"
    )


def _body(coverage: Coverage) -> Iterator[str]:
    files = _sites_by_file(coverage)
    yield "<ul>"
    for game, sites in coverage.games.items():
        yield f"<li>{escape(game)}: {escape(coverage_summary(sites))}</li>"
    yield "</ul>\n<nav><ul>"
    for number, (file, by_line) in enumerate(files):
        in_file = [covered for on_line in by_line.values() for covered in on_line]
        complete = sum(not covered.missing for covered in in_file)
        yield f'<li><a href="#file-{number}">{escape(file.path)}</a> {complete} of {len(in_file)}</li>'
    yield "</ul></nav>"
    for number, (file, by_line) in enumerate(files):
        yield f'<h2 id="file-{number}">{escape(file.path)}</h2>\n<table class="source">'
        for line in range(1, len(file.line_starts) + 1):
            yield _line(line, file.line_text(line), by_line.get(line, ()))
        yield "</table>"


def _sites_by_file(coverage: Coverage) -> list[tuple[SourceFile, dict[int, list[SiteCoverage]]]]:
    """The files in which there are rules, in the order of their paths, with the rules on each line.

    Rules for several numbers of players are read from one file several times: its path says that it is the same.
    """
    files: dict[str, tuple[SourceFile, dict[int, list[SiteCoverage]]]] = {}
    for sites in coverage.games.values():
        for covered in sites:
            span = covered.site.span
            if span is not None:
                _, by_line = files.setdefault(span.source.path, (span.source, {}))
                by_line.setdefault(span.line, []).append(covered)
    return [files[path] for path in sorted(files)]


def _line(number: int, text: str, sites: Sequence[SiteCoverage]) -> str:
    if not sites:
        return f'<tr><td class="number">{number}</td><td class="mark"></td><td>{escape(text)}</td></tr>'
    state = _state(sites)
    notes = "".join(map(_note, sites))
    return (
        f'<tr class="{state}"><td class="number">{number}</td><td class="mark">{MARKS[state]}</td>'
        f"<td>{escape(text)}{notes}</td></tr>"
    )


def _state(sites: Sequence[SiteCoverage]) -> LineState:
    states = [_site_state(covered) for covered in sites]
    return next((state for state in ("unseen", "half") if state in states), "seen")


def _site_state(covered: SiteCoverage) -> LineState:
    if not covered.missing:
        return "seen"
    return "half" if covered.when_true or covered.when_false else "unseen"


def _note(covered: SiteCoverage) -> str:
    is_condition = covered.site.kind == "condition"
    words = f"true in {len(covered.when_true)}, false in {len(covered.when_false)}"
    counts = words if is_condition else f"in {len(covered.when_true)}"
    missing = f' <span class="{_site_state(covered)}">{escape(" and ".join(covered.missing))}</span>'
    outcomes = (
        [("true", covered.when_true), ("false", covered.when_false)] if is_condition else [("", covered.when_true)]
    )
    lists = "".join(_case_list(word, cases) for word, cases in outcomes if cases)
    name = escape(covered.name)
    return f"<details><summary>{name}: {counts}{missing if covered.missing else ''}</summary>{lists}</details>"


def _case_list(outcome: str, cases: Sequence[str]) -> str:
    items = "".join(f"<li>{escape(case)}</li>" for case in cases[:MAX_LISTED_CASES])
    more = f"<li>and {len(cases) - MAX_LISTED_CASES} more</li>" if len(cases) > MAX_LISTED_CASES else ""
    return f"{outcome}<ul>{items}{more}</ul>"


__all__ = ["coverage_page"]
