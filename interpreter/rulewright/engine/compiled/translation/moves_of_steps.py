"""The verb `move` as kernel code: pieces, things and draws.

In: moves of the rule model, and where their variables stand. Out: code that carries them out. A part of `EffectWriter`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import Int, Node
from rulewright.engine.compiled.kernel.kernel_arithmetic import (
    ONE,
    ZERO,
    add,
    binary,
    known,
    negated,
    product,
    some,
    subtract,
)
from rulewright.engine.compiled.kernel.packed_counts import LANE_BITS, MAX_IN_LANE
from rulewright.engine.compiled.translation.fault_sites import FaultSite
from rulewright.engine.compiled.translation.packed_lanes import lanes_fit, lanes_of
from rulewright.engine.compiled.translation.place_expressions import Surroundings
from rulewright.engine.compiled.translation.refills import Refills
from rulewright.engine.compiled.translation.sequences import ElementSet, KnownSet, LaneSet
from rulewright.engine.compiled.translation.set_expressions import unrolled
from rulewright.expr.tree import BagLiteral, Place
from rulewright.expr.types import Bag, Member, SetOf, Thing
from rulewright.model.effects import Move, Step
from rulewright.model.rules import ComponentDef, ZoneDef


class StepMoves(Refills):
    """Writes moves."""

    def _target(self, code: CodeBuilder, place: Place, around: Surroundings) -> tuple[ZoneDef, Node]:
        zone = self.rules.zones[place.zone]
        return zone, code.let(self.expressions.place_offset(code, zone, place.keys, around), "target")

    def _move(self, code: CodeBuilder, step: Step, move: Move, around: Surroundings, site: FaultSite) -> None:
        zone, target = self._target(code, move.to, around)
        if zone.is_pool:
            self._move_pieces(code, move, zone, target, around, site)
            self.known.forget_bags()
            self._check_step_invariants(code, step, around)
            self._refill_after(code, move)
            return
        left = self._move_things(code, move, zone, target, around, site)
        self.known.forget_things(self.cells.component_of(zone).name)
        self._check_step_invariants(code, step, around)
        if left is None:
            self._refill_after(code, move)
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
            held = self.bag_at(code, source_zone, place)
            moved = list(self._pieces(code, move, zone, held, around))
            if move.amount.mode == "up to":
                moved = [
                    lane if lane == ZERO else code.let(binary("min", code.let(lane), code.let(available)), "moved")
                    for lane, available in zip(moved, held, strict=True)
                ]
            else:
                moved = [code.let(lane, "moved") for lane in moved]
            self._transfer(code, move, source_zone, place, zone, target, moved, held, site)

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
        if isinstance(of, BagLiteral) and zone.name in self.cells.most_pieces:
            number = self._packed_literal(code, of, around)
            if number is not None:
                return number
        if isinstance(of.type, Bag):
            lanes = self.expressions.bag(code, of, around).lanes
            return lanes or [ZERO] * len(held)
        kind = zone.piece_kind
        members = self.expressions.one_or_all(code, of, around)
        if not isinstance(of.type, SetOf):
            index = self.expressions.lane_index(kind, self.expressions.number(code, of, around))
            return self.expressions.one_lane(code, len(held), index, ONE).lanes
        return self.expressions.lane_flags(code, kind, members)

    def _packed_literal(self, code: CodeBuilder, of: BagLiteral, around: Surroundings) -> Sequence[Node] | None:
        """So many pieces of a member or of each of a set that is chosen, out of one number; None for any others."""
        assert isinstance(of.type, Bag)
        count = known(self.expressions.number(code, of.count, around))
        if count is None or not 0 < count <= MAX_IN_LANE:
            return None
        if isinstance(of.members.type, SetOf):
            members = self.expressions.elements(code, of.members, around)
            if isinstance(members, LaneSet) and members.mask is not None:
                return self.expressions.lanes_of_mask(code, of.type.kind, members.members, members.mask, count)
        elif isinstance(of.members.type, Member):
            index = self.expressions.lane_index(of.type.kind, self.expressions.number(code, of.members, around))
            if not isinstance(index, Int):
                number = code.let(binary("<<", Int(count), product(index, Int(LANE_BITS))), "pieces")
                return lanes_of(code, number, count, ["moved"] * self.cells.lanes(of.type.kind))
        return None

    def _transfer(
        self, code: CodeBuilder, move: Move, source_zone: ZoneDef, source: Node, zone: ZoneDef, target: Node,
        moved: Sequence[Node], held: Sequence[Node], site: FaultSite,
    ) -> None:  # fmt: skip
        """Pieces change place. `held`: what is where they come from."""
        lanes = [lane for lane, count in enumerate(moved) if count != ZERO]
        if source_zone is zone and source == target:
            return
        with ExitStack() as stack:
            if source_zone is zone:
                stack.enter_context(code.when(binary("!=", source, target)))
            takes_all = move.amount.of is None or move.amount.mode == "up to"
            if not takes_all and lanes and not self.known.is_held(move):
                is_there = lanes_fit(code, self.cells, zip(moved, held, strict=True))
                if is_there is None:
                    is_there = negated(some(binary(">", moved[lane], held[lane]) for lane in lanes))
                self.fail_unless(code, is_there, site)
            if lanes:
                first, last = Int(source_zone.first_index), Int(zone.first_index)
                self._witness(code, "pieces", add(source, first), add(target, last), *moved)
                self.change_bag(code, source_zone, source, moved, "-")
                self.change_bag(code, zone, target, moved, "+")
            if zone.capacity is not None:
                room = self._capacity(zone, target)
                self.fail_unless(code, binary("<=", self.size_of(code, zone, target), room), site)

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
            place = code.variable(self.cells.place_of(component.name, thing), "place")
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
            things = self.expressions.zone_set(code, source_zone, move.source.keys, around, as_they_lie=True)
        few = unrolled(things)
        if few is None or any(flag != ONE for _, flag in few):
            things = things.to_list(code)
        things.each(code, move_each)
        return None

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


__all__ = ["StepMoves"]
