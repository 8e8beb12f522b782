"""Does what is gathered in one turn go on to the next one, once it has been added to what the player in turn has?

In: rules, and the composition they were built from. Out: warnings about states that actions let grow, and sometimes set
to nothing, as a turn is lost, and that a step of the turn adds to a state of the player in turn, where nothing sets
them back behind that step or before: the next player adds the same once more. Under variants only a state that one
wrote.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.common.lint_codes import NEVER_SET_BACK
from rulewright.diagnostics import Diagnostics, Related
from rulewright.document.address import find_entry
from rulewright.expr.tree import Constant, Expr, ReadState
from rulewright.expr.types import Number
from rulewright.expr.walk import is_me, iter_exprs
from rulewright.model.effects import Roll, SetState, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules, StateDef
from rulewright.model.traversal import blocks_within

ACTIONS: Final = "actions."


def check_banked_pots(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    for state in rules.states.values():
        if not isinstance(state.type, Number) or state.key_types or state.block_address or state.reset_scope:
            continue
        banking = _banking(state, rules)
        entry = find_entry(composition.document.root, state.address)
        if banking is None or entry is None or not composition.is_judged(entry.key.span):
            continue
        if any(one.span == entry.key.span for one in diagnostics):
            continue
        message = f"`{state.name}` is added to what a player has, and goes on to the next turn as it is"
        diagnostics.add(
            entry.key.span,
            NEVER_SET_BACK,
            message,
            label="never set back",
            help="write `resets: turn`, or set it back behind that step",
            address=state.address,
            related=[Related(banking.span, "added here")],
        )


def _banking(state: StateDef, rules: Rules) -> Step | None:
    """The step of a turn that adds a state to one of the player in turn, where it is never set back around it."""
    writing = [step for block in rules.blocks for step in block.steps if _target(step) == state.name]
    growing = [step for step in writing if _is_growing(step, state.name)]
    others = [step for step in writing if not _is_growing(step, state.name)]
    is_of_actions = all(step.address.startswith(ACTIONS) for step in writing)
    if not growing or not others or not is_of_actions or not all(map(_is_start, others)):
        return None
    found = [
        step
        for block in blocks_within(rules, (rules.turn,))
        for step in rules.blocks[block].steps
        if step.when is None and step.for_each is None and _is_adding(step, state.name)
    ]
    in_turn = [step for step in found if not step.address.startswith(ACTIONS)]
    return in_turn[0] if len(in_turn) == 1 else None


def _is_growing(step: Step, name: str) -> bool:
    """Whether a step sets a state to something that is made of it, not to something else."""
    return isinstance(step.effect, SetState) and _reads(step.effect.to, name)


def _is_start(step: Step) -> bool:
    return isinstance(step.effect, SetState) and isinstance(step.effect.to, Constant) and step.effect.to.value == 0


def _is_adding(step: Step, name: str) -> bool:
    """Whether a step adds a state to one of the player in turn."""
    effect = step.effect
    if not isinstance(effect, SetState) or len(effect.target.keys) != 1 or not is_me(effect.target.keys[0]):
        return False
    return _reads(effect.to, name) and _reads(effect.to, effect.target.name)


def _reads(expr: Expr, name: str) -> bool:
    return any(isinstance(part, ReadState) and part.name == name for part in iter_exprs(expr))


def _target(step: Step) -> str:
    return step.effect.target.name if isinstance(step.effect, SetState | Roll) else ""


__all__ = ["check_banked_pots"]
