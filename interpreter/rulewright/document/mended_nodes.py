"""A file without the parts of it that have a wrong shape, so that the rest can be looked at as well.

In: the nodes of a file that breaks its schema. Out: the nodes that are left, and the words of what was taken away: what
is missing because of that is no news.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final

from rulewright import limits
from rulewright.document.schema_acceptance import accepts
from rulewright.document.schemas import SchemaViolation, find_violations
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode, Span, to_builtins
from rulewright.source.plain_scalars import ErrorNode

Path = tuple[str | int, ...]

MAX_ROUNDS: Final = 8  # what is left may break the schema further up
WORD: Final = lazy_pattern(r"[a-z][a-z0-9_]*")


@frozen
class Removed:
    """What was taken away: the words in it, and where it stood."""

    words: frozenset[str] = frozenset()
    spans: tuple[Span, ...] = ()

    @staticmethod
    def joined(parts: Iterable[Removed]) -> Removed:
        """All of several."""
        listed = list(parts)
        words = frozenset[str]().union(*(part.words for part in listed))
        return Removed(words, tuple(span for part in listed for span in part.spans))


def mend(node: Node, kind: str) -> tuple[MappingNode, Removed] | None:
    """What is left of a file of a kind without all that is wrong; None if that is the whole file, or so much that
    nothing else would be shown, and for a large file, of which it would take long.
    """
    removed = list[Removed]()
    if len(node.span.source.text) > limits.MAX_MENDED_CHARACTERS:
        return None
    for _ in range(MAX_ROUNDS):
        value = to_builtins(node)
        violations = [*islice(find_violations(value, kind), limits.MAX_DIAGNOSTICS)]
        if len(violations) == limits.MAX_DIAGNOSTICS:
            return None
        wrong = {*_unread(node, ()), *(path for violation in violations for path in _wrong_parts(violation, value))}
        if not wrong:
            return (node, Removed.joined(removed)) if isinstance(node, MappingNode) and accepts(value, kind) else None
        if () in wrong or any(len(path) == 1 and path[0] == 0 for path in wrong):
            return None
        words, spans = set[str](), list[Span]()
        left = _without(node, wrong, (), words, spans)
        assert left is not None
        node = left
        removed.append(Removed(frozenset(words), tuple(spans)))
    return None


def has_unread(node: Node) -> bool:
    """Whether a value in it could not be read, which is reported."""
    return next(_unread(node, ()), None) is not None


def _wrong_parts(violation: SchemaViolation, value: Any) -> Iterator[Path]:
    """The paths of what has to go: unknown keys, else what breaks the schema as a whole."""
    if violation.is_key:
        yield (*violation.path, str(violation.actual))
    elif violation.keyword == "additionalProperties":
        for part in violation.path:
            value = value[part]
        known = violation.schema.get("properties", {})
        unknown = [str(key) for key in value if key not in known] if isinstance(value, dict) else []
        yield from ((*violation.path, key) for key in unknown)
    else:
        yield violation.path


def _unread(node: Node, path: Path) -> Iterator[Path]:
    """The paths of values that could not be read, which is reported."""
    match node:
        case ErrorNode():
            yield path
        case MappingNode():
            for entry in node.entries:
                yield from _unread(entry.value, (*path, entry.key.text))
        case SequenceNode():
            for index, item in enumerate(node.items):
                yield from _unread(item, (*path, index))
        case _:
            pass


def _without(node: Node, wrong: Iterable[Path], path: Path, words: set[str], spans: list[Span]) -> Node | None:
    """The node without the parts at some paths, of which the words and places are noted."""
    if path in wrong:
        words.update(_words(node))
        spans.append(node.span)
        return None
    match node:
        case MappingNode():
            entries = list[Entry]()
            for entry in node.entries:
                value = _without(entry.value, wrong, (*path, entry.key.text), words, spans)
                if value is None:
                    words.update(WORD.findall(entry.key.text.lower()))
                    spans.append(entry.key.span)
                else:
                    entries.append(Entry(entry.key, value, entry.history))
            return MappingNode(tuple(entries), node.span)
        case SequenceNode():
            items = (_without(item, wrong, (*path, index), words, spans) for index, item in enumerate(node.items))
            return SequenceNode(tuple(item for item in items if item is not None), node.span)
        case _:
            return node


def _words(node: Node) -> Iterator[str]:
    match node:
        case ScalarNode():
            yield from WORD.findall(node.text.lower())
        case MappingNode():
            for entry in node.entries:
                yield from WORD.findall(entry.key.text.lower())
                yield from _words(entry.value)
        case _:
            for item in node.items:
                yield from _words(item)


__all__ = ["Removed", "has_unread", "mend"]
