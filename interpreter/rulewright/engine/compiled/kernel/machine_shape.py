"""What callers of machine code have to know of it: how wide words of actions are, where they stand, how much room a
position takes.

In: the bits of a word, the cells of a position. Out: a `WordShape`, a `MachineShape`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rulewright.engine.compiled.kernel.cell_layout import Section
from rulewright.frozen import frozen

MACHINE_BITS: Final = 64
# what stands where `%play` points to; the queue of chance from outside (its length is -1 where a generator gives the
# numbers) comes before the cells that hold words
OPTION_COUNT, PUSHED_COUNT, FAULT, QUEUE_LENGTH, QUEUE_USED, ASKED_SITE, ASKED_OFFSET, MORE_ROOM, QUEUE = range(9)
ROOM_IN_QUEUE: Final = 4096
WORD_CELLS: Final = QUEUE + ROOM_IN_QUEUE
ENDLESS, TOO_LONG, TOO_DEEP, ASKED = range(4)  # faults beside those of the program, whose numbers come before
ROOM_FOR_PUSHED: Final = 4096  # cells that steps within themselves put away; with `MORE_ROOM` so many more
MAX_NATIVE_DEPTH: Final = 3  # decisions that one call follows


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


def tree_cells(shape: MachineShape) -> int:
    """How many numbers the cells of a position take, with room for what is put away."""
    return shape.cells + (ROOM_FOR_PUSHED if shape.pushes else 0)


def tree_numbers(shape: MachineShape) -> int:
    """How many numbers of the play a position takes."""
    return WORD_CELLS + len(shape.words.word_cell_ranks) * shape.words.stride


__all__ = [
    "ASKED",
    "ASKED_OFFSET",
    "ASKED_SITE",
    "ENDLESS",
    "FAULT",
    "MACHINE_BITS",
    "MAX_NATIVE_DEPTH",
    "MORE_ROOM",
    "OPTION_COUNT",
    "PUSHED_COUNT",
    "QUEUE",
    "QUEUE_LENGTH",
    "QUEUE_USED",
    "ROOM_FOR_PUSHED",
    "ROOM_IN_QUEUE",
    "TOO_DEEP",
    "TOO_LONG",
    "WORD_CELLS",
    "MachineShape",
    "WordShape",
    "tree_cells",
    "tree_numbers",
]
