"""Actions that depend only on which counts of a bag are high enough are listed from a table, all at once.

In: a function of generated Python that lists actions. Out: the same function, in which statements that compare the
counts of a bag with known numbers, and read nothing else that changes, are one look into a table. What they list is
worked out before play for each answer to these comparisons, by carrying them out. All comparisons are made as one sum:
a count is high enough where its byte reaches 128.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final, TypeAlias

from rulewright.engine.compiled.kernel.kernel import (
    Binary,
    ByteSum,
    Either,
    Int,
    Lane,
    Name,
    Negate,
    Node,
    TableEntry,
    child_nodes,
)
from rulewright.engine.compiled.kernel.kernel_arithmetic import add, binary, value_of
from rulewright.engine.compiled.kernel.kernel_statements import (
    AddOption,
    AddOptions,
    Assign,
    Body,
    Branch,
    EntryLoop,
    Function,
    Remark,
    Statement,
    bodies_of,
    nodes_of,
)
from rulewright.engine.compiled.kernel.packed_counts import HIGHEST_BIT, LANE_BITS, MAX_IN_BYTE, MAX_LANES
from rulewright.engine.compiled.kernel.word_widths import all_statements
from rulewright.frozen import frozen

MAX_COMPARED: Final = 8  # counts: so that a table has at most 256 rows
LEAST_COMPARED: Final = 2  # a single one is as soon compared
AT_LEAST: Final = {">": 1, ">=": 0, "<=": 1, "<": 0}  # by comparison: how much above its number the answer changes
Tables: TypeAlias = Mapping[str, Sequence[object]]
ReadyLists: TypeAlias = dict[str, Mapping[int, tuple[int, ...]]]


class _NotReady(Exception):
    """Statements read what is not known before play."""


@frozen
class _Compared:
    """A count of a bag, and from which number on it is high enough."""

    bag: Node
    at: int
    least: int


def list_from_tables(function: Function, tables: Tables, ready: ReadyLists) -> None:
    """Changes the body of a function that changes nothing; adds the tables that it reads to `ready`."""
    _Lister(function, tables, ready).change(function.body, function.name)


class _Lister:
    """`_given`: how often each variable is given a value; `_definitions`: what it stands for if that is once."""

    def __init__(self, function: Function, tables: Tables, ready: ReadyLists) -> None:
        given = [statement for statement in all_statements(function.body) if isinstance(statement, Assign)]
        self._given = Counter(statement.name for statement in given)
        self._definitions = {each.name: each.value for each in given if self._given[each.name] == 1}
        self._tables = tables
        self._ready = ready

    def change(self, body: Body, name: str) -> None:
        kept: list[Statement] = []
        run: list[Statement] = []  # statements that could be one look into a table
        for statement in [*body.statements, None]:
            if statement is not None and self._compared([*run, statement]) is not None:
                run.append(statement)
                continue
            kept += self._as_table(run, name)
            run = []
            if statement is None:
                break
            if self._compared([statement]) is not None:
                run = [statement]
                continue
            for inner in bodies_of(statement):
                self.change(inner, name)
            kept.append(statement)
        body.statements[:] = kept

    def _as_table(self, run: Sequence[Statement], name: str) -> Sequence[Statement]:
        compared = self._compared(run) if run else None
        if compared is None or len(compared) < LEAST_COMPARED:
            return run
        rows: dict[int, tuple[int, ...]] = {}
        for answers in product((False, True), repeat=len(compared)):
            high = [each for each, is_high in zip(compared, answers, strict=True) if is_high]
            counts = {(each.bag, each.at): each.least - (each not in high) for each in compared}
            key = sum(HIGHEST_BIT << LANE_BITS * each.at for each in high)
            try:
                rows[key] = tuple(_Listing(self._definitions, self._tables, counts).words(run))
            except _NotReady:
                return run
        table = self._table(name, rows)
        missing, signs = _look(compared)
        return [AddOptions(table, binary("&", add(compared[0].bag, Int(missing)), Int(signs)))]

    def _table(self, name: str, rows: Mapping[int, tuple[int, ...]]) -> str:
        base, number = name.replace("options", "words", 1), 1
        while (unique := f"{base}_{number}") in self._tables or self._ready.setdefault(unique, rows) != rows:
            number += 1
        return f"{base}_{number}"

    # ---- what statements compare ----------------------------------------------------------------------------------

    def _compared(self, statements: Sequence[Statement]) -> tuple[_Compared, ...] | None:
        """The counts of one bag on which it depends what is listed; None where that depends on more."""
        if not all(isinstance(each, Branch | AddOption | AddOptions | EntryLoop) for each in statements):
            return None
        if not any(isinstance(each, AddOption | AddOptions) for each in _all(statements)):
            return None
        found: dict[tuple[Node, int], _Compared] = {}
        given = Counter(each.name for each in _all(statements) if isinstance(each, Assign))
        if any(given[name] < self._given[name] for name in given):
            return None  # it may be read elsewhere
        own = {*given, *(each.name for each in _all(statements) if isinstance(each, EntryLoop))}
        try:
            for statement in _all(statements):
                if not isinstance(statement, Branch | Assign | AddOption | AddOptions | EntryLoop | Remark):
                    return None
                for node in nodes_of(statement):
                    for each in self._comparisons(node, own):
                        if found.setdefault((each.bag, each.at), each) != each:
                            return None
        except _NotReady:
            return None
        bags = {bag for bag, _ in found}
        if len(bags) != 1 or len(found) > MAX_COMPARED:
            return None
        return tuple(found[key] for key in sorted(found, key=lambda key: key[1]))

    def _comparisons(self, node: Node, own: set[str]) -> Iterator[_Compared]:
        if (reached := _reached(node)) is not None:
            yield from reached
            return
        match node:
            case Int():
                return
            case Name(text=text) if text in own:
                return
            case Name(text=text) if text in self._definitions:
                yield from self._comparisons(self._definitions[text], own)
            case Binary(op=op, left=left, right=Int(value=number)) if op in AT_LEAST and self._lane(left) is not None:
                lane = self._lane(left)
                assert lane is not None
                least = number + AT_LEAST[op]
                if not 0 < least < HIGHEST_BIT or not isinstance(lane.of, Name):
                    raise _NotReady
                yield _Compared(lane.of, lane.at, least)
            case Binary() | Negate() | Either() | TableEntry() | ByteSum():
                for part in child_nodes(node):
                    yield from self._comparisons(part, own)
            case _:
                raise _NotReady

    def _lane(self, node: Node) -> Lane | None:
        meant = self._definitions.get(node.text) if isinstance(node, Name) else node
        return meant if isinstance(meant, Lane) else None


class _Listing:
    """Carries out statements for known counts. `counts`: by the bag and the place in it."""

    def __init__(self, definitions: Mapping[str, Node], tables: Tables, counts: Mapping[tuple[Node, int], int]) -> None:
        self._definitions = definitions
        self._tables = tables
        self._counts = counts
        self._values: dict[str, int] = {}

    def words(self, statements: Sequence[Statement]) -> Iterator[int]:
        """The actions that are listed."""
        for statement in statements:
            match statement:
                case Assign(name=name, value=value):
                    self._values[name] = self._value(value)
                case Branch(test=test, then=then, otherwise=otherwise):
                    yield from self.words((then if self._value(test) else otherwise).statements)
                case AddOption(word=word):
                    yield self._value(word)
                case AddOptions(table=table, index=index):
                    yield from self._entry(table, self._value(index))  # type: ignore[misc]  # a table of rows
                case EntryLoop(name=name, table=table, index=index, body=body):
                    row = self._tables[table] if index is None else self._entry(table, self._value(index))
                    for entry in row:  # type: ignore[attr-defined]  # the same
                        self._values[name] = entry
                        yield from self.words(body.statements)
                case Remark():
                    pass
                case _:
                    raise _NotReady

    def _entry(self, table: str, index: int) -> object:
        entries = self._tables[table]
        if not 0 <= index < len(entries):
            raise _NotReady
        return entries[index]

    def _value(self, node: Node) -> int:
        value = value_of(node, self._meaning, self._tables)
        if value is None:
            raise _NotReady
        return value

    def _meaning(self, node: Node) -> Node:
        if (reached := _reached(node)) is not None and all((each.bag, each.at) in self._counts for each in reached):
            high = [each.at for each in reached if self._counts[each.bag, each.at] >= each.least]
            return Int(sum(HIGHEST_BIT << LANE_BITS * at for at in high))
        match node:
            case Name(text=text) if text in self._values:
                return Int(self._values[text])
            case Name(text=text):
                return self._definitions.get(text, node)
            case Lane(of=of, at=at) if (of, at) in self._counts:
                return Int(self._counts[of, at])
            case _:
                return node


def _reached(node: Node) -> tuple[_Compared, ...] | None:
    """The counts of which a node has the highest bits, each of which is set where the count is high enough."""
    match node:
        case Binary(op="&", left=Binary(op="+", left=Name() as bag, right=Int(value=missing)), right=Int(value=signs)):
            lanes = [at for at in range(MAX_LANES) if signs >> LANE_BITS * at & HIGHEST_BIT]
            found = tuple(_Compared(bag, at, HIGHEST_BIT - (missing >> LANE_BITS * at & MAX_IN_BYTE)) for at in lanes)
            is_one_look = _look(found) == (missing, signs) and all(0 < each.least < HIGHEST_BIT for each in found)
            return found if found and is_one_look else None
        case _:
            return None


def _look(compared: Sequence[_Compared]) -> tuple[int, int]:
    """What is added to a bag so that a count that is high enough reaches the highest bit of its byte; these bits."""
    missing = sum((HIGHEST_BIT - each.least) << LANE_BITS * each.at for each in compared)
    return missing, sum(HIGHEST_BIT << LANE_BITS * each.at for each in compared)


def _all(statements: Sequence[Statement]) -> Iterator[Statement]:
    return all_statements(Body(list(statements)))


__all__ = ["ReadyLists", "list_from_tables"]
