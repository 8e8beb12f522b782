"""The positions that a bot thinks of as arrays of cells: a compiled program plays and evaluates them.

In: a program that plays what is only imagined, and what determinizes the position that a seat sees. Out: the same
choices as in the positions of an engine, sooner. An action is its word. Legal actions are listed only where somebody
goes on from there: most positions are only evaluated.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from functools import cached_property
from operator import itemgetter
from typing import Any, TypeAlias

from rulewright import limits
from rulewright.bots.imagined_positions import DecisionPlace, Determinize, Evaluation, OneByOne
from rulewright.engine import chance
from rulewright.engine.compiled.compiler import CompiledProgram, compile_program
from rulewright.engine.compiled.playing.position_loader import PositionLoader
from rulewright.engine.compiled.playing.position_reading import PositionReading
from rulewright.engine.compiled.playing.python_game import PythonGame
from rulewright.engine.compiled.playing.python_program import PythonProgram
from rulewright.engine.compiled.translation.evaluation_functions import applicable_name
from rulewright.engine.compiled.translation.refusal import NotCompiled
from rulewright.engine.faults import RuleFault
from rulewright.engine.state import Action, State
from rulewright.model.rules import ELIMINATION_STATE, Rules

Cells: TypeAlias = list[int]
# draws a position: the generator of its own chance, and its cells, or None where they are those of the true position
Deal: TypeAlias = Callable[[int], tuple[int, Cells | None]]
# what adds up some terms, what gives the cells that decide its value, the values so far
CachedPart: TypeAlias = tuple[Callable[..., int], Callable[[Cells], Hashable], dict[Hashable, int]]
_NO_OPTIONS: list[int] = []  # what functions are given that list nothing


class ThinkingProgram:
    """A program of rules for positions that somebody only thinks of. `program`: if it is there already. `refusal`: why
    it is not machine code, where that was asked for. Raises `NotCompiled` for rules that have none.
    """

    refusal: NotCompiled | None = None

    def __init__(
        self, rules: Rules, *, tokenwise: Collection[str] = (), program: CompiledProgram | None = None
    ) -> None:
        self.rules = rules
        if program is None:
            program = compile_program(rules, tokenwise=tokenwise, is_imagined=True)
        if program.open_answer is not None and program.together:
            raise NotCompiled(min(tokenwise), "piece by piece, where others choose in secret")
        self.program = program
        self.places = tuple((site.block, site.step) for site in program.decisions)
        self.loader = PositionLoader(program)

    @cached_property
    def python(self) -> PythonProgram:
        """The program as Python, made when somebody needs it."""
        return PythonProgram(self.program)

    @cached_property
    def reading(self) -> PositionReading:
        """What reads positions, one after another: that whose cells it is given."""
        return PythonGame(self.python)

    def positions(self, draw: Determinize) -> CompiledPositions:
        """Positions to think in. `draw`: determinizes the position that a seat sees."""
        load, generator = self.loader.load, self.program.cells.counters["generator"]

        def deal(rng: int) -> tuple[int, Cells]:
            cells = load(draw(rng))
            return cells[generator], cells

        return self.dealt_positions(None, deal)

    def dealt_positions(self, position: Any, deal: Deal) -> CompiledPositions:
        """Positions to think in. `position`: the true one, as `position_of` gives it; `deal`: deals anew what a seat
        does not see.
        """
        return CompiledPositions(self, position, deal)

    def position_of(self, cells: Cells) -> Any:
        """The position that is in some cells."""
        return cells

    def list_options(self, position: Any) -> list[int] | None:
        """The words of the legal actions; None where the rules fail."""
        try:
            return self.python.list_options(position)
        except RuleFault:
            return None

    def can_hold(self, state: State) -> bool:
        """Whether positions that look like this one can be loaded."""
        try:
            self.loader.check(state)
        except NotCompiled:
            return False
        return True


class WordActions(Sequence[Action]):
    """Actions by their words, each made when somebody looks at it. `words`: these."""

    def __init__(self, program: CompiledProgram, words: Sequence[int]) -> None:
        self._action = program.words.action
        self.words = words

    def __len__(self) -> int:
        return len(self.words)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return tuple(map(self._action, self.words[index]))
        return self._action(self.words[index])

    def __iter__(self) -> Iterator[Action]:
        return map(self._action, self.words)


class CompiledPositions:
    """Positions of a program. `true_position`: None where `deal` always gives cells."""

    def __init__(self, thinking: ThinkingProgram, true_position: Any, deal: Deal) -> None:
        program, self._deal = thinking.program, deal
        self._true_position = true_position
        self._thinking = thinking
        self._program = program
        counters = program.cells.counters
        self._over, self._decision, self._seat = counters["over"], counters["decision"], counters["seat"]
        self._turns, self._generator, self._first = counters["turns"], counters["generator"], counters["first"]
        self._left = program.cells.states[ELIMINATION_STATE] if program.rules.has_elimination else -1
        self.players = program.rules.players

    def determinize(self, rng: int) -> Cells:
        """A position drawn at random."""
        generator, dealt = self._deal(rng)
        cells: Cells = self._true_position.copy() if dealt is None else dealt
        cells[self._generator] = generator
        return cells

    def moves_of(self, actions: Sequence[Action]) -> tuple[int, ...]:
        """The words of actions."""
        if isinstance(actions, WordActions):
            return tuple(actions.words)
        return tuple(map(self._program.words.word, actions))

    def legal(self, position: Cells) -> list[int]:
        """The words of the legal actions."""
        return self._thinking.python.list_options(position)

    def after(self, position: Cells, move: int) -> Cells | None:
        """The position after an action, if it is possible."""
        cells = position.copy()
        try:
            self._thinking.python.act(cells, [], move)
        except RuleFault:
            return None  # legal in the true position, impossible in this one
        return cells

    def decision(self, position: Cells) -> DecisionPlace | None:
        """For whose choice a position waits."""
        if position[self._over]:
            return None
        return DecisionPlace(position[self._seat], *self._thinking.places[position[self._decision]])

    def turn_count(self, position: Cells) -> int:
        """How many turns have begun."""
        return position[self._turns]

    def is_over(self, position: Cells) -> bool:
        """Whether the game has ended."""
        return bool(position[self._over])

    def winners(self, position: Cells) -> tuple[int, ...]:
        """The seats that have won."""
        reading = self._thinking.reading
        reading.cells = position
        return reading.result().winners

    def is_eliminated(self, position: Cells, seat: int) -> bool:
        """Whether a seat has left the game."""
        return self._left >= 0 and bool(position[self._left + seat])

    def generator(self, position: Cells) -> int:
        """The state of a position's generator."""
        return position[self._generator]

    def evaluation(self, position: Cells, strategy: str | None) -> Evaluation[Cells, int]:
        """What positions that follow are worth."""
        functions = self._thinking.python.functions
        judge = functions[applicable_name(strategy)]
        applied = [judge(position, _NO_OPTIONS, seat) for seat in range(self.players)]
        rest, *groups = self._program.term_groups[strategy]
        sum_rest = functions[rest.function]
        parts: list[list[CachedPart]] = [
            [(functions[group.function], itemgetter(*(group.cells[seat] or ())), {}) for group in groups]
            for seat in range(self.players)
        ]

        def worth(reached: Cells, seat: int) -> int:
            total: int = sum_rest(reached, _NO_OPTIONS, seat, applied[seat])
            for function, read, known in parts[seat]:
                key = read(reached)
                value = known.get(key)
                if value is None:
                    if len(known) > limits.MAX_CACHED_VALUES:
                        known.clear()
                    value = known[key] = function(reached, _NO_OPTIONS, seat, applied[seat])
                total += value
            return total

        return OneByOne(worth)

    # ---- secret choices -------------------------------------------------------------------------------------------

    def is_choosing_in_secret(self, position: Cells) -> bool:
        """Whether others choose at the same time."""
        first = self._program.together.get(position[self._decision])
        return first is not None and bool(self._other_choosers(position, first))

    def sample_secret_choices(self, position: Cells, rng: int) -> Cells:
        """The position in which all others have chosen, each of its options equally likely."""
        first = self._program.together[position[self._decision]]
        cells = self._copy_of(position)
        for other in self._other_choosers(position, first):
            options = self._offered(position, other)[: limits.MAX_SECRET_OPTIONS]
            cells[first + 2 + other] = 0
            if options and not self.is_eliminated(position, other):
                rng, index = chance.rand_below(rng, len(options))
                cells[first + 2 + other] = options[index]
        cells[first + 2 + self.players] = 1 << position[self._seat]
        return cells

    def _copy_of(self, position: Cells) -> Cells:
        """The same position, to be changed."""
        return position.copy()

    def _offered(self, position: Cells, seat: int) -> list[int]:
        """The words of what a seat can do at the decision for which a position waits."""
        options: list[int] = []
        site = self._program.decisions[position[self._decision]]
        self._thinking.python.functions[site.options](position, options, seat)
        return options

    def _other_choosers(self, position: Cells, first: int) -> list[int]:
        """Those that have chosen, and those that will, in turn order."""
        players, began, asked = self.players, position[self._first], position[first]
        order = [(began + index) % players for index in range(players)]
        mask = position[first + 2 + players]
        return [
            seat
            for index, seat in enumerate(order)
            if index != asked - 1 and (position[first + 2 + seat] or (index >= asked and mask >> seat & 1))
        ]


__all__ = ["Cells", "CompiledPositions", "Deal", "ThinkingProgram", "WordActions"]
