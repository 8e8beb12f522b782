"""Whether the statements of a game speak of works, sections and rules that there are.

In: a game's document. Out: complaints about its file of statements; the statements themselves have no part in the
rules.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from rulewright.diagnostics import Report, hint_of, nearest
from rulewright.document.address import addresses, find
from rulewright.document.document import Document
from rulewright.document.statements import ENGLISH, by_language, read_statements, sections, texts_in
from rulewright.model import codes
from rulewright.model.provenance import cited
from rulewright.model.symbol_table import items, mapping, text_of
from rulewright.source.nodes import Entry, Mapping, Node, Scalar


def check_statements(document: Document, report: Report) -> None:
    """Reads the file of statements, if the game has one, and complains of what it names and is not there."""
    node = read_statements(document, report)
    if node is None:
        return
    reasons = mapping(node.get("reasons")).entries if "reasons" in node else ()
    works = sections(document)
    used: set[str] = set()
    for at, one in enumerate(items(node.get("list"))):
        assert isinstance(one, Mapping)
        where = f"list.{at + 1}"
        cited(works, one.get("source"), report)
        _rules(document, (*texts_in(one.get("nodes")), *texts_in(one.get("instead"))), report)
        _languages(document, one.entry("text"), report, where)
        _reason(one, [reason.key.text for reason in reasons], report)
        used.add(text_of(one.get("because")))
    for reason in reasons:
        _languages(document, reason, report, f"reasons.{reason.key.text}")
        if reason.key.text not in used:
            message = f"no statement names the reason `{reason.key.text}`"
            report.add(reason.key.span, codes.UNUSED, message, label="never named")


def _rules(document: Document, named: Iterable[Scalar], report: Report) -> None:
    for one in named:
        if find(document.root, one.text) is None:
            report.add(
                one.span,
                codes.UNKNOWN_REFERENCE,
                f"no rule stands at `{one.text}`",
                label="nothing there",
                help=lambda one=one: nearest(one.text, addresses(document.root)),  # type: ignore[misc]
                address=one.text,
            )


def _reason(statement: Mapping, reasons: Collection[str], report: Report) -> None:
    """A statement is held by rules, or there is a reason that it is not."""
    because, text = statement.get("because"), statement.entry("text")
    assert text is not None
    if isinstance(because, Scalar) and because.text not in reasons:
        message, near = f"there is no reason `{because.text}`", hint_of(because.text, "reasons", reasons)
        report.add(because.span, codes.UNKNOWN_REFERENCE, message, label="not declared", help=near)
    if because is None and "nodes" not in statement:
        message = "this statement names no rule that holds it and no reason why none does"
        hint = "write `nodes: [addresses of rules]`, or `because:` and one of the `reasons`"
        report.add(text.key.span, codes.HELD_BY_NOTHING, message, label="held by nothing", help=hint)


def _languages(document: Document, sentence: Entry | None, report: Report, address: str) -> None:
    """The languages of the game are those of the statements."""
    value: Node | None = sentence.value if sentence is not None else None
    there = by_language(value)
    for code in (ENGLISH, *document.texts):
        if sentence is not None and code not in there:
            message = f"this sentence has no text in `{code}`"
            hint = f"write it as {{{', '.join(f'{one}: …' for one in (ENGLISH, *document.texts))}}}"
            report.add(
                sentence.key.span, codes.MISSING_SENTENCE, message, label="not translated", help=hint, address=address
            )


__all__ = ["check_statements"]
