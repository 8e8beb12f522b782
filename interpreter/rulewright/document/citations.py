"""Which works and sections the statements of a game cite for each rule, and who speaks in each work.

In: a document, whose files of statements and sources are read for it. Out: citations by address, statuses by work.
Nothing is reported here: what is wrong with those files is told by the checker, and no reason is withheld for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping as Table
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from rulewright.diagnostics import Diagnostics, SourceFile
from rulewright.document.address import split_address
from rulewright.document.document import Document
from rulewright.document.language import read_schema
from rulewright.document.schema_check import check_file_schema
from rulewright.document.unread_files import read_sources
from rulewright.source.node_memo import NodeMemo
from rulewright.source.nodes import MappingNode, Node, ScalarNode, as_items, as_mapping, text_or_default
from rulewright.source.reader import parse_source, peek_text

Citations = tuple[tuple[str, str], ...]  # work and section
STATUSES: Final = tuple(map(str, read_schema("language")["$defs"]["status"]["enum"]))  # the surest first
REMEMBERED_INDEXES: Final = 8


def read_citations(node: Node | None) -> Citations:
    """Work and section of all that a `source` cites."""
    works = node.entries if isinstance(node, MappingNode) else ()
    return tuple(
        (work.key.text, section.text)
        for work in works
        for section in as_items(work.value)
        if isinstance(section, ScalarNode)
    )


def stated_citations(document: Document) -> Table[str, Citations]:
    """What statements cite, by the address of each rule that they name, and of all around it below its section."""
    file = next((file for file in document.unread if file.kind == "statements"), None)
    return MappingProxyType({}) if file is None else statement_index(peek_text(file.path, document.path.parent))


@lru_cache(maxsize=REMEMBERED_INDEXES)
def statement_index(text: str) -> Table[str, Citations]:
    """What the statements in the text of their file cite, by address, as `stated_citations` does."""
    diagnostics = Diagnostics()
    node = parse_source(SourceFile("", text), diagnostics)
    if node is None or check_file_schema(node, diagnostics) is None or diagnostics.error_count:
        return MappingProxyType({})
    return citations_in(node)


def citations_in(statements: Node) -> Table[str, Citations]:
    """The same of a file of statements that is right."""
    return _cited_once(statements)


def _find_citations(statements: Node) -> Table[str, Citations]:
    found: dict[str, dict[tuple[str, str], None]] = {}
    for statement in as_items(as_mapping(statements).get("list")):
        cited = read_citations(as_mapping(statement).get("source"))
        for address in dict.fromkeys(_covered(as_items(as_mapping(statement).get("rules")))):
            found.setdefault(address, {}).update(dict.fromkeys(cited))
    return MappingProxyType({address: tuple(cited) for address, cited in found.items()})


_cited_once: Final = NodeMemo(_find_citations, REMEMBERED_INDEXES)


def _covered(named: Iterable[Node]) -> Iterable[str]:
    """The addresses that are named, and those around them; a whole section only where it is named itself."""
    for node in named:
        parts = split_address(text_or_default(node))
        yield ".".join(parts)
        for length in range(len(parts) - 1, 1, -1):
            yield ".".join(parts[:length])


def work_statuses(document: Document) -> Table[str, str]:
    """The works of the file of sources, in its order, each with the status of the rules that cite it, or none."""
    works = as_mapping(as_mapping(read_sources(document, Diagnostics())).get("works"))
    return MappingProxyType({work.key.text: text_or_default(as_mapping(work.value).get("status")) for work in works})


def surest_status(cited: Citations, statuses: Table[str, str]) -> str:
    """The status of a rule that cites these works; empty when none of them has one."""
    found = {statuses.get(work, "") for work, _ in cited}
    return next((status for status in STATUSES if status in found), "")


def in_order_of_works(cited: Citations, works: Iterable[str]) -> Citations:
    """Citations with the works in their order; works that are not listed come last."""
    order = {work: number for number, work in enumerate(works)}
    return tuple(sorted(cited, key=lambda one: order.get(one[0], len(order))))


__all__ = [
    "Citations",
    "citations_in",
    "in_order_of_works",
    "read_citations",
    "stated_citations",
    "statement_index",
    "surest_status",
    "work_statuses",
]
