"""Which members a bag holds that stands in one number: all of them found at once, as a mask, or counted.

In: flags, each of which says whether one count of a bag is above 0. Out: one number with a 1 in the byte of each count
that is; None where the flags are others. Each count is below 128, so 127 more reach the highest bit of its byte
wherever there is one. And what follows from such flags alone, worked out before play for each set of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import Binary, Int, Lane, Node
from rulewright.engine.compiled.kernel.kernel_arithmetic import add, binary, value_of
from rulewright.engine.compiled.kernel.packed_counts import HIGHEST_BIT, LANE_BITS, MAX_IN_LANE, MIN_LANES


def present_lanes(code: CodeBuilder, flags: Sequence[Node]) -> Node | None:
    """A 1 in the byte of each count that is above 0; the first of them is moved to the lowest byte."""
    lanes = [_counted(code, flag) for flag in flags]
    first = lanes[0] if len(lanes) >= MIN_LANES else None
    if first is None or any(
        lane is None or lane.of != first.of or lane.at != first.at + place for place, lane in enumerate(lanes)
    ):
        return None
    ones = sum(1 << LANE_BITS * (first.at + place) for place in range(len(lanes)))
    above = binary("&", add(first.of, Int(ones * MAX_IN_LANE)), Int(ones * HIGHEST_BIT))
    return code.let(binary(">>", above, Int(LANE_BITS * (first.at + 1) - 1)), "present_lanes")


def _counted(code: CodeBuilder, flag: Node) -> Lane | None:
    """The count that a flag asks about, or that it is."""
    match code.definition(flag):
        case Lane() as counted:
            return counted
        case Binary(op=">" | "!=", left=count, right=Int(value=0)):
            lane = code.definition(count)
            return lane if isinstance(lane, Lane) else None
        case _:
            return None


def present_mask(code: CodeBuilder, flags: Sequence[Node]) -> Node | None:
    """A bit for each count that is above 0, the lowest for the first: the bytes' ones, each moved to its place by one
    product, of which no two parts meet.
    """
    ones, size = present_lanes(code, flags), len(flags)
    if ones is None:
        return None
    last = (LANE_BITS - 1) * (size - 1)
    moved = sum(1 << last - (LANE_BITS - 1) * place for place in range(size))
    return binary("&", binary(">>", binary("*", ones, Int(moved)), Int(last)), Int((1 << size) - 1))


def values_by_flags(code: CodeBuilder, node: Node, flags: Sequence[Node]) -> list[int] | None:
    """The value of an expression for each set of flags that hold; None where it depends on anything else."""
    lanes, values = present_lanes(code, flags), list[int]()
    for mask in range(1 << len(flags)):
        bits = [mask >> place & 1 for place in range(len(flags))]
        known = dict(zip(flags, map(Int, bits), strict=True))
        if lanes is not None:
            known[lanes] = Int(sum(bit << LANE_BITS * place for place, bit in enumerate(bits)))
        value = value_of(node, partial(_known_or_defined, code, known))
        if value is None:
            return None
        values.append(value)
    return values


def _known_or_defined(code: CodeBuilder, known: Mapping[Node, Int], node: Node) -> Node:
    return known[node] if node in known else code.definition(node)


__all__ = ["present_lanes", "present_mask", "values_by_flags"]
