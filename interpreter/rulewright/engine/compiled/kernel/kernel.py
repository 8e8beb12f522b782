"""The few sorts of instructions into which rules are compiled: whole numbers, cells of a position, lists, loops.

In: nothing. Out: the classes of the kernel tree, closed unions, which a printer turns into Python or machine code.
Every value is a whole number; a bag is one number for each member, a thing its row, a flag 0 or 1. A position is one
array of cells. Expressions change nothing; `kernel_statements` has what changes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, Final, Literal, TypeAlias

from rulewright.frozen import frozen

BinaryOp = Literal[
    "+", "-", "*", "//", "%", "&", "|", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "and", "or", "min", "max", "less"
]
FLAG_OPS: Final = frozenset({"<", "<=", ">", ">=", "==", "!=", "and", "or"})


# ---- expressions ------------------------------------------------------------------------------------------


@frozen
class Int:
    """A number known before play."""

    value: int


@frozen
class Name:
    """A variable of the function, or one of its parameters. `is_flag`: it can only be 0 or 1."""

    text: str
    is_flag: bool = False


@frozen
class Cell:
    """What a cell of the position holds."""

    index: Node


@frozen
class TableEntry:
    """An entry of a table of numbers that never changes."""

    table: str
    index: Node


@frozen
class Binary:
    """An operation on two numbers. `less` subtracts, never below 0; `and` and `or` stop as soon as they can."""

    op: BinaryOp
    left: Node
    right: Node


@frozen
class Negate:
    """1 for 0, else 0."""

    of: Node


@frozen
class ByteSum:
    """The sum of the bytes of a number, which is below 255."""

    of: Node


@frozen
class LanesAbove:
    """Of a difference of bags in one number, a byte for each count, taken with the highest bit of each byte set: the
    counts that are not below 0, and 0 for the others. `ones`: a 1 in each byte that counts; the others become 0.
    """

    of: Node
    ones: int


@frozen
class Lane:
    """One of the counts of a bag that stands in one number, a byte for each: that of byte `at`. `most`: no count is
    above; `count`: how many bytes can hold anything.
    """

    of: Node
    at: int
    most: int
    count: int


@frozen
class Either:
    """One of two values, by a test; only that one is computed."""

    test: Node
    then: Node
    otherwise: Node


@frozen
class FindCell:
    """The index of the first cell from `first` on that holds a value, which one of them does."""

    first: Node
    value: Node


@frozen
class RankCell:
    """Where a value belongs among `count` ascending cells from `first` on: an index."""

    first: Node
    count: Node
    value: Node


@frozen
class CellByte:
    """The number in one of the bytes that stand side by side from the cell `first` on; only machine code has such."""

    first: Node
    index: Node


@frozen
class ListItem:
    """An item of a list."""

    items: str
    index: Node


@frozen
class ListLength:
    """How many items a list has."""

    items: str


@frozen
class Below:
    """A number from 0 to `count` - 1 by the generator in the position, which is changed by it.

    `site`, `offset`: the number of the program's chance site, and which of its places or variables it is for; they
    matter only where chance comes from outside.
    """

    count: Node
    site: int
    offset: Node


@frozen
class Invoke:
    """The number that a function of the program returns for the position and these arguments."""

    function: str
    arguments: tuple[Node, ...]


@frozen
class InvokeEntry(Invoke):
    """The same of a function that stands in a table of functions, at an index. Only generated Python has such tables;
    `function` is the name of one.
    """

    index: Node


Node: TypeAlias = (
    Int
    | Name
    | Cell
    | TableEntry
    | Binary
    | Negate
    | ByteSum
    | LanesAbove
    | Lane
    | Either
    | FindCell
    | RankCell
    | CellByte
    | ListItem
    | ListLength
    | Below
    | Invoke
)


# ---- what is known before play ----------------------------------------------------------------------------


def child_nodes(node: Node) -> tuple[Node, ...]:
    """The direct parts of an expression."""
    return _PARTS[node.__class__](node)


def _no_parts(_: Node) -> tuple[Node, ...]:
    return ()


def _index(node: Cell | TableEntry | ListItem) -> tuple[Node, ...]:
    return (node.index,)


def _of(node: Negate | ByteSum | LanesAbove | Lane) -> tuple[Node, ...]:
    return (node.of,)


_PARTS: Final[Mapping[type, Callable[[Any], tuple[Node, ...]]]] = {  # a match asks class after class
    Int: _no_parts,
    Name: _no_parts,
    ListLength: _no_parts,
    Cell: _index,
    TableEntry: _index,
    ListItem: _index,
    Binary: attrgetter("left", "right"),
    Below: attrgetter("count", "offset"),
    Negate: _of,
    ByteSum: _of,
    LanesAbove: _of,
    Lane: _of,
    Either: attrgetter("test", "then", "otherwise"),
    FindCell: attrgetter("first", "value"),
    CellByte: attrgetter("first", "index"),
    RankCell: attrgetter("first", "count", "value"),
    Invoke: attrgetter("arguments"),
    InvokeEntry: lambda node: (*node.arguments, node.index),
}


def names_in(node: Node) -> frozenset[str]:
    """The variables and lists that an expression reads."""
    found, nodes = set[str](), [node]
    while nodes:
        part = nodes.pop()
        if isinstance(part, Name):
            found.add(part.text)
        else:
            nodes += child_nodes(part)
            if isinstance(part, ListItem | ListLength):
                found.add(part.items)
    return frozenset(found)


def reads_position(node: Node) -> bool:
    """Whether its value depends on the cells."""
    return isinstance(node, Cell | FindCell | RankCell | CellByte | Invoke) or any(
        map(reads_position, child_nodes(node))
    )
