"""Actions whose number and order depend on a few numbers only are listed once: generated Python keeps such lists.

In: a function of generated Python that lists actions. Out: the same function, in which loops within loops that read
nothing but a few variables are a call; and the functions called, whose lists are kept by their arguments. So the ways
to pay a price are gone through once for what is to be paid and at hand, not for each card and at each decision.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, KeysView, Sequence
from itertools import count
from typing import Final

from rulewright.engine.compiled.kernel.kernel import (
    Binary,
    ByteSum,
    Either,
    Int,
    Lane,
    LanesAbove,
    Name,
    Negate,
    Node,
    TableEntry,
    child_nodes,
    names_in,
)
from rulewright.engine.compiled.kernel.kernel_arithmetic import ZERO, binary
from rulewright.engine.compiled.kernel.kernel_statements import (
    AddOption,
    AddRemembered,
    Assign,
    Body,
    Branch,
    CountLoop,
    EntryLoop,
    Function,
    Remark,
    Statement,
    bodies_of,
    copy_blocks,
    names_given,
    names_read,
    nodes_of,
)
from rulewright.engine.compiled.kernel.word_widths import all_statements
from rulewright.frozen import replace

MAX_ARGUMENTS: Final = 4  # by which lists are kept: with more the same ones hardly come again
PLAIN: Final = (Assign, Branch, CountLoop, EntryLoop, AddOption, Remark)
LOOPS: Final = (CountLoop, EntryLoop)
KNOWN: Final = (Int, Name, TableEntry, Binary, Negate, ByteSum, LanesAbove, Lane, Either)


def remember_lists(function: Function) -> list[Function]:
    """Changes the body of a function that changes nothing; the functions whose lists are to be kept."""
    rememberer = _Rememberer(function)
    rememberer.change(function.body)
    return rememberer.functions


class _Rememberer:
    """`_read`, `_given`: how often each variable is read, and gets a value, in the whole function."""

    def __init__(self, function: Function) -> None:
        self.functions: list[Function] = []
        self._function = function
        self._read, self._given = _reads(function.body.statements), _gifts(function.body.statements)

    def change(self, body: Body) -> None:
        """Makes calls of nests of loops in a block, or else in the blocks within it."""
        statements = body.statements
        nests = [at for at, statement in enumerate(statements) if _is_nest(statement)]
        called = self._fewest_arguments(statements, nests[0], nests[-1] + 1) if nests else None
        if called is None:
            for statement in statements:
                for inner in bodies_of(statement):
                    self.change(inner)
            return
        begin, function, joined = called
        self.functions.append(function)
        call = AddRemembered(function.name, tuple(map(Name, function.parameters)))
        instead: list[Statement] = [call]
        if joined is not None:
            rest = next(name for number in count(2) if (name := f"rest{number}") not in self._given)
            self._given[rest] += 1
            instead = [Assign(rest, joined), replace(call, joined=Name(rest))]
        statements[begin : nests[-1] + 1] = instead

    def _fewest_arguments(
        self, statements: Sequence[Statement], nest: int, end: int
    ) -> tuple[int, Function, Node | None] | None:
        """Where a call begins so that it has the fewest arguments, the function, what is joined with each action."""
        best: tuple[int, Function, Node | None] | None = None
        for begin in range(nest, -1, -1):
            if not _is_plain(statements[begin]):
                break
            made = self._function_of(statements[begin:end])
            if made is not None and (best is None or len(made[0].parameters) <= len(best[1].parameters)):
                best = begin, *made
        return best

    def _function_of(self, statements: Sequence[Statement]) -> tuple[Function, Node | None] | None:
        """Some statements as a function, and what is joined with each action that it lists; None where they depend on
        more than a few numbers, or others on them.
        """
        if not all(map(_is_plain, statements)):
            return None
        body = copy_blocks(Body([*statements]))
        own, read = _gifts(statements), _reads(statements)
        if any(self._given[name] > own[name] or self._read[name] > read[name] for name in own):
            return None
        joined = _take_out(body, own.keys())
        parameters = tuple(name for name in _reads(body.statements) if name not in own)
        if not 0 < len(parameters) <= MAX_ARGUMENTS:
            return None
        name = self._function.name.replace("options", "ways", 1)
        if self.functions:
            name += f"_{len(self.functions) + 1}"
        text = "What is listed for these numbers"
        return replace(self._function, name=name, parameters=parameters, body=body, text=text), joined


def _is_nest(statement: Statement) -> bool:
    """Loops within a loop that list actions and look at nothing but variables."""
    inner = [*all_statements(Body([statement]))][1:]
    return (
        isinstance(statement, LOOPS)
        and any(isinstance(each, LOOPS) for each in inner)
        and any(isinstance(each, AddOption) for each in inner)
        and _is_plain(statement)
    )


def _is_plain(statement: Statement) -> bool:
    """Whether a statement, with all within it, looks at nothing but variables and tables."""
    return all(
        isinstance(each, PLAIN) and all(map(_is_known, nodes_of(each))) for each in all_statements(Body([statement]))
    )


def _is_known(node: Node) -> bool:
    return isinstance(node, KNOWN) and all(map(_is_known, child_nodes(node)))


def _take_out(body: Body, own: KeysView[str]) -> Node | None:
    """Takes out of the words of all actions that are listed what is the same in each, whichever it is, if it reads a
    variable; returns it.
    """
    words = [each.word for each in all_statements(body) if isinstance(each, AddOption)]
    shared = [part for part in _joined_parts(words[0]) if own.isdisjoint(names_in(part))]
    if not any(map(names_in, shared)) or any(part not in _joined_parts(word) for part in shared for word in words):
        return None
    _drop_parts(body, shared)
    return _join(shared)


def _joined_parts(word: Node) -> list[Node]:
    """The numbers that are joined by `|`."""
    if isinstance(word, Binary) and word.op == "|":
        return [*_joined_parts(word.left), *_joined_parts(word.right)]
    return [word]


def _join(parts: Iterable[Node]) -> Node:
    whole: Node = ZERO
    for part in parts:
        whole = binary("|", whole, part)
    return whole


def _drop_parts(body: Body, shared: Sequence[Node]) -> None:
    for at, statement in enumerate(body.statements):
        if isinstance(statement, AddOption):
            left = [part for part in _joined_parts(statement.word) if part not in shared]
            body.statements[at] = AddOption(_join(left))
        for inner in bodies_of(statement):
            _drop_parts(inner, shared)


def _reads(statements: Iterable[Statement]) -> Counter[str]:
    return Counter(name for each in all_statements(Body([*statements])) for name in sorted(names_read(each)))


def _gifts(statements: Iterable[Statement]) -> Counter[str]:
    return Counter(name for each in all_statements(Body([*statements])) for name in names_given(each))


__all__ = ["remember_lists"]
