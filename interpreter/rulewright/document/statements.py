"""What the printed rules say, sentence by sentence, each with the rules that implement it or why none does.

In: a game's document, whose file of statements is read for it. Out: the statements in file order, or grouped by work
and section, for a reader with the printed rules at hand.
"""

from __future__ import annotations

from collections.abc import Mapping as Table
from types import MappingProxyType
from typing import Final

from rulewright.diagnostics import Diagnostics, RulesError, Span
from rulewright.document.document import Document
from rulewright.document.game_files import ENGLISH
from rulewright.document.unread_files import read_sources, read_statements_file
from rulewright.frozen import frozen
from rulewright.source.nodes import MappingNode, Node, ScalarNode, SequenceNode

NO_TEXTS: Final[Table[str, str]] = MappingProxyType({})


@frozen
class Statement:
    """One statement of the printed rules. `number`: from 1, in file order. Texts by language, English as `en`.

    Implemented: the rules at `addresses` implement it, `scenarios` (file/case) show it, `reason_id` is empty. Else
    `reason_id` and `reason` say why not, `instead` what holds in its place, `addresses` what follows it anyway.
    """

    number: int
    text: Table[str, str]
    source: tuple[tuple[str, str], ...]  # work and section, as in every rule
    addresses: tuple[str, ...]
    scenarios: tuple[str, ...]
    reason_id: str
    reason: Table[str, str]
    instead: tuple[str, ...]
    span: Span  # of its text


@frozen
class PublicationSection:
    """The statements of one section of a work. `names`: of the section, by language; English, if any, under `en`.

    A work that lists no sections has those that statements cite, each under `en`.
    """

    names: Table[str, str]
    statements: tuple[Statement, ...]


@frozen
class Publication:
    """A work with those of its sections that have statements, in its order."""

    id: str
    sections: tuple[PublicationSection, ...]


def texts_by_language(node: Node | None) -> Table[str, str]:
    """Language → text, of one text, which is English, or of one for each language."""
    match node:
        case ScalarNode(text=text):
            return MappingProxyType({ENGLISH: text})
        case MappingNode(entries=entries):
            return MappingProxyType(
                {entry.key.text: entry.value.text for entry in entries if isinstance(entry.value, ScalarNode)}
            )
    return NO_TEXTS


def scalars_in(node: Node | None) -> tuple[ScalarNode, ...]:
    """The scalars of a list; one scalar counts as a list of one."""
    match node:
        case ScalarNode():
            return (node,)
        case SequenceNode(items=items):
            return tuple(item for item in items if isinstance(item, ScalarNode))
    return ()


def load_statements(document: Document) -> tuple[Statement, ...]:
    """The statements in file order; none when the game has no such file.

    Raises `RulesError` when the file is unreadable or of wrong shape. Its references are checked by `check`.
    """
    diagnostics = Diagnostics()
    node = read_statements_file(document, diagnostics)
    if diagnostics.error_count:
        raise RulesError(diagnostics)
    return statements_from_node(node) if node is not None else ()


def statements_from_node(node: MappingNode) -> tuple[Statement, ...]:
    """The statements of a file that matches its schema."""
    reasons = node.get("reasons")
    reason_texts = (
        {entry.key.text: texts_by_language(entry.value) for entry in reasons}
        if isinstance(reasons, MappingNode)
        else {}
    )
    items = node.get("list")
    return tuple(
        _statement(number, item, reason_texts)
        for number, item in enumerate(items if isinstance(items, SequenceNode) else (), start=1)
        if isinstance(item, MappingNode)
    )


def _statement(number: int, node: MappingNode, reasons: Table[str, Table[str, str]]) -> Statement:
    source, text, because = node.get("source"), node.entry("text"), node.get("because")
    reason_id = because.text if isinstance(because, ScalarNode) else ""
    assert text is not None
    works = source.entries if isinstance(source, MappingNode) else ()
    return Statement(
        number,
        texts_by_language(text.value),
        source=tuple((work.key.text, section.text) for work in works for section in scalars_in(work.value)),
        addresses=tuple(scalar.text for scalar in scalars_in(node.get("rules"))),
        scenarios=tuple(scalar.text for scalar in scalars_in(node.get("scenario"))),
        reason_id=reason_id,
        reason=reasons.get(reason_id, NO_TEXTS),
        instead=tuple(scalar.text for scalar in scalars_in(node.get("instead"))),
        span=text.key.span,
    )


def publication_sections(sources: MappingNode | None) -> Table[str, tuple[Table[str, str], ...]]:
    """Work → the names of the sections that it lists, in the order of the file of sources."""
    works = sources.get("works") if sources is not None else None
    sections = {}
    for work in works if isinstance(works, MappingNode) else ():
        names = work.value.get("sections") if isinstance(work.value, MappingNode) else None
        sections[work.key.text] = tuple(map(texts_by_language, names if isinstance(names, SequenceNode) else ()))
    return MappingProxyType(sections)


def group_by_publication(document: Document, statements: tuple[Statement, ...]) -> tuple[Publication, ...]:
    """Statements by work and section: works in the order of the file of sources, sections in that of the work.

    A statement cited from several sections is in each. Works and sections without statements are left out.
    Raises `RulesError` when the file of sources is unreadable or of wrong shape.
    """
    diagnostics = Diagnostics()
    works = publication_sections(read_sources(document, diagnostics))
    if diagnostics.error_count:
        raise RulesError(diagnostics)
    publications = []
    for work, listed_sections in works.items():
        names = listed_sections or _cited_sections(work, statements)
        sections = [PublicationSection(name, _citing(statements, work, name)) for name in names]
        if any(section.statements for section in sections):
            publications.append(Publication(work, tuple(section for section in sections if section.statements)))
    return tuple(publications)


def _cited_sections(work: str, statements: tuple[Statement, ...]) -> tuple[Table[str, str], ...]:
    """The sections of a work that statements cite, in the order of the first citation."""
    cited = (section for statement in statements for id_, section in statement.source if id_ == work)
    return tuple(MappingProxyType({ENGLISH: section}) for section in dict.fromkeys(cited))


def _citing(statements: tuple[Statement, ...], work: str, names: Table[str, str]) -> tuple[Statement, ...]:
    """The statements that cite a section of a work by any of its names."""
    return tuple(
        statement for statement in statements if any((work, name) in statement.source for name in names.values())
    )


__all__ = [
    "Publication",
    "PublicationSection",
    "Statement",
    "group_by_publication",
    "load_statements",
    "publication_sections",
    "statements_from_node",
]
