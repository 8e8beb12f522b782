"""What runs what, and what can follow what.

In: rules. Out: `Flow`: which steps run which blocks and offer which actions, what is recursive, inside what a decision
is, and which decisions can come next. Blocks are those of the rule model, by number; an action runs the block of its
steps. Conditions are not looked into: what has one may be done or left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from rulewright.frozen import frozen
from rulewright.model.effects import Choose, Finish, GiveTurn, Leave, Move, Reveal, Roll, RunSteps, SetState, Step
from rulewright.model.rules import Rules
from rulewright.model.traversal import run_blocks


@frozen
class StepPlace:
    """A step by its block and its index there; the first of a block come first."""

    block: int
    index: int

    def __lt__(self, other: StepPlace) -> bool:
        return (self.block, self.index) < (other.block, other.index)


@frozen
class Flow:
    """The flow of one rule model.

    `run_by`: for each block the steps that can run it, by themselves or through an action that they offer. `around`:
    for each block the blocks that can be under way around it. `recursive`: blocks that can run themselves. `next`: for
    each step that asks for a decision those that can ask for the next one.
    """

    run_by: Mapping[int, tuple[StepPlace, ...]]
    around: Mapping[int, frozenset[int]]
    recursive: frozenset[int]
    next: Mapping[StepPlace, tuple[StepPlace, ...]]


def find_flow(rules: Rules) -> Flow:
    """The flow of a rule model."""
    run_by: dict[int, list[StepPlace]] = {number: [] for number in range(len(rules.blocks))}
    for number, block in enumerate(rules.blocks):
        for index, step in enumerate(block.steps):
            for inner in dict.fromkeys(run_blocks(rules, step.effect)):
                run_by[inner].append(StepPlace(number, index))
    outer = {block: _all_around(run_by, block) for block in run_by}
    recursive = frozenset(block for block in outer if block in outer[block])
    beside = _begun_together(rules)
    around = {
        block: frozenset(outer[block].union(*(beside.get(each, ()) for each in (block, *outer[block]))))
        for block in run_by
    }
    callers = {block: tuple(places) for block, places in run_by.items()}
    successors = _Successors(rules, callers)
    decisions = [
        StepPlace(number, index)
        for number, block in enumerate(rules.blocks)
        for index, step in enumerate(block.steps)
        if isinstance(step.effect, Choose)
    ]
    return Flow(callers, around, recursive, {place: tuple(sorted(successors.after(place))) for place in decisions})


def _begun_together(rules: Rules) -> dict[int, set[int]]:
    """For each block of an action that several seats choose at once those that can wait while it is carried out."""
    beside: dict[int, set[int]] = {}
    for block in rules.blocks:
        for step in block.steps:
            if _asks_several(step):
                offered = set(run_blocks(rules, step.effect))
                for each in offered:
                    beside.setdefault(each, set()).update(offered)
    return beside


def _all_around(run_by: Mapping[int, Sequence[StepPlace]], block: int) -> set[int]:
    found, pending = set[int](), [block]
    while pending:
        for place in run_by[pending.pop()]:
            if place.block not in found:
                found.add(place.block)
                pending.append(place.block)
    return found


class _Successors:
    """Which decisions can be first where something begins; what is found only grows, until nothing new comes."""

    def __init__(self, rules: Rules, run_by: Mapping[int, tuple[StepPlace, ...]]) -> None:
        self.rules = rules
        self.run_by = run_by
        count = len(rules.blocks)
        self.firsts: list[set[StepPlace]] = [set() for _ in range(count)]  # the first decisions of each block
        self.passable = [False] * count  # whether a block can end without a decision
        self.followers: list[set[StepPlace]] = [set() for _ in range(count)]  # the first after its end
        self._grow()

    def _grow(self) -> None:
        size = -1
        while size != (size := self._size()):
            for number in range(len(self.rules.blocks)):
                found, is_passable = self._first_of(number, 0)
                self.firsts[number] |= found
                self.passable[number] |= is_passable
                for place in self.run_by[number]:
                    self.followers[number] |= self._after_step(place)
                self.followers[number] |= self._after_section(number)

    def _size(self) -> int:
        return sum(map(len, self.firsts)) + sum(self.passable) + sum(map(len, self.followers))

    def after(self, place: StepPlace) -> set[StepPlace]:
        """The decisions that can come next after that of a step."""
        effect = self.rules.blocks[place.block].steps[place.index].effect
        assert isinstance(effect, Choose)
        found = self._after_step(place)
        for block in run_blocks(self.rules, effect):
            found |= self.firsts[block]
        return found

    def _after_step(self, place: StepPlace) -> set[StepPlace]:
        """The first decisions once a step has been carried out."""
        step = self.rules.blocks[place.block].steps[place.index]
        found, is_passable = self._first_of(place.block, place.index + 1)
        if step.times is not None or step.for_each is not None or _asks_several(step):
            found = found | self._entries(place)
        if _asks_several(step):  # the actions of the others are carried out
            found = found.union(*(self.firsts[block] for block in run_blocks(self.rules, step.effect)))
        return found | self.followers[place.block] if is_passable else found

    def _after_section(self, block: int) -> set[StepPlace]:
        """What comes after a section of the rules: the round after the set-up, another turn that was given …"""
        rules = self.rules
        following = {
            rules.setup: [rules.round],
            rules.round: [rules.round, rules.finale],
            rules.turn: [rules.turn] if self._gives_extra_turns() else [],
        }.get(block, [])
        found: set[StepPlace] = set()
        for section in following:
            found |= self.firsts[section]
            if self.passable[section]:
                found |= self.followers[section]
        return found

    def _gives_extra_turns(self) -> bool:
        return any(
            isinstance(step.effect, GiveTurn) and step.effect.is_extra
            for block in self.rules.blocks
            for step in block.steps
        )

    def _first_of(self, block: int, start: int) -> tuple[set[StepPlace], bool]:
        """The first decisions of a block from a step on, and whether it can end without one."""
        found: set[StepPlace] = set()
        for index in range(start, len(self.rules.blocks[block].steps)):
            place = StepPlace(block, index)
            found |= self._entries(place)
            if not self._can_pass(place):
                return found, False
        return found, True

    def _entries(self, place: StepPlace) -> set[StepPlace]:
        """The first decisions of a step itself."""
        step = self.rules.blocks[place.block].steps[place.index]
        match step.effect:
            case Choose(is_automatic=is_automatic):
                automatic = (
                    [self.firsts[block] for block in run_blocks(self.rules, step.effect)] if is_automatic else []
                )
                return {place}.union(*automatic)
            case RunSteps(block=block):
                return self.firsts[block]
            case GiveTurn(is_extra=False):
                return self.firsts[self.rules.turn]
            case Finish(when="now") | Leave():  # nothing follows but the end
                return self.firsts[self.rules.finale]
            case Move() | SetState() | Roll() | Reveal() | GiveTurn() | Finish():
                return set()
            case _:
                assert_never(step.effect)

    def _can_pass(self, place: StepPlace) -> bool:
        """Whether a step can be carried out, or left out, without a decision."""
        step = self.rules.blocks[place.block].steps[place.index]
        if step.when is not None or step.for_each is not None or step.times is not None:
            return True
        match step.effect:
            case Choose(mode=mode, fallback=fallback, is_automatic=is_automatic):
                is_certain = mode == "must" and fallback != "nothing" and not is_automatic
                return not is_certain or self.rules.has_elimination  # who has left is not asked
            case RunSteps(block=block):
                return self.passable[block]
            case GiveTurn(is_extra=False):
                return self.rules.has_elimination or self.passable[self.rules.turn]
            case Move() | SetState() | Roll() | Reveal() | GiveTurn() | Finish() | Leave():
                return True
            case _:
                assert_never(step.effect)


def _asks_several(step: Step) -> bool:
    """Whether a step asks one player after another."""
    return isinstance(step.effect, Choose) and step.effect.mode == "together"


__all__ = ["Flow", "StepPlace", "find_flow"]
