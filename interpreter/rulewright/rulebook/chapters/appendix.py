"""What one looks up rather than reads: every thing with all its fields, and where every section's rules are printed.

In: a writer. Out: the appendix. Others may add sections of their own to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.model.rules import ComponentDef
from rulewright.rulebook.blocks import Heading, RichText, TableBlock, TableRow, TextRun, plain_text
from rulewright.rulebook.chapters.equipment import field_cell
from rulewright.rulebook.writer import RulebookWriter

SectionWriter = Callable[[RulebookWriter], None]  # writes a heading of level 3 and what stands below it


def add_appendix(w: RulebookWriter, extra_sections: Sequence[SectionWriter] = ()) -> None:
    """The last chapter before the index."""
    t = w.labels
    blocks = list(w.blocks)
    w.add_chapter("appendix")
    for name, component in t.rules.components.items():
        if component.ids and component.field_types:
            _things(w, name, component)
    _printed(w, blocks)
    for section in extra_sections:
        section(w)


def _things(w: RulebookWriter, name: str, component: ComponentDef) -> None:
    t, key = w.labels, f"appendix.{name}"
    fields = list(component.field_types)
    names = [t.label(f"components.{name}.fields.{field}") for field in fields]
    w.add_heading(
        3, key, t.message("all_things", name=t.label(f"components.{name}")), key, mentions={f"components.{name}"}
    )
    rows: list[TableRow] = []
    for at, thing in enumerate(component.ids):
        address = f"components.{name}.rows.{thing}"
        cells: list[str | RichText] = [t.sentences.thing_name(name, at)]
        cells += [field_cell(t, component, field, at) for field in fields]
        row = w.table_row(f"{key}.{thing}", cells, covers={address})
        rows.append(TableRow(row.key, row.cells, covers=row.covers))
    head = tuple((TextRun(one[:1].upper() + one[1:]),) for one in [t.message("name"), *names])
    w.blocks.append(TableBlock(f"{key}.things", head, tuple(rows)))


def _printed(w: RulebookWriter, blocks: Sequence[object]) -> None:
    """For each section the sources and the status of the rules that it says."""
    t = w.labels
    found: dict[str, tuple[Heading, dict[tuple[str, str], None], dict[str, None]]] = {}
    now: Heading | None = None
    for block in blocks:
        if isinstance(block, Heading):
            now = block
        if now is None or now.level == 1 or now.anchor in ("questions", "tips", "numbers"):
            continue
        for address in sorted(getattr(block, "covers", ())):
            note = t.note(address)
            if note is not None and note.source and not address.startswith("book."):
                _, sources, statuses = found.setdefault(now.anchor, (now, {}, {}))
                sources.update(dict.fromkeys(note.source))
                if note.status:
                    statuses[t.message(f"status_{note.status}")] = None
    if not found:
        return
    w.add_heading(3, "appendix.printed", t.message("printed"), "appendix.printed")
    works = list(t.rules.works)
    rows = []
    for anchor, (heading, sources, statuses) in found.items():
        ordered = sorted(sources, key=lambda one: works.index(one[0]) if one[0] in works else len(works))
        said = w.format_sources(ordered)
        cells: tuple[RichText, ...] = (
            (TextRun(plain_text(heading.text), link=anchor),),
            (TextRun(said),),
            (TextRun("; ".join(statuses)),),
        )
        rows.append(TableRow(f"appendix.printed.{anchor}", cells))
    head = tuple((TextRun(t.message(key)),) for key in ("section", "source", "who_says"))
    w.blocks.append(TableBlock("appendix.printed.rules", head, tuple(rows)))
    w.add_works("appendix")


__all__ = ["SectionWriter", "add_appendix"]
