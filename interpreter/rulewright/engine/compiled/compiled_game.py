"""A game that is played by a compiled program: its cells, and the words of the actions that are legal now.

In: a program, a seed, who begins, and which of the legal actions is taken. Out: the next decision, who has won, and the
position in the form that all engines share. Without a seed chance comes from outside: the position before an act is
kept, and the act is carried out anew with each outcome.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NoReturn, cast

from rulewright import limits
from rulewright.engine import chance
from rulewright.engine.compiled.action_words import BagField
from rulewright.engine.compiled.cell_layout import NOBODY
from rulewright.engine.compiled.compiler import CompiledProgram
from rulewright.engine.compiled.evaluation_functions import applicable_name, worth_name
from rulewright.engine.compiled.fault_messages import Act, Beginning, find_fault
from rulewright.engine.compiled.outside_chance import (
    ChanceNeeded,
    draw_event,
    outcome_number,
    site_place,
)
from rulewright.engine.compiled.python_program import ProgramFault, PythonProgram
from rulewright.engine.compiled.refusal import NotCompiled
from rulewright.engine.faults import EndlessSteps, RuleFault
from rulewright.engine.interface import GameResult, NotWaitingError
from rulewright.engine.knowledge import Knowledge
from rulewright.engine.state import (
    Action,
    ChanceEvent,
    Decision,
    Frame,
    SimultaneousChoice,
    StackEntry,
    State,
)
from rulewright.engine.values import Content, Pile, RuntimeValue, content_things, normalize_pile
from rulewright.expr.types import Flag
from rulewright.frozen import frozen
from rulewright.model.rules import ELIMINATION_STATE, ZoneDef

MAX_POINTS: Final = 250  # after which it is found out whether rules go on without end


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


@frozen
class _Under:
    """What is under way where chance comes from outside, as it began. `word`: None for the beginning of a game."""

    cells: tuple[int, ...]
    options: tuple[int, ...]
    word: int | None


class CompiledGame:
    """One game. `cells`: the position; `options`: the words of the legal actions, in their order.

    `event`: what the game waits for where chance comes from outside; the cells are then as they were when it was asked
    for. `outcomes`: of the act under way.
    """

    __slots__ = ("_beginning", "_program", "_taken", "_under_way", "cells", "event", "options", "outcomes")

    def __init__(self, program: PythonProgram) -> None:
        self._program = program
        self.cells: list[int] = []
        self.options: list[int] = []
        self.event: ChanceEvent | None = None
        self.outcomes: Sequence[int] = ()  # numbers, as programs know them
        self._under_way: object | None = None  # chance comes from outside; what is kept of it is the engine's
        self._beginning: Beginning | None = Beginning(0, 0)  # None where the game was loaded
        self._taken: list[Act] = []  # the beginning, then the actions so far

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
        cells = initial_cells(self._program.program, seed=seed, first=first, orders=orders)
        self.cells, self.event = cells, None
        self._beginning, self._taken = Beginning(seed, first, orders), [Act(None)]
        self.options.clear()
        if seed is None:
            self._run_outside(_Under(tuple(cells), (), None), outcomes)
            return
        self._under_way = None
        self._run(self._program.program.start_point)

    def act(self, index: int, outcomes: Sequence[int] = ()) -> None:
        """The deciding seat does the legal action with this index. Raises `IndexError`, `RuleFault`, and `NotCompiled`
        for what there is no room for.
        """
        word = self.options[index]
        self._taken.append(Act(word))
        if self._under_way is not None:
            self._run_outside(_Under(tuple(self.cells), tuple(self.options), word), outcomes)
            return
        try:
            point = self._program.point_after(self.cells, self.options, word)
        except ProgramFault as fault:
            self._raise(fault.number)
        if point >= 0:
            self._run(point)

    def _run(self, point: int) -> None:
        program, cells, options = self._program, self.cells, self.options
        try:
            point = program.run(cells, options, point, MAX_POINTS)
            if point >= 0:
                self._require_end()
                program.run(cells, options, point)
        except ProgramFault as fault:
            self._raise(fault.number)

    def _require_end(self) -> None:
        """Raises the fault of rules that go on without end."""
        if self._beginning is None:
            raise EndlessSteps(self._program.program.rules.blocks[self._program.program.rules.round].address)
        fault = find_fault(self._program.program, self._beginning, self._taken)
        if fault is not None:
            raise fault

    def _raise(self, number: int) -> NoReturn:
        """The fault of the rules, with the values of the moment."""
        program = self._program.program
        site = program.faults[number]
        if self._beginning is None:
            raise RuleFault(site.address, site.span, site.text) from None
        exact = find_fault(program, self._beginning, self._taken)
        if exact is not None:
            raise exact from None
        raise NotCompiled(site.address, "more than the program has room for") from None

    def resolve_chance(self, outcome: int) -> None:
        """Chance from outside: a thing, member or value that the event names.

        Raises `NotWaitingError`, `RuleFault`, and `ValueError` for any other outcome.
        """
        if self.event is None or self._under_way is None:
            raise NotWaitingError("no chance event is pending")
        self._go_on_outside(self._under_way, (*self.outcomes, outcome_number(self.event, outcome)))

    def _go_on_outside(self, under_way: object, outcomes: Sequence[int]) -> None:
        assert isinstance(under_way, _Under)
        self._run_outside(under_way, outcomes)

    def _run_outside(self, under_way: _Under, outcomes: Sequence[int]) -> None:
        """What is under way, from its beginning, with the outcomes given so far."""
        program = self._program.outside
        self._note_outside(under_way, under_way.word, outcomes)
        self.cells[:], self.options[:] = under_way.cells, under_way.options
        program.queue.fill(outcomes)
        try:
            if under_way.word is None:
                point = program.program.start_point
            else:
                point = program.point_after(self.cells, self.options, under_way.word)
            if point >= 0:
                point = program.run(self.cells, self.options, point, MAX_POINTS)
            if point >= 0:
                self._require_end()
                program.run(self.cells, self.options, point)
        except ChanceNeeded as needed:
            self.options.clear()
            self.event = self.event_at(needed, self.cells)
        except ProgramFault as fault:
            self._raise(fault.number)

    def _note_outside(self, under_way: object, word: int | None, outcomes: Sequence[int]) -> None:
        self._under_way, self.outcomes, self.event = under_way, outcomes, None
        self._taken[-1] = Act(word, tuple(outcomes))

    def event_at(self, needed: ChanceNeeded, cells: list[int]) -> ChanceEvent:
        """The event for which a program asks in these cells."""
        program = self._program.program
        site = program.chance_sites[needed.site]
        place = site_place(program.rules, site, needed.offset)
        if site.kind == "roll":
            return ChanceEvent("roll", place, site.outcomes)
        is_pool = program.rules.zones[site.owner].is_pool
        return draw_event(place, self.content_at(place, cells), is_pool=is_pool, is_random=site.is_random)

    def play_on(self, streams: list[int], *, cap: int) -> tuple[Counter[int], int]:
        """Plays to the end, or to a cap of turns, by uniform choices. `streams`: by seat the state of a generator.

        Returns how often so many actions were legal, and how many decisions left no choice. Raises `RuleFault`.
        """
        option_counts: Counter[int] = Counter()
        decisions = forced = 0
        most_decisions = cap * limits.MAX_DECISIONS_PER_TURN
        while not self.is_over and self.turn_count <= cap and decisions < most_decisions:
            seat, count = self.seat, len(self.options)
            option_counts[count] += 1
            forced += count == 1 and self.is_forced
            decisions += 1
            streams[seat], index = chance.rand_below(streams[seat], count)
            self.act(index)
        return option_counts, forced

    @property
    def program(self) -> CompiledProgram:
        """The program that plays."""
        return self._program.program

    def load(self, state: State) -> None:
        """Goes on from a position. Raises `NotCompiled` for what a program cannot hold."""
        self.cells = self._program.loader.load(state)
        self.options = self._program.list_options(self.cells)
        self.event, self._under_way = None, None
        self._beginning, self._taken = None, []

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._counter("over"))

    @property
    def seat(self) -> int:
        """The seat that decides."""
        return self._counter("seat")

    def _counter(self, name: str) -> int:
        return self.cells[self._program.program.cells.counters[name]]

    def _word_at(self, cell: int) -> int:
        """The word of an action that a cell holds."""
        return self.cells[cell]

    @property
    def is_forced(self) -> bool:
        """Whether there is nothing to do but what is done if nothing else can be."""
        site = self._program.program.decisions[self._counter("decision")]
        return len(self.options) == 1 and self._program.program.words.word_number(self.options[0]) in site.fallbacks

    @property
    def ended_by(self) -> str:
        """The address of the step that ended the game; empty where none did."""
        number = self._counter("ended_by")
        if number == NOBODY:
            return ""
        return self._program.program.rules.blocks[number >> 16].steps[number & 0xFFFF].address

    @property
    def are_winners_named(self) -> bool:
        """Whether a step has named the winners."""
        return self._counter("winners") != NOBODY

    @property
    def still_in(self) -> int:
        """How many seats have not left the game."""
        return sum(not self._elimination_rank(seat) for seat in range(self._program.program.rules.players))

    @property
    def round(self) -> int:
        """The number of the round."""
        return self._counter("round")

    @property
    def turn_count(self) -> int:
        """How many turns have begun."""
        return self._counter("turns")

    # ---- in the form that engines share -------------------------------------------------------------------------

    def legal(self) -> tuple[Action, ...]:
        """The legal actions of the deciding seat, in their fixed order."""
        if self.is_over:
            return ()
        words = self._program.program.words
        return tuple(words.action(word) for word in self.options)

    def contents(self) -> tuple[Content, ...]:
        """What is in each place."""
        rules = self._program.program.rules
        zones = sorted(rules.zones.values(), key=lambda zone: zone.first_index)
        return tuple(self._content(zone, offset, self.cells) for zone in zones for offset in range(zone.size))

    def content_at(self, place: int, cells: list[int]) -> Content:
        """What is in one place, by its number."""
        zone = self._program.program.cells.layout.visibility.zone_by_place[place]
        return self._content(zone, place - zone.first_index, cells)

    def _content(self, zone: ZoneDef, offset: int, cells: list[int]) -> Content:
        layout = self._program.program.cells
        storage, room = layout.storage[zone.name], layout.rooms[zone.name]
        match storage:
            case "bag":
                first = layout.contents[zone.name] + offset * room
                return tuple(cells[first : first + room])
            case "cell":
                thing = cells[layout.contents[zone.name] + offset]
                return () if thing == layout.absent_thing(zone) else (thing,)
            case "fold":
                component = layout.component_of(zone)
                first = layout.thing_places[component.name]
                place = zone.first_index + offset
                return tuple(thing for thing in range(len(component.ids)) if cells[first + thing] == place)
            case _:
                first = layout.contents[zone.name] + offset * room
                things = tuple(cells[first : first + cells[layout.counts[zone.name] + offset]])
                if zone.name in layout.pile_ends:
                    tops, bottoms = (cells[cell + offset] for cell in layout.pile_ends[zone.name])
                    under, given = len(things) - bottoms, layout.given_orders.get(zone.name)
                    is_given = given is not None and bool(cells[given + offset])
                    return Pile(things[:tops], things[tops:under], things[under:], is_given)
                return normalize_pile(Pile((), things, ())) if storage == "pile" else things

    def variables(self) -> tuple[RuntimeValue, ...]:
        """The state variables."""
        layout, rules = self._program.program.cells, self._program.program.rules
        values: list[RuntimeValue] = []
        for state in sorted(rules.states.values(), key=lambda state: state.first_index):
            first = layout.states[state.name]
            held = self.cells[first : first + state.size]
            values.extend(map(bool, held) if isinstance(state.type, Flag) else held)
        return tuple(values)

    def waiting(self) -> Decision | ChanceEvent | None:
        """What the game waits for; `around` of a decision is not filled in."""
        if self.is_over or self.event is not None:
            return self.event
        program = self._program.program
        site = program.decisions[self._counter("decision")]
        held = program.open_answer
        number = self.cells[held.action.value] - 1 if held is not None else -1
        if held is None or number < 0:
            return Decision(self.seat, site.block, site.step)
        words, made = program.words, self.cells[held.made.value]
        partial = Action(number, words.values(number, self._word_at(held.word.value), made))
        field, bag = words.fields[number][made], self.cells[held.pieces : held.pieces + held.size]
        counts = bag[: len(field.lanes)] if isinstance(field, BagField) and any(bag) else []
        picked = counts if isinstance(field, BagField) else bag[1 : 1 + bag[0]]
        return Decision(self.seat, site.block, site.step, partial, tuple(picked))

    def stack(self) -> tuple[StackEntry, ...]:
        """What of the steps under way can be seen from outside: whose turn it is, and who has chosen in secret."""
        if self.is_over:
            return ()
        program = self._program.program
        seat = self.cells[program.turn_seat_cell]
        entries: list[StackEntry] = [Frame(program.rules.round, 0, (), None, NOBODY)]
        if seat != NOBODY:
            entries.append(Frame(program.rules.turn, 0, (), None, seat))
        number = self._counter("decision")
        first = None if self.event is not None else program.together.get(number)
        if first is not None:
            players, began = program.rules.players, self._counter("first")
            order = [(began + step) % players for step in range(players)]
            words = {chooser: self._word_at(first + 2 + chooser) for chooser in order}
            chosen = tuple((chooser, program.words.action(word)) for chooser, word in words.items() if word)
            site = program.decisions[number]
            entries.append(SimultaneousChoice(site.block, site.step, (), seat, (self.seat,), chosen))
        return tuple(entries)

    def state(self, knowledge: Knowledge) -> State:
        """The position as all engines write it down, but for what is under way inside of steps."""
        layout, cells = self._program.program.cells, self.cells
        named, extra = self._counter("winners"), layout.extra_turns
        seats = range(self._program.program.rules.players)
        return State(
            contents=self.contents(),
            variables=self.variables(),
            thing_pools=tuple(knowledge.thing_pools),
            pools=knowledge.pools,
            stack=self.stack(),
            waiting=self.waiting(),
            first_seat=self._counter("first"),
            round=self.round,
            turn_count=self.turn_count,
            ending=bool(self._counter("ending")),
            extra_turns=() if extra == NOBODY else tuple(cells[extra + 1 : extra + 1 + cells[extra]]),
            winners=None if named == NOBODY else tuple(seat for seat in seats if named >> seat & 1),
            rng=None if self._under_way is not None else self._counter("generator") & chance.UINT64_MASK,
            known_pieces=knowledge.known_pieces,
        )

    def result(self) -> GameResult:
        """Ranks and winners as of this position."""
        program, players = self._program.program, range(self._program.program.rules.players)
        named = self._counter("winners")
        ranking = program.rules.ranking
        acting = -1 if self.is_over else self.seat
        keys: list[tuple[int, ...]] = []
        for seat in players:
            scores = [
                self._function(f"rank_{at}", seat, acting) * (-1 if line.is_maximized else 1)
                for at, line in enumerate(ranking)
            ]
            gone = self._elimination_rank(seat)
            if named == NOBODY:
                keys.append((gone, *scores))
            else:
                keys.append((0,) if named >> seat & 1 else (1, gone, *scores))
        ranks = tuple(1 + sum(other < key for other in keys) for key in keys)
        if named == NOBODY:
            return GameResult(ranks, tuple(seat for seat in players if ranks[seat] == 1))
        return GameResult(ranks, tuple(seat for seat in players if named >> seat & 1))

    def _elimination_rank(self, seat: int) -> int:
        rules, layout = self._program.program.rules, self._program.program.cells
        if not rules.has_elimination:
            return 0
        number = self.cells[layout.states[ELIMINATION_STATE] + seat]
        return rules.players + 1 - number if number else 0

    def _function(self, name: str, *arguments: int) -> int:
        return int(cast("int", self._program.functions[name](self.cells, self.options, *arguments)))

    def worth(self, seat: int, strategy: str | None = None) -> int:
        """What the position is worth to a seat that judges from it; the program must be one that evaluates."""
        return self._function(worth_name(strategy), seat, self._function(applicable_name(strategy), seat))

    def measures(self) -> dict[str, int | tuple[int, ...]]:
        """Every measure of the game: a number, or one for each seat."""
        rules, acting = self._program.program.rules, -1 if self.is_over else self.seat
        found: dict[str, int | tuple[int, ...]] = {}
        for at, measure in enumerate(rules.measures):
            seats = range(rules.players) if measure.is_per_seat else range(1)
            numbers = tuple(self._function(f"measure_{at}", seat, acting) for seat in seats)
            found[measure.name] = numbers if measure.is_per_seat else numbers[0]
        return found


__all__ = ["MAX_POINTS", "CompiledGame", "initial_cells", "require_start"]
