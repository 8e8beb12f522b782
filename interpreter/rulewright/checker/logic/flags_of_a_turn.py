"""Is it asked between turns of every player what only holds of whoever had the last one?

In: rules, and the composition they were built from. Out: warnings about conditions of steps outside of turns that ask
of every player a flag which begins anew each turn and which only whoever is in turn gets: with two players or more they
never hold. Under variants at what one of them wrote, or at the change without which it is otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.checker.common.change_causes import blamed, is_by_variants
from rulewright.checker.logic.rule_conditions import RuleCondition, report_constant, rule_conditions
from rulewright.diagnostics import Diagnostics, Related
from rulewright.expr.codes import NEVER_TRUE
from rulewright.expr.tree import Builtin, Constant, Expr, Local, Quantifier, ReadState
from rulewright.expr.types import SEAT, Flag
from rulewright.expr.walk import conjuncts, is_me
from rulewright.model.effects import SetState
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules, StateDef

OUTSIDE_OF_TURNS: Final = ("round.", "finale.")
HINT: Final = "it begins anew each turn: with `resets: round` it lasts until all have had theirs"


def check_flags_of_a_turn(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports the first."""
    found = next(_find(rules, composition), None)
    if found is None:
        return
    condition, part = found
    span = condition.span_of(part)
    if composition.is_judged(span):
        report_constant(condition, part, False, HINT, diagnostics)
        return

    def is_right(other: Rules) -> bool:
        return not any(_lasts_too_short(other, state) for state in other.states.values())

    if composition.chosen_variants and is_by_variants(composition, is_right):
        text = condition.text[slice(*part.offsets)].strip()
        message, place = blamed(
            f"`{text}` of `{condition.address}` never holds", condition.address, composition, is_right
        )
        diagnostics.add(
            place,
            NEVER_TRUE,
            message,
            label="causes it",
            help=HINT,
            address=condition.address,
            related=[Related(span, "never holds")],
        )


def _find(rules: Rules, composition: Composition) -> Iterator[tuple[RuleCondition, Expr]]:
    short = {state.name for state in rules.states.values() if _lasts_too_short(rules, state)}
    for condition in rule_conditions(rules, composition) if short and rules.players > 1 else ():
        if not condition.address.startswith(OUTSIDE_OF_TURNS):
            continue
        for part in conjuncts(condition.expr):
            match part:
                case Quantifier(quantifier="every", slot=slot, over=Builtin(name=over), condition=asked):
                    is_of_all = over == SEAT.kind or (over == "everyone" and not rules.has_elimination)
                    if is_of_all and any(_is_flag_of(one, slot, short) for one in conjuncts(asked)):
                        yield condition, part


def _is_flag_of(part: Expr, slot: int, names: set[str]) -> bool:
    return (
        isinstance(part, ReadState)
        and part.name in names
        and any(isinstance(key, Local) and key.slot == slot for key in part.keys)
    )


def _lasts_too_short(rules: Rules, state: StateDef) -> bool:
    """Whether a flag of each player begins anew each turn as false, and steps only set that of whoever is in turn."""
    is_false = isinstance(state.initial_value, Constant) and not state.initial_value.value
    if state.reset_scope != "turn" or not isinstance(state.type, Flag) or state.key_types != (SEAT,) or not is_false:
        return False
    effects = (step.effect for block in rules.blocks for step in block.steps)
    setting = [one.target for one in effects if isinstance(one, SetState) and one.target.name == state.name]
    return bool(setting) and all(map(is_me, (key for target in setting for key in target.keys)))


__all__ = ["check_flags_of_a_turn"]
