"""Does a player do something for this round when all that it is for is over in the turn?

In: rules, and the composition they were built from. Out: warnings about the step of a turn by which an action sets what
each player has of a state that begins anew with the round, where only steps before it ask for that: it could only be of
use in another turn of the same player in the same round. A state that its own action asks for keeps track of what may
be done once. Under variants only what a variant wrote.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.checker.common.lint_codes import CHANGES_NOTHING
from rulewright.checker.common.names_touched import NamesTouched
from rulewright.checker.common.rules_read import asked_within
from rulewright.diagnostics import Diagnostics, Related
from rulewright.expr.tree import Expr, Local, ReadState, ReadValue
from rulewright.expr.types import SEAT
from rulewright.expr.walk import is_me, iter_exprs
from rulewright.model.effects import Choose, GiveTurn, Roll, SetState, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules, StateDef
from rulewright.model.traversal import asked_exprs, blocks_within, run_blocks


def check_late_writes(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    for state in rules.states.values():
        found = _late_step(state, rules) if state.reset_scope == "round" and state.key_types == (SEAT,) else None
        if found is None:
            continue
        step, reader = found
        if not composition.is_judged(step.span):
            continue
        message = f"this sets `{state.name}`, which begins anew with each round, and only what comes before asks for it"
        hint = f"put it before `{reader.address.rpartition('.')[2]}`"
        related = [Related(reader.span, reader.address)]
        diagnostics.add(
            step.span, CHANGES_NOTHING, message, label="too late", help=hint, address=step.address, related=related
        )


def _late_step(state: StateDef, rules: Rules) -> tuple[Step, Step] | None:
    """The step of a turn by which a state is set, and the last one before it that asks for it."""
    names, steps = NamesTouched(rules), rules.blocks[rules.turn].steps
    setting = [step for step in steps if state.name in names.written(step)]
    if len(setting) != 1 or not isinstance(setting[0].effect, Choose) or _is_touched_outside(state, rules, names):
        return None
    late, index = setting[0], steps.index(setting[0])
    asking = [step for step in steps if any(_reads(expr, state, names) for expr in asked_within(step, rules))]
    if not asking or any(steps.index(step) >= index for step in asking) or late.times is not None:
        return None
    inner = [
        step for block in blocks_within(rules, run_blocks(rules, late.effect)) for step in rules.blocks[block].steps
    ]
    if any(isinstance(step.effect, GiveTurn) for step in (*inner, *asking)):
        return None  # which then is what it is for
    is_own = all(
        is_me(key)
        for step in inner
        if isinstance(step.effect, SetState | Roll) and step.effect.target.name == state.name
        for key in step.effect.target.keys
    )
    exprs = [expr for step in asking for expr in asked_within(step, rules)]
    return (late, asking[-1]) if is_own and all(_is_of_me(expr, state, rules, names) for expr in exprs) else None


def _is_touched_outside(state: StateDef, rules: Rules, names: NamesTouched) -> bool:
    """Whether anything but what a turn consists of asks for a state, or sets it."""
    within = blocks_within(rules, (rules.turn,))
    others = [step for number, block in enumerate(rules.blocks) if number not in within for step in block.steps]
    exprs = [expr for step in others for expr in asked_exprs(step)]
    exprs += [*(one.of for one in rules.ranking), *(one.of for one in rules.measures)]
    exprs += [one.condition for one in rules.invariants]
    own = [step.effect for step in others if isinstance(step.effect, SetState | Roll)]
    gives = [step for step in others if isinstance(step.effect, GiveTurn)]
    return (
        any(_reads(expr, state, names) for expr in exprs)
        or any(effect.target.name == state.name for effect in own)
        or len(gives) != 1
        or gives[0] not in rules.blocks[rules.round].steps
        or gives[0].times is not None
    )


def _reads(expr: Expr, state: StateDef, names: NamesTouched) -> bool:
    return state.name in names.read(expr)


def _is_of_me(expr: Expr, state: StateDef, rules: Rules, names: NamesTouched, mine: Sequence[int] = ()) -> bool:
    """Whether an expression asks for a state of the player in turn only. `mine`: the variables that are that one."""

    def is_mine(key: Expr) -> bool:
        return is_me(key) or (isinstance(key, Local) and key.slot in mine)

    for part in iter_exprs(expr):
        if isinstance(part, ReadState) and part.name == state.name and not all(map(is_mine, part.keys)):
            return False
        if isinstance(part, ReadValue) and _reads(part, state, names):
            definition = rules.values[part.name]
            own = [slot for slot, key in enumerate(part.keys) if is_mine(key)]
            terms = (term for _, term in (*definition.terms, *definition.deductions))
            if not all(_is_of_me(term, state, rules, names, own) for term in terms):
                return False
    return True


__all__ = ["check_late_writes"]
