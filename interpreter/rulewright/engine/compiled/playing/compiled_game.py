"""A game that is played by a compiled program, whichever way that is carried out.

In: a seed, who begins, and which of the legal actions is taken. Out: the next decision, who has won, and the position
in the form that all engines share. Without a seed chance comes from outside: the position before an act is kept, and
the act is carried out anew with each outcome.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, NoReturn

from rulewright import limits
from rulewright.engine import chance
from rulewright.engine.compiled.compiler import CompiledProgram
from rulewright.engine.compiled.playing.fault_messages import Beginning, find_fault
from rulewright.engine.compiled.playing.outside_chance import ChanceNeeded, draw_event, outcome_number, site_place
from rulewright.engine.compiled.playing.position_reading import PositionReading
from rulewright.engine.compiled.translation.refusal import NotCompiled
from rulewright.engine.faults import EndlessSteps, RuleFault
from rulewright.engine.interface import NotWaitingError
from rulewright.engine.state import ChanceEvent
from rulewright.engine.values import content_things

MAX_DECISIONS: Final = limits.MAX_GAME_TURNS * limits.MAX_DECISIONS_PER_TURN


def require_start(program: CompiledProgram, seed: int | None, first: int) -> None:
    """Raises `ValueError` for a seat that cannot begin and for what is no seed."""
    if not 0 <= first < program.rules.players:
        raise ValueError(f"there is no seat {first} (0 to {program.rules.players - 1})")
    chance.require_seed(seed)


def initial_cells(
    program: CompiledProgram, *, seed: int | None, first: int, orders: Mapping[int, Sequence[int]] | None = None
) -> list[int]:
    """The cells as a game begins, before its set-up; see `CompiledGame.start`."""
    layout = program.cells
    require_start(program, seed, first)
    cells = layout.initial_cells
    cells[layout.counters["generator"]] = 0 if seed is None else chance.seed_rng(seed)
    cells[layout.counters["first"]] = first
    if orders and not layout.takes_orders:
        raise ValueError("this program takes no orders of piles")
    for place, order in (orders or {}).items():
        zone = layout.layout.visibility.zone_by_place[place]
        things = content_things(layout.layout.contents[place])
        if not zone.is_shuffled or zone.is_pool or sorted(order) != sorted(things):
            raise ValueError(f"an order of {zone.name} must name each thing of a shuffled place once")
        offset = place - zone.first_index
        start = layout.contents[zone.name] + offset * layout.rooms[zone.name]
        cells[start : start + len(order)] = order
        cells[layout.given_orders[zone.name] + offset] = int(len(order) > 1)
    return cells


class CompiledGame(PositionReading):
    """One game. `outcomes`: of the act under way where chance comes from outside, as numbers that programs know."""

    __slots__ = ("_beginning", "_given", "_taken", "outcomes")

    def __init__(self, program: CompiledProgram, cells: Any) -> None:
        super().__init__(program, cells)
        self.outcomes: Sequence[int] = ()
        self._beginning: Beginning | None = None  # None where the game was loaded
        self._taken: list[int] = []  # the indexes of the actions so far
        self._given: dict[int, tuple[int, ...]] = {}  # after so many actions the outcomes that came from outside

    @abstractmethod
    def start(
        self,
        *,
        seed: int | None = None,
        first: int = 0,
        orders: Mapping[int, Sequence[int]] | None = None,
        outcomes: Sequence[int] = (),
    ) -> None:
        """A new game, up to its first decision or, without a seed, its first chance event. Arguments as of
        `interface.Engine.start`; `outcomes`: of chance from outside, as in `outcomes` of a game that was played.

        Raises `ValueError` for what cannot be, also for orders that the program does not take, and `RuleFault`.
        """

    @abstractmethod
    def act(self, index: int, outcomes: Sequence[int] = ()) -> None:
        """The deciding seat does the legal action with this index. Raises `IndexError`, `RuleFault`, and `NotCompiled`
        for what there is no room for.
        """

    def resolve_chance(self, outcome: int) -> None:
        """Chance from outside: a thing, member or value that the event names.

        Raises `NotWaitingError`, `RuleFault`, and `ValueError` for any other outcome.
        """
        if self.event is None:
            raise NotWaitingError("no chance event is pending")
        self._carry_out((*self.outcomes, outcome_number(self.event, outcome)))

    @abstractmethod
    def _carry_out(self, outcomes: Sequence[int]) -> None:
        """What is under way, from its beginning, with the outcomes of chance given so far."""

    def play_on(self, streams: list[int], *, cap: int) -> tuple[Counter[int], int]:
        """Plays to the end, or to a cap of turns, by uniform choices. `streams`: by seat the state of a generator.

        Returns how often so many actions were legal, and how many decisions left no choice. Raises `RuleFault`.
        """
        option_counts: Counter[int] = Counter()
        decisions = forced = 0
        max_decisions = cap * limits.MAX_DECISIONS_PER_TURN
        while not self.is_over and self.turn_count <= cap and decisions < max_decisions:
            seat, count = self.seat, self.option_count
            option_counts[count] += 1
            forced += count == 1 and self.is_forced
            decisions += 1
            streams[seat], index = chance.rand_below(streams[seat], count)
            self.act(index)
        return option_counts, forced

    def play_many(self, seed: int, count: int, *, max_decisions: int = MAX_DECISIONS) -> int:
        """Plays so many games, with this seed and those after it, by uniform choices from stream 1 of each seed.

        Returns how many decisions they had in all. Raises `RuleFault`.
        """
        made, over = 0, self.program.cells.counters["over"]
        for own_seed in range(seed, seed + count):
            self.start(seed=own_seed)
            cells = self.cells
            stream, end = chance.seed_rng(own_seed, stream=1), made + max_decisions
            while made < end and not cells[over]:
                stream, index = chance.rand_below(stream, self.option_count)
                self.act(index)
                made += 1
        return made

    # ---- what programs stop for -----------------------------------------------------------------------------------

    def _note_beginning(self, beginning: Beginning) -> None:
        self.has_seed, self.event = beginning.seed is not None, None
        self._beginning, self._taken, self._given = beginning, [], {}

    def _note_outcomes(self, outcomes: Sequence[int]) -> None:
        self.outcomes, self.event = outcomes, None
        self._given[len(self._taken)] = tuple(outcomes)

    def _require_end(self) -> None:
        """Raises the fault of rules that go on without end."""
        if self._beginning is None:
            raise EndlessSteps(self._round)
        fault = find_fault(self.program, self._beginning, self._taken, self._given)
        if fault is not None:
            raise fault

    def _raise(self, number: int) -> NoReturn:
        """The fault of the rules, with the values of the moment."""
        site = self.program.faults[number]
        if self._beginning is None:
            raise RuleFault(site.address, site.span, site.text) from None
        exact = find_fault(self.program, self._beginning, self._taken, self._given)
        if exact is not None:
            raise exact from None
        raise NotCompiled(site.address, "more than the program has room for") from None

    @property
    def _round(self) -> str:
        return self.program.rules.blocks[self.program.rules.round].address

    def event_at(self, needed: ChanceNeeded, cells: list[int]) -> ChanceEvent:
        """The event for which a program asks in these cells."""
        program = self.program
        site = program.chance_sites[needed.site]
        place = site_place(program.rules, site, needed.offset)
        if site.kind == "roll":
            return ChanceEvent("roll", place, site.outcomes)
        is_pool = program.rules.zones[site.owner].is_pool
        return draw_event(place, self.content_at(place, cells), is_pool=is_pool, is_random=site.is_random)


__all__ = ["MAX_DECISIONS", "CompiledGame", "initial_cells", "require_start"]
