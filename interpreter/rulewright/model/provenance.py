"""What every rule says about itself: its source and status, where it is, and what was there before.

In: the document and the variants applied to it. Out: a `Provenance` for each address. Source and status are
inherited from the node around; what a variant wrote is the variant's, unless it says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final, NamedTuple

from rulewright.document.address import split_address
from rulewright.document.document import Document
from rulewright.document.language import DEMAND_KEYS, keys_at
from rulewright.document.statements import scalars_in
from rulewright.model.rules import Provenance
from rulewright.model.symbol_table import METADATA_KEYS
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode, text_or_default
from rulewright.variants.variant import Variant

Citations = tuple[tuple[str, str], ...]  # work and section
OWN_STATUS: Final = "own"  # the status of a variant that says nothing of it


class SourceStatus(NamedTuple):
    """Source and status."""

    source: Citations
    status: str


def read_citations(node: Node | None) -> Citations:
    """Work and section of all that a `source` cites."""
    works = node.entries if isinstance(node, MappingNode) else ()
    return tuple((work.key.text, section.text) for work in works for section in scalars_in(work.value))


def read_provenance(
    document: Document,
    applied: Collection[Variant],
    read_source: Callable[[Node | None], Citations] = read_citations,
) -> dict[str, Provenance]:
    """The provenance of all addresses. `read_source`: what reads a `source`."""
    heads: dict[str, SourceStatus] = {}
    # a file for a number of players is no choice
    chosen = {
        variant.root.span.source.path: variant.name
        for variant in applied
        if variant.requires or not variant.is_always_applied
    }
    notes: dict[str, Provenance] = {}

    def status_of(entry: Entry, address: str, inherited: SourceStatus) -> SourceStatus:
        value = entry.value
        keys = DEMAND_KEYS & keys_at(split_address(address))  # other names are the author's, perhaps equal to a key
        demands = [part for part in value if part.key.text in keys] if isinstance(value, MappingNode) else []
        for written in (entry, *demands):
            writer = heads.get(_writer(written))
            if writer is not None:
                inherited = writer
        if not isinstance(value, MappingNode):
            return inherited
        own = inherited
        for key in ("source", "status"):
            statement = value.entry(key)
            # what the base says of itself does not hold for what a variant put in its place
            if statement is None or (own in heads.values() and _writer(statement) not in heads):
                continue
            own = (
                own._replace(source=read_source(statement.value))
                if key == "source"
                else own._replace(status=text_or_default(statement.value))
            )
        return own

    def visit(node: MappingNode, address: str, inherited: SourceStatus) -> None:
        for entry in node:
            if entry.key.text in METADATA_KEYS and entry.key.text != "names":
                continue
            inner = f"{address}.{entry.key.text}" if address else entry.key.text
            own = status_of(entry, inner, inherited)
            notes[inner] = Provenance(
                inner, entry.key.span, own.source, own.status, entry.history, chosen.get(_writer(entry), "")
            )
            if isinstance(entry.value, MappingNode):
                visit(entry.value, inner, own)
            elif isinstance(entry.value, SequenceNode):
                for item in entry.value:  # offers that carry clauses of their own
                    if isinstance(item, MappingNode):
                        visit(item, inner, own)

    for variant in applied:
        status = text_or_default(variant.root.get("status"), OWN_STATUS)
        heads[variant.root.span.source.path] = SourceStatus(read_source(variant.root.get("source")), status)
    head = SourceStatus(read_source(document.root.get("source")), text_or_default(document.root.get("status")))
    visit(document.root, "", head)
    return notes


def _writer(entry: Entry) -> str:
    """The file that wrote an entry: that of its value when the value was changed, else that of its key."""
    if isinstance(entry.value, ScalarNode):
        return entry.value.span.source.path
    return entry.key.span.source.path
