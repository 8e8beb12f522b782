"""Rows of cells that are listed thing by thing, and mostly lack none: all of them are listed at once.

In: a loop over cells. Out: a `FullRow` if it lists an action for each cell that holds something, and does nothing else.
"""

from __future__ import annotations

from rulewright.engine.compiled.kernel.kernel import Binary, Int, Name, Node
from rulewright.engine.compiled.kernel.kernel_statements import Branch, CellLoop
from rulewright.engine.compiled.llvm.option_room import SHORT_COPY, word_if
from rulewright.frozen import frozen


@frozen
class FullRow:
    """`size`: how many cells; `none`: what stands in one that holds nothing; `word`: the action for one."""

    size: int
    none: int
    word: Node


def find_full_row(loop: CellLoop) -> FullRow | None:
    """What a loop lists where each of its cells holds something."""
    match loop.count, loop.body.statements:
        case Int(value=size), [Branch(test=Binary(op="!=", left=Name(text=name), right=Int(value=none))) as branch] if (
            name == loop.name and size <= SHORT_COPY
        ):
            word = word_if(branch)
            return FullRow(size, none, word) if word is not None and _is_bits(word) else None
        case _:
            return None


def _is_bits(word: Node) -> bool:
    """Whether all words of a row are worked out together."""
    match word:
        case Int() | Name():
            return True
        case Binary(op="+" | "|", left=left, right=right):
            return _is_bits(left) and _is_bits(right)
        case Binary(op="<<", left=left, right=Int()):
            return _is_bits(left)
        case _:
            return False


__all__ = ["FullRow", "find_full_row"]
