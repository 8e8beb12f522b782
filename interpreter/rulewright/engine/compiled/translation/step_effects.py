"""What steps do, as kernel code that runs straight on: moves, states, turns to come, and what follows from a move.

In: steps of the rule model, and where their variables stand. Out: code that changes the cells. Moves keep the place of
each thing, how many there are in each place, and the sums of fields; whatever can fill itself is filled after the step.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import assert_never

from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import Cell, Int, Node
from rulewright.engine.compiled.kernel.kernel_arithmetic import (
    ONE,
    ZERO,
    add,
    binary,
    known,
    negated,
    subtract,
)
from rulewright.engine.compiled.kernel.kernel_statements import Witness
from rulewright.engine.compiled.translation.chance_sites import ChanceSite
from rulewright.engine.compiled.translation.fault_sites import FaultSite
from rulewright.engine.compiled.translation.moves_of_steps import StepMoves
from rulewright.engine.compiled.translation.place_expressions import Surroundings
from rulewright.engine.values import as_int
from rulewright.expr.types import Number, SetOf, Thing
from rulewright.model.effects import Choose, Finish, GiveTurn, Leave, Move, Reveal, Roll, RunSteps, SetState, Step
from rulewright.model.rules import StateDef


class EffectWriter(StepMoves):
    """Writes the effects of one rule model's steps. `faults`: where the rules can fail."""

    # ---- steps ------------------------------------------------------------------------------------------------

    def write(self, code: CodeBuilder, step: Step, around: Surroundings) -> None:
        """What one step does, with all that follows at once."""
        site = FaultSite(step.address, step.span, "cannot do what it says")
        match step.effect:
            case Move() as move if move.amount.mode in ("top", "random", "up to random"):
                self._check_step_invariants(code, step, around)  # before anything is drawn
                self._draw(code, move, around, site)
                self.known.forget_bags()
                self.known.forget_things()
                self._refill_after(code, move)
                return
            case Move() as move:
                self._move(code, step, move, around, site)
                return
            case SetState() as effect:
                self._set(code, effect, around, site)
            case Roll() as effect:
                self._check_step_invariants(code, step, around)
                self._roll(code, effect, around)
                return
            case Reveal() as effect:
                self._reveal(code, effect, around)
            case GiveTurn(seat=seat, is_extra=True):
                self._promise_turn(code, self.expressions.number(code, seat, around), site)
            case Finish(when="after_round") as effect:
                self.name_winners(code, effect, around)
                with code.when(negated(Cell(self.cells.counter("ending")))):
                    self.note_end(code, step)
                code.store(self.cells.counter("ending"), ONE)
            case Choose() | GiveTurn() | Finish() | Leave() | RunSteps():
                raise AssertionError(f"{step.address} does not run straight on")
            case _:
                assert_never(step.effect)
        self._check_step_invariants(code, step, around)

    def note_end(self, code: CodeBuilder, step: Step) -> None:
        """Keeps which step ended the game."""
        number = next(
            (block_index << 16 | step_index)
            for block_index, block in enumerate(self.rules.blocks)
            for step_index, other in enumerate(block.steps)
            if other is step
        )
        code.store(self.cells.counter("ended_by"), Int(number))

    def name_winners(self, code: CodeBuilder, effect: Finish, around: Surroundings) -> None:
        """The winners that a step names, as a mask of seats."""
        if effect.winners is None:
            return
        mask = code.variable(ZERO, "winners")
        winners = self.expressions.one_or_all(code, effect.winners, around)
        winners.each(code, lambda seat: code.assign(mask, binary("|", mask, binary("<<", ONE, seat))))
        code.store(self.cells.counter("winners"), mask)

    def _promise_turn(self, code: CodeBuilder, seat: Node, site: FaultSite) -> None:
        seat = code.let(seat, "seat")
        first = Int(self.cells.extra_turns)
        with ExitStack() as stack:
            if self.rules.has_elimination:
                stack.enter_context(code.when(self.expressions.is_in_game(seat)))
            waiting = code.let(Cell(first), "waiting")
            self.fail_unless(code, binary("<", waiting, Int(self.cells.extra_room)), site)
            code.store(add(add(waiting, ONE), first), seat)
            code.store(first, add(waiting, ONE))

    # ---- what viewers see -------------------------------------------------------------------------------------

    def _reveal(self, code: CodeBuilder, effect: Reveal, around: Surroundings) -> None:
        """Things are shown, which changes nothing but what viewers know."""
        if not self.is_witnessed:
            return
        viewers: Node = Int((1 << self.rules.players + 1) - 1)
        if effect.to is not None:
            mask = code.variable(ZERO, "viewers")
            seats = self.expressions.one_or_all(code, effect.to, around)
            seats.each(code, lambda seat: code.assign(mask, binary("|", mask, binary("<<", ONE, seat))))
            viewers = mask
        type_ = effect.what.type
        element = type_.element if isinstance(type_, SetOf) else type_
        assert isinstance(element, Thing)
        first = Int(self.rules.components[element.component].first_index)
        items = self.expressions.one_or_all(code, effect.what, around).to_list(code)
        code.write(Witness("shown", (viewers, first), items.items))

    # ---- states -----------------------------------------------------------------------------------------------

    def _set(self, code: CodeBuilder, effect: SetState, around: Surroundings, site: FaultSite) -> None:
        definition = self.rules.states[effect.target.name]
        value = code.let(self.expressions.number(code, effect.to, around), definition.name)
        if isinstance(definition.type, Number):
            low, high, given = definition.type.low, definition.type.high, effect.to.type
            is_within = isinstance(given, Number) and low <= given.low and given.high <= high
            if known(value) is None or not is_within:
                inside = binary("and", binary("<=", Int(low), value), binary("<=", value, Int(high)))
                if not is_within:
                    self.fail_unless(code, inside, site)
        code.store(self.expressions.state_cell(code, definition.name, effect.target.keys, around), value)

    def _roll(self, code: CodeBuilder, effect: Roll, around: Surroundings) -> None:
        name = effect.target.name
        cell = code.let(self.expressions.state_cell(code, name, effect.target.keys, around), "cell")
        weights = Int(sum(weight for _, weight in effect.outcomes))
        site = ChanceSite("roll", name, outcomes=effect.outcomes)
        offset = subtract(cell, Int(self.cells.states[name]))
        ticket = code.variable(self.chance_sites.below(weights, site, offset), "ticket")
        reached = 0
        with ExitStack() as stack:
            for value, weight in effect.outcomes[:-1]:
                reached += weight
                with code.when(binary("<", ticket, Int(reached))) as branch:
                    code.store(cell, Int(int(value)))
                stack.enter_context(code.unless(branch))
            code.store(cell, Int(int(effect.outcomes[-1][0])))
        code.forget_cells()

    def reset(self, code: CodeBuilder, states: Sequence[StateDef]) -> None:
        """State variables begin anew."""
        variables = self.cells.layout.variables
        for state in states:
            start = variables[state.first_index : state.first_index + state.size]
            for cell, value in enumerate(start, self.cells.states[state.name]):
                code.store(Int(cell), Int(int(as_int(value))))  # a flag is a number, too


__all__ = ["EffectWriter"]
