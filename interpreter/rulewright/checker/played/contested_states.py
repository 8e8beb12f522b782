"""Does a loop give one state a value several times over, so that only the last counts?

In: rules that can be played, the composition they were built from. Out: a warning about a loop that sets a state to
what depends on its variable, and reads neither the state nor an order, where several met its condition whenever any
did, in all games that were tried. That is no proof, so the number of times is said. Under variants only a loop that a
variant wrote.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.common.codes import LAST_COUNTS
from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.names_touched import NamesTouched
from rulewright.checker.common.tried_games import random_games
from rulewright.diagnostics import Diagnostics
from rulewright.engine.default_engine import make_observed_engine
from rulewright.engine.interface import Event
from rulewright.engine.reference.observation import loop_site
from rulewright.expr.walk import free_variables
from rulewright.model.effects import SetState, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.source.nodes import ScalarNode

GAMES: Final = 8
MIN_TIMES: Final = 8  # that somebody met the condition, before anything is said
MAX_DECISIONS: Final = 60  # of a game


def check_contested_states(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports the first of them."""
    names = NamesTouched(rules)
    steps = [
        step
        for block in rules.blocks
        for step in block.steps
        if composition.is_judged(step.span) and _gives_several(step, names)
    ]
    if not steps:
        return
    counts = _LoopCounts({step.address for step in steps})
    for game in random_games(make_observed_engine(rules, counts), GAMES, MAX_DECISIONS):
        if game.play().fault is not None:  # which is told elsewhere
            break
    for step in steps:
        times = counts.times.get(step.address, [])
        is_reported = any(one.address == step.address for one in diagnostics)
        if len(times) >= MIN_TIMES and min(times) > 1 and not is_reported:
            _report(step, len(times), composition, diagnostics)
            return


def _gives_several(step: Step, names: NamesTouched) -> bool:
    """Whether a loop sets one and the same state to what depends on its variable, whatever it was before."""
    loop, effect = step.for_each, step.effect
    if loop is None or not isinstance(effect, SetState) or step.order is not None:
        return False
    if loop.condition is None:
        return False  # which is seen without a game, or is not known
    target = effect.target
    read = [effect.to, step.when, step.while_condition]  # what comes behind `where` is asked before anything is set
    is_one = not any(loop.slot in free_variables(key) for key in target.keys)
    is_kept = any(target.name in names.read(expr) for expr in read if expr is not None)
    return is_one and not is_kept and loop.slot in free_variables(effect.to)


class _LoopCounts:
    """How often each of some loops is carried out, each time that anything meets its condition."""

    def __init__(self, addresses: set[str]) -> None:
        self.addresses = addresses
        self.loops = {loop_site(address): address for address in addresses}
        self.running: str | None = None  # the loop of which the last event was that it is carried out
        self.times = dict[str, list[int]]()

    def __call__(self, event: Event) -> None:
        site, _ = event
        if site in self.loops:
            self.running = None
        elif site in self.addresses:
            if self.running == site:
                self.times[site][-1] += 1
            else:
                self.times.setdefault(site, []).append(1)
            self.running = site


def _report(step: Step, times: int, composition: Composition, diagnostics: Diagnostics) -> None:
    assert isinstance(step.effect, SetState)
    assert step.for_each is not None
    node = condition_node(composition.document.root, step.address, "for_each")
    condition, name = step.for_each.condition, step.effect.target.name
    span = step.span if node is None else node.span
    if condition is not None and isinstance(node, ScalarNode):
        span = node.subspan(*condition.offsets)
    message = f"several give `{name}` a value here, and only the last counts: so it was in all of {times} loops"
    hint = "narrow the condition down, or say the order with `highest_first` or `lowest_first`"
    diagnostics.add(span, LAST_COUNTS, message, label="holds for several", help=hint, address=step.address)


__all__ = ["check_contested_states"]
