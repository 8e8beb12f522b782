"""What never happens in the steps of a game, as far as it is known while they are followed.

In: what fails at a step or clause, and what is reached at all, noted one by one, in whatever order. Out: `FlowResult`:
what failed wherever it was reached.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rulewright.checker.logic.known_conditions import Known
from rulewright.expr.tree import Expr
from rulewright.frozen import field, frozen, mutable
from rulewright.model.actions import Clause
from rulewright.model.effects import Step

IDLE: Final = "to"  # the key of a step that sets a state to what it is
COPY: Final = "copy"  # stands for the key of a step that sets a state to another, which has just begun anew


@frozen
class DeadStep:
    """A step that is never carried out. `causes`: the addresses of what makes it so. `is_reached`: its condition fails;
    else the steps before it never go on. `key`: of the step, where the condition is; `condition`: None where what it
    goes through is empty.
    """

    step: Step
    is_reached: bool
    causes: tuple[str, ...]
    key: str = "when"
    condition: Expr | None = None


@frozen
class IdleStep:
    """A step that changes nothing: what it adds or takes off is nothing there, or what it shows or moves is not there.
    `key`: of the step, where that is written.
    """

    step: Step
    causes: tuple[str, ...]
    key: str = IDLE


@frozen
class DeadClause:
    """A clause that never holds where its action is offered."""

    clause: Clause
    causes: tuple[str, ...]


@frozen
class FlowResult:
    """What never happens, in the order of the rules."""

    steps: tuple[DeadStep, ...] = ()
    clauses: tuple[DeadClause, ...] = ()
    idle: tuple[IdleStep, ...] = ()
    ends: Known | None = None  # what is known wherever the game is over


@mutable
class _Verdict:
    """Of a step or clause: what it is, and what makes it false; whether it is reached."""

    subject: Step | Clause
    causes: tuple[str, ...]
    is_reached: bool = True
    key: str = "when"
    condition: Expr | None = None


@mutable
class FlowVerdicts:
    """What was found so far, by address; what happens somewhere is not found any more."""

    dead: dict[str, _Verdict] = field(default_factory=dict)
    alive: set[str] = field(default_factory=set)

    def note(
        self,
        address: str,
        subject: Step | Clause,
        causes: Sequence[str],
        *,
        is_reached: bool = True,
        key: str = "when",
        condition: Expr | None = None,
    ) -> None:
        """Notes that something does not happen at one of the places where it is followed."""
        if address not in self.alive:
            self.dead.setdefault(address, _Verdict(subject, tuple(causes), is_reached, key, condition))

    def note_alive(self, address: str) -> None:
        """Notes that something may happen."""
        self.alive.add(address)
        self.dead.pop(address, None)

    def result(self, ends: Known | None) -> FlowResult:
        """What failed wherever it was reached."""
        of_steps = [(one, one.subject) for one in self.dead.values() if not isinstance(one.subject, Clause)]
        idle_keys = (IDLE, COPY, "move", "reveal")
        return FlowResult(
            tuple(
                DeadStep(step, one.is_reached, one.causes, one.key, one.condition)
                for one, step in of_steps
                if one.key not in idle_keys
            ),
            tuple(DeadClause(one.subject, one.causes) for one in self.dead.values() if isinstance(one.subject, Clause)),
            tuple(IdleStep(step, one.causes, one.key) for one, step in of_steps if one.key in idle_keys),
            ends,
        )


__all__ = ["COPY", "IDLE", "DeadClause", "DeadStep", "FlowResult", "FlowVerdicts", "IdleStep"]
