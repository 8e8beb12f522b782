"""Leaves what is worked out to the one branch that reads it, and leaves out what nobody reads.

In: a function. Out: the same function, in which less is worked out. Where cells may change in between, only what reads
none of them is moved.
"""

from __future__ import annotations

from collections import Counter

from rulewright.engine.compiled.kernel.kernel import Below, Invoke, Node, child_nodes, names_in, reads_position
from rulewright.engine.compiled.kernel.kernel_statements import (
    Assign,
    Body,
    Branch,
    Function,
    Statement,
    bodies_of,
    names_given,
    names_read,
)


def sink(function: Function) -> None:
    """Moves and leaves out assignments of one function."""
    _Sinking(function).run()


class _Sinking:
    """What the statements of one function read, and how often each variable gets a value."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._read: dict[int, frozenset[str]] = {}  # by statement
        self._read_inside: dict[int, frozenset[str]] = {}  # by statement, with the blocks in it
        self._given: Counter[str] = Counter(function.parameters)

    def run(self) -> None:
        body = self._function.body
        read = Counter[str]()
        self._count(body, read)
        self._drop_unread(body, read)
        self._collect(body)
        self._sink(body)

    # ---- what nobody reads ----------------------------------------------------------------------------------------

    def _count(self, block: Body, read: Counter[str]) -> None:
        for statement in block.statements:
            self._read[id(statement)] = own = names_read(statement)
            read.update(own)
            for inner in bodies_of(statement):
                self._count(inner, read)

    def _drop_unread(self, block: Body, read: Counter[str]) -> None:
        """From the last statement on, so that what only dropped statements read is dropped, too."""
        kept: list[Statement] = []
        for statement in reversed(block.statements):
            for inner in bodies_of(statement)[::-1]:
                self._drop_unread(inner, read)
            if isinstance(statement, Assign) and not read[statement.name] and not _has_effects(statement.value):
                read.subtract(self._read[id(statement)])
            else:
                kept.append(statement)
        block.statements[:] = kept[::-1]

    # ---- what one branch reads ------------------------------------------------------------------------------------

    def _collect(self, block: Body) -> frozenset[str]:
        inside = [self._collect_from(statement) for statement in block.statements]
        return frozenset().union(*inside)

    def _collect_from(self, statement: Statement) -> frozenset[str]:
        self._given.update(names_given(statement))
        read, inside = self._read[id(statement)], bodies_of(statement)
        if inside:
            read = read.union(*map(self._collect, inside))
        self._read_inside[id(statement)] = read
        return read

    def _sink(self, block: Body) -> None:
        statements = block.statements
        for at in range(len(statements) - 1, -1, -1):
            statement = statements[at]
            if isinstance(statement, Assign) and self._is_movable(statement):
                reader = self._only_reader(statement.name, statements[at + 1 :])
                if reader is not None:
                    branch, target = reader
                    del statements[at]
                    target.statements.insert(0, statement)
                    self._read_inside[id(branch)] |= self._read_inside[id(statement)]
        for statement in statements:
            for inner in bodies_of(statement):
                self._sink(inner)

    def _is_movable(self, statement: Assign) -> bool:
        value = statement.value
        return (
            all(self._given[name] == 1 for name in (statement.name, *names_in(value)))
            and not _has_effects(value)
            and (self._function.is_pure or not reads_position(value))
        )

    def _only_reader(self, name: str, later: list[Statement]) -> tuple[Branch, Body] | None:
        """The branch, and its block, outside of which nothing reads a variable."""
        readers = [statement for statement in later if name in self._read_inside[id(statement)]]
        branch = readers[0] if len(readers) == 1 else None
        if not isinstance(branch, Branch) or name in names_in(branch.test):
            return None
        blocks = [
            block
            for block in bodies_of(branch)
            if any(name in self._read_inside[id(inner)] for inner in block.statements)
        ]
        return (branch, blocks[0]) if len(blocks) == 1 else None


def _has_effects(node: Node) -> bool:
    """Whether something changes when an expression is worked out, or perhaps the rules fail."""
    return isinstance(node, Below | Invoke) or any(map(_has_effects, child_nodes(node)))


__all__ = ["sink"]
