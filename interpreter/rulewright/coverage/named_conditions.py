"""The conditions of a step that are written one by one, by name, each to be looked at alone.

In: what asks for all of them, and their texts as `model/source_texts.py` joins them. Out: the parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from rulewright.expr.tree import Expr, Logic
from rulewright.expr.types import FLAG


def named_conditions(condition: Expr) -> tuple[Expr, ...]:
    """The conditions that are written by name, in their order; a single one as it is.

    One that is written as a whole, `a and b`, begins before its right side; what joins several begins with that of its
    right side, since each has a text of its own.
    """
    if isinstance(condition, Logic) and condition.op == "and" and condition.offsets == condition.right.offsets:
        return (*named_conditions(condition.left), condition.right)
    return (condition,)


def all_of(conditions: Sequence[Expr]) -> Expr:
    """What holds where all of them hold."""
    return reduce(lambda left, right: Logic("and", left, right, FLAG, right.offsets), conditions)


def texts_in_brackets(text: str, count: int) -> list[str]:
    """The texts of so many conditions, `(a) and (b)`; empty ones where the text has not so many."""
    found, depth, start = list[str](), 0, 0
    for index, letter in enumerate(text):
        if letter == "(":
            start = index + 1 if not depth else start
            depth += 1
        elif letter == ")":
            depth -= 1
            if not depth:
                found.append(text[start:index])
    return found if len(found) == count else [""] * count


__all__ = ["all_of", "named_conditions", "texts_in_brackets"]
