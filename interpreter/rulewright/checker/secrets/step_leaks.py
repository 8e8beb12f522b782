"""What the course of a game gives away: steps that ask, or give a turn, if what is hidden is so.

In: steps, and who sees which zone. Out: warnings where whoever is asked learns what another player holds, from nothing
but being asked; and for each step of which that is not excluded, the zones into which it looks.

Whoever asks a question learns the answer, and that is meant: what an action does may depend on a hand, and so may a
step that compares hands, that reads what somebody has chosen, or that comes after things were shown. A warning is given
only where nothing of that is so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rulewright.checker.common import lint_codes
from rulewright.checker.common.condition_nodes import part_span
from rulewright.checker.common.rules_read import all_parts
from rulewright.checker.common.warn import warn
from rulewright.checker.secrets.hidden_variables import HiddenVariables, find_hidden_variables
from rulewright.checker.secrets.information_leaks import (
    IF_MEANT,
    OTHER_SEAT,
    USE_COUNT,
    HiddenRead,
    HiddenReadFinder,
    UnseenFinder,
)
from rulewright.checker.secrets.kept_secrets import kept_secrets
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Expr, ReadState, ReadValue, ReadZone
from rulewright.expr.types import Bag, Number, Thing
from rulewright.expr.walk import conjuncts, free_variables, is_me, iter_exprs
from rulewright.frozen import frozen
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Block, Choose, Finish, GiveTurn, Move, Reveal, RunSteps, SetState, Step
from rulewright.model.rules import Rules, ZoneDef

FINALE: Final = "finale"
TURN: Final = "turn"
HINT: Final = f"{USE_COUNT}, or reveal them before; {IF_MEANT}"


@frozen
class StepLook:
    """A step that may look into a hidden place to decide what happens, and the zone."""

    address: str
    zone: str


def find_step_looks(rules: Rules) -> Iterator[StepLook]:
    """Steps whose course, or a state that all see, may depend on what somebody does not see. When the game is over
    nothing is asked any more.
    """
    finder = UnseenFinder(rules.zones, rules.values, rules.players)
    find_hidden_variables(finder, rules.blocks, rules.states)
    for block in rules.blocks:
        for step in block.steps if not block.address.startswith(FINALE) else ():
            if isinstance(step.effect, Finish) and step.effect.when == "now":
                continue
            is_noted = isinstance(step.effect, SetState) and rules.states[step.effect.target.name].is_shown
            exprs = [expr for _, expr in _asked(step)]
            exprs += [step.for_each.over] if step.for_each is not None and exprs else []
            if is_noted and isinstance(step.effect, SetState):
                exprs += [step.effect.to]
                exprs += _looped(step, step.effect.to)
            exprs += [expr for expr in (step.by, step.order) if expr is not None]
            exprs += [step.effect.seat] if isinstance(step.effect, GiveTurn) else []
            exprs += _counted_out(step.effect) if isinstance(step.effect, Move) else []
            read = next((read for expr in exprs if (read := finder.find_first(expr, {})) is not None), None)
            if read is not None:
                yield StepLook(step.address, read.zone.name)


def _looped(step: Step, expr: Expr) -> list[Expr]:
    """What a step loops over, if an expression asks about its elements."""
    loop = step.for_each
    return [loop.over] if loop is not None and loop.slot in free_variables(expr) else []


def _counted_out(move: Move) -> list[Expr]:
    """How much is moved, which everybody counts, if it is not what lies in the place that it is taken from."""
    of, zones = move.amount.of, {move.to.zone} if move.source is None else {move.to.zone, move.source.zone}
    if of is None or any(isinstance(part, ReadZone) and part.name in zones for part in iter_exprs(of)):
        return []
    return [of] if isinstance(of.type, Bag | Number) else []


class _OthersFinder(HiddenReadFinder):
    """Finds where expressions look into what another player surely holds, and the seat that chooses does not see."""

    def _seen(self, zone: ZoneDef, keys: tuple[Expr, ...], seats: Mapping[int, str]) -> bool:
        if zone.seen_by != "owner" or zone.owner_key is None or zone.owner_key >= len(keys):
            return True
        return self._whose(keys[zone.owner_key], seats) != OTHER_SEAT


@build_pass(needs=["blocks", "zones", "components", "values", "states", "actions", "symbols"], skip=after_errors)
def check_step_leaks(state: BuildState) -> None:
    """Steps of a turn that ask the player in turn, or give it another turn, if another player's hand is so."""
    finder = _OthersFinder(state.zones, state.values, state.players)
    variables = find_hidden_variables(finder, state.blocks, state.states)
    blocks = state.blocks if state.players > 1 else ()
    kept = kept_secrets(state)
    owned = [zone for zone in state.zones.values() if zone.seen_by == "owner"]
    secret = {zone.name for zone in owned if _is_kept_secret(zone, state) or (zone.is_pool and zone.name in kept)}
    for block in blocks if secret else ():
        for step in block.steps if f"{block.address}.".startswith(f"{TURN}.") else ():
            what = _what_comes(step, state.blocks)
            for key, expr in _asked(step) if what else ():
                looks = (_look(part, step, finder, variables) for part in conjuncts(expr))
                read = next((look for look in looks if look is not None), None)
                if read is None or read.zone.name not in secret:
                    continue
                loop = step.for_each
                is_looped = loop is not None and any(part is read.expr for part in iter_exprs(loop.over))
                span = part_span(
                    state.document.root, step.address, "for_each" if is_looped else key, read.expr, step.span
                )
                often = "how often" if key in ("times", "for_each") else "whether"
                message = f"{often} {what} reveals hidden contents of `{read.zone.name}` to the player in turn"
                label = "hidden from the player in turn"
                warn(state, span, lint_codes.LOOKS_AT_HIDDEN, message, label, HINT, step.address)
                break


def _is_kept_secret(zone: ZoneDef, state: BuildState) -> bool:
    """Whether things come to a zone unseen, and nothing is shown before the game is over."""
    if not isinstance(zone.content_type, Thing):
        return False
    steps = [step for block in state.blocks if not block.address.startswith(FINALE) for step in block.steps]
    if any(isinstance(step.effect, Reveal) for step in steps):
        return False
    sources = [
        step.effect.source.zone
        for step in steps
        if isinstance(step.effect, Move) and step.effect.to.zone == zone.name and step.effect.source is not None
    ]
    return any(state.zones[source].seen_by != "all" for source in sources)


def _asked(step: Step) -> Iterator[tuple[str, Expr]]:
    """What decides whether and how often a step is carried out, by its key. How many things there are in a place is no
    secret, so a loop over all of them asks nothing.
    """
    condition = step.for_each.condition if step.for_each is not None else None
    asked = [
        ("when", step.when),
        ("while", step.while_condition),
        ("times", step.times),
        ("for_each", condition),
    ]
    yield from ((key, expr) for key, expr in asked if expr is not None)


def _what_comes(step: Step, blocks: Sequence[Block]) -> str:
    """What all see of a step if it is carried out: the player in turn is asked, or has another turn."""
    match step.effect:
        case Choose() if step.by is None or is_me(step.by):
            return "this is asked"
        case GiveTurn(seat=seat) if is_me(seat):
            return "this turn is given"
        case RunSteps(block=block):
            return next((what for inner in blocks[block].steps if (what := _what_comes(inner, blocks))), "")
        case _:
            return ""


def _look(part: Expr, step: Step, finder: HiddenReadFinder, variables: HiddenVariables) -> HiddenRead | None:
    """A look at what is hidden and at nothing else: no answer, no state, nothing that lies elsewhere."""
    loop = step.for_each
    read, about = finder.find_first(part, {}), [part]
    if loop is not None and loop.slot in free_variables(part):
        about.append(loop.over)
        read = read or finder.find_first(loop.over, {})
    own = {loop.slot} if loop is not None else set[int]()
    is_answer = any(free_variables(expr) - own for expr in about)
    about = variables.expand(about)
    parts = list(all_parts(finder.values, about))
    reads = {structural_key(each) for expr in about for each in iter_exprs(expr) if _is_read(each)}
    is_more = len(reads) > 1 or len({structural_key(each) for each in parts if isinstance(each, ReadZone)}) > 1
    states = [each for each in parts if isinstance(each, ReadState) and each.name not in variables.written]
    return None if is_answer or is_more or states else read


def _is_read(expr: Expr) -> bool:
    return isinstance(expr, ReadZone | ReadValue)


__all__ = ["StepLook", "check_step_leaks", "find_step_looks"]
