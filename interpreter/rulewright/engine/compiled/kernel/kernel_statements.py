"""What a program does: the statements of the kernel tree, and functions made of them.

In: kernel expressions. Out: classes, a closed union, which a printer turns into Python or machine code. Statements hold
lists of statements, which the builder fills.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import Any, Final, Literal, TypeAlias, assert_never

from rulewright.engine.compiled.kernel.kernel import Invoke, Name, Node, names_in
from rulewright.frozen import field, frozen, mutable, replace


@mutable
class Body:
    """Statements one after another."""

    statements: list[Statement] = field(default_factory=list)


@frozen
class Assign:
    """A variable gets a value."""

    name: str
    value: Node


@frozen
class Store:
    """A cell gets a value."""

    index: Node
    value: Node


@frozen
class ShiftCells:
    """The cells from `first` up to, but without `end` move `by` one place: 1 onwards, -1 back. `room_end`: what stands
    behind them matters to nobody, up to this cell, but without it; None: it matters.
    """

    first: Node
    end: Node
    by: Literal[1, -1]
    room_end: Node | None = None


@frozen
class DropByte:
    """Of the bytes from the cell `first` on, `count` in all, that at `index` goes, and those behind it move one place
    back. What stands in the `packed_counts.BYTES_AT_ONCE` bytes behind them matters to nobody.
    """

    first: Node
    index: Node
    count: Node


@frozen
class StoreByte:
    """One of the bytes that stand side by side from the cell `first` on gets a value."""

    first: Node
    index: Node
    value: Node


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
    """For what each of `count` cells from `first` on holds. `index`: a variable for how many came before, or none."""

    name: str
    first: Node
    count: Node
    body: Body
    index: str = ""


@frozen
class EntryLoop:
    """For each number in one row of a table of rows; without an index, in a table of numbers."""

    name: str
    table: str
    index: Node | None
    body: Body


@frozen
class ListLoop:
    """For each item of a list. `index`: a variable for how many came before, or nothing."""

    name: str
    items: str
    body: Body
    index: str = ""


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
    """What each of `count` cells from `first` on holds, at the end of a list. `room`: as many cells belong together."""

    items: str
    first: Node
    count: Node
    room: int


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
class AddRemembered:
    """All actions that a function lists for these numbers, each joined with one more by `|` if there is one; the
    function is carried out once for the same numbers. Only generated Python has such functions.
    """

    function: str
    arguments: tuple[Name, ...]
    joined: Name | None = None


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
    | Store
    | ShiftCells
    | DropByte
    | StoreByte
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
    | AddRemembered
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


# ---- what a statement is made of --------------------------------------------------------------------------


def bodies_of(statement: Statement) -> tuple[Body, ...]:
    """The blocks inside a statement."""
    return _BODIES.get(statement.__class__, _nothing)(statement)


def copy_blocks(body: Body) -> Body:
    """The same statements in blocks of their own, which can be changed."""
    return Body([_with_own_blocks(statement) for statement in body.statements])


def _with_own_blocks(statement: Statement) -> Statement:
    match statement:
        case Branch(test=test, then=then, otherwise=otherwise):
            return Branch(test, copy_blocks(then), copy_blocks(otherwise))
        case CountLoop() | CellLoop() | EntryLoop() | ListLoop() | TestLoop():
            return replace(statement, body=copy_blocks(statement.body))
        case _:
            return statement


def nodes_of(statement: Statement) -> tuple[Node, ...]:
    """The expressions that a statement itself works out, not those in its blocks."""
    return _NODES[statement.__class__](statement)


def _nothing(_: Statement) -> tuple[()]:
    return ()


def _body(statement: Loop) -> tuple[Body]:
    return (statement.body,)


def _value(statement: Assign | Append) -> tuple[Node]:
    return (statement.value,)


def _test(statement: Branch | TestLoop) -> tuple[Node]:
    return (statement.test,)


def _index(statement: AddOptions | TakeOption) -> tuple[Node]:
    return (statement.index,)


_BODIES: Final[Mapping[type, Callable[[Any], tuple[Body, ...]]]] = {  # a match asks class after class
    Branch: attrgetter("then", "otherwise"),
    **dict.fromkeys((CountLoop, CellLoop, EntryLoop, ListLoop, TestLoop), _body),
}
_NODES: Final[Mapping[type, Callable[[Any], tuple[Node, ...]]]] = {
    **dict.fromkeys((Assign, Append), _value),
    **dict.fromkeys((Branch, TestLoop), _test),
    **dict.fromkeys((AddOptions, TakeOption), _index),
    **dict.fromkeys((Store, SetItem), attrgetter("index", "value")),
    **dict.fromkeys((CellLoop, AppendCells), attrgetter("first", "count")),
    AddRemembered: lambda statement: (
        statement.arguments if statement.joined is None else (*statement.arguments, statement.joined)
    ),
    Return: attrgetter("values"),
    AddOption: lambda statement: (statement.word,),
    CutList: lambda statement: (statement.length,),
    Perform: lambda statement: (statement.call,),
    Witness: attrgetter("arguments"),
    CountLoop: attrgetter("low", "high"),
    EntryLoop: lambda statement: () if statement.index is None else (statement.index,),
    DropByte: attrgetter("first", "index", "count"),
    StoreByte: attrgetter("first", "index", "value"),
    ShiftCells: lambda statement: tuple(
        node for node in (statement.first, statement.end, statement.room_end) if node is not None
    ),
    **dict.fromkeys((ListLoop, LeaveLoop, NewList, ClearOptions, CountOptions), _nothing),
    **dict.fromkeys((PushCells, PopCells, ForgetPushed, Fail, Remark), _nothing),
}


def names_read(statement: Statement) -> frozenset[str]:
    """The variables and lists that a statement itself reads."""
    read = frozenset().union(*map(names_in, nodes_of(statement)))
    match statement:
        case ListLoop(items=items) | Append(items=items) | AppendCells(items=items) | SetItem(items=items):
            return read | {items}
        case CutList(items=items):
            return read | {items}
        case Witness(items=items):
            return read | {items} if items else read
        case _:
            return read


def names_given(statement: Statement) -> Iterator[str]:
    """The variables and lists to which a statement gives a value."""
    match statement:
        case Assign(name=name) | TakeOption(name=name) | CountOptions(name=name) | NewList(name=name):
            yield name
        case Store() | StoreByte() | ShiftCells() | DropByte() | Branch() | TestLoop():
            return
        case LeaveLoop() | Perform() | Return():
            return
        case CountLoop(name=name) | EntryLoop(name=name):
            yield name
        case CellLoop(name=name, index=index) | ListLoop(name=name, index=index):
            yield from filter(None, (name, index))
        case Append(items=name) | AppendCells(items=name) | SetItem(items=name) | CutList(items=name):
            yield name
        case ClearOptions() | AddOption() | AddOptions() | AddRemembered() | Fail() | Witness() | Remark():
            return
        case PushCells() | PopCells() | ForgetPushed():
            return
        case _:
            assert_never(statement)
