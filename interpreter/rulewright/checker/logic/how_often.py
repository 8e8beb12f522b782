"""How often can a step be carried out in one turn, or in one round?

In: rules, a section. Out: for each step that it leads to a bound, by the step's address; None for a step without one:
of an action that offers itself, of a loop over what is not counted, of turns while somebody may have another one, and
for a step that is carried out elsewhere, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rulewright.expr.tree import Builtin, Constant
from rulewright.expr.types import SEAT
from rulewright.model.effects import Choose, GiveTurn, Step
from rulewright.model.rules import ResetScope, Rules
from rulewright.model.traversal import blocks_within, run_blocks

Bound = int | None
MAX_FOLLOWED: Final = 2_000  # steps, counted wherever they run; beyond that no bound is known


def most_often(rules: Rules, scope: ResetScope) -> Mapping[str, Bound]:
    """The bounds of all steps that a turn or a round leads to; of no other step."""
    found: dict[str, Bound] = {}
    steps = [step for block in rules.blocks for step in block.steps]
    has_extra_turns = any(isinstance(step.effect, GiveTurn) and step.effect.is_extra for step in steps)
    start = rules.turn if scope == "turn" else rules.round
    pending: list[tuple[int, Bound, frozenset[int]]] = [(start, 1, frozenset({start}))]
    followed = 0
    while pending:
        block, factor, around = pending.pop()
        for step in rules.blocks[block].steps:
            followed += 1
            if followed > MAX_FOLLOWED:
                return {step.address: None for step in steps}
            times = _product(_repetitions(step, rules.players), factor)
            found[step.address] = _total(found.get(step.address, 0), times)
            if isinstance(step.effect, Choose) and step.effect.mode == "together":
                times = _product(times, rules.players)
            if isinstance(step.effect, GiveTurn) and has_extra_turns:
                times = None
            for inner in run_blocks(rules, step.effect):
                if inner in around:  # it offers itself
                    blocks = (rules.blocks[number] for number in blocks_within(rules, [inner]))
                    found.update((again.address, None) for each in blocks for again in each.steps)
                else:
                    pending.append((inner, times, around | {inner}))
    outside = _reached_outside(rules, scope)
    return {address: None if address in outside else times for address, times in found.items()}


def _reached_outside(rules: Rules, scope: ResetScope) -> set[str]:
    """The addresses of the steps that can also be carried out where no turn, or no round, is under way."""
    pending = [rules.setup, rules.finale, *([rules.round] if scope == "turn" else [])]
    reached = set(pending)
    while pending:
        for step in rules.blocks[pending.pop()].steps:
            if isinstance(step.effect, GiveTurn) and scope == "turn":
                continue  # that is a turn
            new = set(run_blocks(rules, step.effect)) - reached
            reached |= new
            pending += new
    return {step.address for block in reached for step in rules.blocks[block].steps}


def _repetitions(step: Step, players: int) -> Bound:
    """How often a step is carried out where it is reached once."""
    times: Bound = 1
    if step.times is not None:
        times = step.times.value if isinstance(step.times, Constant) and isinstance(step.times.value, int) else None
    if step.for_each is not None:
        over = step.for_each.over
        is_seats = isinstance(over, Builtin) and over.name in (SEAT.kind, "everyone", "others", "opponents")
        times = _product(times, players if is_seats else None)
    return times


def _product(left: Bound, right: Bound) -> Bound:
    return None if left is None or right is None else left * right


def _total(left: Bound, right: Bound) -> Bound:
    return None if left is None or right is None else left + right


__all__ = ["Bound", "most_often"]
