"""What stays hidden until the game is over: zones whose things come there unseen and are never shown in play.

In: the state of a build. Out: the names of such zones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rulewright.expr.tree import Expr, ReadZone
from rulewright.expr.types import Thing
from rulewright.expr.walk import iter_exprs
from rulewright.model.build_state import BuildState
from rulewright.model.effects import Move, Reveal, Step
from rulewright.model.rules import ZoneDef

FINALE: Final = "finale"


def kept_secrets(state: BuildState) -> frozenset[str]:
    """Zones of which some players see what others do not, where nothing is shown before the game is over."""
    if state.players == 1:
        return frozenset()
    steps = [step for block in state.blocks if not block.address.startswith(FINALE) for step in block.steps]
    filled = _filled_unseen(state, steps)
    private = (zone for zone in state.zones.values() if zone.seen_by in ("owner", "others"))
    return frozenset(zone.name for zone in private if zone.name in filled and not _is_shown(zone, state, steps))


def _filled_unseen(state: BuildState, steps: Sequence[Step]) -> set[str]:
    """Zones to which things come that nobody has seen, from where they lie at first."""
    first = {rows.initial_place.zone for rows in state.components.values() if rows.initial_place is not None}
    filled = {name for name in first if state.zones[name].seen_by != "all"}
    moves = [step.effect for step in steps if isinstance(step.effect, Move)]
    routes = {(move.source.zone, move.to.zone) for move in moves if move.source is not None}
    while new := {to for source, to in routes if source in filled and state.zones[to].seen_by != "all"} - filled:
        filled |= new
    return filled


def _is_shown(zone: ZoneDef, state: BuildState, steps: Sequence[Step]) -> bool:
    if not isinstance(zone.content_type, Thing):
        return True
    moves = [step.effect for step in steps if isinstance(step.effect, Move) and step.effect.to.zone == zone.name]
    sources = [move.source.zone for move in moves if move.source is not None]
    near = {zone.name, *(source for source in sources if state.zones[source].seen_by != "nobody")}
    shown = [_shown(step, step.effect) for step in steps if isinstance(step.effect, Reveal)]
    return any(_may_be_in(exprs, near) for exprs in shown)


def _shown(step: Step, effect: Reveal) -> Sequence[Expr]:
    return (effect.what,) if step.for_each is None else (effect.what, step.for_each.over)


def _may_be_in(exprs: Sequence[Expr], zones: set[str]) -> bool:
    """Whether what is shown may lie in one of these zones, or nothing says where it lies."""
    read = [part.name for expr in exprs for part in iter_exprs(expr) if isinstance(part, ReadZone)]
    return not read or any(name in zones for name in read)


__all__ = ["kept_secrets"]
