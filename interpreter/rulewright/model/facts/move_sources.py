"""From where steps take what they move.

In: rules. Out: the places, as far as they are certain: those that a step names; else the zones out of which the thing
was chosen, or over which a loop runs, when nothing can have moved it since.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final, TypeAlias, assert_never

from rulewright.expr.tree import Arithmetic, Call, Expr, Filter, If, Local, Place, ReadZone
from rulewright.expr.types import Thing
from rulewright.model.actions import ActionDef, Domain, OneOf, SomeOf
from rulewright.model.effects import Choose, Finish, GiveTurn, Leave, Move, Reveal, Roll, RunSteps, SetState, Step
from rulewright.model.rules import Rules
from rulewright.source.node_memo import NodeMemo

ZoneReads: TypeAlias = tuple[ReadZone, ...]


def find_move_sources(rules: Rules) -> Mapping[str, tuple[Place, ...]]:
    """The places from which steps take, by their addresses; a step that is missing may take things from anywhere.

    Keys of the places have the variables of the step.
    """
    return _found_once(rules)


def _find(rules: Rules) -> Mapping[str, tuple[Place, ...]]:
    finder = _MoveSources(rules)
    found: dict[str, tuple[Place, ...]] = {}
    for number, block in enumerate(rules.blocks):
        for index, step in enumerate(block.steps):
            if isinstance(step.effect, Move) and step.effect.source is not None:
                found[step.address] = (step.effect.source,)
            elif (reads := finder.sources(number, index)) is not None:
                found[step.address] = tuple(Place(read.name, read.keys, read.offsets) for read in reads)
    return found


_found_once: Final = NodeMemo(_find, 2)  # many checks ask, one after another


class _MoveSources:
    """Finds from which zones the steps of one rule model take things."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def sources(self, block: int, index: int) -> ZoneReads | None:
        """What was read to find the things that a step moves, and holds them still; None: they can lie anywhere."""
        step = self.rules.blocks[block].steps[index]
        move = step.effect
        if not isinstance(move, Move) or move.source is not None or move.amount.of is None:
            return None
        content_type = self.rules.zones[move.to.zone].content_type
        if not isinstance(content_type, Thing):
            return None
        if step.times is not None:  # from the second time on they are where the first time has put them
            return None
        return self._lies_in(move.amount.of, block, index, content_type.component)

    def _lies_in(self, expr: Expr, block: int, index: int, component: str) -> ZoneReads | None:
        """Where things lie before a step that an expression names."""
        if not isinstance(expr, Local):
            return zone_reads(expr)
        each = self.rules.blocks[block].steps[index].for_each
        if each is not None and each.slot == expr.slot:
            return self._unrefilled(self._lies_in(each.over, block, index, component))
        return self._bound_before(expr.slot, block, index, component)

    def _bound_before(self, slot: int, block: int, index: int, component: str) -> ZoneReads | None:
        """Where the thing in a variable lies before a step, when it was bound before the step's block began."""
        steps = self.rules.blocks[block].steps
        if any(self._can_move(step, component) for step in steps[:index]):
            return None
        action = self._actions.get(block)
        if action is not None:
            if action.index in self._chosen_together:  # those of others are carried out before
                return None
            domain = action.choices[slot].domain if slot < len(action.choices) else None
            return None if domain is None else _domain_reads(domain)
        callers = self._callers.get(block, ())
        if len(callers) != 1:
            return None
        ((outer, place),) = callers
        step = self.rules.blocks[outer].steps[place]
        if step.times is not None:
            return None
        if step.for_each is None:
            return self._bound_before(slot, outer, place, component)
        moves = [each for each in steps if self._can_move(each, component)]
        is_alone = len(moves) == 1 and moves[0] is steps[index] and moves[0].for_each is None
        # each round of the loop moves its own thing and no other
        is_known = is_alone and slot == step.for_each.slot
        return self._unrefilled(zone_reads(step.for_each.over)) if is_known else None

    def _unrefilled(self, reads: ZoneReads | None) -> ZoneReads | None:
        """The zones over which a loop runs; None where a place can draw from one of them between its rounds."""
        drawn_from = {zone.refill.zone for zone in self.rules.zones.values() if zone.refill is not None}
        return None if reads is None or any(read.name in drawn_from for read in reads) else reads

    def _can_move(self, step: Step, component: str) -> bool:
        """Whether a step, or what it runs, can move things of a component."""
        match step.effect:
            case Move(to=to):
                content_type = self.rules.zones[to.zone].content_type
                return isinstance(content_type, Thing) and content_type.component == component
            case RunSteps() | Choose() | GiveTurn():
                return True
            case SetState() | Roll() | Reveal() | Finish() | Leave():
                return False
            case _:
                assert_never(step.effect)

    @cached_property
    def _actions(self) -> dict[int, ActionDef]:
        return {action.block: action for action in self.rules.actions}

    @cached_property
    def _chosen_together(self) -> frozenset[int]:
        return frozenset(
            offer.action
            for block in self.rules.blocks
            for step in block.steps
            if isinstance(step.effect, Choose) and step.effect.mode == "together"
            for offer in step.effect.offers
        )

    @cached_property
    def _callers(self) -> dict[int, list[tuple[int, int]]]:
        """The steps that run each block of nested steps, which see the variables bound around them."""
        found: dict[int, list[tuple[int, int]]] = {}
        for number, block in enumerate(self.rules.blocks):
            for index, step in enumerate(block.steps):
                if isinstance(step.effect, RunSteps) and not step.effect.is_procedure:
                    found.setdefault(step.effect.block, []).append((number, index))
        return found


def _domain_reads(domain: Domain) -> ZoneReads | None:
    """The zones out of which an answer is chosen; None when that is something else."""
    return zone_reads(domain.of) if isinstance(domain, OneOf | SomeOf) else None


def zone_reads(expr: Expr) -> ZoneReads | None:
    """The zones in which the things lie that an expression names; None when it does not say."""
    match expr:
        case ReadZone(member=None):
            return (expr,)
        case Filter(over=over):
            return zone_reads(over)
        case Call(function="first" | "last", args=(_, of)):
            return zone_reads(of)
        case Arithmetic(op="+", left=left, right=right) | If(then=left, otherwise=right):
            first, second = zone_reads(left), zone_reads(right)
            return None if first is None or second is None else first + second
        case Arithmetic(op="less", left=left):
            return zone_reads(left)
    return None


__all__ = ["ZoneReads", "find_move_sources", "zone_reads"]
