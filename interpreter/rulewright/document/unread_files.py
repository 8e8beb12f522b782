"""Reads the files that explain a game: its sources, its printed statements, the passages of its rulebook.

In: a document, which knows where they are. Out: their nodes, or the document with all that its rules may refer to.
Playing needs none of them.
"""

from __future__ import annotations

from functools import lru_cache

from rulewright import limits
from rulewright.diagnostics import Diagnostics
from rulewright.document.address import normalize_lists
from rulewright.document.document import Document, UnreadFile, check_game_name, source_path
from rulewright.document.joined_sections import joined_section
from rulewright.document.language import PROVENANCE_KEYS
from rulewright.document.schema_check import check_file_schema
from rulewright.frozen import replace
from rulewright.source.node_memo import Same
from rulewright.source.nodes import Entry, MappingNode, Node
from rulewright.source.reader import parse_file


def read_sources(document: Document, diagnostics: Diagnostics) -> MappingNode | None:
    """The game's file of sources; None when it has none, or when that is unreadable or of wrong shape."""
    return document.sources if document.sources is not None else _read_kind(document, "sources", diagnostics)


def read_statements_file(document: Document, diagnostics: Diagnostics) -> MappingNode | None:
    """The game's file of printed statements; None when it has none, or when that is unreadable or of wrong shape."""
    return _read_kind(document, "statements", diagnostics)


def read_explanations(document: Document, diagnostics: Diagnostics) -> Document | None:
    """The document with its sources and the passages of its rulebook; statements stay unread.

    None when a file is unreadable or of wrong shape.
    """
    files = [file for file in document.unread if file.kind != "statements"]
    read: list[tuple[UnreadFile, Same[MappingNode]]] = []
    for file in files:
        node = _read_file(document, file, diagnostics)
        if node is None:
            break
        read.append((file, Same(node)))
    whole, reported = _join_once(Same(document), tuple(read))
    diagnostics.extend(reported)
    return whole if len(read) == len(files) else None


@lru_cache(maxsize=limits.MAX_REMEMBERED_LARGE_FILES)
def _join_once(
    same_document: Same[Document], read: tuple[tuple[UnreadFile, Same[MappingNode]], ...]
) -> tuple[Document, Diagnostics]:
    """A document with files that explain it, the same one for whoever asks again, and what is wrong with that."""
    document, diagnostics = same_document.value, Diagnostics()
    sources, root, part_heads = document.sources, document.root, document.part_heads
    for file, same_node in read:
        node = same_node.value
        if file.kind == "sources":
            sources = node
        else:
            book = node.entry("book")
            assert book is not None
            root = _add_book(root, book, file.after, diagnostics)
            if PROVENANCE_KEYS.intersection(node.keys()):
                part_heads = (*part_heads, node)
    unread = tuple(file for file in document.unread if file.kind == "statements")
    files = (*document.files, *(file.path for file in document.unread if file not in unread))
    whole = replace(document, root=root, sources=sources, unread=unread, part_heads=part_heads, files=files)
    return whole, diagnostics


def _read_kind(document: Document, kind: str, diagnostics: Diagnostics) -> MappingNode | None:
    file = next((file for file in document.unread if file.kind == kind), None)
    return None if file is None else _read_file(document, file, diagnostics)


def _read_file(document: Document, file: UnreadFile, diagnostics: Diagnostics) -> MappingNode | None:
    """The file's mapping; None when something is wrong with its shape, which is reported."""
    file_diagnostics = Diagnostics()
    path, within = file.path, document.path.parent
    node: Node | None = parse_file(path, file_diagnostics, source_path=source_path(path), within=within)
    is_valid = node is not None and check_file_schema(node, file_diagnostics) is not None
    diagnostics.extend(file_diagnostics)
    if not is_valid or file_diagnostics.error_count or not isinstance(node, MappingNode):
        return None
    check_game_name(node.get("part_of" if file.kind == "book" else file.kind), document.root.get("game"), diagnostics)
    return node


def _add_book(root: MappingNode, book: Entry, after: str, diagnostics: Diagnostics) -> MappingNode:
    """The root with a section of passages behind that called `after`."""
    first = root.entry("book")
    if first is not None:
        joined = joined_section(first, book, diagnostics)
        return MappingNode(tuple(joined if entry is first else entry for entry in root.entries), root.span)
    section = normalize_lists(MappingNode((book,), book.value.span), (), diagnostics)
    assert isinstance(section, MappingNode)
    index = next((index for index, entry in enumerate(root.entries, 1) if entry.key.text == after), len(root.entries))
    return MappingNode((*root.entries[:index], *section.entries, *root.entries[index:]), root.span)


__all__ = ["read_explanations", "read_sources", "read_statements_file"]
