"""What the rulebook says besides the rules: introductions, names for things that have none, examples, questions.

In: the section `book`. Out: passages, each at a chapter or at the rule it explains. A passage at a rule that a variant
has taken away, or that speaks of such a rule, is left out.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, Literal, cast

from rulewright.document.address import find_entry, iter_addresses
from rulewright.expr.tree import Expr
from rulewright.expr.types import Flag
from rulewright.model import codes
from rulewright.model.rules import Passage
from rulewright.model.sentences import SentenceReader
from rulewright.model.symbol_table import SymbolTable, as_mapping, text_or_default
from rulewright.model.traversal import find_position_read
from rulewright.source.nodes import Node, ScalarNode

CHAPTERS: Final = ("idea", "components", "setup", "round", "turn", "values", "end", "secrets", "questions", "tips")


def read_passages(names: SymbolTable, sentences: SentenceReader, files: Collection[str] | None) -> tuple[Passage, ...]:
    """The passages of a book. `files`: those of the variants laid over; None: whatever is wrong is told."""
    found = []
    for entry in names.section("book"):
        name, node = entry.key.text, as_mapping(entry.value)
        names.check_local_id(name, entry.key.span)
        address, at = f"book.{name}", node.get("at")
        assert isinstance(at, ScalarNode)
        if at.text not in CHAPTERS and find_entry(names.root, at.text) is None:
            if files is None or at.span.source.path in files:
                names.emit_unknown(at, "chapter or rule", [*CHAPTERS, *iter_addresses(names.root)], address)
            continue
        if files is None or entry.value.span.source.path in files or entry.history:
            for key in ("text", "title"):
                sentences.read_static(node, key, address if key == "text" else f"{address}.title")
        elif not sentences.read_if_valid(node, address):
            continue
        role = cast(Literal["", "example", "note"], text_or_default(node.get("as")))
        found.append(Passage(name, at.text, role, address, _when(names, node.get("when"), address)))
    return tuple(found)


def _when(names: SymbolTable, node: Node | None, address: str) -> Expr | None:
    """The condition of a passage, which is read before the game."""
    if not isinstance(node, ScalarNode):
        return None
    expr = names.read_expression(node, names.scope(), Flag(), address, is_condition=True)
    asked = find_position_read(expr)
    if asked is not None:
        message = "a rulebook is read before the game, when this is not known"
        names.diagnostics.add(
            node.subspan(*asked.offsets), codes.NOT_CONSTANT, message, label="known in play", address=address
        )  # fmt: skip
    return expr


__all__ = ["CHAPTERS", "read_passages"]
