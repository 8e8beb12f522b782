"""A game that is played by a compiled program: its cells, and the words of the actions that are legal now.

In: a program, a seed, who begins, and which of the legal actions is taken. Out: the next decision, who has won, and the
position in the form that all engines share.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import Any, Final, cast

from rulewright import limits
from rulewright.engine import chance
from rulewright.engine.compiled.action_words import BagField
from rulewright.engine.compiled.cell_layout import NOBODY
from rulewright.engine.compiled.compiler import CompiledProgram
from rulewright.engine.compiled.evaluation_functions import applicable_name, worth_name
from rulewright.engine.compiled.position_loader import PositionLoader
from rulewright.engine.faults import EndlessSteps, RuleFault
from rulewright.engine.interface import GameResult
from rulewright.engine.knowledge import Knowledge
from rulewright.engine.state import Action, Decision, Frame, SimultaneousChoice, StackEntry, State
from rulewright.engine.values import Content, Pile, RuntimeValue, normalize_pile
from rulewright.expr.types import Flag
from rulewright.model.rules import ELIMINATION_STATE, ZoneDef

BUILTINS: Final = {"range": range, "len": len, "min": min, "max": max}


class _Fault(Exception):
    """The rules fail at a site of the program."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class PythonProgram:
    """The functions of a program, made of its Python text. `text`: that text."""

    def __init__(self, program: CompiledProgram) -> None:
        self.program = program
        self.text = program.to_python()
        namespace: dict[str, Any] = {
            "__builtins__": BUILTINS,
            "bisect": bisect_left,
            "below": _generator(program.cells.counters["generator"]),
            "fail": _fail,
        }
        exec(compile(self.text, f"<{program.rules.game}, compiled>", "exec"), namespace)
        self.points: tuple[Callable[[list[int], list[int]], int], ...] = namespace["POINTS"]
        self.act: Callable[[list[int], list[int], int], int] = namespace["act"]
        self.functions = namespace
        self.loader = PositionLoader(program)
        self._open_cells = tuple(
            first + lane
            for number, first in program.open_bags.items()
            for field in program.words.fields[number]
            if isinstance(field, BagField)
            for lane in range(len(field.lanes))
        )

    def run(self, cells: list[int], options: list[int], point: int) -> None:
        """Goes on from a point until somebody chooses or the game is over. Raises `RuleFault`."""
        points = self.points
        try:
            for _ in range(limits.MAX_AUTOMATIC_STEPS):
                point = points[point](cells, options)
                if point < 0:
                    return
        except _Fault as fault:
            raise self._rule_fault(fault) from None
        raise EndlessSteps(self.program.rules.blocks[self.program.rules.round].address)

    def _rule_fault(self, fault: _Fault) -> RuleFault:
        site = self.program.faults[fault.number]
        return RuleFault(site.address, site.span, site.text)

    def act_and_run(self, cells: list[int], options: list[int], word: int) -> None:
        """The deciding seat does what a word says, and the game goes on to the next decision. Raises `RuleFault`."""
        try:
            point = self.act(cells, options, word)
        except _Fault as fault:
            raise self._rule_fault(fault) from None
        if point >= 0:
            self.run(cells, options, point)

    def list_options(self, cells: list[int]) -> list[int]:
        """The words of the legal actions at the decision for which a position waits; none when it is over."""
        counters = self.program.cells.counters
        if cells[counters["over"]]:
            return []
        site = self.program.decisions[cells[counters["decision"]]]
        seat, options = cells[counters["seat"]], list[int]()
        try:
            self.functions[site.options](cells, options, seat)
            if self._open_cells and any(cells[cell] for cell in self._open_cells):
                return options  # an answer has been begun, piece by piece
            if not options and site.otherwise:
                self.functions[site.otherwise](cells, options, seat)
        except _Fault as fault:
            raise self._rule_fault(fault) from None
        if site.may_decline:
            options.append(0)
        return options


def _generator(cell: int) -> Callable[[list[int], int], int]:
    def below(s: list[int], count: int) -> int:
        state = (s[cell] + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        s[cell] = state
        state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
        state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
        return ((state ^ (state >> 31)) * count) >> 64

    return below


def _fail(number: int) -> None:
    raise _Fault(number)


class CompiledGame:
    """One game. `cells`: the position; `options`: the words of the legal actions, in their order."""

    __slots__ = ("_program", "cells", "options")

    def __init__(self, program: PythonProgram) -> None:
        self._program = program
        self.cells: list[int] = []
        self.options: list[int] = []

    def start(self, *, seed: int, first: int = 0) -> None:
        """A new game, up to its first decision. Raises `ValueError` for a seat or seed that cannot be."""
        program = self._program.program
        if not 0 <= first < program.rules.players:
            raise ValueError(f"there is no seat {first} (0 to {program.rules.players - 1})")
        chance.require_seed(seed)
        self.cells = program.cells.initial_cells
        self.cells[program.cells.counters["generator"]] = chance.seed_rng(seed)
        self.cells[program.cells.counters["first"]] = first
        self.options.clear()
        self._program.run(self.cells, self.options, program.start_point)

    def load(self, state: State) -> None:
        """Goes on from a position. Raises `NotCompiled` for what a program cannot hold."""
        self.cells = self._program.loader.load(state)
        self.options = self._program.list_options(self.cells)

    def act(self, index: int) -> None:
        """The deciding seat does the legal action with this index. Raises `IndexError` and `RuleFault`."""
        self._program.act_and_run(self.cells, self.options, self.options[index])

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
        return tuple(words.action(word, 0) for word in self.options)

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
                    under = len(things) - bottoms
                    return Pile(things[:tops], things[tops:under], things[under:])
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

    def waiting(self) -> Decision | None:
        """The decision for which the game waits; `around` is not filled in."""
        if self.is_over:
            return None
        program = self._program.program
        site = program.decisions[self._counter("decision")]
        partial: Action | None = None
        bag: tuple[int, ...] = ()
        for number, first in program.open_bags.items():
            field = program.words.fields[number][0]
            assert isinstance(field, BagField)
            counts = tuple(self.cells[first : first + len(field.lanes)])
            if any(counts):
                partial, bag = Action(number, ()), counts
        return Decision(self.seat, site.block, site.step, partial, bag)

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
        first = program.together.get(number)
        if first is not None:
            players, began = program.rules.players, self._counter("first")
            order = [(began + step) % players for step in range(players)]
            words = {chooser: self.cells[first + 2 + chooser] for chooser in order}
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
            rng=self._counter("generator"),
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


__all__ = ["CompiledGame", "PythonProgram"]
