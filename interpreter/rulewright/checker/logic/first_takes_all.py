"""Does a loop give all of something to each of several, so that only the first gets anything?

In: rules, and the composition they were built from. Out: warnings about loops that move everything out of one place,
the same each time, to a place of whoever the loop is at. Loops that are in an order, or whose condition seeks out one,
are left alone. Under variants only what a variant wrote.
"""

from __future__ import annotations

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import CHANGES_NOTHING
from rulewright.checker.common.shared_phrases import FIRST_TAKES_ALL
from rulewright.diagnostics import Diagnostics
from rulewright.expr.tree import Binding, Builtin, Compare, Constant, Expr, Filter, Local, ReadZone
from rulewright.expr.types import SEAT, Bag, SetOf
from rulewright.expr.walk import free_variables, iter_exprs
from rulewright.model.effects import Move, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules


def check_first_takes_all(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    for step in (step for block in rules.blocks for step in block.steps):
        loop = step.for_each
        if loop is None or step.order is not None or not _has_several(loop, step, rules):
            continue
        if not isinstance(step.effect, Move) or not _gives_all(step.effect, loop.slot, rules):
            continue
        message = f"the first `{loop.name}` of this loop takes all that is there, and nothing is left for others"
        span = key_span(composition.document.root, step.address, "for_each", step.span)
        if composition.is_judged(span):
            hint = _hint(step.effect, loop, rules)
            diagnostics.add(span, CHANGES_NOTHING, message, label=FIRST_TAKES_ALL, help=hint, address=step.address)


def _hint(move: Move, loop: Binding, rules: Rules) -> str:
    """The place of each, where the move takes from the places of all, or whoever is meant."""
    zone = None if move.source is None or move.source.keys else rules.zones[move.source.zone]
    if zone is not None and zone.key_types[:1] == (loop.type,):
        return f"write `{zone.name}({loop.name})`"
    return f"write behind `where` which `{loop.name}` is meant"


def _has_several(loop: Binding, step: Step, rules: Rules) -> bool:
    """Whether a loop is sure to run for several: all there are, or all but one."""
    if step.when is not None and loop.slot in free_variables(step.when):
        return False
    if not isinstance(loop.over, Builtin | Constant):
        return False
    if loop.type == SEAT:
        members = rules.players - (isinstance(loop.over, Builtin) and loop.over.name in ("others", "opponents"))
    else:
        members = len(loop.over.value) if isinstance(loop.over, Constant) and isinstance(loop.over.value, tuple) else 0
    if loop.condition is None:
        return members > 1
    return _leaves_one_out(loop.condition, loop.slot) and members > 2


def _leaves_one_out(condition: Expr, slot: int) -> bool:
    """Whether a condition holds for all but one, who is named otherwise."""
    if not isinstance(condition, Compare) or condition.op != "is not":
        return False
    sides = (condition.left, condition.right)
    of_loop = [isinstance(side, Local) and side.slot == slot for side in sides]
    others = [slot not in free_variables(side) for side in sides]
    return of_loop[0] != of_loop[1] and (others[1] if of_loop[0] else others[0])


def _gives_all(move: Move, slot: int, rules: Rules) -> bool:
    """Whether a move takes all out of one place, for whoever the loop is at."""
    if not any(isinstance(key, Local) and key.slot == slot for key in move.to.keys):
        return False
    of = move.amount.of
    while isinstance(of, Filter) and of.condition is None:
        of = of.over
    if move.amount.mode == "all" and move.source is not None:
        name, keys = move.source.zone, move.source.keys
    elif move.source is None and isinstance(of, ReadZone) and isinstance(of.type, Bag | SetOf):
        name, keys = of.name, of.keys
    else:
        return False
    fixed = not any(isinstance(part, Local) and part.slot == slot for key in keys for part in iter_exprs(key))
    return fixed and name != move.to.zone and rules.zones[name].refill is None


__all__ = ["check_first_takes_all"]
