"""How many pieces of each member the bag can have out of which a player chooses some.

In: the layout of cells, the expression of the bag. Out: for each member a number that no count is above. What lies in
places is never more than there is in the game. Rules may also offer what lies nowhere (`3 of red + heap`), to be named
or counted: of that the facts say how much it can be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rulewright.engine.compiled.kernel.cell_layout import CellLayout
from rulewright.expr.tree import Arithmetic, Expr, ReadZone
from rulewright.expr.types import Member
from rulewright.model.facts.declared_ranges import find_declared_ranges
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.facts.value_ranges import BagRange, ValueRange
from rulewright.model.rules import Rules


def most_pieces(cells: CellLayout, kind: str, of: Expr, answers: Mapping[int, Sequence[int]]) -> list[int]:
    """For each lane the most pieces of a bag. `answers`: by their slots, the most of bags that were chosen before."""
    counts = cells.piece_counts(kind)
    if _lies_in_places(of):
        return counts
    ranges = ExpressionRanges(cells.rules, tuple(_contents(cells)), find_declared_ranges(cells.rules).variables)
    env: dict[int, ValueRange] = {slot: _at_most(mosts) for slot, mosts in answers.items()}
    highs = ranges.bag(of, env, ranges.seats).highs
    return list(highs) or [0] * len(counts)  # the bag of no kind has no counts


def _lies_in_places(of: Expr) -> bool:
    """Whether a bag is what some places hold, or less."""
    match of:
        case ReadZone():
            return True
        case Arithmetic(op="less", left=left):
            return _lies_in_places(left)
    return False


def _contents(cells: CellLayout) -> Iterator[ValueRange]:
    """What can be in each place: of pieces no more than there are in the game."""
    rules: Rules = cells.rules
    declared = find_declared_ranges(rules).contents
    for zone in sorted(rules.zones.values(), key=lambda zone: zone.first_index):
        content = declared[zone.first_index : zone.first_index + zone.size]
        if isinstance(zone.content_type, Member):
            content = (_at_most(cells.piece_counts(zone.content_type.kind)),) * zone.size
        yield from content


def _at_most(counts: Sequence[int]) -> BagRange:
    return BagRange.of((0,) * len(counts), counts)


__all__ = ["most_pieces"]
