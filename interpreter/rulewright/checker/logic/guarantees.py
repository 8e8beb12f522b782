"""What must hold in every game of some rules, and whether the rules alone prove it.

In: rules. Out: a `Guarantee` for each: proved, or left to testing in play. What is not proved need not be wrong; the
proofs are short and look at one rule at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.expr.fold import fold_constant
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Arithmetic, Builtin, Call, Constant, Range
from rulewright.expr.types import SEAT
from rulewright.frozen import frozen
from rulewright.model.actions import Domain, OneOf, SomeOf
from rulewright.model.effects import Block, Choose, GiveTurn, Roll, RunSteps, Step
from rulewright.model.rules import Rules

CONSERVATION: Final = "things are conserved"
DECISION_HAS_OPTION: Final = "every decision has an option"
ROUND_PROGRESS: Final = "every round reaches a decision or a chance event"
PROPERTIES: Final = (CONSERVATION, DECISION_HAS_OPTION, ROUND_PROGRESS)


@frozen
class Guarantee:
    """A statement that must hold at the rule with that address. `proof`: why it does; empty when it is not proved.

    `tried`: what was found where not only the games of random players look for it.
    """

    statement: str
    address: str
    proof: str
    tried: str = ""

    @property
    def is_proved(self) -> bool:
        """Whether the rules alone prove it."""
        return bool(self.proof)


def prove_guarantees(rules: Rules) -> tuple[Guarantee, ...]:
    """What must hold in every game, in a fixed order."""
    return (
        Guarantee(CONSERVATION, "zones", "only moves change zones, and a move adds what it removes"),
        *_option_guarantees(rules),
        Guarantee(ROUND_PROGRESS, "round", _progress_proof(rules)),
    )


# ---- a decision has an option ----------------------------------------------------------------------------------


def _option_guarantees(rules: Rules) -> Iterator[Guarantee]:
    for block in rules.blocks:
        for step in block.steps:
            if isinstance(step.effect, Choose):
                yield Guarantee(DECISION_HAS_OPTION, step.address, _option_proof(rules, step.effect))


def _option_proof(rules: Rules, choose: Choose) -> str:
    if choose.mode == "may":
        return "it may be declined"
    if choose.mode == "together":
        return "a player without an option is skipped"
    if choose.fallback == "nothing":
        return "without an option nothing happens"
    unconditional = [offer.action for offer in choose.offers if not offer.clauses]
    if isinstance(choose.fallback, int):
        unconditional.append(choose.fallback)
    for index in unconditional:
        action = rules.actions[index]
        if not action.clauses and all(
            choice.condition is None and _always_has_answer(choice.domain) for choice in action.choices
        ):
            return f"`{action.name}` " + ("always has an answer" if action.choices else "has no choices")
    return ""


def _always_has_answer(domain: Domain) -> bool:
    """Whether a choice has an answer in every position.

    It has when any number of what is there can be chosen, or `count(…) less n` of it, or one of a constant set.
    """
    match domain:
        case SomeOf(total=None):
            return True
        case SomeOf(of=of, total=Arithmetic(op="less", left=Call(function="count", args=(counted,)))):
            return structural_key(of) == structural_key(counted)
        case OneOf(of=Constant(value=tuple() as members)):
            return bool(members)
        case OneOf(of=Builtin(name=SEAT.kind)):
            return True
        case OneOf(of=Range(low=Constant(value=int() as low), high=Constant(value=int() as high))):
            return low <= high
        case _:
            return False


# ---- a round meets a decision or chance ------------------------------------------------------------------------


def _progress_proof(rules: Rules) -> str:
    """Why every round meets one: steps that are certainly carried out lead to it."""
    return _block_proof(rules, rules.blocks[rules.round], frozenset())


def _block_proof(rules: Rules, block: Block, seen: frozenset[int]) -> str:
    for step in block.steps:
        if not _is_certain(step, rules.has_elimination):
            continue
        effect = step.effect
        match effect:
            case Roll(outcomes=outcomes) if len(outcomes) > 1:
                return f"`{step.address}` waits for chance"
            case Choose() | GiveTurn() if rules.has_elimination:
                proof = ""  # a seat that has left is skipped
            case Choose(mode="must", fallback=fallback) if fallback != "nothing" and not effect.is_automatic:
                return f"`{step.address}` waits for a decision"
            case GiveTurn() if rules.turn not in seen:
                proof = _block_proof(rules, rules.blocks[rules.turn], seen | {rules.turn})
            case RunSteps(block=inner) if inner not in seen:
                proof = _block_proof(rules, rules.blocks[inner], seen | {inner})
            case _:
                proof = ""
        if proof:
            return proof
    return ""


def _is_certain(step: Step, has_elimination: bool) -> bool:
    """Whether a step is carried out at least once whenever it is reached."""
    if step.when is not None or step.while_condition is not None:
        return False
    if step.times is not None:
        times = fold_constant(step.times)
        if not isinstance(times, int) or times < 1:
            return False
    if step.for_each is None:
        return True
    match step.for_each.over:
        case Constant(value=value):
            is_never_empty = bool(value)
        case Builtin(name=name):
            is_never_empty = name == SEAT.kind or (name == "everyone" and not has_elimination)
        case _:
            is_never_empty = False
    return is_never_empty and step.for_each.condition is None


__all__ = [
    "CONSERVATION",
    "DECISION_HAS_OPTION",
    "PROPERTIES",
    "ROUND_PROGRESS",
    "Guarantee",
    "prove_guarantees",
]
