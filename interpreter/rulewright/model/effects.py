"""What happens in a game: steps in blocks, each with its effect, a class for each verb.

In: nothing. Out: these classes of the rule model, and the closed union of all effects.
"""

from __future__ import annotations

from typing import Literal

from rulewright.diagnostics import Span
from rulewright.expr.tree import Amount, Binding, Expr, Place, StateTarget
from rulewright.expr.types import Type
from rulewright.frozen import frozen
from rulewright.model.actions import Clause

EndMoment = Literal["after_round", "now"]
ChoiceMode = Literal["must", "may", "together"]


@frozen
class Move:
    """Things or pieces change place. `source` is None for things, which come from where they are."""

    amount: Amount
    source: Place | None
    to: Place


@frozen
class SetState:
    """A state variable takes a value."""

    target: StateTarget
    to: Expr


@frozen
class Roll:
    """A state variable takes a value by chance: outcomes with whole-number weights."""

    target: StateTarget
    outcomes: tuple[tuple[int, int], ...]  # run-time value, weight


@frozen
class Reveal:
    """Things are shown to some seats, or (None) to everybody."""

    what: Expr
    to: Expr | None


@frozen
class Offer:
    """An action offered at a step, perhaps under clauses of its own."""

    action: int
    clauses: tuple[Clause, ...]


@frozen
class Choose:
    """A decision.

    `fallback`: the action done when no offer is legal, "nothing", or None (the rules claim that one is).
    `sees_around`: whether clauses of its offers may read the variables around the step.
    """

    mode: ChoiceMode
    offers: tuple[Offer, ...]
    fallback: int | Literal["nothing"] | None
    is_automatic: bool
    sees_around: bool = False


@frozen
class GiveTurn:
    """A seat has a turn, now or (extra) right after the one that runs."""

    seat: Expr
    is_extra: bool


@frozen
class Finish:
    """The game ends, now or with the round. `winners`: a set of seats or a seat; None: the ranking says."""

    when: EndMoment
    winners: Expr | None


@frozen
class Leave:
    """A seat or a set of seats leaves the game."""

    seats: Expr


@frozen
class RunSteps:
    """Other steps are carried out: nested steps, or a procedure, which sees its arguments, not the variables here."""

    block: int
    is_procedure: bool
    arguments: tuple[Expr, ...] = ()  # of a procedure: its variables 0, 1, …


Effect = Move | SetState | Roll | Reveal | Choose | GiveTurn | Finish | Leave | RunSteps


@frozen
class Step:
    """One step. With `for_each` or `times` it is done several times; `by` is who decides.

    `order`: of what a loop runs over, by which the lowest come first, or (`is_descending`) the highest.
    """

    address: str
    effect: Effect
    when: Expr | None
    for_each: Binding | None
    order: Expr | None
    times: Expr | None
    by: Expr | None
    span: Span
    cost: int = 1  # a bound on the steps of doing it once
    is_descending: bool = False
    loop_cost: int = 0  # and of computing what the loop runs over
    while_condition: Expr | None = None  # asked before each repetition; the first time it fails ends them
    source_texts: tuple[tuple[str, str], ...] = ()  # its expressions and words by their keys, as written

    @property
    def is_repeated(self) -> bool:
        """Whether it is done as often as something says, which may be never."""
        return self.for_each is not None or self.times is not None or self.while_condition is not None


@frozen
class Block:
    """Steps done one after another. `variable_types`: of the variables bound where it begins."""

    address: str
    steps: tuple[Step, ...]
    variable_types: tuple[Type, ...] = ()

    def types_within(self, step: int) -> tuple[Type, ...]:
        """Of the variables that a step of it sees: those bound where it begins and what the step loops over."""
        loop = self.steps[step].for_each
        return self.variable_types if loop is None else (*self.variable_types, loop.type)
