"""Does a variant let a state grow by more than its type has room for, although games at random seldom show it?

In: rules that random games have not made fail, the composition they were built from. Out: a warning at the change of a
variant by which the most that a step can add to a state, on top of what the state can be before that step, is more than
the type of the state, where that is not so without the variant. What a state can be is what it has come to in games
that were tried, or one less than what ends the game right after such a step.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from rulewright.checker.common.change_causes import blamed, is_by_variants
from rulewright.checker.common.codes import FAILS_IN_PLAY, RUNS_OVER
from rulewright.checker.common.emptying_moves import added_to
from rulewright.checker.common.names_touched import NamesTouched
from rulewright.checker.common.tried_games import random_games
from rulewright.checker.logic.counts_check import ranges_with_parameters
from rulewright.diagnostics import Diagnostics, Related
from rulewright.engine.default_engine import make_watched_engine
from rulewright.engine.faults import RuleFault
from rulewright.engine.reference.mutable_state import MutableState
from rulewright.expr.tree import Arithmetic, Compare, Expr, Quantifier, ReadState
from rulewright.expr.types import Number
from rulewright.expr.walk import disjuncts
from rulewright.frozen import frozen
from rulewright.model.effects import Finish, SetState, Step
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.loader import Composition, base_rules
from rulewright.model.rules import Rules, StateDef

GAMES: Final = 4
MAX_DECISIONS: Final = 500  # of a game


@frozen
class _Growth:
    """A step that adds to a state without a bound, which entry of it, and how much it can add. `last`: the most that
    the state can be while the game goes on, if an end says so.
    """

    step: Step
    state: StateDef
    grown: ReadState
    most: int
    last: int | None


def check_outgrown_types(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports the first."""
    if not composition.chosen_variants or any(one.code in (FAILS_IN_PLAY, RUNS_OVER) for one in diagnostics):
        return
    base = base_rules(composition)
    before = {} if base is None else {growth.step.address: growth for growth in _growths(base)}
    changed = {
        growth.step.address
        for growth in _growths(rules)
        if (one := before.get(growth.step.address)) is not None
        if (one.most, one.last, one.state.type) != (growth.most, growth.last, growth.state.type)
    }

    def is_right(other: Rules) -> bool:
        return _outgrown(other, changed) is None

    found = _outgrown(rules, changed) if changed else None
    if found is None or not is_by_variants(composition, is_right):
        return
    growth, highest = found
    assert isinstance(growth.state.type, Number)
    message = f"`{growth.state.name}` has room for {growth.state.type.high}, and `{growth.step.address}` can add"
    message += f" {growth.most} to {highest}"
    message, span = blamed(message, growth.step.address, composition, is_right)
    diagnostics.add(
        span,
        RUNS_OVER,
        message,
        label="causes it",
        help=f"give `{growth.state.name}` a wider type, or keep it within its type with `min`",
        address=growth.step.address,
        related=[Related(growth.step.span, growth.step.address)],
    )


def _outgrown(rules: Rules, asked: Collection[str]) -> tuple[_Growth, int] | None:
    """The first step that can add too much, and to how much. `asked`: the addresses of the steps that are judged."""
    growths = {growth.step.address: growth for growth in _growths(rules) if growth.step.address in asked}
    if not growths:
        return None
    highest = dict.fromkeys(growths, 0)

    def note(address: str, position: MutableState) -> None:
        highest[address] = max(highest[address], read[address](position.context))

    engine = make_watched_engine(rules, growths.keys(), note)
    read = {address: engine.compiler.compile_number(growth.grown) for address, growth in growths.items()}
    if any(game.play().fault is not None for game in random_games(engine, GAMES, MAX_DECISIONS)):
        return None  # which is told elsewhere
    for address, growth in growths.items():
        assert isinstance(growth.state.type, Number)
        before = highest[address] if growth.last is None else growth.last
        if before + growth.most > growth.state.type.high:
            return growth, before
    return None


def _growths(rules: Rules) -> Iterator[_Growth]:
    """The steps that add to a state without a bound or a condition on it."""
    names = NamesTouched(rules)
    try:
        ranges = ranges_with_parameters(rules)
    except RuleFault:
        return  # reported by the set-up
    for step, later in (
        (one.steps[place], one.steps[place + 1 :]) for one in rules.blocks for place in range(len(one.steps))
    ):
        effect = step.effect
        if not isinstance(effect, SetState) or not isinstance(effect.to, Arithmetic) or effect.to.op != "+":
            continue
        state, asked = rules.states[effect.target.name], [step.when, step.while_condition]
        asked += [None if step.for_each is None else step.for_each.condition]
        if not isinstance(state.type, Number) or any(state.name in names.read(one) for one in asked if one is not None):
            continue
        added: Expr | None = added_to(effect.target, effect.to)
        if added is not None and isinstance(added.type, Number):
            grown = ReadState(state.name, effect.target.keys, state.type, effect.to.offsets)
            last = min((most for end in later for most in _lasts(end, state, ranges)), default=None)
            yield _Growth(step, state, grown, ranges.scalars(added, {}, ranges.seats).high, last)


def _lasts(end: Step, state: StateDef, ranges: ExpressionRanges) -> Iterator[int]:
    """The most that a state can be where a step does not end the game at once."""
    if not isinstance(end.effect, Finish) or end.effect.when != "now" or end.when is None:
        return
    for part in disjuncts(end.when):
        asked = part.condition if isinstance(part, Quantifier) and part.quantifier == "some" else part
        match asked:
            case Compare(op=">=" | ">" as op, left=ReadState(name=name), right=bound) if name == state.name:
                least = ranges.scalars(bound, {}, ranges.seats).single
                if least is not None:
                    yield least - (op == ">=")


__all__ = ["check_outgrown_types"]
