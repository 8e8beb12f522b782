"""What the cells of a compiled program mean, in the form that all engines share.

In: a program, its cells, and the words of the actions that are legal now. Out: who decides, what is where, the position
as a `State`, who has won, and what evaluation says of it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from rulewright.engine import chance
from rulewright.engine.compiled.compiler import CompiledProgram
from rulewright.engine.compiled.kernel.cell_layout import NOBODY
from rulewright.engine.compiled.kernel.packed_counts import byte_in_cells, unpacked
from rulewright.engine.compiled.translation.action_words import BagField
from rulewright.engine.compiled.translation.evaluation_functions import applicable_name, worth_name
from rulewright.engine.interface import GameResult
from rulewright.engine.knowledge import Knowledge
from rulewright.engine.state import Action, ChanceEvent, Decision, Frame, SimultaneousChoice, StackEntry, State
from rulewright.engine.values import Content, Pile, RuntimeValue, normalize_pile
from rulewright.expr.types import Flag
from rulewright.model.rules import ELIMINATION_STATE, ComponentDef, ZoneDef


class PositionReading(ABC):
    """One position. `cells`: a number at each index; `event`: what the game waits for where chance comes from outside,
    the cells are then as they were when it was asked for; `has_seed`: whether chance comes from a generator.
    """

    __slots__ = ("cells", "event", "has_seed", "program")

    def __init__(self, program: CompiledProgram, cells: Any) -> None:  # a list, or an array of `ctypes`
        self.program = program
        self.cells = cells
        self.event: ChanceEvent | None = None
        self.has_seed = True

    @property
    @abstractmethod
    def options(self) -> Sequence[int]:
        """The words of the legal actions, in their order."""

    @property
    @abstractmethod
    def option_count(self) -> int:
        """How many actions are legal."""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._counter("over"))

    @property
    def seat(self) -> int:
        """The seat that decides."""
        return self._counter("seat")

    @property
    def decision(self) -> int:
        """For which of the program's decisions it waits."""
        return self._counter("decision")

    def _counter(self, name: str) -> int:
        return int(self.cells[self.program.cells.counters[name]])

    @abstractmethod
    def word_at(self, cell: int) -> int:
        """The word of an action that a cell holds."""

    @abstractmethod
    def number_of(self, name: str, *arguments: int) -> int:
        """What a function of the program gives in this position."""

    @property
    def is_forced(self) -> bool:
        """Whether there is nothing to do but what is done if nothing else can be."""
        site = self.program.decisions[self._counter("decision")]
        return len(self.options) == 1 and self.program.words.word_number(self.options[0]) in site.fallbacks

    @property
    def ended_by(self) -> str:
        """The address of the step that ended the game; empty where none did."""
        number = self._counter("ended_by")
        if number == NOBODY:
            return ""
        return self.program.rules.blocks[number >> 16].steps[number & 0xFFFF].address

    @property
    def are_winners_named(self) -> bool:
        """Whether a step has named the winners."""
        return self._counter("winners") != NOBODY

    @property
    def still_in(self) -> int:
        """How many seats have not left the game."""
        return sum(not self._elimination_rank(seat) for seat in range(self.program.rules.players))

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
        words = self.program.words
        return tuple(words.action(word) for word in self.options)

    def contents(self) -> tuple[Content, ...]:
        """What is in each place."""
        rules = self.program.rules
        zones = sorted(rules.zones.values(), key=lambda zone: zone.first_index)
        return tuple(self._content(zone, offset, self.cells) for zone in zones for offset in range(zone.size))

    def content_at(self, place: int, cells: list[int]) -> Content:
        """What is in one place, by its number."""
        zone = self.program.cells.layout.visibility.zone_by_place[place]
        return self._content(zone, place - zone.first_index, cells)

    def _content(self, zone: ZoneDef, offset: int, cells: list[int]) -> Content:
        layout = self.program.cells
        storage, room = layout.storage[zone.name], layout.rooms[zone.name]
        match storage:
            case "bag":
                first = layout.contents[zone.name] + offset * room
                return tuple(cells[first : first + room])
            case "packed":
                kind = zone.piece_kind
                return unpacked(int(cells[layout.contents[zone.name] + offset]), layout.lanes(kind))
            case "cell":
                thing = cells[layout.contents[zone.name] + offset]
                return () if thing == layout.absent_thing(zone) else (thing,)
            case "fold" | "packed pile":
                component = layout.component_of(zone)
                place = zone.first_index + offset
                things = tuple(thing for thing, at in enumerate(self._places(component)) if at == place)
                return things if storage == "fold" else normalize_pile(Pile((), things, ()))
            case _:
                first = layout.contents[zone.name] + offset * room
                things = tuple(cells[first : first + cells[layout.counts[zone.name] + offset]])
                if zone.name in layout.pile_ends:
                    tops, bottoms = (cells[cell + offset] for cell in layout.pile_ends[zone.name])
                    under, given = len(things) - bottoms, layout.given_orders.get(zone.name)
                    is_given = given is not None and bool(cells[given + offset])
                    return Pile(things[:tops], things[tops:under], things[under:], is_given)
                return normalize_pile(Pile((), things, ())) if storage == "pile" else things

    def _places(self, component: ComponentDef) -> Sequence[int]:
        """Where each thing of a component is."""
        layout, count = self.program.cells, len(component.ids)
        first = layout.thing_places[component.name]
        if component.name in layout.byte_places:
            return [byte_in_cells(self.cells, first, thing) for thing in range(count)]
        places: Sequence[int] = self.cells[first : first + count]
        return places

    def variables(self) -> tuple[RuntimeValue, ...]:
        """The state variables."""
        layout, rules = self.program.cells, self.program.rules
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
        program = self.program
        site = program.decisions[self._counter("decision")]
        held = program.open_answer
        number = self.cells[held.action.value] - 1 if held is not None else -1
        if held is None or number < 0:
            return Decision(self.seat, site.block, site.step)
        words, made = program.words, self.cells[held.made.value]
        partial = Action(number, words.values(number, self.word_at(held.word.value), made))
        field, bag = words.fields[number][made], self.cells[held.pieces : held.pieces + held.size]
        counts = bag[: len(field.lanes)] if isinstance(field, BagField) and any(bag) else []
        picked = counts if isinstance(field, BagField) else bag[1 : 1 + bag[0]]
        return Decision(self.seat, site.block, site.step, partial, tuple(picked))

    def stack(self) -> tuple[StackEntry, ...]:
        """What of the steps under way can be seen from outside: whose turn it is, and who has chosen in secret."""
        if self.is_over:
            return ()
        program = self.program
        seat = self.cells[program.turn_seat_cell]
        entries: list[StackEntry] = [Frame(program.rules.round, 0, (), None, NOBODY)]
        if seat != NOBODY:
            entries.append(Frame(program.rules.turn, 0, (), None, seat))
        number = self._counter("decision")
        first = None if self.event is not None else program.together.get(number)
        if first is not None:
            players, began = program.rules.players, self._counter("first")
            order = [(began + step) % players for step in range(players)]
            words = {chooser: self.word_at(first + 2 + chooser) for chooser in order}
            chosen = tuple((chooser, program.words.action(word)) for chooser, word in words.items() if word)
            site = program.decisions[number]
            entries.append(SimultaneousChoice(site.block, site.step, (), seat, (self.seat,), chosen))
        return tuple(entries)

    def state(self, knowledge: Knowledge) -> State:
        """The position as all engines write it down, but for what is under way inside of steps."""
        layout, cells = self.program.cells, self.cells
        named, extra = self._counter("winners"), layout.extra_turns
        seats = range(self.program.rules.players)
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
            rng=None if not self.has_seed else self._counter("generator") & chance.UINT64_MASK,
            known_pieces=knowledge.known_pieces,
        )

    def result(self) -> GameResult:
        """Ranks and winners as of this position."""
        program, players = self.program, range(self.program.rules.players)
        named = self._counter("winners")
        ranking = program.rules.ranking
        acting = -1 if self.is_over else self.seat
        keys: list[tuple[int, ...]] = []
        for seat in players:
            scores = [
                self.number_of(f"rank_{at}", seat, acting) * (-1 if line.is_maximized else 1)
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
        rules, layout = self.program.rules, self.program.cells
        if not rules.has_elimination:
            return 0
        number = self.cells[layout.states[ELIMINATION_STATE] + seat]
        return rules.players + 1 - number if number else 0

    def worth(self, seat: int, strategy: str | None = None) -> int:
        """What the position is worth to a seat that judges from it; the program must be one that evaluates."""
        return self.number_of(worth_name(strategy), seat, self.number_of(applicable_name(strategy), seat))

    def measures(self) -> dict[str, int | tuple[int, ...]]:
        """Every measure of the game: a number, or one for each seat."""
        rules, acting = self.program.rules, -1 if self.is_over else self.seat
        found: dict[str, int | tuple[int, ...]] = {}
        for at, measure in enumerate(rules.measures):
            seats = range(rules.players) if measure.is_per_seat else range(1)
            numbers = tuple(self.number_of(f"measure_{at}", seat, acting) for seat in seats)
            found[measure.name] = numbers if measure.is_per_seat else numbers[0]
        return found


__all__ = ["PositionReading"]
