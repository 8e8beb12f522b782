"""Of things whose counts must not be short of a bag by more than so many, the highest count is asked first.

In: a function of generated Python, with a loop over things. Out: the same function, in which most things that cannot
pass are left out by one look at their highest count: if all that is short together is within a bound, so is that alone.
Where places may be empty, what stands for no thing has a count that nothing reaches, and need not be asked about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Final, TypeAlias

from rulewright.engine.compiled.kernel.kernel import (
    Binary,
    ByteSum,
    Int,
    Lane,
    LanesAbove,
    ListItem,
    Name,
    Node,
    TableEntry,
)
from rulewright.engine.compiled.kernel.kernel_arithmetic import add
from rulewright.engine.compiled.kernel.kernel_statements import (
    Append,
    Assign,
    Body,
    Branch,
    CellLoop,
    Function,
    ListLoop,
    NewList,
    Statement,
    bodies_of,
    names_given,
)
from rulewright.engine.compiled.kernel.machine_shape import MACHINE_BITS
from rulewright.engine.compiled.kernel.packed_counts import HIGHEST_BIT, LANE_BITS, MAX_IN_LANE, MAX_LANES, MIN_LANES
from rulewright.engine.compiled.kernel.word_widths import all_statements
from rulewright.frozen import frozen

OUT_OF_REACH: Final = 1 << MACHINE_BITS  # above all numbers that machine code could hold
NewTables: TypeAlias = dict[str, Sequence[object] | Mapping[int, object]]


@frozen
class _Shortage:
    """What things in a loop are short of. `table`: their counts, each with the highest bit of its byte set; `held`: the
    bag; `bound`: how much may be missing in all; `lanes`: how many counts there are, from the lowest byte on.
    """

    table: str
    held: Name
    bound: Name
    lanes: int


def ask_hardest_first(function: Function, tables: Mapping[str, Sequence[object]], made: NewTables) -> None:
    """Changes the body of a function that changes nothing; adds the tables that it reads to `made`."""
    given = Counter(name for statement in all_statements(function.body) for name in names_given(statement))
    _change(function.body, given, tables, made)


def _change(body: Body, given: Counter[str], tables: Mapping[str, Sequence[object]], made: NewTables) -> None:
    kept: list[Statement] = []
    for statement in body.statements:
        if isinstance(statement, ListLoop | CellLoop):
            kept += _before_loop(statement.name, statement.body, given, tables, made)
        for inner in bodies_of(statement):
            _change(inner, given, tables, made)
        kept.append(statement)
    body.statements[:] = kept


def _before_loop(
    item: str, body: Body, given: Counter[str], tables: Mapping[str, Sequence[object]], made: NewTables
) -> Iterator[Statement]:
    """Puts the question into the loop; what has to be worked out before it."""
    inner = body
    while inner.statements:
        last = inner.statements[-1]
        if not isinstance(last, Branch) or last.otherwise.statements:
            return
        inside = {name for statement in all_statements(body) for name in names_given(statement)}
        found = _shortage(item, inner.statements[:-1], last.test)
        if found is None:
            inner = last.then
            continue
        names = (found.held.text, found.bound.text)
        rows = [row for row in tables.get(found.table, ()) if isinstance(row, int)]
        signs = sum(HIGHEST_BIT << LANE_BITS * at for at in range(found.lanes))
        if inside & set(names) or any(given[name] > 1 for name in names) or any(row & signs != signs for row in rows):
            return
        reach = next(name for name in _numbered("reach") if name not in given)
        given[reach] += 1
        nothing = _row_of_nothing(item, body, inner)
        most, most_at = _most_tables(found, rows, nothing, made)
        passes = Binary("<=", TableEntry(most, Name(item)), ListItem(reach, TableEntry(most_at, Name(item))))
        asked = body if nothing is not None else inner
        asked.statements[:] = [Branch(passes, Body(list(inner.statements)), Body())]
        yield NewList(reach, found.lanes)
        for at in range(found.lanes):
            yield Append(reach, add(found.bound, Lane(found.held, at, MAX_IN_LANE, MAX_LANES + 1)))
        return


def _shortage(item: str, before: Sequence[Statement], test: Node) -> _Shortage | None:
    """What a test asks, if it asks whether all that things are short of is within a bound."""
    values = {statement.name: statement.value for statement in before if isinstance(statement, Assign)}
    if len(values) != len(before):
        return None

    def meaning(node: Node) -> Node:
        return values.get(node.text, node) if isinstance(node, Name) else node

    match test:
        case Binary(op="<=", left=left, right=Name() as bound) if isinstance(summed := meaning(left), ByteSum):
            lanes = meaning(summed.of)
        case _:
            return None
    match lanes:
        case LanesAbove(of=of, ones=ones):
            count_of_lanes = ones.bit_count()
            is_whole = ones == sum(1 << LANE_BITS * at for at in range(count_of_lanes))
        case _:
            return None
    match meaning(of):
        case Binary(op="-", left=TableEntry(table=table, index=Name(text=text)), right=Name() as held) if (
            text == item and is_whole and count_of_lanes >= MIN_LANES
        ):
            return _Shortage(table, held, bound, count_of_lanes)
        case _:
            return None


def _row_of_nothing(item: str, body: Body, inner: Body) -> int | None:
    """What stands for no thing, if all that a loop does is to ask that first, and then what `inner` asks."""
    match body.statements:
        case [Branch(test=Binary(op="!=", left=Name(text=text), right=Int(value=row)), then=then)] if (
            text == item and then is inner
        ):
            return row
        case _:
            return None


def _most_tables(found: _Shortage, rows: Sequence[int], nothing: int | None, made: NewTables) -> tuple[str, str]:
    """The highest count of each thing, and which of its counts that is. `nothing`: the row of no thing."""
    counts = [[row >> LANE_BITS * at & MAX_IN_LANE for at in range(found.lanes)] for row in rows]
    base = found.table.removesuffix("_lanes_marked")
    return (
        _table(f"{base}_most", [OUT_OF_REACH if at == nothing else max(row) for at, row in enumerate(counts)], made),
        _table(f"{base}_most_at", [row.index(max(row)) for row in counts], made),
    )


def _table(name: str, values: Sequence[int], made: NewTables) -> str:
    return next(unique for unique in _numbered(name) if made.setdefault(unique, tuple(values)) == tuple(values))


def _numbered(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}{number}" for number in count(2))


__all__ = ["NewTables", "ask_hardest_first"]
