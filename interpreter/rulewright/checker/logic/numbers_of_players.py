"""Is a parameter, a place or a field computed from a number of players that there never is?

In: the state of a build. Out: warnings about comparisons in what declares them that come out the same with each number
of players for which the game is. Of conditions of rules `unreached_values.py` asks that.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.common.warn import warn
from rulewright.expr.codes import ALWAYS_TRUE, NEVER_TRUE
from rulewright.expr.tree import Builtin, Compare, Constant, Expr, If
from rulewright.expr.typecheck.comparisons import compare_bounds
from rulewright.expr.types import PLAYER_COUNT, Number
from rulewright.expr.walk import iter_exprs
from rulewright.model.allowed_players import player_counts
from rulewright.model.build_state import BuildState, after_errors, build_pass

DECLARED: Final = ("parameters.", "zones.", "kinds.", "components.")


@build_pass(needs=["parameters", "zones"], skip=after_errors)
def check_numbers_of_players(state: BuildState) -> None:
    """Reports them."""
    fewest, most = player_counts(state.document)
    adjusting = {one.root.span.source.path for one in state.applied if one.name not in state.variants}
    for read in state.usage.expressions:
        if not read.address.startswith(DECLARED) or read.node.span.source.path in adjusting:
            continue
        for part in iter_exprs(read.expr):
            holds = _verdict(part, Number(fewest, most)) if isinstance(part, Compare) else None
            if holds is None or (holds and _are_several_cases(read.expr)):
                continue  # the last of several cases may be written out
            text, label = read.node.text[slice(*part.offsets)].strip(), "always holds" if holds else "never holds"
            span, code = read.node.subspan(*part.offsets), ALWAYS_TRUE if holds else NEVER_TRUE
            hint = f"this is played by {fewest} to {most}" if fewest < most else f"this is played by {most}"
            warn(state, span, code, f"`{text}` {label}", label, hint, read.address)


def _are_several_cases(expr: Expr) -> bool:
    return sum(isinstance(part, If) for part in iter_exprs(expr)) > 1


def _verdict(compare: Compare, players: Number) -> bool | None:
    """How a comparison of the number of players with a number comes out; None if that depends on how many play."""
    sides = (compare.left, compare.right)
    if not any(_is_players(side) for side in sides):
        return None
    left, right = (players if _is_players(side) else _constant_type(side) for side in sides)
    return None if left is None or right is None else compare_bounds(compare.op, left, right)


def _is_players(expr: Expr) -> bool:
    return isinstance(expr, Builtin) and expr.name == PLAYER_COUNT


def _constant_type(expr: Expr) -> Number | None:
    return expr.type if isinstance(expr, Constant) and isinstance(expr.type, Number) else None


__all__ = ["check_numbers_of_players"]
