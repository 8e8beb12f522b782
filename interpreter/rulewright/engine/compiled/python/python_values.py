"""Generated Python without detours: what only the next statement reads is written there, a search ends where it finds.

In: the body of a function. Out: the same body with fewer variables and tests. What is read from a cell keeps its
variable, whose name says what it is, unless the cell itself is what changes. Nothing is put where Python's text would
repeat it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from rulewright.engine.compiled.kernel.kernel import (
    Binary,
    ByteSum,
    Cell,
    Either,
    Int,
    Lane,
    ListLength,
    Name,
    Negate,
    Node,
    TableEntry,
    child_nodes,
    names_in,
)
from rulewright.engine.compiled.kernel.kernel_arithmetic import ZERO, binary, negated
from rulewright.engine.compiled.kernel.kernel_statements import (
    AddOption,
    Assign,
    Body,
    Branch,
    CellLoop,
    CountLoop,
    CountOptions,
    EntryLoop,
    Function,
    LeaveLoop,
    ListLoop,
    Remark,
    Return,
    Statement,
    Store,
    TestLoop,
    bodies_of,
    names_given,
    nodes_of,
)
from rulewright.engine.compiled.kernel.word_widths import all_statements
from rulewright.frozen import replace
from rulewright.lazy_pattern import lazy_pattern

MAX_PARTS: Final = 5  # of a value: a longer one is easier to read on a line of its own
MAX_TOGETHER: Final = 11  # of the expression in which it then stands
UNNAMED: Final = lazy_pattern(r"(?:holds|number|it)\d*")  # names that say nothing
REPEATED: Final = frozenset({"min", "max", "less"})  # operations of whose parts Python's text has two


def place_values(function: Function) -> None:
    """Changes the body of a function."""
    read = Counter(name for statement in all_statements(function.body) for name in _names_read(statement))
    given = Counter(name for statement in all_statements(function.body) for name in names_given(statement))
    single = {name for name in read if read[name] == 1 and given[name] == 1}
    found = {name for name in given if given[name] == 2}  # not yet, and then
    _simplify(function.body, found)
    _place(function.body, single)


def _simplify(body: Body, found: Collection[str]) -> None:
    """Whole sums, searches that end at once, cells that are emptied. `found`: the variables that get a value twice."""
    body.statements[:] = _with_whole_sums(body.statements)
    not_yet, held = set[str](), dict[str, int]()  # variables that are 0; those that hold what a cell does
    for at, statement in enumerate(body.statements):
        match statement:
            case Store(
                index=Int(value=cell), value=Binary(op="-", left=Cell(index=Int(value=same)), right=Name(text=name))
            ) if cell == same == held.get(name):
                body.statements[at] = Store(statement.index, ZERO)
            case Assign(name=name, value=Int(value=0)) if name in found:
                not_yet.add(name)
            case CountLoop() | CellLoop() | EntryLoop() | ListLoop() | TestLoop():
                _end_search(statement.body, not_yet)
            case _:
                pass
        for inner in bodies_of(statement):
            _simplify(inner, found)
        held = _held_after(statement, held)


def _with_whole_sums(statements: Iterable[Statement]) -> Iterator[Statement]:
    """A sum that is made in several statements, one after another, as one."""
    begun: Statement | None = None
    for statement in statements:
        match begun, statement:
            case Assign(name=name, value=value), Assign(
                name=same, value=Binary(op="+", left=Name(text=continued), right=more)
            ) if name == same == continued and name not in names_in(value) | names_in(more):
                whole = binary("+", value, more)
                if _parts(whole) <= MAX_TOGETHER:
                    begun = Assign(name, whole)
                    continue
            case _:
                pass
        if begun is not None:
            yield begun
        begun = statement
    if begun is not None:
        yield begun


def _held_after(statement: Statement, held: Mapping[str, int]) -> dict[str, int]:
    """The variables that hold what a cell does, by its number, behind a statement."""
    match statement:
        case Assign(name=name, value=Cell(index=Int(value=cell))):
            return {**held, name: cell}
        case Assign(name=name):
            return {other: cell for other, cell in held.items() if other != name}
        case Store(index=Int(value=changed)):
            return {name: cell for name, cell in held.items() if cell != changed}
        case Remark():
            return dict(held)
        case _:
            return {}


def _end_search(body: Body, not_yet: Collection[str]) -> None:
    """A loop is left where something is found, not by a test behind it."""
    match body.statements:
        case [
            *before,
            Branch(then=Body(statements=[*_, Assign(name=name, value=Int(value=1))]) as then, otherwise=otherwise),
            Branch(test=Name(text=tested), then=Body(statements=[LeaveLoop()]), otherwise=Body(statements=[])),
        ] if name == tested and name in not_yet and not otherwise.statements:
            then.statements.append(LeaveLoop())
            body.statements[:] = body.statements[: len(before) + 1]
        case [*_, Branch(then=then, otherwise=Body(statements=[]))]:
            _end_search(then, not_yet)
        case _:
            pass


def _names_read(statement: Statement) -> Iterator[str]:
    """The variables that a statement itself reads, as often as it does."""
    waiting = list(nodes_of(statement))
    while waiting:
        node = waiting.pop()
        if isinstance(node, Name):
            yield node.text
        waiting += child_nodes(node)


def _place(body: Body, single: set[str]) -> None:
    kept: list[Statement] = []
    for statement in reversed(body.statements):
        for inner in bodies_of(statement):
            _place(inner, single)
        joined = _joined(statement, kept[-1], single) if kept else None
        if joined is None:
            kept.append(statement)
        else:
            kept[-1] = joined
    body.statements[:] = kept[::-1]


def _joined(first: Statement, second: Statement, single: set[str]) -> Statement | None:
    """Two statements as one; None where they stay two."""
    match first, second:
        case Assign(name=name, value=value), Branch(test=Name(text=tested)) if (
            name == tested and name in single and UNNAMED.fullmatch(name) and _parts(value) <= MAX_TOGETHER
        ):
            return replace(second, test=value)
        case _:
            pass
    match first:
        case Assign(name=name, value=value) if name in single:
            pass
        case CountOptions(name=name) if name in single:
            value = ListLength("out")
        case _:
            return None
    if isinstance(value, Cell):
        return _changed_cell(name, value, second)
    if not (_is_plain(value) and _parts(value) <= MAX_PARTS):
        return None
    putting = _Putting(name, value)
    match second:
        case Assign(value=Binary(op="+", left=Name(text=text), right=Int() as number)) if text == name:
            return replace(second, value=binary("+", value, number))
        case Assign(value=before):
            after: Statement = replace(second, value=putting.into(before))
        case Store(index=index, value=before):
            after = replace(second, index=putting.into(index), value=putting.into(before))
        case Branch(test=test):
            after = replace(second, test=putting.into(test))
        case Return(values=(before,)):
            after = Return((putting.into(before),))
        case AddOption(word=before):
            after = AddOption(putting.into(before))
        case _:
            return None
    return after if putting.done and max(map(_parts, nodes_of(after))) <= MAX_TOGETHER else None


def _changed_cell(name: str, cell: Cell, second: Statement) -> Statement | None:
    match second:
        case Store(index=index, value=Binary(left=Name(text=text), right=right) as value) if (
            text == name and index == cell.index and Name(text) not in child_nodes(right)
        ):
            return Store(index, replace(value, left=cell))
        case _:
            return None


def _is_plain(node: Node) -> bool:
    """Whether nothing happens when it is worked out, and no cell is read."""
    match node:
        case Int() | Name() | ListLength():
            return True
        case Binary() | Negate() | ByteSum() | Lane() | Either() | TableEntry():
            return all(map(_is_plain, child_nodes(node)))
        case _:
            return False


def _parts(node: Node) -> int:
    return 1 + sum(map(_parts, child_nodes(node)))


class _Putting:
    """Puts a value where a variable is read. `done`: whether it is read where that can be done."""

    def __init__(self, name: str, value: Node) -> None:
        self._name = name
        self._value = value
        self.done = False
        self._is_offset = isinstance(value, Binary) and isinstance(value.right, Int)

    def into(self, node: Node) -> Node:
        match node:
            case Name(text=text) if text == self._name:
                self.done = True
                return self._value
            case Binary(op="+", left=Name(text=text), right=Int()) if text == self._name and self._is_offset:
                return node  # the first of some cells is told as it is in the layout
            case Binary(op=op, left=left, right=right) if op not in REPEATED:
                return binary(op, self.into(left), self.into(right))
            case Negate(of=of):
                return negated(self.into(of))
            case Cell(index=index):
                return Cell(self.into(index))
            case TableEntry(index=index):
                return replace(node, index=self.into(index))
            case ByteSum(of=of) | Lane(of=of):
                return replace(node, of=self.into(of))
            case Either(test=test, then=then, otherwise=otherwise):
                return Either(self.into(test), self.into(then), self.into(otherwise))
            case _:
                return node


__all__ = ["place_values"]
