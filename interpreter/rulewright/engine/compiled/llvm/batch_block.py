"""What a batch in machine code consists of: one block of numbers, addresses of arrays with an entry for each game, and
settings.

In: a program for batches. Out: where in the block everything stands, how much room games take, and how functions of
machine code read the block.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rulewright.engine.compiled.compiler import CompiledProgram
from rulewright.engine.compiled.kernel.machine_shape import ROOM_FOR_PUSHED, MachineShape
from rulewright.model.effects import Choose

# what stands where in the block of numbers that is a batch
BLOCK: Final = (
    "games", "cells", "words", "play", "initial", "seeds", "actions", "counts", "starts", "numbers", "chosen",
    "todo", "masks", "mask_bytes", "mask_kind", "observations", "rewards", "reward_table", "terminated",
    "truncated", "seats", "takes_indexes", "auto_reset", "max_decisions", "decisions", "log", "log_row", "first_rows",
    "faults", "capacity", "kept", "sampler", "first", "own_counts", "own_starts",
)  # fmt: skip
# what is called from outside with the address of a batch, and what else it gets: numbers, addresses
BATCH_ENTRIES: Final[Mapping[str, str]] = {
    "batch_step": "", "batch_go": "", "batch_sample": "", "batch_observe": "pi",
}  # fmt: skip
WORD_ENTRY: Final[Mapping[str, str]] = {"batch_word": "ii"}  # of programs that list numbers
KEEP, ACT, BEGIN = range(3)  # what is to be done with a game
NO_MASKS, BIT_MASKS, BYTE_MASKS = range(3)
OF_GAME: Final = "ptr %b, i64 %game"  # arguments and parameters of what is done for one game
NO_MASKS_OF_THIS_KIND: Final = -1
SHORT_MASK_BYTES: Final = 1024  # up to here a mask is cleared whole: cheaper than bit by bit what was written before
NUMBER_BYTES: Final = 8
SHORT_BYTES: Final = 4
LINE: Final = 8  # numbers that lie side by side in a processor's memory


def cell_stride(program: CompiledProgram, shape: MachineShape) -> int:
    """How many numbers a position of a batch takes."""
    room = program.cells.size + (ROOM_FOR_PUSHED if shape.pushes else 0)
    return -(-room // LINE) * LINE


def kept_stride(shape: MachineShape) -> int:
    """How many numbers of the play a game of a batch keeps: cells put away, and words wider than a number."""
    words = len(shape.words.word_cell_ranks) * shape.words.stride
    return int(shape.pushes) + words


def short_mask_kind(program: CompiledProgram) -> int:
    """Which masks are so short that each is cleared whole before it is written: those of bits, or none."""
    assert program.numbering is not None
    return BIT_MASKS if program.numbering.count <= 8 * SHORT_MASK_BYTES else NO_MASKS_OF_THIS_KIND


def batch_entries(program: CompiledProgram) -> Mapping[str, str]:
    """The entries of a program for batches."""
    return {**BATCH_ENTRIES, **WORD_ENTRY} if program.lists_numbers else BATCH_ENTRIES


def listed_bytes(program: CompiledProgram, shape: MachineShape) -> int:
    """How much room a legal action takes where it is listed."""
    return SHORT_BYTES if program.lists_numbers else NUMBER_BYTES * shape.words.stride


def listed_room(program: CompiledProgram) -> int:
    """Room behind the longest list: for all numbers of what is offered at once, written before they are counted."""
    if not program.lists_numbers:
        return 0
    assert program.numbering is not None
    steps = (step.effect for block in program.rules.blocks for step in block.steps)
    offers = max((len(effect.offers) for effect in steps if isinstance(effect, Choose)), default=0)
    return program.numbering.count * (offers + 1)


def block_of(**entries: int) -> Sequence[int]:
    """The numbers of a batch, in their order."""
    return [entries[name] for name in BLOCK]


def fields(*names: str) -> str:
    """Entries of the block, each as a value with its name."""
    lines = []
    for name in names:
        type_ = "i64" if name in _NUMBERS else "ptr"
        lines.append(f"  %{name}_entry = getelementptr inbounds i64, ptr %b, i64 {BLOCK.index(name)}")
        lines.append(f"  %{name} = load {type_}, ptr %{name}_entry")
    return "\n".join(lines)


_NUMBERS: Final = {
    "games", "mask_bytes", "mask_kind", "takes_indexes", "auto_reset", "max_decisions", "log_row", "capacity",
    "sampler", "first",
}  # fmt: skip


def numbers_at(play: Mapping[str, int]) -> str:
    """Where numbers of the play stand, by the names of the results."""
    return "\n".join(f"  %{name}_place = getelementptr inbounds i64, ptr %play, i64 {at}" for name, at in play.items())


__all__ = [
    "ACT",
    "BEGIN",
    "BIT_MASKS",
    "BLOCK",
    "BYTE_MASKS",
    "KEEP",
    "LINE",
    "NO_MASKS",
    "NUMBER_BYTES",
    "OF_GAME",
    "SHORT_BYTES",
    "batch_entries",
    "block_of",
    "cell_stride",
    "fields",
    "kept_stride",
    "listed_bytes",
    "listed_room",
    "numbers_at",
    "short_mask_kind",
]
