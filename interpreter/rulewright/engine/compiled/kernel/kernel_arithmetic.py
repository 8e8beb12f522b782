"""Kernel expressions made of others, with whatever is known before play worked out at once.

In: kernel expressions. Out: the simplest one that has their sum, minimum, conjunction … as its value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from rulewright.engine.compiled.kernel.kernel import (
    FLAG_OPS,
    Binary,
    BinaryOp,
    ByteSum,
    Either,
    Int,
    Lane,
    Name,
    Negate,
    Node,
    TableEntry,
)

ZERO: Final = Int(0)
ONE: Final = Int(1)
_COMPUTED: Final[Mapping[str, Callable[[int, int], int]]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "//": lambda a, b: a // b,
    "%": lambda a, b: a % b, "&": lambda a, b: a & b, "|": lambda a, b: a | b, "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b, "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "min": min, "max": max,
    "less": lambda a, b: max(0, a - b), "and": lambda a, b: a and b, "or": lambda a, b: a or b,
}  # fmt: skip
OPPOSITES: Final[Mapping[BinaryOp, BinaryOp]] = {
    "==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">",
}  # fmt: skip


def binary(op: BinaryOp, left: Node, right: Node) -> Node:
    """An operation on two numbers."""
    if isinstance(left, Int) and isinstance(right, Int) and not (op in ("//", "%") and not right.value):
        return Int(int(_COMPUTED[op](left.value, right.value)))
    simpler = _simplify(op, left, right)
    return Binary(op, left, right) if simpler is None else simpler


def _simplify(op: BinaryOp, left: Node, right: Node) -> Node | None:
    match op:
        case "+" if left == ZERO:
            return right
        case "+" | "-" | "|" | "<<" | ">>" if right == ZERO:
            return left
        case "+" if isinstance(right, Int) and isinstance(left, Binary) and left.op == "+":
            return _add_known(left, right)
        case "+" if isinstance(left, Int):
            return binary("+", right, left)
        case "*" if ZERO in (left, right):
            return ZERO
        case "*" if right == ONE:
            return left
        case "*" if left == ONE:
            return right
        case "&" if ZERO in (left, right):
            return ZERO
        case "|" if left == ZERO:
            return right
        case "and":
            return _simplify_and(left, right)
        case "or":
            return _simplify_or(left, right)
        case "min" | "max" if left == right:
            return left
        case "<=" | ">=" | "==" if isinstance(left, Name) and left == right:
            return ONE
        case ">" | "<=" if right == ZERO and isinstance(left, Binary) and left.op == "less":
            return binary(op, left.left, left.right)
        case "!=" if right == ZERO and is_flag(left):
            return left
        case "==" if right == ZERO and is_flag(left):
            return negated(left)
        case _:
            return None


def _add_known(left: Binary, right: Int) -> Node | None:
    """(x + 2) + 3 is x + 5."""
    return add(left.left, Int(left.right.value + right.value)) if isinstance(left.right, Int) else None


def _simplify_and(left: Node, right: Node) -> Node | None:
    if isinstance(left, Int):
        return right if left.value else ZERO
    if isinstance(right, Int):
        return left if right.value else ZERO
    return left if left == right else None


def _simplify_or(left: Node, right: Node) -> Node | None:
    if isinstance(left, Int):
        return ONE if left.value else right
    if isinstance(right, Int):
        return ONE if right.value else left
    return left if left == right else None


def add(left: Node, right: Node) -> Node:
    """A sum."""
    return binary("+", left, right)


def subtract(left: Node, right: Node) -> Node:
    """A difference."""
    if isinstance(right, Int):
        return add(left, Int(-right.value))
    return ZERO if left == right else binary("-", left, right)


def total(nodes: Iterable[Node]) -> Node:
    """The sum of some numbers."""
    result: Node = ZERO
    for node in nodes:
        result = add(result, node)
    return result


def both(left: Node, right: Node) -> Node:
    """Whether both hold."""
    return binary("and", left, right)


def every(nodes: Iterable[Node]) -> Node:
    """Whether all hold."""
    result: Node = ONE
    for node in nodes:
        result = both(result, node)
    return result


def some(nodes: Iterable[Node]) -> Node:
    """Whether one of them holds."""
    result: Node = ZERO
    for node in nodes:
        result = binary("or", result, node)
    return result


def negated(node: Node) -> Node:
    """Whether it does not hold."""
    match node:
        case Int(value=value):
            return Int(int(not value))
        case Negate(of=of) if is_flag(of):
            return of
        case Binary(op=op) if op in OPPOSITES:
            return Binary(OPPOSITES[op], node.left, node.right)
        case _:
            return Negate(node)


def either(test: Node, then: Node, otherwise: Node) -> Node:
    """One of two values."""
    if isinstance(test, Int):
        return then if test.value else otherwise
    if then == otherwise:
        return then
    if (then, otherwise) == (ONE, ZERO) and is_flag(test):
        return test
    return Either(test, then, otherwise)


def is_flag(node: Node) -> bool:
    """Whether its value can only be 0 or 1."""
    match node:
        case Negate() | Name(is_flag=True) | Lane(most=1):
            return True
        case Binary(op=("and" | "or"), left=left, right=right):
            return is_flag(left) and is_flag(right)
        case Binary(op=op):
            return op in FLAG_OPS
        case Int(value=value):
            return value in (0, 1)
        case _:
            return False


def product(left: Node, right: Node) -> Node:
    """A product."""
    return binary("*", left, right)


def known(node: Node) -> int | None:
    """Its value, if that is known before play."""
    return node.value if isinstance(node, Int) else None


def value_of(
    node: Node, meaning: Callable[[Node], Node], tables: Mapping[str, Sequence[Any]] = MappingProxyType({})
) -> int | None:
    """Its value, worked out before play; None if that cannot be known. `meaning`: what stands for an expression, itself
    if nothing else does; `tables`: that it can look into, those of numbers.
    """
    meant = meaning(node)
    if meant is not node:
        return value_of(meant, meaning, tables)
    match node:
        case Int(value=value):
            return int(value)
        case Binary(op=("and" | "or") as op, left=left, right=right):
            first = value_of(left, meaning, tables)
            if first is None or bool(first) == (op == "or"):
                return first
            return value_of(right, meaning, tables)
        case Binary(op=op, left=left, right=right):
            first, second = value_of(left, meaning, tables), value_of(right, meaning, tables)
            return None if first is None or second is None else known(binary(op, Int(first), Int(second)))
        case Either(test=test, then=then, otherwise=otherwise):
            holds = value_of(test, meaning, tables)
            return None if holds is None else value_of(then if holds else otherwise, meaning, tables)
        case TableEntry(table=table, index=index):
            at = value_of(index, meaning, tables)
            entries = tables.get(table, ())
            return None if at is None or not 0 <= at < len(entries) else int(entries[at])
        case Negate(of=of):
            opposite = value_of(of, meaning, tables)
            return None if opposite is None else int(not opposite)
        case ByteSum(of=of):
            summed = value_of(of, meaning, tables)
            return None if summed is None else sum(summed.to_bytes(summed.bit_length() // 8 + 1, "little"))
        case _:
            return None
