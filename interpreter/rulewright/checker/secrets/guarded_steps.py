"""Steps that are run only if something hidden is so, where everybody sees what they do.

In: the looks of a game's steps, a step that runs others. Out: what it tells, if one of these changes a state, or moves
something elsewhere, in the open. Where somebody is asked in them, or has a turn, it is told who that is.
"""

from __future__ import annotations

from rulewright.checker.common.rules_read import steps_within
from rulewright.checker.secrets.private_looks import Disclosure, PrivateLooks
from rulewright.expr.types import SEAT
from rulewright.model.effects import Block, Move, Roll, RunSteps, SetState, Step


def find_guarded(looks: PrivateLooks, block: Block, number: int, step: Step) -> Disclosure | None:
    """What a step outside of actions tells by running others."""
    effect = step.effect
    if not isinstance(effect, RunSteps) or any(looks.deciding_steps(step)):
        return None
    inner = (*steps_within(effect.block, looks.blocks, with_procedures=True),)
    for key, read in looks.asked_before(block, step):
        zone = read.zone.name
        if looks.puts_away(step, zone) or looks.is_put_away(block, number, zone):
            continue
        if any(_is_seen(looks, each, zone) for each in inner):
            often = "how often" if key in ("times", "while") else "whether"
            message = f"{often} this happens reveals hidden contents of `{zone}` to everybody"
            return Disclosure(key, read, message, f"ask for what all see, or reveal `{zone}` before")
    return None


def _is_seen(looks: PrivateLooks, step: Step, zone: str) -> bool:
    """Whether everybody sees that a step is done; that it names a player, as who begins, is meant."""
    match step.effect:
        case SetState(target=target, to=to):
            return looks.states[target.name].is_shown and to.type != SEAT
        case Roll(target=target):
            return looks.states[target.name].is_shown
        case Move(source=source, to=to):
            return zone not in (to.zone, None if source is None else source.zone) and not looks.is_marker(step.effect)
    return False


__all__ = ["find_guarded"]
