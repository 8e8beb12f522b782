"""Does the same stand twice where it counts once: in `min` or `max`, `and` or `or`, among an action's clauses?

In: the state of a build. Out: warnings about the second of two that say the same, where another was probably meant; and
about clauses that hold by themselves wherever another clause of the action holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import COUNTED_TWICE
from rulewright.checker.common.warn import warn
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Call, Constant, Expr, Logic, Offsets
from rulewright.expr.walk import conjuncts, disjuncts, iter_exprs
from rulewright.model.actions import ActionDef, Clause
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.source.nodes import ScalarNode

BOUNDING: Final = ("min", "max")


@build_pass(needs=["judged"], skip=after_errors)
def check_repeated_arguments(state: BuildState) -> None:
    """Reports arguments of `min` and `max`, and sides of `and` and `or`, that say what one before them says."""
    for address, node, expr in state.judged.expressions:
        reported = set[Offsets]()
        for part in iter_exprs(expr):
            word, sides = _joined(part)
            again = _first_repeated(sides)
            if again is None or again.offsets in reported:
                continue
            reported.add(again.offsets)
            span, text = node.subspan(*again.offsets), node.text[slice(*again.offsets)].strip()
            message = f"`{text}` stands in this `{word}` already"
            hint = "name what is meant instead, or leave it out"
            warn(state, span, COUNTED_TWICE, message, "the same again", hint, address)


def _joined(part: Expr) -> tuple[str, Sequence[Expr]]:
    """What a part joins, of which each counts once, and the word for it."""
    match part:
        case Call(function=function, args=args) if function in BOUNDING:
            return function, args
        case Logic(op="and"):
            return "and", [*conjuncts(part)]
        case Logic(op="or"):
            return "or", [*disjuncts(part)]
    return "", ()


def _first_repeated(args: Sequence[Expr]) -> Expr | None:
    before = set[object]()
    for each in args:
        key = structural_key(each)
        if key in before:
            return each
        if key is not None and not isinstance(each, Constant):
            before.add(key)
    return None


@build_pass(needs=["judged"], skip=after_errors)
def check_repeated_clauses(state: BuildState) -> None:
    """Reports clauses that never refuse what another clause of the same action does not refuse."""
    for action in state.judged.actions:
        for clause, other in _needless(action, state):
            section, _, name = clause.address.rpartition(".")
            node = condition_node(state.document.root, section, name)
            span = node.span if isinstance(node, ScalarNode) else clause.span
            by = f"`{other.address.rpartition('.')[2]}`"
            is_same = structural_key(clause.condition) == structural_key(other.condition)
            asks = f"this asks what {by} asks" if is_same else f"{by} asks for more than this does"
            message = f"{asks}, so it never refuses anything by itself"
            hint = "write the condition that is meant, or leave the clause out"
            warn(state, span, COUNTED_TWICE, message, "never refuses", hint, clause.address)


def _needless(action: ActionDef, state: BuildState) -> Iterator[tuple[Clause, Clause]]:
    """The clauses that say the same as one before them, or as one of two sides another, each with that one."""
    keys = [structural_key(clause.condition) for clause in action.clauses]
    for number, clause in enumerate(action.clauses):
        sides = [*disjuncts(clause.condition)]
        for place, key in enumerate(keys):
            if key is None or place == number:
                continue
            if (_is_second(place, number, action, state) and key == keys[number]) or (
                len(sides) > 1 and any(structural_key(side) == key for side in sides)
            ):
                yield clause, action.clauses[place]
                break


def _is_second(first: int, second: int, action: ActionDef, state: BuildState) -> bool:
    """Whether of two clauses the second is what is told: what a variant wrote, else what comes later."""
    is_own = [action.clauses[place].span.source.path in state.variant_files for place in (first, second)]
    return is_own[1] if is_own[0] != is_own[1] else first < second


__all__ = ["check_repeated_arguments", "check_repeated_clauses"]
