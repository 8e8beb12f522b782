"""Expressions of the rules as kernel code: what they read becomes cells and tables, their loops become loops.

In: typed expressions, and where their variables stand. Out: for a number, flag, member or thing a kernel expression;
for a bag one for each member; for a set what goes through its elements. Whatever has to be done before is written by
the code builder, as far out as possible. Expressions are total and change nothing, so it does not matter if a part is
computed that the engine which defines the rules would have skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Final, TypeAlias, cast

from rulewright.engine.compiled.cell_layout import CellLayout, Tally
from rulewright.engine.compiled.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel import (
    Binary,
    BinaryOp,
    Cell,
    CountLoop,
    Int,
    Invoke,
    ListItem,
    Name,
    Node,
    TableEntry,
    names_in,
)
from rulewright.engine.compiled.kernel_arithmetic import (
    ONE,
    ZERO,
    add,
    binary,
    both,
    either,
    every,
    known,
    negated,
    product,
    some,
    subtract,
    total,
)
from rulewright.engine.compiled.known_tables import KnownTable, KnownTables
from rulewright.engine.compiled.sequences import (
    UNROLLED,
    CellSet,
    ChainedSet,
    ChosenSet,
    ElementSet,
    FilteredSet,
    KnownSet,
    LaneSet,
    ListSet,
    MappedSet,
    NestedSet,
    RangeSet,
    ReversedSet,
    SingleSet,
    SliceSet,
    TableRowSet,
    truth,
)
from rulewright.engine.values import as_int
from rulewright.expr.tree import (
    Arithmetic,
    BagLiteral,
    Builtin,
    Call,
    Compare,
    Constant,
    Expr,
    Extremum,
    FieldAccess,
    FieldTotal,
    Filter,
    If,
    Local,
    Logic,
    MemberCount,
    Not,
    Quantifier,
    Range,
    ReadParameter,
    ReadState,
    ReadValue,
    ReadZone,
    Sum,
)
from rulewright.expr.types import SEAT, Bag, Member, Number, SetOf, Thing, Type
from rulewright.expr.walk import iter_exprs
from rulewright.frozen import frozen
from rulewright.model.bag_indexes import bag_index, bag_members
from rulewright.model.place_keys import is_plural_key
from rulewright.model.rules import ELIMINATION_STATE, Rules, ValueDef, ZoneDef

LOOPS: Final = Quantifier | Sum | Extremum | Call | MemberCount | Compare  # worth a table, where no position matters
LONGEST_INLINED: Final = 60  # parts of an expression that is written where it is used, not as a function


@frozen
class BagLanes:
    """A bag: a count for each member of its family."""

    lanes: tuple[Node, ...]


Value: TypeAlias = Node | BagLanes | ElementSet


@frozen
class Surroundings:
    """Where an expression stands: the seat in turn, and its variables by slot."""

    me: Node
    variables: Mapping[int, Value]

    def with_variable(self, slot: int, value: Value) -> Surroundings:
        """The same with one more variable."""
        return replace(self, variables={**self.variables, slot: value})


class ExpressionWriter:
    """Writes the expressions of one rule model. `value_functions`: derived values that became functions, as they are
    asked for; `asked_actions`: actions of which an expression asks whether they are possible.
    """

    def __init__(self, rules: Rules, cells: CellLayout) -> None:
        self.rules = rules
        self.cells = cells
        self._known_tables = KnownTables(rules)
        self.row_tables: dict[str, tuple[tuple[int, ...], ...]] = {}
        self.value_functions: dict[str, ValueDef] = {}
        self.asked_actions: dict[str, None] = {}
        self._sizes: dict[str, int] = {}

    # ---- known before play --------------------------------------------------------------------------------------

    def _table_index(self, known: KnownTable, around: Surroundings) -> Node | None:
        """Which of a table's values it is; None where a variable is no number."""
        index: Node = ZERO
        for slot, domain in zip(known.slots, known.domains, strict=True):
            variable = around.variables.get(slot)
            if variable is None or isinstance(variable, BagLanes | ElementSet):
                return None
            low = min(domain)
            if domain == tuple(range(low, low + len(domain))):
                rank = subtract(variable, Int(low))
            else:
                ranks = [domain.index(value) if value in domain else 0 for value in range(max(domain) + 1)]
                rank = self._entry(f"rank_of_{len(domain)}", ranks, variable)
            index = add(product(index, Int(len(domain))), rank)
        return index

    def _known_number(self, expr: Expr, around: Surroundings) -> Node | None:
        known = self._known_tables.table_of(expr) if isinstance(expr, LOOPS | ReadValue) else None
        index = None if known is None else self._table_index(known, around)
        if known is None or index is None:
            return None
        return self._entry(self._known_name(expr), [int(as_int(value)) for value in known.values], index)

    def _known_elements(self, expr: Expr, around: Surroundings) -> ElementSet | None:
        known = None if isinstance(expr, FieldAccess | ReadParameter) else self._known_tables.table_of(expr)
        index = None if known is None else self._table_index(known, around)
        if known is None or index is None:
            return None
        rows = tuple(cast("tuple[int, ...]", value) for value in known.values)
        return self._table_row(f"{self._known_name(expr)}_elements", rows, index, expr.type)

    def _known_name(self, expr: Expr) -> str:
        return expr.name if isinstance(expr, ReadValue) else f"known_{type(expr).__name__.lower()}"

    # ---- numbers, flags, members, things -----------------------------------------------------------------------

    def number(self, code: CodeBuilder, expr: Expr, around: Surroundings) -> Node:
        """A number, flag, member, seat or thing."""
        found = self._known_number(expr, around)
        if found is not None:
            return found
        match expr:
            case Constant(value=value):
                return Int(as_int(value))
            case Builtin(name=name):
                return self._builtin(name, around)
            case Local(slot=slot):
                return cast("Node", around.variables[slot])
            case ReadParameter(name=name, keys=keys):
                return self._parameter(code, name, keys, around)
            case ReadState(name=name, keys=keys):
                return code.let(Cell(self.state_cell(code, name, keys, around)), name)
            case ReadValue():
                return cast("Node", self.derived(code, expr, around))
            case ReadZone(member=member) if member is not None:
                return self._count_in(code, expr, member, around)
            case FieldAccess(of=of, name=name):
                return self._field(self.number(code, of, around), of.type, name)
            case FieldTotal():
                return self._field_total(code, expr, around).lanes[0]
            case MemberCount(bag=bag, member=member):
                return self._lane_of(code, self.bag(code, bag, around), bag.type, self.number(code, member, around))
            case Logic(op=op, left=left, right=right):
                return binary(op, self.number(code, left, around), self.number(code, right, around))
            case Not(of=of):
                return negated(self.number(code, of, around))
            case Compare():
                return self._compare(code, expr, around)
            case Arithmetic(op=op, left=left, right=right):
                return binary(op, *self._operands(code, op, left, right, around))
            case If(condition=condition, then=then, otherwise=otherwise):
                return either(
                    self.number(code, condition, around),
                    self.number(code, then, around),
                    self.number(code, otherwise, around),
                )
            case Quantifier():
                return self._quantifier(code, expr, around)
            case Sum():
                return self._sum(code, expr, around)
            case Extremum():
                return self._extremum(code, expr, around)
            case Call():
                return self._call(code, expr, around)
            case _:
                raise AssertionError(type(expr).__name__)

    def _operands(self, code: CodeBuilder, op: str, left: Expr, right: Expr, around: Surroundings) -> tuple[Node, Node]:
        first, second = self.number(code, left, around), self.number(code, right, around)
        if op == "less":  # its operands are written twice
            return code.let(first), code.let(second)
        return first, second

    def _builtin(self, name: str, around: Surroundings) -> Node:
        match name:
            case "me":
                return around.me
            case "opponent":
                return subtract(ONE, around.me) if known(around.me) is not None else binary("-", ONE, around.me)
            case "players":
                return Int(self.rules.players)
            case "first_player":
                return Cell(self.cells.counter("first"))
            case "round_number":
                return Cell(self.cells.counter("round"))
            case _:
                raise AssertionError(name)

    def _parameter(self, code: CodeBuilder, name: str, keys: tuple[Expr, ...], around: Surroundings) -> Node:
        parameter = self.rules.parameters[name]
        if parameter.values_by_key is None:
            return Int(as_int(parameter.value))
        values = {key: as_int(value) for key, value in parameter.values_by_key.items()}
        key = self.number(code, keys[0], around)
        return self._entry(f"parameter_{name}", [values.get(index, 0) for index in range(max(values) + 1)], key)

    def _entry(self, name: str, values: list[int], index: Node) -> Node:
        if isinstance(index, Int):
            return Int(values[index.value])
        if len(set(values)) == 1:
            return Int(values[0])
        return TableEntry(self.cells.table(name, values), index)

    def _field(self, of: Node, owner: Type, name: str) -> Node:
        if isinstance(owner, Member):
            return self._entry(f"{owner.kind}_{name}", list(self.rules.kinds[owner.kind].cell_numbers(name)), of)
        assert isinstance(owner, Thing)
        column = self.rules.components[owner.component].columns[name]
        return self._entry(f"{owner.component}_{name}", [*map(as_int, column), 0], of)

    # ---- places and variables -----------------------------------------------------------------------------------

    def state_cell(self, code: CodeBuilder, name: str, keys: tuple[Expr, ...], around: Surroundings) -> Node:
        """The number of the cell of a state variable."""
        definition = self.rules.states[name]
        offset = self.cells.offset(definition, [self.number(code, key, around) for key in keys])
        return add(offset, Int(self.cells.states[name]))

    def place_offset(self, code: CodeBuilder, zone: ZoneDef, keys: tuple[Expr, ...], around: Surroundings) -> Node:
        """Which of a zone's places full keys name."""
        return self.cells.offset(zone, [self.number(code, key, around) for key in keys])

    def lane_cell(self, zone: ZoneDef, offset: Node, lane: Node) -> Node:
        """The number of the cell that counts a member in a place of pieces."""
        lanes = self.cells.rooms[zone.name]
        return add(add(product(offset, Int(lanes)), lane), Int(self.cells.contents[zone.name]))

    def first_cell(self, zone: ZoneDef, offset: Node) -> Node:
        """The number of the first cell of a place of things."""
        room = 1 if self.cells.storage[zone.name] == "cell" else self.cells.rooms[zone.name]
        return add(product(offset, Int(room)), Int(self.cells.contents[zone.name]))

    def count_cell(self, zone: ZoneDef, offset: Node) -> Node:
        """The number of the cell that says how many things are in a place."""
        return add(offset, Int(self.cells.counts[zone.name]))

    def lane_index(self, kind: str, member: Node) -> Node:
        """Where in a bag a member is counted."""
        definition = self.rules.kinds[kind]
        if not definition.is_numeric:
            return member
        index = bag_index(self.rules, kind)
        return self._entry(f"lane_{kind}", [index.get(value, 0) for value in range(max(index) + 1)], member)

    def place_sets(self, code: CodeBuilder, zone: ZoneDef, keys: tuple[Expr, ...], around: Surroundings) -> ElementSet:
        """The offsets of all places that keys name: a missing key stands for all values, a set for its members."""
        sizes = [len(values) for values in zone.key_values]
        plural = [
            index >= len(keys) or is_plural_key(self.rules, keys[index], zone, index) for index in range(len(sizes))
        ]
        if not any(plural):
            return KnownSet(()) if 0 in sizes else SingleSet(self.place_offset(code, zone, keys, around))
        if not keys:
            return self.known_set(tuple(range(zone.size)), "place")
        if not any(plural[: len(keys)]) and len(keys) < len(sizes):
            step = 1
            for size in sizes[len(keys) :]:
                step *= size
            first: Node = ZERO
            for index, key in enumerate(keys):
                rank = self.cells.rank(zone, index, zone.key_values[index], self.number(code, key, around))
                first = add(product(first, Int(sizes[index])), rank)
            low = code.let(product(first, Int(step)), "first")
            return RangeSet(low, add(low, Int(step - 1)), step, "place")
        result: ElementSet = SingleSet(ZERO)
        for index, values in enumerate(zone.key_values):
            if index >= len(keys):
                ranks: ElementSet = self.known_set(tuple(range(len(values))), "place")
            elif plural[index]:
                ranks = self._ranked(zone, index, self.elements(code, keys[index], around))
            else:
                ranks = SingleSet(self.cells.rank(zone, index, values, self.number(code, keys[index], around)))
            result = _combined(result, ranks, sizes[index])
        return result

    def _ranked(self, zone: ZoneDef, index: int, members: ElementSet) -> ElementSet:
        return MappedSet(members, lambda member: self.cells.rank(zone, index, zone.key_values[index], member))

    def known_set(self, values: tuple[int, ...], hint: str) -> KnownSet:
        """A set of elements known before play."""
        table = self.cells.table(f"all_{hint}", values) if len(values) > UNROLLED else ""
        return KnownSet(values, table, hint)

    # ---- bags ---------------------------------------------------------------------------------------------------

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
                return BagLanes(tuple(either(test, a, b) for a, b in _aligned(yes, no)))
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
            return BagLanes(tuple(subtract_to_zero(code, a, b) for a, b in _aligned(left, right)))
        return BagLanes(tuple(binary(op, a, b) for a, b in _aligned(left, right)))

    def _zone_bag(self, code: CodeBuilder, zone: ZoneDef, keys: tuple[Expr, ...], around: Surroundings) -> BagLanes:
        lanes = range(self.cells.rooms[zone.name])
        hints = self.lane_names(zone)
        places = self.place_sets(code, zone, keys, around)
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

    def lane_names(self, zone: ZoneDef) -> list[str]:
        """What the counts of a place of pieces are called."""
        assert isinstance(zone.content_type, Member)
        members = self.rules.family_members[self.rules.kinds[zone.content_type.kind].family]
        return [f"{zone.name}_{member}" for member in members]

    def _bag_field(self, of: Node, owner: Type, name: str) -> BagLanes:
        assert isinstance(owner, Thing)
        component = self.rules.components[owner.component]
        return BagLanes(
            tuple(
                self._entry(
                    f"{component.name}_{name}_{self._lane_name(component.field_types[name], lane)}", [*column, 0], of
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
        return BagLanes(tuple(either(binary("==", index, Int(lane)), count, ZERO) for lane in range(lanes)))

    def lane_flags(self, code: CodeBuilder, kind: str, members: ElementSet) -> tuple[Node, ...]:
        """For each lane of a bag whether its member is in a set."""
        numbers = bag_members(self.rules, kind)
        if isinstance(members, KnownSet):
            return tuple(Int(int(number in members.values)) for number in numbers)
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

    def members_of_lanes(self, kind: str) -> tuple[int, ...]:
        """For each lane of a bag the member that is counted there."""
        return bag_members(self.rules, kind)

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
        assert isinstance(zone.content_type, Member)
        index = self.lane_index(zone.content_type.kind, self.number(code, member, around))
        places = self.place_sets(code, zone, expr.keys, around)
        if isinstance(places, SingleSet):
            return code.let(Cell(self.lane_cell(zone, places.value, index)), f"{zone.name}_count")
        if isinstance(places, KnownSet) and len(places.values) <= UNROLLED:
            return total(Cell(self.lane_cell(zone, Int(offset), index)) for offset in places.values)
        counter = code.variable(ZERO, f"{zone.name}_count")
        places.each(code, lambda offset: code.assign(counter, add(counter, Cell(self.lane_cell(zone, offset, index)))))
        code.freeze(counter.text)
        return counter

    def _field_total(self, code: CodeBuilder, expr: FieldTotal, around: Surroundings) -> BagLanes:
        assert isinstance(expr.of.type, SetOf)
        assert isinstance(expr.of.type.element, Thing)
        component = self.rules.components[expr.of.type.element.component]
        columns = self.cells.field_columns(component, expr.name)
        if isinstance(expr.of, ReadZone):
            zone = self.rules.zones[expr.of.name]
            tally = next((tally for tally in self.cells.tallies.get(zone.name, ()) if tally.field == expr.name), None)
            if tally is not None:
                return self._tally(code, zone, tally, expr.of.keys, around)
        hint = expr.name
        counters = [code.variable(ZERO, hint) for _ in columns]
        names = [self._lane_name(component.field_types[expr.name], lane) for lane in range(len(columns))]

        def count(thing: Node) -> None:
            for column, counter, name in zip(columns, counters, names, strict=True):
                code.assign(counter, add(counter, self._entry(f"{component.name}_{hint}_{name}", [*column, 0], thing)))

        self.elements(code, expr.of, around).each(code, count)
        return BagLanes(_frozen(code, counters))

    def _tally(
        self, code: CodeBuilder, zone: ZoneDef, tally: Tally, keys: tuple[Expr, ...], around: Surroundings
    ) -> BagLanes:
        places = self.place_sets(code, zone, keys, around)

        def cell(offset: Node, lane: int) -> Node:
            return Cell(add(add(product(offset, Int(tally.lanes)), Int(lane)), Int(tally.first)))

        if isinstance(places, SingleSet):
            return BagLanes(tuple(code.let(cell(places.value, lane), tally.field) for lane in range(tally.lanes)))
        counters = [code.variable(ZERO, tally.field) for _ in range(tally.lanes)]

        def count(offset: Node) -> None:
            for lane, counter in enumerate(counters):
                code.assign(counter, add(counter, cell(offset, lane)))

        places.each(code, count)
        return BagLanes(_frozen(code, counters))

    # ---- sets ---------------------------------------------------------------------------------------------------

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
        self.row_tables[f"{kind}_cells"] = tuple(map(tuple, rows))
        return TableRowSet(f"{kind}_cells", line, max(map(len, rows)), definition.cell_kind)

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
        unique, number = name, 2
        while self.row_tables.setdefault(unique, rows) != rows:
            unique, number = f"{name}_{number}", number + 1
        return TableRowSet(unique, index, max(map(len, rows)), self._hint(type_))

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

    def is_in_game(self, seat: Node) -> Node:
        """Whether a seat has not left."""
        return binary("==", Cell(add(seat, Int(self.cells.states[ELIMINATION_STATE]))), ZERO)

    def zone_set(self, code: CodeBuilder, zone: ZoneDef, keys: tuple[Expr, ...], around: Surroundings) -> ElementSet:
        """The things in the places of a zone that keys name."""
        places = self.place_sets(code, zone, keys, around)
        if isinstance(places, SingleSet):
            return self.content_set(code, zone, places.value)
        if self.cells.storage[zone.name] == "cell":
            absent, hint = self.cells.absent_thing(zone), self.cells.component_of(zone).name
            if isinstance(places, KnownSet) and places.values == tuple(range(zone.size)):
                return CellSet(Int(self.cells.contents[zone.name]), Int(zone.size), zone.size, absent, hint)
            if isinstance(places, RangeSet):
                return CellSet(self.first_cell(zone, places.low), Int(places.room), places.room, absent, hint)
        return NestedSet(places, lambda offset: self.content_set(code, zone, offset), self.cells.absent_thing(zone))

    def content_set(self, code: CodeBuilder, zone: ZoneDef, offset: Node) -> ElementSet:
        """The things in one place."""
        hint, rows = self.cells.component_of(zone).name, self.cells.absent_thing(zone)
        match self.cells.storage[zone.name]:
            case "cell":
                return CellSet(self.first_cell(zone, offset), ONE, 1, rows, hint)
            case "pile" if zone.name in self.cells.pile_ends:  # a pile never shows its order
                where = Int(self.cells.thing_places[hint])
                place = code.let(add(offset, Int(zone.first_index)), "place")
                return FilteredSet(
                    RangeSet(ZERO, Int(rows - 1), rows, hint),
                    lambda thing: binary("==", Cell(add(thing, where)), place),
                )
            case "row" | "pile":
                offset = code.let(offset, "place")
                length = code.let(Cell(self.count_cell(zone, offset)), f"{zone.name}_count")
                return CellSet(
                    code.let(self.first_cell(zone, offset), "first"), length, self.cells.rooms[zone.name], hint=hint
                )
            case _:
                raise AssertionError(zone.name)

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

    # ---- comparisons --------------------------------------------------------------------------------------------

    def _compare(self, code: CodeBuilder, expr: Compare, around: Surroundings) -> Node:
        left, right = expr.left, expr.right
        match expr.op:
            case "<" | "<=" | ">" | ">=":
                return binary(expr.op, self.number(code, left, around), self.number(code, right, around))
            case "fits in" if isinstance(left.type, Bag):
                return self._fits(self.bag(code, left, around), self.bag(code, right, around))
            case "fits in":
                whole = self.elements(code, right, around)
                return self._every(code, self.elements(code, left, around), lambda x: self.contains(code, whole, x))
            case "in" | "not in":
                inside = self._is_in(code, left, right, around)
                return inside if expr.op == "in" else negated(inside)
            case _:
                equal = self._equal(code, left, right, around)
                return equal if expr.op == "is" else negated(equal)

    def _is_in(self, code: CodeBuilder, left: Expr, right: Expr, around: Surroundings) -> Node:
        element = code.let(self.number(code, left, around), "it")
        if isinstance(right, ReadZone) and isinstance(right.type, SetOf):  # a thing knows its place
            zone = self.rules.zones[right.name]
            places = self.place_sets(code, zone, right.keys, around)
            if isinstance(places, SingleSet):
                component = self.cells.component_of(zone).name
                place = Cell(add(element, Int(self.cells.thing_places[component])))
                return binary("==", place, add(places.value, Int(zone.first_index)))
        return self.contains(code, self.elements(code, right, around), element)

    @staticmethod
    def _fits(part: BagLanes, whole: BagLanes) -> Node:
        return every(binary("<=", a, b) for a, b in _aligned(part, whole) if a != ZERO)

    def _equal(self, code: CodeBuilder, left: Expr, right: Expr, around: Surroundings) -> Node:
        if isinstance(left.type, Bag):
            first, second = self.bag(code, left, around), self.bag(code, right, around)
            return every(binary("==", a, b) for a, b in _aligned(first, second))
        if isinstance(left.type, SetOf) or isinstance(right.type, SetOf):
            return self._equal_sets(code, left, right, around)
        return binary("==", self.number(code, left, around), self.number(code, right, around))

    def _equal_sets(self, code: CodeBuilder, left: Expr, right: Expr, around: Surroundings) -> Node:
        for one, other in ((left, right), (right, left)):
            if isinstance(other, Constant) and not other.value:
                return binary("==", self.count(code, one, around), ZERO)
        first, second = self.elements(code, left, around), self.elements(code, right, around)
        same_size = binary("==", code.let(first.count(code), "count"), code.let(second.count(code), "count"))
        return both(same_size, self._every(code, first, lambda x: self.contains(code, second, x)))

    # ---- loops --------------------------------------------------------------------------------------------------

    def count(self, code: CodeBuilder, expr: Expr, around: Surroundings) -> Node:
        """How many pieces a bag has, or how many elements a set."""
        if isinstance(expr.type, Bag):
            return total(self.bag(code, expr, around).lanes)
        if isinstance(expr, ReadZone) and isinstance(expr.type, SetOf):
            zone = self.rules.zones[expr.name]
            if zone.name in self.cells.counts:
                places = self.place_sets(code, zone, expr.keys, around)
                if isinstance(places, SingleSet):
                    return code.let(Cell(self.count_cell(zone, places.value)), f"{zone.name}_count")
                counter = code.variable(ZERO, f"{zone.name}_count")
                places.each(code, lambda at: code.assign(counter, add(counter, Cell(self.count_cell(zone, at)))))
                code.freeze(counter.text)
                return counter
            if isinstance(places := self.place_sets(code, zone, expr.keys, around), SingleSet):
                return binary("!=", Cell(self.first_cell(zone, places.value)), Int(self.cells.absent_thing(zone)))
        return self.in_any_order(code, expr, around).count(code)

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

    def _quantifier(self, code: CodeBuilder, expr: Quantifier, around: Surroundings) -> Node:
        over = self.in_any_order(code, expr.over, around)
        few = unrolled(over)

        def holds(element: Node) -> Node:
            return self.number(code, expr.condition, around.with_variable(expr.slot, element))

        if few is not None:
            tests = [(truth(flag), holds(Int(value))) for value, flag in few]
            if expr.quantifier == "every":
                return every(binary("or", negated(flag), test) for flag, test in tests)
            found = some(both(flag, test) for flag, test in tests)
            return found if expr.quantifier == "some" else negated(found)
        if expr.quantifier == "every":
            return self._every(code, over, holds)
        found = self._some(code, over, holds)
        return found if expr.quantifier == "some" else negated(found)

    def _every(self, code: CodeBuilder, over: ElementSet, holds: Callable[[Node], Node]) -> Node:
        return negated(self._some(code, over, lambda element: negated(holds(element))))

    def _some(self, code: CodeBuilder, over: ElementSet, holds: Callable[[Node], Node]) -> Node:
        found = code.variable(ZERO, "found")

        def check(element: Node) -> None:
            with code.when(holds(element)):
                code.assign(found, ONE)

        over.each(code, check, found)
        code.freeze(found.text)
        return found

    def _sum(self, code: CodeBuilder, expr: Sum, around: Surroundings) -> Node:
        over = self.in_any_order(code, expr.over, around)
        few = unrolled(over)
        if few is not None:
            parts = []
            for value, flag in few:
                inside = around.with_variable(expr.slot, Int(value))
                test = flag if expr.condition is None else both(flag, self.number(code, expr.condition, inside))
                parts.append(either(truth(test), self.number(code, expr.of, inside), ZERO))
            return code.let(total(parts), "total")
        result = code.variable(ZERO, "total")

        def count(element: Node) -> None:
            inside = around.with_variable(expr.slot, element)
            test = ONE if expr.condition is None else self.number(code, expr.condition, inside)
            with code.when(test):
                code.assign(result, add(result, self.number(code, expr.of, inside)))

        over.each(code, count)
        code.freeze(result.text)
        return result

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

    def _extremum(self, code: CodeBuilder, expr: Extremum, around: Surroundings) -> Node:
        best, seen = code.variable(ZERO, expr.function + "imum"), code.variable(ZERO, "seen")
        op: BinaryOp = ">" if expr.function == "max" else "<"

        def compare(element: Node) -> None:
            inside = around.with_variable(expr.slot, element)
            test = ONE if expr.condition is None else self.number(code, expr.condition, inside)
            with code.when(test):
                value = code.let(self.number(code, expr.of, inside), "value")
                with code.when(binary("or", negated(seen), binary(op, value, best))):
                    code.assign(best, value)
                    code.assign(seen, ONE)

        self.elements(code, expr.over, around).each(code, compare)
        code.freeze(best.text)
        return best

    # ---- calls --------------------------------------------------------------------------------------------------

    def _call(self, code: CodeBuilder, expr: Call, around: Surroundings) -> Node:
        match expr.function:
            case "count":
                return self.count(code, expr.args[0], around)
            case "min" | "max":
                op: BinaryOp = "min" if expr.function == "min" else "max"
                result, *others = [self.number(code, arg, around) for arg in expr.args]
                for other in others:
                    result = binary(op, code.let(result), code.let(other))
                return result
            case "only":
                items = self.elements(code, expr.args[0], around).to_list(code)
                fallback = self.number(code, expr.args[1], around)
                return either(binary("==", items.count(code), ONE), ListItem(items.items, ZERO), fallback)
            case "next":
                return self._next_seat(code, self.number(code, expr.args[0], around))
            case "possible":
                self.asked_actions[expr.action] = None
                return code.let(Invoke(f"possible_{expr.action}", (around.me,)), "possible")
            case _:
                raise AssertionError(expr.function)

    def _next_seat(self, code: CodeBuilder, seat: Node) -> Node:
        players = self.rules.players
        following = self._entry("next_seat", [(at + 1) % players for at in range(players)], code.let(seat, "seat"))
        if not self.rules.has_elimination:
            return following
        result, stop = code.variable(following, "next"), code.variable(ZERO, "found")

        def check(other: Node) -> None:
            with code.when(self.is_in_game(other)):
                code.assign(result, other)
                code.assign(stop, ONE)

        self.seats_from(code.let(following, "seat")).each(code, check, stop)
        code.freeze(result.text)
        return result

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

    # ---- derived values -----------------------------------------------------------------------------------------

    def derived(self, code: CodeBuilder, expr: ReadValue, around: Surroundings) -> Value:
        """A derived value, worked out once for the same keys."""
        definition = self.rules.values[expr.name]
        arguments = [code.let(self.number(code, key, around), "key") for key in expr.keys]
        depends_on_me = expr.name in self.values_of_turn
        key = ("value", expr.name, around.me if depends_on_me else None, *arguments)
        reads = {name for node in (*arguments, around.me) for name in names_in(node)}

        def compute() -> Value:
            is_number = not isinstance(definition.type, Bag | SetOf)
            if is_number and self._inlined_size(expr.name) > LONGEST_INLINED:
                self.value_functions[expr.name] = definition
                return code.let(Invoke(f"value_{expr.name}", (around.me, *arguments)), expr.name)
            inside = Surroundings(around.me, dict(enumerate(arguments)))
            return self.terms(code, definition, inside)

        return code.shared(key, reads, compute)

    def terms(self, code: CodeBuilder, definition: ValueDef, inside: Surroundings) -> Value:
        """The terms of a derived value added up, less its deductions."""
        terms, less = [term for _, term in definition.terms], [term for _, term in definition.deductions]
        match definition.type:
            case Bag():
                bag = self.bag(code, terms[0], inside)
                for term in terms[1:]:
                    bag = self._combine(code, "+", bag, self.bag(code, term, inside))
                for term in less:
                    bag = self._combine(code, "less", bag, self.bag(code, term, inside))
                return BagLanes(
                    tuple(lane if _is_plain_less(lane) else code.let(lane, definition.name) for lane in bag.lanes)
                )
            case SetOf():
                if len(terms) == 1 and not less:
                    found = self.elements(code, terms[0], inside)
                    return (
                        found
                        if isinstance(found, KnownSet | LaneSet | ListSet | CellSet | TableRowSet)
                        else found.to_list(code)
                    )
                result = self.elements(code, terms[0], inside)
                for term in terms[1:]:
                    result = self._joined(code, result.to_list(code), self.elements(code, term, inside))
                for term in less:
                    result = self._without(code, result, self.elements(code, term, inside).to_list(code))
                return result.to_list(code)
            case _:
                number = total([self.number(code, term, inside) for term in terms])
                for term in less:
                    number = binary("less", code.let(number), code.let(self.number(code, term, inside)))
                return code.let(number, definition.name)

    def _joined(self, code: CodeBuilder, first: ElementSet, second: ElementSet) -> ElementSet:
        return ChainedSet((first, FilteredSet(second, lambda x: negated(self.contains(code, first, x)))))

    def _without(self, code: CodeBuilder, first: ElementSet, second: ElementSet) -> ElementSet:
        return FilteredSet(first, lambda x: negated(self.contains(code, second, x)))

    @cached_property
    def values_of_turn(self) -> frozenset[str]:
        """The derived values that depend on the seat in turn."""
        found: set[str] = set()
        while True:
            more = {
                name
                for name, value in self.rules.values.items()
                if name not in found
                for _, term in (*value.terms, *value.deductions)
                for part in iter_exprs(term)
                if (isinstance(part, Builtin) and part.name in ("me", "opponent", "opponents", "others"))
                or (isinstance(part, ReadValue) and part.name in found)
                or (isinstance(part, Call) and part.action)
            }
            if not more:
                return frozenset(found)
            found |= more

    def _inlined_size(self, name: str) -> int:
        """How many parts a derived value has when all values in it are written out."""
        if name not in self._sizes:
            self._sizes[name] = sum(
                1 + (self._inlined_size(part.name) if isinstance(part, ReadValue) else 0)
                for _, term in (*self.rules.values[name].terms, *self.rules.values[name].deductions)
                for part in iter_exprs(term)
            )
        return self._sizes[name]


def _combined(first: ElementSet, second: ElementSet, size: int) -> ElementSet:
    """Offsets of a further key added to those of the keys before it."""
    if isinstance(first, SingleSet) and isinstance(second, SingleSet):
        return SingleSet(add(product(first.value, Int(size)), second.value))
    return NestedSet(
        first,
        lambda before: MappedSet(second, lambda rank: add(product(before, Int(size)), rank)),
        first.bound * second.bound,
    )


def unrolled(over: ElementSet) -> list[tuple[int, Node]] | None:
    """The elements of a small set known before play, each with whether it is in it; None for other sets."""
    if isinstance(over, KnownSet) and len(over.values) <= UNROLLED:
        return [(value, ONE) for value in over.values]
    if isinstance(over, LaneSet) and len(over.members) <= UNROLLED:
        return list(zip(over.members, over.flags, strict=True))
    return None


def subtract_to_zero(code: CodeBuilder, left: Node, right: Node) -> Node:
    """A difference that is never below 0; x less a less b is x less (a + b), of which the sum may be known before."""
    if left == ZERO or right == ZERO:
        return left
    if isinstance(left, Binary) and left.op == "less":
        return binary("less", left.left, code.let(add(left.right, right), "less"))
    return binary("less", code.let(left), code.let(right))


def _is_plain_less(node: Node) -> bool:
    """Whether a number is left to where it is used: perhaps it is not needed, or something more is taken off."""
    return (
        isinstance(node, Binary)
        and node.op == "less"
        and all(isinstance(part, Int | Name) for part in (node.left, node.right))
    )


def _aligned(left: BagLanes, right: BagLanes) -> list[tuple[Node, Node]]:
    """The lanes of two bags side by side; the empty bag of any kind has none of each."""
    width = max(len(left.lanes), len(right.lanes))
    pad = (ZERO,) * width
    return list(zip((*left.lanes, *pad)[:width], (*right.lanes, *pad)[:width], strict=True))


def _frozen(code: CodeBuilder, counters: list[Name]) -> tuple[Node, ...]:
    for counter in counters:
        code.freeze(counter.text)
    return tuple(counters)


__all__ = ["BagLanes", "CountLoop", "ExpressionWriter", "Surroundings", "Value", "unrolled"]
