"""Is all that a hidden place holds shown to everybody before anybody has decided anything?

In: the state of a build. Out: warnings about steps that show all of a place to everybody, where nothing ever comes to
such a place but just before: then nothing is hidden, and what a player could know better than others is lost. Places
that are forgotten again, and a step that a variant adds to open what its game hides, are meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.checker.common.lint_codes import SHOWN_AT_ONCE
from rulewright.checker.common.steps_asked import fills_zone
from rulewright.checker.common.warn import warn
from rulewright.expr.tree import Filter, Local, ReadZone
from rulewright.expr.types import Thing
from rulewright.expr.walk import is_all_seats
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Block, Choose, GiveTurn, Reveal, RunSteps, Step
from rulewright.model.rules import ZoneDef


@build_pass(needs=["blocks", "zones", "components"], skip=after_errors)
def check_shown_at_once(state: BuildState) -> None:
    """Reports them."""
    filled_at_first = {rows.initial_place.zone for rows in state.components.values() if rows.initial_place is not None}
    filled_at_first |= {zone.name for zone in state.zones.values() if zone.refill is not None}
    for block in state.blocks:
        for number, step in enumerate(block.steps):
            name = _shown_to_all(step)
            zone = None if name is None else state.zones[name]
            if zone is None or not _hides_things(zone) or zone.name in filled_at_first:
                continue
            if _is_brought(step, zone, state):
                continue
            filling = [each for each in _filling(zone.name, state.blocks) if each not in _just_before(block, number)]
            if filling or not any(fills_zone(each, zone.name) for each in _just_before(block, number)):
                continue
            message = f"`{zone.name}` is hidden, and all of it is shown to everybody before anybody decides"
            hint = "show it later, or make the zone visible with `seen_by: all`"
            warn(state, step.span, SHOWN_AT_ONCE, message, "nothing is hidden any more", hint, step.address)


def _shown_to_all(step: Step) -> str | None:
    """The zone of which a step shows all things to everybody, whatever happens."""
    effect, loop = step.effect, step.for_each
    if not isinstance(effect, Reveal) or effect.to is not None or step.when is not None or step.times is not None:
        return None
    what = effect.what
    while isinstance(what, Filter) and what.condition is None:
        what = what.over
    if not isinstance(what, ReadZone):
        return None
    if loop is None:
        return None if what.keys else what.name
    is_of_all = is_all_seats(loop.over) and loop.condition is None
    is_own = len(what.keys) == 1 and isinstance(what.keys[0], Local) and what.keys[0].slot == loop.slot
    return what.name if is_of_all and is_own else None


def _hides_things(zone: ZoneDef) -> bool:
    return isinstance(zone.content_type, Thing) and zone.seen_by in ("owner", "nobody") and not zone.is_forgetful


def _is_brought(step: Step, zone: ZoneDef, state: BuildState) -> bool:
    """Whether a variant adds the step to a zone that it has not hidden itself."""
    files = state.variant_files
    return step.span.source.path in files and zone.span.source.path not in files


def _just_before(block: Block, number: int) -> Sequence[Step]:
    """The steps before one, since anybody could last decide anything."""
    found: list[Step] = []
    for step in reversed(block.steps[:number]):
        if isinstance(step.effect, Choose | GiveTurn | RunSteps):
            break
        found.append(step)
    return found


def _filling(zone: str, blocks: Sequence[Block]) -> Iterator[Step]:
    yield from (step for block in blocks for step in block.steps if fills_zone(step, zone))


__all__ = ["check_shown_at_once"]
