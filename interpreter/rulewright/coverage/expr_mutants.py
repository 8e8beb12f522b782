"""Expressions with one number too many or too few, and what that looks like where they are written.

In: a typed expression and its text. Out: changed copies, each with its text. What is off by one: a number as written, a
side of a comparison of numbers, an end of a range. A comparison is changed on one side only, since both say the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import Any, Final, TypeVar

from rulewright.diagnostics import SourceFile, Span
from rulewright.expr.tree import Arithmetic, Compare, Constant, Expr, Not, Range
from rulewright.expr.types import FLAG, Number
from rulewright.expr.walk import child_exprs
from rulewright.frozen import field_names, frozen, is_data, replace

T = TypeVar("T")
MAX_CONTEXT: Final = 30  # characters that are shown on each side of a change
ORDERINGS: Final = ("<", "<=", ">", ">=")


@frozen
class ExprMutant:
    """A changed expression; `words`: how it changed."""

    expr: Expr
    words: str


def off_by_one(expr: Expr, text: str) -> Iterator[ExprMutant]:
    """The expression with each of its numbers one higher and one lower."""
    for part in _countable_parts(expr):
        for step in (1, -1):
            changed = _shifted(part, step)
            yield ExprMutant(replace_part(expr, part, changed), _words(part, text, step))


def negation_of(condition: Expr, text: str) -> ExprMutant:
    """The opposite of a condition."""
    return ExprMutant(Not(condition, FLAG, condition.offsets), _change(text, f"not ({text})") if text else "negated")


def _countable_parts(expr: Expr) -> Iterator[Expr]:
    """What can be off by one, each once."""
    match expr:
        case Constant(type=Number()):
            yield expr
        case Compare(op=op, left=left, right=right) if op in ORDERINGS:
            yield from _countable_parts(left) if not isinstance(left, Constant) else ()
            yield from _countable_parts(right) if not isinstance(right, Constant) else ()
            yield left if isinstance(left, Constant) else right
        case Range(low=low, high=high):
            for end in (low, high):
                yield from _countable_parts(end) if not isinstance(end, Constant) else ()
                yield end
        case _:
            for child in child_exprs(expr):
                yield from _countable_parts(child)


def _shifted(part: Expr, step: int) -> Expr:
    if isinstance(part, Constant) and isinstance(part.value, int):
        number = part.value + step
        return Constant(number, Number(number, number), part.offsets)
    one = Constant(1, Number(1, 1), part.offsets)
    type_ = part.type
    bounds = Number(type_.low + step, type_.high + step) if isinstance(type_, Number) else type_
    return Arithmetic("+" if step > 0 else "-", part, one, bounds, part.offsets)


def _words(part: Expr, text: str, step: int) -> str:
    start, end = part.offsets
    here = text[start:end]
    sign = "+" if step > 0 else "-"
    if isinstance(part, Constant) and isinstance(part.value, int):
        if here == str(part.value):
            return _change(text, f"{text[:start]}{part.value + step}{text[end:]}")
        return f"{part.value} becomes {part.value + step}"
    if here:
        return _change(text, f"{text[:start]}{here} {sign} 1{text[end:]}")
    return f"{sign} 1"


def _change(before: str, after: str) -> str:
    """Both texts, of long ones only what is around the change."""
    start = _count_same(before, after)
    rest_before, rest_after = before[start:], after[start:]
    same = _count_same(rest_before[::-1], rest_after[::-1])
    first = 0 if start <= MAX_CONTEXT else start - MAX_CONTEXT
    last = 0 if same <= MAX_CONTEXT else same - MAX_CONTEXT
    if last + first <= MAX_CONTEXT:
        first = last = 0
    cut = [f"{'…' * bool(first)}{text[first : len(text) - last]}{'…' * bool(last)}" for text in (before, after)]
    return f"`{cut[0]}` becomes `{cut[1]}`"


def _count_same(text: str, other: str) -> int:
    """How many characters at the beginning of two texts are the same."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(text, other, strict=False)))


def replace_part(whole: T, old: object, new: object) -> T:
    """The same data with one of its parts, which is this very object, replaced."""
    changed: Any = _replaced(whole, old, new)
    return changed  # type: ignore[no-any-return]  # of the class that `whole` has


def _replaced(node: Any, old: object, new: object) -> Any:
    if node is old:
        return new
    if isinstance(node, tuple):
        items = [_replaced(item, old, new) for item in node]
        return tuple(items) if any(a is not b for a, b in zip(items, node, strict=True)) else node
    if not is_data(node) or isinstance(node, Span | SourceFile):
        return node
    changes = {}
    for name in field_names(node):
        value = getattr(node, name)
        changed = _replaced(value, old, new)
        if changed is not value:
            changes[name] = changed
    return replace(node, **changes) if changes else node


__all__ = ["ExprMutant", "negation_of", "off_by_one", "replace_part"]
