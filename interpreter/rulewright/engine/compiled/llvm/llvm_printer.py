"""The kernel tree as a module of LLVM's text form: tables, functions, and the entries that are called from outside.

In: a `CompiledProgram`. Out: text, from which machine code is made. A position is an array of `i64` cells; behind them
is room for what is put away. Beside it stand the numbers of the play: how many actions are listed, how many cells are
put away, the fault that has come up (-1: none), and the cells that hold words wider than a number.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import accumulate
from typing import cast

from rulewright.engine.compiled.compiler import CompiledProgram
from rulewright.engine.compiled.kernel.cell_layout import NOBODY
from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import Cell, Int
from rulewright.engine.compiled.kernel.kernel_arithmetic import ONE, ZERO, binary
from rulewright.engine.compiled.kernel.kernel_statements import CountOptions, Function, Return, TakeOption
from rulewright.engine.compiled.kernel.machine_shape import ASKED
from rulewright.engine.compiled.llvm.llvm_batches import print_batches
from rulewright.engine.compiled.llvm.llvm_entries import (
    RUNTIME,
    print_asked,
    print_below,
    print_games,
    print_list,
    print_play,
    print_run,
    print_step,
)
from rulewright.engine.compiled.llvm.llvm_expressions import table_symbol
from rulewright.engine.compiled.llvm.llvm_facts import NUMBER, X86_64, module_facts, table_rows
from rulewright.engine.compiled.llvm.llvm_item_tests import SUM_OF_BYTES, table_or_none
from rulewright.engine.compiled.llvm.llvm_statements import LlvmFunction
from rulewright.engine.compiled.llvm.llvm_tree import print_count_tree
from rulewright.engine.compiled.llvm.llvm_weigh import print_weigh
from rulewright.engine.compiled.llvm.option_room import SHORT_COPY
from rulewright.engine.compiled.llvm.own_calls import FIRST_VERSION, with_own_calls
from rulewright.engine.compiled.llvm.places_at_once import print_steps
from rulewright.engine.compiled.translation.evaluation_functions import worth_name
from rulewright.model.rules import ELIMINATION_STATE


class LlvmModule:
    """The text of one program. `facts`: also how wide its words are."""

    def __init__(self, program: CompiledProgram) -> None:
        self.program = program
        self._functions = [*program.functions, *([_is_forced(program)] if program.numbering is None else [])]
        self._tables = program.tables
        self.facts = module_facts(program, self._functions, self._tables)

    def text(self) -> str:
        """The whole module."""
        program, counters = self.program, self.program.cells.counters
        # before the tables: printing a function notes which of them are needed once more
        functions = [LlvmFunction(function, self.facts).text() for function in self._functions]
        return "\n".join(
            [
                RUNTIME,
                *[SUM_OF_BYTES] * self.facts.has_sum_of_bytes,
                print_below(counters["generator"], len(program.faults) + ASKED),
                *self._print_tables(),
                *functions,
                print_run(program.points, len(program.faults)),
                *(self._print_games() if program.numbering is None else print_batches(program, self.facts)),
            ]
        )

    def text_for(self, version: tuple[int, ...]) -> str:
        """The module as a version of LLVM makes the fastest code of it on this sort of machine."""
        is_possible = version >= FIRST_VERSION and platform.machine().lower() in X86_64
        return with_own_calls(self.text()) if is_possible and "own-calls" not in self.program.without else self.text()

    def _print_games(self) -> Iterator[str]:
        """What is called for single games, played or imagined."""
        program = self.program
        yield print_step(self.facts.widths.stride, len(program.faults))
        if program.is_imagined:
            yield print_list(program.decisions)
        else:
            yield from self._print_whole_games()
        yield from print_asked(self.asked())
        yield from self._print_weigh()

    def _print_weigh(self) -> Iterator[str]:
        program, cells = self.program, self.program.cells
        if not program.is_weighed:
            return
        left = cells.states[ELIMINATION_STATE] if program.rules.has_elimination else NOBODY
        worths = [worth_name(strategy) for strategy in program.term_groups]
        yield from print_weigh(
            worths, players=program.rules.players, cells=cells.size, over=cells.counters["over"], left=left
        )

    def _print_tables(self) -> Iterator[str]:
        for name, values in self._tables.items():
            rows, type_ = table_rows(values), self.facts.tables[name].type_
            if rows is None:
                yield _array(name, [*cast("Sequence[int]", values), 0], type_)  # an entry more: for no thing
                continue
            yield _array(f"{name}.rows", [0, *accumulate(map(len, rows))], "i32")
            spare = [0] * SHORT_COPY  # short rows are taken with what comes after them
            yield _array(name, [*(number for row in rows for number in row), *spare], type_)
        for name, none in self.facts.rows_of_none.items():
            numbers = list(cast("Sequence[int]", self._tables[name]))
            numbers[none] = -1
            yield _array(table_or_none(name), numbers, NUMBER)
        yield from map(print_steps, sorted(self.facts.steps_listed))

    def _print_whole_games(self) -> Iterator[str]:
        """What plays on, which nobody asks of positions that are only imagined."""
        program, counters = self.program, self.program.cells.counters
        yield print_play(counters["over"], counters["seat"], counters["turns"])
        yield print_count_tree(self.facts, counters["over"])
        yield print_games(program.cells.size, counters["over"], counters["generator"], program.start_point)

    def asked(self) -> dict[str, tuple[str, ...]]:
        """The functions that give a number about a seat, and their parameters; nobody asks them of batches."""
        if self.program.numbering is not None:
            return {}
        return {
            function.name: function.parameters
            for function in self.program.functions
            if function.parameters[:1] in (("seat",), ("me",))
            and function.is_pure
            and function.name not in self.facts.listing
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


def _array(name: str, values: Sequence[int], type_: str) -> str:
    numbers = ", ".join(f"{type_} {value}" for value in map(int, values))
    return f"@{table_symbol(name)} = internal unnamed_addr constant [{len(values)} x {type_}] [{numbers}], align 16"


__all__ = ["LlvmModule"]
