"""Sequences of decisions, counted in machine code as far as they can be.

In: a program, as Python and as machine code, and how the game begins. Out: the counts of `CompiledTree`. The last
decisions of each sequence are followed in machine code; before them positions that are reached in several ways are
counted once, in Python.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any, Final

from rulewright.engine.compiled.kernel.machine_shape import (
    ASKED,
    FAULT,
    MAX_NATIVE_DEPTH,
    OPTION_COUNT,
    PUSHED_COUNT,
    QUEUE_LENGTH,
    WORD_CELLS,
    tree_cells,
    tree_numbers,
)
from rulewright.engine.compiled.llvm.option_room import ROOM_FOR_LISTED
from rulewright.engine.compiled.playing.compiled_tree import CompiledTree, Known
from rulewright.engine.compiled.playing.native_cells import native_cells, pushed_count, wide_words, word_parts
from rulewright.engine.compiled.playing.native_game import GENERATOR, NO_FAULT
from rulewright.engine.compiled.playing.native_program import NativeProgram
from rulewright.engine.compiled.playing.python_program import PythonProgram
from rulewright.engine.compiled.playing.reserved_memory import reserved_memory
from rulewright.errors import RulewrightError

NUMBER_BYTES: Final = 8


class ChanceToFollow(RulewrightError):
    """Sequences go on in several ways after one action."""


class NativeTree(CompiledTree):
    """The sequences of decisions of a game from its beginning; see `CompiledTree`.

    Raises `ChanceToFollow` where every outcome of chance counts, which is done in Python.
    """

    def __init__(
        self,
        program: PythonProgram,
        native: NativeProgram,
        *,
        seed: int | None = None,
        first: int = 0,
        orders: Mapping[int, Sequence[int]] | None = None,
    ) -> None:
        super().__init__(program, seed=seed, first=first, orders=orders)
        self._native = native
        shape, positions = native.shape, MAX_NATIVE_DEPTH + 1
        room = positions * ROOM_FOR_LISTED * shape.words.stride
        self._cells = _reserved(positions * tree_cells(shape)).cast("q")
        self._listed = _reserved(room).cast("Q")
        self._numbers = _reserved(positions * tree_numbers(shape)).cast("q")
        memory = (self._cells, self._listed, self._numbers)
        self._addresses = [ctypes.addressof(ctypes.c_char.from_buffer(part)) for part in memory]

    def _count(self, cells: list[int], options: list[int], depth: int, known: Known) -> int:
        if not 1 < depth <= MAX_NATIVE_DEPTH:
            return super()._count(cells, options, depth, known)
        shape, numbers = self._native.shape, self._numbers
        for at, number in enumerate(native_cells(cells, shape)):
            self._cells[at] = number
        parts = (part for word in options for part in word_parts(word, shape.words.stride))
        for at, part in enumerate(parts):
            self._listed[at] = part
        for at, part in enumerate(wide_words(cells, shape), start=WORD_CELLS):
            numbers[at] = part - (1 << 64) if part >> 63 else part
        numbers[OPTION_COUNT], numbers[PUSHED_COUNT] = len(options), pushed_count(cells, shape)
        numbers[FAULT], numbers[QUEUE_LENGTH] = NO_FAULT, 0 if self._is_outside else GENERATOR
        count = self._native.count_tree(*self._addresses, depth)
        if count >= 0:
            return count
        if numbers[FAULT] == shape.faults + ASKED:
            raise ChanceToFollow("machine code follows no outcomes of chance; with a seed they are drawn")
        return super()._count(cells, options, depth, known)  # says what fails, and goes on where that takes long


def _reserved(numbers: int) -> memoryview[Any]:
    return memoryview(reserved_memory(numbers * NUMBER_BYTES))


__all__ = ["ChanceToFollow", "NativeTree"]
