"""Whether the statements of a game speak of works, sections and rules that there are.

In: a game's document. Out: diagnostics about its file of statements, and about rules that none of them names; the
statements themselves have no part in play.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import partial
from typing import Final

from rulewright.checker.common import lint_codes
from rulewright.checker.texts.cited_sections import check_citations
from rulewright.diagnostics import Diagnostics, missing_name
from rulewright.document import codes as document_codes
from rulewright.document.address import find_entry, iter_addresses
from rulewright.document.citations import citations_in
from rulewright.document.document import Document
from rulewright.document.game_files import ENGLISH
from rulewright.document.language import GAME_SECTIONS
from rulewright.document.statements import (
    publication_sections,
    scalars_in,
    texts_by_language,
)
from rulewright.document.unread_files import read_sources, read_statements_file
from rulewright.model import codes
from rulewright.model.provenance import read_provenance
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, as_items, as_mapping, text_or_default
from rulewright.suggestions import did_you_mean, unknown_name_hint

# procedures are parts of the rules that run them; passages of the book explain rules
COVERED_SECTIONS: Final = frozenset(GAME_SECTIONS) - {"procedures", "book"}


def check_statements(document: Document, diagnostics: Diagnostics) -> None:
    """Reads the file of statements, if the game has one, and reports what it names that does not exist."""
    node = read_statements_file(document, diagnostics)
    if node is None:
        return
    has_all_files = all(diagnostic.code is not document_codes.UNREACHED_FILE for diagnostic in diagnostics)
    reasons = as_mapping(node.get("reasons")).entries if "reasons" in node else ()
    works = publication_sections(read_sources(document, diagnostics))
    used: set[str] = set()
    for index, statement in enumerate(as_items(node.get("list"))):
        assert isinstance(statement, MappingNode)
        where = f"list.{index + 1}"
        check_citations(works, statement.get("source"), diagnostics)
        if has_all_files:  # a file that nothing lists probably has what would be missing
            _rules(document, (*scalars_in(statement.get("rules")), *scalars_in(statement.get("instead"))), diagnostics)
        _languages(document, statement.entry("text"), diagnostics, where)
        _reason(statement, [reason.key.text for reason in reasons], diagnostics)
        used.add(text_or_default(statement.get("because")))
    for reason in reasons:
        _languages(document, reason, diagnostics, f"reasons.{reason.key.text}")
        if reason.key.text not in used:
            message = f"no statement uses the reason `{reason.key.text}`"
            diagnostics.add(reason.key.span, lint_codes.UNUSED, message, label="never used")
    if has_all_files and not diagnostics.error_count:
        _uncovered(document, node, diagnostics)


def _uncovered(document: Document, statements: MappingNode, diagnostics: Diagnostics) -> None:
    """Reports the rules that no statement names, and of which neither they nor their file says where they are from."""
    notes = read_provenance(document, (), stated=citations_in(statements), of_parts=False)
    for address, note in notes.items():
        section, *names = address.split(".")
        if len(names) == 1 and section in COVERED_SECTIONS and not note.source and not note.status:
            message = f"no statement names `{address}`, and nothing says who has decided it"
            hint = "name it in a statement, or write `source:` or `status:` at the head of its file"
            diagnostics.add(note.span, lint_codes.NO_SOURCE, message, label="from nowhere", help=hint, address=address)


def _rules(document: Document, named: Iterable[ScalarNode], diagnostics: Diagnostics) -> None:
    for name in named:
        if find_entry(document.root, name.text) is None:
            diagnostics.add(
                name.span,
                codes.UNKNOWN_REFERENCE,
                f"there is no rule at `{name.text}`",
                label="not found",
                help=partial(_address_hint, name.text, document),
                address=name.text,
                cause=missing_name(name.text, "address"),
            )


def _address_hint(address: str, document: Document) -> str:
    return did_you_mean(address, iter_addresses(document.root))


def _reason(statement: MappingNode, reasons: Collection[str], diagnostics: Diagnostics) -> None:
    """A statement is held by rules, or there is a reason that it is not."""
    because, text = statement.get("because"), statement.entry("text")
    assert text is not None
    if isinstance(because, ScalarNode) and because.text not in reasons:
        message, near = f"there is no reason `{because.text}`", unknown_name_hint(because.text, "reasons", reasons)
        diagnostics.add(
            because.span,
            codes.UNKNOWN_REFERENCE,
            message,
            label="not declared",
            help=near,
            cause=missing_name(because.text),
        )
    if because is None and "rules" not in statement:
        message = "this statement names neither a rule nor a reason for having none"
        hint = "write `rules: [addresses of rules]`, or `because:` and one of the `reasons`"
        diagnostics.add(text.key.span, lint_codes.HELD_BY_NOTHING, message, label="no rule, no reason", help=hint)


def _languages(document: Document, sentence: Entry | None, diagnostics: Diagnostics, address: str) -> None:
    """The languages of the game are those of the statements."""
    value: Node | None = sentence.value if sentence is not None else None
    there = texts_by_language(value)
    for code in (ENGLISH, *document.texts):
        if sentence is not None and code not in there:
            message = f"this sentence has no text in `{code}`"
            hint = f"write it as {{{', '.join(f'{language}: …' for language in (ENGLISH, *document.texts))}}}"
            diagnostics.add(
                sentence.key.span, codes.MISSING_SENTENCE, message, label="not translated", help=hint, address=address
            )


__all__ = ["check_statements"]
