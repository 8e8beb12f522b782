"""Expressions that an earlier process has put together need no parser in this one.

In: a text and what it should be. Out: its syntax tree, as it was kept with all others in one file under the signature
of the program; nothing for a text that is new, and for one that is wrong.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any, Final

from rulewright import limits
from rulewright.expr.syntax_tree import SyntaxNode, SyntaxToken
from rulewright.private_cache import cache_folder, cache_key, keep, read_cached
from rulewright.program_signature import program_signature

PackedNode = list[Any]  # rule, start, end, depth and parts of a node; text, start and end of a word
TOKEN_LENGTH: Final = 3

_new: Final[dict[str, SyntaxNode]] = {}  # trees that are not in the file yet


def find_tree(text: str, start: str) -> SyntaxNode | None:
    """The tree of a text that was read as `start` says."""
    packed = _kept_trees().get(_name(text, start))
    return None if packed is None else _unpack_node(packed)


def note_tree(text: str, start: str, tree: SyntaxNode) -> None:
    """Notes a tree, to be kept by `keep_trees`."""
    if len(_new) < limits.MAX_KEPT_TREES:
        _new[_name(text, start)] = tree


def keep_trees() -> None:
    """Keeps what was noted for the next process."""
    if _new and cache_folder() is not None:
        trees = {**_kept_trees(), **{name: _pack(tree) for name, tree in _new.items()}}
        latest = dict([*trees.items()][-limits.MAX_KEPT_TREES :])
        _new.clear()
        keep(_file_name(), json.dumps(latest, separators=(",", ":")).encode())


@cache
def _kept_trees() -> dict[str, PackedNode]:
    content = None if cache_folder() is None else read_cached(_file_name())
    trees: dict[str, PackedNode] = {} if content is None else json.loads(content)
    return trees


def _file_name() -> str:
    return cache_key("syntax trees", program_signature())


def _name(text: str, start: str) -> str:
    return f"{start} {text}"


def _pack(part: SyntaxNode | SyntaxToken) -> PackedNode:
    if isinstance(part, SyntaxToken):
        return [part.text, *part.offsets]
    return [part.rule, *part.offsets, part.depth, [_pack(each) for each in part.parts]]


def _unpack_node(packed: PackedNode) -> SyntaxNode:
    rule, start, end, depth, parts = packed
    return SyntaxNode(rule, tuple(map(_unpack, parts)), (start, end), depth)


def _unpack(packed: PackedNode) -> SyntaxNode | SyntaxToken:
    if len(packed) == TOKEN_LENGTH:
        text, start, end = packed
        return SyntaxToken(text, (start, end))
    return _unpack_node(packed)


__all__ = ["find_tree", "keep_trees", "note_tree"]
