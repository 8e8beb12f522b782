"""Whether the invariants of the rules hold in a position from outside, as far as they must hold there.

In: a position whose stack a game can have left. Out: nothing, or `InvalidPosition` with the sentence of the invariant.

An invariant is checked after each step, turn or round. What is to hold after a step holds wherever somebody decides:
nothing has happened since the step that asks. What is to hold after a turn or a round may be broken in the next one, by
the steps that it has carried out so far. So the places are collected that those may have changed, and whatever part of
the invariant reads none of these must still hold: of `every seat has count(bowl(seat)) <= 10` the bowls of all seats
but the one in turn. What reads more than places is not judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from rulewright.engine.context import Context
from rulewright.engine.interface import Engine
from rulewright.engine.place_flow import move_flow
from rulewright.engine.position_data import InvalidPosition
from rulewright.engine.sentence_renderer import SentenceRenderer
from rulewright.engine.state import Decision, Draw, Frame, SimultaneousChoice, StackEntry, State
from rulewright.expr.tree import Expr, Logic, Quantifier
from rulewright.model.dependencies import place_dependencies
from rulewright.model.effects import Choose, Finish, GiveTurn, Leave, Move, Reveal, Roll, RunSteps, SetState, Step
from rulewright.model.rules import Invariant


def check_step_invariants(engine: Engine, state: State) -> None:
    """What holds after each step holds where somebody decides; raises `InvalidPosition`."""
    top = state.stack[-1] if state.stack else None
    if not isinstance(state.waiting, Decision) or top is None or isinstance(top, Draw):
        return
    for invariant in engine.rules.invariants:
        if invariant.after == "step" and not engine.compiler.compile(invariant.condition)(_context(state, top.seat)):
            raise _broken(engine, state, invariant)


def check_lasting_invariants(engine: Engine, state: State) -> None:
    """What held after the last turn and the last round holds still, as far as nothing can have changed it since; and in
    the set-up all is where it was at first that no step has moved.

    Raises `InvalidPosition`.
    """
    rules, stack = engine.rules, state.stack
    bottom = stack[0] if stack else None
    if not isinstance(bottom, Frame) or bottom.block != rules.round:
        return
    if state.round > 1:
        steps = _StepsSince(engine, state, with_turns=True)
        steps.add_begun(0)
        _check_untouched(engine, state, "round", steps.changed_places())
    turns = [depth for depth, entry in enumerate(stack) if isinstance(entry, Frame) and entry.block == rules.turn]
    if state.turn_count > len(turns) and not rules.has_elimination:  # who leaves in a turn does not end it
        steps = _StepsSince(engine, state, with_turns=False)
        # what is done between two turns; in the first round the last one may have been in the set-up
        for block in (rules.setup, rules.round) if state.round == 1 else (rules.round,):
            steps.add_block(block, None)
        if turns:
            steps.add_begun(turns[0])
        _check_untouched(engine, state, "turn", steps.changed_places())


def _check_untouched(engine: Engine, state: State, after: str, changed: frozenset[int]) -> None:
    for invariant in engine.rules.invariants:
        if invariant.after != after:
            continue
        for part, known in _parts(engine, state, invariant.condition, {}):
            read = place_dependencies(engine.rules, part, known)
            if read is None or not changed.isdisjoint(read):
                continue
            env = [known[slot] for slot in sorted(known)]
            if not engine.compiler.compile(part)(_context(state, -1, env)):
                raise _broken(engine, state, invariant)


def _parts(
    engine: Engine, state: State, condition: Expr, known: dict[int, int]
) -> Iterator[tuple[Expr, dict[int, int]]]:
    """What must hold, in parts that can be judged by themselves: each side of an `and`, each element of an `every`.

    Each with the elements that it is about, by slot.
    """
    match condition:
        case Logic(op="and", left=left, right=right):
            yield from _parts(engine, state, left, known)
            yield from _parts(engine, state, right, known)
        case Quantifier(quantifier="every", slot=slot, over=over, condition=inner) if (
            place_dependencies(engine.rules, over, known) == frozenset()
        ):
            env = [known[slot] for slot in sorted(known)]
            for value in engine.compiler.compile_elements(over)(_context(state, -1, env)):
                yield from _parts(engine, state, inner, {**known, slot: value})
        case _:
            yield condition, known


class _StepsSince:
    """The steps that may have been carried out since a turn or round began, and the places that they may change.

    `with_turns`: with the turns that they give; else those have ended, or are what is asked about.
    """

    def __init__(self, engine: Engine, state: State, *, with_turns: bool) -> None:
        self.engine = engine
        self.rules = engine.rules
        self.stack: tuple[StackEntry, ...] = state.stack
        self.with_turns = with_turns
        steps = [step for block in self.rules.blocks for step in block.steps]
        self.has_extra_turns = any(isinstance(step.effect, GiveTurn) and step.effect.is_extra for step in steps)
        self.is_waiting = isinstance(state.waiting, Decision)
        self.places: set[int] = set()
        self._seen: set[tuple[int, int | None]] = set()

    def add_begun(self, depth: int) -> None:
        """What the frame at a depth of the stack and those on it have done so far."""
        for index in range(depth, len(self.stack)):
            entry = self.stack[index]
            if not isinstance(entry, Frame):
                continue
            steps = self.rules.blocks[entry.block].steps
            current = entry.step if entry.remaining is not None else entry.step - 1
            above = self.stack[index + 1] if index + 1 < len(self.stack) else None
            for number, step in enumerate(steps[: current + 1]):
                if number < current or not self._is_only_begun(step, entry, above):
                    self.add_step(step, entry.seat if entry.seat >= 0 else None)

    def _is_only_begun(self, step: Step, frame: Frame, above: StackEntry | None) -> bool:
        """Whether the running step of a frame has done nothing but what is on top of it."""
        if frame.remaining is not None:
            return False
        if above is None:
            return self.is_waiting
        if isinstance(step.effect, GiveTurn) and self.has_extra_turns:
            return False  # the turn that it gave may have ended
        if isinstance(step.effect, Choose) and step.effect.mode == "together":
            return isinstance(above, SimultaneousChoice)
        return not isinstance(above, Draw)

    def add_block(self, block: int, seat: int | None) -> None:
        """All steps of a block, carried out by a seat (None: any)."""
        if (block, seat) not in self._seen:
            self._seen.add((block, seat))
            for step in self.rules.blocks[block].steps:
                self.add_step(step, seat)

    def add_step(self, step: Step, seat: int | None) -> None:
        """A step, and all that it brings about."""
        effect = step.effect
        match effect:
            case Move():
                self.places.update(*move_flow(self.rules, effect, seat))
            case RunSteps(block=block):
                self.add_block(block, seat)
            case GiveTurn(is_extra=False) if self.with_turns:
                self.add_block(self.rules.turn, None)
            case Choose(offers=offers, fallback=fallback, mode=mode):
                actions: Iterable[int] = [offer.action for offer in offers]
                chooser = seat if step.by is None and mode != "together" else None
                for number in (*actions, *([fallback] if isinstance(fallback, int) else [])):
                    self.add_block(self.rules.actions[number].block, chooser)
            case SetState() | Roll() | Reveal() | GiveTurn() | Finish() | Leave():
                pass  # nothing comes to a place or leaves it
            case _:
                assert_never(effect)

    def changed_places(self) -> frozenset[int]:
        """The places that may have changed, with those that fill themselves then."""
        while True:
            size = len(self.places)
            for to, source, _ in self.engine.layout.refills:
                if to in self.places or source in self.places:
                    self.places.update((to, source))
            if len(self.places) == size:
                return frozenset(self.places)


def _context(state: State, seat: int, env: Iterable[int] = ()) -> Context:
    return Context(state.contents, state.variables, me=seat, env=tuple(env), first=state.first_seat, round=state.round)


def _broken(engine: Engine, state: State, invariant: Invariant) -> InvalidPosition:
    renderer = SentenceRenderer(engine.rules, engine.compiler, engine.layout.visibility)
    spectator = engine.layout.visibility.viewer_index(None)
    sentence = renderer.render_at(invariant.address, _context(state, -1), spectator) or invariant.source_text
    return InvalidPosition(f"it breaks {invariant.address}: {sentence.removesuffix('.')}")


__all__ = ["check_lasting_invariants", "check_step_invariants"]
