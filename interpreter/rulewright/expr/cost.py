"""How long an expression can take to evaluate: an upper bound of its steps, known before play.

In: a typed expression and its scope. Out: a number of steps, never too low: a loop costs its body, times the most
elements that its set can have, but for what is the same in all its turns. A derived value costs what its own
expression costs, as its symbol says, once for the same arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, reduce
from typing import Final, assert_never

from rulewright.expr import type_relations
from rulewright.expr.cost_bounds import Cost, fixed_cost, kept_cost
from rulewright.expr.loop_invariants import PartFacts, part_facts
from rulewright.expr.remembered import recall
from rulewright.expr.scope import Scope, ValueSymbol
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import (
    Arithmetic,
    BagLiteral,
    Binding,
    Builtin,
    Call,
    Compare,
    Constant,
    Expr,
    Extremum,
    FieldAccess,
    FieldTotal,
    Filter,
    If,
    Local,
    Logic,
    MemberCount,
    Not,
    Quantifier,
    Range,
    ReadParameter,
    ReadState,
    ReadValue,
    ReadZone,
    Sum,
)
from rulewright.expr.types import Bag, Flag, KindInfo, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.expr.walk import child_exprs

ONE_STEP: Final = fixed_cost(1)
POSSIBLE_COST: Final = 10_000  # assumed for `possible(…)`: the choices of an action are not known here


def expression_cost(expr: Expr, scope: Scope) -> int:
    """An upper bound of the steps to evaluate an expression."""
    return cost_bound(expr, scope).once


def cost_bound(expr: Expr, scope: Scope) -> Cost:
    """The same, together with what another evaluation in the same position would not have to compute again."""
    # the expression is kept with its cost, so that no other one gets its id meanwhile
    _, cost = recall(
        ("cost", id(expr)),
        scope,
        None,
        lambda names: (expr, CostFinder(names, (expr,)).cost(expr).after_its_loops()),
    )
    return cost


def total_cost(exprs: Iterable[Expr], scope: Scope) -> Cost:
    """An upper bound of the steps to evaluate some expressions in one position."""
    return reduce(Cost.plus, (cost_bound(expr, scope) for expr in exprs), fixed_cost(0))


def repetition_cost(times: Expr | None, for_each: Binding | None, order: Expr | None, scope: Scope) -> int:
    """An upper bound of the steps to compute how often, or for what in which order, something is done."""
    cost = 0 if times is None else expression_cost(times, scope)
    if for_each is None:
        return cost
    parts = tuple(expr for expr in (for_each.condition, order) if expr is not None)
    finder = CostFinder(scope, (for_each.over, *parts))
    return cost + finder.loop(for_each.over, fixed_cost(1), parts, for_each.slot, ()).after_its_loops().once


class CostFinder:
    """Finds the costs of expressions in one scope."""

    def __init__(self, scope: Scope, exprs: tuple[Expr, ...]) -> None:
        self.scope = scope
        self.exprs = exprs

    @cached_property
    def facts(self) -> Mapping[int, PartFacts]:
        """The facts of all parts; most expressions have no loop or derived value, and need none."""
        return part_facts(self.exprs)

    def cost(self, expr: Expr, loops: tuple[int, ...] = ()) -> Cost:
        """The cost of a part; `loops`: the slots of the loops around it, in whose turns it is computed anew."""
        if not loops:
            return self._computed(expr, loops)
        part = self.facts[id(expr)]
        if not part.is_long or loops[-1] < part.depth:
            return self._computed(expr, loops)
        outer = tuple(slot for slot in loops if slot < part.depth)
        return kept_cost(("once", id(expr)), self._computed(expr, outer), part.slots, is_kept=False)

    def _computed(self, expr: Expr, loops: tuple[int, ...]) -> Cost:
        scope = self.scope
        match expr:
            case Constant() | Builtin() | Local() | ReadParameter():
                return ONE_STEP
            case ReadValue():
                return self._value(expr, loops)
            case If(condition, then, otherwise):
                outcome = self.cost(then, loops).or_else(self.cost(otherwise, loops))
                return outcome.plus(self.cost(condition, loops)).plus(fixed_cost(1))
            case Quantifier(over=over, condition=body) | Filter(over=over, condition=body):
                return self.loop(over, fixed_cost(1), () if body is None else (body,), expr.slot, loops).plus(
                    fixed_cost(1)
                )
            case Sum(over=over, condition=where, of=body) | Extremum(over=over, condition=where, of=body):
                judged = (body,) if where is None else (body, where)
                added = fixed_cost(1 + _copy_cost(body.type, scope))
                return self.loop(over, added, judged, expr.slot, loops).plus(fixed_cost(1))
            case Call(function="possible", action=action):
                return kept_cost(("possible", action), fixed_cost(POSSIBLE_COST), frozenset())
        parts = child_exprs(expr)
        return reduce(Cost.plus, (self.cost(part, loops) for part in parts), fixed_cost(1 + _own_cost(expr, scope)))

    def _value(self, expr: ReadValue, loops: tuple[int, ...]) -> Cost:
        """A derived value, which is computed once for the same arguments."""
        value = self.scope.symbols.get(expr.name)
        args = reduce(Cost.plus, (self.cost(key, loops) for key in expr.keys), fixed_cost(0))
        if not isinstance(value, ValueSymbol):
            return args.plus(fixed_cost(1))
        keys = [structural_key(key) for key in expr.keys]
        slots = [self.facts[id(key)].slots for key in expr.keys]
        cost = value.cost.with_arguments(keys, slots)
        if None in keys:
            return args.plus(cost).plus(fixed_cost(1))
        return args.plus(kept_cost(("ReadValue", expr.name, *keys), cost, frozenset[int]().union(*slots)))

    def loop(self, over: Expr, added: Cost, parts: tuple[Expr, ...], slot: int, loops: tuple[int, ...]) -> Cost:
        """A loop over a set with these parts in its body; `added`: what each turn costs besides."""
        body = reduce(Cost.plus, (self.cost(part, (*loops, slot)) for part in parts), added)
        times = type_relations.max_elements(over.type, self.scope.kinds)
        turns = body.repeated(times, slot, structural_key(over), self.facts[id(over)].slots)
        return turns.plus(self.cost(over, loops))


def _own_cost(expr: Expr, scope: Scope) -> int:
    """The steps that a part takes beside one and those of its own parts."""
    match expr:
        case ReadZone(member=None) | Range() | BagLiteral() | Arithmetic() | Call():
            return _copy_cost(expr.type, scope)
        case FieldTotal(operand):
            return _loop_cost(operand, _copy_cost(expr.type, scope) or 1, scope)
        case Compare(_, left, right):
            return _copy_cost(left.type, scope) + _copy_cost(right.type, scope)
        case (
            Constant()
            | Builtin()
            | Local()
            | ReadParameter()
            | ReadState()
            | ReadValue()
            | ReadZone()
            | FieldAccess()
            | MemberCount()
            | Logic()
            | Not()
            | If()
            | Quantifier()
            | Filter()
            | Sum()
            | Extremum()
        ):
            return 0
        case _:
            assert_never(expr)


def _loop_cost(over: Expr, body_cost: int, scope: Scope) -> int:
    return type_relations.max_elements(over.type, scope.kinds) * body_cost


def _copy_cost(type_: Type, scope: Scope) -> int:
    """The steps to copy a bag or set once; 0 for other values."""
    match type_:
        case SetOf(_, max_size):
            return max_size
        case Bag(kind) if kind:
            return len(_widest_kind(kind, scope).members)
        case Bag() | Flag() | Number() | Member() | Thing() | UnknownType():
            return 0
        case _:
            assert_never(type_)


def _widest_kind(kind: str, scope: Scope) -> KindInfo:
    """The largest kind of a family: a bag has a count for each member of its family."""
    family = type_relations.family_of(kind, scope.kinds)
    relatives = (info for info in scope.kinds.values() if (info.family or info.name) == family)
    return max(relatives, key=lambda info: len(info.members))
