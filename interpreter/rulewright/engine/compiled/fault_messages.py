"""What exactly goes wrong when a compiled program stops: asked of the engine that defines what rules mean.

In: a program, the seed of a game, who began, and the words of its actions. Out: the fault of the rules with the values
of the moment, by playing the same actions once more; None if the rules do not fail. A program itself knows only where.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.engine.compiled.compiler import CompiledProgram
from rulewright.engine.default_engine import make_engine
from rulewright.engine.faults import RuleFault


def find_fault(program: CompiledProgram, seed: int, first: int, words: Iterable[int]) -> RuleFault | None:
    """The fault after these actions, or while the options that follow are listed."""
    tokenwise = [
        action.choices[index].address
        for action in program.rules.actions
        for index in program.words.token_choices[action.index]
    ]
    engine = make_engine(program.rules, tokenwise=tokenwise)
    if not program.checks_invariants:
        engine = engine.imagined
    try:
        state = engine.start(seed=seed, first=first)
        for word in words:
            state = engine.apply_legal(state, program.words.action(word))
        engine.legal(state)
    except RuleFault as fault:
        return fault
    return None


__all__ = ["find_fault"]
