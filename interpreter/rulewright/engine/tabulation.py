"""What depends on one variable alone, whatever the position, is computed once for each of its values.

In: a typed expression; the function that computes it. Out: whether it is worth a table; the function that looks its
value up. `card.price is empty` is such a part, `copy in card.powers` another: clauses ask them of the same things in
one position after the other. An entry is made when it is first needed, so what an `if` leaves out stays left out.
"""

from __future__ import annotations

from rulewright.engine.context import Context
from rulewright.engine.place_compiler import CompiledExpr
from rulewright.engine.values import RuntimeValue
from rulewright.expr.tree import (
    Builtin,
    Call,
    Constant,
    Expr,
    Extremum,
    FieldAccess,
    Filter,
    Local,
    Quantifier,
    ReadParameter,
    ReadState,
    ReadValue,
    ReadZone,
    Sum,
)
from rulewright.expr.types import Member, Thing
from rulewright.expr.walk import child_exprs


def tabulated_slot(expr: Expr) -> int | None:
    """The slot of the only variable that a part depends on, if it is worth a table; `-1`: it is always the same."""
    match expr:
        case Constant() | Builtin() | Local() | ReadParameter() | FieldAccess(of=Local()):
            return None  # as quick as a table
    slots: set[int] = set()
    return max(slots, default=-1) if _collect_slots(expr, slots) else None


def _collect_slots(expr: Expr, slots: set[int]) -> bool:
    """Adds the variables; whether there is at most one, a thing or a member, and nothing else that changes."""
    match expr:
        case ReadState() | ReadValue() | ReadZone() | Quantifier() | Filter() | Sum() | Extremum():
            return False
        case Call(function="possible" | "next" | "everyone_from"):  # who is still in
            return False
        case Builtin(name=name):
            return name in ("players", "nobody")
        case Local(slot=slot, type=Thing() | Member()):
            slots.add(slot)
            return len(slots) == 1
        case Local():
            return False
    return all(_collect_slots(child, slots) for child in child_exprs(expr))


def tabulate(slot: int, run: CompiledExpr) -> CompiledExpr:
    """The function that computes a part once for each value of its variable."""
    table: dict[RuntimeValue, RuntimeValue] = {}

    if slot < 0:

        def constant(c: Context) -> RuntimeValue:
            if not table:
                table[0] = run(c)
            return table[0]

        return constant

    def look_up(c: Context) -> RuntimeValue:
        key = c.env[slot]
        try:
            return table[key]
        except KeyError:
            value = table[key] = run(c)
            return value

    return look_up


__all__ = ["tabulate", "tabulated_slot"]
