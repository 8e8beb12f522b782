"""Does what is done once have to be done again, and again, for ever?

In: rules, and the composition they were built from. Out: warnings about decisions of an action whose every answer leads
back to the same decision, where no step on the way ends the game: whoever comes to it never gets past it. A step that
has a condition can be left out, unless nothing that it asks changes there, and so can one that nobody can do, if it
says what is done then. Under variants it is at what a variant wrote, or at the change without which it is otherwise.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.common.change_causes import blamed, is_by_variants
from rulewright.checker.common.lint_codes import NEVER_ENDS
from rulewright.checker.common.names_touched import POSSIBLE, NamesTouched
from rulewright.diagnostics import Diagnostics, Related
from rulewright.expr.tree import Builtin, Constant, Local
from rulewright.expr.types import SEAT
from rulewright.expr.walk import free_variables
from rulewright.frozen import field, frozen, mutable
from rulewright.model.actions import OneOf
from rulewright.model.effects import Choose, Finish, GiveTurn, Leave, RunSteps, Step
from rulewright.model.facts.declared_ranges import find_declared_ranges
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.facts.flow import find_flow
from rulewright.model.facts.value_ranges import FALSE
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.model.traversal import blocks_within, run_blocks

OTHERS: Final = ("others", "opponents", "everyone")  # those who have not left
MAX_CONDITIONS: Final = 2  # of a circle: they may exclude each other
HINT: Final = "write `may`, add a condition `when: …`, or offer an action after which it need not be done again"


@frozen
class _Circle:
    """Decisions that lead to one another and that nobody gets past, first the one that leads back."""

    steps: tuple[Step, ...]


def check_endless_actions(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports each circle at one of its decisions."""
    for circle in _circles(rules):
        own = [step for step in circle.steps if composition.is_judged(step.span)]
        step = (own or circle.steps)[0]
        message, span = _message(circle, step, rules), step.span
        if composition.chosen_variants:
            if not is_by_variants(composition, _is_right):
                continue
            if not own:
                message, span = blamed(message, step.address, composition, _is_right)
        others = [Related(one.span, "leads back here") for one in circle.steps if one is not step]
        diagnostics.add(span, NEVER_ENDS, message, label="never ends", help=HINT, address=step.address, related=others)


def _is_right(rules: Rules) -> bool:
    return not _circles(rules)


def _message(circle: _Circle, step: Step, rules: Rules) -> str:
    assert isinstance(step.effect, Choose)
    names = [f"`{rules.actions[offer.action].name}`" for offer in step.effect.offers]
    done = f"after {names[0]}" if len(names) == 1 else "whatever is chosen here,"
    if any(one.when is not None for one in circle.steps):
        return f"{done} this must be chosen again, and nothing on the way changes what its condition asks"
    return f"{done} this must be chosen again, and so on: nothing ends it"


def _circles(rules: Rules) -> list[_Circle]:
    """The circles that a game can come to."""
    if not any(_asks_again(step) for action in rules.actions for step in rules.blocks[action.block].steps):
        return []
    ways = _WaysOut(rules)
    stuck = [number for number in range(len(rules.blocks)) if number not in ways.passed | ways.ending]
    if not stuck:
        return []
    flow, seen = find_flow(rules), set[int]()
    played = blocks_within(rules, (rules.setup, rules.round, rules.finale))
    circles = list[_Circle]()
    for number in stuck:
        if number not in flow.recursive or number not in played or number in seen:
            continue
        circle = [one for one in stuck if one == number or (one in flow.around[number] and number in flow.around[one])]
        seen.update(circle)
        steps = [step for step in map(ways.holding_step, circle) if step is not None]
        if sum(step.when is not None for step in steps) < MAX_CONDITIONS:
            entries = {one for one in circle if any(place.block not in circle for place in flow.run_by[one])}
            decisions = [step for step in steps if _asks_again(step)]
            decisions.sort(key=lambda step: (step.when is None, entries.isdisjoint(run_blocks(rules, step.effect))))
            circles += [_Circle(tuple(decisions))] if decisions else []
    return circles


def _asks_again(step: Step) -> bool:
    return isinstance(step.effect, Choose) and step.effect.mode != "may"


@mutable
class _WaysOut:
    """The blocks that can come to their end (`passed`), and those in which the game can (`ending`)."""

    rules: Rules
    names: NamesTouched | None = None  # until it is needed
    passed: set[int] = field(default_factory=set)
    ending: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        size = -1
        while size != (size := len(self.passed) + len(self.ending)):  # more and more, until no other does
            for number in range(len(self.rules.blocks)):
                self._follow(number)

    def _follow(self, number: int) -> None:
        holding = self.holding_step(number)
        if holding is None:
            self.passed.add(number)
        for step in self.rules.blocks[number].steps:
            inner = run_blocks(self.rules, step.effect)
            if _ends_at_once(step) or not self.ending.isdisjoint(inner):
                self.ending.add(number)
            if step is holding:
                break

    def holding_step(self, number: int) -> Step | None:
        """The first step of a block that is surely carried out and that nobody gets past."""
        return next((step for step in self.rules.blocks[number].steps if not self._gets_past(step, number)), None)

    def _gets_past(self, step: Step, number: int) -> bool:
        """Whether the next step can follow."""
        if not self._is_sure(step, number) or self._may_have_left(step, number):
            return True
        match step.effect:
            case Choose(mode="may") | Choose(fallback="nothing"):
                return True
            case Choose() | RunSteps():
                return not self.passed.isdisjoint(run_blocks(self.rules, step.effect))
            case GiveTurn(is_extra=False):
                return self.rules.has_elimination or self.rules.turn in self.passed
        return True

    def _may_have_left(self, step: Step, number: int) -> bool:
        """Whether somebody is asked who may have left, and is not asked then: not one who is chosen of all others."""
        if not self.rules.has_elimination or step.by is None:
            return False
        action = next((action for action in self.rules.actions if action.block == number), None)
        if action is None or not isinstance(step.by, Local) or step.by.slot >= len(action.choices):
            return True
        domain = action.choices[step.by.slot].domain
        return not (isinstance(domain, OneOf) and isinstance(domain.of, Builtin) and domain.of.name in OTHERS)

    def _is_sure(self, step: Step, number: int) -> bool:
        """Whether a step is carried out once at least, each time if it is the first time."""
        if step.while_condition is not None or (step.when is not None and not self._is_steady(step, number)):
            return False
        if step.times is not None and not (isinstance(step.times, Constant) and step.times.value):
            return False
        loop = step.for_each
        return loop is None or (
            loop.condition is None and isinstance(loop.over, Builtin) and loop.over.name == SEAT.kind
        )

    def _is_steady(self, step: Step, number: int) -> bool:
        """Whether a condition of a decision asks for nothing that changes before it is asked again."""
        if step.when is None or not _asks_again(step) or step.by is not None or free_variables(step.when):
            return False
        self.names = self.names or NamesTouched(self.rules)
        read = self.names.read(step.when)
        if POSSIBLE in read or not read.isdisjoint(self.names.written_in(number)):
            return False
        declared = find_declared_ranges(self.rules)
        ranges = ExpressionRanges(self.rules, declared.contents, declared.variables)
        return ranges.scalars(step.when, {}, ranges.seats) != FALSE  # a parameter may leave it out


def _ends_at_once(step: Step) -> bool:
    return isinstance(step.effect, Leave) or (isinstance(step.effect, Finish) and step.effect.when == "now")


__all__ = ["check_endless_actions"]
