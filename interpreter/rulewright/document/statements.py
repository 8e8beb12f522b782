"""What the printed rules say, sentence by sentence in own words, with the rules that hold each or why none does.

In: a game's document; only now is its file of statements read. Out: the statements in the order of the file, or work by
work and section by section, as a reader looks them up who has the printed rules beside.
"""

from __future__ import annotations

from collections.abc import Mapping as Table
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from rulewright.diagnostics import Report, RulesError, Span
from rulewright.document.document import Document, belongs, shown
from rulewright.document.schema_check import check_shape
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence
from rulewright.source.reader import load

ENGLISH: Final = "en"
NONE: Final[Table[str, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that works say. `number`: from 1, in the order of the file. Sentences by language, English as `en`.

    A rule: `nodes` hold it, `scenario` (file/case) shows it, `because` is empty. No rule: `because` says why and
    `reason` is the id of that; `instead`: what holds in its place; `nodes`: what goes by it all the same.
    """

    number: int
    text: Table[str, str]
    source: tuple[tuple[str, str], ...]  # work and section, as with every rule
    nodes: tuple[str, ...]
    scenario: tuple[str, ...]
    reason: str
    because: Table[str, str]
    instead: tuple[str, ...]
    span: Span  # of its sentence


@dataclass(frozen=True, slots=True)
class Section:
    """What a work says in one of its sections. `names`: of the section, by language; English under `en` if it has one.

    A work that lists no sections has those that statements cite, each under `en`.
    """

    names: Table[str, str]
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Work:
    """A work with the sections in which it says something, in its order."""

    id: str
    sections: tuple[Section, ...]


def by_language(node: Node | None) -> Table[str, str]:
    """A sentence written as one text, which is English, or as one for each language."""
    match node:
        case Scalar(text=text):
            return MappingProxyType({ENGLISH: text})
        case Mapping(entries=entries):
            return MappingProxyType({one.key.text: one.value.text for one in entries if isinstance(one.value, Scalar)})
    return NONE


def texts_in(node: Node | None) -> tuple[Scalar, ...]:
    """The scalars of a list; one scalar counts as a list of one."""
    match node:
        case Scalar():
            return (node,)
        case Sequence(items=items):
            return tuple(one for one in items if isinstance(one, Scalar))
    return ()


def read_statements(document: Document, report: Report) -> Mapping | None:
    """The game's file of statements; None when there is none, or it cannot be read or has the wrong shape."""
    path = document.statements
    if path is None:
        return None
    own = Report()
    node = load(path, own, shown_as=shown(path), within=document.path.parent)
    kind = check_shape(node, own) if node is not None else None
    report.extend(own)
    if own.errors or kind is None or not isinstance(node, Mapping):
        return None
    belongs(node.get(kind), document.root.get("game"), report)
    return node


def statements(document: Document) -> tuple[Statement, ...]:
    """The statements in the order of the file; none when the game has no such file.

    Raises `RulesError` when the file cannot be read or has the wrong shape. Whether it names what there is, `check`
    says.
    """
    report = Report()
    node = read_statements(document, report)
    if report.errors:
        raise RulesError(report)
    return of_file(node) if node is not None else ()


def of_file(node: Mapping) -> tuple[Statement, ...]:
    """The statements of a file that has the right shape."""
    reasons = node.get("reasons")
    known = {one.key.text: by_language(one.value) for one in reasons} if isinstance(reasons, Mapping) else {}
    listed = node.get("list")
    return tuple(
        _statement(number, one, known)
        for number, one in enumerate(listed if isinstance(listed, Sequence) else (), start=1)
        if isinstance(one, Mapping)
    )


def _statement(number: int, node: Mapping, reasons: Table[str, Table[str, str]]) -> Statement:
    source, text, because = node.get("source"), node.entry("text"), node.get("because")
    reason = because.text if isinstance(because, Scalar) else ""
    assert text is not None
    return Statement(
        number,
        by_language(text.value),
        tuple((work.key.text, one.text) for work in source for one in texts_in(work.value))
        if isinstance(source, Mapping)
        else (),
        tuple(one.text for one in texts_in(node.get("nodes"))),
        tuple(one.text for one in texts_in(node.get("scenario"))),
        reason,
        reasons.get(reason, NONE),
        tuple(one.text for one in texts_in(node.get("instead"))),
        text.key.span,
    )


def sections(document: Document) -> Table[str, tuple[Table[str, str], ...]]:
    """The sections that the works list, by the id of the work, in the order of the sources; empty where none is."""
    works = document.sources.get("works") if document.sources is not None else None
    found = {}
    for work in works if isinstance(works, Mapping) else ():
        listed = work.value.get("sections") if isinstance(work.value, Mapping) else None
        found[work.key.text] = tuple(map(by_language, listed if isinstance(listed, Sequence) else ()))
    return MappingProxyType(found)


def grouped(document: Document, said: tuple[Statement, ...]) -> tuple[Work, ...]:
    """Statements by work and section: works in the order of the sources file, sections in that of the work. A statement
    that is cited from several places stands in each. What says nothing is left out.
    """
    works = []
    for work, listed in sections(document).items():
        names = listed or tuple(
            MappingProxyType({ENGLISH: section})
            for section in dict.fromkeys(section for one in said for id_, section in one.source if id_ == work)
        )
        filled = [
            Section(name, tuple(one for one in said if any((work, text) in one.source for text in name.values())))
            for name in names
        ]
        if any(one.statements for one in filled):
            works.append(Work(work, tuple(one for one in filled if one.statements)))
    return tuple(works)


__all__ = ["Section", "Statement", "Work", "grouped", "of_file", "read_statements", "sections", "statements"]
