"""What the compiler cannot translate yet.

In: the address of a rule and what it contains. Out: an error that names both.
"""

from __future__ import annotations

from rulewright.errors import RulewrightError


class NotCompiled(RulewrightError):
    """A rule at `address` has something that is played by the reference engine only: `construct`."""

    def __init__(self, address: str, construct: str) -> None:
        super().__init__(f"{address} cannot be compiled yet: {construct}")
        self.address = address
        self.construct = construct


__all__ = ["NotCompiled"]
