"""Which straight lines there are on a grid.

In: the size of the grid, lengths and directions. Out: lines, each as the numbers of its cells from first to last.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import product
from typing import Final

DIRECTIONS: Final[Mapping[str, tuple[tuple[int, int], ...]]] = {  # rows and columns from one cell to the next
    "rows": ((0, 1),),
    "columns": ((1, 0),),
    "diagonals": ((1, 1), (1, -1)),
}


def straight_lines(
    columns: int, rows: int, lengths: Iterable[int], along: Collection[str], *, both_ways: bool
) -> Iterator[tuple[int, ...]]:
    """The lines of the shortest length first, then by their first cells. `along`: some of `DIRECTIONS`.

    `both_ways`: after each line the same one from its other end. A line of one cell is there only once.
    """
    steps = [step for direction, steps in DIRECTIONS.items() if direction in along for step in steps]
    for length in lengths:
        for row, column in product(range(rows), range(columns)):
            for step_row, step_column in steps if length > 1 else steps[:1]:
                last_row, last_column = row + step_row * (length - 1), column + step_column * (length - 1)
                if length > 0 and 0 <= last_row < rows and 0 <= last_column < columns:
                    first, step = row * columns + column, step_row * columns + step_column
                    line = tuple(first + step * index for index in range(length))
                    yield line
                    if both_ways and length > 1:
                        yield line[::-1]


__all__ = ["DIRECTIONS", "straight_lines"]
