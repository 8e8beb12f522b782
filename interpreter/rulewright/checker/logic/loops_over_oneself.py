"""Does a loop over all players keep only one of them, who could be named without it?

In: rules, and the composition they were built from. Out: warnings about loops over all players that ask of each whether
it is the one in turn, or one that is named around them, and leave out all others: `is not` is probably meant. A loop
that lets somebody decide with `by` is left out. Under variants only what a variant wrote.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.checker.common.lint_codes import ONLY_ONESELF
from rulewright.checker.logic.rule_conditions import RuleCondition, judged_conditions, judged_inner_conditions
from rulewright.diagnostics import Diagnostics
from rulewright.expr.tree import Builtin, Compare, Expr, Extremum, Filter, Local, Quantifier, Sum
from rulewright.expr.types import SEAT
from rulewright.expr.walk import conjuncts, is_all_seats, is_me, iter_exprs
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules

LOOPS = Quantifier | Filter | Sum | Extremum
Left = tuple[Expr, str, str]  # a condition, what the loop calls a player, what the one is called that is left


def check_loops_over_oneself(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    deciding = {step.address for block in rules.blocks for step in block.steps if step.by is not None}
    for condition in (*judged_conditions(rules, composition), *judged_inner_conditions(rules, composition)):
        for part, name, one in _one_of_all(condition, is_loop=condition.address not in deciding):
            message = f"of all players `{name}` is only ever `{one}` here"
            hint = f"write `{name} is not {one}` if the others are meant, or `{one}` in its place without a loop"
            diagnostics.add(
                condition.span_of(part),
                ONLY_ONESELF,
                message,
                label="nobody else",
                help=hint,
                address=condition.address,
            )


def _one_of_all(condition: RuleCondition, *, is_loop: bool) -> Iterator[Left]:
    """The parts that leave one player of a loop."""
    if is_loop:
        for slot, over in condition.bound.items():
            if is_all_seats(over):
                yield from _parts_of(condition.expr, slot, only_me=True)
    for loop in iter_exprs(condition.expr):
        if not isinstance(loop, LOOPS) or loop.condition is None or not is_all_seats(loop.over):
            continue
        if not isinstance(loop, Filter) or len(conjuncts(loop.condition)) > 1:  # which is how a set of one is written
            yield from _parts_of(loop.condition, loop.slot, only_me=False)


def _parts_of(condition: Expr, slot: int, *, only_me: bool) -> Iterator[Left]:
    """`only_me`: a step for a player that is named may be one for whoever that is."""
    for part in conjuncts(condition):
        if not isinstance(part, Compare) or part.op != "is" or part.left.type != SEAT or part.right.type != SEAT:
            continue
        for own, other in ((part.left, part.right), (part.right, part.left)):
            is_named = is_me(other) or (isinstance(other, Local) and not only_me)
            if is_named and isinstance(own, Local) and own.slot == slot:
                assert isinstance(other, Local | Builtin)
                yield part, own.name, other.name


__all__ = ["check_loops_over_oneself"]
