"""What the numbers of generated Python mean, as comments behind its lines.

In: whose cells are, which rule a fault is of, what a point is called. Out: the comment for a line, empty where the code
says it already.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.engine.compiled.kernel import Binary, Int, Name, Node, names_in
from rulewright.frozen import frozen


@frozen
class Notes:
    """What numbers of a program mean: cells by the first of a row of them, faults, points. They become comments where
    the code does not say it.
    """

    cells: Mapping[int, str]
    faults: Sequence[str]
    points: Mapping[int, str]

    def cell(self, index: Node, value: Node) -> str:
        """Whose a cell is that is written: of a number, or of a row that begins with it and has a cell a seat."""
        match index:
            case Int(value=first) | Binary(op="+", left=Name(text="me"), right=Int(value=first)):
                name = self.cells.get(first, "")
                return "" if name.replace(" ", "_") in names_in(value) else _comment(name)
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


def _comment(text: str) -> str:
    return f"  # {text}" if text else ""


__all__ = ["Notes"]
