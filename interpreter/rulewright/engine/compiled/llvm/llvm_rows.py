"""Actions listed several at once in machine code: rows of cells and of tables, items by their places.

In: what is listed for each of a row. Out: instructions of LLVM's text form without a jump: as many actions are written
as there can be, but only those that there are count, and the next ones lie over the others.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Final

from rulewright.engine.compiled.kernel.kernel import Below, Binary, Int, Invoke, Name, Node, child_nodes, names_in
from rulewright.engine.compiled.kernel.kernel_statements import AddOption, EntryLoop
from rulewright.engine.compiled.kernel.packed_counts import BYTES_OF_CELL
from rulewright.engine.compiled.llvm.llvm_expressions import LlvmExpressions, table_symbol
from rulewright.engine.compiled.llvm.llvm_facts import NUMBER, SHORT
from rulewright.engine.compiled.llvm.option_room import SHORT_COPY
from rulewright.engine.compiled.llvm.places_at_once import PLACES_AT_ONCE, ROW_OF_STEPS, ListedByPlace, steps_table

VECTOR_OPS: Final = {"+": "add", "|": "or", "<<": "shl", ">>": "ashr"}
LISTED_OF_ROW: Final = 8  # entries of a table, at once
COUNT: Final = "options"  # the slot that holds how many legal actions are listed


class LlvmRows(LlvmExpressions, ABC):
    """What one function lists several at once."""

    @abstractmethod
    def _lists_many(self) -> bool:
        """Whether there is room for a few words behind the last action that is listed."""

    def _copy(self, target: str, source: str, count: str) -> None:
        if count.isdigit() and int(count) <= SHORT_COPY:
            cells = f"<{count} x {NUMBER}>"
            if count != "0":
                self.emit(f"store {cells} {self.let(f'load {cells}, ptr {source}, align 8')}, ptr {target}, align 8")
            return
        size = self.let(f"mul nsw {NUMBER} {count}, {BYTES_OF_CELL}")
        self.emit(
            f"call void @llvm.memmove.p0.p0.i64(ptr align 8 {target}, ptr align 8 {source}, i64 {size}, i1 false)"
        )

    def _row(self, table: str, row: Node | None) -> tuple[str, str, str, str]:
        """Where the numbers of a row of a table begin and end, the array in which they are, and their type."""
        shape = self.facts.tables[table]
        if row is None:
            return "0", str(shape.entries), table_symbol(table), shape.type_
        index = self.number(row)
        ends = [
            self.load(self.let(f"getelementptr inbounds i32, ptr @{table_symbol(f'{table}.rows')}, i64 {place}"), "i32")
            for place in (index, self.let(f"add nsw {NUMBER} {index}, 1"))
        ]
        low, high = (self.let(f"zext i32 {end} to {NUMBER}") for end in ends)
        return low, high, table_symbol(table), shape.type_

    def _row_at_once(self, loop: EntryLoop) -> bool:
        """Lists an action for each entry of a short row, if no more is done: as many as the longest row has."""
        longest = self.facts.tables[loop.table].longest
        match loop.body.statements:
            case [AddOption(word=word)] if 0 < longest <= LISTED_OF_ROW and _is_of_many(word, loop.name):
                pass
            case _:
                return False
        if not (self.facts.lists_at_once and self._lists_many()):
            return False
        low, high, entries, type_ = self._row(loop.table, loop.index)
        first = self.let(f"getelementptr inbounds {type_}, ptr @{entries}, i64 {low}")
        row = self.let(f"load <{LISTED_OF_ROW} x {type_}>, ptr {first}, align {int(type_[1:]) // 8}")
        if type_ != NUMBER:
            row = self.let(f"zext <{LISTED_OF_ROW} x {type_}> {row} to <{LISTED_OF_ROW} x {NUMBER}>")
        words = self._words_of_many(word, {loop.name: row}, LISTED_OF_ROW)
        self._list_many(words, LISTED_OF_ROW, self.let(f"sub nsw {NUMBER} {high}, {low}"))
        return True

    def _list_many(self, words: str, size: int, counted: str) -> None:
        """Writes so many words, of which some are counted."""
        type_ = f"<{size} x {NUMBER}>"
        if self.facts.lists_numbers:
            short = f"<{size} x {SHORT}>"
            type_, words = short, self.let(f"trunc {type_} {words} to {short}")
        count = self.load(self.slot(COUNT, NUMBER))
        self.emit(f"store {type_} {words}, ptr {self.option(count)}, align 4")
        self.store(self.let(f"add nsw {NUMBER} {count}, {counted}"), self.slot(COUNT, NUMBER))

    def _words_of_many(self, word: Node, many: Mapping[str, str], size: int) -> str:
        """So many values of an expression. `many`: by name the variables that have another value in each."""
        type_ = f"<{size} x {NUMBER}>"
        match word:
            case Name(text=text) if text in many:
                return many[text]
            case Int(value=value):
                return f"<{', '.join([f'{NUMBER} {int(value)}'] * size)}>"
            case Binary(op=op, left=left, right=right) if names_in(word) & many.keys():
                parts = [self._words_of_many(part, many, size) for part in (left, right)]
                return self.let(f"{VECTOR_OPS[op]} {type_} {', '.join(parts)}")
            case _:
                first = self.let(f"insertelement {type_} poison, {NUMBER} {self.number(word)}, i64 0")
                zeros = f"<{size} x i32> zeroinitializer"
                return self.let(f"shufflevector {type_} {first}, {type_} poison, {zeros}")

    def _list_by_place(self, bits: str, size: int, listed: ListedByPlace) -> None:
        """Lists the actions of the items of which there is a bit."""
        self.facts.steps_listed.add(listed.step)
        count = self.load(self.slot(COUNT, NUMBER))
        for at in range(0, size, PLACES_AT_ONCE):
            shifted = self.let(f"lshr {NUMBER} {bits}, {at}")
            four = self.let(f"and {NUMBER} {shifted}, {(1 << PLACES_AT_ONCE) - 1}")
            row = self.let(f"getelementptr inbounds {ROW_OF_STEPS}, ptr @{steps_table(listed.step)}, i64 {four}")
            steps = self.let(f"load {ROW_OF_STEPS}, ptr {row}, align 16")
            first = ", ".join([f"{SHORT} {listed.first + at * listed.step}"] * PLACES_AT_ONCE)
            numbers = self.let(f"add {ROW_OF_STEPS} {steps}, <{first}>")
            self.emit(f"store {ROW_OF_STEPS} {numbers}, ptr {self.option(count)}, align 4")
            passed = self.let(f"call {NUMBER} @llvm.ctpop.i64(i64 {four})")
            count = self.let(f"add nsw {NUMBER} {count}, {passed}")
        self.store(count, self.slot(COUNT, NUMBER))


def _is_of_many(word: Node, entry: str) -> bool:
    """Whether an action is worked out for several entries together."""
    if entry not in names_in(word):
        return not _calls(word)
    match word:
        case Binary(op=op, left=left, right=right):
            return op in VECTOR_OPS and _is_of_many(left, entry) and _is_of_many(right, entry)
        case _:
            return isinstance(word, Name)


def _calls(node: Node) -> bool:
    return isinstance(node, Below | Invoke) or any(map(_calls, child_nodes(node)))


__all__ = ["COUNT", "LlvmRows"]
