"""What every rule says about itself: its source and status, where it is, and what was there before.

In: the document and the variants applied to it. Out: a `Provenance` for each address. A rule has the sources of the
statements that name it or a part of it, else those that it gives itself or that its file gives; else they are
inherited from the node around. What a variant wrote is the variant's, unless it says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Final

from rulewright.document.address import split_address
from rulewright.document.citations import (
    Citations,
    in_order_of_works,
    read_citations,
    stated_citations,
    surest_status,
    work_statuses,
)
from rulewright.document.document import Document
from rulewright.document.language import DEMAND_KEYS, keys_at
from rulewright.frozen import frozen, replace
from rulewright.model.rules import Provenance
from rulewright.model.symbol_table import METADATA_KEYS
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode, text_or_default
from rulewright.variants.variant import Variant

OWN_STATUS: Final = "own"  # the status of a variant that says nothing of it


@frozen
class SourceStatus:
    """Source and status. `is_of_variant`: a variant says so, or wrote what says nothing of itself."""

    source: Citations = ()
    status: str = ""
    is_of_variant: bool = False


NO_SOURCE: Final = SourceStatus()


def read_provenance(
    document: Document,
    applied: Collection[Variant],
    read_source: Callable[[Node | None], Citations] = read_citations,
    stated: Mapping[str, Citations] | None = None,
    *,
    of_parts: bool = True,
) -> dict[str, Provenance]:
    """The provenance of all addresses. `read_source`: what reads a `source`. `stated`: what the statements of the game
    cite, where they have been read. `of_parts`: also of what is within rules.
    """
    stated = stated_citations(document) if stated is None else stated
    reader = _ProvenanceReader(document, applied, read_source, stated, of_parts=of_parts)
    reader.visit(document.root, "", reader.head)
    return reader.notes


class _ProvenanceReader:
    """Goes through a document from the outside inwards. `notes`: what was found, by address."""

    def __init__(
        self,
        document: Document,
        applied: Collection[Variant],
        read_source: Callable[[Node | None], Citations],
        stated: Mapping[str, Citations],
        *,
        of_parts: bool,
    ) -> None:
        self.of_parts = of_parts
        self.read_source = read_source
        self.statuses = work_statuses(document)
        self.recorded = {one.address: SourceStatus(one.source, one.status) for one in document.recorded_sources}
        self.stated = stated
        self.head = self._of_head(document.root)
        self.parts = {head.span.source.path: self._of_head(head) for head in document.part_heads}
        self.notes: dict[str, Provenance] = {}
        self.heads: dict[str, SourceStatus] = {}  # of variants, by file
        self.chosen: dict[str, str] = {}  # the names of variants by file; one for a number of players is no choice
        for variant in applied:
            path, head = variant.root.span.source.path, self._of_head(variant.root)
            if variant.kind != "adjusts":
                self.heads[path] = replace(head, status=head.status or OWN_STATUS, is_of_variant=True)
                self.chosen[path] = variant.name
            elif head.status:  # a file of the game, which may say nothing of its own
                self.heads[path] = replace(head, is_of_variant=True)

    def visit(self, node: MappingNode, address: str, inherited: SourceStatus) -> None:
        """Notes what is said of everything in a node."""
        for entry in node:
            if entry.key.text in METADATA_KEYS and entry.key.text != "names":
                continue
            inner = f"{address}.{entry.key.text}" if address else entry.key.text
            around = inherited
            if address and "." not in address:  # a rule: what its file says of all of its rules
                around = self.parts.get(entry.key.span.source.path, inherited)
            own = self._own(entry, inner, around)
            writer = self.chosen.get(_writer(entry), "")
            self.notes[inner] = Provenance(inner, entry.key.span, own.source, own.status, entry.history, writer)
            if "." in inner and not self.of_parts:
                continue
            if isinstance(entry.value, MappingNode):
                self.visit(entry.value, inner, own)
            elif isinstance(entry.value, SequenceNode):
                for item in entry.value:  # offers that carry clauses of their own
                    if isinstance(item, MappingNode):
                        self.visit(item, inner, own)

    def _own(self, entry: Entry, address: str, inherited: SourceStatus) -> SourceStatus:
        """What is said of one node: by its writer, by the statements that name it, by itself."""
        if address in self.recorded:
            return self.recorded[address]
        value, own = entry.value, inherited
        keys = DEMAND_KEYS & keys_at(split_address(address))  # other names are the author's, perhaps equal to a key
        demands = [part for part in value if part.key.text in keys] if isinstance(value, MappingNode) else []
        for written in (entry, *demands):
            own = self.heads.get(_writer(written), own)
        # what the base says of itself does not hold for what a variant put in its place
        is_of_variant = own.is_of_variant
        stated = self.stated.get(address, ())
        if stated and not is_of_variant:
            own = self._cited(in_order_of_works(stated, self.statuses), own)
        if not isinstance(value, MappingNode):
            return own
        source, status = value.entry("source"), value.entry("status")
        if source is not None and not (is_of_variant and _writer(source) not in self.heads):
            own = self._cited(self.read_source(source.value), own)
        if status is not None and not (is_of_variant and _writer(status) not in self.heads):
            own = replace(own, status=text_or_default(status.value))
        return own

    def _cited(self, cited: Citations, around: SourceStatus) -> SourceStatus:
        """What cites these works has their status, else that of what is around it."""
        return replace(around, source=cited, status=surest_status(cited, self.statuses) or around.status)

    def _of_head(self, root: MappingNode) -> SourceStatus:
        """What the head of a file says of all that is in it."""
        own = self._cited(self.read_source(root.get("source")), NO_SOURCE)
        status = root.get("status")
        return own if status is None else replace(own, status=text_or_default(status))


def _writer(entry: Entry) -> str:
    """The file that wrote an entry: that of its value when the value was changed, else that of its key."""
    if isinstance(entry.value, ScalarNode):
        return entry.value.span.source.path
    return entry.key.span.source.path
