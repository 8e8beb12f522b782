"""The positions that a bot thinks of as arrays of cells in memory: machine code plays and evaluates them.

In: machine code of a program for positions that are only imagined. Out: the same choices as in any other positions,
sooner.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from typing import Any, Final

from rulewright import limits
from rulewright.bots.compiled_positions import Cells, CompiledPositions, Deal, ThinkingProgram
from rulewright.bots.imagined_positions import Evaluation
from rulewright.engine.chance import UINT64_MASK
from rulewright.engine.compiled.compiler import CompiledProgram, compile_program
from rulewright.engine.compiled.kernel.machine_shape import (
    ASKED_SITE,
    ENDLESS,
    FAULT,
    MACHINE_BITS,
    QUEUE_LENGTH,
    WORD_CELLS,
)
from rulewright.engine.compiled.llvm.llvm_weigh import UNWEIGHED
from rulewright.engine.compiled.llvm.option_room import ROOM_FOR_LISTED
from rulewright.engine.compiled.playing.machine_support import can_make_machine_code, require_machine_code
from rulewright.engine.compiled.playing.native_game import GENERATOR, NO_FAULT, WORD_BYTES
from rulewright.engine.compiled.playing.native_program import NativeProgram
from rulewright.engine.compiled.playing.position_reading import PositionReading
from rulewright.engine.compiled.playing.reserved_memory import reserved_memory
from rulewright.engine.compiled.translation.evaluation_functions import applicable_name, worth_name
from rulewright.engine.compiled.translation.game_points import MAX_POINTS
from rulewright.engine.compiled.translation.refusal import NotCompiled
from rulewright.engine.engine_names import AUTO_ENGINE, COMPILED_ENGINE, EngineName
from rulewright.model.rules import Rules

MAX_TERMS: Final = 62  # of an evaluation, which are told apart by the bits of a number
MAX_WEIGHED: Final = 1 << 10  # actions whose positions are evaluated by one call
Position = Any  # an array of ctypes


class NativeThinking(ThinkingProgram):
    """Machine code for positions that somebody only thinks of, with the room in which it lists actions. Raises
    `NotCompiled` also where positions are more than their cells: where words of actions are wide, answers are made
    piece by piece, or steps begin within themselves.
    """

    def __init__(
        self, rules: Rules, *, tokenwise: Collection[str] = (), program: CompiledProgram | None = None
    ) -> None:
        super().__init__(rules, tokenwise=tokenwise, program=program)
        require_cells_alone(self)
        self.native = NativeProgram(self.program)
        self.cells = ctypes.c_int64 * self.program.cells.size
        counters = self.program.cells.counters
        self.generator, self._decision, self._seat = counters["generator"], counters["decision"], counters["seat"]
        self.numbers = (ctypes.c_int64 * WORD_CELLS)()
        self.numbers[FAULT], self.numbers[QUEUE_LENGTH] = NO_FAULT, GENERATOR
        self.weighed, self.found = ((ctypes.c_int64 * MAX_WEIGHED)() for _ in range(2))
        self.after = self.cells()
        room = ROOM_FOR_LISTED
        self._room = reserved_memory(room * WORD_BYTES)
        self.words = (ctypes.c_int64 * room).from_buffer(self._room)
        self.room = ctypes.addressof(self.words), ctypes.addressof(self.numbers)

    @cached_property
    def reading(self) -> PositionReading:
        """What reads positions, one after another: that whose cells it is given."""
        return _NativeReading(self)

    def dealt_positions(self, position: Position, deal: Deal) -> CompiledPositions:
        """Positions to think in."""
        return NativePositions(self, position, deal)

    def list_options(self, position: Position) -> list[int] | None:
        """The words of the legal actions; None where the rules fail."""
        words = self.listed(position)
        if self.numbers[FAULT] == NO_FAULT:
            return words
        self.numbers[FAULT] = NO_FAULT
        return None

    def listed(self, position: Position) -> list[int]:
        """The words of the legal actions in a position that waits for a decision."""
        decision = position[self._decision]
        words = self.offered(position, position[self._seat])
        if self.program.decisions[decision].may_decline:
            words.append(0)
        return words

    def offered(self, position: Position, seat: int) -> list[int]:
        """The words of what a seat can do at the decision for which a position waits."""
        count = self.native.list(position, *self.room, position[self._decision], seat)
        words: list[int] = self.words[:count]
        return words

    def position_of(self, cells: Cells) -> Position:
        """The position that is in some cells."""
        generator = cells[self.generator]
        cells[self.generator] = signed(generator)
        position = self.cells.from_buffer_copy(array("q", cells))
        cells[self.generator] = generator
        return position


def signed(number: int) -> int:
    """The same 64 bits, with a sign."""
    return number - ((number >> 63) << 64)


def require_cells_alone(thinking: ThinkingProgram) -> None:
    """Raises `NotCompiled` where positions are more than their cells."""
    for address, construct in _beyond_cells(thinking.program):
        raise NotCompiled(address, f"{construct}, for bots that think in machine code")


def _beyond_cells(program: CompiledProgram) -> Iterator[tuple[str, str]]:
    """What machine code in which bots think has no place for: rules by their addresses, and what is in them."""
    rules, words = program.rules, program.words
    if words.bits >= MACHINE_BITS:
        yield rules.actions[words.widest].address, f"answers of {words.bits} bits"
    for action in rules.actions:
        for index in words.token_choices[action.index]:
            yield action.choices[index].address, "answers piece by piece"
    for root in program.roots.values():
        if root.is_recursive:
            yield rules.blocks[root.block].address, "steps within themselves"
    strategies = ((f"strategies.{strategy.name}", strategy.terms) for strategy in rules.strategies)
    for address, terms in (("evaluation", rules.evaluation), *strategies):
        if len(terms) > MAX_TERMS:
            yield address, f"more than {MAX_TERMS} terms"


class NativePositions(CompiledPositions):
    """Positions of machine code. `true_position`, `deal`: as of `CompiledPositions`."""

    def __init__(self, thinking: NativeThinking, true_position: Position, deal: Deal) -> None:
        super().__init__(thinking, true_position, deal)
        self._code = thinking
        self._faults = len(thinking.program.faults)

    def determinize(self, rng: int) -> Position:
        """A position drawn at random."""
        generator, dealt = self._deal(rng)
        if dealt is not None:
            position = self._code.position_of(dealt)
        else:
            position = self._code.cells.from_buffer_copy(self._true_position)
        position[self._generator] = signed(generator)
        return position

    def legal(self, position: Position) -> list[int]:
        """The words of the legal actions."""
        if position[self._over]:
            return []
        return self._code.listed(position)

    def after(self, position: Position, move: int) -> Position | None:
        """The position after an action, if it is possible."""
        code = self._code
        cells, numbers = code.cells.from_buffer_copy(position), code.numbers
        code.native.move(cells, *code.room, move)
        fault = numbers[FAULT]
        if fault == NO_FAULT:
            return cells
        numbers[FAULT] = NO_FAULT
        if fault == self._faults + ENDLESS:  # perhaps it only takes long
            code.native.run(cells, *code.room, numbers[ASKED_SITE], limits.MAX_AUTOMATIC_STEPS - MAX_POINTS)
            if numbers[FAULT] == NO_FAULT:
                return cells
            numbers[FAULT] = NO_FAULT
        return None  # legal in the true position, impossible in this one

    def _copy_of(self, position: Position) -> Position:
        """The same position, to be changed."""
        return self._code.cells.from_buffer_copy(position)

    def _offered(self, position: Position, seat: int) -> list[int]:
        """The words of what a seat can do at the decision for which a position waits."""
        words = self._code.offered(position, seat)
        self._code.numbers[FAULT] = NO_FAULT  # then it has what was listed so far
        return words

    def generator(self, position: Position) -> int:
        """The state of a position's generator."""
        return int(position[self._generator]) & UINT64_MASK

    def evaluation(self, position: Position, strategy: str | None) -> Evaluation[Position, int]:
        """What positions that follow are worth."""
        return NativeEvaluation(self._code, position, strategy)


class _NativeReading(PositionReading):
    """Reads positions of machine code, of which actions are not listed."""

    __slots__ = ("_code",)

    def __init__(self, code: NativeThinking) -> None:
        super().__init__(code.program, code.cells())
        self._code = code

    @property
    def options(self) -> Sequence[int]:
        """None are listed."""
        return ()

    @property
    def option_count(self) -> int:
        """None are listed."""
        return 0

    def word_at(self, cell: int) -> int:
        """The word of an action that a cell holds."""
        return int(self.cells[cell])

    def number_of(self, name: str, *arguments: int) -> int:
        """What a function of the program gives in this position."""
        return self._code.native.asked[name](self.cells, *self._code.room, *arguments)


class NativeEvaluation:
    """What positions that follow from one are worth, in machine code."""

    def __init__(self, code: NativeThinking, position: Position, strategy: str | None) -> None:
        asked, self._code, players = code.native.asked, code, range(code.rules.players)
        judge, self._worth = asked[applicable_name(strategy)], asked[worth_name(strategy)]
        self._weigh = code.native.weigh[worth_name(strategy)]
        self._applied = (ctypes.c_int64 * len(players))(*[judge(position, *code.room, seat) for seat in players])

    def worth(self, position: Position, seat: int) -> int:
        """For a seat."""
        return self._worth(position, *self._code.room, seat, self._applied[seat])

    def weigh(self, position: Position, moves: Sequence[int], seat: int, *, has_rivals: bool) -> Sequence[int | None]:
        """For a seat after each of some actions; see `Evaluation`."""
        code = self._code
        moves_at, after, found = code.weighed, code.after, code.found
        numbers: list[int | None] = []
        for first in range(0, len(moves), MAX_WEIGHED):
            count = min(MAX_WEIGHED, len(moves) - first)
            moves_at[:count] = [*moves[first : first + count]]
            self._weigh(position, *code.room, after, moves_at, self._applied, found, count, seat, int(has_rivals))
            numbers += found[:count]
        if UNWEIGHED in numbers:
            return [None if number == UNWEIGHED else number for number in numbers]
        return numbers


def make_thinking(
    rules: Rules,
    *,
    tokenwise: Collection[str] = (),
    engine: EngineName = AUTO_ENGINE,
    program: CompiledProgram | None = None,
) -> ThinkingProgram:
    """A program of rules for thinking, by the name of an engine. Generated Python also where machine code is asked for,
    if that cannot hold these positions. `program`: if it is there already, by that of another. Raises `NotCompiled` for
    rules that have none, and `NoMachineCode`.
    """
    require_machine_code(engine)
    if engine == COMPILED_ENGINE or not can_make_machine_code():
        return ThinkingProgram(rules, tokenwise=tokenwise, program=program)
    if program is None:
        program = compile_program(rules, tokenwise=tokenwise, is_imagined=True)
    try:
        return NativeThinking(rules, tokenwise=tokenwise, program=program)
    except NotCompiled as refusal:
        thinking = ThinkingProgram(rules, tokenwise=tokenwise, program=program)
        thinking.refusal = refusal
        return thinking


__all__ = ["NativePositions", "NativeThinking", "make_thinking", "require_cells_alone"]
