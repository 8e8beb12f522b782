"""Does an action note of another player what is asked of whoever does it?

In: rules, and the composition they were built from. Out: warnings about steps of an action by which alone a state of
each player is set, and never of who acts, though a clause of the action, or the step that offers it, asks for it of
just that player: so what was done once is asked for in vain. Under variants only what a variant wrote.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.checker.common.condition_nodes import part_span
from rulewright.checker.common.lint_codes import OTHER_PLAYER
from rulewright.checker.common.rules_read import steps_within
from rulewright.diagnostics import Diagnostics
from rulewright.expr.tree import Builtin, Call, Constant, Expr, Local, ReadState
from rulewright.expr.types import SEAT
from rulewright.expr.walk import is_me, iter_exprs
from rulewright.model.actions import ActionDef
from rulewright.model.effects import Choose, Roll, SetState, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules


def check_noted_of_another(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    steps = [step for block in rules.blocks for step in block.steps]
    for state in rules.states.values():
        if state.key_types != (SEAT,) or state.reset_scope in ("turn", "round"):
            continue
        writing = [(step, key) for step in steps for name, key in _targets(step) if name == state.name]
        if not writing or not all(_is_another(key) for _, key in writing):
            continue
        for action in rules.actions:
            own = {step.address for step in steps_within(action.block, rules.blocks)}
            if not all(step.address in own for step, _ in writing):
                continue
            if not _is_asked_of_who_acts(action, state.name, rules):
                continue
            step, key = writing[0]
            span = part_span(composition.document.root, step.address, "set", key, step.span)
            if composition.is_judged(span):
                message = f"`{state.name}` is asked for of who does `{action.name}`"
                message += ", and only ever set of another player"
                hint = f"did you mean `{state.name}(me)`?"
                diagnostics.add(span, OTHER_PLAYER, message, label="not `me`", help=hint, address=step.address)


def _targets(step: Step) -> Iterator[tuple[str, Expr]]:
    """The state of a player that a step sets, and whose; `me` where it is not set to what is written there."""
    match step.effect:
        case SetState(target=target, to=Constant()) if len(target.keys) == 1:
            yield target.name, target.keys[0]
        case SetState(target=target) | Roll(target=target) if target.keys:
            yield target.name, Builtin("me", SEAT, (0, 0))


def _is_another(key: Expr) -> bool:
    """Whether a key names one player, who is not the one who acts."""
    match key:
        case Builtin(name="first_player" | "opponent") | ReadState(keys=()):
            return True
        case Call(function="next" | "previous", args=(of, *_)):
            return is_me(of)
    return False


def _is_asked_of_who_acts(action: ActionDef, name: str, rules: Rules) -> bool:
    """Whether clauses of an action, or the conditions of a step that offers it, ask for a state of who does it."""
    if any(_reads_of(clause.condition, name, None) for clause in action.clauses):
        return True
    for step in (step for block in rules.blocks for step in block.steps):
        choose = step.effect
        if not isinstance(choose, Choose) or all(offer.action != action.index for offer in choose.offers):
            continue
        who = step.by.slot if isinstance(step.by, Local) else None
        if any(_reads_of(condition, name, who) for condition in _conditions(step)):
            return True
    return False


def _conditions(step: Step) -> Iterator[Expr]:
    if step.when is not None:
        yield step.when
    if step.for_each is not None and step.for_each.condition is not None:
        yield step.for_each.condition


def _reads_of(condition: Expr, name: str, who: int | None) -> bool:
    """Whether a condition asks for a state of who decides. `who`: the variable that is that player, if one is."""
    for part in iter_exprs(condition):
        if isinstance(part, ReadState) and part.name == name:
            key = part.keys[0]
            if is_me(key) if who is None else isinstance(key, Local) and key.slot == who:
                return True
    return False


__all__ = ["check_noted_of_another"]
