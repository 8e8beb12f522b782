"""What steps do, as kernel code that runs straight on: moves, states, turns to come, and what follows from a move.

In: steps of the rule model, and where their variables stand. Out: code that changes the cells. Moves keep the place of
each thing, how many there are in each place, and the sums of fields; whatever can fill itself is filled after the step.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack
from typing import Literal, TypeAlias

from rulewright.engine.compiled.cell_layout import NOBODY
from rulewright.engine.compiled.code_builder import CodeBuilder
from rulewright.engine.compiled.expression_writer import ExpressionWriter, Surroundings, unrolled
from rulewright.engine.compiled.fault_sites import FaultSite, FaultSites
from rulewright.engine.compiled.kernel import (
    Below,
    Cell,
    FindCell,
    Function,
    Int,
    Invoke,
    Name,
    Node,
    Perform,
    RankCell,
    ShiftCells,
    TableEntry,
    Witness,
)
from rulewright.engine.compiled.kernel_arithmetic import (
    ONE,
    ZERO,
    add,
    binary,
    both,
    known,
    negated,
    product,
    some,
    subtract,
    total,
)
from rulewright.engine.compiled.piles import OrderedPile
from rulewright.engine.compiled.sequences import ElementSet, KnownSet, LaneSet, truth
from rulewright.expr.tree import Arithmetic, Expr, Filter, Local, Place, ReadZone
from rulewright.expr.types import Bag, Number, SetOf, Thing
from rulewright.expr.walk import is_me, iter_exprs
from rulewright.model.actions import ActionDef, OneOf, Pay, SomeOf
from rulewright.model.dependencies import position_dependencies
from rulewright.model.effects import Finish, GiveTurn, Move, Reveal, Roll, SetState, Step
from rulewright.model.rules import ComponentDef, Invariant, Rules, StateDef, ZoneDef

WitnessEvent: TypeAlias = Literal["departs", "arrives", "pieces", "shown"]


class EffectWriter:
    """Writes the effects of one rule model's steps. `faults`: where the rules can fail."""

    def __init__(
        self,
        rules: Rules,
        expressions: ExpressionWriter,
        faults: FaultSites,
        *,
        checks_invariants: bool,
        is_witnessed: bool = False,
    ) -> None:
        self.rules = rules
        self.expressions = expressions
        self.cells = expressions.cells
        self.faults = faults
        self.checks_invariants = checks_invariants
        self.is_witnessed = is_witnessed
        self.has_begun = False  # whether what is written next comes after a step that is always carried out
        self.known = KnownAnswers()
        self.refilled = [zone for zone in rules.zones.values() if zone.refill is not None]
        self._invariant_reads = [
            (invariant, position_dependencies(rules, invariant.condition)) for invariant in rules.invariants
        ]
        self._reset = {  # variables that begin anew between steps
            ~index
            for state in rules.states.values()
            if state.reset_scope
            for index in range(state.first_index, state.first_index + state.size)
        }

    def fail_unless(self, code: CodeBuilder, test: Node, site: FaultSite) -> None:
        """The rules fail here where a test does not hold."""
        self.faults.fail_unless(code, test, site)

    # ---- steps ------------------------------------------------------------------------------------------------

    def write(self, code: CodeBuilder, step: Step, around: Surroundings) -> None:
        """What one step does, with all that follows at once."""
        site = FaultSite(step.address, step.span, "cannot do what it says")
        match step.effect:
            case Move() as move if move.amount.mode in ("top", "random", "up to random"):
                self._check_step_invariants(code, step, around)  # before anything is drawn
                self._draw(code, move, around, site)
                self.known.forget_bags()
                self.known.forget_things()
                self._refill(code, move)
                return
            case Move() as move:
                self._move(code, step, move, around, site)
                return
            case SetState() as effect:
                self._set(code, effect, around, site)
            case Roll() as effect:
                self._check_step_invariants(code, step, around)
                self._roll(code, effect, around)
                return
            case Reveal() as effect:
                self._reveal(code, effect, around)
            case GiveTurn(seat=seat, is_extra=True):
                self._promise_turn(code, self.expressions.number(code, seat, around), site)
            case Finish(when="after_round") as effect:
                self.name_winners(code, effect, around)
                with code.when(negated(Cell(self.cells.counter("ending")))):
                    self.note_end(code, step)
                code.store(self.cells.counter("ending"), ONE)
            case _:
                raise AssertionError(type(step.effect).__name__)
        self._check_step_invariants(code, step, around)

    def note_end(self, code: CodeBuilder, step: Step) -> None:
        """Keeps which step ended the game."""
        number = next(
            (block_index << 16 | step_index)
            for block_index, block in enumerate(self.rules.blocks)
            for step_index, other in enumerate(block.steps)
            if other is step
        )
        code.store(self.cells.counter("ended_by"), Int(number))

    def name_winners(self, code: CodeBuilder, effect: Finish, around: Surroundings) -> None:
        """The winners that a step names, as a mask of seats."""
        if effect.winners is None:
            return
        mask = code.variable(ZERO, "winners")
        winners = self.expressions.one_or_all(code, effect.winners, around)
        winners.each(code, lambda seat: code.assign(mask, binary("|", mask, binary("<<", ONE, seat))))
        code.store(self.cells.counter("winners"), mask)

    def _promise_turn(self, code: CodeBuilder, seat: Node, site: FaultSite) -> None:
        seat = code.let(seat, "seat")
        first = Int(self.cells.extra_turns)
        with ExitStack() as stack:
            if self.rules.has_elimination:
                stack.enter_context(code.when(self.expressions.is_in_game(seat)))
            waiting = code.let(Cell(first), "waiting")
            self.fail_unless(code, binary("<", waiting, Int(self.cells.extra_room)), site)
            code.store(add(add(waiting, ONE), first), seat)
            code.store(first, add(waiting, ONE))

    # ---- what viewers see -------------------------------------------------------------------------------------

    def _witness(self, code: CodeBuilder, event: WitnessEvent, *arguments: Node) -> None:
        if self.is_witnessed:
            code.write(Witness(event, arguments))

    def _witness_draw(
        self, code: CodeBuilder, source_zone: ZoneDef, source: Node, zone: ZoneDef, target: Node, thing: Node,
        *, is_random: bool,
    ) -> None:  # fmt: skip
        first, last = Int(source_zone.first_index), Int(zone.first_index)
        is_identifiable = Int(int(source_zone.is_shuffled and not is_random))
        self._witness(code, "departs", thing, add(source, first), add(target, last), is_identifiable)

    def _reveal(self, code: CodeBuilder, effect: Reveal, around: Surroundings) -> None:
        """Things are shown, which changes nothing but what viewers know."""
        if not self.is_witnessed:
            return
        viewers: Node = Int((1 << self.rules.players + 1) - 1)
        if effect.to is not None:
            mask = code.variable(ZERO, "viewers")
            seats = self.expressions.one_or_all(code, effect.to, around)
            seats.each(code, lambda seat: code.assign(mask, binary("|", mask, binary("<<", ONE, seat))))
            viewers = mask
        type_ = effect.what.type
        element = type_.element if isinstance(type_, SetOf) else type_
        assert isinstance(element, Thing)
        first = Int(self.rules.components[element.component].first_index)
        items = self.expressions.one_or_all(code, effect.what, around).to_list(code)
        code.write(Witness("shown", (viewers, first), items.items))

    # ---- states -----------------------------------------------------------------------------------------------

    def _set(self, code: CodeBuilder, effect: SetState, around: Surroundings, site: FaultSite) -> None:
        definition = self.rules.states[effect.target.name]
        value = code.let(self.expressions.number(code, effect.to, around), definition.name)
        if isinstance(definition.type, Number):
            low, high, given = definition.type.low, definition.type.high, effect.to.type
            is_within = isinstance(given, Number) and low <= given.low and given.high <= high
            if known(value) is None or not is_within:
                inside = binary("and", binary("<=", Int(low), value), binary("<=", value, Int(high)))
                if not is_within:
                    self.fail_unless(code, inside, site)
        code.store(self.expressions.state_cell(code, definition.name, effect.target.keys, around), value)

    def _roll(self, code: CodeBuilder, effect: Roll, around: Surroundings) -> None:
        cell = code.let(self.expressions.state_cell(code, effect.target.name, effect.target.keys, around), "cell")
        ticket = code.variable(Below(Int(sum(weight for _, weight in effect.outcomes))), "ticket")
        reached = 0
        with ExitStack() as stack:
            for value, weight in effect.outcomes[:-1]:
                reached += weight
                with code.when(binary("<", ticket, Int(reached))) as branch:
                    code.store(cell, Int(int(value)))
                stack.enter_context(code.unless(branch))
            code.store(cell, Int(int(effect.outcomes[-1][0])))
        code.forget_cells()

    def reset(self, code: CodeBuilder, states: Sequence[StateDef]) -> None:
        """State variables begin anew."""
        for state in states:
            first = self.cells.states[state.name]
            for index in range(state.size):
                code.store(Int(first + index), Int(int(self.cells.layout.variables[state.first_index + index])))  # type: ignore[arg-type]

    # ---- moves ------------------------------------------------------------------------------------------------

    def _target(self, code: CodeBuilder, place: Place, around: Surroundings) -> tuple[ZoneDef, Node]:
        zone = self.rules.zones[place.zone]
        return zone, code.let(self.expressions.place_offset(code, zone, place.keys, around), "target")

    def _move(self, code: CodeBuilder, step: Step, move: Move, around: Surroundings, site: FaultSite) -> None:
        zone, target = self._target(code, move.to, around)
        if zone.is_pool:
            self._move_pieces(code, move, zone, target, around, site)
            self.known.forget_bags()
            self._check_step_invariants(code, step, around)
            self._refill(code, move)
            return
        left = self._move_things(code, move, zone, target, around, site)
        self.known.forget_things(self.cells.component_of(zone).name)
        self._check_step_invariants(code, step, around)
        if left is None:
            self._refill(code, move)
        else:
            self._refill_place(code, move, *left)

    def _move_pieces(
        self, code: CodeBuilder, move: Move, zone: ZoneDef, target: Node, around: Surroundings, site: FaultSite
    ) -> None:
        assert move.source is not None
        source_zone = self.rules.zones[move.source.zone]
        places = self.expressions.place_sets(code, source_zone, move.source.keys, around)

        def from_place(place: Node) -> None:
            place = code.let(place, "source")
            lanes = range(self.cells.rooms[zone.name])
            held = [Cell(self.expressions.lane_cell(source_zone, place, Int(lane))) for lane in lanes]
            moved = list(self._pieces(code, move, zone, held, around))
            if move.amount.mode == "up to":
                moved = [
                    lane if lane == ZERO else code.let(binary("min", code.let(lane), code.let(available)), "moved")
                    for lane, available in zip(moved, held, strict=True)
                ]
            else:
                moved = [code.let(lane, "moved") for lane in moved]
            self._transfer(code, move, source_zone, place, zone, target, moved, site)

        if places.bound > 1 and not isinstance(places, KnownSet):
            places = places.to_list(code)
        places.each(code, from_place)

    def _pieces(
        self, code: CodeBuilder, move: Move, zone: ZoneDef, held: Sequence[Node], around: Surroundings
    ) -> Sequence[Node]:
        """How many pieces of each member a move takes from a place."""
        of = move.amount.of
        if of is None:
            return held
        if isinstance(of.type, Bag):
            lanes = self.expressions.bag(code, of, around).lanes
            return lanes or [ZERO] * len(held)
        kind = zone.content_type.kind  # type: ignore[union-attr]  # a pool holds members
        members = self.expressions.one_or_all(code, of, around)
        if not isinstance(of.type, SetOf):
            index = self.expressions.lane_index(kind, self.expressions.number(code, of, around))
            return self.expressions.one_lane(code, len(held), index, ONE).lanes
        if isinstance(members, LaneSet) and members.mask is not None:
            shifts = {member: at for at, member in enumerate(members.members)}
            numbers = self.expressions.members_of_lanes(kind)
            return [
                binary("&", binary(">>", members.mask, Int(shifts[number])), ONE) if number in shifts else ZERO
                for number in numbers
            ]
        return self.expressions.lane_flags(code, kind, members)

    def _transfer(
        self, code: CodeBuilder, move: Move, source_zone: ZoneDef, source: Node, zone: ZoneDef, target: Node,
        moved: Sequence[Node], site: FaultSite,
    ) -> None:  # fmt: skip
        expressions = self.expressions
        lanes = [lane for lane, count in enumerate(moved) if count != ZERO]
        if source_zone is zone and source == target:
            return
        with ExitStack() as stack:
            if source_zone is zone:
                stack.enter_context(code.when(binary("!=", source, target)))
            takes_all = move.amount.of is None or move.amount.mode == "up to"
            from_cells = [expressions.lane_cell(source_zone, source, Int(lane)) for lane in range(len(moved))]
            to_cells = [expressions.lane_cell(zone, target, Int(lane)) for lane in range(len(moved))]
            if not takes_all and lanes and not self.known.is_held(move):
                short = some(binary(">", moved[lane], Cell(from_cells[lane])) for lane in lanes)
                if not all(known(moved[lane]) == 0 for lane in lanes):
                    self.fail_unless(code, negated(short), site)
            if lanes:
                first, last = Int(source_zone.first_index), Int(zone.first_index)
                self._witness(code, "pieces", add(source, first), add(target, last), *moved)
            for lane in lanes:
                code.store(from_cells[lane], binary("-", Cell(from_cells[lane]), moved[lane]))
                code.store(to_cells[lane], add(Cell(to_cells[lane]), moved[lane]))
            if zone.capacity is not None:
                room = self._capacity(zone, target)
                self.fail_unless(code, binary("<=", total(map(Cell, to_cells)), room), site)

    def _capacity(self, zone: ZoneDef, place: Node) -> Node:
        capacities = [
            capacity or 0 for capacity in self.cells.layout.capacities[zone.first_index : zone.first_index + zone.size]
        ]
        if len(set(capacities)) == 1:
            return Int(capacities[0])
        if isinstance(place, Int):
            return Int(capacities[place.value])
        return TableEntry(self.cells.table(f"{zone.name}_at_most", capacities), place)

    def _move_things(
        self, code: CodeBuilder, move: Move, zone: ZoneDef, target: Node, around: Surroundings, site: FaultSite
    ) -> tuple[Node, list[str]] | None:
        """Things change place; of a single one the place that it left, and the zones in which that can be."""
        component, of = self.cells.component_of(zone), move.amount.of
        sources = None
        source_zone = None
        if move.source is not None:
            source_zone = self.rules.zones[move.source.zone]
            sources = self.expressions.place_sets(code, source_zone, move.source.keys, around)
        origins, are_proved = self._origins(move)

        def move_one(thing: Node) -> Node:
            thing = code.let(thing, component.name)
            place = code.variable(Cell(add(thing, Int(self.cells.thing_places[component.name]))), "place")
            code.freeze(place.text)
            with ExitStack() as stack:
                if of is not None and not are_proved:
                    self.fail_unless(code, binary(">=", place, ZERO), site)
                if of is not None and sources is not None:
                    assert source_zone is not None
                    inside = sources.contains(code, subtract(place, Int(source_zone.first_index)))
                    if move.amount.mode == "up to":
                        stack.enter_context(code.when(inside))
                    else:
                        self.fail_unless(code, inside, site)
                if not zone.is_shuffled and zone.name in origins:
                    stack.enter_context(code.when(binary("!=", place, add(target, Int(zone.first_index)))))
                goes = add(target, Int(zone.first_index))
                self._witness(code, "departs", thing, place, goes, Int(int(move.amount.mode == "all")))
                self._take_out_anywhere(code, component, origins, thing, place)
                self._put_in(code, zone, target, thing, component, site, move.to)
            return place

        def move_each(thing: Node) -> None:
            move_one(thing)

        if of is not None and isinstance(of.type, Thing):
            return move_one(self.expressions.number(code, of, around)), origins
        if of is not None:
            things: ElementSet = self.expressions.elements(code, of, around)
        else:
            assert source_zone is not None
            assert move.source is not None
            things = self.expressions.zone_set(code, source_zone, move.source.keys, around)
        few = unrolled(things)
        if few is None or any(flag != ONE for _, flag in few):
            things = things.to_list(code)
        things.each(code, move_each)
        return None

    def _origins(self, move: Move) -> tuple[list[str], bool]:
        """The zones in which a thing that is moved may lie, those that the rule names first; whether it surely lies in
        one of them.
        """
        zone = self.rules.zones[move.to.zone]
        component = self.cells.component_of(zone).name
        proved = self.known.zones_of(move)
        if proved:
            return list(proved), True
        everywhere = [other.name for other in self.cells.zones_of(component)]
        named: list[str] = [move.source.zone] if move.source is not None else []
        if move.amount.of is not None:
            named += [part.name for part in iter_exprs(move.amount.of) if isinstance(part, ReadZone)]
        return list(dict.fromkeys([*(name for name in named if name in everywhere), *everywhere])), False

    def _take_out_anywhere(
        self, code: CodeBuilder, component: ComponentDef, origins: Sequence[str], thing: Node, place: Node
    ) -> None:
        """A thing leaves the place in which it is, whichever that is."""
        with ExitStack() as stack:
            for index, name in enumerate(origins):
                zone = self.rules.zones[name]
                if index == len(origins) - 1:
                    self.take_out(code, zone, subtract(place, Int(zone.first_index)), thing)
                    return
                low, high = Int(zone.first_index), Int(zone.first_index + zone.size)
                test = (
                    binary("==", place, low)
                    if zone.size == 1
                    else binary("and", binary(">=", place, low), binary("<", place, high))
                )
                with code.when(test) as branch:
                    self.take_out(code, zone, subtract(place, low), thing)
                stack.enter_context(code.unless(branch))

    def take_out(self, code: CodeBuilder, zone: ZoneDef, offset: Node, thing: Node, at: Node | None = None) -> None:
        """A thing leaves a place; `at`: the cell in which it is, if that is known."""
        offset = code.let(offset, "offset")
        if self.cells.storage[zone.name] == "cell":
            code.store(self.expressions.first_cell(zone, offset), Int(self.cells.absent_thing(zone)))
            self._tally(code, zone, offset, thing, "-")
            return
        count_cell = code.let(self.expressions.count_cell(zone, offset), "count_cell")
        if self.cells.storage[zone.name] != "fold":
            first = code.let(self.expressions.first_cell(zone, offset), "first")
            at = code.let(FindCell(first, thing) if at is None else at, "at")
            if zone.name in self.cells.pile_ends:
                self._pile(code, zone, offset).note_taken(at)
            code.write(ShiftCells(add(at, ONE), add(first, Cell(count_cell)), -1))
            code.forget_cells()
        code.store(count_cell, binary("-", Cell(count_cell), ONE))
        if zone.name in self.cells.pile_ends:
            self._pile(code, zone, offset).settle()
        self._tally(code, zone, offset, thing, "-")

    def _pile(self, code: CodeBuilder, zone: ZoneDef, offset: Node) -> OrderedPile:
        first, count_cell = self.expressions.first_cell(zone, offset), self.expressions.count_cell(zone, offset)
        return OrderedPile(code, self.cells, zone, offset, first, count_cell)

    def _put_on_pile(self, code: CodeBuilder, zone: ZoneDef, offset: Node, thing: Node, to: Place | None) -> None:
        """A thing is put on a pile, under it, or shuffled in; its place is kept already."""
        pile, count_cell = self._pile(code, zone, offset), self.expressions.count_cell(zone, offset)
        if to is not None and to.end == "top":
            pile.put_on_top(thing)
        elif to is not None and to.end == "bottom":
            pile.put_under(thing)
        code.store(count_cell, add(Cell(count_cell), ONE))
        if to is None or not to.end:
            pile.shuffle_in(add(offset, Int(zone.first_index)))
        pile.settle()

    def _put_in(
        self, code: CodeBuilder, zone: ZoneDef, offset: Node, thing: Node, component: ComponentDef, site: FaultSite,
        to: Place | None = None,
    ) -> None:  # fmt: skip
        where = add(thing, Int(self.cells.thing_places[component.name]))
        is_mixed = zone.is_shuffled and not (to is not None and to.end)
        self._witness(code, "arrives", thing, add(offset, Int(zone.first_index)), Int(int(is_mixed)))
        if self.cells.storage[zone.name] == "cell":
            cell = self.expressions.first_cell(zone, offset)
            is_empty = binary("==", Cell(cell), Int(self.cells.absent_thing(zone)))
            has_room = ONE if zone.capacity is None else binary(">", self._capacity(zone, offset), ZERO)
            self.fail_unless(code, both(has_room, is_empty), site)
            code.store(cell, thing)
        elif zone.name in self.cells.pile_ends:
            code.store(where, add(offset, Int(zone.first_index)))
            self._put_on_pile(code, zone, offset, thing, to)
        else:
            count_cell = code.let(self.expressions.count_cell(zone, offset), "count_cell")
            if zone.capacity is not None and not zone.is_shuffled:
                self.fail_unless(code, binary("<", Cell(count_cell), self._capacity(zone, offset)), site)
            if self.cells.storage[zone.name] != "fold":
                first = code.let(self.expressions.first_cell(zone, offset), "first")
                count = code.let(Cell(count_cell), "count")
                at = add(first, count)
                if zone.is_arrival_ordered and to is not None and to.end == "bottom":
                    at = first
                    code.write(ShiftCells(first, add(first, count), 1))
                    code.forget_cells()
                elif not zone.is_arrival_ordered:
                    at = code.let(RankCell(first, count, thing), "at")
                    code.write(ShiftCells(at, add(first, count), 1))
                    code.forget_cells()
                code.store(at, thing)
            code.store(count_cell, add(Cell(count_cell), ONE))
        code.store(where, add(offset, Int(zone.first_index)))
        self._tally(code, zone, offset, thing, "+")

    def _tally(self, code: CodeBuilder, zone: ZoneDef, offset: Node, thing: Node, sign: str) -> None:
        """The sums of fields follow what comes and goes."""
        component = self.cells.component_of(zone)
        for tally in self.cells.tallies.get(zone.name, ()):
            first = add(product(offset, Int(tally.lanes)), Int(tally.first))
            columns = self.cells.field_columns(component, tally.field)
            if tally.lanes > 1 and all(
                sum(column[row] for column in columns) == 1 for row in range(len(component.ids))
            ):
                lanes = [
                    next(lane for lane in range(tally.lanes) if columns[lane][row]) for row in range(len(component.ids))
                ]
                cell = code.let(add(self._column(f"{component.name}_{tally.field}_lane", lanes, thing), first), "cell")
                code.store(cell, binary("+" if sign == "+" else "-", Cell(cell), ONE))
                continue
            for lane, column in enumerate(columns):
                if any(column):
                    change = self._column(f"{component.name}_{tally.field}_{lane}", [*column], thing)
                    cell = add(first, Int(lane))
                    code.store(cell, binary("+" if sign == "+" else "-", Cell(cell), change))

    def _column(self, name: str, values: list[int], thing: Node) -> Node:
        if isinstance(thing, Int):
            return Int(values[thing.value])
        return TableEntry(self.cells.table(name, [*values, 0]), thing)

    # ---- draws ------------------------------------------------------------------------------------------------

    def _draw(self, code: CodeBuilder, move: Move, around: Surroundings, site: FaultSite) -> None:
        assert move.source is not None
        source_zone = self.rules.zones[move.source.zone]
        source = code.let(self.expressions.place_offset(code, source_zone, move.source.keys, around), "source")
        count = (
            ONE if move.amount.of is None else code.let(self.expressions.number(code, move.amount.of, around), "wanted")
        )
        zone, target = self._target(code, move.to, around)
        if move.amount.mode == "random":
            self.fail_unless(code, binary("<=", count, self.size_of(code, source_zone, source)), site)
        self.draw(code, source_zone, source, zone, target, count, site, is_random=move.amount.mode != "top", to=move.to)

    def size_of(self, code: CodeBuilder, zone: ZoneDef, place: Node) -> Node:
        """How many pieces or things are in a place."""
        match self.cells.storage[zone.name]:
            case "bag":
                lanes = range(self.cells.rooms[zone.name])
                return total(Cell(self.expressions.lane_cell(zone, place, Int(lane))) for lane in lanes)
            case "cell":
                return binary("!=", Cell(self.expressions.first_cell(zone, place)), Int(self.cells.absent_thing(zone)))
            case _:
                return Cell(self.expressions.count_cell(zone, place))

    def draw(
        self, code: CodeBuilder, source_zone: ZoneDef, source: Node, zone: ZoneDef, target: Node, count: Node,
        site: FaultSite, *, is_random: bool, to: Place | None = None,
    ) -> None:  # fmt: skip
        """So many things or pieces change place by chance, as far as there are any."""
        with ExitStack() as stack:
            if count != ONE:
                stack.enter_context(code.count_loop(ZERO, count, "draw"))
            stack.enter_context(code.when(binary(">", self.size_of(code, source_zone, source), ZERO)))
            if source_zone.is_pool:
                self._draw_piece(code, source_zone, source, zone, target, site)
            else:
                self._draw_thing(code, source_zone, source, zone, target, site, is_random=is_random, to=to)
        code.forget_cells()

    def _draw_thing(
        self, code: CodeBuilder, source_zone: ZoneDef, source: Node, zone: ZoneDef, target: Node, site: FaultSite,
        *, is_random: bool, to: Place | None,
    ) -> None:  # fmt: skip
        component = self.cells.component_of(zone)
        if self.cells.storage[source_zone.name] == "cell":
            at = code.let(self.expressions.first_cell(source_zone, source), "at")
        elif source_zone.name in self.cells.pile_ends:
            pile = self._pile(code, source_zone, source)
            at = pile.find_any() if is_random else pile.find_top()
        else:
            first = code.let(self.expressions.first_cell(source_zone, source), "first")
            left = code.let(Cell(self.expressions.count_cell(source_zone, source)), "left")
            if source_zone.is_shuffled or is_random:
                index = code.variable(ZERO, "index")
                with code.when(binary(">", left, ONE)):
                    code.assign(index, Below(left))
                at = code.let(add(first, index), "at")
            else:
                at = code.let(binary("-", add(first, left), ONE), "at")  # the last to arrive is on top
        thing = code.let(Cell(at), component.name)
        if source_zone is zone and not zone.is_shuffled:
            with code.when(binary("!=", source, target)):
                self._witness_draw(code, source_zone, source, zone, target, thing, is_random=is_random)
                self.take_out(code, source_zone, source, thing, at)
                self._put_in(code, zone, target, thing, component, site, to)
            return
        self._witness_draw(code, source_zone, source, zone, target, thing, is_random=is_random)
        self.take_out(code, source_zone, source, thing, at)
        self._put_in(code, zone, target, thing, component, site, to)

    def _draw_piece(
        self, code: CodeBuilder, source_zone: ZoneDef, source: Node, zone: ZoneDef, target: Node, site: FaultSite
    ) -> None:
        cells = [
            self.expressions.lane_cell(source_zone, source, Int(lane)) for lane in range(self.cells.rooms[zone.name])
        ]
        held = [code.let(Cell(cell), "held") for cell in cells]
        kinds = total(truth(count) for count in held)
        ticket = code.variable(ZERO, "ticket")
        with code.when(binary(">", kinds, ONE)):
            code.assign(ticket, Below(total(held)))
        index = code.variable(NOBODY_NODE, "drawn")
        for lane, count in enumerate(held):
            with code.when(binary("<", index, ZERO)):
                with code.when(binary("<", ticket, count)):
                    code.assign(index, Int(lane))
                code.assign(ticket, binary("-", ticket, count))
        code.freeze(index.text)
        if source_zone is zone and source == target:
            return
        with ExitStack() as stack:
            if source_zone is zone:
                stack.enter_context(code.when(binary("!=", source, target)))
            first, last = Int(source_zone.first_index), Int(zone.first_index)
            lanes = [binary("==", index, Int(lane)) for lane in range(len(held))]
            self._witness(code, "pieces", add(source, first), add(target, last), *lanes)
            cell = code.let(self.expressions.lane_cell(source_zone, source, index), "cell")
            code.store(cell, binary("-", Cell(cell), ONE))
            cell = code.let(self.expressions.lane_cell(zone, target, index), "cell")
            code.store(cell, add(Cell(cell), ONE))
            if zone.capacity is not None:
                self.fail_unless(
                    code, binary("<=", self.size_of(code, zone, target), self._capacity(zone, target)), site
                )

    # ---- what follows -----------------------------------------------------------------------------------------

    def _refill(self, code: CodeBuilder, move: Move) -> None:
        """After a move every place that fills itself and may have room is filled: if something can have left such a
        place, or come to where it is filled from.
        """
        left = {move.source.zone} if move.source is not None else set(self._origins(move)[0])
        if any(zone.name in left or self._is_filled_from(zone, move.to.zone) for zone in self.refilled):
            code.write(Perform(Invoke("refill", ())))
            code.forget_cells()

    @staticmethod
    def _is_filled_from(zone: ZoneDef, source: str) -> bool:
        return zone.refill is not None and zone.refill.zone == source

    def _refill_place(self, code: CodeBuilder, move: Move, place: Node, origins: Sequence[str]) -> None:
        """After a single thing has left a place only that one has room: all others were filled before."""
        if any(self._is_filled_from(zone, move.to.zone) for zone in self.refilled):
            code.write(Perform(Invoke("refill", ())))
            code.forget_cells()
            return
        for zone in self.refilled:
            if zone.name in origins:
                low, high = Int(zone.first_index), Int(zone.first_index + zone.size)
                inside = binary("and", binary(">=", place, low), binary("<", place, high))
                with code.when(ONE if len(origins) == 1 else inside):
                    code.write(Perform(Invoke(f"refill_{zone.name}", (subtract(place, low),))))
        code.forget_cells()

    def refill_functions(self) -> Iterator[Function]:
        """Functions that fill all places, and one place of each zone that fills itself."""
        everything = CodeBuilder((), is_pure=False)
        for zone in self.refilled:
            with everything.count_loop(ZERO, Int(zone.size), "place") as place:
                everything.write(Perform(Invoke(f"refill_{zone.name}", (place,))))
            code = CodeBuilder(("place",), is_pure=False)
            self._write_refill(code, zone, Name("place"))
            text = "fills one place"
            yield Function(f"refill_{zone.name}", ("place",), code.block, False, zone.address, text)
        yield Function("refill", (), everything.block, False, "", "fills every place that fills itself")

    def _write_refill(self, code: CodeBuilder, zone: ZoneDef, place: Node) -> None:
        site = FaultSite(zone.address, zone.span, "cannot be filled")
        rows = [
            (to - zone.first_index, source)
            for to, source, _ in self.cells.layout.refills
            if zone.first_index <= to < zone.first_index + zone.size
        ]
        source_zone = self.cells.layout.visibility.zone_by_place[rows[0][1]]
        sources = [source - source_zone.first_index for _, source in rows]
        room = self._capacity(zone, place)
        if self.cells.storage[zone.name] == "cell":
            lacks: Node = ONE
            is_empty = binary("==", Cell(self.expressions.first_cell(zone, place)), Int(self.cells.absent_thing(zone)))
            test = both(binary(">", room, ZERO), is_empty)
        else:
            lacks = code.let(binary("-", room, self.size_of(code, zone, place)), "lacks")
            test = binary(">", lacks, ZERO)
        with code.when(test):
            source: Node = Int(sources[0])
            if len(set(sources)) > 1:
                source = code.let(TableEntry(self.cells.table(f"{zone.name}_filled_from", sources), place), "source")
            self.draw(code, source_zone, source, zone, place, lacks, site, is_random=False)

    def check_invariants(self, code: CodeBuilder, scope: str, me: Node) -> None:
        """What must hold after a turn or a round."""
        for invariant in self.rules.invariants:
            if invariant.after == scope:
                self._check(code, invariant, Surroundings(me, {}))

    def check_at_the_beginning(self, code: CodeBuilder, me: Node, beside: Collection[Invariant] = ()) -> None:
        """Until a step has surely been carried out, each checks all that must hold after steps: nothing says that it
        holds as the game begins. `beside`: those that are checked anyway.
        """
        invariants = [
            invariant for invariant in self.rules.invariants if invariant.after == "step" and invariant not in beside
        ]
        if self.has_begun or not invariants:
            return
        with code.when(binary("<=", Cell(self.cells.counter("turns")), ONE)):
            for invariant in invariants:
                self._check(code, invariant, Surroundings(me, {}))

    def _check_step_invariants(self, code: CodeBuilder, step: Step, around: Surroundings) -> None:
        written = set(self._written(step))
        affected = [
            invariant
            for invariant, reads in self._invariant_reads
            if invariant.after == "step" and (reads is None or not (written | self._reset).isdisjoint(reads))
        ]
        for invariant in affected:
            self._check(code, invariant, Surroundings(around.me, {}))
        self.check_at_the_beginning(code, around.me, affected)

    def _written(self, step: Step) -> Iterator[int]:
        """Places and variables (as ~n) that a step may write."""
        match step.effect:
            case Move() as move:
                zones = (
                    {move.to.zone, *self._origins(move)[0]} if move.source is None else {move.to.zone, move.source.zone}
                )
                for name in zones:
                    zone = self.rules.zones[name]
                    yield from range(zone.first_index, zone.first_index + zone.size)
            case SetState(target=target) | Roll(target=target):
                state = self.rules.states[target.name]
                yield from (~index for index in range(state.first_index, state.first_index + state.size))
            case _:
                return

    def _check(self, code: CodeBuilder, invariant: Invariant, around: Surroundings) -> None:
        if not self.checks_invariants:
            return
        code.remark(invariant.address)
        site = FaultSite(
            invariant.address, invariant.span, f"does not hold after a {invariant.after}", is_invariant=True
        )
        self.fail_unless(code, self.expressions.number(code, invariant.condition, around), site)


class KnownAnswers:
    """What is known of an action's answers as long as nothing has moved: where a chosen thing lies, which place a
    chosen bag was taken from. By slot of the answer.
    """

    def __init__(self) -> None:
        self.things: dict[int, tuple[str, ...]] = {}  # zones
        self.bags: dict[int, ReadZone] = {}
        self._components: dict[int, str] = {}

    def learn(self, action: ActionDef) -> None:
        """The steps of an action begin, right after it was chosen."""
        self.forget_bags()
        self.forget_things()
        for slot, choice in enumerate(action.choices):
            match choice.domain:
                case OneOf(of=of) if isinstance(choice.type, Thing):
                    zones = _zones_in(of)
                    if zones:
                        self.things[slot] = tuple(dict.fromkeys(zones))
                        self._components[slot] = choice.type.component
                case Pay(funds=ReadZone() as read) | SomeOf(of=ReadZone() as read) if isinstance(choice.type, Bag):
                    self.bags[slot] = read
                case _:
                    pass

    def forget_bags(self) -> None:
        """Pieces have moved."""
        self.bags.clear()

    def forget_things(self, component: str | None = None) -> None:
        """Things of a component, or any, have moved."""
        for slot in [slot for slot in self.things if component in (None, self._components[slot])]:
            del self.things[slot]

    def zones_of(self, move: Move) -> tuple[str, ...]:
        """The zones in one of which the thing that is moved surely lies; none if that is not known."""
        return self.things.get(move.amount.of.slot, ()) if isinstance(move.amount.of, Local) else ()

    def is_held(self, move: Move) -> bool:
        """Whether the place from which pieces are taken surely holds them."""
        if not isinstance(move.amount.of, Local) or move.source is None:
            return False
        read = self.bags.get(move.amount.of.slot)
        return (
            read is not None
            and read.name == move.source.zone
            and len(read.keys) == len(move.source.keys)
            and all(is_me(key) and is_me(other) for key, other in zip(read.keys, move.source.keys, strict=True))
        )


def _zones_in(expr: Expr) -> list[str]:
    """The zones in one of which every thing of a set lies; none if that is not known."""
    match expr:
        case ReadZone(name=name):
            return [name]
        case Filter(over=over):
            return _zones_in(over)
        case Arithmetic(op="+", left=left, right=right):
            first, second = _zones_in(left), _zones_in(right)
            return [*first, *second] if first and second else []
        case Arithmetic(op="less", left=left):
            return _zones_in(left)
        case _:
            return []


NOBODY_NODE = Int(NOBODY)

__all__ = ["EffectWriter", "KnownAnswers"]  # fmt: skip
