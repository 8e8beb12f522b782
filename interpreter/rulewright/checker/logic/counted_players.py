"""Does a condition ask for something of more players than there are?

In: rules, and the composition they were built from. Out: warnings about comparisons of the number of players of whom
something is so, which never hold at this number of players, whatever is asked of each. Under variants only what a
variant wrote.
"""

from __future__ import annotations

from rulewright.checker.logic.rule_conditions import judged_conditions, judged_inner_conditions, report_constant
from rulewright.diagnostics import Diagnostics
from rulewright.expr.tree import Builtin, Call, Compare, Constant, Expr, Filter
from rulewright.expr.walk import is_all_seats, iter_exprs
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules


def check_counted_players(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    for condition in (*judged_conditions(rules, composition), *judged_inner_conditions(rules, composition)):
        for part in iter_exprs(condition.expr):
            if isinstance(part, Compare) and _asks_for_more(part, rules.players):
                report_constant(condition, part, False, "the players are fewer", diagnostics)


def _asks_for_more(part: Compare, players: int) -> bool:
    """Whether a number of players is to be above all of them."""
    left, right, op = part.left, part.right, part.op
    if op in ("<", "<="):
        left, right, op = right, left, ">" if op == "<" else ">="
    most = _most_counted(left, players)
    if most is None or not isinstance(right, Constant) or not isinstance(right.value, int):
        return False
    return right.value > most if op in (">=", "is") else op == ">" and right.value >= most


def _most_counted(expr: Expr, players: int) -> int | None:
    """How many players can be counted; None where something else is."""
    match expr:
        case Call(function="count", args=(Filter(over=over),)) if is_all_seats(over):
            return players
        case Call(function="count", args=(Filter(over=Builtin(name="others" | "opponents")),)):
            return players - 1
        case _:
            return None


__all__ = ["check_counted_players"]
