"""Which sorts of pieces do players put somewhere in secret, at the same time, where nobody sees who has put which?

In: blocks, actions and zones. Out: a `SecretGift` for each move of an action that all choose in secret, where another
action offered with it, or another answer, moves another sort from the same zone to the same place of nobody; and what
such an action notes of whoever does it, where all see it, that not all others note.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from rulewright.checker.common.rules_read import steps_within
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Expr
from rulewright.expr.types import Member
from rulewright.expr.walk import free_variables, is_me
from rulewright.frozen import frozen
from rulewright.model.actions import ActionDef
from rulewright.model.effects import Block, Choose, Move, SetState
from rulewright.model.rules import ZoneDef


@frozen
class SecretGift:
    """An action, by its index, that moves a sort of pieces unseen, and those that all may choose in its place."""

    action: int
    others: frozenset[int]
    source: str
    to: str


def secret_gifts(
    blocks: Sequence[Block], actions: Sequence[ActionDef], zones: Mapping[str, ZoneDef]
) -> Iterator[SecretGift]:
    """Those of each step at which all choose at once."""
    for step in (step for block in blocks for step in block.steps):
        if isinstance(step.effect, Choose) and step.effect.mode == "together":
            yield from _gifts(frozenset(offer.action for offer in step.effect.offers), blocks, actions, zones)


def is_giveaway(gift: SecretGift, effect: SetState, blocks: Sequence[Block], actions: Sequence[ActionDef]) -> bool:
    """Whether it is seen by a state of whoever acts that this was done and no other of these actions."""
    if not any(map(is_me, (*effect.target.keys, effect.to))):
        return False
    noted = (structural_key(effect.to), *map(structural_key, effect.target.keys))
    return any(noted not in _noted(actions[number], effect.target.name, blocks) for number in gift.others)


def _noted(action: ActionDef, name: str, blocks: Sequence[Block]) -> list[tuple[object, ...]]:
    """What an action sets a state to, and of whom."""
    effects = [step.effect for step in steps_within(action.block, blocks)]
    sets = [effect for effect in effects if isinstance(effect, SetState) and effect.target.name == name]
    return [(structural_key(each.to), *map(structural_key, each.target.keys)) for each in sets]


def _gifts(
    offered: frozenset[int], blocks: Sequence[Block], actions: Sequence[ActionDef], zones: Mapping[str, ZoneDef]
) -> Iterator[SecretGift]:
    sorts = defaultdict[tuple[str, str], dict[int, Expr]](dict)  # by where from and where to, those of each action
    for number in offered:
        for move in _unseen_moves(actions[number], blocks, zones):
            assert move.source is not None
            assert move.amount.of is not None
            sorts[move.source.zone, move.to.zone][number] = move.amount.of
    for (source, to), of in sorts.items():
        is_any = any(map(free_variables, of.values()))
        if of.keys() == offered and (is_any or len({structural_key(each) for each in of.values()}) > 1):
            yield from (SecretGift(number, offered - {number}, source, to) for number in of)


def _unseen_moves(action: ActionDef, blocks: Sequence[Block], zones: Mapping[str, ZoneDef]) -> Iterator[Move]:
    """Pieces that go from where few look to a place of all that is not open."""
    for step in steps_within(action.block, blocks):
        move = step.effect
        if isinstance(move, Move) and move.source is not None and move.amount.of is not None and not move.to.keys:
            source, to = zones[move.source.zone], zones[move.to.zone]
            if isinstance(source.content_type, Member) and "all" not in (source.seen_by, to.seen_by):
                yield move


__all__ = ["SecretGift", "is_giveaway", "secret_gifts"]
