"""Expressions of generated Python have the value of the tree that they are printed from, whatever stands in what."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final, get_args

import pytest

from rulewright.engine.compiled.kernel.kernel import Binary, BinaryOp, ByteSum, Either, Int, Lane, Name, Negate, Node
from rulewright.engine.compiled.kernel.kernel_arithmetic import binary
from rulewright.engine.compiled.python.python_expressions import expression_lines, print_expression

VALUES: Final = ({"a": 5, "b": 300, "c": 2}, {"a": 0, "b": 7, "c": 4}, {"a": 81, "b": 66051, "c": 1})
FLAGS: Final = frozenset({"and", "or"})  # their value is a flag, which Python says with another of the same truth
NARROW: Final = 20  # characters of a line


def around(inner: Node) -> Iterator[Node]:
    """A part of an expression in everything that it can be a part of."""
    for op in get_args(BinaryOp):
        if op in ("//", "%", "<<", ">>"):
            yield Binary(op, inner, Name("c"))
            continue
        yield Binary(op, inner, Name("b"))
        yield Binary(op, Name("b"), inner)
    yield from (Negate(inner), ByteSum(inner), Lane(inner, 0, 127, 2), Lane(inner, 1, 127, 2), Lane(inner, 1, 127, 3))
    yield from (Either(inner, Name("a"), Name("b")), Either(Name("a"), inner, Name("b")))


def value_of(node: Node, values: dict[str, int]) -> int:
    match node:
        case Int(value=value):
            return value
        case Name(text=name):
            return values[name]
        case Negate(of=of):
            return int(not value_of(of, values))
        case ByteSum(of=of):
            return value_of(of, values) % 255
        case Lane(of=of, at=at, count=count):
            number = value_of(of, values) >> 8 * at
            return number if at and at + 1 == count else number & 255
        case Either(test=test, then=then, otherwise=otherwise):
            return value_of(then if value_of(test, values) else otherwise, values)
        case Binary(op=op, left=left, right=right):
            found = binary(op, Int(value_of(left, values)), Int(value_of(right, values)))
            assert isinstance(found, Int)
            return found.value
        case _:
            raise AssertionError(node)


@pytest.mark.parametrize("values", VALUES, ids=lambda values: str(values["a"]))
def test_brackets_stand_where_they_have_to(values: dict[str, int]) -> None:
    wrong = []
    for innermost in (Name("a"), Int(-3)):
        for middle in around(innermost):
            for inner, between in product(around(middle), (None, Int(2))):
                node = inner if between is None else Binary("*", between, inner)
                value = value_of(node, values)
                for text in (print_expression(node), "\n".join(expression_lines(node, NARROW))):
                    found = eval(f"({text})", {}, dict(values))
                    if found != value and not (isinstance(node, Binary) and node.op in FLAGS and bool(found) == value):
                        wrong.append((text, found, value))
    assert not wrong[:5]
