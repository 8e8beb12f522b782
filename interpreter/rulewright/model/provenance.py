"""What every rule says about itself: its source and status, where it stands, and what was there before.

In: the assembled document and the variants laid over it. Out: a `Note` for each address. Source and status are
inherited from the node around; what a variant wrote is the variant's, unless it says otherwise.
"""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Mapping as Table
from typing import Final, NamedTuple

from rulewright.diagnostics import Diagnostics
from rulewright.document.document import Document
from rulewright.document.statements import publication_sections, scalars_in
from rulewright.model import codes
from rulewright.model.rules import Provenance
from rulewright.model.symbol_table import METADATA_KEYS
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode, as_mapping, text_or_default
from rulewright.suggestions import did_you_mean, list_names
from rulewright.variants.variant import Variant

SectionsByWork = Table[str, tuple[Table[str, str], ...]]  # the sections that each lists, their names by language
OWN_STATUS: Final = "own"  # the status of a variant that says nothing of it
# keys with a bare value that say what a rule demands or does: a variant that changes one of these has changed the rule
DEMAND_KEYS: Final = frozenset({
    "value", "is", "type", "per", "start", "resets", "holds", "at_most", "order", "refill", "starts",
    "seen_by", "forgets", "starts_in", "one_of", "some_of", "total", "pay", "from", "wild", "worth", "rebate",
    "move", "to", "set", "roll", "reveal", "must", "may", "together", "otherwise", "single", "turn",
    "extra_turn", "leave", "finish", "winners", "run", "when", "for_each", "times", "by", "most", "fewest",
    "after", "weight",
})  # fmt: skip


class SourceStatus(NamedTuple):
    """Source and status."""

    source: tuple[tuple[str, str], ...]
    status: str


def read_citations(works: SectionsByWork, node: Node | None, diagnostics: Diagnostics) -> tuple[tuple[str, str], ...]:
    """Work and section of all that a `source` cites; complains of a work that is not listed, or a section that it has
    not among those it lists.
    """
    found = []
    for entry in as_mapping(node) if isinstance(node, MappingNode) else ():
        work = entry.key.text
        known = [name for section in works.get(work, ()) for name in section.values()]
        if work not in works:
            message, hint = f"no work `{work}` is listed among the sources", did_you_mean(work, works)
            diagnostics.add(entry.key.span, codes.UNKNOWN_SOURCE, message, help=hint or "list it in the sources file")
        for one in scalars_in(entry.value):
            if known and one.text not in known:
                message, hint = f"the work `{work}` lists no section `{one.text}`", did_you_mean(one.text, known)
                hint = hint or list_names("sections", known)
                diagnostics.add(one.span, codes.UNKNOWN_SECTION, message, label="not listed", help=hint)
            found.append((work, one.text))
    return tuple(found)


def read_provenance(document: Document, laid: Collection[Variant], diagnostics: Diagnostics) -> dict[str, Provenance]:
    """The notes of all addresses."""
    works = publication_sections(document)
    heads: dict[str, SourceStatus] = {}
    # a file for a number of players is no choice
    chosen = {one.root.span.source.path: one.name for one in laid if one.requires or not one.is_always_applied}
    notes: dict[str, Provenance] = {}

    def standing(entry: Entry, around: SourceStatus) -> SourceStatus:
        value = entry.value
        changed = (
            [entry] if not isinstance(value, MappingNode) else [one for one in value if one.key.text in DEMAND_KEYS]
        )
        for one in (entry, *changed):
            writer = heads.get(_writer(one))
            if writer is not None:
                around = writer
        if not isinstance(value, MappingNode):
            return around
        own = around
        for key in ("source", "status"):
            said = value.entry(key)
            # what the base says of itself does not hold for what a variant put in its place
            if said is None or (own in heads.values() and _writer(said) not in heads):
                continue
            own = (
                own._replace(source=read_citations(works, said.value, diagnostics))
                if key == "source"
                else own._replace(status=text_or_default(said.value))
            )
        return own

    def visit(node: MappingNode, address: str, around: SourceStatus) -> None:
        for entry in node:
            if entry.key.text in METADATA_KEYS and entry.key.text != "names":
                continue
            inner = f"{address}.{entry.key.text}" if address else entry.key.text
            own = standing(entry, around)
            notes[inner] = Provenance(
                inner, entry.key.span, own.source, own.status, entry.history, chosen.get(_writer(entry), "")
            )
            if isinstance(entry.value, MappingNode):
                visit(entry.value, inner, own)
            elif isinstance(entry.value, SequenceNode):
                for item in entry.value:  # offers that carry clauses of their own
                    if isinstance(item, MappingNode):
                        visit(item, inner, own)

    for variant in laid:
        status = text_or_default(variant.root.get("status"), OWN_STATUS)
        heads[variant.root.span.source.path] = SourceStatus(
            read_citations(works, variant.root.get("source"), diagnostics), status
        )
    head = SourceStatus(
        read_citations(works, document.root.get("source"), diagnostics), text_or_default(document.root.get("status"))
    )
    visit(document.root, "", head)
    return notes


def _writer(entry: Entry) -> str:
    """The file that wrote an entry: that of its value when the value was changed, else that of its key."""
    if isinstance(entry.value, ScalarNode):
        return entry.value.span.source.path
    return entry.key.span.source.path
