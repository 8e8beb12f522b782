"""Does an action move something to where it is, since a clause asks that both places are the same?

In: the state of a build. Out: warnings about clauses that two answers are the same, where a step takes from the place
of the one and puts to that of the other.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import CHANGES_NOTHING
from rulewright.checker.common.rules_read import steps_within
from rulewright.checker.common.warn import warn
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Compare, Expr, Local
from rulewright.expr.walk import conjuncts, transform
from rulewright.model.actions import ActionDef, Clause
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Move


@build_pass(needs=["blocks", "zones", "judged"], skip=after_errors)
def check_moves_to_same_place(state: BuildState) -> None:
    """Reports them."""
    for action in state.judged.actions:
        for clause, one, other in _equal_answers(action):
            steps = steps_within(action.block, state.blocks)
            idle = next((step for step in steps if _moves_nowhere(step.effect, one, other, state)), None)
            if idle is None:
                continue
            section, _, name = clause.address.rpartition(".")
            span = key_span(state.document.root, section, name, clause.span)
            message = f"with `{clause.source_text}` `{idle.address}` moves to where it takes from"
            hint = f"did you mean `{one.name} is not {other.name}`?"
            warn(state, span, CHANGES_NOTHING, message, "makes both the same", hint, clause.address)
            break


def _equal_answers(action: ActionDef) -> Iterator[tuple[Clause, Local, Local]]:
    """The answers that are the same, with the clauses that say so."""
    for clause in action.clauses:
        for part in conjuncts(clause.condition):
            match part:
                case Compare(op="is", left=Local() as left, right=Local() as right) if left.slot != right.slot:
                    yield clause, left, right


def _moves_nowhere(effect: object, one: Local, other: Local, state: BuildState) -> bool:
    """Whether a move is from a place to itself if two answers are the same, and is not otherwise."""
    if not isinstance(effect, Move) or effect.source is None or effect.source.zone != effect.to.zone or effect.to.end:
        return False
    zone = state.zones[effect.to.zone]
    if zone.is_shuffled or zone.is_arrival_ordered or len(effect.source.keys) != len(effect.to.keys):
        return False

    def as_one(part: Expr) -> Expr | None:
        return one if isinstance(part, Local) and part.slot == other.slot else None

    pairs = [*zip(effect.source.keys, effect.to.keys, strict=True)]
    before = [structural_key(each) == structural_key(to) for each, to in pairs]
    after = [structural_key(transform(each, as_one)) == structural_key(transform(to, as_one)) for each, to in pairs]
    return all(after) and not all(before)


__all__ = ["check_moves_to_same_place"]
