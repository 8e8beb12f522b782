"""Cells as Python holds them, as machine code holds them.

In: the cells of a position, whose numbers are as long as they need to be. Out: numbers of 64 bits, and what machine
code keeps beside the cells: how many are put away behind them, and the words of actions that are wider than a number.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.engine import chance
from rulewright.engine.compiled.kernel.machine_shape import MachineShape


def native_cells(cells: Sequence[int], shape: MachineShape) -> list[int]:
    """The cells, with those that are put away behind them; 0 where a word stands beside them."""
    return [0 if cell in shape.words.word_cell_ranks else _signed(number) for cell, number in enumerate(cells)]


def pushed_count(cells: Sequence[int], shape: MachineShape) -> int:
    """How many cells are put away."""
    return len(cells) - shape.cells


def wide_words(cells: Sequence[int], shape: MachineShape) -> list[int]:
    """The words beside the cells, each as so many numbers of 64 bits."""
    return [part for cell in shape.words.word_cell_ranks for part in word_parts(cells[cell], shape.words.stride)]


def word_parts(word: int, stride: int) -> list[int]:
    """A word as so many numbers of 64 bits, without signs."""
    return [word >> 64 * place & chance.UINT64_MASK for place in range(stride)]


def _signed(number: int) -> int:
    number &= chance.UINT64_MASK
    return number - (1 << 64) if number >> 63 else number


__all__ = ["native_cells", "pushed_count", "wide_words", "word_parts"]
