"""Rows of cells that are listed thing by thing, and mostly lack none: all of them are listed at once.

In: a loop over cells. Out: a `FullRow` if it lists an action with a number of its own for each cell that holds
something, and does nothing else.
"""

from __future__ import annotations

from rulewright.engine.compiled.kernel import Binary, Int, Name, Node
from rulewright.engine.compiled.kernel_statements import Branch, CellLoop
from rulewright.engine.compiled.option_room import SHORT_COPY, word_if
from rulewright.frozen import frozen


@frozen
class FullRow:
    """`size`: how many cells; `none`: what stands in one that holds nothing; `number`: of the action for the first."""

    size: int
    none: int
    number: int


def find_full_row(loop: CellLoop) -> FullRow | None:
    """What a loop lists where each of its cells holds something."""
    match loop.count, loop.body.statements:
        case Int(value=size), [Branch(test=Binary(op="!=", left=Name(text=name), right=Int(value=none))) as branch] if (
            name == loop.name and size <= SHORT_COPY
        ):
            number = _number(word_if(branch), loop.index)
            return None if number is None else FullRow(size, none, number)
        case _:
            return None


def _number(listed: Node | None, index: str) -> int | None:
    """What is listed for the first cell, where it is one more for each that follows."""
    match listed:
        case Name(text=name) if name == index:
            return 0
        case Binary(op="+", left=Name(text=name), right=Int(value=number)) if name == index:
            return number
        case _:
            return None


__all__ = ["FullRow", "find_full_row"]
