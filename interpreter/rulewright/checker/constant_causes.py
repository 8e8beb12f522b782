"""Do the rules fail because of a condition that never holds, or of one that always does?

In: a fault in play, the rules, what has been reported of them. Out: the warning about such a condition, so that the
fault is told there and once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.diagnostics import Diagnostic
from rulewright.engine.faults import EndlessSteps, NoLegalAction, RuleFault
from rulewright.expr.codes import ALWAYS_TRUE, NEVER_TRUE
from rulewright.model.effects import Choose, Finish, Step
from rulewright.model.rules import Rules


def find_constant_cause(fault: RuleFault, rules: Rules, diagnostics: Iterable[Diagnostic]) -> Diagnostic | None:
    """The warning that explains a fault: of an offer without an option, that a clause of what is offered never holds;
    of an action that fails, that one of its clauses always holds; of steps without end, that an end never comes.
    """
    code = NEVER_TRUE if isinstance(fault, NoLegalAction | EndlessSteps) else ALWAYS_TRUE
    places = tuple(f"{place}." for place in _asked(fault, rules))
    return next((one for one in diagnostics if one.code is code and f"{one.address}.".startswith(places)), None)


def _asked(fault: RuleFault, rules: Rules) -> Iterator[str]:
    """The addresses at which a condition can be the cause of a fault."""
    steps = [step for block in rules.blocks for step in block.steps]
    if isinstance(fault, EndlessSteps):
        yield from (step.address for step in steps if isinstance(step.effect, Finish))
        return
    yield fault.address
    if isinstance(fault, NoLegalAction):
        yield from (place for step in steps if step.address == fault.address for place in _offered(step, rules))
    else:
        yield from (f"{action.address}.when" for action in rules.actions if _is_within(fault.address, action.address))


def _offered(step: Step, rules: Rules) -> Iterator[str]:
    for offer in step.effect.offers if isinstance(step.effect, Choose) else ():
        yield f"{rules.actions[offer.action].address}.when"


def _is_within(address: str, whole: str) -> bool:
    return f"{address}.".startswith(f"{whole}.")


__all__ = ["find_constant_cause"]
