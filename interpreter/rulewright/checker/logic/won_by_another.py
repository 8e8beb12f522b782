"""Is it found out who has the best of what lies in a zone, and all of it given to somebody else?

In: rules, and the composition they were built from. Out: warnings about steps that move everything out of a zone to a
place of a player or side, right after a step has looked in that zone for who has won and set a state to that player,
where the place does not depend on this state. Under variants only what a variant wrote.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.checker.common.condition_nodes import part_span
from rulewright.checker.common.lint_codes import OTHER_PLAYER
from rulewright.checker.common.names_touched import NamesTouched
from rulewright.diagnostics import Diagnostics, Related
from rulewright.expr.tree import Filter, Local, ReadZone
from rulewright.expr.types import SEAT
from rulewright.expr.walk import free_variables
from rulewright.model.effects import Block, Move, SetState, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules


def check_won_by_another(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    names = NamesTouched(rules)
    for block in rules.blocks:
        for finding, giving, state in _given_away(block, names):
            assert isinstance(giving.effect, Move)
            key = giving.effect.to.keys[0]
            span = part_span(composition.document.root, giving.address, "to", key, giving.span)
            if not composition.is_judged(span):
                continue
            message = f"`{state}` has just been set to who has won this, and all of it goes to somebody else"
            diagnostics.add(
                span,
                OTHER_PLAYER,
                message,
                label=f"does not depend on `{state}`",
                help=f"did you mean `{state}`?",
                address=giving.address,
                related=[Related(finding.span, f"`{state}` is set here")],
            )


def _given_away(block: Block, names: NamesTouched) -> Iterator[tuple[Step, Step, str]]:
    """A step that finds a winner, the next that has to do with what was won and gives it away, the winner's state."""
    for index, finding in enumerate(block.steps):
        won = _winner(finding, names)
        if won is None:
            continue
        state, zones = won
        for giving in block.steps[index + 1 :]:
            zone = _emptied_zone(giving)
            if zone is not None and zone in zones and isinstance(giving.effect, Move):
                keys = giving.effect.to.keys
                loop = giving.for_each
                is_fixed = loop is None or not any(loop.slot in free_variables(key) for key in keys)
                asked = [*keys, *([giving.when] if giving.when is not None else [])]
                read = frozenset[str]().union(*map(names.read, asked))
                if keys and is_fixed and not read & _winners(block, zone, names):
                    yield finding, giving, state
                break
            if names.written(giving) & {state, *zones}:
                break


def _winners(block: Block, zone: str, names: NamesTouched) -> frozenset[str]:
    """The states that steps set to players who are sought by what lies in a zone."""
    found = [_winner(step, names) for step in block.steps]
    return frozenset(won[0] for won in found if won is not None and zone in won[1])


def _winner(step: Step, names: NamesTouched) -> tuple[str, frozenset[str]] | None:
    """The state that a step sets to a player who is sought by what lies in zones, and these."""
    effect, loop = step.effect, step.for_each
    if not isinstance(effect, SetState) or loop is None or loop.condition is None or loop.type != SEAT:
        return None
    is_one = isinstance(effect.to, Local) and effect.to.slot == loop.slot and not effect.target.keys
    return (effect.target.name, names.read(loop.condition) & names.rules.zones.keys()) if is_one else None


def _emptied_zone(step: Step) -> str | None:
    """The zone out of all of whose places a step moves everything."""
    move = step.effect
    if not isinstance(move, Move):
        return None
    of = move.amount.of
    while isinstance(of, Filter) and of.condition is None:
        of = of.over
    if move.source is not None:
        return move.source.zone if move.amount.mode == "all" and not move.source.keys else None
    return of.name if isinstance(of, ReadZone) and of.member is None and not of.keys else None


__all__ = ["check_won_by_another"]
