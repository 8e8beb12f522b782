"""Whether the works and sections that are cited are listed among the sources.

In: the sections of each work, and the nodes of `source`. Out: diagnostics.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from rulewright import limits
from rulewright.diagnostics import Diagnostics, missing_name
from rulewright.document.citations import Citations, read_citations
from rulewright.document.statements import publication_sections, scalars_in
from rulewright.model import codes
from rulewright.model.build_state import BuildState, after_reserved_names, build_pass
from rulewright.model.provenance import read_provenance
from rulewright.source.node_memo import NodeMemo
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode, as_mapping
from rulewright.suggestions import did_you_mean, list_names

SOURCE_KEY: Final = "source"

SectionsByWork = Mapping[str, tuple[Mapping[str, str], ...]]  # the sections that each lists, their names by language


def check_citations(works: SectionsByWork, node: Node | None, diagnostics: Diagnostics) -> None:
    """Reports a work that is not listed, and a section that is not among those the work lists."""
    for entry in node.entries if isinstance(node, MappingNode) else ():
        work = entry.key.text
        if work not in works:
            message, hint = f"there is no work `{work}` in the sources", did_you_mean(work, works)
            hint, cause = hint or "list it in the sources file", missing_name(work)
            diagnostics.add(entry.key.span, codes.UNKNOWN_SOURCE, message, help=hint, cause=cause)
        known = [name for names in works.get(work, ()) for name in names.values()]
        for section in scalars_in(entry.value) if known else ():
            if section.text not in known:
                message = f"the work `{work}` lists no section `{section.text}`"
                hint = did_you_mean(section.text, known) or list_names("sections", known)
                diagnostics.add(
                    section.span,
                    codes.UNKNOWN_SECTION,
                    message,
                    label="not listed",
                    help=hint,
                    cause=missing_name(section.text),
                )


@build_pass(skip=after_reserved_names)
def check_sources(state: BuildState) -> None:
    """What rules and variants cite."""
    works = publication_sections(state.document.sources)
    if not _has_wrong_source(works, state):
        return

    def check_and_read(node: Node | None) -> Citations:
        check_citations(works, node, state.diagnostics)
        return read_citations(node)

    read_provenance(state.document, state.applied, check_and_read)


def _has_wrong_source(works: SectionsByWork, state: BuildState) -> bool:
    """Whether any `source` at all cites what is not there; only then it is asked which of them count."""
    trial = Diagnostics()
    roots = [state.document.root, *state.document.part_heads, *(variant.root for variant in state.applied)]
    for root in roots:
        for section in root:
            for entry in _rules_in(section):
                for node in _sources_of(entry):
                    check_citations(works, node, trial)
    return trial.report_count > 0


def _rules_in(section: Entry) -> Iterable[Entry]:
    """The entries of a section; itself, where it has none or is a source."""
    is_whole = section.key.text == SOURCE_KEY or not isinstance(section.value, MappingNode)
    return (section,) if is_whole else as_mapping(section.value)


def _sources_of(entry: Entry) -> tuple[Node, ...]:
    own = (entry.value,) if entry.key.text == SOURCE_KEY else ()
    return own + _sources_within(entry.value)


def _find_sources(node: Node) -> tuple[Node, ...]:
    return tuple(_sources_in(node))


# a rule is the same object in all documents whose variants leave it alone
_sources_within: Final = NodeMemo[Node, tuple[Node, ...]](_find_sources, limits.MAX_REMEMBERED_READINGS)


def _sources_in(node: Node) -> Iterator[Node]:
    """What is written under a key `source`, anywhere in a tree."""
    match node:
        case MappingNode(entries=entries):
            for entry in entries:
                if entry.key.text == SOURCE_KEY:
                    yield entry.value
                yield from _sources_in(entry.value)
        case SequenceNode(items=items):
            for item in items:
                yield from _sources_in(item)
        case ScalarNode():
            return


__all__ = ["check_citations", "check_sources"]
