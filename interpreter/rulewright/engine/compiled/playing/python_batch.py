"""A batch of games in generated Python, for where there is no machine code: the same numbers, later.

In: a `PythonProgram`, settings, memory. Out: all that a `GameBatch` has.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import Any, Final

from rulewright.engine import chance
from rulewright.engine.compiled.kernel.machine_shape import ENDLESS
from rulewright.engine.compiled.observation_layout import ObservationLayout, observe
from rulewright.engine.compiled.playing.game_batch import BatchSettings, GameBatch, reward_table
from rulewright.engine.compiled.playing.python_game import PythonGame
from rulewright.engine.compiled.playing.python_program import PythonProgram
from rulewright.engine.compiled.translation.action_ranks import NUMBER_FUNCTION
from rulewright.engine.compiled.translation.batch_functions import WINNERS_FUNCTION
from rulewright.engine.faults import EndlessSteps, RuleFault
from rulewright.engine.state import State

NO_FAULT: Final = -1


class PythonBatch(GameBatch):
    """Games of a Python program side by side."""

    def __init__(
        self, python: PythonProgram, layout: ObservationLayout, settings: BatchSettings, given: Mapping[str, Any]
    ) -> None:
        super().__init__(python.program, layout, settings, given)
        games = settings.games
        self._python = python
        self._games = [PythonGame(python) for _ in range(games)]
        self._indexes: list[list[int]] = [[] for _ in range(games)]
        self._own_numbers: list[list[int]] = [[] for _ in range(games)]
        self._over = [True] * games
        self._faults: dict[int, RuleFault] = {}
        self._numbers = memoryview(array("i", [0]))
        self._sampler = chance.seed_rng(0, stream=1)
        self._table = reward_table(python.program.rules.players)
        counters = python.program.cells.counters
        self._carry_out = self._step_all
        self._over_cell, self._seat_cell = counters["over"], counters["seat"]

    @property
    def action_numbers(self) -> memoryview[Any]:
        """The fixed numbers of all games' legal actions, one game behind another."""
        return self._numbers.toreadonly()

    def sample(self) -> Any:
        """Writes a legal action of each game into `actions`, each equally likely, and returns `actions`."""
        is_index = self.settings.actions == "indexes"
        for game, numbers in enumerate(self._own_numbers):
            action = 0
            if numbers:
                self._sampler, index = chance.rand_below(self._sampler, len(numbers))
                action = index if is_index else numbers[index]
            self._flat_actions[game] = action
        return self.actions

    def observe(self, seat: int, into: Any) -> None:
        """Writes what a seat sees of each game into an array like `observations`."""
        flat = self._row_buffer(seat, into).flat
        for game in range(self.games):
            self._write_row(flat, game, seat)

    # ---- what machine code does in one call -----------------------------------------------------------------------

    def _begin(self, games: Sequence[int]) -> int:
        self._clear()
        for game in games:
            self._start(game)
        return self._settle()

    def _step_all(self) -> int:
        chosen: list[int] = []
        for game, numbers in enumerate(self._own_numbers):
            action, index = self._flat_actions[game], 0
            if numbers and self.settings.actions == "indexes":
                index = action if 0 <= action < len(numbers) else -1
            elif numbers:
                index = numbers.index(action) if action in numbers else -1
            if index < 0:
                return game
            chosen.append(index)
        self._clear()
        for game, index in enumerate(chosen):
            if self._own_numbers[game]:
                self._act(game, index)
            elif self.settings.auto_reset:
                self._start(game)
        failed = self._settle()
        return failed if failed < 0 else failed + self.games

    def _act(self, game: int, index: int) -> None:
        played, taken = self._games[game], self._indexes[game]
        taken.append(index)
        try:
            self._python.act(played.cells, played.options, played.options[index])
        except RuleFault as fault:
            self._fail(game, fault)
            return
        if played.is_over:
            self._buffers["terminated"].flat[game] = 1
            self._reward(game)
        elif len(taken) >= self.settings.max_decisions:
            self._buffers["truncated"].flat[game] = 1
            played.cells[self._over_cell] = 1
        else:
            return
        if self.settings.auto_reset:
            seeds = self._buffers["seeds"].flat
            seeds[game] = (seeds[game] + self.games) & chance.UINT64_MASK
            self._start(game)

    def _start(self, game: int) -> None:
        self._indexes[game] = []
        try:
            self._games[game].start(seed=self._buffers["seeds"].flat[game], first=self.settings.first)
        except RuleFault as fault:
            self._fail(game, fault)

    def _fail(self, game: int, fault: RuleFault) -> None:
        self._faults[game] = fault
        self._games[game].cells[self._over_cell] = 1

    def _reward(self, game: int) -> None:
        played, players = self._games[game], self.program.rules.players
        winners = self._python.functions[WINNERS_FUNCTION](played.cells, played.options)
        win, loss = self._table[winners.bit_count()]
        for seat in range(players):
            self._buffers["rewards"].flat[game * players + seat] = win if winners >> seat & 1 else loss

    def _clear(self) -> None:
        self._faults = {}
        for name in ("rewards", "terminated", "truncated"):
            flat = self._buffers[name].flat.cast("B")
            flat[:] = bytes(len(flat))
        if self.settings.masks is not None:
            flat = self._buffers["action_masks"].flat
            flat[:] = bytes(len(flat))

    def _settle(self) -> int:
        """Writes down what every game waits for; returns the first that failed, else -1."""
        assert self.program.numbering is not None
        cursor, every = 0, list[int]()
        for game, played in enumerate(self._games):
            is_over = bool(played.cells[self._over_cell])
            numbers: list[int] = []
            if not is_over:
                numbers = list(range(played.option_count))
                if not self.program.numbering.refused:
                    function = self._python.functions[NUMBER_FUNCTION]
                    numbers = [function(played.cells, played.options, index) for index in numbers]
            self._own_numbers[game] = numbers
            every += numbers
            self._buffers["action_starts"].flat[game] = cursor
            self._buffers["action_counts"].flat[game] = len(numbers)
            self._buffers["seats"].flat[game] = -1 if is_over else played.cells[self._seat_cell]
            cursor += len(numbers)
            if self.settings.masks is not None:
                self._write_mask(game, numbers)
            if self.settings.observes:
                self._write_row(self._buffers["observations"].flat, game, played.cells[self._seat_cell])
        self._numbers = memoryview(array("i", every or [0]))
        return min(self._faults, default=NO_FAULT)

    def _write_mask(self, game: int, numbers: Sequence[int]) -> None:
        flat, first = self._buffers["action_masks"].flat, game * self.mask_bytes
        for number in numbers:
            if self.settings.masks == "bits":
                flat[first + number // 8] |= 1 << number % 8
            else:
                flat[first + number] = 1

    def _write_row(self, flat: memoryview[Any], game: int, seat: int) -> None:
        layout, cells = self.layout, self._games[game].cells
        viewer = seat if 0 <= seat < layout.rules.players else 0
        parts = layout.parts[viewer]
        row = observe(parts, cells, viewer=viewer, players=layout.rules.players, seat_cell=self._seat_cell)
        flat[game * layout.size : (game + 1) * layout.size] = layout.packed(row)

    # ---- single games -----------------------------------------------------------------------------------------------

    def _words(self, game: int) -> Sequence[int]:
        played = self._games[game]
        return [] if played.is_over else played.options

    def _taken(self, game: int) -> Sequence[int]:
        return self._indexes[game]

    def _put(self, game: int, state: State) -> None:
        self._games[game].load(state)
        self._indexes[game] = []
        self._clear()
        self._settle()

    def _fault_number(self, game: int) -> int:
        fault = self._faults[game]
        if isinstance(fault, EndlessSteps):
            return len(self.program.faults) + ENDLESS
        return next((at for at, site in enumerate(self.program.faults) if site.address == fault.address), 0)


__all__ = ["PythonBatch"]
