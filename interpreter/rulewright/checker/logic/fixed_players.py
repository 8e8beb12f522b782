"""Does a step that is to name another player each time name the same one for ever?

In: rules, and the composition they were built from. Out: warnings about steps of a turn or round that set a state to a
player who follows from what no game changes, such as who began, where nothing but the set-up sets that state otherwise:
once it has been done it changes nothing. Under variants only what a variant wrote.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import OTHER_PLAYER
from rulewright.diagnostics import Diagnostics
from rulewright.expr.tree import Builtin, Call, Constant, Expr
from rulewright.expr.types import SEAT
from rulewright.expr.walk import iter_exprs
from rulewright.model.effects import Roll, SetState, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.model.traversal import blocks_within

FIRST: Final = "first_player"


def check_fixed_players(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    if rules.players < 2:
        return
    set_up = blocks_within(rules, (rules.setup,))
    steps = [step for number, block in enumerate(rules.blocks) if number not in set_up for step in block.steps]
    for state in rules.states.values():
        if state.type != SEAT or state.key_types or state.block_address or state.reset_scope:
            continue
        writing = [step for step in steps if _written(step) == state.name]
        fixed = [step for step in writing if _is_fixed(step)]
        if len(writing) != 1 or not fixed:
            continue
        span = key_span(composition.document.root, fixed[0].address, "to", fixed[0].span)
        if not composition.is_judged(span):
            continue
        message = f"this is the same player each time: nothing else sets `{state.name}`, and it does not depend on it"
        hint = f"did you mean `next({state.name})`?"
        diagnostics.add(
            span, OTHER_PLAYER, message, label="always the same player", help=hint, address=fixed[0].address
        )


def _written(step: Step) -> str:
    return step.effect.target.name if isinstance(step.effect, SetState | Roll) else ""


def _is_fixed(step: Step) -> bool:
    """Whether a step names somebody who is counted from who began, whatever has happened."""
    effect = step.effect
    if not isinstance(effect, SetState) or step.when is not None or step.for_each is not None:
        return False
    parts = [*iter_exprs(effect.to)]
    is_first = any(isinstance(part, Builtin) and part.name == FIRST for part in parts)
    return is_first and all(isinstance(part, Builtin | Call | Constant) and _is_the_same(part) for part in parts)


def _is_the_same(part: Expr) -> bool:
    return not isinstance(part, Builtin) or part.name in (FIRST, "players")


__all__ = ["check_fixed_players"]
