"""Writes one function of the program: statements in blocks within blocks, each value worked out once.

In: expressions and statements, in the order of the rules. Out: the body of a function. In a function that changes
nothing a value is worked out as far out as it can be: before the loops whose variables it does not read. In others what
was read from cells is forgotten as soon as a cell is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Hashable, Iterable
from contextlib import contextmanager
from keyword import iskeyword
from typing import Final, TypeVar

from rulewright.engine.compiled.kernel.kernel import ByteSum, Int, Name, Node, names_in, reads_position
from rulewright.engine.compiled.kernel.kernel_arithmetic import is_flag, known
from rulewright.engine.compiled.kernel.kernel_statements import (
    Append,
    Assign,
    Body,
    Branch,
    CellLoop,
    CountLoop,
    EntryLoop,
    ListLoop,
    NewList,
    Remark,
    Statement,
    Store,
    StoreByte,
    TestLoop,
)
from rulewright.frozen import field, mutable

T = TypeVar("T")
RESERVED_NAMES: Final = frozenset(
    {"s", "out", "min", "max", "len", "range", "bisect", "below", "fail", "remembered", "ways"}
)


@mutable
class _Scope:
    """A block being written: the variables that it defines, what is known in it, where the next statement goes."""

    block: Body
    is_loop: bool = False
    defined: set[str] = field(default_factory=set)
    known: dict[Hashable, tuple[object, bool]] = field(default_factory=dict)  # value, whether it was read from cells
    insert_at: int | None = None


class CodeBuilder:
    """The body of one function under construction."""

    def __init__(self, parameters: Iterable[str], *, is_pure: bool) -> None:
        self.block = Body()
        self.is_pure = is_pure
        self._open = [_Scope(self.block, defined=set(parameters))]
        self._names = set(parameters) | RESERVED_NAMES
        self._mutable: set[str] = set()
        self._definitions: dict[str, Node] = {}
        self._ranks: dict[Hashable, Node] = {}

    # ---- names and values ---------------------------------------------------------------------------------

    def fresh_name(self, hint: str) -> str:
        """A name that the function does not use yet."""
        base = re.sub(r"\W", "_", hint) or "x"
        if base[0].isdigit() or base.startswith("__") or iskeyword(base):
            base = f"x_{base.lstrip('_')}"
        name, number = base, 2
        while name in self._names:
            name, number = f"{base}{number}", number + 1
        self._names.add(name)
        return name

    def let(self, value: Node, hint: str = "") -> Node:
        """A name for a value."""
        if isinstance(value, Int | Name):
            return value
        hint = hint or _hint(value)

        def define() -> Node:
            name = self.fresh_name(hint)
            self.write(Assign(name, value))
            self._open[-1].defined.add(name)
            self._definitions[name] = value
            return Name(name, is_flag(value))

        return self.shared(value, names_in(value), define, from_cells=reads_position(value))

    def seen(self, value: Node) -> Node:
        """The name that `let` gave a value, if what it reads has not changed since; else the value itself."""
        for scope in reversed(self._open):
            if value in scope.known:
                return scope.known[value][0]  # type: ignore[return-value]  # the value says what it is
        return value

    def definition(self, value: Node) -> Node:
        """What a name stands for that `let` gave, else the value itself."""
        return self._definitions.get(value.text, value) if isinstance(value, Name) else value

    def shared(self, key: Hashable, reads: Iterable[str], compute: Callable[[], T], *, from_cells: bool = True) -> T:
        """What `compute` gives, which is written once for each key. `reads`: the variables that it depends on."""
        for scope in reversed(self._open):
            if key in scope.known:
                return scope.known[key][0]  # type: ignore[return-value]  # the key says what it is
        read = set(reads)
        if read & self._mutable:
            return compute()
        depth = self._outermost_depth(read)
        with self._at(depth):
            result = compute()
            self._open[-1].known[key] = (result, from_cells)
        return result

    def variable(self, start: Node, hint: str) -> Name:
        """A variable that changes."""
        name = self.fresh_name(hint)
        self._mutable.add(name)
        self.write(Assign(name, start))
        self._open[-1].defined.add(name)
        return Name(name)

    def result(self, hint: str) -> Name:
        """A variable to which a statement that follows gives a value."""
        name = self.fresh_name(hint)
        self._mutable.add(name)
        self._open[-1].defined.add(name)
        return Name(name)

    def assign(self, variable: Name, value: Node) -> None:
        """A variable that changes gets a value."""
        self.write(Assign(variable.text, value))

    def new_list(self, size: int, hint: str) -> str:
        """An empty list."""
        name = self.fresh_name(hint)
        self._mutable.add(name)
        self.write(NewList(name, size))
        self._open[-1].defined.add(name)
        return name

    def append(self, items: str, value: Node) -> None:
        """One more item at the end of a list."""
        self.write(Append(items, value))

    def freeze(self, name: str) -> None:
        """A variable or list has its last value: what depends on it may be worked out once."""
        self._mutable.discard(name)

    # ---- statements ---------------------------------------------------------------------------------------

    def write(self, statement: Statement) -> None:
        """The next statement."""
        scope = self._open[-1]
        if scope.insert_at is None:
            scope.block.statements.append(statement)
        else:
            scope.block.statements.insert(scope.insert_at, statement)
            scope.insert_at += 1

    def store(self, index: Node, value: Node) -> None:
        """A cell gets a value."""
        self.write(Store(index, value))
        self.forget_cells()

    def store_byte(self, first: Node, index: Node, value: Node) -> None:
        """One of the bytes from a cell on gets a value."""
        self.write(StoreByte(first, index, value))
        self.forget_cells()

    def remark(self, text: str) -> None:
        """Says from which rule the next statements come."""
        self.write(Remark(text))

    def forget_cells(self) -> None:
        """Cells have changed: what was read from them is read again."""
        for scope in self._open:
            scope.known = {key: value for key, value in scope.known.items() if not value[1]}

    @contextmanager
    def when(self, test: Node) -> Generator[Branch]:
        """What is done only where a test holds."""
        value = known(test)
        branch = Branch(test, Body(), Body())
        if value:
            yield branch
            return
        if value is None:
            self.write(branch)  # else what follows is written nowhere
        with self._inside(branch.then):
            yield branch

    @contextmanager
    def unless(self, branch: Branch) -> Generator[None]:
        """What is done where the test of a branch does not hold; nothing else is written in between."""
        if known(branch.test) == 0:
            yield
            return
        with self._inside(branch.otherwise):
            yield

    @contextmanager
    def count_loop(self, low: Node, high: Node, hint: str, *, is_falling: bool = False) -> Generator[Name]:
        """For each number from `low` up to, but without `high`, or downwards."""
        loop = CountLoop(self.fresh_name(hint), low, high, Body(), is_falling)
        with self._loop(loop, loop.body, loop.name):
            yield Name(loop.name)

    @contextmanager
    def cell_loop(self, first: Node, count: Node, hint: str, *, counts: bool = False) -> Generator[Name]:
        """For what each of some cells holds. `counts`: `rank_of` says how many came before."""
        loop = CellLoop(self.fresh_name(hint), first, count, Body(), self.fresh_name("index") if counts else "")
        with self._loop(loop, loop.body, loop.name, loop.index):
            yield Name(loop.name)

    @contextmanager
    def entry_loop(self, table: str, index: Node | None, hint: str) -> Generator[Name]:
        """For each number in a row of a table."""
        loop = EntryLoop(self.fresh_name(hint), table, index, Body())
        with self._loop(loop, loop.body, loop.name):
            yield Name(loop.name)

    @contextmanager
    def list_loop(self, items: str, hint: str, *, counts: bool = False) -> Generator[Name]:
        """For each item of a list. `counts`: `rank_of` says how many came before."""
        loop = ListLoop(self.fresh_name(hint), items, Body(), self.fresh_name("index") if counts else "")
        with self._loop(loop, loop.body, loop.name, loop.index):
            yield Name(loop.name)

    def rank_of(self, answer: Hashable) -> Node | None:
        """How many answers come before one, where that is known: of an item of a loop, where its items are counted."""
        return self._ranks.get(answer)

    def note_rank(self, answer: Hashable, rank: Node) -> None:
        """What `rank_of` says of an answer."""
        self._ranks[answer] = rank

    @contextmanager
    def test_loop(self, test: Node) -> Generator[None]:
        """As long as a test holds, which reads a variable that changes."""
        loop = TestLoop(test, Body())
        with self._loop(loop, loop.body, None):
            yield

    @contextmanager
    def _loop(self, loop: Statement, body: Body, name: str | None, index: str = "") -> Generator[None]:
        self.write(loop)
        if not self.is_pure:
            self.forget_cells()  # the body may write what was read before, and then goes round again
        with self._inside(body, is_loop=True):
            if name is not None:
                self._open[-1].defined.add(name)
                if index:
                    self._open[-1].defined.add(index)
                    self.note_rank(Name(name), Name(index))
            yield
        if not self.is_pure:
            self.forget_cells()

    @contextmanager
    def _inside(self, block: Body, *, is_loop: bool = False) -> Generator[None]:
        self._open.append(_Scope(block, is_loop))
        yield
        self._open.pop()

    # ---- how far out ----------------------------------------------------------------------------------------

    def _outermost_depth(self, reads: set[str]) -> int:
        """How far out something can be worked out that reads these variables, before as many loops as possible."""
        depth = len(self._open) - 1
        if not self.is_pure:
            return depth
        for inner in range(len(self._open) - 1, 0, -1):
            if reads & self._open[inner].defined:
                break
            if self._open[inner].is_loop:
                depth = inner - 1
        return depth

    @contextmanager
    def _at(self, depth: int) -> Generator[None]:
        """Writes in a block further out, before the statement within which the builder is: also where that statement is
        itself written before another one.
        """
        if depth == len(self._open) - 1:
            yield
            return
        inner, self._open = self._open, self._open[: depth + 1]
        scope, within = inner[depth], inner[depth + 1].block
        statements, before = scope.block.statements, scope.insert_at
        scope.insert_at = next(index for index, statement in enumerate(statements) if holds_block(statement, within))
        size = len(statements)
        yield
        scope.insert_at = None if before is None else before + len(statements) - size
        self._open = inner


def _hint(value: Node) -> str:
    """What a value is called that nobody has named."""
    match value:
        case ByteSum(of=Name(text=text)):
            return f"{text}_total"
        case _:
            return "holds" if is_flag(value) else "number"


def holds_block(statement: Statement, block: Body) -> bool:
    """Whether a block is the body of a statement."""
    match statement:
        case Branch(then=then, otherwise=otherwise):
            return block is then or block is otherwise
        case (
            CountLoop(body=body)
            | CellLoop(body=body)
            | EntryLoop(body=body)
            | ListLoop(body=body)
            | TestLoop(body=body)
        ):
            return block is body
        case _:
            return False


__all__ = ["CodeBuilder"]
