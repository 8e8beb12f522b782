"""Which variables, lists and parameters of a program hold words of actions that are wider than a machine word.

In: the functions of a program, the width of a word in bits. Out: `WordWidths`: for each function the names that need
that width; everything else is a whole number of 64 bits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TypeAlias

from rulewright.engine.compiled.kernel.cell_layout import Section
from rulewright.engine.compiled.kernel.kernel import (
    Binary,
    Cell,
    Either,
    Int,
    Invoke,
    ListItem,
    Name,
    Node,
    child_nodes,
)
from rulewright.engine.compiled.kernel.kernel_statements import (
    AddOption,
    Append,
    Assign,
    Body,
    Function,
    ListLoop,
    Perform,
    Return,
    SetItem,
    Statement,
    Store,
    TakeOption,
    bodies_of,
    nodes_of,
)
from rulewright.engine.compiled.kernel.machine_shape import MACHINE_BITS, WordShape

Wide: TypeAlias = set[str]


class WordWidths(WordShape):
    """The wide names of a program's functions.

    `wide`: by function; where words are narrow nothing is wide. `wide_results`: the functions that return bits of a
    word.
    """

    def __init__(self, functions: Sequence[Function], word_bits: int, sections: Sequence[Section]) -> None:
        super().__init__(word_bits, sections)
        self.parameters = {function.name: function.parameters for function in functions}
        self.wide_results: Wide = set()
        self.wide: dict[str, Wide] = {function.name: set() for function in functions}
        self._functions = {function.name: function for function in functions}
        self._rows = frozenset(section.first for section in sections if len(section.values) > 1)
        if self.is_narrow:
            return
        self.wide["act"].add("word")
        while True:
            before = sum(map(len, self.wide.values())) + len(self.wide_results)
            for function in functions:
                self._widen(function)
            if sum(map(len, self.wide.values())) + len(self.wide_results) == before:
                return

    def is_word_cell(self, index: Node) -> bool:
        """Whether a cell holds a word: a certain cell, or one of a row of such cells, from the first of them on."""
        first = known_part(index)
        return first in self.word_cell_ranks and (isinstance(index, Int) or first in self._rows)

    def is_wide(self, node: Node, wide: Collection[str]) -> bool:
        """Whether the value of an expression can be wider than a machine word, by the names that are."""
        if self.is_narrow:
            return False
        match node:
            case Int(value=value):
                return value.bit_length() >= MACHINE_BITS
            case Name(text=text) | ListItem(items=text):
                return text in wide
            case Cell(index=index):
                return self.is_word_cell(index)
            case Invoke(function=function):
                return function in self.wide_results
            case Binary(op="&", left=left, right=right):
                return self.is_wide(left, wide) and self.is_wide(right, wide)
            case Binary(op="<<" | ">>", left=left):
                return self.is_wide(left, wide)
            case Binary(op="|" | "min" | "max", left=left, right=right):
                return self.is_wide(left, wide) or self.is_wide(right, wide)
            case Either(then=then, otherwise=otherwise):
                return self.is_wide(then, wide) or self.is_wide(otherwise, wide)
            case _:
                return False

    def _widen(self, function: Function) -> None:
        wide = self.wide[function.name]
        statements = list(all_statements(function.body))
        assigned: dict[str, list[Node]] = {}
        for statement in statements:
            match statement:
                case Assign(name=name, value=value):
                    assigned.setdefault(name, []).append(value)
                case Append(items=items, value=value) | SetItem(items=items, value=value):
                    assigned.setdefault(items, []).append(value)
                case ListLoop(name=name, items=items) if items in wide:
                    wide.add(name)
                case TakeOption(name=name):
                    wide.add(name)
                case _:
                    pass
            for node in nodes_of(statement):
                self._widen_parameters(node, wide)
        wide.update(name for name, values in assigned.items() if any(self.is_wide(value, wide) for value in values))
        for statement in statements:
            if isinstance(statement, Return) and any(
                self._is_built(value, wide, assigned) for value in statement.values
            ):
                self.wide_results.add(function.name)
        for statement in statements:
            for name in self._names_in_words(statement, wide, function.name):
                if any(_shifts(value) for value in assigned.get(name, ())):  # else it is a number that is put in place
                    wide.add(name)

    def _is_built(self, value: Node, wide: Wide, assigned: Mapping[str, Sequence[Node]]) -> bool:
        """Whether a value that a function returns is put together of bits."""
        definitions = assigned.get(value.text, ()) if isinstance(value, Name) else ()
        return self.is_wide(value, wide) or _shifts(value) or any(map(_shifts, definitions))

    def _widen_parameters(self, node: Node, wide: Wide) -> None:
        if isinstance(node, Invoke):
            callee = self._functions[node.function]
            for parameter, argument in zip(callee.parameters, node.arguments, strict=True):
                if self.is_wide(argument, wide):
                    self.wide[callee.name].add(parameter)
        for child in child_nodes(node):
            self._widen_parameters(child, wide)

    def _names_in_words(self, statement: Statement, wide: Wide, function: str) -> Iterator[str]:
        """The names whose bits become those of a word."""
        match statement:
            case AddOption(word=word):
                yield from _part_names(word)
            case Assign(name=name, value=value) | Append(items=name, value=value) if name in wide:
                yield from _part_names(value)
            case Store(index=index, value=value) if self.is_word_cell(index):
                yield from _part_names(value)
            case Return(values=values) if function in self.wide_results:
                for value in values:
                    yield from _part_names(value)
            case Perform(call=Invoke(function=called, arguments=arguments)):
                for parameter, argument in zip(self._functions[called].parameters, arguments, strict=True):
                    if parameter in self.wide[called]:
                        yield from _part_names(argument)
            case _:
                return


def known_part(index: Node) -> int:
    """The number that is added to whatever else an index is made of."""
    match index:
        case Int(value=value):
            return value
        case Binary(op="+", left=left, right=right):
            return known_part(left) + known_part(right)
        case _:
            return 0


def _part_names(word: Node) -> Iterator[str]:
    match word:
        case Name(text=text):
            yield text
        case Binary(op="|" | "<<", left=left, right=right):
            yield from _part_names(left)
            yield from _part_names(right)
        case _:
            return


def _shifts(node: Node) -> bool:
    return isinstance(node, Binary) and (node.op == "<<" or _shifts(node.left) or _shifts(node.right))


def all_statements(body: Body) -> Iterator[Statement]:
    """Every statement of a body, with those inside of others."""
    for statement in body.statements:
        yield statement
        for inner in bodies_of(statement):
            yield from all_statements(inner)


def is_wide_table(rows: Sequence[object]) -> bool:
    """Whether a table, or a row of one, has numbers that are wider than a machine word."""
    return any(is_wide_table(row) if isinstance(row, Sequence) else _bits(row) >= MACHINE_BITS for row in rows)


def _bits(value: object) -> int:
    assert isinstance(value, int)
    return value.bit_length()


__all__ = ["WordWidths", "all_statements", "is_wide_table", "known_part"]
