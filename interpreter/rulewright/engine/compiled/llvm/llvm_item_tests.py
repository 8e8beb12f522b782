"""A sieve for a few items at once: LLVM's vectors, which every processor has some form of.

In: a sieve over the items of a list, the function in which it is printed. Out: instructions that test four items and
give one bit for each, and that work out what is listed for four of those that pass. The sum of the bytes of a number
is one instruction where the processor has one for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, assert_never

from rulewright.engine.compiled.kernel.kernel import (
    FLAG_OPS,
    Below,
    Binary,
    ByteSum,
    Cell,
    CellByte,
    Either,
    FindCell,
    Int,
    Invoke,
    Lane,
    LanesAbove,
    ListItem,
    ListLength,
    Name,
    Negate,
    Node,
    RankCell,
    TableEntry,
    child_nodes,
)
from rulewright.engine.compiled.kernel.kernel_statements import Assign, Function, ListLoop, names_given, names_read
from rulewright.engine.compiled.kernel.machine_shape import MACHINE_BITS
from rulewright.engine.compiled.kernel.packed_counts import HIGHEST_BIT, LANE_BITS
from rulewright.engine.compiled.kernel.word_widths import all_statements
from rulewright.engine.compiled.llvm.absent_items import counted_bits, find_absent_item
from rulewright.engine.compiled.llvm.llvm_expressions import BYTE_ONES, COMPARISONS, LlvmExpressions, table_symbol
from rulewright.engine.compiled.llvm.llvm_facts import NUMBER, ModuleFacts
from rulewright.engine.compiled.llvm.sifting import Sieve, word_of

ITEMS_AT_ONCE: Final = 4
NUMBERS: Final = f"<{ITEMS_AT_ONCE} x {NUMBER}>"
FLAGS: Final = f"<{ITEMS_AT_ONCE} x i1>"
_SHORT: Final = f"<{ITEMS_AT_ONCE} x i32>"
_LANES_EACH: Final = MACHINE_BITS // LANE_BITS
_BYTES: Final = f"<{ITEMS_AT_ONCE * _LANES_EACH} x i8>"
_ARITHMETIC: Final = {"+": "add", "-": "sub", "&": "and", "|": "or", "<<": "shl", ">>": "ashr"}
_HALVES: Final = ((0, 1), (2, 3))  # of the items: two numbers are as wide as the sum of bytes that x86-64 has
SUM_OF_BYTES: Final = "declare <2 x i64> @llvm.x86.sse2.psad.bw(<16 x i8>, <16 x i8>)"


class ItemTests:
    """The tests of one sieve, in a loop through a list."""

    def __init__(self, code: LlvmExpressions, function: Function, loop: ListLoop, sieve: Sieve) -> None:
        self._code = code
        self._name = name = loop.name  # of the variable that is each item in turn
        self._index = loop.index
        self._sieve = sieve
        self._worked_out, self._word = word_of(sieve.block)
        self._changing = {name, loop.index, *(statement.name for statement in (*sieve.assigned, *self._worked_out))}
        self._short = _ShortNumbers(function, code.facts, sieve, name)
        self._vectors: dict[str, str] = {}
        read = frozenset().union(*map(names_read, all_statements(sieve.block)))
        self._asked_again = [
            assign.name for assign in sieve.assigned if assign.name in read and code.type_of(assign.name) == NUMBER
        ]
        self._kept: dict[str, str] = {}  # where what was worked out of all items stands in memory
        self._to_keep: list[tuple[str, int, str]] = []  # there, from which item on, of four items
        absent = find_absent_item(sieve, name, code.facts.tables, self._short.is_byte)
        self._absent = absent if code.facts.has_sum_of_bytes else None

    def are_worth_while(self) -> bool:
        """Whether all tests can be made at once, and bags are compared by them."""
        nodes = [*(statement.value for statement in self._sieve.assigned), *self._sieve.tests]
        return all(map(self._is_possible, nodes)) and any(map(_has_lanes, nodes))

    @property
    def none(self) -> int | None:
        """An item that passes no test."""
        return None if self._absent is None else self._absent.row

    def bits(self, items: str, first: str) -> str:
        """A bit for each of the items that stand there, the lowest for the first. `first`: how many come before."""
        along = _constants(range(ITEMS_AT_ONCE))
        before = self._code.let(f"add {NUMBERS} {self._alike(first)}, {along}") if self._index else ""
        return self._bits([self._flags_of(self._code.let(f"load {NUMBERS}, ptr {items}, align 8"), before)])

    def bits_of_all(self, items: Sequence[str]) -> str:
        """A bit for each of some items, whose number four divides."""
        if not self.are_listed_at_once():
            self._kept = {name: self._code.array(name, NUMBER, len(items)) for name in self._asked_again}
        groups = list[str]()
        for at in range(0, len(items), ITEMS_AT_ONCE):
            along = _constants(range(at, at + ITEMS_AT_ONCE))
            groups.append(self._flags_of(self._together(items[at : at + ITEMS_AT_ONCE]), along))
            self._to_keep += [(array, at, self._vectors[name]) for name, array in self._kept.items()]
        return self._bits(groups)

    def keep(self) -> None:
        """Writes down what was worked out of all items, which `work_out` looks up."""
        for array, at, numbers in self._to_keep:
            place = self._code.element(array, str(at))
            self._code.emit(f"store {NUMBERS} {numbers}, ptr {place}, align 8")

    def work_out(self, place: str) -> Sequence[Assign]:
        """Looks up what was worked out of the item in that place, if that was kept; else what is to be worked out."""
        for name, array in self._kept.items():
            self._code.store(self._code.load(self._code.element(array, place)), self._code.variable(name))
        return [statement for statement in self._sieve.assigned if statement.name not in self._kept]

    def _bits(self, groups: list[str]) -> str:
        """The flags of one, two or four groups as bits."""
        size = ITEMS_AT_ONCE
        while len(groups) > 1:
            type_, places = f"<{size} x i1>", ", ".join(f"i32 {place}" for place in range(2 * size))
            pairs = zip(groups[::2], [*groups[1::2], "zeroinitializer"], strict=False)
            size *= 2
            groups = [
                self._code.let(f"shufflevector {type_} {low}, {type_} {high}, <{size} x i32> <{places}>")
                for low, high in pairs
            ]
        bits = self._code.let(f"bitcast <{size} x i1> {groups[0]} to i{size}")
        return self._code.let(f"zext i{size} {bits} to {NUMBER}")

    def _flags_of(self, items: str, before: str) -> str:
        """Which of four items pass. `before`: how many come before each."""
        self._vectors = {self._name: items}
        if self._index:
            self._vectors[self._index] = before
        for statement in self._sieve.assigned:
            is_summed = self._absent is not None and statement.value == self._absent.lanes
            self._vectors[statement.name] = self._lanes_or_none() if is_summed else self._numbers(statement.value)
        flags = [self._flags(test) for test in self._sieve.tests if self._absent is None or test != self._absent.test]
        both = flags[0]
        for more in flags[1:]:
            both = self._code.let(f"and {FLAGS} {both}, {more}")
        return both

    def are_listed_at_once(self) -> bool:
        """Whether all that is done for items that pass is that one action is listed, which fits in a number."""
        if self._word is None or self._code.facts.widths.stride > 1:
            return False
        return all(map(self._is_possible, [*(statement.value for statement in self._worked_out), self._word]))

    def words(self, items: Sequence[str], places: Sequence[str]) -> str:
        """The actions that are listed for four items, with how many come before each."""
        assert self._word is not None
        self._vectors = {self._name: self._together(items)}
        if self._index:
            self._vectors[self._index] = self._together(places)
        for statement in (*self._sieve.assigned, *self._worked_out):
            self._vectors[statement.name] = self._numbers(statement.value)
        return self._numbers(self._word)

    def _together(self, numbers: Sequence[str]) -> str:
        result = "poison"
        for at, number in enumerate(numbers):
            result = self._code.let(f"insertelement {NUMBERS} {result}, {NUMBER} {number}, i64 {at}")
        return result

    def _is_possible(self, node: Node) -> bool:
        match node:
            case Int() | ListLength():
                return True
            case Name(text=text):
                return not self._code.is_wide(node) or text in self._changing
            case Cell(index=Int()):
                return not self._code.is_wide(node)
            case TableEntry(index=Name(text=text), table=table):
                return text == self._name and int(self._code.facts.tables[table].type_[1:]) <= MACHINE_BITS
            case Binary(op=op, left=left, right=right):
                return (
                    (op in FLAG_OPS or op in _ARITHMETIC)
                    and (op not in ("<<", ">>") or isinstance(right, Int))
                    and self._is_possible(left)
                    and self._is_possible(right)
                )
            case Negate(of=of) | ByteSum(of=of) | Lane(of=of) | LanesAbove(of=of):
                return self._is_possible(of)
            case _:
                return False

    def _numbers(self, node: Node) -> str:
        """Four values of an expression, one for each item."""
        code = self._code
        match node:
            case Name(text=text) if text in self._vectors:
                return self._vectors[text]
            case Int() | Name() | Cell() | ListLength():
                return self._alike(code.number(node))
            case TableEntry(table=table):
                return self._entries(table, code.facts.tables[table].type_)
            case Binary(op=op) if op in FLAG_OPS:
                return code.let(f"zext {FLAGS} {self._flags(node)} to {NUMBERS}")
            case Binary(op=op, left=left, right=right):
                return code.let(f"{_ARITHMETIC[op]} {NUMBERS} {self._numbers(left)}, {self._numbers(right)}")
            case Negate():
                return code.let(f"zext {FLAGS} {self._flags(node)} to {NUMBERS}")
            case ByteSum(of=of):
                return self._sums_of_bytes(self._numbers(of))
            case LanesAbove(of=of, ones=ones):
                return self._lanes_above(self._numbers(of), ones)
            case Lane(of=of, at=at):
                shifted = code.let(
                    f"lshr {NUMBERS} {self._numbers(of)}, {_constants([LANE_BITS * at] * ITEMS_AT_ONCE)}"
                )
                return code.let(f"and {NUMBERS} {shifted}, {_constants([255] * ITEMS_AT_ONCE)}")
            case Either() | FindCell() | RankCell() | CellByte() | ListItem() | Below() | Invoke():
                raise AssertionError(type(node).__name__)
            case _:
                assert_never(node)

    def _flags(self, node: Node) -> str:
        """For each item whether the value of an expression is not 0."""
        code = self._code
        match node:
            case Binary(op="and" | "or" as op, left=left, right=right):
                return code.let(f"{op} {FLAGS} {self._flags(left)}, {self._flags(right)}")
            case Binary(op=op, left=left, right=right) if op in COMPARISONS:
                first, second, type_ = self._numbers(left), self._numbers(right), NUMBERS
                if self._short.is_short(left) and self._short.is_short(right):
                    first, second = (code.let(f"trunc {NUMBERS} {part} to {_SHORT}") for part in (first, second))
                    type_ = _SHORT
                return code.let(f"icmp {COMPARISONS[op]} {type_} {first}, {second}")
            case Negate(of=of):
                return code.let(f"xor {FLAGS} {self._flags(of)}, {_constants([1] * ITEMS_AT_ONCE, 'i1')}")
            case _:
                return code.let(f"icmp ne {NUMBERS} {self._numbers(node)}, zeroinitializer")

    def _alike(self, value: str) -> str:
        if not value.startswith("%"):
            return _constants([int(value)] * ITEMS_AT_ONCE)
        first = self._code.let(f"insertelement {NUMBERS} poison, {NUMBER} {value}, i64 0")
        return self._code.let(
            f"shufflevector {NUMBERS} {first}, {NUMBERS} poison, <{ITEMS_AT_ONCE} x i32> zeroinitializer"
        )

    def _lanes_or_none(self) -> str:
        """What a test sums up, also of an item that is none."""
        absent, code = self._absent, self._code
        assert absent is not None
        row = code.facts.rows_of_none.setdefault(absent.table, absent.row)
        assert row == absent.row
        entries = self._entries(table_or_none(absent.table), NUMBER)
        counted = _constants([counted_bits(absent.lanes.ones)] * ITEMS_AT_ONCE)
        subtracted = code.let(f"and {NUMBERS} {self._numbers(absent.subtracted)}, {counted}")
        return self._lanes_above(code.let(f"sub {NUMBERS} {entries}, {subtracted}"), absent.lanes.ones, spare=0)

    def _entries(self, table: str, type_: str) -> str:
        """What stands in a table for each item."""
        code, entries = self._code, []
        for at in range(ITEMS_AT_ONCE):
            item = code.let(f"extractelement {NUMBERS} {self._vectors[self._name]}, i64 {at}")
            place = code.let(f"getelementptr inbounds {type_}, ptr @{table_symbol(table)}, i64 {item}")
            entries.append(code.widened(code.load(place, type_), type_))
        return self._together(entries)

    def _lanes_above(self, numbers: str, ones: int, spare: int = 255) -> str:
        """Each byte less its highest bit, never below 0; less `spare` where it does not count."""
        taken = [HIGHEST_BIT if ones >> LANE_BITS * at & 1 else spare for at in range(_LANES_EACH)] * ITEMS_AT_ONCE
        bytes_ = self._code.let(f"bitcast {NUMBERS} {numbers} to {_BYTES}")
        call = f"call {_BYTES} @llvm.usub.sat.v{ITEMS_AT_ONCE * _LANES_EACH}i8({_BYTES} {bytes_}, {_BYTES} "
        above = self._code.let(f"{call}{_constants(taken, 'i8')})")
        return self._code.let(f"bitcast {_BYTES} {above} to {NUMBERS}")

    def _sums_of_bytes(self, numbers: str) -> str:
        code = self._code
        if not code.facts.has_sum_of_bytes:
            product = code.let(f"mul {NUMBERS} {numbers}, {_constants([BYTE_ONES] * ITEMS_AT_ONCE)}")
            return code.let(f"lshr {NUMBERS} {product}, {_constants([MACHINE_BITS - LANE_BITS] * ITEMS_AT_ONCE)}")
        sums = []
        for half in _HALVES:
            two = self._chosen(numbers, numbers, half, ITEMS_AT_ONCE)
            bytes_ = code.let(f"bitcast <2 x {NUMBER}> {two} to <16 x i8>")
            call = f"call <2 x i64> @llvm.x86.sse2.psad.bw(<16 x i8> {bytes_}, <16 x i8> zeroinitializer)"
            sums.append(code.let(call))
        return self._chosen(sums[0], sums[1], range(ITEMS_AT_ONCE), 2)

    def _chosen(self, first: str, second: str, places: Iterable[int], size: int) -> str:
        """Some of the elements of two vectors of that size, counted through both."""
        numbers = ", ".join(f"i32 {place}" for place in places)
        type_ = f"<{size} x {NUMBER}>"
        mask = f"<{numbers.count('i32')} x i32> <{numbers}>"
        return self._code.let(f"shufflevector {type_} {first}, {type_} {second}, {mask}")


class _ShortNumbers:
    """Which expressions are surely from 0 to 2³¹ - 1, so that processors compare four of them at once."""

    def __init__(self, function: Function, facts: ModuleFacts, sieve: Sieve, item: str) -> None:
        self._facts = facts
        self._values: dict[str, list[Node]] = {}
        self._asked: set[str] = set()
        others = set(function.parameters)
        for statement in all_statements(function.body):
            if isinstance(statement, Assign):
                self._values.setdefault(statement.name, []).append(statement.value)
            else:
                others.update(names_given(statement))
        for name in others & self._values.keys():
            del self._values[name]
        nodes = [*(statement.value for statement in sieve.assigned), *sieve.tests]
        self._item = item if any(map(self._is_row_of_table, nodes)) else None

    def is_byte(self, node: Node) -> bool:
        """Whether the value is surely from 0 to 255."""
        values = self._values.get(node.text, []) if isinstance(node, Name) else [node]
        return bool(values) and all(isinstance(value, Lane) for value in values)

    def _is_row_of_table(self, node: Node) -> bool:
        return isinstance(node, TableEntry) or any(map(self._is_row_of_table, child_nodes(node)))

    def is_short(self, node: Node) -> bool:
        """Whether the value is surely short."""
        match node:
            case Int(value=value):
                return 0 <= value < 1 << 31
            case Name(text=text) if text == self._item:
                return True  # it counts the rows of a table
            case Name(text=text) if text in self._values and text not in self._asked:
                self._asked.add(text)
                found = all(map(self.is_short, self._values[text]))
                self._asked.discard(text)
                return found
            case TableEntry(table=table):
                return self._facts.tables[table].type_ in ("i8", "i16")
            case ByteSum() | Lane() | Negate():
                return True
            case Binary(op=op):
                return op in FLAG_OPS
            case _:
                return False


def table_or_none(table: str) -> str:
    """The name of a table that says of no thing what fails a test."""
    return f"{table}.or_none"


def _has_lanes(node: Node) -> bool:
    return isinstance(node, LanesAbove) or any(map(_has_lanes, child_nodes(node)))


def _constants(numbers: Sequence[int], type_: str = NUMBER) -> str:
    return f"<{', '.join(f'{type_} {number}' for number in numbers)}>"


__all__ = ["ITEMS_AT_ONCE", "NUMBERS", "SUM_OF_BYTES", "ItemTests", "table_or_none"]
