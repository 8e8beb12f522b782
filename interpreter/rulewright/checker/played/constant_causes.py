"""Do the rules fail because of a condition that never holds, or of one that always does, or because nothing ends them?

In: a fault in play, the rules, what has been reported of them. Out: the warning about such a condition or end, so that
the fault is told there and once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from rulewright.checker.common.lint_codes import (
    ALL_SEATS,
    CHANGES_NOTHING,
    NEVER_ENDS,
    NO_TURN,
    ONE_SIDED,
    OTHER_NUMBER,
    OTHER_PLAYER,
    OTHER_WAY,
    SWAPPED_BOUND,
)
from rulewright.checker.common.names_touched import NamesTouched
from rulewright.checker.common.rules_read import all_parts
from rulewright.checker.common.shared_phrases import LOOP_GOES_ON
from rulewright.diagnostics import Diagnostic
from rulewright.engine.faults import BrokenInvariant, EndlessSteps, NoLegalAction, RuleFault, TooMuchWork
from rulewright.expr.codes import ALL_OR_ONE, ALWAYS_TRUE, NEVER_TRUE
from rulewright.expr.tree import ReadValue
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.actions import ActionDef
from rulewright.model.effects import Choose, Finish, GiveTurn, Leave, Move, Roll, RunSteps, Step
from rulewright.model.rules import Rules

QUOTED: Final = lazy_pattern(r"`(\w+)`")
PROCEDURES: Final = "procedures."
STANDSTILL: Final = (NoLegalAction, EndlessSteps, TooMuchWork)  # rounds without a decision cost much, too
OF_A_STEP: Final = (
    SWAPPED_BOUND,
    ONE_SIDED,
    OTHER_WAY,
    OTHER_NUMBER,
    OTHER_PLAYER,
)  # what is wrong with the step that fails
ENDING: Final = (Finish, Leave, GiveTurn, Choose, Roll)  # what steps do not go on for ever with


def find_constant_cause(fault: RuleFault, rules: Rules, diagnostics: Iterable[Diagnostic]) -> Diagnostic | None:
    """The warning that explains a fault: of a state that is set to what it cannot be, that it is kept on the wrong
    side of a bound; of a step, that its sentence says something else; of an offer without an option, that a clause of
    what is offered never holds; of an action that fails, itself or by a procedure, that one of its clauses always
    holds; of an invariant, either, of what changes what it asks; of steps without end, that an end or a decision
    never comes; of what runs out, that there is no end.
    """
    for one in diagnostics:
        if _is_misread(one, fault, rules) or (one.code in OF_A_STEP and one.address == fault.address):
            return one
        if one.code is ONE_SIDED and isinstance(fault, BrokenInvariant) and one.address in _asked(fault, rules):
            return one
        if one.code is ALWAYS_TRUE and one.message.startswith(LOOP_GOES_ON) and _is_within(fault.address, one.address):
            return one
    if isinstance(fault, BrokenInvariant) and (moved := _taken_from_elsewhere(fault, rules, diagnostics)) is not None:
        return moved
    codes = {NEVER_TRUE} if isinstance(fault, STANDSTILL) else {ALWAYS_TRUE}
    codes |= {NEVER_TRUE} if isinstance(fault, BrokenInvariant) else set()
    constant = [one for one in diagnostics if one.code in codes]
    places = tuple(f"{place}." for place in _asked(fault, rules)) if constant else ()
    cause = next((one for one in constant if f"{one.address}.".startswith(places)), None)
    if cause is not None or isinstance(fault, BrokenInvariant):
        return cause
    if (end := _end_that_never_comes(rules, diagnostics)) is not None:
        return end
    idle = next(_idle_moves_in(fault, rules, diagnostics), None)
    if idle is not None:
        return idle
    stopping = (NO_TURN, NEVER_ENDS, CHANGES_NOTHING) if isinstance(fault, STANDSTILL) else (NEVER_ENDS,)
    return next((one for one in diagnostics if one.code in stopping), None)


def _taken_from_elsewhere(fault: BrokenInvariant, rules: Rules, diagnostics: Iterable[Diagnostic]) -> Diagnostic | None:
    """The warning about a step that does not take what it should from where an invariant asks."""
    names = NamesTouched(rules)
    read = names.read_by_invariant(fault.address)
    for one in diagnostics:
        if one.code is ONE_SIDED and not read.isdisjoint(QUOTED.findall(one.message)):
            return one
    return None


def _end_that_never_comes(rules: Rules, diagnostics: Iterable[Diagnostic]) -> Diagnostic | None:
    """The warning about the end of a game, where it is known of all its ends that they never come."""
    ends = [step.address for block in rules.blocks for step in block.steps if isinstance(step.effect, Finish)]
    never = {one.address: one for one in diagnostics if one.code is NEVER_TRUE}
    return never[ends[0]] if ends and all(address in never for address in ends) else None


def _idle_moves_in(fault: RuleFault, rules: Rules, diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """The warnings about steps that move things within the place that is too full for a failing step."""
    moves = {
        step.address: step.effect for block in rules.blocks for step in block.steps if isinstance(step.effect, Move)
    }
    failing = moves.get(fault.address) if fault.key == "to" else None
    for one in diagnostics:
        idle = moves.get(one.address) if one.code is CHANGES_NOTHING else None
        if failing is not None and idle is not None and idle.to.zone == failing.to.zone:
            yield one


def _is_misread(one: Diagnostic, fault: RuleFault, rules: Rules) -> bool:
    """Whether a warning says that an invariant, or a clause of the action that fails, asks of all together what is
    meant of each.
    """
    if one.code not in (ALL_SEATS, ALL_OR_ONE) or isinstance(fault, STANDSTILL):
        return False
    if isinstance(fault, BrokenInvariant):
        return _is_within(one.address, fault.address)
    failing = (action.address for action in rules.actions if _is_within(fault.address, action.address))
    return any(_is_within(one.address, f"{address}.when") for address in failing)


def _asked(fault: RuleFault, rules: Rules) -> Iterator[str]:
    """The addresses at which a condition can be the cause of a fault."""
    steps = [step for block in rules.blocks for step in block.steps]
    if isinstance(fault, EndlessSteps | TooMuchWork):
        yield from (step.address for step in steps if isinstance(step.effect, ENDING))
        yield from (place for step in steps for place in _offered(step, rules))
        return
    if isinstance(fault, BrokenInvariant):
        yield from _writers(fault, rules)
        return
    yield fault.address
    if isinstance(fault, NoLegalAction):
        yield from (place for step in steps if step.address == fault.address for place in _offered(step, rules))
    elif fault.address.startswith(PROCEDURES):
        blocks = {
            index
            for index, block in enumerate(rules.blocks)
            if block.address.startswith(PROCEDURES) and _is_within(fault.address, block.address)
        }
        yield from _conditions((action for action in rules.actions if blocks & _reached(action.block, rules)), rules)
    else:
        yield from _conditions((each for each in rules.actions if _is_within(fault.address, each.address)), rules)


def _conditions(actions: Iterable[ActionDef], rules: Rules) -> Iterator[str]:
    """The clauses of actions, and the values that they ask."""
    for action in actions:
        yield f"{action.address}.when"
        parts = all_parts(rules.values, [clause.condition for clause in action.clauses])
        yield from (f"values.{part.name}" for part in parts if isinstance(part, ReadValue))


def _writers(fault: BrokenInvariant, rules: Rules) -> Iterator[str]:
    """The clauses of the actions, and the steps, that change what a broken invariant asks."""
    names = NamesTouched(rules)
    read = names.read_by_invariant(fault.address)
    yield from (f"{action.address}.when" for action in rules.actions if read & names.written_in(action.block))
    yield from (step.address for block in rules.blocks for step in block.steps if read & names.written(step))


def _reached(block: int, rules: Rules) -> set[int]:
    """A block and those that its steps run."""
    found, pending = {block}, [block]
    while pending:
        effects = (step.effect for step in rules.blocks[pending.pop()].steps)
        new = {effect.block for effect in effects if isinstance(effect, RunSteps)} - found
        found |= new
        pending += new
    return found


def _offered(step: Step, rules: Rules) -> Iterator[str]:
    for offer in step.effect.offers if isinstance(step.effect, Choose) else ():
        yield from (f"{rules.actions[offer.action].address}.{asked}" for asked in ("when", "choose"))


def _is_within(address: str, whole: str) -> bool:
    return f"{address}.".startswith(f"{whole}.")


__all__ = ["find_constant_cause"]
