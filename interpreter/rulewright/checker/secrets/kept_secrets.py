"""What stays hidden until the game is over: zones whose things come there unseen and are never shown in play, and those
to which pieces of several sorts come, or from which they go, so that nobody else can tell which.

In: the state of a build. Out: the names of such zones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Final

from rulewright.checker.common.rules_read import steps_within
from rulewright.checker.common.sources_of_moves import sources_of_move
from rulewright.checker.secrets.secret_gifts import secret_gifts
from rulewright.expr.tree import Expr, ReadZone
from rulewright.expr.types import KindInfo, Member, Thing
from rulewright.expr.walk import free_variables, is_me, iter_exprs
from rulewright.model.actions import ActionDef
from rulewright.model.build_state import BuildState
from rulewright.model.effects import Choose, Move, Reveal, Step
from rulewright.model.rules import ZoneDef

FINALE: Final = "finale"


def kept_secrets(state: BuildState) -> frozenset[str]:
    """Zones of which some players see what others do not, where nothing is shown before the game is over."""
    kinds, actions, components = state.symbols.kinds, state.actions, state.components.values()
    private = [zone for zone in state.zones.values() if zone.seen_by in ("owner", "others")]
    if state.players == 1 or not private:
        return frozenset()
    steps = [step for block in state.blocks if not block.address.startswith(FINALE) for step in block.steps]
    first = {rows.initial_place.zone for rows in components if rows.initial_place is not None}
    filled = _filled_unseen(state, first, steps, actions)
    things = [zone for zone in private if isinstance(zone.content_type, Thing)]
    secret = {zone.name for zone in things if zone.name in filled and not _is_shown(zone, state, steps, actions)}
    sorted_pieces = [zone for zone in state.zones.values() if _has_sorts(zone, kinds) and zone.seen_by != "all"]
    unknown = _unknown_pieces({zone.name for zone in sorted_pieces}, steps)
    unknown |= {gift.source for gift in secret_gifts(state.blocks, actions, state.zones)}
    return frozenset(secret | (unknown & {zone.name for zone in private}))


def _unknown_pieces(unseen: Set[str], steps: Sequence[Step]) -> set[str]:
    """Zones to which pieces come by chance or by choice from where not everybody sees which are missing."""
    moves = [step.effect for step in steps if isinstance(step.effect, Move)]
    hidden = [move for move in moves if move.source is not None and {move.source.zone, move.to.zone} <= unseen]
    found = {move.to.zone for move in hidden if _is_unforeseen(move)}
    while new := {move.to.zone for move in hidden if move.source is not None and move.source.zone in found} - found:
        found |= new
    return found


def _has_sorts(zone: ZoneDef, kinds: Mapping[str, KindInfo]) -> bool:
    """Whether it holds pieces that differ: how many there are is no secret."""
    return isinstance(zone.content_type, Member) and len(kinds[zone.content_type.kind].members) > 1


def _is_unforeseen(move: Move) -> bool:
    """Whether chance or a choice says which pieces come."""
    by_choice = move.amount.of is not None and bool(free_variables(move.amount.of))
    return move.amount.mode in ("random", "up to random") or by_choice


def _filled_unseen(state: BuildState, first: Set[str], steps: Sequence[Step], actions: Sequence[ActionDef]) -> set[str]:
    """Zones to which things come that nobody has seen. `first`: where they lie at first."""
    filled = {name for name in first if state.zones[name].seen_by != "all"}
    routes = {
        (source, step.effect.to.zone)
        for step in steps
        if isinstance(step.effect, Move)
        for source in sources_of_move(step, actions)
    }
    while new := {to for source, to in routes if source in filled and state.zones[to].seen_by != "all"} - filled:
        filled |= new
    return filled


def _is_shown(zone: ZoneDef, state: BuildState, steps: Sequence[Step], actions: Sequence[ActionDef]) -> bool:
    moves = [step for step in steps if isinstance(step.effect, Move) and step.effect.to.zone == zone.name]
    sources = {source for step in moves for source in sources_of_move(step, actions)}
    near = {zone.name, *(source for source in sources if state.zones[source].seen_by != "nobody")}
    own = _shown_by_choice(state)
    shown = [_shown(step, step.effect) for step in steps if isinstance(step.effect, Reveal) and step.address not in own]
    return any(_may_be_in(exprs, near) for exprs in shown)


def _shown_by_choice(state: BuildState) -> set[str]:
    """The addresses of steps by which players show what is their own in an action that is not the only one on offer:
    whoever does not do it keeps the secret.
    """
    offering = [step.effect for block in state.blocks for step in block.steps if isinstance(step.effect, Choose)]
    forced = {
        choose.offers[0].action
        for choose in offering
        if choose.mode != "may" and len(choose.offers) == 1 and choose.fallback is None
    }
    return {
        step.address
        for action in state.actions
        if action.index not in forced
        for step in steps_within(action.block, state.blocks)
        if isinstance(step.effect, Reveal) and _is_own(step.effect.what)
    }


def _is_own(what: Expr) -> bool:
    return isinstance(what, ReadZone) and bool(what.keys) and all(map(is_me, what.keys))


def _shown(step: Step, effect: Reveal) -> Sequence[Expr]:
    return (effect.what,) if step.for_each is None else (effect.what, step.for_each.over)


def _may_be_in(exprs: Sequence[Expr], zones: set[str]) -> bool:
    """Whether what is shown may lie in one of these zones, or nothing says where it lies."""
    read = [part.name for expr in exprs for part in iter_exprs(expr) if isinstance(part, ReadZone)]
    return not read or any(name in zones for name in read)


__all__ = ["kept_secrets"]
