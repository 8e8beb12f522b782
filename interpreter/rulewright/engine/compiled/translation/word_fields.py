"""Answers of players as bits of the words of actions, and back.

In: answers while a program is written, and where in a word each stands. Out: expressions: the bits of an answer, the
answer in a word.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from rulewright.engine.compiled.kernel.cell_layout import CellLayout
from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import Int, ListItem, Node
from rulewright.engine.compiled.kernel.kernel_arithmetic import ZERO, add, binary, subtract
from rulewright.engine.compiled.translation.action_words import BagField, Field, ListField, MaskField, NumberField
from rulewright.engine.compiled.translation.packed_lanes import joined_lanes, lanes_of
from rulewright.engine.compiled.translation.place_expressions import BagLanes, Value
from rulewright.engine.compiled.translation.sequences import ChosenItems, ElementSet, KnownSet, LaneSet, ListSet


def joined(parts: Sequence[Node]) -> Node:
    """A word out of its bits; what is known before play comes first."""
    known = reduce(lambda bits, part: bits | part.value, [part for part in parts if isinstance(part, Int)], 0)
    word: Node = Int(known)
    for part in parts:
        if not isinstance(part, Int):
            word = binary("|", word, part)
    return word


def field_bits(code: CodeBuilder, cells: CellLayout, field: Field, answer: Value) -> list[Node]:
    """The bits of an answer in a word."""
    match field:
        case NumberField(shift=shift, low=low):
            assert not isinstance(answer, BagLanes | ElementSet)
            return [binary("<<", subtract(answer, Int(low)), Int(shift))]
        case BagField(lanes=lanes, is_packed=True):
            assert isinstance(answer, BagLanes)
            return [binary("<<", code.let(joined_lanes(code, cells, answer.lanes), "pieces"), Int(lanes[0][0]))]
        case BagField(lanes=lanes):
            assert isinstance(answer, BagLanes)
            return [binary("<<", count, Int(shift)) for (shift, _), count in zip(lanes, answer.lanes, strict=True)]
        case MaskField(shift=shift):
            if isinstance(answer, LaneSet) and answer.mask is not None:
                return [binary("<<", answer.mask, Int(shift))]
            assert isinstance(answer, KnownSet)
            return [Int(sum(1 << shift + field.members.index(member) for member in answer.values))]
        case ListField(shift=shift, count_width=count_width, width=width, low=low):
            if isinstance(answer, KnownSet):
                assert not answer.values
                return [ZERO]
            first = shift + count_width
            if isinstance(answer, ListSet):
                return [binary("<<", answer.count(code), Int(shift)), _list_bits(code, field, answer)]
            assert isinstance(answer, ChosenItems)
            return [
                Int(len(answer.chosen) << shift),
                *(
                    binary("<<", subtract(element, Int(low)), Int(first + index * width))
                    for index, element in enumerate(answer.chosen)
                ),
            ]


def _list_bits(code: CodeBuilder, field: ListField, answer: ListSet) -> Node:
    """The bits of the elements in a list."""
    bits = code.variable(ZERO, "bits")
    with code.count_loop(ZERO, answer.count(code), "index") as index:
        element = subtract(ListItem(answer.items, index), Int(field.low))
        at = add(binary("*", index, Int(field.width)), Int(field.shift + field.count_width))
        code.assign(bits, binary("|", bits, binary("<<", element, at)))
    code.freeze(bits.text)
    return bits


def read_field(code: CodeBuilder, field: Field, word: Node, hint: str) -> Value:
    """The answer in a word."""

    def bits(shift: int, width: int) -> Node:
        return code.let(binary("&", binary(">>", word, Int(shift)), Int((1 << width) - 1)), hint)

    match field:
        case NumberField(shift=shift, width=width, low=low):
            return code.let(add(bits(shift, width), Int(low)), hint) if width else Int(low)
        case BagField(lanes=lanes, mosts=mosts, is_packed=True):
            first, (last, width) = lanes[0][0], lanes[-1]
            number = bits(first, last + width - first)
            return BagLanes(lanes_of(code, number, max(mosts), [hint] * len(lanes)))
        case BagField(lanes=lanes):
            return BagLanes(tuple(bits(shift, width) if width else ZERO for shift, width in lanes))
        case MaskField(shift=shift, members=members):
            mask = bits(shift, len(members))
            return LaneSet(members, tuple(binary("&", mask, Int(1 << at)) for at in range(len(members))), mask=mask)
        case ListField(shift=shift, count_width=count_width, width=width, room=room, low=low):
            items = code.new_list(room, hint)
            with code.count_loop(ZERO, bits(shift, count_width), "index") as index:
                at = add(binary("*", index, Int(width)), Int(shift + count_width))
                element = binary("&", binary(">>", word, at), Int((1 << width) - 1))
                code.append(items, add(element, Int(low)))
            code.freeze(items)
            return ListSet(items, room, hint)


__all__ = ["field_bits", "joined", "read_field"]
