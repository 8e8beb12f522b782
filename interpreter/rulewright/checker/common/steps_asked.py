"""What a step does to one state or one zone, which step is at an address, and which action a step is a part of.

In: steps or actions, a name or an address. Out: yes or no; the step, or the action.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.model.actions import ActionDef
from rulewright.model.effects import Block, Move, Roll, SetState, Step


def sets_state(step: Step, name: str) -> bool:
    """Whether a step sets a state, or rolls for it."""
    return isinstance(step.effect, SetState | Roll) and step.effect.target.name == name


def fills_zone(step: Step, zone: str) -> bool:
    """Whether a step moves anything to a zone."""
    return isinstance(step.effect, Move) and step.effect.to.zone == zone


def step_at(blocks: Iterable[Block], address: str) -> Step | None:
    """The step with an address."""
    return next((step for block in blocks for step in block.steps if step.address == address), None)


def action_of(actions: Iterable[ActionDef], address: str) -> ActionDef | None:
    """The action that a step, a choice or a clause is a part of, by the address of that."""
    return next((action for action in actions if address.startswith(f"{action.address}.")), None)


__all__ = ["action_of", "fills_zone", "sets_state", "step_at"]
