"""What goes wrong in play because rules ask for it: a fault of the rule files, told with the place that asks.

In: nothing. Out: the exceptions.
"""

from __future__ import annotations

from typing import Final

from rulewright.diagnostics import Span
from rulewright.errors import RulewrightError

NO_OPTION_MESSAGE: Final = (
    "must be answered, but no action is legal; write `otherwise:` with what is done then, or `nothing`"
)


class RuleFault(RulewrightError):
    """Rules that ask for the impossible in play: `address` of the step, `span` of its text, what it asked for."""

    def __init__(self, address: str, span: Span | None, message: str) -> None:
        self.address = address
        self.span = span
        self.message = message
        super().__init__(f"{address}: {message}" + (f" ({span})" if span else ""))


class StepFault(RulewrightError):
    """A move that cannot be made; the machine adds the step's address."""
