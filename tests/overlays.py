"""Variants laid over a small game, and what is found in what comes out.

In: folders, files, texts of variants. Out: documents, and entries of them by address.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rulewright.diagnostics import Diagnostics, render_full
from rulewright.document.address import find_entry
from rulewright.document.document import Document
from rulewright.document.document_reader import load_document
from rulewright.source.nodes import Entry, MappingNode
from rulewright.variants.overlay import Variant, apply_variants, load_variant

FOLDER = Path(__file__).parent / "diagnostics" / "overlay"
BASE = FOLDER / "base"


def base(folder: Path = BASE) -> Document:
    diagnostics = Diagnostics()
    document = load_document(folder, diagnostics)
    assert document is not None, [render_full(one) for one in diagnostics]
    return document


def variants(diagnostics: Diagnostics, paths: Sequence[Path]) -> list[Variant]:
    found = [load_variant(path, diagnostics) for path in paths if path.name != "game.yaml"]
    return [one for one in found if one is not None]


def lay(tmp_path: Path, *texts: str, over: Document | None = None) -> Document:
    """The base with variants laid over it that are given as the text below their head; nothing may be reported."""
    diagnostics = Diagnostics()
    paths = []
    for text in texts:
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.yaml"
        path.write_text(text if text.startswith("variant") else f"variant: {'abcdef'[len(paths)]}\nfor: chips\n{text}")
        paths.append(path)
    result = apply_variants(over or base(), variants(diagnostics, paths), diagnostics)
    assert [render_full(one) for one in diagnostics] == []
    return result


def at(document: Document, address: str) -> Entry:
    entry = find_entry(document.root, address)
    assert entry is not None, address
    return entry


def names(document: Document, address: str) -> tuple[str, ...]:
    node = at(document, address).value
    assert isinstance(node, MappingNode)
    return node.keys()
