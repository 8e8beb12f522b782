"""What must hold in every game of some rules, and whether it can be seen from the rules alone.

In: a rule model. Out: a `Claim` for each: proved, or left to playing. What is not proved need not be wrong; the proofs
are short and look at one rule at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Final

from rulewright.expr.fold import fold
from rulewright.expr.tree import Arithmetic, Builtin, Call, Constant, Range
from rulewright.model.rules import Block, Choose, Domain, OneOf, Roll, Rules, Run, SomeOf, Step, Turn

CONSERVED: Final = "things are conserved"
OPTION: Final = "every decision has an option"
GOES_ON: Final = "every round meets a decision or chance"
WHAT: Final = (CONSERVED, OPTION, GOES_ON)


@dataclass(frozen=True, slots=True)
class Claim:
    """`what` must hold at the rule with that address; `because`: why it does, empty when only playing can tell."""

    what: str
    address: str
    because: str

    @property
    def proved(self) -> bool:
        """Whether the rules alone show it."""
        return bool(self.because)


def claims(rules: Rules) -> tuple[Claim, ...]:
    """What must hold in every game, in a fixed order."""
    return (
        Claim(CONSERVED, "zones", "nothing but a move writes to a zone, and a move puts down what it takes up"),
        *_options(rules),
        Claim(GOES_ON, "round", _goes_on(rules)),
    )


# ---- a decision has an option ----------------------------------------------------------------------------------


def _options(rules: Rules) -> Iterator[Claim]:
    for block in rules.blocks:
        for step in block.steps:
            if isinstance(step.effect, Choose):
                yield Claim(OPTION, step.address, _has_option(rules, step.effect))


def _has_option(rules: Rules, choose: Choose) -> str:
    if choose.how == "may":
        return "it may be declined"
    if choose.how == "together":
        return "a seat without an option is passed over"
    if choose.otherwise == "nothing":
        return "without an option nothing is done"
    offered = [(offer.action, bool(offer.clauses)) for offer in choose.offers]
    if isinstance(choose.otherwise, int):
        offered.append((choose.otherwise, False))
    for number, under_clauses in offered:
        action = rules.actions[number]
        if under_clauses or action.clauses:
            continue
        if all(_has_answer(choice.domain) for choice in action.choices):
            return f"`{action.name}` " + ("always has an answer" if action.choices else "asks for nothing")
    return ""


def _has_answer(domain: Domain) -> bool:
    """Whether a choice has an answer whatever the position: some of what there is are chosen, any number or fewer by
    so many than there are; or one of some that are fixed.
    """
    match domain:
        case SomeOf(total=None):
            return True
        case SomeOf(of=of, total=Arithmetic(op="less", left=Call(function="count", args=(counted,)))):
            return _same(of, counted)
        case OneOf(of=Constant(value=tuple() as members)):
            return bool(members)
        case OneOf(of=Range(low=Constant(value=int() as low), high=Constant(value=int() as high))):
            return low <= high
        case _:
            return False


def _same(one: object, other: object) -> bool:
    """Whether two expressions say the same; where they stand does not count."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    if type(one) is not type(other) or not is_dataclass(one):
        return one == other
    return all(
        _same(getattr(one, field.name), getattr(other, field.name)) for field in fields(one) if field.name != "at"
    )


# ---- a round meets a decision or chance ------------------------------------------------------------------------


def _goes_on(rules: Rules) -> str:
    """Why every round meets one: steps that are surely carried out lead to it."""
    return _meets(rules, rules.blocks[rules.round], frozenset())


def _meets(rules: Rules, block: Block, seen: frozenset[int]) -> str:
    for step in block.steps:
        if not _surely(step, rules.leaves):
            continue
        effect = step.effect
        match effect:
            case Roll(outcomes=outcomes) if len(outcomes) > 1:
                return f"`{step.address}` rolls"
            case Choose() | Turn() if rules.leaves:
                found = ""  # a seat that has left is passed over
            case Choose(how="must", otherwise=otherwise) if otherwise != "nothing" and not effect.automatic:
                return f"`{step.address}` asks"
            case Turn() if rules.turn not in seen:
                found = _meets(rules, rules.blocks[rules.turn], seen | {rules.turn})
            case Run(block=inner) if inner not in seen:
                found = _meets(rules, rules.blocks[inner], seen | {inner})
            case _:
                found = ""
        if found:
            return found
    return ""


def _surely(step: Step, leaves: bool) -> bool:
    """Whether a step is carried out at least once whenever it is reached; `leaves`: seats can leave the game."""
    if step.when is not None:
        return False
    if step.times is not None:
        times = fold(step.times)
        if not isinstance(times, int) or times < 1:
            return False
    if step.each is None:
        return True
    match step.each.over:
        case Constant(value=value):
            some = bool(value)
        case Builtin(name=name):
            some = name == "everyone" and not leaves
        case _:
            some = False
    return some and step.each.where is None


__all__ = ["CONSERVED", "GOES_ON", "OPTION", "WHAT", "Claim", "claims"]
