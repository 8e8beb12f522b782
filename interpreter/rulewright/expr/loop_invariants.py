"""Which parts of a loop's body do not depend on its variable, so that they are computed once for all of its turns.

In: a typed expression. Out: for each of its parts, what it depends on; for a loop, the parts to compute once. Both the
bound on steps and the engines ask here, so that what is counted once is computed once. Such a part is computed when it
is first needed: what an `if` or an `and` leaves out stays left out.

Slots of variables count nested bindings. So whatever is bound around a loop has a lower slot than the loop's variable,
whatever is bound in it a higher one, and a part of its body depends on none of these if all its variables have lower
slots than the loop's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from rulewright import limits
from rulewright.expr.tree import (
    Arithmetic,
    BagLiteral,
    Call,
    Expr,
    Extremum,
    FieldTotal,
    Filter,
    Local,
    Quantifier,
    Range,
    ReadZone,
    Sum,
)
from rulewright.expr.types import Bag, SetOf
from rulewright.expr.walk import child_exprs
from rulewright.source.node_memo import NodeMemo

LOOPS = (Quantifier, Filter, Sum, Extremum)


class PartFacts(NamedTuple):
    """What is known of a part: the slots of its free variables, and whether it takes longer than to look it up."""

    slots: frozenset[int]
    is_long: bool

    @property
    def depth(self) -> int:
        """One more than the highest slot it depends on: loops over a variable from there on leave it the same."""
        return max(self.slots, default=-1) + 1


def part_facts(exprs: Iterable[Expr]) -> Mapping[int, PartFacts]:
    """The facts of some expressions and of all their parts, by the `id` of each."""
    return {key: facts for expr in exprs for key, facts in _facts_within(expr).items()}


def _find_facts(whole: Expr) -> Mapping[int, PartFacts]:
    facts: dict[int, PartFacts] = {}

    def visit(expr: Expr) -> PartFacts:
        parts = [visit(child) for child in child_exprs(expr)]
        slots = frozenset[int]().union(*(part.slots for part in parts))
        if isinstance(expr, Local):
            slots = frozenset((expr.slot,))
        elif isinstance(expr, LOOPS):
            slots -= {expr.slot}
        facts[id(expr)] = found = PartFacts(slots, _is_long(expr) or any(part.is_long for part in parts))
        return found

    visit(whole)
    return facts


_facts_within: Final = NodeMemo(_find_facts, limits.MAX_REMEMBERED_READINGS)  # typed trees stay from build to build


def loop_invariants(
    exprs: Iterable[Expr], slot: int, facts: Mapping[int, PartFacts], known: Mapping[int, object]
) -> Iterator[Expr]:
    """The largest parts of a loop's body that are the same in all turns and take long; `known`: those of outer loops,
    which are computed once already.
    """
    pending = list(exprs)
    while pending:
        expr = pending.pop()
        part = facts[id(expr)]
        if id(expr) in known or not part.is_long:
            continue
        if part.depth <= slot:
            yield expr
        else:
            pending.extend(child_exprs(expr))


def _is_long(expr: Expr) -> bool:
    match expr:
        case Quantifier() | Filter() | Sum() | Extremum() | FieldTotal() | BagLiteral() | Range() | Call():
            return True
        case Arithmetic(type=Bag() | SetOf()):
            return True
        case ReadZone(keys=(), member=None):  # perhaps of many places
            return True
    return False


__all__ = ["PartFacts", "loop_invariants", "part_facts"]
