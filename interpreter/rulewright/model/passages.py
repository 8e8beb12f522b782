"""What the rulebook says besides the rules: introductions, examples, questions.

In: the section `book`. Out: passages, each at a chapter or at the rule it explains. A passage at a rule that a variant
has taken away, or that speaks of such a rule, is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Final, get_args

from rulewright import limits
from rulewright.document.address import find_entry, iter_addresses
from rulewright.document.text_addresses import title_address
from rulewright.expr.tree import Expr
from rulewright.expr.types import Flag
from rulewright.expr.walk import find_position_read
from rulewright.model import codes
from rulewright.model.expr_reader import ExprReader
from rulewright.model.rules import Passage, PassageRole
from rulewright.model.sentences import SentenceReader
from rulewright.source.node_memo import NodeMemo
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, as_items, as_mapping, literal_value

ROLES: Final[tuple[PassageRole, ...]] = get_args(PassageRole)
CHAPTERS: Final = ("idea", "components", "setup", "round", "turn", "values", "end", "secrets", "questions", "tips")


def read_passages(
    reader: ExprReader,
    sentences: SentenceReader,
    files: Collection[str] | None,
    variants: Mapping[str, str] = MappingProxyType({}),
) -> tuple[Passage, ...]:
    """The passages of a book. `files`: those of the variants applied; None: whatever is wrong is reported.

    `variants`: passages that several variants write differently, and whose words each has.
    """
    passages = []
    for entry in reader.section("book"):
        name, node = entry.key.text, as_mapping(entry.value)
        reader.check_local_id(name, entry.key.span)
        address, topic = f"book.{name}", node.require("at")
        assert isinstance(topic, ScalarNode)
        if topic.text not in CHAPTERS and find_entry(reader.root, topic.text) is None:
            if files is None or topic.span.source.path in files:
                reader.emit_unknown(topic, "chapter or rule", [*CHAPTERS, *iter_addresses(reader.root)], address)
                sentences.read_passage(node, address)  # its translations are not without a sentence
            continue
        if files is None or _is_written_in(entry, files):
            sentences.read_passage(node, address)
        elif not sentences.read_passage_if_valid(node, address):
            continue
        _check_title(reader, node, topic.text, address)
        role = literal_value(node.get("as"), ROLES, "")
        about = _about(reader, node.get("about"), address, files)
        condition = _when(reader, node.get("when"), address)
        passages.append(Passage(name, topic.text, role, address, condition, about, variants.get(name, "")))
    return tuple(passages)


def _check_title(reader: ExprReader, node: MappingNode, topic: str, address: str) -> None:
    """Reports a title that is not the passage's own: what a rule or a chapter is called is said in one place."""
    title = node.entry("title")
    if title is None or topic == "questions" or (topic in CHAPTERS and "text" in node):
        return
    reader.diagnostics.add(
        title.key.span,
        codes.PASSAGE_TITLE,
        f"a passage cannot give `{topic}` its title",
        label="not printed",
        help=f"write `{title_address(topic)}` under `sentences`; `rulewright migrate` rewrites a game",
        address=address,
    )


def _about(reader: ExprReader, node: Node | None, address: str, files: Collection[str] | None) -> tuple[str, ...]:
    """The rules of which a passage speaks; those that a variant has removed are left out."""
    found = []
    for item in as_items(node):
        if not isinstance(item, ScalarNode):
            continue
        if find_entry(reader.root, item.text) is not None:
            found.append(item.text)
        elif files is None or item.span.source.path in files:
            reader.emit_unknown(item, "rule", list(iter_addresses(reader.root)), address)
    return tuple(found)


def _is_written_in(entry: Entry, files: Collection[str]) -> bool:
    """Whether one of these files wrote a passage or a part of it: what it says there must be right."""
    paths = _writers_of(entry)
    return paths is None or any(path in files for path in paths)


def _find_writers(entry: Entry) -> frozenset[str] | None:
    """The files that wrote an entry and its parts; None where something was replaced, which only variants do."""
    if entry.history:
        return None
    paths = {entry.value.span.source.path}
    for part in as_mapping(entry.value):
        found = _find_writers(part)
        if found is None:
            return None
        paths |= found
    return frozenset(paths)


_writers_of: Final = NodeMemo(_find_writers, limits.MAX_REMEMBERED_NODES)


def _when(reader: ExprReader, node: Node | None, address: str) -> Expr | None:
    """The condition of a passage, which is read before the game."""
    if not isinstance(node, ScalarNode):
        return None
    expr = reader.read_expression(node, reader.scope(), Flag(), address, is_condition=True)
    read = find_position_read(expr)
    if read is not None:
        message = "a rulebook is written before play, when this is not known"
        reader.diagnostics.add(
            node.subspan(*read.offsets), codes.NOT_CONSTANT, message, label="known only in play", address=address
        )  # fmt: skip
    return expr


__all__ = ["CHAPTERS", "read_passages"]
