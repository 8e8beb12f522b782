"""Can two choices of an action be the same, although its steps take them as two?

In: the state of a build. Out: warnings about actions with two choices among the same, of which no clause and neither
choice rules out that both are one, where a step joins what the one and what the other stands for, as in
`floor(one) + floor(two)`, or moves both: it is then there once. Who adds numbers of both means both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.checker.common.lint_codes import SAME_TWICE
from rulewright.checker.common.rules_read import exprs_in_steps, offer_clauses
from rulewright.checker.common.warn import warn
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Arithmetic, Expr, Local
from rulewright.expr.types import SetOf, Thing
from rulewright.expr.walk import free_variables, iter_exprs, transform
from rulewright.model.actions import ActionDef, OneOf
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Block, Move
from rulewright.model.traversal import choice_exprs


@build_pass(needs=["blocks", "judged"], skip=after_errors)
def check_same_answer_twice(state: BuildState) -> None:
    """Reports them."""
    clauses = offer_clauses(state.blocks)
    for action in state.judged.actions:
        asked = [clause.condition for clause in (*action.clauses, *clauses.get(action.index, ()))]
        for one, other in _pairs(action):
            later = [expr for choice in action.choices for expr in choice_exprs(choice)]
            if any({one, other} <= free_variables(expr) for expr in asked) or any(
                {one, other} & free_variables(expr) for expr in later
            ):
                continue
            if _are_moved(action, one, other, state.blocks) or any(
                _joins(part, one, other)
                for expr in exprs_in_steps(action.block, state.blocks)
                for part in iter_exprs(expr)
            ):
                first, second = action.choices[one].name, action.choices[other].name
                message = f"`{second}` can be the same as `{first}`: what is done with both is then done with one"
                hint = f"add to `when`: `{second} is not {first}`"
                warn(state, action.choices[other].span, SAME_TWICE, message, "may be the same", hint, action.address)


def _pairs(action: ActionDef) -> Iterator[tuple[int, int]]:
    """The slots of two choices of one of the same."""
    keys = [
        choice.source_texts if isinstance(choice.domain, OneOf) and choice.condition is None else None
        for choice in action.choices
    ]
    yield from (
        (one, other)
        for one, key in enumerate(keys)
        for other in range(one + 1, len(keys))
        if key is not None and key == keys[other]
    )


def _are_moved(action: ActionDef, one: int, other: int, blocks: Sequence[Block]) -> bool:
    """Whether steps move the things of two choices, whatever is chosen."""
    moved = {
        step.effect.amount.of.slot
        for step in blocks[action.block].steps
        if isinstance(step.effect, Move) and step.when is None and isinstance(step.effect.amount.of, Local)
    }
    return isinstance(action.choices[one].type, Thing) and {one, other} <= moved


def _joins(part: Expr, one: int, other: int) -> bool:
    """Whether an expression joins the things of two choices, or those in the places of both."""
    if not isinstance(part, Arithmetic) or part.op != "+" or not isinstance(part.type, SetOf):
        return False

    def as_one(read: Expr) -> Expr | None:
        return (
            Local("", one, read.type, read.offsets) if isinstance(read, Local) and read.slot in (one, other) else None
        )

    sides = (part.left, part.right)
    read = [free_variables(side) & {one, other} for side in sides]
    if sorted(map(sorted, read)) != [[one], [other]]:
        return False
    keys = [structural_key(transform(side, as_one)) for side in sides]
    return keys[0] is not None and keys[0] == keys[1]


__all__ = ["check_same_answer_twice"]
