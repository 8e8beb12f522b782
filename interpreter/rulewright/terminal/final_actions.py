"""What a player should be asked about before it is done: what cannot be taken back, and what is paid needlessly.

In: a position and a legal action. Out: yes or no. It depends on nothing that the player may not know: it is found out
in positions that the player cannot tell from the true one, and whatever the others could do there may happen.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from rulewright.engine import chance
from rulewright.engine.determinize import determinize
from rulewright.engine.faults import RuleFault
from rulewright.engine.interface import Engine
from rulewright.engine.notation import Notation
from rulewright.engine.state import Action, Decision, State
from rulewright.engine.values import as_tuple
from rulewright.expr.types import Bag
from rulewright.frozen import replace
from rulewright.model.actions import Pay
from rulewright.session.irreversible import irreversible_cause
from rulewright.session.match import Match

TRIED_DEALS: Final = 4  # positions in which an action is tried
MAX_TRIED_ACTIONS: Final = 64  # in all of them, with what others may do after it


def is_final(engine: Engine, state: State, seat: int, action: Action, people: Collection[int]) -> bool:
    """Whether an action may bring chance, new information or the end before one of the `people` is asked next, so that
    it could not be undone. What the others will do is not known: each of their legal actions counts. True also where
    that would take too long to find out.
    """
    untried = [(deal, action) for deal in _possible_deals(engine, state, seat, action)]
    if not untried:
        return True
    for _ in range(MAX_TRIED_ACTIONS):
        before, attempt = untried.pop()
        try:
            played, after = Match(engine, before).preview(attempt)
            if after.over or irreversible_cause(engine, before, played, after) is not None:
                return True
            if not (isinstance(after.waiting, Decision) and after.waiting.seat in people):
                untried += [(after, reply) for reply in reversed(engine.legal(after))]
        except RuleFault:
            return True
        if not untried:
            return False
    return True


def _possible_deals(engine: Engine, state: State, seat: int, action: Action) -> list[State]:
    """Different positions that a seat cannot tell from this one, in which an action is legal."""
    rng = chance.seed_rng(0)
    deals: dict[State, State] = {}  # by the same position without its generator
    for _ in range(TRIED_DEALS):
        rng, seed = chance.rand_below(rng, 1 << 32)
        deal = determinize(engine, state, seat, seed)
        deals.setdefault(replace(deal, rng=None), deal)
    notation = Notation(engine.rules)
    return [deal for deal in deals.values() if notation.match_action(action, engine.legal(deal)) is not None]


def needless_wild(engine: Engine, legal: Sequence[Action], action: Action) -> tuple[str, str] | None:
    """The kind and id of a wild member of which an action pays more than another that differs in the payment alone."""
    if action.token is not None or action.number < 0:
        return None
    choices = engine.rules.actions[action.number].choices
    others = [other for other in legal if other.number == action.number and len(other.values) == len(action.values)]
    for index, (choice, value) in enumerate(zip(choices, action.values, strict=False)):
        if not isinstance(choice.domain, Pay) or not choice.domain.wild:
            continue
        assert isinstance(choice.type, Bag)
        kind = choice.type.kind
        rest = action.values[:index] + action.values[index + 1 :]
        same = [other for other in others if other.values[:index] + other.values[index + 1 :] == rest]
        for member in choice.domain.wild:
            wild = engine.compiler.bag_index(kind)[member]
            if any(as_tuple(other.values[index])[wild] < as_tuple(value)[wild] for other in same):
                return kind, Notation(engine.rules).bag_member_ids(kind)[wild]
    return None


__all__ = ["is_final", "needless_wild"]
