"""Diagnostics in the forms that other programs read: annotations, SARIF, reports of code quality and of tests.

In: diagnostics, and what was checked. Out: text. GitHub: a workflow command for each diagnostic. SARIF 2.1.0: one run.
GitLab: its report of code quality. JUnit: a test case for each file, which failed where the file has an error.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from rulewright import __version__
from rulewright.checker.output.format_names import Format
from rulewright.diagnostics import Diagnostic, Span, order_for_printing, render_concise, render_full
from rulewright.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from rulewright.checker.proofs import Proofs

SARIF_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
NOT_IN_XML: Final = lazy_pattern("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]")
PROJECT_VARIABLES: Final = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")  # of GitHub's and GitLab's runners
MAX_ANNOTATIONS: Final = 50  # of one run that GitHub shows
Counts: TypeAlias = Mapping[str, int]


def render(
    form: Format,
    diagnostics: Sequence[Diagnostic],
    counts: Counts,
    summary: str,
    proofs: Sequence[Proofs] | None = None,
) -> str:
    """All diagnostics in a form, without a line break at the end. `counts`: what was checked; `summary`: the same as a
    line. `proofs`: what is proved, for full text and JSON; None where nobody asked.
    """
    match form:
        case "full":
            shown = [f"{render_full(one)}\n" for one in order_for_printing(diagnostics)]
            return "\n".join([*shown, *(() if proofs is None else _proofs_as_text(proofs)), summary])
        case "short":
            return "\n".join(map(render_concise, diagnostics)) or summary
        case "json":
            from rulewright.checker.common.diagnostic_json import diagnostics_to_json  # most checks print text

            proved = {} if proofs is None else {"guarantees": _proofs_as_data(proofs)}
            return _json({"diagnostics": diagnostics_to_json(diagnostics), "summary": dict(counts), **proved})
        case "github":
            return "\n".join([*_annotations(diagnostics, counts["errors"] + counts["warnings"]), summary])
        case "sarif":
            return _json(_sarif(diagnostics))
        case "gitlab":
            return _json(_code_quality(diagnostics))
        case "junit":
            return _junit(diagnostics, summary)


def _proofs_as_text(proofs: Sequence[Proofs]) -> Iterable[str]:
    from rulewright.checker.proofs import proof_lines  # with the analyses that prove, for which few ask

    return proof_lines(proofs)


def _proofs_as_data(proofs: Sequence[Proofs]) -> Sequence[object]:
    from rulewright.checker.proofs import proofs_to_json

    return proofs_to_json(proofs)


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False)


def _region(span: Span) -> tuple[int, int, int, int]:
    """The first line and column, and the line and column behind the last character; all count from 1."""
    return (*span.source.line_and_column(span.start), *span.source.line_and_column(span.end))


def _last_line(span: Span) -> int:
    """The line of the last character."""
    return span.source.line_and_column(max(span.start, span.end - 1))[0]


def _report_path(path: str) -> PurePath:
    """As programs look for a file: from the folder of the project that they have fetched, where they say which it is,
    else from the current folder, where it is below it.
    """
    pure, here = PurePath(path), Path.cwd()
    whole = PurePath(os.path.normpath(here / pure))
    for name in PROJECT_VARIABLES:
        project = os.environ.get(name, "")
        if project and whole.is_relative_to(project):
            return whole.relative_to(project)
    return pure.relative_to(here) if pure.is_absolute() and pure.is_relative_to(here) else pure


def _sentences(diagnostic: Diagnostic) -> str:
    """What is wrong, what can be done about it, and how to see it."""
    lines = [diagnostic.message]
    if diagnostic.help:
        lines.append(f"help: {diagnostic.help}")
    if diagnostic.replay:
        lines.append(f"see it: {diagnostic.replay}")
    return "\n".join(lines)


# ---- GitHub ---------------------------------------------------------------------------------------------------------


def _annotations(diagnostics: Sequence[Diagnostic], total: int) -> list[str]:
    """The most severe first: of many only the first are shown. `total`: with those that are only counted."""
    ordered = sorted(diagnostics, key=lambda one: one.severity != "error")
    lines = [_annotation(one) for one in ordered[:MAX_ANNOTATIONS]]
    left = max(len(ordered), total) - len(lines)
    return [*lines, f"::notice::{left} more, see the other output of the check"] if left else lines


def _annotation(diagnostic: Diagnostic) -> str:
    line, column, _, end_column = _region(diagnostic.span)
    end_line = _last_line(diagnostic.span)
    properties: dict[str, object] = {
        "file": _report_path(diagnostic.span.source.path),
        "line": line,
        "endLine": end_line,
    }
    if line == end_line:  # columns are only taken within one line
        properties |= {"col": column, "endColumn": max(column, end_column - 1)}
    properties["title"] = f"{diagnostic.code.number} {diagnostic.code.name}"
    written = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    return f"::{diagnostic.severity} {written}::{_escaped(_sentences(diagnostic))}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


# ---- SARIF ----------------------------------------------------------------------------------------------------------


def _sarif(diagnostics: Sequence[Diagnostic]) -> dict[str, Any]:
    from rulewright.checker.common.diagnostic_json import CODES, fingerprints

    places = {code.number: place for place, code in enumerate(CODES)}
    rules = [
        {
            "id": code.number,
            "name": code.name,
            "shortDescription": {"text": code.meaning},
            "defaultConfiguration": {"level": code.severity},
        }
        for code in CODES
    ]
    results = [
        {
            "ruleId": one.code.number,
            "ruleIndex": places[one.code.number],
            "level": one.severity,
            "message": {"text": _sentences(one)},
            "locations": [_location(one.span, address=one.address)],
            "relatedLocations": [_location(related.span, note=related.note) for related in one.related],
            "partialFingerprints": {"rulewright/v1": own},
            **_fixes(one),
        }
        for one, own in zip(diagnostics, fingerprints(diagnostics), strict=True)
    ]
    driver = {"name": "rulewright", "semanticVersion": __version__, "rules": rules}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}


def _fixes(diagnostic: Diagnostic) -> dict[str, Any]:
    fix = diagnostic.certain_fix
    if fix is None:
        return {}
    replacements = []
    for span in fix.spans:
        line, column, end_line, end_column = _region(span)
        region = {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}
        replacements.append({"deletedRegion": region, "insertedContent": {"text": fix.text}})
    change = {"artifactLocation": {"uri": _uri(fix.span.source.path)}, "replacements": replacements}
    return {"fixes": [{"description": {"text": fix.title}, "artifactChanges": [change]}]}


def _location(span: Span, *, address: str = "", note: str = "") -> dict[str, Any]:
    line, column, end_line, end_column = _region(span)
    location: dict[str, Any] = {
        "physicalLocation": {
            "artifactLocation": {"uri": _uri(span.source.path)},
            "region": {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column},
        }
    }
    if address:
        location["logicalLocations"] = [{"fullyQualifiedName": address}]
    if note:
        location["message"] = {"text": note}
    return location


def _uri(path: str) -> str:
    pure = _report_path(path)
    if pure.is_absolute():
        return pure.as_uri()
    from urllib.parse import quote  # most checks print text

    return quote(pure.as_posix(), errors="surrogateescape")  # also of names that are not UTF-8


# ---- GitLab, JUnit --------------------------------------------------------------------------------------------------


def _code_quality(diagnostics: Sequence[Diagnostic]) -> list[dict[str, Any]]:
    from rulewright.checker.common.diagnostic_json import fingerprints

    return [
        {
            "description": _sentences(one),
            "check_name": one.code.name,
            "fingerprint": own,
            "severity": "major" if one.severity == "error" else "minor",
            "location": {
                "path": _report_path(one.span.source.path).as_posix(),
                "lines": {"begin": one.span.line, "end": _last_line(one.span)},
            },
        }
        for one, own in zip(diagnostics, fingerprints(diagnostics), strict=True)
    ]


def _junit(diagnostics: Sequence[Diagnostic], summary: str) -> str:
    """A test case for each file with a diagnostic, and one that says what was checked."""
    from xml.etree import ElementTree  # most checks print text

    by_file: dict[str, list[Diagnostic]] = {}
    for one in diagnostics:
        by_file.setdefault(one.span.source.path, []).append(one)
    failures = {
        path: error for path, found in by_file.items() if (error := next(filter(_is_error, found), None)) is not None
    }
    suite = ElementTree.Element(
        "testsuite",
        name="rulewright check",
        tests=str(len(by_file) + 1),
        failures=str(len(failures)),
    )
    for path, found in by_file.items():
        case = ElementTree.SubElement(suite, "testcase", classname="rulewright", name=_without_controls(path))
        text = _without_controls("\n\n".join(map(render_full, found)))
        if path in failures:
            message = _without_controls(failures[path].message)
            ElementTree.SubElement(case, "failure", message=message, type=failures[path].code.name).text = text
        else:
            ElementTree.SubElement(case, "system-out").text = text
    ElementTree.SubElement(suite, "testcase", classname="rulewright", name=summary)
    root = ElementTree.Element("testsuites")
    root.append(suite)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True)


def _is_error(diagnostic: Diagnostic) -> bool:
    return diagnostic.severity == "error"


def _without_controls(text: str) -> str:
    """Without what XML has no way to write."""
    return NOT_IN_XML.sub("\ufffd", text)


__all__ = ["render"]
