"""Does a step move none of something, or does a loop over others take in the player itself?

In: the state of a build. Out: warnings about moves whose amount is 0 by its bounds, whatever happens; and about loops
over everyone whose variable is called one of the others, and whose condition the player in turn always meets.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import ALL_SEATS, CHANGES_NOTHING
from rulewright.checker.common.warn import warn
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import BagLiteral, Builtin, Compare, Constant, Expr, Local, ReadParameter
from rulewright.expr.types import SEAT, Number
from rulewright.expr.walk import conjuncts, free_variables, is_all_seats, iter_exprs, transform
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Move, Step
from rulewright.source.nodes import ScalarNode

OTHERS: Final = frozenset({"other", "rival", "opponent", "another", "victim", "enemy", "neighbour"})
EQUAL: Final = ("is", "<=", ">=")


@build_pass(needs=["judged"], skip=after_errors)
def check_moves_of_nothing(state: BuildState) -> None:
    """Reports them."""
    for step in state.judged.steps:
        number = _amount(step)
        if number is not None and isinstance(number.type, Number) and number.type.high <= 0:
            node = condition_node(state.document.root, step.address, "move")
            span, text = step.span, "the amount"
            if isinstance(node, ScalarNode):
                span, text = node.subspan(*number.offsets), f"`{node.text[slice(*number.offsets)].strip()}`"
            message, hint = f"{text} is always 0, so this moves nothing", "write another amount, or leave the step out"
            warn(state, span, CHANGES_NOTHING, message, "always 0", hint, step.address)
        if step.for_each is not None and _takes_in_me(step):
            node = condition_node(state.document.root, step.address, "for_each")
            name = step.for_each.name
            message = f"the player in turn is always among these, too: `{name}` may be that one"
            hint = f"write `for_each: {name} in others where …`"
            warn(
                state, step.span if node is None else node.span, ALL_SEATS, message, "takes in `me`", hint, step.address
            )


def _amount(step: Step) -> Expr | None:
    """How many pieces a step moves of one sort, where that is reckoned."""
    of = step.effect.amount.of if isinstance(step.effect, Move) else None
    if not isinstance(of, BagLiteral) or isinstance(of.count, Constant):
        return None
    return None if any(isinstance(part, ReadParameter) for part in iter_exprs(of.count)) else of.count


def _takes_in_me(step: Step) -> bool:
    """Whether a loop over everyone, called others, compares each with the player in turn, who is equal to itself."""
    loop = step.for_each
    if loop is None or loop.condition is None or loop.name not in OTHERS or not is_all_seats(loop.over):
        return False
    compared = [part for part in conjuncts(loop.condition) if loop.slot in free_variables(part)]
    return bool(compared) and all(_is_true_of_me(part, loop.slot) for part in compared)


def _is_true_of_me(part: Expr, slot: int) -> bool:
    def as_me(read: Expr) -> Expr | None:
        return Builtin("me", SEAT, read.offsets) if isinstance(read, Local) and read.slot == slot else None

    if not isinstance(part, Compare) or part.op not in EQUAL:
        return False
    keys = [structural_key(transform(side, as_me)) for side in (part.left, part.right)]
    return keys[0] is not None and keys[0] == keys[1]


__all__ = ["check_moves_of_nothing"]
