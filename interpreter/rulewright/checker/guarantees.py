"""What must hold in every game of some rules, and whether it can be seen from the rules alone.

In: a rule model. Out: a `Claim` for each: proved, or left to playing. What is not proved need not be wrong; the proofs
are short and look at one rule at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from rulewright.expr.fold import fold_constant
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Arithmetic, Builtin, Call, Constant, Range
from rulewright.model.rules import Block, Choose, Domain, GiveTurn, OneOf, Roll, Rules, RunSteps, SomeOf, Step

CONSERVATION: Final = "things are conserved"
DECISION_HAS_OPTION: Final = "every decision has an option"
ROUND_PROGRESS: Final = "every round meets a decision or chance"
PROPERTIES: Final = (CONSERVATION, DECISION_HAS_OPTION, ROUND_PROGRESS)


@dataclass(frozen=True, slots=True)
class Guarantee:
    """`what` must hold at the rule with that address; `because`: why it does, empty when only playing can tell."""

    statement: str
    address: str
    proof: str

    @property
    def is_proved(self) -> bool:
        """Whether the rules alone show it."""
        return bool(self.proof)


def prove_guarantees(rules: Rules) -> tuple[Guarantee, ...]:
    """What must hold in every game, in a fixed order."""
    return (
        Guarantee(CONSERVATION, "zones", "nothing but a move writes to a zone, and a move puts down what it takes up"),
        *_options(rules),
        Guarantee(ROUND_PROGRESS, "round", _goes_on(rules)),
    )


# ---- a decision has an option ----------------------------------------------------------------------------------


def _options(rules: Rules) -> Iterator[Guarantee]:
    for block in rules.blocks:
        for step in block.steps:
            if isinstance(step.effect, Choose):
                yield Guarantee(DECISION_HAS_OPTION, step.address, _has_option(rules, step.effect))


def _has_option(rules: Rules, choose: Choose) -> str:
    if choose.mode == "may":
        return "it may be declined"
    if choose.mode == "together":
        return "a seat without an option is passed over"
    if choose.fallback == "nothing":
        return "without an option nothing is done"
    offered = [(offer.action, bool(offer.clauses)) for offer in choose.offers]
    if isinstance(choose.fallback, int):
        offered.append((choose.fallback, False))
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
            return structural_key(of) == structural_key(counted)
        case OneOf(of=Constant(value=tuple() as members)):
            return bool(members)
        case OneOf(of=Range(low=Constant(value=int() as low), high=Constant(value=int() as high))):
            return low <= high
        case _:
            return False


# ---- a round meets a decision or chance ------------------------------------------------------------------------


def _goes_on(rules: Rules) -> str:
    """Why every round meets one: steps that are surely carried out lead to it."""
    return _meets(rules, rules.blocks[rules.round], frozenset())


def _meets(rules: Rules, block: Block, seen: frozenset[int]) -> str:
    for step in block.steps:
        if not _surely(step, rules.has_elimination):
            continue
        effect = step.effect
        match effect:
            case Roll(outcomes=outcomes) if len(outcomes) > 1:
                return f"`{step.address}` rolls"
            case Choose() | GiveTurn() if rules.has_elimination:
                found = ""  # a seat that has left is passed over
            case Choose(mode="must", fallback=otherwise) if otherwise != "nothing" and not effect.is_automatic:
                return f"`{step.address}` asks"
            case GiveTurn() if rules.turn not in seen:
                found = _meets(rules, rules.blocks[rules.turn], seen | {rules.turn})
            case RunSteps(block=inner) if inner not in seen:
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
        times = fold_constant(step.times)
        if not isinstance(times, int) or times < 1:
            return False
    if step.for_each is None:
        return True
    match step.for_each.over:
        case Constant(value=value):
            some = bool(value)
        case Builtin(name=name):
            some = name == "everyone" and not leaves
        case _:
            some = False
    return some and step.for_each.condition is None


__all__ = ["CONSERVATION", "DECISION_HAS_OPTION", "PROPERTIES", "ROUND_PROGRESS", "Guarantee", "prove_guarantees"]
