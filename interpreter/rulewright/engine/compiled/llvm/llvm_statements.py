"""The statements of the kernel tree as LLVM instructions, and whole functions.

In: functions of a program. Out: their text in LLVM's text form.
"""

from __future__ import annotations

from typing import Final, assert_never

from rulewright.engine.compiled.kernel.kernel import Int, Invoke, Node
from rulewright.engine.compiled.kernel.kernel_statements import (
    AddOption,
    AddOptions,
    AddRemembered,
    Append,
    AppendCells,
    Assign,
    Branch,
    CellLoop,
    ClearOptions,
    CountLoop,
    CountOptions,
    CutList,
    DropByte,
    EntryLoop,
    Fail,
    ForgetPushed,
    Function,
    LeaveLoop,
    ListLoop,
    NewList,
    Perform,
    PopCells,
    PushCells,
    Remark,
    Return,
    SetItem,
    ShiftCells,
    Statement,
    Store,
    StoreByte,
    TakeOption,
    TestLoop,
    Witness,
)
from rulewright.engine.compiled.kernel.machine_shape import (
    FAULT,
    MORE_ROOM,
    OPTION_COUNT,
    PUSHED_COUNT,
    ROOM_FOR_PUSHED,
    TOO_DEEP,
)
from rulewright.engine.compiled.kernel.packed_counts import BYTES_AT_ONCE
from rulewright.engine.compiled.kernel.word_widths import all_statements
from rulewright.engine.compiled.llvm.llvm_expressions import PARAMETERS, symbol
from rulewright.engine.compiled.llvm.llvm_facts import LISTING, NUMBER, SHORT, ModuleFacts, lists_few
from rulewright.engine.compiled.llvm.llvm_loops import LlvmLoops
from rulewright.engine.compiled.llvm.llvm_rows import COUNT
from rulewright.engine.compiled.llvm.option_room import ROOM_FOR_OPTIONS, SHORT_COPY, word_if

MOVED_AT_ONCE: Final = 32  # cells behind one that is taken out of a long row
CELLS_OF_VECTOR: Final = 2
NUMBERS_OF_VECTOR: Final = 4


class LlvmFunction(LlvmLoops):
    """One function while it is printed."""

    def __init__(self, function: Function, facts: ModuleFacts) -> None:
        super().__init__(function, facts)
        self._has_room = facts.lists_numbers or lists_few(function, facts.tables)
        self._returns_count = function.name in facts.counting
        self._entries = {name: table.entries for name, table in facts.tables.items()}
        self._is_cleared = False  # whether the list of actions is surely empty
        self._lists_options = any(isinstance(statement, LISTING) for statement in all_statements(function.body))

    def _lists_many(self) -> bool:
        return self._has_room

    def text(self) -> str:
        """The whole function."""
        function = self._function
        for parameter in function.parameters:
            self.emit(f"store {self.type_of(parameter)} %p.{parameter}, ptr {self.variable(parameter)}")
        if self._lists_options:
            self._read_count()
        self._body(function.body)
        self._leave("0")
        parameters = [PARAMETERS, *(f"{self.type_of(name)} %p.{name}" for name in function.parameters)]
        head = f"; {function.address or function.text}\ndefine internal {self.result_type} @{symbol(function.name)}"
        slots = [f"  %{name} = alloca {type_}" for name, type_ in {**self.slots, **self._lists}.items()]
        return "\n".join([f"{head}({', '.join(parameters)}) #0 {{", "entry:", *slots, *self.lines, "}"])

    def begin(self, label: str) -> None:
        """From here on instructions belong to a block, which may be reached from elsewhere."""
        super().begin(label)
        self._is_cleared = False

    def _statement(self, statement: Statement) -> None:
        if not isinstance(statement, Perform):
            self._is_cleared = False
        match statement:
            case Assign(name=name, value=value):
                self._assign(name, value)
            case Store(index=index, value=value):
                if self.widths.is_word_cell(index):
                    self.store(self.word(value), self.word_cell(index), self.word_type)
                else:
                    number = self.number(value)
                    self.store(number, self.cell(index))
            case ShiftCells():
                self._shift(statement)
            case DropByte():
                self._drop_byte(statement)
            case StoreByte(first=first, index=index, value=value):
                byte = self.let(f"trunc {NUMBER} {self.number(value)} to i8")
                self.store(byte, self.cell_byte(first, self.number(index)), "i8")
            case Branch(test=test) if self._has_room and (word := word_if(statement, self._entries)) is not None:
                self._add_option_if(test, word)
            case Branch():
                self._branch(statement)
            case CountLoop() | CellLoop() | EntryLoop() | ListLoop() | TestLoop():
                self._loop(statement)
            case LeaveLoop():
                self.jump(self._loop_ends[-1])
                self.begin(self.label())
            case NewList() | Append() | AppendCells() | SetItem() | CutList():
                self._list(statement)
            case ClearOptions() | AddOption() | AddOptions() | CountOptions() | TakeOption():
                self._options(statement)
            case Perform(call=call):
                self.invoke(call)
            case Return(values=values):
                self._leave(self._result(values[0]) if values else "0")
                self.begin(self.label())
            case PushCells() | PopCells() | ForgetPushed():
                self._pushed(statement)
            case Fail(fault=fault):
                self._fail(fault)
                self.begin(self.label())
            case Witness():
                raise AssertionError("programs that follow knowledge are not printed as machine code")
            case AddRemembered():
                raise AssertionError("only generated Python keeps lists")
            case Remark():
                pass
            case _:
                assert_never(statement)

    # ---- values -------------------------------------------------------------------------------------------------

    def _assign(self, name: str, value: Node) -> None:
        type_ = self.type_of(name)
        self.emit(
            f"store {type_} {self.word(value) if type_ != NUMBER else self.number(value)}, ptr {self.variable(name)}"
        )

    def invoke(self, call: Invoke) -> str:
        """The result of a function, which may list actions."""
        is_listing, is_cleared = self._lists_options and call.function in self.facts.listing, self._is_cleared
        if is_listing:
            self._write_count()
        result = super().invoke(call)
        if is_listing and call.function in self.facts.counting:
            self._note_count(result, is_few=is_cleared and self.facts.counting[call.function])
        elif is_listing:
            self._read_count()
        return result

    # ---- lists --------------------------------------------------------------------------------------------------

    def _list(self, statement: NewList | Append | AppendCells | SetItem | CutList) -> None:
        match statement:
            case NewList(name=name) if name in self._spread:
                self._spread[name] = []
            case AppendCells(items=items, first=first, count=count, room=room) if items in self._spread:
                row = self.element("%s", self.number(first))
                self._spread[items].append((row, self.number(count), room))
            case NewList(name=name, size=size):
                self._rooms[name] = size
                self._lists[f"l.{name}"] = f"[{size + SHORT_COPY} x {self.type_of(name)}]"
                self.store("0", self.length(name))
            case Append(items=items, value=value):
                item = self._typed(items, value)
                length = self.load(self.length(items))
                self.store(item, self.item(items, length), self.type_of(items))
                self.store(self.let(f"add nsw {NUMBER} {length}, 1"), self.length(items))
            case AppendCells(items=items, first=first, count=count, room=room):
                low, added = self.number(first), self.number(count)
                length = self.load(self.length(items))
                duplicated = str(room) if room <= SHORT_COPY else added  # a known number of cells needs no loop
                self._copy(self.item(items, length), self.element("%s", low), duplicated)
                self.store(self.let(f"add nsw {NUMBER} {length}, {added}"), self.length(items))
            case SetItem(items=items, index=index, value=value):
                item = self._typed(items, value)
                self.store(item, self.item(items, self.number(index)), self.type_of(items))
            case CutList(items=items, length=cut):
                length = self.load(self.length(items))
                kept = self.let(f"call {NUMBER} @llvm.smin.i64(i64 {length}, i64 {self.number(cut)})")
                self.store(kept, self.length(items))

    def _typed(self, items: str, value: Node) -> str:
        return self.number(value) if self.type_of(items) == NUMBER else self.word(value)

    # ---- legal actions ------------------------------------------------------------------------------------------

    def _options(self, statement: ClearOptions | AddOption | AddOptions | CountOptions | TakeOption) -> None:
        count = self.slot(COUNT, NUMBER)
        match statement:
            case ClearOptions():
                self.store("0", count)
                self._is_cleared = True
            case AddOption(word=word):
                self._add_option(self.listed(word))
            case AddOptions(table=table, index=row):
                self._add_row(table, row)
            case CountOptions(name=name):
                self.store(self.load(count), self.variable(name))
            case TakeOption(name=name, index=index):
                value = self.load(self.option(self.number(index)), self.listed_type)
                if self.facts.lists_numbers:
                    value = self.widened(value, self.listed_type)
                self.emit(f"store {self.word_type} {value}, ptr {self.variable(name)}")

    def _add_row(self, table: str, row: Node) -> None:
        """All words of a row; short rows are taken with what comes after them, which later words lie over."""
        low, high, entries, type_ = self._row(table, row)
        longest = self.facts.tables[table].longest
        if longest > SHORT_COPY:
            with self._counting(low, high) as index:
                self._add_option(self._word_entry(entries, index, type_))
            return
        length = self.load(self.slot(COUNT, NUMBER))
        place = self._room_for(length)
        if self.facts.lists_numbers:
            self._copy_numbers(entries, low, type_, self.option(place), longest)
        elif type_ == NUMBER == self.word_type:
            self._copy(
                self.option(place), self.let(f"getelementptr inbounds i64, ptr @{entries}, i64 {low}"), str(longest)
            )
        else:
            with self._counting("0", str(longest)) as offset:
                word = self._word_entry(entries, self.let(f"add nsw {NUMBER} {low}, {offset}"), type_)
                self.store(word, self.option(self.let(f"add nsw {NUMBER} {place}, {offset}")), self.word_type)
        added = self.let(f"sub nsw {NUMBER} {high}, {low}")
        self.store(self.let(f"add nsw {NUMBER} {length}, {added}"), self.slot(COUNT, NUMBER))

    def _word_entry(self, entries: str, index: str, type_: str) -> str:
        entry = self.load(self.let(f"getelementptr inbounds {type_}, ptr @{entries}, i64 {index}"), type_)
        return entry if type_ == self.listed_type else self.let(f"zext {type_} {entry} to {self.listed_type}")

    def _copy_numbers(self, entries: str, low: str, type_: str, target: str, count: int) -> None:
        """So many numbers of a table to the list, several at once."""
        whole = -(-count // NUMBERS_OF_VECTOR) * NUMBERS_OF_VECTOR
        source = self.let(f"getelementptr inbounds {type_}, ptr @{entries}, i64 {low}")
        bytes_ = int(type_[1:]) // 8
        numbers = self.let(f"load <{whole} x {type_}>, ptr {source}, align {bytes_}")
        if type_ != SHORT:
            numbers = self.let(f"zext <{whole} x {type_}> {numbers} to <{whole} x {SHORT}>")
        self.emit(f"store <{whole} x {SHORT}> {numbers}, ptr {target}, align 4")

    def _room_for(self, length: str) -> str:
        if self._has_room:
            return length
        return self.let(f"call {NUMBER} @llvm.smin.i64(i64 {length}, i64 {ROOM_FOR_OPTIONS})")

    def _add_option(self, word: str) -> None:
        """What does not fit lies over the last one; who reads the count sees that there were too many."""
        length = self.load(self.slot(COUNT, NUMBER))
        self.store(word, self.option(self._room_for(length)), self.listed_type)
        self.store(self.let(f"add nsw {NUMBER} {length}, 1"), self.slot(COUNT, NUMBER))

    def _add_option_if(self, test: Node, word: Node) -> None:
        """Written in any case, counted if the test holds: whether it does is hard to foresee for a processor."""
        passes = self.let(f"zext i1 {self.flag(test)} to {NUMBER}")
        length = self.load(self.slot(COUNT, NUMBER))
        self.store(self.listed(word), self.option(length), self.listed_type)
        self.store(self.let(f"add nsw {NUMBER} {length}, {passes}"), self.slot(COUNT, NUMBER))

    def _read_count(self) -> None:
        self._note_count(self.play(OPTION_COUNT), is_few=False)

    def _note_count(self, count: str, *, is_few: bool) -> None:
        """`is_few`: it is surely no more than there is room for."""
        if self._has_room and not is_few:  # of those that are too many one is counted
            count = self.let(f"call {NUMBER} @llvm.smin.i64(i64 {count}, i64 {ROOM_FOR_OPTIONS + 1})")
        self.store(count, self.slot(COUNT, NUMBER))

    def _write_count(self) -> None:
        self.store(self.load(self.slot(COUNT, NUMBER)), self.element("%play", str(OPTION_COUNT)))

    def _result(self, value: Node) -> str:
        return self.number(value) if self.result_type == NUMBER else self.word(value)

    def _leave(self, value: str) -> None:
        if self._lists_options:
            self._write_count()
        if self._returns_count:
            value = self.load(self.slot(COUNT, NUMBER))
        self.emit(f"ret {self.result_type} {value}")

    # ---- cells that are put away --------------------------------------------------------------------------------

    def _shift(self, shift: ShiftCells) -> None:
        """Where there is room, as many cells as are seldom exceeded move in any case: their number is up to chance, and
        so would be a jump that depends on it.
        """
        low, high = self.number(shift.first), self.number(shift.end)
        target = self.element("%s", self.let(f"add nsw {NUMBER} {low}, {shift.by}"))
        source, count = self.element("%s", low), self.let(f"sub nsw {NUMBER} {high}, {low}")
        if shift.room_end is None or shift.by > 0:
            self._copy(target, source, count)
            return
        at_once, one_by_one, done = self.label(), self.label(), self.label()
        last = self.let(f"add nsw {NUMBER} {low}, {MOVED_AT_ONCE}")
        has_room = self.let(f"icmp sle {NUMBER} {last}, {self.number(shift.room_end)}")
        are_few = self.let(f"icmp sle {NUMBER} {count}, {MOVED_AT_ONCE}")
        self.jump_if(self.let(f"and i1 {has_room}, {are_few}"), at_once, one_by_one)
        self.begin(at_once)
        for place in range(0, MOVED_AT_ONCE, CELLS_OF_VECTOR):
            part, to = (self.let(f"getelementptr inbounds i64, ptr {row}, i64 {place}") for row in (source, target))
            self._copy(to, part, str(CELLS_OF_VECTOR))
        self.jump(done)
        self.begin(one_by_one)
        self._copy(target, source, count)
        self.jump(done)
        self.begin(done)

    def _drop_byte(self, drop: DropByte) -> None:
        """As many bytes as are seldom exceeded move in any case; see `_shift`."""
        index, count = self.number(drop.index), self.number(drop.count)
        after = self.let(f"add nsw {NUMBER} {index}, 1")
        target, source = self.cell_byte(drop.first, index), self.cell_byte(drop.first, after)
        behind = self.let(f"sub nsw {NUMBER} {count}, {after}")
        at_once, one_by_one, done = self.label(), self.label(), self.label()
        self.jump_if(self.let(f"icmp sle {NUMBER} {behind}, {BYTES_AT_ONCE}"), at_once, one_by_one)
        self.begin(at_once)
        moved = self.let(f"load <{BYTES_AT_ONCE} x i8>, ptr {source}, align 1")
        self.emit(f"store <{BYTES_AT_ONCE} x i8> {moved}, ptr {target}, align 1")
        self.jump(done)
        self.begin(one_by_one)
        self.emit(f"call void @llvm.memmove.p0.p0.i64(ptr {target}, ptr {source}, i64 {behind}, i1 false)")
        self.jump(done)
        self.begin(done)

    def _fail(self, fault: int) -> None:
        self.store(str(fault), self.element("%play", str(FAULT)))
        self.emit(f"ret {self.result_type} 0")

    def _pushed(self, statement: PushCells | PopCells | ForgetPushed) -> None:
        place = self.element("%play", str(PUSHED_COUNT))
        match statement:
            case ForgetPushed():
                self.store("0", place)
            case PushCells(first=first, count=count):
                pushed = self.load(place)
                more = self.let(f"add nsw {NUMBER} {pushed}, {count}")
                room = self.let(
                    f"add nsw {NUMBER} {self.load(self.element('%play', str(MORE_ROOM)))}, {ROOM_FOR_PUSHED}"
                )
                full, fits = self.label(), self.label()
                self.jump_if(self.let(f"icmp sgt {NUMBER} {more}, {room}"), full, fits)
                self.begin(full)
                self._fail(self.facts.shape.faults + TOO_DEEP)
                self.begin(fits)
                top = self.let(f"add nsw {NUMBER} {pushed}, {self.facts.shape.cells}")
                self._copy(self.element("%s", top), self.cell(Int(first)), str(count))
                self.store(more, place)
            case PopCells(first=first, count=count):
                pushed = self.let(f"sub nsw {NUMBER} {self.load(place)}, {count}")
                top = self.let(f"add nsw {NUMBER} {pushed}, {self.facts.shape.cells}")
                self._copy(self.cell(Int(first)), self.element("%s", top), str(count))
                self.store(pushed, place)


__all__ = ["LlvmFunction"]
