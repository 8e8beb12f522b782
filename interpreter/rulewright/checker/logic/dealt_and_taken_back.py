"""Does a step take back what one before it has just brought, before anybody could do anything with it?

In: rules, and the composition they were built from. Out: warnings about steps that move all of a zone to where another
step of the same section took it from, where nothing between the two looks there, asks anybody or runs other steps, and
nothing else ever comes to that zone, although rules ask what is there, or steps take it elsewhere: they never find
anything. Under variants only what a variant wrote.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.checker.common.lint_codes import CHANGES_NOTHING
from rulewright.checker.common.names_touched import NamesTouched
from rulewright.checker.common.shared_phrases import TAKEN_BACK
from rulewright.diagnostics import Diagnostics, Related
from rulewright.expr.tree import Expr, Local
from rulewright.expr.walk import is_all_seats
from rulewright.model.effects import Move, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.model.traversal import asked_exprs, filled_zones, run_blocks


def check_dealt_and_taken_back(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    names = NamesTouched(rules)
    for block in rules.blocks:
        for index, deal in enumerate(block.steps):
            zone = _dealt_to(deal, rules)
            back = None if zone is None else _taking_back(block.steps[index + 1 :], deal, zone, names, rules)
            if zone is None or back is None or not composition.is_judged(back.span):
                continue
            if not any(zone in names.read(expr) for expr in _exprs(rules)) and not _is_taken_from(zone, back, rules):
                continue
            message = (
                f"this takes back what `{deal.address}` has just moved there: `{zone}` is empty whenever rules ask"
            )
            diagnostics.add(
                back.span,
                CHANGES_NOTHING,
                message,
                label=TAKEN_BACK,
                help=f"put it before `{deal.address}`",
                address=back.address,
                related=[Related(deal.span, deal.address)],
            )


def _is_taken_from(zone: str, back: Step, rules: Rules) -> bool:
    """Whether another step takes something from a zone to another place than where it is brought back."""
    assert isinstance(back.effect, Move)
    home = back.effect.to.zone
    moves = (step.effect for block in rules.blocks for step in block.steps if isinstance(step.effect, Move))
    return any(move.source is not None and move.source.zone == zone and move.to.zone != home for move in moves)


def _dealt_to(step: Step, rules: Rules) -> str | None:
    """The zone to which a step brings something out of another one, if nothing else ever comes there."""
    move = step.effect
    if not isinstance(move, Move) or move.source is None or move.source.zone == move.to.zone:
        return None
    zone = rules.zones[move.to.zone]
    begins = [each.initial_place.zone for each in rules.components.values() if each.initial_place is not None]
    if zone.refill is not None or zone.initial_content is not None or zone.name in begins:
        return None
    others = (other for block in rules.blocks for other in block.steps if other is not step)
    return None if zone.name in filled_zones(others) else zone.name


def _taking_back(steps: tuple[Step, ...], deal: Step, zone: str, names: NamesTouched, rules: Rules) -> Step | None:
    """The step that moves all of a zone back in any case, as the first that has to do with it."""
    assert isinstance(deal.effect, Move)
    assert deal.effect.source is not None
    for step in steps:
        if run_blocks(rules, step.effect):
            return None
        if zone in names.written(step).union(*map(names.read, asked_exprs(step))):
            return step if _brings_all(step, zone, deal.effect.source.zone) else None
    return None


def _brings_all(step: Step, zone: str, home: str) -> bool:
    """Whether a step moves all that is in a zone to another one, in any case: at once, or for each player."""
    move, loop = step.effect, step.for_each
    if not isinstance(move, Move) or move.source is None or move.amount.mode != "all":
        return False
    if step.when is not None or step.times is not None or step.while_condition is not None:
        return False
    if (move.source.zone, move.to.zone) != (zone, home):
        return False
    if loop is None:
        return not move.source.keys
    keys = move.source.keys
    is_own = len(keys) == 1 and isinstance(keys[0], Local) and keys[0].slot == loop.slot
    return is_own and loop.condition is None and is_all_seats(loop.over)


def _exprs(rules: Rules) -> Iterator[Expr]:
    """What rules ask, but for values by themselves."""
    for block in rules.blocks:
        for step in block.steps:
            yield from asked_exprs(step)
    for action in rules.actions:
        yield from (clause.condition for clause in action.clauses)
    yield from (criterion.of for criterion in rules.ranking)


__all__ = ["check_dealt_and_taken_back"]
