"""What exactly goes wrong when a compiled program stops: asked of the engine that defines what rules mean.

In: a program, how its game began, the actions since then and the outcomes of chance. Out: the fault of the
rules with the values of the moment, by playing the same actions once more; None if the rules do not fail. A program
itself knows only where.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.engine.compiled.compiler import CompiledProgram
from rulewright.engine.compiled.playing.outside_chance import outcome_of_number
from rulewright.engine.default_engine import make_engine
from rulewright.engine.faults import RuleFault
from rulewright.engine.interface import Engine
from rulewright.engine.state import ChanceEvent, State
from rulewright.frozen import frozen


@frozen
class Beginning:
    """How a game began; see `interface.Engine.start`."""

    seed: int | None
    first: int
    orders: Mapping[int, Sequence[int]] | None = None


def find_fault(
    program: CompiledProgram, beginning: Beginning, taken: Sequence[int], outcomes: Mapping[int, Sequence[int]]
) -> RuleFault | None:
    """The fault after these actions, or while the options that follow are listed. `taken`: by their indexes among what
    was legal; `outcomes`: of chance from outside after so many actions, as programs number them.
    """
    tokenwise = [
        action.choices[index].address
        for action in program.rules.actions
        for index in program.words.token_choices[action.index]
    ]
    engine = make_engine(program.rules, tokenwise=tokenwise)
    if not program.checks_invariants:
        engine = engine.imagined
    try:
        state = engine.start(seed=beginning.seed, first=beginning.first, orders=beginning.orders)
        state = _with_outcomes(engine, state, outcomes.get(0, ()))
        for number, index in enumerate(taken, start=1):
            state = engine.apply_legal(state, engine.legal(state)[index])
            state = _with_outcomes(engine, state, outcomes.get(number, ()))
        engine.legal(state)
    except RuleFault as fault:
        return fault
    return None


def _with_outcomes(engine: Engine, state: State, outcomes: Sequence[int]) -> State:
    for number in outcomes:
        assert isinstance(state.waiting, ChanceEvent)
        state = engine.resolve_chance(state, outcome_of_number(state.waiting, number))
    return state


__all__ = ["Beginning", "find_fault"]
