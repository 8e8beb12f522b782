"""Is who is left alone said to win, and a player named who may have left?

In: rules, and the composition they were built from. Out: warnings about ends that come when a single player is left,
and name as the winner the first player, or one whom only the set-up has named, where nothing in the rules keeps that
one from leaving as any other does. Under variants only what a variant wrote.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.rules_read import all_parts, steps_within
from rulewright.checker.common.steps_asked import sets_state
from rulewright.checker.logic.seats_in_turn import SeatsInTurn
from rulewright.diagnostics import Diagnostics
from rulewright.expr.tree import Builtin, Call, Compare, Constant, Expr, ReadState
from rulewright.expr.types import SEAT
from rulewright.expr.walk import conjuncts, is_me
from rulewright.model.effects import Finish, GiveTurn, Leave, SetState, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.model.traversal import asked_exprs

FIRST: Final = "first_player"
ALONE: Final = {("is", 1), ("<=", 1), ("<", 2)}  # of how many are left
NO_OTHERS: Final = {("is", 0), ("<=", 0), ("<", 1)}


def check_winners_who_left(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    steps = [step for block in rules.blocks for step in block.steps]
    leaving = [step for step in steps if isinstance(step.effect, Leave)]
    if not leaving or rules.players == 1:
        return
    fixed = _fixed_players(rules, steps)
    for step in steps:
        winner = step.effect.winners if isinstance(step.effect, Finish) else None
        if winner is None or step.when is None or not _is_fixed(winner, fixed):
            continue
        conditions = conjuncts(step.when)
        if not any(map(_asks_for_one, conditions)) or any(_names(rules, [each], fixed) for each in conditions):
            continue
        if _is_privileged(rules, steps, leaving, fixed):
            return
        span = key_span(composition.document.root, step.address, "winners", step.span)
        if composition.is_judged(span):
            name = winner.name if isinstance(winner, Builtin | ReadState) else ""
            message = f"`{name}` wins when one player is left, and may be one of those who have left"
            hint = "who is left is `winners: everyone`"
            diagnostics.add(span, OTHER_WAY, message, label="may have left", help=hint, address=step.address)


def _fixed_players(rules: Rules, steps: Sequence[Step]) -> frozenset[str]:
    """The states that are a player whom the set-up alone names."""
    setup = rules.setup
    within = {step.address for step in steps_within(setup, rules.blocks, with_procedures=True)} if setup >= 0 else set()
    return frozenset(
        state.name
        for state in rules.states.values()
        if state.type == SEAT
        and not state.key_types
        and all(step.address in within for step in steps if sets_state(step, state.name))
    )


def _is_fixed(seat: Expr, fixed: frozenset[str]) -> bool:
    return _is_first(seat) or (isinstance(seat, ReadState) and not seat.keys and seat.name in fixed)


def _is_first(seat: Expr) -> bool:
    return isinstance(seat, Builtin) and seat.name == FIRST


def _asks_for_one(condition: Expr) -> bool:
    """Whether a condition says that a single player is left."""
    if not isinstance(condition, Compare):
        return False
    of, number = condition.left, condition.right
    if isinstance(of, Call) and of.function == "count" and len(of.args) == 1:
        of = of.args[0]
    if not isinstance(of, Builtin) or not isinstance(number, Constant):
        return False
    asked = (condition.op, 0 if number.value is None else number.value)
    return asked in (ALONE if of.name == "everyone" else NO_OTHERS if of.name in ("others", "opponents") else ())


def _names(rules: Rules, exprs: Sequence[Expr], fixed: frozenset[str]) -> bool:
    """Whether expressions, or the values in them, are about a player who is always the same."""
    return any(_is_fixed(part, fixed) for part in all_parts(rules.values, exprs))


def _is_privileged(rules: Rules, steps: Sequence[Step], leaving: Sequence[Step], fixed: frozenset[str]) -> bool:
    """Whether a player who is always the same may be kept from leaving: by rules of that one, or without a turn."""
    if any(isinstance(step.effect, Leave) and is_me(step.effect.seats) for step in leaving):
        seats = SeatsInTurn(rules.blocks, rules.states, rules.values, rules.players, has_elimination=True)
        if len(seats.find()) < rules.players:
            return True
    exprs = [expr for step in steps for expr in _asked(step)]
    exprs += [clause.condition for action in rules.actions for clause in action.clauses]
    exprs += [state.initial_value for state in rules.states.values() if state.type != SEAT]
    exprs += [zone.initial_content for zone in rules.zones.values() if zone.initial_content is not None]
    return _names(rules, exprs, fixed)


def _asked(step: Step) -> Iterator[Expr]:
    """What a step asks, and where it puts what; not in which order, whom a state names or to whom a turn is given."""
    apart: list[Expr] = []
    if step.for_each is not None and isinstance(step.for_each.over, Call):
        apart.append(step.for_each.over)  # everybody, from somebody on
    match step.effect:
        case Finish():  # who has left has left before
            return
        case GiveTurn(seat=seat):
            apart.append(seat)
        case SetState(to=to) if to.type == SEAT:
            apart.append(to)
    yield from (expr for expr in asked_exprs(step) if not any(expr is one for one in apart))


__all__ = ["check_winners_who_left"]
