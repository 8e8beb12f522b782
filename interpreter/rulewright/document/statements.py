"""What the printed rules say, sentence by sentence in own words, with the rules that hold each or why none does.

In: a game's document; only now is its file of statements read. Out: the statements in the order of the file, or work by
work and section by section, as a reader looks them up who has the printed rules beside.
"""

from __future__ import annotations

from collections.abc import Mapping as Table
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from rulewright.diagnostics import Diagnostics, RulesError, Span
from rulewright.document.document import Document, check_game_name, source_path
from rulewright.document.schema_check import check_file_schema
from rulewright.source.nodes import MappingNode, Node, ScalarNode, SequenceNode
from rulewright.source.reader import parse_file

ENGLISH: Final = "en"
NO_TEXTS: Final[Table[str, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that works say. `number`: from 1, in the order of the file. Sentences by language, English as `en`.

    A rule: `nodes` hold it, `scenario` (file/case) shows it, `because` is empty. No rule: `because` says why and
    `reason` is the id of that; `instead`: what holds in its place; `nodes`: what goes by it all the same.
    """

    number: int
    text: Table[str, str]
    source: tuple[tuple[str, str], ...]  # work and section, as with every rule
    addresses: tuple[str, ...]
    scenarios: tuple[str, ...]
    reason_id: str
    reason: Table[str, str]
    instead: tuple[str, ...]
    span: Span  # of its sentence


@dataclass(frozen=True, slots=True)
class PublicationSection:
    """What a work says in one of its sections. `names`: of the section, by language; English under `en` if it has one.

    A work that lists no sections has those that statements cite, each under `en`.
    """

    names: Table[str, str]
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Publication:
    """A work with the sections in which it says something, in its order."""

    id: str
    sections: tuple[PublicationSection, ...]


def texts_by_language(node: Node | None) -> Table[str, str]:
    """A sentence written as one text, which is English, or as one for each language."""
    match node:
        case ScalarNode(text=text):
            return MappingProxyType({ENGLISH: text})
        case MappingNode(entries=entries):
            return MappingProxyType(
                {one.key.text: one.value.text for one in entries if isinstance(one.value, ScalarNode)}
            )
    return NO_TEXTS


def scalars_in(node: Node | None) -> tuple[ScalarNode, ...]:
    """The scalars of a list; one scalar counts as a list of one."""
    match node:
        case ScalarNode():
            return (node,)
        case SequenceNode(items=items):
            return tuple(one for one in items if isinstance(one, ScalarNode))
    return ()


def parse_statements_file(document: Document, diagnostics: Diagnostics) -> MappingNode | None:
    """The game's file of statements; None when there is none, or it cannot be read or has the wrong shape."""
    path = document.statements_path
    if path is None:
        return None
    own = Diagnostics()
    node = parse_file(path, own, source_path=source_path(path), within=document.path.parent)
    kind = check_file_schema(node, own) if node is not None else None
    diagnostics.extend(own)
    if own.error_count or kind is None or not isinstance(node, MappingNode):
        return None
    check_game_name(node.get(kind), document.root.get("game"), diagnostics)
    return node


def load_statements(document: Document) -> tuple[Statement, ...]:
    """The statements in the order of the file; none when the game has no such file.

    Raises `RulesError` when the file cannot be read or has the wrong shape. Whether it names what there is, `check`
    says.
    """
    diagnostics = Diagnostics()
    node = parse_statements_file(document, diagnostics)
    if diagnostics.error_count:
        raise RulesError(diagnostics)
    return statements_from_node(node) if node is not None else ()


def statements_from_node(node: MappingNode) -> tuple[Statement, ...]:
    """The statements of a file that has the right shape."""
    reasons = node.get("reasons")
    known = {one.key.text: texts_by_language(one.value) for one in reasons} if isinstance(reasons, MappingNode) else {}
    listed = node.get("list")
    return tuple(
        _statement(number, one, known)
        for number, one in enumerate(listed if isinstance(listed, SequenceNode) else (), start=1)
        if isinstance(one, MappingNode)
    )


def _statement(number: int, node: MappingNode, reasons: Table[str, Table[str, str]]) -> Statement:
    source, text, because = node.get("source"), node.entry("text"), node.get("because")
    reason = because.text if isinstance(because, ScalarNode) else ""
    assert text is not None
    return Statement(
        number,
        texts_by_language(text.value),
        tuple((work.key.text, one.text) for work in source for one in scalars_in(work.value))
        if isinstance(source, MappingNode)
        else (),
        tuple(one.text for one in scalars_in(node.get("nodes"))),
        tuple(one.text for one in scalars_in(node.get("scenario"))),
        reason,
        reasons.get(reason, NO_TEXTS),
        tuple(one.text for one in scalars_in(node.get("instead"))),
        text.key.span,
    )


def publication_sections(document: Document) -> Table[str, tuple[Table[str, str], ...]]:
    """The sections that the works list, by the id of the work, in the order of the sources; empty where none is."""
    works = document.sources.get("works") if document.sources is not None else None
    found = {}
    for work in works if isinstance(works, MappingNode) else ():
        listed = work.value.get("sections") if isinstance(work.value, MappingNode) else None
        found[work.key.text] = tuple(map(texts_by_language, listed if isinstance(listed, SequenceNode) else ()))
    return MappingProxyType(found)


def group_by_publication(document: Document, said: tuple[Statement, ...]) -> tuple[Publication, ...]:
    """Statements by work and section: works in the order of the sources file, sections in that of the work. A statement
    that is cited from several places stands in each. What says nothing is left out.
    """
    works = []
    for work, listed in publication_sections(document).items():
        names = listed or tuple(
            MappingProxyType({ENGLISH: section})
            for section in dict.fromkeys(section for one in said for id_, section in one.source if id_ == work)
        )
        filled = [
            PublicationSection(
                name, tuple(one for one in said if any((work, text) in one.source for text in name.values()))
            )
            for name in names
        ]
        if any(one.statements for one in filled):
            works.append(Publication(work, tuple(one for one in filled if one.statements)))
    return tuple(works)


__all__ = [
    "Publication",
    "PublicationSection",
    "Statement",
    "group_by_publication",
    "load_statements",
    "parse_statements_file",
    "publication_sections",
    "statements_from_node",
]
