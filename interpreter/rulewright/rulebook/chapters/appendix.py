"""What one looks up rather than reads: all things with all their fields, and where each section's rules are printed.

In: a writer with the chapters before. Out: the appendix. Others can add sections of their own to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.frozen import field, mutable, replace
from rulewright.model.rules import ComponentDef
from rulewright.rulebook.blocks import BookBlock, Heading, RichText, TableRow, TextRun, iter_sections, plain_text
from rulewright.rulebook.component_values import field_cell
from rulewright.rulebook.writer import RulebookWriter
from rulewright.wording.text_case import upper_first

SectionWriter = Callable[[RulebookWriter], None]  # writes a heading of level 3 and what belongs to it
UNPRINTED_CHAPTERS = ("questions", "tips", "numbers")  # which repeat the rules of others


@mutable
class _Printed:
    """Where the rules of a section are printed, and who says so; as keys, in the order in which they were met."""

    heading: Heading
    sources: dict[tuple[str, str], None] = field(default_factory=dict)
    statuses: dict[str, None] = field(default_factory=dict)


def add_appendix(writer: RulebookWriter, extra_sections: Sequence[SectionWriter] = ()) -> None:
    """The last chapter before the index."""
    chapters = list(writer.blocks)
    writer.add_chapter("appendix")
    for name, component in writer.labels.rules.components.items():
        if component.ids and component.field_types:
            _add_things(writer, name, component)
    _add_printed_sources(writer, chapters)
    for add_section in extra_sections:
        add_section(writer)


def _add_things(writer: RulebookWriter, name: str, component: ComponentDef) -> None:
    labels, key, address = writer.labels, f"appendix.{name}", f"components.{name}"
    fields = list(component.field_types)
    title = labels.message("all_things", name=labels.label(address))
    writer.add_heading(3, key, title, key, mentions={address})
    rows: list[TableRow] = []
    for index, thing in enumerate(component.ids):
        cells: list[str | RichText] = [upper_first(labels.thing_text(name, index))]
        cells += [field_cell(labels, component, field_name, index) for field_name in fields]
        row = writer.table_row(f"{key}.{thing}", cells, covers={f"{address}.rows.{thing}"})
        rows.append(replace(row, anchor=""))
    header = [labels.message("name"), *(labels.label(f"{address}.fields.{field_name}") for field_name in fields)]
    writer.add_table(f"{key}.things", map(upper_first, header), rows)


def _add_printed_sources(writer: RulebookWriter, blocks: Sequence[BookBlock]) -> None:
    """For each section the sources and the status of the rules that it covers."""
    labels = writer.labels
    printed: dict[str, _Printed] = {}
    for heading, block in iter_sections(blocks):
        if heading.level == 1 or heading.anchor in UNPRINTED_CHAPTERS:
            continue
        for address in sorted(block.covers):
            note = labels.note(address)
            if note is not None and note.source and not address.startswith("book."):
                entry = printed.setdefault(heading.anchor, _Printed(heading))
                entry.sources.update(dict.fromkeys(note.source))
                if note.status:
                    entry.statuses[labels.message(f"status_{note.status}")] = None
    if not printed:
        return
    writer.add_heading(3, "appendix.printed", labels.message("printed"), "appendix.printed")
    works = list(labels.rules.explanations.works())
    rows = []
    for anchor, entry in printed.items():
        sources = sorted(entry.sources, key=lambda source: works.index(source[0]) if source[0] in works else len(works))
        cells: tuple[RichText, ...] = (
            (TextRun(plain_text(entry.heading.text), link=anchor),),
            (TextRun(writer.format_sources(sources)),),
            (TextRun("; ".join(entry.statuses)),),
        )
        rows.append(TableRow(f"appendix.printed.{anchor}", cells))
    header = [labels.message(key) for key in ("section", "source", "who_says")]
    writer.add_table("appendix.printed.rules", header, rows)
    writer.add_works("appendix")


__all__ = ["SectionWriter", "add_appendix"]
