"""Blocks and loops of the kernel tree as LLVM instructions.

In: branches and loops of one function. Out: lines of LLVM's text form. A loop of whose items few
pass gathers these first, or tests each where it lies. What stands in them is printed by whoever prints statements.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import reduce
from typing import Final

from rulewright.engine.compiled.kernel.kernel import Below, Invoke, Node, child_nodes, names_in
from rulewright.engine.compiled.kernel.kernel_statements import (
    Body,
    Branch,
    CellLoop,
    CountLoop,
    DropByte,
    EntryLoop,
    Function,
    ListLoop,
    PopCells,
    ShiftCells,
    Statement,
    Store,
    StoreByte,
    TestLoop,
    nodes_of,
)
from rulewright.engine.compiled.kernel.machine_shape import MACHINE_BITS
from rulewright.engine.compiled.kernel.word_widths import all_statements
from rulewright.engine.compiled.llvm.full_rows import FullRow, find_full_row
from rulewright.engine.compiled.llvm.llvm_facts import NUMBER, SHORT, ModuleFacts
from rulewright.engine.compiled.llvm.llvm_item_tests import ITEMS_AT_ONCE, NUMBERS, ItemTests
from rulewright.engine.compiled.llvm.llvm_rows import COUNT, LlvmRows
from rulewright.engine.compiled.llvm.places_at_once import find_listed_by_place
from rulewright.engine.compiled.llvm.sifting import Sieve, find_sieve
from rulewright.engine.compiled.llvm.spread_lists import spread_loops
from rulewright.frozen import replace

UNPREDICTABLE: Final = ", !unpredictable !0"  # no jump, which a processor would have to guess


class LlvmLoops(LlvmRows, ABC):
    """The blocks of one function while it is printed."""

    def __init__(self, function: Function, facts: ModuleFacts) -> None:
        super().__init__(function.name, facts)
        self._function = function
        self._loop_ends: list[str] = []
        self._lists: dict[str, str] = {}
        self._rooms: dict[str, int] = {}  # how many items each list holds at most
        # of lists whose items are not gathered first: where each row begins, its length and its room
        self._spread: dict[str, list[tuple[str, str, int]]] = {
            items: [] for items, loop in spread_loops(function).items() if self._is_spread(loop)
        }

    def _body(self, body: Body) -> None:
        for statement in body.statements:
            self._statement(statement)

    @abstractmethod
    def _statement(self, statement: Statement) -> None: ...

    def _branch(self, branch: Branch) -> None:
        then, otherwise, done = self.label(), self.label(), self.label()
        self.jump_if(self.flag(branch.test), then, otherwise)
        for label, body in ((then, branch.then), (otherwise, branch.otherwise)):
            self.begin(label)
            self._body(body)
            self.jump(done)
        self.begin(done)

    def _loop(self, loop: Statement) -> None:
        match loop:
            case TestLoop(test=test, body=body):
                with self._while(lambda: self.flag(test)):
                    self._body(body)
            case CountLoop(name=name, low=low, high=high, body=body, is_falling=is_falling):
                with self._counting(self.number(low), self.number(high), is_falling=is_falling) as index:
                    self._take(name, index, body)
            case CellLoop():
                self._cell_loop(loop)
            case ListLoop() if self._sifted(loop):
                pass
            case ListLoop(name=name, items=items, body=body, index=counter):
                position = self.fresh_slot("at", NUMBER)
                self.store("0", position)
                with self._while(lambda: self._is_before(position, self.load(self.length(items)))):
                    index = self.load(position)
                    self.store(self.let(f"add nsw {NUMBER} {index}, 1"), position)
                    self._note_index(counter, index)
                    self._take(name, self.load(self.item(items, index), self.type_of(items)), body)
            case EntryLoop() if self._row_at_once(loop):
                pass
            case EntryLoop(name=name, table=table, index=row, body=body):
                begin, end, entries, type_ = self._row(table, row)
                with self._counting(begin, end) as index:
                    place = self.let(f"getelementptr inbounds {type_}, ptr @{entries}, i64 {index}")
                    self._take(name, self.widened(self.load(place, type_), type_), body)

    def _note_index(self, counter: str, index: str) -> None:
        if counter:
            self.store(index, self.variable(counter))

    def _sifted(self, loop: ListLoop) -> bool:
        """A loop in two: the first gathers the items that pass, the second goes through them."""
        name, items, body = loop.name, loop.items, loop.body
        sieve = find_sieve(name, body) if self.facts.sifts else None
        if sieve is None or self._changes_cells(body):
            return False
        tests = ItemTests(self, self._function, loop, sieve)
        if items in self._spread:
            self._sift_spread(loop, sieve, tests)
            return True
        if self._rooms[items] < MACHINE_BITS and tests.are_worth_while():
            self._sift_by_bits(loop, sieve, tests)
            return True
        self._fresh += 1
        passed = f"{items}.passed.{self._fresh}"
        self._lists[f"l.{passed}"] = self._lists[f"l.{items}"]
        self.store("0", self.length(passed))
        with self._counting("0", self.load(self.length(items))) as index:
            self._note_index(loop.index, index)
            self._take(name, self.load(self.item(items, index)), Body([*sieve.assigned]))
            flags = [self.flag(test) for test in sieve.tests]
            kept = self.load(self.length(passed))
            self.store(index, self.item(passed, kept))
            passes = self.let(f"zext i1 {reduce(self._both, flags)} to {NUMBER}")
            self.store(self.let(f"add nsw {NUMBER} {kept}, {passes}"), self.length(passed))
        with self._counting("0", self.load(self.length(passed))) as index:
            at = self.load(self.item(passed, index))
            self._note_index(loop.index, at)
            self._take(name, self.load(self.item(items, at)), Body([*sieve.assigned, *sieve.block.statements]))
        return True

    def _sift_by_bits(self, loop: ListLoop, sieve: Sieve, tests: ItemTests) -> None:
        """The items that pass are bits of a number. After the last item stand some that are tested for nothing."""
        items = loop.items
        length = self.load(self.length(items))
        self.emit(f"store {NUMBERS} zeroinitializer, ptr {self.item(items, length)}, align 8")
        passed = self.fresh_slot("passed", NUMBER)
        self.store("0", passed)
        groups = self.let(
            f"udiv {NUMBER} {self.let(f'add nsw {NUMBER} {length}, {ITEMS_AT_ONCE - 1}')}, {ITEMS_AT_ONCE}"
        )
        with self._counting("0", groups) as group:
            first = self.let(f"mul nsw {NUMBER} {group}, {ITEMS_AT_ONCE}")
            bits = self.let(f"shl {NUMBER} {tests.bits(self.item(items, first), first)}, {first}")
            self.store(self.let(f"or {NUMBER} {self.load(passed)}, {bits}"), passed)
        beyond = self.let(f"shl {NUMBER} -1, {length}")
        inside = self.let(f"xor {NUMBER} {beyond}, -1")
        self.store(self.let(f"and {NUMBER} {self.load(passed)}, {inside}"), passed)
        self._go_through_passed(loop, sieve, tests, passed, beyond)

    def _is_spread(self, loop: ListLoop) -> bool:
        sieve = find_sieve(loop.name, loop.body) if self.facts.sifts and self.facts.spreads else None
        if sieve is None or self._changes_cells(loop.body) or self.type_of(loop.items) != NUMBER:
            return False
        return ItemTests(self, self._function, loop, sieve).are_worth_while()

    def _sift_spread(self, loop: ListLoop, sieve: Sieve, tests: ItemTests) -> None:
        """All items are tested, those that are not there as well; they are kept, to be looked up if they pass."""
        items = loop.items
        none, numbers, known, masks = tests.none or 0, list[str](), 0, list[str]()
        for row, count, room in self._spread[items]:
            first, is_certain = len(numbers), count.isdigit()
            for place in range(int(count) if is_certain else room):
                number = self.load(self.element(row, str(place)))
                if not is_certain:
                    is_there = self.let(f"icmp sgt {NUMBER} {count}, {place}")
                    number = self.let(f"select i1 {is_there}, {NUMBER} {number}, {NUMBER} {none}{UNPREDICTABLE}")
                numbers.append(number)
            if is_certain:
                known |= (1 << len(numbers)) - (1 << first)
            else:
                inside = self.let(f"xor {NUMBER} {self.let(f'shl {NUMBER} -1, {count}')}, -1")
                masks.append(self.let(f"shl {NUMBER} {inside}, {first}"))
        end = len(numbers)
        numbers += [str(none)] * (-end % ITEMS_AT_ONCE)
        self._lists[f"l.{items}"] = f"[{len(numbers) + 1} x {NUMBER}]"
        bits = tests.bits_of_all(numbers)
        if tests.none is None:
            there = reduce(lambda mask, more: self.let(f"or {NUMBER} {mask}, {more}"), masks, str(known))
            bits = self.let(f"and {NUMBER} {bits}, {there}")
        fits = self.facts.lists_at_once and self._lists_many()
        by_place = find_listed_by_place(sieve, loop.name, loop.index) if fits else None
        done = self.label()
        if by_place is not None:
            at_once, one_by_one = self.label(), self.label()
            self.jump_if(self.flag(by_place.test), at_once, one_by_one)
            self.begin(at_once)
            self._list_by_place(bits, len(numbers), by_place)
            self.jump(done)
            self.begin(one_by_one)
            sieve = replace(sieve, block=by_place.otherwise)
        for place, number in enumerate([*numbers, str(none)]):
            self.store(number, self.item(items, str(place)))
        tests.keep()
        passed = self.fresh_slot("passed", NUMBER)
        self.store(bits, passed)
        self._go_through_passed(loop, sieve, tests, passed, str(1 << len(numbers)))
        self.jump(done)
        self.begin(done)

    def _go_through_passed(self, loop: ListLoop, sieve: Sieve, tests: ItemTests, passed: str, beyond: str) -> None:
        """Does what is done for items that pass. `beyond`: a bit for an item that is none, behind all others."""
        items = loop.items
        if tests.are_listed_at_once() and self._lists_many():
            self._list_passed(items, passed, beyond, tests)
            return
        with self._while(lambda: self.let(f"icmp ne {NUMBER} {self.load(passed)}, 0")):
            lowest = self._lowest(self.load(passed))
            self._forget_lowest(passed)
            self._note_index(loop.index, lowest)
            to_do = Body([*tests.work_out(lowest), *sieve.block.statements])
            self._take(loop.name, self.load(self.item(items, lowest)), to_do)

    def _list_passed(self, items: str, passed: str, beyond: str, tests: ItemTests) -> None:
        """Lists an action for each item that passes, four at a time; what is written for none is not counted."""
        count = self.slot(COUNT, NUMBER)
        listed = self.load(count)
        counted = self.let(f"call {NUMBER} @llvm.ctpop.i64(i64 {self.load(passed)})")
        with self._while(lambda: self.let(f"icmp ne {NUMBER} {self.load(passed)}, 0")):
            places = []
            for _ in range(ITEMS_AT_ONCE):
                places.append(self._lowest(self.let(f"or {NUMBER} {self.load(passed)}, {beyond}")))
                self._forget_lowest(passed)
            chosen = [self.load(self.item(items, place)) for place in places]
            words, type_ = tests.words(chosen, places), NUMBERS
            if self.facts.lists_numbers:
                type_ = f"<{ITEMS_AT_ONCE} x {SHORT}>"
                words = self.let(f"trunc {NUMBERS} {words} to {type_}")
            place = self.load(count)
            self.emit(f"store {type_} {words}, ptr {self.option(place)}, align 4")
            self.store(self.let(f"add nsw {NUMBER} {place}, {ITEMS_AT_ONCE}"), count)
        self.store(self.let(f"add nsw {NUMBER} {listed}, {counted}"), count)

    def _lowest(self, bits: str) -> str:
        return self.let(f"call {NUMBER} @llvm.cttz.i64(i64 {bits}, i1 true)")

    def _forget_lowest(self, slot: str) -> None:
        bits = self.load(slot)
        self.store(self.let(f"and {NUMBER} {bits}, {self.let(f'sub {NUMBER} {bits}, 1')}"), slot)

    def _both(self, first: str, second: str) -> str:
        return self.let(f"and i1 {first}, {second}")

    def _take(self, name: str, value: str, body: Body) -> None:
        self.emit(f"store {self.type_of(name)} {value}, ptr {self.variable(name)}")
        self._body(body)

    def _is_before(self, position: str, end: str) -> str:
        return self.let(f"icmp slt {NUMBER} {self.load(position)}, {end}")

    @contextmanager
    def _while(self, test: Callable[[], str]) -> Generator[None]:
        head, inside, done = self.label(), self.label(), self.label()
        self.jump(head)
        self.begin(head)
        self.jump_if(test(), inside, done)
        self.begin(inside)
        self._loop_ends.append(done)
        yield
        self._loop_ends.pop()
        self.jump(head)
        self.begin(done)

    @contextmanager
    def _counting(self, low: str, high: str, *, is_falling: bool = False) -> Generator[str]:
        """For each number of a range, whose ends are worked out before."""
        position = self.fresh_slot("at", NUMBER)
        self.store(high if is_falling else low, position)

        def goes_on() -> str:
            here = self.load(position)
            return self.let(f"icmp {'sgt' if is_falling else 'slt'} {NUMBER} {here}, {low if is_falling else high}")

        with self._while(goes_on):
            index = self.load(position)
            if is_falling:
                index = self.let(f"sub nsw {NUMBER} {index}, 1")
                self.store(index, position)
            else:
                self.store(self.let(f"add nsw {NUMBER} {index}, 1"), position)
            yield index

    def _cell_loop(self, loop: CellLoop) -> None:
        are_numbers = self.facts.lists_numbers or self.word_type == NUMBER
        fits = self.facts.finds_full_rows and self._lists_many() and are_numbers
        row = find_full_row(loop) if fits else None
        if row is not None:
            self._full_row(loop, row)
        else:
            self._each_cell(loop)

    def _full_row(self, loop: CellLoop, row: FullRow) -> None:
        """Lists a row at once if nothing is missing in it, which a processor foresees; else one by one."""
        first, missing, done = self.number(loop.first), self.label(), self.label()
        for place in range(row.size):
            held = self.load(self.element("%s", self.let(f"add nsw {NUMBER} {first}, {place}")))
            there = self.label()
            self.jump_if(self.let(f"icmp ne {NUMBER} {held}, {row.none}"), there, missing)
            self.begin(there)
        many = {loop.index: f"<{', '.join(f'{NUMBER} {place}' for place in range(row.size))}>"}
        if loop.name in names_in(row.word):
            cells = self.element("%s", self.number(loop.first))
            many[loop.name] = self.let(f"load <{row.size} x {NUMBER}>, ptr {cells}, align 8")
        self._list_many(self._words_of_many(row.word, many, row.size), row.size, str(row.size))
        self.jump(done)
        self.begin(missing)
        self._each_cell(loop)
        self.jump(done)
        self.begin(done)

    def _each_cell(self, loop: CellLoop) -> None:
        low, size = self.number(loop.first), self.number(loop.count)
        cells = source = self.element("%s", low)
        has_own_copy = self._changes_cells(loop.body)  # the cells as they were, whatever the body does to them
        stack = self.let("call ptr @llvm.stacksave.p0()") if has_own_copy else ""
        if has_own_copy:
            cells = self.let(f"alloca {NUMBER}, i64 {size}, align 8")
            self._copy(cells, source, size)
        with self._counting("0", size) as index:
            self._note_index(loop.index, index)
            self._take(loop.name, self.load(self.element(cells, index)), loop.body)
        if has_own_copy:
            self.emit(f"call void @llvm.stackrestore.p0(ptr {stack})")

    def _changes_cells(self, body: Body) -> bool:
        return any(
            isinstance(statement, Store | StoreByte | ShiftCells | DropByte | PopCells)
            or any(map(self._changes, nodes_of(statement)))
            for statement in all_statements(body)
        )

    def _changes(self, node: Node) -> bool:
        is_change = isinstance(node, Below) or (isinstance(node, Invoke) and node.function in self.facts.changing)
        return is_change or any(map(self._changes, child_nodes(node)))


__all__ = ["LlvmLoops"]
