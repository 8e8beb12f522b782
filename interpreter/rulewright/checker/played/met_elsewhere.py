"""Does a condition hold before other steps of the games that were tried?

In: rules, a condition of a step, and the loop of whose variable it asks. Out: how often it held before the steps of
these games, and before which of them most; None where it is not known, or was so in too few games. The set-up is left
out, since everything is otherwise before all is in its place.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.common.names_touched import NamesTouched
from rulewright.checker.common.rules_read import all_parts, steps_within
from rulewright.checker.common.tried_games import random_games
from rulewright.engine.default_engine import make_watched_engine
from rulewright.engine.reference.mutable_state import MutableState
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Binding, Compare, Constant, Expr, Quantifier
from rulewright.expr.types import FLAG
from rulewright.expr.walk import conjuncts, free_variables, is_me
from rulewright.frozen import field, frozen, mutable
from rulewright.model.effects import Step
from rulewright.model.rules import Rules

GAMES: Final = 3
MIN_GAMES: Final = 2  # in which it held
MAX_DECISIONS: Final = 150  # of a game


@frozen
class MetElsewhere:
    """`share`: of the steps, before which a condition held; `address`: of the last of
    them before the step that asks for it, or of the one before which it held most often."""

    share: float
    address: str


@mutable
class _Moments:
    """How often a condition was tried, before which steps it held how often, in which games."""

    tried: int = 0
    held: dict[str, int] = field(default_factory=dict)
    games: set[int] = field(default_factory=set)


def find_met_elsewhere(rules: Rules, address: str, condition: Expr, loop: Binding | None) -> MetElsewhere | None:
    """How often the condition of the step at an address holds."""
    asked = condition if loop is None else Quantifier("some", loop.slot, condition, loop.over, FLAG, condition.offsets)
    if free_variables(asked):
        return None
    needs_seat = any(map(is_me, all_parts(rules.values, [asked])))
    found, number = _Moments(), 0

    def note(before: str, position: MutableState) -> None:
        if needs_seat and position.context.me < 0:
            return
        found.tried += 1
        if holds(position.context):
            found.held[before] = found.held.get(before, 0) + 1
            found.games.add(number)

    setting_up = {step.address for step in steps_within(rules.setup, rules.blocks, with_procedures=True)}
    steps = {step.address for block in rules.blocks for step in block.steps} - setting_up
    engine = make_watched_engine(rules, steps, note)
    holds = engine.compiler.compile(asked)
    for game in random_games(engine, GAMES, MAX_DECISIONS):
        if game.play().fault is not None:  # which is told elsewhere
            return None
        number += 1
    if len(found.games) < MIN_GAMES:
        return None
    last = _last_before(address, rules, found)
    if last is not None and last.when is not None and _may_leave(last.when, condition, rules):
        return None
    share = sum(found.held.values()) / found.tried
    most = max(found.held, key=lambda each: found.held[each])
    return MetElsewhere(share, most if last is None else last.address)


def _last_before(address: str, rules: Rules, found: _Moments) -> Step | None:
    """The last step in the same block before a step, before which its condition held; None if there is none."""
    block = next(block for block in rules.blocks if any(step.address == address for step in block.steps))
    index = next(index for index, step in enumerate(block.steps) if step.address == address)
    return next((step for step in reversed(block.steps[:index]) if step.address in found.held), None)


def _may_leave(when: Expr, condition: Expr, rules: Rules) -> bool:
    """Whether a step before is about the same and leaves some of it to the step that never had to do with it."""
    names = NamesTouched(rules)
    return not names.read(when).isdisjoint(names.read(condition)) and not any(
        _follows(part, when) for part in conjuncts(condition)
    )


def _follows(condition: Expr, other: Expr) -> bool:
    """Whether one condition holds only where another one does, as far as that is plain."""
    key = structural_key(condition)
    if key is not None and key == structural_key(other):
        return True
    match condition, other:
        case (
            Compare(op=">", left=left, right=Constant(value=int(number))),
            Compare(op=">", left=same, right=Constant(value=int(least))),
        ):
            key = structural_key(left)
            return number >= least and key is not None and key == structural_key(same)
    return False


__all__ = ["MetElsewhere", "find_met_elsewhere"]
