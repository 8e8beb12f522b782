"""What was computed of a node is not computed again while the node is there: nodes never change.

In: a function of one node. Out: the same function, which remembers its latest results. Nodes are told apart by which
object they are, not by what is in them: two rules with the same words stand at different places. `Same` tells an
argument apart in this way for a function with a cache.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, Generic, TypeVar

from rulewright.frozen import frozen

NodeT = TypeVar("NodeT")
ResultT = TypeVar("ResultT")


class NodeMemo(Generic[NodeT, ResultT]):
    """A function of a node, or of something else that never changes, with a memory for `size` results, which begins
    anew when it is full.
    """

    def __init__(self, function: Callable[[NodeT], ResultT], size: int) -> None:
        self._function = function
        self._size = size
        self._known: dict[int, tuple[NodeT, ResultT]] = {}  # with the node, so that no other gets its id
        _MEMOS.append(self)

    def __call__(self, node: NodeT) -> ResultT:
        """The function's result for this node."""
        known = self._known.get(id(node))
        if known is not None:
            return known[1]
        result = self._function(node)
        if len(self._known) >= self._size:
            self._known.clear()
        self._known[id(node)] = node, result
        return result


class EqualMemo(NodeMemo[NodeT, ResultT]):
    """The same of data that is made anew for each build, and mostly equal to that of the build before: the last `size`
    of different ones are known. To compare them must take much less time than the function does.
    """

    def __call__(self, node: NodeT) -> ResultT:
        """The function's result for this data, or for other data that is equal to it."""
        known = self._known.get(id(node)) or next((each for each in self._known.values() if each[0] == node), None)
        if known is not None:
            return known[1]
        result = self._function(node)
        if len(self._known) >= self._size:
            del self._known[next(iter(self._known))]  # the oldest
        self._known[id(node)] = node, result
        return result


_MEMOS: Final[list[NodeMemo[Any, Any]]] = []  # each belongs to a module


@contextmanager
def nothing_known_of_nodes() -> Iterator[None]:
    """Within it nothing is known from before, and what is found is forgotten afterwards: for tests that compare."""
    before = [memo._known for memo in _MEMOS]
    for memo in _MEMOS:
        memo._known = {}
    try:
        yield
    finally:
        for memo, known in zip(_MEMOS, before, strict=False):  # more, where a module was imported meanwhile
            memo._known = known


@frozen
class Same(Generic[NodeT]):
    """A node, or something else that never changes, equal only to itself: to compare what is in it would take as long
    as to read it again.
    """

    value: NodeT

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


__all__ = ["EqualMemo", "NodeMemo", "Same", "nothing_known_of_nodes"]
