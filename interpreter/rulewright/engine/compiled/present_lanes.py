"""Which members a bag holds that stands in one number: all of them found at once, as a mask, or counted.

In: flags, each of which says whether one count of a bag is above 0. Out: one number with a 1 in the byte of each count
that is; None where the flags are others. Each count is below 128, so 127 more reach the highest bit of its byte
wherever there is one. And what follows from such flags alone, worked out before play for each set of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rulewright.engine.compiled.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel import Binary, ByteSum, Either, Int, Lane, Name, Negate, Node
from rulewright.engine.compiled.kernel_arithmetic import add, binary
from rulewright.engine.compiled.packed_counts import LANE_BITS, MAX_IN_LANE, MIN_LANES, unpacked

HIGHEST: Final = MAX_IN_LANE + 1
_MACHINE_LANES: Final = 8


def present_lanes(code: CodeBuilder, flags: Sequence[Node]) -> Node | None:
    """A 1 in the byte of each count that is above 0; the first of them is moved to the lowest byte."""
    lanes = [_counted(code, flag) for flag in flags]
    first = lanes[0] if len(lanes) >= MIN_LANES else None
    if first is None or any(
        lane is None or lane.of != first.of or lane.at != first.at + place for place, lane in enumerate(lanes)
    ):
        return None
    ones = sum(1 << LANE_BITS * (first.at + place) for place in range(len(lanes)))
    above = binary("&", add(first.of, Int(ones * MAX_IN_LANE)), Int(ones * HIGHEST))
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
        known = dict(zip(flags, bits, strict=True))
        if lanes is not None:
            known[lanes] = sum(bit << LANE_BITS * place for place, bit in enumerate(bits))
        value = _value(code, node, known)
        if value is None:
            return None
        values.append(value)
    return values


def _value(code: CodeBuilder, node: Node, known: Mapping[Node, int]) -> int | None:
    if node in known:
        return known[node]
    match node:
        case Int(value=value):
            return int(value)
        case Name():
            meaning = code.definition(node)
            return None if meaning == node else _value(code, meaning, known)
        case Binary(op=op, left=left, right=right) if op not in ("//", "%"):
            first, second = _value(code, left, known), _value(code, right, known)
            if first is None or second is None:
                return None
            result = binary(op, Int(first), Int(second))
            return result.value if isinstance(result, Int) else None
        case Either(test=test, then=then, otherwise=otherwise):
            holds = _value(code, test, known)
            return None if holds is None else _value(code, then if holds else otherwise, known)
        case Negate(of=of):
            negated = _value(code, of, known)
            return None if negated is None else int(not negated)
        case ByteSum(of=of):
            summed = _value(code, of, known)
            return None if summed is None else sum(unpacked(summed, _MACHINE_LANES))
        case _:
            return None


__all__ = ["present_lanes", "present_mask", "values_by_flags"]
