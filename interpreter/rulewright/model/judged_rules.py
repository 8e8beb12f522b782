"""Which rules are judged: all of a game; under variants those in which one of them has written something.

In: a composed document, the files of what was applied to it. Out: addresses, and the definitions at them.

Under variants only what stands in one of their files is told, but for a few warnings whose cause is searched for. So a
check that looks at one rule after the other, and tells of it at a place within it, goes through `JudgedRules` in place
of all rules: of what a variant leaves as it is it would tell nothing. What depends on other rules is looked up among
all of them as ever. `test_judged_rules.py` holds what is told to that of checks that look at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Final

from rulewright import limits
from rulewright.document.address import child_entries
from rulewright.expr.tree import Constant
from rulewright.frozen import frozen
from rulewright.model.actions import ActionDef
from rulewright.model.effects import Block, Step
from rulewright.model.expr_reader import ReadExpr
from rulewright.model.rules import ValueDef, ZoneDef
from rulewright.source.node_memo import NodeMemo, Same
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode

NOT_ASKED: Final = frozenset({"components", "book"})  # large, and of their parts nobody asks
_IS_ALL_JUDGED: Final = [False]
Files = frozenset[str]


@frozen
class JudgedRules:
    """What is judged of some rules. `addresses`: what a variant has written, and all around it; None: everything."""

    addresses: frozenset[str] | None
    actions: tuple[ActionDef, ...]
    steps: tuple[Step, ...]  # of all blocks
    values: Mapping[str, ValueDef]
    zones: tuple[ZoneDef, ...]
    expressions: tuple[ReadExpr, ...]

    @property
    def is_empty(self) -> bool:
        """Whether nothing is judged but single numbers, pieces, things and words."""
        is_any = self.actions or self.steps or self.values or self.zones or self.has("ranking")
        return not is_any and all(isinstance(read.expr, Constant) for read in self.expressions)

    def has(self, address: str) -> bool:
        """Whether what stands at an address, or within it, is judged."""
        return self.addresses is None or address in self.addresses


def judged_rules(
    root: MappingNode,
    files: Files | None,
    *,
    actions: Sequence[ActionDef],
    blocks: Sequence[Block],
    values: Mapping[str, ValueDef],
    zones: Mapping[str, ZoneDef],
    expressions: Iterable[ReadExpr] = (),
) -> JudgedRules:
    """What is judged of these. `files`: those of what was applied; None: of a game without variants."""
    steps = (step for block in blocks for step in block.steps)
    if files is None or _IS_ALL_JUDGED[0]:
        return JudgedRules(None, tuple(actions), tuple(steps), values, tuple(zones.values()), tuple(expressions))
    written = written_addresses(root, files)
    return JudgedRules(
        written,
        tuple(action for action in actions if action.address in written),
        tuple(step for step in steps if step.address in written),
        {name: value for name, value in values.items() if f"values.{name}" in written},
        tuple(zone for zone in zones.values() if zone.address in written),
        tuple(read for read in expressions if read.node.span.source.path in files),
    )


def written_addresses(root: MappingNode, files: Files) -> frozenset[str]:
    """The addresses of rules at which, or within which, something stands in one of some files."""
    return _written_addresses(Same(root), files)


@lru_cache(maxsize=2)  # asked for while rules are built, and of the rules
def _written_addresses(root: Same[MappingNode], files: Files) -> frozenset[str]:
    return frozenset(_find_written(root.value.entries, "", files))


def _find_written(entries: Iterable[Entry], prefix: str, files: Files) -> Iterator[str]:
    for entry in entries:
        if entry.key.text in NOT_ASKED and not prefix:
            continue
        if entry.key.span.source.path in files or not files.isdisjoint(files_of(entry.value)):
            address = f"{prefix}{entry.key.text}"
            yield address
            yield from _find_written(child_entries(entry.value), f"{address}.", files)


def files_of(node: Node) -> Files:
    """The files in which a node stands, and all that is within it."""
    return Files((node.span.source.path,)) if isinstance(node, ScalarNode) else _files_within(node)


def is_judged(node: Node, files: Files) -> bool:
    """Whether something of a node stands in one of some files."""
    return _IS_ALL_JUDGED[0] or not files.isdisjoint(files_of(node))


def _find_files(node: Node) -> Files:
    found = {node.span.source.path}
    if isinstance(node, MappingNode):
        found.update(entry.key.span.source.path for entry in node.entries)
        parts: Iterable[Node] = (entry.value for entry in node.entries)
    else:
        parts = () if isinstance(node, ScalarNode) else node.items
    for part in parts:
        if isinstance(part, ScalarNode):
            found.add(part.span.source.path)
        else:
            found |= _files_within(part)
    return Files(found)


_files_within: Final = NodeMemo(_find_files, limits.MAX_REMEMBERED_READINGS)


def is_all_judged() -> bool:
    """Whether what a variant leaves as it is is looked at, too."""
    return _IS_ALL_JUDGED[0]


@contextmanager
def judging_all() -> Iterator[None]:
    """While this lasts all rules are looked at: for tests that compare."""
    before, _IS_ALL_JUDGED[0] = _IS_ALL_JUDGED[0], True
    try:
        yield
    finally:
        _IS_ALL_JUDGED[0] = before


__all__ = [
    "Files",
    "JudgedRules",
    "files_of",
    "is_all_judged",
    "is_judged",
    "judged_rules",
    "judging_all",
    "written_addresses",
]
