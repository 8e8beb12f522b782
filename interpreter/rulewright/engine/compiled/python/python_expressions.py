"""Expressions of the kernel tree as readable Python, with brackets only where Python needs them.

In: expressions. Out: their text. A cell is one of the list `s`; a table has its name in capitals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, assert_never

from rulewright.engine.compiled.kernel.kernel import (
    Below,
    Binary,
    BinaryOp,
    ByteSum,
    Cell,
    CellByte,
    Either,
    FindCell,
    Int,
    Invoke,
    InvokeEntry,
    Lane,
    LanesAbove,
    ListItem,
    ListLength,
    Name,
    Negate,
    Node,
    RankCell,
    TableEntry,
)
from rulewright.engine.compiled.kernel.kernel_arithmetic import OPPOSITES, negated
from rulewright.engine.compiled.kernel.packed_counts import LANE_BITS, MAX_IN_LANE

INDENT: Final = "    "
ATOM: Final = 10
LONG_NUMBER: Final = 1 << 16
FEW_CELLS: Final = 3  # so many are written one by one
PRECEDENCE: Final[Mapping[str, int]] = {
    "or": 1, "and": 2, "<": 4, "<=": 4, ">": 4, ">=": 4, "==": 4, "!=": 4, "|": 5, "&": 6, "<<": 7, ">>": 7, "+": 8,
    "-": 8, "*": 9, "//": 9, "%": 9,
}  # fmt: skip
JOINING: Final = frozenset({"or", "and", "|", "+", "-"})
MIRRORED: Final[Mapping[BinaryOp, BinaryOp]] = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_CHAINED: Final = frozenset({"+", "|", "&", "and", "or"})  # not `*`: `a * (b // c)` is another number without brackets


def print_expression(node: Node) -> str:
    """An expression as Python."""
    return _print(node)[0]


def _inside(node: Node, least: int) -> str:
    """An expression as a part of another, in brackets where it binds less than `least`."""
    text, binding = _print(node)
    return text if binding >= least else f"({text})"


def _print(node: Node) -> tuple[str, int]:
    match node:
        case Int(value=value):
            return f"-{print_number(-value)}" if value < 0 else print_number(value), ATOM
        case Name(text=text):
            return text, ATOM
        case Cell(index=index):
            return f"s[{print_expression(index)}]", ATOM
        case TableEntry(table=table, index=index):
            return f"{table.upper()}[{print_expression(index)}]", ATOM
        case Binary():
            return _print_binary(node)
        case Negate(of=Binary() as joined) if (opposite := _opposite(joined)) is not None:
            return _print(opposite)
        case Negate(of=of):
            return f"not {_inside(of, 4)}", 3
        case ByteSum(of=of):
            return f"{_inside(of, 10)} % 255", 9
        case LanesAbove(of=of, ones=ones):  # 127 times 1 keeps the seven bits below the highest
            number = _inside(of, 7)
            return f"{number} & ({number} >> {LANE_BITS - 1} & {print_number(ones)}) * {MAX_IN_LANE}", 6
        case Lane(of=of, at=at, count=count):
            shifted = f"{_inside(of, 7)} >> {LANE_BITS * at}" if at else _inside(of, 6)
            return (shifted, 7) if at and at + 1 == count else (f"{shifted} & 255", 6)
        case Either(test=test, then=then, otherwise=otherwise):
            return f"{_inside(then, 1)} if {_inside(test, 1)} else {_inside(otherwise, 1)}", 0
        case FindCell(first=first, value=value):
            return f"s.index({print_expression(value)}, {print_expression(first)})", ATOM
        case RankCell(first=first, count=count, value=value):
            low, size = print_expression(first), _inside(count, 8)
            return f"bisect(s, {print_expression(value)}, {low}, {_inside(first, 8)} + {size})", ATOM
        case CellByte():
            raise AssertionError("only machine code has bytes in cells")
        case ListItem(items=items, index=index):
            return f"{items}[{print_expression(index)}]", ATOM
        case ListLength(items=items):
            return f"len({items})", ATOM
        case Below(count=count, site=site, offset=offset):
            return f"below(s, {print_expression(count)}, {site}, {print_expression(offset)})", ATOM
        case InvokeEntry(function=table, arguments=arguments, index=index):
            return f"{table}[{print_expression(index)}]({_arguments(arguments)})", ATOM
        case Invoke(function=function, arguments=arguments):
            return f"{function}({_arguments(arguments)})", ATOM
        case _:
            assert_never(node)


def _arguments(arguments: Iterable[Node]) -> str:
    return ", ".join(["s", "out", *map(print_expression, arguments)])


def _print_binary(node: Binary) -> tuple[str, int]:
    op, left, right = node.op, node.left, node.right
    if op in ("and", "or"):
        for printed in (_print_neighbours(node), _print_between(node)):
            if printed:
                return printed, 4
    if op in MIRRORED and isinstance(left, Int) and not isinstance(right, Int):
        op, left, right = MIRRORED[op], right, left  # a number comes last: not `0 > balance`
    if op == "==" and right == Int(0) and isinstance(left, ListLength):
        return f"not {left.items}", 3
    if op in ("min", "max", "less"):
        if op != "less" and isinstance(left, Int):
            left, right = right, left
        a, b = _inside(left, 5), _inside(right, 5)
        if op == "less":
            return f"{_inside(left, 8)} - {_inside(right, 9)} if {a} > {b} else 0", 0
        return f"{a} if {a} {'<' if op == 'min' else '>'} {b} else {b}", 0
    if op == "+" and isinstance(right, Int) and right.value < 0:
        return f"{_inside(left, 8)} - {-right.value}", 8
    binding = PRECEDENCE[op]
    first = _inside(left, 5 if binding == 4 else binding)  # comparisons are not chained
    return f"{first} {op} {_inside(right, binding if op in _CHAINED else binding + 1)}", binding


def _opposite(node: Node) -> Node | None:
    """Whether comparisons joined by `and` and `or` do not hold, without a `not`; None where other things are joined."""
    match node:
        case Binary(op=("and" | "or") as op, left=left, right=right):
            first, second = _opposite(left), _opposite(right)
            if first is None or second is None:
                return None
            return Binary("or" if op == "and" else "and", first, second)
        case Binary(op=op) if op in OPPOSITES:
            return negated(node)
        case _:
            return None


def _print_between(node: Binary) -> str:
    """That a number is between two others; empty where something else is asked."""
    match node:
        case Binary(
            op="and",
            left=Binary(op=(">=" | ">") as from_low, left=tested, right=low),
            right=Binary(op=("<=" | "<") as to_high, left=same, right=high),
        ) if tested == same:
            first = "<=" if from_low == ">=" else "<"
            return f"{_inside(low, 5)} {first} {_inside(tested, 5)} {to_high} {_inside(high, 5)}"
        case Binary(
            op="and",
            left=Binary(op=("<=" | "<") as first, left=low, right=tested),
            right=Binary(op=("<=" | "<") as to_high, left=same, right=high),
        ) if tested == same:
            return f"{_inside(low, 5)} {first} {_inside(tested, 5)} {to_high} {_inside(high, 5)}"
        case Binary(
            op="and",
            left=Binary(op=("<=" | "<"), left=Name(), right=Int() | Name()) as below,
            right=Binary(op=(">=" | ">"), left=Name(), right=Int() | Name()) as above,
        ):
            return _print_between(Binary("and", above, below))
        case _:
            return ""


def _print_neighbours(node: Binary) -> str:
    """That none of some neighbouring cells holds a value, or one of them; empty where something else is asked."""
    wanted = "!=" if node.op == "and" else "=="
    parts, waiting = list[Node](), [node.right, node.left]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Binary) and part.op == node.op:
            waiting += [part.right, part.left]
        else:
            parts.append(part)
    cells = list[int]()
    values = set[Node]()
    for part in parts:
        match part:
            case Binary(op=op, left=Cell(index=Int(value=cell)), right=(Int() | Name()) as value) if op == wanted:
                cells.append(cell)
                values.add(value)
            case _:
                return ""
    if len(cells) < FEW_CELLS or len(values) != 1 or cells != list(range(cells[0], cells[0] + len(cells))):
        return ""
    found = "not in" if node.op == "and" else "in"
    return f"{print_expression(values.pop())} {found} s[{cells[0]}:{cells[-1] + 1}]"


def print_number(value: int) -> str:
    """A number; a long one, of which each byte says something, in hexadecimal."""
    return f"{value:d}" if value < LONG_NUMBER else hex(value)  # a flag is a number, too


# ---- long expressions ---------------------------------------------------------------------------------------


def expression_lines(node: Node, room: int) -> list[str]:
    """An expression in as many lines as it takes, none longer than `room` if that can be; within brackets, which may
    stand around them, Python joins the lines.
    """
    text = print_expression(node)
    if len(text) <= room:
        return [text]
    parts = _parts(node)
    if not parts:
        return _part_lines("", node, 0, room) if isinstance(node, Negate) else [text]
    return [line for word, part, least in parts for line in _part_lines(word, part, least, room)]


def _parts(node: Node) -> list[tuple[str, Node, int]]:
    """What an expression consists of, each with the word before it and how much it has to bind without brackets."""
    match node:
        case Negate(of=Binary() as joined) if (opposite := _opposite(joined)) is not None:
            return _parts(opposite)
        case Either(test=test, then=then, otherwise=otherwise):
            return [("", then, 1), ("if ", test, 1), ("else ", otherwise, 1)]
        case Binary(op=op) if op in JOINING and _print(node)[1] == PRECEDENCE[op]:
            return _joined_parts(node)
        case _:
            return []


def _joined_parts(node: Node) -> list[tuple[str, Node, int]]:
    """What is added up, or joined by the same word."""
    binding, parts = _print(node)[1], list[tuple[str, Node, int]]()
    while isinstance(node, Binary) and _print(node)[1] == PRECEDENCE.get(node.op) == binding:
        if node.op == "+" and isinstance(node.right, Int) and node.right.value < 0:
            parts.append(("- ", Int(-node.right.value), ATOM))
        else:
            parts.append((f"{node.op} ", node.right, binding if node.op in _CHAINED else binding + 1))
        node = node.left
    return [("", node, binding), *reversed(parts)]


def _part_lines(word: str, node: Node, least: int, room: int) -> list[str]:
    """A part in one line, or in several within brackets."""
    line = f"{word}{_inside(node, least)}"
    if isinstance(node, Negate) and not _parts(node):
        word, node = f"{word}not ", node.of
    lines = expression_lines(node, room - len(INDENT)) if len(line) > room else []
    if len(lines) < 2:
        return [line]
    return [f"{word}(", *(f"{INDENT}{each}" for each in lines), ")"]


__all__ = ["INDENT", "expression_lines", "print_expression", "print_number"]
