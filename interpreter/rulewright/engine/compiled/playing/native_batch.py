"""A batch of games in machine code: one call for a step of all of them.

In: a `NativeProgram`, settings, memory. Out: all that a `GameBatch` has.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from rulewright.engine import chance
from rulewright.engine.compiled.kernel.machine_shape import WORD_CELLS
from rulewright.engine.compiled.llvm.batch_block import (
    BEGIN,
    BIT_MASKS,
    BLOCK,
    BYTE_MASKS,
    KEEP,
    NO_MASKS,
    NUMBER_BYTES,
    SHORT_BYTES,
    block_of,
    cell_stride,
    kept_stride,
    listed_room,
)
from rulewright.engine.compiled.llvm.option_room import ROOM_FOR_LISTED
from rulewright.engine.compiled.observation_layout import ObservationLayout
from rulewright.engine.compiled.playing.game_batch import (
    FEWEST_OPTIONS,
    MEAN_OPTIONS,
    BatchSettings,
    GameBatch,
    reward_table,
)
from rulewright.engine.compiled.playing.native_cells import native_cells, pushed_count, wide_words
from rulewright.engine.compiled.playing.native_program import NativeProgram
from rulewright.engine.compiled.playing.position_loader import PositionLoader
from rulewright.engine.compiled.playing.reserved_memory import reserved_memory
from rulewright.engine.state import State

FEW_GAMES: Final = 16  # whose step takes some microseconds
MASK_KINDS: Final = {None: NO_MASKS, "bits": BIT_MASKS, "bytes": BYTE_MASKS}


class NativeBatch(GameBatch):
    """Games of a native program side by side. `settings.games` times the cells of a position lie behind each other."""

    def __init__(
        self, native: NativeProgram, layout: ObservationLayout, settings: BatchSettings, given: Mapping[str, Any]
    ) -> None:
        super().__init__(native.program, layout, settings, given)
        self._native = native
        games, words = settings.games, native.shape.words.stride
        self._stride, self._kept_stride = cell_stride(native.program, native.shape), kept_stride(native.shape)
        capacity = max(games * MEAN_OPTIONS, FEWEST_OPTIONS)
        room = capacity + ROOM_FOR_LISTED + listed_room(native.program)
        self._cells = _reserved(games * self._stride * NUMBER_BYTES).cast("q")
        self._numbers = _reserved(room * SHORT_BYTES).cast("i")
        listed = self._numbers  # all that is listed, or words beside them
        if not native.program.lists_numbers:
            listed = self._option_words = _reserved(room * words * NUMBER_BYTES).cast("Q")
        self._log = _reserved(games * settings.max_decisions * SHORT_BYTES).cast("i")
        self._decisions = _reserved(games * SHORT_BYTES).cast("i")
        self._first_rows = _reserved(games * SHORT_BYTES).cast("i")
        self._counts = _reserved(games * SHORT_BYTES).cast("i")
        self._starts = _reserved(games * SHORT_BYTES).cast("i")
        self._todo = _reserved(games).cast("B")
        self._faults = _reserved(games * NUMBER_BYTES).cast("q")
        self._kept = _reserved(max(1, games * self._kept_stride) * NUMBER_BYTES).cast("Q")
        self._others = [  # only machine code reads them
            _reserved((WORD_CELLS + len(native.shape.words.word_cell_ranks) * words) * NUMBER_BYTES),
            _written("q", native.program.cells.initial_cells),
            _written("f", [number for pair in reward_table(native.program.rules.players) for number in pair]),
            _reserved(games * words * NUMBER_BYTES),
        ]
        play, initial, rewards, chosen = map(_address, self._others)
        own = {name: buffer.address for name, buffer in self._buffers.items()}
        self._block = (ctypes.c_int64 * len(BLOCK))(
            *block_of(
                games=games, cells=_address(self._cells), words=_address(listed), play=play,
                initial=initial, seeds=own["seeds"], actions=own["actions"], counts=own["action_counts"],
                starts=own["action_starts"], numbers=_address(self._numbers), chosen=chosen,
                todo=_address(self._todo), masks=own.get("action_masks", 0),
                mask_bytes=self.mask_bytes if settings.masks else 0, mask_kind=MASK_KINDS[settings.masks],
                observations=own.get("observations", 0), rewards=own["rewards"], reward_table=rewards,
                terminated=own["terminated"], truncated=own["truncated"], seats=own["seats"],
                takes_indexes=int(settings.actions == "indexes"), auto_reset=int(settings.auto_reset),
                max_decisions=settings.max_decisions, decisions=_address(self._decisions), log=_address(self._log),
                log_row=0, first_rows=_address(self._first_rows), faults=_address(self._faults),
                capacity=capacity, kept=_address(self._kept), sampler=chance.seed_rng(0, stream=1),
                first=settings.first, own_counts=_address(self._counts), own_starts=_address(self._starts),
            )
        )  # fmt: skip
        self._address = ctypes.addressof(self._block)
        self._carry_out = native.batch_step(self._block, is_short=games <= FEW_GAMES)

    @property
    def action_numbers(self) -> memoryview[Any]:
        """The fixed numbers of all games' legal actions, one game behind another."""
        return self._numbers.toreadonly()

    def sample(self) -> Any:
        """Writes a legal action of each game into `actions`, each equally likely, and returns `actions`."""
        self._native.batches["batch_sample"](self._address)
        return self.actions

    def observe(self, seat: int, into: Any) -> None:
        """Writes what a seat sees of each game into an array like `observations`."""
        self._native.batches["batch_observe"](self._address, self._row_buffer(seat, into).address, seat)

    # ---- what machine code does -------------------------------------------------------------------------------------

    def _begin(self, games: Sequence[int]) -> int:
        if self.settings.masks is not None:
            mask = self._buffers["action_masks"].flat
            mask[:] = bytes(len(mask))  # a step takes back only what it has written
        self._todo[:] = bytes([KEEP]) * self.games
        for game in games:
            self._todo[game] = BEGIN
        return self._native.batches["batch_go"](self._address)

    def _words(self, game: int) -> Sequence[int]:
        words = self._native.shape.words.stride
        start, count = self._starts[game], self._counts[game]
        if self.program.lists_numbers:
            word = self._native.batches["batch_word"]
            return [word(self._address, game, number) for number in self._numbers[start : start + count]]
        parts = self._option_words[start * words : (start + count) * words].tolist()
        return [
            sum(part << 64 * place for place, part in enumerate(parts[at : at + words]))
            for at in range(0, count * words, words)
        ]

    def _taken(self, game: int) -> Sequence[int]:
        # each step writes a row of the log, after the last the first again; no game has more decisions than there are
        first, rows = self._first_rows[game], self.settings.max_decisions
        return [self._log[(first + made) % rows * self.games + game] for made in range(self._decisions[game])]

    def _fault_number(self, game: int) -> int:
        return int(self._faults[game])

    @cached_property
    def _loader(self) -> PositionLoader:
        return PositionLoader(self.program)

    def _put(self, game: int, state: State) -> None:
        cells, shape = self._loader.load(state), self._native.shape
        kept = [*[pushed_count(cells, shape)] * shape.pushes, *wide_words(cells, shape)]
        for at, number in enumerate(native_cells(cells, shape), start=game * self._stride):
            self._cells[at] = number
        for at, number in enumerate(kept, start=game * self._kept_stride):
            self._kept[at] = number
        self._decisions[game], self._first_rows[game] = 0, self._block[BLOCK.index("log_row")]
        self._todo[:] = bytes([KEEP]) * self.games
        self._native.batches["batch_go"](self._address)


def _reserved(size: int) -> memoryview[Any]:
    return memoryview(reserved_memory(size))


def _written(code: str, numbers: Sequence[float]) -> memoryview[Any]:
    size = NUMBER_BYTES if code == "q" else SHORT_BYTES
    memory = _reserved(len(numbers) * size)
    flat: memoryview[Any] = memory.cast(code)  # type: ignore[call-overload]  # one of the codes of the standard library
    for at, number in enumerate(numbers):
        flat[at] = number
    return memory


def _address(memory: memoryview[Any]) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(memory))


__all__ = ["NativeBatch"]
