"""What the printed rules say, sentence by sentence, with where this book says it, or why it is no rule.

In: the statements of a game. Out: a section of the appendix.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.document.statements import Publication, Statement
from rulewright.model.locale import ENGLISH
from rulewright.rulebook.blocks import Heading, RichText, TableBlock, TableRow, TextRun, iter_sections, plain_text
from rulewright.rulebook.chapters.appendix import SectionWriter
from rulewright.rulebook.writer import RulebookWriter


def printed_rules_section(publications: Sequence[Publication]) -> SectionWriter:
    """What writes the section: a table for each publication."""

    def add_printed_rules(writer: RulebookWriter) -> None:
        labels = writer.labels
        headings = _headings_by_address(writer)
        writer.add_heading(3, "appendix.stated", labels.message("stated"), "appendix.stated")
        writer.add_text("paragraph", "appendix.stated.how", labels.message("stated_how"))
        header = [labels.message(key) for key in ("section", "stated_there", "stated_here")]
        for publication in publications:
            about = labels.rules.explanations.works().get(publication.id, {})
            key = f"appendix.stated.{publication.id}"
            writer.add_heading(4, key, str(about.get("title", publication.id)), key)
            rows = []
            for index, section in enumerate(publication.sections):
                for statement in section.statements:
                    cells = (
                        (TextRun(_localize(section.names, labels.locale)),),
                        (TextRun(_localize(statement.text, labels.locale)),),
                        _answer(writer, statement, headings),
                    )
                    rows.append(TableRow(f"{key}.{index}.{statement.number}", cells))
            writer.add_table(f"{key}.table", header, rows)

    return add_printed_rules


def _localize(texts: Mapping[str, str], locale: str) -> str:
    """The text in a locale, else in English, else in any."""
    return texts.get(locale) or texts.get(ENGLISH) or next(iter(texts.values()), "")


def _answer(writer: RulebookWriter, statement: Statement, headings: Mapping[str, Heading]) -> RichText:
    """Links to the sections of this book that say it, or why it is no rule."""
    labels = writer.labels
    sections: dict[str, Heading] = {}
    for address in statement.addresses or statement.instead:
        heading = _find_heading(address, headings)
        if heading is not None:
            sections.setdefault(heading.anchor, heading)
    links = [
        run
        for heading in sections.values()
        for run in (TextRun(", "), TextRun(plain_text(heading.text), link=heading.anchor))
    ][1:]
    if not statement.reason:
        return tuple(links)
    reason = TextRun(labels.message("no_rule", because=_localize(statement.reason, labels.locale)))
    return (reason, TextRun(" → "), *links) if links else (reason,)


def _headings_by_address(writer: RulebookWriter) -> dict[str, Heading]:
    """For each address the heading under which this book covers it, else the one under which it mentions it."""
    covered: dict[str, Heading] = {}
    mentioned: dict[str, Heading] = {}
    for heading, block in iter_sections(writer.blocks):
        if heading.level == 1:
            continue
        for part in (block, *(block.rows if isinstance(block, TableBlock) else ())):
            for address in part.covers:
                covered.setdefault(address, heading)
            for address in part.mentions:
                mentioned.setdefault(address, heading)
    return {**mentioned, **covered}


def _find_heading(address: str, headings: Mapping[str, Heading]) -> Heading | None:
    """The heading of an address, or of the nearest one around it."""
    while address and address not in headings:
        address = address.rpartition(".")[0]
    return headings.get(address)


__all__ = ["printed_rules_section"]
