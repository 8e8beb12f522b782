"""What an editor says that it can do, where an answer depends on it: one that says nothing is asked for no more.

In: the capabilities of the Language Server Protocol. Out: what the editor can show. Needs the extra `lsp`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsprotocol import types


def can_watch_files(client: types.ClientCapabilities) -> bool:
    """Whether an editor tells which files others change, when it is asked to."""
    watched = client.workspace.did_change_watched_files if client.workspace else None
    return watched is not None and bool(watched.dynamic_registration)


def can_refresh_colours(client: types.ClientCapabilities) -> bool:
    """Whether an editor asks for the colours again when it is asked to."""
    colours = client.workspace.semantic_tokens if client.workspace else None
    return colours is not None and bool(colours.refresh_support)


def can_nest_symbols(client: types.ClientCapabilities) -> bool:
    """Whether an editor shows an outline with levels."""
    outline = client.text_document.document_symbol if client.text_document else None
    return outline is not None and bool(outline.hierarchical_document_symbol_support)


def format_of_hovers(client: types.ClientCapabilities) -> types.MarkupKind:
    """How an editor shows a text beside the cursor: as Markdown, unless it names other formats only."""
    hover = client.text_document.hover if client.text_document else None
    formats = hover.content_format if hover is not None and hover.content_format else ()
    is_plain = bool(formats) and types.MarkupKind.Markdown not in formats
    return types.MarkupKind.PlainText if is_plain else types.MarkupKind.Markdown


def shows_markdown_beside_lists(client: types.ClientCapabilities) -> bool:
    """Whether an editor shows Markdown beside what can follow."""
    completion = client.text_document.completion if client.text_document else None
    item = completion.completion_item if completion is not None else None
    formats = item.documentation_format if item is not None and item.documentation_format else ()
    return types.MarkupKind.Markdown in formats


def without_levels(
    symbols: Iterable[types.DocumentSymbol], uri: str, above: str | None = None
) -> Iterator[types.SymbolInformation]:
    """An outline as a list, each entry with what it is in."""
    for each in symbols:
        yield types.SymbolInformation(types.Location(uri, each.range), each.name, each.kind, container_name=above)
        yield from without_levels(each.children or (), uri, each.name)


__all__ = [
    "can_nest_symbols",
    "can_refresh_colours",
    "can_watch_files",
    "format_of_hovers",
    "shows_markdown_beside_lists",
    "without_levels",
]
