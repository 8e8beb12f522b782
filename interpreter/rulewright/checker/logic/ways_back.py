"""Do pieces come back from where they are moved to, or are they asked for there?

In: the state of a build. Out: the zones of which that is so; and warnings about zones that have a place for each player
or member of a kind, of which pieces come back only from some. Pieces that go round between zones that nothing asks for
never come back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rulewright import limits
from rulewright.checker.common.lint_codes import ONLY_TAKES_IN
from rulewright.checker.common.sources_of_moves import sources_of_move
from rulewright.checker.common.warn import warn
from rulewright.document.address import find_entry
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Builtin, Constant, Expr, Place, ReadZone
from rulewright.expr.types import Member
from rulewright.expr.walk import iter_exprs
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Move, Step
from rulewright.model.rules import ZoneDef
from rulewright.source.node_memo import NodeMemo

SETUP: Final = "setup."


def zones_with_a_way_back(state: BuildState, *, besides: tuple[str, ...] = ()) -> set[str]:
    """The zones that some rule reads, from which others fill themselves, or from which a step takes, if that leads to
    any such zone, or to where it ends. `besides`: how the addresses begin of expressions that do not count.
    """
    leading = dict[str, set[str]]()
    for _, move in _moves(state):
        if move.source is not None:
            leading.setdefault(move.source.zone, set()).add(move.to.zone)
    kept = asked_zones(state, besides=besides)
    ends = kept | {name for name in state.zones if name not in leading}
    is_settled = False
    while not is_settled:
        found = {name for name, targets in leading.items() if name not in ends and targets & ends}
        is_settled = not found
        ends |= found
    return kept | (ends & leading.keys())


def round_trips(state: BuildState) -> set[str]:
    """The zones from which what is taken in play can come back there."""
    ways = dict[str, set[str]]()
    for step, move in _moves(state):
        if not step.address.startswith(SETUP):
            for source in sources_of_move(step, state.actions):
                ways.setdefault(source, set()).add(move.to.zone)
    for zone in state.zones.values():
        if zone.refill is not None:
            ways.setdefault(zone.refill.zone, set()).add(zone.name)
    return {zone for zone in ways if zone in _reached(zone, ways)}


def _reached(zone: str, ways: dict[str, set[str]]) -> set[str]:
    """Where things can come from a zone, by one move or more."""
    found, waiting = set[str](), [zone]
    while waiting:
        new = ways.get(waiting.pop(), set()) - found
        found |= new
        waiting.extend(new)
    return found


@build_pass(needs=["zones", "blocks"], skip=after_errors)
def check_places_left_full(state: BuildState) -> None:
    """Reports moves into places of a zone from which nothing comes back, unlike from others of the same zone."""
    asked, moves = asked_zones(state), [*_moves(state)]
    for zone in state.zones.values():
        if zone.name in asked or len(zone.key_types) != 1 or not isinstance(zone.key_types[0], Member):
            continue
        emptied = [move.source for _, move in moves if move.source is not None and move.source.zone == zone.name]
        fixed = _fixed_keys(emptied, zone, state)
        if not fixed:
            continue
        for step, move in moves:
            if move.to.zone != zone.name or not move.to.keys or structural_key(move.to.keys[0]) in fixed:
                continue
            entry = find_entry(state.document.root, f"{step.address}.to")
            back = find_entry(state.document.root, f"{_first_emptying(state, zone)}.from")
            only = "" if back is None else f", only from `{back.value.span.text}`"
            message = f"nothing comes back from all places of `{zone.name}` to which this goes{only}"
            hint = "take it from each place, such as with `for_each`, or count what lies there"
            span = step.span if entry is None else entry.value.span
            warn(state, span, ONLY_TAKES_IN, message, "does not all come back", hint, step.address)
            break


def _moves(state: BuildState) -> Iterator[tuple[Step, Move]]:
    for step in (step for block in state.blocks for step in block.steps):
        if isinstance(step.effect, Move):
            yield step, step.effect


def asked_zones(state: BuildState, *, besides: tuple[str, ...] = ()) -> set[str]:
    """The zones that an expression reads, and those from which others fill themselves. `besides`: how the addresses
    begin of expressions that do not count.
    """
    kept = {zone.refill.zone for zone in state.zones.values() if zone.refill is not None}
    asked = (read.expr for read in state.usage.expressions if not read.address.startswith(besides))
    return kept.union(*map(_zones_read, asked))


def _find_zones_read(expr: Expr) -> frozenset[str]:
    return frozenset(part.name for part in iter_exprs(expr) if isinstance(part, ReadZone))


_zones_read: Final = NodeMemo(_find_zones_read, limits.MAX_REMEMBERED_READINGS)  # of typed trees, which stay


def _fixed_keys(emptied: Sequence[Place], zone: ZoneDef, state: BuildState) -> set[object]:
    """The keys from which a zone is emptied, if each is always the same and they are not all that there are."""
    if not emptied or not all(place.keys and _is_fixed(place.keys[0]) for place in emptied):
        return set()
    keys: set[object] = {key for place in emptied if (key := structural_key(place.keys[0])) is not None}
    (type_,) = zone.key_types
    members = state.symbols.kinds[type_.kind].member_values if isinstance(type_, Member) else ()
    return keys if len(keys) < len(members) else set()


def _is_fixed(key: Expr) -> bool:
    return isinstance(key, Constant) or (isinstance(key, Builtin) and key.name == "first_player")


def _first_emptying(state: BuildState, zone: ZoneDef) -> str:
    places = ((step, move.source) for step, move in _moves(state))
    return next((step.address for step, place in places if place is not None and place.zone == zone.name), "")


__all__ = ["asked_zones", "check_places_left_full", "round_trips", "zones_with_a_way_back"]
