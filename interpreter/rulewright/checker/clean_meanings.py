"""Rule sets that were found without a problem while this process runs, by what their files mean: a comment more, a
blank line or a change that is taken back is no reason to judge them again.

In: rule sets. Out: those of which it is not known. A file means what its nodes say, wherever they stand in it; equal
parts of files get one number, so that only what has changed is looked at.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from itertools import count
from pathlib import Path
from typing import Final

from rulewright import limits
from rulewright.checker.rule_sets import RuleSet
from rulewright.diagnostics import Diagnostics
from rulewright.document.document import Document
from rulewright.frozen import field_names, is_data
from rulewright.model.locate import available_variants, joint_files, joint_files_beside
from rulewright.source.node_memo import NodeMemo
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode
from rulewright.variants.variant import Variant, load_variant

MAX_KEPT: Final = 4_096  # rule sets
MAX_PARTS: Final = 262_144  # of files; numbers begin anew, but none is given twice


class CleanMeanings:
    """What is known of the rule sets that were judged."""

    def __init__(self) -> None:
        self._clean: set[Hashable] = set()

    def key(self, rules: RuleSet) -> Hashable:
        """Of all that the judgement depends on at each number of players, as it is read now; None where that is not
        known.
        """
        document = rules.document
        known = available_variants(document.name, document.path)
        joint = [*joint_files(document.name, document.path), *joint_files_beside(document.name, rules.variants)]
        variants = [load_variant(path, Diagnostics(), base=document) for path in (*rules.variants, *joint)]
        if None in variants:
            return None
        return _document_meaning(document), rules.play, tuple(sorted(known.items())), *map(_meaning, variants)

    def is_known(self, key: Hashable) -> bool:
        """Whether the rules with this key were found without a problem."""
        return key is not None and key in self._clean

    def add(self, key: Hashable) -> None:
        """The rules with this key were found without a problem."""
        if len(self._clean) >= MAX_KEPT:
            self._clean.clear()
        if key is not None:
            self._clean.add(key)


_numbers: Final[dict[Hashable, int]] = {}
_next_number: Final = count()


def _number_of(part: Hashable) -> int:
    number = _numbers.get(part)
    if number is None:
        if len(_numbers) >= MAX_PARTS:
            _numbers.clear()
        number = _numbers[part] = next(_next_number)
    return number


def _meaning(value: object) -> int:
    """The number of a node or of other data that has nodes in it; equal data have the same."""
    match value:
        case ScalarNode(value=of, text=text):
            return _number_of((of.__class__, of, text))
        case MappingNode() | SequenceNode():
            return _meaning_of_node(value)
        case Entry(key=key, value=of):
            return _number_of((Entry, _meaning(key), _meaning(of)))
        case Variant(path=path, root=root, translations=translations):
            return _number_of((Variant, path, _meaning(root), _meaning(translations)))
        case tuple():
            return _number_of((tuple, *map(_meaning, value)))
        case Mapping():
            return _number_of((dict, *((name, _meaning(part)) for name, part in value.items())))
        case _ if is_data(value):
            return _number_of((value.__class__, *(_meaning(getattr(value, name)) for name in field_names(value))))
        case str() | int() | Path() | None:
            return _number_of((value.__class__, value))
        case _:
            raise TypeError(value)


def _find_meaning(node: Node) -> int:
    """Without the places in the file, and with the file. Scalars, of which there are most, have no number."""
    parts: list[Hashable] = [node.span.source.path]
    if isinstance(node, MappingNode):
        for entry in node.entries:
            parts += [entry.key.text, entry.key.value.__class__.__name__, _part(entry.value)]
    else:
        assert isinstance(node, SequenceNode)
        parts += [None, *map(_part, node.items)]
    return _number_of(tuple(parts))


def _part(node: Node) -> Hashable:
    return (node.value.__class__.__name__, node.text) if isinstance(node, ScalarNode) else _meaning_of_node(node)


_meaning_of_node: Final = NodeMemo[Node, int](_find_meaning, limits.MAX_REMEMBERED_READINGS)
_document_meaning: Final = NodeMemo[Document, int](_meaning, limits.MAX_REMEMBERED_LARGE_FILES)

__all__ = ["CleanMeanings"]
