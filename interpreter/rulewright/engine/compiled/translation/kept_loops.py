"""Steps that begin while they are under way put their loops away, too.

In: the body of a function, and where the loops of steps stand, which is known only when all steps are written. Out: the
same body, in which the cells of loops are put away and come back with the other cells of their steps.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.engine.compiled.kernel.kernel_statements import Body, PopCells, PushCells, Statement, bodies_of


def keep_loops(block: Body, loops: Mapping[int, tuple[int, int]]) -> None:
    """Adds cells to those that are put away. `loops`: by the first cell of some steps the first cell of their loops,
    and how many there are.
    """
    kept: list[Statement] = []
    for statement in block.statements:
        match statement:
            case PushCells(first=first) if first in loops:
                kept += [statement, PushCells(*loops[first])]
                continue
            case PopCells(first=first) if first in loops:
                kept += [PopCells(*loops[first]), statement]
                continue
            case _:
                for inner in bodies_of(statement):
                    keep_loops(inner, loops)
        kept.append(statement)
    block.statements[:] = kept


__all__ = ["keep_loops"]
