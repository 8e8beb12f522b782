"""Does a condition ask for something of more players than there are?

In: rules, and the composition they were built from. Out: warnings about comparisons of the number of players of whom
something is so, which never hold at this number of players, whatever is asked of each. What they are compared with is a
number, or a parameter, unless it is as high as its type allows, by which something is switched off. Under variants only
what a variant wrote.
"""

from __future__ import annotations

from rulewright.checker.logic.rule_conditions import judged_conditions, judged_inner_conditions, report_constant
from rulewright.diagnostics import Diagnostics
from rulewright.expr.tree import Builtin, Call, Compare, Constant, Expr, Filter, ReadParameter, ReadValue
from rulewright.expr.types import Number
from rulewright.expr.walk import is_all_seats, iter_exprs
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules


def check_counted_players(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    for condition in (*judged_conditions(rules, composition), *judged_inner_conditions(rules, composition)):
        for part in iter_exprs(condition.expr):
            if isinstance(part, Compare) and _asks_for_more(part, rules):
                report_constant(condition, part, False, "the players are fewer", diagnostics)


def _asks_for_more(part: Compare, rules: Rules) -> bool:
    """Whether a number of players is to be above all of them."""
    left, right, op = part.left, part.right, part.op
    if op in ("<", "<="):
        left, right, op = right, left, ">" if op == "<" else ">="
    most, asked = _most_counted(left, rules), _number_set(right, rules)
    if most is None or asked is None:
        return False
    return asked > most if op in (">=", "is") else op == ">" and asked >= most


def _number_set(expr: Expr, rules: Rules) -> int | None:
    """A number, or what a parameter is; None of anything else, and of a parameter that switches something off."""
    match expr:
        case Constant(value=int() as number):
            return number
        case ReadParameter(name=name, keys=()):
            parameter = rules.parameters[name]
            is_open = isinstance(parameter.type, Number) and parameter.value != parameter.type.high
            return parameter.value if is_open and isinstance(parameter.value, int) else None
        case _:
            return None


def _most_counted(expr: Expr, rules: Rules) -> int | None:
    """How many players can be counted, also by a value that does nothing else; None where something else is."""
    match expr:
        case Call(function="count", args=(Filter(over=over),)) if is_all_seats(over):
            return rules.players
        case Call(function="count", args=(Filter(over=Builtin(name="others" | "opponents")),)):
            return rules.players - 1
        case ReadValue(name=name):
            value = rules.values[name]
            terms = [term for _, term in value.terms]
            return _most_counted(terms[0], rules) if len(terms) == 1 and not value.deductions else None
        case _:
            return None


__all__ = ["check_counted_players"]
