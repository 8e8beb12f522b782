"""Does everybody learn what a player has just drawn in secret, though the player does not mean to tell?

In: the state of a build. Out: warnings about actions that draw something unseen into the place of the player in turn,
and write what lies there into a state, which everybody sees, or let it decide how much changes place or who has another
turn; unless the sentence of the action says that it is told or asked, the action shows things or puts them in the open,
or only who holds something certain may do it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import LOOKS_AT_HIDDEN
from rulewright.checker.common.rules_read import steps_within
from rulewright.checker.common.warn import warn
from rulewright.checker.secrets.announcing_states import tells
from rulewright.checker.secrets.information_leaks import IF_MEANT, HiddenRead
from rulewright.checker.secrets.private_looks import PrivateLooks
from rulewright.expr.tree import Expr
from rulewright.model.actions import ActionDef
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Block, GiveTurn, Move, Reveal, RunSteps, SetState, Step
from rulewright.model.rules import ZoneDef


@build_pass(needs=["blocks", "zones", "values", "states", "actions", "components", "book_sentences"], skip=after_errors)
def check_noted_by_owners(state: BuildState) -> None:
    """Reports the first step of each action that does."""
    zones = state.zones
    drawing = [
        (action, steps, drawn)
        for action in (state.actions if state.players > 1 else ())
        if (drawn := _drawn(steps := [*steps_within(action.block, state.blocks, with_procedures=True)], zones))
    ]
    if not drawing:
        return
    looks = PrivateLooks(state)
    blocks = {step.address: block for block in state.blocks for step in block.steps}
    for action, steps, drawn in drawing:
        if any(_shows(each, zones) for each in steps) or tells(action, state):
            continue
        disclosed = (found for step in steps if (found := _disclosed(looks, blocks[step.address], step, drawn)))
        step, key, read = next(disclosed, (None, "", None))
        if step is None or read is None or _asks(action, read.zone.name, looks):
            continue
        what = f"`{step.effect.target.name}`" if isinstance(step.effect, SetState) else "what comes of this"
        span = key_span(state.document.root, step.address, key, step.span)
        message = f"everybody sees {what}, which tells what `{read.zone.name}` of the player in turn holds"
        hint = "keep it in a zone that only its owner sees, or let the sentence of the action say that it is told"
        warn(state, span, LOOKS_AT_HIDDEN, message, "hidden from the others", f"{hint}; {IF_MEANT}", step.address)


def _drawn(steps: Sequence[Step], zones: Mapping[str, ZoneDef]) -> set[str]:
    """The zones to which steps bring what nobody has seen, and which their owners alone look into."""
    moves = [step.effect for step in steps if isinstance(step.effect, Move)]
    unseen = [move for move in moves if move.source is not None and zones[move.source.zone].seen_by == "nobody"]
    return {move.to.zone for move in unseen if zones[move.to.zone].seen_by == "owner"}


def _disclosed(looks: PrivateLooks, block: Block, step: Step, drawn: set[str]) -> tuple[Step, str, HiddenRead] | None:
    """What everybody sees of a step and what hangs on what was drawn, and where."""
    for key, expr in _seen_exprs(looks, step):
        read = looks.read(expr) or looks.looped(expr, block, step)
        if read is not None and read.zone.name in drawn:
            return step, key, read
    return None


def _seen_exprs(looks: PrivateLooks, step: Step) -> Iterator[tuple[str, Expr]]:
    """What decides what everybody sees of a step, by its key; what is taken from the place itself is no less hidden."""
    match step.effect:
        case SetState(target=target, to=to) if looks.states[target.name].is_shown:
            yield "to", to
        case Move(amount=amount, source=source) if source is not None:
            if any(looks.puts_away(step, zone) for zone in looks.secrets):
                return
            yield from [] if amount.of is None else [("move", amount.of)]
        case GiveTurn(is_extra=True):
            pass
        case RunSteps() if not any(looks.puts_away(step, zone) for zone in looks.secrets):
            pass  # whether anything is done, everybody sees
        case _:
            return
    yield from [] if step.times is None else [("times", step.times)]
    yield from [] if step.when is None else [("when", step.when)]


def _asks(action: ActionDef, zone: str, looks: PrivateLooks) -> bool:
    """Whether only who holds something certain may do an action, so that doing it tells that."""
    reads = (looks.read(clause.condition) for clause in action.clauses)
    return any(read is not None and read.zone.name == zone for read in reads)


def _shows(step: Step, zones: Mapping[str, ZoneDef]) -> bool:
    """Whether a step shows things, or puts what its owner alone saw where all see it."""
    move = step.effect
    if not isinstance(move, Move) or move.source is None:
        return isinstance(move, Reveal)
    return zones[move.source.zone].seen_by == "owner" and zones[move.to.zone].seen_by == "all"


__all__ = ["check_noted_by_owners"]
