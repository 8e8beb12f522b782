"""Bags as kernel code: one number for each member.

In: typed expressions whose values are bags, or counts in bags. Out: `BagLanes`, and kernel expressions. A part of
`ExpressionWriter`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from rulewright.engine.compiled.kernel.cell_layout import Tally
from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import BinaryOp, Cell, Int, Name, Node, TableEntry
from rulewright.engine.compiled.kernel.kernel_arithmetic import (
    ONE,
    ZERO,
    add,
    binary,
    both,
    either,
    product,
    total,
)
from rulewright.engine.compiled.kernel.packed_counts import LANE_BITS, packed
from rulewright.engine.compiled.translation.packed_lanes import lanes_of, subtract_to_zero
from rulewright.engine.compiled.translation.place_expressions import BagLanes, PlaceExpressions, Surroundings
from rulewright.engine.compiled.translation.sequences import (
    UNROLLED,
    CellSet,
    ElementSet,
    KnownSet,
    LaneSet,
    SingleSet,
    truth,
)
from rulewright.expr.tree import (
    Arithmetic,
    BagLiteral,
    Constant,
    Expr,
    FieldAccess,
    FieldTotal,
    If,
    Local,
    ReadParameter,
    ReadValue,
    ReadZone,
    Sum,
)
from rulewright.expr.types import Bag, Member, SetOf, Thing, Type
from rulewright.model.bag_indexes import bag_members
from rulewright.model.rules import ZoneDef


class BagExpressions(PlaceExpressions):
    """Writes the expressions whose values are bags."""

    def bag(self, code: CodeBuilder, expr: Expr, around: Surroundings) -> BagLanes:
        """A bag; the empty bag of any kind has no lanes."""
        match expr:
            case Constant(value=None):
                return BagLanes(())
            case Constant(value=value):
                return BagLanes(tuple(map(Int, cast("tuple[int, ...]", value))))
            case Local(slot=slot):
                return cast("BagLanes", around.variables[slot])
            case ReadParameter(name=name, keys=()):
                return BagLanes(tuple(map(Int, cast("tuple[int, ...]", self.rules.parameters[name].value))))
            case ReadParameter(name=name, keys=keys):
                table = cast("Mapping[int, tuple[int, ...]]", self.rules.parameters[name].values_by_key)
                key, width = self.number(code, keys[0], around), max(map(len, table.values()))
                lanes = [
                    [(table.get(at) or (0,) * width)[lane] for at in range(max(table) + 1)] for lane in range(width)
                ]
                return BagLanes(
                    tuple(self._entry(f"parameter_{name}_{lane}", column, key) for lane, column in enumerate(lanes))
                )
            case ReadValue():
                return cast("BagLanes", self.derived(code, expr, around))
            case ReadZone(name=name, keys=keys):
                return self._zone_bag(code, self.rules.zones[name], keys, around)
            case FieldAccess(of=of, name=name):
                return self._bag_field(self.number(code, of, around), of.type, name)
            case FieldTotal():
                return self._field_total(code, expr, around)
            case Arithmetic(op=op, left=left, right=right):
                return self._combine(code, op, self.bag(code, left, around), self.bag(code, right, around))
            case BagLiteral():
                return self._bag_literal(code, expr, around)
            case If(condition=condition, then=then, otherwise=otherwise):
                test = code.let(self.number(code, condition, around), "holds")
                yes, no = self.bag(code, then, around), self.bag(code, otherwise, around)
                return BagLanes(tuple(either(test, a, b) for a, b in aligned(yes, no)))
            case Sum():
                return self._bag_sum(code, expr, around)
            case _:
                raise AssertionError(type(expr).__name__)

    def full_bag(self, code: CodeBuilder, expr: Expr, around: Surroundings) -> BagLanes:
        """A bag with a lane for each member, also where it is the empty bag of any kind."""
        bag = self.bag(code, expr, around)
        assert isinstance(expr.type, Bag)
        return bag if bag.lanes or not expr.type.kind else BagLanes((ZERO,) * self.cells.lanes(expr.type.kind))

    def _combine(self, code: CodeBuilder, op: BinaryOp, left: BagLanes, right: BagLanes) -> BagLanes:
        if op == "less":
            return BagLanes(tuple(subtract_to_zero(code, a, b) for a, b in aligned(left, right)))
        return BagLanes(tuple(binary(op, a, b) for a, b in aligned(left, right)))

    def _zone_bag(self, code: CodeBuilder, zone: ZoneDef, keys: tuple[Expr, ...], around: Surroundings) -> BagLanes:
        hints = self.lane_names(zone)
        lanes = range(len(hints))
        places = self.place_sets(code, zone, keys, around)
        if zone.name in self.cells.most_pieces:
            return self._packed_zone(code, zone, places, hints)
        if isinstance(places, SingleSet):
            at = code.let(product(places.value, Int(len(lanes))), f"{zone.name}_at")
            first = self.cells.contents[zone.name]
            return BagLanes(tuple(code.let(Cell(add(at, Int(first + lane))), hints[lane]) for lane in lanes))
        if isinstance(places, KnownSet) and len(places.values) <= UNROLLED:
            return BagLanes(
                tuple(
                    code.let(total(Cell(self.lane_cell(zone, Int(at), Int(lane))) for at in places.values), hints[lane])
                    for lane in lanes
                )
            )
        counters = [code.variable(ZERO, hints[lane]) for lane in lanes]

        def count(offset: Node) -> None:
            for lane, counter in zip(lanes, counters, strict=True):
                code.assign(counter, add(counter, Cell(self.lane_cell(zone, offset, Int(lane)))))

        places.each(code, count)
        return BagLanes(_frozen(code, counters))

    def _packed_zone(self, code: CodeBuilder, zone: ZoneDef, places: ElementSet, hints: list[str]) -> BagLanes:
        """What is in places of which each has its bag in one cell."""
        number = self._sum_of_cells(code, places, lambda place: self.bag_cell(zone, place), zone.name)
        return BagLanes(lanes_of(code, number, self.cells.most_pieces[zone.name], hints))

    def _sum_of_cells(self, code: CodeBuilder, places: ElementSet, cell_of: Callable[[Node], Node], hint: str) -> Node:
        if isinstance(places, SingleSet):
            return code.let(Cell(cell_of(places.value)), hint)
        if isinstance(places, KnownSet) and len(places.values) <= UNROLLED:
            return code.let(total(Cell(cell_of(Int(at))) for at in places.values), hint)
        counter = code.variable(ZERO, hint)
        places.each(code, lambda place: code.assign(counter, add(counter, Cell(cell_of(place)))))
        code.freeze(counter.text)
        return counter

    def lane_names(self, zone: ZoneDef) -> list[str]:
        """What the counts of a place of pieces are called."""
        members = self.rules.family_members[self.rules.kinds[zone.piece_kind].family]
        return [f"{zone.name}_{member}" for member in members]

    def _bag_field(self, of: Node, owner: Type, name: str) -> BagLanes:
        assert isinstance(owner, Thing)
        component = self.rules.components[owner.component]
        return BagLanes(
            tuple(
                self._of_thing(
                    f"{component.name}_{name}_{self._lane_name(component.field_types[name], lane)}", column, of
                )
                for lane, column in enumerate(self.cells.field_columns(component, name))
            )
        )

    def _lane_name(self, type_: Type, lane: int) -> str:
        kind = getattr(type_, "kind", "")
        return str(self.rules.family_members[self.rules.kinds[kind].family][lane]) if kind else str(lane)

    def _bag_literal(self, code: CodeBuilder, expr: BagLiteral, around: Surroundings) -> BagLanes:
        assert isinstance(expr.type, Bag)
        kind, count = expr.type.kind, code.let(self.number(code, expr.count, around), "count")
        lanes = self.cells.lanes(kind)
        if not isinstance(expr.members.type, SetOf | Bag):
            index = self.lane_index(kind, self.number(code, expr.members, around))
            return self.one_lane(code, lanes, index, count)
        return BagLanes(
            tuple(
                either(flag, count, ZERO)
                for flag in self.lane_flags(code, kind, self.elements(code, expr.members, around))
            )
        )

    def one_lane(self, code: CodeBuilder, lanes: int, index: Node, count: Node) -> BagLanes:
        """A bag with so many pieces of one member."""
        if isinstance(index, Int):
            return BagLanes(tuple(count if lane == index.value else ZERO for lane in range(lanes)))
        index = code.let(index, "lane")
        if isinstance(count, Int) and count.value >= 0 and self.cells.can_pack([count.value] * lanes):
            number = code.let(binary("<<", count, product(index, Int(LANE_BITS))), "pieces")
            return BagLanes(lanes_of(code, number, count.value, ["moved"] * lanes))
        return BagLanes(tuple(either(binary("==", index, Int(lane)), count, ZERO) for lane in range(lanes)))

    def lane_flags(self, code: CodeBuilder, kind: str, members: ElementSet) -> tuple[Node, ...]:
        """For each lane of a bag whether its member is in a set."""
        numbers = bag_members(self.rules, kind)
        if isinstance(members, KnownSet):
            return tuple(Int(int(number in members.values)) for number in numbers)
        if isinstance(members, LaneSet) and members.mask is not None and self.cells.can_pack([1] * len(numbers)):
            return self.lanes_of_mask(code, kind, members.members, members.mask)
        if isinstance(members, LaneSet):
            flags = dict(zip(members.members, members.flags, strict=True))
            return tuple(truth(flags.get(number, ZERO)) for number in numbers)
        counters = [code.variable(ZERO, "has") for _ in numbers]

        def mark(member: Node) -> None:
            for number, counter in zip(numbers, counters, strict=True):
                with code.when(binary("==", member, Int(number))):
                    code.assign(counter, ONE)

        members.each(code, mark)
        return _frozen(code, counters)

    def lanes_of_mask(
        self, code: CodeBuilder, kind: str, members: tuple[int, ...], mask: Node, count: int = 1
    ) -> tuple[Node, ...]:
        """So many pieces of each member whose bit is set, by a table of such bags in one number."""
        shifts = {member: at for at, member in enumerate(members)}
        numbers = bag_members(self.rules, kind)
        bags = [
            packed(count * int(number in shifts and bool(bits >> shifts[number] & 1)) for number in numbers)
            for bits in range(1 << len(members))
        ]
        name = f"{kind}_bags" if count == 1 else f"{kind}_bags_of_{count}"
        number = code.let(TableEntry(self.cells.table(name, bags), mask), "pieces")
        return lanes_of(code, number, count, ["moved"] * len(numbers))

    def _lane_of(self, code: CodeBuilder, bag: BagLanes, type_: Type, member: Node) -> Node:
        assert isinstance(type_, Bag)
        if not bag.lanes:
            return ZERO
        index = self.lane_index(type_.kind, member)
        if isinstance(index, Int):
            return bag.lanes[index.value]
        index = code.let(index, "lane")
        result: Node = bag.lanes[-1]
        for lane in range(len(bag.lanes) - 2, -1, -1):
            result = either(binary("==", index, Int(lane)), bag.lanes[lane], result)
        return result

    def _count_in(self, code: CodeBuilder, expr: ReadZone, member: Expr, around: Surroundings) -> Node:
        zone = self.rules.zones[expr.name]
        index = self.lane_index(zone.piece_kind, self.number(code, member, around))
        places = self.place_sets(code, zone, expr.keys, around)
        if zone.name in self.cells.most_pieces:
            number = self._sum_of_cells(code, places, lambda place: self.bag_cell(zone, place), zone.name)
            lanes = self.cells.lanes(zone.piece_kind)
            return code.let(self.lane(number, index, self.cells.most_pieces[zone.name], lanes), f"{zone.name}_count")
        if isinstance(places, SingleSet):
            return code.let(Cell(self.lane_cell(zone, places.value, index)), f"{zone.name}_count")
        if isinstance(places, KnownSet) and len(places.values) <= UNROLLED:
            return total(Cell(self.lane_cell(zone, Int(offset), index)) for offset in places.values)
        counter = code.variable(ZERO, f"{zone.name}_count")
        places.each(code, lambda offset: code.assign(counter, add(counter, Cell(self.lane_cell(zone, offset, index)))))
        code.freeze(counter.text)
        return counter

    def is_asked_of_each(self, expr: FieldTotal) -> bool:
        """Whether a word is sooner found on one of the things than by counting all words on them: where a thing has one
        word, and no sums are kept.
        """
        component = self.rules.components[_things_of(expr).component]
        return isinstance(component.field_types[expr.name], Member) and self._kept_sums(expr) is None

    def is_on(self, expr: FieldTotal, thing: Node, word: Node) -> Node:
        """Whether a thing has a word."""
        return binary("==", self._field(thing, _things_of(expr), expr.name), word)

    def is_on_single(self, code: CodeBuilder, expr: FieldTotal, things: ElementSet, word: Node) -> Node | None:
        """The same of the thing in a place with room for one; None where there are more."""
        if not isinstance(things, CellSet) or things.length != ONE:
            return None
        thing = code.let(Cell(things.first), things.hint)
        is_there = ONE if things.absent is None else binary("!=", thing, Int(things.absent))
        return both(is_there, self.is_on(expr, thing, word))

    def _kept_sums(self, expr: FieldTotal) -> Tally | None:
        """The sums that are kept of a field for a zone, if the things are that zone's."""
        tallies = self.cells.tallies.get(expr.of.name, ()) if isinstance(expr.of, ReadZone) else ()
        return next((tally for tally in tallies if tally.field == expr.name), None)

    def _field_total(self, code: CodeBuilder, expr: FieldTotal, around: Surroundings) -> BagLanes:
        component = self.rules.components[_things_of(expr).component]
        columns = self.cells.field_columns(component, expr.name)
        tally = self._kept_sums(expr)
        if tally is not None:
            assert isinstance(expr.of, ReadZone)
            return self._tally(code, self.rules.zones[expr.of.name], tally, expr.of.keys, around)
        hint = expr.name
        names = [self._lane_name(component.field_types[expr.name], lane) for lane in range(len(columns))]
        counters = [code.variable(ZERO, f"{hint}_{name}" if len(names) > 1 else hint) for name in names]

        def count(thing: Node) -> None:
            for column, counter, name in zip(columns, counters, names, strict=True):
                code.assign(counter, add(counter, self._of_thing(f"{component.name}_{hint}_{name}", column, thing)))

        self.elements(code, expr.of, around).each(code, count)
        return BagLanes(_frozen(code, counters))

    def _tally(
        self, code: CodeBuilder, zone: ZoneDef, tally: Tally, keys: tuple[Expr, ...], around: Surroundings
    ) -> BagLanes:
        name = f"{zone.name}_{tally.field}"
        places = self.place_sets(code, zone, keys, around)
        if tally.most:
            number = self._sum_of_cells(code, places, lambda place: add(place, Int(tally.first)), name)
            return BagLanes(lanes_of(code, number, tally.most, [name] * tally.lanes))

        def cell(offset: Node, lane: int) -> Node:
            return Cell(add(add(product(offset, Int(tally.lanes)), Int(lane)), Int(tally.first)))

        if isinstance(places, SingleSet):
            return BagLanes(tuple(code.let(cell(places.value, lane), name) for lane in range(tally.lanes)))
        counters = [code.variable(ZERO, name) for _ in range(tally.lanes)]

        def count(offset: Node) -> None:
            for lane, counter in enumerate(counters):
                code.assign(counter, add(counter, cell(offset, lane)))

        places.each(code, count)
        return BagLanes(_frozen(code, counters))

    def _bag_sum(self, code: CodeBuilder, expr: Sum, around: Surroundings) -> BagLanes:
        assert isinstance(expr.type, Bag)
        if not expr.type.kind:
            return BagLanes(())
        counters = [code.variable(ZERO, "total") for _ in range(self.cells.lanes(expr.type.kind))]

        def count(element: Node) -> None:
            inside = around.with_variable(expr.slot, element)
            test = ONE if expr.condition is None else self.number(code, expr.condition, inside)
            with code.when(test):
                for counter, lane in zip(counters, self.bag(code, expr.of, inside).lanes, strict=False):
                    code.assign(counter, add(counter, lane))

        self.elements(code, expr.over, around).each(code, count)
        return BagLanes(_frozen(code, counters))


def aligned(left: BagLanes, right: BagLanes) -> list[tuple[Node, Node]]:
    """The lanes of two bags side by side; the empty bag of any kind has none of each."""
    width = max(len(left.lanes), len(right.lanes))
    pad = (ZERO,) * width
    return list(zip((*left.lanes, *pad)[:width], (*right.lanes, *pad)[:width], strict=True))


def _things_of(expr: FieldTotal) -> Thing:
    """Of which component the things are whose field is added up."""
    assert isinstance(expr.of.type, SetOf)
    assert isinstance(expr.of.type.element, Thing)
    return expr.of.type.element


def _frozen(code: CodeBuilder, counters: list[Name]) -> tuple[Node, ...]:
    for counter in counters:
        code.freeze(counter.text)
    return tuple(counters)


__all__ = ["BagExpressions", "aligned"]
