"""Does the last round end before it is asked who has lost in it?

In: rules, and the composition they were built from. Out: warnings about an end that comes with a certain round, behind
a step that can decide the game otherwise, where the end that asks about this comes later in the round, or at its
beginning: in the last round nobody asks any more, and others win. Only states are followed that nothing else asks.
Under variants only what a variant wrote.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import ASKED_TOO_LATE
from rulewright.checker.common.names_touched import NamesTouched
from rulewright.checker.common.rules_read import action_exprs
from rulewright.diagnostics import Diagnostics, Related
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Expr
from rulewright.model.effects import Finish, SetState, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.model.traversal import asked_exprs
from rulewright.suggestions import join_list

ROUND: Final = "round_number"


def check_ends_not_asked(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    names = NamesTouched(rules)
    steps = rules.blocks[rules.round].steps
    ends = [(index, step) for index, step in enumerate(steps) if _is_end(step)]
    for index, last in ends:
        if last.when is None or ROUND not in names.read(last.when):
            continue
        for other_index, asking in ends:
            if asking is last or asking.when is None or ROUND in names.read(asking.when) or not _differ(asking, last):
                continue
            asked = names.read(asking.when) & rules.states.keys()
            before = _steps_since(steps, other_index, index)
            deciding = [step for step in before if names.written(step) & asked]
            if not asked or not deciding or names.read(last.when) & asked:
                continue
            if _asked_elsewhere(rules, names, asked):
                continue
            _report(asking, last, deciding[-1], asked, composition, diagnostics)
            return


def _report(
    asking: Step,
    last: Step,
    deciding: Step,
    asked: frozenset[str],
    composition: Composition,
    diagnostics: Diagnostics,
) -> None:
    span = key_span(composition.document.root, asking.address, "when", asking.span)
    if composition.chosen_variants and not {span.source.path, last.span.source.path} & composition.variant_files:
        return
    states = join_list([f"`{name}`" for name in sorted(asked)], "and")
    message = f"in the last round `{last.address}` ends the game before this is asked, whatever {states} is then"
    related = [Related(deciding.span, f"can change {states}"), Related(last.span, "ends the game first")]
    diagnostics.add(
        span,
        ASKED_TOO_LATE,
        message,
        label="asked too late",
        help=f"put this between `{deciding.address}` and `{last.address}`",
        address=asking.address,
        related=related,
    )


def _is_end(step: Step) -> bool:
    return isinstance(step.effect, Finish) and step.effect.when == "now" and step.for_each is None


def _differ(one: Step, other: Step) -> bool:
    """Whether others win at one end than at another."""
    assert isinstance(one.effect, Finish)
    assert isinstance(other.effect, Finish)
    winners = (one.effect.winners, other.effect.winners)
    if None in winners:
        return winners != (None, None)
    keys = [structural_key(each) for each in winners if each is not None]
    return None not in keys and keys[0] != keys[1]


def _steps_since(steps: Sequence[Step], asked: int, last: int) -> Sequence[Step]:
    """The steps of a round between the last time that something is asked and an end."""
    return steps[asked + 1 : last] if asked < last else steps[:last]


def _asked_elsewhere(rules: Rules, names: NamesTouched, asked: frozenset[str]) -> frozenset[str]:
    """Which of some states other rules ask than the ends of a round, and the steps that set them."""
    own = {step.address for step in rules.blocks[rules.round].steps if isinstance(step.effect, Finish)}
    found: set[str] = set()
    for expr in _other_exprs(rules, own, asked):
        found |= names.read(expr) & asked
    return frozenset(found)


def _other_exprs(rules: Rules, own: set[str], asked: frozenset[str]) -> Iterator[Expr]:
    for block in rules.blocks:
        for step in block.steps:
            is_setting = isinstance(step.effect, SetState) and step.effect.target.name in asked
            if step.address not in own and not is_setting:
                yield from asked_exprs(step)
    for action in rules.actions:
        yield from action_exprs(action)
    yield from (criterion.of for criterion in rules.ranking)


__all__ = ["check_ends_not_asked"]
