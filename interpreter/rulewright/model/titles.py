"""What rules are called, in the book, in menus and on the board alike.

In: the titles of a document, by the address of the rule. Out: sentences at `ADDRESS.title`. A title of a rule that a
variant has taken away is left out.
"""

from __future__ import annotations

from collections.abc import Collection

from rulewright.document.address import find_entry, iter_addresses
from rulewright.document.document import Document
from rulewright.document.text_addresses import title_address
from rulewright.model.expr_reader import ExprReader
from rulewright.model.passages import CHAPTERS
from rulewright.model.sentences import SentenceReader
from rulewright.source.nodes import ScalarNode


def read_titles(reader: ExprReader, sentences: SentenceReader, document: Document, files: Collection[str]) -> None:
    """Reads them. `files`: the paths of the variants applied, which are wrong where they name a rule that is not."""
    for address, entry in document.titles:
        if address in CHAPTERS or find_entry(reader.root, address) is not None:
            sentences.read_title(entry, title_address(address))
        elif not document.variant_names or entry.key.span.source.path in files:
            known = [*CHAPTERS, *iter_addresses(reader.root)]
            node = ScalarNode(address, address, entry.key.span)
            reader.emit_unknown(node, "chapter or rule", known, title_address(address))


__all__ = ["read_titles"]
