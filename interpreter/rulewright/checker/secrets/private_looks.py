"""Looks of steps into places that some players see and others do not, and what is asked there.

In: the state of a build. Out: a `PrivateLooks`: where an expression looks, whether it measures or compares, and whether
what it saw is put away before anybody has a choice again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import copy
from typing import Final

from rulewright.checker.common.rules_read import all_parts, steps_within
from rulewright.checker.secrets.fresh_secrets import FreshSecrets
from rulewright.checker.secrets.hidden_variables import find_hidden_variables
from rulewright.checker.secrets.information_leaks import HiddenRead, HiddenReadFinder
from rulewright.checker.secrets.kept_secrets import kept_secrets
from rulewright.checker.secrets.secret_gifts import secret_gifts
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import (
    Arithmetic,
    Binding,
    Compare,
    Expr,
    Extremum,
    Local,
    ReadState,
    ReadValue,
    ReadZone,
)
from rulewright.expr.types import SEAT
from rulewright.expr.walk import conjuncts, find_position_read, free_variables, iter_exprs
from rulewright.frozen import frozen
from rulewright.model.build_state import BuildState
from rulewright.model.effects import Block, Choose, Finish, GiveTurn, Move, Reveal, RunSteps, SetState, Step
from rulewright.model.rules import ZoneDef

ORDERS: Final = ("<", "<=", ">", ">=")
ROUND: Final = "round"
SETUP: Final = "setup"


@frozen
class Disclosure:
    """What a step tells: the key at which it looks, where, what all learn by it, and what could be done instead."""

    key: str
    read: HiddenRead
    message: str
    hint: str


class _PrivateFinder(HiddenReadFinder):
    """Finds where expressions look into places that some players see, and others do not."""

    def _seen(self, zone: ZoneDef, keys: tuple[Expr, ...], seats: Mapping[int, str]) -> bool:
        return zone.seen_by in ("all", "nobody") or self.players == 1


class PrivateLooks:
    """What the steps of one game read of what stays secret."""

    def __init__(self, state: BuildState) -> None:
        self.secrets = kept_secrets(state)
        self._fresh = FreshSecrets(state)
        self.gifts = (*secret_gifts(state.blocks, state.actions, state.zones),) if self.secrets else ()
        self.blocks, self.states, self.values = state.blocks, state.states, state.values
        self._finder = _PrivateFinder(state.zones, state.values, state.players)
        self._variables = find_hidden_variables(self._finder, state.blocks, state.states)
        self._chosen = _chosen_states(state)
        self._numbers = {block.address: number for number, block in enumerate(state.blocks)}
        self._callers: dict[int, list[tuple[Block, int]]] = {}
        for block in state.blocks:
            for number, step in enumerate(block.steps):
                if isinstance(step.effect, RunSteps):
                    self._callers.setdefault(step.effect.block, []).append((block, number))

    @property
    def can_be(self) -> bool:
        """Whether anything is secret, now and then at least."""
        return bool(self.secrets) or self._fresh.can_be

    def before(self, block: Block, number: int) -> PrivateLooks:
        """The looks of one step: also into what has just come there unseen, and may be shown later."""
        fresh = self._fresh.before(block, number) - self.secrets
        if not fresh:
            return self
        looks = copy(self)
        looks.secrets = self.secrets | fresh
        return looks

    def read(self, expr: Expr) -> HiddenRead | None:
        """The first look of an expression at what stays secret."""
        read = self._finder.find_first(expr, {})
        return read if read is not None and read.zone.name in self.secrets else None

    def looped(self, expr: Expr, block: Block, step: Step) -> HiddenRead | None:
        """Whether an expression asks something of a thing in a hidden place through which a loop goes."""
        slots = free_variables(expr)
        for loop in self._loops(block, step):
            if loop.slot in slots and loop.type != SEAT and (read := self.read(loop.over)) is not None:
                return HiddenRead(expr, read.zone, read.source or read.expr)
        return None

    def asked_before(self, block: Block, step: Step, *, of_certain: bool = True) -> Iterator[tuple[str, HiddenRead]]:
        """What decides whether or how often a step is carried out: looks at how much something is and (`of_certain`) at
        who holds a certain thing, also asked of things in a hidden place, one by one; not at how hands compare. Each by
        its key. Before the game begins whoever holds a certain thing comes forward.
        """
        of_certain = of_certain and not f"{block.address}.".startswith(f"{SETUP}.")
        asked = [("when", part) for part in conjuncts(step.when)] if step.when is not None else []
        often = [("times", step.times), ("while", step.while_condition)]
        asked += [(key, expr) for key, expr in often if expr is not None]
        if step.for_each is not None and step.for_each.condition is not None:
            asked += [("for_each", part) for part in conjuncts(step.for_each.condition)]
        for key, expr in asked:
            if not of_certain and not self.measures(expr):
                continue
            read = self.looped(expr, block, step) or self.read(expr)
            if read is not None and (self._is_held_against_open(expr) or not self.is_comparison(expr)):
                yield key, read

    def _loops(self, block: Block, step: Step) -> Iterator[Binding]:
        """The loops around a step, innermost first."""
        at: tuple[Block, Step] | None = (block, step)
        while at is not None:
            block, step = at
            if step.for_each is not None:
                yield step.for_each
            at = self._around(block)

    def _around(self, block: Block) -> tuple[Block, Step] | None:
        """The step whose own steps a block is."""
        callers = self._callers.get(self._numbers[block.address], ())
        for outer, number in callers:
            effect = outer.steps[number].effect
            if isinstance(effect, RunSteps) and not effect.is_procedure:
                return outer, outer.steps[number]
        return None

    def asks_or_gives_turn(self, step: Step) -> bool:
        """Whether somebody has a choice in a step."""
        return any(self.deciding_steps(step))

    def deciding_steps(self, step: Step) -> Iterator[Step]:
        """The steps in which somebody is asked, or has a turn: the step itself, or those that it runs."""
        yield from (each for each in self._with_inner(step) if isinstance(each.effect, Choose | GiveTurn))

    def measures(self, expr: Expr) -> bool:
        """Whether it is asked how much something is, not whether a certain thing is there."""
        return any(
            isinstance(part, Extremum | Arithmetic) or (isinstance(part, Compare) and part.op in ORDERS)
            for part in self._parts(expr)
        )

    def is_comparison(self, expr: Expr) -> bool:
        """Whether what one holds is compared with what others hold, or with a state."""
        own = [part for each in self._variables.expand([expr]) for part in iter_exprs(each)]
        looks = {_whose(part) for part in own if isinstance(part, ReadZone | ReadValue)}
        compares = [part for part in iter_exprs(expr) if isinstance(part, Compare)]
        is_fixed = all(self._is_fixed(part.left) or self._is_fixed(part.right) for part in compares)
        parts = [*self._parts(expr)]
        is_more = len(looks) > 1 or any(isinstance(part, Extremum) for part in parts)
        seats = [
            key for part in parts if isinstance(part, ReadZone | ReadValue) for key in part.keys if key.type == SEAT
        ]
        whose = {id(part) for key in seats for part in iter_exprs(key)}
        return is_more or not is_fixed or any(self._is_state(part) and id(part) not in whose for part in parts)

    def _is_held_against_open(self, expr: Expr) -> bool:
        """Whether the things of one hidden place are only held against what lies where everybody sees it, the same for
        all, as against a certain thing.
        """
        parts = [*self._parts(expr)]
        if any(isinstance(part, Extremum | ReadState | Arithmetic) for part in parts):
            return False
        reads = [part for part in parts if isinstance(part, ReadZone)]
        if any(part.name not in self.secrets and not self._is_open(part) for part in reads):
            return False
        compares = [part for part in parts if isinstance(part, Compare)]
        is_certain = all(self._is_open(part.left) or self._is_open(part.right) for part in compares)
        return is_certain and len({_whose(part) for part in reads if part.name in self.secrets}) == 1

    def _is_open(self, expr: Expr) -> bool:
        """Whether everybody knows what something comes to, and it is the same for all."""
        return not free_variables(expr) and self._finder.find_first(expr, {}) is None

    def _parts(self, expr: Expr) -> Iterator[Expr]:
        return all_parts(self.values, self._variables.expand([expr]))

    def _is_state(self, part: Expr) -> bool:
        """Whether a state is read that may be what a player has said or been asked."""
        return isinstance(part, ReadState) and part.name not in self._variables.written and part.name in self._chosen

    def _is_fixed(self, expr: Expr) -> bool:
        """Whether it is known before play what something is compared with, or a state that nobody has chosen says."""
        is_given = isinstance(expr, ReadState) and not expr.keys and not self._is_state(expr)
        return is_given or (find_position_read(expr) is None and not free_variables(expr))

    @staticmethod
    def is_marker(move: Move) -> bool:
        """Whether what one player alone has goes to another: it says who that is, as a state does."""
        source = move.source
        return source is not None and source.zone == move.to.zone and len(source.keys) < len(move.to.keys)

    def is_put_away(self, block: Block, number: int, zone: str) -> bool:
        """Whether what lies in a zone goes elsewhere or is shown, or the game is over, before anybody has a choice."""
        return self._is_put_away_after(block, number + 1, zone, set())

    def _is_put_away_after(self, block: Block, first: int, zone: str, seen: set[tuple[str, int]]) -> bool:
        if (block.address, first) in seen:
            return False
        seen.add((block.address, first))
        for step in block.steps[first:]:
            if self.asks_or_gives_turn(step):
                return False
            if isinstance(step.effect, Finish) and step.effect.when == "now" and step.when is None:
                return True
            if self.puts_away(step, zone) or self.shows(step, zone):
                return True
        if block.address == ROUND:  # the next round begins with the same steps
            return self._is_put_away_after(block, 0, zone, seen)
        callers = self._callers.get(self._numbers[block.address], ())
        return bool(callers) and all(self._is_put_away_after(outer, at + 1, zone, seen) for outer, at in callers)

    def puts_away(self, step: Step, zone: str) -> bool:
        """Whether a step, or one that it runs, takes from a zone."""
        return any(
            isinstance(each.effect, Move) and _takes_from(each.effect, (zone,)) for each in self._with_inner(step)
        )

    def shows(self, step: Step, zone: str) -> bool:
        """Whether a step, or one that it runs, shows everybody what lies in a zone."""
        effects = (each.effect for each in self._with_inner(step))
        shown = (effect.what for effect in effects if isinstance(effect, Reveal) and effect.to is None)
        parts = [part for what in shown for part in iter_exprs(what)]
        return any(_may_lie_in(part, (zone,)) for part in parts)

    def _with_inner(self, step: Step) -> Sequence[Step]:
        """The steps that a step runs, or itself."""
        effect = step.effect
        if isinstance(effect, RunSteps):
            return (*steps_within(effect.block, self.blocks, with_procedures=True),)
        return (step,)


def _whose(read: ReadZone | ReadValue) -> object:
    """Of which players something is read; where it is of none, what is read."""
    seats = tuple(structural_key(key) for key in read.keys if key.type == SEAT)
    return seats or structural_key(read)


def _chosen_states(state: BuildState) -> frozenset[str]:
    """The states that an action sets, itself or by a procedure, that are kept for each of several, or are players."""
    of_actions = {
        step.address
        for action in state.actions
        for step in steps_within(action.block, state.blocks, with_procedures=True)
    }
    sets = ((step, step.effect) for block in state.blocks for step in block.steps if isinstance(step.effect, SetState))
    return frozenset(
        effect.target.name
        for step, effect in sets
        if step.address in of_actions or effect.to.type == SEAT or effect.target.keys
    )


def _takes_from(move: Move, zones: Collection[str]) -> bool:
    if move.source is not None:
        return move.source.zone in zones
    parts = [] if move.amount.of is None else [*iter_exprs(move.amount.of)]
    return any(_may_lie_in(part, zones) for part in parts)


def _may_lie_in(part: Expr, zones: Collection[str]) -> bool:
    """Whether a part of what is moved or shown is a thing of one of these zones, or a thing that may be."""
    if isinstance(part, Local):
        return part.type != SEAT
    return isinstance(part, ReadZone) and part.name in zones


__all__ = ["Disclosure", "PrivateLooks"]
