"""Invariants as kernel code: what must hold after steps, turns and rounds.

In: invariants, and what a step may write. Out: code that fails where one does not hold. The first part of
`EffectWriter`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final, assert_never

from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import Cell, Invoke, Name, Node
from rulewright.engine.compiled.kernel.kernel_arithmetic import (
    ONE,
    binary,
)
from rulewright.engine.compiled.kernel.kernel_statements import Function, Return
from rulewright.engine.compiled.translation.chance_sites import ChanceSites
from rulewright.engine.compiled.translation.expression_writer import ExpressionWriter
from rulewright.engine.compiled.translation.fault_sites import FaultSite, FaultSites
from rulewright.engine.compiled.translation.known_answers import KnownAnswers
from rulewright.engine.compiled.translation.place_expressions import Surroundings
from rulewright.expr.tree import Amount, Place, ReadZone
from rulewright.expr.walk import iter_exprs
from rulewright.model.dependencies import is_iterative, position_dependencies
from rulewright.model.effects import Choose, Finish, GiveTurn, Leave, Move, Reveal, Roll, RunSteps, SetState, Step
from rulewright.model.rules import ELIMINATION_STATE, Invariant, Rules

DRAWS: Final = ("top", "random", "up to random")


class InvariantChecks:
    """Checks after the steps of one rule model. `faults`: where the rules can fail."""

    def __init__(
        self,
        rules: Rules,
        expressions: ExpressionWriter,
        faults: FaultSites,
        *,
        checks_invariants: bool,
        is_witnessed: bool = False,
    ) -> None:
        self.rules = rules
        self.expressions = expressions
        self.cells = expressions.cells
        self.faults = faults
        self.chance_sites = ChanceSites()
        self.checks_invariants = checks_invariants
        self.is_witnessed = is_witnessed
        self.has_begun = False  # whether what is written next comes after a step that is always carried out
        self.known = KnownAnswers()
        self.functions: dict[str, Function] = {}  # by name, those that check long invariants
        by_place = sorted(rules.zones.values(), key=lambda zone: zone.first_index)
        self.refilled = [zone for zone in by_place if zone.refill is not None]
        self._invariant_reads = [
            (invariant, position_dependencies(rules, invariant.condition)) for invariant in rules.invariants
        ]
        late = frozenset(self._written_late())
        self._late = [
            invariant
            for invariant, reads in self._invariant_reads
            if invariant.after == "step" and (reads is None or not late.isdisjoint(reads))
        ]

    def _written_late(self) -> Iterator[int]:
        """Places and variables (as ~n) that can be written between two steps, or by a step after its check: what
        begins anew, what chance brings, what fills itself, who leaves.
        """
        zones = {zone.name for zone in self.refilled}
        zones |= {zone.refill.zone for zone in self.refilled if zone.refill is not None}
        states = {state.name for state in self.rules.states.values() if state.reset_scope or state.block_address}
        for block in self.rules.blocks:
            for step in block.steps:
                match step.effect:
                    case Move(source=Place(zone=source), to=Place(zone=to), amount=Amount(mode=mode)) if mode in DRAWS:
                        zones |= {source, to}
                    case Roll(target=target):
                        states.add(target.name)
                    case Leave():
                        states.add(ELIMINATION_STATE)
                    case Move() | SetState() | Reveal() | Choose() | GiveTurn() | Finish() | RunSteps():
                        pass
                    case _:
                        assert_never(step.effect)
        for name in zones:
            zone = self.rules.zones[name]
            yield from range(zone.first_index, zone.first_index + zone.size)
        for name in states:
            state = self.rules.states[name]
            yield from (~index for index in range(state.first_index, state.first_index + state.size))

    def fail_unless(self, code: CodeBuilder, test: Node, site: FaultSite) -> None:
        """The rules fail here where a test does not hold."""
        self.faults.fail_unless(code, test, site)

    def _origins(self, move: Move) -> tuple[list[str], bool]:
        """The zones in which a thing that is moved may lie, those that the rule names first; whether it surely lies in
        one of them.
        """
        zone = self.rules.zones[move.to.zone]
        component = self.cells.component_of(zone).name
        proved = self.known.zones_of(move)
        if proved:
            return list(proved), True
        everywhere = [other.name for other in self.cells.zones_of(component)]
        named: list[str] = [move.source.zone] if move.source is not None else []
        if move.amount.of is not None:
            named += [part.name for part in iter_exprs(move.amount.of) if isinstance(part, ReadZone)]
        return list(dict.fromkeys([*(name for name in named if name in everywhere), *everywhere])), False

    def check_invariants(self, code: CodeBuilder, scope: str, me: Node) -> None:
        """What must hold after a turn or a round."""
        for invariant in self.rules.invariants:
            if invariant.after == scope:
                self._check(code, invariant, Surroundings(me, {}))

    def check_at_the_beginning(self, code: CodeBuilder, me: Node, beside: Collection[Invariant] = ()) -> None:
        """Until a step has surely been carried out, each checks all that must hold after steps: nothing says that it
        holds as the game begins. `beside`: those that are checked anyway.
        """
        invariants = [
            invariant for invariant in self.rules.invariants if invariant.after == "step" and invariant not in beside
        ]
        if self.has_begun or not invariants:
            return
        with code.when(binary("<=", Cell(self.cells.counter("turns")), ONE)):
            for invariant in invariants:
                self._check(code, invariant, Surroundings(me, {}))

    def check_late(self, code: CodeBuilder, me: Node) -> None:
        """After a step that writes nothing itself: what was written since the step before."""
        for invariant in self._late:
            self._check(code, invariant, Surroundings(me, {}))

    def _check_step_invariants(self, code: CodeBuilder, step: Step, around: Surroundings) -> None:
        written = set(self._written(step))
        affected = [
            invariant
            for invariant, reads in self._invariant_reads
            if invariant.after == "step" and (invariant in self._late or reads is None or not written.isdisjoint(reads))
        ]
        for invariant in affected:
            self._check(code, invariant, Surroundings(around.me, {}))
        self.check_at_the_beginning(code, around.me, affected)

    def _written(self, step: Step) -> Iterator[int]:
        """Places and variables (as ~n) that a step may write."""
        match step.effect:
            case Move() as move:
                zones = (
                    {move.to.zone, *self._origins(move)[0]} if move.source is None else {move.to.zone, move.source.zone}
                )
                for name in zones:
                    zone = self.rules.zones[name]
                    yield from range(zone.first_index, zone.first_index + zone.size)
            case SetState(target=target) | Roll(target=target):
                state = self.rules.states[target.name]
                yield from (~index for index in range(state.first_index, state.first_index + state.size))
            case Reveal() | Choose() | GiveTurn() | Finish() | Leave() | RunSteps():
                return  # nothing, or only what `_written_late` names
            case _:
                assert_never(step.effect)

    def _check(self, code: CodeBuilder, invariant: Invariant, around: Surroundings) -> None:
        if not self.checks_invariants:
            return
        code.remark(invariant.address)
        site = FaultSite(
            invariant.address, invariant.span, f"does not hold after a {invariant.after}", is_invariant=True
        )
        if invariant.after == "step" and is_iterative(self.rules, invariant.condition):
            holds: Node = Invoke(self._function_of(invariant), (around.me,))
        else:
            holds = self.expressions.number(code, invariant.condition, around)
        self.fail_unless(code, holds, site)

    def _function_of(self, invariant: Invariant) -> str:
        """The function that says whether a long invariant holds: steps in many places check it."""
        name = f"invariant_{self.rules.invariants.index(invariant)}"
        if name not in self.functions:
            code = CodeBuilder(("me",), is_pure=True)
            holds = self.expressions.number(code, invariant.condition, Surroundings(Name("me"), {}))
            code.write(Return((holds,)))
            text = "whether it holds"
            self.functions[name] = Function(name, ("me",), code.block, True, invariant.address, text)
        return name


__all__ = ["InvariantChecks"]
