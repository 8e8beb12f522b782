"""Positions of machine code and of generated Python compared cell by cell: bytes side by side become a cell each.

In: the cells of a position, and how a program lays them out. Out: the cells as another program of the same rules would
have them, which packs nothing into bytes.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

from rulewright.engine.compiled.kernel.cell_layout import CellLayout
from rulewright.frozen import frozen


@frozen
class _Part:
    """Neighbouring cells. `count`: how many their bytes become, with 0 in the last; 0 where they stay as they are."""

    first: int
    end: int
    count: int


class UnpackedCells:
    """Turns the cells of one layout into those of another. `plain`: the one without bytes."""

    def __init__(self, packed: CellLayout, plain: CellLayout) -> None:
        self._parts = tuple(_parts(packed, plain))

    def of(self, cells: Sequence[int]) -> list[int]:
        """The cells in the other layout."""
        result: list[int] = []
        for part in self._parts:
            held = cells[part.first : part.end]
            result += array("q", held).tobytes()[: part.count].ljust(part.count, b"\0") if part.count else held
        return result


def _parts(packed: CellLayout, plain: CellLayout) -> Iterator[_Part]:
    piles = [zone for zone in packed.rules.zones.values() if packed.storage[zone.name] == "packed pile"]
    bytes_from = {packed.contents[zone.name]: (zone.size, plain.rooms[zone.name]) for zone in piles}
    for component in packed.byte_places:
        bytes_from[packed.thing_places[component]] = 1, len(packed.rules.components[component].ids)
    for section in packed.sections:
        pieces, count = bytes_from.get(section.first, (1, 0))
        room = len(section.values) // pieces
        for first in range(section.first, section.first + pieces * room, room):
            yield _Part(first, first + room, count)


__all__ = ["UnpackedCells"]
