"""What callers of machine code have to know of it: how wide words of actions are, where they stand, how much room a
position takes.

In: the bits of a word, the cells of a position. Out: a `WordShape`, a `MachineShape`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rulewright.engine.compiled.cell_layout import Section
from rulewright.frozen import frozen

MACHINE_BITS: Final = 64


class WordShape:
    """How words of actions are held.

    `bits`: of a word, a multiple of 64; `stride`: how many machine words that is; `is_narrow`: a word fits into 63 bits
    and is held like any number; `word_cell_ranks`: else, of a cell that holds a word, how many such cells come before.
    """

    def __init__(self, word_bits: int, sections: Sequence[Section]) -> None:
        self.is_narrow = word_bits < MACHINE_BITS
        self.bits = MACHINE_BITS if self.is_narrow else -(-word_bits // MACHINE_BITS) * MACHINE_BITS
        self.stride = self.bits // MACHINE_BITS
        cells = [section.first + place for section in sections for place in range(len(section.values))]
        self.word_cell_ranks = {} if self.is_narrow else {cell: rank for rank, cell in enumerate(cells)}


@frozen
class MachineShape:
    """`cells`: how many a position has; `faults`: how many sites of faults the program has; `pushes`: whether steps
    within themselves put cells away.
    """

    words: WordShape
    cells: int
    faults: int
    pushes: bool


__all__ = ["MACHINE_BITS", "MachineShape", "WordShape"]
