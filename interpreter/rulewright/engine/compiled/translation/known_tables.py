"""What no position changes is worked out before play: expressions of a few variables become tables.

In: expressions that read nothing but their variables. Out: their values for all that the variables can be.
"""

from __future__ import annotations

from itertools import product
from typing import Final

from rulewright.engine.context import Context
from rulewright.engine.expr_compiler import ExprCompiler
from rulewright.engine.faults import RuleFault
from rulewright.engine.values import RuntimeValue
from rulewright.expr.tree import (
    FIRST_OUTER_SLOT,
    Builtin,
    Call,
    Constant,
    Expr,
    Extremum,
    FieldAccess,
    Filter,
    Local,
    Quantifier,
    ReadValue,
    Sum,
)
from rulewright.expr.types import Member, Number, SetOf, Thing, Type
from rulewright.expr.walk import free_variables, iter_exprs
from rulewright.frozen import frozen
from rulewright.model.dependencies import position_dependencies
from rulewright.model.rules import Rules

LARGEST_TABLE: Final = 5000  # values that a table has at most
MAX_VARIABLES: Final = 2


@frozen
class KnownTable:
    """The values of an expression: `slots`, and for each variable what it can be; `values` in that order, the last
    variable running fastest.
    """

    slots: tuple[int, ...]
    domains: tuple[tuple[int, ...], ...]
    values: tuple[RuntimeValue, ...]


class KnownTables:
    """Works out the expressions of one rule model."""

    def __init__(self, rules: Rules, *, is_used: bool = True) -> None:
        self._rules = rules
        self._is_used = is_used
        self._compiler = ExprCompiler(rules)
        self._found: dict[int, tuple[Expr, KnownTable | None]] = {}  # the expression is kept, so that its id is its own

    def table_of(self, expr: Expr) -> KnownTable | None:
        """The values of an expression, if it reads no position and its variables can be few things."""
        known = self._found.get(id(expr))
        if known is None:
            known = self._found[id(expr)] = expr, self._work_out(expr)
        return known[1]

    def _work_out(self, expr: Expr) -> KnownTable | None:
        if (
            not self._is_used
            or isinstance(expr, Constant | Local)
            or position_dependencies(self._rules, expr) != frozenset()
        ):
            return None
        if any(not self._is_still(part) for part in iter_exprs(expr)):
            return None
        types = {part.slot: part.type for part in iter_exprs(expr) if isinstance(part, Local)}
        slots = tuple(sorted(free_variables(expr)))
        if len(slots) > MAX_VARIABLES or any(slot >= FIRST_OUTER_SLOT for slot in slots):
            return None
        domains: list[tuple[int, ...]] = []
        size = 1
        for slot in slots:
            domain = self._domain(types[slot])
            if domain is None:
                return None
            domains.append(domain)
            size *= len(domain)
        if size > LARGEST_TABLE:
            return None
        compute, context = self._compiler.compile(expr), Context((), (), me=-1)
        values: list[RuntimeValue] = []
        for combination in product(*domains):
            for slot, value in zip(slots, combination, strict=True):
                context.env[slot] = value
            try:
                values.append(compute(context))
            except (RuleFault, ArithmeticError, LookupError):  # never asked in play, where something stands before it
                return None
        return KnownTable(slots, tuple(domains), tuple(values))

    def _is_still(self, part: Expr) -> bool:
        """Whether a part of an expression is the same whoever is in turn, and whoever began."""
        match part:
            case Builtin(name=name):
                return name in ("players", "nobody")
            case Call(function=function):
                return function not in ("possible", "next", "everyone_from")
            case ReadValue(name=name):
                value = self._rules.values[name]
                terms = [term for _, term in (*value.terms, *value.deductions)]
                return all(self._is_still(inner) for term in terms for inner in iter_exprs(term))
            case _:
                return True

    def _domain(self, type_: Type) -> tuple[int, ...] | None:
        match type_:
            case Member(kind=kind):
                return self._rules.kinds[kind].member_values
            case Thing(component=component):
                return tuple(range(len(self._rules.components[component].ids)))
            case Number(low=low, high=high) if high - low <= LARGEST_TABLE:
                return tuple(range(low, high + 1))
            case _:
                return None


def known_name(expr: Expr) -> str:
    """What the values of an expression are called: `count_of_line` for `count(line)`."""
    match expr:
        case Local(name=name) | ReadValue(name=name) | Builtin(name=name) | FieldAccess(name=name):
            return name
        case Call(function="first" | "last" as function, args=(Constant(value=number), of)) if number != 1:
            return f"{function}_{number}_of_{known_name(of)}"
        case Call(function=function, args=(*_, of)):
            return f"{function}_of_{known_name(of)}"
        case Extremum(function=function, over=over) | Quantifier(quantifier=function, over=over):
            return f"{function}_of_{known_name(over)}"
        case Filter(over=over):
            return f"part_of_{known_name(over)}"
        case Sum(over=over):
            return f"sum_over_{known_name(over)}"
    match expr.type:
        case SetOf(element=Member(kind=name) | Thing(component=name)):
            return name
    return f"known_{type(expr).__name__.lower()}"


__all__ = ["KnownTable", "KnownTables", "known_name"]
