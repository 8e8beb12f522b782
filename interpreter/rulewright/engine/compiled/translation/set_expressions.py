"""Sets as kernel code: what goes through their elements.

In: typed expressions whose values are sets, or that run over them. Out: `ElementSet`s. A part of `ExpressionWriter`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import Cell, Int, Node, TableEntry
from rulewright.engine.compiled.kernel.kernel_arithmetic import (
    ONE,
    ZERO,
    add,
    binary,
    both,
    known,
    negated,
    subtract,
)
from rulewright.engine.compiled.translation.bag_expressions import BagExpressions
from rulewright.engine.compiled.translation.derived_sequences import (
    ChainedSet,
    ChosenSet,
    FilteredSet,
    NestedSet,
    ReversedSet,
    SliceSet,
)
from rulewright.engine.compiled.translation.known_tables import known_name
from rulewright.engine.compiled.translation.place_expressions import Surroundings
from rulewright.engine.compiled.translation.sequences import (
    UNROLLED,
    CellSet,
    ElementSet,
    KnownSet,
    LaneSet,
    RangeSet,
    SingleSet,
    TableRowSet,
)
from rulewright.expr.tree import (
    Arithmetic,
    Builtin,
    Call,
    Constant,
    Expr,
    FieldAccess,
    Filter,
    If,
    Local,
    Range,
    ReadParameter,
    ReadValue,
    ReadZone,
)
from rulewright.expr.types import SEAT, Bag, Member, Number, SetOf, Thing, Type
from rulewright.model.bag_indexes import bag_members
from rulewright.model.rules import ELIMINATION_STATE, ZoneDef


class SetExpressions(BagExpressions):
    """Writes the expressions whose values are sets."""

    def _known_elements(self, expr: Expr, around: Surroundings) -> ElementSet | None:
        known = None if isinstance(expr, FieldAccess | ReadParameter) else self._known_tables.table_of(expr)
        index = None if known is None else self._table_index(known, around)
        if known is None or index is None:
            return None
        rows = tuple(cast("tuple[int, ...]", value) for value in known.values)
        return self._table_row(known_name(expr), rows, index, expr.type)

    def elements(self, code: CodeBuilder, expr: Expr, around: Surroundings) -> ElementSet:
        """The elements of a set; of a bag the members that it holds; of a line its cells."""
        match expr.type:
            case Bag(kind=""):
                return KnownSet(())
            case Bag(kind=kind):
                return LaneSet(bag_members(self.rules, kind), self.full_bag(code, expr, around).lanes, kind)
            case Member(kind=kind):
                return self._line(code, kind, self.number(code, expr, around))
            case _:
                known = self._known_elements(expr, around)
                return self._set(code, expr, around) if known is None else known

    def one_or_all(self, code: CodeBuilder, expr: Expr, around: Surroundings) -> ElementSet:
        """The elements of a set, or a single number, member or thing."""
        if isinstance(expr.type, SetOf):
            return self.elements(code, expr, around)
        return SingleSet(code.let(self.number(code, expr, around), "it"))

    def _line(self, code: CodeBuilder, kind: str, line: Node) -> ElementSet:
        definition = self.rules.kinds[kind]
        rows: list[tuple[int, ...]] = [()] * (max(definition.member_values) + 1)
        for value, cells in zip(definition.member_values, definition.lines, strict=True):
            rows[value] = cells
        if isinstance(line, Int):
            return self.known_set(tuple(rows[line.value]), definition.cell_kind)
        table = self.cells.row_table(f"{kind}_cells", map(tuple, rows))
        return TableRowSet(table, line, max(map(len, rows)), definition.cell_kind)

    def _set(self, code: CodeBuilder, expr: Expr, around: Surroundings) -> ElementSet:
        match expr:
            case Constant(value=None):
                return KnownSet(())
            case Constant(value=value):
                return self.known_set(cast("tuple[int, ...]", value), self._hint(expr.type))
            case Builtin(name=name):
                return self._seats(code, name, around)
            case Local(slot=slot):
                return cast("ElementSet", around.variables[slot])
            case ReadParameter(name=name, keys=()):
                return self.known_set(cast("tuple[int, ...]", self.rules.parameters[name].value), self._hint(expr.type))
            case ReadParameter(name=name, keys=keys):
                table = cast("Mapping[int, tuple[int, ...]]", self.rules.parameters[name].values_by_key)
                rows = tuple(table.get(at) or () for at in range(max(table) + 1))
                return self._table_row(f"parameter_{name}", rows, self.number(code, keys[0], around), expr.type)
            case ReadValue():
                return cast("ElementSet", self.derived(code, expr, around))
            case ReadZone(name=name, keys=keys):
                return self.zone_set(code, self.rules.zones[name], keys, around)
            case FieldAccess(of=of, name=name):
                assert isinstance(of.type, Thing)
                column = cast("tuple[tuple[int, ...], ...]", self.rules.components[of.type.component].columns[name])
                rows = tuple(row or () for row in column)
                return self._table_row(f"{of.type.component}_{name}", rows, self.number(code, of, around), expr.type)
            case Filter(over=over, condition=None):
                return self.elements(code, over, around)
            case Filter():
                return self._filter(code, expr, around)
            case Range(low=low, high=high, type=SetOf(element=Number(low=least, high=most))):
                first = code.let(self.number(code, low, around), "low")
                return RangeSet(first, code.let(self.number(code, high, around), "high"), most - least + 1)
            case Range(low=low, high=high):
                return RangeSet(self.number(code, low, around), self.number(code, high, around), 1000)
            case Arithmetic(op=op, left=left, right=right):
                return self._set_arithmetic(code, op, left, right, around)
            case If(condition=condition, then=then, otherwise=otherwise):
                test = code.let(self.number(code, condition, around), "holds")
                return ChosenSet(test, self.elements(code, then, around), self.elements(code, otherwise, around))
            case Call():
                return self._set_call(code, expr, around)
            case _:
                raise AssertionError(type(expr).__name__)

    def _hint(self, type_: Type) -> str:
        element = type_.element if isinstance(type_, SetOf) else None
        match element:
            case Member(kind=kind):
                return kind
            case Thing(component=component):
                return component
            case _:
                return "number"

    def _table_row(self, name: str, rows: tuple[tuple[int, ...], ...], index: Node, type_: Type) -> ElementSet:
        if isinstance(index, Int):
            return self.known_set(rows[index.value], self._hint(type_))
        return TableRowSet(self.cells.row_table(name, rows), index, max(map(len, rows)), self._hint(type_))

    def _seats(self, code: CodeBuilder, name: str, around: Surroundings) -> ElementSet:
        if name == "nobody":
            return KnownSet(())
        seats = self.seats_from(Cell(self.cells.counter("first")))
        if name == SEAT.kind:
            return seats
        if self.rules.has_elimination:
            seats = FilteredSet(seats, self.is_in_game)
        if name == "everyone":
            return seats
        return FilteredSet(seats, lambda seat: binary("!=", seat, around.me))

    def seats_from(self, first: Node) -> ElementSet:
        """All seats in turn order, one of them first."""
        players = self.rules.players
        rows = tuple(tuple((first + step) % players for step in range(players)) for first in range(players))
        return self._table_row("seats_from", rows, first, SetOf(SEAT))

    def known_row(self, code: CodeBuilder, elements: ElementSet) -> Sequence[Node] | None:
        """The elements of a set, one by one, where it has few and always as many; else None."""
        match elements:
            case KnownSet(values=values) if len(values) <= UNROLLED:
                return [Int(value) for value in values]
            case TableRowSet(table=table, index=index, room=room) if room <= UNROLLED:
                rows = self.cells.row_tables[table]
                if any(len(row) != room for row in rows):
                    return None
                one_by_one = self.cells.table(f"{table}_in_a_row", (number for row in rows for number in row))
                first = code.let(binary("*", index, Int(room)), "row")
                return [TableEntry(one_by_one, add(first, Int(at))) for at in range(room)]
            case _:
                return None

    def is_in_game(self, seat: Node) -> Node:
        """Whether a seat has not left."""
        return binary("==", Cell(add(seat, Int(self.cells.states[ELIMINATION_STATE]))), ZERO)

    def zone_set(
        self,
        code: CodeBuilder,
        zone: ZoneDef,
        keys: tuple[Expr, ...],
        around: Surroundings,
        *,
        as_they_lie: bool = False,
    ) -> ElementSet:
        """The things in the places of a zone that keys name. `as_they_lie`: those of a pile from top to bottom."""
        places = self.place_sets(code, zone, keys, around)
        if isinstance(places, SingleSet):
            return self.content_set(code, zone, places.value, as_they_lie=as_they_lie)
        if self.cells.storage[zone.name] == "cell":
            absent, hint = self.cells.absent_thing(zone), self.cells.component_of(zone).name
            if isinstance(places, KnownSet) and places.values == tuple(range(zone.size)):
                return CellSet(Int(self.cells.contents[zone.name]), Int(zone.size), zone.size, absent, hint)
            if isinstance(places, RangeSet):
                return CellSet(self.first_cell(zone, places.low), Int(places.room), places.room, absent, hint)
        return NestedSet(
            places,
            lambda offset: self.content_set(code, zone, offset, as_they_lie=as_they_lie),
            self.cells.absent_thing(zone),
        )

    def content_set(self, code: CodeBuilder, zone: ZoneDef, offset: Node, *, as_they_lie: bool = False) -> ElementSet:
        """The things in one place."""
        hint, rows = self.cells.component_of(zone).name, self.cells.absent_thing(zone)
        match self.cells.storage[zone.name]:
            case "cell":
                return CellSet(self.first_cell(zone, offset), ONE, 1, rows, hint)
            case "packed pile":
                return self._things_by_place(code, zone, offset)
            case "pile" if zone.name in self.cells.pile_ends and not as_they_lie:  # a pile never shows its order
                return self._things_by_place(code, zone, offset)
            case "row" | "pile":
                offset = code.let(offset, "place")
                length = code.let(Cell(self.count_cell(zone, offset)), f"{zone.name}_count")
                return CellSet(
                    code.let(self.first_cell(zone, offset), "first"), length, self.cells.rooms[zone.name], hint=hint
                )
            case _:
                raise AssertionError(zone.name)

    def _things_by_place(self, code: CodeBuilder, zone: ZoneDef, offset: Node) -> ElementSet:
        """All things that are in a place, in the order of their rows."""
        hint, rows = self.cells.component_of(zone).name, self.cells.absent_thing(zone)
        place = code.let(add(offset, Int(zone.first_index)), "place")
        things = RangeSet(ZERO, Int(rows - 1), rows, hint)
        return FilteredSet(things, lambda thing: binary("==", self.cells.place_of(hint, thing), place))

    def _filter(self, code: CodeBuilder, expr: Filter, around: Surroundings) -> ElementSet:
        over, condition = self.elements(code, expr.over, around), expr.condition
        assert condition is not None
        few = unrolled(over)
        if few is not None:
            flags = [
                both(flag, self.number(code, condition, around.with_variable(expr.slot, Int(value))))
                for value, flag in few
            ]
            return LaneSet(tuple(value for value, _ in few), tuple(code.let(flag, "has") for flag in flags), over.hint)
        return FilteredSet(over, lambda x: self.number(code, condition, around.with_variable(expr.slot, x)))

    def _set_arithmetic(self, code: CodeBuilder, op: str, left: Expr, right: Expr, around: Surroundings) -> ElementSet:
        first, second = self.elements(code, left, around), self.elements(code, right, around)
        if op == "less":
            return FilteredSet(first, lambda x: negated(self.contains(code, second, x)))
        if self._are_apart(left, right):
            return ChainedSet((first, second))
        return ChainedSet((first, FilteredSet(second, lambda x: negated(self.contains(code, first, x)))))

    def contains(self, code: CodeBuilder, members: ElementSet, element: Node) -> Node:
        """Whether something is an element of a set."""
        return members.contains(code, element)

    def _are_apart(self, left: Expr, right: Expr) -> bool:
        """Whether two sets cannot have an element in common: things lie in one place only."""
        return (
            isinstance(left, ReadZone)
            and isinstance(right, ReadZone)
            and left.name != right.name
            and not self.rules.zones[left.name].is_pool
        )

    def in_any_order(self, code: CodeBuilder, expr: Expr, around: Surroundings) -> ElementSet:
        """The elements of a set where their order does not matter: seats are numbers known before play."""
        seats = tuple(range(self.rules.players))
        if not isinstance(expr, Builtin) or len(seats) > UNROLLED:
            return self.elements(code, expr, around)
        flags: list[Node] = [ONE] * len(seats)
        if expr.name not in ("everyone", "others", "opponents", SEAT.kind):
            return self.elements(code, expr, around)
        if self.rules.has_elimination and expr.name != SEAT.kind:
            flags = [self.is_in_game(Int(seat)) for seat in seats]
        if expr.name in ("others", "opponents"):
            flags = [both(flag, binary("!=", around.me, Int(seat))) for seat, flag in zip(seats, flags, strict=True)]
        return KnownSet(seats, "", "player") if all(flag == ONE for flag in flags) else LaneSet(seats, tuple(flags))

    def _set_call(self, code: CodeBuilder, expr: Call, around: Surroundings) -> ElementSet:
        match expr.function:
            case "first" | "last":
                items = self.elements(code, expr.args[1], around).to_list(code)
                wanted = code.let(binary("max", ZERO, code.let(self.number(code, expr.args[0], around))), "wanted")
                length = code.let(items.count(code), "length")
                least = binary("min", wanted, length)
                if expr.function == "first":
                    return SliceSet(items, ZERO, least)
                return SliceSet(
                    items, subtract(length, least) if known(least) is None else binary("-", length, least), length
                )
            case "reversed":
                return ReversedSet(self.elements(code, expr.args[0], around).to_list(code))
            case "everyone_from":
                seats = self.seats_from(self.number(code, expr.args[0], around))
                return FilteredSet(seats, self.is_in_game) if self.rules.has_elimination else seats
            case _:
                raise AssertionError(expr.function)


def unrolled(over: ElementSet) -> list[tuple[int, Node]] | None:
    """The elements of a small set known before play, each with whether it is in it; None for other sets."""
    if isinstance(over, KnownSet) and len(over.values) <= UNROLLED:
        return [(value, ONE) for value in over.values]
    if isinstance(over, LaneSet) and len(over.members) <= UNROLLED:
        return list(zip(over.members, over.flags, strict=True))
    return None


__all__ = ["SetExpressions", "unrolled"]
