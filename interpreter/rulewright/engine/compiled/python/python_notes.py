"""What the numbers of generated Python mean, as comments behind its lines.

In: what stands in which cells, which rule a fault is of, what a point is called. Out: the comment for a line, empty
where the code says it already.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from rulewright.engine.compiled.kernel.kernel import Binary, Cell, Int, Name, Node, child_nodes, names_in
from rulewright.frozen import frozen


@frozen
class Notes:
    """What numbers of a program mean: cells; `rows` of several cells, by the first of them; faults; points. They become
    comments where the code does not say it.
    """

    cells: Mapping[int, str]
    rows: Mapping[int, str]
    faults: Sequence[str]
    points: Mapping[int, str]

    def written(self, index: Node, value: Node) -> str:
        """What the cell is that gets a value."""
        name = self._cell(index)
        return "" if _snake(name) in names_in(value) else _comment(name)

    def read(self, value: Node, name: str = "") -> str:
        """What the cell is that is read, if it is a single one, and the variable `name` gets its value."""
        cells = {text for index in _indexes(value) if (text := self._cell(index))}
        if len(cells) != 1:
            return ""
        cell = cells.pop()
        return "" if name.startswith(_snake(cell.removeprefix("state "))) else _comment(cell)

    def run(self, first: Node) -> str:
        """What the cells are from `first` on."""
        return _comment(self._cell(first))

    def _cell(self, index: Node) -> str:
        """What stands in a cell: by its number, or that of the first cell of its row."""
        match index:
            case Int(value=first):
                return self.cells.get(first, "")
            case Binary(op="+", left=Name(), right=Int(value=first)):
                return self.rows.get(first, "")
            case _:
                return ""

    def fault(self, number: int, remark: str) -> str:
        """The rule that fails, if it is not the one that was named last."""
        return _comment(self.faults[number]) if self.faults[number] != remark else ""

    def point(self, values: Sequence[Node]) -> str:
        """From where the game goes on, if a number says so."""
        match values:
            case (Int(value=value),):
                return _comment(self.points.get(value, ""))
            case _:
                return ""


def _indexes(node: Node) -> Iterator[Node]:
    """The numbers of the cells that an expression reads."""
    if isinstance(node, Cell):
        yield node.index
    for part in child_nodes(node):
        yield from _indexes(part)


def _snake(text: str) -> str:
    return re.sub(r"\W", "_", text)


def _comment(text: str) -> str:
    return f"  # {text}" if text else ""


__all__ = ["Notes"]
