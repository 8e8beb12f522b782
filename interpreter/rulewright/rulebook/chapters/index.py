"""Every term of the game, and where the book speaks of it.

In: a writer with the chapters before. Out: the index.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright import limits
from rulewright.document.text_addresses import title_address
from rulewright.expr.types import SEAT
from rulewright.model.locale import ENGLISH
from rulewright.rulebook.blocks import Heading, TextRun, iter_sections, plain_text
from rulewright.rulebook.writer import RulebookWriter
from rulewright.wording.text_case import upper_first


def add_index(writer: RulebookWriter) -> None:
    """The terms in alphabetical order, each with links to its sections; the one that explains it comes first."""
    labels = writer.labels
    mentioned: dict[str, list[Heading]] = {}
    explained: dict[str, Heading] = {}
    for heading, block in iter_sections(writer.blocks):
        if heading.level == 1:
            continue
        for address in block.covers:
            explained.setdefault(address, heading)
        for address in block.mentions | block.covers:
            if heading not in mentioned.setdefault(address, []):
                mentioned[address].append(heading)
    sections: dict[str, list[Heading]] = {}
    for address in _iter_terms(writer):
        first = [explained[address]] if address in explained else []
        entry = sections.setdefault(upper_first(labels.label(address)), [])
        for heading in (*first, *mentioned.get(address, ())):
            if heading not in entry:
                entry.append(heading)
    writer.add_chapter("index")
    for term in sorted(sections, key=str.casefold):
        links: list[TextRun] = []
        for heading in sections[term][: limits.MAX_INDEX_SECTIONS]:
            separator = ", " if links else labels.message("colon") + " "
            links += [TextRun(separator), TextRun(plain_text(heading.text), link=heading.anchor)]
        if links:
            writer.add_text("item", f"index.{term}", (TextRun(term, "strong"), *links))


def _iter_terms(writer: RulebookWriter) -> Iterator[str]:
    """The addresses of kinds and their members, components and their fields, zones, values, actions."""
    labels, rules = writer.labels, writer.labels.rules
    yield from (f"kinds.{name}" for name in rules.kinds if name != SEAT.kind and labels.has_sentence(f"kinds.{name}"))
    for name, info in rules.kinds.items():
        if name != SEAT.kind and not info.is_numeric and not info.cell_kind:
            named = rules.languages[ENGLISH].member_names
            yield from (f"kinds.{name}.{member}" for member in info.members if member in named)
    for name, component in rules.components.items():
        yield f"components.{name}"
        yield from (f"components.{name}.fields.{field}" for field in component.field_types)
    yield from (f"zones.{name}" for name in rules.zones)
    yield from (f"values.{name}" for name in rules.values if _is_term(writer, f"values.{name}"))
    yield from (action.address for action in rules.actions)


def _is_term(writer: RulebookWriter, address: str) -> bool:
    """Whether a derived value has a title, or a label by which play refers to it."""
    labels = writer.labels
    has_title = labels.has_sentence(title_address(address))
    return labels.has_label(address) and (has_title or address not in writer.bot_only_values)


__all__ = ["add_index"]
