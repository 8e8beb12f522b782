"""The few sorts of instructions into which rules are compiled: whole numbers, cells of a position, lists, loops.

In: nothing. Out: the classes of the kernel tree, closed unions, which a printer turns into Python or machine code.
Every value is a whole number; a bag is one number for each member, a thing its row, a flag 0 or 1. A position is one
array of cells. Expressions change nothing; statements hold lists of statements, which the builder fills.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

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
class ListItem:
    """An item of a list."""

    items: str
    index: Node


@frozen
class ListLength:
    """How many items a list has."""

    items: str


@frozen
class BitLength:
    """How many binary digits a number has."""

    of: Node


@frozen
class Below:
    """A number from 0 to `count` - 1 by the generator in the position; a position is changed by it."""

    count: Node


@frozen
class Invoke:
    """The number that a function of the program returns for the position and these arguments."""

    function: str
    arguments: tuple[Node, ...]


Node: TypeAlias = (
    Int
    | Name
    | Cell
    | TableEntry
    | Binary
    | Negate
    | Either
    | FindCell
    | RankCell
    | ListItem
    | ListLength
    | BitLength
    | Below
    | Invoke
)


# ---- statements -------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Body:
    """Statements one after another."""

    statements: list[Statement] = field(default_factory=list)


@frozen
class Assign:
    """A variable gets a value."""

    name: str
    value: Node


@frozen
class AssignAll:
    """Several variables get the numbers that a function returns together."""

    names: tuple[str, ...]
    value: Invoke


@frozen
class Store:
    """A cell gets a value."""

    index: Node
    value: Node


@frozen
class ShiftCells:
    """The cells from `first` up to, but without `end` move `by` one place: 1 onwards, -1 back."""

    first: Node
    end: Node
    by: Literal[1, -1]


@frozen
class FillCells:
    """Cells from `first` on take the numbers of a table that never changes."""

    first: int
    values: tuple[int, ...]


@frozen
class Branch:
    """What is done where a test holds, and where not."""

    test: Node
    then: Body
    otherwise: Body


@frozen
class CountLoop:
    """For each number from `low` up to, but without `high`; downwards where `is_falling`: from `high` - 1 to `low`."""

    name: str
    low: Node
    high: Node
    body: Body
    is_falling: bool = False


@frozen
class CellLoop:
    """For what each of `count` cells from `first` on holds."""

    name: str
    first: Node
    count: Node
    body: Body


@frozen
class EntryLoop:
    """For each number in one row of a table of rows; without an index, in a table of numbers."""

    name: str
    table: str
    index: Node | None
    body: Body


@frozen
class ListLoop:
    """For each item of a list."""

    name: str
    items: str
    body: Body


@frozen
class TestLoop:
    """As long as a test holds."""

    test: Node
    body: Body


@frozen
class LeaveLoop:
    """The innermost loop ends."""


@frozen
class NewList:
    """An empty list, of at most `size` items."""

    name: str
    size: int


@frozen
class Append:
    """One more item at the end of a list."""

    items: str
    value: Node


@frozen
class AppendCells:
    """What each of `count` cells from `first` on holds, at the end of a list."""

    items: str
    first: Node
    count: Node


@frozen
class SetItem:
    """An item of a list gets a value."""

    items: str
    index: Node
    value: Node


@frozen
class CutList:
    """A list keeps only its first items."""

    items: str
    length: Node


@frozen
class ClearOptions:
    """The list of legal actions is empty."""


@frozen
class AddOption:
    """One more legal action, as a number."""

    word: Node


@frozen
class AddOptions:
    """All actions in a row of a table of rows."""

    table: str
    index: Node


@frozen
class CountOptions:
    """A variable gets the number of legal actions listed."""

    name: str


@frozen
class TakeOption:
    """A variable gets one of the legal actions listed."""

    name: str
    index: Node


@frozen
class Perform:
    """A function of the program is carried out for its effect."""

    call: Invoke


@frozen
class Return:
    """The function ends, with these numbers."""

    values: tuple[Node, ...] = ()


@frozen
class PushCells:
    """Cells are put away on the stack behind the position."""

    first: int
    count: int


@frozen
class PopCells:
    """The cells put away last come back."""

    first: int
    count: int


@frozen
class ForgetPushed:
    """Whatever was put away is dropped."""


@frozen
class Fail:
    """The rules fail here: number of a fault of the program."""

    fault: int


@frozen
class Witness:
    """Says what viewers can see happen: a thing is about to leave or arrive, pieces have moved, things are shown.

    `items`: the list of things that are shown. Only programs that follow knowledge have such statements.
    """

    event: Literal["departs", "arrives", "pieces", "shown"]
    arguments: tuple[Node, ...]
    items: str = ""


@frozen
class Remark:
    """The rule from which the next statements come."""

    text: str


Statement: TypeAlias = (
    Assign
    | AssignAll
    | Store
    | ShiftCells
    | FillCells
    | Branch
    | CountLoop
    | CellLoop
    | EntryLoop
    | ListLoop
    | TestLoop
    | LeaveLoop
    | NewList
    | Append
    | AppendCells
    | SetItem
    | CutList
    | ClearOptions
    | AddOption
    | AddOptions
    | CountOptions
    | TakeOption
    | Perform
    | Return
    | PushCells
    | PopCells
    | ForgetPushed
    | Fail
    | Witness
    | Remark
)
Loop: TypeAlias = CountLoop | CellLoop | EntryLoop | ListLoop | TestLoop


@frozen
class Function:
    """A function of the program. `is_pure`: it changes nothing. `address`: the rule that it carries out."""

    name: str
    parameters: tuple[str, ...]
    body: Body
    is_pure: bool
    address: str
    text: str  # what it does, in a line


# ---- what is known before play ----------------------------------------------------------------------------


def is_known(node: Node) -> bool:
    """Whether it is a number known before play."""
    return isinstance(node, Int)


def child_nodes(node: Node) -> tuple[Node, ...]:
    """The direct parts of an expression."""
    match node:
        case Int() | Name() | ListLength():
            return ()
        case Cell(index=index) | TableEntry(index=index) | ListItem(index=index):
            return (index,)
        case Binary(left=left, right=right):
            return (left, right)
        case Negate(of=of) | BitLength(of=of) | Below(count=of):
            return (of,)
        case Either(test=test, then=then, otherwise=otherwise):
            return (test, then, otherwise)
        case FindCell(first=first, value=value):
            return (first, value)
        case RankCell(first=first, count=count, value=value):
            return (first, count, value)
        case Invoke(arguments=arguments):
            return arguments


def names_in(node: Node) -> frozenset[str]:
    """The variables and lists that an expression reads."""
    if isinstance(node, Name):
        return frozenset({node.text})
    found = frozenset().union(*map(names_in, child_nodes(node)))
    return found | {node.items} if isinstance(node, ListItem | ListLength) else found


def reads_position(node: Node) -> bool:
    """Whether its value depends on the cells."""
    return isinstance(node, Cell | FindCell | RankCell | Invoke) or any(map(reads_position, child_nodes(node)))
