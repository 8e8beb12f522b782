"""Does every turn lead to another one, so that somebody never has one, or the game never ends?

In: the state of a build. Out: warnings about steps that give another turn whatever happens: of the turn itself, or of
every action that a turn has to choose from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.checker.common.lint_codes import NEVER_ENDS
from rulewright.checker.common.warn import warn
from rulewright.expr.tree import Builtin
from rulewright.model.actions import ActionDef
from rulewright.model.build_state import BuildState, build_pass
from rulewright.model.effects import Block, Choose, Finish, GiveTurn, Leave, Step


@build_pass(needs=["actions", "blocks"])
def check_endless_turn(state: BuildState) -> None:
    """A turn after which there is always another: of the same seat, so that nobody else ever has one; or of anybody,
    so that no round is ever complete, in a game that only ends with a round.
    """
    blocks, actions = state.blocks, state.actions
    ends = [block.address for block in blocks for step in block.steps if _ends_at_once(step)]
    is_left = any(not address.startswith("round") for address in ends)
    for step in _given_in_every_turn(blocks, actions) if state.players > 1 else ():
        assert isinstance(step.effect, GiveTurn)
        is_own = isinstance(step.effect.seat, Builtin) and step.effect.seat.name == "me"
        if is_own or not is_left:
            message = "the same player gets another turn after every turn, so no other player ever has one"
            if not is_own:
                message = "every turn is followed by another one, so no round is ever complete and the game never ends"
            hint = "add a condition `when: …`; for one extra turn in a round, test a state with `resets: round`"
            warn(state, step.span, NEVER_ENDS, message, "repeats forever", hint, step.address)


def _given_in_every_turn(blocks: Sequence[Block], actions: Sequence[ActionDef]) -> Iterator[Step]:
    """The steps that give another turn, whatever is chosen: those of the turn, or else one of its only action."""
    steps = next((block.steps for block in blocks if block.address == "turn"), ())
    yield from filter(_gives_turn, steps)
    for step in steps:
        choose = step.effect
        if not isinstance(choose, Choose) or choose.mode != "must" or step.by is not None or not _is_always(step):
            continue
        given = [
            [inner for inner in blocks[actions[number].block].steps if _gives_turn(inner)]
            for number in {offer.action for offer in choose.offers}
        ]
        if choose.fallback is None and given and all(given):
            yield given[0][0]


def _gives_turn(step: Step) -> bool:
    return isinstance(step.effect, GiveTurn) and step.effect.is_extra and _is_always(step)


def _is_always(step: Step) -> bool:
    return step.when is None and step.for_each is None and step.times is None


def _ends_at_once(step: Step) -> bool:
    """Whether a step can end the game before the round is over."""
    return isinstance(step.effect, Leave) or (isinstance(step.effect, Finish) and step.effect.when == "now")


__all__ = ["check_endless_turn"]
