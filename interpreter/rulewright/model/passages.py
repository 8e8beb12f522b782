"""What the rulebook says besides the rules: introductions, names for things that have none, examples, questions.

In: the section `book`. Out: passages, each at a chapter or at the rule it explains. A passage at a rule that a variant
has taken away, or that speaks of such a rule, is left out.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, Literal, cast

from rulewright.document.address import addresses, find
from rulewright.expr.tree import Expr
from rulewright.expr.types import Flag
from rulewright.model import codes
from rulewright.model.rules import Passage
from rulewright.model.sentences import Sentences
from rulewright.model.symbol_table import Names, mapping, text_of
from rulewright.model.traversal import reads_position
from rulewright.source.nodes import Node, Scalar

CHAPTERS: Final = ("idea", "components", "setup", "round", "turn", "values", "end", "secrets", "questions", "tips")


def passages(names: Names, sentences: Sentences, files: Collection[str] | None) -> tuple[Passage, ...]:
    """The passages of a book. `files`: those of the variants laid over; None: whatever is wrong is told."""
    found = []
    for entry in names.section("book"):
        name, node = entry.key.text, mapping(entry.value)
        names.plain_id(name, entry.key.span)
        address, at = f"book.{name}", node.get("at")
        assert isinstance(at, Scalar)
        if at.text not in CHAPTERS and find(names.root, at.text) is None:
            if files is None or at.span.source.path in files:
                names.unknown(at, "chapter or rule", [*CHAPTERS, *addresses(names.root)], address)
            continue
        if files is None or entry.value.span.source.path in files or entry.layers:
            for key in ("text", "title"):
                sentences.settled(node, key, address if key == "text" else f"{address}.title")
        elif not sentences.still_true(node, address):
            continue
        role = cast(Literal["", "example", "note"], text_of(node.get("as")))
        found.append(Passage(name, at.text, role, address, _when(names, node.get("when"), address)))
    return tuple(found)


def _when(names: Names, node: Node | None, address: str) -> Expr | None:
    """The condition of a passage, which is read before the game."""
    if not isinstance(node, Scalar):
        return None
    expr = names.expression(node, names.scope(), Flag(), address, condition=True)
    asked = reads_position(expr)
    if asked is not None:
        message = "a rulebook is read before the game, when this is not known"
        names.report.add(
            node.part(*asked.at), codes.NEEDS_POSITION, message, label="known in play", address=address
        )  # fmt: skip
    return expr


__all__ = ["CHAPTERS", "passages"]
