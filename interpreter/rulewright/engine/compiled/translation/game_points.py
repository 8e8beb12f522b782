"""Points at which a game can be taken up again, and the cells of what is under way.

In: blocks of rules. Out: one function for each point under construction, cells for turns, actions and procedures. The
first part of `FlowWriter`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import chain, count
from typing import Final, TypeAlias

from rulewright.engine.compiled.kernel.cell_layout import NOBODY
from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import Cell, Int, Node
from rulewright.engine.compiled.kernel.kernel_arithmetic import ONE, ZERO, add
from rulewright.engine.compiled.kernel.kernel_statements import (
    ForgetPushed,
    Function,
    PopCells,
    PushCells,
    Return,
)
from rulewright.engine.compiled.translation.action_words import ActionWords
from rulewright.engine.compiled.translation.expression_writer import ExpressionWriter
from rulewright.engine.compiled.translation.flowing_blocks import FlowingBlocks
from rulewright.engine.compiled.translation.number_words import NumberReader
from rulewright.engine.compiled.translation.piece_lists import PieceListWriter
from rulewright.engine.compiled.translation.place_expressions import Surroundings, Value
from rulewright.engine.compiled.translation.step_effects import EffectWriter
from rulewright.engine.compiled.translation.straight_steps import StraightSteps
from rulewright.frozen import field, frozen, mutable
from rulewright.model.rules import Rules, StateDef

RESUME_TABLE: Final = "resume_points"  # by decision the point after it
WAITS: Final = -1
ENDS: Final = -2
NO_SEAT: Final = Int(-1)
MAX_POINTS: Final = 250  # passed at once; then it is found out whether rules go on without end
Env: TypeAlias = dict[int, Value]
StepPath: TypeAlias = tuple[tuple[int, int], ...]  # a step: block and index of each step around it, then its own


@frozen
class DecisionSite:
    """A step at which a seat chooses: its place in the rules, the function that lists its options.

    `fallbacks`: the number of the action that is done if nothing else can be, if the step does not offer it as well;
    `pieces`: the function that lists what can be chosen next, where an action is answered piece by piece.
    `may_decline`: nothing need be chosen.
    """

    block: int
    step: int
    options: str
    otherwise: str
    fallbacks: tuple[int, ...]
    pieces: str = ""
    may_decline: bool = False


@frozen
class StepSite:
    """A step that can stop: where the game goes on after it, and the cells of its loop, if it has one.

    `decision`: its number if somebody chooses there; `execution`: the point at which secret choices are carried out.
    `left`: the cell that counts the turns left of its loop; `elements`: the first cell of what it goes through, with
    `room` for so many; `length`: the cell that says how many these are, where it goes through them several times. Each
    cell is -1 where there is none.
    """

    after: int
    decision: int = -1
    execution: int = -1
    left: int = -1
    elements: int = -1
    room: int = 0
    length: int = -1


@mutable
class StepsUnderWay:
    """Steps with cells of their own: a turn, an action, a procedure, or the set-up, a round, the end."""

    block: int
    seat_cell: int = -1
    return_cell: int = -1
    word_cell: int = -1
    argument_cells: list[int] = field(default_factory=list)  # of members and things: nothing else can be given
    first_cell: int = -1
    own_cells: int = 0
    start: int = -1  # its first point
    is_recursive: bool = False
    inner_cell: int = -1  # the first cell of its loops and decisions, and how many there are
    inner_cells: int = 0


class GamePoints(FlowingBlocks, StraightSteps):
    """The points of one rule model while they are written."""

    _repeated = -1  # the cell that counts how often the step that is written is still done
    _recursive: set[int]  # blocks that can begin within themselves
    _turn: StepsUnderWay
    _finale_start: int  # the point with which the end of the game begins
    _env_makers: list[Callable[[CodeBuilder], Env]]  # what reads the choices of the action whose steps are written

    def __init__(
        self,
        rules: Rules,
        expressions: ExpressionWriter,
        effects: EffectWriter,
        lists: PieceListWriter,
        words: ActionWords,
        reader: NumberReader | None = None,
        *,
        is_imagined: bool = False,
    ) -> None:
        self.rules = rules
        self.expressions = expressions
        self.effects = effects
        self.lists = lists
        self.words = words
        self.reader = reader  # of the numbers of actions, where these are listed
        self.is_imagined = is_imagined
        self.cells = expressions.cells
        self.functions: list[Function] = []
        self.points: list[Function | None] = []
        self.decisions: list[DecisionSite] = []
        self.resume_points: list[int] = []
        self.option_loops: dict[int, int] = {}  # of a decision that is repeated: the cell that counts its turns left
        self.together: dict[int, int] = {}  # of a decision made in secret: the first cell of what was chosen
        self.sites: dict[StepPath, StepSite] = {}
        self.path: StepPath = ()  # of the step around those that are written
        self.block_states: dict[int, list[StateDef]] = {}
        numbers = {block.address: number for number, block in enumerate(rules.blocks)}
        for state in rules.states.values():
            if state.block_address:
                self.block_states.setdefault(numbers[state.block_address], []).append(state)
        self._flowing = self._find_flowing()
        self.roots: dict[int, StepsUnderWay] = {}
        self._code = CodeBuilder((), is_pure=False)
        self._waiting: list[StepsUnderWay] = []
        self._taken_names: set[str] = set()

    def _root(self, block: int) -> StepsUnderWay:
        """The cells of steps that begin from several places."""
        if block in self.roots:
            return self.roots[block]
        rules = self.rules
        root = self.roots[block] = StepsUnderWay(block, is_recursive=block in self._recursive)
        name = rules.blocks[block].address
        root.first_cell = root.seat_cell = self.cells.reserve(f"{name} seat", 1, start=NOBODY)
        root.return_cell = self.cells.reserve(f"{name} goes on", 1, "the point after it")
        action = next((action for action in rules.actions if action.block == block), None)
        if action is not None:
            root.word_cell = self.cells.reserve(f"{name} action", 1, holds_words=True)
        elif block in self._procedures():
            for slot in range(len(rules.blocks[block].variable_types)):
                root.argument_cells.append(self.cells.reserve(f"{name} {slot}", 1))
        root.own_cells = self.cells.size - root.first_cell
        root.start = self._new_label()
        self._waiting.append(root)
        return root

    def _leave_root(self, root: StepsUnderWay) -> None:
        code = self._code
        target = code.variable(Cell(Int(root.return_cell)), "next_point")
        if root.block == self.rules.turn:
            code.store(Int(root.seat_cell), NO_SEAT)
        if root.is_recursive:
            code.write(PopCells(root.first_cell, root.own_cells))
            code.forget_cells()
        code.write(Return((target,)))

    def _enter(self, code: CodeBuilder, root: StepsUnderWay, seat: Node, after: Node, word: Node | None = None) -> None:
        """Steps begin: their cells are filled, and the game goes on at their first point."""
        if root.is_recursive:
            code.write(PushCells(root.first_cell, root.own_cells))  # and its loops: see `_keep_loops`
        code.store(Int(root.seat_cell), seat)
        code.store(Int(root.return_cell), after)
        if word is not None:
            code.store(Int(root.word_cell), word)

    def _begin_turn(self, code: CodeBuilder) -> None:
        turns = self.cells.counter("turns")
        code.store(turns, add(Cell(turns), ONE))
        self.effects.reset(code, [state for state in self.rules.states.values() if state.reset_scope == "turn"])

    def _reset_block(self, block: int) -> None:
        self.effects.reset(self._code, self.block_states.get(block, []))

    def _end_game(self) -> None:
        """Whatever is under way is dropped, and the steps after the end are carried out."""
        code = self._code
        code.write(ForgetPushed())
        code.store(Int(self._turn.seat_cell), NO_SEAT)
        code.store(self.cells.counter("ending"), ONE)
        if self.cells.extra_room:
            code.store(Int(self.cells.extra_turns), ZERO)
        if not self.rules.blocks[self.rules.finale].steps:
            self._finish_everything()
            return
        code.store(self.cells.counter("finale"), ONE)
        code.write(Return((Int(self._finale_start),)))

    def _finish_everything(self) -> None:
        self._code.store(self.cells.counter("over"), ONE)
        self._code.write(Return((Int(ENDS),)))

    def _new_label(self) -> int:
        self.points.append(None)
        return len(self.points) - 1

    def unique_name(self, words: str) -> str:
        """A name of a function that no other has: an address occurs once for each block from which it is reached."""
        base = re.sub(r"\W+", "_", words)
        numbered = (f"{base}_{number}" for number in count(2))
        name = next(name for name in chain([base], numbered) if name not in self._taken_names)
        self._taken_names.add(name)
        return name

    def _begin(self, label: int, words: str, text: str) -> None:
        """From here on the statements of a point are written, which is called by these words."""
        self._code = CodeBuilder((), is_pure=False)
        self.points[label] = Function(self.unique_name(words), (), self._code.block, False, text, "")

    def _jump(self, label: int) -> None:
        self._code.write(Return((Int(label),)))

    def _next_point(self, label: int, words: str, text: str) -> None:
        """The game goes on at a point, which begins here."""
        self._jump(label)
        self._begin(label, words, text)

    def _environment(self, code: CodeBuilder, env: Mapping[int, Value]) -> Env:
        made: Env = {}
        for make in self._env_makers:
            made.update(make(code))
        return {**made, **env}

    def _around(self, seat: Node, env: Env) -> Surroundings:
        code = self._code
        known = {
            slot: code.let(value, "it") if isinstance(value, Cell) else value
            for slot, value in self._environment(code, env).items()
        }
        return Surroundings(code.let(seat, "me"), known)


__all__ = [
    "ENDS",
    "MAX_POINTS",
    "NO_SEAT",
    "WAITS",
    "DecisionSite",
    "Env",
    "GamePoints",
    "StepPath",
    "StepSite",
    "StepsUnderWay",
]
