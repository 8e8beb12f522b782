"""Which cells places and variables are, and what is known of expressions before play.

In: typed expressions, zones, states. Out: kernel expressions for their cells, sets of places, values in tables. A
part of `ExpressionWriter`, which writes what these expressions consist of.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from rulewright.engine.compiled.kernel.cell_layout import CellLayout
from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import Binary, Int, Lane, Name, Node, TableEntry
from rulewright.engine.compiled.kernel.kernel_arithmetic import (
    ZERO,
    add,
    binary,
    product,
    subtract,
)
from rulewright.engine.compiled.kernel.packed_counts import LANE_BITS
from rulewright.engine.compiled.translation.derived_sequences import MappedSet, NestedSet
from rulewright.engine.compiled.translation.known_tables import KnownTable, KnownTables, known_name
from rulewright.engine.compiled.translation.sequences import UNROLLED, ElementSet, KnownSet, RangeSet, SingleSet
from rulewright.engine.values import as_int
from rulewright.expr.tree import (
    Call,
    Compare,
    Constant,
    Expr,
    Extremum,
    Local,
    MemberCount,
    Quantifier,
    ReadValue,
    Sum,
)
from rulewright.expr.types import Member, Thing, Type
from rulewright.frozen import frozen, replace
from rulewright.model.bag_indexes import bag_index
from rulewright.model.place_keys import is_plural_key
from rulewright.model.rules import Rules, ValueDef, ZoneDef

LOOPS: Final = Quantifier | Sum | Extremum | Call | MemberCount | Compare  # worth a table, where no position matters


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


class PlaceExpressions(ABC):
    """What writing expressions needs to know of places and tables. `value_functions`: derived values that became
    functions, as they are asked for; `asked_actions`: actions of which an expression asks whether they are possible.
    """

    @abstractmethod
    def number(self, code: CodeBuilder, expr: Expr, around: Surroundings) -> Node:
        """A number, flag, member, seat or thing."""

    @abstractmethod
    def bag(self, code: CodeBuilder, expr: Expr, around: Surroundings) -> BagLanes:
        """A bag; the empty bag of any kind has no lanes."""

    @abstractmethod
    def elements(self, code: CodeBuilder, expr: Expr, around: Surroundings) -> ElementSet:
        """The elements of a set; of a bag the members that it holds; of a line its cells."""

    @abstractmethod
    def derived(self, code: CodeBuilder, expr: ReadValue, around: Surroundings) -> Value:
        """A derived value, worked out once for the same keys."""

    def __init__(self, rules: Rules, cells: CellLayout, *, knows_tables: bool = True) -> None:
        self.rules = rules
        self.cells = cells
        self.knows_tables = knows_tables
        self._known_tables = KnownTables(rules, is_used=knows_tables)
        self.value_functions: dict[str, ValueDef] = {}
        self.asked_actions: dict[str, None] = {}
        self._sizes: dict[str, int] = {}

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
        is_asked = isinstance(expr, LOOPS | ReadValue) and not _is_plain(expr)
        known = self._known_tables.table_of(expr) if is_asked else None
        index = None if known is None else self._table_index(known, around)
        if known is None or index is None:
            return None
        return self._entry(known_name(expr), [int(as_int(value)) for value in known.values], index)

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
        return self._of_thing(f"{owner.component}_{name}", list(map(as_int, column)), of)

    def _of_thing(self, name: str, column: Sequence[int], thing: Node) -> Node:
        """A number that each thing has, and 0 for none."""
        if isinstance(thing, Int) or not any(column):
            return self._entry(name, [*column, 0], thing)
        return TableEntry(self.cells.column(name, column), thing)

    def state_cell(self, code: CodeBuilder, name: str, keys: tuple[Expr, ...], around: Surroundings) -> Node:
        """The number of the cell of a state variable."""
        definition = self.rules.states[name]
        offset = self.cells.offset(definition, [self.number(code, key, around) for key in keys])
        return add(offset, Int(self.cells.states[name]))

    def place_offset(self, code: CodeBuilder, zone: ZoneDef, keys: tuple[Expr, ...], around: Surroundings) -> Node:
        """Which of a zone's places full keys name."""
        numbers = [self.number(code, key, around) for key in keys]
        return self.cells.offset(zone, list(map(_from_first, map(code.definition, numbers), numbers, zone.key_values)))

    def lane_cell(self, zone: ZoneDef, offset: Node, lane: Node) -> Node:
        """The number of the cell that counts a member in a place of pieces."""
        lanes = self.cells.rooms[zone.name]
        return add(add(product(offset, Int(lanes)), lane), Int(self.cells.contents[zone.name]))

    def bag_cell(self, zone: ZoneDef, offset: Node) -> Node:
        """The number of the cell in which all counts of a place of pieces stand."""
        return add(offset, Int(self.cells.contents[zone.name]))

    @staticmethod
    def lane(number: Node, index: Node, most: int, lanes: int) -> Node:
        """One of the counts that stand in a number."""
        if isinstance(index, Int):
            return Lane(number, index.value, most, lanes)
        return binary("&", binary(">>", number, product(index, Int(LANE_BITS))), Int(0xFF))

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


def _is_plain(expr: Expr) -> bool:
    """Whether two numbers are compared that are there: no table says it sooner."""
    if not isinstance(expr, Compare) or expr.op in ("in", "not in", "fits in"):
        return False
    return all(isinstance(side, Constant | Local) for side in (expr.left, expr.right))


def _from_first(definition: Node, number: Node, values: tuple[int, ...]) -> Node:
    """A key that was made by adding the lowest one, of which a place's number takes that off again: as this sum."""
    match definition:
        case Binary(op="+", left=Name(), right=Int(value=low)) if values and values[0] == low:
            return definition
        case _:
            return number


def _combined(first: ElementSet, second: ElementSet, size: int) -> ElementSet:
    """Offsets of a further key added to those of the keys before it."""
    if isinstance(first, SingleSet) and isinstance(second, SingleSet):
        return SingleSet(add(product(first.value, Int(size)), second.value))
    return NestedSet(
        first,
        lambda before: MappedSet(second, lambda rank: add(product(before, Int(size)), rank)),
        first.bound * second.bound,
    )


__all__ = ["BagLanes", "PlaceExpressions", "Surroundings", "Value"]
