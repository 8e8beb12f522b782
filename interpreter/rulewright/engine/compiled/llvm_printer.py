"""The kernel tree as a module of LLVM's text form: tables, functions, and the entries that are called from outside.

In: a `CompiledProgram`. Out: text, from which machine code is made. A position is an array of `i64` cells; behind them
is room for what is put away. Beside it stand the numbers of the play: how many actions are listed, how many cells are
put away, the fault that has come up (-1: none), and the cells that hold words wider than a number.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack
from typing import cast

from rulewright.engine.compiled.code_builder import CodeBuilder
from rulewright.engine.compiled.compiler import CompiledProgram
from rulewright.engine.compiled.kernel import Below, Cell, Int, Invoke, Node, child_nodes
from rulewright.engine.compiled.kernel_arithmetic import ONE, ZERO, binary
from rulewright.engine.compiled.kernel_statements import CountOptions, Fail, Function, Return, TakeOption, nodes_of
from rulewright.engine.compiled.llvm_entries import (
    ASKED,
    RUNTIME,
    print_asked,
    print_below,
    print_games,
    print_play,
    print_run,
    print_step,
)
from rulewright.engine.compiled.llvm_expressions import entry_type, symbol
from rulewright.engine.compiled.llvm_statements import LISTING, SHORT_COPY, LlvmFunction
from rulewright.engine.compiled.word_widths import WordWidths, all_statements


class LlvmModule:
    """The text of one program. `widths`: how wide its words are; `word_bits`: the bits that they need."""

    def __init__(self, program: CompiledProgram) -> None:
        self.program = program
        self._forced = _is_forced(program)
        self._tables = program.tables
        self.widths = WordWidths(
            [*program.functions, _is_forced(program)], program.words.bits, program.cells.word_sections
        )
        drawing = {function.name for function in program.functions if _draws(function)}
        self._failing = _reaching(program.functions, _with_statement(program.functions, Fail) | drawing)
        self._listing = _reaching(program.functions, _with_statement(program.functions, LISTING))
        self._changing = {function.name for function in program.functions if not function.is_pure}

    def text(self) -> str:
        """The whole module."""
        program, counters = self.program, self.program.cells.counters
        functions = [*program.functions, self._forced]
        return "\n".join(
            [
                RUNTIME,
                print_below(counters["generator"], len(program.faults) + ASKED),
                *self._print_tables(),
                *(self._function(function).text() for function in functions),
                print_run(program.points, len(program.faults)),
                print_step(self.widths.stride),
                print_play(counters["over"], counters["seat"], counters["turns"]),
                print_games(program.cells.size, counters["over"], counters["generator"], program.start_point),
                *print_asked(self.asked()),
            ]
        )

    def _function(self, function: Function) -> LlvmFunction:
        size = self.program.cells.size
        return LlvmFunction(function, self.widths, self._tables, self._failing, self._listing, self._changing, size)

    def _print_tables(self) -> Iterator[str]:
        for name, values in self._tables.items():
            if values and isinstance(values[0], Sequence):
                rows = cast("Sequence[Sequence[int]]", values)
                ends = [0]
                for row in rows:
                    ends.append(ends[-1] + len(row))
                yield _array(f"{name}.rows", ends, "i32")
                spare = [0] * SHORT_COPY  # short rows are taken with what comes after them
                yield _array(name, [*(number for row in rows for number in row), *spare])
            else:
                yield _array(name, [*cast("Sequence[int]", values), 0])  # an entry more: for no thing

    def asked(self) -> dict[str, tuple[str, ...]]:
        """The functions that give a number about a seat, and their parameters."""
        return {
            function.name: function.parameters
            for function in self.program.functions
            if function.parameters[:1] in (("seat",), ("me",))
            and function.is_pure
            and function.name not in self._listing
        }


def _is_forced(program: CompiledProgram) -> Function:
    """Whether there is nothing to do but what is done if nothing else can be."""
    code = CodeBuilder((), is_pure=True)
    count, word = code.result("count"), code.result("word")
    code.write(CountOptions(count.text))
    with code.when(binary("==", count, ONE)):
        code.write(TakeOption(word.text, ZERO))
        mask = Int((1 << program.words.number_width) - 1)
        for at, site in enumerate(program.decisions):
            with (
                code.when(binary("==", Cell(program.cells.counter("decision")), Int(at)))
                if site.fallbacks
                else (ExitStack())
            ):
                for action in site.fallbacks:
                    with code.when(binary("==", binary("&", word, mask), Int(action + 1))):
                        code.write(Return((ONE,)))
    code.write(Return((ZERO,)))
    return Function("forced", (), code.block, True, "", "whether there is no choice")


def _array(name: str, values: Sequence[int], type_: str = "") -> str:
    type_ = type_ or entry_type(values)
    numbers = ", ".join(f"{type_} {value}" for value in map(int, values)) or f"{type_} 0"
    return f"@{symbol(name)} = internal unnamed_addr constant [{max(1, len(values))} x {type_}] [{numbers}], align 16"


def _with_statement(functions: Sequence[Function], sorts: type | tuple[type, ...]) -> set[str]:
    return {
        function.name
        for function in functions
        if any(isinstance(statement, sorts) for statement in all_statements(function.body))
    }


def _draws(function: Function) -> bool:
    """Whether a function asks for chance, which may have to come from outside first."""
    return any(_has_draw(node) for statement in all_statements(function.body) for node in nodes_of(statement))


def _has_draw(node: Node) -> bool:
    return isinstance(node, Below) or any(map(_has_draw, child_nodes(node)))


def _reaching(functions: Sequence[Function], reached: Collection[str]) -> set[str]:
    """The functions that call some of these, directly or not, and these."""
    calls = {
        function.name: {
            name
            for statement in all_statements(function.body)
            for node in nodes_of(statement)
            for name in _called(node)
        }
        for function in functions
    }
    found = set(reached)
    while True:
        more = {name for name, called in calls.items() if name not in found and called & found}
        if not more:
            return found
        found |= more


def _called(node: Node) -> Iterator[str]:
    if isinstance(node, Invoke):
        yield node.function
    for child in child_nodes(node):
        yield from _called(child)


__all__ = ["LlvmModule"]
