"""Do both sides of an `or` ask the same, and one of what they ask besides always holds?

In: the state of a build. Out: warnings about the second of them, `a and n <= 6 or a and n >= 7`: whatever `n` is, all
of it asks for `a`, of which the contrary was probably meant on one side.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import eq, ge, gt, le, lt, ne
from typing import Final

from rulewright.checker.common.lint_codes import COUNTED_TWICE
from rulewright.checker.common.warn import warn
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Compare, Constant, Expr, Logic
from rulewright.expr.walk import conjuncts, disjuncts, iter_exprs
from rulewright.model.build_state import BuildState, after_errors, build_pass

HOLDS: Final[dict[str, Callable[[int, int], bool]]] = {"<": lt, "<=": le, ">": gt, ">=": ge, "is": eq, "is not": ne}


@build_pass(needs=["judged"], skip=after_errors)
def check_same_on_both_sides(state: BuildState) -> None:
    """Reports them."""
    for address, node, expr in state.judged.expressions:
        for part in iter_exprs(expr):
            again = _asked_again(part) if isinstance(part, Logic) and part.op == "or" else None
            if again is None:
                continue
            span, text = node.subspan(*again.offsets), node.text[slice(*again.offsets)].strip()
            message = f"both sides ask for `{text}`, and one of what they ask besides always holds"
            hint = "is the contrary meant on one side?"
            warn(state, span, COUNTED_TWICE, message, "asked on both sides", hint, address)


def _asked_again(either: Logic) -> Expr | None:
    """The condition that stands on both of two sides, at the second, where one of the others always holds."""
    sides = [[*conjuncts(side)] for side in disjuncts(either)]
    if len(sides) != 2 or not all(len(side) == 2 for side in sides):
        return None
    for index, one in enumerate(sides[0]):
        for other_index, other in enumerate(sides[1]):
            key = structural_key(one)
            if key is not None and key == structural_key(other):
                rest, other_rest = sides[0][1 - index], sides[1][1 - other_index]
                return other if _is_complete(rest, other_rest) else None
    return None


def _is_complete(one: Expr, other: Expr) -> bool:
    """Whether one of two comparisons of the same number always holds."""
    match one, other:
        case (
            Compare(left=left, op=first, right=Constant(value=int(low))),
            Compare(left=same, op=second, right=Constant(value=int(high))),
        ):
            key = structural_key(left)
            is_same = key is not None and key == structural_key(same) and {first, second} <= HOLDS.keys()
            around = range(min(low, high) - 1, max(low, high) + 2) if is_same and abs(low - high) < 2 else ()
            return bool(around) and all(HOLDS[first](n, low) or HOLDS[second](n, high) for n in around)
    return False


__all__ = ["check_same_on_both_sides"]
