"""What a player may do: an action with its choices, and the conditions that make it legal.

In: nothing. Out: these classes of the rule model.
"""

from __future__ import annotations

from rulewright.diagnostics import Span
from rulewright.expr.tree import Expr
from rulewright.expr.types import Number, Type
from rulewright.frozen import frozen


@frozen
class Clause:
    """A named condition. `required_choices`: how many of the action's choices come before it can be evaluated."""

    address: str
    condition: Expr
    required_choices: int
    span: Span
    source_text: str  # the expression as written
    cost: int  # a bound on the steps of evaluating it once


@frozen
class OneOf:
    """One member of a set."""

    of: Expr


@frozen
class SomeOf:
    """A subset of a set or a part of a bag, with `total` elements (None: any number)."""

    of: Expr
    total: Expr | None


@frozen
class Pay:
    """A payment of a price out of a bag, from which nothing could be left out; `rebate` pieces of the price need not be
    paid.

    `wild`: the members of which a piece stands for others; for how many, `worth_of` says; where `is_one_sort`, all of
    them are of one member. `worth`: for all wild members one expression, or one for each in their order; empty: 1.
    """

    price: Expr
    funds: Expr
    wild: tuple[int, ...]
    worth: tuple[Expr, ...]
    is_one_sort: bool
    rebate: Expr | None

    def worth_of(self, index: int) -> Expr | None:
        """For how many pieces a piece of the wild member at `index` stands; None: for one."""
        if not self.worth:
            return None
        return self.worth[0 if len(self.worth) == 1 else index]

    @property
    def is_plain_exchange(self) -> bool:
        """Whether each wild piece always stands for one piece."""
        return all(number.type == Number(1, 1) for number in self.worth)


Domain = OneOf | SomeOf | Pay


@frozen
class Choice:
    """A named decision inside an action. `type` is that of the answer.

    `condition`: where it does not hold, nothing is chosen: an empty bag or set.
    """

    name: str
    address: str
    domain: Domain
    type: Type
    span: Span
    source_texts: tuple[str, ...]  # the expressions of the domain as written
    cost: int  # a bound on the steps of computing those, without listing the answers
    condition: Expr | None = None


@frozen
class ActionDef:
    """What a player may do: its choices in order, the clauses that make it legal, the steps that carry it out."""

    name: str
    index: int
    address: str
    choices: tuple[Choice, ...]
    clauses: tuple[Clause, ...]
    block: int
    span: Span
