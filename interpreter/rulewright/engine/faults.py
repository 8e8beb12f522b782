"""What goes wrong in play because of the rules: an error of the rule files, shown with the step that caused it.

In: nothing. Out: the exceptions that every engine raises.
"""

from __future__ import annotations

from typing import Final

from rulewright import limits
from rulewright.diagnostics import Span
from rulewright.errors import RulewrightError


class RuleFault(RulewrightError):
    """The rules fail in play. `address`: of the step; `span`: of its text; `message`: what is wrong; `key`: the key of
    the step whose value it is, if it is one; `failed`: the state or zone that cannot be as the step would have it.
    """

    def __init__(self, address: str, span: Span | None, message: str, key: str = "", failed: str = "") -> None:
        self.address = address
        self.span = span
        self.message = message
        self.key = key
        self.failed = failed
        super().__init__(f"{address}: {message}" + (f" ({span})" if span else ""))


class NoLegalAction(RuleFault):
    """A step asks for a decision, and there is nothing to decide for."""

    def __init__(self, address: str, span: Span | None) -> None:
        message = "requires a choice, but no action is legal; add `if_unable:` with an action or `nothing`"
        super().__init__(address, span, message)


class EndlessSteps(RuleFault):
    """Steps are carried out for ever, without a decision or a chance event. `rounds`: that have gone by where they
    were too much work before they were too many.
    """

    def __init__(self, address: str, rounds: int = 0) -> None:
        many = f"{rounds:,} rounds" if rounds else f"more than {limits.MAX_AUTOMATIC_STEPS:,} steps"
        super().__init__(address, None, f"{many} without a decision or a chance event")


class TooMuchWork(RuleFault):
    """What is computed for one decision, or between two, could take more than `limits.MAX_WORK` steps."""


class BrokenInvariant(RuleFault):
    """An invariant does not hold."""


class StepFault(RulewrightError):
    """A step that cannot be carried out; the engine adds its address and raises `RuleFault`. `key`, `failed`: as
    there.
    """

    def __init__(self, message: str, key: str = "", failed: str = "") -> None:
        self.key = key
        self.failed = failed
        super().__init__(message)


class TooManyAnswersError(RulewrightError):
    """A choice has more answers than can be listed; the engine raises a `RuleFault` with its address."""


# what an engine may raise for the values of a position that no game would produce
MALFORMED_STATE_ERRORS: Final = (
    LookupError,
    TypeError,
    ValueError,
    ArithmeticError,
    AttributeError,
    AssertionError,
    RuleFault,
)
