"""A loop over things that ask for counts of a bag is left out where the bag holds less than any of them asks for.

In: a function of generated Python, with a loop that does something only for things whose counts are within a bag. Out:
the same function, in which the loop stands behind one question: does the bag hold as many, all members together, as
the thing that asks for the fewest?
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from rulewright.engine.compiled.kernel.kernel import Binary, ByteSum, Cell, Int, Name, Node, TableEntry
from rulewright.engine.compiled.kernel.kernel_statements import (
    Assign,
    Body,
    Branch,
    CellLoop,
    Function,
    ListLoop,
    Remark,
    Statement,
    bodies_of,
    names_given,
)
from rulewright.engine.compiled.kernel.packed_counts import HIGHEST_BIT, LANE_BITS, MAX_IN_BYTE, MAX_LANES
from rulewright.engine.compiled.kernel.word_widths import all_statements


def ask_totals_first(function: Function, tables: Mapping[str, Sequence[object]], columns: Collection[str]) -> None:
    """Changes the body of a function that changes nothing. `columns`: tables by things, with a row more for no thing,
    which no such loop goes through.
    """
    statements = list(all_statements(function.body))
    given = Counter(name for statement in statements for name in names_given(statement))
    definitions = {each.name: each.value for each in statements if isinstance(each, Assign) and given[each.name] == 1}

    def least_total(loop: ListLoop | CellLoop) -> tuple[Name, int] | None:
        """The bag, and the fewest that it has to hold."""
        match [each for each in loop.body.statements if not isinstance(each, Remark)]:
            case [Branch(test=test, otherwise=Body(statements=[]))]:
                found = _asked(test, loop.name, definitions)
            case _:
                return None
        if found is None:
            return None
        bag, table, signs = found
        if not isinstance(definitions.get(bag.text), Cell):  # whose bytes are below 255 together
            return None
        rows = [row for row in tables.get(table, ()) if isinstance(row, int)]
        return bag, min((sum(_counts(row, signs)) for row in (rows[:-1] if table in columns else rows)), default=0)

    def change(body: Body) -> None:
        kept: list[Statement] = []
        for statement in body.statements:
            for inner in bodies_of(statement):
                change(inner)
            found = least_total(statement) if isinstance(statement, ListLoop | CellLoop) else None
            if found is not None and found[1] > 0:
                bag, least = found
                statement = Branch(Binary(">=", ByteSum(bag), Int(least)), Body([statement]), Body())
            kept.append(statement)
        body.statements[:] = kept

    change(function.body)


def _asked(test: Node, item: str, definitions: Mapping[str, Node]) -> tuple[Name, str, int] | None:
    """A bag, a table and highest bits, where a test asks whether the bag holds all counts of the item's row in it."""
    match test:
        case Binary(
            op="==",
            left=Binary(
                op="&",
                left=Binary(op="-", left=whole, right=TableEntry(table=table, index=Name(text=text))),
                right=Int(value=signs),
            ),
            right=Int(value=same),
        ) if text == item and signs == same:
            marked = definitions.get(whole.text, whole) if isinstance(whole, Name) else whole
        case _:
            return None
    match marked:
        case Binary(op="|", left=Name() as bag, right=Int(value=marks)) if marks == signs:
            return bag, table, signs
        case _:
            return None


def _counts(row: int, signs: int) -> Iterator[int]:
    for lane in range(MAX_LANES):
        if signs >> LANE_BITS * lane & HIGHEST_BIT:
            yield row >> LANE_BITS * lane & MAX_IN_BYTE


__all__ = ["ask_totals_first"]
