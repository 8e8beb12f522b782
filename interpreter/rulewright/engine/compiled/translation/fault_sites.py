"""Where the rules can fail while they are played: each such place has a number in the program.

In: a rule and what can go wrong there. Out: code that stops the program with the number, and the list of all places.
"""

from __future__ import annotations

from rulewright.diagnostics import Span
from rulewright.engine.compiled.kernel.code_builder import CodeBuilder
from rulewright.engine.compiled.kernel.kernel import Node
from rulewright.engine.compiled.kernel.kernel_arithmetic import negated
from rulewright.engine.compiled.kernel.kernel_statements import Fail
from rulewright.frozen import frozen


@frozen
class FaultSite:
    """Where the rules can fail: the rule, and what goes wrong there."""

    address: str
    span: Span | None
    text: str
    is_invariant: bool = False


class FaultSites:
    """The places of one program, by number."""

    def __init__(self) -> None:
        self.sites: list[FaultSite] = []

    def fail(self, code: CodeBuilder, site: FaultSite) -> None:
        """The rules fail here."""
        self.sites.append(site)
        code.write(Fail(len(self.sites) - 1))

    def fail_unless(self, code: CodeBuilder, test: Node, site: FaultSite) -> None:
        """The rules fail here where a test does not hold."""
        with code.when(negated(test)):
            self.fail(code, site)


__all__ = ["FaultSite", "FaultSites"]
