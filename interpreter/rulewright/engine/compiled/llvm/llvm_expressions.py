"""The expressions of the kernel tree as LLVM instructions.

In: expressions of one function. Out: lines of LLVM's text form, and the name of the value. A number is an `i64`, a flag
an `i1` until it is needed as a number, a word of an action as wide as the widest. Variables are slots on the stack,
which LLVM turns into registers.
"""

from __future__ import annotations

from collections.abc import Callable
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
from rulewright.engine.compiled.kernel.machine_shape import (
    FAULT,
    MACHINE_BITS,
    WORD_CELLS,
)
from rulewright.engine.compiled.kernel.packed_counts import LANE_BITS, MAX_IN_LANE
from rulewright.engine.compiled.kernel.word_widths import known_part
from rulewright.engine.compiled.llvm.llvm_facts import NUMBER, SHORT, ModuleFacts

BYTE_ONES: Final = 0x0101_0101_0101_0101
PARAMETERS: Final = "ptr noalias nocapture %s, ptr noalias nocapture %out, ptr noalias nocapture %play"
ARGUMENTS: Final = "ptr %s, ptr %out, ptr %play"
COMPARISONS: Final = {"<": "slt", "<=": "sle", ">": "sgt", ">=": "sge", "==": "eq", "!=": "ne"}
ARITHMETIC: Final = {"+": "add nsw", "-": "sub nsw", "*": "mul", "&": "and", "|": "or"}


class LlvmExpressions:
    """One function while it is printed. `lines`: its instructions so far."""

    def __init__(self, name: str, facts: ModuleFacts) -> None:
        self.lines: list[str] = []
        self.slots: dict[str, str] = {}  # variables on the stack: their types
        self.facts = facts
        self.widths = facts.widths
        self._wide = facts.widths.wide[name]
        self.result_type = self.word_type if name in facts.widths.wide_results else NUMBER
        self._fresh = 0

    # ---- instructions -----------------------------------------------------------------------------------------

    def emit(self, line: str) -> None:
        """One more instruction."""
        self.lines.append(f"  {line}")

    def let(self, instruction: str) -> str:
        """The value of an instruction."""
        self._fresh += 1
        name = f"%t{self._fresh}"
        self.emit(f"{name} = {instruction}")
        return name

    def label(self) -> str:
        """A new name of a block of instructions."""
        self._fresh += 1
        return f"b{self._fresh}"

    def begin(self, label: str) -> None:
        """From here on instructions belong to a block."""
        self.lines.append(f"{label}:")

    def jump(self, label: str) -> None:
        """The block goes on in another."""
        self.emit(f"br label %{label}")

    def jump_if(self, flag: str, then: str, otherwise: str) -> None:
        """The block goes on in one of two."""
        self.emit(f"br i1 {flag}, label %{then}, label %{otherwise}")

    def slot(self, name: str, type_: str) -> str:
        """A variable on the stack."""
        self.slots[name] = type_
        return f"%{name}"

    def fresh_slot(self, hint: str, type_: str) -> str:
        """A variable on the stack that the program does not know."""
        self._fresh += 1
        return self.slot(f"{hint}.{self._fresh}", type_)

    def array(self, hint: str, type_: str, size: int) -> str:
        """Room for so many numbers on the stack."""
        return self.fresh_slot(hint, f"[{size} x {type_}]")

    # ---- types --------------------------------------------------------------------------------------------------

    @property
    def word_type(self) -> str:
        """The type of a word of an action."""
        return f"i{self.widths.bits}"

    @property
    def listed_type(self) -> str:
        """The type of what is listed of a legal action: a number, or a word."""
        return SHORT if self.facts.lists_numbers else self.word_type

    def listed(self, node: Node) -> str:
        """An expression as it is listed."""
        if self.facts.lists_numbers:
            return self.let(f"trunc {NUMBER} {self.number(node)} to {SHORT}")
        return self.word(node)

    def type_of(self, name: str) -> str:
        """The type of a variable, or of the items of a list."""
        return self.word_type if name in self._wide else NUMBER

    def is_wide(self, node: Node) -> bool:
        """Whether a value may need a whole word."""
        return self.widths.is_wide(node, self._wide)

    def variable(self, name: str) -> str:
        """The slot of a variable."""
        return self.slot(f"v.{name}", self.type_of(name))

    # ---- values -------------------------------------------------------------------------------------------------

    def number(self, node: Node) -> str:
        """The value of an expression as an `i64`."""
        if self.is_wide(node):
            return self.let(f"trunc {self.word_type} {self.word(node)} to {NUMBER}")
        match node:
            case Int(value=value):
                return str(int(value))
            case Name(text=text):
                return self.let(f"load {NUMBER}, ptr {self.variable(text)}")
            case Cell(index=index):
                return self.load(self.cell(index))
            case TableEntry(table=table, index=index):
                return self._table_entry(table, index)
            case Binary(op=op) if op in FLAG_OPS:
                return self.let(f"zext i1 {self.flag(node)} to {NUMBER}")
            case Binary():
                return self._arithmetic(node)
            case Negate():
                return self.let(f"zext i1 {self.flag(node)} to {NUMBER}")
            case ByteSum(of=of):
                product = self.let(f"mul {NUMBER} {self.number(of)}, {BYTE_ONES}")
                return self.let(f"lshr {NUMBER} {product}, {MACHINE_BITS - 8}")
            case LanesAbove(of=of, ones=ones):
                number = self.number(of)
                high = self.let(f"and {NUMBER} {self.let(f'lshr {NUMBER} {number}, {LANE_BITS - 1}')}, {ones}")
                return self.let(f"and {NUMBER} {number}, {self.let(f'mul {NUMBER} {high}, {MAX_IN_LANE}')}")
            case Lane(of=of, at=at):
                shifted = self.let(f"lshr {NUMBER} {self.number(of)}, {LANE_BITS * at}")
                return self.let(f"and {NUMBER} {shifted}, 255")
            case Either(test=test, then=then, otherwise=otherwise):
                return self._either(test, then, otherwise, NUMBER, self.number)
            case FindCell(first=first, value=value):
                return self.let(f"call {NUMBER} @find(ptr %s, i64 {self.number(first)}, i64 {self.number(value)})")
            case RankCell(first=first, count=count, value=value):
                numbers = ", ".join(f"i64 {self.number(part)}" for part in (first, count, value))
                return self.let(f"call {NUMBER} @rank(ptr %s, {numbers})")
            case CellByte(first=first, index=index):
                held = self.load(self.cell_byte(first, self.number(index)), "i8")
                return self.let(f"zext i8 {held} to {NUMBER}")
            case ListItem(items=items, index=index):
                return self.load(self.item(items, self.number(index)))
            case ListLength(items=items):
                return self.load(self.length(items))
            case Below(count=count, site=site, offset=offset):
                arguments = f"i64 {self.number(count)}, i64 {site}, i64 {self.number(offset)}"
                drawn = self.let(f"call {NUMBER} @below(ptr %s, ptr %play, {arguments})")
                self._end_if_failed()
                return drawn
            case Invoke():
                return self.invoke(node)
            case _:
                assert_never(node)

    def word(self, node: Node) -> str:
        """The value of an expression as a word."""
        if self.widths.is_narrow:
            return self.number(node)
        type_ = self.word_type
        match node:
            case Int(value=value):
                return str(int(value))
            case Binary(op="<<", left=left, right=right):
                return self.let(f"shl {type_} {self.word(left)}, {self.word(right)}")
            case Binary(op="|", left=left, right=right):
                return self.let(f"or {type_} {self.word(left)}, {self.word(right)}")
            case _ if not self.is_wide(node):
                return self.let(f"zext {NUMBER} {self.number(node)} to {type_}")
            case Name(text=text):
                return self.let(f"load {type_}, ptr {self.variable(text)}")
            case Cell(index=index):
                return self.load(self.word_cell(index), type_)
            case ListItem(items=items, index=index):
                return self.load(self.item(items, self.number(index)), type_)
            case Binary(op=">>", left=left, right=right):
                return self.let(f"lshr {type_} {self.word(left)}, {self.word(right)}")
            case Binary(op="&", left=left, right=right):
                return self.let(f"and {type_} {self.word(left)}, {self.word(right)}")
            case Either(test=test, then=then, otherwise=otherwise):
                return self._either(test, then, otherwise, type_, self.word)
            case Invoke():
                return self.invoke(node)
            case _:
                raise AssertionError(type(node).__name__)

    def flag(self, node: Node) -> str:
        """Whether the value of an expression is not 0, as an `i1`."""
        match node:
            case Int(value=value):
                return "true" if value else "false"
            case Binary(op="and" | "or"):
                return self._connective(node)
            case Binary(op=op, left=left, right=right) if op in COMPARISONS:
                if self.is_wide(left) or self.is_wide(right):
                    return self.let(f"icmp {COMPARISONS[op]} {self.word_type} {self.word(left)}, {self.word(right)}")
                return self.let(f"icmp {COMPARISONS[op]} {NUMBER} {self.number(left)}, {self.number(right)}")
            case Negate(of=of):
                return self.let(f"xor i1 {self.flag(of)}, true")
            case _ if self.is_wide(node):
                return self.let(f"icmp ne {self.word_type} {self.word(node)}, 0")
            case _:
                return self.let(f"icmp ne {NUMBER} {self.number(node)}, 0")

    def _connective(self, node: Binary) -> str:
        is_and = node.op == "and"
        if is_harmless(node.right):
            left, right = self.flag(node.left), self.flag(node.right)  # a `select`: the second may be meaningless
            return self.let(f"select i1 {left}, " + (f"i1 {right}, i1 false" if is_and else f"i1 true, i1 {right}"))
        result = self.fresh_slot("flag", "i1")
        more, done = self.label(), self.label()
        left = self.flag(node.left)
        self.emit(f"store i1 {left}, ptr {result}")
        self.jump_if(left, more if is_and else done, done if is_and else more)
        self.begin(more)
        self.emit(f"store i1 {self.flag(node.right)}, ptr {result}")
        self.jump(done)
        self.begin(done)
        return self.let(f"load i1, ptr {result}")

    def _either(self, test: Node, then: Node, otherwise: Node, type_: str, value: Callable[[Node], str]) -> str:
        if is_harmless(then) and is_harmless(otherwise):
            return self.let(f"select i1 {self.flag(test)}, {type_} {value(then)}, {type_} {value(otherwise)}")
        result = self.fresh_slot("either", type_)
        yes, no, done = self.label(), self.label(), self.label()
        self.jump_if(self.flag(test), yes, no)
        for label, part in ((yes, then), (no, otherwise)):
            self.begin(label)
            self.emit(f"store {type_} {value(part)}, ptr {result}")
            self.jump(done)
        self.begin(done)
        return self.let(f"load {type_}, ptr {result}")

    def _arithmetic(self, node: Binary) -> str:
        op = node.op
        if op == "&" and (self.is_wide(node.left) or self.is_wide(node.right)):
            both = self.let(f"and {self.word_type} {self.word(node.left)}, {self.word(node.right)}")
            return self.let(f"trunc {self.word_type} {both} to {NUMBER}")
        left, right = self.number(node.left), self.number(node.right)
        match op:
            case "<<":
                return self.let(f"shl {NUMBER} {left}, {right}")
            case ">>":
                return self.let(f"ashr {NUMBER} {left}, {right}")
            case "//":
                return self.let(f"call {NUMBER} @quotient(i64 {left}, i64 {right})")
            case "%":
                return self.let(f"call {NUMBER} @remainder(i64 {left}, i64 {right})")
            case "min" | "max":
                return self.let(f"call {NUMBER} @llvm.s{op}.i64(i64 {left}, i64 {right})")
            case "less":
                difference = self.let(f"sub nsw {NUMBER} {left}, {right}")
                return self.let(f"call {NUMBER} @llvm.smax.i64(i64 {difference}, i64 0)")
            case _:
                return self.let(f"{ARITHMETIC[op]} {NUMBER} {left}, {right}")

    def _table_entry(self, table: str, index: Node) -> str:
        type_ = self.facts.tables[table].type_
        place = self.let(f"getelementptr inbounds {type_}, ptr @{table_symbol(table)}, i64 {self.number(index)}")
        return self.widened(self.load(place, type_), type_)

    def widened(self, value: str, type_: str) -> str:
        """A number of a table as an `i64`; unsigned where its type is an `i8` or `i16`."""
        return value if type_ == NUMBER else self.let(f"{_extension(type_)} {type_} {value} to {NUMBER}")

    def invoke(self, call: Invoke) -> str:
        """The result of a function; where the rules failed in it, this function ends, too."""
        wide, parameters = self.widths.wide[call.function], self.widths.parameters[call.function]
        arguments = [
            f"{self.word_type} {self.word(argument)}" if parameter in wide else f"{NUMBER} {self.number(argument)}"
            for parameter, argument in zip(parameters, call.arguments, strict=True)
        ]
        type_ = self.word_type if call.function in self.widths.wide_results else NUMBER
        result = self.let(f"call {type_} @{symbol(call.function)}({', '.join([ARGUMENTS, *arguments])})")
        if call.function in self.facts.failing:
            self._end_if_failed()
        return result

    def _end_if_failed(self) -> None:
        failed, goes_on = self.label(), self.label()
        self.jump_if(self.let(f"icmp slt {NUMBER} {self.play(FAULT)}, 0"), goes_on, failed)
        self.begin(failed)
        self.emit(f"ret {self.result_type} 0")
        self.begin(goes_on)

    # ---- places -------------------------------------------------------------------------------------------------

    def load(self, place: str, type_: str = NUMBER) -> str:
        """What stands at a place in memory."""
        return self.let(f"load {type_}, ptr {place}, align {min(8, max(1, int(type_[1:]) // 8))}")

    def store(self, value: str, place: str, type_: str = NUMBER) -> None:
        """A place in memory gets a value."""
        self.emit(f"store {type_} {value}, ptr {place}, align {min(8, max(1, int(type_[1:]) // 8))}")

    def cell(self, index: Node) -> str:
        """Where a cell stands that holds a number."""
        return self.element("%s", self.number(index))

    def cell_byte(self, first: Node, index: str) -> str:
        """Where one of the bytes stands that begin in a cell."""
        return self.let(f"getelementptr inbounds i8, ptr {self.cell(first)}, i64 {index}")

    def word_cell(self, index: Node) -> str:
        """Where a word stands that the program keeps in a cell: apart from the position, for they are wider."""
        first = known_part(index)
        rank = self.let(f"add nsw {NUMBER} {self.number(index)}, {self.widths.word_cell_ranks[first] - first}")
        stride = self.let(f"mul nsw {NUMBER} {rank}, {self.widths.stride}")
        return self.element("%play", self.let(f"add nsw {NUMBER} {stride}, {WORD_CELLS}"))

    def element(self, base: str, index: str) -> str:
        """Where a number of an array stands."""
        return self.let(f"getelementptr inbounds {NUMBER}, ptr {base}, i64 {index}")

    def option(self, index: str) -> str:
        """Where a legal action stands."""
        if self.facts.lists_numbers:
            return self.let(f"getelementptr inbounds {SHORT}, ptr %out, i64 {index}")
        if self.widths.stride == 1:
            return self.element("%out", index)
        return self.element("%out", self.let(f"mul nsw {NUMBER} {index}, {self.widths.stride}"))

    def play(self, number: int) -> str:
        """One of the numbers beside the position."""
        return self.load(self.element("%play", str(number)))

    def length(self, items: str) -> str:
        """The slot of the length of a list."""
        return self.slot(f"n.{items}", NUMBER)

    def item(self, items: str, index: str) -> str:
        """Where an item of a list stands."""
        return self.let(f"getelementptr inbounds {self.type_of(items)}, ptr %l.{items}, i64 {index}")


def is_harmless(node: Node) -> bool:
    """Whether an expression can be worked out also where nobody asks: it reads nothing that might not be there."""
    match node:
        case Int() | Name():
            return True
        case Cell(index=Int()):
            return True
        case Binary(op=op):
            return op not in ("//", "%") and all(map(is_harmless, child_nodes(node)))
        case Negate(of=of) | Lane(of=of) | ByteSum(of=of) | LanesAbove(of=of):
            return is_harmless(of)
        case _:
            return False


def _extension(type_: str) -> str:
    return "sext" if type_ == "i32" else "zext"


def symbol(name: str) -> str:
    """A name of a function as LLVM writes it."""
    return f'"{name}"'


def table_symbol(name: str) -> str:
    """The name of a table as LLVM writes it, where functions have names as well."""
    return symbol(f"table.{name}")


__all__ = [
    "ARGUMENTS",
    "PARAMETERS",
    "LlvmExpressions",
    "symbol",
    "table_symbol",
]
